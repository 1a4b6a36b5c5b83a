"""LASER at the market, with more transitions than the paper's: account, cart, checkout."""

from __future__ import annotations

import pytest

from tests.contracts import test_honesty as honesty
from tests.contracts.test_honesty import Asked, answered
from tests.drawing import drawn
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
AGENT = "laser:force_after=80"
each_agent = pytest.mark.parametrize("agent", [AGENT])
POSSIBLE = {"buy_compatible": 4, "cheaper_substitute": 3, "checkout_exact": 3}
CASES = [*POSSIBLE.items(), *([("buy_compatible", 3)] * DEEP), ("checkout_exact", 1)]
"""The last cannot be done, with `tox -e deep` the last two."""


@pytest.mark.parametrize(("family", "seed"), CASES)
@each_agent
def test_it_does_what_was_asked_for(shared_episodes, agent, family, seed):
    record = shared_episodes.get(agent, family, seed).record
    assert record["success"] is True, record["checks"]
    assert record["invalid_actions"] == 0


def test_the_others_cannot_be_done():
    possible = [drawn(family, seed).gold["possible"] for family, seed in CASES]
    assert possible == [True] * len(POSSIBLE) + [False] * (len(CASES) - len(POSSIBLE))


@pytest.mark.parametrize("family", POSSIBLE)
@each_agent
def test_the_model_knows_what_its_requests_say_and_nothing_else(
    shared_episodes, subtests, agent, family
):
    episode = shared_episodes.get(agent, family, POSSIBLE[family])
    requests = [
        Asked(episode.scenario, call.purpose, dict(call.request), answered(call.reply))
        for call in episode.calls
    ]
    for contract in honesty.CONTRACTS[:4]:
        with subtests.test(contract=contract.__name__):
            contract(requests)


@pytest.mark.parametrize("family", ["buy_compatible", "cheaper_substitute"])
@each_agent
def test_without_what_was_noted_it_does_not_know_what_to_buy(shared_episodes, agent, family):
    """Its history is all that it remembers of an order and of an old product."""
    episode = shared_episodes.get(agent, family, POSSIBLE[family])
    bought = [
        Asked(episode.scenario, call.purpose, dict(call.request), answered(call.reply))
        for call in episode.calls
        if call.purpose == "laser/thought" and "is Buy_Now(" in str(call.reply)
    ]
    assert bought
    for each in bought:
        for note in each.scenario.gold["notes"].values():
            lost = each.ask(lambda text, note=note: text.replace(note, "..."))
            assert "Buy_Now" not in lost.reply


@pytest.mark.deep
def test_a_model_without_skill_fails(harness, tmp_path):
    """It wanders through all 80 transitions."""
    episode = harness.run(f"{AGENT}@scripted-0", "store/checkout_exact/3", tmp_path, strict=True)
    assert episode.record["success"] is False
