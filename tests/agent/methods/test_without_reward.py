"""The baselines with samples see no reward, use two doors only, and keep the episode's budget."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from agent.interface import LLM, BudgetExceeded, Page, Task
from agent.llm.model_source import ModelSource
from agent.methods import lats, sampled_alternatives
from agent.plugins import OwnFile
from evaluators.episode.budget import Budget
from tests.agent.methods.paper_site import HOME, Hand, branching_site
from tests.contracts.harness import Visit

METHODS = [lats, sampled_alternatives]
ASSESSED = "The action is to go on.\nServed: YES\nStep done: NO\nTask done: "


def valued(value: int, task: str = "NO") -> str:
    return f"The action is to go on.\nValue: {value}\nStep done: NO\nTask done: {task}"


OTHER_GOLD = '''"""The same wishes, with the gold of the next one."""
from dataclasses import replace
from scenarios.store.webshop.buy_item import *
from scenarios.store.webshop import buy_item

def generate(seed, data):
    other = buy_item.generate(seed + 1, data)
    return replace(buy_item.generate(seed, data), gold=other.gold)
'''


def trace_of(home: Path) -> list[dict[str, Any]]:
    """The trace of an episode without measured times."""
    lines = map(json.loads, (home / "trace.jsonl").read_text().splitlines())
    return [{k: v for k, v in each.items() if not k.endswith("_s")} for each in lines]


@pytest.mark.wide
@pytest.mark.parametrize("agent", ["lats", "sampled-alternatives"])
def test_the_reward_changes_nothing_that_it_does(harness, tmp_path, agent):
    """An episode is played again from its recording while its scorer wants something else."""
    own = tmp_path / "buy_item.py"
    own.write_text(OTHER_GOLD)
    recording = ModelSource(record=tmp_path / "recorded")
    first = harness.run(
        agent, "store/buy_item/3", tmp_path / "a", model_source=recording, strict=True
    )
    replay = ModelSource("replay", tmp_path / "recorded")
    second = harness.run(
        agent,
        "store/buy_item/3",
        tmp_path / "b",
        model_source=replay,
        strict=True,
        family_file=OwnFile(own),
    )
    assert (first.record["success"], second.record["success"]) == (True, False)
    assert first.record["reward"] == 1 > second.record["reward"]
    assert trace_of(first.home) == trace_of(second.home)


@dataclass
class Only:
    """A door, and nothing of what stands behind it."""

    door: Any
    protocol: type

    def __getattr__(self, name: str) -> Any:
        if name not in vars(self.protocol):
            raise AssertionError(f"{name} is no word of {self.protocol.__name__}")
        return getattr(self.door, name)


@pytest.mark.parametrize("method", METHODS)
def test_it_uses_nothing_but_its_two_doors(method):
    site = branching_site()
    llm = Hand({"plan": ["1. go"], "act": ["click [1] | click [2]", "click [1]"]})
    llm.written |= {"value": [valued(3), valued(8), valued(10, task="YES")]}
    llm.written |= {"rank": ["1: 2\n2: 9"], "assess": [ASSESSED.replace("NO", "YES") + "YES"]}
    task = Task("store", "find the answer", HOME, "on_paper")
    asyncio.run(method.solve(task, Only(site, Page), Only(llm, LLM), method.Options()))
    assert site.at.title in ("goal", "right")


@pytest.mark.parametrize("method", METHODS)
def test_the_budget_of_the_episode_binds(harness, method):
    """Its own limits are options; the doors keep those of the episode."""
    llm = Hand({"plan": ["1. go"], "act": ["scroll [down] | scroll [up]"] * 9})
    llm.written |= {"rank": ["1: 2\n2: 9"] * 9, "value": [valued(2)] * 9}
    llm.written["assess"] = [f"{ASSESSED}NO"] * 9

    async def work(visit: Visit) -> int:
        scenario, record = visit.scenario, visit.trace.record
        task = Task(scenario.site, scenario.instruction, "", scenario.family, record=record)
        with pytest.raises(BudgetExceeded, match="3 steps"):
            await method.solve(task, visit.page, llm, method.Options())
        return visit.meter.steps

    assert harness.visit("store/buy_item/3", work, Budget(3, 100)) == 3
