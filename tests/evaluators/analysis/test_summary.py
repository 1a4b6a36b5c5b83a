"""The rows that sum up a run, worked out by hand."""

from __future__ import annotations

import pytest

from evaluators.analysis.summary import summary
from tests.evaluators.records.example_records import scored


def row(*group):
    [made] = summary("run", group).rows
    return made


def test_several_trials_give_pass_hat_and_pass_at():
    wins = {0: (True, True), 1: (True, False), 2: (False, False)}
    made = row(
        *(
            scored(success, scenario=f"store/buy_item/{seed}", seed=seed, trial=trial)
            for seed, trials in wins.items()
            for trial, success in enumerate(trials)
        )
    )
    assert made.pass_hat == {"1": 0.5, "2": pytest.approx(1 / 3, abs=1e-6)}
    assert made.pass_at == {"1": 0.5, "2": pytest.approx(2 / 3, abs=1e-6)}
    assert row(scored(True)).pass_hat == {}, "one trial says nothing of the next"


def test_episodes_of_one_family_count_for_fewer():
    names = [f"store/{'ab'[n // 20]}/{n}" for n in range(40)]
    families = [{"family": name.split("/")[1], "scenario": name} for name in names]
    won = [scored(True, **each) for each in families[:20]]
    lost = [scored(False, **each) for each in families[20:]]
    mixed = [scored(bool(n % 2), **each) for n, each in enumerate(families)]
    apart, alike = row(*won, *lost), row(*mixed)
    assert apart.success_ci == alike.success_ci == alike.success_ci_families
    low, high = apart.success_ci_families
    assert low < 0.1 < 0.9 < high


def test_trials_of_one_scenario_count_for_fewer():
    def trials(*wins: int):
        names = [f"store/a/{seed}" for seed in range(len(wins))]
        return row(
            *(
                scored(trial < won, scenario=name, trial=trial)
                for name, won in zip(names, wins, strict=True)
                for trial in range(4)
            )
        )

    same, mixed = trials(*[4] * 10, *[0] * 10), trials(*[2] * 20)
    assert same.success == mixed.success == 0.5
    width = same.success_ci[1] - same.success_ci[0], mixed.success_ci[1] - mixed.success_ci[0]
    assert width[0] == pytest.approx(0.42, abs=0.03), "as of 20 episodes"
    assert width[1] == pytest.approx(0.22, abs=0.02), "as of 80"


def test_a_row_by_hand():
    made = row(
        scored(True, scenario="store/a/0", progress=1.0, steps=3, reward=1.0),
        scored(False, scenario="store/a/1", progress=0.5, steps=6, reward=0.4, ended="truncated"),
        scored(False, scenario="store/a/2", progress=0.0, steps=6, reward=0.1),
        scored(None, scenario="store/a/3", steps=99, usage={"prompt": 1000, "completion": 0}),
    )
    assert (made.episodes, made.scored, made.infra) == (4, 3, 1)
    assert made.success == pytest.approx(1 / 3, abs=1e-6)
    assert made.success_low == 0.25, "infra counts as 0"
    assert made.progress == 0.5 and made.steps == 5.0 and made.reward == 0.5
    assert made.reward_strict is None
    assert made.gold_action_recall is None and made.actions is None
    assert made.tokens == 100 and made.tokens_per_success == 300
    assert made.cost_usd == 0.75
    assert made.valid_actions == pytest.approx(1 - 3 / 15)
    assert made.failures == {"budget": 1, "other": 1} and made.missed == {}
    assert made.ended == {"answered": 2, "infra_error": 1, "truncated": 1}
    low, high = made.success_ci
    assert low == pytest.approx(0.061492, abs=1e-5) and high == pytest.approx(0.79234, abs=1e-5)


def test_a_row_is_marked_above_two_percent_of_infra():
    good = [scored(True)] * 98
    assert row(*good, scored(None), scored(None)).marked is False
    assert row(*good, scored(None), scored(None), scored(None)).marked is True


def test_no_success_has_no_tokens_per_success():
    assert row(scored(False)).tokens_per_success is None


def test_input_tokens_of_successes_are_the_prompts_of_successes_alone():
    """The mean of SteP's figure 3b, without replies and without episodes that failed."""
    made = row(
        scored(True, usage={"prompt": 100, "completion": 7}),
        scored(True, usage={"prompt": 300, "completion": 7}),
        scored(False, usage={"prompt": 5000, "completion": 7}),
        scored(True, usage={"prompt": None, "completion": None}),
    )
    assert made.input_tokens_of_successes == 200
    assert row(scored(False)).input_tokens_of_successes is None


@pytest.mark.parametrize(
    ("site", "ended", "actions"),
    [("store", "answered", 6), ("store", "truncated", 5), ("widgets", "answered", 5)],
)
def test_published_actions_count_notes_and_the_stop_that_ends_an_episode(site, ended, actions):
    """On task pages the page ends it."""
    made = row(scored(True, site=site, ended=ended, steps=3, events={"note": 2, "reask": 4}))
    assert (made.steps, made.actions_published) == (3, actions)


def test_an_unknown_price_is_not_zero():
    assert row(scored(True), scored(True, cost_usd=None)).cost_usd is None


def test_only_infra_has_no_rate():
    made = row(scored(None), scored(None))
    assert made.success is None and made.success_low == 0 and made.success_ci == (0, 1)
    assert made.steps is None


def test_rows_are_by_agent_and_site_or_family():
    group = [
        scored(True, agent="b"),
        scored(True, agent="a", family="x"),
        scored(False, agent="a", family="y"),
    ]
    assert [r.agent for r in summary("run", group).rows] == ["a", "b"]
    by_family = summary("run", group, by="family").rows
    assert [(r.agent, r.family) for r in by_family] == [
        ("a", "x"),
        ("a", "y"),
        ("b", "buy_item"),
    ]


def test_the_order_of_records_does_not_matter():
    group = [scored(True, progress=each / 7, steps=each) for each in range(7)]
    assert summary("r", group) == summary("r", reversed(group))


def test_gold_actions_are_means_over_the_episodes_that_record_them():
    made = row(
        scored(True, gold_action_recall=1.0, actions=18),
        scored(False, gold_action_recall=0.5, actions=6),
        scored(None, gold_action_recall=None, actions=None),
        scored(False),
    )
    assert made.gold_action_recall == 0.75 and made.actions == 12
