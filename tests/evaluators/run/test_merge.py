"""Parts of a run, and the whole that is made of them."""

from __future__ import annotations

import shutil

import pytest

from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.episode.budget import Limits
from evaluators.records import files, run_folder, submission
from evaluators.records.models import Floor
from evaluators.records.run_plan import RunPlan
from evaluators.run import api, manifest, prepare
from evaluators.run.config import RunConfig
from evaluators.run.manifest import ChangedRun
from evaluators.run.merge import MergeTargetExists, merge
from evaluators.run.verification import verify
from scenarios import registry
from scenarios.registry import BadTaskSet

NAMES = ["nothing", "refuse"]


def ran(run, **setting):
    return api.run(NAMES, registry.from_family("buy_item", range(3)), RunConfig(out=run, **setting))


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    for part in ("1", "2", "3"):
        ran(folder / part, shard=f"{part}/3")
    return [folder / part for part in ("1", "2", "3")]


@pytest.mark.wide
def test_the_parts_make_the_same_summary_as_the_whole(parts, tmp_path):
    held = [{each.episode for each in run_folder.episodes(part)} for part in parts]
    assert [len(each) for each in held] == [2, 2, 2] and len(set.union(*held)) == 6
    merged = merge(parts, tmp_path / "run")
    assert merged.summary == ran(tmp_path / "other" / "run")
    assert merged.doubles == ()
    assert api.score(tmp_path / "run") == merged.summary
    with pytest.raises(MergeTargetExists, match="give another -o"):
        merge(parts, tmp_path / "run")


@pytest.mark.wide
def test_an_episode_that_two_parts_have_counts_once_and_is_reported(parts, tmp_path):
    merged = merge([*parts, parts[1]], tmp_path / "run")
    assert len(merged.doubles) == 2 and sum(row.episodes for row in merged.summary.rows) == 6


@pytest.mark.wide
def test_runs_that_were_begun_differently_are_no_parts(parts, tmp_path):
    ran(tmp_path / "other", shard="1/3", limits=Limits(steps=3))
    with pytest.raises(ChangedRun, match=r"begun differently \(max_steps was None, now 3\)"):
        merge([*parts, tmp_path / "other"], tmp_path / "run")


def test_a_corrupt_part_is_named_and_nothing_is_made_of_it(parts, tmp_path):
    merge(parts[:1], tmp_path / "copy")
    path = next((tmp_path / "copy").rglob("final_world.json"))
    path.write_text("{}")
    with pytest.raises(files.CorruptRecord, match="not what was recorded"):
        merge([tmp_path / "copy"], tmp_path / "run")
    assert not (tmp_path / "run" / "run.json").exists()


CLICK = registry.from_family("click-test", range(1))


def begun(out, *agents, tasks=CLICK, **setting):
    """A run that has begun, without episodes."""
    config = RunConfig(out=out, **setting)
    manifest.write(out, [agent_spec.read(each) for each in agents], tasks, config)
    return out


def test_different_agents_with_prompts_and_models_of_their_own_become_one_run(
    tmp_path, monkeypatch
):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
    prompts = shutil.copytree(FOLDER, tmp_path / "prompts")
    (prompts / "laser" / "store.toml").write_text("")
    a = begun(tmp_path / "a", "react", llm="live", model="gpt-4o")
    b = begun(tmp_path / "b", "laser", prompts=prompts)
    c = begun(tmp_path / "c", "nothing", "react", llm="live", model="gpt-4o")
    merge([a, b, c], tmp_path / "run")
    whole = run_folder.load_manifest(tmp_path / "run")
    parts = [(part.config.agents, part.config.models) for part in whole.parts]
    assert parts == [
        (("react", "nothing"), {"react": "gpt-4o"}),
        (("laser",), {"laser": "scripted"}),
    ]
    assert whole.run == "run" and RunPlan(whole).episodes == 3


def test_unlike_settings_of_one_agent_are_refused_by_name(tmp_path):
    a = begun(tmp_path / "a", "react", "laser")
    b = begun(tmp_path / "b", "react", mistakes="memoryless")
    c = begun(tmp_path / "c", "nothing", limits=Limits(seconds=9))
    with pytest.raises(ChangedRun, match=r"/a and .*/b .*\(mistakes was sticky, now memory"):
        merge([a, b], tmp_path / "run")
    with pytest.raises(ChangedRun, match=r"\(max_seconds was None, now 9.0\)"):
        merge([b, c], tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
def test_runs_of_other_agents_and_of_other_scenarios_are_verified_as_one(tmp_path):
    more = registry.from_family("click-button", range(1))
    api.run(["expert"], CLICK, RunConfig(out=tmp_path / "a"))
    api.run(["nothing"], CLICK, RunConfig(out=tmp_path / "b"))
    api.run(["expert"], more, RunConfig(out=tmp_path / "c"))
    merged = merge([tmp_path / name for name in "abc"], tmp_path / "run")
    assert [(row.agent, row.episodes, row.floor) for row in merged.summary.rows] == [
        ("expert", 2, None),
        ("nothing", 1, Floor(agent="nothing", success=0.0)),
    ]
    submission.export(tmp_path / "run", tmp_path / "file")
    found = verify(tmp_path / "file")
    assert (found.verified, found.wanted, found.findings) == (3, 3, [])
    grown = api.run(["nothing"], more, RunConfig(out=tmp_path / "run"))
    assert [row.floor is not None for row in grown.rows] == [True, True]


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/3/4", "-1/3"])
def test_a_shard_that_cannot_be_read(text):
    with pytest.raises(BadTaskSet, match="write 1/4"):
        prepare.read_shard(text)
