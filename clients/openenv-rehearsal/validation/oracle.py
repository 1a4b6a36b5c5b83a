"""The author's oracle: the expert of the task's family plays it on a running server.

`python validation/oracle.py URL SPLIT INDEX` prints the reward. The expert runs here, on a world of
its own, and the server gets its calls of tools only. No server and no image has this file.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import asdict
from functools import partial
from typing import Any

from openenv import GenericEnvClient

from agent.interface import Action, Back, Click, Note, Observation, Select, Type
from agent.methods.expert import follow
from evaluators.training import splits
from evaluators.training.session import Session, open_ground
from scenarios import registry
from scenarios.scenario import sites_of

TOOLS = {Click: "click", Type: "type", Select: "select", Back: "go_back", Note: "note"}


class Both:
    """The expert's page: each action is done here and on the server."""

    def __init__(self, here: Session, there: GenericEnvClient, seen: Observation) -> None:
        self._here, self._there, self._seen = here, there, seen

    async def observe(self) -> Observation:
        return self._seen

    async def act(self, action: Action) -> Observation:
        done, arguments = await self._here.step(action), asdict(action)
        if "target" in arguments:
            arguments["element"] = arguments.pop("target")
        shown = await self._there.step(call(TOOLS[type(action)], **arguments))
        assert shown.observation["result"] == done.text, "the server shows another page"
        self._seen = done.observation
        return self._seen


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the action of OpenEnv that calls a tool."""
    return {"type": "call_tool", "tool_name": tool, "arguments": arguments}


async def play(url: str, split: str, index: int) -> Any:
    """Play a task as its expert, and return the last result of the server."""
    drawn = registry.scenario(splits.split(split).scenario(index))
    family = registry.family(drawn.family)
    async with open_ground(sites_of(family)) as ground, GenericEnvClient(base_url=url) as there:
        here = await ground.session()
        first = await here.reset(drawn.name)
        opened = await there.reset(split=split, index=index)
        assert opened.observation["text"] == first.text, "the server shows another page"
        page = Both(here, there, first.observation)
        answer = await follow(page, partial(family.advise, drawn))
        return await there.step(call("stop", answer=answer))


if __name__ == "__main__":
    reward = asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3]))).reward
    sys.stdout.write(f"{reward}\n")
