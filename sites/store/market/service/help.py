"""The shop's rules in sentences: the terms of a discount code, and the help pages of one
visitor.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sites.site_app import Refusal
from sites.store.catalogue.clock import TODAY, long_day, spoken
from sites.store.market.account.account import STORE
from sites.store.market.offers import rules_of
from sites.store.market.pricing import (
    HOLIDAYS,
    HOME,
    NOT_SERVED,
    PLAN,
    ROUND_UP,
    WRAP,
    Code,
    Method,
    ShopRules,
)
from sites.store.market.service import reordering
from sites.store.market.service.subscriptions import has_subscriptions
from sites.store.market.service.topic import Section, Topic
from sites.store.market.shops import journal_options
from sites.store.shop import operations
from sites.store.shop.journal import log_page
from sites.world import World

OWN = "own help"
"""The key of `World.about` whose value holds help pages for this visitor only."""
EXTRAS = {PLAN: "Protection plan", WRAP: "Gift wrap", ROUND_UP: "Round up"}


def open_help(world: World, shop: str = STORE) -> Mapping[str, Topic]:
    """Return all help topics by name, and record that the help overview was opened."""
    log_page(world, "help", options=journal_options(shop) or {})
    return topics_of(world)


def open_topic(world: World, name: str, shop: str = STORE) -> tuple[str, Sequence[Section]]:
    """Return title and sections of a help page for this visitor, and record that it was opened.
    Raises `Refusal` (404).
    """
    topic = topics_of(world).get(name)
    if topic is None:
        raise Refusal(404, f"There is no help about “{operations.short(name)}”.")
    log_page(world, "help", options=journal_options(shop, topic=name))
    return topic.title, topic.sections(rules_of(world, shop))


def opened_topics(world: World) -> set[str]:
    """Return the names of the help pages that were opened."""
    rows = world.read("SELECT DISTINCT options FROM log_pages WHERE page = 'help'")
    held = [str(row["options"]) for row in rows]
    return {name for name in topics_of(world) if any(f'"topic": "{name}"' in each for each in held)}


def topics_of(world: World) -> Mapping[str, Topic]:
    """Return the help topics by name: those that all visitors have, those for subscribers, and this
    visitor's own.
    """
    held = json.loads(world.about.get(OWN, "{}"))
    shared = ALL_TOPICS if has_subscriptions(world) else TOPICS
    return {**shared, **{name: _own(**each) for name, each in held.items()}}


def add_topic(world: World, name: str, title: str, sections: Sequence[Section]) -> None:
    """Add a help page for this visitor; it replaces a page of the same name."""
    held = json.loads(world.about.get(OWN, "{}"))
    page = {"title": title, "sections": [asdict(each) for each in sections]}
    world.about[OWN] = json.dumps({**held, name: page})


def _own(title: str, sections: Sequence[Mapping[str, Any]]) -> Topic:
    return Topic(title, lambda rules: [Section(**each) for each in sections])


# Codes -------------------------------------------------------------------------------------------


def rule(code: Code) -> str:
    """Return a sentence about a discount code: its reduction, its conditions and its last day."""
    off = f"{code.percent}% off" if code.percent else f"{dollars(code.cents)} off"
    parts = [
        f"{off} {_good_for(code)}",
        f"at most {dollars(code.cap)}" if code.cap else "",
        f"if {_these(code)} to {dollars(code.over)} or more" if code.over else "",
        f"until {spoken(code.until)}, that day included" if code.until else "",
    ]
    together = (
        "can be used together with other codes that say so"
        if code.together
        else "cannot be used together with another code"
    )
    return f"{', '.join(part for part in parts if part)}; {together}."


def _good_for(code: Code) -> str:
    what = f"all {code.kind}" if code.kind else "everything"
    by = f" by {code.brand}" if code.brand else ""
    under = f" in {code.department}" if code.department else ""
    return f"{what}{by}{under}"


def _these(code: Code) -> str:
    limited = code.brand or code.department or code.kind
    return "these goods come" if limited else "the goods come"


# Delivery ----------------------------------------------------------------------------------------


def _delivery(rules: ShopRules) -> Sequence[Section]:
    return (
        Section("Ways to deliver", [_method(each) for each in rules.methods]),
        Section("When it arrives", _days()),
        Section("What else there is to know of postage", list(_postage(rules))),
        Section("Other countries", list(_countries(rules))),
    )


def _method(method: Method) -> str:
    days = "1 business day" if method.days == 1 else f"{method.days} business days"
    return (
        f"{method.name} costs {dollars(method.cents)} and arrives {days} after the day of the"
        " order at the latest."
    )


def _days() -> Sequence[str]:
    off = listed([long_day(each) for each in HOLIDAYS])
    return (
        f"Today is {long_day(TODAY)}.",
        (
            "Business days are Monday to Friday. The day of the order does not count; the next"
            " business day is the first."
        ),
        f"Nothing is delivered on these days, and they do not count: {off}.",
    )


def _postage(rules: ShopRules) -> Iterator[str]:
    if rules.free_method in {each.name for each in rules.methods}:
        yield (
            f"{rules.free_method} is free for orders whose goods come to"
            f" {dollars(rules.free_over)} or more after all that is taken off."
        )
    if rules.bulky and rules.bulky_kinds:
        yield (
            f"For {listed(rules.bulky_kinds)} {dollars(rules.bulky)} is added for each piece,"
            " whatever the way, also where postage is free."
        )


def _countries(rules: ShopRules) -> Iterator[str]:
    abroad = [each.name for each in rules.methods if each.abroad]
    inside = [each.name for each in rules.methods if not each.abroad]
    if inside:
        yield f"{listed(inside)} {_go(inside)} to addresses in the {HOME} only."
    if abroad:
        yield f"{listed(abroad)} {_go(abroad)} to other countries, too, at the same price."
    yield f"We do not deliver to {listed(NOT_SERVED, 'or')}."


def _go(names: Sequence[str]) -> str:
    return "goes" if len(names) == 1 else "go"


# Offers ------------------------------------------------------------------------------------------


def _offers(rules: ShopRules) -> Sequence[Section]:
    return (
        Section("Three for two", _threes(rules)),
        Section("Codes", _codes()),
        Section("In which order", _sequence()),
        Section("Extras", list(_extras(rules))),
        *([Section("Smallest order", [_minimum(rules)])] if rules.minimum else []),
    )


def _threes(rules: ShopRules) -> Sequence[str]:
    if not rules.threes:
        return ("There is no such offer at the moment.",)
    return (
        f"Of {listed(rules.threes)} every third piece in one order is free.",
        (
            "Each kind is counted by itself, whatever the brand. The cheapest pieces of the kind"
            " are the free ones: one of three, two of six, and so on."
        ),
    )


def _codes() -> Sequence[str]:
    return (
        "Your codes stand in your wallet, each with what it is good for.",
        "A code is not used up: it counts once in every order, here and in our outlet.",
        (
            "A code takes something off the goods that it names, never off postage or extras, and"
            " never more than these goods still cost."
        ),
        (
            "Where a code asks for a sum, its goods must come to that sum after three for two,"
            " before any code."
        ),
        (
            "Two codes can be used in one order only if each of them says that it can be used"
            " together with others."
        ),
    )


def _sequence() -> Sequence[str]:
    return (
        (
            "First three for two is taken off; then the codes with a percentage, in the order of"
            " the alphabet; then the codes with an amount, in the order of the alphabet."
        ),
        (
            "A percentage is taken from what its goods still cost then, and rounded to whole cents,"
            " half a cent up."
        ),
        "What a code takes off is shared out over its goods by what each of them still costs.",
        "Then postage, extras and tax are added.",
    )


def _extras(rules: ShopRules) -> Iterator[str]:
    for name, cents in rules.extras.items():
        label = EXTRAS.get(name, name.capitalize())
        if name == ROUND_UP:
            yield f"{label} raises the total to the next whole dollar and gives the rest away."
        else:
            yield f"{label} costs {dollars(cents)} for an order."
    yield "Nobody needs an extra. Take off what you do not want before you place the order."


def _minimum(rules: ShopRules) -> str:
    least = dollars(rules.minimum)
    return f"The goods of an order must come to {least}, before anything is taken off."


# Taxes, statements, returns ----------------------------------------------------------------------


def _taxes(rules: ShopRules) -> Sequence[Section]:
    if not rules.tax:
        return (Section("Tax", ("Our prices include all taxes. Nothing is added to them.",)),)
    return (
        Section(
            "Tax",
            (
                (
                    f"Our prices are without tax. Tax is {_percent(rules.tax)} of the goods after"
                    " all that is taken off, rounded to whole cents, half a cent up."
                ),
                "Postage and extras are not taxed.",
            ),
        ),
    )


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:g}%"


def _statements(rules: ShopRules) -> Sequence[Section]:
    return (
        Section(
            "Which source counts",
            (
                "Where texts about an item differ, its specification counts.",
                (
                    "What the specification does not tell, the description tells; then features and"
                    " answers. Reviews are what customers say, and count last."
                ),
                "“Up to” in a text is the most that is possible, not what is usual.",
            ),
        ),
        Section(
            "Measures",
            (
                (
                    "A brand states its measures either in metric or in US units. One inch is"
                    " 2.54 cm, one pound is 0.4536 kg, one fluid ounce is 29.57 ml, one quart is"
                    " 0.9464 l."
                ),
            ),
        ),
        Section(
            "Lists and choices",
            (
                "What the links beside a list narrow it by holds for all that they leave.",
                "Where you choose no color, we send the one that we have most of.",
            ),
        ),
        Section(
            "Departments and revisions",
            (
                "Each item is filed under one department, which your orders name beside it.",
                "Things with a plug are made in revisions. Which one you got stands in your order.",
            ),
        ),
    )


PAID_BACK = Section(
    "What was paid back",
    (
        (
            "The total of an order is what was charged for it. What we paid back later is"
            " not taken off that total: it stands below it on the order's page, with its"
            " day and its reason."
        ),
        (
            "“Returned” means that all goods of the order came back and were paid back, and"
            " nothing else was."
        ),
        "“Canceled” means that nothing was charged.",
    ),
)
"""The section of the help page about orders that explains refunds."""


def _returns(rules: ShopRules) -> Sequence[Section]:
    return (
        Section(
            "Sending something back",
            (
                (
                    "What you do not like can go back within 30 days after its delivery, unused and"
                    " in its box."
                ),
                "Returns are arranged by phone; this page has no form for them.",
            ),
        ),
        PAID_BACK,
    )


TOPICS: Mapping[str, Topic] = {
    "delivery": Topic("Delivery and postage", _delivery),
    "offers": Topic("Offers, codes and extras", _offers),
    "taxes": Topic("Taxes", _taxes),
    "statements": Topic("How we state things", _statements),
    "returns": Topic("Returns and refunds", _returns),
}


ALL_TOPICS: Mapping[str, Topic] = {**TOPICS, **reordering.TOPICS}


# Words -------------------------------------------------------------------------------------------


def dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"


def listed(words: Sequence[str], last: str = "and") -> str:
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end
