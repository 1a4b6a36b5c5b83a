"""Pictures of the task pages: their markup as it was once drawn, in the style of today.

`python -m tools.thumbnails` draws the markup again, in a browser.
"""

from __future__ import annotations

import re
from functools import cache
from xml.sax.saxutils import escape

from sites.widgets.world import FOLDER, TaskPage

STILLS = FOLDER / "stills"
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 210" width="160" height="210">'
    '<foreignObject width="160" height="210"><body xmlns="http://www.w3.org/1999/xhtml">'
    "<style>{style}</style>{markup}</body></foreignObject></svg>"
)
_STILL = "#wrap, #wrap * { overflow: hidden !important; }"
"""No scroll bars."""


@cache
def picture(page: TaskPage) -> str:
    """The page as SVG; an empty frame where its still has not been drawn yet."""
    file = STILLS / f"{page.name}.html"
    markup = file.read_text(encoding="utf-8") if file.exists() else '<div id="wrap"></div>'
    own = re.findall(r"<style>(.*?)</style>", page.html, re.DOTALL)
    return _SVG.format(style=escape("\n".join([_core(), *own])), markup=markup)


@cache
def _core() -> str:
    """The core's style, without what a picture cannot load."""
    style = (FOLDER / "static" / "core.css").read_text(encoding="utf-8")
    return re.sub(r"@font-face \{.*?\}\n", "", style, flags=re.DOTALL) + _STILL
