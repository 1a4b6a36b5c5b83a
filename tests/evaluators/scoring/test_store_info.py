"""How visits of a signed-in customer are scored: evidence, spellings, progress."""

from __future__ import annotations

import json
from functools import partial
from itertools import islice
from typing import Any

import pytest

from scenarios import registry
from scenarios.scenario import Scenario
from scenarios.store.pages import site_map
from sites.store.account import operations as customer
from sites.store.account import orders
from tests import drawing
from tests.contracts.harness import ScoredWorld, scored
from tests.measuring import DEEP

QUESTIONS = (
    "spend_in_month",
    "bought_configuration",
    "latest_order",
    "review_mentions",
    "review_criticisms",
    "cheapest_of_category",
    "change_shipped_address",
)
MISREAD = ("", "x" * 100_000, "$1.00 and $2.00 and $3.00", "[[[", "3/4/2024")
DATA = registry.site_data("store")


def scenario(family: str, seed: int = 0) -> Scenario:
    return drawing.drawn(family, seed)


def questions(family: str, count: int) -> list[Scenario]:
    """The first scenarios of a family that ask something; some have orders sent elsewhere."""
    drawn = (scenario(family, seed) for seed in range(100))
    return list(islice((made for made in drawn if made.gold["check"] == "question"), count))


def walked(made: Scenario, answer: str, pages: int | None = None) -> ScoredWorld:
    """The end of a visit that opened so many pages of the path, and its answer."""

    def visit(world):
        site_map.walk(made.gold["path"][:pages], world, DATA)
        return answer

    return scored(registry.family(made.family), made, visit)


def spellings(answer: dict[str, str]) -> list[str]:
    """Five ways to write an answer."""
    kind, text = answer["kind"], answer["text"]
    if text in ("NOT_FOUND", "NOT_ACHIEVABLE"):
        words = text.replace("_", " ")
        return [text, words.lower(), words.capitalize(), f"{text}.", f'"{words}"']
    bare, names = text.removeprefix("$").replace(",", ""), text.split(", ")
    return {
        "money": [text, bare, f"{bare} dollars", f"USD {bare}", f"The total is {text}."],
        "date": [text, f"{text}.", text.upper(), f"It was on {text}.", text.replace(",", "th,")],
        "text": [text, text.upper(), f'"{text}"', f"{text}.", f"Answer: {text}"],
        "list": [
            text,
            "; ".join(reversed(names)),
            "\n".join(f"- {name}" for name in names),
            json.dumps(names),
            " and ".join(names).upper(),
        ],
    }[kind]


@pytest.mark.parametrize("family", QUESTIONS)
def test_five_spellings_of_the_right_answer_succeed(family):
    for made in questions(family, 6 if DEEP else 2):
        ways = spellings(made.gold["answer"])
        assert len(ways) == 5
        for answer in ways:
            ended = walked(made, answer)
            assert ended.score.success and ended.score.progress == 1, (made.name, answer)


@pytest.mark.parametrize("family", QUESTIONS)
def test_answers_that_cannot_be_read_fail_and_break_nothing(family):
    for answer in MISREAD:
        [made] = questions(family, 1)
        ended = walked(made, answer)
        assert ended.held() == {
            "pages opened": True,
            "answer": False,
            "nothing else changed": True,
        }, answer
        assert ended.score.progress == 0.5
        assert len(json.dumps(ended.score.to_json())) < 5_000


@pytest.mark.parametrize("family", QUESTIONS)
def test_the_right_answer_of_who_saw_nothing_is_worth_nothing(family):
    [made] = questions(family, 1)
    ended = walked(made, made.gold["answer"]["text"], pages=0)
    assert not ended.score.success and ended.score.progress == 0
    assert ended.held()["answer"] is True


def test_some_of_the_pages_are_some_progress():
    made = next(
        made
        for seed in range(50)
        for made in [scenario("review_mentions", seed)]
        if len(made.gold["evidence"]) == 2
    )
    first = walked(made, made.gold["answer"]["text"], pages=-1)
    assert first.score.progress == 0.25
    assert [step.progress for step in first.score.steps] == [0.5, 0]


def test_a_list_that_is_partly_right_is_part_of_the_progress():
    made = next(each for each in questions("review_mentions", 50) if len(each.gold["values"]) == 5)
    names = made.gold["values"]
    ended = walked(made, ", ".join(names[:4]))
    f1 = 2 * 4 / (4 + 5)
    assert ended.score.progress == round((1 + f1) / 2, 4) and not ended.score.success


