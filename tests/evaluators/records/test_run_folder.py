"""What a run leaves behind, and the rows that sum it up (worked out by hand)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluators.records import run_folder
from evaluators.records.run_folder import CorruptRecord


def record(success: bool | None, **fields):
    made = {
        "agent": "react",
        "method": "react",
        "options": {},
        "model": "scripted",
        "skill": 1.0,
        "scenario": "store/buy_item/0",
        "site": "store",
        "family": "buy_item",
        "seed": 0,
        "trial": 0,
        "success": success,
        "success_published": success,
        "progress": None if success is None else float(success),
        "reward": None,
        "reward_strict": None,
        "steps": 4,
        "llm_calls": 5,
        "invalid_actions": 1,
        "repeats": 0,
        "events": {},
        "usage": {"prompt": 90, "completion": 10},
        "cost_usd": 0.25,
        "ended": "infra_error" if success is None else "answered",
    }
    return {**made, **fields}


def row(*group):
    [made] = run_folder.summary("run", group)["rows"]
    return made


def test_several_trials_give_pass_hat_and_pass_at():
    wins = {0: (True, True), 1: (True, False), 2: (False, False)}
    made = row(
        *(
            record(success, scenario=f"store/buy_item/{seed}", seed=seed, trial=trial)
            for seed, trials in wins.items()
            for trial, success in enumerate(trials)
        )
    )
    assert made["pass_hat"] == {"1": 0.5, "2": pytest.approx(1 / 3, abs=1e-6)}
    assert made["pass_at"] == {"1": 0.5, "2": pytest.approx(2 / 3, abs=1e-6)}
    assert row(record(True))["pass_hat"] == {}, "one trial says nothing of the next"


def test_episodes_of_one_family_count_for_fewer():
    won = [record(True, family="a") for _ in range(20)]
    lost = [record(False, family="b") for _ in range(20)]
    mixed = [record(bool(n % 2), family="ab"[n // 20]) for n in range(40)]
    apart, alike = row(*won, *lost), row(*mixed)
    assert apart["success_ci"] == alike["success_ci"] == alike["success_ci_families"]
    low, high = apart["success_ci_families"]
    assert low < 0.1 < 0.9 < high


def test_a_row_by_hand():
    made = row(
        record(True, progress=1.0, steps=3, reward=1.0),
        record(False, progress=0.5, steps=6, reward=0.4, ended="truncated"),
        record(False, progress=0.0, steps=6, reward=0.1),
        record(None, steps=99, usage={"prompt": 1000}),
    )
    assert (made["episodes"], made["scored"], made["infra"]) == (4, 3, 1)
    assert made["success"] == pytest.approx(1 / 3, abs=1e-6)
    assert made["success_low"] == 0.25, "infra counts as 0"
    assert made["progress"] == 0.5 and made["steps"] == 5.0 and made["reward"] == 0.5
    assert made["reward_strict"] is None
    assert made["gold_action_recall"] is None and made["actions"] is None
    assert made["tokens"] == 100 and made["tokens_per_success"] == 300
    assert made["cost_usd"] == 0.75
    assert made["valid_actions"] == pytest.approx(1 - 3 / 15)
    assert made["failures"] == {"budget": 1, "other": 1} and made["missed"] == {}
    assert made["ended"] == {"answered": 2, "infra_error": 1, "truncated": 1}
    low, high = made["success_ci"]
    assert low == pytest.approx(0.061492, abs=1e-5) and high == pytest.approx(0.79234, abs=1e-5)


def test_a_row_is_marked_above_two_percent_of_infra():
    good = [record(True)] * 98
    assert row(*good, record(None), record(None))["marked"] is False
    assert row(*good, record(None), record(None), record(None))["marked"] is True


def test_no_success_has_no_tokens_per_success():
    assert row(record(False))["tokens_per_success"] is None


def test_an_unknown_price_is_not_zero():
    assert row(record(True), record(True, cost_usd=None))["cost_usd"] is None


def test_only_infra_has_no_rate():
    made = row(record(None), record(None))
    assert made["success"] is None and made["success_low"] == 0 and made["success_ci"] == [0, 1]
    assert made["steps"] is None


def test_rows_are_by_agent_and_site_or_family():
    group = [
        record(True, agent="b"),
        record(True, agent="a", family="x"),
        record(False, agent="a", family="y"),
    ]
    assert [r["agent"] for r in run_folder.summary("run", group)["rows"]] == ["a", "b"]
    by_family = run_folder.summary("run", group, by="family")["rows"]
    assert [(r["agent"], r["family"]) for r in by_family] == [
        ("a", "x"),
        ("a", "y"),
        ("b", "buy_item"),
    ]


def test_the_order_of_records_does_not_matter():
    group = [record(True, progress=each / 7, steps=each) for each in range(7)]
    assert run_folder.summary("r", group) == run_folder.summary("r", reversed(group))


# Files -------------------------------------------------------------------------------------------


def test_saving_replaces_in_one_step_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "deep" / "episode.json"
    run_folder.save(path, {"a": 1})
    run_folder.save(path, {"a": "é"})
    assert run_folder.load(path) == {"a": "é"}
    assert [each.name for each in path.parent.iterdir()] == ["episode.json"]


def test_a_save_that_fails_leaves_what_was_there(tmp_path):
    path = tmp_path / "episode.json"
    run_folder.save(path, {"a": 1})
    with pytest.raises(TypeError):
        run_folder.save(path, {("no", "name"): 1})
    assert run_folder.load(path) == {"a": 1}


@pytest.mark.parametrize("data", [b"", b"{", b'{"a": 1', b"[1]", b"null", b"\xff\xfe", b"3"])
def test_a_corrupt_file_is_named_with_the_remedy(tmp_path, data):
    path = tmp_path / "episode.json"
    path.write_bytes(data)
    with pytest.raises(CorruptRecord) as refused:
        run_folder.load(path)
    assert str(path) in str(refused.value) and "resume" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_missing_file_asks_whether_this_is_a_run(tmp_path):
    with pytest.raises(CorruptRecord, match=r"run\.json"):
        list(run_folder.episodes(tmp_path))


def run_with(folder: Path, *contents: object) -> Path:
    run_folder.save(folder / "run.json", {"config": {}})
    for seed, content in enumerate(contents):
        home = run_folder.folder(folder, "react", "buy_item", seed, 0)
        run_folder.save(home / "episode.json", content)
    return folder


def test_episodes_come_in_a_fixed_order(tmp_path):
    run = run_with(tmp_path, *(record(True, seed=seed) for seed in (10, 9, 2)))
    assert [each["seed"] for each in run_folder.episodes(run)] == [2, 9, 10]


@pytest.mark.parametrize("content", [{}, {"agent": "react"}, {"schema_version": 1}])
def test_a_record_without_its_fields_is_corrupt(tmp_path, content):
    run = run_with(tmp_path, content)
    with pytest.raises(CorruptRecord, match=r"episode\.json"):
        run_folder.summary("r", run_folder.episodes(run))


def test_a_half_written_episode_is_no_episode(tmp_path):
    run = run_with(tmp_path, record(True))
    home = run_folder.folder(run, "react", "buy_item", 5, 0)
    home.mkdir(parents=True)
    (home / "episode.json.part").write_text('{"agent": ')
    assert len(list(run_folder.episodes(run))) == 1


@pytest.mark.parametrize(
    "name", ["react", "react@org/gpt", "/tmp/x/mine.py", "./mine.py", "../m.py"]
)
def test_an_agent_is_one_folder_whatever_its_name(tmp_path, name):
    home = run_folder.folder(tmp_path, name, "f", 1, 0)
    assert home.parent.parent.parent == tmp_path / "episodes"
    assert json.dumps(run_folder.slug(name)) == json.dumps(home.parts[-3])


def test_two_agents_never_share_a_folder():
    assert run_folder.slug("react@a/b") != run_folder.slug("react@a_b")


def test_gold_actions_are_means_over_the_episodes_that_record_them():
    made = row(
        record(True, gold_action_recall=1.0, actions=18),
        record(False, gold_action_recall=0.5, actions=6),
        record(None, gold_action_recall=None, actions=None),
        record(False),
    )
    assert made["gold_action_recall"] == 0.75 and made["actions"] == 12
