"""Pictures of the task pages: stored markup, shown with the current styles.

To draw the markup again, run `python -m tools.thumbnails`, which uses a browser.
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
"""A CSS rule that hides scroll bars."""


@cache
def picture(page: TaskPage) -> str:
    """Return a task page's picture as SVG text; an empty frame if its markup is not stored yet."""
    file = STILLS / f"{page.name}.html"
    markup = file.read_text(encoding="utf-8") if file.exists() else '<div id="wrap"></div>'
    own = re.findall(r"<style>(.*?)</style>", page.html, re.DOTALL)
    return _SVG.format(style=escape("\n".join([_core(), *own])), markup=markup)


@cache
def _core() -> str:
    """Return the core style without fonts, which a picture cannot load."""
    style = (FOLDER / "static" / "core.css").read_text(encoding="utf-8")
    return re.sub(r"@font-face \{.*?\}\n", "", style, flags=re.DOTALL) + _STILL
