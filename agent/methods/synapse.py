"""Synapse (Zheng et al. 2024): trajectories as exemplars, state abstraction, exemplar memory.

Retrieve once; then, round by round: abstract the state, let the model continue the trajectory
with a program, run the program in the sandbox, until the task is over or the rounds are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import embedders, memory, plugins, prompting, renderings
from agent.interface import LLM, ContextOverflow, Message, Observation, Page, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for
from agent.methods import _exemplars
from agent.methods._exemplars import Exemplar, Exemplars, Round
from agent.methods._programs import Hands
from agent.prompting import Prompts
from agent.renderings.markers import guard
from agent.sandbox import CodeRunner, ProgramError
from agent.sandbox.monty import MontyRunner

T = TypeVar("T")
_ENDS = ("Action:", "Output:", "State:")
"""Where a model that goes on after its observation is stopped."""


@dataclass(frozen=True)
class Options:
    """`rounds`: at most so many, one program each; `calls`: of a program, at most so many.

    Without `abstraction` the raw state is shown, without `trajectory` single steps and no history,
    without `memory` the exemplars are looked up by the task's name. `embedder`: of the memory.
    `threshold`: the distance beyond which nothing is retrieved (0: none). `context`: so many tokens
    fit a prompt (0: as many as the model takes). `reasks`: for replies without a program.
    `release`: rounds and history by task, as in the released code.
    `prompts`, `exemplars`: the folders of the files; `memory_file`: the memory where it is not
    the one among the exemplars. Raises ValueError where an embedder or a memory cannot be had.
    """

    rounds: int = 10
    calls: int = 50
    abstraction: bool = True
    trajectory: bool = True
    memory: bool = True
    embedder: str = "hashed"
    threshold: float = 0.0
    context: int = 0
    reasks: int = 2
    release: bool = False
    prompts: Path = prompting.FOLDER
    exemplars: Path = _exemplars.FOLDER
    memory_file: str = ""

    def __post_init__(self) -> None:
        for name in ("rounds", "calls"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} is below 1")
        for name in ("threshold", "context", "reasks"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)} is below 0")
        embedders.get(self.embedder)
        if self.memory_file:
            memory.load(Path(self.memory_file), self.embedder)
        sites = [folder.name for folder in self.exemplars.glob("*/")]
        if not sites:
            raise ValueError(f"{self.exemplars} holds no exemplars; {memory.REMEDY}")
        for site in sites:
            memory.load(self.keys(site), self.embedder)

    def keys(self, site: str) -> Path:
        """The file of the memory."""
        return Path(self.memory_file) if self.memory_file else self.exemplars / site / memory.KEYS


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load("synapse", task.site, options.prompts)
    prompts.check(task.family)
    options = released(task.family, prompts, options) if options.release else options
    observation = await page.observe()
    exemplars = await retrieve(task, llm, options, prompts, observation)
    episode = _Episode(task, page, llm, options, prompts, exemplars)
    for _ in range(options.rounds):
        if over(prompts, observation):
            break
        seen = await episode.abstract(observation)
        program = await episode.act(seen)
        if not program.strip():
            break
        observation = await episode.run(program, observation)
        episode.trajectory.append(_Turn(seen, program))
    return ""


def released(family: str, prompts: Prompts, options: Options) -> Options:
    """With the rounds of this task in the released code, and history only where that shows it."""
    task, table = family.partition(".")[0], prompts.data["release"]
    history = options.trajectory and task in table["history"]
    return replace(options, rounds=table["rounds"].get(task, 1), trajectory=history)


async def retrieve(
    task: Task, llm: LLM, options: Options, prompts: Prompts, observation: Observation
) -> Exemplars:
    """The exemplars of the task in memory that this one is most like; of none where it is far.

    Without memory those of the task itself, or of the one that the prompts name for it.
    """
    family = task.family.partition(".")[0]
    name: str | None = prompts.data["without_memory"].get(family, family)
    if options.memory:
        known = frozenset(_exemplars.tasks(task.site, options.exemplars))
        kept = memory.load(options.keys(task.site), options.embedder, known)
        text = memory.metadata(task.instruction, memory.raw_state(observation))
        found = await kept.retrieve(text, llm, threshold=options.threshold or None)
        near = [each.task for each in found.neighbours]
        told = {"distance": found.distance, "neighbours": near, "seen": family in kept.tasks}
        task.record("retrieve", found.task or "", **told)
        name = found.task
    if name is None or name not in _exemplars.tasks(task.site, options.exemplars):
        return _exemplars.NOTHING
    exemplars = _exemplars.load(task.site, name, options.exemplars)
    return exemplars if options.abstraction else exemplars.raw


def hashes(site: str, options: Options) -> dict[str, str]:
    """What a result depends on besides prompts and site: keys and exemplars."""
    return {"memory": plugins.digest(options.keys(site), options.exemplars / site)}


def over(prompts: Prompts, observation: Observation) -> bool:
    """Whether the page says that the task has ended: it shows the element named so."""
    return any(each.name == prompts.data["over"] for each in observation.elements)


@dataclass(frozen=True)
class _Turn:
    """What was seen, and the program that was run on it."""

    seen: str
    program: str


@dataclass
class _Episode:
    task: Task
    page: Page
    llm: LLM
    options: Options
    prompts: Prompts
    exemplars: Exemplars
    trajectory: list[_Turn] = field(default_factory=list)
    error: str = ""
    """What went wrong with the last program."""
    runner: CodeRunner = field(default_factory=MontyRunner)

    # State abstraction (section 3.2) -----------------------------------------------------------

    async def abstract(self, observation: Observation) -> str:
        """The clean observation of a state, or the state where there is no abstraction for it."""
        state = renderings.get("state").render(observation)
        if self.exemplars.abstraction == "none":
            return state
        if self.exemplars.abstraction == "explicit":
            seen = await self._explicit(state, self.exemplars)
        else:
            seen = await self._implicit(state)
        self.task.record("abstract", seen, before=len(state), after=len(seen))
        return seen

    async def _explicit(self, state: str, exemplars: Exemplars) -> str:
        """The model writes it, after pairs of states and observations."""
        turns = [turn for each in exemplars.exemplars for turn in each.rounds]
        return await self._ask("abstract", turns, partial(self._pairs, state), _nonempty, _ENDS)

    def _pairs(self, state: str, turns: Sequence[Round]) -> Iterator[Message]:
        say = self.prompts.say
        pairs = [say("pair", state=turn.state, seen=turn.observation) for turn in turns]
        told = self.task.instruction
        yield _user(say("abstract", instruction=told, pairs=pairs, observation=guard(state)))

    async def _implicit(self, state: str) -> str:
        """The model writes code that makes it; where that fails, zero-shot."""
        program = ""
        try:
            asked, known = partial(self._code, state), [self.exemplars]
            program = await self._ask("code", known, asked, read_program)
            return await self.runner.abstract(program, state)
        except ProgramError as problem:
            self.task.record("fallback", str(problem), program=program, failure=problem.kind)
            return await self._explicit(state, _exemplars.NOTHING)

    def _code(self, state: str, known: Sequence[Exemplars]) -> Iterator[Message]:
        say = self.prompts.say
        shown = [
            say("coded", instruction=each.exemplars[0].instruction, program=each.program)
            for each in known
        ]
        told = self.task.instruction
        yield _user(say("code", instruction=told, programs=shown, observation=guard(state)))

    # Trajectory-as-exemplar prompting (section 3.3) --------------------------------------------

    async def act(self, seen: str) -> str:
        """The program that goes on with the trajectory."""
        known = self.exemplars.exemplars
        return await self._ask(
            "act", known, partial(self._dialogue, seen), read_program, ["Observation:"]
        )

    def _dialogue(self, seen: str, exemplars: Sequence[Exemplar]) -> Iterator[Message]:
        say, whole = self.prompts.say, self.options.trajectory
        yield {"role": "system", "content": say("system")}
        for each in exemplars:
            if whole:
                yield _user(say("task", instruction=each.instruction))
            yield from self._turns(_Turn(turn.shown, turn.actions) for turn in each.rounds)
        yield _user(say("task", instruction=self.task.instruction))
        if whole:
            yield from self._turns(self.trajectory)
        yield _user(say("now", error=self.error, observation=guard(seen)))

    def _turns(self, turns: Iterable[_Turn]) -> Iterator[Message]:
        for turn in turns:
            yield _user(self.prompts.say("turn", observation=guard(turn.seen)))
            program = self.prompts.say("program", program=turn.program)
            yield {"role": "assistant", "content": program}

    async def run(self, program: str, observation: Observation) -> Observation:
        """Run a program; what the page shows after it, and what went wrong."""
        hands, self.error = Hands(self.page.act, observation), ""
        try:
            await self.runner.act(program, hands, calls=self.options.calls)
        except ProgramError as problem:
            self.error = str(problem)
            self.task.record("program", str(problem), program=program, failure=problem.kind)
        return hands.now

    # Asking ------------------------------------------------------------------------------------

    async def _ask(
        self,
        purpose: str,
        exemplars: Sequence[T],
        request: Callable[[Sequence[T]], Iterable[Message]],
        read: Callable[[Reply], str],
        stop: Sequence[str] = (),
    ) -> str:
        """Ask with as many exemplars as fit the model's context, dropped from the last."""
        shown = list(exemplars)
        while True:
            try:
                messages = self._fitting(list(request(shown)))
                reply = await ask_for(
                    self.llm,
                    f"synapse/{purpose}",
                    messages,
                    read,
                    reasks=self.options.reasks,
                    on_reask=partial(self.task.record, "reask"),
                    stop=stop,
                )
                self.task.record("shown", purpose, exemplars=len(shown))
                return reply
            except ContextOverflow:
                if not shown:
                    raise
                shown.pop()
                self.task.record("drop", purpose, left=len(shown))

    def _fitting(self, messages: list[Message]) -> list[Message]:
        size = tokens.of_request({"messages": messages})
        if 0 < self.options.context < size:
            said = f"the request takes about {size} of {self.options.context} tokens"
            raise ContextOverflow(said)
        return messages


_BLOCK = re.compile(r"^```[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def read_program(reply: Reply) -> str:
    """The first block between three backticks. Raises ValueError, in words for the model."""
    found = _BLOCK.search(reply.text + "\n```")
    if found is None:
        raise ValueError("there is no program; write one between lines of three backticks")
    return found[1].strip("\n")


def _nonempty(reply: Reply) -> str:
    text = reply.text.strip()
    if not text:
        raise ValueError("the observation is empty; write what matters on the page")
    return text


def _user(text: str) -> Message:
    return {"role": "user", "content": text}
