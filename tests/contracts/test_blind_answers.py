"""Every family that asks something: no answer wins without looking, whatever the seed.

A blind agent opens all pages that tell (the best that opening pages blindly can do) and gives one
answer that it made up before: `NOT_ACHIEVABLE`, `NOT_FOUND`, or the value that is right most often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from evaluators.scoring.context import ScoringContext
from scenarios import registry
from scenarios.crm.after_sale import find_by_name, move_one_leg
from scenarios.crm.airline_desk import desk
from scenarios.crm.sale import cheapest_fit
from scenarios.scenario import Scenario
from scenarios.store.account import change_shipped_address, cheapest_of_category
from scenarios.store.ledger import ledger_sum
from scenarios.store.market import task
from scenarios.store.pages import site_map, visits
from sites.crm.airline_desk.model.place import Place
from sites.world import World
from tests import drawing
from tests.contracts.declared import remedy
from tests.each import for_each
from tests.measuring import DEEP, unmeasured

pytestmark = pytest.mark.usefixtures("unmeasured")
SEEDS = range(300 if DEEP else 40)
"""Five rounds of what is drawn in turn of eight; `tox -e deep` adds the others."""
OF_FEW_ANSWERS = {"review_criticisms": 100, "review_evidence": 100}
"""Families in which an answer recurs, so that its share is told by more seeds only."""
OF_LEVEL_2 = {"cheapest_fit": 3, "find_by_name": 3, "move_one_leg": 12}
"""Families of level 2, and a seed at which there is nothing to be done; with it a few others in the
normal run, all with `tox -e deep`."""
WITH_OTHERS = 6
AT_MARKET = range(300 if DEEP else 8)
"""A whole round of what is drawn in turn of eight; `tox -e deep` adds the others."""
MOST = 0.02
"""The share of the seeds that one blind answer may win."""
STATUSES = ("NOT_ACHIEVABLE", "NOT_FOUND")
FAMILIES = sorted(registry.family_modules())
SITES = {name: made.SITE for name, made in registry.family_modules().items()}


def _is_sampled(name: str) -> bool:
    """Whether answers are tried on it: on a family's variants on single airlines, which are the
    family's own tasks, only with `tox -e deep`."""
    airline = "airline" in registry.family_modules()[name].HOSTS
    return DEEP or not (airline and registry.is_variant(name))


ASKING = [
    name
    for name in FAMILIES
    if registry.family_modules()[name].ANSWER is not None and _is_sampled(name)
]
SILENT = [
    name
    for name in FAMILIES
    if registry.family_modules()[name].ANSWER is None and _is_sampled(name)
]
FEW, UNSEEN = 3 if DEEP else 1, 30 if DEEP else 5
"""The seeds of a family that asks nothing, whose scorer looks at no answer; and those of a family
that asks on which no page is opened."""
SLOW = ("audit_yesterday", "booking_figures", "handover")
"""Families that are slow to draw and have no ceiling of their own: as many seeds."""


@dataclass(frozen=True)
class Ceiling:
    """What a blind answer may win: the reason, and where the number comes from."""

    reason: str
    share: Callable[[], float]


