"""Parts of a run, and the whole that is made of them."""

from __future__ import annotations

import pytest

from evaluators.episode.budget import Limits
from evaluators.records import files, run_folder
from evaluators.run import api, prepare
from evaluators.run.config import RunConfig
from evaluators.run.manifest import ChangedRun
from evaluators.run.merge import MergeTargetExists, merge
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


def test_an_episode_that_two_parts_have_counts_once_and_is_reported(parts, tmp_path):
    merged = merge([*parts, parts[1]], tmp_path / "run")
    assert len(merged.doubles) == 2 and sum(row.episodes for row in merged.summary.rows) == 6


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


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/3/4", "-1/3"])
def test_a_shard_that_cannot_be_read(text):
    with pytest.raises(BadTaskSet, match="write 1/4"):
        prepare.read_shard(text)
