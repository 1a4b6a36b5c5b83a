"""State abstraction (section 3.2): turns a page state into a shorter text, its clean observation.

Explicit: the model writes the observation, following examples. Implicit: the model writes code that
produces it, and the sandbox runs the code. Ranked: a ranker keeps the best elements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import itemgetter

from agent import actions, renderings
from agent.interface import Action, Element, Message, Observation, Reply, Task
from agent.llm.asking import message
from agent.methods.synapse import element_ranking, exemplar_files
from agent.methods.synapse.element_ranking import Acted, Ranker
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round
from agent.methods.synapse.reply_format import read_program
from agent.methods.synapse.requests import Options, Requests
from agent.prompting import Prompts
from agent.renderings import Rendering
from agent.renderings.markers import guard
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

_ENDS = (
    "Task:",
    "Action:",
    "Output:",
    "State:",
)  # a model may go on after the observation with these
_NUMBER = re.compile(r"\d+")

PageKind = frozenset[tuple[str, str, str]]
Example = tuple[Exemplar, Round]
"""An exemplar, and the round whose page the prompt shows."""


@dataclass
class StateAbstraction:
    """Shortens (abstracts) the page states of one episode in the way that the retrieved exemplars
    specify.

    `done` contains the past pages and actions, for the ranker. `programs` contains the code that
    worked, by the kind of page.
    """

    task: Task
    options: Options
    prompts: Prompts
    exemplars: Exemplars
    requests: Requests
    done: list[tuple[Observation, Action]] = field(default_factory=list)
    programs: dict[PageKind, str] = field(default_factory=dict)
    runner: CodeRunner = field(default_factory=MontyRunner)

    async def abstract(self, observation: Observation) -> str:
        """Return the clean observation (short text) of a page, or the whole state if it is not
        abstracted.
        """
        state = observation.source if self.exemplars.sourced else self._rendered(observation)
        if self.exemplars.abstraction == "none":
            return state
        if self.exemplars.abstraction == "explicit":
            seen = await self._explicit(state, self._examples(observation))
        elif self.exemplars.abstraction == "ranked":
            seen = self._ranked(observation)
        else:
            seen = await self._implicit(state, observation)
        self.task.record("abstract", seen, before=len(state), after=len(seen))
        return seen

    def past(self, observation: Observation, seen: str, reply: str) -> str:
        """Return a page as the trajectory shows it after the reply; a ranker keeps fewer elements
        of past pages than of the current page.
        """
        if self.exemplars.abstraction != "ranked":
            return seen
        action = actions.parse(reply)
        self.done.append((observation, action))
        return past_state(self._ranker, self.prompts, self.options, observation, action)

    @property
    def _ranker(self) -> Ranker:
        return Ranker(self.task.instruction, acted(self.exemplars, self.prompts.rendering))

    def _ranked(self, observation: Observation) -> str:
        """Return the page as text with the elements that the ranker keeps, and with all texts."""
        entered = element_ranking.entered(self.done, observation)
        best = self._ranker.best(observation, self.options.top or self.prompts.data["top"], entered)
        return self._rendered(element_ranking.reduced(observation, best))

    def _rendered(self, observation: Observation) -> str:
        return exemplar_files.raw_state(self.prompts, observation)

    def _examples(self, seen: Observation) -> list[Example]:
        """Return the exemplars' rounds whose pages are of the kind that is most similar to this
        page.
        """
        page = renderings.get(self.prompts.rendering)
        return examples(self.exemplars.exemplars, seen, page)

    async def _explicit(self, state: str, known: Sequence[Example]) -> str:
        """Ask the model for the clean observation of a state, with pairs of states and observations
        as examples.
        """
        asked = partial(self._pairs, state)
        return await self.requests.ask("abstract", known, asked, _nonempty, _ENDS)

    def _pairs(self, state: str, known: Sequence[Example]) -> Iterator[Message]:
        say = self.prompts.say
        pairs = [
            say("pair", seen=turn.observation, **_about(each.instruction, self._raw(turn)))
            for each, turn in known
        ]
        yield message("user", say("abstract", pairs=pairs, **_about(self.task.instruction, state)))

    def _raw(self, turn: Round) -> str:
        return turn.source if self.exemplars.sourced else turn.state

    async def _implicit(self, state: str, observation: Observation) -> str:
        """Return the clean observation by running code that the model writes; if the code fails,
        ask the model for the observation without examples.

        The model is not asked again for pages of a kind for which an earlier program works.
        """
        kind = page_kind(observation)
        if program := self.programs.get(kind, ""):
            with suppress(ProgramError):
                return await self._made(program, state)
        try:
            asked, known = partial(self._code, state), distinct(self._examples(observation))
            program = await self.requests.ask("code", known, asked, read_program)
            seen = await self._made(program, state)
            self.programs[kind] = program
            return seen
        except ProgramError as problem:
            self.task.record("fallback", str(problem), program=program, failure=problem.kind)
            return await self._explicit(state, ())

    async def _made(self, program: str, state: str) -> str:
        seen = await self.runner.abstract(program, state)
        if not seen.strip():
            raise ProgramError("runtime", "the observation is empty")
        return seen

    def _code(self, state: str, known: Sequence[Example]) -> Iterator[Message]:
        say = self.prompts.say
        shown = [
            say("coded", program=each.program, **_about(each.instruction, turn.state))
            for each, turn in known
        ]
        yield message("user", say("code", programs=shown, **_about(self.task.instruction, state)))


def past_state(
    ranker: Ranker, prompts: Prompts, options: Options, seen: Observation, action: Action
) -> str:
    """Return a past page as text, with the elements that the ranker keeps and the action's own."""
    keep = element_ranking.released_past if options.release else element_ranking.past
    short = keep(ranker, seen, action, options.past)
    return exemplar_files.raw_state(prompts, replace(short, notes=None))


