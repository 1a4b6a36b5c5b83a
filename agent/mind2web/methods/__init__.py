"""The methods on recorded tasks of Mind2Web: each file in this package is one method, and `Method`
lists the members that it defines.

A method predicts each step of a task from the page that the annotator saw and from the annotator's
actions before it (teacher forcing). A mistake changes nothing on later pages.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from agent.interface import LLM
from agent.mind2web import ranks
from agent.mind2web.exemplars import Exemplar
from agent.mind2web.task import RecordedTask, Step


@dataclass(frozen=True)
class Prediction:
    """The action that a method predicts for a step.

    Attributes:
        op: CLICK, TYPE or SELECT; "" if the reply has none.
        element: The id of the element, as the data have it; "" if the reply has none.
        value: The text to type or the option to select.
        text: The action as the reply writes it.
    """

    op: str = ""
    element: str = ""
    value: str = ""
    text: str = ""


LOST = Prediction()
"""The prediction of a step for which the method has no action."""


@dataclass(frozen=True)
class OpenStep:
    """A step whose action is to be predicted.

    Attributes:
        task: The task.
        number: The step's place in the task, from 0.
        order: The ids of the page's candidates, the best first.
    """

    task: RecordedTask
    number: int
    order: Sequence[str]

    @property
    def recorded(self) -> Step:
        """The step as the data have it."""
        return self.task.steps[self.number]

    @property
    def key(self) -> str:
        """The step's name in files of scores."""
        return self.task.key(self.recorded)

    def previous(self, count: int) -> list[str]:
        """Return the annotator's last `count` actions before the step, in words, oldest first."""
        return [each.repr for each in self.task.steps[max(0, self.number - count) : self.number]]

    @property
    def rank(self) -> int | None:
        """The best rank of a right element, from 0; None if the page has none."""
        return ranks.rank(self.order, self.recorded)

    def reachable(self, top: int) -> list[str]:
        """Return the right elements among the `top` best candidates, in the order of the data."""
        best = {*self.order[:top]}
        return [each.id for each in self.recorded.positives if each.id in best]


@dataclass(frozen=True)
class OpenTask:
    """A task whose steps are to be predicted.

    Attributes:
        recorded: The task as the data have it.
        orders: The ids of each step's candidates, the best first, by the step's key.
        exemplars: The trajectories of the split `train`.
        record: Adds an event to the episode's trace, as `agent.interface.Task.record` does.
    """

    recorded: RecordedTask
    orders: Mapping[str, Sequence[str]]
    exemplars: Sequence[Exemplar] = ()
    record: Callable[..., None] = lambda *words, **details: None

    @property
    def steps(self) -> list[OpenStep]:
        """All steps of the task."""
        task = self.recorded
        return [
            OpenStep(task, at, self.orders.get(task.key(each), ()))
            for at, each in enumerate(task.steps)
        ]

    def within_reach(self, top: int) -> list[OpenStep]:
        """Return the steps that have a right element among the `top` best candidates.

        The published codes ask no model about other steps, and count them as lost.
        """
        return [each for each in self.steps if each.reachable(top)]


class Method(Protocol):
    """The members that a file in `agent/mind2web/methods/` defines.

    Members with a value here are optional, and that value is their default.

    Attributes:
        Options: A frozen dataclass with the field `top`: the number of best candidates among which
            the right element must be.
        RULE: The name of the rule by which the published code counts this method's steps.
        PROMPTS: Names of the folders of prompts that the method uses.
        exemplars: `exemplars(options)` says whether the method shows trajectories of `train`.
        reply: `reply(step, options)` returns the reply that gives the annotator's action, for
            fine-tuning; None if no single reply does.
        check: `check(options)` raises ValueError if something is missing that the options name.
    """

    Options: type
    RULE: str
    PROMPTS: tuple[str, ...] = ("mind2web",)
    exemplars: Callable[[Any], bool] | None = None
    reply: Callable[[OpenStep, Any], str] | None = None
    check: Callable[[Any], None] | None = None

    def solve(self, task: OpenTask, llm: LLM, options: Any) -> AsyncGenerator[Prediction, None]:
        """Yield the prediction of each step in `task.within_reach(options.top)`, in this order."""
