"""An adviser's tools for a task page: the instruction, the page, and actions on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.interface import Action, Advice, Click, Element, Observation, Select, Text, Type

Ahead = Sequence[tuple[str, Action]]
"""Actions, each with a remark, that can be taken without looking at the page in between."""

COVER = "START"
"""The text over the page while no episode is running."""


@dataclass(frozen=True)
class PageView:
    """The instruction and the current observation of the page."""

    instruction: str
    page: Observation

    @property
    def quoted(self) -> list[str]:
        """The texts in double quotes in the instruction, in order."""
        return re.findall(r'"([^"]*)"', self.instruction)

    def groups(self, pattern: str) -> list[str]:
        """Return the groups of a pattern in the instruction, or [] if it does not match."""
        found = re.search(pattern, self.instruction)
        return list(found.groups()) if found else []

    def all(self, *roles: str, name: str | None = None) -> list[Element]:
        """Return the elements with one of these roles and this name; no role or name admits all."""
        return [
            each
            for each in self.page.elements
            if (not roles or each.role in roles) and (name is None or each.name == name)
        ]

    def find(self, *roles: str, name: str | None = None) -> Element | None:
        """Return the first element with one of these roles and this name, or None."""
        return next(iter(self.all(*roles, name=name)), None)

    def texts(self, *roles: str) -> list[str]:
        """Return the texts with one of these roles (default: all), except the instruction."""
        return [
            node.text
            for node in self.page.content
            if isinstance(node, Text) and node.role != "note" and (not roles or node.role in roles)
        ]

    def click(self, *roles: str, name: str | None = None) -> Click | None:
        """Return a click on the first element with one of these roles and this name, or None."""
        return click(self.find(*roles, name=name))


def click(element: Element | None) -> Click | None:
    """Return a click on the element, or None without an element."""
    return Click(element.id) if element else None


def fill(element: Element | None, text: str) -> Type | None:
    """Return the typing of a text into a field, or None if the field has this text already.

    The field of a password shows only its length, so equal length counts as equal text.
    """
    if element is None or element.value in (text, "•" * len(text)):
        return None
    return Type(element.id, text)


def choose(element: Element | None, option: str) -> Select | None:
    """Return the choice of an option in a list, or None if it is chosen already."""
    return Select(element.id, option) if element and element.value != option else None


def tick(boxes: Sequence[Element], wanted: Sequence[str]) -> list[Click]:
    """Return the clicks that leave exactly the boxes with these names checked."""
    return [Click(box.id) for box in boxes if (box.name in wanted) != ("checked" in box.states)]


def do(
    *actions: Action | None, step: str = "", needs: Sequence[str] = (), ahead: Ahead = ()
) -> Advice:
    """Return advice to take these actions; None among them is skipped.

    Args:
        needs: Values of the instruction that the actions depend on.
        ahead: Actions to take without looking again, if there are actions now.
    """
    done = tuple(each for each in actions if each)
    shown = tuple(ahead) if done else ()
    return Advice(step, done, needs=tuple((n,) for n in needs), ahead=shown)


def submit(view: PageView, text: str | None, needs: Sequence[str] = ()) -> Advice:
    """Advise typing a text into the field and submitting; give up if the text is None."""
    if text is None:
        return do()
    return do(fill(view.find("textbox"), text), view.click("button", name="Submit"), needs=needs)


def instruction(observation: Observation) -> str:
    """Return the instruction at the top of the page, with the name of any picture in it."""
    texts = [node for node in observation.content if isinstance(node, Text)]
    last = max((at for at, node in enumerate(texts) if node.role == "note"), default=-1)
    instruction = [node.text for node in texts[: last + 1] if node.role in ("note", "img")]
    return " ".join(" ".join(instruction).split())


def over(observation: Observation) -> bool:
    """Return whether the page shows that its episode has ended."""
    return any(each.name == COVER for each in observation.elements)


def with_instruction(view: PageView, pattern: str, by: str) -> PageView:
    """Return the view with every match of the pattern in its instruction replaced."""
    return replace(view, instruction=re.sub(pattern, by, view.instruction))
