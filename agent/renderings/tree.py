"""The accessibility tree in WebArena's format: `[12] button 'Buy Now' disabled`, `heading 'Cart'`.

Lines are indented by two blanks per level. An element's line begins with its id in brackets; every
other line is a role and its text. Shown of an element: id, role, name, value, states, options,
commits, depth. Shown of a text: text, role, depth, current.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.interface import Element, Observation, Text
from agent.renderings import _header
from agent.renderings.quoting import (
    QUOTED,
    attributes,
    listed,
    matched,
    quote,
    unlisted,
    unquote,
    unword,
    word,
)

_LINE = re.compile(rf"( *)(?:\[([0-9]+)\] )?([A-Za-z][A-Za-z0-9-]*|{QUOTED}) ({QUOTED})(.*)")


def render(observation: Observation) -> str:
    return _header.compose(observation, map(line, observation.content))


def line(node: Element | Text) -> str:
    """Return the line of text for a node of the page, an element or a text."""
    indent = "  " * node.depth
    if isinstance(node, Text):
        return f"{indent}{word(node.role)} {quote(node.text)}" + " current" * node.current
    return f"{indent}[{node.id}] {word(node.role)} {quote(node.name)}{_marks(node)}"


def _marks(element: Element) -> str:
    value = "" if element.value is None else f" value={quote(element.value)}"
    flags = "".join(f" {state}" for state in element.states) + " commits" * element.commits
    options = f" options={listed(element.options)}" if element.options else ""
    return value + flags + options


def parse(text: str) -> Observation:
    return _header.parse(text, node)


def node(line: str) -> Element | Text:
    """Return the element or text that a line stands for. Raises `UnreadableLine`."""
    indent, number, role, name, marks = matched(_LINE, line).groups()
    depth = len(indent) // 2
    if number is None:
        return Text(unquote(name), unword(role), depth, current="current" in attributes(marks))
    if not marks:
        return Element(int(number), unword(role), unquote(name), depth=depth)
    found = attributes(marks)
    value = found.pop("value", None)
    return Element(
        int(number),
        unword(role),
        unquote(name),
        value=None if value is None else unquote(value),
        options=unlisted(found.pop("options", "")),
        commits=found.pop("commits", None) is not None,
        states=tuple(found),
        depth=depth,
    )


def shown(observation: Observation) -> Observation:
    return replace(_header.shown(observation), content=tuple(map(_shown_node, observation.content)))


def _shown_node(node: Element | Text) -> Element | Text:
    if isinstance(node, Text):
        return replace(node, colors=())
    return replace(node, tag="", html_id="", kind="", colors=())
