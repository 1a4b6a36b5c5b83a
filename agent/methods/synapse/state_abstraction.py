"""State abstraction (section 3.2): the clean observation of a state.

Explicit: the model writes it after examples. Implicit: the model writes code that makes it, which
the sandbox runs. Ranked: a ranker keeps the best elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial

from agent import actions, renderings
from agent.interface import Action, Message, Observation, Reply, Task
from agent.llm.asking import message
from agent.methods.synapse import element_ranking, exemplar_files
from agent.methods.synapse.element_ranking import Acted, Ranker
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round
from agent.methods.synapse.reply_format import read_program
from agent.methods.synapse.requests import Options, Requests
from agent.prompting import Prompts
from agent.renderings.markers import guard
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

_ENDS = ("Action:", "Output:", "State:")  # stops a model that writes on after the observation


PageKind = frozenset[tuple[str, str, str]]


@dataclass
class StateAbstraction:
    """Abstracts the states of one episode, as the retrieved exemplars say.

    `done` holds the pages and actions so far, for the ranker; `programs` the code that worked, by
    the kind of page.
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
        """The clean observation of a state, or the state where there is no abstraction for it."""
        if self.exemplars.sourced:
            return observation.source
        state = self._rendered(observation)
        if self.exemplars.abstraction == "none":
            return state
        if self.exemplars.abstraction == "explicit":
            seen = await self._explicit(state, self.exemplars)
        elif self.exemplars.abstraction == "ranked":
            seen = self._ranked(observation)
        else:
            seen = await self._implicit(state, page_kind(observation))
        self.task.record("abstract", seen, before=len(state), after=len(seen))
        return seen

    def past(self, observation: Observation, seen: str, reply: str) -> str:
        """How the trajectory shows a page after a reply: a ranker keeps less of it than before."""
        if self.exemplars.abstraction != "ranked":
            return seen
        action = actions.parse(reply)
        self.done.append((observation, action))
        past = element_ranking.past(self._ranker, observation, action, self.options.past)
        return self._rendered(past)

    @property
    def _ranker(self) -> Ranker:
        return Ranker(self.task.instruction, acted(self.exemplars, self.prompts.rendering))

    def _ranked(self, observation: Observation) -> str:
        """The elements that the ranker keeps, with all texts of the page."""
        entered = element_ranking.entered(self.done, observation)
        best = self._ranker.best(observation, self.options.top or self.prompts.data["top"], entered)
        return self._rendered(element_ranking.reduced(observation, best))

    def _rendered(self, observation: Observation) -> str:
        return exemplar_files.raw_state(self.prompts, observation)

    async def _explicit(self, state: str, exemplars: Exemplars) -> str:
        """The model writes the observation, after pairs of states and observations."""
        turns = [turn for each in exemplars.exemplars for turn in each.rounds]
        asked = partial(self._pairs, state)
        return await self.requests.ask("abstract", turns, asked, _nonempty, _ENDS)

    def _pairs(self, state: str, turns: Sequence[Round]) -> Iterator[Message]:
        say = self.prompts.say
        pairs = [say("pair", state=turn.state, seen=turn.observation) for turn in turns]
        about = {"instruction": self.task.instruction, "observation": guard(state)}
        yield message("user", say("abstract", pairs=pairs, **about))

    async def _implicit(self, state: str, kind: PageKind) -> str:
        """The model writes code that makes it; where that fails, zero-shot.

        On a page of a kind where a program has worked, and works again, it is not asked.
        """
        if program := self.programs.get(kind, ""):
            with suppress(ProgramError):
                return await self._made(program, state)
        try:
            asked, known = partial(self._code, state), self.exemplars.exemplars
            program = await self.requests.ask("code", known, asked, read_program)
            seen = await self._made(program, state)
            self.programs[kind] = program
            return seen
        except ProgramError as problem:
            self.task.record("fallback", str(problem), program=program, failure=problem.kind)
            return await self._explicit(state, exemplar_files.NOTHING)

    async def _made(self, program: str, state: str) -> str:
        seen = await self.runner.abstract(program, state)
        if not seen.strip():
            raise ProgramError("runtime", "the observation is empty")
        return seen

    def _code(self, state: str, known: Sequence[Exemplar]) -> Iterator[Message]:
        say = self.prompts.say
        shown = [
            say(
                "coded",
                instruction=each.instruction,
                state=each.rounds[-1].state,
                program=each.program,
            )
            for each in known
        ]
        about = {"instruction": self.task.instruction, "observation": guard(state)}
        yield message("user", say("code", programs=shown, **about))


def page_kind(seen: Observation) -> PageKind:
    """What pages of one kind have in common: which kinds of elements there are."""
    return frozenset((each.role, each.html_id, each.kind) for each in seen.elements)


@cache
def acted(exemplars: Exemplars, rendering: str) -> tuple[Acted, ...]:
    """What the exemplars' actions were done to."""
    page = renderings.get(rendering)
    return tuple(
        each
        for exemplar in exemplars.exemplars
        for turn in exemplar.rounds
        for each in element_ranking.acted(page.parse(turn.state), actions.parse(turn.actions))
    )


def _nonempty(reply: Reply) -> str:
    text = reply.text.strip()
    if not text:
        raise ValueError("the observation is empty; write what matters on the page")
    return text
