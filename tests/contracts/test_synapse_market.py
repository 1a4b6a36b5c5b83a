"""Synapse at the market: `checkout_exact`, with exemplars of training seeds that are built here."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from agent.methods.synapse import exemplar_files
from evaluators.commands.exemplars import build, trajectories
from scenarios import registry
from scenarios.store import _visit
from tests import between
from tests.contracts import test_honesty as honesty
from tests.contracts.test_honesty import Asked, answered

POSSIBLE, IMPOSSIBLE = 3, 1
pytestmark = pytest.mark.usefixtures("unmeasured")
FAMILY = "checkout_exact"


@pytest.fixture(scope="module")
def exemplars() -> Path:
    """Built by one of the processes, for all."""
    folder: Path = between.shared("exemplars", FAMILY, _built)
    return folder


def _built() -> Path:
    """In a thread, which has an event loop of its own."""
    folder = Path(os.environ[between.FOLDER], f"exemplars-{FAMILY}")
    folder.mkdir()
    work = threading.Thread(target=build.build, args=(folder, "hashed", [FAMILY], str))
    work.start()
    work.join()
    return folder


def test_exemplars_hold_no_wording_of_another_split(exemplars):
    assert {_visit.split_of(seed) for seed in trajectories.SEEDS} == {"train"}
    known = {registry.scenario(f"store/{FAMILY}/{seed}").instruction for seed in trajectories.SEEDS}
    shown = exemplar_files.load("store", FAMILY, exemplars).exemplars
    assert len(shown) == 3 and {each.instruction for each in shown} <= known


def test_it_orders_exactly_what_was_asked_for(exemplars, harness, tmp_path):
    agent = f"synapse:top=18,exemplars={exemplars}"
    for seed in (POSSIBLE, IMPOSSIBLE):
        record = harness.run(agent, f"store/{FAMILY}/{seed}", tmp_path, strict=True).record
        assert record["success"] is True, record["checks"]
    assert not registry.scenario(f"store/{FAMILY}/{IMPOSSIBLE}").gold["possible"]


@pytest.mark.parametrize(("agent", "family"), [("synapse:top=18", FAMILY)])
def test_the_model_knows_what_its_requests_say_and_nothing_else(
    exemplars, shared_episodes, subtests, agent, family
):
    episode = shared_episodes.get(f"{agent},exemplars={exemplars}", family, POSSIBLE)
    requests = [
        Asked(episode.scenario, call.purpose, dict(call.request), answered(call.reply))
        for call in episode.calls
    ]
    for contract in honesty.CONTRACTS:
        with subtests.test(contract=contract.__name__):
            contract(requests)
