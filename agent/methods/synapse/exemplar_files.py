"""Synapse's exemplars: whole trajectories of a task, in one readable file per task (section 3.3).

    abstraction = "implicit"              # explicit, implicit, ranked or none

    [[exemplar]]
    instruction = "..."
    program = '''...'''                   # implicit: the code that abstracts its states
    [[exemplar.round]]
    state = '''...'''                     # the state
    source = "<div ..."                   # optional: its outer HTML
    observation = '''...'''               # the clean observation, unless abstraction is none
    actions = '''...'''                   # the program that was run there, or the action

Clean observations select and rephrase the content of the page; they never decide what to do.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from agent import renderings
from agent.interface import Observation
from agent.plugins import unknown
from agent.prompting import Prompts
from rehearsal_errors import RehearsalError

FOLDER = Path(__file__).parents[2] / "exemplars"
KINDS = ("explicit", "implicit", "ranked", "none")


class BadExemplar(RehearsalError, ValueError):
    """The error for an exemplar file that cannot be used; it names the file, the place and the
    remedy.
    """


@dataclass(frozen=True)
class Round:
    """A round of a trajectory.

    Attributes:
        state: The raw state.
        observation: The clean observation; "" if the state itself was used.
        actions: The program that was run, or the action.
        source: The state as outer HTML; "" if the file has none.
    """

    state: str
    observation: str
    actions: str
    source: str = ""

    @property
    def shown(self) -> str:
        """Return the observation that the model saw."""
        return self.observation or self.state


@dataclass(frozen=True)
class Exemplar:
    """A trajectory that is shown as an example; `program` is the code that shortens its states if
    the abstraction is `implicit`.
    """

    instruction: str
    rounds: tuple[Round, ...]
    program: str = ""

    @property
    def general(self) -> str:
        """The program that shortens states, with the word TASK in place of the instruction."""
        return self.program.replace(literal(self.instruction), "TASK")


@dataclass(frozen=True)
class Exemplars:
    """The exemplars of one task.

    Attributes:
        task: Name of the task; "" for a mixture of tasks.
        abstraction: One of `KINDS`.
        exemplars: The trajectories.
        sourced: Whether the states that the model sees or abstracts are outer HTML.
    """

    task: str
    abstraction: str
    exemplars: tuple[Exemplar, ...]
    sourced: bool = False

    @property
    def raw(self) -> Exemplars:
        """The exemplars without state abstraction, as outer HTML if all of their rounds have it."""
        sourced = self._have_source
        bare = tuple(
            replace(each, program="", rounds=tuple(_bare(turn, sourced) for turn in each.rounds))
            for each in self.exemplars
        )
        return replace(self, abstraction="none", exemplars=bare, sourced=sourced)

    @property
    def of_html(self) -> Exemplars:
        """The exemplars with outer HTML as the states to abstract, if all of their rounds have it.

        Their code reads our own form of a state, so an implicit abstraction becomes an explicit
        one.
        """
        if not self._have_source:
            return self
        return replace(self, abstraction="explicit", sourced=True)

    @property
    def _have_source(self) -> bool:
        turns = [turn for each in self.exemplars for turn in each.rounds]
        return bool(turns) and all(turn.source for turn in turns)


def _bare(turn: Round, sourced: bool) -> Round:
    return replace(turn, observation="", state=turn.source if sourced else turn.state)


NOTHING = Exemplars("", "none", ())
"""An empty set of exemplars, for tasks without a similar one in memory: the prompts are then
zero-shot.
"""


def literal(text: str) -> str:
    """Return a text as a quoted string literal, for use in a program."""
    return json.dumps(text, ensure_ascii=False)


def raw_state(prompts: Prompts, seen: Observation) -> str:
    """Return a page as text in the form that the site's prompts choose by `rendering` and
    `colours`.

    Prompts leave out colours on sites whose buttons change colour under the mouse pointer.
    """
    if not prompts.data["colours"]:
        plain = tuple(replace(node, colors=()) for node in seen.content)
        seen = replace(seen, content=plain)
    return renderings.get(prompts.rendering).render(seen)


@cache
def page(turn: Round, rendering: str) -> Observation:
    """Return the page of a round, parsed from its raw state; the prompts name the rendering."""
    return renderings.get(rendering).parse(turn.state)


def tasks(site: str, folder: Path = FOLDER) -> list[str]:
    """Return the names of a site's tasks that have exemplars, sorted."""
    return sorted(path.stem for path in (folder / site).glob("*.toml"))


@cache
def all_of(site: str, folder: Path = FOLDER) -> tuple[tuple[str, Exemplar], ...]:
    """Return all exemplars of a site, each with the name of its task."""
    return tuple(
        (name, each) for name in tasks(site, folder) for each in load(site, name, folder).exemplars
    )


def ranked(chosen: Sequence[Exemplar]) -> Exemplars:
    """Return trajectories of different tasks as exemplars whose states are shortened by a
    ranker.
    """
    return Exemplars("", "ranked", tuple(chosen))


@cache
def load(site: str, task: str, folder: Path = FOLDER) -> Exemplars:
    """Return the exemplars of a task.

    Raises:
        UnknownName: The site has no exemplars of this task.
        BadExemplar: The file cannot be used.
    """
    path = folder / site / f"{task}.toml"
    if not path.is_file():
        raise unknown("exemplars' task", task, tasks(site, folder))
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadExemplar(f"{path}: {error}; build it again or mend it") from None
    return _read(path, task, data)


def _read(path: Path, task: str, data: Mapping[str, Any]) -> Exemplars:
    kind = _text(path, data, "abstraction")
    if kind not in KINDS:
        mend = "write explicit, implicit, ranked, or none"
        raise BadExemplar(f"{path}: abstraction is {kind!r}; {mend}")
    made = tuple(
        _exemplar(f"{path}: exemplar {number}", each, kind)
        for number, each in enumerate(_tables(path, data, "exemplar"), 1)
    )
    return Exemplars(task, kind, made)


def _exemplar(where: str, data: Mapping[str, Any], kind: str) -> Exemplar:
    rounds = tuple(
        _round(f"{where}, round {number}", each, kind)
        for number, each in enumerate(_tables(where, data, "round"), 1)
    )
    program = _text(where, data, "program") if kind == "implicit" else ""
    return Exemplar(_text(where, data, "instruction"), rounds, program)


def _round(where: str, data: Mapping[str, Any], kind: str) -> Round:
    seen = "" if kind == "none" else _text(where, data, "observation")
    source = _text(where, data, "source") if "source" in data else ""
    return Round(_text(where, data, "state"), seen, _text(where, data, "actions"), source)


def _tables(where: object, data: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    found = data.get(name)
    tables = [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []
    if not tables or tables != found:
        raise BadExemplar(f"{where} has no {name}; write each as a table, or build the file again")
    return tables


def _text(where: object, data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadExemplar(f"{where}: {name} is no text; write one")
    return value.strip("\n")
