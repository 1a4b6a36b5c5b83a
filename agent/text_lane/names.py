"""Accessible names, roles and states: the parts of the ARIA rules that pages of this kind use.

The page-reading script of the browser (`agent/browser/walker.js`) does the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from agent.text_lane.css import Cascade, Style
from agent.text_lane.dom import DEEPEST, Node
from agent.text_lane.fields import (
    FIELDS,
    LABELABLE,
    LABELLED,
    Controls,
    fold,
    form_of,
    is_disabled,
    is_list,
    kind,
    submits,
)

_INPUT_ROLES = {
    **dict.fromkeys(("button", "submit", "reset", "image", "file", "color"), "button"),
    "checkbox": "checkbox",
    "radio": "radio",
    "range": "slider",
    "number": "spinbutton",
    "search": "searchbox",
}
NATIVE = frozenset({"button", "input", "select", "summary", "textarea"})
INTERACTIVE = frozenset(
    {
        *("button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem"),
        *("menuitemcheckbox", "menuitemradio", "option", "radio", "scrollbar", "searchbox"),
        *("slider", "spinbutton", "switch", "tab", "textbox", "treeitem"),
    }
)
NAMELESS_CONTENT = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "slider", "spinbutton", "scrollbar"}
)
SHAPES = frozenset(
    {
        *("circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "text"),
        *("tspan", "use", "svg"),
    }
)
_ARIA_STATES = {
    "aria-checked": ("checked", ""),
    "aria-disabled": ("disabled", ""),
    "aria-expanded": ("expanded", "collapsed"),
    "aria-invalid": ("invalid", ""),
    "aria-pressed": ("pressed", ""),
    "aria-readonly": ("readonly", ""),
    "aria-required": ("required", ""),
    "aria-selected": ("selected", ""),
}
"""The state that an attribute tells, and the state that its value "false" tells."""


def spoken_role(node: Node) -> str:
    """Return the first role of the attribute `role`, or ""."""
    role = node.attrib.get("role")
    return fold(role).lower().split(" ")[0] if role else ""


def native_role(node: Node) -> str:
    """Return the role that a tag has by itself, or ""."""
    tag = node.local_name
    if tag == "a":
        return "link" if "href" in node.attrib else ""
    if tag == "input":
        sort = kind(node)
        if sort == "hidden":
            return ""
        return _INPUT_ROLES.get(sort) or ("combobox" if node.attrib.get("list") else "textbox")
    if tag == "select":
        return "listbox" if is_list(node) else "combobox"
    if tag in _TAG_ROLES:
        return _TAG_ROLES[tag]
    rich = node.attrib.get("contenteditable")
    return "textbox" if rich is not None and rich != "false" else ""


_TAG_ROLES: Mapping[str, str] = {"button": "button", "textarea": "textbox", "summary": "button"}


class Names:
    """The names of the elements of a page.

    Args:
        controls: What the controls of the page hold.
        cascade: The style sheets of the page.
    """

    def __init__(self, controls: Controls, cascade: Cascade) -> None:
        self._controls, self._cascade = controls, cascade
        self._below = 0
        self._labels: dict[Node, list[Node]] | None = None
        self._ids: dict[str, Node] | None = None

    # Names -------------------------------------------------------------------------------------

    def name(self, node: Node, role: str) -> str:
        """Return the accessible name of an interactive element."""
        spoken = self.spoken(node) or self.native(node)
        if spoken:
            return spoken
        if role not in NAMELESS_CONTENT and node.local_name != "input":
            content = self._own_content(node)
            if content:
                return content
        attrib = node.attrib
        return fold(
            attrib.get("title") or attrib.get("placeholder") or attrib.get("aria-placeholder") or ""
        )

    def _own_content(self, node: Node) -> str:
        for child in node.children:
            if isinstance(child, Node):
                shape = svg_title(node) if node.local_name in SHAPES else ""
                return shape or fold(self.content(node))
        return fold("".join(node.children))  # type: ignore[arg-type]  # only texts are left

    def spoken(self, node: Node) -> str:
        """Return the name that attributes of ARIA give, or ""."""
        attrib = node.attrib
        if not attrib:
            return ""
        return self.referenced(node, "aria-labelledby") or fold(attrib.get("aria-label", ""))

    def native(self, node: Node) -> str:
        """Return the name that the tag gives: the value of a button, or the labels of a field."""
        tag = node.local_name
        if tag == "input":
            sort = kind(node)
            if sort in ("submit", "reset", "button"):
                usual = {"submit": "Submit", "reset": "Reset"}.get(sort, "")
                return fold(node.attrib["value"]) if "value" in node.attrib else usual
            if sort == "image":
                return fold(node.attrib.get("alt", ""))
        if tag not in LABELLED:
            return ""
        names = (fold(self.content(label, node)) for label in self.labels(node))
        return " ".join(name for name in names if name)

    def referenced(self, node: Node, attribute: str) -> str:
        """Return the texts of the elements whose ids an attribute lists."""
        found = self.listed(node, attribute)
        return fold(" ".join(self._spoken_part(each, node) for each in found)) if found else ""

    def listed(self, node: Node, attribute: str) -> list[Node]:
        """Return the elements whose ids an attribute lists."""
        ids = node.attrib.get(attribute)
        if not ids:
            return []
        return [found for one in ids.split() if (found := self._by_id(one))]

    def _by_id(self, name: str) -> Node | None:
        """Return the first element of the page with this id, or None."""
        if self._ids is None:
            self._ids = {}
            for each in self._controls.root.iter_subtree():
                if "id" in each.attrib:
                    self._ids.setdefault(each.attrib["id"], each)
        return self._ids.get(name)

    def labels(self, node: Node) -> list[Node]:
        """Return the labels of a control."""
        if node.local_name not in LABELLED:
            return []
        if self._labels is None:
            self._labels = {}
            for each in self._controls.root.iter_subtree():
                if each.local_name == "label" and (control := self.control(each)):
                    self._labels.setdefault(control, []).append(each)
        return self._labels.get(node, [])

    def control(self, label: Node) -> Node | None:
        """Return the control of a label, or None."""
        named = label.attrib.get("for")
        if named is None:
            return next(filter(is_labelable, label.iter_subtree()), None)
        found = self._by_id(named)
        return found if found is not None and is_labelable(found) else None

    def content(self, node: Node, skip: Node | None = None) -> str:
        """Return the text of an element as a name counts it, without the element `skip`."""
        return "".join(
            [
                child if isinstance(child, str) else self._part(child, skip)
                for child in node.children
            ]
        )

    def _part(self, node: Node, skip: Node | None) -> str:
        tag = node.local_name
        if node is skip or tag in ("script", "style", "template"):
            return ""
        if tag == "br":
            return " "
        display = self.style(node).display
        if display == "none" or node.attrib.get("aria-hidden") == "true":
            return ""
        gap = "" if display == "inline" else " "
        if self._below >= DEEPEST:
            return gap
        self._below += 1
        part = self._spoken_part(node, skip)
        self._below -= 1
        return f"{gap}{part}{gap}"

    def _spoken_part(self, node: Node, skip: Node | None) -> str:
        tag, label = node.local_name, node.attrib.get("aria-label")
        if label and label.strip():
            return label
        if tag == "img":
            return node.attrib.get("alt", "")
        if tag == "svg":
            return svg_title(node)
        if tag in ("input", "select", "textarea"):
            return "" if skip else self.value(node, native_role(node)) or ""
        return self.content(node, skip)

    def style(self, node: Node) -> Style:
        """Return the style of an element, computed with those around it if needed."""
        if node.style is None:
            self._cascade.style(node, self.style(node.parent) if node.parent else None)
        style: Style = node.style
        return style

    # Values and states -------------------------------------------------------------------------

    def value(self, node: Node, role: str) -> str | None:
        """Return the value that an element shows, or None."""
        tag = node.local_name
        if tag == "select":
            return ", ".join(map(self.option, self._controls.selected(node)))
        if tag == "textarea":
            return self._controls.value(node)
        if tag == "input":
            sort = kind(node)
            if sort == "password":
                return "•" * len(self._controls.value(node))
            if sort == "file":
                return ""
            if role == "button" or sort in ("checkbox", "radio"):
                return None
            return self._controls.value(node)
        if not node.attrib:
            return None
        now = node.attrib.get("aria-valuetext") or node.attrib.get("aria-valuenow")
        if now is not None:
            return now
        if role in NAMELESS_CONTENT and role != "listbox":
            return fold(self.content(node))
        return None

    def option(self, option: Node) -> str:
        """Return the label of an option."""
        return fold(option.attrib.get("label") or self.content(option))

    def states(self, node: Node) -> tuple[str, ...]:
        """Return the states of an element, sorted."""
        tag, attrib, states = node.local_name, node.attrib, []
        if tag in FIELDS:
            if is_disabled(node):
                states.append("disabled")
            if tag != "button":
                if tag == "input" and self._controls.is_checked(node):
                    states.append("checked")
                if "readonly" in attrib and tag != "select":
                    states.append("readonly")
                if "required" in attrib:
                    states.append("required")
        for name in _ARIA_STATES.keys() & attrib.keys() if attrib else ():
            yes, no = _ARIA_STATES[name]
            value = attrib[name]
            if value and value != "undefined":
                state = no if value == "false" else yes
                if state and state not in states:
                    states.append(state)
        if tag == "summary" and node.parent:
            states.append("expanded" if "open" in node.parent.attrib else "collapsed")
        if tag in ("a", "button") and self.style(node).is_visited:
            states.append("visited")
        if node is self._controls.focused:
            states.append("focused")
        return tuple(sorted(states)) if len(states) > 1 else tuple(states)


def is_labelable(node: Node) -> bool:
    """Return whether a label can stand for the element."""
    return node.local_name in LABELABLE and kind(node) != "hidden"


def commits(node: Node) -> bool:
    """Return whether the page declares that the element makes a change that cannot be undone."""
    if "data-commits" in node.attrib:
        return True
    form = form_of(node) if submits(node) else None
    return form is not None and "data-commits" in form.attrib


def svg_title(node: Node) -> str:
    """Return the title of a drawing, or ""."""
    title = next((one for one in node.elements if one.local_name == "title"), None)
    return fold(title.text) if title else ""
