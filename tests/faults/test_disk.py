"""A disk that is full, or may not be written: the run stops, and what is done is kept."""

from __future__ import annotations

import os
import resource
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from agent.llm.completion import completion
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.storage_errors import NotWritten
from evaluators.records import files, run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.evaluators.run.test_scheduler import contents, own

SEEDS = range(2)
SMALL, PAGE = 1024 * 1024, 4096
ENOUGH = 36
"""So many pages free are still too few for the run, which takes some forty."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SMALL}", "tmpfs", place],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", place], check=True)


def run_all(out: Path):
    setting = RunConfig(out=out, executor=ExecutorConfig(concurrency=1))
    return run(["react", "expert"], registry.from_family("buy_item", SEEDS), setting)


def room(disk: Path) -> int:
    free = os.statvfs(disk)
    return free.f_bavail * free.f_frsize


def filled(disk: Path, free: int) -> Path:
    """Ballast that leaves so many bytes."""
    ballast = disk / "ballast"
    ballast.write_bytes(b"x" * (room(disk) - free))
    return ballast


def unharmed(out: Path) -> list[str]:
    """The episodes that are kept, each of them whole; nothing half written is left beside."""
    for each in run_folder.episodes(out):
        files.check(run_folder.home(out, each))
    return [each.episode for each in run_folder.episodes(out)]


def levels() -> list:
    rng = Random("levels")
    drawn = [rng.randrange(ENOUGH) for _ in range(30)]
    return [12, *(pytest.param(each, marks=pytest.mark.deep) for each in drawn)]


@pytest.mark.wide
@pytest.mark.parametrize("pages", levels())
def test_a_full_disk_stops_the_run_and_what_is_done_is_kept(small_disk, pages):
    out = small_disk / "run"
    ballast = filled(small_disk, pages * PAGE)
    with pytest.raises(NotWritten, match=r"cannot write .*No space left on device.* make room"):
        run_all(out)
    kept = unharmed(out) if (out / "run.json").exists() else []
    before = contents(out)
    ballast.unlink()
    summary = run_all(out)
    scores = [(row.infra, row.success) for row in summary.rows]
    assert scores == [(0, 1.0), (0, 1.0)], "nobody was blamed"
    after = contents(out)
    assert {path: after[path] for path in before if path.endswith("episode.json")} == {
        path: before[path] for path in before if path.endswith("episode.json")
    }
    assert len(kept) < 2 * len(SEEDS) == len(unharmed(out))


@pytest.mark.wide
def test_an_episode_counts_once_all_of_it_is_on_the_disk(tmp_path, monkeypatch):
    """Its record is synced last, then its folder; and no other episode waits for the disk."""
    synced: list[int] = []
    main, fsync = threading.get_ident(), os.fsync

    def noted(opened: int) -> None:
        fsync(opened)
        synced.append(os.fstat(opened).st_ino)
        assert threading.get_ident() != main or b"episodes" not in os.readlink(
            f"/proc/self/fd/{opened}".encode()
        )

    def complete(record: EpisodeRecord) -> None:
        home = run_folder.home(out, record)
        numbers = {path.name: path.stat().st_ino for path in home.iterdir()}
        evidence = {"trace.jsonl", "final_world.json", "SHA256SUMS", "llm.jsonl"}
        assert numbers.keys() == evidence | {"episode.json"}
        at = synced.index(numbers["episode.json"])
        before = {*synced[:at]}
        assert {numbers[name] for name in evidence} | {home.stat().st_ino} <= before
        assert synced[at + 1] == home.stat().st_ino
        counted.append(record.episode)

    out, counted = tmp_path / "run", list[str]()
    monkeypatch.setattr(os, "fsync", noted)
    setting = RunConfig(out=out, executor=ExecutorConfig(concurrency=1))
    run(["react"], registry.from_family("buy_item", SEEDS), setting, on_record=complete)
    assert len(counted) == len(SEEDS)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Writing stops short at so many bytes of a file, as on a disk with a quota."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_record_that_stops_short_is_no_record(tmp_path):
    path = tmp_path / "episode.json"
    files.save(path, {"a": 1})
    with largest_file(1000), pytest.raises(NotWritten, match="File too large"):
        files.save(path, {"a": "x" * 5000})
    assert files.load(path) == {"a": 1}
    assert [each.name for each in tmp_path.iterdir()] == ["episode.json"]


def test_a_recording_that_stops_short_is_not_published(tmp_path):
    path = tmp_path / "llm.jsonl"
    writer = CassetteWriter(path, "m", {})
    asked = {"model": "m", "messages": [{"role": "user", "content": "x" * 50_000}]}
    with largest_file(10_000), pytest.raises(NotWritten, match="File too large"):
        writer.write("p", asked, completion(["hi"]))
    writer.close()
    assert not path.exists()
    CassetteWriter(path, "m", {}).close()
    assert Cassette.read(path).calls == ()


def test_a_method_cannot_swallow_a_full_disk(harness, tmp_path):
    """It is neither its failure nor a fault that is tried again."""
    body = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
try:
    for _ in range(9):
        await llm.ask("react/act", [{"role": "user", "content": "x" * 5000}])
except OSError:
    pass
return "done"
"""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with pytest.raises(NotWritten, match="File too large"):
            harness.run(own(tmp_path, body), "store/buy_item/0", tmp_path / "run")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.rglob("episode.json"))
