"""Synapse (Zheng et al. 2024): trajectories as examples, shortened states, exemplar memory.

The method retrieves exemplars (whole trajectories) once. Then, in each round, it shortens
(abstracts) the page's state, lets the model continue the trajectory, and carries out the reply. A
site's prompts choose one of two forms: programs on states that the model abstracts (MiniWoB++), or
single actions on the elements that a ranker keeps (Mind2Web).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

from agent import embedders, plugins, prompting, vision
from agent.interface import LLM, Message, Observation, Page, Task
from agent.llm.asking import message
from agent.llm.messages import with_picture
from agent.methods.synapse import exemplar_files, memory
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round
from agent.methods.synapse.reply_format import Programs, ReplyFormat, SingleActions
from agent.methods.synapse.requests import Options, Requests
from agent.methods.synapse.state_abstraction import StateAbstraction, shortened
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings.markers import guard


def check(options: Options) -> None:
    """Raise ValueError if the embedder, the exemplars or a site's memory file is not available."""
    embedders.get(options.embedder)
    if options.memory_file:
        memory.load(Path(options.memory_file), options.embedder)
    sites = [folder.name for folder in options.exemplars.glob("*/")]
    if not sites:
        raise ValueError(f"{options.exemplars} holds no exemplars; {memory.REMEDY}")
    for site in sites:
        memory.load(options.keys(site), options.embedder)