def shortened(exemplars: Exemplars, prompts: Prompts, options: Options) -> Exemplars:
    """Return ranked exemplars whose pages keep as many elements as the options say.

    The files have the pages as the default options keep them.
    """
    if options.past == Options.past and not options.release:
        return exemplars
    made = tuple(_shortened(each, prompts, options) for each in exemplars.exemplars)
    return replace(exemplars, exemplars=made)


def _shortened(exemplar: Exemplar, prompts: Prompts, options: Options) -> Exemplar:
    ranker = Ranker(exemplar.instruction)
    rounds = tuple(
        replace(turn, observation=past_state(ranker, prompts, options, page, action))
        for turn in exemplar.rounds
        for page in [exemplar_files.page(turn, prompts.rendering)]
        for action in [actions.parse(turn.actions)]
    )
    return replace(exemplar, rounds=rounds)


def _about(instruction: str, state: str) -> dict[str, str]:
    return {"instruction": instruction, "observation": guard(state)}


def examples(known: Sequence[Exemplar], seen: Observation, rendering: Rendering) -> list[Example]:
    """Return, for each exemplar, the round whose page is most similar to this page.

    Only rounds whose pages are of the same kind as the most similar page are included.
    """
    likest = [max(_compared(each, seen, rendering), key=itemgetter(0)) for each in known]
    kind = max(likest, key=itemgetter(0))[1] if likest else None
    return [(each, turn) for each, (_, own, turn) in zip(known, likest, strict=True) if own == kind]


def _compared(
    exemplar: Exemplar, seen: Observation, rendering: Rendering
) -> Iterator[tuple[tuple[float, float], PageKind, Round]]:
    """Yield each round of an exemplar as (similarity to this page, kind of the round's page,
    round).
    """
    for turn in exemplar.rounds:
        page = _page(turn.state, rendering)
        kind = page_kind(page)
        likeness = _likeness(Counter(kind), Counter(page_kind(seen)))
        yield (likeness, _likeness(_parts(page), _parts(seen))), kind, turn


def _likeness(one: Counter[object], other: Counter[object]) -> float:
    """Return Jaccard's similarity of two multisets, from 0 to 1."""
    return (one & other).total() / max(1, (one | other).total())


def _page(state: str, rendering: Rendering) -> Observation:
    """Parse an exemplar's state into a page; a state that people wrote in another form gives an
    empty page.
    """
    try:
        return rendering.parse(state)
    except ValueError:
        return Observation("", "", ())


def distinct(known: Sequence[Example]) -> list[Example]:
    """Return the examples without repetitions of a program that differ only in the task's
    instruction.
    """
    first: dict[str, Example] = {}
    for example in known:
        first.setdefault(example[0].general, example)
    return list(first.values())


def page_kind(seen: Observation) -> PageKind:
    """Return the set of element kinds on a page (without element numbers), by which pages are
    grouped.
    """
    return frozenset(_kind(each) for each in seen.elements)


def _kind(element: Element) -> tuple[str, str, str]:
    return element.role, _NUMBER.sub("", element.html_id), element.kind


def _parts(seen: Observation) -> Counter[object]:
    """Return a count of the page's elements by kind, separately with and without a value, and of
    its texts by role.
    """
    return Counter(
        (_kind(each), bool(each.value)) if isinstance(each, Element) else each.role
        for each in seen.content
    )


@cache
def acted(exemplars: Exemplars, rendering: str) -> tuple[Acted, ...]:
    """Return the page and element of each action in the exemplars, for the ranker."""
    return tuple(
        each
        for exemplar in exemplars.exemplars
        for turn in exemplar.rounds
        for each in element_ranking.acted(
            exemplar_files.page(turn, rendering), actions.parse(turn.actions)
        )
    )


def _nonempty(reply: Reply) -> str:
    text = reply.text.strip()
    if not text:
        raise ValueError("the observation is empty; write what matters on the page")
    return text
