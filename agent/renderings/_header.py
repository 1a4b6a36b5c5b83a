"""The header lines above the content of a rendered page: address, title, tabs, dialog, error, and
further fields.

A blank line ends the header. A page without an address has no line for it; a page without address
and title has no lines for either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from agent.interface import Dialog, Element, Observation, Text
from agent.offered import NOTES, OFFERS, described
from agent.renderings.quoting import QUOTED, UnreadableLine, matched, quote, unquote, unword, word

_BUSY = "busy: the page was still changing"
_PLAIN_URL = re.compile(r"[!#-&(-\[\]-~]+")
_QUOTED = re.compile(QUOTED)
_QUOTED_NOTES = re.compile(rf"{QUOTED}(?:; {QUOTED})*")
_TAB = re.compile(rf"\[[0-9]+\] ({QUOTED})")
_TABS = re.compile(rf"((?:\[[0-9]+\] {QUOTED} ?)+), this is \[([0-9]+)\]")
_DIALOG = re.compile(rf"([A-Za-z][A-Za-z0-9-]*|{QUOTED}) ({QUOTED})(?: default=({QUOTED}))?")
_LEFT_OUT = re.compile(r"([0-9]{1,9}) other elements")
_OFFERED = "this page also takes"
_TIME = "time"
_PASSING = "passes only when you act: {:g} s after each action, with wait as long as you say"
_PASSED = re.compile(_PASSING.replace("{:g}", "([0-9.e+-]+)"))
_CLOCK = "clock"
_MOVING = "moves on with each action, and also with each {} characters that you write"
_MOVED = re.compile(_MOVING.replace("{}", "([0-9]{1,9})"))
_NOTES_TAKEN = f"Beside the page: {NOTES.syntax}: {NOTES.meaning}"
_NOTES = "Your notes"
_NO_NOTES = "none yet"
_CLICKED = "You have clicked "


def compose(observation: Observation, body: Iterable[str], clicked: Iterable[str] = ()) -> str:
    """Return the text of a page: the header lines, a blank line, and the lines of `body`.

    `clicked` are names that WebShop repeats on top; they are not read back.
    """
    lines = [*_lines(observation), *(f"{_CLICKED}{name}." for name in clicked), "", *body]
    return "\n".join(lines)


def _lines(observation: Observation) -> Iterator[str]:
    url = observation.url
    if url:
        yield f"url: {url if _PLAIN_URL.fullmatch(url) else quote(url)}"
    if url or observation.title:
        yield f"title: {quote(observation.title)}"
    if len(observation.tabs) > 1:
        tabs = " ".join(f"[{i}] {quote(title)}" for i, title in enumerate(observation.tabs))
        yield f"tabs: {tabs}, this is [{observation.tab}]"
    if observation.dialog:
        kind, message = word(observation.dialog.kind), quote(observation.dialog.message)
        default = observation.dialog.default
        yield f"dialog: {kind} {message}" + (f" default={quote(default)}" if default else "")
    if observation.error is not None:
        yield f"error: {quote(observation.error)}"
    if observation.capped:
        yield _BUSY
    if observation.left_out:
        yield f"left out: {observation.left_out} other elements"
    if observation.more:
        yield f"more of the page: {', '.join(observation.more)}"
    if observation.inputs:
        yield f"{_OFFERED}: {'; '.join(map(described, observation.inputs))}"
    if observation.action_seconds is not None:
        yield f"{_TIME}: {_PASSING.format(observation.action_seconds)}"
    if observation.clock_characters is not None:
        yield f"{_CLOCK}: {_MOVING.format(observation.clock_characters)}"
    if observation.notes is not None:
        yield _NOTES_TAKEN
        yield f"{_NOTES}: {'; '.join(map(quote, observation.notes)) or _NO_NOTES}"


def shown(observation: Observation) -> Observation:
    """Return the observation as the header shows it: without screenshot, and with tabs only if it
    has several.
    """
    several = len(observation.tabs) > 1
    return replace(
        observation,
        tabs=observation.tabs if several else (),
        tab=observation.tab if several else 0,
        screenshot=None,
    )


def parse(text: str, node: Callable[[str], Element | Text]) -> Observation:
    """Return the observation in a rendered text; `node` parses each line below the header.

    Raises `UnreadableLine`.
    """
    headless = text.startswith("\n")
    head, _, body = ("", "", text) if headless else text.strip("\n").partition("\n\n")
    fields: dict[str, Any] = {"url": "", "title": ""}
    for line in head.split("\n"):
        if line and not line.startswith(_CLICKED):
            fields |= _read(line)
    return Observation(**fields, content=tuple(node(line) for line in body.split("\n") if line))


def _read(line: str) -> dict[str, Any]:
    if line == _NOTES_TAKEN:
        return {}
    key, _, rest = line.partition(": ")
    if key not in _READERS:
        raise UnreadableLine(line)
    return _READERS[key](rest)


def _unquote(rest: str) -> str:
    return unquote(matched(_QUOTED, rest)[0])


def _read_tabs(rest: str) -> dict[str, Any]:
    match = matched(_TABS, rest)
    return {"tabs": tuple(map(unquote, _TAB.findall(match[1]))), "tab": int(match[2])}


def _read_dialog(rest: str) -> dict[str, Any]:
    kind, message, default = matched(_DIALOG, rest).groups()
    return {"dialog": Dialog(unword(kind), unquote(message), unquote(default or "''"))}


def _read_notes(rest: str) -> dict[str, Any]:
    """Return the notes in a header's field as a dict with the key `notes`. Raises `UnreadableLine`
    if the text is no list of quoted notes.
    """
    if rest == _NO_NOTES:
        return {"notes": ()}
    matched(_QUOTED_NOTES, rest)
    return {"notes": tuple(unquote(found[0]) for found in _QUOTED.finditer(rest))}


def notes(text: str) -> tuple[str, ...]:
    """Return the agent's notes in the header of a rendered page; () if it has none."""
    for line in text.partition("\n\n")[0].split("\n"):
        if line.startswith(f"{_NOTES}: "):
            found: tuple[str, ...] = _read(line)["notes"]
            return found
    return ()


_READERS: dict[str, Callable[[str], dict[str, Any]]] = {
    "url": lambda rest: {"url": rest if _PLAIN_URL.fullmatch(rest) else _unquote(rest)},
    "title": lambda rest: {"title": _unquote(rest)},
    "tabs": _read_tabs,
    "dialog": _read_dialog,
    "error": lambda rest: {"error": _unquote(rest)},
    "busy": lambda rest: {"capped": True},
    "more of the page": lambda rest: {"more": tuple(rest.split(", "))},
    _OFFERED: lambda rest: {"inputs": tuple(v for v in OFFERS if described(v) in rest)},
    _TIME: lambda rest: {"action_seconds": float(matched(_PASSED, rest)[1])},
    _CLOCK: lambda rest: {"clock_characters": int(matched(_MOVED, rest)[1])},
    _NOTES: _read_notes,
    "left out": lambda rest: {"left_out": int(matched(_LEFT_OUT, rest)[1])},
}
