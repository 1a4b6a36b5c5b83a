"""`rehearse exemplars`: a run can use what it builds; it says what it cannot build."""

from __future__ import annotations

import json
import shutil
import threading

import numpy as np
import pytest

from agent.llm.model_source import BadModelSource
from agent.methods.synapse import exemplar_files, memory
from agent.plugins import UnknownName
from evaluators.commands.exemplars import build
from evaluators.commands.exemplars.build import BadExemplarFolder
from evaluators.commands.exemplars.memory_keys import Lookup, summed
from evaluators.run import api
from evaluators.run.config import RunConfig
from scenarios import registry


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The exemplars of one task, built in a thread, which has an event loop of its own."""
    folder, files = tmp_path_factory.mktemp("exemplars"), []
    work = threading.Thread(
        target=build.build, args=(folder, "hashed", ["click-test", "click-test"], files.append)
    )
    work.start()
    work.join()
    return folder, files


@pytest.mark.wide
def test_a_task_of_ones_own_choice_is_built_and_played_with(built, harness, tmp_path):
    folder, files = built
    assert files == ["widgets/click-test.toml", "widgets/keys.jsonl"]
    assert len(exemplar_files.load("widgets", "click-test", folder).exemplars) == 4
    assert len(memory.load(folder / "widgets" / "keys.jsonl").keys) == 5
    record = harness.run(
        f"synapse:exemplars={folder}", "widgets/click-test/3", tmp_path, strict=True
    ).record
    assert record["success"] is True
    plain = harness.run("synapse", "widgets/click-test/3", tmp_path / "b", strict=True).record
    digests = {each["hashes"]["memory"] for each in (record, plain)}
    assert len(digests) == 2 and all(len(each) == 64 for each in digests)


def test_exemplars_and_keys_must_be_of_the_same_tasks(built, harness, tmp_path):
    """Shipped exemplars with keys of one task are refused, not half used."""
    keys = built[0] / "widgets" / "keys.jsonl"
    agent = f"synapse:memory_file={keys}"
    record = harness.run(agent, "widgets/click-test/3", tmp_path).record
    assert record["ended"] == "agent_error" and "does not know the tasks" in record["error"]


def test_embeddings_that_nobody_answers_are_refused_before_anything_is_played(built, tmp_path):
    """A memory of a model behind the API, and the scripted model, which makes no embeddings."""
    home = tmp_path / "widgets"
    shutil.copytree(built[0] / "widgets", home)
    keys = memory.load(home / "keys.jsonl").keys
    memory.Memory(keys, "openai", np.eye(len(keys), dtype=np.float32)).save(home / "keys.jsonl")
    agent = f"synapse:embedder=openai,exemplars={tmp_path}"
    task_set, out = registry.from_family("click-test", range(1)), tmp_path / "run"
    with pytest.raises(
        BadModelSource, match=r"makes no embeddings; .*write embedder=hashed"
    ) as refused:
        api.run([agent], task_set, RunConfig(out=out))
    assert "\n" not in str(refused.value) and not out.exists()


def test_nothing_is_written_over(built):
    with pytest.raises(BadExemplarFolder, match="is there already"):
        build.build(built[0], "hashed", ["click-test"], print)


def test_where_one_site_has_some_none_is_written(built, tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "buy_item.toml").write_text("")
    with pytest.raises(BadExemplarFolder, match="store is there already"):
        build.build(tmp_path, "hashed", ["click-test", "buy_item"], print)
    assert not list(tmp_path.glob("**/keys.jsonl"))


def test_a_task_that_is_none_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(UnknownName, match="'buy_itme'; did you mean buy_item"):
        build.build(tmp_path, "hashed", ["buy_itme"], print)
    assert not list(tmp_path.iterdir())


def test_a_site_without_exemplars_has_no_table():
    with pytest.raises(UnknownName, match=r"'sho'; .*shop"):
        build.table("hashed", "sho")


def test_the_table_by_task():
    found = [
        Lookup("a", "a", 0.5, seen=True, hit=True, near=True),
        Lookup("a", "b", 0.7, seen=True, hit=False, near=True),
        Lookup("c", "b", 1.0, seen=False, hit=False, near=False),
    ]
    rows = [list(row.values()) for row in build.rows(found)]
    assert rows == [["a", "seen", 2, 1, 2, 0.6, "b"], ["c", "unseen", 1, 0, 0, 1.0, "b"]]
    total = summed("hashed", found)
    assert (total.seen_hits, total.seen_near, total.seen_distance) == (1, 2, 0.6)
    assert (total.unseen_hits, total.unseen_near, total.unseen_distance) == (0, 0, 1.0)
    assert "unseen: own kind found for 0 of 1 pages, in the top three for 0" in total.text
    json.dumps(rows)


@pytest.mark.wide
def test_a_task_at_an_airline_is_built_under_the_host_that_it_begins_on(tmp_path):
    """There the method looks for it; the shipped file is the same, byte by byte. The site behind
    it has another name."""
    folder, files = tmp_path / "exemplars", []
    work = threading.Thread(
        target=build.build, args=(folder, "hashed", ["airline_search.contrail"], files.append)
    )
    work.start()
    work.join()
    assert files == ["airline/airline_search.contrail.toml", "airline/keys.jsonl"]
    composed, shipped = (each / files[0] for each in (folder, exemplar_files.FOLDER))
    assert composed.read_bytes() == shipped.read_bytes()
    keys = memory.load(folder / "airline" / "keys.jsonl").keys
    assert len(keys) == 4, "the words of one seed of five are held out"
    assert "Contrail" in keys[0].state
