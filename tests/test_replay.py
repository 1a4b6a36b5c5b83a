"""The shipped recordings, replayed offline."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent import agent_spec
from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Cassette
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.environment_lanes import TEXT
from evaluators.episode.spec import EpisodeSpec, RunContext
from scenarios import suites
from tests.replaying import MOST, differences, groups, replay
from tests.slices import sampled

CASSETTES = Path(__file__).parent / "cassettes"
RECORDED = sorted(CASSETTES.glob("*/*/*/*.jsonl"))

pytestmark = [pytest.mark.replay, pytest.mark.usefixtures("unmeasured")]


GROUPS = groups(CASSETTES, RECORDED, 2)


@pytest.mark.parametrize("group", sampled(GROUPS, lambda at, group: group.endswith("-0")))
def test_recorded_episodes_play_to_the_same_end(
    group: str, environments: EnvironmentPool, runner: asyncio.Runner, tmp_path: Path
) -> None:
    folder = GROUPS[group][0].relative_to(CASSETTES).parts[0]
    source = ModelSource("replay", CASSETTES / folder, record_command="tox -e record")
    specs = [spec_of(path) for path in GROUPS[group]]
    run_context = RunContext(tmp_path, source, strict=True)
    records = runner.run(replay(specs, environments, run_context))
    assert differences(GROUPS[group], records) == {}


@pytest.mark.parametrize("group", [each for each in GROUPS if each.startswith("store-20")])
def test_they_play_to_the_same_end_without_a_browser(
    group: str, environments: EnvironmentPool, runner: asyncio.Runner, tmp_path: Path
) -> None:
    """They were recorded in Chromium; every request is the same in the text lane."""
    source = ModelSource("replay", CASSETTES / "store-20", record_command="tox -e record")
    specs = [spec_of(path) for path in GROUPS[group]]
    run_context = RunContext(tmp_path, source, strict=True)
    without = EnvironmentPool(environments.sites, None, lane=TEXT)
    records = runner.run(replay(specs, without, run_context))
    assert differences(GROUPS[group], records) == {}


def spec_of(path: Path) -> EpisodeSpec:
    suite, agent, family, name = path.relative_to(CASSETTES).parts
    seed, trial, _ = name.split(".")
    frozen = suites.load(suite).scenarios
    scenario = next(each for each in frozen if each.endswith(f"/{family}/{seed}"))
    return EpisodeSpec(agent_spec.read(agent), scenario, int(trial), frozen[scenario])


def test_no_group_is_too_large_and_none_is_left_out() -> None:
    assert max(map(len, GROUPS.values())) <= MOST
    assert sorted(path for group in GROUPS.values() for path in group) == RECORDED


def test_every_recorded_suite_is_whole() -> None:
    for folder in sorted(CASSETTES.glob("*/*")):
        replayed = {
            f"{path.parent.name}/{path.stem.split('.')[0]}" for path in folder.glob("*/*.jsonl")
        }
        wanted = {name.partition("/")[2] for name in suites.load(folder.parent.name).scenarios}
        assert replayed == wanted, folder


def test_the_recordings_say_that_the_scripted_model_spoke() -> None:
    assert RECORDED
    assert {Cassette.read(path).header.speaker for path in RECORDED} == {"scripted"}
