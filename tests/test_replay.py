"""The shipped recordings, replayed offline."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent import agent_spec
from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Cassette
from evaluators.episode.environment import EnvironmentPool
from evaluators.episode.runner import run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records.models import EpisodeRecord
from scenarios import suites

CASSETTES = Path(__file__).parent / "cassettes"
RECORDED = sorted(CASSETTES.glob("*/*/*/*.jsonl"))

pytestmark = [pytest.mark.replay, pytest.mark.usefixtures("unmeasured")]


@pytest.mark.parametrize(
    "path", RECORDED, ids=lambda path: "-".join(path.relative_to(CASSETTES).with_suffix("").parts)
)
def test_a_recorded_episode_plays_to_the_same_end(
    path: Path, environments: EnvironmentPool, runner: asyncio.Runner, tmp_path: Path
) -> None:
    suite, agent, family, name = path.relative_to(CASSETTES).parts
    seed, trial, _ = name.split(".")
    scenario = next(
        each for each in suites.load(suite).scenarios if each.endswith(f"/{family}/{seed}")
    )
    spec = EpisodeSpec(
        agent_spec.read(agent), scenario, int(trial), suites.load(suite).scenarios[scenario]
    )
    source = ModelSource("replay", CASSETTES / suite, record_command="tox -e record")
    run_context = RunContext(tmp_path, source, strict=True)
    check_end(path, runner.run(run_episode(spec, environments, run_context)))


def check_end(path: Path, record: EpisodeRecord) -> None:
    """Whether an episode that was replayed succeeds, with all requests of its recording."""
    assert (record.ended, record.success) == ("answered", True), record.error
    assert record.llm_calls == len(Cassette.read(path).calls)


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
