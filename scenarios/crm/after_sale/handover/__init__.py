"""A colleague's note with four requests at one desk, each from another task family.

The note has one request of each after-sale family, in random order. Every request changes
something, and no request touches another request's data. Two requests ask for an answer. In every
fifth seed the whole note uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm.after_sale.handover import _matters
from scenarios.crm.after_sale.handover._matters import TASKS, Matter, Part, parts_of
from scenarios.crm.airline_desk import desk, forms, service
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.world import World

NAME = "handover"
MARKS = ("First", "Second", "Third", "Fourth")
"""The words that begin each request of a note."""
SEPARATOR = ", "
"""The text between answers."""
CHANGES = {
    "find_by_name": "seats",
    "move_one_leg": "flights",
    "split_party": "passengers",
    "changes_in_one_call": "passengers",
}
"""For each family of requests, the name of a check that fails if the request is left out."""
EXTRAS = "bags or money"
"""The common label of checks ("bags", "money") that only some telephone calls have; near misses
treat them as one check.
"""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng(NAME, seed)
    matters = _matters.draw(rng, seed, airline, data)
    speaker = Speaker(NAME, kind_of(seed), rng)
    details = {
        "phrasing": speaker.kind,
        "matters": {each.family: each.seed for each in matters},
    }
    return Drawn(_note(matters, speaker), _gold(matters, airline, data), details)


def _note(matters: Sequence[Matter], speaker: Speaker) -> str:
    frame = [speaker.say(act) for act in ("hand", "apart", "reply")]
    marked = [f"{mark}: {each.text}" for mark, each in zip(MARKS, matters, strict=True)]
    return " ".join([*frame, *marked])


def _gold(matters: Sequence[Matter], airline: Airline, data: CrmData) -> dict[str, Any]:
    rows, golds = _matters.rows_of(matters), [each.gold for each in matters]
    find = {key: search for gold in golds for key, search in gold["find"].items()}
    dos = [forms.read(each) for gold in golds for each in gold["errands"]]
    outcome = forms.outcome(airline.key, rows, data, dos)
    evidence = [each for gold in golds for each in gold.get("evidence", ())]
    read = len(outcome.changes)
    answered = read + len(evidence)
    text = SEPARATOR.join(gold["text"] for gold in golds if "text" in gold)
    return {
        **outcome.gold(dos),
        "rows": rows,
        "matters": [_matters.to_json(each) for each in matters],
        "find": find,
        "evidence": evidence,
        "steps": {
            service.READ: [*range(read, answered)],
            **outcome.steps,
            service.ANSWER: [answered],
        },
        "answer": {"kind": "list", "text": text},
        "text": text,
        "needs": {"answer": [each for gold in golds for each in gold["needs"].get("answer", ())]},
        "told": [[each] for each in find if any(each in matter.text for matter in matters)],
        "path": [],
    }


# Advice and solution -----------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Return the advice that the family of the note's first unfinished request gives."""
    at = service.Service(scenario, observation)
    left = at.done
    for part in parts_of(scenario):
        if left < len(part.to_do):
            return part.task.advise(part.scenario, observation)
        left -= len(part.to_do)
    text: str = scenario.gold["text"]
    return Advice(service.ANSWER, answer=text, needs=at.needs("answer"))


def length(scenario: Scenario) -> int:
    return sum(part.task.length(part.scenario) for part in parts_of(scenario))


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of an agent that must find out by itself what the expert knows,
    over all requests of a note.
    """
    lengths = ((each.task.honest_length or each.task.length, each) for each in parts_of(scenario))
    return sum(of(each.scenario) for of, each in lengths)


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    return _joined(_solved(parts_of(scenario), world, data))


def _solved(parts: Iterable[Part], world: World, data: CrmData) -> Iterator[str]:
    """Carry out each request of a note, and yield its answer, or "" for a request without an
    answer.
    """
    for part in parts:
        yield part.task.solve(part.scenario, world, data)


def _joined(answers: Iterable[str]) -> str:
    return SEPARATOR.join(filter(None, answers))


# Near misses -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Besides:
    """A hand-over note of which every request except the one at `place` has been done."""

    scenario: Scenario
    data: CrmData
    place: int

    def do(self, world: World) -> None:
        """Carry out the note's requests except the one at `place`, in the database of a new
        visit.
        """
        parts = [each for at, each in enumerate(parts_of(self.scenario)) if at != self.place]
        for _ in _solved(parts, world, self.data):
            continue

    def answered(self, answer: str) -> str:
        """Return the joined answers of the note, with `answer` for the request at `place`."""
        answers = [each.answer for each in parts_of(self.scenario)]
        return _joined([*answers[: self.place], answer, *answers[self.place + 1 :]])


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    """Return near misses in which one request of the note is done wrongly and all others right.

    The seed selects the request's family. A near miss exists for each check that can fail, and
    another near miss leaves the request out.
    """
    family = sorted(TASKS)[scenario.seed % len(TASKS)]
    parts = [*parts_of(scenario)]
    [place] = [at for at, each in enumerate(parts) if each.task.name == family]
    besides = Besides(scenario, data, place)
    found = {f"{family} left out": NearMiss(partial(_left_out, besides), CHANGES[family])}
    misses = parts[place].task.near_misses(parts[place].scenario, data)
    rng = Random(f"crm/{NAME}/misses/{scenario.seed}")
    by_check: dict[str, list[NearMiss]] = {}
    for label in sorted(misses):
        check = misses[label].fails
        by_check.setdefault(EXTRAS if check in EXTRAS else check, []).append(misses[label])
    for checks, some in by_check.items():
        miss = rng.choice(some)
        found[f"{family}: {checks}"] = NearMiss(partial(_misdone, besides, miss), miss.fails)
    return found


def _left_out(besides: Besides, world: World) -> str:
    besides.do(world)
    return besides.answered("")


def _misdone(besides: Besides, miss: NearMiss, world: World) -> str:
    besides.do(world)
    return besides.answered(miss.apply(world) or "")


ALL_STEPS = dict.fromkeys(step for task in TASKS.values() for step in task.STEPS)
STEPS = (*(each for each in ALL_STEPS if each != service.ANSWER), service.ANSWER)
TASK = Task(
    task=NAME,
    about="Do the four matters of a colleague's note, each a request after the sale.",
    STEPS=STEPS,
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
    honest_length=honest_length,
    ANSWER=AnswerSchema(
        "list",
        "what the matters ask to be answered, in their order, separated by commas; dollars as a"
        " bare whole number",
    ),
)
FAMILIES = on_all(TASK)
