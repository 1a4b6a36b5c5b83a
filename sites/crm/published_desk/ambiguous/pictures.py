"""Captions of fields and buttons as pictures: outlines of letters that contain no readable text."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sites.crm.published_desk.ambiguous.names import names
from sites.crm.published_desk.form_fields import BUTTONS, FORMS
from sites.world import World

LETTERS = Path(__file__).with_name("letters.json")
SIZE = 13
"""Height of a caption's letters in pixels, as in a label."""
GROUPS = {"outward": "Outward flight", "return": "Return flight"}
_STYLE = "path{fill:#172130}@media(prefers-color-scheme:dark){path{fill:#ecf0f7}}"


def address(screen: str, shown: str) -> str:
    """Return the address of a caption's picture. It reveals no more than the neutral id does."""
    return f"/captions/{screen}/{shown}"


def caption(world: World, screen: str, shown: str) -> str:
    """Return the picture of the caption of a field or button as SVG, "" if it has none."""
    real = names(world, screen).real.get(shown, "")
    fields = {each.id: each.label for each in FORMS.get(screen, ())}
    buttons = {each.id: each.label for each in BUTTONS[screen]}
    text = fields.get(real) or buttons.get(real) or GROUPS.get(real, "")
    return _svg(text) if text else ""


def _svg(text: str) -> str:
    """Return a text as an SVG picture of its letters' outlines."""
    about, letters = _outlines()["about"], _outlines()["letters"]
    parts, at = [], 0
    for each in text:
        advance, path = letters[each]
        parts.append(f'<path transform="translate({at} 0)" d="{path}"/>' if path else "")
        at += advance
    ascent, descent = about["ascent"], about["descent"]
    height = ascent - descent
    scale = SIZE / about["units"]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{at * scale:.1f}"'
        f' height="{height * scale:.1f}" viewBox="0 {-ascent} {at} {height}">'
        f'<style>{_STYLE}</style><g transform="scale(1 -1)">{"".join(parts)}</g></svg>'
    )


@cache
def _outlines() -> dict[str, Any]:
    """Return the outlines of all letters, read from a file."""
    found: dict[str, Any] = json.loads(LETTERS.read_text(encoding="utf-8"))
    return found
