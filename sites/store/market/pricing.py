"""The cost of an order and its day of arrival, calculated in whole cents.

A shop's rules are its `ShopRules`; its help pages state them in sentences. The parts of a price are
computed in this order: goods, three for the price of two, codes (percentages before amounts),
postage, extras, tax, rounding up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

PLAN, WRAP, ROUND_UP = "plan", "wrap", "round up"
SUBSCRIPTION = "subscription"
WHOLE_DOLLAR = 100


@dataclass(frozen=True)
class PricedLine:
    """A line of an order for calculations: pieces of one product; `cents` is the price of one
    piece.
    """

    asin: str
    kind: str
    brand: str
    department: str
    cents: int
    quantity: int = 1

    @property
    def total(self) -> int:
        return self.cents * self.quantity


@dataclass(frozen=True)
class Code:
    """A discount code (voucher): `percent` or `cents` off the lines for which it is valid.

    Attributes:
        brand: The brand of the lines for which it is valid; "" for any brand.
        department: The department of these lines; "" for any.
        kind: The kind of these lines; "" for any.
        over: The least that these lines must cost, in cents, after three for two.
        cap: The largest reduction by a percentage, in cents; 0 for no limit.
        together: Whether it can be used with other codes, if they allow it, too.
        until: The last day on which it is valid; None for no end.
    """

    name: str
    percent: int = 0
    cents: int = 0
    brand: str = ""
    department: str = ""
    kind: str = ""
    over: int = 0
    cap: int = 0
    together: bool = False
    until: date | None = None

    def is_for(self, line: PricedLine) -> bool:
        """Return whether the discount code is valid for a line of an order."""
        return (
            self.brand in ("", line.brand)
            and self.department in ("", line.department)
            and self.kind in ("", line.kind)
        )


@dataclass(frozen=True)
class Method:
    """A delivery method: an order arrives at the latest `days` business days after the day on which
    it is placed.
    """

    name: str
    cents: int
    days: int
    abroad: bool = False
    """Whether the method also goes to countries other than the shop's own."""


METHODS = (
    Method("Economy", 399, 7, abroad=True),
    Method("Standard", 599, 4, abroad=True),
    Method("Courier", 1099, 2),
    Method("Express", 1899, 1),
)
HOME = "United States"
NOT_SERVED = ("New Zealand",)
"""Countries to which no shop delivers."""
HOLIDAYS = (date(2026, 1, 19), date(2026, 2, 16))
"""Days without deliveries, in addition to Saturdays and Sundays."""


@dataclass(frozen=True)
class ShopRules:
    """A shop's rules for one visitor; all amounts in cents.

    Attributes:
        free_over: The price of the goods, after all reductions, from which `free_method` is
            free.
        bulky: The postage that is added for each piece of the kinds `bulky_kinds`.
        threes: Kinds with three pieces for the price of two; the cheapest pieces are free.
        tax: The tax in thousandths of the goods after all reductions; 0 if prices include
            it.
        extras: The price of each extra.
    """

    methods: tuple[Method, ...] = METHODS
    free_over: int = 7500
    free_method: str = "Economy"
    bulky: int = 1200
    bulky_kinds: tuple[str, ...] = ("standing desks", "coolers", "camping chairs")
    threes: tuple[str, ...] = ()
    tax: int = 0
    extras: Mapping[str, int] = field(default_factory=lambda: {PLAN: 899, WRAP: 450, ROUND_UP: 0})
    preset: tuple[str, ...] = ()
    """The choices that the shop makes for the customer at first: extras, `subscription`, or a
    delivery method.
    """
    minimum: int = 0
    """The smallest sum of goods, before reductions, for which the shop accepts an order."""

    def method(self, name: str) -> Method:
        """Return the delivery method with this name. Raises `KeyError`."""
        return {each.name: each for each in self.methods}[name]


@dataclass(frozen=True)
class Quote:
    """The cost of an order by its parts, in cents; reductions are positive numbers."""

    goods: int
    threes: int
    codes: Mapping[str, int]
    postage: int
    bulky: int
    extras: int
    tax: int
    rounding: int

    @property
    def off(self) -> int:
        """The sum of all reductions of the order, in cents."""
        return self.threes + sum(self.codes.values())

    @property
    def total(self) -> int:
        """The final amount of the order, in cents."""
        charged = self.postage + self.bulky + self.extras + self.tax + self.rounding
        return self.goods - self.off + charged


