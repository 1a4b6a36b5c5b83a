"""Skins that are drawn by a number: their words, their addresses, and the pages in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import defaultdict
from dataclasses import replace

import pytest
from lxml import html

from scenarios import registry
from sites._kit.declare import FRAMES, ROWS, THEMES
from sites._kit.skins.drawn import draw_skin, overlaps
from sites._kit.skins.labels import all_forms, collisions, labels
from sites._kit.skins.pagers import PAGERS
from sites._kit.skins.synonyms import KIT_WORDS, Choice, Synonyms, with_nouns
from tests.each import for_each
from tests.measuring import DEEP, HANG, unmeasured
from tests.sites.kit_skins.visits import Visit, declared, drawn_sites, visiting

NUMBERS = range(200)
OPENED = range(200 if DEEP else 10)
"""The numbers of the skins in which every page is opened; the others are in the `wide` test."""
READABLE = re.compile(r"/|(/([a-z0-9]+([-_][a-z0-9]+)*|-|<\*?[a-z_]+>))+")
SITES = drawn_sites()


def test_the_forum_has_drawn_skins():
    assert "forum" in SITES


# All drawn skins


@for_each(("name", "number"), [(name, number) for name in SITES for number in NUMBERS])
def test_no_label_means_two_things(name, number):
    site = declared(name)
    skin = site.skin[f"skin-{number}"]
    assert collisions(site, skin) == []
    assert [*overlaps(site, skin)] == []


@for_each(("name", "number"), [(name, number) for name in SITES for number in NUMBERS])
def test_the_button_of_every_operation_has_a_label_of_its_own(name, number):
    site = declared(name)
    skin = site.skin[f"skin-{number}"]
    forms = {form.name for form in all_forms(site)}
    assert len({skin.say(form, None, "button") for form in forms}) == len(forms)


@for_each(("name", "number"), [(name, number) for name in SITES for number in NUMBERS])
def test_the_addresses_are_distinct_and_readable(name, number):
    site = declared(name)
    addresses = site.skin[f"skin-{number}"].addresses
    assert len({*addresses.values()}) == len(site.pages)
    assert [each for each in addresses.values() if not READABLE.fullmatch(each)] == []


@pytest.mark.parametrize("name", SITES)
def test_every_part_is_drawn(name):
    skins = [declared(name).skin[f"skin-{number}"] for number in NUMBERS]
    assert {(each.look, each.theme) for each in skins} == {(f, t) for f in FRAMES for t in THEMES}
    assert {each.rows for each in skins} == {*ROWS}
    assert {each.pager for each in skins} == {*PAGERS}
    assert {each.menus for each in skins} == {(), ("nav",), ("sort",), ("nav", "sort")}
    assert len({tuple(sorted(each.words.items())) for each in skins}) == len(skins)
    assert len({tuple(link.label for link in each.nav) for each in skins}) > 4
    assert {each.buttons for each in skins} == {"before", "after"}


# The pages


@for_each(("name", "number"), [(name, number) for name in SITES for number in OPENED])
def test_every_page_loads_and_its_labels_mean_one_thing(name, number):
    check_pages(name, number)


@pytest.mark.wide
@for_each(("name", "number"), [(name, number) for name in SITES for number in NUMBERS])
def test_every_page_of_every_drawn_skin(name, number):
    with unmeasured():
        check_pages(name, number)


def check_pages(name, number):
    with visiting(name, declared(name).skin[f"skin-{number}"]) as visit:
        for place in visit.places():
            answer = visit.open(visit.map.url(place))
            assert answer.status_code == 200, (place, answer.text)
            page = html.fromstring(answer.text)
            check_labels(page)
            check_options(visit, page)
            check_numbers(page)


def check_labels(page):
    """No link outside the rows, and no button, shares its label with one that does other things."""
    aims = defaultdict(set)
    for each in page.iter("a", "button", "summary"):
        if each.tag != "a" or not [*each.iterancestors("li", "td")]:
            aims[each.text_content()].add(aim(each))
    assert [(text, found) for text, found in aims.items() if len(found) > 1] == []


def aim(element):
    if element.tag == "summary":
        return "opens a menu"
    if element.tag == "a":
        return element.get("href")
    return next(element.iterancestors("form")).get("action")


def check_options(visit: Visit, page):
    """What the skin says of its layout is what the page shows."""
    skin = visit.map.skin
    links = [each.text_content() for each in page.find_class("site")[0].iter("a")]
    assert links == [skin.say(each.label, {"me": visit.map.me}) for each in skin.nav]
    assert bool(page.xpath("//details[contains(@class, 'sections')]")) == ("nav" in skin.menus)
    tabs = page.find_class("tabs")
    assert all(bool([*each.iterancestors("details")]) == ("sort" in skin.menus) for each in tabs)


def check_numbers(page):
    """A number alone says nothing in a list or on a card."""
    texts = (each.text_content() for each in page.xpath("//ol/li//span"))
    assert [text for text in texts if text.strip().isdigit()] == []


def test_the_same_number_is_the_same_skin_in_another_process():
    code = (
        "from sites.forum.site import SITE\n"
        "for number in (0, 17, 199):\n"
        "    skin = SITE.skin[f'skin-{number}']\n"
        "    nav = [each.label for each in skin.nav]\n"
        "    print(nav, {**vars(skin), 'nav': ()})\n"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            timeout=HANG,
        ).stdout
        for seed in ("1", "2")
    ]
    assert made[0] == made[1] != b""


# Names


@pytest.mark.parametrize("name", ["skin-", "skin--1", "skin-01", "skin-x", "skin-1 ", "other"])
def test_other_names_are_no_skins(name):
    with pytest.raises(KeyError, match=re.escape(repr(name))):
        declared("forum").skin[name]


def test_a_site_without_synonyms_has_no_drawn_skins():
    with pytest.raises(KeyError, match="skin-1"):
        replace(declared("forum"), drawn=None).skin["skin-1"]


def test_a_family_is_told_in_a_drawn_skin():
    known, drawn = (
        registry.scenario("forum/edit_bio/3"),
        registry.scenario("forum/edit_bio.skin-17/3"),
    )
    assert known.instruction == drawn.instruction
    assert known.gold["changes"] == drawn.gold["changes"]
    assert drawn.details["skin"] == "skin-17"


# Synonyms


@pytest.mark.parametrize("name", SITES)
def test_there_are_at_least_four_synonyms(name):
    site = declared(name)
    given = site.drawn.synonyms
    words = {label.word for page in site.pages for label in labels(site, site.skin["skin-0"], page)}
    pure = {word for word in words if re.fullmatch(r"\{\w+\}", site.skins[0].words.get(word, ""))}
    found = defaultdict(set)
    for choice in (*given.nouns, *given.words, *KIT_WORDS):
        for texts in choice.texts():
            for word, text in texts.items():
                found[word].add(text)
    named = {word for choice in given.nouns for word in choice.names} | words - pure
    assert {word: found[word] for word in named if len(found[word]) < 4} == {}


@pytest.mark.parametrize("name", SITES)
def test_every_operation_has_a_question(name):
    site = declared(name)
    buttons = {site.skins[0].named(form.name, "button") for form in all_forms(site)}
    asked = {words.split()[0] for words in site.drawn.synonyms.tasks}
    assert buttons - asked == set()


def test_a_noun_takes_the_capital_of_its_place():
    nouns = {"forum": "circle", "forums": "circles"}
    assert with_nouns("New <forum>", nouns) == "New circle"
    assert with_nouns("<Forums> of {user}", nouns) == "Circles of {user}"


def test_an_option_with_a_text_too_many_is_refused():
    with pytest.raises(ValueError, match="argument"):
        Choice("next previous", ("Next|Previous|Last",)).texts()


def test_words_that_cannot_be_told_apart_are_refused_by_name():
    given = Synonyms((), (Choice("upvote", ("Vote",)), Choice("downvote", ("Vote",))))
    with pytest.raises(ValueError, match=r"downvote, upvote are all “vote”.* more synonyms"):
        draw_skin(given, declared("forum"), 1)


def test_addresses_that_meet_are_refused_by_name():
    given = Synonyms((), (), {"forums": ("all",), "submit": ("all",)})
    with pytest.raises(ValueError, match="The pages forums and submit have the addresses /all"):
        draw_skin(given, declared("forum"), 1)


def test_an_address_of_the_server_is_refused():
    given = Synonyms((), (), {"forums": ("static",)})
    with pytest.raises(ValueError, match="/static of the page forums belongs to the server"):
        draw_skin(given, declared("forum"), 1)


def test_a_collision_of_hand_written_words_is_named():
    site = declared("forum")
    skin = site.skins[0]
    worse = replace(skin, words={**skin.words, "subscribe": skin.say("upvote")})
    assert "The buttons of subscribe, upvote are all “upvote”." in collisions(site, worse)
    worse = replace(skin, words={**skin.words, "forums": skin.say("home")})
    assert "forums, home are all “front page” on the page thread." in collisions(site, worse)


def test_the_buttons_for_several_rows_and_for_kept_filters_are_compared_too():
    site = declared("admin")
    skin = site.skins[0]
    mass = site.page["reviews"].listing.mass
    for name in (mass.name, "clear"):
        word = skin.named(name, "button")
        worse = replace(skin, words={**skin.words, word: skin.words["apply"]})
        found = [each for each in collisions(site, worse) if "are all" in each and word in each]
        assert any("on the page" in each and "apply" in each for each in found), found


# Pagers


@for_each(
    ("pager", "number", "last", "turns"),
    [
        ("next", 1, 1, []),
        ("next", 1, 3, [("next", 2)]),
        ("next", 3, 3, [("previous", 2)]),
        ("numbers", 1, 9, [("number", 2), ("number", 3), ("number", 9)]),
        ("numbers", 5, 9, [("number", each) for each in (1, 3, 4, 6, 7, 9)]),
        ("ends", 1, 9, [("next", 2), ("last", 9)]),
        ("ends", 4, 9, [("first", 1), ("previous", 3), ("next", 5), ("last", 9)]),
        ("ends", 9, 9, [("first", 1), ("previous", 8)]),
    ],
)
def test_a_pager_offers_these_turns(pager, number, last, turns):
    assert PAGERS[pager](number, last) == turns
