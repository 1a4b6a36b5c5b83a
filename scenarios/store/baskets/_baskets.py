"""Tasks at the market that end in one order of several lines, whose products must be found first.

The gold (the solution) holds the keys that all market families share
(`scenarios.store.market.task`), those that the scorer `order` reads, and:

- `lines`: the lines of the request (`_lines.Sought`), in the request's order;
- `look`: for each line, by asin, the pages to open of each product that has to be looked at;
- `read`: the pages of rules, that is the wallet and topics of the help. The expert reads them after
  it has put the first line into the cart;
- `wanted`: the right order, even if it costs too much. The agent learns that only at the end, so it
  fills the cart in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from agent.interface import Action, Advice, Click, Observation, Type
from scenarios.phrasings import Speaker, phrasings
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.baskets import _lines
from scenarios.store.baskets._lines import Sought
from scenarios.store.market import ordering, task
from scenarios.store.pages import following, screen, site_map, visits
from scenarios.store.pages.screen import Needs
from sites.store import StoreData
from sites.store.market.account.account import MarketAccount
from sites.store.market.account.draw import draw_account
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import HOME, PLAN, Code, ShopRules
from sites.store.market.service import help as rule_pages

STEPS = ("read the rules", "search", "narrow", "open item", "read on", *ordering.STEPS, "give up")
NAMED = 0.4
"""The probability that the request names an unusual address; the same for an unusual payment card.
"""
CLEAR = (0.05, 0.12)
"""By what share of the right order's cost the limit lies above or below it: least and most."""
WALLET = "wallet"
PLACED = "Thank you, your order is placed"
"""The heading of the page that confirms an order."""
Gold = Mapping[str, Any]
Look = list[dict[str, list[str]]]
"""For each line of the order: the pages to open of each product, by asin."""

PLURALS = {"food storage containers": "sets of food storage containers"}


@dataclass(frozen=True)
class Delivery:
    """Where an order goes and how it is paid: the number of the address, and the card's last
    digits.

    If the request names another address or card than the usual, `sentences` are its words for that.
    """

    ship_to: int
    card: str
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """The customer's request.

    Attributes:
        sought: The products to buy.
        limit: The highest total cost in dollars.
        delivery: How and until when the order must arrive.
        besides: For each product, further sentences that the instruction says about it.
    """

    sought: tuple[Sought, ...]
    limit: int
    delivery: Delivery
    besides: tuple[tuple[str, ...], ...] = ()


# Drawing -----------------------------------------------------------------------------------------


def customer(
    family: str, seed: int, stock: Market, codes: Sequence[Code] = ()
) -> MarketAccount:  # fmt: skip
    """Draw a customer whose wallet has these discount codes, and who has no orders or lists yet."""
    rng = Random(f"store/{family}/{seed}/account")
    drawn = draw_account(rng, stock, range(1))
    return replace(drawn, codes=tuple(codes), orders=(), lists=())


def delivery(customer: MarketAccount, speaker: Speaker) -> Delivery:
    """Draw the delivery: the usual address and card, unless the customer names others."""
    rng = speaker.rng
    usual = customer.addresses[0]
    others = [
        number
        for number, each in enumerate(customer.addresses, start=1)
        if each.name != usual.name and each.country == HOME
    ]
    ship_to = rng.choice(others) if others and rng.random() < NAMED else 1
    card = rng.choice(customer.cards) if rng.random() < NAMED else customer.cards[0]
    there = customer.addresses[ship_to - 1]
    where = "homes" if ship_to == 1 else "elsewhere"
    texts = [speaker.phrase(where, name=there.name, city=there.city)]
    if card != customer.cards[0]:
        texts.append(speaker.phrase("cards", last=card.last))
    return Delivery(ship_to, card.last, tuple(filter(None, texts)))


def limit(total: int, rng: Random, *, possible: bool) -> int:
    """Draw the highest cost that the customer accepts, in whole dollars.

    It is clearly above or clearly below the right order's cost.

    Args:
        total: The cost of the right order, in cents.
        rng: The source of randomness.
        possible: Whether the right order must stay within the limit.
    """
    share = rng.uniform(*CLEAR)
    return round(total * (1 + share if possible else 1 - share) / 100)


