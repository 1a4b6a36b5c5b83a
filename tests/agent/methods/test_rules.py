"""The rules: how a wish is taken apart, what of a page is read, what is bought."""

from __future__ import annotations

import asyncio
import random
from datetime import date

import pytest

from agent import agent_spec
from agent.interface import AnswerSchema, Click, Element, Observation, Task, Text, Type
from agent.methods import rules
from agent.methods.rules import pages
from agent.methods.rules.question import Question, Review, reviews
from agent.methods.rules.wish import Wish, words
from evaluators.episode.budget import standard
from tests.each import for_each

WISH = Wish(
    "Find and order electric toothbrushes by Murpesta (sensitive skin and long lasting),"
    " color navy blue, style medium bristles. My limit: lower than 1,050.50 dollars."
)


def test_a_wish_has_parts_a_query_and_a_bound():
    assert WISH.parts == (
        *("electric toothbrushes", "murpesta", "sensitive skin", "long lasting"),
        *("color navy blue", "style medium bristles"),
    )
    assert WISH.query == " ".join(WISH.parts)
    assert WISH.bound == 1050.5


@for_each(
    ("text", "bound"),
    [
        ("a mug", float("inf")),
        ("a mug under $20", 20.0),
        ("a mug for 12 people below 30.00 dollars", 30.0),
        ("My brother's cost 30 dollars. Not above 45 dollars.", 45.0),
    ],
)
def test_the_bound_is_the_last_amount_of_money(text, bound):
    assert Wish(text).bound == bound


@for_each(
    ("kind", "values", "expected"),
    [
        ("color", ["blue", "navy blue", "black"], "navy blue"),
        ("style", ["medium", "medium bristles", "soft bristles"], "medium bristles"),
        ("handle", ["medium"], "medium"),
        ("color", ["red", "black"], ""),
        ("color", ["navyblue"], "navyblue"),
        ("size", [], ""),
    ],
)
def test_options_are_those_that_the_wish_names(kind, values, expected):
    assert WISH.value(kind, values) == expected


def test_an_option_that_is_named_with_its_kind_goes_first():
    wish = Wish("a lamp, shade white, base black wood")
    assert wish.value("shade", ["black", "white"]) == "white"
    assert wish.value("base", ["white", "black wood"]) == "black wood"


def test_parts_word_by_word_overlap_more_than_their_words():
    wish = Wish("sensitive skin, long lasting")
    assert wish.overlap(["Made for sensitive skin.", "Long lasting."]) == 2.0
    assert wish.overlap(["Skin, sensitive or not."]) == 0.5
    assert wish.overlap(["Long ago"]) == 0.25
    assert wish.overlap([]) == 0.0
    assert words("Coffee MUGS, 7.5 ft glass 5-tier") == ["coffee", "mug", "7.5", "ft", *GLASS]


GLASS = ["glass", "5-tier"]


def shown(*content: Element | Text) -> Observation:
    return Observation("http://store.localhost/x", "t", content)


RESULTS = shown(
    Text("Instruction: a red mug"),
    Element(1, "button", "Back to Search"),
    Element(2, "button", "Next >"),
    Element(3, "link", "B1"),
    Text("A mug"),
    Text("$12.00 to $1,300.00"),
    Element(4, "link", "B2"),
    Text("Another mug"),
    Text("$9.50"),
    Element(5, "link", "Help"),
)
ITEM = shown(
    Text("Instruction: a red mug"),
    Element(1, "button", "< Prev"),
    Text("color"),
    Element(2, "radio", "red"),
    Element(3, "radio", "blue", states=("checked",)),
    Text("A mug"),
    Text("Price: $12.00 to $1,300.00"),
    Element(4, "button", "Features"),
    Element(5, "button", "Buy Now", commits=True),
    Element(6, "button", "Add to Wish List"),
)


def test_what_is_read_of_a_page():
    assert pages.cards(RESULTS) == [
        pages.Card("B1", "A mug", 12.0),
        pages.Card("B2", "Another mug", 9.5),
    ]
    assert pages.tabs(ITEM) == ["Features"]
    assert pages.highest_price(ITEM) == 1300.0
    assert pages.highest_price(shown()) == 0.0
    choices = pages.choices(ITEM)
    assert pages.offers(choices) == ["color red", "color blue"]
    assert "Instruction: a red mug" not in pages.texts(ITEM)
    assert pages.search_box(ITEM) is None


class Scripted:
    """A page that shows what it is told to, one after the other, and notes what is done."""

    def __init__(self, *shown: Observation) -> None:
        self.left, self.done = list(shown), []

    async def observe(self) -> Observation:
        return self.left[0]

    async def act(self, action) -> Observation:
        self.done.append(action)
        if len(self.left) > 1:
            self.left.pop(0)
        return self.left[0]


