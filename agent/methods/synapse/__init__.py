"""Synapse (Zheng et al. 2024): trajectories as exemplars, state abstraction, exemplar memory.

Retrieve once; then, round by round: abstract the state, let the model continue the trajectory,
carry out what it says, until the task is over or the rounds are. A site's prompts say in which of
two forms: programs, run in the sandbox, on states that the model abstracts (MiniWoB++); or one
action a round on the elements that a ranker keeps (Mind2Web).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from agent import actions, embedders, plugins, prompting, renderings
from agent.interface import LLM, Action, ContextOverflow, Message, Observation, Page, Reply, Task
from agent.llm import tokens
from agent.llm.asking import ask_for, temperature
from agent.methods.synapse import element_ranking, exemplar_files, memory, reply_formats
from agent.methods.synapse.element_ranking import Acted, Ranker
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round
from agent.methods.synapse.reply_formats import Programs, ReplyFormat, SingleActions, read_program
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
    `moves`: at most so many actions, where a round is one. `top`: elements that the ranker keeps of
    the page (0: as many as the site's prompts say), `past`: of pages before, and in exemplars.

    Without `abstraction` outer HTML is shown where the exemplars hold it, else the whole state;
    without `trajectory` single steps and no history; without `memory` the exemplars are looked up
    by the task's name. `embedder`: of the memory. `threshold`: the distance beyond which nothing is
    retrieved (0: none). `context`: so many tokens fit a prompt (0: as many as the model takes).
    `temperature`: the released code's; -1 leaves it to the model. `reasks`: for replies without a
    program. `release`: rounds and history by task, as in the
    released code.
    `prompts`, `exemplars`: the folders of the files; `memory_file`: the memory where it is not
    the one among the exemplars. Raises ValueError where an embedder or a memory cannot be had.
    """

    rounds: int = 10
    calls: int = 50
    moves: int = 60
    top: int = 0
    past: int = 3
    abstraction: bool = True
    trajectory: bool = True
    memory: bool = True
    embedder: str = "hashed"
    threshold: float = 0.0
    context: int = 0
    temperature: float = 0.0
    reasks: int = 2
    release: bool = False
    prompts: Path = prompting.FOLDER
    exemplars: Path = exemplar_files.FOLDER
    memory_file: str = ""

    def __post_init__(self) -> None:
        for name in ("rounds", "calls", "moves", "past"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)} is below 1")
        for name in ("threshold", "context", "reasks", "top"):
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
    form = reply_format(task, prompts, options)
    episode = _Episode(task, llm, options, prompts, exemplars, form)
    for _ in range(form.rounds):
        if over(prompts, observation):
            break
        if exemplars.sourced:
            observation = await page.observe(source=prompts.data["area"])
        seen = await episode.abstract(observation)
        said = await episode.act(seen)
        answer = form.answer(said)
        if answer is not None:
            return answer
        before = observation
        observation, episode.error = await form.run(said, before, page.act)
        episode.remember(before, seen, said)
    return ""


def reply_format(task: Task, prompts: Prompts, options: Options) -> ReplyFormat:
    """Actions where the site's prompts list some, else programs."""
    if "operations" in prompts.data:
        return SingleActions(options.moves, prompts.data["operations"])
    return Programs(options.rounds, options.calls, task.record)


def released(family: str, prompts: Prompts, options: Options) -> Options:
    """With the rounds of this task in the released code, and history only where that shows it.

    As they are where the prompts say nothing of that, as for the form of Mind2Web.
    """
    if "release" not in prompts.data:
        return options
    task, table = family.partition(".")[0], prompts.data["release"]
    history = options.trajectory and task in table["history"]
    return replace(options, rounds=table["rounds"].get(task, 1), trajectory=history)


async def retrieve(
    task: Task, llm: LLM, options: Options, prompts: Prompts, observation: Observation
) -> Exemplars:
    """The exemplars of the task in memory that this one is most like; none where it is far.

    Without memory those of the task itself, or of the one that the prompts name for it.
    """
    family = task.family.partition(".")[0]
    name: str | None = prompts.data["without_memory"].get(family, family)
    if options.memory:
        known = frozenset(exemplar_files.tasks(task.site, options.exemplars))
        kept = memory.load(options.keys(task.site), options.embedder, known)
        text = memory.metadata(task.instruction, memory.raw_state(observation))
        found = await kept.retrieve(text, llm, threshold=options.threshold or None)
        near = [each.task for each in found.neighbours]
        told = {"distance": found.distance, "neighbours": near, "seen": family in kept.tasks}
        task.record("retrieve", found.task or "", **told)
        name = found.task
    if name is None or name not in exemplar_files.tasks(task.site, options.exemplars):
        exemplars = replace(exemplar_files.NOTHING, abstraction=prompts.data["abstraction"])
    else:
        exemplars = exemplar_files.load(task.site, name, options.exemplars)
    return exemplars if options.abstraction else exemplars.raw


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


