"""Synapse at the market: `checkout_exact`, with exemplars of training seeds that are built here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent.methods.synapse import exemplar_files
from agent.methods.synapse.memory import KEYS
from evaluators.commands.exemplars import memory_keys, trajectories
from scenarios.store.pages import visits
from tests import between
from tests.contracts import test_honesty as honesty
from tests.contracts.harness import EpisodeHarness
from tests.contracts.test_honesty import Asked, answered
from tests.drawing import drawn
from tests.measuring import DEEP

POSSIBLE, IMPOSSIBLE = 3, 1
pytestmark = pytest.mark.usefixtures("unmeasured")
FAMILY = "checkout_exact"
MANY = 3
TRAINING = trajectories.SEEDS if DEEP else trajectories.SEEDS[:MANY]
"""With `tox -e deep` the exemplars are the best of several, as the command builds them."""


@pytest.fixture(scope="module")
def exemplars(harness) -> Path:
    """Built by one of the processes, for all: of as few seeds as there are exemplars."""
    folder: Path = between.shared("exemplars", FAMILY, lambda: harness.runner.run(_built(harness)))
    return folder


async def _built(harness: EpisodeHarness) -> Path:
    folder = Path(os.environ[between.FOLDER], f"exemplars-{FAMILY}")
    (folder / "store").mkdir(parents=True)
    made = await trajectories.compose(harness.environments, FAMILY, MANY, TRAINING)
    (folder / "store" / f"{FAMILY}.toml").write_text(trajectories.text(made), encoding="utf-8")
    keys = await memory_keys.keys(harness.environments, [FAMILY])
    await memory_keys.build(folder / "store" / KEYS, keys)
    return folder


@pytest.mark.wide
def test_exemplars_hold_no_wording_of_another_split(exemplars):
    assert {visits.split_of(seed) for seed in trajectories.SEEDS} == {"train"}
    known = {drawn(FAMILY, seed).instruction for seed in TRAINING}
    shown = exemplar_files.load("store", FAMILY, exemplars).exemplars
    assert len(shown) == MANY and {each.instruction for each in shown} <= known


each_request = pytest.mark.parametrize(("agent", "family"), [("synapse:top=18", FAMILY)])


@pytest.mark.wide
@pytest.mark.parametrize("seed", [POSSIBLE, IMPOSSIBLE])
@each_request
def test_it_orders_exactly_what_was_asked_for(exemplars, shared_episodes, agent, family, seed):
    record = shared_episodes.get(f"{agent},exemplars={exemplars}", family, seed).record
    assert record["success"] is True, record["checks"]


def test_one_of_the_seeds_cannot_be_done():
    assert [drawn(FAMILY, seed).gold["possible"] for seed in (POSSIBLE, IMPOSSIBLE)] == [
        True,
        False,
    ]


@pytest.mark.wide
@each_request
def test_the_model_knows_what_its_requests_say_and_nothing_else(
    exemplars, shared_episodes, subtests, agent, family
):
    episode = shared_episodes.get(f"{agent},exemplars={exemplars}", family, POSSIBLE)
    requests = [
        Asked(
            episode.scenario, call.purpose, dict(call.request), answered(call.reply, call.request)
        )
        for call in episode.calls
    ]
    for contract in honesty.CONTRACTS:
        with subtests.test(contract=contract.__name__):
            contract(requests)
