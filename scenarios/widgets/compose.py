"""Several tasks in one page, each in its own box, with one common instruction (after CompWoB).

The advice comes from the tasks' own families: the family of the next task gets only its own
sentence and its own box. A person sees at a glance which task is in which box; here the scenario
says it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agent import plugins
from agent.interface import Advice, Element, Observation, Text
from scenarios import widgets
from scenarios.scenario import Scenario
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Widget
from sites.widgets import WidgetsData, compositions
from sites.widgets.compositions import Composition

_BOX = re.compile(r"Box (\d+)")
_LINK = re.compile(r"Go to box (\d+)(, done)?")
DONE = "Done."


@dataclass(frozen=True)
class Board:
    """A page with several tasks: the plan, the instruction, and the page as the agent sees it."""

    plan: Composition
    instruction: str
    page: Observation

    @cached_property
    def boxes(self) -> dict[int, tuple[Element | Text, ...]]:
        """The content of each visible box, by the box's index."""
        content, starts = self.page.content, list[tuple[int, int]]()
        for at, node in enumerate(content):
            found = _BOX.fullmatch(node.text) if isinstance(node, Text) else None
            if found and isinstance(node, Text) and node.role == "heading":
                starts.append((at, int(found[1]) - 1))
        ends = [*(at for at, _ in starts[1:]), *[len(content)] * bool(starts)]
        return {place: content[at + 1 : end] for (at, place), end in zip(starts, ends, strict=True)}

    @property
    def done(self) -> set[int]:
        """The indexes of the finished tasks."""
        links = (_LINK.fullmatch(each.name) for each in self.page.elements)
        done = {int(each[1]) - 1 for each in links if each and each[2]}
        shown = {
            place
            for place, nodes in self.boxes.items()
            if any(isinstance(each, Text) and each.text == DONE for each in nodes)
        }
        return done | shown

    @property
    def sentences(self) -> dict[int, str]:
        """The instruction of each task by its index, or {} if the instruction has another form."""
        marks = "".join(rf"{re.escape(mark)}(.*?) ?" for mark, _ in self.plan.telling)
        found = re.fullmatch(marks, self.instruction)
        places = [place for _, place in self.plan.telling]
        return dict(zip(places, found.groups(), strict=True)) if found else {}


def advise(board: Board) -> Advice:
    """Advise opening the sign, going to the next task's box, and doing that task."""
    sign = PageView("", board.page).click("button", name="Open the sign")
    if sign:
        return do(sign)
    left = [place for place in board.plan.order if place not in board.done]
    if not left or left[0] not in board.sentences:
        return do()
    place = left[0]
    if place not in board.boxes:
        return do(PageView("", board.page).click("button", name=f"Go to box {place + 1}"))
    view = PageView(board.sentences[place], replace(board.page, content=board.boxes[place]))
    return part(board.plan.boxes[place]).adviser(view)


def part(task: str) -> Widget:
    """Return the family of a task."""
    module = plugins.load("family", widgets, task.replace("-", "_"))
    made: Widget = module.FAMILY
    return made


@dataclass(frozen=True)
class Composed(Widget):
    """A family whose page combines `number` tasks."""

    number: int = 0

    @property
    def task(self) -> str:
        return f"compose-{self.number}"

    def drawn(self, seed: int, data: WidgetsData) -> dict[str, Any]:
        """Return the page's digest and the composition, which number and seed determine."""
        made = compositions.draw(self.number, seed).to_json()
        page = compositions.page(self.number, seed, data)
        return {"page": page.digest, "composition": made}

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        plan = Composition.read(scenario.details["composition"])
        return self.advised_by(
            lambda view: advise(Board(plan, view.instruction, view.page)), scenario, observation
        )

    def length(self, scenario: Scenario) -> int:
        """Return the number of actions: of all tasks, to go to each box if boxes are paged, and for
        a sign.
        """
        plan = Composition.read(scenario.details["composition"])
        tasks = sum(part(plan.boxes[place]).actions for place in plan.order)
        ways = len(plan.order) if plan.paged else 0
        return tasks + ways + (plan.spare is not None)


def _nothing(_: PageView) -> Advice:
    return do()


FAMILIES = tuple(
    Composed(__file__, __doc__, _nothing, actions=0, number=number)
    for number in compositions.NUMBERS
)
