"""The forum's pictures: small landscapes that are drawn from their names."""

from __future__ import annotations

import re
from random import Random

COLOURS = {
    "red": "#c0453b",
    "blue": "#3b6fb0",
    "green": "#4d8a57",
    "yellow": "#d9a93a",
    "white": "#e9e6dd",
    "black": "#33363c",
}
THINGS = ("boat", "house", "kite", "tent", "tree", "tower")
TIMES = {
    "dawn": ("#f6d9c2", "#9db7a0"),
    "noon": ("#bfe0f2", "#86ad6e"),
    "dusk": ("#7d6f9c", "#54604f"),
    "night": ("#27304f", "#2b3a3a"),
}
SHAPES = {
    "boat": "M-40 0 L40 0 L26 18 L-26 18 Z M-2 -4 L-2 -60 L34 -8 Z",
    "house": "M-34 18 L-34 -16 L0 -46 L34 -16 L34 18 Z",
    "kite": "M0 -150 L24 -120 L0 -80 L-24 -120 Z M-1 -80 L1 -80 L9 14 L7 14 Z",
    "tent": "M-44 18 L0 -44 L44 18 Z",
    "tree": "M-5 18 L-5 -14 L-32 -14 L0 -84 L32 -14 L5 -14 L5 18 Z",
    "tower": "M-16 18 L-12 -88 L-20 -88 L0 -106 L20 -88 L12 -88 L16 18 Z",
}
ADDRESS = re.compile(
    f"/picture/({'|'.join(COLOURS)})-({'|'.join(THINGS)})-at-({'|'.join(TIMES)})-([1-9][0-9]{{0,3}})"
    r"\.svg"
)
"""The address of a picture: its colour, thing, time of day and number."""


def draw_address(rng: Random) -> str:
    """Return the address of a picture that is drawn from the random numbers."""
    colour, thing, time = rng.choice([*COLOURS]), rng.choice(THINGS), rng.choice([*TIMES])
    return f"/picture/{colour}-{thing}-at-{time}-{rng.randint(1, 9999)}.svg"


def caption(address: str) -> str:
    """Return the sentence that stands for the picture, "" if there is no such picture."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        return ""
    colour, thing, time, _ = found.groups()
    return f"A {colour} {thing} at {time}"


def svg(address: str) -> str:
    """Return the picture as SVG, "" if there is no such picture."""
    found = ADDRESS.fullmatch(address)
    if found is None:
        return ""
    colour, thing, time, _ = found.groups()
    rng, (sky, ground) = Random(address), TIMES[time]
    x, top = rng.randint(120, 360), rng.randint(176, 196)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 270">'
        f'<rect width="480" height="270" fill="{sky}"/>'
        f'<circle cx="{rng.randint(40, 440)}" cy="{rng.randint(36, 110)}" r="{rng.randint(14, 30)}"'
        ' fill="#fff4d6"/>'
        f"{_hill(rng, top - 26, ground, '0.5')}{_hill(rng, top, ground, '1')}"
        f'<path transform="translate({x} {top + 10})" fill="{COLOURS[colour]}"'
        f' d="{SHAPES[thing]}"/></svg>'
    )


def _hill(rng: Random, top: int, fill: str, opacity: str) -> str:
    """Return one row of hills below the height."""
    left, middle, right = (top + rng.randint(-22, 22) for _ in range(3))
    line = f"M0 {left} Q120 {middle - 30} 240 {middle} T480 {right} V270 H0 Z"
    return f'<path d="{line}" fill="{fill}" fill-opacity="{opacity}"/>'
