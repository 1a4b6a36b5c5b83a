"""Every page of the shop under every skin, and the addresses of its lists."""

from __future__ import annotations

import re
from html import unescape

import pytest

from sites.kit import Place
from sites.shop import SITE
from sites.shop.skins import SYNONYMS
from tests.sites.shop.conftest import SKINS

KEYS = {
    "order_no": "SELECT number AS key FROM orders WHERE customer = ?",
    "review": "SELECT id AS key FROM reviews WHERE customer = ?",
    "address_no": "SELECT id AS key FROM addresses WHERE customer = ?",
    "message": "SELECT id AS key FROM messages WHERE customer = ?",
}


def places(visit):
    """One place of each page, with rows that belong to the customer."""
    known = {name: visit.one(sql, visit.me)["key"] for name, sql in KEYS.items()}
    variant = visit.variant()
    known |= {"variant": variant["sku"], "product": variant["product"]}
    product = visit.one("SELECT * FROM products WHERE sku = ?", variant["product"])
    known["category"] = product["category"]
    sql = "SELECT parent FROM categories WHERE name = ?"
    known["department"] = visit.one(sql, product["category"])["parent"]
    return {
        page.name: Place.of(page.name, {each: known[each] for each in page.args})
        for page in SITE.pages
    }


@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_with_one_heading_and_all_its_links(visit, skin):
    opened = visit(skin)
    for place in places(opened).values():
        response = opened.client.get(opened.map.url(place))
        assert response.status_code == 200, place
        assert response.text.count("<h1") == 1
        declared = {opened.map.url(to) for _, to in opened.map.links(place)}
        assert {
            unescape(each) for each in re.findall(r'<a href="([^"]*)"', response.text)
        } == declared


@pytest.mark.parametrize("skin", SKINS)
def test_a_row_of_somebody_else_or_a_missing_row_is_not_found(visit, skin):
    opened = visit(skin)
    pages = {"order": "order_no", "review": "review", "address": "address_no", "message": "message"}
    for page, key in pages.items():
        theirs = opened.one(KEYS[key].replace("= ?", "!= ?"), opened.me)["key"]
        for wrong in (theirs, 999_999, "x"):
            assert opened.open(page, **{key: wrong}).status_code == 404, (page, wrong)
    hidden = opened.one("SELECT sku FROM products WHERE status = 'disabled'")["sku"]
    for page in ("product", "reviews", "write_review"):
        assert opened.open(page, product=hidden).status_code == 404


def test_all_skins_have_the_same_words_and_synonyms():
    first, *others = SITE.skins
    for other in others:
        plain = {each for each in other.words if not each.startswith("col_")}
        assert plain == {each for each in first.words if not each.startswith("col_")}
    assert len({tuple(SYNONYMS[each]) for each in SKINS}) == 1


@pytest.mark.parametrize("skin", SKINS)
def test_the_word_of_each_thing_stands_on_the_pages(visit, skin):
    opened = visit(skin)
    seen = "".join(opened.client.get(opened.map.url(each)).text for each in places(opened).values())
    for word in SYNONYMS[skin].values():
        assert word.casefold() in seen.casefold(), word


# Lists


def prices(opened, **args):
    """The prices that the list of a category shows, in dollars, page by page."""
    found, number = [], 1
    while True:
        place = Place.of("category", {**args, "page": number})
        text = opened.client.get(opened.map.url(place)).text
        shown = re.findall(r'class="price">\s*\$([0-9.,]+)', text)
        if not shown:
            return found
        found += [float(each.replace(",", "")) for each in shown]
        number += 1


def test_an_address_holds_the_order_and_the_range_of_prices(corner):
    category = places(corner)["category"]["category"]
    every = prices(corner, category=category)
    assert len(every) > 4
    assert prices(corner, category=category, sort="price") == sorted(every)
    assert prices(corner, category=category, sort="price_desc") == sorted(every, reverse=True)
    low, high = int(sorted(every)[1]), int(sorted(every)[-2])
    inside = [each for each in sorted(every) if low <= each < high]
    assert prices(corner, category=category, price=f"{low}-{high}", sort="price") == inside
    assert prices(corner, category=category, price=f"{low}-", sort="price") == [
        each for each in sorted(every) if each >= low
    ]
    assert prices(corner, category=category, price=f"-{high}", sort="price") == [
        each for each in sorted(every) if each < high
    ]


def test_an_address_spells_the_order_and_its_direction(corner):
    category = places(corner)["category"]["category"]
    url = corner.url("category", category=category)
    down = Place.of("category", {"category": category, "sort": "price_desc"})
    assert corner.map.url(down) == f"{url}?product_list_order=price&product_list_dir=desc"
    assert corner.map.place(corner.map.url(down)) == down
    up = f"{url}?product_list_order=price&product_list_dir=asc"
    assert corner.map.place(up) == down.but(sort="price")
    assert corner.client.get(f"{url}?product_list_order=weight").status_code == 404


@pytest.mark.parametrize("wrong", ["cheap", "10", "25-10", "10-25-40", "1.5-3", "-", "1' OR '1-2"])
def test_a_wrong_range_is_refused_with_one_sentence(corner, wrong):
    category = places(corner)["category"]["category"]
    response = corner.open("category", category=category, price=wrong)
    assert response.status_code == 400
    assert response.text.count('class="why"') == 1


def test_the_form_for_a_range_keeps_the_order(corner):
    category = places(corner)["category"]["category"]
    text = corner.open("category", category=category, sort="price_desc").text
    form = text[text.index('<form method="get"') : text.index("</form>")]
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]+)"', form))
    url = corner.url("category", category=category)
    query = "&".join(f"{name}={value}" for name, value in {**hidden, "price": "0-90"}.items())
    opened = corner.map.place(f"{url}?{query}")
    assert opened == Place.of(
        "category", {"category": category, "price": "0-90", "sort": "price_desc"}
    )


def test_the_rating_counts_approved_reviews_alone(corner):
    rated = corner.one(
        "SELECT product FROM reviews WHERE status != 'approved' AND product IN"
        " (SELECT sku FROM products WHERE status = 'enabled') AND product IN"
        " (SELECT product FROM reviews WHERE status = 'approved')"
    )["product"]
    sql = "SELECT * FROM reviews WHERE product = ? AND status = 'approved'"
    stars = [each["stars"] for each in corner.world.read(sql, (rated,))]
    text = corner.open("reviews", product=rated).text
    assert f"{len(stars)} found" in text
    assert f"{len(stars)} reviews" in text
