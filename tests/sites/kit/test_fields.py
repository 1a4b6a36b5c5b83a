"""Each kind of field works without script, and the server checks every limit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sites.kit import changes, create_app
from sites.site_app import COOKIE
from sites.world import Worlds
from tests.sites.kit import library
from tests.sites.kit.library import SITE
from tests.sites.kit.visitor import Visitor

GOOD = {
    "day": "2026-01-20",
    "copies": "2",
    "way": "by post",
    "shelf": "Bees",
    "scan": "page.pdf",
    "remark": "soon",
    "gift": "yes",
}
DAY = "write a date as 2026-01-31: year, month, day."


def made(world):
    rows = world.read("SELECT * FROM log_change")
    return {(table, key, column): value for table, key, column, value in changes(SITE, rows)}


def test_every_kind_is_sent_and_the_page_that_follows_shows_what_was_made(visit):
    page, world = visit("/book/3")
    page.press("Order it", **GOOD)
    assert (page.status, page.url) == (200, "/receipt/1")
    assert made(world) == {
        ("orders", "new", "book"): 3,
        **{("orders", "new", name): text for name, text in GOOD.items() if name != "copies"},
        ("orders", "new", "copies"): 2,
    }


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("day", "", "Day: fill this in."),
        ("day", "20/01/2026", f"Day: {DAY}"),
        ("day", "2026-1-20", f"Day: {DAY}"),
        ("day", "2026-02-30", "Day: the calendar has no such day."),
        ("day", "2026-01-09", "Day: the first possible day is 2026-01-10."),
        ("day", "2026-03-01", "Day: the last possible day is 2026-02-28."),
        ("copies", "two", "Copies: write a whole number."),
        ("copies", "1.5", "Copies: write a whole number."),
        ("copies", "²", "Copies: write a whole number."),
        ("copies", "0", "Copies: write 1 or more."),
        ("copies", "6", "Copies: write 5 or less."),
        ("copies", "9" * 16, "Copies: write a whole number."),
        ("way", "by pigeon", "Delivery: choose one of the list."),
        ("shelf", "Bee", "Shelf: choose one of the list."),
        ("shelf", "Art\nBees", "Shelf: write one line only."),
        ("scan", "../page.pdf", "Scan: write the name of a file, such as report.pdf"),
        ("scan", "page.exe", "Scan: the name must end in .pdf or .png."),
        ("remark", "x" * 201, "Remark: write at most 200 characters; these are 201."),
        ("gift", "no", "Gift: tick the box or leave it empty."),
    ],
)
def test_a_wrong_text_gets_one_sentence_and_nothing_is_lost(visit, name, text, sentence):
    page, world = visit("/book/3")
    page.press("Order it", **{**GOOD, name: text})
    assert page.status == 400
    assert page.url == "/book/3"
    [alert] = page.alerts()
    assert alert.startswith(sentence)
    assert made(world) == {}
    kept = page.sent("Order it")
    untouched = {key: value for key, value in GOOD.items() if key != name}
    assert {key: kept.get(key) for key in untouched} == untouched


@pytest.mark.parametrize("name", ["scan", "remark", "gift"])
def test_a_field_that_is_not_required_may_be_empty(visit, name):
    page, world = visit("/book/3")
    page.press("Order it", **{**GOOD, name: []})
    assert page.url == "/receipt/1"
    assert made(world)["orders", "new", name] == ""


def test_a_look_up_is_the_same_page_with_the_matches(visit):
    page, world = visit("/book/3")
    page.press("Look up", day="2026-01-20", shelf="e")
    assert (page.status, page.url) == (200, "/book/3")
    found = page.page.xpath("//input[@name='shelf_pick']/@value")
    assert found == ["Bees", "Chess"]
    assert page.sent("Order it")["day"] == "2026-01-20"
    assert world.read("SELECT * FROM log_forms") == []
    page.press("Order it", **{**GOOD, "shelf": "e"}, shelf_pick="Chess")
    assert made(world)["orders", "new", "shelf"] == "Chess"


def test_a_look_up_that_finds_nothing_says_so(visit):
    page, _ = visit("/book/3")
    page.press("Look up", shelf="%")
    assert "Nothing is called so." in page.text
    assert page.page.xpath("//input[@name='shelf_pick']") == []


def test_a_second_look_up_takes_the_new_text_not_the_old_button(visit):
    page, _ = visit("/book/3")
    page.press("Look up", shelf="ees")
    page.press("Look up", shelf="hess", shelf_pick="Bees")
    assert page.page.xpath("//input[@name='shelf_pick']/@value") == ["Chess"]


def test_a_section_hides_its_fields_until_it_is_opened_or_a_field_is_wrong(visit):
    page, _ = visit("/book/3")
    [section] = page.page.iter("details")
    assert section.get("open") is None
    assert section.xpath(".//summary")[0].text == "More"
    assert {each.get("name") for each in section.iter("input", "textarea")} == {"scan", "remark"}
    page.press("Order it", **{**GOOD, "scan": "page.exe"})
    [section] = page.page.iter("details")
    assert section.get("open") is not None


def test_a_text_is_shown_as_it_was_typed(visit):
    page, _ = visit("/book/3")
    typed = 'a\n<b>"&amp;"</b>\nend'
    page.press("Order it", **{**GOOD, "copies": "9", "remark": typed})
    assert page.sent("Order it")["remark"].replace("\r\n", "\n") == typed
    assert "<b>" not in page.source


def test_a_number_in_a_list_stands_behind_its_heading(visit):
    page, _ = visit("/report?most=999999")
    assert "Shelf Art Books: 8" in page.text


def test_a_number_in_a_list_stands_alone_if_the_skin_has_no_heading_for_it(tmp_path):
    worlds = Worlds()
    app = create_app(library.with_words(col_n=""), tmp_path, worlds)
    with library.world() as world:
        client = app.test_client()
        client.set_cookie(COOKIE, worlds.admit(world))
        page = Visitor(client, "/report?most=999999")
    assert "Shelf Art 8" in page.text


def test_a_field_shows_a_zero_that_its_column_holds(tmp_path):
    """A zero is a value, and NULL is an empty text."""
    [order, burn] = next(each for each in library.PAGES if each.name == "book").forms
    copies = replace(order.fields[1], held="cents")
    form = replace(order, fields=(order.fields[0], copies, *order.fields[2:]))
    worlds = Worlds()
    client = create_app(
        library.with_page("book", forms=(form, burn)), tmp_path, worlds
    ).test_client()
    with library.world() as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        for cents, value in ((0, "0"), (None, ""), (7, "7")):
            world.write("UPDATE books SET cents = ? WHERE id = 3", (cents,))
            assert (
                f'name="copies" aria-required="true" value="{value}"' in client.get("/book/3").text
            )
