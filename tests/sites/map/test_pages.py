"""Every page of the map under every skin, and what they say about bad input."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from urllib.parse import quote_plus
from xml.etree import ElementTree

import pytest

from sites.kit import Place
from sites.map import SITE, search
from sites.map.skins import HELD_OUT, SYNONYMS
from tests.each import for_each
from tests.sites.map.conftest import SKINS


def places(visit):
    """Some places of each page."""
    shown = search.country(visit.world)
    zoo = next(each for each in shown.places if each.kind == "zoo")
    station = next(each for each in shown.places if each.kind == "railway station")
    islet = next(each for each in shown.places if "Islet" in each.name)
    view = {"zoom": "14", "lat": "12.52000", "lon": "-40.98000"}
    ends = {"from": zoo.name, "to": station.name}
    return [
        Place.of("home", {}),
        Place.of("search", {}),
        Place.of("search", {"query": f"cafes near {zoo.name}"}),
        Place.of("search", {"query": "cafes", "page": "2"}),
        Place.of("district", {"district": zoo.district}),
        Place.of("country", {}),
        Place.of("country", {"kind": "airport"}),
        Place.of("directions", {}),
        *(Place.of("directions", {**ends, "engine": each}) for each in ("car", "foot")),
        Place.of("directions", {"from": zoo.name, "to": zoo.name, "engine": "car"}),
        Place.of("directions", {"from": zoo.name, "to": islet.name, "engine": "car"}),
        Place.of("view", view),
        Place.of("search_view", view),
        Place.of("search_view", {**view, "query": "cafes"}),
        Place.of("notes", {}),
        Place.of("place", {"type": zoo.form, "id": zoo.id}),
        Place.of("place", {"type": "relation", "id": shown.places[0].id}),
    ]


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_with_one_heading_its_links_and_a_picture(visit, skin):
    opened = visit(skin)
    for place in places(opened):
        response = opened.client.get(opened.map.url(place))
        assert response.status_code == 200, place
        assert response.text.count("<h1") == 1
        declared = {opened.map.url(to) for _, to in opened.map.links(place)}
        assert {
            unescape(each) for each in re.findall(r'<a href="([^"]*)"', response.text)
        } == declared
        for source in re.findall(r'<img src="([^"]*)"', response.text):
            drawn = opened.client.get(unescape(source))
            assert drawn.status_code == 200 and drawn.mimetype == "image/svg+xml"
            assert ElementTree.fromstring(drawn.text).tag.endswith("svg")


@pytest.mark.parametrize("skin", SKINS)
def test_a_way_is_told_with_both_addresses_its_length_and_its_time(visit, skin):
    opened = visit(skin)
    way = next(each for each in places(opened) if each["engine"] == "foot")
    text = " ".join(opened.client.get(opened.map.url(way)).text.split())
    record = opened.map.record(way)
    for column in ("length", "time", "from_address", "to_address"):
        assert unescape(str(record[column])) in unescape(text)


@pytest.mark.parametrize("engine", ["foot", "bicycle"])
def test_a_way_back_shows_the_same_turns_but_for_cars(atlas, engine):
    shown = search.country(atlas.world)
    labels = [shown.labels[each.id] for each in shown.places[::40]]
    for one, other in pairwise(labels):
        ends = {"from": one, "to": other, "engine": engine}
        back = {"from": other, "to": one, "engine": engine}
        there, reverse = (atlas.map.things(Place.of("directions", each)) for each in (ends, back))
        assert there == reverse, ends
        driven = [{**each, "engine": "car"} for each in (ends, back)]
        one_way, other_way = (atlas.map.things(Place.of("directions", each)) for each in driven)
        assert one_way != other_way or len(one_way) == 1


def test_two_spellings_of_a_place_are_one_address(atlas):
    way = next(each for each in places(atlas) if each["engine"] == "foot")
    loud = way.but(**{"from": (way["from"] or "").upper()})
    response = atlas.client.get(atlas.map.url(loud))
    assert (response.status_code, response.location) == (303, atlas.map.url(way))


def test_the_name_of_a_chain_means_the_branch_nearest_to_the_middle(atlas):
    shown = search.country(atlas.world)
    branch = next(each for each in shown.places if each.chain)
    way = Place.of("directions", {"from": branch.chain, "to": "city", "engine": "car"})
    response = atlas.client.get(atlas.map.url(way.but(to=shown.city)))
    first = search.find(shown, branch.chain)[0]
    assert quote_plus(shown.labels[first.id]) in response.location


@for_each(
    ("args", "sentence"),
    [
        ({"from": "xyzzy", "to": "xyzzy"}, "The map has no place “xyzzy”."),
        ({"from": "x" * 10_240, "to": "Airport Hotel"}, "300"),
    ],
)
def test_a_place_that_does_not_exist_is_said_at_its_field(atlas, args, sentence):
    response = atlas.open("directions", **args)
    assert response.status_code == 400
    [alert] = re.findall(r'class="why"[^>]*>([^<]*)<', response.text)
    assert sentence in alert


def test_a_link_fills_in_one_end_and_leaves_the_other_to_the_visitor(atlas):
    response = atlas.open("directions", to="Airport Hotel")
    assert response.status_code == 200 and 'class="why"' not in response.text
    assert 'value="Airport Hotel"' in response.text


def test_a_list_says_its_number_once_the_visitor_has_asked(atlas):
    assert "in all" not in atlas.open("search").text
    assert "in all" not in atlas.open("directions", to="Airport Hotel").text
    assert ">0 in all<" in atlas.open("search", query="zzzz").text
    assert "in all" in atlas.open("search", query="cafes").text


def test_an_unknown_mode_is_refused(atlas):
    ends = {"from": "Airport Hotel", "to": "Airport Hotel"}
    assert atlas.open("directions", **ends, engine="horse").status_code == 400


def test_a_query_of_ten_kilobytes_is_refused_with_a_sentence(atlas):
    response = atlas.open("search", query="cafe " * 2_048)
    assert response.status_code == 400 and "300" in response.text


@for_each(
    "path",
    [
        "/map/14/99/0", "/map/14/12.5/-80", "/map/99/12.5/-41", "/map/x/y/z", "/map/-1/12.5/-41",
        "/map/14/nan/-41", "/map/14/12.5/inf", "/node/1", "/way/x", "/relation/99999999999999",
        "/picture/14/99/0", "/picture/x/y/z", "/district/Nowhere",
    ],
)  # fmt: skip
def test_what_lies_outside_the_map_is_not_found(atlas, path):
    assert atlas.client.get(path).status_code in (400, 404)


@for_each(
    "options", ["way=car", "way=horse+1+2", "way=car+x+y", "mark=x", "mark=" + "9" * 99, "way="]
)
def test_a_picture_without_a_known_way_or_mark_is_the_plain_view(atlas, options):
    plain = atlas.client.get("/picture/14/12.5/-40.9").text
    assert atlas.client.get(f"/picture/14/12.5/-40.9?{options}").text == plain


def test_another_spelling_of_a_view_leads_to_its_address(atlas):
    response = atlas.client.get("/map/14/12.5/-41")
    assert (response.status_code, response.location) == (303, "/map/14/12.50000/-41.00000")


def test_a_note_is_kept_with_its_place_and_shown_to_its_visitor(atlas):
    zoo = atlas.one("SELECT id, type FROM places WHERE kind = 'zoo'")
    url = atlas.url("place", **zoo)
    token = atlas.client.get(url).text.split('name="csrf" value="')[1].split('"')[0]
    sent = {"csrf": token, "form": "add_note", "once": "0", "place": str(zoo["id"])}
    response = atlas.client.post(url, data={**sent, "text": "The gate is green."})
    assert response.status_code == 303
    assert "The gate is green." in atlas.client.get(response.location).text
    wrong = {**sent, "place": "1", "text": "No such place."}
    assert atlas.client.post(url, data=wrong).status_code == 400
    assert len(atlas.world.read("SELECT * FROM notes")) == 1


def test_no_word_of_the_held_out_skin_is_that_of_another():
    held_out = next(each for each in SITE.skins if each.name == HELD_OUT)
    long = {text for text in held_out.words.values() if " " in text and "{" not in text}
    for other in SITE.skins:
        if other is not held_out:
            assert not long & {*other.words.values()}


@pytest.mark.parametrize("skin", SKINS)
def test_each_thing_has_its_word_on_a_page(visit, skin):
    opened = visit(skin)
    texts = " ".join(opened.client.get(opened.map.url(each)).text for each in places(opened))
    assert {*SYNONYMS[skin]} == {*SYNONYMS[SKINS[0]]}
    for shown in SYNONYMS[skin].values():
        assert shown in texts
