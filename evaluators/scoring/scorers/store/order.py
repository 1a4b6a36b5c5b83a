"""Score orders at the market: exactly the wanted orders, or a justified refusal to order.

Everything about an order counts: its shop, lines with options and quantities, address, delivery,
gift text, codes, card and extras. The gold's `alternatives` are as right as its `orders`. If
nothing can be ordered, the agent must say so after it has looked.

Progress: 0.4 for the deciding pages that were opened; 0.4 for the F1 of the parts of the orders
(averaged with the answer's if the task asks for one), as far as those pages were opened; 0.2 for
having done exactly that. Skills are read from the journal and rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaluators.scoring import answers, evidence, in_words
from evaluators.scoring.asked import Asked
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, changes, f1
from evaluators.scoring.scorers.store._progress import decided, failure, steps
from evaluators.scoring.scorers.store._words import Words, address
from sites.world import Row, Snapshot

OWN_TABLES = ("market_orders", "market_lines", "cart_lines", "checkouts")
SUBSCRIPTION = "subscription"
"""The name of a repeated order (a subscription) among the extras of an order's row."""
ITEM_PAGES = ("item", "outlet item")
OF_GOODS = ("line", "code")
"""The kinds of parts of an order that the agent must find out; the instruction states the others.
"""
UNWANTED = "line that was not wanted"
Gold = Mapping[str, Any]


@dataclass(frozen=True)
class Placed:
    """An order as its rows show it; `lines` are asin, options and quantity."""

    shop: str
    lines: tuple[tuple[str, Mapping[str, str], int], ...]
    ship_to: Mapping[str, str]
    method: str
    gift_text: str
    codes: tuple[str, ...]
    card: str
    extras: tuple[str, ...]


@dataclass(frozen=True)
class Pair:
    """A wanted order, the placed order that is nearest to it, and the wanted address."""

    wanted: Gold
    own: Placed
    address: Mapping[str, str]

    @cached_property
    def wrong(self) -> list[str]:
        """The names of the checks on which the orders differ."""
        wanted, own = self.wanted, self.own
        asked = Counter(asin for asin, _, _ in wanted["lines"])
        items = Counter(line[0] for line in own.lines) == asked
        pieces = _pieces(wanted["lines"]) == _pieces(own.lines)
        held = {
            "shop": own.shop == wanted["shop"],
            "items": items,
            "pieces": not items or pieces,
            "options": not items or not pieces or UNWANTED not in [*_line_parts(wanted, own)],
            "address": own.ship_to == self.address,
            "delivery": own.method in wanted["methods"],
            "gift text": wanted["gift_text"] in (None, own.gift_text),
            "codes": list(own.codes) == sorted(wanted["codes"]),
            "card": wanted["card"] is None or own.card.endswith(wanted["card"]),
            "extras": list(own.extras) == _extras(wanted),
        }
        return [name for name, is_right in held.items() if not is_right]


@dataclass(frozen=True)
class Compared:
    """Wanted orders compared with placed ones: the parts of both, and the failed checks."""

    number: int
    """The number of wanted orders."""
    wanted: Counter[str]
    placed: Counter[str]
    pairs: tuple[Pair, ...]

    @cached_property
    def wrong(self) -> tuple[str, ...]:
        """The names of the checks that do not hold."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in pair.wrong))

    def likeness(self, kinds: Sequence[str] = ()) -> float:
        """Return the F1 between the parts of the wanted and of the placed orders.

        Args:
            kinds: The kinds of parts to compare; () for all.
        """
        return f1(*(_of_kinds(each, kinds) for each in (self.wanted, self.placed)))


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score the orders of a visit, or the answer that nothing can be ordered."""
    gold, before = context.scenario.gold, context.before
    placed = _placed(before, after)
    compared = _best(gold, before, placed)
    other = [table for table in changes(before, after) if table not in OWN_TABLES]
    answered = _likeness(gold, answer)
    words = Words(context.data, after)
    checks = tuple(_checks(gold, words, placed, compared, other, answer))
    seen = evidence.share_seen(gold["decides"], after, _fits)
    right = _right(gold, placed, compared, answered)
    taken = steps(seen, right, done=not other and right == 1)
    return decided(
        checks,
        taken,
        collateral=other,
        failure=failure(placed, _asins(gold), after),
        missed=compared.wrong if placed else (),
        skills={
            "find": _found(gold, after),
            "inspect": seen,
            "compute": compared.likeness(OF_GOODS) if gold["possible"] else None,
            "commit": right,
            "restrain": _restraint(gold, placed, compared, other),
        },
    )


# Rows --------------------------------------------------------------------------------------------


def _placed(before: Snapshot, after: Snapshot) -> list[Placed]:
    """Return the orders that this visit placed."""
    old = {row["number"] for row in before["market_orders"]}
    new = [row for row in after["market_orders"] if row["number"] not in old]
    return [_order(row, after["market_lines"]) for row in new]


