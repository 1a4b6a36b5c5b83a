r"""The grammar of actions: parses an action, prints an action, and describes the grammar.

The form is WebArena's: a verb, then each argument in square brackets, on one line. Inside the
brackets, balanced brackets need no escape; `\[`, `\]`, `\\` and `\n` stand for `[`, `]`, `\` and a
line end. The first word alone decides the verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.interface import (
    LONGEST_WAIT,
    SHORTEST_WAIT,
    Action,
    Back,
    Click,
    ClickAt,
    Drag,
    Draw,
    Forward,
    Goto,
    Hover,
    HoverAt,
    KeyboardType,
    MarkText,
    Note,
    Place,
    Press,
    Respond,
    Scroll,
    ScrollIn,
    Select,
    Stop,
    Tab,
    Target,
    Type,
    Wait,
)
from agent.offered import OFFERS, WAIT
from agent.plugins import unknown
from agent.renderings.quoting import escape, unescape

LONGEST = 20_000  # characters of an action at most


class BadAction(ValueError):
    """The error for a text that is no action; the message quotes the text and says what is
    accepted.
    """

    def __init__(self, received: str, why: str) -> None:
        self.why = why
        short = received if len(received) <= 100 else f"{received[:100]}..."
        super().__init__(f"{short!r} is no action: {why}")


# Arguments: text between brackets, as written <-> the field of the action ----------------------


class _Unfit(Exception):
    """The error for an argument that the verb does not take; the text says which values are
    accepted.
    """


_ID = re.compile(r"[0-9]{1,9}")
_FLAG = re.compile(r"(?:press_enter_after\s*=\s*)?([01])", re.IGNORECASE)
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)


def bracketed(text: str) -> str:
    """Return a text in the form in which it is written between brackets."""
    escaped = escape(text)
    balances = _closing(f"{escaped}]") == len(escaped)
    return escaped if balances else re.sub(r"[\[\]]", r"\\\g<0>", escaped)


def _closing(text: str) -> int | None:
    """Return the index of the bracket that closes a bracket opened before `text`, or None."""
    depth = 1
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return None


def _read_word(written: str) -> str:
    return unescape(written.strip())


def _write_word(text: str) -> str:
    """Return a text between brackets, with blanks at its ends escaped, because the parser drops
    blanks.
    """
    written = bracketed(text)
    bare = written.strip()
    if bare == written:
        return written
    before, _, after = written.partition(bare) if bare else (written, "", "")
    return _spell(before) + bare + _spell(after)


def _spell(text: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in text)


def _read_target(written: str) -> Target:
    text = _read_word(written)
    if _ID.fullmatch(text):
        return int(text)
    if not text:
        raise _Unfit("a target is an element's id, its name or an XPath, and this one is empty")
    return text[1:-1] if _is_quoted(text) else text


def _write_target(target: Target) -> str:
    if isinstance(target, int):
        return str(target)
    bare = target and target == target.strip()
    plain = bare and not _ID.fullmatch(target) and not _is_quoted(target)
    return bracketed(target if plain else f'"{target}"')


def _is_quoted(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] == '"'


def _read_direction(written: str) -> str:
    direction = written.strip().lower()
    if direction not in ("up", "down"):
        raise _Unfit("the direction is up or down")
    return direction


_PLACE = re.compile(r"\(?\s*(-?[0-9]{1,5})\s*,\s*(-?[0-9]{1,5})\s*\)?")
MOST_PLACES = 200


def _read_place(written: str) -> Place:
    found = _PLACE.fullmatch(written.strip())
    if found is None:
        raise _Unfit("a place is two numbers of pixels, such as 20,35")
    return int(found[1]), int(found[2])


def _write_place(place: Place) -> str:
    return f"{place[0]},{place[1]}"


def _read_path(written: str) -> tuple[Place, ...]:
    found = tuple((int(x), int(y)) for x, y in _PLACE.findall(written))
    if _PLACE.sub("", written).strip(" \t\r\n;,") or not 1 < len(found) <= MOST_PLACES:
        raise _Unfit(f"a path is 2 to {MOST_PLACES} places, such as 20,35 40,35")
    return found


def _write_path(path: tuple[Place, ...]) -> str:
    return " ".join(map(_write_place, path))


_SECONDS = re.compile(r"([0-9]*\.?[0-9]+)\s*(?:s|seconds?)?", re.IGNORECASE)


def _read_seconds(written: str) -> float:
    found = _SECONDS.fullmatch(written.strip())
    seconds = round(float(found[1]), 3) if found else 0.0
    if not SHORTEST_WAIT <= seconds <= LONGEST_WAIT:
        raise _Unfit(f"the seconds are a number from {SHORTEST_WAIT:g} to {LONGEST_WAIT:g}")
    return seconds


def _write_seconds(seconds: float) -> str:
    return f"{seconds:g}"


def _read_index(written: str) -> int:
    if not _ID.fullmatch(written.strip()):
        raise _Unfit("the index of a tab is a number, from 0")
    return int(written)


def _read_flag(written: str) -> bool:
    match = _FLAG.fullmatch(written.strip())
    if match is None:
        raise _Unfit("the last argument is press_enter_after=1 or press_enter_after=0")
    return match[1] == "1"


def _write_flag(flag: bool) -> str:
    return f"press_enter_after={int(flag)}"


@dataclass(frozen=True, slots=True)
class Argument:
    """One pair of brackets in the syntax of a verb.

    Attributes:
        field: Field of the action.
        name: Name in the syntax.
        read: Parses the written value.
        write: Writes the value.
        optional: Whether the argument may be left out.
        unwritten: Value of the field that is not written.
    """

    field: str
    name: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    optional: bool = False
    unwritten: Any = None


_TARGET = Argument("target", "id", _read_target, _write_target)
_ONTO = Argument("onto", "id", _read_target, _write_target)
_TEXT = Argument("text", "text", unescape, bracketed)
_ENTER = Argument("enter", "press_enter_after=1", _read_flag, _write_flag, True, False)
_OPTION = Argument("option", "option", _read_word, _write_word)
_KEYS = Argument("keys", "keys", _read_word, _write_word)
_DIRECTION = Argument("direction", "up|down", _read_direction, str)
_AT = Argument("at", "x,y", _read_place, _write_place)
_PATH = Argument("path", "x,y x,y ...", _read_path, _write_path)
_FOR = Argument("seconds", "seconds", _read_seconds, _write_seconds)
_URL = Argument("url", "url", _read_word, _write_word)
_INDEX = Argument("index", "index", _read_index, str)
_REPLY = Argument("text", "text", unescape, bracketed, True, "")
_ANSWER = Argument("answer", "answer", unescape, bracketed, optional=True)


# The table --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of the grammar of actions.

    Attributes:
        name: The verb.
        action: The class of its actions.
        arguments: Its arguments.
        meaning: Its description in prompts.
        fixed: Values of the action's fields that are no arguments.
        confused: What a model that writes the element alone may mean, and how to write that.
    """

    name: str
    action: type[Any]
    arguments: tuple[Argument, ...]
    meaning: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    confused: str = ""

    @property
    def needed(self) -> int:
        """The number of arguments that may not be left out."""
        return sum(not argument.optional for argument in self.arguments)

    @property
    def syntax(self) -> str:
        """The verb with its arguments in brackets, such as `click [id]`."""
        return " ".join((self.name, *(f"[{argument.name}]" for argument in self.arguments)))

    @property
    def takes_target(self) -> bool:
        """Whether an argument is the element that the action acts on."""
        return _TARGET in self.arguments

    def fits(self, action: Action) -> bool:
        """Return whether the action is written with this verb: it has the verb's class and fixed
        values.
        """
        return type(action) is self.action and all(
            getattr(action, name) == value for name, value in self.fixed.items()
        )


