"""Read the items of an answer that is a list, and a text written as a JSON or Python literal."""

from __future__ import annotations

import re
from typing import Any

import rehearsal_json
from evaluators.scoring._refused import Refused

_STRING = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
_LITERAL = re.compile(rf"[\[({{]\s*(?:{_STRING})\s*(?:,\s*(?:{_STRING})\s*)*,?\s*[\])}}]")
"""A list, tuple or set of texts, as Python writes it."""
_STRINGS = re.compile(_STRING)
_FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)


def unfenced(text: str) -> str:
    """Return the content of a Markdown fence if the text is nothing else, otherwise the text."""
    fenced = _FENCE.fullmatch(text.strip())
    return fenced[1].strip() if fenced else text


def single(text: str) -> str:
    """Return the single text in a literal ("x", ["x"], {"answer": "x"}), otherwise the text
    itself.
    """
    held = _held(unfenced(text))
    if isinstance(held, list) and len(held) == 1:
        held = held[0]
    return held if isinstance(held, str) else text


def literal(text: str) -> list[str] | None:
    """Return the texts of a JSON or Python list, or None if the text is no such list."""
    held = _held(text)
    is_list = isinstance(held, list) and all(isinstance(each, str) for each in held)
    return held if is_list else None


def split(text: str) -> list[str]:
    """Split a text into items: by lines, else by semicolons, else by commas and a final "and".

    Raises:
        Refused: The text begins like a JSON list or object.
    """
    if text.startswith(("[", "{")):
        raise Refused("no list")
    for separator in ("\n", ";"):
        if separator in text:
            return text.split(separator)
    return re.split(r",\s*and\s+|,|\s+and\s+", text, flags=re.IGNORECASE)


def _held(text: str) -> Any:
    """Return the value of a literal or the only value of an object; None if the text is no
    literal.
    """
    try:
        held = rehearsal_json.loads(text)
    except ValueError:
        return _texts(text.strip())
    return next(iter(held.values())) if isinstance(held, dict) and len(held) == 1 else held


def _texts(text: str) -> list[str] | None:
    """Return the texts of a list, tuple or set in Python's notation, or None."""
    if not _LITERAL.fullmatch(text) or text[0] + text[-1] not in ("[]", "()", "{}"):
        return None
    return [re.sub(r"\\(['\"\\])", r"\1", each[1:-1]) for each in _STRINGS.findall(text)]
