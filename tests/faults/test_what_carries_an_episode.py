"""The browser, its pipe and the site die under an episode: it runs again, and is scored."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

import pytest

from agent import agent_spec
from agent.browser import lane
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records import run_folder
from evaluators.run import scheduler
from evaluators.run.config import ExecutorConfig
from tests.evaluators.records.example_records import manifest
from tests.faults import saboteur
from tests.faults.saboteur import descendants

CAUSES = {
    "crash_renderer": "browser",
    "kill_browser": "browser",
    "break_pipe": "browser",
    "close_site": "site",
    "break_site": "site",
}


@pytest.fixture(autouse=True)
def soon_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose browser is gone is waited for as long as one that goes on changing."""
    monkeypatch.setattr(lane, "SETTLE_SECONDS", 2.0)


def saboteurs(notes: Path, *deeds: tuple[str, int]) -> list[EpisodeSpec]:
    """An episode each, which breaks something before one of its steps."""
    return [
        EpisodeSpec(
            agent_spec.read(f"{saboteur.__file__}:deed={deed},step={step},notes={notes}"),
            f"store/buy_item/{seed}",
        )
        for seed, (deed, step) in enumerate(deeds)
    ]


def run_all(run: Path, work: list[EpisodeSpec], concurrency: int) -> list[dict]:
    """The records; no process is left that was not there before."""
    before = descendants(os.getpid())
    scheduler.run_episodes(
        work, RunContext(run), ExecutorConfig(concurrency=concurrency), lambda record: None
    )
    end = time.monotonic() + 5
    while descendants(os.getpid()) - before and time.monotonic() < end:
        time.sleep(0.02)
    assert descendants(os.getpid()) - before == set()
    run_folder.save_manifest(run, manifest())
    return [each.to_json() for each in run_folder.episodes(run)]


@pytest.mark.wide
def test_what_dies_is_started_again_and_the_episode_comes_to_a_verdict(tmp_path):
    work = saboteurs(tmp_path, *((deed, 1) for deed in CAUSES), ("", 0))
    found = run_all(tmp_path / "run", work, concurrency=1)
    by_deed = {each["options"].get("deed", ""): each for each in found}
    for deed, cause in CAUSES.items():
        record = by_deed[deed]
        assert (record["ended"], record["tries"], record["answer"]) == ("answered", 2, "done")
        assert record["faults"] == {"met": {cause: 1}, "mended": {cause: 1}}, deed
    assert by_deed[""]["tries"] == 1, "who comes after is not harmed"


@pytest.mark.wide
def test_all_who_share_a_browser_go_on_in_the_next_one(tmp_path):
    """The deed of one is the fault of all that are under way."""
    work = saboteurs(tmp_path, ("break_pipe", 2), *[("", 0)] * 3)
    found = run_all(tmp_path / "run", work, concurrency=4)
    assert [each["ended"] for each in found] == ["answered"] * 4
    assert sum(each["faults"]["met"].get("browser", 0) for each in found) >= 1


@pytest.mark.deep
@pytest.mark.parametrize("series", range(10))
def test_deaths_at_random_steps(tmp_path, series):
    rng = Random(f"deaths/{series}")
    deeds = [(rng.choice([*CAUSES]), rng.randrange(3)) for _ in range(10)]
    found = run_all(tmp_path / "run", saboteurs(tmp_path, *dict.fromkeys(deeds)), concurrency=2)
    ended = {each["ended"] for each in found}
    assert ended <= {"answered", "infra_error"}
    for each in found:  # a neighbour's deed may also have ended the second try
        assert (each["ended"] == "answered") or each["tries"] == 2