def done_by_rules(page: Scripted, answer: AnswerSchema | None = None, **options: object) -> str:
    task = Task("store", "a red mug", "u", "f", answer, rng=random.Random(0))
    return asyncio.run(rules.solve(task, page, None, rules.Options(**options)))


def test_webshops_rule_searches_the_wish_and_buys_the_first_hit():
    page = Scripted(shown(Element(1, "searchbox", "Search")), RESULTS, ITEM, ITEM, shown())
    assert done_by_rules(page, read=False) == ""
    assert page.done == [Type(1, "a red mug", enter=True), Click(3), Click(2), Click(5)]


@for_each("read", [True, False])
def test_where_nothing_is_found_nothing_is_bought(read):
    page = Scripted(shown(Element(1, "searchbox", "Search")), shown(Text("Nothing matches.")))
    assert done_by_rules(page, read=read) == ""
    assert len(page.done) == 1


@for_each("embedder", ["", "hashed"])
def test_a_product_that_shows_nothing_fits_nothing(embedder):
    page = Scripted(shown(Element(1, "searchbox", "Search")), RESULTS, shown())
    assert done_by_rules(page, embedder=embedder) == ""
    assert page.done == [Type(1, "red mug", enter=True), Click(3)]


def test_options_that_are_gone_after_a_choice_are_left_alone():
    sized = shown(*ITEM.content[:5], Text("size"), Element(9, "radio", "red mug"))
    page = Scripted(shown(Element(1, "searchbox", "Search")), RESULTS, sized, shown())
    assert done_by_rules(page, read=False) == ""
    assert page.done[2:] == [Click(2)]


def test_who_may_say_so_says_that_nothing_can_be_paid():
    page = Scripted(shown(Element(1, "searchbox", "Search")), shown(Text("Nothing matches.")))
    assert done_by_rules(page, AnswerSchema("text")) == "NOT_ACHIEVABLE"


REVIEWS = shown(
    Text("5 stars, by Ann B., East York, CT on March 3, 2025, bought here"),
    Text("Water on the carpet."),
    Text("1 stars, by Bo C., New Erin, KS on March 4, 2025"),
    Text("It leaks."),
    Text("Page 1 of 2"),
)
LEAKS = Question(
    "I own Kit AB-1 and it leaks. Who bought it here, after March 3, 2025?", "Kit AB-1"
)


def test_reviews_are_read_with_who_wrote_them_and_when():
    ann, bo = reviews(REVIEWS)
    assert ann == Review("Ann B.", date(2025, 3, 3), True, "Water on the carpet.")
    assert bo == Review("Bo C.", date(2025, 3, 4), False, "It leaks.")


@for_each(
    ("text", "topics"),
    [
        (LEAKS.text, ("leak",)),
        ('Who writes "rust proof" in a review of "Kit AB-1"? Names only.', ("rust proof",)),
        ("Which reviewers of Kit AB-1 report that it gets hot?", ("hot",)),
    ],
)
def test_the_topic_of_a_question_is_quoted_or_stands_beside_the_title(text, topics):
    assert Question(text, "Kit AB-1").topics == topics


@for_each(("day", "bought_here", "counts"), [(4, True, True), (3, True, False), (4, False, False)])
def test_only_who_bought_it_here_and_wrote_later_counts(day, bought_here, counts):
    assert LEAKS.counts(Review("Ann B.", date(2025, 3, day), bought_here, "")) == counts
    assert Question("Whose Kit AB-1 leaks?", "Kit AB-1").counts(Review("A", None, False, ""))


def test_a_review_holds_a_topic_word_by_word():
    assert LEAKS.holds(Review("Bo C.", None, True, "Mine leaks, too."))
    assert not LEAKS.holds(Review("Ann B.", None, True, "Water on the carpet."))


def test_a_site_without_a_search_is_left_alone():
    page = Scripted(ITEM)
    assert done_by_rules(page) == "" and page.done == []


def test_only_reading_takes_more_steps_than_the_standard_budget():
    usual = standard(5)
    assert rules.budget(usual, rules.Options()).steps == rules.STEPS > usual.steps
    assert rules.budget(usual, rules.Options(read=False)) == usual


def test_the_variants_are_those_of_the_page_on_levels():
    assert agent_spec.read("rules:webshop").options == {"read": False}
    assert agent_spec.read("rules:vectors").options == {"embedder": "minilm"}
    with pytest.raises(agent_spec.BadAgent, match="results=0 is below 1"):
        agent_spec.read("rules:results=0")
