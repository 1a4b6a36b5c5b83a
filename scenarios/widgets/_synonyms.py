"""Words that mean about the same: the dictionary of somebody who knows the language."""

from __future__ import annotations

import re
from functools import cache

from sites.widgets.world import FOLDER


def similar(one: str, two: str) -> bool:
    """Whether two words of the page's list are of one group."""
    return one == two or any(one in group and two in group for group in _groups())


@cache
def _groups() -> tuple[frozenset[str], ...]:
    text = (FOLDER / "static" / "synonyms.js").read_text(encoding="utf-8")
    [listed] = re.findall(r"`(.*?)`", text, re.DOTALL)
    return tuple(frozenset(line.split()) for line in listed.strip().splitlines())
