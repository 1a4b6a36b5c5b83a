"""Reads a page into elements and texts, as the browser's page-reading script does.

`agent/browser/walker.js` is that script. Both give the same content for the same page; where this
module differs in form, it is because a page without scripts has no shadow roots, no listeners and
no element that something covers.
"""

from __future__ import annotations

import re
from typing import Any

from agent.interface import Element, Text
from agent.text_lane.css import CLEAR, Cascade, Style
from agent.text_lane.dom import DEEPEST, Node
from agent.text_lane.fields import CHOICES, Controls, fold, kind
from agent.text_lane.modal import Modal
from agent.text_lane.names import (
    INTERACTIVE,
    NATIVE,
    SHAPES,
    Names,
    commits,
    native_role,
    spoken_role,
    svg_title,
)

_TEXT_ROLES = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    "td": "cell",
    "th": "columnheader",
    "li": "listitem",
    "dt": "term",
    "dd": "definition",
    **{each: each for each in ("caption", "legend", "label", "blockquote")},
    "figcaption": "caption",
}
_SPOKEN_ROLES = frozenset(
    {
        *("heading", "cell", "columnheader", "rowheader", "listitem", "term", "definition"),
        *("caption", "blockquote", "alert", "status", "note", "tooltip", "log", "timer"),
    }
)
_CLOSED = frozenset(
    {
        *("script", "style", "noscript", "template", "head", "select", "textarea", "datalist"),
        *("option", "canvas", "video", "audio", "object", "embed", "meter", "progress", "defs"),
        *("symbol", "clippath", "mask", "marker", "pattern", "metadata", "desc", "title", "math"),
    }
)
_PICTURES = frozenset({"img", "canvas", "svg"})
_SPECIAL = _CLOSED | _PICTURES | {"iframe", "frame"}
_DESCRIBED = frozenset({"input", "select", "textarea"})
_HANDLERS = frozenset({"onclick", "onmousedown", "onmouseup", "onpointerdown", "ondblclick"})
_SIZED = frozenset({"button", "input", "select", "textarea", "meter", "progress", "canvas", "svg"})
_LETTERS = re.compile(r"[^\W_]")

Colors = tuple[tuple[str, str], ...]
Entry = list[Any]
"""A text as `[None, role, text, depth, colours, current]`, or an element as `[node, role, name,
depth, colours]`.
"""


class _Place:
    """The context of an element's content: its own style and that of everything around it."""

    __slots__ = (
        *("current", "depth", "flows", "level", "muted", "outer", "role", "roomy", "style"),
        "tag",
    )

    def __init__(self, outer: _Place | None, tag: str, style: Style) -> None:
        self.outer, self.tag, self.style = outer, tag, style
        self.flows = style.flows and outer is not None
        self.roomy = False
        if outer is None:
            self.depth, self.level, self.role = 0, 0, "text"
            self.muted = self.current = False
        else:
            self.depth, self.level, self.role = outer.depth, outer.level + 1, outer.role
            self.muted, self.current = outer.muted, outer.current

    @property
    def tint(self) -> Colors:
        """The colours that differ from the parent's; inside a line, those of the line."""
        colors = self._difference()
        if not colors and self.flows and self.outer is not None:
            return self.outer.tint
        return colors

    def _difference(self) -> Colors:
        if self.outer is None:
            return ()
        style, above = self.style, self.outer.style
        alike = style.color == above.color and style.background in (CLEAR, above.background)
        if alike and self.tag not in SHAPES:
            return ()
        pairs = []
        if style.color != above.color:
            pairs.append(("color", style.color))
        if style.background not in (CLEAR, above.background):
            pairs.append(("background-color", style.background))
        if self.tag in SHAPES and self.tag != "svg":
            fill, stroke = style.paint
            pairs += [
                (name, to) for name, to in (("fill", fill), ("stroke", stroke)) if to != "none"
            ]
        return tuple(pairs)


