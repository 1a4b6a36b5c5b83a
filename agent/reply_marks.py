"""Removes the additions that models put around an action: markup, tags, brackets of other scripts,
function-call formats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from agent import actions
from agent.actions import GRAMMAR
from agent.argument_names import NAMES
from agent.llm import written_calls

_TAGS = re.compile(r"\A\s*<(\w+)>\s*(.*?)\s*</\1>\s*\Z", re.DOTALL)
_LEADING = re.compile(r"\A(?:[`*>#\u2022\s-]|\d{1,2}[.)]\s)+")
_TRAILING = "`* \t\r\n"
_WIDE = {"\uff3b": "\uff3d", "\u3010": "\u3011", "\u300c": "\u300d", "\uff08": "\uff09"}
_WIDE_CALL = re.compile(rf"\A([`*\s]*[A-Za-z_]\w*\s*)([{''.join(_WIDE)}])")
_ANGLED_CALL = re.compile(r"\A([`*\s]*[A-Za-z_]\w*)((?:\s*<[^<>\n]*>)+)")
_ANGLED = re.compile(r"<([^<>]*)>")


def unmarked(text: str) -> str:
    """Return a text without tags around it and without Markdown marks of lists, quotations or bold
    letters.
    """
    while found := _TAGS.match(text):
        text = found[2]
    return _LEADING.sub("", text).rstrip(_TRAILING)


def grammar_brackets(text: str) -> str:
    """Return an action's text with square brackets around its arguments, in place of full-width
    brackets of another script or of angle brackets, as in `click <7>`.
    """
    if angled := _ANGLED_CALL.match(text):
        return angled[1] + _ANGLED.sub(_squared, angled[2]) + text[angled.end() :]
    found = _WIDE_CALL.match(text)
    if found is None:
        return text
    opening, closing = found[2], _WIDE[found[2]]
    ours = "()" if opening == "\uff08" else "[]"
    return text.translate({ord(opening): ours[0], ord(closing): ours[1]})


def _squared(argument: re.Match[str]) -> str:
    return f"[{actions.bracketed(argument[1])}]"


def called(text: str, arities: Mapping[str, int]) -> str | None:
    """Return the only function call in a text as an action in the form of the grammar.

    Returns:
        None if the text has no call, several calls, or a call with unsuitable arguments.
    """
    calls = written_calls.read(text)
    name = calls[0].name.lower() if len(calls) == 1 else ""
    if calls and calls[0].arguments == "{}" and name.partition(" ")[0] in arities:
        return calls[0].name
    try:
        given = json.loads(calls[0].arguments) if name in arities else None
    except ValueError:
        return None
    values = _ordered(name, given, arities[name]) if isinstance(given, dict) else None
    if values is None:
        return None
    return " ".join((name, *(f"[{each}]" for each in values)))


def _ordered(name: str, given: Mapping[str, Any], arity: int) -> list[str] | None:
    """Return a call's arguments as texts in the order of the grammar, or for names outside the
    grammar in the written order.

    None if the arguments do not fit.
    """
    if name not in GRAMMAR:
        return [_shown(each) for each in given.values()] if len(given) == arity else None
    found, left = list[str](), dict(given)
    for argument in GRAMMAR[name].arguments:
        key = next(
            (each for each in (argument.field, *NAMES[argument.field]) if each in left), None
        )
        if key is not None:
            value = left.pop(key)
            found.append(str(int(value)) if isinstance(value, bool) else _shown(value))
        elif not argument.optional:
            return None
    return None if left else found


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return actions.bracketed(value if isinstance(value, str) else json.dumps(value))
