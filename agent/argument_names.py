"""Handles names that models write before the arguments of an action: `scroll [direction=down]`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.actions import Argument, Verb

_IDS = ("id", "element", "element_id", "target", "bid", "ref", "node", "node_id", "uid", "index")
_WORDS = ("name", "label", "xpath")
NAMES = {
    "target": (*_IDS, *_WORDS),
    "onto": ("onto", "to", *_IDS),
    "text": ("text", "content", "value"),
    "option": ("option", "value", "label"),
    "keys": ("keys", "key", "key_comb"),
    "direction": ("direction", "dir"),
    "seconds": ("seconds", "time", "duration"),
    "url": ("url", "address"),
    "index": ("index", "tab", "tab_index"),
    "enter": ("enter", "press_enter", "press_enter_after"),
    "answer": ("answer",),
    "at": ("at", "place"),
    "path": ("path",),
}
FREE = "text"
"""The field of an action whose value may itself look like a named argument: `type [3] [text=5]`
types "text=5".
"""
_NAMED = re.compile(r"\s*([a-z_]+)\s*([=:])\s*(.*?)\s*", re.DOTALL)
_NUMBER = re.compile(r"(['\"]?)(\d{1,9})\1")


def left_out(verb: Verb, arguments: Sequence[str]) -> list[str]:
    """Return a verb's arguments without the names that a model wrote before them; if all have
    names, in the verb's order.

    Raises:
        ValueError: An id is no number; the message is written for the model.
    """
    found = [_NAMED.fullmatch(each) for each in arguments]
    by_field = {_field(verb, each[1]): each for each in found if each and each[2] == "="}
    fields = [argument.field for argument in verb.arguments if argument.field in by_field]
    if len(arguments) > 1 and len(fields) == len(arguments) == len(by_field):
        return [_value(verb, field, by_field[field]) for field in fields]
    pairs = zip(verb.arguments, arguments, strict=False)
    known = [_one(verb, argument, each) for argument, each in pairs]
    return [*known, *arguments[len(known) :]]


def _field(verb: Verb, name: str) -> str:
    """Return the field of the verb that an argument's name stands for, or ""."""
    fields = [each.field for each in verb.arguments if name in NAMES[each.field]]
    exact = [each for each in fields if each == name]
    return (exact or fields or [""])[0]


def _one(verb: Verb, argument: Argument, written: str) -> str:
    found = _NAMED.fullmatch(written)
    if found is None or argument.field == FREE or _field(verb, found[1]) != argument.field:
        return written
    if found[2] == ":" and not _NUMBER.fullmatch(found[3]):
        return written
    return _value(verb, argument.field, found)


def _value(verb: Verb, field: str, found: re.Match[str]) -> str:
    name, value = found[1], found[3]
    number = _NUMBER.fullmatch(value)
    if number and name not in _WORDS and field != FREE:
        return number[2]
    if field in ("target", "onto") and name in _IDS:
        raise ValueError(f"the id is the number of an element; write {verb.syntax}")
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted and field != "target" else value
