"""The columns Att, Opt and Type of a summary."""

from __future__ import annotations

from evaluators.analysis.reward_shares import reward_shares
from tests.evaluators.records.example_records import scored


def bought(**parts):
    return scored(False, reward=0.5, reward_parts={"published": {"r_type": 1.0, **parts}})


def test_shares_are_means_over_all_wishes_and_nothing_bought_counts_as_zero():
    many = [
        bought(r_att=1.0, r_option=0.5),
        bought(r_att=0.5, r_option=None),
        scored(False, reward=0.0, reward_parts={}),
    ]
    assert reward_shares(many) == {"reward_att": 0.5, "reward_opt": 0.25, "reward_type": 0.666667}


def test_without_a_purchase_and_for_other_rewards_there_is_no_share():
    none = dict.fromkeys(("reward_att", "reward_opt", "reward_type"))
    assert reward_shares([scored(True, reward=None, reward_parts={})]) == none
    assert reward_shares([scored(True, reward=1.0, reward_parts={"raw": 1.0})]) == none
    assert reward_shares([scored(False, reward=0.0, reward_parts={})]) == none
