"""Let a run grow: what a part may differ in, and the manifest with that part.

An episode depends on its agent, its scenario and its limits. So a run has one definition of each
scenario and one set of limits; an agent has one model and one set of prompts. Different agents may
have different models and prompts, and an agent that asks no model has neither.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from typing import Any

from evaluators.records.bounds import MOST_PARTS
from evaluators.records.models import RunManifest, RunPart, RunSettings
from rehearsal_errors import RehearsalError

OF_THE_RUN = ("catalogue", "confirm", "kind", "lane", "max_seconds", "max_steps", "shard")
"""Settings that all parts of a run share."""
OF_ASKING = ("dollars", "max_calls")
"""Settings that all agents share that ask a model."""
OF_COMMANDS = ("llm", *OF_ASKING)
"""The same, for commands that add to a run: a forgotten --llm would mix a script with a model."""
OF_AN_AGENT = ("isolate",)
"""Settings that an agent has in all parts."""
OF_AN_ASKING_AGENT = ("context", "llm", "mistakes", "reasoning_effort", "request_seconds")
"""Settings that an agent has in all parts if it asks a model."""
BY_AGENT = ("agent_files", "agents", "fitted", "models", "prompts")
"""Settings that name agents; those of two parts can be joined."""
LONGEST_VALUE = 60
"""The most characters of a value that a message quotes."""


class TooManyParts(RehearsalError, ValueError):
    """A run was added to too often."""


def differences(
    manifest: RunManifest, now: RunSettings, shared: Sequence[str] = OF_ASKING
) -> list[str]:
    """Return the settings that keep a part out of a run, each as "NAME was X, now Y".

    Args:
        manifest: The run's manifest.
        now: The settings of the part.
        shared: The settings that all agents share that ask a model.
    """
    found = (line for part in manifest.parts for line in _unlike(part.config, now, shared))
    return [*dict.fromkeys(found)]


def is_complete(manifest: RunManifest, now: RunSettings) -> bool:
    """Return whether a run is to have all episodes of these settings already."""
    return not _lacking(manifest, now)


def grown(manifest: RunManifest, part: RunPart) -> RunManifest:
    """Return the manifest of a run after one more command added agents or scenarios to it.

    The added part leaves out the agents that the run already has for these scenarios. It replaces
    an earlier part that it contains, and joins an earlier part that differs in agents only.

    Args:
        manifest: The run so far.
        part: The agents and scenarios of the new command. `differences` found no difference
            between its settings and the run's.

    Raises:
        TooManyParts: The run has as many parts as a manifest can hold.
    """
    lacking = _lacking(manifest, part.config)
    if not lacking:
        return manifest
    new = _only(part, lacking)
    kept = [each for each in manifest.parts if not _contains(new, each)]
    begun = [each.started_at for each in manifest.parts if each not in kept]
    new = new.model_copy(update={"started_at": min([new.started_at, *begun])})
    alike = next((each for each in kept if _joinable(each, new)), None)
    parts = [_joined(each, new) if each is alike else each for each in kept]
    if alike is None:
        parts.append(new)
    if len(parts) > MOST_PARTS:
        raise TooManyParts(f"{manifest.run} has {MOST_PARTS:,} parts", "give another -o")
    return manifest.with_parts(parts)


def united(manifests: Sequence[RunManifest]) -> RunManifest:
    """Return the manifest of a run that has all parts of these runs."""
    first, *others = manifests
    return reduce(grown, (part for other in others for part in other.parts), first)


def _lacking(manifest: RunManifest, now: RunSettings) -> list[str]:
    """Return the agents of whose episodes the run lacks some."""
    return [
        agent
        for agent in now.agents
        if not any(
            agent in part.config.agents and _covers(part.config, now) for part in manifest.parts
        )
    ]


def _covers(one: RunSettings, other: RunSettings) -> bool:
    """Return whether the tasks and trials of `one` include those of `other`."""
    return {*one.scenarios} >= {*other.scenarios} and one.trials >= other.trials


def _contains(one: RunPart, other: RunPart) -> bool:
    """Return whether a part includes another that the same versions made."""
    agents = {*one.config.agents} >= {*other.config.agents}
    return agents and _covers(one.config, other.config) and one.versions == other.versions


def _only(part: RunPart, agents: Collection[str]) -> RunPart:
    """Return the part with these of its agents."""
    config = part.config
    prompts = config.prompts
    settings = {
        "agents": tuple(agent for agent in config.agents if agent in agents),
        "fitted": {name: hosts for name, hosts in config.fitted.items() if name in agents},
        "models": {name: model for name, model in config.models.items() if name in agents},
        "prompts": prompts
        if isinstance(prompts, str)
        else {name: digests for name, digests in prompts.items() if name in agents},
    }
    return part.model_copy(update={"config": config.model_copy(update=settings)})


def _joinable(one: RunPart, other: RunPart) -> bool:
    """Return whether two parts differ in their agents and their time only."""
    by_agent = [one.config.prompts, other.config.prompts]
    alike = one.label == other.label and one.versions == other.versions
    names = RunSettings.model_fields.keys() - {*BY_AGENT}
    same = all(getattr(one.config, name) == getattr(other.config, name) for name in names)
    return alike and same and not any(isinstance(each, str) for each in by_agent)


def _joined(one: RunPart, other: RunPart) -> RunPart:
    """Return a part with the agents of both."""
    agents = dict.fromkeys((*one.config.agents, *other.config.agents))
    tables = {
        name: {**getattr(one.config, name), **getattr(other.config, name)}
        for name in BY_AGENT
        if name != "agents"
    }
    config = one.config.model_copy(update={"agents": tuple(agents), **tables})
    return one.model_copy(update={"config": config})


def _unlike(before: RunSettings, now: RunSettings, shared: Sequence[str]) -> Iterator[str]:
    """Yield the differences of two parts."""
    yield from _changes(before, now, OF_THE_RUN)
    if _asking(before) and _asking(now):
        yield from _changes(before, now, shared)
    yield from _other_tasks(before, now)
    if {*before.agents} & {*now.agents}:
        yield from _changes(before, now, OF_AN_AGENT)
    own = [name for name in OF_AN_ASKING_AGENT if name not in shared]
    for agent in sorted(_asking(before) & _asking(now)):
        for line in _changes(before, now, own):
            yield f"{line} for {agent}"
        yield from _other_model(agent, before, now)
        yield from _other_prompts(agent, before, now)
        yield from _other_families(agent, before, now)


def _asking(settings: RunSettings) -> set[str]:
    """Return the agents that ask a model; in a run of an earlier version, any agent may."""
    return {*settings.agents} if isinstance(settings.prompts, str) else {*settings.models}


def _changes(before: RunSettings, now: RunSettings, names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield from _change(name, getattr(before, name), getattr(now, name))


def _other_model(agent: str, before: RunSettings, now: RunSettings) -> Iterator[str]:
    """Yield the models that answer an agent if one source of models gives different ones.

    An earlier version did not record who answers; its prompts are refused anyway.
    """
    if before.llm != now.llm or bool(before.models) != bool(now.models):
        return
    was, is_now = (each.models.get(agent, each.model) for each in (before, now))
    for line in _change("model", was, is_now):
        yield f"{line} for {agent}"


def _other_prompts(agent: str, before: RunSettings, now: RunSettings) -> Iterator[str]:
    """Yield how an agent's prompts differ, on the sites that both parts have."""
    one, other = before.prompts, now.prompts
    if isinstance(one, str) or isinstance(other, str):
        if one != other:
            yield f"prompts of {agent} was {_extent(one)}, now {_extent(other)}"
        return
    mine, theirs = one.get(agent, {}), other.get(agent, {})
    for site in sorted(mine.keys() & theirs.keys()):
        yield from _change(f"prompts of {agent} for {site}", mine[site], theirs[site])