class PageReader:
    """Reads a page.

    Attributes:
        content: The elements and texts in reading order, once `read` has been called.
        shown: The elements of the page that `content` numbers, in the same order.
    """

    def __init__(self, controls: Controls, cascade: Cascade, names: Names, modal: Modal) -> None:
        self.shown: list[Node] = []
        self._content: list[Entry] = []
        self._controls, self._cascade, self._names = controls, cascade, names
        self._modal = modal
        self._labelled: set[Node] = set()
        self._emitted: set[Node] = set()
        self._run: Entry | None = None
        self._line: tuple[int, list[str]] | None = None

    def read(self) -> tuple[Element | Text, ...]:
        """Return the content of the page."""
        root = self._controls.root
        body = next((one for one in root.elements if one.local_name == "body"), None)
        if body is not None:
            self._visit(body, _Place(None, "html", self._cascade.style(root, None)))
        self._end()
        made: list[Element | Text] = []
        number = 0
        for entry in self._content:
            if entry[0] is None:
                made.append(Text(entry[2], entry[1], entry[3], entry[4], entry[5]))
            else:
                number += 1
                made.append(self._element(number, entry))
        return tuple(made)

    def is_hit(self, node: Node) -> bool:
        """Return whether a click can reach the element or, for a hidden choice, its label."""
        parts = (node, *self._names.labels(node))
        return any(self._is_rendered(one) and self._is_drawn(one) for one in parts)

    def _element(self, number: int, entry: Entry) -> Element:
        node, role, name, depth, tint = entry
        tag, names = node.local_name, self._names
        options: tuple[str, ...] = ()
        if tag == "select":
            options = tuple(map(names.option, self._controls.options(node)))
        value = names.value(node, role)
        return Element(
            *(number, role, name, value, names.states(node), tag, node.attrib.get("id", "")),
            *(kind(node), options, tint, commits(node), depth),
        )

    # Texts -------------------------------------------------------------------------------------

    def _text(self, text: str, place: _Place) -> None:
        if place.muted:
            return
        run, line = self._run, self._line
        if text.isspace():
            if run is not None:
                run[2] += " "
            if line is not None:
                line[1].append(" ")
            return
        if not place.style.is_visible:
            return
        tint = place.tint
        if (
            run is not None
            and run[1] == place.role
            and run[3:] == [place.depth, tint, place.current]
        ):
            run[2] += text
            if line is not None:
                line[1].append(text)
            return
        self._flush()
        self._extend_line(text, place)
        self._run = [None, place.role, text, place.depth, tint, place.current]

    def _flush(self) -> None:
        run = self._run
        if run is not None:
            self._run = None
            run[2] = fold(run[2])
            self._content.append(run)

    def _say(self, role: str, text: str, place: _Place) -> None:
        self._content.append([None, role, text, place.depth, place.tint, False])

    def _extend_line(self, text: str, place: _Place) -> None:
        """Keep the texts and links of a list item's line."""
        if place.role != "listitem":
            return
        if self._line is None:
            self._line = len(self._content), []
        self._line[1].append(text)

    def _end(self) -> None:
        """End a line. If links stand within a list item's text, the whole text comes first."""
        self._flush()
        line, content = self._line, self._content
        self._line = None
        if line is None:
            return
        part = content[line[0] :]
        texts = [entry for entry in part if entry[0] is None and entry[1] == "listitem"]
        if len(texts) == len(part) or not any(_LETTERS.search(entry[2]) for entry in texts):
            return
        first = texts[0]
        whole = [None, "listitem", fold("".join(line[1])), *first[3:]]
        others = [entry for entry in part if entry[0] is not None or entry[1] != "listitem"]
        content[line[0] :] = [whole, *others]

    # Elements ----------------------------------------------------------------------------------

    def _children(self, node: Node, place: _Place) -> None:
        for child in node.children:
            if isinstance(child, str):
                self._text(child, place)
            else:
                self._visit(child, place)

    def _visit(self, node: Node, outer: _Place) -> None:
        tag = node.local_name
        if tag == "br":
            if self._run is not None:
                self._run[2] += " "
            if self._line is not None:
                self._line[1].append(" ")
            return
        attrib = node.attrib
        if attrib and (attrib.get("aria-hidden") == "true" or attrib.get("type") == "hidden"):
            return
        if outer.level > DEEPEST or node in self._emitted:
            return
        style = self._cascade.style(node, outer.style)
        if style.display == "none":
            return
        place = _Place(outer, tag, style)
        if not place.flows:
            if self._run is not None or self._line is not None:
                self._end()
            if style.is_roomy:
                if style.is_empty:
                    return
                place.roomy = True
        self._node(node, tag, place)
        if not place.flows and (self._run is not None or self._line is not None):
            self._end()

    def _node(self, node: Node, tag: str, place: _Place) -> None:
        if node.attrib or tag in NATIVE:
            spoken = spoken_role(node) if "role" in node.attrib else ""
            role = spoken if spoken in INTERACTIVE else native_role(node)
            if role:
                self._strong(node, tag, role, place)
                return
        if _is_weak(node, tag, place) and self._is_usable(node, place):
            self._weak(node, tag, place)
        else:
            self._plain(node, tag, place)

    def _strong(self, node: Node, tag: str, role: str, place: _Place) -> None:
        if not place.style.is_visible or not self._is_usable(node, place):
            self._plain(node, tag, place)
            return
        self._flush()
        name = self._names.name(node, role)
        if place.flows and not place.muted:
            self._extend_line(_spaced(node, name), place)
        self._emit(node, role, name, place)
        if tag in _DESCRIBED and node.attrib:
            self._describe(node, place)
        if tag in _CLOSED or not any(isinstance(child, Node) for child in node.children):
            return
        place.muted = True
        place.depth += 1
        self._into(node, tag, place)

    def _weak(self, node: Node, tag: str, place: _Place) -> None:
        """Read an element that only its style or its attributes make interactive."""
        self._flush()
        if place.flows:
            self._extend_line("", place)
        content, before = self._content, len(self.shown)
        at = len(content)
        role = spoken_role(node) or ("graphics-symbol" if tag in SHAPES else "generic")
        entry = self._emit(node, role, self._names.spoken(node), place)
        place.depth += 1
        self._plain(node, tag, place)
        if place.flows:
            self._flush()
        else:
            self._end()
        if len(self.shown) == before + 1:
            texts = [each[2] for each in content[at + 1 :]]
            del content[at + 1 :]
            title = svg_title(node) if tag in SHAPES else ""
            name = entry[2] or fold(title or " ".join(texts))
            entry[2] = name or fold(node.attrib.get("title", ""))
        elif not _HANDLERS.isdisjoint(node.attrib):
            del content[at]
            del self.shown[before]
            for each in content[at:]:
                each[3] -= 1

    def _plain(self, node: Node, tag: str, place: _Place) -> None:
        if tag in _SPECIAL:
            if tag in _PICTURES:
                self._picture(node, tag, place)
            elif tag in ("meter", "progress"):
                self._gauge(node, tag, place)
            if tag != "svg":
                return
        if node is self._modal.dialog:
            self._dialog(node, place)
        role = _structure(node, tag)
        if not role:
            self._into(node, tag, place)
            return
        self._end()
        if node.attrib.get("aria-current", "") not in ("", "false"):
            place.current = True
        if tag == "label":
            if self._repeats_label(node, place):
                place.muted = True
        elif place.role != "text":
            place.depth += 1
        place.role = role
        self._into(node, tag, place)
        self._end()

    def _dialog(self, node: Node, place: _Place) -> None:
        """Read the name of the dialog that covers the page, and what describes it, as one line."""
        described = self._names.referenced(node, "aria-describedby")
        self._say("dialog", fold(f"{self._names.spoken(node)} {described}"), place)
        place.depth += 1
        for name in ("aria-labelledby", "aria-describedby"):
            self._emitted.update(
                one
                for one in self._names.listed(node, name)
                if node.contains(one) and not one.elements
            )

    def _describe(self, node: Node, place: _Place) -> None:
        """Read the description of a field at once, before everything that comes after the field."""
        listed = self._names.listed(node, "aria-describedby")
        if not listed:
            return
        outer = place.outer
        assert outer is not None
        while outer.muted and outer.outer:
            outer = outer.outer
        order = {one: n for n, one in enumerate(self._controls.root.iter_subtree())}
        for each in listed:
            if each.elements or each in self._emitted or not self._is_rendered(each):
                continue
            if order[each] > order[node]:
                self._visit(each, outer)
                self._emitted.add(each)

    def _into(self, node: Node, tag: str, place: _Place) -> None:
        if tag == "details" and "open" not in node.attrib:
            summary = next((one for one in node.elements if one.local_name == "summary"), None)
            if summary is not None:
                self._visit(summary, place)
            return
        self._children(node, place)

    def _repeats_label(self, label: Node, place: _Place) -> bool:
        """Return whether the control says the text of its label. A choice that only its label draws
        is read here.
        """
        control = self._names.control(label)
        if control is None or self._names.spoken(control):
            return False
        if self._is_visible(control):
            return True
        if kind(control) not in CHOICES or not place.style.is_visible:
            return False
        if control in self._labelled:
            return False
        self._labelled.add(control)
        spoken = spoken_role(control)
        role = spoken if spoken in INTERACTIVE else native_role(control)
        self._emit(control, role, self._names.name(control, role), place)
        return True

    def _is_visible(self, control: Node) -> bool:
        style = self._names.style(control)
        drawn = kind(control) not in CHOICES or not style.is_empty
        return style.is_visible and self._is_rendered(control) and drawn

    def _is_rendered(self, node: Node) -> bool:
        """Return whether the element and everything around it has a box."""
        inner = node
        for one in (node, *node.ancestors):
            if self._names.style(one).display == "none":
                return False
            is_closed = one.local_name == "details" and "open" not in one.attrib
            if is_closed and one is not node and inner.local_name != "summary":
                return False
            inner = one
        return True

    def _picture(self, node: Node, tag: str, place: _Place) -> None:
        if place.muted or not place.style.is_visible or not self._is_usable(node, place):
            return
        text = svg_title(node) if tag == "svg" else node.attrib.get("alt", "")
        name = self._names.spoken(node) or fold(text)
        if name:
            self._flush()
            self._say("img", name, place)

    def _gauge(self, node: Node, tag: str, place: _Place) -> None:
        if place.muted or not place.style.is_visible:
            return
        name = self._names.spoken(node) or self._names.native(node)
        most = node.attrib.get("max", "1")
        value = node.attrib.get("aria-valuetext") or f"{node.attrib.get('value', '0')}/{most}"
        role = "meter" if tag == "meter" else "progressbar"
        self._say(role, fold(f"{name} {value}"), place)

    def _is_usable(self, node: Node, place: _Place) -> bool:
        """Return whether the element takes up room."""
        if place.roomy:
            return True
        for child in node.children:
            if isinstance(child, str) and not child.isspace():
                return True
        return self._is_drawn(node)

    def _is_drawn(self, node: Node) -> bool:
        inner: Node | None = node
        while inner is not None:
            style = self._names.style(inner)
            if style.display == "none":
                return False
            if not style.is_empty and self._has_room(inner, style):
                return True
            inner = next(iter(inner.elements), None)
        return False

    def _has_room(self, node: Node, style: Style) -> bool:
        tag = node.local_name
        if tag == "img":
            return bool(node.attrib.get("src"))
        sized = style.has_size and not style.flows
        return tag in _SIZED or sized or bool(node.text.strip())

    def _emit(self, node: Node, role: str, name: str, place: _Place) -> Entry:
        entry: Entry = [node, role, name, place.depth, place.tint]
        self.shown.append(node)
        self._content.append(entry)
        return entry


def _is_weak(node: Node, tag: str, place: _Place) -> bool:
    """Return whether an element without an interactive role can be used all the same."""
    if tag in ("html", "body", "label"):
        return False
    assert place.outer is not None
    if place.style.cursor == "pointer" and place.outer.style.cursor != "pointer":
        return True
    attrib = node.attrib
    if not attrib:
        return False
    if "tabindex" in attrib:
        index = re.match(r"\s*[+-]?\d+", attrib["tabindex"])
        if index and int(index[0]) >= 0:
            return True
    if attrib.get("draggable") == "true":
        return True
    return not _HANDLERS.isdisjoint(attrib)


def _structure(node: Node, tag: str) -> str:
    if "role" in node.attrib:
        spoken = spoken_role(node)
        if spoken in _SPOKEN_ROLES:
            return spoken
    role = _TEXT_ROLES.get(tag, "")
    return "rowheader" if role == "columnheader" and node.attrib.get("scope") == "row" else role


def _spaced(node: Node, name: str) -> str:
    """Return the name of a link with the blanks around it, as it stands in a line."""
    text = node.text
    return f"{' ' if text[:1].isspace() else ''}{name}{' ' if text[-1:].isspace() else ''}"