def _order(row: Row, lines: Sequence[Row]) -> Placed:
    own = [line for line in lines if line["order_number"] == row["number"]]
    return Placed(
        shop=row["shop"],
        lines=tuple((line["asin"], json.loads(line["options"]), line["quantity"]) for line in own),
        ship_to=json.loads(row["ship_to"]),
        method=row["method"],
        gift_text=row["gift_text"],
        codes=tuple(sorted(json.loads(row["codes"]))),
        card=row["card"],
        extras=tuple(sorted(json.loads(row["chosen"]))),
    )


# Wanted and placed -------------------------------------------------------------------------------


def _best(gold: Gold, before: Snapshot, placed: Sequence[Placed]) -> Compared:
    """Return the comparison of the placed orders with the nearest of the equally right
    alternatives.
    """
    every = [gold["orders"], *gold.get("alternatives", [])]
    return max((_compared(each, before, placed) for each in every), key=Compared.likeness)


def _compared(wanted: Sequence[Gold], before: Snapshot, placed: Sequence[Placed]) -> Compared:
    """Match each wanted order with the nearest placed order that is not matched yet."""
    left, pairs = list(placed), list[Pair]()
    parts, had = Counter[str](), Counter[str]()
    for place, each in enumerate(wanted):
        to = _address(before, each["ship_to"])
        own = max(left, key=lambda one: _overlap(each, one, to), default=None)
        parts.update(f"{part}@{place}" for part in _wanted_parts(each))
        if own is None:
            continue
        left.remove(own)
        pairs.append(Pair(each, own, to))
        had.update(f"{part}@{place}" for part in _parts(pairs[-1]))
    had.update(f"line of order {number}" for number, one in enumerate(left) for _ in one.lines)
    return Compared(len(wanted), parts, had, tuple(pairs))


def _address(before: Snapshot, number: int) -> Mapping[str, str]:
    row = next((row for row in before["addresses"] if row["id"] == number), {})
    return {name: text for name, text in row.items() if name != "id"}


def _overlap(wanted: Gold, own: Placed, to: Mapping[str, str]) -> int:
    parts = Counter(_wanted_parts(wanted)) & Counter(_parts(Pair(wanted, own, to)))
    return parts.total()


def _wanted_parts(wanted: Gold) -> list[str]:
    """Return the names of the parts of a wanted order, except parts that may be anything."""
    asked = [name for name in ("gift text", "card") if wanted[name.replace(" ", "_")] is not None]
    return [
        "shop",
        *(f"line {place}" for place in range(len(wanted["lines"]))),
        "address",
        "delivery",
        *asked,
        *(f"code {name}" for name in wanted["codes"]),
        *(f"extra {name}" for name in _extras(wanted)),
    ]


def _parts(pair: Pair) -> list[str]:
    """Return the parts of a placed order; right parts have the same names as in the wanted
    order.
    """
    wanted, own, wrong = pair.wanted, pair.own, pair.wrong
    single = [name for name in _wanted_parts(wanted) if name in _SINGLE]
    return [
        *(f"other {name}" if name in wrong else name for name in single),
        *_line_parts(wanted, own),
        *(f"code {name}" for name in own.codes),
        *(f"extra {name}" for name in own.extras),
    ]


_SINGLE = ("shop", "address", "delivery", "gift text", "card")


def _line_parts(wanted: Gold, own: Placed) -> Iterator[str]:
    left = list(own.lines)
    for place, line in enumerate(wanted["lines"]):
        match = next((each for each in left if _is_line(line, each)), None)
        if match is not None:
            left.remove(match)
            yield f"line {place}"
    yield from (UNWANTED for _ in left)


def _is_line(wanted: Sequence[Any], line: tuple[str, Mapping[str, str], int]) -> bool:
    asin, options, quantity = wanted
    return (asin, quantity) == (line[0], line[2]) and options.items() <= line[1].items()


def _extras(wanted: Gold) -> list[str]:
    return sorted([*wanted["extras"], *[SUBSCRIPTION] * wanted["subscribed"]])


def _pieces(lines: Sequence[Sequence[Any]]) -> Counter[tuple[str, int]]:
    return Counter((line[0], line[2]) for line in lines)


def _of_kinds(parts: Counter[str], kinds: Sequence[str]) -> Counter[str]:
    """Return the parts whose first word is one of these kinds; without kinds, all parts."""
    if not kinds:
        return parts
    return Counter({part: n for part, n in parts.items() if part.split(" ")[0] in kinds})


# Checks ------------------------------------------------------------------------------------------


def _checks(
    gold: Gold,
    words: Words,
    placed: Sequence[Placed],
    compared: Compared,
    other: Sequence[str],
    answer: str,
) -> Iterator[Check]:
    yield in_words.unchanged("nothing else changed", other)
    if not gold["possible"]:
        lines = in_words.listed(words.line(*line) for one in placed for line in one.lines)
        yield Check("nothing ordered", not placed, lines, "nothing")
        yield _answer("said so", gold, answer)
        yield words.opened(gold["decides"], _fits)
        return
    orders = (in_words.counted(number, "order") for number in (len(placed), compared.number))
    yield Check("orders", len(placed) == compared.number, *orders)
    left = words.products(row["asin"] for row in words.after["cart_lines"] if not row["saved"])
    yield Check("empty cart", left == "nothing", left, "nothing")
    yield _answer("answer" if "answer" in gold else "did not give up", gold, answer)
    if placed:
        yield from (_part(name, shown, words, compared) for name, shown in _SHOWN.items())