def quick(goods: Sequence[Good], number: int, names: tuple[str, ...], rng: Random) -> list[Good]:
    """Draw products in random order, preferring those whose facts can be seen on few pages.

    Args:
        goods: The products to choose from.
        number: How many products to draw.
        names: The facts that the agent has to see.
        rng: The source of randomness.
    """
    drawn = sorted(goods, key=lambda good: abs(_lines.effort(good, names) - 2) + 3 * rng.random())
    found = drawn[:number]
    rng.shuffle(found)
    return found


def routed(sought: Sequence[Sought], stock: Market) -> tuple[Sought, ...]:
    """Return the lines; each notes in `mixed` whether a search for its product type finds others
    too.
    """
    return tuple(_lines.routed(each, stock) for each in sought)


def order(
    wish: Wish, asins: Sequence[str], rules: ShopRules, codes: Sequence[str] = ()
) -> dict[str, Any]:  # fmt: skip
    """Return the order, in the gold's form, of these products, one for each line, with free
    delivery.
    """
    lines = [(asin, dict[str, str](), line.quantity)
             for asin, line in zip(asins, wish.sought, strict=True)]  # fmt: skip
    to = wish.delivery
    return ordering.order(lines, [rules.free_method], ship_to=to.ship_to, codes=codes, card=to.card)


def look(
    sought: Sequence[Sought],
    names: Callable[[Good, Sought], Sequence[str]],
    chosen: Sequence[str],
) -> Look:
    """Return for each line the pages that show what decides between its candidates, by asin.

    Args:
        sought: The lines.
        names: Returns the facts of a candidate that have to be seen.
        chosen: For each line, the asin of the right product, which is the last one to open.
    """
    found = []
    for line, own in zip(sought, chosen, strict=True):
        asins = sorted(line.candidates, key=lambda asin: asin == own)
        goods = (task.by_asin(asin) for asin in asins)
        pages = {good.asin: _lines.places(good, names(good, line)) for good in goods}
        found.append({asin: each for asin, each in pages.items() if each})
    return found


def gold(
    wish: Wish, order: Mapping[str, Any], look: Look, *, possible: bool, read: Sequence[str]
) -> dict[str, Any]:
    """Return the solution of a basket task, with all keys that its scorer and advice read.

    Args:
        wish: The customer's request.
        order: The right order.
        look: The pages of products to open.
        possible: Whether the right order stays within the limit.
        read: The pages of rules to open: the wallet, and topics of the help.
    """
    path = _path(wish.sought, look, read)
    wished = [each for line in wish.sought for each in line.wished]
    texts = [each.text for each in wished] + [text for each in wish.besides for text in each]
    return {
        "orders": [dict(order)] if possible else [],
        "alternatives": [],
        "wanted": dict(order),
        "lines": [line.to_json() for line in wish.sought],
        "look": look,
        "read": list(read),
        "constraints": [each.to_json() for each in wished],
        "decides": [*([_rule_row(page)] for page in read), *_lines.rows(path)],
        "path": path,
        "told": visits.spellings(*texts, *wish.delivery.sentences),
        "possible": possible,
    }


def _path(sought: Sequence[Sought], look: Look, read: Sequence[str]) -> _lines.Path:
    """Return the pages to open: for the first line of the order, for the rules, for the other
    lines.
    """
    first, *others = (_lines.path(line, pages) for line, pages in zip(sought, look, strict=True))
    return [*first, *(_rule(page) for page in read), *(step for each in others for step in each)]


def _rule(page: str) -> site_map.PathStep:
    if page == WALLET:
        return site_map.path_step(page, "read the rules")
    return site_map.path_step("help", "read the rules", topic=page)


def _rule_row(page: str) -> dict[str, Any]:
    return {"page": page} if page == WALLET else {"page": "help", "options": {"topic": page}}


