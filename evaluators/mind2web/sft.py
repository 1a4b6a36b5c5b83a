"""Write the requests of a method with the annotators' actions as replies, for fine-tuning.

Synapse's release fine-tunes CodeLlama on such pairs (LoRA; single steps or trajectories, with 20
elements a page). Rehearsal trains nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent import embedders
from agent.agent_spec import Agent
from agent.interface import Message, Reply
from agent.llm.asking import message
from agent.mind2web import agents, files, ranks
from agent.mind2web.exemplars import Exemplar
from agent.mind2web.methods import OpenStep, OpenTask
from agent.storage_errors import writing
from evaluators.mind2web.run import NotRunnable, trajectories_of_train
from evaluators.mind2web.source import shows_exemplars
from evaluators.records import plain_json


@dataclass
class _Collector:
    """The model of a method whose requests are collected: it answers nothing."""

    asked: list[list[Message]] = field(default_factory=list)

    async def ask(self, purpose: str, messages: Iterable[Message], **settings: Any) -> Reply:
        self.asked.append([*messages])
        return Reply(("",))


def write(data: Path, split: str, ranked: Path, name: str, out: Path) -> int:
    """Write a line for each step within the method's reach, and return their number.

    A line is {"messages": [..., {"role": "assistant", "content": ...}]}, as those of `rehearse
    export --sft`.

    Args:
        data: The folder of the data set.
        split: The split.
        ranked: The file of ranks.
        name: The agent's name.
        out: The file.

    Raises:
        NotRunnable: The method has no single right reply, or the data lack something.
        NotWritten: The file cannot be written.
    """
    agent, lines = agents.read(name), 0
    if agent.module().reply is None:
        raise NotRunnable(f"{name}: no single reply gives the action", "write --method synapse")
    known = _exemplars(agent, data, ranked)
    with writing(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        with out.open("w", encoding="utf-8") as file:
            for task in files.tasks(data, split):
                opened = OpenTask(task, ranks.orders(ranked, [task]), known)
                talks = asyncio.run(_talks(opened, agent))
                file.writelines(map(_line, talks))
                lines += len(talks)
    return lines


def _line(talk: list[Message]) -> str:
    return f"{plain_json.text({'messages': talk}, separators=(',', ':'))}\n"


def _exemplars(agent: Agent, data: Path, ranked: Path) -> list[Exemplar]:
    name = getattr(agent.build(), "embedder", "")
    if name and embedders.get(name).online:
        raise NotRunnable(f"{name} asks a model", "write embedder=hashed or embedder=minilm")
    shows = shows_exemplars(agent)
    return trajectories_of_train(data, ranked, agent.build().past) if shows else []


async def _talks(task: OpenTask, agent: Agent) -> list[list[Message]]:
    """Return the request about each step, with the annotator's action as the reply."""
    options, collector = agent.build(), _Collector()
    talks: list[list[Message]] = []
    steps: Iterator[OpenStep] = iter(task.within_reach(options.top))
    async with aclosing(agent.module().solve(task, collector, options)) as predictions:
        async for _ in predictions:
            step = next(steps)
            for asked in collector.asked:  # none if the request does not fit
                reply = message("assistant", agent.module().reply(step, options))
                talks.append([*asked, reply])
            collector.asked.clear()
    return talks
