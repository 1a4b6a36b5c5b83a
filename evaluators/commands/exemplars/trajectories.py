"""Record Synapse's exemplars from episodes of the expert.

An exemplar of a widget task holds programs that ran in the sandbox; `tasks.toml` says which parts
of a page its abstracted observations keep. On sites whose prompts list `operations` an exemplar
holds single actions on the elements that the ranker keeps.
"""

from __future__ import annotations

import json
import re
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from typing import Any

from agent import actions, prompting, renderings
from agent.interface import Action, Advice, Element, Observation, Page, Stop
from agent.methods.synapse import element_ranking
from agent.methods.synapse.action_programs import ProgramAgent, remarked, write, write_with_remarks
from agent.methods.synapse.element_ranking import Ranker, Words
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round, literal, raw_state
from agent.methods.synapse.reply_format import show_action
from agent.prompting import Prompts
from agent.sandbox import ProgramError
from agent.sandbox.monty import MontyRunner
from evaluators.commands.exemplars import memory_keys
from evaluators.episode.budget import unlimited
from evaluators.episode.environment import EnvironmentPool
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RunFailed
from scenarios import registry
from scenarios.scenario import start_host

SEEDS = range(2000, 2100)
"""The seeds of the episodes that become exemplars. No suite and no memory key uses them."""
MOST_ROUNDS = 12
MOST_CALLS = 50
MOST_MOVES = 60
POOL = 8
"""The number of exemplars of single actions that are recorded for a task, to choose some of them.
"""
PAST = 3
"""The number of elements per page that the ranker keeps in an exemplar, as in the paper."""
_STYLE = re.compile(r' (?:style|type)="[^"]*"| value=""| (?:focused|readonly)(?=[ >])')
_ID = re.compile(r' id="[^"]*"')


@dataclass(frozen=True)
class AbstractionRule:
    """How the page states in a task's exemplars are shortened (abstracted).

    The kind follows from the fields: "implicit" runs a program on the state; "explicit" removes
    attributes of appearance and the lines that start with a pattern of `drop`; with neither,
    "none".

    `rows` are lists of patterns. A line that starts with the first pattern of a list is kept
    only if, for each other pattern, it contains a text that the pattern finds in the instruction.
    With `ids` the ids of elements are kept. `programs` are pairs of a pattern and a program: the
    first whose pattern is found in the instruction is used, with TASK replaced by the instruction.
    """

    drop: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    ids: bool = False
    programs: tuple[tuple[str, str], ...] = ()
    block: str = ""
    """A pattern of the first line of a block, such as a mail; "" if each line is a block.

    `rows` look for their texts in the whole block of a line.
    """
    ranked: bool = False
    """Whether the element ranker shortens the page states of the task, instead of these rules."""

    @property
    def kind(self) -> str:
        """The kind of the abstraction: "ranked", "implicit", "explicit" or "none"."""
        if self.ranked:
            return "ranked"
        if self.programs:
            return "implicit"
        return "explicit" if self.drop else "none"

    def program_of(self, instruction: str) -> str:
        """Return the program that shortens pages for an instruction, with the instruction in it; ""
        without one.
        """
        known = (program for word, program in self.programs if re.search(word, instruction))
        return next(known, "").replace("TASK", literal(instruction))

    async def apply(self, state: str, instruction: str) -> str:
        """Return the shortened page state, or "" if the task has no abstraction."""
        if self.kind == "none":
            return ""
        if self.programs:
            return await MontyRunner().abstract(self.program_of(instruction), state)
        clean = _STYLE.sub("", "\n".join(self._kept(state.split("\n"), instruction)))
        return clean if self.ids else _ID.sub("", clean)

    def _kept(self, lines: Sequence[str], instruction: str) -> Iterator[str]:
        for block in self._blocks(lines):
            text = "\n".join(block)
            yield from (line for line in block if not self._dropped(line, text, instruction))

    def _blocks(self, lines: Sequence[str]) -> list[list[str]]:
        blocks: list[list[str]] = [[]]
        for line in lines:
            if not self.block or re.match(self.block, line):
                blocks.append([])
            blocks[-1].append(line)
        return blocks

    def _dropped(self, line: str, block: str, instruction: str) -> bool:
        line = line.lstrip()
        return any(re.match(pattern, line) for pattern in self.drop) or any(
            re.match(start, line)
            and not all(
                any(word in block for word in re.findall(each, instruction)) for each in patterns
            )
            for start, *patterns in self.rows
        )


