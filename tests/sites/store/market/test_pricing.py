"""The rules of price, against what the help pages say of them, worked out in another way."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.store.catalogue.clock import TODAY
from sites.store.market import pricing
from sites.store.market.pricing import (
    HOLIDAYS,
    METHODS,
    PLAN,
    ROUND_UP,
    WRAP,
    Code,
    PricedLine,
    ShopRules,
    quote,
)
from tests.measuring import DEEP

KINDS, BRANDS, DEPARTMENTS = ("desk lamps", "coolers", "herbal tea"), ("A", "B"), ("Office", "Home")
PRODUCTS = [
    PricedLine(f"M0{number}", KINDS[number % 3], BRANDS[number % 2], DEPARTMENTS[number % 2], cents)
    for number, cents in enumerate((995, 1995, 1995, 5, 12_000, 333, 1, 4999))
]
LINES = st.lists(
    st.builds(
        lambda line, quantity: replace(line, quantity=quantity),
        st.sampled_from(PRODUCTS),
        st.integers(1, 7),
    ),
    min_size=1,
    max_size=6,
)
CODES = st.lists(
    st.builds(
        Code,
        name=st.sampled_from(["AA", "BB", "CC", "DD"]),
        percent=st.sampled_from([0, 0, 5, 15, 33, 100]),
        cents=st.integers(1, 30_000),
        brand=st.sampled_from(["", *BRANDS]),
        kind=st.sampled_from(["", "", *KINDS]),
        over=st.sampled_from([0, 0, 2000, 9000]),
        cap=st.sampled_from([0, 0, 500, 1]),
        together=st.just(True),
    ),
    max_size=3,
    unique_by=lambda code: code.name,
)
RULES = st.builds(
    ShopRules,
    threes=st.sampled_from([(), KINDS[:1], KINDS]),
    tax=st.integers(0, 250),
    free_over=st.sampled_from([0, 7500]),
)
METHOD = st.sampled_from([each.name for each in METHODS])
EXTRAS = st.sets(st.sampled_from([PLAN, WRAP, ROUND_UP]))

often = settings(derandomize=True, max_examples=200 if DEEP else 60, deadline=None)


def exactly(amount: Fraction) -> int:
    """Rounded to whole cents, halves up."""
    exact = Decimal(amount.numerator) / Decimal(amount.denominator)
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))


# Sums --------------------------------------------------------------------------------------------


@often
@given(LINES, RULES, METHOD, CODES, EXTRAS)
def test_the_parts_of_a_quote_make_its_total(lines, rules, method, codes, extras):
    found = quote(lines, rules, method, codes, extras)
    assert found.goods == sum(line.cents * line.quantity for line in lines)
    assert 0 <= found.off <= found.goods
    left = found.goods - found.off
    assert found.tax == exactly(Fraction(left * rules.tax, 1000))
    bulky = sum(line.quantity for line in lines if line.kind in rules.bulky_kinds)
    assert found.bulky == bulky * rules.bulky
    free = method == rules.free_method and left >= rules.free_over
    assert found.postage == (0 if free else rules.method(method).cents)
    assert found.extras == sum(rules.extras[each] for each in extras)
    charged = found.postage + found.bulky + found.extras + found.tax + found.rounding
    assert found.total == left + charged >= 0
    assert (found.total % 100 == 0 and 0 <= found.rounding < 100) or ROUND_UP not in extras
    assert found.rounding == 0 or ROUND_UP in extras


@often
@given(LINES, RULES, METHOD, CODES, st.randoms(use_true_random=False))
def test_it_does_not_matter_how_the_cart_was_filled(lines, rules, method, codes, rng):
    """Not in which order, nor in how many lines of the same product; nor do codes' places."""
    right = quote(lines, rules, method, codes)
    single = [replace(line, quantity=1) for line in lines for _ in range(line.quantity)]
    shuffled = list(codes)
    for each in (single, shuffled):
        rng.shuffle(each)
    assert quote(single, rules, method, shuffled) == right


@often
@given(LINES, RULES, METHOD, CODES)
def test_a_code_that_is_named_twice_counts_once(lines, rules, method, codes):
    assert quote(lines, rules, method, [*codes, *codes]) == quote(lines, rules, method, codes)


def test_an_unknown_method_or_extra_is_an_error():
    for method, extras in (("Pigeon", ()), ("Courier", ("diamonds",))):
        with pytest.raises(KeyError):
            quote(PRODUCTS[:1], ShopRules(), method, (), extras)


# Three for two -----------------------------------------------------------------------------------


@often
@given(LINES, st.sets(st.sampled_from(KINDS)))
def test_of_each_kind_the_cheapest_piece_of_three_is_free(lines, kinds):
    expected = {}
    for kind in kinds:
        dearest = sorted(
            (line.cents for line in lines if line.kind == kind for _ in range(line.quantity)),
            reverse=True,
        )
        paid = len(dearest) - len(dearest) // 3
        expected[kind] = sum(dearest[paid:])
    assert pricing.threes(lines, kinds) == {kind: n for kind, n in expected.items() if n}


