"""The style sheets of the kit: their contrasts, and what they must not change."""

from __future__ import annotations

import re
from pathlib import Path

import sites._kit
from sites._kit.declare import FRAMES, THEMES
from tests.each import for_each

STATIC = Path(sites._kit.__file__).parent / "static"
SHEETS = sorted(STATIC.rglob("*.css"))
DARK = "@media (prefers-color-scheme: dark)"
TEXT = 4.5
EDGE = 3.0
TEXTS = [
    *((ink, on) for ink in ("ink", "soft", "main", "visited", "wrong") for on in ("back", "paper")),
    *(("ink", "tint"), ("soft", "tint"), ("main", "tint"), ("visited", "tint"), ("ink", "field")),
    *(("on-main", "main"), ("bar-ink", "bar"), ("bar-soft", "bar")),
]
"""The colours of texts, each with a colour that it stands on."""
EDGES = [("edge", "field"), ("edge", "paper"), ("main", "paper")]
"""The edges of fields and buttons, each with the colour inside or around it."""
HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:|(?<![-\w])content\s*:|text-transform|opacity|clip|text-indent"
    r"|display\s*:\s*contents|pointer-events|order\s*:\s*-"
)
COLOURS = re.compile(r"(?:^|[;\s])(?:color|background(?:-color|-image)?|fill|stroke|filter)\s*:")


def read(path: Path) -> str:
    """Return the rules of a style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)


def colours(theme: str, scheme: str) -> dict[str, str]:
    """Return the colours of a theme by name; the dark ones replace the light ones."""
    light, _, dark = read(STATIC / "themes" / f"{theme}.css").partition(DARK)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6,8});", light))
    if scheme == "dark":
        found |= dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6,8});", dark))
    return found


def luminance(channels: list[float]) -> float:
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in range(1, len(colour), 2)]


def over(colour: str, ground: str) -> str:
    """Return a colour with an opacity as it looks on a ground."""
    *top, share = channels(colour)
    mixed = [a * share + b * (1 - share) for a, b in zip(top, channels(ground), strict=True)]
    return "#" + "".join(f"{round(each * 255):02x}" for each in mixed)


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted(luminance(channels(each)) for each in (one, other))
    return (lighter + 0.05) / (darker + 0.05)


EVERY = [(theme, scheme) for theme in THEMES for scheme in ("light", "dark")]


def test_contrast_is_measured_as_the_guidelines_say():
    assert round(contrast("#000000", "#ffffff"), 2) == 21
    assert round(contrast("#767676", "#ffffff"), 2) == 4.54


@for_each(("theme", "scheme"), EVERY)
def test_every_text_can_be_read(theme, scheme):
    found = colours(theme, scheme)
    weak = {pair: contrast(*(found[name] for name in pair)) for pair in TEXTS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < TEXT} == {}


@for_each(("theme", "scheme"), EVERY)
def test_the_edge_of_every_field_can_be_seen(theme, scheme):
    found = colours(theme, scheme)
    weak = {pair: contrast(*(found[name] for name in pair)) for pair in EDGES}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < EDGE} == {}


@for_each(("theme", "scheme"), EVERY)
def test_the_page_that_is_open_can_be_read_in_the_navigation(theme, scheme):
    found = colours(theme, scheme)
    assert contrast(found["bar-ink"], over(found["here"], found["bar"])) >= TEXT


@for_each("theme", THEMES)
def test_every_theme_has_every_colour_in_light_and_dark(theme):
    used = {name for path in SHEETS for name in re.findall(r"var\(--([\w-]+)\)", read(path))}
    light, _, dark = read(STATIC / "themes" / f"{theme}.css").partition(DARK)
    assert used <= {*re.findall(r"--([\w-]+):", light)}
    assert {"back", "paper", "ink", "main", "bar"} <= {*re.findall(r"--([\w-]+):", dark)}


def test_every_frame_and_theme_has_its_files():
    templates = STATIC.parent / "templates" / "frames"
    assert {path.stem for path in (STATIC / "frames").glob("*.css")} == {*FRAMES}
    assert {path.stem for path in templates.glob("*.html")} == {*FRAMES}
    assert {path.stem for path in (STATIC / "themes").glob("*.css")} == {*THEMES}


def test_a_rule_that_hides_or_writes_is_seen():
    assert all(HIDES.search(each) for each in ("display: none", "; content: 'x'", "visibility:x"))
    assert not HIDES.search("justify-content: center")


@for_each("path", SHEETS)
def test_no_sheet_changes_what_is_shown(path):
    assert HIDES.findall(read(path)) == []


@for_each("path", SHEETS)
def test_no_sheet_makes_a_table_something_else(path):
    """A table that is laid out as blocks is no table to a reader of the page."""
    laid = re.findall(r"([^{}]+)\{([^{}]*display\s*:[^{}]*)\}", read(path))
    parts = re.compile(r"(?:^|[\s,>])(?:table|thead|tbody|tr|th|td(?:\.\w+)?)\s*(?:,|$)")
    other = [rule for rule, body in laid if parts.search(rule.strip()) and "table-cell" not in body]
    assert other == []


def test_nothing_changes_its_colour_under_the_mouse():
    hovered = [
        body for path in SHEETS for body in re.findall(r":hover[^{}]*\{([^{}]*)\}", read(path))
    ]
    assert hovered
    assert [body for body in hovered if COLOURS.search(body)] == []
