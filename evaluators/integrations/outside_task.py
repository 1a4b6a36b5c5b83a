"""A task for an agent of your own, which acts in any browser: the fixture `draw_task` of pytest."""

from __future__ import annotations

from dataclasses import dataclass

from agent.interface import AnswerSchema
from evaluators.episode.budget import standard_of
from evaluators.records.models import EpisodeRecord
from evaluators.server.serve import RunningServer
from evaluators.server.sessions import OpenScenario
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import answer_schema


class NoPageShown(RehearsalError):
    """A task was finished before the agent opened its first page."""


@dataclass(frozen=True)
class OutsideTask:
    """A drawn scenario in a visit of its own.

    Attributes:
        instruction: The task in words.
        url: The address at which the agent begins; only this address leads into the visit.
        answer: The answer that the task asks for, or None.
        steps: The step limit of a run. Nobody counts the steps here.
    """

    instruction: str
    url: str
    answer: AnswerSchema | None
    steps: int
    _served: RunningServer
    _opened: OpenScenario

    def __repr__(self) -> str:
        """Return what the agent may know: logs and failed tests print it."""
        about = f"instruction={self.instruction!r}, url={self.url!r}, id={self._opened.id!r}"
        return f"{type(self).__name__}({about})"

    def finish(self, answer: str = "") -> EpisodeRecord:
        """Finish the task with this answer, and return the record of the episode.

        Raises:
            NoPageShown: The agent opened no page.
        """
        self._served.sessions.finish(self._opened.id, answer)
        record = self._served.record_of(self._opened)
        if record is None:
            raise NoPageShown(
                f"{self._opened.scenario.name}: no page was shown, so there is no episode",
                "open the task's url in a browser first",
            )
        return record

    def leave(self) -> None:
        """End the task as the agent left it, unless it is finished."""
        self._served.sessions.leave(self._opened)


def draw(served: RunningServer, scenario: str) -> OutsideTask:
    """Draw a scenario by name, such as `store/buy_item/3`.

    Raises:
        UnknownName: No family has this name.
        BadTaskSet: The name is no scenario's.
    """
    drawn = registry.scenario(scenario)
    family = registry.family(drawn.family)
    opened = served.sessions.draw(drawn.site, drawn.family, drawn.seed, own=True)
    schema, steps = answer_schema(family, drawn), standard_of(family, drawn).steps
    return OutsideTask(drawn.instruction, opened.url, schema, steps, served, opened)
