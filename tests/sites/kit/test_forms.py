"""Forms that are sent twice, by others, for a row that is gone, for several rows, or not at all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from sites.kit import Map, changes, create_app, drafts, held
from sites.site_app import BODY_LIMIT, COOKIE
from sites.world import Worlds
from tests.measuring import HANG
from tests.sites.kit.library import ORDER, SITE, put_away, with_page
from tests.sites.kit.library import world as world_of_books
from tests.sites.kit.test_fields import GOOD
from tests.sites.kit.visitor import Visitor


def orders(world):
    return world.read("SELECT * FROM orders")


def test_the_same_form_sent_twice_is_done_once_and_the_second_page_says_so(visit):
    page, world = visit("/book/3")
    pairs = page.sent("Order it", **GOOD)
    assert page.client.post("/book/3", data=pairs).status_code == 303
    second = page.client.post("/book/3", data=pairs)
    assert second.status_code == 409
    assert "was done once" in second.text
    assert 'href="/receipt/1"' in second.text
    assert len(orders(world)) == 1


def test_only_the_button_that_sends_a_form_says_that_its_change_is_final(visit):
    page, _ = visit("/book/3")
    assert [each.text for each in page.page.xpath("//*[@data-commits]")] == ["Order it"]
    assert len(page.page.xpath("//form[contains(., 'Order it')]//button")) == 3


def test_the_same_form_sent_twice_at_the_same_time_is_done_once(visit):
    page, world = visit("/book/3")
    pairs, together = page.sent("Order it", **GOOD), Barrier(4)

    def send(client) -> int:
        together.wait(HANG)
        return client.post("/book/3", data=pairs).status_code

    clients = [page.client.application.test_client() for _ in range(4)]
    for each in clients:
        each.set_cookie(COOKIE, page.client.get_cookie(COOKIE).value)
    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(send, clients)) == [303, 409, 409, 409]
    assert len(orders(world)) == 1


def test_a_page_that_is_opened_again_may_send_the_same_text_again(visit):
    page, world = visit("/book/3")
    for _ in range(2):
        page.open("/book/3")
        page.press("Order it", **GOOD)
        assert page.status == 200
    assert len(orders(world)) == 2


def test_a_form_that_was_refused_can_be_sent_again(visit):
    page, world = visit("/book/3")
    page.press("Order it", **{**GOOD, "copies": "9"})
    page.press("Order it", copies="2")
    assert page.url == "/receipt/1"
    assert len(orders(world)) == 1


def test_a_form_of_another_session_changes_nothing(visit):
    mine, my_world = visit("/book/3")
    other, other_world = visit("/book/3")
    answer = other.client.post("/book/3", data=mine.sent("Order it", **GOOD))
    assert answer.status_code == 400
    assert "This form is not from our page." in answer.text
    assert orders(my_world) == orders(other_world) == []


@pytest.mark.parametrize("missing", ["form", "once"])
def test_a_form_that_lacks_a_mark_of_its_page_is_refused(visit, missing):
    page, world = visit("/book/3")
    pairs = page.sent("Order it", **GOOD)
    pairs[missing] = "x"
    answer = page.client.post("/book/3", data=pairs)
    assert answer.status_code == 400
    assert "This form cannot be read." in answer.text
    assert orders(world) == []


def test_a_form_for_a_row_that_is_gone_is_a_clear_page_with_the_navigation(visit):
    page, world = visit("/book/3")
    world.write("DELETE FROM books WHERE id = 3")
    page.press("Order it", **GOOD)
    assert page.status == 404
    assert page.alerts() == ["This page is not here. Go back, or start from the first page."]
    assert page.links() == {"Books": "/", "Report": "/report"}
    assert orders(world) == []


def test_ten_megabytes_are_refused_and_the_visit_goes_on(visit):
    page, world = visit("/book/3")
    page.press("Order it", **{**GOOD, "remark": "x" * 10_000_000})
    assert page.status == 413
    page.open("/book/3")
    page.press("Order it", **GOOD)
    assert page.url == "/receipt/1"
    assert len(orders(world)) == 1


def test_a_text_just_below_the_limit_of_a_request_is_checked_by_its_field(visit):
    page, world = visit("/book/3")
    page.press("Order it", **{**GOOD, "remark": "x" * (BODY_LIMIT - 2000)})
    assert page.status == 400
    assert "write at most 200 characters" in page.alerts()[0]
    assert orders(world) == []


def test_what_an_operation_changed_before_it_refused_is_taken_back(visit):
    page, world = visit("/book/3")
    page.press("Order it", **GOOD)
    page.open("/book/4")
    page.press("Order it", **{**GOOD, "remark": "forbidden"})
    assert page.status == 400
    assert page.alerts() == ["Remark: choose other words."]
    page.press("Order it", **{**GOOD, "remark": "refuse"})
    assert page.status == 409
    assert len(orders(world)) == 1


def test_a_closed_visit_changes_nothing(visit):
    page, world = visit("/book/3")
    world.close()
    page.press("Order it", **GOOD)
    assert page.status == 409
    assert orders(world) == []


def test_the_forms_of_rows_have_labels_of_their_own_and_mistakes_in_their_row(tmp_path):
    listing = replace(SITE.page["shelf"].listing, forms=(ORDER,))
    worlds = Worlds()
    client = create_app(with_page("shelf", listing=listing), tmp_path, worlds).test_client()
    with world_of_books() as world:
        client.set_cookie(COOKIE, worlds.admit(world))
        page = Visitor(client, "/shelf/Art")
        ids = page.page.xpath("//@id")
        assert len(ids) == len({*ids}) > len(page.page.xpath("//button[text()='Order it']"))
        assert {*page.page.xpath("//label/@for")} <= {*ids}
        page.press("Order it", **{**GOOD, "copies": "9"})
        assert page.page.xpath("//*[@class='why']/@id") == ["order-copies-0-why"]
        page.press("Order it", copies="1")
        assert orders(world)[0]["book"] == 3


# Several rows


def test_the_form_for_several_rows_changes_those_that_are_chosen(visit):
    page, world = visit()
    page.press("Put away", books=["2", "5"], state="away")
    assert (page.status, page.url) == (200, "/")
    found = changes(SITE, world.read("SELECT * FROM log_change"))
    assert sorted(found) == [("books", "2", "state", "away"), ("books", "5", "state", "away")]


def test_each_row_has_a_check_box_with_its_name(visit):
    page, _ = visit(skin="grid")
    named = page.page.xpath("//input[@type='checkbox']/@aria-label")
    assert named[:2] == ["Choose Volume 01", "Choose Volume 02"]
    assert len(named) == 10


def test_no_chosen_row_is_one_sentence_and_the_choice_stays(visit):
    page, world = visit()
    page.press("Put away", state="away")
    assert (page.status, page.alerts()) == (400, ["Choose at least one row."])
    assert page.sent("Put away")["state"] == "away"
    page.press("Put away", books=["2"], state="")
    assert page.alerts() == ["New state: fill this in."]
    assert page.sent("Put away").getlist("books") == ["2"]
    assert world.read("SELECT * FROM log_change") == []


@pytest.mark.parametrize("row", ["999", "20", "x"])
def test_a_chosen_row_that_the_page_does_not_show_is_refused(visit, row):
    page, world = visit()
    pairs = page.sent("Put away", state="away")
    pairs.setlist("books", ["2", row])
    answer = page.client.post("/", data=pairs)
    assert answer.status_code == 404
    assert "A row that you chose is gone." in answer.text
    assert world.read("SELECT * FROM log_change") == []


def test_the_form_for_several_rows_stands_where_all_of_them_are_shown(world):
    found = Map(SITE, world)
    stands = found.stands(put_away(["2", "5"], "away"))
    assert [found.url(place) for place in stands if place["q"] is None] == ["/", "/?sort=price"]
    assert not found.stands(put_away(["1", "2", "25"], "away"))


# Drafts


def test_a_draft_is_kept_and_shown_and_nothing_is_done(visit):
    page, world = visit("/book/3")
    page.press("Keep as draft", day="2026-01-20", remark="soon")
    assert (page.status, page.url) == (200, "/book/3")
    assert orders(world) == []
    kept = drafts(world.snapshot())
    assert {key: kept["order"][key] for key in ("book", "day", "remark", "copies")} == {
        "book": "3",
        "day": "2026-01-20",
        "remark": "soon",
        "copies": "",
    }
    assert page.sent("Order it")["day"] == "2026-01-20"
    assert page.status_lines() == ["This draft is kept."]
    page.open("/book/4")
    assert page.sent("Order it")["day"] == ""
    assert page.status_lines() == []


def test_a_form_that_comes_back_with_a_mistake_does_not_call_its_texts_the_draft(visit):
    page, world = visit("/book/3")
    page.press("Keep as draft", day="2026-01-20")
    page.press("Order it", **{**GOOD, "copies": "9"})
    assert page.status == 400
    assert page.status_lines() == []
    assert held(world, "order", "/book/3")["day"] == "2026-01-20"


def test_the_last_draft_counts_and_sending_ends_it(visit):
    page, world = visit("/book/3")
    page.press("Keep as draft", day="2026-01-20")
    page.press("Keep as draft", day="2026-01-21")
    assert held(world, "order", "/book/3")["day"] == "2026-01-21"
    page.press("Order it", **GOOD)
    assert drafts(world.snapshot()) == {}
    page.open("/book/3")
    assert page.sent("Order it")["day"] == ""


def test_a_draft_that_is_too_long_is_refused(visit):
    page, world = visit("/book/3")
    page.press("Keep as draft", remark="x" * 201)
    assert page.status == 400
    assert drafts(world.snapshot()) == {}
