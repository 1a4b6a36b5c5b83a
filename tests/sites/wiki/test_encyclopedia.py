"""The encyclopedia: its articles agree with the map, and every page is drawn under every skin."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sites import map as map_site
from sites import wiki
from sites._land.facts import NOW
from sites.kit import Place
from sites.wiki import SITE, load_data
from sites.wiki.known import facts_of
from tests.measuring import DEEP
from tests.sites import declared

SKINS = [each.name for each in SITE.skins]
NUMBERS = range(load_data().bases if DEEP else 2)
numbered = pytest.mark.parametrize("number", NUMBERS)


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with declared.visiting(wiki, declared.Visit, "article", SITE.personas) as make:
        yield make


def base(number):
    return load_data().base("medium", number)


def known(number):
    return facts_of(map_site.load_data().base("medium", number))


@numbered
def test_both_sites_show_one_country(number):
    cities = {row["title"] for row in base(number).read(
        "SELECT title FROM articles WHERE topic = 'Cities'")}  # fmt: skip
    places = map_site.load_data().base("medium", number)
    assert cities == {row["name"] for row in places.read(
        "SELECT name FROM places WHERE kind = 'city'")}  # fmt: skip


@numbered
def test_every_fact_that_leads_somewhere_leads_to_an_article(number):
    lost = "SELECT * FROM facts WHERE target != '' AND target NOT IN (SELECT slug FROM articles)"
    assert base(number).read(lost) == []
    assert base(number).read("SELECT count(*) AS n FROM facts WHERE target != ''")[0]["n"] > 200


@numbered
def test_a_table_tells_the_grounds_of_a_team_the_newest_first(number):
    facts = known(number)
    for team in facts.teams:
        assert next(each.since for each in team.grounds) == team.founded
        assert team.grounds[-1].until == NOW
        for one, other in zip(team.grounds, team.grounds[1:], strict=False):
            assert one.until + 1 == other.since and one.place != other.place
        sql = "SELECT name, value FROM facts WHERE slug = ? AND name LIKE 'Home%' ORDER BY position"
        rows = base(number).read(sql, (team.name.replace(" ", "_"),))
        names = [facts.country.of[each.place].name for each in reversed(team.grounds)]
        assert [row["value"] for row in rows] == names
        assert rows[0]["name"].startswith("Home ground since")


@numbered
def test_an_article_has_no_fact_that_its_map_page_contradicts(number):
    facts = known(number)
    for each in facts.parks:
        place = facts.country.of[each.place]
        [row] = base(number).read("SELECT lead FROM articles WHERE title = ?", (place.name,))
        assert place.tags["founded"] in row["lead"] and place.province in row["lead"]


@numbered
def test_abbreviations_are_no_words_of_the_map(number):
    facts = known(number)
    names = " ".join(each.name for each in facts.country.places)
    assert len(facts.short) >= 3
    assert not {*re.findall(r"\w+", names)} & {*facts.short}


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_with_one_heading_and_all_its_links(visit, skin):
    opened = visit(skin)
    slugs = [opened.one(f"SELECT slug FROM articles WHERE topic = '{each}'")["slug"]
             for each in ("Cities", "Teams", "People", "Works", "Buildings")]  # fmt: skip
    places = [
        *(Place.of(name, {}) for name in ("home", "search", "watched")),
        Place.of("search", {"q": "the"}),
        Place.of("topic", {"topic": "People"}),
        *(Place.of("article", {"slug": each}) for each in slugs),
    ]
    for place in places:
        response = opened.client.get(opened.map.url(place))
        assert response.status_code == 200, place
        assert response.text.count("<h1") == 1
        declared_links = {opened.map.url(to) for _, to in opened.map.links(place)}
        found = {unescape(each) for each in re.findall(r'<a href="([^"]*)"', response.text)}
        assert found == declared_links


def test_a_watched_article_is_on_the_list_until_it_is_taken_off(visit):
    opened = visit("codex")
    slug = opened.one("SELECT slug FROM articles WHERE topic = 'Works'")["slug"]
    assert opened.run(SITE.operation["watch"](slug)) != []
    assert slug in opened.open("watched").text
    opened.run(SITE.operation["unwatch"](slug))
    assert slug not in opened.open("watched").text


def test_an_unknown_article_is_not_found(visit):
    opened = visit("codex")
    for slug in ("Nobody", "x" * 3_000, "..", "%00"):
        assert opened.client.get(f"/wiki/{slug}").status_code in (400, 404)