def hashes(site: str, options: Options) -> dict[str, str]:
    """What a result depends on besides prompts and site: keys and exemplars."""
    return {"memory": plugins.digest(options.keys(site), options.exemplars / site)}


def over(prompts: Prompts, observation: Observation) -> bool:
    """Whether the page says that the task has ended: it shows the element named so."""
    return any(each.name == prompts.data.get("over") for each in observation.elements)


@dataclass(frozen=True)
class _Turn:
    """What was seen, and what was said to it."""

    seen: str
    said: str


@dataclass
class _Episode:
    task: Task
    llm: LLM
    options: Options
    prompts: Prompts
    exemplars: Exemplars
    form: ReplyFormat
    trajectory: list[_Turn] = field(default_factory=list)
    done: list[tuple[Observation, Action]] = field(default_factory=list)
    """Where a ranker abstracts: the pages and what was done on them."""
    error: str = ""
    """What went wrong with what was said last."""
    runner: CodeRunner = field(default_factory=MontyRunner)

    # State abstraction (section 3.2) -----------------------------------------------------------

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
            seen = await self._implicit(state)
        self.task.record("abstract", seen, before=len(state), after=len(seen))
        return seen

    def remember(self, observation: Observation, seen: str, said: str) -> None:
        """The trajectory goes on; of a page that is past the ranker keeps less."""
        if self.exemplars.abstraction == "ranked":
            action = actions.parse(said)
            seen = self._rendered(
                element_ranking.past(self._ranker, observation, action, self.options.past)
            )
            self.done.append((observation, action))
        self.trajectory.append(_Turn(seen, said))

    @property
    def _ranker(self) -> Ranker:
        return Ranker(self.task.instruction, acted(self.exemplars, self.prompts.rendering))

    def _ranked(self, observation: Observation) -> str:
        """The elements that the ranker keeps, with all texts of the page."""
        entered = element_ranking.entered(self.done, observation)
        best = self._ranker.best(observation, self.options.top or self.prompts.data["top"], entered)
        return self._rendered(element_ranking.kept(observation, best))

    def _rendered(self, observation: Observation) -> str:
        return exemplar_files.raw_state(self.prompts, observation)

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
            return await self._explicit(state, exemplar_files.NOTHING)

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
        """What goes on with the trajectory.

        Raises `ContextOverflow` where not one of the exemplars that were retrieved fits.
        """
        known = self.exemplars.exemplars
        asked = partial(self._dialogue, seen)
        return await self._ask(
            "act", known, asked, self.form.read, ["Observation:"], least=min(1, len(known))
        )

    def _dialogue(self, seen: str, exemplars: Sequence[Exemplar]) -> Iterator[Message]:
        say, whole = self.prompts.say, self.options.trajectory
        yield {"role": "system", "content": self._system()}
        for each in exemplars:
            if whole:
                yield _user(say("task", instruction=each.instruction))
            yield from self._turns(_Turn(turn.shown, turn.actions) for turn in each.rounds)
        yield _user(say("task", instruction=self.task.instruction))
        if whole:
            yield from self._turns(self.trajectory)
        yield _user(say("now", error=self.error, observation=guard(seen)))

    def _system(self) -> str:
        offered = self.prompts.data.get("operations")
        listed = {"operations": reply_formats.describe(offered)} if offered else {}
        return self.prompts.say("system", **listed)

    def _turns(self, turns: Iterable[_Turn]) -> Iterator[Message]:
        for turn in turns:
            yield _user(self.prompts.say("turn", observation=guard(turn.seen)))
            program = self.prompts.say("program", program=turn.said)
            yield {"role": "assistant", "content": program}

    # Asking ------------------------------------------------------------------------------------

    async def _ask(
        self,
        purpose: str,
        exemplars: Sequence[T],
        request: Callable[[Sequence[T]], Iterable[Message]],
        read: Callable[[Reply], str],
        stop: Sequence[str] = (),
        least: int = 0,
    ) -> str:
        """Ask with as many exemplars as fit the model's context, dropped from the last down to
        the `least`."""
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
                    temperature=temperature(self.options.temperature),
                )
                self.task.record("shown", purpose, exemplars=len(shown))
                return reply
            except ContextOverflow:
                if len(shown) <= least:
                    raise
                shown.pop()
                self.task.record("drop", purpose, left=len(shown))

    def _fitting(self, messages: list[Message]) -> list[Message]:
        size = tokens.of_request({"messages": messages})
        if 0 < self.options.context < size:
            said = f"the request takes about {size} of {self.options.context} tokens"
            raise ContextOverflow(said)
        return messages


def _nonempty(reply: Reply) -> str:
    text = reply.text.strip()
    if not text:
        raise ValueError("the observation is empty; write what matters on the page")
    return text


def _user(text: str) -> Message:
    return {"role": "user", "content": text}