GRAMMAR = {
    verb.name: verb
    for verb in (
        Verb("click", Click, (_TARGET,), "click the element"),
        Verb(
            "type",
            Type,
            (_TARGET, _TEXT, _ENTER),
            "replace the field's text; with the last argument also press Enter",
            confused="to put the cursor into a field, click it",
        ),
        Verb("keyboard_type", KeyboardType, (_TEXT,), "type characters to what has the focus"),
        Verb(
            "select",
            Select,
            (_TARGET, _OPTION),
            "choose an option of a select by its label",
            confused="to tick a box or choose a radio button, click it",
        ),
        Verb("hover", Hover, (_TARGET,), "move the mouse over the element"),
        Verb("drag", Drag, (_TARGET, _ONTO), OFFERS["drag"].meaning),
        Verb("press", Press, (_KEYS,), "press a key or a combination such as Control+a"),
        Verb("scroll", Scroll, (_DIRECTION,), "scroll by one screen"),
        Verb("click_at", ClickAt, (_TARGET, _AT), OFFERS["click_at"].meaning),
        Verb("hover_at", HoverAt, (_TARGET, _AT), OFFERS["hover_at"].meaning),
        Verb("draw", Draw, (_TARGET, _PATH), OFFERS["draw"].meaning),
        Verb("mark_text", MarkText, (_TARGET, _TEXT), OFFERS["mark_text"].meaning),
        Verb("scroll_in", ScrollIn, (_TARGET, _DIRECTION), OFFERS["scroll_in"].meaning),
        Verb(WAIT, Wait, (_FOR,), OFFERS[WAIT].meaning),
        Verb("goto", Goto, (_URL,), "open the address"),
        Verb("go_back", Back, (), "go back to the page before"),
        Verb("go_forward", Forward, (), "undo a go_back"),
        Verb("tab_focus", Tab, (_INDEX,), "bring the tab to the front", {"close": False}),
        Verb("tab_close", Tab, (_INDEX,), "close the tab", {"close": True}),
        Verb(
            "accept_dialog",
            Respond,
            (_REPLY,),
            "answer OK to the open dialog, with a text where it asks for one",
            {"accept": True},
        ),
        Verb("dismiss_dialog", Respond, (), "cancel the open dialog", {"accept": False}),
        Verb("note", Note, (_TEXT,), "remember a sentence; the page is not touched"),
        Verb("stop", Stop, (_ANSWER,), "end the task with an answer, empty if none is asked for"),
    )
}

