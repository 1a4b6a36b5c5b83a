"""Pictures of products: SVG drawn from the kind of the product and the chosen colour."""

from __future__ import annotations

import colorsys
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from string import Template

from markupsafe import Markup

from sites.store.catalogue.product import Product

TABLE = Path(__file__).with_name("pictures.toml")
COLOR_KINDS = ("color", "colour")
LIGHTER, DARKER = {"light", "pale", "baby", "pastel"}, {"dark", "deep", "burnt"}
BACKDROPS = (
    ("#f7f3ec", "#e6dccb"),
    ("#eef3f6", "#d3dfe6"),
    ("#f1f4ec", "#d9e2cd"),
    ("#f6eff0", "#e6d3d7"),
    ("#f1f0f7", "#d9d6e8"),
    ("#f6f1e6", "#e8d9b8"),
)
IN_A_BOX = "Supplies"
"""The category whose products are drawn as a box; the box is the last of the drawings."""
PAINT = re.compile(r'"([MDLNKGTWA])"')

CANVAS = Template(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="400" height="400">'
    '<defs><radialGradient id="B" cx=".5" cy=".36" r=".8"><stop stop-color="$near"/>'
    '<stop offset="1" stop-color="$far"/></radialGradient>'
    '<linearGradient id="M" $down><stop stop-color="$high"/><stop offset=".5" stop-color="$base"/>'
    '<stop offset="1" stop-color="$low"/></linearGradient>'
    '<linearGradient id="D" $down><stop stop-color="$low"/><stop offset="1" stop-color="$deep"/>'
    '</linearGradient><linearGradient id="L" $down><stop stop-color="$pale"/>'
    '<stop offset="1" stop-color="$high"/></linearGradient>'
    '<linearGradient id="N" $down><stop stop-color="#fdfdfb"/>'
    '<stop offset="1" stop-color="#d3d6d9"/></linearGradient>'
    '<linearGradient id="K" $down><stop stop-color="#4c5058"/>'
    '<stop offset="1" stop-color="#202329"/></linearGradient>'
    '<linearGradient id="G" gradientUnits="userSpaceOnUse" x1="0" x2="22" spreadMethod="reflect">'
    '<stop stop-color="#eceef1"/><stop offset="1" stop-color="#9aa2ab"/></linearGradient>'
    '<linearGradient id="T" $down><stop stop-color="#d2a772"/>'
    '<stop offset="1" stop-color="#94683c"/></linearGradient>'
    '<linearGradient id="W" $down><stop stop-color="#fff" stop-opacity=".5"/>'
    '<stop offset="1" stop-color="#fff" stop-opacity=".08"/></linearGradient></defs>'
    '<rect width="200" height="200" fill="url(#B)"/>'
    '<ellipse cx="100" cy="173" rx="76" ry="9" fill="#1b2430" opacity=".16"/>'
    "<g>$drawing</g></svg>"
)
DOWN = 'gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="20" y2="172"'


@dataclass(frozen=True)
class Drawing:
    """A drawing: a pattern of the product kinds that it shows (None for the box), and its SVG with
    named colours.
    """

    words: re.Pattern[str] | None
    svg: str


@dataclass(frozen=True)
class Table:
    """The data for pictures: colours by their names, and the drawings."""

    colors: Mapping[str, str]
    drawings: tuple[Drawing, ...]


def draw(product: Product, options: Mapping[str, str]) -> bytes:
    """Return the picture of a product with these options, as an SVG document.

    The document contains no text of the product. Equal products and options give equal bytes.
    """
    rng = random.Random(f"store/pictures/{product.asin}")
    backdrop, hue = rng.randrange(len(BACKDROPS)), rng.random()
    base, accent = _colors(product, options) or (_spectrum(hue), "")
    return _svg(_drawing_of(product), base, accent or _accent(base), backdrop)


