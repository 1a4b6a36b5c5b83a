"""Episodes that a language model answered, replayed offline.

It was shown one request at a time and nothing else, and wrote every reply itself; `desk` stands for
it in the recordings. The recordings of a small model of somebody's own machine have its name, which
ends with the first twelve digits of its file's SHA-256 (`tests.local_model`). A prompt that changes
needs a model to answer again: delete its recordings.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from agent import agent_spec
from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Cassette
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.spec import EpisodeSpec, RunContext
from scenarios import registry
from tests.replaying import differences, groups, replay
from tests.slices import sampled

READINGS = Path(__file__).parent / "readings"
RECORDED = sorted(READINGS.glob("*/*/*.jsonl"))
AGAIN = "rehearse run --llm live --record DIR, with a language model"

pytestmark = [pytest.mark.replay, pytest.mark.usefixtures("unmeasured")]


GROUPS = groups(READINGS, RECORDED, 1)
LOST = {
    READINGS / "react/enter-text/0.0.jsonl": "format_error",
    READINGS / "synapse/click-checkboxes/0.0.jsonl": "answered",
    READINGS / "step/click-option/0.0.jsonl": "format_error",
}
"""The episodes that a small model lost, with their endings: two actions in a reply, another box,
no action.
"""


@pytest.mark.parametrize("group", sampled(GROUPS, lambda at, group: group.startswith("react")))
def test_what_a_model_answered_is_read_and_played_to_the_same_end(
    group: str, environments: EnvironmentPool, runner: asyncio.Runner, tmp_path: Path
) -> None:
    source = ModelSource("replay", READINGS, record_command=AGAIN)
    run_context = RunContext(tmp_path, source, strict=True)
    specs = [spec_of(path) for path in GROUPS[group]]
    records = runner.run(replay(specs, environments, run_context))
    assert differences(GROUPS[group], records, LOST) == {}


def spec_of(path: Path) -> EpisodeSpec:
    agent, family, name = path.relative_to(READINGS).parts
    seed, trial, _ = name.split(".")
    scenario = f"{registry.family(family).SITE}/{family}/{seed}"
    return EpisodeSpec(agent_spec.read(agent), scenario, int(trial))


SPEAKERS = {path: Cassette.read(path).header.speaker for path in RECORDED}


def test_small_models_are_named_by_their_files() -> None:
    small = {name for name in SPEAKERS.values() if name != "desk"}
    assert small and all(re.fullmatch(r"[\w.-]+-[0-9a-f]{12}", name) for name in small)
    methods = {path.parts[-3] for path, name in SPEAKERS.items() if name != "desk"}
    assert methods == {"flat:4k", "react", "step", "synapse"}


def test_each_method_was_read_on_its_sites() -> None:
    read = {
        (path.parts[-3], registry.family(path.parent.name).SITE)
        for path, name in SPEAKERS.items()
        if name == "desk"
    }
    assert read == {
        ("laser", "store"),
        ("flat", "crm"),
        ("react", "store"),
        *(("step", site) for site in ("crm", "store")),
        ("synapse", "widgets"),
        *(("anticipatory-reflection", site) for site in ("crm", "store", "widgets")),
        ("anticipatory-reflection:loops=true", "store"),
        *(
            (agent, site)
            for agent in ("adaplanner", "ash", "rci")
            for site in ("forum", "shop", "store")
        ),
    }