def sought(scenario: Scenario) -> tuple[Sought, ...]:
    """Return the lines of the order that the gold holds, as objects."""
    return tuple(Sought.from_json(each) for each in scenario.gold["lines"])


# Near misses -------------------------------------------------------------------------------------


def ordered(scenario: Scenario, data: StoreData, fails: str, **other: Any) -> NearMiss:
    """Return a wrong end state: the right order with some parts replaced is placed.

    Args:
        scenario: The scenario.
        data: The site data of the store.
        fails: The check that must fail.
        other: The parts of the order to replace, by their keys in the gold.
    """
    return ordering.placing(data, [{**scenario.gold["wanted"], **other}], fails)


def of_goods(
    scenario: Scenario, data: StoreData, asins: Sequence[str], codes: Sequence[str] = ()
) -> NearMiss:
    """Return a wrong end state: the right order with other products and codes is placed."""
    wanted = scenario.gold["wanted"]["lines"]
    lines = [
        [asin, options, number] for asin, (_, options, number) in zip(asins, wanted, strict=True)
    ]
    return ordered(scenario, data, "items", lines=lines, codes=list(codes))


def impossible(scenario: Scenario, data: StoreData) -> dict[str, NearMiss]:
    """Return wrong end states, by label, of a scenario in which nothing is to be ordered."""
    return {
        "ordered though too dear": ordered(scenario, data, "nothing ordered"),
        "gave up unseen": visits.gave_up("pages opened"),
    }


def careless(scenario: Scenario, data: StoreData) -> Iterator[tuple[str, NearMiss]]:
    """Yield wrong orders of the right products (extras, delivery, address, card), each with its
    label.
    """
    wanted, usual = scenario.gold["wanted"], ordering.account_of(scenario).cards[0].last
    extra = [*ordering.rules_of(scenario).preset, PLAN][0]
    yield "an extra", ordered(scenario, data, "extras", extras=[extra])
    yield "faster post", ordered(scenario, data, "delivery", methods=["Courier"])
    if wanted["ship_to"] != 1:
        yield "usual address", ordered(scenario, data, "address", ship_to=1)
    if wanted["card"] != usual:
        yield "usual card", ordered(scenario, data, "card", card=usual)
    yield "said that nothing does", visits.gave_up("orders")


# The way -----------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Return the number of actions of the expert: find the lines, read the rules, and check out."""
    gold, wanted = scenario.gold, scenario.gold["wanted"]
    found = sum(
        _lines.length(line, pages, asin)
        for line, pages, (asin, _, _) in zip(
            sought(scenario), gold["look"], wanted["lines"], strict=True
        )
    )
    topics = len(_topics(gold))
    reading = (WALLET in gold["read"]) + 1 + 2 * topics + 1
    back = len(gold["lines"]) - 2
    deal = ordering.length(scenario, wanted) if gold["possible"] else 0
    return found + reading + back + deal


