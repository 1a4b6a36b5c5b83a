"""Parses the names of agents for Mind2Web: `method[:variant][:option=value,...][@model]`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from agent import agent_spec, plugins, prompting
from agent.agent_spec import CONTEXT, Agent
from agent.mind2web import methods

PROMPTS = "mind2web"
"""The folder of prompts of all methods."""


@dataclass(frozen=True)
class OfflineAgent(Agent):
    """A method on recorded tasks with its options, and the model behind it."""

    @property
    def prompts(self) -> str:
        """The name of the methods' folder of prompts."""
        return PROMPTS

    @property
    def variants(self) -> dict[str, dict[str, Any]]:
        """The options of each named variant of the method, from its file of prompts."""
        found = prompting.load(PROMPTS, self.method).data.get("variants", {})
        return dict(found)

    def module(self) -> ModuleType:
        """Return the method's module. Raises `UnknownName`."""
        found = plugins.load("method for Mind2Web", methods, self.method)
        module: ModuleType = plugins.conform("method", found, methods.Method, found.__name__)
        return module

    def check(self) -> None:
        """Check the agent's options. Raises ValueError for an option of living pages."""
        super().check()
        for name in agent_spec.EVERYWHERE.keys() - {CONTEXT} & self.options.keys():
            raise ValueError(f"{name}: only agents on living pages have this option")


def read(text: str, skill: float = 1.0) -> Agent:
    """Return the agent that a name on the command line stands for.

    Args:
        text: The name, as `method[:variant][:option=value,...][@model]`.
        skill: Skill of the scripted model if the name gives none.

    Raises:
        BadAgent: A part of the name cannot be read, or an option is invalid.
        UnknownName: No method, variant or option has this name.
    """
    return agent_spec.read(text, skill, kind=OfflineAgent)


def read_all(names: Sequence[str], skills: Sequence[float] = ()) -> list[Agent]:
    """Return the agents with these names, each once for each skill of the scripted model.

    Raises:
        UnknownName: An agent is named twice, or a name cannot be read.
    """
    found = [read(name) for name in names]
    if skills:
        found = [agent_spec.scripted(each, skill) for each in found for skill in skills]
    repeated = {each.name for each in found if found.count(each) > 1}
    if repeated:
        raise plugins.UnknownName(f"{min(repeated)} is named twice", "name each agent once")
    return found
