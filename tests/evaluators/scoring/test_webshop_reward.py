from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.scoring.webshop_reward import (
    COLORS,
    norm,
    published_success,
    reward,
    strict_reward,
)
from sites.store.catalogue.nouns import nouns_of
from tests.measuring import DEEP

LAMP = {
    "query": "desk lamps",
    "product_category": "Home › Lighting › Lamps",
    "name": "Orbit Desk Lamp",
    "Title": "Orbit Desk Lamp",
    "Attributes": ["touch control", "energy saving"],
    "BulletPoints": ["Folds flat for travel.", "Comes with a glass shade"],
    "Description": "A lamp with a memory function.",
}
WISH = {
    "query": "desk lamps",
    "product_category": "Home › Lighting › Lamps",
    "name": "Orbit Desk Lamp",
    "attributes": ["touch control", "glass shade", "memory function"],
    "price_upper": 40.0,
    "goal_options": ["grey", "pack of 12"],
}
CHOSEN = {"color": "grey", "count": "pack of 12"}


def bought(product=(), goal=(), price=35.0, options=CHOSEN, by=reward):
    return by(LAMP | dict(product), WISH | dict(goal), price, options)


def options_match(wanted, chosen, by=reward):
    return bought(goal={"goal_options": wanted}, options=chosen, by=by)["num_opt"]


def with_titles(product_nouns, goal_nouns, product=(), goal=()):
    return bought(
        product={"nouns": product_nouns} | dict(product), goal={"nouns": goal_nouns} | dict(goal)
    )


FOREIGN = {"query": "kettles", "product_category": "Kitchen › Kettles"}


# The total


def test_everything_wanted_is_exactly_one():
    parts = bought()
    assert published_success(parts)
    assert parts == {
        "reward": 1.0,
        "r_type": 1.0,
        "query_match": True,
        "category_match": True,
        "title_score": 1.0,
        "num_att": 3,
        "r_att": 1.0,
        "w_att": 0.5,
        "num_opt": 2,
        "r_option": 1.0,
        "w_option": 2 / 6,
        "r_price": 1.0,
        "w_price": 1 / 6,
        "matched": {
            "attributes": [
                {"wanted": "touch control", "by": "Attributes", "found": "touch control"},
                {"wanted": "glass shade", "by": "BulletPoints", "found": "glass shade"},
                {"wanted": "memory function", "by": "Description", "found": "memory function"},
            ],
            "options": [
                {"wanted": "grey", "by": "options", "found": "grey"},
                {"wanted": "pack of 12", "by": "options", "found": "pack of 12"},
            ],
        },
    }
    assert json.loads(json.dumps(parts)) == parts


@pytest.mark.parametrize(
    ("product", "price", "options", "expected"),
    [
        ({"Description": ""}, 35.0, CHOSEN, 5 / 6),
        ({"Description": "", "BulletPoints": []}, 35.0, CHOSEN, 4 / 6),
        ({}, 35.0, {"color": "grey"}, 5 / 6),
        ({}, 40.01, CHOSEN, 5 / 6),
        ({"Description": ""}, 99.0, None, 2 / 6),
    ],
)
def test_each_wish_left_open_costs_its_share(product, price, options, expected):
    parts = bought(product=product, price=price, options=options)
    assert parts["reward"] == pytest.approx(expected)
    assert not published_success(parts)


def test_the_bound_itself_is_affordable_and_a_cent_more_is_not():
    assert bought(price=40.0)["r_price"] == 1
    assert bought(price=40.01)["r_price"] == 0


# The type


def test_two_shared_categories_match_in_any_order_and_repetitions_count_once():
    def match(product, goal):
        product, goal = {"product_category": product}, {"product_category": goal}
        return bought(product=product, goal=goal)["category_match"]

    assert match("b › c › a", "a › b › c")
    assert match("a›d›  b", "a › b › c")
    assert match("a › a › b", "a › b › c")
    assert not match("a › a › d", "a › b › c")
    assert not match("d › e › f", "a › b › c")
    assert not match("a › b, c", "a › b › c")


@pytest.mark.parametrize(
    ("shared", "total", "factor"),
    [(3, 10, 1.0), (2, 10, 0.5), (1, 5, 0.5), (1, 10, 0.5), (1, 11, 0.1), (0, 4, 0.0)],
)
def test_the_type_factor_of_a_foreign_product_steps_at_two_tenths_and_one_tenth(
    shared, total, factor
):
    goal_nouns = [f"noun{i}" for i in range(total)]
    parts = with_titles(goal_nouns[:shared], goal_nouns, FOREIGN)
    assert not parts["query_match"]
    assert not parts["category_match"]
    assert parts["title_score"] == shared / total
    assert parts["r_type"] == factor
    assert parts["reward"] == pytest.approx(factor)


