"""Every page of the code host in its own skins, and what its own templates show."""

from __future__ import annotations

import re
from html import unescape

import pytest
from lxml import html

from sites.codehost import SITE
from sites.codehost.skins import SYNONYMS
from sites.kit import Place
from tests.sites.kit_skins.visits import visiting

SKINS = [each.name for each in SITE.skins]
OWN = "project", "issue", "request", "file"
SCRIPT = "<script>alert(1)</script> **bold**"


@pytest.fixture(params=SKINS)
def visit(request):
    """A visit in each skin."""
    with visiting("codehost", SITE.skin[request.param]) as opened:
        yield opened


def words(page):
    return " ".join(html.fromstring(page).text_content().split())


def places(visit, page, few=25):
    """Places of a page."""
    return [
        Place.of(page, {key: row[key] for key in SITE.page[page].args})
        for row in visit.map.find(SITE.page[page], {}, few=few)
    ]


def test_every_page_has_one_heading_and_all_its_links(visit):
    for place in visit.places():
        answer = visit.open(visit.map.url(place))
        assert answer.status_code == 200, place
        assert answer.text.count("<h1") == 1, place
        declared = {visit.map.url(to) for _, to in visit.map.links(place)}
        shown = {unescape(each) for each in re.findall(r'<a href="([^"]*)"', answer.text)}
        assert shown == declared, place


def test_all_skins_have_the_same_words_and_synonyms():
    first, *others = SITE.skins
    for other in others:
        assert {*other.words} == {*first.words}
        assert {*SYNONYMS[other.name]} == {*SYNONYMS[first.name]}


def test_no_word_or_address_of_the_held_out_skin_stands_in_the_other():
    first, other = SITE.skins
    plain = {name for name, text in first.words.items() if "{" not in text}
    assert {name for name in plain if first.words[name] == other.words[name]} == set()
    assert {*first.addresses.values()} & {*other.addresses.values()} == set()


def test_each_synonym_stands_on_a_page(visit):
    pages = [visit.open(visit.map.url(each)).text.casefold() for each in visit.places()]
    for word, shown in SYNONYMS[visit.map.skin.name].items():
        assert any(shown.casefold() in page for page in pages), (word, shown)


@pytest.mark.parametrize("name", OWN)
def test_a_template_shows_all_that_the_declared_page_shows(visit, name):
    for place in places(visit, name):
        record = visit.map.record(place)
        shown = words(visit.open(visit.map.url(place)).text)
        for show in (each for column in SITE.page[name].shows for each in column.shows):
            if show.kind == "word" and not (show.of == "origin_of" and not record["origin"]):
                assert " ".join(visit.map.skin.say(show.of, record).split()) in shown, place
            if show.kind == "lines" and record[show.of]:
                assert " ".join(record[show.of].split()) in shown, place


def test_an_empty_fact_of_an_issue_ends_in_a_dash(visit):
    place = places(visit, "issue")[0]
    visit.map.world.write("UPDATE issues SET due = NULL, assignee = NULL")
    shown = words(visit.open(visit.map.url(place)).text)
    for name in ("due_of", "assignee_of"):
        assert visit.map.skin.say(name, {"due": "", "assignee": ""}) + "–" in shown


def test_a_script_in_a_file_or_an_issue_is_shown_as_text(visit):
    visit.map.world.write("UPDATE files SET body = ?", (SCRIPT,))
    visit.map.world.write("UPDATE issues SET title = ?, body = ?", (SCRIPT, SCRIPT))
    visit.map.world.write("UPDATE notes SET body = ?", (SCRIPT,))
    for name in ("project", "file", "issue"):
        page = visit.open(visit.map.url(places(visit, name)[0])).text
        assert "<script" not in page and "&lt;script&gt;" in page, name


def test_a_row_without_a_label_or_an_assignee_shows_neither(visit):
    visit.map.world.write("UPDATE issues SET assignee = NULL")
    visit.map.world.write("DELETE FROM issue_labels")
    shown = words(visit.open(visit.map.url(places(visit, "all_issues")[0])).text)
    nothing = {"assignee": "", "labels": ""}
    for name in ("assignee_of", "labels_of"):
        assert visit.map.skin.say(name, nothing).strip() not in shown


def test_the_day_stands_above_the_commits_that_share_it(visit):
    place = next(each for each in places(visit, "commits", 60) if rows(visit, each))
    page = html.fromstring(visit.open(visit.map.url(place)).text)
    heads = [each.text_content().strip() for each in page.find_class("above")]
    days = [row["day"] for row in rows(visit, place)]
    assert heads == [*dict.fromkeys(days)]


def rows(visit, place):
    return visit.map.shown(place, visit.map.record(place)).rows
