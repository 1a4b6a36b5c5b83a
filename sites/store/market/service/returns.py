"""Returns of products: the return policy of one visitor, and the items sent back during the visit.

The form accepts every delivered line, whatever the policy says: the shop sends back an item that
does not meet the policy. Amounts are whole cents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from sites.site_app import Refusal
from sites.store.account.customer import order_of, orders_of
from sites.store.account.operations import raise_wrong
from sites.store.catalogue.clock import TODAY, spoken
from sites.store.market.account.account import MarketLine, MarketOrder
from sites.store.market.goods.goods import Good
from sites.store.market.goods.stock import Market
from sites.store.market.service.help import PAID_BACK, dollars, listed
from sites.store.market.service.own_rules import OwnRules
from sites.store.market.service.topic import Section
from sites.store.shop.journal import log_page
from sites.world import World

SCHEMA = """
CREATE TABLE returns (
    id INTEGER PRIMARY KEY, order_number TEXT NOT NULL, asin TEXT NOT NULL,
    condition TEXT NOT NULL, reason TEXT NOT NULL, method TEXT NOT NULL, refund TEXT NOT NULL)
"""
SEALED, OPENED = "Sealed", "Opened"
CONDITIONS = (SEALED, OPENED)
UNUSED, DAMAGED = "No longer needed", "Arrived damaged"
REASONS = (UNUSED, "Does not fit or suit", DAMAGED, "Wrong item came", "Came too late")
LOCKER, PARCEL_SHOP, PICK_UP = "Locker", "Parcel shop", "Pick-up"
VOUCHER, MONEY = "Voucher", "Money"
REFUNDS = (VOUCHER, MONEY)
FIELDS = {
    "condition": (CONDITIONS, "Say in which condition it is."),
    "reason": (REASONS, "Say why it goes back."),
    "method": ((LOCKER, PARCEL_SHOP, PICK_UP), "Choose a way for this item."),
    "refund": (REFUNDS, "Choose how you are paid back."),
}
"""For each field of the form for a return: its possible values, and the error message for any other
value.
"""
NO_RETURNS = "There are no returns here. Go on from your account."


@dataclass(frozen=True)
class Extension:
    """A longer time for returns of orders from the days `first` to `last`.

    Their goods can go back until the day `until`, if that is later, except those of the departments
    `but`.
    """

    first: date
    last: date
    until: date
    but: tuple[str, ...] = ()

    def holds(self, placed: date, department: str) -> bool:
        """Return whether the extension covers an order of this day and department."""
        return self.first <= placed <= self.last and department not in self.but


@dataclass(frozen=True)
class ReturnPolicy:
    """A visitor's return policy. Amounts are cents.

    Attributes:
        days: The number of days after delivery for a return, by department.
        extension: A longer time for the orders of some days.
        sealed_only: Departments whose opened items cannot go back.
        kept_of: Departments for whose opened items the shop keeps a share of the price.
        kept: That share, in percent.
        lockers: Departments that a locker accepts, except the kinds `bulky`.
        bulky: Kinds that neither a locker nor the parcel shop accepts.
        picked_up: Kinds with a free pick-up.
        free_over: The cost of a line from which the parcel shop is free.
        parcel: The cost of the parcel shop.
        pick_up: The cost of a pick-up.
        final: For an asin, the day since when its orders cannot be returned.
    """

    days: Mapping[str, int]
    extension: Extension
    sealed_only: tuple[str, ...] = ()
    kept_of: tuple[str, ...] = ()
    kept: int = 15
    lockers: tuple[str, ...] = ()
    bulky: tuple[str, ...] = ()
    picked_up: tuple[str, ...] = ()
    free_over: int = 5000
    parcel: int = 495
    pick_up: int = 895
    final: Mapping[str, date] = field(default_factory=dict)

    def last_day(self, delivered: date, department: str) -> date:
        """Return the last day on which a product of a department can be returned, without the
        policy's extension.
        """
        return delivered + timedelta(days=self.days[department])

    def ways(self, good: Good, line: MarketLine) -> dict[str, int]:
        """Return the possible ways to send a line back, with the cost of each."""
        kind, found = good.kind, dict[str, int]()
        if kind.department in self.lockers and kind.name not in self.bulky:
            found[LOCKER] = 0
        if kind.name not in self.bulky:
            found[PARCEL_SHOP] = 0 if line.total >= self.free_over else self.parcel
        found[PICK_UP] = 0 if kind.name in self.picked_up else self.pick_up
        return found


@dataclass(frozen=True)
class Return:
    """A returned line of an order; its last four fields have values of `FIELDS`."""

    id: int
    order_number: str
    asin: str
    condition: str
    reason: str
    method: str
    refund: str


# Operations --------------------------------------------------------------------------------------


def returns(world: World) -> list[Return]:
    """Return the returns of this visit, in the order in which they were made."""
    return [Return(**row) for row in world.read("SELECT * FROM returns ORDER BY id")]


def returned(world: World, number: str) -> dict[str, Return]:
    """Return the returns of an order, by asin (product code)."""
    return {each.asin: each for each in returns(world) if each.order_number == number}


def open_returns(world: World) -> list[Return]:
    """Return the returns of this visit, and record that their list was opened. Raises `Refusal`
    (404).
    """
    RULES.of(world)
    log_page(world, "returns")
    return returns(world)


def open_form(world: World, number: str, asin: str) -> tuple[MarketOrder, MarketLine]:
    """Return an order and its line for which a return form is shown, and record that the form was
    opened. Raises `Refusal` (404, 409).
    """
    order, line = _line(world, number, asin)
    log_page(world, "return", asin, number=int(number))
    return order, line


def send_back(
    world: World, stock: Market, number: str, asin: str, filled: Mapping[str, str]
) -> None:
    """Make a return for a line of an order.

    Args:
        filled: The values of the form's `FIELDS`.

    Raises:
        Refusal: The line does not exist (404) or cannot be returned now (409).
        Invalid: A field has a wrong value, or this way is not possible for the item.
    """
    with world.lock:
        _, line = _line(world, number, asin)
        good = stock.good(asin)
        raise_wrong(
            {
                name: "" if filled.get(name) in able else sentence
                for name, (able, sentence) in FIELDS.items()
            }
            | _impossible(RULES.of(world).ways(good, line), filled)
        )
        world.write(
            "INSERT INTO returns (order_number, asin, condition, reason, method, refund)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (number, asin, *(filled[name] for name in FIELDS)),
        )


def _impossible(ways: Mapping[str, int], filled: Mapping[str, str]) -> dict[str, str]:
    return {} if filled.get("method") in ways else {"method": FIELDS["method"][1]}


def take_back(world: World, number: int) -> None:
    """Cancel a return; do nothing if it does not exist."""
    RULES.of(world)
    world.write("DELETE FROM returns WHERE id = ?", (number,))


def can_go(order: MarketOrder) -> bool:
    """Return whether the lines of an order can be returned, because the order is complete."""
    return order.status == "Complete"


def _line(world: World, number: str, asin: str) -> tuple[MarketOrder, MarketLine]:
    RULES.of(world)
    order = order_of(world, number)
    line = next((each for each in order.lines if each.asin == asin), None) if order else None
    if order is None or line is None:
        raise Refusal(404, "There is no such line in your orders. Open the order again.")
    if not can_go(order):
        raise Refusal(409, "Only what was delivered and is still with you can go back.")
    if asin in returned(world, number):
        raise Refusal(409, "This return is started already. See your returns.")
    return order, line


def lines(world: World) -> dict[tuple[str, str], MarketLine]:
    """Return all lines of all orders of the visit, by order number and asin (product code)."""
    return {(order.number, line.asin): line for order in orders_of(world) for line in order.lines}


# Texts of the pages -------------------------------------------------------------------------------


def final_sale(world: World, asin: str) -> date | None:
    """Return the day since when orders of an item cannot be returned ("final sale"); None if they
    can.
    """
    return RULES.of(world).final.get(asin) if RULES.has(world) else None


def sections(policy: ReturnPolicy) -> Sequence[Section]:
    """Return the sections of the help page about this return policy."""
    return (
        Section("Until when", list(_until(policy))),
        Section("What cannot go back", list(_never(policy))),
        Section("Which way, and what it costs", list(_ways(policy))),
        Section("How you are paid back", list(_paying(policy))),
        PAID_BACK,
    )


def _until(policy: ReturnPolicy) -> Iterator[str]:
    by_days: dict[int, list[str]] = {}
    for department, days in sorted(policy.days.items()):
        by_days.setdefault(days, []).append(department)
    for days, names in sorted(by_days.items()):
        yield f"{listed(names)}: within {days} days."
    yield (
        "These days are counted from the day of delivery, which does not count itself; the last of"
        f" them does. Today is {spoken(TODAY)}."
    )
    extension = policy.extension
    yield (
        f"What was ordered from {spoken(extension.first)} to {spoken(extension.last)}, both days"
        f" included, can go back until {spoken(extension.until)}, if that is later. This does not"
        f" hold for {listed(extension.but)}."
    )


def _never(policy: ReturnPolicy) -> Iterator[str]:
    yield (
        "An item that is final sale says so on its own page, with a day. It cannot go back if its"
        " order was placed on that day or later; what was ordered before can."
    )
    yield f"What is opened cannot go back in {listed(policy.sealed_only)}."
    yield (
        "An item for which something was paid back cannot go back any more. What was paid back for"
        " a late delivery does not matter."
    )
    yield "The form takes whatever you send. What cannot go back is sent to you again."


def _ways(policy: ReturnPolicy) -> Iterator[str]:
    bulky = listed(policy.bulky)
    yield f"{LOCKER}: free. It takes {listed(policy.lockers)}, but never {bulky}."
    yield (
        f"{PARCEL_SHOP}: {dollars(policy.parcel)} for an item; free where all pieces of the item"
        f" together cost {dollars(policy.free_over)} or more. It takes all but {bulky}."
    )
    yield (
        f"{PICK_UP}: {dollars(policy.pick_up)} for an item, free for {listed(policy.picked_up)}. It"
        " takes everything."
    )
    yield (
        f"Of opened items in {listed(policy.kept_of)} we keep {policy.kept}% of the price. In the"
        " other departments nothing is kept."
    )


def _paying(policy: ReturnPolicy) -> Iterator[str]:
    yield (
        "You choose between money, on the card that you paid with, and a voucher, with 10% on top."
    )
    yield (
        "Where something was taken off an order, its items are paid back with a voucher only,"
        " whatever the form says."
    )


RULES = OwnRules("returns", ReturnPolicy, "Returns and refunds", sections, SCHEMA, NO_RETURNS)
