"""Every page of the forum under every skin."""

from __future__ import annotations

import re

import pytest

from sites.forum import SITE
from sites.forum.skins import SYNONYMS
from sites.kit import Place
from tests.sites.forum.conftest import SKINS


def places(visit):
    """One place of each page, with rows that the user owns where the page needs it."""
    post = visit.one("SELECT * FROM submissions WHERE author = ? AND comments > 3", visit.me)
    comment = visit.one("SELECT * FROM comments WHERE parent > 0 AND submission = ?", post["id"])
    known = {
        "forum": post["forum"],
        "id": post["id"],
        "slug": post["slug"],
        "cid": comment["id"],
        "user": visit.me,
    }
    return {
        page.name: Place.of(page.name, {each: known[each] for each in page.args})
        for page in SITE.pages
    }


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_with_one_heading_and_all_its_links(visit, skin):
    open_visit = visit(skin)
    for place in places(open_visit).values():
        response = open_visit.client.get(open_visit.map.url(place))
        assert response.status_code == 200, place
        assert response.text.count("<h1") == 1
        declared = {open_visit.map.url(to) for _, to in open_visit.map.links(place)}
        drawn = set(re.findall(r'<a href="([^"]*)"', response.text))
        assert {each.replace("&amp;", "&") for each in drawn} == declared, place


@pytest.mark.parametrize("skin", SKINS)
def test_a_page_of_another_skin_or_of_a_missing_row_is_not_found(visit, skin):
    open_visit = visit(skin)
    other = visit(SKINS[SKINS.index(skin) - 1])
    for place in places(other).values():
        url = other.map.url(place)
        assert open_visit.client.get(url).status_code == (200 if url in own(open_visit) else 404)
    missing = Place.of("user", {"user": "nobody"})
    assert open_visit.client.get(open_visit.map.url(missing)).status_code == 404


def own(visit):
    return {visit.map.url(each) for each in places(visit).values()}


def test_all_skins_have_the_same_words_and_synonyms():
    first, *others = SITE.skins
    for each in others:
        assert set(each.words) == set(first.words)
        assert set(SYNONYMS[each.name]) == set(SYNONYMS[first.name])


@pytest.mark.parametrize("skin", SKINS)
def test_each_synonym_stands_on_a_page(visit, skin):
    open_visit = visit(skin)
    open_visit.world.write("DELETE FROM subscriptions")
    pages = [open_visit.client.get(url).text.casefold() for url in own(open_visit)]
    for word, shown in SYNONYMS[skin].items():
        assert any(shown.casefold() in page for page in pages), (word, shown)


def test_a_script_in_a_text_is_shown_as_text(visit):
    open_visit = visit()
    script = "<script>alert(1)</script> **bold** [a](javascript:b)"
    response = open_visit.send(
        "submit", "submit", {"forum": forum(open_visit), "title": script, "url": "", "body": script}
    )
    page = open_visit.client.get(response.location).text
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 3  # the title, the heading and the body


def forum(visit):
    return visit.one("SELECT name FROM forums ORDER BY name")["name"]


def test_a_comment_stands_below_its_parent_and_further_in(visit):
    open_visit = visit("harbor")
    answer = open_visit.one("SELECT * FROM comments WHERE parent > 0")
    above = open_visit.one("SELECT * FROM comments WHERE id = ?", answer["parent"])
    post = open_visit.one("SELECT * FROM submissions WHERE id = ?", answer["submission"])
    page = open_visit.open("thread", forum=post["forum"], id=post["id"], slug=post["slug"]).text
    numbers = [int(each) for each in re.findall(r"Permalink (\d+)<", page)]
    assert numbers.index(above["id"]) < numbers.index(answer["id"])
    levels = re.findall(r"said level-(\d)", page)
    depth = answer["path"].count(".") + 1
    assert levels[numbers.index(answer["id"])] == str(depth)


def test_a_picture_is_drawn_from_its_address_alone(visit):
    open_visit = visit()
    url = open_visit.one("SELECT url FROM submissions WHERE kind = 'picture'")["url"]
    response = open_visit.client.get(url)
    assert response.mimetype == "image/svg+xml"
    assert response.data == visit("meadow").client.get(url).data
    assert open_visit.client.get("/picture/pink-boat-at-noon-3.svg").status_code == 404


@pytest.mark.parametrize("skin", SKINS)
def test_an_error_page_has_the_whole_frame_and_marks_no_link(visit, skin):
    answer = visit(skin).client.get("/nowhere")
    assert answer.status_code == 404
    assert SITE.skin[skin].words["footer"] in answer.text
    assert "aria-current" not in answer.text