def _other_families(agent: str, before: RunSettings, now: RunSettings) -> Iterator[str]:
    """Yield the families for which an agent's prompt was made and now is not, or the other way
    round, on the hosts that both parts have.
    """
    one, other = (each.fitted.get(agent, {}) for each in (before, now))
    for host in sorted(one.keys() & other.keys()):
        was, is_now = (each[host].split(", ") for each in (one, other))
        for how, families in (("without", {*is_now} - {*was}), ("also for", {*was} - {*is_now})):
            if families:
                named = _brief(", ".join(sorted(families)))
                yield f"the prompt of {agent} at {host} was made {how} {named}"


def _extent(prompts: str | dict[str, dict[str, str]]) -> str:
    return f"one digest {prompts[:8]}" if isinstance(prompts, str) else "a digest for each site"


def _other_tasks(before: RunSettings, now: RunSettings) -> Iterator[str]:
    """Yield how the tasks of a family that both parts have are defined otherwise."""
    families = {_family(name) for name in before.scenarios} & {*map(_family, now.scenarios)}
    for family in sorted(families):
        was, is_now = (_defined(family, each.tasks) for each in (before, now))
        yield from _change(f"tasks of {family}", was, is_now)


def _family(scenario: str) -> str:
    """Return the family in a scenario's name; a stranger's name may have another form."""
    return scenario.partition("/")[2].partition("/")[0]


def _defined(family: str, tasks: str | dict[str, str]) -> str:
    return tasks if isinstance(tasks, str) else tasks.get(family, "")


def _change(name: str, was: Any, is_now: Any) -> Iterator[str]:
    """Yield a line unless both values are equal."""
    if was != is_now:
        yield f"{name} was {_brief(was)}, now {_brief(is_now)}"


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}..."