def test_every_third_piece_is_free_whatever_its_brand():
    lines = [PricedLine("A", "tea", "X", "", 1000, 2), PricedLine("B", "tea", "Y", "", 700, 1)]
    assert pricing.threes(lines, ["tea"]) == {"tea": 700}
    assert pricing.threes([replace(lines[0], quantity=6)], ["tea"]) == {"tea": 2000}
    assert pricing.threes([replace(lines[0], quantity=2)], ["tea"]) == {}


# Codes -------------------------------------------------------------------------------------------


@often
@given(LINES, RULES, METHOD, CODES)
def test_no_code_takes_more_than_it_may(lines, rules, method, codes):
    found = quote(lines, rules, method, codes)
    after_threes = found.goods - found.threes
    for code in codes:
        amount = found.codes.get(code.name, 0)
        good = sum(line.total for line in lines if code.is_for(line))
        assert 0 <= amount <= min(good, after_threes)
        assert amount <= (code.cap or amount)
        assert code.percent or amount <= code.cents
        if good < code.over:
            assert code.name not in found.codes
    if not rules.threes and len(codes) == 1:
        [code] = codes
        good = sum(line.total for line in lines if code.is_for(line))
        full = exactly(Fraction(good * code.percent, 100)) if code.percent else code.cents
        right = min(full, code.cap or full, good) if good >= code.over else 0
        assert found.codes.get(code.name, 0) == right
        assert pricing.is_due(code, lines) == bool(right)


def test_a_percentage_is_taken_from_what_its_goods_still_cost():
    """Of both lines ten percent go; then five percent of what is left of one."""
    lines = [PricedLine("X", "lamps", "A", "", 2000), PricedLine("Y", "lamps", "B", "", 8000)]
    codes = [Code("ALL10", percent=10, together=True),
             Code("ONLYX5", percent=5, brand="A", together=True)]  # fmt: skip
    assert quote(lines, ShopRules(), "Economy", codes).codes == {"ALL10": 1000, "ONLYX5": 90}


def test_percents_come_before_amounts_and_each_by_the_alphabet():
    lines = [PricedLine("X", "lamps", "A", "", 10_000)]
    codes = [Code("A5OFF", cents=500), Code("Z20", percent=20), Code("B10", percent=10)]
    assert list(quote(lines, ShopRules(), "Economy", codes).codes.items()) == [
        ("B10", 1000),
        ("Z20", 1800),
        ("A5OFF", 500),
    ]


def test_a_sum_that_is_asked_for_counts_after_threes_and_before_codes():
    lines = [PricedLine("X", "lamps", "A", "", 1000, 3)]
    over = Code("OVER", cents=100, over=2000, together=True)
    half = Code("HALF", percent=50, together=True)
    rules = ShopRules(threes=("lamps",))
    assert quote(lines, rules, "Economy", [half, over]).codes == {"HALF": 1000, "OVER": 100}
    assert quote(lines, rules, "Economy", [replace(over, over=2001)]).codes == {}


@often
@given(CODES)
def test_codes_clash_unless_all_of_them_stand_together(codes):
    assert not pricing.clashes(codes)
    every = [*codes, Code("ALONE", percent=5)]
    assert pricing.clashes(every) == (len(every) > 1)


@often
@given(st.integers(0, 10**7), st.sampled_from([1, 2, 100, 1000]))
def test_halves_are_rounded_up(amount, parts):
    assert pricing.half_up(amount, parts) == exactly(Fraction(amount, parts))


# Days --------------------------------------------------------------------------------------------

DAYS = st.dates(date(2025, 12, 1), date(2026, 4, 1))


@often
@given(DAYS, st.integers(0, 15))
def test_an_order_arrives_so_many_business_days_later(ordered, days):
    """Counted one by one, on a calendar without weekends and holidays."""
    method = pricing.Method("Some", 0, days)
    calendar = (ordered + timedelta(days=n) for n in range(1, 60))
    open_days = [day for day in calendar if day.isoweekday() <= 5 and day not in HOLIDAYS]
    expected = open_days[days - 1] if days else ordered
    assert pricing.arrives(ordered, method) == expected


def test_the_holidays_of_the_season_are_left_out():
    assert pricing.arrives(TODAY, ShopRules().method("Courier")) == date(2026, 1, 20)
    assert not any(map(pricing.is_business_day, HOLIDAYS))
    assert pricing.arrives(date(2026, 2, 13), pricing.Method("One", 0, 1)) == date(2026, 2, 17)


def test_methods_go_where_they_say():
    going = {
        country: [each.name for each in METHODS if pricing.goes_to(each, country)]
        for country in ("United States", "Canada", "New Zealand")
    }
    every = ["Economy", "Standard", "Courier", "Express"]
    assert going == {"United States": every, "Canada": every[:2], "New Zealand": []}