VERBS = tuple(GRAMMAR)
USUAL = tuple(verb for verb in GRAMMAR if verb not in OFFERS)
"""The verbs that any page may need; all other verbs are offered only on pages that declare them."""

_ABOUT_TARGETS = (
    "An [id] is the number of an element; its name or an XPath (which begins with / or with an "
    "opening parenthesis) may stand there too. A name that is a number stands in double quotes."
)


# Read, print, describe --------------------------------------------------------------------------


def parse(text: str) -> Action:
    """Parse an action.

    The case of the verb, back-ticks around the text and a final period do not matter.

    Raises:
        BadAction: The verb is unknown, an argument is missing or invalid, or text follows the last
            argument.
    """
    if len(text) > LONGEST:
        raise BadAction(text, f"it is longer than {LONGEST} characters; write a shorter one")
    head, rest = _head(text)
    verb = GRAMMAR.get(head)
    if verb is None:
        raise BadAction(text, f"it begins with none of {', '.join(USUAL)}")
    found = _arguments(text, rest)
    if not verb.needed <= len(found) <= len(verb.arguments):
        count = "1 argument" if len(found) == 1 else f"{len(found)} arguments"
        confused = f"; {verb.confused}" if verb.confused and len(found) == 1 else ""
        raise BadAction(text, f"it has {count}; write {verb.syntax}{confused}")
    try:
        values = {
            argument.field: argument.read(written)
            for argument, written in zip(verb.arguments, found, strict=False)
        }
    except _Unfit as error:
        raise BadAction(text, f"{error}; write {verb.syntax}") from None
    action: Action = verb.action(**values, **verb.fixed)
    return action


def _head(text: str) -> tuple[str, str]:
    """Return the first word in lower case, and the rest of the text."""
    bare = text.strip().strip("`").strip().removesuffix(".").rstrip("` \t\r\n")
    head = re.match(r"[A-Za-z_][A-Za-z0-9_]*|", bare)
    assert head is not None
    return head[0].lower(), bare[head.end() :]


def split(text: str) -> tuple[list[str], str]:
    """Return the contents of the brackets at the beginning of a text, as written, and the rest.

    Raises:
        BadAction: A bracket is not closed.
    """
    found, rest = list[str](), text
    while rest.lstrip().startswith("["):
        opened = rest.lstrip()[1:]
        end = _closing(opened)
        if end is None:
            raise BadAction(text, "a bracket is not closed; write ] there, and \\[ for a lone [")
        found.append(opened[:end])
        rest = opened[end + 1 :]
    return found, rest


def _arguments(text: str, rest: str) -> list[str]:
    """Return the contents of the outer brackets of `rest`, as written. Raises `BadAction`."""
    try:
        found, tail = split(rest)
    except BadAction as error:
        raise BadAction(text, error.why) from None
    if tail := tail.lstrip():
        raise BadAction(text, f"{tail[:40]!r} stands outside the brackets; leave it out")
    return found


def call(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the first word of `name [argument] [argument]`, and its arguments as written.

    Raises:
        BadAction: A bracket is not closed, or words stand outside the brackets.
    """
    head, rest = _head(text)
    return head, tuple(_arguments(text, rest))


def show(action: Action) -> str:
    """Return the action as one line of text, which `parse` reads back."""
    verb = next(verb for verb in GRAMMAR.values() if verb.fits(action))
    parts = [verb.name]
    for argument in verb.arguments:
        value = getattr(action, argument.field)
        if value != argument.unwritten:
            parts.append(f"[{argument.write(value)}]")
    return " ".join(parts)


def describe(kinds: Iterable[str] | None = None) -> str:
    """Return the grammar for a prompt, one line per verb.

    Args:
        kinds: The verbs to describe; None for the usual verbs.

    Raises:
        UnknownName: A verb does not exist.
    """
    chosen = USUAL if kinds is None else tuple(kinds)
    for kind in chosen:
        if kind not in GRAMMAR:
            raise unknown("action", kind, GRAMMAR)
    verbs = [GRAMMAR[kind] for kind in chosen]
    lines = [f"{verb.syntax}: {verb.meaning}" for verb in verbs]
    if any(verb.takes_target for verb in verbs):
        lines.append(_ABOUT_TARGETS)
    return "\n".join(lines)
