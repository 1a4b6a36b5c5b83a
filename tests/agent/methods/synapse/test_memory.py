"""The exemplar memory: who votes, what is nearest, and what is refused of a file."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.interface import Dialog, Element, Observation, Text
from agent.llm.recording.canonical import encoded
from agent.methods.synapse.memory import (
    BadMemory,
    Key,
    Memory,
    Neighbour,
    load,
    metadata,
    raw_state,
    shipped,
    vote,
)

KEYS = [
    Key("press", 'Click on the button "ok".', "<button>ok</button>"),
    Key("press", 'Click on the button "no".', "<button>no</button>"),
    Key("time", "Enter 12:30 as the time.", '<input type="time">'),
    Key("time", "Enter 4:05 as the time.", '<input type="time">'),
]


def near(*tasks):
    return tuple(Neighbour(task, distance=at + 1.0) for at, task in enumerate(tasks))


@pytest.mark.parametrize(
    ("tasks", "winner", "distance"),
    [
        ("aaa", "a", 1),
        ("abb", "b", 2),
        ("bab", "b", 1),
        ("abc", "a", 1),  # a tie: the nearest
        ("ab", "a", 1),
        ("b", "b", 1),
    ],
)
def test_the_most_common_task_wins_and_on_a_tie_the_nearest(tasks, winner, distance):
    found = vote(near(*tasks))
    assert (found.task, found.distance) == (winner, distance)
    assert found.neighbours == near(*tasks)


def test_beyond_the_threshold_nothing_is_found():
    assert vote(near("a", "b", "b"), 2.0).task == "b"
    beyond = vote(near("a", "b", "b"), 1.9)
    assert (beyond.task, beyond.distance, len(beyond.neighbours)) == (None, 2.0, 3)


def test_it_finds_what_is_like_it(runner):
    memory = Memory(KEYS)
    found = runner.run(memory.retrieve(metadata("Enter 9:15 as the time.", '<input type="time">')))
    assert found.task == "time"
    assert [each.task for each in found.neighbours] == ["time", "time", "press"]
    assert found.neighbours[0].distance == pytest.approx(0, abs=1e-3)
    assert found.neighbours[2].distance > 1
    assert runner.run(memory.retrieve(KEYS[0].text, threshold=0.01)).task == "press"
    assert runner.run(memory.retrieve("nothing like it", threshold=0.5)).task is None


def test_fewer_keys_than_voters_are_enough(runner):
    found = runner.run(Memory(KEYS[:1]).retrieve(KEYS[0].text))
    assert (found.task, len(found.neighbours)) == ("press", 1)
    with pytest.raises(BadMemory, match="needs at least one key"):
        Memory([])


@given(st.integers(0, 2**32 - 1), st.integers(3, 40), st.integers(1, 12))
def test_the_nearest_are_those_of_exhaustive_search(runner, seed, count, size):
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(count, size)).astype(np.float32)
    asked = rng.normal(size=(1, size)).astype(np.float32)
    memory = Memory([Key(str(at), "", "") for at in range(count)], vectors=vectors)
    runner.run(memory.prepare())
    found = memory.nearest(asked)
    distances = sorted(np.linalg.norm(vectors - asked, axis=1))[:3]
    assert [each.distance for each in found.neighbours] == pytest.approx(distances, abs=1e-4)
    for each in found.neighbours:
        exact = np.linalg.norm(vectors[int(each.task)] - asked[0])
        assert each.distance == pytest.approx(exact, abs=1e-4)


# What is embedded ------------------------------------------------------------------------------


def test_the_state_holds_the_page_and_not_its_address_or_title():
    seen = Observation(
        "http://widgets.localhost/miniwob/click-button.html",
        "Click a button\n\nnow",
        (Text("Click on ok.", "note"), Element(1, "button", "ok", tag="button")),
        dialog=Dialog("alert", "click-button\n\nagain"),
    )
    assert raw_state(seen) == '<div role="note">Click on ok.</div>\n<button data-id="1">ok</button>'
    assert metadata("Click on ok.", "<p>") == "Task: Click on ok.\nState:\n<p>"
    assert Key("any", "Click on ok.", "<p>").text == metadata("Click on ok.", "<p>")


# The file --------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "memory.jsonl"
    Memory(KEYS).save(path)
    return path


def test_it_is_read_as_it_was_written(runner, path):
    memory = load(path)
    assert (memory.keys, memory.embedder) == (tuple(KEYS), "hashed")
    assert memory.tasks == {"press", "time"}
    assert memory.digest == Memory(KEYS).digest != Memory(KEYS[::-1]).digest
    memory.save(path.with_name("again"))
    assert path.with_name("again").read_bytes() == path.read_bytes()
    assert runner.run(memory.retrieve(KEYS[2].text)).task == "time"
    assert load(path) is memory


def test_its_lines_are_plain(path):
    header, *entries = map(json.loads, path.read_text().splitlines())
    assert (header["kind"], header["format"], header["embedder"]) == ("memory", 1, "hashed")
    assert header["parameters"] == {"dimensions": 4096, "rare": 0.01}
    assert [entry["instruction"] for entry in entries] == [key.instruction for key in KEYS]


def refused(path, embedder="hashed", tasks=None):
    with pytest.raises(BadMemory) as caught:
        load(path, embedder, tasks)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def rewritten(path, number, **changes):
    """The file with fields of one line changed and its checksum made right."""
    lines = path.read_bytes().splitlines(keepends=True)
    entry = {**json.loads(lines[number]), **changes}
    del entry["crc"]
    body = encoded({name: value for name, value in entry.items() if value is not None})[:-1]
    lines[number] = b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))
    path.write_bytes(b"".join(lines))


def test_another_embedder_is_refused(path):
    message = refused(path, "openai")
    assert message.startswith(
        f"{path} is for hashed (dimensions 4096, rare 0.01), "
        "not openai (model text-embedding-ada-002); build one"
    )


def test_other_parameters_of_the_embedder_are_refused(path):
    rewritten(path, 0, parameters={"dimensions": 64})
    assert "is for hashed (dimensions 64), not hashed (dimensions 4096, rare" in refused(path)


def test_other_tasks_are_refused(path):
    assert load(path, tasks=frozenset({"press", "time"})).tasks == {"press", "time"}
    for tasks in ({"press"}, {"press", "time", "drag"}):
        assert "does not know the tasks asked for (" in refused(path, tasks=frozenset(tasks))


def test_another_format_is_refused(path):
    rewritten(path, 0, format=2)
    assert f"{path} has format 2, not 1; build one" in refused(path)


def test_no_file_is_refused(tmp_path):
    message = refused(tmp_path / "none.jsonl")
    assert re.fullmatch(
        r"cannot read \S+none.jsonl: No such file or directory; build one .*", message
    )


@pytest.mark.parametrize("number", range(5))
def test_a_changed_byte_names_its_line(path, number):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[number] = lines[number].replace(b"t", b"T", 1)
    path.write_bytes(b"".join(lines))
    assert f"{path}:{number + 1}: the line does not match its checksum" in refused(path)


def test_a_line_that_was_cut_is_named(path):
    path.write_bytes(path.read_bytes()[:-9])
    assert f"{path}:5: the line does not match its checksum" in refused(path)


def test_a_lost_line_is_noticed(path):
    lines = path.read_bytes().splitlines(keepends=True)
    for left in (lines[:-1], [lines[0], lines[2], lines[1], *lines[3:]]):
        path.write_bytes(b"".join(left))
        load.cache_clear()
        assert f"{path} lacks keys that were written" in refused(path)


def test_a_key_without_a_field_is_named(path):
    rewritten(path, 3, state=None)
    assert f"{path}:4: the key has no 'state'" in refused(path)
    path.write_bytes(path.read_bytes().split(b"\n", 1)[1])
    assert f"{path}:1: the line is no memory's header" in refused(path)


# Stored vectors --------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    """A memory whose embedder is asked once only: its vectors lie in the file."""
    vectors = np.float32([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]])
    path = tmp_path / "stored.jsonl"
    Memory(KEYS, "openai/small", vectors).save(path)
    return path, vectors


def test_vectors_are_stored_exactly(runner, stored):
    path, vectors = stored
    memory = load(path, "openai/small")
    runner.run(memory.prepare())
    assert memory.nearest(vectors[3:]).neighbours[0] == Neighbour("time", 0.0)
    assert memory.digest == Memory(KEYS, "openai/small", vectors).digest
    assert "is for openai (model small), not openai (model text-emb" in refused(path, "openai")


def test_a_vector_of_another_length_is_of_another_model(runner, stored):
    path, _ = stored
    memory = load(path, "openai/small")
    runner.run(memory.prepare())
    with pytest.raises(BadMemory, match="hold 2 numbers and the one to look for 3: they are of"):
        memory.nearest(np.zeros((1, 3), np.float32))


@pytest.mark.parametrize("vector", [None, "", "AACAPw==", "AACA"])
def test_a_vector_unlike_the_others_is_named(stored, vector):
    path, _ = stored
    rewritten(path, 2, vector=vector)
    message = refused(path, "openai/small")
    assert f"{path}:3: the key has no vector like the others'" in message


# The keys that are shipped ---------------------------------------------------------------------


def test_the_shipped_memory_knows_five_pages_of_each_task(runner):
    memory = load(shipped("widgets"))
    assert set(Counter(key.task for key in memory.keys).values()) == {5}
    assert len(memory.keys) == (48 + 25) * 5  # the paper's tasks, and those beyond them
    assert shipped("widgets").stat().st_size < 1_000_000
    for key in memory.keys:
        found = runner.run(memory.retrieve(key.text))
        assert found.neighbours[0].distance == pytest.approx(0, abs=1e-3)
