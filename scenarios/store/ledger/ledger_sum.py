"""Add up what was spent at the market: over a list of many orders, or over the pages of a few.

In the *wide* form, the totals of 25 to 40 orders count, which the pages of My Orders list. In the
*deep* form, six to ten orders count, and only their own pages show what is needed: departments,
prices and refunds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from scenarios.store.account.orders import month
from scenarios.store.market import task
from scenarios.store.pages import following, site_map, visits
from sites.store import StoreData
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market.account.account import MarketAccount, MarketLine, MarketOrder
from sites.store.market.account.draw import CANCELED, RETURNED, draw_account
from sites.store.market.goods.bank import kinds
from sites.store.market.goods.goods import goods
from sites.store.market.pricing import half_up
from sites.store.market.service.help import dollars

SITE = "store"
TAG = "information"
SCORING = "account"
MEMORY = True
STEPS = ("open addresses", "open orders", "look through orders", "open order")
ANSWER: AnswerSchema | None = AnswerSchema("money", "an amount in dollars")

WIDE, DEEP = "wide", "deep"
SUM, MEAN, MONTH, SECOND, DIFFERENT = "sum", "mean", "month", "second", "different"
COUNTED = {WIDE: range(25, 41), DEEP: range(6, 11)}
"""The possible numbers of orders to add up (wide form) or to open (deep form); the difficulty."""
QUESTIONS = {
    WIDE: (SUM, SUM, SUM, MEAN, MEAN, MONTH, SECOND),
    DEEP: (SUM, SUM, SUM, SUM, MEAN, MEAN, MONTH, SECOND, DIFFERENT),
}
LEAD = 1.04
"""The least ratio of the month with the highest sum to the second, for a clear answer."""
IMPOSSIBLE_ONE_IN = 8
FEWEST = 3
"""The least number of order lines that a question is about."""
DAYS, DAYS_OF_ONE = {WIDE: (250, 620), DEEP: (60, 160)}, (250, 700)
"""The length of a question's period in days: by form, and if only orders to one person count."""
TRIES = 60
"""How many questions about an account are drawn before another account is drawn."""
_KINDS = {MONTH: "text", DIFFERENT: "number"}
_DESCRIPTIONS = {
    "money": "an amount in dollars",
    "text": "a month with its year, such as May 2024",
    "number": "a number",
}


@dataclass(frozen=True)
class Question:
    """A question about past orders: the conditions for an order or an order line to count.

    Orders from `first` to `last` count (each day inside or not), to `person` only or to all others,
    in a `department` ("" for all), with no status in `out`. With `refunds`, refunds are subtracted.
    With `postage`, each order's postage is added, which is a mistake.
    """

    form: str
    asked: str
    first: date
    last: date
    first_in: bool
    last_in: bool
    person: str = ""
    only: bool = False
    department: str = ""
    out: tuple[str, ...] = (CANCELED,)
    refunds: bool = True
    postage: bool = False

    def placed(self, order: MarketOrder) -> bool:
        """Return whether an order was placed in the question's period."""
        day = order.placed
        after = self.first < day or (self.first_in and day == self.first)
        return after and (day < self.last or (self.last_in and day == self.last))

    def sent(self, order: MarketOrder) -> bool:
        """Return whether an order went to a recipient whose orders count."""
        return not self.person or (order.ship_to.name == self.person) == self.only

    def counts(self, order: MarketOrder) -> bool:
        """Return whether an order counts by its day, its recipient and its status."""
        return self.placed(order) and self.sent(order) and order.status not in self.out

    def lines(self, order: MarketOrder) -> list[MarketLine]:
        """Return the lines of an order that belong to the department."""
        return [each for each in order.lines if self.department in ("", _department(each))]


# What comes out ----------------------------------------------------------------------------------


def _department(line: MarketLine) -> str:
    return goods()[line.asin].kind.department


def _paid_back(order: MarketOrder, line: MarketLine) -> int:
    """Return the cents paid back for a line; the reason of such a refund names the product."""
    name = goods()[line.asin].name
    return sum(each.cents for each in order.refunds if each.reason.endswith(name))


def _amount(question: Question, order: MarketOrder) -> int:
    """Return the cents that an order adds to the sum in question."""
    if question.form == WIDE:
        return order.total
    lines = question.lines(order)
    back = sum(_paid_back(order, each) for each in lines) if question.refunds else 0
    postage = order.postage if question.postage and lines else 0
    return sum(each.total for each in lines) - back + postage


