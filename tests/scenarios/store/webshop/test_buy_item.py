"""The wish to buy an item: what the sentence says, what can be found, what else is bought."""

from __future__ import annotations

from random import Random

import pytest

from agent.interface import Click, Element, Observation, Text, Type
from scenarios import registry
from scenarios.store.webshop import buy_item
from sites.store import StoreData
from sites.store.catalogue.tables import kinds
from sites.store.shop import operations
from sites.world import state
from tests import measuring
from tests.contracts.harness import scored
from tests.measuring import unmeasured

SEEDS = range(200 if measuring.DEEP else 80)


@pytest.fixture(scope="module")
def data() -> StoreData:
    return registry.site_data("store")


@pytest.fixture(scope="module")
def scenarios(data):
    return [buy_item.generate(seed, data) for seed in SEEDS]


# The sentence ------------------------------------------------------------------------------------


def test_the_sentence_holds_every_value_that_the_goal_needs(scenarios):
    for scenario in scenarios:
        gold, instruction = scenario.gold, scenario.instruction.casefold()
        values = [
            buy_item._named(gold["query"]),
            *gold["attributes"],
            *gold["goal_options"].values(),
        ]
        assert [value for value in values if value.casefold() not in instruction] == [], scenario
        if gold["price_upper"] < buy_item.NO_BOUND:
            assert f"{gold['price_upper']:.2f} dollars" in instruction
        else:
            assert "dollars" not in instruction


def test_the_sentence_names_neither_the_product_nor_its_code(scenarios, data):
    for scenario in scenarios:
        assert scenario.gold["asin"] not in scenario.instruction
        assert data.catalogue.get(scenario.gold["asin"]).name not in scenario.instruction


def test_the_sentences_have_many_shapes(scenarios):
    openings = {each.instruction.split(one(each))[0] for each in scenarios}
    assert len(openings) >= 12, openings
    prices = {each.instruction.rpartition(" dollars")[0].split()[-3] for each in scenarios}
    assert len(prices) >= 5, "the price is told in several ways"


def one(scenario) -> str:
    return buy_item.one_of(scenario.gold["query"])


def test_articles_fit(scenarios):
    for scenario in scenarios:
        assert f" {one(scenario)}" in scenario.instruction
    for kind in kinds():
        article, _, rest = kind.one.partition(" ")
        if article in ("a", "an"):
            assert article == ("an" if rest[0] in "aeiou" else "a"), kind.one
        else:
            assert kind.one == kind.name, kind.one


def test_a_wish_names_its_type_by_words_that_find_it(data):
    """The words are in the wish, and stems of the type's own name."""
    for kind in kinds():
        assert buy_item._named(kind.name) in kind.one
        assert data.search.words(buy_item._named(kind.name)) == data.search.words(kind.name)
    assert buy_item.one_of("armchairs") == "armchairs"
    assert buy_item.one_of("espresso machine") == "an espresso machine"
    assert buy_item._named("espresso machine") == "espresso machine"


def test_words_reward_and_advice_mean_the_same_products_by_a_bound(scenarios, data):
    """Some wishes say "less than", some "at most"; the reward and the advice are inclusive."""
    prices = [product.price for product in data.catalogue]
    for scenario in scenarios:
        bound = scenario.gold["price_upper"]
        assert [price < bound for price in prices] == [price <= bound for price in prices]


def test_the_price_bound_follows_the_published_rule(scenarios, data):
    bounded = 0
    for scenario in scenarios:
        price, bound = data.catalogue.get(scenario.gold["asin"]).price, scenario.gold["price_upper"]
        multiples = [each for each in range(10, 1000, 10) if each > price][:4]
        if len(multiples) < 2:
            assert bound == buy_item.NO_BOUND
        else:
            assert bound in multiples[1:], "the larger of two of the first four above the price"
            bounded += 1
    assert bounded > 0.75 * len(scenarios)


def test_the_price_bound_takes_every_value_of_the_rule():
    seen = {buy_item.price_bound(25.0, Random(str(seed))) for seed in range(200)}
    assert seen == {40.0, 50.0, 60.0}
    assert buy_item.price_bound(980.0, Random("0")) == buy_item.NO_BOUND
    assert buy_item.price_bound(970.0, Random("0")) == 990.0
    assert buy_item.price_bound(10.0, Random("0")) > 10.0


@pytest.mark.parametrize(
    ("seed", "split"), [(0, "test"), (499, "test"), (500, "dev"), (1499, "dev"), (1500, "train")]
)
def test_splits_are_by_seed(data, seed, split):
    assert buy_item.generate(seed, data).details["split"] == split


def test_the_goals_vary(scenarios):
    golds = [each.gold for each in scenarios]
    assert {len(gold["attributes"]) - bool(gold["brand"]) for gold in golds} >= {1, 2, 3}
    assert {len(gold["goal_options"]) for gold in golds} >= {1, 2, 3}
    assert 0.25 < sum(bool(gold["brand"]) for gold in golds) / len(golds) < 0.55
    assert len({gold["category"] for gold in golds}) >= 6
    assert len({gold["asin"] for gold in golds}) > 0.75 * len(golds)


