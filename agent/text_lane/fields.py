"""The controls of forms: what they hold, and what a form sends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from agent.text_lane.dom import Node

FIELDS = frozenset({"button", "input", "select", "textarea"})
LABELLED = frozenset({"input", "select", "textarea", "meter", "progress"})
LABELABLE = LABELLED | {"button", "output"}
CHOICES = frozenset({"checkbox", "radio", "file"})
SINGLE_LINE = frozenset({"text", "search", "email", "tel", "url", "password", "number"})
SEGMENTED = frozenset({"date", "time", "month", "week", "datetime-local"})
_BUTTONS = frozenset({"submit", "reset", "button", "image"})
_TYPES = SINGLE_LINE | SEGMENTED | _BUTTONS | CHOICES | {"hidden", "range", "color"}


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return a text with white space folded to single blanks, as scripts of browsers do."""
    if text.isascii() and text.replace("\n", " ").isprintable():
        return " ".join(text.split())
    return " ".join(_BLANKS.split(text)).strip()


def quoted(text: str) -> str:
    """Return a text in quotation marks, shortened, as messages to the agent name it."""
    return json.dumps(text if len(text) <= 60 else f"{text[:60]}…", ensure_ascii=False)


_BLANKS = re.compile(r"[\s\ufeff]+")


FieldStates = list[tuple[object, str | None]]
"""What a page's fields held, each with what names it."""


@dataclass
class Controls:
    """What the controls of a page hold.

    Attributes:
        root: The root element of the page.
        texts: The text of each field that was changed.
        first_checked: Whether each choice that was changed was checked at first. Its attribute
            `checked` says whether it is now, so that selectors see it.
        chosen: The chosen option of each select element that was changed.
        focused: The element that has the focus, or None.
        anchor: The element from which Tab goes on if none has the focus: the last one that a click
            hit or an address named, or None.
    """

    root: Node
    texts: dict[Node, str] = field(default_factory=dict)
    first_checked: dict[Node, bool] = field(default_factory=dict)
    chosen: dict[Node, list[Node]] = field(default_factory=dict)
    focused: Node | None = None
    anchor: Node | None = None

    def focus(self, node: Node | None) -> None:
        """Give an element the focus, or none; Tab goes on from there."""
        self.focused, self.anchor = node, None

    @property
    def here(self) -> Node | None:
        """The element from which Tab goes on, or None."""
        return self.anchor or self.focused

    # What a control holds -----------------------------------------------------------------------

    def value(self, node: Node) -> str:
        """Return the text of an input or a textarea."""
        if node in self.texts:
            return self.texts[node]
        if node.local_name == "textarea":
            text = node.text.replace("\r\n", "\n").replace("\r", "\n")
            return text.removeprefix("\n")
        if kind(node) in CHOICES:
            return node.attrib.get("value", "on")
        text = node.attrib.get("value", "")
        return text if kind(node) == "hidden" else re.sub(r"[\r\n]", "", text)

    def is_checked(self, node: Node) -> bool:
        """Return whether a checkbox or a radio button is checked."""
        return "checked" in node.attrib

    def options(self, select: Node) -> list[Node]:
        """Return the options of a select element."""
        return [one for one in select.iter_subtree() if one.local_name == "option"]

    def selected(self, select: Node) -> list[Node]:
        """Return the chosen options of a select element."""
        if select in self.chosen:
            return self.chosen[select]
        options = self.options(select)
        marked = [one for one in options if "selected" in one.attrib]
        if is_list(select):
            return marked if "multiple" in select.attrib else marked[-1:]
        return marked[-1:] or [one for one in options if not is_disabled(one)][:1]

    def of(self, form: Node) -> list[Node]:
        """Return the controls of a form, in the order of the page."""
        return [
            one
            for one in self.root.iter_subtree()
            if one.local_name in FIELDS and form_of(one) is form
        ]

    # What somebody changes ----------------------------------------------------------------------

    def check(self, node: Node) -> None:
        """Click a checkbox or a radio button."""
        if kind(node) == "checkbox":
            self.set_checked(node, not self.is_checked(node))
            return
        for other in self.group(node):
            self.set_checked(other, other is node)

    def set_checked(self, node: Node, to: bool) -> None:
        """Check a checkbox or a radio button, or take the mark away."""
        self.first_checked.setdefault(node, self.is_checked(node))
        if to:
            node.attrib["checked"] = ""
        else:
            node.attrib.pop("checked", None)

    def group(self, radio: Node) -> list[Node]:
        """Return the radio buttons that exclude each other, with `radio` itself."""
        name, form = radio.attrib.get("name"), form_of(radio)
        if not name:
            return [radio]
        return [
            one
            for one in self.root.iter_subtree()
            if kind(one) == "radio" and one.attrib.get("name") == name and form_of(one) is form
        ]

    def write(self, node: Node, text: str) -> None:
        """Replace the text of a field; a limit of its length cuts the text."""
        most = node.attrib.get("maxlength", "")
        if most.isdigit() and kind(node) != "number":
            text = text[: int(most)]
        self.texts[node] = text

    def reset(self, form: Node) -> None:
        """Give the controls of a form what they held at first."""
        for node in self.of(form):
            self.texts.pop(node, None)
            self.chosen.pop(node, None)
            if node in self.first_checked:
                self.set_checked(node, self.first_checked.pop(node))

    # What the history keeps ---------------------------------------------------------------------

    def kept(self) -> FieldStates:
        """Return what the history keeps of the fields, to give it back on the way back."""
        return [(key, self._state(node)) for key, node in self._keyed()]

    def _state(self, node: Node) -> str | None:
        """Return what a control holds as a text, or None if nobody has changed a text."""
        if node.local_name == "select":
            return "\n".join(map(option_value, self.selected(node)))
        if kind(node) in ("checkbox", "radio"):
            return "on" if self.is_checked(node) else ""
        return self.texts.get(node)

    def restore(self, kept: FieldStates) -> None:
        """Give the fields what they held when the page was left."""
        found: dict[object, list[Node]] = {}
        for key, node in self._keyed():
            found.setdefault(key, []).append(node)
        for key, state in kept:
            if state is None or not found.get(key):
                continue
            node = found[key].pop(0)
            if node.local_name == "select":
                values = state.split("\n")
                self.chosen[node] = [
                    one for one in self.options(node) if option_value(one) in values
                ][: None if is_list(node) else 1]
            elif kind(node) in ("checkbox", "radio"):
                self.set_checked(node, state == "on")
            else:
                self.texts[node] = state

    def _keyed(self) -> Iterator[tuple[object, Node]]:
        """Yield the fields that the history keeps, each with its form, name and type."""
        for node in self.root.iter_subtree():
            if node.local_name not in ("input", "select", "textarea") or kind(node) in _BUTTONS:
                continue
            form = form_of(node)
            off = {one.attrib.get("autocomplete") for one in (node, form) if one is not None}
            if "off" in off or kind(node) in ("hidden", "password"):
                continue
            action = form.attrib.get("action", "").partition("?")[0] if form is not None else ""
            yield (action, node.attrib.get("name"), node.local_name, kind(node)), node

    # What a form sends --------------------------------------------------------------------------

    def sent(self, form: Node, button: Node | None) -> list[tuple[str, str]]:
        """Return the names and values that a form sends.

        Args:
            form: The form.
            button: The button that sends it, or None.
        """
        return list(self._sent(form, button))

    def _sent(self, form: Node, button: Node | None) -> Iterator[tuple[str, str]]:
        for node in self.of(form):
            if is_disabled(node):
                continue
            name, sort = node.attrib.get("name", ""), kind(node)
            is_button = node.local_name == "button" or sort in _BUTTONS
            if not name or (is_button and node is not button):
                continue
            if node.local_name == "select":
                for option in self.selected(node):
                    if not is_disabled(option):
                        yield name, option_value(option)
            elif sort not in ("checkbox", "radio") or self.is_checked(node):
                text = node.attrib.get("value", "") if is_button else self.value(node)
                yield name, re.sub(r"\r\n|\r|\n", "\r\n", text)