def _answer(name: str, gold: Gold, answer: str) -> Check:
    """Check the answer, or whether giving up (or not) was right if the task asks for none."""
    asked = _asked(gold, answer)
    if asked is None:
        return in_words.giving_up(name, answers.gave_up(answer), not gold["possible"])
    return asked.check(name)


def _asked(gold: Gold, answer: str) -> Asked | None:
    return Asked(**gold["answer"], answer=answer) if "answer" in gold else None


def _part(name: str, shown: Shown, words: Words, compared: Compared) -> Check:
    """Check a part of the orders; of several orders, the differing ones are shown."""
    wrong = [pair for pair in compared.pairs if name in pair.wrong]
    sides = [shown(words, pair) for pair in wrong or compared.pairs]
    found, wanted = (in_words.listed(text for side in sides for text in side[at]) for at in (0, 1))
    return Check(name, not wrong, found, wanted)


Shown = Callable[[Words, Pair], tuple[Sequence[str], Sequence[str]]]
"""Returns what a placed order has in a part, and what the wanted order has there."""


def _items(words: Words, pair: Pair) -> tuple[list[str], list[str]]:
    return _both(pair, lambda asin, options, quantity: words.product(asin))


def _quantities(words: Words, pair: Pair) -> tuple[list[str], list[str]]:
    return _both(pair, lambda asin, options, quantity: words.line(asin, {}, quantity))


def _lines(words: Words, pair: Pair) -> tuple[list[str], list[str]]:
    return _both(pair, words.line)


def _both(pair: Pair, write: Callable[..., str]) -> tuple[list[str], list[str]]:
    """Return the lines of the placed and of the wanted order in words."""
    found, wanted = (sorted(write(*line) for line in each)
                     for each in (pair.own.lines, pair.wanted["lines"]))  # fmt: skip
    return found, wanted


def _gift_text(words: Words, pair: Pair) -> tuple[list[str], list[str]]:
    asked = pair.wanted["gift_text"]
    return [pair.own.gift_text or "none"], ["any" if asked is None else asked or "none"]


def _card(words: Words, pair: Pair) -> tuple[list[str], list[str]]:
    asked = pair.wanted["card"]
    return [pair.own.card], ["any" if asked is None else f"the card that ends in {asked}"]


_SHOWN: Mapping[str, Shown] = {
    "shop": lambda words, pair: ([pair.own.shop], [pair.wanted["shop"]]),
    "items": _items,
    "pieces": _quantities,
    "options": _lines,
    "address": lambda words, pair: ([address(pair.own.ship_to)], [address(pair.address)]),
    "delivery": lambda words, pair: ([pair.own.method], [" or ".join(pair.wanted["methods"])]),
    "gift text": _gift_text,
    "codes": lambda words, pair: (pair.own.codes or ["none"], pair.wanted["codes"] or ["none"]),
    "card": _card,
    "extras": lambda words, pair: (pair.own.extras or ["none"], _extras(pair.wanted) or ["none"]),
}


def _right(gold: Gold, placed: Sequence[Placed], compared: Compared, answered: float) -> float:
    if not gold["possible"]:
        return 0.0 if placed else answered
    rows = compared.likeness()
    return (rows + answered) / 2 if "answer" in gold and rows else rows


def _likeness(gold: Gold, answer: str) -> float:
    """Return how right the answer is, from 0 to 1.

    If the task asks for no answer, return 1 if the agent gave up exactly if it had to, else 0.
    """
    asked = _asked(gold, answer)
    if asked is None:
        return float(answers.gave_up(answer) != gold["possible"])
    return asked.likeness


# Pages -------------------------------------------------------------------------------------------


def _fits(row: Row, line: evidence.JournalLine) -> bool:
    return all(_says(row, key, value) for key, value in line.items())


def _says(row: Row, key: str, value: Any) -> bool:
    """Return whether a column of a journal row has this value, as `evidence.says` does.

    But wanted `options` need only be some of the row's, in the same shop.
    """
    if key != "options":
        return evidence.says(row, key, value)
    own = evidence.read(row, key)
    return bool(value.items() <= own.items() and value.get("shop") == own.get("shop"))


def _asins(gold: Gold) -> set[str]:
    return {line[0] for order in gold["orders"] for line in order["lines"]}


def _found(gold: Gold, after: Snapshot) -> float | None:
    """Return the share of the wanted items whose pages were opened, or None without items."""
    asins = _asins(gold)
    opened = {row["asin"] for row in after["log_pages"] if row["page"] in ITEM_PAGES}
    return len(asins & opened) / len(asins) if asins else None


def _restraint(
    gold: Gold, placed: Sequence[Placed], compared: Compared, other: Sequence[str]
) -> float:
    """Return 1 if nothing unwanted was ordered, added or changed, else 0."""
    if other or not gold["possible"]:
        return float(not other and not placed)
    unasked = compared.placed - compared.wanted
    return float(not any(part.startswith(("line", "extra")) for part in unasked))
