"""Reviews: always the same, about the product, and as good as its rating."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from sites.store.catalogue.clock import MONTHS
from sites.store.catalogue.generator import products
from sites.store.catalogue.product import Product
from sites.store.catalogue.reviews import reviews, reviews_between


@pytest.fixture(scope="module")
def popular() -> list[Product]:
    return [product for product in products(1000) if product.review_count >= 20]


def test_the_same_reviews_at_every_call(popular: list[Product]) -> None:
    assert reviews(popular[0], 15) == reviews(popular[0], 15)


def test_a_higher_limit_only_adds(popular: list[Product]) -> None:
    assert reviews(popular[0], 20)[:7] == reviews(popular[0], 7)


def test_some_are_those_of_all(popular: list[Product]) -> None:
    every = reviews(popular[0], popular[0].review_count + 9)
    assert len(every) == popular[0].review_count
    for first, last in ((0, 0), (0, 8), (8, 16), (10, 20), (7, 31), (16, 16), (16, 900_000)):
        assert reviews_between(popular[0], first, last) == every[first:last]


def test_never_more_than_there_are() -> None:
    for product in products(300):
        assert len(reviews(product, 50)) == min(50, product.review_count)
    assert reviews(product, -1) == ()


def test_ten_reviews_have_the_rating_as_their_mean(popular: list[Product]) -> None:
    for product in popular[:80]:
        stars = [review.stars for review in reviews(product, 20)]
        assert sum(stars[:10]) == sum(stars[10:]) == round(product.rating * 10)
        assert all(1 <= star <= 5 for star in stars)


def test_a_few_reviews_come_as_near_as_whole_stars_allow() -> None:
    for product in products(600):
        if 0 < product.review_count < 10:
            stars = [review.stars for review in reviews(product)]
            assert abs(sum(stars) / len(stars) - product.rating) <= 0.5 / len(stars) + 1e-9


def test_not_everybody_agrees(popular: list[Product]) -> None:
    middling = [product for product in popular if 3 < product.rating < 4.5]
    spread = [len({review.stars for review in reviews(product, 10)}) for product in middling]
    assert sum(spread) / len(spread) > 2


def test_bodies_speak_of_the_product(popular: list[Product]) -> None:
    for product in popular[:80]:
        for review in reviews(product, 5):
            body = review.body.lower()
            assert any(attribute in body for attribute in product.attributes)
            if product.options:
                values = [value for values in product.options.values() for value in values]
                assert any(value in body for value in values)
            assert "{" not in review.body + review.title


def test_every_review_says_what_it_mentions(popular: list[Product]) -> None:
    for product in popular[:80]:
        for review in reviews(product, 20):
            assert review.mentions[0] in product.attributes
            assert len(review.mentions) == 1 + min(len(product.options), 2)
            assert all(each in review.body.lower() for each in review.mentions)


def test_low_reviews_find_fault_with_one_named_attribute(popular: list[Product]) -> None:
    every = [(p, review) for p in popular[:80] for review in reviews(p, 20)]
    low = [(product, review) for product, review in every if review.stars <= 2]
    assert len(low) > 100
    for product, review in low:
        assert review.aspect in product.attributes
        assert review.aspect in review.body.lower()
    assert {review.aspect for _, review in every if review.stars > 2} == {""}


def test_dates_are_dates_in_words(popular: list[Product]) -> None:
    for review in reviews(popular[0], 20):
        assert re.fullmatch(rf"({'|'.join(MONTHS)}) \d{{1,2}}, 202[2-5]", review.date)


def test_a_foreign_product_without_brand_attributes_or_options_can_be_reviewed(
    popular: list[Product],
) -> None:
    plain = replace(popular[0], brand="", attributes=(), options={"size": ()})
    assert all(review.body for review in reviews(plain, 20))