# The way -----------------------------------------------------------------------------------------


def test_the_product_is_found_on_its_page_of_results(scenarios, data):
    for scenario in scenarios:
        gold, world = scenario.gold, buy_item.world(scenario)
        words = " ".join([buy_item._named(gold["query"]), *gold["attributes"]])
        page = operations.search(world, data, words, gold["results_page"])
        assert gold["asin"] in [each.asin for each in page.products], scenario.name
        assert 1 <= gold["results_page"] <= 5


def test_looking_around_changes_no_verdict(scenarios, data):
    for scenario in scenarios[:40]:

        def wander(world, scenario=scenario):
            operations.open_index(world)
            for product in operations.search(world, data, scenario.gold["query"]).products:
                operations.open_item(world, data, product.asin, {})
                operations.open_sub_page(world, data, product.asin, "Reviews", {})
            return buy_item.solve(scenario, world, data)

        straight = scored(
            buy_item,
            scenario,
            lambda world, scenario=scenario: buy_item.solve(scenario, world, data),
        )
        wandered = scored(buy_item, scenario, wander)
        assert wandered.score == straight.score
        assert state(wandered.after) == state(straight.after)


def test_looking_around_alone_changes_no_world(scenarios, data):
    world = buy_item.world(scenarios[0])
    before = world.digest()
    operations.search(world, data, "chair")
    operations.open_item(world, data, scenarios[0].gold["asin"], {})
    assert world.digest() == before


def test_every_right_product_is_accepted(scenarios, data):
    """A wish that several products fulfil is fulfilled by each of them."""
    several = 0
    for scenario in scenarios[:30]:
        gold = scenario.gold
        for product in data.catalogue:
            fits = (
                product.kind == gold["query"]
                and product.category == gold["category"]
                and set(gold["attributes"]) <= {*product.attributes, product.brand.lower()}
                and product.price <= gold["price_upper"]
                and all(
                    value in product.options.get(kind, ())
                    for kind, value in gold["goal_options"].items()
                )
            )
            if fits and product.asin != gold["asin"]:
                several += 1
                ended = scored(
                    buy_item,
                    scenario,
                    lambda world, p=product, g=gold: (
                        operations.buy(world, p, g["goal_options"]) and ""
                    ),
                )
                assert ended.score.success, (scenario.name, product.asin, ended.held())
    assert several


# The advice --------------------------------------------------------------------------------------


def _page(path: str, *nodes: Element | Text) -> Observation:
    return Observation(f"http://store.localhost{path}", "WebShop", nodes)


def _button(number: int, name: str, role: str = "button", **fields) -> Element:
    return Element(number, role, name, **fields)


def test_the_search_is_for_kind_and_attributes_and_needs_each_word(scenarios):
    for scenario in scenarios[:30]:
        gold = scenario.gold
        box = _button(1, "Search products", "searchbox", value="")
        advice = buy_item.advise(scenario, _page("/s", box, _button(2, "Search")))
        words = " ".join([buy_item._named(gold["query"]), *gold["attributes"]])
        assert advice.actions == (Type(1, words, enter=True),)
        assert {word for spellings in advice.needs for word in spellings} == set(words.split())


def test_at_the_item_what_is_not_chosen_yet_is_chosen_then_it_is_bought(scenarios):
    scenario = next(each for each in scenarios if len(each.gold["goal_options"]) >= 2)
    gold = scenario.gold
    first, *others = gold["goal_options"].values()
    named = [f"{kind} {value}" for kind, value in gold["goal_options"].items()][1:]
    path = f"/item_page/{scenario.id}/{gold['asin']}/x/1/{{}}"
    radios = [
        _button(1, first, "radio", states=("checked",)),
        *(_button(number, value, "radio") for number, value in enumerate(others, start=2)),
    ]
    advice = buy_item.advise(scenario, _page(path, *radios, _button(9, "Buy Now")))
    assert advice.actions == (*(Click(2 + i) for i in range(len(others))), Click(9))
    needed = {word for spellings in advice.needs for word in spellings}
    query = buy_item._named(gold["query"])
    assert needed == {query, *gold["attributes"], *others, *named}, "the rest is known"
    assert advice.step == "choose options"


def test_a_wrong_item_is_left(scenarios):
    page = _page(
        f"/item_page/{scenarios[0].id}/B0WRONGONE/x/1/{{}}",
        _button(1, "< Prev", "link"),
        _button(2, "Buy Now"),
    )
    assert buy_item.advise(scenarios[0], page).actions == (Click(1),)


def test_the_receipt_is_the_end_whatever_it_shows(scenarios):
    advice = buy_item.advise(scenarios[0], _page("/done/x", _button(1, "Back to Search")))
    assert advice.answer == "" and not advice.actions


