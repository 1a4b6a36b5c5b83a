"""JSON by strangers: a reader that refuses deep nesting before it parses.

Standard library only; every package may import this module, and it imports none. Python's own
parser recurses to the limit of the interpreter; a finalizer that the garbage collector runs there
fails, although it belongs to another object.
"""

from __future__ import annotations

import json
import re
from typing import Any

DEEPEST = 100
"""The most levels of objects and lists within each other."""

_PART = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def loads(document: str | bytes, **options: Any) -> Any:
    """Return the value of a JSON document, as `json.loads` with the same options does.

    Raises:
        ValueError: It is no JSON, or nested deeper than `DEEPEST` levels.
    """
    text = document if isinstance(document, str) else _decoded(document)
    if nests_deeper(text):
        raise ValueError(f"nested deeper than {DEEPEST} levels")
    return json.loads(text, **options)


def nests_deeper(text: str, levels: int = DEEPEST) -> bool:
    """Return whether objects and lists of a JSON text are nested deeper than `levels` levels."""
    if text.count("[") + text.count("{") <= levels:
        return False
    depth = 0
    for part in _PART.finditer(text):
        depth += _STEPS.get(text[part.start()], 0)
        if depth > levels:
            return True
    return False


def _decoded(document: bytes) -> str:
    """Return the text of JSON bytes in UTF-8, UTF-16 or UTF-32, as `json.loads` reads them."""
    return document.decode(json.detect_encoding(document), "surrogatepass")
