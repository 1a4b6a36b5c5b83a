"""`rehearse exemplars from-run`: make Synapse's exemplars from the successful episodes of a run, of
a person or of any agent.

The recorded actions are done again in an episode of the same scenario, whose pages become the
exemplar's states. The exemplar is kept only if that episode succeeds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent import embedders, prompting, renderings
from agent.interface import Action, Observation, Stop
from agent.methods.synapse.action_programs import (
    ProgramAgent,
    Unwritable,
    remarked,
    write_with_remarks,
)
from agent.methods.synapse.exemplar_files import Exemplar, Exemplars, Round
from agent.methods.synapse.memory import KEYS, Key, raw_state
from agent.sandbox import ProgramError
from evaluators.commands.exemplars import memory_keys, trajectories
from evaluators.commands.exemplars.build import check_empty, embedding_model
from evaluators.episode import demonstration
from evaluators.episode.budget import unlimited
from evaluators.episode.demonstration import Demonstration, NoDemonstration
from evaluators.episode.environment import EnvironmentPool, Episode, open_environments
from evaluators.records import run_folder
from evaluators.run import catalogues, event_loop
from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.scenario import Family, sites_of, start_host
from sites.store import CatalogueSource


@dataclass(frozen=True)
class Made:
    """An exemplar made from an episode, and its key for the memory."""

    site: str
    kind: str
    key: Key
    exemplar: Exemplar


def build(
    run: Path,
    folder: Path,
    embedder: str,
    say: Callable[[str], None],
    names: Sequence[str] = (),
    families: Sequence[str] = (),
    catalogue: CatalogueSource | None = None,
) -> Path:
    """Write the exemplars of a run's successful episodes, and a memory of them for each site.

    Args:
        run: The run's folder.
        folder: The files go into `folder/<site>`, which must be empty or absent.
        embedder: The name of the embedder that makes the vectors of the memory.
        say: Called with the name of each file, and with a line for each episode left out.
        names: Names of episodes; empty for all that succeeded.
        families: Files of the user's own families that the run has.
        catalogue: The catalogue that the store sold in the run, or None for its own products.

    Returns:
        `folder`.

    Raises:
        NoDemonstration: No episode can serve as an example.
        BadExemplarFolder: A site's folder holds something already.
        EmbedderUnusable: The embedder cannot be used on this machine.
    """
    embedders.get(embedder)
    own = registry.own_families(families)
    with catalogues.of_run(run, catalogue):
        found = demonstration.of_run(run, names, own, say)
        check_empty(folder, {start_host(_family(each)) for each in found})
        lane = run_folder.load_manifest(run).config.lane
        event_loop.run(_build(found, folder, embedder, lane, say))
    return folder


def _family(shown: Demonstration) -> Family:
    return registry.family(shown.source or shown.scenario.family)


async def _build(
    found: Sequence[Demonstration],
    folder: Path,
    embedder: str,
    lane: str,
    say: Callable[[str], None],
) -> None:
    sites = sorted({site for each in found for site in sites_of(_family(each))})
    made: dict[str, list[Made]] = defaultdict(list)
    async with embedding_model(embedder) as llm, open_environments(sites, lane=lane) as pool:
        for each in found:
            try:
                new = await record(pool, each)
            except NoDemonstration as error:
                say(f"left out: {error}")
                continue
            made[new.site].append(new)
        if not made:
            raise NoDemonstration("no episode could be made into an exemplar")
        for site, all_made in made.items():
            for name in write(folder / site, all_made):
                say(f"{site}/{name}")
            keys = [each.key for each in all_made]
            await memory_keys.build(folder / site / KEYS, keys, embedder, llm)
            say(f"{site}/{KEYS}")


def write(home: Path, made: Sequence[Made]) -> list[str]:
    """Write one file for each task, and return their names."""
    home.mkdir(parents=True, exist_ok=True)
    names = []
    for task in dict.fromkeys(each.key.task for each in made):
        own = [each for each in made if each.key.task == task]
        exemplars = Exemplars(task, own[0].kind, tuple(each.exemplar for each in own))
        names.append(f"{task}.toml")
        (home / names[-1]).write_text(trajectories.text(exemplars), encoding="utf-8")
    return names


async def record(pool: EnvironmentPool, shown: Demonstration) -> Made:
    """Do a demonstration's actions again and return the exemplar.

    On sites whose prompts list `operations` a round is one action. On the others it is a program of
    the actions whose elements are all on the round's first page, or of one action if that fails.

    Raises:
        NoDemonstration: The actions cannot be done again, lead elsewhere, or cannot be written in
            the form of the site's prompts.
    """
    site = start_host(_family(shown))
    if "operations" in prompting.load("synapse", site).data:
        return await _record(pool, shown, site, _Actions(site))
    try:
        return await _record(pool, shown, site, _Programs(shown.scenario.family, site))
    except NoDemonstration:
        return await _record(pool, shown, site, _Programs(shown.scenario.family, site, most=1))


async def _record(
    pool: EnvironmentPool, shown: Demonstration, site: str, form: _Actions | _Programs
) -> Made:
    context = ScoringContext.of(shown.scenario, _family(shown))
    async with pool.open_episode(context, meter=unlimited()) as episode:
        start = await trajectories.settled(episode.page, await episode.start())
        task, instruction = shown.scenario.family, episode.scenario.instruction
        try:
            exemplar = await form.record(episode, start, shown)
        except (Unwritable, ProgramError) as error:
            raise NoDemonstration(f"{shown.record.episode}: {error}") from None
        if not episode.score(shown.record.answer).success:
            raise NoDemonstration(f"{shown.record.episode} does not succeed when it is repeated")
    return Made(site, form.kind, Key(task, instruction, raw_state(start)), exemplar)


@dataclass(frozen=True)
class _Actions:
    """Exemplars with one action a round, for sites whose prompts list `operations`."""

    site: str
    kind: str = "ranked"

    async def record(self, episode: Episode, seen: Observation, shown: Demonstration) -> Exemplar:
        prompts = prompting.load("synapse", self.site)
        rounds, instruction = list[Round](), episode.scenario.instruction
        for place in range(len(shown.steps)):
            action = demonstration.action(shown, place, seen)
            verb = shown.steps[place].action.action.partition(" ")[0]
            if verb not in prompts.data["operations"]:
                raise NoDemonstration(
                    f"{shown.record.episode}: the prompts of {self.site} offer no {verb}"
                )
            rounds.append(trajectories.round_of(instruction, prompts, seen, action))
            seen = await trajectories.settled(episode.page, await episode.page.act(action))
        stop = Stop(shown.record.answer)
        rounds.append(trajectories.round_of(instruction, prompts, seen, stop))
        return Exemplar(instruction, tuple(rounds))


@dataclass(frozen=True)
class _Programs:
    """Exemplars with a program of at most `most` actions a round, as for the widgets."""

    task: str
    site: str
    most: int = trajectories.MOST_CALLS

    @property
    def rule(self) -> trajectories.AbstractionRule:
        return trajectories.abstraction_rule(self.task)

    @property
    def kind(self) -> str:
        return self.rule.kind

    async def record(self, episode: Episode, seen: Observation, shown: Demonstration) -> Exemplar:
        rounds, place, instruction = list[Round](), 0, episode.scenario.instruction
        area = prompting.load("synapse", self.site).data["area"] if self.kind != "none" else ""
        while place < len(shown.steps):
            if area:
                seen = await episode.page.observe(source=area)
            state = renderings.get("state").render(seen)
            clean = await self.rule.apply(state, instruction)
            page = trajectories.with_ids_of(clean or state, seen)
            wanted = remarked(self._ahead(shown, place, seen), page)
            hands = ProgramAgent(episode.page.act, seen, clean or state)
            count = await trajectories.done(hands, page, wanted)
            program = write_with_remarks(wanted[:count], page)
            rounds.append(Round(state, clean, program, seen.source))
            place, seen = place + count, hands.now
        return Exemplar(instruction, tuple(rounds), self.rule.program_of(instruction))

    def _ahead(self, shown: Demonstration, first: int, seen: Observation) -> list[Action]:
        """Return the next actions up to the first whose element this page does not have."""
        ahead = [demonstration.action(shown, first, seen)]
        for place in range(first + 1, min(first + self.most, len(shown.steps))):
            try:
                ahead.append(demonstration.action(shown, place, seen))
            except NoDemonstration:
                break
        return ahead
