"""A small part of the frozen data set is built, read, scored and shown."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from agent.mind2web import files, page_text
from evaluators.episode.environment_lanes import TEXT
from evaluators.mind2web import checking, scoring
from evaluators.mind2web.build import building, frozen, splits
from evaluators.mind2web.build.splits import Part
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from rehearse import main
from scenarios import registry

pytestmark = pytest.mark.usefixtures("unmeasured")
NAME = "own-mind2web-1"
SMALL = [
    ("test_task", "store", "draft_refund", ""),
    ("test_task", "store", "buy_item", ""),
    ("test_task", "shop", "newsletter", "atelier"),
    ("test_website", "shop", "draft_coupon", "depot"),
    ("test_website", "store", "buy_wish", "outlet"),
    ("test_website", "forum", "edit_bio", "skin-901"),
]
IN_A_BROWSER = [
    ("test_task", "crm", "TASK_FIND_BOOKING", ""),
    ("test_task", "crm", "airline_search", "contrail"),
    ("test_domain", "widgets", "search-engine", ""),
    ("test_domain", "widgets", "terminal", ""),
    ("test_domain", "widgets", "drag-items", ""),
]


def small(chosen):
    """Return a part of the shipped splits: one seed of each of these families."""
    shipped = splits.load(NAME)
    parts = [
        replace(part, families=[family], variants=[variant], seeds=part.seeds[:1])
        for split, site, family, variant in chosen
        for part in shipped.parts
        if (part.split, part.site) == (split, site)
        and variant in part.variants
        and (not part.families or family in part.families)
    ]
    assert len(parts) == len(chosen)
    return replace(shipped, parts=parts)


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "data"
    return building.build(small(SMALL), folder, [].append)


@pytest.fixture(scope="module")
def tasks(built):
    return [
        task for split in files.splits(built.folder) for task in files.tasks(built.folder, split)
    ]


def test_two_builds_have_the_same_bytes(built, tmp_path):
    building.build(small(SMALL), tmp_path / "data", [].append)
    assert bytes_of(tmp_path / "data") == bytes_of(built.folder)


def test_the_tasks_are_those_that_were_frozen(built):
    assert frozen.changed(NAME, built.writer.scenarios) == []
    changed = {"test_task": {"store/buy_item/4000": "0" * 16}}
    assert frozen.changed(NAME, changed) == ["store/buy_item/4000"]


@pytest.mark.wide
def test_tasks_of_a_browser_are_those_that_were_frozen(tmp_path):
    built = building.build(small(IN_A_BROWSER), tmp_path / "data", [].append)
    assert frozen.changed(NAME, built.writer.scenarios) == []
    assert built.writer.figures["test_domain"].left_out == Counter({"no operation for drag": 1})


def test_the_manifest_has_every_scenario_of_the_splits():
    chosen = splits.load(NAME)
    named = {name: [] for name in chosen.names}
    for part in chosen.parts:
        named[part.split] += part.names
    kept = frozen.digests(NAME)
    assert {split: [*tasks] for split, tasks in kept.items()} == named
    assert not any(
        each.endswith(("does not succeed", "that failed", "no step"))
        for tasks in kept.values()
        for each in tasks.values()
    )


def test_the_loader_finds_nothing_to_mend(built):
    for split in files.splits(built.folder):
        found = checking.check(built.folder, split, [].append, None)
        row = found.row
        assert not found.problems
        assert row["no right element"] == row["not in raw page"] == row["repaired pages"] == 0


@dataclass(frozen=True)
class Gold:
    """The annotator's action as a prediction."""

    op: str
    element: str
    value: str
    text: str = ""


@pytest.mark.parametrize("rule", scoring.RULES)
def test_the_gold_scores_everything(tasks, rule):
    steps = [step for task in tasks for step in task.steps]
    assert len(steps) > 25 and {step.op for step in steps} == {"CLICK", "TYPE", "SELECT"}
    for step in steps:
        right = [each.id for each in step.positives]
        gold = Gold(step.op, step.target_id, step.value)
        score = scoring.of_step(rule, gold, gold, right, right)
        assert (score.element, score.f1, score.success) == (1, 1, 1)


