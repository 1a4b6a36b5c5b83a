"""Subscriptions of a customer of the market, and the shop's messages about new prices.

Only a visit for which `begin` was called has them: no other has their tables, links or help pages.
The journal's names of the pages are subscriptions, subscription (with its id), messages, and
message (with its id). Every operation raises `Refusal` (404, 400) for something that does not
exist, and then changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sites.site_app import Refusal
from sites.store.account.orders import SIGN_IN
from sites.store.market.as_json import adapter
from sites.store.shop import operations
from sites.store.shop.journal import log_page
from sites.store.shop.world import signed_in
from sites.world import Row, World

MARK = "subscriptions"
"""The entry in the `about` of a visit's database that says that the customer has subscriptions."""
TABLES = (
    (
        "CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, asin TEXT NOT NULL,"
        " quantity INTEGER NOT NULL, months INTEGER NOT NULL, next TEXT NOT NULL)"
    ),
    (
        "CREATE TABLE inbox (id INTEGER PRIMARY KEY, day TEXT NOT NULL, subject TEXT NOT NULL,"
        " text TEXT NOT NULL)"
    ),
)
"""The SQL of the tables; `months` is the time between two deliveries, 0 for a canceled
subscription.
"""
CANCELED = 0
RHYTHMS = {1: "Every month", 2: "Every two months", CANCELED: "Canceled"}
"""For each possible number of months between deliveries: its wording on pages."""


@dataclass(frozen=True)
class Subscription:
    """A subscription: a number of packs that is delivered regularly; `next` is the day of the next
    delivery.
    """

    asin: str
    months: int
    next: date
    quantity: int = 1
    id: int = 0

    @property
    def rhythm(self) -> str:
        return RHYTHMS[self.months]

    @property
    def is_active(self) -> bool:
        return self.months != CANCELED


@dataclass(frozen=True)
class Message:
    """A message from the shop to the customer."""

    day: date
    subject: str
    text: str
    id: int = 0


def begin(world: World, own: Sequence[Subscription], inbox: Sequence[Message] = ()) -> None:
    """Store subscriptions, and messages (newest first), for the customer of a new visit."""
    world.about[MARK] = "yes"
    for table in TABLES:
        world.write(table)
    for each in own:
        world.write(
            "INSERT INTO subscriptions (asin, quantity, months, next) VALUES (?, ?, ?, ?)",
            (each.asin, each.quantity, each.months, each.next.isoformat()),
        )
    for message in reversed(inbox):
        world.write(
            "INSERT INTO inbox (day, subject, text) VALUES (?, ?, ?)",
            (message.day.isoformat(), message.subject, message.text),
        )


def has_subscriptions(world: World) -> bool:
    """Return whether the customer of this visit has subscriptions."""
    return MARK in world.about


def every(world: World) -> list[Subscription]:
    """Return all subscriptions of the customer, including the canceled ones."""
    rows = world.read("SELECT * FROM subscriptions ORDER BY id")
    return [_subscription(row) for row in rows]


def opened(world: World, page: str) -> set[int]:
    """Return the ids of the subscriptions or messages whose pages were opened."""
    sql = "SELECT DISTINCT number FROM log_pages WHERE page = ? AND number IS NOT NULL"
    return {int(row["number"]) for row in world.read(sql, (page,))}


# Operations ---------------------------------------------------------------------------------------


def listed(world: World) -> list[Subscription]:
    """Return all subscriptions, and record that their list was opened. Raises `Refusal` (404)."""
    _check(world)
    log_page(world, "subscriptions")
    return every(world)


def open_one(world: World, number: int) -> Subscription:
    """Return a subscription, and record that its page was opened. Raises `Refusal` (404)."""
    found = _found(world, number)
    log_page(world, "subscription", number=found.id)
    return found


def change(world: World, number: int, months: int) -> None:
    """Set the number of months between deliveries of a subscription; 0 cancels it."""
    found = _found(world, number)
    if months not in RHYTHMS:
        raise Refusal(400, "Choose every month, every two months, or cancel.")
    if months != found.months:
        world.write("UPDATE subscriptions SET months = ? WHERE id = ?", (months, found.id))


def messages(world: World) -> list[Message]:
    """Return the shop's messages with the newest first, and record that their list was opened."""
    _check(world)
    log_page(world, "messages")
    return _inbox(world)


def open_message(world: World, number: int) -> Message:
    """Return a message of the shop, and record that it was opened. Raises `Refusal` (404)."""
    _check(world)
    found = next((each for each in _inbox(world) if each.id == number), None)
    if found is None:
        raise Refusal(404, f"You have no message {number}.")
    log_page(world, "message", number=found.id)
    return found


def _check(world: World) -> None:
    if not signed_in(world):
        raise Refusal(404, SIGN_IN)
    if not has_subscriptions(world):
        raise Refusal(404, "You have no subscriptions.")


def _found(world: World, number: int) -> Subscription:
    _check(world)
    found = next((each for each in every(world) if each.id == number), None)
    if found is None:
        raise Refusal(404, f"You have no subscription {operations.short(str(number))}.")
    return found


def _inbox(world: World) -> list[Message]:
    rows = world.read("SELECT * FROM inbox ORDER BY id DESC")
    return [
        Message(date.fromisoformat(row["day"]), row["subject"], row["text"], row["id"])
        for row in rows
    ]


def _subscription(row: Row) -> Subscription:
    day = date.fromisoformat(row["next"])
    return Subscription(row["asin"], row["months"], day, row["quantity"], row["id"])


# Details of scenarios ----------------------------------------------------------------------------


def to_json(own: Sequence[Subscription], inbox: Sequence[Message] = ()) -> dict[str, Any]:
    """Return subscriptions and messages as JSON for the stored details of a scenario."""
    lists = adapter(list[Subscription]), adapter(list[Message])
    return {
        "subscriptions": lists[0].dump_python(list(own), mode="json"),
        "inbox": lists[1].dump_python(list(inbox), mode="json"),
    }


def from_json(details: Mapping[str, Any]) -> tuple[list[Subscription], list[Message]]:
    """Return the subscriptions and messages in the stored details of a scenario."""
    own: list[Subscription] = adapter(list[Subscription]).validate_python(details["subscriptions"])
    inbox: list[Message] = adapter(list[Message]).validate_python(details["inbox"])
    return own, inbox