RANKED = AbstractionRule(ranked=True)


def abstraction_rule(task: str) -> AbstractionRule:
    """Return the rule that shortens the pages of a task, as `tasks.toml` describes it."""
    data: Mapping[str, Any] = memory_keys.abstraction(task)
    programs = data.get("programs", {"": data["program"]} if "program" in data else {})
    return AbstractionRule(
        tuple(data.get("drop", ())),
        tuple(tuple(row) for row in data.get("rows", ())),
        data.get("ids", False),
        tuple((word, program.strip()) for word, program in programs.items()),
        block=data.get("block", ""),
    )


class NoTrajectory(RunFailed, RuntimeError):
    """The expert succeeded on too few seeds of a task."""


RecordExemplar = Callable[[EnvironmentPool, str, int], Awaitable[Exemplar | None]]
"""A function that runs the expert on a task and a seed.

It returns the exemplar, or None if the expert failed.
"""


async def compose(
    pool: EnvironmentPool, task: str, many: int = 3, seeds: Iterable[int] = SEEDS
) -> Exemplars:
    """Record `many` exemplars of a task, from the first seeds that the expert succeeds on.

    With programs, the result starts with one exemplar per mode of `tasks.toml`. With single
    actions, `POOL` exemplars are recorded and those are chosen that together act on the most kinds
    of elements, so that rare elements (another page of results, a survey) appear once.

    Args:
        pool: The environments to run the expert in.
        task: The family.
        many: The number of exemplars.
        seeds: The seeds to try, in order.

    Raises:
        NoTrajectory: The expert succeeded on fewer than `many` seeds.
    """
    site, modes = start_host(registry.family(task)), memory_keys.modes(task)
    rule, record, most = _recorder(site, task, many)
    found: list[Exemplar] = []
    for seed in seeds:
        exemplar = await record(pool, task, seed)
        found += [exemplar] if exemplar is not None else []
        if len(found) >= most and all(any(_is(each, mode) for each in found) for mode in modes):
            break
    found = _one_of_each(found, modes) if modes else found[:most]
    if len(found) < many:
        raise NoTrajectory(f"{task}: the expert succeeded on {len(found)} of the seeds")
    return Exemplars(task, rule.kind, tuple(_widest(found[:most], many, site)))


def _is(exemplar: Exemplar, mode: str) -> bool:
    """Return whether an exemplar shows a variant of its task (a mode).

    The variant's regular expression must be found in the exemplar's instruction or programs.
    """
    texts = [exemplar.instruction, *(turn.actions for turn in exemplar.rounds)]
    return re.search(mode, "\n".join(texts)) is not None


def _one_of_each(found: Sequence[Exemplar], modes: Sequence[str]) -> list[Exemplar]:
    """Return the exemplars with the first exemplar of each variant of the task (its modes) in
    front.
    """
    first: list[Exemplar] = []
    for mode in modes:
        first += [each for each in found if _is(each, mode) and each not in first][:1]
    return [*first, *(each for each in found if each not in first)]


def _recorder(site: str, task: str, many: int) -> tuple[AbstractionRule, RecordExemplar, int]:
    """Return the abstraction rule, the recording function and the number of exemplars to record."""
    if "operations" in prompting.load("synapse", site).data:
        return RANKED, _record_actions, POOL
    return abstraction_rule(task), _record_programs, many


