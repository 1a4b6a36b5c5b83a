"""Performs actions on a page without a browser: clicks, texts, choices and keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent.browser import keyboard
from agent.browser.faults import Refused
from agent.browser.input import LONGEST_TYPED, check_length, direction
from agent.browser.keystrokes import keystrokes
from agent.browser.wall import address
from agent.interface import (
    Action,
    Back,
    Click,
    Forward,
    Goto,
    Hover,
    KeyboardType,
    Press,
    Respond,
    Scroll,
    Select,
    Tab,
    Target,
    Type,
    Wait,
)
from agent.text_lane.dom import Node
from agent.text_lane.fields import (
    FIELDS,
    SINGLE_LINE,
    editable,
    fold,
    form_of,
    is_disabled,
    is_list,
    kind,
    quoted,
    submits,
    takes_focus,
)
from agent.text_lane.names import is_labelable
from agent.text_lane.visit import Visit

NO_PLACES = (
    "This lane has no pictures and no places on the page; click, type, select and press work here."
)
_NUMBER = re.compile(r"-?(\d+(\.\d+)?|\.\d+)([eE][+-]?\d+)?")


class Input:
    """Performs the actions of one episode.

    Args:
        visit: The visit.
        origins: The origins that the agent may type as addresses.
    """

    def __init__(self, visit: Visit, origins: tuple[str, ...]) -> None:
        self._visit, self._origins = visit, origins

    def perform(self, action: Action) -> None:
        """Perform an action. Raises `Refused` with a sentence for the agent."""
        check_length(action)
        handler = _HANDLERS.get(type(action))
        if handler is None:
            raise Refused(NO_PLACES)
        handler(self, action)

    # Actions -----------------------------------------------------------------------------------

    def _goto(self, action: Goto) -> None:
        url = address(action.url, self._visit.url, *self._origins)
        controls = self._controls
        self._visit.go(url, is_typed=True)
        if self._controls is controls:
            self._land(url.partition("#")[2])

    def _land(self, name: str) -> None:
        """Go to a place of the open page: the element with this id, or the top of the page."""
        controls, inside = self._controls, self._visit.document.root.iter_subtree()
        here = None if name.lower() in ("", "top") else controls.here
        place = next((one for one in inside if one.id == name), None) if name else None
        controls.focus(place if place is not None and takes_focus(place) else None)
        controls.anchor = place or here

    def _click(self, action: Click) -> None:
        self._press_mouse(self._aim(action.target, "click"))

    def _hover(self, action: Hover) -> None:
        self._aim(action.target, "hover")

    def _type(self, action: Type) -> None:
        node = self._aim(action.target, "type")
        try:
            text = keystrokes(editable(node), action.text)
        except ValueError as error:
            raise Refused(str(error)) from None
        self._controls.focus(node)
        if editable(node) in ("date", "time"):
            text = action.text.strip()
        self._write(node, text)
        if action.enter:
            self._enter(node)

    def _keyboard_type(self, action: KeyboardType) -> None:
        text = re.sub(r"[\r\n]+", " ", action.text)
        node = self._controls.focused
        if node is not None and editable(node) in ("line", "lines"):
            if "readonly" not in node.attrib:
                self._write(node, self._controls.value(node) + text)
            return
        keys = text if len(text) <= LONGEST_TYPED else text[-1:]
        if node is not None and node.local_name == "select":
            self._choose_by_typing(node, "".join(filter(keyboard.can_type, keys)))
            return
        for _ in range(keys.count(" ")):
            self._space()

    def _select(self, action: Select) -> None:
        node = self._find(action.target)
        self._check(node, "select", action.target)
        controls, names = self._controls, self._visit.document.names
        wanted, options = fold(action.option), controls.options(node)
        labels = [names.option(one) for one in options]
        if wanted not in labels:
            labels, wanted = [one.lower() for one in labels], wanted.lower()
        if wanted not in labels:
            raise Refused(
                f"The select has no option {quoted(fold(action.option))}.{_several(node)}"
            )
        option = options[labels.index(wanted)]
        if is_disabled(option):
            raise Refused(f"The option {quoted(names.option(option))} is disabled.")
        self._check_reach(node, action.target)
        if controls.selected(node) == [option]:
            return
        controls.focus(node)
        controls.chosen[node] = [option]
        self._visit.changed(node)

    def _press(self, action: Press) -> None:
        if not re.fullmatch(r"(?:(?:Control|Shift|Alt|Meta)\+)*(?:[^+\s]\w*|\+)", action.keys):
            raise Refused(
                f"{action.keys[:40]!r} is not a key; write one such as Enter or Control+a."
            )
        try:
            [*keyboard.press(action.keys)]
        except keyboard.UnknownKey:
            raise Refused(f"{action.keys[:40]!r} is not a key.") from None
        node = self._controls.focused
        if action.keys == "Tab":
            self._tab(1)
        elif action.keys == "Shift+Tab":
            self._tab(-1)
        elif action.keys in ("Space", "Spacebar") or action.keys == " ":
            self._space()
        elif action.keys == "Escape":
            self._escape()
        elif action.keys == "Enter" and node is not None:
            self._enter(node)
        elif node is not None:
            self._edit(node, action.keys)

    def _scroll(self, action: Scroll) -> None:
        direction(action)

    def _switch_tab(self, action: Tab) -> None:
        if action.index != 0:
            raise Refused(f"There is no tab {action.index}; there are 1.")
        if action.close:
            raise Refused("The last tab cannot be closed.")

    def _respond(self, action: Respond) -> None:
        raise Refused("No dialog is open.")

    def _wait(self, action: Wait) -> None:
        raise Refused("Time does not pass with actions here, so there is nothing to wait for.")

    def _travel(self, step: int) -> None:
        controls = self._controls
        here = controls.here
        controls.focus(None)
        self._visit.travel(step)
        controls.anchor = here

    # Targets -----------------------------------------------------------------------------------

    @property
    def _controls(self) -> Any:
        return self._visit.document.controls

    def _find(self, target: Target) -> Node:
        return self._visit.document.find(target)

    def _aim(self, target: Target, need: str) -> Node:
        node = self._find(target)
        self._check(node, need, target)
        if not self._visit.document.walk.is_hit(node):
            raise Refused(f"{_called(target)} is not visible.")
        self._check_reach(node, target)
        return node

    def _check_reach(self, node: Node, target: Target) -> None:
        """Raise `Refused` if a dialog covers the element."""
        modal = self._visit.document.modal
        if modal.covers(node):
            raise Refused(f"{_called(target)} is covered by <dialog>.")

    def _check(self, node: Node, need: str, target: Target) -> None:
        if need == "hover":
            return
        name = _called(target)
        if node.local_name in FIELDS and is_disabled(node):
            raise Refused(f"{name} is disabled.")
        if need == "type" and not editable(node):
            raise Refused(f"{name} is not a text field.")
        if need == "type" and "readonly" in node.attrib:
            raise Refused(f"{name} is read-only.")
        if need == "select" and node.local_name != "select":
            is_box = kind(node) in ("checkbox", "radio")
            raise Refused(f"{name} is not a select{'; click it to choose it' if is_box else ''}.")

    # The mouse ---------------------------------------------------------------------------------

    def _press_mouse(self, node: Node) -> None:
        """Click an element: it gets the focus, and the innermost element that can do so acts."""
        chain = [node, *node.ancestors]
        self._controls.focus(next((one for one in chain if takes_focus(one)), None))
        if self._controls.focused is None:
            self._controls.anchor = node
        for one in chain:
            if one.local_name == "label":
                control = self._visit.document.names.control(one)
                if control is not None and not is_disabled(control):
                    self._controls.focus(control)
                    self._activate(control)
                return
            if self._activate(one):
                return

    def _activate(self, node: Node) -> bool:
        """Do what a click on this element does; return False if it does nothing."""
        tag, sort = node.local_name, kind(node)
        if tag == "a" and "href" in node.attrib:
            self._visit.follow(node.attrib["href"])
        elif tag in FIELDS and is_disabled(node):
            return True
        elif tag == "button" or sort in ("submit", "image", "reset", "button"):
            self._push(node)
        elif sort in ("checkbox", "radio"):
            self._check_choice(node)
        elif tag == "summary" and node.parent is not None:
            _toggle(node.parent)
        else:
            return is_labelable(node)
        return True

    def _check_choice(self, node: Node) -> None:
        before = self._controls.is_checked(node)
        self._controls.check(node)
        if self._controls.is_checked(node) != before:
            self._visit.changed(node)

    def _push(self, button: Node) -> None:
        form = form_of(button)
        if form is None:
            return
        if submits(button):
            self._visit.send(form, button)
        elif button.attrib.get("type", "").lower() == "reset":
            self._controls.reset(form)

    # Keys --------------------------------------------------------------------------------------

    def _write(self, node: Node, text: str) -> None:
        sort = kind(node)
        if sort == "number":
            text = re.sub(r"[^\d.eE+-]", "", text)
            text = text if _NUMBER.fullmatch(text) else ""
        before = self._controls.value(node)
        self._controls.write(node, text)
        if self._controls.value(node) != before:
            self._visit.typed(node)

    def _enter(self, node: Node) -> None:
        """Press Enter in the focused element."""
        tag, sort = node.local_name, kind(node)
        if tag == "textarea":
            self._write(node, self._controls.value(node) + "\n")
        elif tag in ("a", "button", "summary") or sort in ("submit", "image", "reset", "button"):
            self._activate(node)
        elif tag in ("input", "select"):
            self._submit_implicitly(node)

    def _submit_implicitly(self, node: Node) -> None:
        form = form_of(node)
        if form is None:
            return
        inside = self._controls.of(form)
        button = next((one for one in inside if submits(one)), None)
        if button is not None:
            if not is_disabled(button):
                self._visit.send(form, button)
        elif sum(kind(one) in SINGLE_LINE for one in inside) <= 1:
            self._visit.send(form, None)

    def _space(self) -> None:
        node = self._controls.focused
        if node is None:
            return
        if editable(node) in ("line", "lines"):
            self._write(node, self._controls.value(node) + " ")
        elif node.local_name in ("button", "summary") or kind(node):
            self._activate(node)

    def _escape(self) -> None:
        """Press Escape: it clears a search field, or closes the dialog over the page."""
        node = self._controls.focused
        if node is not None and kind(node) == "search" and self._controls.value(node):
            self._write(node, "")
        else:
            self._visit.document.modal.close()

    def _edit(self, node: Node, keys: str) -> None:
        """Press a key that changes the text of a field or the choice of a group."""
        if kind(node) == "radio" and keys in _ARROWS:
            group = [one for one in self._controls.group(node) if not is_disabled(one)]
            chosen = group[(group.index(node) + _ARROWS[keys]) % len(group)]
            self._controls.focus(chosen)
            self._check_choice(chosen)
        elif node.local_name == "select" and keys in _ARROWS and not is_list(node):
            options = [one for one in self._controls.options(node) if not is_disabled(one)]
            [chosen] = self._controls.selected(node)
            at = options.index(chosen) + _ARROWS[keys]
            if 0 <= at < len(options):
                self._controls.chosen[node] = [options[at]]
                self._visit.changed(node)
        elif node.local_name == "select" and len(keys) == 1:
            self._choose_by_typing(node, keys)
        elif editable(node) in ("line", "lines") and "readonly" not in node.attrib:
            text = self._controls.value(node)
            if keys == "Backspace":
                self._write(node, text[:-1])
            elif len(keys) == 1:
                self._write(node, text + keys)

    def _choose_by_typing(self, select: Node, text: str) -> None:
        """Type in a select: it chooses the next option that begins with the text.

        One letter, or the same letter several times, goes on to the next option with this letter.
        A blank before the first letter opens the list, which then takes all keys.
        """
        typed = ""
        for character in text:
            typed += character.casefold()
            if typed == " ":
                return
            is_one_letter = typed == typed[0] * len(typed)
            self._choose_next(select, typed[0] if is_one_letter else typed, int(is_one_letter))

    def _choose_next(self, select: Node, start: str, offset: int) -> None:
        """Choose the next option whose text begins with `start`, from the chosen one on."""
        controls, names = self._controls, self._visit.document.names
        options, chosen = controls.options(select), controls.selected(select)
        at = (options.index(chosen[0]) if chosen else 0) + offset
        for option in (*options[at:], *options[:at]):
            if not is_disabled(option) and names.option(option).casefold().startswith(start):
                if chosen != [option]:
                    controls.chosen[select] = [option]
                    self._visit.changed(select)
                return

    def _tab(self, step: int) -> None:
        """Move the focus to the next or the previous element that takes it."""
        controls, root = self._controls, self._visit.document.root
        here = controls.here
        order = [one for one in root.iter_subtree() if one is here or self._is_stop(one)]
        if here in order:
            at = order.index(here) + step
            controls.focus(order[at] if 0 <= at < len(order) else None)
        elif order:
            controls.focus(order[0 if step > 0 else -1])

    def _is_stop(self, node: Node) -> bool:
        document = self._visit.document
        if not takes_focus(node) or document.modal.covers(node) or not document.walk.is_hit(node):
            return False
        if kind(node) != "radio":
            return True
        group = self._controls.group(node)
        chosen = [one for one in group if self._controls.is_checked(one)]
        return node in chosen or (not chosen and node is group[0])


_ARROWS = {"ArrowDown": 1, "ArrowRight": 1, "ArrowUp": -1, "ArrowLeft": -1}


def _called(target: Target) -> str:
    """Return how messages call a target."""
    return f"Element {target}" if isinstance(target, int) else quoted(target)


def _toggle(details: Node) -> None:
    if details.local_name == "details":
        if "open" in details.attrib:
            del details.attrib["open"]
        else:
            details.attrib["open"] = ""


def _several(select: Node) -> str:
    """Return how to choose more than one option, if a list takes several."""
    if "multiple" not in select.attrib:
        return ""
    return (
        " To choose several, select one, then press Control+ArrowDown or Control+ArrowUp to go to"
        " another and Control+Space to choose it too."
    )


_HANDLERS: dict[type, Callable[[Input, Any], None]] = {
    Back: lambda hand, _: hand._travel(-1),
    Click: Input._click,
    Forward: lambda hand, _: hand._travel(1),
    Goto: Input._goto,
    Hover: Input._hover,
    KeyboardType: Input._keyboard_type,
    Press: Input._press,
    Respond: Input._respond,
    Scroll: Input._scroll,
    Select: Input._select,
    Tab: Input._switch_tab,
    Type: Input._type,
    Wait: Input._wait,
}
