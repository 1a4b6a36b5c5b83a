"""Roles and names for what has none, on the pages of a foreign lane and on no other."""

from __future__ import annotations

import pytest

from agent.browser.lane import Lane
from agent.interface import Click, Type
from tests.agent.browser.conftest import Visit

LISTENING = "<script>for (const e of document.querySelectorAll('[data-l]')) e.onclick = () => 1"
PAGE = f"""<div role=note>Do it</div>
<p><label>User name</label><input id=u></p>
<table><tr><th>Year:</th><td><input id=y></td></tr></table>
<ul><li>one</li><li>two</li></ul><input id=answer-input>
<p>This is a whole sentence that stands before the field, no name of it.<input id=far></p>
<input type=checkbox id=c> Yes please<br>
<input placeholder=Search id=s>
<div><input id=below><p>City</p></div>
<span class="star hide" style="display:inline-block;width:9px;height:9px" data-l></span>
<span class=alink data-l>more</span>
<span class="ui-slider-handle" tabindex=0>o</span>
<svg width=90 height=40><rect id=r width=20 height=10 data-l /><text y=30 data-l>7</text></svg>
<div data-l><input id=inner></div>{LISTENING}</script>"""


@pytest.fixture(scope="module")
def foreign(runner, browser, _store):
    lane = Lane(browser, frozen_time=1_700_000_000, foreign=True)
    yield Visit(runner, lane, _store)
    runner.run(lane.close())


def named(seen):
    return {each.html_id or each.tag: (each.role, each.name) for each in seen.elements}


def test_what_has_no_name_gets_one(foreign):
    seen = foreign.show(PAGE)
    found = named(seen)
    assert found["u"] == ("textbox", "User name")
    assert found["y"] == ("textbox", "Year")
    assert found["answer-input"] == ("textbox", "answer input"), "a list is no name"
    assert found["far"] == ("textbox", "far"), "nor is a sentence"
    assert found["c"] == ("checkbox", "Yes please")
    assert found["s"] == ("textbox", "Search"), "what has a name keeps it"
    assert found["below"] == ("textbox", "City")
    assert found["inner"] == ("textbox", "inner")
    names = {(each.role, each.name) for each in seen.elements}
    assert {("button", "star"), ("link", "more"), ("slider", "")} <= names
    assert ("graphics-symbol", "r rect 20x10") in names
    assert any(each.name.startswith("7 ") for each in seen.elements if each.tag == "text")


def test_what_is_named_so_can_be_used_by_its_name(foreign):
    foreign.show(PAGE)
    seen = foreign.runner.run(foreign.lane.act(Type("User name", "ann")))
    assert seen.error is None and seen.elements[0].value == "ann"
    assert foreign.runner.run(foreign.lane.act(Click("star"))).error is None


def test_our_own_pages_are_read_as_they_are(visit):
    found = named(visit.show(PAGE))
    assert found["u"] == found["y"] == found["far"] == ("textbox", "")
    assert ("graphics-symbol", "") in found.values()


def test_a_foreign_page_gets_a_key_for_each_letter(foreign, visit):
    keys = "<input id=i><p id=p></p><script>i.onkeydown = (e) => p.append(e.key)</script>"
    for each, keys_of in ((foreign, "abc"), (visit, "c")):
        each.show(keys)
        seen = each.runner.run(each.lane.act(Type(1, "abc")))
        assert seen.content[-1].text == keys_of


def test_an_input_that_a_page_declares_has_something_to_be_used_on(foreign):
    drawing = "<html data-inputs=draw><body><svg width=9 height=9><rect width=9 height=9></svg>"
    assert [each.role for each in foreign.show(drawing).elements] == ["application"]
    marking = "<html data-inputs=mark_text><body><p>some words</p>"
    assert [(e.role, e.name) for e in foreign.show(marking).elements] == [
        ("document", "some words")
    ]