def quote(
    lines: Sequence[PricedLine],
    rules: ShopRules,
    method: str,
    codes: Iterable[Code] = (),
    extras: Iterable[str] = (),
) -> Quote:
    """Return the cost of an order of these lines. The caller must not pass codes that exclude each
    other.

    Args:
        method: The name of the delivery method.
        codes: Codes without a conflict (`clashes`).
        extras: The names of the chosen extras.

    Raises:
        KeyError: The rules have no such method or extra.
    """
    goods = sum(line.total for line in lines)
    free = threes(lines, rules.threes)
    off = dict(_taken_off(lines, free, codes))
    left = goods - sum(free.values()) - sum(off.values())
    is_free = method == rules.free_method and left >= rules.free_over
    chosen = set(extras)
    bulky = rules.bulky * sum(line.quantity for line in lines if line.kind in rules.bulky_kinds)
    before = Quote(
        goods=goods,
        threes=sum(free.values()),
        codes=off,
        postage=0 if is_free else rules.method(method).cents,
        bulky=bulky,
        extras=sum(rules.extras[each] for each in chosen),
        tax=half_up(left * rules.tax, 1000),
        rounding=0,
    )
    if ROUND_UP not in chosen:
        return before
    return Quote(**{**vars(before), "rounding": -before.total % WHOLE_DOLLAR})


def threes(lines: Sequence[PricedLine], kinds: Iterable[str]) -> dict[str, int]:
    """Return the value of the free pieces (three for the price of two) by kind of product, in
    cents.
    """
    found = {}
    for kind in kinds:
        pieces = sorted(
            each.cents for each in lines if each.kind == kind for _ in range(each.quantity)
        )
        found[kind] = sum(pieces[: len(pieces) // 3])
    return {kind: cents for kind, cents in found.items() if cents}


def _taken_off(
    lines: Sequence[PricedLine], free: Mapping[str, int], codes: Iterable[Code]
) -> Iterator[tuple[str, int]]:
    """Yield the name of each discount code with its reduction in cents, percentages first; a
    reduction is never more than its lines still cost.
    """
    every = _together(lines)
    left = _after_threes(every, free)
    base = list(left)
    named = {code.name: code for code in codes}.values()
    for code in sorted(named, key=lambda code: (not code.percent, code.name)):
        good = [place for place, line in enumerate(every) if code.is_for(line)]
        if good and sum(base[place] for place in good) >= code.over:
            yield code.name, _take(code, good, left)


def _together(lines: Sequence[PricedLine]) -> list[PricedLine]:
    """Return the lines with equal products and prices joined, sorted, so that the order in the cart
    does not matter.
    """
    found: dict[tuple[int, str], PricedLine] = {}
    for line in lines:
        key = (line.cents, line.asin)
        old = found.get(key)
        found[key] = replace(old, quantity=old.quantity + line.quantity) if old else line
    return [found[key] for key in sorted(found)]


def _after_threes(lines: Sequence[PricedLine], free: Mapping[str, int]) -> list[int]:
    """Return the cost of each line after its free pieces, in cents; lines and free pieces come
    cheapest first.
    """
    rest, left = dict(free), []
    for line in lines:
        share = min(line.total, rest.get(line.kind, 0))
        rest[line.kind] = rest.get(line.kind, 0) - share
        left.append(line.total - share)
    return left


def _take(code: Code, good: Sequence[int], left: list[int]) -> int:
    """Take a code's amount off the lines at these indices, in proportion to their remaining cost.

    Returns:
        The amount that was taken off.
    """
    there = sum(left[place] for place in good)
    amount = half_up(there * code.percent, 100) if code.percent else code.cents
    amount = min(amount, code.cap or amount, there)
    for place, share in zip(good, _shares(amount, [left[each] for each in good]), strict=True):
        left[place] -= share
    return amount


def _shares(amount: int, left: Sequence[int]) -> list[int]:
    """Return an amount of cents divided in proportion to the remaining costs, in whole cents; the
    largest fractions are rounded up.
    """
    if len(left) == 1 or not amount:
        return [amount] * len(left)
    there = sum(left)
    shares = [amount * each // there for each in left]
    short = amount - sum(shares)
    if short:
        by_rest = sorted(range(len(left)), key=lambda at: -(amount * left[at] % there))
        for at in by_rest[:short]:
            shares[at] += 1
    return shares


def is_due(code: Code, lines: Sequence[PricedLine], kinds: Iterable[str] = ()) -> bool:
    """Return whether a discount code reduces the cost of these lines."""
    free = threes(lines, kinds)
    return any(cents for _, cents in _taken_off(lines, free, [code]))


def clashes(codes: Sequence[Code]) -> bool:
    """Return whether these discount codes cannot be used together in one order."""
    return len(codes) > 1 and not all(code.together for code in codes)


def half_up(amount: int, parts: int) -> int:
    """Return an amount of cents (from 0) divided by `parts` and rounded to whole cents,
    halves up.
    """
    return (2 * amount + parts) // (2 * parts)


# Days --------------------------------------------------------------------------------------------


def is_business_day(day: date, holidays: Iterable[date] = HOLIDAYS) -> bool:
    """Return whether orders are delivered on this day (no weekend and no holiday)."""
    return day.weekday() < 5 and day not in set(holidays)


def arrives(ordered: date, method: Method) -> date:
    """Return the last day on which an order can arrive, counted in business days."""
    day, left = ordered, method.days
    while left:
        day += timedelta(days=1)
        left -= is_business_day(day)
    return day


def goes_to(method: Method, country: str) -> bool:
    """Return whether a delivery method serves a country."""
    return country not in NOT_SERVED and (country == HOME or method.abroad)