def hashes(site: str, options: Options) -> dict[str, str]:
    """Return the digest of a site's memory and exemplars, on which a result depends in addition to
    its prompts and pages; {} if the site has none.
    """
    read = (options.keys(site), options.exemplars / site)
    return {"memory": plugins.digest(*read)} if all(path.exists() for path in read) else {}


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Continue the trajectory until a reply or the page ends the task, or the rounds are used up;
    return the answer.
    """
    prompts = prompting.load("synapse", task.site, options.prompts)
    prompts.check(task.family)
    options = released(task.family, prompts, options) if options.release else options
    observation = await page.observe()
    exemplars = await retrieve(task, llm, options, prompts, observation)
    form = reply_format(task, prompts, options, observation)
    requests = Requests(task, llm, options)
    abstraction = StateAbstraction(task, options, prompts, exemplars, requests)
    trajectory = Trajectory(task, options, prompts, exemplars.exemplars, form, requests)
    for _ in range(form.rounds):
        if over(prompts, observation):
            break
        if exemplars.sourced:
            area = prompts.data["area"]
            observation = await page.observe(screenshot=options.vision, source=area)
        elif options.vision:
            observation = await vision.look(page, observation)
        seen = await abstraction.abstract(observation)
        reply = await trajectory.next_reply(seen, observation.screenshot)
        answer = form.answer(reply)
        if answer is not None:
            return answer
        before = observation
        observation, error = await form.run(reply, before, page.act, seen)
        trajectory.error = error if options.errors else ""
        past = abstraction.past(before, seen, reply)
        trajectory.turns.append(Step(past, reply, form.summary(reply, before)))
    return ""


def reply_format(
    task: Task, prompts: Prompts, options: Options, observation: Observation
) -> ReplyFormat:
    """Return the form of the model's replies: single actions if the site's prompts list operations,
    else programs.

    A program cannot take notes.
    """
    if "operations" in prompts.data:
        beside = with_inputs((), observation)
        return SingleActions(options.moves, prompts.data["operations"], beside)
    return Programs(options.rounds, options.calls, task.record)


def released(family: str, prompts: Prompts, options: Options) -> Options:
    """Return the options with this task's number of rounds and use of history in the released code.

    The options stay unchanged if the prompts say nothing about the released code, as for Mind2Web.
    """
    if "release" not in prompts.data:
        return options
    task, table = family.partition(".")[0], prompts.data["release"]
    history = options.trajectory and task in table["history"]
    return replace(options, rounds=table["rounds"].get(task, 1), trajectory=history)


async def retrieve(
    task: Task, llm: LLM, options: Options, prompts: Prompts, observation: Observation
) -> Exemplars:
    """Return the exemplars of the most similar task in memory; none if it is farther away than the
    threshold.

    Without memory, they are the exemplars of the task itself, or of the task that the prompts name
    in its place. In the form for Mind2Web they are the nearest trajectories of any tasks.
    """
    family = task.family.partition(".")[0]
    if prompts.data["abstraction"] == "ranked":
        exemplars = await trajectories(task, family, llm, options)
        exemplars = shortened(exemplars, prompts, options)
        return exemplars if options.abstraction else exemplars.raw
    known = frozenset(exemplar_files.tasks(task.site, options.exemplars))
    name: str | None = namesake(task.family, prompts.data["without_memory"], known)
    if options.memory:
        stored = memory.load(options.keys(task.site), options.embedder, known)
        text = memory.metadata(task.instruction, memory.raw_state(observation))
        found = await stored.retrieve(
            text, llm, threshold=options.threshold or None, neighbours=options.neighbours
        )
        near = [each.task for each in found.neighbours]
        seen = family in {each.partition(".")[0] for each in stored.tasks}
        details = {"distance": found.distance, "neighbours": near, "seen": seen}
        task.record("retrieve", found.task or "", **details)
        name = found.task
    if name is None or name not in known:
        exemplars = replace(exemplar_files.NOTHING, abstraction=prompts.data["abstraction"])
    else:
        exemplars = exemplar_files.load(task.site, name, options.exemplars)
    exemplars = exemplars.of_html if options.state == "html" else exemplars
    return exemplars if options.abstraction else exemplars.raw


def namesake(family: str, instead: Mapping[str, str], known: Collection[str]) -> str:
    """Return the task whose exemplars are shown without memory: the task of this name, or the one
    that the prompts name in its place; of the same variant, if that has exemplars.
    """
    task, dot, variant = family.partition(".")
    name = instead.get(task, task)
    own = f"{name}{dot}{variant}"
    return own if own in known else name


async def trajectories(task: Task, family: str, llm: LLM, options: Options) -> Exemplars:
    """Return the `neighbours` trajectories with the nearest instructions, or as many random ones
    without memory.

    As in the released code, all tasks of a site get the same random trajectories. Single
    steps come from these too, because the paper's are the same for all tasks (table 1). A site
    without exemplars has no trajectories.
    """
    known = exemplar_files.all_of(task.site, options.exemplars)
    if not known:
        return exemplar_files.ranked([])
    if not (options.memory and options.trajectory):
        drawn = Random(0).sample(range(len(known)), min(options.neighbours, len(known)))
        return exemplar_files.ranked([known[place][1] for place in drawn])
    keys = tuple(
        memory.Key(f"{name}#{place}", each.instruction, "")
        for place, (name, each) in enumerate(known)
    )
    stored = memory.of_trajectories(keys, options.embedder)
    asked = memory.metadata(task.instruction, "")
    found = await stored.retrieve(asked, llm, neighbours=options.neighbours)
    near = [each.task.partition("#")[0] for each in found.neighbours]
    distance = found.neighbours[0].distance
    far = 0 < options.threshold < distance
    seen = family in {name.partition(".")[0] for name, _ in known}
    task.record("retrieve", "" if far else near[0], distance=distance, neighbours=near, seen=seen)
    places = [] if far else [int(each.task.partition("#")[2]) for each in found.neighbours]
    return exemplar_files.ranked([known[place][1] for place in places])


def over(prompts: Prompts, observation: Observation) -> bool:
    """Return whether the page says that the task has ended, by an element that the prompts name."""
    return any(each.name == prompts.data.get("over") for each in observation.elements)


PREVIOUS = 5
"""Number of previous actions that the prompt of a single step lists, as in the released code."""


def _last(turns: Sequence[Step]) -> list[str]:
    return [turn.summary for turn in turns[-PREVIOUS:] if turn.summary]


@dataclass(frozen=True)
class Step:
    """A past turn: the page state that the model saw, and its reply.

    `summary` describes the action without the number of its element; "" for a program. `previous`
    are the summaries of the actions before it, if the step is shown by itself.
    """

    seen: str
    reply: str
    summary: str = ""
    previous: Sequence[str] = ()


@dataclass
class Trajectory:
    """The trajectory of the current task, which the model continues; `error` is the error that the
    last reply caused.
    """

    task: Task
    options: Options
    prompts: Prompts
    exemplars: Sequence[Exemplar]
    form: ReplyFormat
    requests: Requests
    turns: list[Step] = field(default_factory=list)
    error: str = ""

    async def next_reply(self, seen: str, picture: bytes | None = None) -> str:
        """Ask the model to continue the trajectory.

        Args:
            seen: The abstracted state.
            picture: The page as PNG bytes, or None.

        Raises:
            ContextOverflow: Not even one of the retrieved exemplars fits the model's context. The
                released code asks for single actions even then.
        """
        asked, ends = partial(self._dialogue, seen, picture), ["Observation:"]
        released = self.options.release and isinstance(self.form, SingleActions)
        least = 0 if released else min(1, len(self.exemplars))
        return await self.requests.ask("act", self.exemplars, asked, self.form.read, ends, least)

    def _dialogue(
        self, seen: str, picture: bytes | None, exemplars: Sequence[Exemplar]
    ) -> Iterator[Message]:
        say, whole = self.prompts.say, self.options.trajectory
        yield message("system", say("system", **self.form.described, **self._where))
        for number, each in enumerate(exemplars):
            if whole:
                yield message("user", say("task", instruction=each.instruction))
            yield from self._shown(self._steps(number, each), each.instruction)
        yield message("user", say("task", instruction=self.task.instruction))
        if whole:
            yield from self._shown(self.turns, self.task.instruction)
        yield with_picture(message("user", self._now(seen)), picture)

    def _now(self, seen: str) -> str:
        """Return the newest part of the prompt: the page state, and the error of the last reply.

        The prompt of a single step also lists the last actions.
        """
        shown = {"error": self.error, "observation": guard(seen)}
        if self._single:
            return self.prompts.say("now_step", previous=_last(self.turns), **shown)
        return self.prompts.say("now", **shown)

    @property
    def _single(self) -> bool:
        """Whether a prompt shows a single step with a list of the previous actions, instead of the
        whole trajectory.
        """
        return not self.options.trajectory and isinstance(self.form, SingleActions)

    def _steps(self, number: int, exemplar: Exemplar) -> list[Step]:
        """Return the steps of an exemplar that the prompt shows.

        With single steps, this is the first step of the first exemplar, the second of the second,
        and so on: as in the released code, they show different numbers of previous actions.
        """
        steps = [Step(turn.shown, turn.actions, self._summary(turn)) for turn in exemplar.rounds]
        if not self._single:
            return steps
        place = number % len(steps)
        return [replace(steps[place], previous=_last(steps[:place]))]

    def _summary(self, turn: Round) -> str:
        if isinstance(self.form, Programs):
            return ""
        return self.form.summary(turn.actions, exemplar_files.page(turn, self.prompts.rendering))

    @property
    def _where(self) -> dict[str, bool]:
        """Return, for each optional sentence of the prompt by name, whether the task's instruction
        contains the word that calls for it.
        """
        words: dict[str, str] = self.prompts.data.get("where", {})
        instruction = self.task.instruction.casefold()
        return {name: word in instruction for name, word in words.items()}

    def _shown(self, turns: Sequence[Step], instruction: str) -> Iterator[Message]:
        say = self.prompts.say
        for turn in turns:
            yield message("user", self._turn(turn, instruction))
            yield message("assistant", say("program", program=turn.reply, **self._words(turn)))

    def _words(self, turn: Step) -> dict[str, str]:
        """Return the words beside an action that is shown as a number, for its template."""
        if not isinstance(self.form, SingleActions):
            return {}
        return {"words": turn.summary if turn.summary.startswith("[") else ""}

    def _turn(self, turn: Step, instruction: str) -> str:
        seen = guard(turn.seen)
        if self._single:
            about = {"instruction": instruction, "previous": turn.previous}
            return self.prompts.say("step", observation=seen, **about)
        return self.prompts.say("turn", observation=seen)
