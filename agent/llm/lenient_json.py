"""Reads JSON as models write it: with single quotes, trailing commas, or Python's True and None.

Python literals are parsed and never run.
"""

from __future__ import annotations

import ast
import json
import warnings
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import rehearsal_json

LONGEST = 20_000  # characters; in a longer text only one object of strict JSON is read
MOST_STARTS = 50  # places of a text at which an object may begin
_NAMES = {"true": True, "false": False, "null": None}
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'"})


def loads(text: str) -> Any:
    """Return the value of a text in lenient JSON. Raises ValueError if it is no value that JSON can
    express.
    """
    try:
        return rehearsal_json.loads(text, strict=False, parse_constant=_no_constant)
    except ValueError as error:
        for each in (text, text.translate(_QUOTES)):
            with suppress(ValueError):
                return _literal(each)
        raise error from None


def objects(text: str) -> list[dict[str, Any]]:
    """Return the outermost JSON objects in a text, in order, as dicts."""
    return list(_objects(text))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    if len(text) > LONGEST:
        whole = _value(text[text.find("{") : text.rfind("}") + 1])
        yield from [whole] if isinstance(whole, dict) else []
        return
    place = -1
    for _ in range(MOST_STARTS):
        place = text.find("{", place + 1)
        if place < 0:
            return
        for end in _ends(text, place):
            value = _value(text[place:end])
            if isinstance(value, dict):
                yield value
                place = end - 1
                break


def _ends(text: str, start: int) -> Iterator[int]:
    """Yield the positions at which the JSON object that begins at `start` may end: after its
    closing brace, ignoring braces in strings, and after the last brace of the text.
    """
    depth, quote, skip = 0, "", False
    for place in range(start, len(text)):
        sign = text[place]
        if skip or (sign == "\\" and quote):
            skip = not skip
        elif quote:
            quote = "" if sign == quote else quote
        elif sign == '"' or (sign == "'" and text[place - 1] in " {[:,\n"):
            quote = sign
        else:
            depth += {"{": 1, "}": -1}.get(sign, 0)
            if not depth:
                yield place + 1
                break
    yield text.rfind("}") + 1


def _value(text: str) -> Any:
    try:
        return loads(text) if text else None
    except ValueError:
        return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


class _JsonNames(ast.NodeTransformer):
    """Replaces the names of JSON's constants (such as `true` and `null`) in a Python syntax tree by
    Python's constants.
    """

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(_NAMES[node.id]) if node.id in _NAMES else node


def _literal(text: str) -> Any:
    """Return the value of a Python literal. Raises ValueError if JSON cannot express it."""
    if len(text) > LONGEST:
        raise ValueError("it is too long")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of escapes such as \d, which models write
            tree = ast.parse(text.strip(), mode="eval")
        value = ast.literal_eval(_JsonNames().visit(tree))
        return rehearsal_json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, SyntaxError, RecursionError, MemoryError):
        raise ValueError("it is no literal") from None
