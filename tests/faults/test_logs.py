"""What a run has written and somebody has changed since: named, refused, never half believed."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import pytest

from agent import agent_spec
from agent.llm.completion import completion
from agent.llm.recording.cassette import Cassette, CassetteCorrupt, CassetteFault, CassetteWriter
from evaluators.records import files, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.run import api, manifest, resume
from evaluators.run.config import RunConfig
from evaluators.run.manifest import ChangedRun
from scenarios import registry
from tests import measuring
from tests.evaluators.report.handmade import Written, record

SAMPLE = 60
STRUCTURE = b"\n{}[]:,"
"""Line ends, and what stands between the values of JSON."""

# An episode's files ------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A small episode, acknowledged."""
    written = Written(tmp_path / "run")
    written.begin()
    made = record("expert", checks=[], by_purpose={}, reward_parts={}, instruction="")
    home = written.add(made, trace=[{"kind": "end"}])
    files.save(run_folder.attempt(home, 1), {"purchases": []})
    run_folder.commit(home, made)
    files.check(home)
    return home


def some(data: bytes, name: str) -> list[int]:
    """Places in a file: all with `tox -e deep`; else a sample, and what gives it its structure."""
    if measuring.DEEP:
        return list(range(len(data)))
    sample = Random(name).sample(range(len(data)), min(len(data), SAMPLE))
    structure = [at for at, byte in enumerate(data) if byte in STRUCTURE]
    return sorted({*sample, *structure, 0, len(data) - 1})


@pytest.mark.wide
def test_a_flip_of_any_byte_is_loud(home):
    names = sorted(path.name for path in home.iterdir())
    assert names == ["SHA256SUMS", "attempt-1.json", "episode.json", "final_world.json",
                     "trace.jsonl"]  # fmt: skip
    for path in map(home.joinpath, names):
        data = path.read_bytes()
        for at in some(data, f"flips of {path.name}"):
            path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            with pytest.raises(CorruptRecord) as error:
                files.check(home)
            message = str(error.value)
            assert path.name in message or "SHA256SUMS" in message
            assert "delete its folder and resume" in message
        path.write_bytes(data)
    files.check(home)


@pytest.mark.wide
def test_a_cut_at_any_byte_is_loud(home):
    for path in sorted(home.iterdir()):
        data = path.read_bytes()
        for size in some(data, f"cuts of {path.name}"):
            path.write_bytes(data[:size])
            with pytest.raises(CorruptRecord):
                files.check(home)
        path.write_bytes(data)
    files.check(home)


def test_a_file_that_is_gone_or_exchanged_is_loud(home):
    for path in sorted(home.iterdir()):
        data = path.read_bytes()
        path.unlink()
        with pytest.raises(CorruptRecord, match=rf"{path.name}|SHA256SUMS"):
            files.check(home)
        path.write_bytes(data)
    files.save(run_folder.attempt(home, 2), {})
    with pytest.raises(CorruptRecord, match=r"attempt-2\.json"):
        files.check(home)


