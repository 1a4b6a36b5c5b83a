from __future__ import annotations

import gc
import threading

import pytest

from sites.world import World, WorldClosed, Worlds, state
from tests import open_databases
from tests.each import for_each

SCHEMA = """
CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE log_seen (id INTEGER PRIMARY KEY, name TEXT);
"""


def world(session: str = "s") -> World:
    return World(SCHEMA, session, {"instruction": "do it"})


def add(place: World, name: str, table: str = "things") -> int:
    return place.write(f"INSERT INTO {table} (name) VALUES (?)", (name,))


def names(place: World) -> list[str]:
    return [row["name"] for row in place.read("SELECT name FROM things ORDER BY id")]


def test_a_fork_has_the_rows_of_then_and_goes_its_own_way():
    first = world()
    add(first, "a")
    second = first.fork()
    add(first, "b")
    add(second, "c")
    assert names(first) == ["a", "b"]
    assert names(second) == ["a", "c"]
    assert second.session == "s"
    assert second.about == {"instruction": "do it"}


def test_a_fork_of_a_closed_world_is_open():
    first = world()
    first.close()
    second = first.fork()
    add(second, "a")
    assert names(second) == ["a"]


def test_restore_brings_the_rows_back():
    place = world()
    add(place, "a")
    mark = place.fork()
    add(place, "b")
    place.restore(mark)
    assert names(place) == ["a"]
    assert place.digest() == mark.digest()


def test_a_closed_world_can_be_read_but_not_written():
    place = world()
    add(place, "a")
    before = place.snapshot()
    place.close()
    with pytest.raises(WorldClosed):
        add(place, "b")
    with pytest.raises(WorldClosed):
        add(place, "b", "log_seen")
    assert place.snapshot() == before


def test_the_journal_is_in_the_snapshot_only():
    place = world()
    before = place.digest()
    add(place, "a", "log_seen")
    assert place.digest() == before
    assert place.snapshot()["log_seen"] == [{"id": 1, "name": "a"}]
    assert state(place.snapshot()) == {"things": []}
    add(place, "a")
    assert place.digest() != before


def test_write_returns_the_row_and_values_are_data():
    place = world()
    evil = "x'); DROP TABLE things; --"
    assert [add(place, "a"), add(place, evil)] == [1, 2]
    assert names(place) == ["a", evil]


def test_threads_share_a_world():
    place = world()
    threads = [
        threading.Thread(target=lambda: [add(place, "x") for _ in range(50)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row["id"] for row in place.read("SELECT id FROM things ORDER BY id")] == list(
        range(1, 401)
    )


def test_a_token_leads_to_its_world_and_never_to_another():
    worlds, mine, public = Worlds(), world("mine"), world("public")
    token = worlds.admit(mine)
    worlds.publish(public)
    assert len(token) == 32
    assert worlds.find(token, "public") is mine
    assert worlds.find("0" * 32, "public") is None
    assert worlds.find(None, "public") is public
    assert worlds.find("", "public") is public
    assert worlds.find(None, "mine") is None
    assert worlds.find(None, None) is None


def test_replaced_dismissed_and_withdrawn_worlds():
    worlds, first, second = Worlds(), world("a"), world("a")
    token = worlds.admit(first)
    worlds.replace(token, second)
    assert worlds.find(token, None) is second
    worlds.revoke(token)
    worlds.revoke(token)
    assert worlds.find(token, None) is None
    worlds.publish(first)
    worlds.withdraw("a")
    worlds.withdraw("a")
    assert worlds.find(None, "a") is None


def test_tokens_differ():
    worlds = Worlds()
    assert len({worlds.admit(world()) for _ in range(20)}) == 20


# Releasing ---------------------------------------------------------------------------------------


@for_each(
    "use",
    [
        lambda place: names(place),
        lambda place: place.table("SELECT 1"),
        lambda place: place.snapshot(),
        lambda place: place.digest(),
        lambda place: place.fork(),
        lambda place: place.restore(world()),
        lambda place: world().restore(place),
        lambda place: add(place, "b"),
    ],
)
def test_a_released_world_says_that_the_visit_is_over(use):
    place = world()
    place.release()
    place.release()
    assert place.closed and place.released
    with pytest.raises(WorldClosed):
        use(place)


def test_a_block_releases_its_world_whatever_is_raised():
    place = world()

    def visit() -> None:
        with place:
            assert not place.released
            raise LookupError

    with pytest.raises(LookupError):
        visit()
    assert place.released


def test_a_fork_outlives_its_world():
    with world() as place:
        add(place, "a")
        copy = place.fork()
    assert names(copy) == ["a"] and not copy.released


def test_a_world_that_is_dropped_closes_its_database():
    """Also if it is part of a circle, which the collector takes apart in any order."""
    before = open_databases.opened()
    place = world()
    place.about = {"circle": place}  # type: ignore[dict-item]
    [database] = open_databases.opened() - before
    del place
    gc.collect()
    assert not database.is_open


def test_worlds_release_what_they_show_and_leave_alone_what_an_episode_admits():
    worlds, shown, taken, episode = Worlds(), world("a"), world("b"), world("c")
    worlds.publish(shown)
    worlds.publish(taken)
    token = worlds.admit(episode)
    assert worlds.withdraw("b") is taken
    worlds.release()
    assert shown.released and worlds.find(None, "a") is None
    assert not taken.released and not episode.released
    assert worlds.find(token, None) is episode


def test_a_world_is_released_while_threads_read_it():
    place, ended = world(), []

    def read() -> None:
        try:
            while True:
                names(place)
        except WorldClosed:
            ended.append(True)

    threads = [threading.Thread(target=read, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    place.release()
    for thread in threads:
        thread.join()
    assert len(ended) == 4