def test_every_step_of_the_advice_is_a_step_of_the_family(scenarios):
    pages = [
        _page("/s", _button(1, "Search", "searchbox")),
        _page("/x", _button(1, "Back to Search"), Text("Page 1 (Total results: 0)")),
        _page("/item_page/s/B0WRONGONE/x/1/{}", _button(1, "< Prev"), _button(2, "Buy Now")),
        _page("/item_sub_page/s", _button(1, "< Prev"), _button(2, "Back to Search")),
        _page("/done/x"),
        _page("/nowhere"),
    ]
    for page in pages:
        assert buy_item.advise(scenarios[0], page).step in buy_item.STEPS


# Look-alikes -------------------------------------------------------------------------------------


def _results(*cards: tuple[str, str, str, bool]) -> Observation:
    """A page of results: of each product code, title, price, and whether it was opened."""
    nodes: list[Element | Text] = [_button(1, "Back to Search"), _button(2, "Next >")]
    nodes.append(Text("Page 1 (Total results: 30)"))
    for number, (code, title, price, opened) in enumerate(cards, start=3):
        states = ("visited",) if opened else ()
        nodes += [_button(number, code, "link", states=states), Text(title), Text(price)]
    return _page("/search_results/s/x/1", *nodes)


def _look_alike_and_right(scenario, data) -> tuple[str, str]:
    """A look-alike that does not fit, and the right product."""
    gold = scenario.gold
    right = data.catalogue.get(gold["asin"])
    for other in data.catalogue:
        alike = (other.name, other.price_text) == (right.name, right.price_text)
        if alike and not buy_item._fits(gold, other.asin):
            return other.asin, right.asin
    return "", right.asin


@unmeasured()
def test_of_look_alikes_the_first_that_was_not_opened_is_opened(scenarios, data):
    swapped = 0
    for scenario in scenarios:
        wrong, right = _look_alike_and_right(scenario, data)
        if not wrong:
            continue
        swapped += 1
        look = data.catalogue.get(right).name, data.catalogue.get(right).price_text

        def pressed(*codes: str, opened=(), look=look, scenario=scenario) -> Click:
            page = _results(*((code, *look, code in opened) for code in codes))
            return buy_item.advise(scenario, page).actions[0]

        assert pressed(wrong, right) == pressed(right, wrong) == Click(3)
        assert pressed(wrong, right, opened=(wrong,)) == Click(4)
        assert pressed(wrong, right, opened=(wrong, right)) == Click(4), "it is known by now"
        assert pressed(right, wrong, opened=(wrong, right)) == Click(3)
    assert swapped >= 0.02 * len(scenarios)


def test_what_is_too_dear_or_called_otherwise_is_passed_over(scenarios, data):
    scenario = next(each for each in scenarios if each.gold["price_upper"] < 1000)
    right = data.catalogue.get(scenario.gold["asin"])
    dear = f"${scenario.gold['price_upper'] + 1:.2f}"
    cards = [("B0EXAMPLE1", right.name, dear, False), ("B0EXAMPLE2", "Another", "$1.00", False)]
    advice = buy_item.advise(scenario, _results(*cards))
    assert advice.step == "search" and advice.actions == (Click(1),), "not the page of this search"
    cards.append((right.asin, right.name, right.price_text, False))
    assert buy_item.advise(scenario, _results(*cards)).actions == (Click(5),)


def test_what_is_bought_among_look_alikes_is_accepted_by_the_scorer(scenarios, data):
    """The first that fits, in the order of the results, need not be the one that was drawn."""
    others = 0
    for scenario in scenarios:
        gold = scenario.gold
        hits = data.search.search(" ".join([gold["query"], *gold["attributes"]]))
        listed = [data.catalogue.get(asin) for asin in hits]
        alike = [each for each in listed if each.name == gold["name"]]
        product = next(each for each in alike if buy_item._fits(gold, each.asin))
        others += product.asin != gold["asin"]
        ended = scored(
            buy_item,
            scenario,
            lambda world, p=product, g=gold: (
                operations.open_item(world, data, p.asin, g["goal_options"])
                and operations.buy(world, p, g["goal_options"])
                and ""
            ),
        )
        assert ended.score.success, (scenario.name, product.asin, ended.held())
    assert others >= 0.015 * len(scenarios)


def test_an_item_that_fits_is_bought_whichever_it_is(scenarios, data):
    for scenario in scenarios[:40]:
        wrong, right = _look_alike_and_right(scenario, data)
        for code, step in ((wrong, "open item"), (right, "choose options")):
            options = scenario.gold["goal_options"].values()
            radios = [_button(n, value, "radio") for n, value in enumerate(options, start=3)]
            buttons = _button(1, "< Prev"), _button(2, "Buy Now")
            page = _page(f"/item_page/s/{code}/x/1/{{}}", *buttons, *radios)
            advice = buy_item.advise(scenario, page)
            assert not code or not options or advice.step == step