@pytest.mark.parametrize(
    "product", [{"query": "kettles"}, {"product_category": "Kitchen › Kettles"}]
)
def test_query_or_category_suffices_unless_the_title_shares_next_to_nothing(product):
    nouns = [f"noun{i}" for i in range(11)]
    assert with_titles(nouns[:2], nouns, product)["r_type"] == 1.0
    assert with_titles(nouns[:1], nouns, product)["r_type"] == 0.1
    assert with_titles(["other"], nouns, product)["reward"] == 0.0


def test_repeated_nouns_of_the_goal_count_in_the_denominator_only():
    assert with_titles(["lamp", "lamp"], ["Lamp", "lamp", "desk"])["title_score"] == 1 / 3


def test_a_goal_without_nouns_has_a_title_score_of_two_tenths():
    assert with_titles(["lamp"], [])["title_score"] == 0.2
    assert with_titles(["lamp"], [])["r_type"] == 1.0
    assert with_titles(["lamp"], [], FOREIGN)["r_type"] == 0.5


def test_frozen_nouns_win_over_the_rule():
    assert bought(product={"nouns": []})["title_score"] == 0.0
    assert bought(product={"name": "A kettle"})["title_score"] == 0.0


def test_the_title_stands_in_for_a_missing_name():
    assert bought(product={"name": None, "Title": "Desk Lamp"})["title_score"] == 2 / 3


SUPPLY = "BRST AC Power Cord Outlet Socket Cable Plug Lead for Panasonic DVD Home Theater System"
SOUNDBAR = "Saireed UL Listed 2 Prong Power Cord for JBL Bar 3.1 Bar 2.1 Channel 4K HD Soundbar"


def test_the_noun_rule_comes_close_to_the_published_tagger():
    shoe, court = "adidas Unisex-Adult Issue 2 Basketball Shoe", "adidas Unisex-Adult Court Shoe"
    assert list(nouns_of(shoe)) == ["adidas", "unisex", "adult", "issue", "basketball", "shoe"]
    scores = [
        bought(product={"name": product}, goal={"name": goal})["title_score"]
        for product, goal in [(court, shoe), (SUPPLY, SOUNDBAR), (SUPPLY, "Cabinet Knob")]
    ]
    assert scores == [4 / 6, 2 / 11, 0.0]


@pytest.mark.parametrize(
    ("title", "nouns"),
    [
        ("Women's Padded Jacket with 2 Pockets", ["women", "jacket", "pockets"]),
        ("The 4K Bed Frame for Two, Queen (Red)", ["bed", "frame", "queen"]),
        ("Lamp, lamp & LAMP", ["lamp", "lamp", "lamp"]),
        ("Café Crème Émail", ["café", "crème", "émail"]),
        ("of the 12", []),
        ("", []),
    ],
)
def test_nouns_of_keeps_the_naming_words(title, nouns):
    assert list(nouns_of(title)) == nouns


# Attributes


def test_attributes_match_by_token_sets_in_the_list_else_as_a_substring_of_the_text():
    def by(listed, wanted, **texts):
        texts = {"Title": "", "BulletPoints": [], "Description": ""} | texts
        parts = bought({"Attributes": listed} | texts, {"attributes": [wanted]})
        return [match["by"] for match in parts["matched"]["attributes"]]

    assert by(["essential oil"], "essential oils") == ["Attributes"]
    assert by(["long lasting hold"], "long lasting") == ["Attributes"]
    assert by(["tea bag", "earl gray"], "tea tree") == []
    assert by([], "oil", Title="Foil Wrap") == ["Title"]
    assert by([], "oil free", BulletPoints=["It is Oil", "Free of dye"]) == ["BulletPoints"]
    assert by([], "oil", Description="Has OIL") == ["Description"]
    assert by([], "Oil", Description="Has Oil") == []


def test_two_of_three_attributes():
    parts = bought({"Attributes": ["touch controls"], "Description": None})
    assert (parts["num_att"], parts["r_att"]) == (2, 2 / 3)


