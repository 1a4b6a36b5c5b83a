"""Splits of scenarios for training and testing."""

from __future__ import annotations

import pytest

from evaluators.training import splits
from evaluators.training.splits import FIRST_TRAINING_SEED, TESTS, BadIndex, UnknownSplit
from scenarios import registry, suites
from tests.each import for_each


def test_no_suite_has_a_training_seed():
    seeds = [
        int(each.rsplit("/", 1)[1])
        for name in suites.names()
        for each in suites.load(name).scenarios
    ]
    assert max(seeds) < FIRST_TRAINING_SEED


def test_a_family_has_test_scenarios_and_training_scenarios_without_end():
    test, train = splits.split("reply:test"), splits.split("reply:train")
    assert (len(test), test.scenario(0), test.scenario(99)) == (
        TESTS,
        "forum/reply/0",
        "forum/reply/99",
    )
    assert train.scenario(3) == f"forum/reply/{FIRST_TRAINING_SEED + 3}"
    assert len(train) > 10_000_000


def test_the_families_of_a_level_take_turns():
    level = splits.split("shop.l1:test")
    count = len(level.families)
    assert len(level) == TESTS * count > TESTS
    first, other = level.scenario(0).split("/"), level.scenario(count).split("/")
    assert first[:2] == other[:2] and (first[2], other[2]) == ("0", "1")


def test_a_suite_is_a_split():
    suite = splits.split("forum-60")
    assert [suite.scenario(each) for each in range(len(suite))] == [
        *suites.load("forum-60").scenarios
    ]


def test_a_variant_has_splits():
    assert (
        splits.split("reply.skin-17:train").scenario(0)
        == f"forum/reply.skin-17/{FIRST_TRAINING_SEED}"
    )
    assert splits.split("wish_product.depot:test").scenario(1) == "shop/wish_product.depot/1"


def test_every_split_names_scenarios_that_need_no_browser():
    for name in splits.names():
        site, family, _ = splits.split(name).scenario(0).split("/")
        made = registry.family(family)
        assert site == made.SITE and not registry.needs_browser(made)


@for_each(
    "name",
    (
        "",
        "nothing:train",
        "reply:dev",
        "reply",
        "crm-100",
        "login-user:test",
        "reply.nothing:test",
        ":train",
    ),
)
def test_another_split_is_refused(name):
    with pytest.raises(UnknownSplit, match="played without a browser"):
        splits.split(name)


@for_each("index", (-1, 100, 10**30))
def test_an_index_outside_is_refused(index):
    with pytest.raises(BadIndex, match="give an index from 0 to 99"):
        splits.split("reply:test").scenario(index)
