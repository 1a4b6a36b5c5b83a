"""Methods on the three airlines, with prompts that know only one of them."""

from __future__ import annotations

from itertools import product

import pytest

from agent.prompting import BadPrompt
from evaluators.run import api
from evaluators.run.config import RunConfig
from scenarios import registry
from sites.crm.airline_desk.model.airline import KEYS
from tests.contracts import test_honesty as honesty
from tests.contracts.test_honesty import Asked, answered
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

AGENTS = ("react", "flat")
"""Those without a limit of actions."""
SEEDS = range(3) if DEEP else (3,)
FAMILIES = sorted(
    name
    for name, made in registry.family_modules().items()
    if "airline" in made.HOSTS and not registry.is_variant(name)
)
OTHERS = [key for key in KEYS if key != "contrail"]
SHORT = [
    ("react", "find_by_name.ostrel"),
    ("react", "move_one_leg.halcyra"),
    ("flat", "booking_figures.ostrel"),
    ("flat", "cheapest_fit.halcyra"),
]
CASES = (
    [
        (agent, f"{family}.{airline}")
        for family in FAMILIES
        for agent, airline in product(AGENTS, KEYS)
    ]
    if DEEP
    else SHORT
)
"""Each agent does each family on each airline with `tox -e deep`; else each does one family, whose
episode is short, on each airline that the prompts do not know. On Contrail `test_honesty.py`
plays."""


def test_there_are_families():
    assert {"book_party", *(family.partition(".")[0] for _, family in SHORT)} <= {*FAMILIES}
    met = {(agent, family.partition(".")[2]) for agent, family in CASES}
    assert met >= {*product(AGENTS, OTHERS)}


@pytest.mark.parametrize(("agent", "family"), CASES)
def test_it_does_the_family_on_each_airline(shared_episodes, agent, family):
    for seed in SEEDS:
        record = shared_episodes.get(agent, family, seed).record
        assert record["success"] and record["progress"] == 1, record["checks"]
        assert record["invalid_actions"] == 0


@pytest.mark.parametrize(("agent", "family"), CASES)
def test_the_model_knows_what_its_requests_say_and_nothing_else(
    shared_episodes, subtests, agent, family
):
    episode = shared_episodes.get(agent, family, SEEDS[0])
    requests = [
        Asked(
            episode.scenario, call.purpose, dict(call.request), answered(call.reply, call.request)
        )
        for call in episode.calls
    ]
    for contract in honesty.CONTRACTS:
        with subtests.test(contract=contract.__name__):
            contract(requests)


def test_laser_is_refused_before_its_first_episode(tmp_path):
    """Its graphs are of other hosts."""
    with pytest.raises(BadPrompt, match=r"airline\.toml"):
        api.run(["laser"], registry.from_family("book_party", range(1)), RunConfig(out=tmp_path))
