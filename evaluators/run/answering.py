"""Check that an agent that is named after a model (`step@gpt-4o`) is answered by that model."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from agent import agent_spec
from agent.agent_spec import Agent
from agent.llm.model_source import SCRIPTED, BadModelSource, ModelSource
from agent.llm.recording.cassette import Cassette, CassetteAbsent
from agent.llm.transport.person import PERSON
from evaluators.episode.spec import EpisodeSpec, asks_model

NOBODY = "no model"
NAMES = {SCRIPTED: "the scripted model", PERSON: "a person"}
"""How a message names an answerer that is no language model."""


def check(specs: Iterable[EpisodeSpec], source: ModelSource, prompts: Path) -> None:
    """Check that each agent with a model in its name gets its replies from this model.

    Args:
        specs: The episodes.
        source: The source of replies.
        prompts: The folder of prompts.

    Raises:
        BadModelSource: Somebody else answers, or the agent asks no model.
        CassetteFault: A recording cannot be read.
    """
    for spec in specs:
        named = _named(spec.agent)
        answers = _answers(spec, source, prompts) if named else ""
        if answers != named:
            word = spec.agent.name.partition("@")[2]
            if answers == NOBODY:
                raise BadModelSource(
                    f"{spec.agent.name}: this agent asks no model", f"leave out @{word}"
                )
            live = "add --llm live, or " if named not in {SCRIPTED, PERSON} else ""
            raise BadModelSource(
                f"{spec.agent.name}: {NAMES.get(answers, answers)} answers"
                f" (--llm {source.kind}), not {NAMES.get(named, named)}",
                f"{live}leave out @{word}",
            )


def _named(agent: Agent) -> str:
    """Return the model in an agent's name; "" if the run decides."""
    return SCRIPTED if agent_spec.unskilled(agent.name) != agent.name else agent.model


def _answers(spec: EpisodeSpec, source: ModelSource, prompts: Path) -> str:
    """Return the name of the model that answers the episode's requests.

    If the recording to replay is absent, it is the agent's model: the first request reports that.
    """
    if source.folder is not None:
        try:
            return Cassette.read(source.folder / spec.recording).header.speaker
        except CassetteAbsent:
            return _named(spec.agent)
    if _named(spec.agent) != SCRIPTED and not asks_model(spec.agent, prompts):
        return NOBODY
    return source.endpoint(spec.agent.model).model
