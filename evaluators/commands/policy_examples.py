"""`rehearse policies from-run`: write the successful episodes of a run, of a person or of any
agent, as example trajectories of a SteP policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from agent import actions, renderings
from agent.interface import Action, Observation, Stop
from evaluators.commands.exemplars.trajectories import toml_text
from evaluators.episode import demonstration
from evaluators.episode.demonstration import Demonstration, NoDemonstration
from evaluators.records.trace_events import ObservationEvent
from scenarios import registry

HEAD = """\
# Example trajectories of a policy (agent/prompts/step/SITE/POLICY.toml). Cut each page to the lines
# that the action depends on, and give each turn its reason = "...".
"""


def from_run(
    run: Path, say: Callable[[str], None], names: Sequence[str] = (), families: Sequence[str] = ()
) -> str:
    """Return the example trajectories of a run as TOML.

    Args:
        run: The run's folder.
        say: Called with a line for each episode that is left out.
        names: Names of episodes; empty for all that succeeded.
        families: Files of the user's own families that the run has.

    Raises:
        NoDemonstration: No episode can serve as an example.
    """
    made: list[str] = []
    for each in demonstration.of_run(run, names, registry.own_families(families), say):
        try:
            made.append("\n".join(_trajectory(each)))
        except NoDemonstration as error:
            say(f"left out: {error}")
    if not made:
        raise NoDemonstration(f"{run} has no episode whose actions name elements of their pages")
    return "\n\n".join([HEAD, *made]) + "\n"


def _trajectory(shown: Demonstration) -> Iterator[str]:
    """Yield the lines of one trajectory; its last turn is `stop` with the answer, unless the page
    ended the task.
    """
    yield "[[trajectories]]"
    yield f"objective = {toml_text(shown.record.instruction)}"
    for place, step in enumerate(shown.steps):
        seen = renderings.get("tree").parse(step.seen.text)
        yield from _turn(step.seen, demonstration.action(shown, place, seen))
    if shown.last:
        yield from _turn(shown.last, Stop(shown.record.answer))


def _turn(event: ObservationEvent, action: Action) -> Iterator[str]:
    yield ""
    yield "[[trajectories.turns]]"
    yield f"url = {toml_text(event.url)}"
    yield f"page = {toml_text(_page(renderings.get('tree').parse(event.text)))}"
    yield f"action = {toml_text(actions.show(action))}"


def _page(seen: Observation) -> str:
    """Return the page without its head: url, title and notes."""
    return renderings.get("tree").render(seen).partition("\n\n")[2]
