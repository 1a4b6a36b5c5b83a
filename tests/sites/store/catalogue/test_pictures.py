from __future__ import annotations

import dataclasses
import re
from xml.etree import ElementTree

import pytest

from sites.store.catalogue import pictures


def kinds(data):
    """One product of each kind."""
    return list({product.kind: product for product in data.catalogue}.values())


def test_every_kind_that_we_sell_has_its_own_drawing(data):
    products = kinds(data)
    places = {pictures._drawing_of(product) for product in products}
    assert len(products) >= 40
    assert len(places) == len(products)
    assert len(pictures._table().drawings) - 1 not in places


def test_pictures_are_well_formed_and_draw_on_nothing_else(data):
    for product in kinds(data):
        svg = pictures.draw(product, {}).decode()
        root = ElementTree.fromstring(svg)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        ids = {node.get("id") for node in root.iter() if node.get("id")}
        assert set(re.findall(r"url\(#(\w+)\)", svg)) <= ids
        assert not re.search(r"href|<script|<style|<text|<image|\bon\w+=|http(?!://www\.w3)", svg)
        assert not re.search(r'"[A-Z]"', re.sub(r'id="[A-Z]"', "", svg))


def test_every_drawing_of_the_table_can_be_painted():
    for place in range(len(pictures._table().drawings)):
        ElementTree.fromstring(pictures._svg(place, "#336699", "#ffffff", 0))


def test_pictures_are_the_same_every_time(data):
    product = kinds(data)[0]
    first = pictures.draw(product, {})
    pictures._svg.cache_clear()
    pictures._named_colors.cache_clear()
    assert pictures.draw(product, {}) == first


def test_each_colour_shows_and_a_size_does_not(data):
    product = next(
        product
        for product in data.catalogue
        if "color" in product.options and "size" in product.options
    )
    colors = product.options["color"]
    by_color = {pictures.draw(product, {"color": color}) for color in colors}
    assert len(by_color) == len(colors)
    assert pictures.draw(product, {}) == pictures.draw(product, {"color": colors[0]})
    by_size = {pictures.draw(product, {"size": size}) for size in product.options["size"]}
    assert len(by_size) == 1


@pytest.mark.parametrize(
    ("value", "colors"),
    [
        ("navy blue", ("#263d68", "")),
        ("black | white", ("#2c2e33", "#f3f2ee")),
        ("RED", ("#cc3333", "")),
        ("8 wide", ("", "")),
        ("", ("", "")),
    ],
)
def test_colours_are_read_from_the_words(value, colors):
    assert pictures._named_colors(value) == colors


def test_light_and_dark_are_shades():
    light, plain, dark = (
        sum(pictures._rgb(pictures._named_colors(value)[0]))
        for value in ("light grey", "grey", "dark grey")
    )
    assert light > plain > dark


def test_foreign_products_are_drawn_by_their_name_or_as_a_parcel(data):
    product = kinds(data)[0]
    mug = dataclasses.replace(product, kind="kitchen & dining", name="Big Blue Cat Mugs, 2 Pack")
    plain = dataclasses.replace(product, kind="", name="Xyzzy")
    known = next(product for product in kinds(data) if product.kind == "coffee mugs")
    assert pictures._drawing_of(mug) == pictures._drawing_of(known)
    assert pictures._drawing_of(plain) == len(pictures._table().drawings) - 1
    ElementTree.fromstring(pictures.draw(plain, {}))


def test_swatches_are_for_colours_only():
    assert pictures.swatch("size", "red") == ""
    assert pictures.swatch("color", "<script>") == ""
    assert "#cc3333" in pictures.swatch("color", "red <script>")
    assert "script" not in pictures.swatch("color", "red <script>")