def test_an_order_that_the_account_page_shows_need_not_be_looked_for():
    made = next(
        made
        for made in questions("latest_order", 50)
        if {"page": "account"} in made.gold["evidence"][0] and made.gold["values"]
    )

    def glance(world):
        orders.dashboard(world)
        return made.gold["answer"]["text"]

    assert scored(registry.family("latest_order"), made, glance).score.success


def test_a_listing_may_be_sorted_the_other_way_to_find_the_cheapest():
    made = scenario("cheapest_of_category", 1)
    other: dict[str, Any] = made.gold["evidence"][0][1]

    def backwards(world):
        customer.category(world, DATA, page=other["number"], **other["options"])
        return made.gold["answer"]["text"]

    assert scored(registry.family(made.family), made, backwards).score.success


def test_a_listing_is_scored_by_where_the_visit_ends():
    made = scenario("category_by_price")
    module, path = registry.family(made.family), made.gold["path"]
    detour = [*path, site_map.path_step("wishlist", ""), path[-1]]
    assert scored(module, made, partial(site_map.walk, detour, stock=DATA)).score.success
    left = scored(module, made, partial(site_map.walk, detour[:-1], stock=DATA)).score
    assert (left.success, left.progress) == (False, 0.5)


def test_a_draft_is_what_stands_in_the_form_at_the_end():
    made = scenario("draft_refund")
    module, wanted = registry.family(made.family), made.gold["draft"]

    def corrected(world):
        customer.open_contact(world)
        customer.draft(world, "text", "something else")
        for field, text in wanted.items():
            customer.draft(world, field, f"  {text.upper()} ")

    assert scored(module, made, corrected).score.success

    def altered(world):
        corrected(world)
        customer.draft(world, "subject", "")

    score = scored(module, made, altered).score
    assert (score.success, score.progress) == (False, round(2 / 3, 4))


def test_wishes_count_one_by_one_until_something_is_taken_off():
    made = next(
        made
        for seed in range(20)
        for made in [scenario("wish_brand", seed)]
        if made.details["account"]["wishes"]
    )
    module, wanted = registry.family(made.family), made.gold["wanted"]

    def one(world):
        customer.wish(world, DATA, wanted[0])

    score = scored(module, made, one).score
    assert score.progress == round(2 / (1 + len(wanted)), 4) and not score.success

    def swapped(world):
        registry.family(made.family).solve(made, world, DATA)
        customer.unwish(world, made.details["account"]["wishes"][0])

    score = scored(module, made, swapped).score
    assert (score.success, score.progress) == (False, 0)


def test_what_else_was_done_keeps_progress_below_one():
    made = scenario("spend_in_month")

    def shopper(world):
        site_map.walk(made.gold["path"], world, DATA)
        customer.wish(world, DATA, next(iter(DATA.catalogue.asins())))
        return made.gold["answer"]["text"]

    score = scored(registry.family(made.family), made, shopper).score
    assert (score.success, score.progress, score.collateral) == (False, 0.99, ("wishes",))


# Orders that are sent elsewhere ------------------------------------------------------------------


def movable() -> Scenario:
    return next(
        made
        for seed in range(50)
        for made in [scenario("change_shipped_address", seed)]
        if made.gold["check"] == "redirection"
    )


def test_half_for_the_page_of_the_order_and_half_for_its_new_address():
    made = movable()
    gold, module = made.gold, registry.family(made.family)
    assert walked(made, "").score.progress == 0.5

    def unseen(world):
        customer.redirect_order(world, gold["order"], gold["address"])

    blind = scored(module, made, unseen)
    assert blind.score.success and blind.score.progress == 1, "the row tells what was done"

    def elsewhere(world):
        site_map.walk(gold["path"], world, DATA)
        customer.redirect_order(world, gold["order"], 3 - gold["address"])

    assert not scored(module, made, elsewhere).score.success


@pytest.mark.parametrize("answer", ["", "done", "It goes there now.", "x" * 5_000])
def test_what_is_said_of_an_order_that_was_sent_elsewhere_counts_for_nothing(answer):
    made = movable()

    def act(world):
        registry.family(made.family).solve(made, world, DATA)
        return answer

    assert scored(registry.family(made.family), made, act).score.success