def _closed_set() -> float:
    """Seeds go through all answers in turn: none is right more often than once a round."""
    answers = len(cheapest_of_category.places(registry.site_data("store")))
    return -(-len(SEEDS) // answers) / len(SEEDS)


def seeds(name: str) -> Sequence[int]:
    """The seeds that are looked into: fewer of what is slow to draw and to read."""
    if name in SLOW:
        return SEEDS[:UNSEEN]
    if name in MARKET:
        return AT_MARKET
    if name in OF_LEVEL_2 and not DEEP:
        one = OF_LEVEL_2[name]
        return sorted([one, *(each for each in SEEDS if each != one)][:WITH_OTHERS])
    return range(max(len(SEEDS), OF_FEW_ANSWERS.get(name, 0)))


def _impossible(some: int, of: int) -> float:
    """The share of the seeds of a family of level 2 at which there is nothing to be done: `some` of
    each `of`, and one of the few that are looked into in the normal run."""
    return some / of if DEEP else 1 / WITH_OTHERS


def _unmet(name: str) -> Ceiling:
    """Of a family of the market: whatever it is, so many wishes are met by nothing."""
    rare = [visits.is_rare(name, seed, task.IMPOSSIBLE_ONE_IN) for seed in seeds(name)]
    return Ceiling(
        "One wish of eight is met by nothing, which has one answer, right for whoever has looked.",
        lambda: sum(rare) / len(rare),
    )


def _recurring(name: str) -> float:
    """The share of the seeds that have the most frequent right answer."""
    [(_, seeds_of_it)] = Counter(map(right, drawn(name))).most_common(1)
    return seeds_of_it / len(seeds(name))


MARKET = (
    *("best_basket", "buy_compatible", "buy_measured", "buy_wish", "cheaper_substitute"),
    *("buy_wish.outlet", "fitting_set", "gifts_for_people", "two_shops_cheapest", "two_shop_split"),
    *("restock", "subscriptions_in_order"),
    *("ledger_audit", "return_by_policy"),
)
FITS = tuple(each.name for each in cheapest_fit.FAMILIES if _is_sampled(each.name))
NAMESAKES = tuple(each.name for each in find_by_name.FAMILIES if _is_sampled(each.name))
MOVES = tuple(each.name for each in move_one_leg.FAMILIES if _is_sampled(each.name))
OF_THE_CODE_HOST = {
    "issue_state": (0.65, "It is answered by yes or no."),
    "commits_of_group": (0.2, "Somebody makes few commits in some days."),
    "count_commits": (0.2, "Somebody makes few commits in some days."),
    "my_repos_by_stars": (0.15, "Few projects have fewer stars than some counts, and some none."),
    "top_committer": (0.1, "The most commits of one person are a few dozen."),
    "who_has_access": (0.06, "Two of forty seeds may draw the same small world."),
    "clone_command": (0.06, "Two of forty seeds may draw the same project."),
    "feed_token": (0.06, "Two of forty seeds may draw the same user."),
}
"""The share of the seeds that one blind answer may win on the code host, with the reason."""
OF_THE_MAP = {
    "city_route": (0.65, "It is answered by yes or no."),
    "best_order": (0.35, "Three letters have six orders."),
    "article_fact": (0.25, "Some entries, such as a sport or a trade, have few values."),
    "place_fact": (0.2, "Places share opening hours and operators, and some lack the fact."),
    **dict.fromkeys(
        ("nearest_route", "hotel_then", "travel_time", "two_legs", "walking_distance"),
        (0.15, "Ways in one city take a few dozen minutes, and are a few kilometres long."),
    ),
    **dict.fromkeys(
        ("airports_within", "borders", "nearest_park"),
        (0.25, "Each of four countries has five airports, six parks and a dozen provinces."),
    ),
    "nearest": (0.1, "A kind has few places in a city, and each is the nearest to many others."),
    "within_minutes": (0.1, "A kind has few places in a city, and each is near many others."),
}
"""The share of the seeds that one blind answer may win on the map, with the reason."""
OF_THE_BACK_OFFICE = {
    "order_attribute": (0.25, "Some orders lack the product, and some products have one option."),
    "unhappy_customer": (0.15, "For some products, nobody left a bad review."),
    "count_reviews": (0.1, "Few reviews of some months have a given status or word."),
    **dict.fromkeys(
        ("order_sums", "review_titles", "search_terms", "top_canceller"),
        (0.06, "Two of forty seeds may draw the same small world and the same rows of it."),
    ),
}
"""The share of the seeds that one blind answer may win in the back office, with the reason."""
OF_THE_SHOP = {
    "refund_to_expect": (0.25, "One month in six has no canceled order, and its refund is 0."),
    "newest_opinion": (0.15, "Some products have no review, and reviews share their titles."),
    "rating_of": (0.15, "A rating has one decimal, and most are between 3 and 5."),
    "price_range": (0.1, "The bundled catalogue has few brands and kinds of products."),
    **dict.fromkeys(
        ("first_purchase", "newest_order"),
        (0.06, "Two of forty seeds may draw the same customer."),
    ),
}
"""The share of the seeds that one blind answer may win in the shop, with the reason."""


def _few(name: str, most: float, reason: str) -> Ceiling:
    """Of a family whose answers are few: the share of the most frequent, up to a limit."""
    return Ceiling(reason, lambda: min(most, _recurring(name)))


def _undoable(name: str) -> Ceiling:
    """Of a family that asks for no answer if the task can be done: the share of the others."""
    return Ceiling(
        "One of six scenarios cannot be done, which has one answer, right after a look.",
        lambda: sum(bool(right(each)) for each in drawn(name)) / len(seeds(name)),
    )


CEILINGS = {
    **dict.fromkeys(
        FITS,
        Ceiling(
            "In three of twenty nothing is cheap enough, which has one answer, right for whoever"
            " has looked.",
            lambda: _impossible(cheapest_fit.IMPOSSIBLE, cheapest_fit.IMPOSSIBLE_IN),
        ),
    ),
    **dict.fromkeys(
        MOVES,
        Ceiling(
            "In three of twenty no flight fits or the fare may not be changed, which has one"
            " answer, right for whoever has looked.",
            lambda: _impossible(len(move_one_leg.task.IMPOSSIBLE), move_one_leg.task.IMPOSSIBLE_IN),
        ),
    ),
    **dict.fromkeys(
        NAMESAKES,
        Ceiling(
            "In three of twenty no booking has all that is sure, which has one answer, right for"
            " whoever has looked.",
            lambda: _impossible(find_by_name.task.IMPOSSIBLE, find_by_name.task.IMPOSSIBLE_IN),
        ),
    ),
    **{name: _unmet(name) for name in MARKET},
    "bought_configuration": Ceiling(
        "Many kinds come in the style 'standard', and some customer bought one of those.",
        lambda: (8 if DEEP else 2) / len(SEEDS),
    ),
    "bought_option": Ceiling(
        "A thing comes in few colours and sizes, of which some are the same for many things.",
        lambda: min(0.15, _recurring("bought_option")),
    ),
    "last_of_brand": Ceiling(
        "An order is of one of 540 days, and one of forty days recurs by chance.",
        lambda: min(0.1, _recurring("last_of_brand")),
    ),
    "order_field": Ceiling(
        "Two of forty seeds may draw the same customer, whose orders go to the same address.",
        lambda: min(0.05, _recurring("order_field")),
    ),
    "reviewers_by_stars": Ceiling(
        "Two of forty seeds may draw the same product and the same number of stars.",
        lambda: min(0.05, _recurring("reviewers_by_stars")),
    ),
    "spent_on_category": Ceiling(
        "Two of forty seeds may draw the same customer, and one order of a single thing.",
        lambda: min(0.05, _recurring("spent_on_category")),
    ),
    **{
        name: _few(name, most, reason)
        for few in (OF_THE_MAP, OF_THE_CODE_HOST, OF_THE_BACK_OFFICE, OF_THE_SHOP)
        for name, (most, reason) in few.items()
    },
    **{name: _undoable(name) for name in ("invite", "cancel", "notify", "delete_reviews")},
    "change_shipped_address": Ceiling(
        "What cannot be done has one answer. Three of four orders can be sent elsewhere, so that"
        " N/A is right for one in four, whose page was opened and says why.",
        lambda: 1 / change_shipped_address.IMPOSSIBLE_ONE_IN,
    ),
    "checkout_exact": Ceiling(
        "Of some orders the page of an item says that there are too few, which has one answer.",
        lambda: (
            sum(each.gold["reason"] == "short" for each in drawn("checkout_exact"))
            / len(seeds("checkout_exact"))
        ),
    ),
    "cheapest_of_category": Ceiling(
        "The bundled catalogue has so many products that stand clear of their neighbours.",
        _closed_set,
    ),
    "count_negative_comments": Ceiling(
        "A count of at most sixty comments recurs by chance, on three seeds of twenty at most.",
        lambda: min(0.15, _recurring("count_negative_comments")),
    ),
    "ledger_sum": Ceiling(
        "In one question of eight nothing is left to count, which has one answer, right for whoever"
        " has looked.",
        lambda: (
            -(-len(seeds("ledger_sum")) // ledger_sum.IMPOSSIBLE_ONE_IN) / len(seeds("ledger_sum"))
        ),
    ),
}


GUESSES = {
    "review_criticisms": Ceiling(
        "It asks which of two to five named properties are criticised, and for most products it is"
        " one: whoever opened the reviews and names any one guesses among so few.",
        lambda: 0.2,
    ),
    **dict.fromkeys(
        ("count_commits", "commits_of_group"),
        Ceiling("A small count may be the number of a day or of a name.", lambda: 0.15),
    ),
    "count_reviews": Ceiling("A small count may be a number of the instruction.", lambda: 0.05),
    "newest_opinion": Ceiling(
        "The instruction names NOT_FOUND, which is right for a product without such a review.",
        lambda: 0.15,
    ),
    "rating_of": Ceiling("A mean of the stars may be the one that it names.", lambda: 0.05),
}
"""The same for a value that the instruction names: each of them, by its place."""


@cache
def drawn(name: str) -> tuple[Scenario, ...]:
    module = registry.family(name)
    own = module.seeds or seeds(name)
    some = own[: len(seeds(name))] if name in ASKING else own[:FEW]
    with unmeasured():
        return tuple(drawing.drawn(name, seed) for seed in some)


def winning(scenario: Scenario, answers: Iterable[str], look: bool) -> list[str]:
    """The answers that win after all pages of the way were opened, or none was."""
    family = registry.family(scenario.family)
    world = family.world(scenario)
    context = ScoringContext.of(scenario, family, before=world.snapshot())
    if look:
        _open_all(scenario, world, context.data)
    after = world.snapshot()
    return [answer for answer in answers if context.score(after, answer).success]


def _open_all(scenario: Scenario, world: World, data: Any) -> None:
    """Open all pages of the way; of a family whose gold names none, those that its solution opens.

    No solution is asked of a family that names them: it might change rows.
    """
    if "path" not in scenario.gold:
        registry.family(scenario.family).solve(scenario, world, data)
        return
    if scenario.site == "crm":
        desk.walk(scenario.gold["path"], world, data)
        for screen, subject in scenario.gold.get("evidence", ()):
            desk.see(world, Place(screen, (subject,)))
        return
    site_map.walk(scenario.gold["path"], world, data.of(world))


def right(scenario: Scenario) -> str:
    return str(scenario.gold.get("answer", {}).get("text", ""))


def named(scenario: Scenario) -> list[str]:
    """Return the values of the gold that the instruction names, in their order."""
    if "told" in scenario.gold:
        return [spellings[0] for spellings in scenario.gold["told"]]
    texts = {text for text in texts_in(scenario.gold) if text and text in scenario.instruction}
    return sorted(texts, key=scenario.instruction.index)


def texts_in(value: object) -> Iterator[str]:
    """Yield every text in lists and mappings."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for each in value.values() for text in texts_in(each))
    elif isinstance(value, Sequence):
        yield from (text for each in value for text in texts_in(each))


@cache
def won(name: str) -> tuple[Counter[str], Counter[int]]:
    """How many seeds each blind answer wins, and a guess at each value that the instruction names,
    by its place."""
    frequent = [answer for answer, _ in Counter(map(right, drawn(name))).most_common(3) if answer]
    blind, made_up, guessed = dict.fromkeys([*STATUSES, *frequent]), Counter(), Counter()
    with unmeasured():
        for each in drawn(name):
            wins = set(winning(each, [*blind, *named(each)], look=True))
            made_up.update(wins & blind.keys())
            if right(each) or not each.gold.get("do"):  # otherwise only the deed is asked for
                guessed.update(place for place, value in enumerate(named(each)) if value in wins)
    return made_up, guessed


def ceiling(name: str, stated: Mapping[str, Ceiling]) -> float:
    share = stated[name].share() if name in stated else max(MOST, 1 / len(seeds(name)))
    return len(seeds(name)) * share + 1e-9


def _rightly(name: str, answer: str) -> int:
    """The seeds at which there is nothing to be found or done, which any reader may say."""
    return sum(right(each) == answer for each in drawn(name)) if answer in STATUSES else 0


def _draw_others(name: str) -> str:
    """What to change if few answers are right again and again."""
    return remedy(
        name,
        "draw from more rows, or plant a row with a random value: d.plant(table, column=value)",
        "let `generate` draw so that the same answer is seldom right at two seeds",
    )


@pytest.mark.parametrize("name", ASKING)
def test_no_answer_wins_for_whoever_only_opens_pages(name):
    made_up, _ = won(name)
    most = {answer: max(ceiling(name, CEILINGS), _rightly(name, answer)) for answer in made_up}
    too_often = {answer: won for answer, won in made_up.items() if won > most[answer]}
    assert not too_often, (
        f"{too_often} of {len(seeds(name))} seeds: one answer may be right at one seed of fifty"
        f" at most; {_draw_others(name)}"
    )


@pytest.mark.parametrize("name", ASKING)
def test_no_value_of_the_instruction_wins_by_its_place(name):
    _, guessed = won(name)
    assert max(guessed.values(), default=0) <= ceiling(name, GUESSES), (
        f"the value of the instruction at a place wins so often: {guessed}; ask for something that"
        " the instruction does not name"
    )


@pytest.mark.parametrize("name", sorted(CEILINGS))
def test_a_ceiling_is_no_more_than_it_must_be(name):
    made_up, _ = won(name)
    assert max(made_up.values()) == pytest.approx(ceiling(name, CEILINGS))


def _ask_for_pages(name: str) -> str:
    """What to change if an answer wins unseen."""
    return remedy(
        name,
        "name the pages that tell the answer in `read` of `Right`, with rows that the start page"
        " does not show: d.need(not d.is_at_start(page))",
        "let the scorer ask the journal for the pages that tell the answer (`evidence` of the gold"
        " in the store)",
    )


@pytest.mark.parametrize("name", ASKING)
def test_no_answer_wins_unseen(name):
    """Not even the right one: the pages that tell it must have been opened."""
    for each in drawn(name)[:UNSEEN]:
        wins = winning(each, [*STATUSES, right(each)], look=False)
        assert not wins, (
            f"{each.name}: {wins} wins although no page was opened; {_ask_for_pages(name)}"
        )


@pytest.mark.parametrize("name", ASKING)
def test_several_answers_at_once_win_nothing(name):
    """The right one among some that are right at other seeds, in every way to list them."""
    asking = [each for each in drawn(name) if right(each) and right(each) not in STATUSES]
    for each in asking[: UNSEEN if DEEP else 1]:
        same = [one for one in asking if _kind(one) == _kind(each) and right(one) != right(each)]
        several = [right(each), *sorted({*map(right, same)})[:3]]
        if same:
            listed = [mark.join(several) for mark in (", ", "\n", " or ", "; ", " ")]
            assert not winning(each, listed, look=True), (
                f"{each.name}: several answers at once win; "
                + remedy(
                    name,
                    "give `Family` an AnswerSchema of another kind, such as number",
                    "let the scorer read the answer with `evaluators.scoring.answers.read`",
                )
            )


def _kind(scenario: Scenario) -> str:
    kind = scenario.gold["answer"].get("kind")
    assert kind, f"{scenario.name}: write the answer's kind into the gold, answer.kind"
    return str(kind)


@pytest.mark.wide
@for_each("name", SILENT)
def test_no_answer_wins_where_nothing_is_asked(name):
    for each in drawn(name):
        assert not winning(each, STATUSES, look=False), (
            f"{each.name}: an answer wins, but `ANSWER` is None; score the end state alone"
        )


@pytest.mark.parametrize("name", ASKING)
def test_where_something_cannot_be_done_or_found_more_often_it_can(name):
    refused = sum(right(each) in STATUSES for each in drawn(name))
    assert 2 * refused <= len(seeds(name)), (
        f"nothing is to be found or done at {refused} of {len(seeds(name))} seeds; draw fewer of"
        " these"
    )
