"""Runs on recorded tasks: their records, resuming, replays, limits, and what is refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from agent.llm import prices
from agent.mind2web import files
from evaluators.analysis.compare import compare
from evaluators.mind2web import arguments, results, sft
from evaluators.mind2web.results import Choice
from evaluators.mind2web.run import NotRunnable, prepare
from evaluators.records import run_folder, submission
from evaluators.records.kinds import OtherKind
from evaluators.run import api
from evaluators.run.cost_estimate import estimate
from evaluators.run.cost_limit import CostLimitReached
from evaluators.run.manifest import ChangedRun
from tests import mind2web_data

pytestmark = pytest.mark.usefixtures("unmeasured")
AGENTS = ("synapse", "synapse:no-memory", "synapse:no-trajectory", "mindact:top=15")


@pytest.fixture
def request_of(mind2web_folder, ranks_file, tmp_path):
    """Return a function that reads the arguments of a run."""

    def made(*names, out="run", split="test_task", **options):
        return arguments.parse(
            mind2web_folder, split, ranks_file, names, out=tmp_path / out, **options
        )

    return made


def carried_out(request):
    records = []
    prepare(request).carry_out(records.append)
    return records


def without_times(record):
    values = record.to_json()
    del values["elapsed_s"]
    for use in values["by_purpose"].values():
        del use["model_s"]
    return values


def test_the_scripted_model_of_skill_1_is_right_wherever_the_element_is_within_reach(request_of):
    records = carried_out(request_of(*AGENTS))
    assert len(records) == 12 and {each.ended for each in records} == {"answered"}
    for record in records:
        for step in record.offline:
            assert step.success == bool(step.reachable), (record.episode, step.key)
            assert (step.asked > 0) == bool(step.reachable)
            assert (step.predicted is None) == (not step.reachable)
    ranks = [step.rank for record in records[:1] for step in record.offline]
    assert ranks == [2, 2, 2]


def test_a_record_says_what_was_predicted_what_was_right_and_what_it_cost(request_of):
    [record] = carried_out(request_of("synapse", tasks="0"))
    step = record.offline[1]
    assert (step.predicted.op, step.predicted.element, step.predicted.value) == (
        *("SELECT", "20"),
        "5 00 PM",
    )
    assert step.predicted.text == "SELECT [20] [5 00 PM]"
    assert step.target.op == "SELECT" and step.positives == ("20",)
    assert (record.site, record.family, record.seed, record.tag) == (
        *("mind2web", "test_task", 0),
        "bluedoor",
    )
    assert (record.success, record.progress, record.llm_calls) == (True, 1.0, 3)
    assert record.exemplars.distance == 0 and record.exemplars.shown == 6
    assert record.by_purpose["mind2web/act"].calls == 3


def test_a_step_that_cleaning_lost_fails_its_task_and_no_model_is_asked(request_of):
    [record] = carried_out(request_of("mindact:top=15", tasks="1"))
    lost = record.offline[2]
    assert (lost.rank, lost.asked, lost.success, lost.target.element) == (None, 0, 0, "18")
    assert (record.success, round(record.progress, 3)) == (False, 0.667)


def test_mistakes_grow_as_skill_falls_and_are_the_same_in_every_run(request_of):
    runs = [
        carried_out(
            request_of(
                *("synapse:top=15", "mindact:top=15"), skill=("0", "0.5"), tasks="0:2", out=out
            )
        )
        for out in ("one", "two")
    ]
    one, two = ([without_times(each) for each in run] for run in runs)
    assert one == two
    right = {
        skill: sum(step.success for each in runs[0] if each.skill == skill for step in each.offline)
        for skill in (0, 0.5)
    }
    assert right[0] == 0 < right[0.5]
    counts = runs[0][0].simulated["wrong decision"]
    assert counts.made == counts.wrong > 0


def test_a_run_is_continued_where_it_stopped(request_of, tmp_path):
    first = carried_out(request_of("synapse", tasks="0:2"))
    more = carried_out(request_of("synapse"))
    assert [len(first), len(more)] == [2, 1]
    assert [each.seed for each in run_folder.episodes(tmp_path / "run")] == [0, 1, 2]
    assert run_folder.load_manifest(tmp_path / "run").config.kind == "offline"


def test_other_data_or_ranks_cannot_continue_a_run(request_of, mind2web_folder, tmp_path):
    request = request_of("synapse", tasks="0")
    carried_out(request)
    other = tmp_path / "other.jsonl"
    other.write_bytes(
        request.ranks.read_bytes() + b"\n".join(request.ranks.read_bytes().split(b"\n")[1:2])
    )
    with pytest.raises(ChangedRun, match="tasks of test_task was"):
        prepare(replace(request, ranks=other))


def test_a_replay_gives_the_same_records(request_of, tmp_path):
    recorded = carried_out(request_of("synapse", "mindact:top=15", record=tmp_path / "rec"))
    second = request_of("synapse", "mindact:top=15", llm=f"replay:{tmp_path / 'rec'}", out="replay")
    for one, two in zip(recorded, carried_out(second), strict=True):
        assert two.offline == one.offline and two.hashes["cassette"]


def test_two_processes_give_the_records_of_one(request_of):
    single = carried_out(request_of("synapse", "mindact:top=15", out="alone"))
    many = carried_out(request_of("synapse", "mindact:top=15", out="many", processes=2))
    key = lambda record: record.order  # noqa: E731
    assert [without_times(each) for each in sorted(single, key=key)] == [
        without_times(each) for each in sorted(many, key=key)
    ]


def test_the_cost_limit_stops_a_run(request_of, monkeypatch, tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text("scripted = [1000000, 1000000]\n", encoding="utf-8")
    monkeypatch.setenv(prices.OWN, str(own))
    with pytest.raises(CostLimitReached, match="2 episodes were not begun"):
        carried_out(request_of("synapse:no-trajectory", max_run_cost=0.01, concurrency=1))
    assert len([*run_folder.episodes(tmp_path / "run")]) == 1


def test_the_cost_of_a_live_run_is_estimated(request_of, tmp_path):
    carried_out(request_of("mindact:top=15", tasks="0"))
    [found] = estimate(tmp_path / "run", "gpt-4o")
    assert found.calls > 3 and found.cost_usd > 0


# What is refused ---------------------------------------------------------------------------------


def test_what_needs_worlds_refuses_the_run(request_of, tmp_path):
    carried_out(request_of("synapse:no-trajectory", tasks="0"))
    with pytest.raises(OtherKind, match="is a run on recorded tasks, without worlds"):
        api.score(tmp_path / "run")
    with pytest.raises(OtherKind, match="is a run on recorded tasks, without worlds"):
        submission.export(tmp_path / "run", tmp_path / "out.jsonl")


def test_it_is_compared_with_runs_of_its_kind_alone(request_of, tmp_path):
    carried_out(request_of("synapse:no-trajectory", "mindact:top=15", tasks="0:2"))
    run = tmp_path / "run"
    [found] = compare(run, run, "synapse:no-trajectory", "mindact:top=15")
    assert (found.pairs, found.difference) == (2, 0)
    living = tmp_path / "living"
    living.mkdir()
    manifest = run_folder.load_manifest(run).with_settings(kind="living")
    run_folder.save_manifest(living, manifest)
    shutil.copytree(run / "episodes", living / "episodes")
    with pytest.raises(OtherKind, match=r"run predicts recorded steps and .*living acts on"):
        compare(run, living)
    with pytest.raises(OtherKind, match="is a run on living pages"):
        results.results(living)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tasks": "9:12"}, "test_task has 3 tasks; choose others with --tasks"),
        ({"tasks": "x"}, "--tasks 'x' is no range"),
        ({"split": "test_domain"}, "has no split 'test_domain'"),
        ({"model": "gpt-4o"}, "--model gpt-4o: --llm scripted asks no live model"),
    ],
)
def test_a_run_that_cannot_be_carried_out_is_refused_before_it_begins(request_of, options, says):
    with pytest.raises(ValueError, match=says):
        prepare(request_of("mindact", **options))


def test_ranks_without_the_split_are_refused(request_of, ranks_file, tmp_path):
    header = ranks_file.read_text(encoding="utf-8").splitlines()[0]
    bare = tmp_path / "bare.jsonl"
    bare.write_text(f"{header}\n", encoding="utf-8")
    with pytest.raises(NotRunnable, match="has no ranks of test_task"):
        prepare(replace(request_of("mindact"), ranks=bare))


def test_trajectories_need_ranks_of_train(request_of, ranks_file, mind2web_folder, tmp_path):
    own = {task.id for task in files.tasks(mind2web_folder, "test_task")}
    header, *lines = ranks_file.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["step"].partition("_")[0] in own]
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join([header, *kept, ""]), encoding="utf-8")
    with pytest.raises(NotRunnable, match="has no ranks of train"):
        prepare(replace(request_of("synapse"), ranks=some))
    prepare(replace(request_of("synapse:no-trajectory", out="bare"), ranks=some))


def test_a_task_whose_page_cannot_be_read_loses_its_steps_and_no_other(tmp_path, request_of):
    request = request_of("synapse:no-trajectory", "mindact:top=15")
    broken = mind2web_data.film("broken")
    for step in broken["actions"]:
        step["cleaned_html"] = "no page"
    data = mind2web_data.write(tmp_path / "data")
    mind2web_data.write_shard(data / "test_task" / "test_task_11.json", [broken])
    lines = request.ranks.read_text(encoding="utf-8")
    key = f"{broken['annotation_id']}_{broken['actions'][0]['action_uid']}"
    row = json.dumps({"step": key, "order": ["5", "6"], "scores": [1.0, 0.0]})
    ranked = tmp_path / "ranks.jsonl"
    ranked.write_text(f"{lines}{row}\n", encoding="utf-8")
    records = carried_out(replace(request, data=data, ranks=ranked))
    assert [each.ended for each in records] == ["answered"] * 8
    for each in records:
        if each.seed == 3:
            assert (each.success, each.offline[0].reachable) == (False, ("5", "6"))


# Figures -----------------------------------------------------------------------------------------


def test_the_figures_of_a_run_are_over_its_tasks(request_of, tmp_path):
    carried_out(request_of("synapse:no-trajectory", "mindact:top=15"))
    mindact, synapse = results.results(tmp_path / "run")
    assert (mindact.rule, synapse.rule) == ("mindact", "synapse")
    for each in (mindact, synapse):
        shown = each.figures
        assert (shown.tasks, shown.steps, shown.lost) == (3, 7, 1)
        assert shown.macro.success.mean == pytest.approx((1 + 2 / 3 + 1) / 3, abs=1e-6)
        assert shown.micro.success.mean == pytest.approx(6 / 7, abs=1e-6)
        assert shown.macro.recall.mean == shown.macro.success.mean
        assert shown.success.mean == pytest.approx(2 / 3, abs=1e-6)


def test_figures_by_group_and_without_steps_that_cleaning_lost(request_of, tmp_path):
    carried_out(request_of("synapse:no-trajectory"))
    by = {
        group: [
            (each.group, each.figures.steps) for each in results.results(tmp_path / "run", choice)
        ]
        for group, choice in ((name, Choice(by=name)) for name in results.BY)
    }
    assert by == {
        "website": [("bluedoor", 3), ("partsbin", 3), ("pierfilms", 1)],
        "domain": [("Entertainment", 1), ("Shopping", 3), ("Travel", 3)],
        "op": [("CLICK", 5), ("SELECT", 1), ("TYPE", 1)],
    }
    [found] = results.results(tmp_path / "run", Choice(skip_no_positive=True))
    assert (found.figures.steps, found.figures.micro.success.mean) == (6, 1.0)


def test_a_step_counts_by_one_rule_and_not_by_the_other(request_of, tmp_path):
    """The film has two right elements: MindAct may choose either, Synapse's first alone counts."""
    [record] = carried_out(request_of("mindact:top=15", tasks="2"))
    [home] = [each for each in run_folder.homes(tmp_path / "run") if run_folder.is_done(each)]
    step = record.offline[0]
    second = step.predicted.model_copy(update={"element": "6"})
    changed = record.model_copy(
        update={"offline": (step.model_copy(update={"predicted": second}),)}
    )
    run_folder.commit(home, changed)
    for rule, success in (("mindact", 1), ("synapse", 0)):
        [found] = results.results(tmp_path / "run", Choice(rule=rule))
        assert found.figures.micro.element.mean == success


def test_the_lines_for_fine_tuning_end_in_the_annotators_actions(
    mind2web_folder, ranks_file, tmp_path
):
    for name, reply in (
        ("synapse:top=15", "Action: `SELECT [20] [5 00 PM]` ([combobox]  Time -> SELECT: 5 00 PM)"),
        ("synapse:no-trajectory:top=15", "`SELECT [20] [5 00 PM]`"),
    ):
        out = tmp_path / "train.jsonl"
        assert sft.write(mind2web_folder, "train", ranks_file, name, out) == 5
        lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        assert lines[1]["messages"][-1] == {"role": "assistant", "content": reply}
    with pytest.raises(NotRunnable, match="no single reply gives the action"):
        sft.write(mind2web_folder, "train", ranks_file, "mindact", out)
