"""SteP's policies, which were written for one airline, at all three of them."""

from __future__ import annotations

import os

import pytest

from agent.methods.step import policy_library
from sites.crm.reservations.airline import KEYS

SEEDS = (0, 1, 3) if os.environ.get("REHEARSE_DEEP") else (3,)
DEPTHS = {"airline_search": 3, "book_party": 4}
"""How many policies lie on each other at most, the root counted."""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("airline", KEYS)
@pytest.mark.parametrize("family", DEPTHS)
def test_the_policies_carry_over(harness, tmp_path, family, airline, seed):
    play = harness.run("step", f"crm/{family}.{airline}/{seed}", tmp_path, strict=True)
    assert play.record["success"] is True and play.record["invalid_actions"] == 0
    assert play.record["stack_depth"] == DEPTHS[family]
    assert "loop" not in play.record["events"]


def test_a_whole_sale_calls_every_policy_for_a_part_of_it(harness, tmp_path):
    play = harness.run("step", "crm/book_party.contrail/3", tmp_path, strict=True)
    called = {each["what"] for each in play.trace if each.get("word") == "push"}
    library = policy_library.load("airline").all
    steps = {"find flight", "choose offer", "fill party", "choose seats", "choose bags"}
    steps |= {"settle money"}
    assert called == {each.name for each in library if {*each.steps} & steps} | {"root"}
    pushed = [each["objective"] for each in play.trace if each.get("word") == "push"]
    assert any(each.startswith("choose_date [Date of birth (Child 1)] [") for each in pushed)
