"""The back office in its own skins and in drawn ones: each thing has its word, and each label means
one thing.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from lxml import html

from sites._kit.checking import check
from sites.admin import SITE
from sites.admin.skins import SYNONYMS
from sites.kit import Place
from tests.each import for_each
from tests.sites.admin.conftest import SKINS
from tests.sites.kit_skins.visits import visiting

NUMBERS = range(200)
THINGS = {
    *("order", "product", "variant", "stock", "review", "customer", "invoice", "report"),
    *("price rule", "content page", "theme", "search term", "comment", "tracking number"),
}
MASS = [page for page in SITE.pages if page.listing and page.listing.mass]


def drawn(number):
    return SITE.skin[f"skin-{number}"]


def button(skin, form):
    return skin.say(form.name, None, "button").casefold()


def unshipped(visit):
    """An order whose page has all its forms."""
    return visit.map.world.read("SELECT number FROM orders WHERE status = 'Pending'")[0]["number"]


# The skins of the site


@pytest.mark.parametrize("skin", SKINS)
def test_the_word_of_each_thing_stands_on_the_pages(skin):
    with visiting("admin", SITE.skin[skin]) as visit:
        places = [*visit.places(), Place.of("order", {"order_no": unshipped(visit)})]
        pages = [html.fromstring(visit.open(visit.map.url(each)).text) for each in places]
    seen = "\n".join(text for page in pages for text in page.itertext())
    assert {*SYNONYMS[skin]} == THINGS
    for thing, word in SYNONYMS[skin].items():
        assert re.search(rf"\b{re.escape(word)}\b", seen), (thing, word)


def test_no_thing_has_the_same_word_in_both_skins():
    first, second = (SYNONYMS[each] for each in SKINS)
    assert [thing for thing in THINGS if first[thing].casefold() == second[thing].casefold()] == []
    assert all(len({*each.values()}) == len(THINGS) for each in (first, second))


# Drawn skins


def test_the_kit_accepts_every_drawn_skin():
    check(replace(SITE, skins=tuple(drawn(number) for number in NUMBERS)))


@for_each("number", NUMBERS)
def test_the_button_of_every_form_has_a_label_of_its_own(number):
    forms = {form.name: form for page in SITE.pages for form in page.sent}
    assert {page.listing.mass.name for page in MASS} < {*forms}
    assert len({button(drawn(number), form) for form in forms.values()}) == len(forms)


def test_every_text_that_stands_on_a_page_is_drawn():
    """The orders of lists that have one order alone stand on no page."""
    unseen = {"sort_title", "sort_sold", "sort_span", "sort_line"}
    given = {name for each in SITE.drawn.synonyms.words for name in each.names}
    usual = {**SITE.skins[0].words}
    own = {name for name, text in usual.items() if not re.fullmatch(r"\{\w+\}", text)}
    own -= {name for name in own if name.startswith("shop_")} | unseen
    changed = {name for name in own if len({drawn(each).words[name] for each in NUMBERS}) > 1}
    assert own - changed == set() and len(given & changed) > 100