def test_the_ratio_is_rounded_before_it_is_compared():
    assert options_match(["b" * 20], ["b" * 27]) == 0  # 85.1 rounds to 85
    assert options_match(["b" * 12], ["b" * 9]) == 1  # 85.7 rounds to 86


# Options


@pytest.mark.parametrize(
    ("option", "word"),
    [
        ("black forest", "black"),
        ("violet lavender", "lavender"),
        ("navy blue", "blue"),
        ("dark red", "dark"),
        ("standard", "tan"),
        ("titanium", "tan"),
        ("cashmere", "ash"),
        ("shared", "red"),
        ("rosewood", "rose"),
        ("stainless steel", "steel"),
        ("webshop", "webshop"),
        ("Blue", "Blue"),
        ("", ""),
        (("color", "blue"), "blue"),
        (("color", "navy blue"), ("color", "navy blue")),
    ],
)
def test_norm_finds_the_first_colour_word(option, word):
    assert norm(option) == word


def test_there_are_102_colour_words_in_alphabetical_order():
    assert len(COLORS) == len(set(COLORS)) == 102
    assert list(COLORS) == sorted(COLORS)


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("blue", "navy blue"),
        ("blue", "light blue with blue"),
        ("tan", "standard"),
        ("titanium", "standard"),
        ("large", "x-large"),
        ("large", "X-Large"),
        ("8", "8 wide"),
        ("cool powder snow", "powder snow"),
    ],
)
def test_lenient_options_match_as_published_and_never_strictly(wanted, chosen):
    # "light blue" is normalised to "blue" as well: "blue" comes first in the alphabet.
    assert options_match([wanted], [chosen]) == options_match([chosen], [wanted]) == 1
    assert options_match([wanted], [chosen], strict_reward) == 0
    assert options_match({"color": wanted}, {"color": chosen}, strict_reward) == 0


@pytest.mark.parametrize(
    ("wanted", "chosen"), [("medium", "large"), ("blue", "red"), ("8", "88"), ("8", "")]
)
def test_different_options_do_not_match(wanted, chosen):
    assert options_match([wanted], [chosen]) == 0
    assert options_match({"size": wanted}, {"size": chosen}) == 0


def test_two_of_three_options_whatever_their_order_and_type():
    wanted = ["grey", "XL", "pack of 12"]
    parts = bought(goal={"goal_options": wanted}, options=["pack of 12", "blue", "XL"])
    assert (parts["num_opt"], parts["r_option"], parts["w_option"]) == (2, 2 / 3, 3 / 7)
    assert options_match(["large"], {"color": "large"}) == 1
    assert options_match(["large", "large"], {"size": "large"}) == 2


@pytest.mark.parametrize("wanted", [[], {}, None])
def test_no_wanted_options_weigh_nothing(wanted):
    for by in (reward, strict_reward):
        parts = bought(goal={"goal_options": wanted}, options=["a", "b"], by=by)
        assert (parts["r_option"], parts["num_opt"], parts["w_option"]) == (None, 0, 0)
        assert parts["w_att"] + parts["w_price"] == 1
        assert parts["reward"] == 1


def test_no_chosen_options_match_none():
    assert bought(options=None)["r_option"] == bought(options={})["r_option"] == 0.0


def test_a_pair_of_type_and_value_is_compared_as_its_text():
    assert options_match({"color": "grey", "size": "XL"}, {"color": "grey", "size": "XL"}) == 2
    assert options_match({"color": "navy blue"}, {"color": "sky blue"}) == 1
    assert options_match({"size": "x-large"}, ["large"]) == 1
    assert options_match({"size": "large"}, ["size"]) == 1
    # Only the chosen side is normalised, so these published goals cannot be met at all.
    assert options_match({"fit": "standard"}, {"fit": "standard"}) == 0
    assert options_match(["standard"], {"fit": "standard"}) == 1


def test_of_several_choices_that_match_the_evidence_names_the_first_by_alphabet():
    def found(options, by):
        parts = bought(goal={"goal_options": ["blue"]}, options=options, by=by)
        return parts["matched"]["options"][0]["found"]

    assert found(["sky blue", "navy blue"], reward) == "navy blue"
    assert found({"shade": "sky blue", "color": "navy blue"}, reward) == "navy blue"
    assert found(["blue", "BLUE"], strict_reward) == "BLUE"
    assert found({"shade": "BLUE", "color": "Blue"}, strict_reward) == "Blue"


