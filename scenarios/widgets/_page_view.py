"""What an adviser of a task page works with: the instruction and the page, and words for both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.interface import Action, Advice, Click, Element, Observation, Select, Text, Type

Ahead = Sequence[tuple[str, Action]]
"""As `Advice.ahead`."""

COVER = "START"
"""What stands over the page when no episode is running."""


@dataclass(frozen=True)
class PageView:
    """`told` is the instruction, `page` what the browser shows now."""

    instruction: str
    page: Observation

    @property
    def quoted(self) -> list[str]:
        """The texts in double quotes of the instruction, in order."""
        return re.findall(r'"([^"]*)"', self.instruction)

    def groups(self, pattern: str) -> list[str]:
        """The groups of a pattern in the instruction; empty where it does not match."""
        found = re.search(pattern, self.instruction)
        return list(found.groups()) if found else []

    def all(self, *roles: str, name: str | None = None) -> list[Element]:
        """The elements of these roles (any where none is given) and of this name."""
        return [
            each
            for each in self.page.elements
            if (not roles or each.role in roles) and (name is None or each.name == name)
        ]

    def find(self, *roles: str, name: str | None = None) -> Element | None:
        """The first of `all`."""
        return next(iter(self.all(*roles, name=name)), None)

    def texts(self, *roles: str) -> list[str]:
        """The texts of these roles (any where none is given), without the instruction."""
        return [
            node.text
            for node in self.page.content
            if isinstance(node, Text) and node.role != "note" and (not roles or node.role in roles)
        ]

    def click(self, *roles: str, name: str | None = None) -> Click | None:
        """A click on the first of `all`."""
        return click(self.find(*roles, name=name))


def click(element: Element | None) -> Click | None:
    return Click(element.id) if element else None


def fill(element: Element | None, text: str) -> Type | None:
    """Type a text into a field, unless it holds it already; a secret is known by its length."""
    if element is None or element.value in (text, "•" * len(text)):
        return None
    return Type(element.id, text)


def choose(element: Element | None, option: str) -> Select | None:
    """Choose an option, unless it is chosen already."""
    return Select(element.id, option) if element and element.value != option else None


def tick(boxes: Sequence[Element], wanted: Sequence[str]) -> list[Click]:
    """Clicks that leave exactly the boxes of these names checked."""
    return [Click(box.id) for box in boxes if (box.name in wanted) != ("checked" in box.states)]


def do(
    *actions: Action | None, step: str = "", needs: Sequence[str] = (), ahead: Ahead = ()
) -> Advice:
    """The advice to do these; `needs` are the values that somebody must have been told."""
    done = tuple(each for each in actions if each)
    shown = tuple(ahead) if done else ()
    return Advice(step, done, needs=tuple((n,) for n in needs), ahead=shown)


def submit(view: PageView, text: str | None, needs: Sequence[str] = ()) -> Advice:
    """Type this into the field and hand it in; give up where the page does not show what."""
    if text is None:
        return do()
    return do(fill(view.find("textbox"), text), view.click("button", name="Submit"), needs=needs)


def instruction(observation: Observation) -> str:
    """What the page says at its top; a picture there is told by its name."""
    texts = [node for node in observation.content if isinstance(node, Text)]
    last = max((at for at, node in enumerate(texts) if node.role == "note"), default=-1)
    instruction = [node.text for node in texts[: last + 1] if node.role in ("note", "img")]
    return " ".join(" ".join(instruction).split())


def over(observation: Observation) -> bool:
    """Whether no episode is running any more."""
    return any(each.name == COVER for each in observation.elements)


def with_instruction(view: PageView, pattern: str, by: str) -> PageView:
    """The view with what the pattern matches in its instruction replaced."""
    return replace(view, instruction=re.sub(pattern, by, view.instruction))
