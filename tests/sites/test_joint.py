"""The worlds of a visit to several sites are one world: nothing of it is half restored."""

from __future__ import annotations

import pytest

from evaluators.scoring.score import changes
from sites.joint import JointWorld, JointWorlds, lead, neighbours, of_site
from sites.world import World, WorldClosed, Worlds, state

SCHEMA = "CREATE TABLE notes (text TEXT); CREATE TABLE log_pages (page TEXT);"
SITES = ("forum", "store")


def joint(make=World) -> JointWorld:
    return JointWorld({"forum": World(SCHEMA, "one"), "store": make(SCHEMA, "one")})


@pytest.fixture(name="world")
def _world():
    with joint() as made:
        yield made


def write(world: World, text: str) -> None:
    for site in SITES:
        world.of(site).write("INSERT INTO notes VALUES (?)", (text,))


def notes(world: World) -> list[list[str]]:
    return [[row["text"] for row in world.of(site).read("SELECT * FROM notes")] for site in SITES]


def test_a_fork_has_the_rows_of_all_parts_and_changes_alone(world):
    write(world, "first")
    with world.fork() as copy:
        write(copy, "second")
        assert notes(copy) == [["first", "second"]] * 2
    assert copy.released and copy.of("store").released
    assert notes(world) == [["first"]] * 2 and not world.released


def test_a_restored_visit_has_the_rows_of_the_checkpoint_at_every_site(world):
    write(world, "first")
    with world.fork() as mark:
        write(world, "second")
        world.restore(mark)
        assert notes(world) == notes(mark) == [["first"]] * 2
        write(world, "third")
        world.restore(mark)
        assert notes(world) == [["first"]] * 2


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("whose", ["the checkpoint", "the visit"])
def test_nothing_is_restored_if_one_part_is_gone(world, site, whose):
    write(world, "first")
    with world.fork() as mark:
        write(world, "second")
        kept = [each for each in SITES if whose == "the checkpoint" or each != site]
        (mark if whose == "the checkpoint" else world).of(site).release()
        with pytest.raises(WorldClosed):
            world.restore(mark)
        for each in kept:
            assert world.of(each).read("SELECT * FROM notes")[-1] == {"text": "second"}


class Broken(World):
    """A world that fails after the parts before it took their rows."""

    def exchange(self, other: World) -> None:
        raise MemoryError


def test_the_first_part_gets_its_rows_back_if_the_second_fails():
    with joint(Broken) as world:
        write(world, "first")
        with world.fork() as mark:
            write(world, "second")
            with pytest.raises(MemoryError):
                world.restore(mark)
            assert notes(world) == [["first", "second"]] * 2
            assert notes(mark) == [["first"]] * 2


def test_no_part_of_a_fork_stays_open_if_another_cannot_be_copied(world):
    world.of("store").release()
    with pytest.raises(WorldClosed):
        world.fork()


def test_a_snapshot_names_the_site_of_each_table_and_keeps_the_journal_apart(world):
    write(world, "first")
    world.of("store").write("INSERT INTO log_pages VALUES ('item')")
    rows = world.snapshot()
    assert set(rows) == {f"{site}.{name}" for site in SITES for name in ("notes", "log_pages")}
    assert set(state(rows)) == {"forum.notes", "store.notes"}
    assert of_site(rows, "store")["log_pages"] == [{"page": "item"}]
    assert of_site({"votes": []}, "forum") == {"votes": []}


def test_a_change_at_the_second_site_changes_the_digest_and_the_diff(world):
    before, digest = world.snapshot(), world.digest()
    world.of("store").write("INSERT INTO log_pages VALUES ('item')")
    assert world.digest() == digest
    world.of("store").write("INSERT INTO notes VALUES ('bought')")
    assert world.digest() != digest
    assert list(changes(before, world.snapshot())) == ["store.notes"]


def test_all_parts_are_closed_and_counted_together(world):
    write(world, "first")
    assert world.writes == 2 and world.fault == ""
    world.of("store").fault = "GET /: it broke"
    assert world.fault == "GET /: it broke"
    world.close()
    for site in SITES:
        with pytest.raises(WorldClosed):
            world.of(site).write("DELETE FROM notes")
    assert notes(world) == [["first"]] * 2


def test_each_site_shows_its_own_part_under_one_token_and_one_session(world):
    sites = {site: Worlds() for site in SITES}
    worlds = JointWorlds(sites)
    token, session = worlds.admit(world), worlds.hand_out(world)
    for site, each in sites.items():
        assert each.find(token, None) is each.find(None, session) is world.of(site)
        assert world.of(site).session == session
    worlds.revoke(token)
    assert worlds.withdraw(session) is world
    assert not any(each.find(token, None) or each.find(None, session) for each in sites.values())


def test_the_sites_of_a_visit_lead_to_each_other(world):
    assert neighbours(world.of("forum")) == []
    lead(world, {"forum": "http://forum.localhost", "store": "http://store.localhost", "crm": "-"})
    assert neighbours(world.of("forum")) == [
        ("store", "http://store.localhost/?scenario=one", False)
    ]
    world.of("store").write("INSERT INTO log_pages VALUES ('index')")
    with world.fork() as copy:
        [there], [back] = neighbours(copy.of("forum")), neighbours(copy.of("store"))
    assert there.opened and back.site == "forum"
    with World(SCHEMA, "two") as single:
        lead(single, {})
        assert neighbours(single) == [] and single.of("forum") is single is single.whole