@pytest.mark.wide
def test_interrupted_episodes_are_named_and_run_again(tmp_path):
    """A run that ended in the middle of episodes leaves folders without a record."""
    tasks = registry.from_family("buy_item", range(5))
    setting = RunConfig(out=tmp_path / "run")
    whole = api.run(["nothing"], tasks, setting)
    assert list(resume.notes(tmp_path / "run")) == []
    for seed in range(4):
        home = run_folder.folder(tmp_path / "run", "nothing", "buy_item", seed, 0)
        data = (home / "episode.json").read_bytes()
        (home / "episode.json.part").write_bytes(data[: len(data) // 2])
        (home / "episode.json").unlink()
    notes = list(resume.notes(tmp_path / "run"))
    assert notes[0].startswith("nothing/buy_item-0/0: interrupted")
    assert len(notes) == 4 and notes[3] == "and 1 more that were interrupted"
    seeds = []
    repeated = api.run(["nothing"], tasks, setting, on_record=lambda each: seeds.append(each.seed))
    assert sorted(seeds) == [0, 1, 2, 3] and repeated == whole
    assert not list(tmp_path.rglob("*.part")) and not list(resume.notes(tmp_path / "run"))


# Recordings --------------------------------------------------------------------------------------


def test_any_mutation_of_a_recording_is_named(tmp_path):
    path = tmp_path / "llm.jsonl"
    writer = CassetteWriter(path, "m", {"store.toml": "0" * 64})
    for text in ("one " * 20, "two " * 20):
        asked = {"model": "m", "messages": [{"role": "user", "content": text}]}
        writer.write("p", asked, completion([text.upper()]))
    writer.close()
    data, rng = path.read_bytes(), Random("mutations")
    for _ in range(500):
        path.write_bytes(mutated(data, rng))
        with pytest.raises(CassetteCorrupt) as error:
            Cassette.read(path)
        assert str(error.value).startswith(f"{path}:")
    packed = gzip.compress(data)
    for size in (len(packed), len(packed) // 2, 5):
        path.write_bytes(packed[:size])
        with pytest.raises(CassetteFault):
            Cassette.read(path)


def mutated(data: bytes, rng: Random) -> bytes:
    """Other bytes: some flipped, cut, doubled, exchanged, or with other line ends."""
    at, to = sorted(rng.sample(range(len(data)), 2))
    made = rng.choice(
        (
            data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :],
            data[:at],
            data[:at] + data[to:],
            data[:to] + data[at:to] + data[to:],
            data[:at] + rng.randbytes(4) + data[at:],
            data.replace(b"\n", b"\r\n"),
            data + b"\n",
        )
    )
    return made if made != data else data[:-1]


# The configuration -------------------------------------------------------------------------------

OTHER = {
    "llm": "live",
    "mistakes": "memoryless",
    "context": 9000,
    "dollars": 0.5,
    "confirm": "stop",
    "shard": "1/2",
    "prompts": {"react": {"widgets": "0" * 64}},
    "tasks": {"click-test": "0" * 64},
    "models": {"react": "another"},
    "isolate": True,
    "lane": "text",
    "kind": "offline",
    "reasoning_effort": "high",
    "request_seconds": 7.0,
    "max_steps": 9,
    "max_calls": 9,
    "max_seconds": 9.0,
    "catalogue": "0" * 64,
}


FREE = ("agent_files", "agents", "fitted", "scenarios", "trials", "model")
"""What a run may have more of, the name of the default model, for which `models` stands, and what
no part has that react alone plays (tests/evaluators/run/test_growth.py compares it).
"""


def begun(out: Path) -> None:
    tasks = registry.from_suite("smoke")
    manifest.write(out, [agent_spec.read("react")], tasks, RunConfig(out=out))


def test_every_field_of_the_configuration_is_compared(tmp_path):
    begun(tmp_path)
    about = files.load(tmp_path / "run.json")
    assert sorted(about["config"]) == sorted([*OTHER, *FREE]), "add its line above"
    for name, value in OTHER.items():
        changed = {**about, "config": {**about["config"], name: value}}
        files.save(tmp_path / "run.json", changed)
        with pytest.raises(ChangedRun) as error:
            begun(tmp_path)
        assert f"({name.rstrip('s')}" in str(error.value) and ", now " in str(error.value)
        assert files.load(tmp_path / "run.json") == changed, "nothing was written over"


def test_a_family_of_ones_own_that_was_edited_is_another_task_set(tmp_path):
    family = tmp_path / "mine.py"
    family.write_text("from scenarios.store.webshop.buy_item import *\n")
    setting = RunConfig(out=tmp_path / "run")
    tasks = registry.from_family(str(family), range(1))
    manifest.write(tmp_path / "run", [agent_spec.read("nothing")], tasks, setting)
    family.write_text("from scenarios.store.webshop.buy_item import *\n# other\n")
    with pytest.raises(ChangedRun, match="tasks of mine was"):
        manifest.write(tmp_path / "run", [agent_spec.read("nothing")], tasks, setting)
