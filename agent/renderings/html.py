"""Compact HTML of the page, one line per node: `<button data-id="3" id="subbtn">Submit</button>`.

Lines are indented by one blank per level, without nested tags. The name stands inside the tag, or
in `data-name` if the tag has no text. States are bare attributes and colours are in `style`. `role`
is written only if the tag does not imply it. A line without `data-id` is a text. All fields are
shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.interface import STATES, Element, Observation, Text
from agent.renderings import _header
from agent.renderings.quoting import UNPRINTABLE, UnreadableLine, matched
from agent.renderings.roles import implied

_VOID = frozenset(("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source"))
_NAME_IN_ATTRIBUTE = _VOID | {"select", "textarea"}
_TEXT_TAGS = {
    "text": "span",
    "heading": "h2",
    "paragraph": "p",
    "listitem": "li",
    "cell": "td",
    "columnheader": "th",
    "label": "label",
    "term": "dt",
    "definition": "dd",
    "caption": "caption",
    "legend": "legend",
    "blockquote": "blockquote",
}
_TEXT_ROLES = {tag: role for role, tag in _TEXT_TAGS.items()}

_TAG = re.compile(r"[A-Za-z][A-Za-z0-9._:-]*")
_LINE = re.compile(rf"""( *)<({_TAG.pattern})((?: [a-z-]+(?:="[^"]*")?)*)>(?:(.*)</\2>)?""")
_ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
_OPTION = re.compile(r"<option>([^<]*)</option>")
_SPECIAL = re.compile(rf"[&<>{UNPRINTABLE}]")
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|(amp|lt|gt|quot));")
_ENTITIES = {"&": "amp", "<": "lt", ">": "gt"}
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"'}


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda match: f"&{_ENTITIES.get(match[0], f'#{ord(match[0])}')};", text)


def _quote(text: str) -> str:
    escaped = _escape(text).replace('"', "&quot;")
    return f'"{escaped}"'


def _unescape(text: str) -> str:
    return _ENTITY.sub(_meant, text) if "&" in text else text


def _meant(match: re.Match[str]) -> str:
    code, name = match.groups()
    return chr(int(code)) if code else _CHARACTERS[name]


def render(observation: Observation) -> str:
    return _header.compose(observation, map(_line, observation.content))


def _line(node: Element | Text) -> str:
    if isinstance(node, Element):
        return _element_line(node)
    tag = _TEXT_TAGS.get(node.role, "div")
    role = f" role={_quote(node.role)}" if tag == "div" else ""
    style = (_style(node.colors) if node.colors else "") + " current" * node.current
    return f"{' ' * node.depth}<{tag}{role}{style}>{_escape(node.text)}</{tag}>"


def _style(colors: tuple[tuple[str, str], ...]) -> str:
    pairs = ";".join(f"{prop}:{color}" for prop, color in colors)
    return f" style={_quote(pairs)}"


def _element_line(element: Element) -> str:
    tag = element.tag if _TAG.fullmatch(element.tag) else "x"
    opened = f"{' ' * element.depth}<{tag}{''.join(_attributes(element))}>"
    if tag in _VOID:
        return opened
    inside = _options(element) if _name_in_attribute(element) else _escape(element.name)
    return f"{opened}{inside}</{tag}>"


def _options(element: Element) -> str:
    return "".join(f"<option>{_escape(option)}</option>" for option in element.options)


def _name_in_attribute(element: Element) -> bool:
    return element.tag in _NAME_IN_ATTRIBUTE or bool(element.options)


def _attributes(element: Element) -> Iterator[str]:
    yield f' data-id="{element.id}"'
    if element.html_id:
        yield f" id={_quote(element.html_id)}"
    if element.kind:
        yield f" type={_quote(element.kind)}"
    if element.role != implied(element.tag, element.kind):
        yield f" role={_quote(element.role)}"
    if element.name and _name_in_attribute(element):
        yield f" data-name={_quote(element.name)}"
    if element.value is not None:
        yield f" value={_quote(element.value)}"
    yield "".join(f" {state}" for state in element.states) + " data-commits" * element.commits
    if element.colors:
        yield _style(element.colors)
    # Tags that HTML does not allow, and options of elements that cannot contain options.
    if not _TAG.fullmatch(element.tag):
        yield f" data-tag={_quote(element.tag)}"
    if element.tag in _VOID and element.options:
        yield f" data-options={_quote(_options(element))}"


def parse(text: str) -> Observation:
    return _header.parse(text, _node)


def _node(line: str) -> Element | Text:
    indent, tag, written, inside = matched(_LINE, line).groups()
    if inside is None and tag not in _VOID:
        raise UnreadableLine(line)
    found = dict(_ATTRIBUTE.findall(written))
    if "data-id" in found:
        return _element(tag, found, inside or "", len(indent))
    role = _unescape(found["role"]) if "role" in found else _TEXT_ROLES.get(tag, tag)
    return Text(_unescape(inside or ""), role, len(indent), _colors(found), "current" in found)


def _element(tag: str, found: dict[str, str], inside: str, depth: int) -> Element:
    tag = _unescape(found.get("data-tag", tag))
    kind = _unescape(found.get("type", ""))
    inside = _unescape(found["data-options"]) if "data-options" in found else inside
    options = _OPTION.findall(inside) if inside.startswith("<option>") else []
    return Element(
        int(found["data-id"]),
        _unescape(found["role"]) if "role" in found else implied(tag, kind),
        _unescape(found.get("data-name", "" if options else inside)),
        _unescape(found["value"]) if "value" in found else None,
        tuple(state for state in STATES if state in found),
        tag,
        _unescape(found.get("id", "")),
        kind,
        tuple(map(_unescape, options)),
        _colors(found),
        "data-commits" in found,
        depth,
    )


def _colors(found: dict[str, str]) -> tuple[tuple[str, str], ...]:
    if "style" not in found:
        return ()
    pairs = (pair.partition(":") for pair in _unescape(found["style"]).split(";"))
    return tuple((prop, color) for prop, _, color in pairs)


def shown(observation: Observation) -> Observation:
    return _header.shown(observation)