def result(question: Question, orders: Sequence[MarketOrder]) -> str:
    """Return the answer to a question, as text.

    It is "" if no order line counts, or if no answer is clear.
    """
    counted = [each for each in orders if question.counts(each)]
    with_lines = [each for each in counted if question.lines(each)]
    if not with_lines:
        return ""
    return _RESULTS[question.asked](question, with_lines)


def _sum(question: Question, orders: Sequence[MarketOrder]) -> str:
    return dollars(sum(_amount(question, each) for each in orders))


def _mean(question: Question, orders: Sequence[MarketOrder]) -> str:
    total = sum(_amount(question, each) for each in orders)
    pieces = sum(line.quantity for each in orders for line in question.lines(each))
    return dollars(half_up(total, len(orders) if question.form == WIDE else pieces))


def _best_month(question: Question, orders: Sequence[MarketOrder]) -> str:
    """Return the month with the highest sum, such as "March 2024"; "" if another month is close."""
    months: dict[str, int] = defaultdict(int)
    for each in orders:
        months[month(each.placed)] += _amount(question, each)
    best = sorted(months, key=lambda name: -months[name])
    if len(best) < 2 or months[best[0]] < LEAD * months[best[1]]:
        return ""
    return best[0]


def _second(question: Question, orders: Sequence[MarketOrder]) -> str:
    """Return the second highest price; "" if prices repeat or a thing was bought twice."""
    if question.form == WIDE:
        prices = [each.total for each in orders]
    else:
        lines = [line for each in orders for line in question.lines(each)]
        prices = [each.cents for each in lines]
        if len({each.asin for each in lines}) < len(lines):
            return ""
    prices.sort(reverse=True)
    return dollars(prices[1]) if len(set(prices)) == len(prices) > 1 else ""


def _different(question: Question, orders: Sequence[MarketOrder]) -> str:
    return str(len({line.asin for each in orders for line in question.lines(each)}))


_RESULTS = {
    SUM: _sum,
    MEAN: _mean,
    MONTH: _best_month,
    SECOND: _second,
    DIFFERENT: _different,
}

# Drawing -----------------------------------------------------------------------------------------