def _topics(gold: Gold) -> list[str]:
    return [page for page in gold["read"] if page != WALLET]


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to find each line and put it into the cart, with the rules after the first, and check
    out.

    Every page shows the lines of the cart. The answer is NOT_ACHIEVABLE if the order costs too
    much.
    """
    gold = scenario.gold
    if _lines.is_headed(PLACED, observation):
        return Advice("place order", answer="")
    needs = following.needs(gold)
    left = list(_left(scenario, observation))
    if left:
        return _find(gold, left, observation, needs)
    if not gold["possible"]:
        return Advice("give up", answer=visits.NOT_ACHIEVABLE, needs=needs)
    at_checkout = ordering.advise(gold["wanted"], observation, needs)
    return at_checkout or Advice("change cart", ordering.to_cart(observation), needs=needs)


def _left(
    scenario: Scenario, observation: Observation
) -> Iterator[tuple[Sought, _lines.Look, str]]:  # fmt: skip
    """Yield the lines that the cart still lacks, each with the pages to open and the right asin."""
    gold = scenario.gold
    lines = zip(sought(scenario), gold["look"], gold["wanted"]["lines"], strict=True)
    for line, pages, wanted in lines:
        if not _is_in_cart(wanted, observation):
            yield line, pages, wanted[0]


def _is_in_cart(line: Sequence[Any], observation: Observation) -> bool:
    asin, _, number = line
    return _lines.is_headed(f"{number} × {task.by_asin(asin).name}", observation)


def _find(
    gold: Gold,
    left: Sequence[tuple[Sought, _lines.Look, str]],
    observation: Observation,
    needs: Needs,
) -> Advice:
    """Return the advice that leads to the first product that the cart still lacks."""
    (line, look, chosen), page = left[0], _page(observation)
    if page == "results":
        return _lines.at_results(line, look, chosen, observation, needs)
    if page == "item":
        return _lines.at_item(line, look, chosen, observation, needs)
    if page == "sub":
        return Advice("read on", screen.click(observation, "< Prev"), needs=needs)
    if page == "search":
        box = screen.find(observation, roles=("searchbox", "textbox", "combobox"))
        typed = (Type(box.id, line.kind, enter=True),) if box else ()
        return Advice("search", typed, needs=needs)
    found = len(gold["lines"]) - len(left)
    return Advice("read the rules", _read(gold, page, found, observation), needs=needs)


def _page(observation: Observation) -> str:
    """Return the name of the page, recognized by content that no other page shows.

    Names: results, item, sub (a tab), search, cart, topic and help (pages of the help), wallet.
    """
    if screen.find(observation, "Add to Cart"):
        return "item"
    if re.search(r"Page \d+ \(Total results", observation.text):
        return "results"
    if screen.find(observation, "< Prev"):
        return "sub"
    if screen.find(observation, "Back to Help"):
        return "topic"
    if screen.find(observation, "Check Out"):
        return "cart"
    titles = (each.title for each in rule_pages.TOPICS.values())
    if all(screen.find(observation, title) for title in titles):
        return "help"
    return WALLET if _lines.is_headed("Wallet", observation) else "search"


def _read(gold: Gold, page: str, found: int, observation: Observation) -> tuple[Action, ...]:
    """Return the click from the cart to the wallet, to the help and its unread topics, then to the
    search.
    """
    if page == "cart" and found == 1:
        return screen.click(observation, "Wallet" if WALLET in gold["read"] else "Help")
    if page == WALLET:
        return screen.click(observation, "Help")
    if page == "topic":
        return screen.click(observation, "Back to Help")
    if page == "help":
        titles = (rule_pages.TOPICS[each].title for each in _topics(gold))
        links = (screen.unvisited(observation, title) for title in titles)
        unread = next((link for link in links if link is not None), None)
        if unread is not None:
            return (Click(unread.id),)
    return screen.click(observation, "Back to Search")


# Wording -----------------------------------------------------------------------------------------


def instruction(wish: Wish, speaker: Speaker) -> str:
    """Return the customer's text: an opening, what to buy with its conditions, the aim and the
    limit.
    """
    besides = wish.besides or ((),) * len(wish.sought)
    parts = [speaker.choose("openings")]
    for number, (line, more) in enumerate(zip(wish.sought, besides, strict=True)):
        lead = speaker.phrase("others" if number else "firsts", what=_what(line))
        sentences = [each.text for each in line.wished] + list(more)
        speaker.rng.shuffle(sentences)
        parts += [lead, *sentences]
    if any(line.quantity > 1 for line in wish.sought):
        parts += phrasings(speaker.family, speaker.kind)["for_each"]
    parts += [speaker.choose("aims"), speaker.phrase("limits", limit=wish.limit)]
    ends = [speaker.choose("posts"), *wish.delivery.sentences, speaker.choose("closings")]
    return " ".join(filter(None, (*parts, *ends)))


def _what(line: Sought) -> str:
    """Return how a wish names a line: "a cooler", "two camping chairs of one sort"."""
    if line.quantity == 1:
        return _lines.kind_of(line.kind).one
    return f"{visits.NUMBERS[line.quantity]} {PLURALS.get(line.kind, line.kind)} of one sort"