def _widest(found: Sequence[Exemplar], many: int, site: str) -> list[Exemplar]:
    """Return `many` exemplars, chosen greedily by the kinds of elements that are not covered yet.

    The first of equally good exemplars wins. If there are no more than `many`, the order stays.
    """
    left, chosen, covered = list(found), list[Exemplar](), frozenset[Words]()
    while len(chosen) < many:
        kinds = (
            [_kinds(each, site) for each in left] if len(found) > many else [covered] * len(left)
        )
        best = max(range(len(left)), key=lambda place: len(kinds[place] - covered))
        covered |= kinds[best]
        chosen.append(left.pop(best))
    return chosen


def _kinds(exemplar: Exemplar, site: str) -> frozenset[Words]:
    """Return the kinds of elements that an exemplar acts on."""
    page = renderings.get(prompting.load("synapse", site).rendering)
    return frozenset(
        acted.kind
        for turn in exemplar.rounds
        for acted in element_ranking.acted(page.parse(turn.state), actions.parse(turn.actions))
    )


# Single actions -----------------------------------------------------------------------------------


async def _record_actions(pool: EnvironmentPool, task: str, seed: int) -> Exemplar | None:
    """Return an exemplar of the expert's episode with one action per round; the last action is
    `stop`.

    None for a scenario with a held-out phrasing, or if the expert failed.
    """
    family = registry.family(task)
    prompts = prompting.load("synapse", start_host(family))
    scenario = family.generate(seed, pool.sites[family.SITE].data)
    if memory_keys.is_held_out(scenario):
        return None
    rounds, action = list[Round](), None
    async with pool.open_episode(ScoringContext.of(scenario), meter=unlimited()) as episode:
        seen = await settled(episode.page, await episode.start())
        while not isinstance(action, Stop):
            action = _next(family.advise(scenario, seen))
            if action is None or len(rounds) == MOST_MOVES:
                return None
            rounds.append(round_of(scenario.instruction, prompts, seen, action))
            if not isinstance(action, Stop):
                seen = await settled(episode.page, await episode.page.act(action))
        score = episode.score(action.answer)
    words = {each.actions.partition(" ")[0].lower() for each in rounds}
    offered = words <= {*prompts.data["operations"]}
    return Exemplar(scenario.instruction, tuple(rounds)) if score.success and offered else None


async def settled(page: Page, seen: Observation) -> Observation:
    """Return the observation once the page is no longer busy; a loaded machine needs several
    looks.
    """
    while seen.capped:
        seen = await page.observe()
    return seen


def _next(advice: Advice) -> Action | None:
    if advice.answer is not None:
        return Stop(advice.answer)
    return advice.actions[0] if advice.actions else None


def round_of(instruction: str, prompts: Prompts, seen: Observation, action: Action) -> Round:
    """Return one round of an exemplar: the page, its abstraction by the element ranker, and the
    action.

    The ranker works without other exemplars.
    """
    clean = element_ranking.past(Ranker(instruction), seen, action, PAST)
    return Round(raw_state(prompts, seen), raw_state(prompts, clean), show_action(action))


# Programs -----------------------------------------------------------------------------------------


async def _record_programs(pool: EnvironmentPool, task: str, seed: int) -> Exemplar | None:
    """Return an exemplar of the expert's episode on a widget, with one program per round.

    With an abstraction, a round also keeps the page's outer HTML as its source.
    """
    family, rule = registry.family(task), abstraction_rule(task)
    area = prompting.load("synapse", family.SITE).data["area"] if rule.kind != "none" else ""
    scenario = family.generate(seed, pool.sites[family.SITE].data)
    rounds: list[Round] = []
    async with pool.open_episode(ScoringContext.of(scenario), meter=unlimited()) as episode:
        seen = await episode.start()
        scenario = episode.scenario
        while family.advise(scenario, seen).answer is None and len(rounds) < MOST_ROUNDS:
            before = await episode.page.observe(source=area) if area else seen
            state = renderings.get("state").render(before)
            clean = await rule.apply(state, scenario.instruction)
            advice = family.advise(scenario, before)
            program, seen = await _run(episode.page, before, advice, clean or state)
            rounds.append(Round(state, clean, program, before.source))
        score = episode.score()
    program = rule.program_of(scenario.instruction)
    made = Exemplar(scenario.instruction, tuple(rounds), program)
    return made if score.success else None