def generate(seed: int, data: StoreData) -> Scenario:
    """Generate the scenario of a seed: an account, a fair question about it, and the question's
    text.
    """
    rng = visits.rng("ledger_sum", seed)
    rare = visits.is_rare("ledger_sum", seed, IMPOSSIBLE_ONE_IN)
    form = DEEP if rare else (WIDE, DEEP)[(seed + seed // 4) % 2]
    while True:
        account = draw_account(rng, data.market)
        question = _drawn(form, account, rng, rare)
        if question is not None:
            break
    person, noted = _named(question, account, rng)
    speaker = Speaker("ledger_sum", visits.split_of(seed), rng)
    instruction = _instruction(question, person, speaker)
    gold = _gold(question, account, noted, person)
    level = {"name": "L2", "P": len(gold["path"]), "M": len(gold["values"]),
             "C": len(gold["values"]), "R": int(noted), "W": 0.2, "K": 3}  # fmt: skip
    return task.scenario(
        "ledger_sum", seed, instruction, gold, data,
        level=level, form=question.form, asked=question.asked, account=account,
    )  # fmt: skip


def _drawn(form: str, account: MarketAccount, rng: Random, rare: bool) -> Question | None:
    """Return the first fair question about an account; None if a number of draws gives none."""
    strict = rng.random() < 0.8 and not rare
    asked = rng.choice(QUESTIONS[form] if not rare else (SUM, MEAN, MONTH, SECOND))
    for _ in range(TRIES):
        question = _any(form, asked, account, rng)
        if _is_fair(question, account, rare) and (
            not strict or rare or _has_refund(question, account)
        ):
            return question
    return None


def _any(form: str, asked: str, account: MarketAccount, rng: Random) -> Question:
    others = dict.fromkeys(each.name for each in account.addresses if each.name != account.name)
    person = rng.choice(["", *others])
    only = form == DEEP and bool(person) and rng.random() < 0.3
    last = rng.choice(account.orders).placed
    first = last - timedelta(days=rng.randint(*(DAYS_OF_ONE if only else DAYS[form])))
    near = min(account.orders, key=lambda each: abs((each.placed - first).days)).placed
    everything = form == WIDE or asked == DIFFERENT
    both_out = asked in (MEAN, SECOND, DIFFERENT) or rng.random() < 0.4
    return Question(
        form=form,
        asked=asked,
        first=near if rng.random() < 0.75 else first,
        last=last if rng.random() < 0.75 else min(TODAY, last + timedelta(days=rng.randint(1, 5))),
        first_in=rng.random() < 0.5,
        last_in=rng.random() < 0.5,
        person=person,
        only=only,
        department="" if everything else rng.choice(_departments()),
        out=(CANCELED, RETURNED) if both_out else (CANCELED,),
        refunds=asked in (SUM, MEAN, MONTH),
    )


@cache
def _departments() -> tuple[str, ...]:
    return tuple(sorted({each.department for each in kinds().values()}))


def _is_fair(question: Question, account: MarketAccount, rare: bool) -> bool:
    """Return whether the number of orders that count suits the form, and the answer is clear.

    If `rare`, no order line may count, so that the question has no answer.
    """
    counted = [each for each in account.orders if question.counts(each)]
    if len(counted) not in COUNTED[question.form]:
        return False
    found = result(question, account.orders)
    if rare:
        return not any(question.lines(each) for each in counted)
    things = sum(len(question.lines(each)) for each in counted)
    return bool(found) and things >= FEWEST and not _is_tie(question, counted)


def _is_tie(question: Question, counted: Sequence[MarketOrder]) -> bool:
    """Return whether a sum or a mean is zero or less, which makes no good question."""
    total = sum(_amount(question, each) for each in counted)
    return question.asked in (SUM, MEAN) and total <= 0


def _has_refund(question: Question, account: MarketAccount) -> bool:
    """Return whether a refund changes the answer's amounts; True if refunds do not matter."""
    if question.form == WIDE or not question.refunds:
        return True
    without = replace(question, refunds=False)
    counted = [each for each in account.orders if question.counts(each)]
    return any(_amount(question, each) != _amount(without, each) for each in counted)


# In words ----------------------------------------------------------------------------------------


def _named(question: Question, account: MarketAccount, rng: Random) -> tuple[str, bool]:
    """Return the customer's words for the person, and whether only the address book explains
    them.
    """
    if not question.person:
        return "", False
    notes = {
        address.name: note for address, note in zip(account.addresses, account.notes, strict=True)
    }
    who = notes[question.person].partition(".")[0]
    if rng.random() < 0.5:
        return f"my {who.removeprefix('My ').lower()}", True
    return question.person, False


def _instruction(question: Question, person: str, speaker: Speaker) -> str:
    """Return the text of a question; an empty `person` means that everybody's orders count."""
    period = _PERIODS[question.first_in, question.last_in]
    when = speaker.phrase(period, first=spoken(question.first), last=spoken(question.last))
    who = speaker.phrase("only" if question.only else "without", person=person) if person else ""
    values = {"when": when, "who": who, "department": question.department}
    acts = (
        f"ask-{question.form}-{question.asked}",
        _counts(question),
        "returned" if RETURNED in question.out else "canceled",
        "nothing",
    )
    return "".join(speaker.phrase(act, **values) for act in acts)


def _counts(question: Question) -> str:
    """Return the name of the sentence that explains which amounts count."""
    if question.form == WIDE:
        return "counts-wide"
    return f"counts-deep-{SUM if question.asked == MONTH else question.asked}"


_PERIODS = {
    (True, True): "when-both-days",
    (False, False): "when-neither-day",
    (True, False): "when-first-day",
    (False, True): "when-last-day",
}
"""The sentence that states the period, by whether the first and the last day are included."""


# Gold --------------------------------------------------------------------------------------------


def _gold(question: Question, account: MarketAccount, noted: bool, person: str) -> dict[str, Any]:
    answer = result(question, account.orders) or visits.NOT_FOUND
    kind = _KINDS.get(question.asked, "money")
    path = list(_path(question, account, noted))
    noted_there = [each for step in path for each in step.get("note", "").split(", ")]
    values = [each for each in noted_there if question.asked == DIFFERENT or "$" in each]
    given = (spoken(question.first), spoken(question.last), person, question.department)
    return {
        **visits.question(kind, answer, values),
        "told": visits.spellings(*(each for each in given if each)),
        "evidence": list(_evidence(question, account, noted)),
        "path": path,
        "wrong": _wrong(question, account.orders, answer),
    }


def _path(question: Question, account: MarketAccount, noted: bool) -> Iterator[site_map.PathStep]:
    """Yield the pages of My Orders down to the period's first day.

    In the deep form, also the pages of the orders that count.
    """
    if noted:
        yield site_map.addresses_step()
    pages = visits.orders_page(_last(question, account))
    for page in range(1, pages + 1):
        listed = account.orders[(page - 1) * 10 : page * 10]
        counted = [each for each in listed if question.counts(each)]
        note = ", ".join(_note(question, each) for each in counted) if question.form == WIDE else ""
        yield site_map.orders_step(page, note if page < pages else "")
        if question.form == DEEP:
            yield from (site_map.order_step(each, _note(question, each)) for each in counted)


def _last(question: Question, account: MarketAccount) -> int:
    """Return the index of the oldest order in the period."""
    return max(index for index, each in enumerate(account.orders) if question.placed(each))


def _note(question: Question, order: MarketOrder) -> str:
    """Return the values to note from an order: amounts, and its day if the question is about
    months.
    """
    day = [spoken(order.placed)] if question.asked == MONTH else []
    if question.form == WIDE:
        return ", ".join([*day, dollars(order.total)])
    lines = question.lines(order)
    if question.asked == DIFFERENT:
        return ", ".join(goods()[each.asin].name for each in lines)
    prices = [dollars(each.cents if question.asked == SECOND else each.total) for each in lines]
    back = [_paid_back(order, each) for each in lines] if question.refunds else []
    return ", ".join([*(day if lines else []), *prices, *(dollars(each) for each in back if each)])


def _evidence(
    question: Question, account: MarketAccount, noted: bool
) -> Iterator[list[dict[str, Any]]]:
    """Yield the journal rows that prove that each order that counts was seen.

    A list or the order's own page proves it. In the deep form only the own page does, if the order
    holds something that counts or has more than one line.
    """
    if noted:
        yield [{"page": "addresses"}]
    for index, each in enumerate(account.orders):
        if not question.counts(each):
            continue
        own = visits.opened("order", int(each.number))
        if question.form == DEEP and (len(each.lines) > 1 or question.lines(each)):
            yield [own]
        else:
            listed = {"page": "orders", "number": visits.orders_page(index)}
            yield [listed, own, *([{"page": "account"}] if index < 5 else [])]


def _wrong(question: Question, orders: Sequence[MarketOrder], right: str) -> dict[str, str]:
    """Return the wrong answers to which careless mistakes lead, by the mistake."""
    careless = {
        "canceled ones counted": replace(question, out=()),
        "refunds forgotten": replace(question, refunds=False),
        "postage counted": replace(question, postage=True),
        "first day": replace(question, first_in=not question.first_in),
        "last day": replace(question, last_in=not question.last_in),
        "everybody counted": replace(question, person=""),
    }
    found = {name: result(each, orders) for name, each in careless.items()}
    return {name: text for name, text in found.items() if text and text != right}


# The rest of the family --------------------------------------------------------------------------


def answer(scenario: Scenario) -> AnswerSchema:
    """Return the answer schema that fits the scenario's question."""
    kind = scenario.gold["answer"]["kind"]
    return AnswerSchema(kind, _DESCRIPTIONS[kind])


world = task.world
length = visits.length
solve = visits.solve


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Advise to follow the gold's path of pages, then to answer.

    The totals of the last page are not noted, because the agent sees them there when it answers.
    """
    advice = following.advise(scenario, observation)
    if advice.answer is None:
        return advice
    unseen = following.unshown(_totals(scenario), observation)
    return replace(advice, needs=tuple(dict.fromkeys((*advice.needs, *unseen))))


def _totals(scenario: Scenario) -> list[str]:
    """Return the totals of the orders that count, as text; [] for the deep form."""
    if scenario.details["form"] != WIDE:
        return []
    ways = scenario.gold["evidence"]
    counted = {page["number"] for way in ways for page in way if page["page"] == "order"}
    orders = MarketAccount.from_json(scenario.details["account"]).orders
    return [dollars(each.total) for each in orders if int(each.number) in counted]


def near_misses(scenario: Scenario, data: StoreData) -> Mapping[str, NearMiss]:
    """Return wrong end states, by label: wrong answers, and the right answer with an unopened
    page.
    """
    gold = scenario.gold
    path, last = gold["path"], gold["evidence"][-1]
    without = [each for each in path if not _proves(each, last)]
    return {
        "a page not opened": visits.walked(without, data, gold["answer"]["text"], "pages opened"),
        **{name: visits.walked(path, data, text, "answer") for name, text in _other_answers(gold)},
    }


def _other_answers(gold: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield wrong answers of an agent that has opened every page, each with the mistake."""
    right = gold["answer"]["text"]
    yield from gold["wrong"].items()
    if right != visits.NOT_FOUND:
        yield "gave up", visits.NOT_FOUND
    if right.startswith("$"):
        cents = round(float(right[1:].replace(",", "")) * 100)
        yield "a cent more", dollars(cents + 1)


def _proves(step: site_map.PathStep, rows: Sequence[dict[str, Any]]) -> bool:
    """Return whether a step opens a page that one of these journal rows names."""
    return any(all(step.get(key) == value for key, value in row.items()) for row in rows)