def test_the_evidence_names_the_type_of_a_wanted_pair():
    parts = bought(goal={"goal_options": {"color": "navy blue"}}, options={"color": "sky blue"})
    expected = [{"wanted": "color: navy blue", "by": "options", "found": "sky blue"}]
    assert parts["matched"]["options"] == expected


# The strict reward


def test_the_strict_reward_has_the_published_shape():
    assert list(bought(by=strict_reward)) == list(bought())
    assert bought(by=strict_reward)["reward"] == 1


def test_strictly_a_wrong_type_or_price_is_worth_nothing():
    wrong = bought(product={"query": "desk lamp"}, by=strict_reward)
    assert (wrong["r_type"], wrong["reward"], wrong["num_att"]) == (0.0, 0.0, 3)
    dear = bought(price=40.01, by=strict_reward)
    assert (dear["r_type"], dear["r_price"], dear["reward"]) == (1.0, 0.0, 0.0)


def test_strictly_the_type_is_the_kind_where_both_have_one():
    def r_type(product, goal):
        return bought(product=product, goal=goal, by=strict_reward)["r_type"]

    assert r_type({"kind": "lamp", "query": "x"}, {"kind": "lamp"}) == 1.0
    assert r_type({"kind": "lamp"}, {"kind": "shade"}) == 0.0
    assert r_type({"kind": "lamp"}, {}) == 1.0
    assert r_type({"nouns": ["nothing"]}, {"nouns": ["shared"]}) == 1.0


def test_strict_options_are_exact_by_type_but_for_case_and_blanks():
    wanted = {"Color": "Navy Blue", "size": "8"}
    assert options_match(wanted, {"color": "navy  blue", "Size": "8"}, strict_reward) == 2
    assert options_match(wanted, {"color": "8", "size": "navy blue"}, strict_reward) == 0
    assert options_match(wanted, {"color": "blue", "size": "8"}, strict_reward) == 1
    assert options_match(wanted, ["8", "navy blue"], strict_reward) == 2
    assert options_match(["8", "navy blue"], wanted, strict_reward) == 2


def test_a_chosen_value_serves_one_wish_only():
    assert options_match(["8", "8"], {"width": "8"}, strict_reward) == 1
    assert options_match(["8", "8"], {"width": "8", "size": "8"}, strict_reward) == 2
    assert options_match({"width": "8", "size": "8"}, ["8"], strict_reward) == 1


def test_strict_attributes_are_listed_or_whole_phrases():
    def match(wanted, **texts):
        texts = {"Attributes": [], "Title": "", "BulletPoints": [], "Description": ""} | texts
        return bought(texts, {"attributes": [wanted]}, by=strict_reward)["num_att"] == 1

    assert match("tea tree", Attributes=["Tea Tree"])
    assert not match("essential oils", Attributes=["essential oil"])
    assert not match("long lasting", Attributes=["long lasting hold"])
    assert match("oil", Title="Tree-Oil, 2 oz")
    assert not match("oil", Title="Foil")
    assert not match("oil", Title="Oily Cream")
    assert match("oil free", BulletPoints=["Dye free", "Oil\nfree!"])
    assert match("oil free", BulletPoints="oil free")
    assert not match("oil free", BulletPoints=["It is oil", "free of dye"])
    assert match("(100%) wool?", Description="Made of (100%) wool? Yes.")
    assert not match("a.c", Description="abc")
    assert not match("", Description="abc")


# Bad input


@pytest.mark.parametrize("by", [reward, strict_reward])
@pytest.mark.parametrize(
    ("case", "line"),
    [
        ({"goal": {"attributes": None}}, "the goal has no 'attributes'"),
        ({"goal": {"price_upper": None}}, "the goal has no 'price_upper'"),
        ({"product": {"query": None}}, "the product has no 'query'"),
        ({"product": {"name": None, "Title": None}}, "the product has no 'name'"),
        ({"price": "cheap"}, "the price is 'cheap'"),
        ({"price": float("nan")}, "the price is nan"),
        ({"price": None}, "the price is None"),
        ({"options": "blue"}, "options is the text 'blue'"),
        ({"goal": {"goal_options": "blue"}}, "goal_options is the text 'blue'"),
    ],
)
def test_bad_input_is_named(by, case, line):
    with pytest.raises(ValueError, match=line):
        bought(**case, by=by)


# What holds for every purchase