def swatch(kind: str, value: str) -> Markup:
    """Return a dot in the colour that an option's value names; empty if it names no colour."""
    base, accent = _named_colors(value) if kind in COLOR_KINDS else ("", "")
    if not base:
        return Markup()
    half = f'<path d="M8 1a7 7 0 0 1 0 14z" fill="{accent}"/>' if accent else ""
    return Markup(  # noqa: S704 (colours of our table)
        '<svg class="swatch" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">'
        f'<circle cx="8" cy="8" r="7" fill="{base}"/>{half}</svg>'
    )


@cache
def _table() -> Table:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return Table(
        table["colors"],
        tuple(Drawing(_any_of(row["words"]), row["svg"].strip()) for row in table["drawings"]),
    )


def _any_of(words: list[str]) -> re.Pattern[str] | None:
    return re.compile(rf"\b(?:{'|'.join(words)})(?:s|es)?\b") if words else None


def _drawing_of(product: Product) -> int:
    """Return the index of a product's drawing; supplies and unknown kinds are drawn as a box."""
    drawings = _table().drawings
    if product.category == IN_A_BOX:
        return len(drawings) - 1
    for text in (product.kind.lower(), product.name.lower()):
        for place, drawing in enumerate(drawings):
            if drawing.words and drawing.words.search(text):
                return place
    return len(drawings) - 1


@lru_cache(maxsize=4096)
def _svg(place: int, base: str, accent: str, backdrop: int) -> bytes:
    near, far = BACKDROPS[backdrop]
    drawing = PAINT.sub(
        lambda paint: f'"{accent}"' if paint[1] == "A" else f'"url(#{paint[1]})"',
        _table().drawings[place].svg,
    )
    return CANVAS.substitute(
        near=near,
        far=far,
        down=DOWN,
        base=base,
        high=_mix(base, "#ffffff", 0.2),
        pale=_mix(base, "#ffffff", 0.42),
        low=_mix(base, "#0a0d14", 0.18),
        deep=_mix(base, "#0a0d14", 0.4),
        drawing=drawing.replace("\n", ""),
    ).encode()


def _colors(product: Product, options: Mapping[str, str]) -> tuple[str, str] | None:
    """Return two colours for a product's picture: those that a chosen option names, or else the
    first value of an option.

    Options for colours come first. None if no value names a colour.
    """
    kinds = sorted(product.options, key=lambda kind: kind not in COLOR_KINDS)
    values = [options.get(kind) or product.options[kind][0] for kind in kinds]
    return next((found for value in values if (found := _named_colors(value))[0]), None)


@lru_cache(maxsize=4096)
def _named_colors(value: str) -> tuple[str, str]:
    """Return the first two colours in a text such as "navy blue | white"; "" for missing ones."""
    parts = re.split(r"\||/|,|&|\band\b", value)
    found = [color for part in parts for color in _color_of(part)]
    return (*found, "", "")[:2]  # type: ignore[return-value]


def _color_of(text: str) -> Iterator[str]:
    words = re.findall(r"[a-z]+", text.lower())
    color = next((_table().colors[word] for word in words if word in _table().colors), None)
    if color:
        mixed = _mix(color, "#ffffff", 0.35) if LIGHTER & set(words) else color
        yield _mix(mixed, "#0a0d14", 0.3) if DARKER & set(words) else mixed


def _spectrum(hue: float) -> str:
    """Return a muted colour of this hue (0 to 1) in hexadecimal."""
    return _hex(tuple(colorsys.hls_to_rgb(hue, 0.48, 0.42)))


def _accent(base: str) -> str:
    red, green, blue = _rgb(base)
    light = 0.3 * red + 0.59 * green + 0.11 * blue
    return "#f6f4ee" if light < 0.66 else "#44546d"


def _mix(color: str, other: str, share: float) -> str:
    pairs = zip(_rgb(color), _rgb(other), strict=True)
    return _hex(tuple(one + (two - one) * share for one, two in pairs))


def _rgb(color: str) -> tuple[float, ...]:
    return tuple(int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))


def _hex(rgb: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in rgb)