def kind(node: Node) -> str:
    """Return the type of an input element; "" for other elements."""
    if node.local_name != "input":
        return ""
    given = node.attrib.get("type", "text").lower()
    return given if given in _TYPES else "text"


def is_list(select: Node) -> bool:
    """Return whether a select element shows its options as a list."""
    size = select.attrib.get("size", "")
    return "multiple" in select.attrib or (size.isdigit() and int(size) > 1)


def option_value(option: Node) -> str:
    """Return what an option sends."""
    return option.attrib.get("value", fold(option.text))


def is_disabled(node: Node) -> bool:
    """Return whether a control or an option is disabled, by itself or by what stands around it."""
    if "disabled" in node.attrib:
        return True
    if node.local_name == "option":
        group = node.parent
        return bool(group and group.local_name == "optgroup" and "disabled" in group.attrib)
    inner, outer = node, node
    while outer.parent is not None:
        outer = outer.parent
        if outer.local_name == "fieldset" and "disabled" in outer.attrib:
            legend = next((one for one in outer.elements if one.local_name == "legend"), None)
            if legend is not inner:
                return True
        inner = outer
    return False


def form_of(node: Node) -> Node | None:
    """Return the form of a control, or None."""
    named = node.attrib.get("form")
    if named is None:
        outer = node.parent
        while outer is not None and outer.local_name != "form":
            outer = outer.parent
        return outer
    *_, root = (node, *node.ancestors)
    return next(
        (one for one in root.iter_subtree() if one.local_name == "form" and one.id == named), None
    )


def submits(node: Node) -> bool:
    """Return whether a button sends its form."""
    if node.local_name == "button":
        return node.attrib.get("type", "submit").lower() not in ("button", "reset")
    return kind(node) in ("submit", "image")


def editable(node: Node) -> str:
    """Return the kind of text that a field takes: lines, line, the type of a field with parts, or
    "" for none.
    """
    if node.local_name == "textarea":
        return "lines"
    sort = kind(node)
    return "line" if sort in SINGLE_LINE else sort if sort in SEGMENTED else ""


def takes_focus(node: Node) -> bool:
    """Return whether an element can have the focus, if it is shown."""
    tag = node.local_name
    if tag in FIELDS:
        return not is_disabled(node) and kind(node) != "hidden"
    return (tag == "a" and "href" in node.attrib) or tag == "summary" or "tabindex" in node.attrib
