"""Draw the outlines in sites/crm/published_desk/ambiguous/letters.json from the font of the pages.

Run `python -m tools.draw_crm_letters` after `pip install fonttools brotli`. The file is kept in the
repository; captions that are pictures are composed of its outlines.
"""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import sites
from sites.crm.published_desk import ambiguous

FONT = Path(sites.__path__[0]) / "static" / "text.woff2"
LETTERS = Path(ambiguous.__file__).with_name("letters.json")
CHARACTERS = "".join(map(chr, range(0x20, 0x7F)))
WEIGHT = 600


def draw() -> str:
    """Return the text of letters.json.

    It has the font's units and height and, for each letter, its advance width and the path of its
    outline, with the baseline at 0 and upwards positive.
    """
    font = _font()
    glyphs, names, metrics = font.getGlyphSet(), font.getBestCmap(), font["hmtx"]
    letters = {
        each: [metrics[names[ord(each)]][0], _path(glyphs, names[ord(each)])] for each in CHARACTERS
    }
    about = {
        "units": font["head"].unitsPerEm,
        "ascent": font["hhea"].ascent,
        "descent": font["hhea"].descent,
    }
    rows = ",\n".join(f"    {json.dumps(each)}: {json.dumps(row)}" for each, row in letters.items())
    return f'{{\n  "about": {json.dumps(about)},\n  "letters": {{\n{rows}\n  }}\n}}\n'


def _font() -> Any:
    """Return the font at one weight."""
    font = import_module("fontTools.ttLib").TTFont(FONT)
    return import_module("fontTools.varLib.instancer").instantiateVariableFont(
        font, {"wght": WEIGHT}
    )


def _path(glyphs: Any, name: str) -> str:
    pen = import_module("fontTools.pens.svgPathPen").SVGPathPen(
        glyphs, lambda number: str(round(number))
    )
    glyphs[name].draw(pen)
    return str(pen.getCommands())


if __name__ == "__main__":
    LETTERS.write_text(draw(), encoding="utf-8")