def test_a_neighbour_scores_nothing(tasks):
    for step in (step for task in tasks for step in task.steps):
        right = [each.id for each in step.positives]
        gold = Gold(step.op, step.target_id, step.value)
        wrong = Gold(step.op, step.negatives[0].id, step.value)
        assert scoring.of_step("mindact", wrong, gold, right, right).success == 0


def shown(task):
    """Yield every text of a task that a model or a ranker may be shown."""
    yield task.instruction
    for step in task.steps:
        candidates = [*step.positives, *step.negatives]
        yield step.repr
        yield page_text.observation(step, [each.id for each in candidates])
        page = page_text.read(step.cleaned)
        for each in candidates:
            yield str(page_text.document(page, each.id))
            yield " ".join([*each.attributes, *each.attributes.values()])


def test_no_mark_of_ours_and_no_seed_is_shown(built, tasks):
    names = [name for each in built.writer.scenarios.values() for name in each]
    ids = [registry.scenario(name).id for name in names]
    ours = re.compile("data[_-]|buckeye|scenario=|gold|" + "|".join([*names, *ids]))
    texts = [text for task in tasks for text in shown(task)]
    assert len(texts) > 1000
    assert [text for text in texts if ours.search(text)] == []


def test_the_right_element_is_on_the_page_that_is_shown(tasks):
    for task in tasks:
        for step in task.steps:
            text = page_text.observation(step, [step.target_id])
            assert re.search(rf"id={step.target_id}[ >]", text)


def test_typing_with_enter_is_two_steps(tasks):
    steps = [step for task in tasks for step in task.steps]
    for before, after in pairwise(steps):
        if after.original_op == "ENTER":
            assert (before.op, after.op, after.value) == ("TYPE", "CLICK", "")
            assert before.positives[0].attributes.get("input_value", "") != before.value
            assert after.positives[0].attributes["input_value"] == before.value
    assert "ENTER" in {step.original_op for step in steps}


def test_an_element_alone_may_be_right(tmp_path, tasks):
    chosen = small([("test_website", "shop", "draft_coupon", "depot")])
    built = building.build(chosen, tmp_path / "data", [].append, one_positive=True)
    [task] = files.tasks(built.folder, "test_website")
    assert {len(step.positives) for step in task.steps} == {1}
    [other] = [each for each in tasks if each.id == task.id]
    assert max(len(step.positives) for step in other.steps) == 2


def test_a_run_becomes_the_data_that_the_expert_gives(tmp_path):
    scenario = "shop/newsletter/3000"
    config = RunConfig(out=tmp_path / "run", executor=ExecutorConfig(lane=TEXT))
    api.run(["expert"], registry.from_family("newsletter", range(3000, 3001)), config)
    built = building.from_run(tmp_path / "run", tmp_path / "data", "train", [].append)
    [task] = files.tasks(built.folder, "train")
    site, family, seed = scenario.split("/")
    part = Part("train", site, [family], seeds=range(int(seed), int(seed) + 1))
    other = building.build(splits.Splits("own", [part]), tmp_path / "other", [].append)
    assert [task] == [*files.tasks(other.folder, "train")]


def test_the_command_says_what_it_built(tmp_path):
    folder = tmp_path / "data"
    options = ["--family", "latest_order", "--seeds", "3000", "-o", str(folder)]
    done = CliRunner().invoke(main, ["mind2web", "build", *options])
    assert done.exit_code == 0, done.output
    assert "train" in done.output and str(folder) in done.output
    assert "latest_order/3000" in (folder / "build.json").read_text()
    assert "several right ones" in (folder / "README").read_text()


@pytest.mark.parametrize("options", [[], ["--splits", NAME, "--family", "reply"]])
def test_the_command_wants_one_source(tmp_path, options):
    done = CliRunner().invoke(main, ["mind2web", "build", *options, "-o", str(tmp_path / "data")])
    assert done.exit_code != 0 and "give --splits, --run" in done.output
