"""The flat list of SteP's MiniWoB prompts: `<button id=3 val='Submit' />`, `<t val='Hello' />`.

An input's type is part of its tag (`input_text`). `val` is the name; if the element has a value,
`val` is the value and `label` the name. States are bare words. `role` is written only if the tag
does not imply it. A line without id is a text, and its tag is the text's role (`t` = plain text).
Elements are shown without colours and depth; texts are shown with text, role and `current`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.interface import Element, Observation, Text
from agent.renderings import _header
from agent.renderings.quoting import (
    UnreadableLine,
    attributes,
    listed,
    matched,
    quote,
    unlisted,
    unquote,
)
from agent.renderings.roles import implied

_LINE = re.compile(r"<([A-Za-z][A-Za-z0-9_.:-]*)(.*) />")
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9.:-]*")
_ROLE = re.compile(r"[a-z]{2,}")


def render(observation: Observation) -> str:
    return _header.compose(observation, map(_line, observation.content))


def _line(node: Element | Text) -> str:
    if isinstance(node, Element):
        return _element_line(node)
    marks = f"val={quote(node.text)}" + " current" * node.current
    if node.role == "text":
        return f"<t {marks} />"
    if _ROLE.fullmatch(node.role):
        return f"<{node.role} {marks} />"
    return f"<t role={quote(node.role)} {marks} />"


def _element_line(element: Element) -> str:
    name = quote(element.name)
    held = f"val={name}" if element.value is None else f"label={name} val={quote(element.value)}"
    flags = "".join(f" {state}" for state in element.states) + " commits" * element.commits
    return f"<{_tag(element)} id={element.id} {held}{flags}{_rest(element)} />"


def _tag(element: Element) -> str:
    if not _TAG.fullmatch(element.tag):
        return "element"
    if element.tag == "input" and _TAG.fullmatch(element.kind):
        return f"input_{element.kind}"
    return element.tag


def _rest(element: Element) -> str:
    """Return the written attributes of an element other than tag, name, value and states."""
    parts = []
    if element.role != implied(element.tag, element.kind):
        parts.append(f" role={quote(element.role)}")
    if element.options:
        parts.append(f" options={listed(element.options)}")
    if element.html_id:
        parts.append(f" html_id={quote(element.html_id)}")
    if not _TAG.fullmatch(element.tag):
        parts.append(f" tag={quote(element.tag)}")
    if element.kind and not (element.tag == "input" and _TAG.fullmatch(element.kind)):
        parts.append(f" kind={quote(element.kind)}")
    return "".join(parts)


def parse(text: str) -> Observation:
    return _header.parse(text, _node)


def _node(line: str) -> Element | Text:
    tag, marks = matched(_LINE, line).groups()
    found = attributes(marks)
    if "val" not in found:
        raise UnreadableLine(line)
    return _element(tag, found) if "id" in found else _text(tag, found)


def _text(tag: str, found: dict[str, str]) -> Text:
    role = unquote(found["role"]) if "role" in found else {"t": "text"}.get(tag, tag)
    return Text(unquote(found["val"]), role, current="current" in found)


def _element(written: str, found: dict[str, str]) -> Element:
    number, val = int(found.pop("id")), unquote(found.pop("val"))
    label = found.pop("label", None)
    tag, _, kind = written.partition("_")
    tag = unquote(found.pop("tag")) if "tag" in found else tag
    kind = unquote(found.pop("kind")) if "kind" in found else kind
    role = unquote(found.pop("role")) if "role" in found else implied(tag, kind)
    return Element(
        number,
        role,
        val if label is None else unquote(label),
        value=None if label is None else val,
        tag=tag,
        kind=kind,
        html_id=unquote(found.pop("html_id", "")),
        options=unlisted(found.pop("options", "")),
        commits=found.pop("commits", None) is not None,
        states=tuple(found),
    )


def shown(observation: Observation) -> Observation:
    content = tuple(replace(node, colors=(), depth=0) for node in observation.content)
    return replace(_header.shown(observation), content=content)