WORDS = ["navy", "blue", "standard", "large", "x-large", "8", "wide", "cotton", "oil", "titanium"]
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
LISTS = st.lists(PHRASES, max_size=4)
TYPED = st.dictionaries(st.sampled_from(["color", "size", "fit"]), PHRASES)
NOUNS = st.lists(st.sampled_from([f"noun{i}" for i in range(12)]), max_size=12)
PRODUCTS = st.fixed_dictionaries(
    {
        "query": st.sampled_from(["lamps", "shoes"]),
        "product_category": st.sampled_from(["a › b › c", "c › a", "d › c", "e"]),
        "name": st.just("unused"),
        "nouns": NOUNS,
        "Attributes": LISTS,
        "Title": PHRASES,
        "BulletPoints": LISTS,
        "Description": PHRASES,
    }
)
GOALS = st.fixed_dictionaries(
    {
        "query": st.sampled_from(["lamps", "shoes"]),
        "product_category": st.sampled_from(["a › b › c", "c › a", "d › c", "e"]),
        "name": st.just("unused"),
        "nouns": NOUNS,
        "attributes": LISTS,
        "price_upper": st.sampled_from([10.0, 50.0, 1e6]),
        "goal_options": st.one_of(LISTS, TYPED),
    }
)
PRICES = st.floats(0, 100)
CHOICES = st.one_of(LISTS, TYPED, st.none())
WEIGHTS = ("att", "option", "price")
quickly = settings(derandomize=True, max_examples=80 if DEEP else 25, deadline=None)


@quickly
@given(PRODUCTS, GOALS, PRICES, CHOICES)
def test_rewards_stay_between_zero_and_one_and_add_up(product, goal, price, options):
    for by in (reward, strict_reward):
        parts = by(product, goal, price, options)
        assert 0 <= parts["reward"] <= 1
        shares = [(parts[f"r_{part}"] or 0) * parts[f"w_{part}"] for part in WEIGHTS]
        assert sum(parts[f"w_{part}"] for part in WEIGHTS) == pytest.approx(1)
        if by is reward or parts["r_price"]:
            assert parts["reward"] == pytest.approx(parts["r_type"] * sum(shares))
        assert len(parts["matched"]["attributes"]) == parts["num_att"]
        assert len(parts["matched"]["options"]) == parts["num_opt"]


@quickly
@given(PRODUCTS, GOALS, PRICES, CHOICES, st.integers(0, 3))
def test_one_more_attribute_never_lowers_a_reward(product, goal, price, options, which):
    if goal["attributes"]:
        gained = goal["attributes"][which % len(goal["attributes"])]
        richer = product | {"Attributes": [*product["Attributes"], gained]}
        for by in (reward, strict_reward):
            before, after = by(product, goal, price, options), by(richer, goal, price, options)
            assert after["reward"] >= before["reward"]
            found = [match["wanted"] for match in after["matched"]["attributes"]]
            assert gained in found


@quickly
@given(GOALS, st.lists(PHRASES, max_size=4), st.floats(0, 1), st.booleans())
def test_buying_exactly_what_is_wanted_is_one(goal, wanted, share, more):
    goal = goal | {"goal_options": wanted, "nouns": sorted(set(goal["nouns"]))}
    product = goal | {"Attributes": goal["attributes"]}
    price = goal["price_upper"] * share
    for by in (reward, strict_reward):
        assert by(product, goal, price, wanted + ["unasked"] * more)["reward"] == 1


@quickly
@given(GOALS, TYPED)
def test_buying_exactly_the_wanted_types_and_values_is_strictly_one(goal, wanted):
    goal = goal | {"goal_options": wanted}
    product = goal | {"Attributes": goal["attributes"]}
    assert strict_reward(product, goal, goal["price_upper"], wanted)["reward"] == 1


@quickly
@given(PRODUCTS, GOALS, PRICES, LISTS, LISTS)
def test_superfluous_options_cost_nothing(product, goal, price, options, more):
    for by in (reward, strict_reward):
        plain = by(product, goal, price, options)
        assert by(product, goal, price, options + more)["reward"] >= plain["reward"]


@quickly
@given(PRODUCTS, GOALS, PRICES, CHOICES.filter(bool), st.randoms(use_true_random=False))
def test_the_order_of_the_choices_shows_nowhere(product, goal, price, options, rng):
    mixed = list(options.items() if isinstance(options, dict) else options)
    rng.shuffle(mixed)
    mixed = dict(mixed) if isinstance(options, dict) else mixed
    for by in (reward, strict_reward):
        assert by(product, goal, price, mixed) == by(product, goal, price, options)