async def _run(
    page: Page, seen: Observation, advice: Advice, shown: str
) -> tuple[str, Observation]:
    """Run a program of all actions that the expert can plan ahead on this page.

    The program names elements by the text that is `shown` of the page.

    Returns:
        The program, and the observation after it.
    """
    hands, seen = ProgramAgent(page.act, seen, shown), with_ids_of(shown, seen)
    if advice.ahead:
        program = write_with_remarks(advice.ahead, seen)
        await MontyRunner().act(program, hands, calls=MOST_CALLS)
        return program, hands.now
    wanted = remarked(advice.actions, seen)
    count = await done(hands, seen, wanted)
    return write_with_remarks(wanted[:count], seen), hands.now


def with_ids_of(shown: str, seen: Observation) -> Observation:
    """Return the observation without the element ids that `shown` lacks."""
    content = (
        replace(node, html_id=node.html_id * (f' id="{node.html_id}"' in shown))
        if isinstance(node, Element)
        else node
        for node in seen.content
    )
    return replace(seen, content=tuple(content))


async def done(hands: ProgramAgent, seen: Observation, wanted: Sequence[tuple[str, Action]]) -> int:
    """Run each action as a program of its own and return how many worked before one failed.

    After a failed action the page has changed, so the caller must observe it again.
    """
    for count, (_, action) in enumerate(wanted):
        try:
            await MontyRunner().act(write([action], seen), hands, calls=MOST_CALLS)
        except ProgramError as problem:
            if problem.kind != "failed" or not count:
                raise
            return count
    return len(wanted)


# The file ---------------------------------------------------------------------------------------


def text(exemplars: Exemplars) -> str:
    """Return the text of an exemplar file, as `agent.methods.synapse.exemplar_files` reads it."""
    return "\n".join(_lines(exemplars)) + "\n"


def _lines(exemplars: Exemplars) -> Iterator[str]:
    yield f"abstraction = {json.dumps(exemplars.abstraction)}"
    for each in exemplars.exemplars:
        yield from ("", "[[exemplar]]", f"instruction = {toml_text(each.instruction)}")
        if each.program:
            yield f"program = {toml_text(each.program)}"
        for turn in each.rounds:
            yield from ("[[exemplar.round]]", f"state = {toml_text(turn.state)}")
            if turn.source:
                yield f"source = {toml_text(turn.source)}"
            if turn.observation:
                yield f"observation = {toml_text(turn.observation)}"
            yield f"actions = {toml_text(turn.actions)}"


def toml_text(value: str) -> str:
    """Return a TOML string, a multi-line one if the value has several lines."""
    lines = value.split("\n")
    if "'''" in value or len(lines) == 1 or not all(line.isprintable() for line in lines):
        return json.dumps(value, ensure_ascii=False)
    return f"'''\n{value}'''"


async def build(pool: EnvironmentPool, tasks: Sequence[str]) -> AsyncIterator[tuple[str, str]]:
    """Yield each task with the text of its exemplar file."""
    for task in tasks:
        yield task, text(await compose(pool, task, _how_many(task)))


def _how_many(task: str) -> int:
    """Return the number of exemplars of a task: three of single actions, or four or more of
    programs.
    """
    if "operations" in prompting.load("synapse", start_host(registry.family(task))).data:
        return 3
    least = 5 if task.partition(".")[0] in ("book-flight", "email-inbox-nl-turk") else 4
    return max(least, len(memory_keys.modes(task)))
