"""What a run is resumed and compared by: what it used, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.episode import result
from evaluators.records import files, run_folder
from evaluators.run import manifest
from evaluators.run.api import RunConfig
from evaluators.run.manifest import ChangedRun, prompts_digests
from scenarios import registry


@pytest.fixture
def prompts(tmp_path) -> Path:
    """A folder of prompts that can be changed."""
    return Path(shutil.copytree(FOLDER, tmp_path / "prompts"))


def digest(prompts: Path, *agents: str, family: str = "buy_item") -> dict[str, Any]:
    tasks = registry.from_family(family, range(1))
    return prompts_digests([agent_spec.read(each) for each in agents], prompts, tasks)


@pytest.mark.parametrize(
    ("agent", "path", "used"),
    [
        ("react", "react/_website.toml", False),
        ("step", "step/_website/root.toml", False),
        ("react", "react/store.toml", True),
        ("react", "react/crm.toml", False),
        ("react", "step/store.toml", False),
        ("nothing", "react/store.toml", False),
        ("step", "step/_default.toml", True),
        ("step", "step/store/own_policy.toml", True),
        ("step", "step/widgets/own_policy.toml", False),
        ("flat", "step/store/own_policy.toml", True),
        ("lats", "anticipatory_reflection/store.toml", True),
    ],
)
def test_prompts_are_hashed_where_a_method_uses_them_on_a_site_of_the_run(
    prompts, agent, path, used
):
    before = digest(prompts, agent)
    with (prompts / path).open("a") as file:
        file.write("# changed\n")
    assert (digest(prompts, agent) != before) is used


def test_prompts_for_any_website_are_hashed_if_a_site_of_the_run_has_none_of_its_own(prompts):
    (prompts / "flat" / "store.toml").unlink()
    shutil.rmtree(prompts / "step" / "store")
    before = digest(prompts, "flat")
    for path in ("flat/_website.toml", "step/_website/root.toml"):
        with (prompts / path).open("a") as file:
            file.write("# changed\n")
        assert digest(prompts, "flat") != before, path
        before = digest(prompts, "flat")


def test_the_prompts_of_every_agent_and_site_of_the_run_count(prompts):
    before = digest(prompts, "nothing", "react", family="TASK_CANCEL_FLIGHT")
    (prompts / "react" / "crm.toml").unlink()
    assert digest(prompts, "nothing", "react", family="TASK_CANCEL_FLIGHT") != before


def begun(out: Path, agent: str, **setting) -> None:
    tasks = registry.from_family("buy_item", range(1))
    manifest.write(out, [agent_spec.read(agent)], tasks, RunConfig(out=out, **setting))


def test_a_run_is_resumed_unless_its_own_prompts_changed(tmp_path, prompts):
    begun(tmp_path / "run", "react", prompts=prompts)
    (prompts / "step" / "widgets" / "new_policy.toml").write_text("")
    begun(tmp_path / "run", "react", prompts=prompts)
    (prompts / "react" / "store.toml").write_text("")
    with pytest.raises(ChangedRun, match=r"prompts of react for store was [0-9a-f]{8}.*another -o"):
        begun(tmp_path / "run", "react", prompts=prompts)


def test_a_run_of_another_version_is_not_resumed(tmp_path):
    begun(tmp_path, "nothing")
    assert run_folder.load_manifest(tmp_path).config.agents == ("nothing",)
    files.save(tmp_path / "run.json", {**files.load(tmp_path / "run.json"), "schema_version": 1})
    with pytest.raises(files.CorruptRecord, match=r"run\.json: schema_version is 1, and this"):
        begun(tmp_path, "nothing")


@pytest.mark.parametrize("site", registry.site_names())
def test_everything_that_is_hashed_of_a_site_is_there(site):
    paths = [*result.site_paths(site), *result.scorer_paths(site)]
    assert [path for path in paths if not path.exists()] == []
    assert any(site in path.as_posix() for path in result.scorer_paths(site))


def test_the_scorer_of_one_site_is_in_no_hash_of_another():
    own = {site: set(result.scorer_paths(site)) for site in registry.site_names()}
    shared = set.intersection(*own.values())
    for site, paths in own.items():
        [scorer] = paths - shared
        assert scorer.stem == site
