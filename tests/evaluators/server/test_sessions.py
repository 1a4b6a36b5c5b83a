"""Opening, opening again, and finishing, from many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.plugins import UnknownName
from evaluators.server.sessions import ScenarioNotOpen, ScenarioReopened, unknown_site
from sites.world import WorldClosed


def test_the_site_finds_the_world_of_what_was_drawn(served, draw):
    opened = draw(20)
    assert served.sites["store"].worlds.find(None, opened.world.session) is opened.world
    assert served.sessions.find(opened.scenario.id) is opened


def test_opening_again_begins_from_the_start_and_freezes_the_old_world(served, draw):
    old = draw(21, solved=True)
    new = draw(21)
    assert (new.opening, new.evaluated()["progress"]) == (old.opening + 1, 0)
    with pytest.raises(WorldClosed):
        old.world.write("DELETE FROM purchases")
    worlds = served.sites["store"].worlds
    assert worlds.find(None, new.world.session) is new.world
    assert worlds.find(None, old.world.session) is None
    with pytest.raises(ScenarioReopened):
        served.sessions.finish(old.scenario.id, "", old.opening)
    assert not new.closed


def test_what_is_opened_again_can_be_found_all_the_while(served, draw):
    opened = draw(27)
    with ThreadPoolExecutor(1) as pool:
        redrawn = pool.submit(lambda: [draw(27) for _ in range(20)])
        while not redrawn.done():
            assert served.sessions.find(opened.scenario.id).scenario == opened.scenario
    assert served.sessions.find(opened.scenario.id) is redrawn.result()[-1]


def test_what_was_opened_last_is_listed_first(served, draw):
    draw(22), draw(23), draw(22)
    assert [each.scenario.seed for each in served.sessions][:2] == [22, 23]


def test_unknown_names_are_refused(served):
    with pytest.raises(UnknownName, match="did you mean store"):
        served.sessions.draw("stroe")
    with pytest.raises(UnknownName, match=r"did you mean store\?"):
        served.sessions.draw("shop")
    with pytest.raises(UnknownName, match=r"did you mean .*buy_item"):
        served.sessions.draw("store", "buy")
    with pytest.raises(ScenarioNotOpen):
        served.sessions.find("")
    with pytest.raises(ScenarioNotOpen):
        served.sessions.finish("nobody", "")


def test_a_site_is_suggested_by_what_it_is(served):
    known = ["crm", "store", "widgets"]
    for word, site in {
        "desk": "crm",
        "airline": "crm",
        "shop": "store",
        "MiniWoB": "widgets",
    }.items():
        assert unknown_site(word, known).remedy == f"did you mean {site}?"
    assert unknown_site("banana", known).remedy == "did you mean crm, store, widgets?"


def test_of_many_who_finish_one_is_heard(served, draw):
    opened = draw(24, solved=True)
    with ThreadPoolExecutor(8) as pool:
        seen = [
            pool.submit(served.sessions.finish, opened.scenario.id, f"answer {number}")
            for number in range(24)
        ]
        answers = {each.result().answer for each in seen}
    assert answers == {opened.answer}


def test_many_who_draw_the_same_leave_one_world_that_can_be_finished(served):
    with ThreadPoolExecutor(8) as pool:
        drawn = [pool.submit(served.sessions.draw, "store", "buy_item", 25) for _ in range(16)]
        opened = [each.result() for each in drawn]
    last = served.sessions.find(opened[0].scenario.id)
    numbers = sorted(each.opening for each in opened)
    assert numbers == [*range(numbers[0], numbers[0] + 16)] and last.opening == numbers[-1]
    assert served.sites["store"].worlds.find(None, last.world.session) is last.world
    assert [each.closed for each in opened if each is not last] == [True] * 15
    assert not last.closed


def test_evaluating_while_others_write_and_finish_never_tears(served, draw):
    opened = draw(26)
    name = opened.scenario.id

    def work(number):
        try:
            opened.world.write("INSERT INTO log_pages (page) VALUES ('index')")
        except WorldClosed:
            return
        if number == 40:
            served.sessions.finish(name, "")

    with ThreadPoolExecutor(6) as pool:
        for number in range(80):
            pool.submit(work, number)
        seen = [opened.evaluated() for _ in range(40)]
    last = opened.evaluated()
    assert last["closed"]
    assert all(each == last for each in seen if each["closed"])
