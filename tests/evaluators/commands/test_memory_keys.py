"""The exemplar memory on real pages: its keys are what the pages show, and it finds the kind."""

from __future__ import annotations

import pytest

from agent.methods.synapse.memory import Key, Memory, load, shipped
from evaluators.commands.exemplars import memory_keys
from scenarios import registry, suites

PAPERS, FURTHER = 48, 25
"""So many tasks with keys are the paper's, and so many are not."""
FRESH = 90_000
"""Seeds from here on are neither the keys' nor those by which the features were chosen."""
FEW_KNOWN = [
    *("book-flight", "click-checkboxes-soft", "click-tab-2", "count-shape", "enter-password"),
    *("social-media-all", "terminal", "tic-tac-toe"),
]
FEW_UNSEEN = ["click-option", "click-test", "email-inbox", "unicode-test"]


@pytest.fixture(scope="module")
def opened(runner, environments):
    return lambda families, seeds: runner.run(memory_keys.keys(environments, families, seeds))


@pytest.fixture(scope="module")
def measured(runner):
    return lambda memory, queries: memory_keys.summed(
        memory.embedder, runner.run(memory_keys.look(memory, queries))
    )


def memory() -> Memory:
    return load(shipped("widgets"))


def test_the_tasks_are_those_of_the_paper_and_further_ones():
    known, unseen = memory_keys.known("widgets"), memory_keys.unseen("widgets")
    papers = {name.split("/")[1] for name in suites.load("widgets-64").scenarios}
    assert {*known[:PAPERS], *unseen} == papers and len(papers) == PAPERS + 16
    assert len(set(known)) == len(known) == PAPERS + FURTHER
    assert not papers & {*known[PAPERS:]}, "their tasks find what the paper's memory holds"
    assert {*known, *unseen} <= set(registry.family_modules())
    assert memory().tasks == set(known)
    for task in unseen:
        assert set(memory_keys.accepted(task)) <= set(known)
    assert memory_keys.accepted("click-menu") == ["click-menu"]


def test_the_keys_are_of_no_seed_that_a_suite_plays():
    in_suites = {
        int(name.rsplit("/")[-1]) for each in suites.names() for name in suites.load(each).scenarios
    }
    assert len(memory_keys.SEEDS) == 5
    assert not in_suites & set(memory_keys.SEEDS)
    assert FRESH not in memory_keys.SEEDS


def test_the_shipped_keys_are_what_the_pages_show(opened):
    families = ["choose-date", "email-inbox-nl-turk", "login-user-popup"]
    keys = opened(families, [memory_keys.SEEDS[0], memory_keys.SEEDS[-1]])
    assert [key.task for key in keys] == [each for each in families for _ in range(2)]
    assert set(keys) <= set(memory().keys), "build the shipped keys again"


@pytest.mark.wide
def test_it_finds_the_kind_of_a_page_that_it_never_saw(measured, opened):
    queries = opened(FEW_KNOWN + FEW_UNSEEN, [FRESH])
    found = measured(memory(), queries)
    assert found.misses == ()
    assert (found.seen, found.unseen) == (8, 4)
    assert found.seen_distance < found.unseen_distance


def test_what_is_measured(measured):
    """Two tasks that are known and one that is not, each found or missed."""
    press, tick = (
        Key("click-test", "Press it", "<button>"),
        Key("copy-paste-2", "Copy it", "<text>"),
    )
    made = Memory([press, tick])
    others = [Key("click-test", "Copy it", "<text>"), Key("copy-paste", "Copy it", "")]
    found = measured(made, [press, tick, *others])
    assert (found.embedder, found.seen, found.seen_hits) == ("hashed", 3, 1)
    assert (found.unseen, found.unseen_hits) == (1, 1)
    assert found.misses == (("click-test", "click-test"), ("click-test", "copy-paste-2"))
    assert found.seen_distance == 0
    assert found.unseen_distance > 0
    assert measured(made, [tick]).unseen_distance is None


@pytest.mark.deep
def test_the_shipped_memory_is_built_again_byte_by_byte(runner, opened, tmp_path):
    keys = opened(memory_keys.known("widgets"), memory_keys.SEEDS)
    runner.run(memory_keys.build(tmp_path / "keys.jsonl", keys))
    assert (tmp_path / "keys.jsonl").read_bytes() == shipped("widgets").read_bytes()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(FRESH, FRESH + 5))
def test_nearly_every_task_finds_its_kind(measured, opened, seed):
    queries = opened(memory_keys.known("widgets") + memory_keys.unseen("widgets"), [seed])
    found = measured(memory(), queries)
    assert (found.seen, found.unseen) == (PAPERS + FURTHER, 16)
    assert found.seen_hits >= found.seen - 2, found.misses
    assert found.unseen_hits >= 14, found.misses
    assert found.seen_distance < found.unseen_distance


def test_the_papers_memory_has_five_keys_of_each_of_its_48_tasks():
    """Not those of the pages beyond the paper's; none of the 16 tasks without exemplars."""
    tasks = memory_keys.paper_tasks()
    assert len(tasks) == len(set(tasks)) == PAPERS
    assert not set(tasks) & set(memory_keys.unseen("widgets"))
    keys = memory().keys
    assert sum(each.task in tasks for each in keys) == 5 * PAPERS < len(keys)
