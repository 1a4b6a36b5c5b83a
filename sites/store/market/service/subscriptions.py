"""The subscriptions of a market's customer, and the messages in which the shop tells new prices.

Only a visit that `begin` was called for has them: no other has their tables, links or help pages.
The journal calls the pages subscriptions, subscription (with its id), messages, and message (with
its id). Each operation raises `Refusal` (404, 400) for what there is not, and then changes nothing.
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
"""The entry of `about` of a world whose customer has subscriptions."""
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
"""`months` are those from one delivery to the next, 0 for a subscription that was canceled."""
CANCELED = 0
RHYTHMS = {1: "Every month", 2: "Every two months", CANCELED: "Canceled"}
"""How pages call the `months` that a subscription may have."""


@dataclass(frozen=True)
class Subscription:
    """So many packs, again and again; `next` is the day of the next delivery."""

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
    """From the shop to the customer."""

    day: date
    subject: str
    text: str
    id: int = 0


def begin(world: World, own: Sequence[Subscription], inbox: Sequence[Message] = ()) -> None:
    """Give the customer of a new world subscriptions, and messages, the newest first."""
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
    return MARK in world.about


def every(world: World) -> list[Subscription]:
    """All of them, the canceled ones, too."""
    rows = world.read("SELECT * FROM subscriptions ORDER BY id")
    return [_subscription(row) for row in rows]


def opened(world: World, page: str) -> set[int]:
    """The ids of what was opened of a kind of page: subscription or message."""
    sql = "SELECT DISTINCT number FROM log_pages WHERE page = ? AND number IS NOT NULL"
    return {int(row["number"]) for row in world.read(sql, (page,))}


# What a customer does ----------------------------------------------------------------------------


def listed(world: World) -> list[Subscription]:
    """Look at the list."""
    _check(world)
    log_page(world, "subscriptions")
    return every(world)


def open_one(world: World, number: int) -> Subscription:
    found = _found(world, number)
    log_page(world, "subscription", number=found.id)
    return found


def change(world: World, number: int, months: int) -> None:
    """Let it come every so many months from now on, or never (0)."""
    found = _found(world, number)
    if months not in RHYTHMS:
        raise Refusal(400, "Choose every month, every two months, or cancel.")
    if months != found.months:
        world.write("UPDATE subscriptions SET months = ? WHERE id = ?", (months, found.id))


def messages(world: World) -> list[Message]:
    """Look at the list, the newest first."""
    _check(world)
    log_page(world, "messages")
    return _inbox(world)


def open_message(world: World, number: int) -> Message:
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
    """For a scenario's details."""
    lists = adapter(list[Subscription]), adapter(list[Message])
    return {
        "subscriptions": lists[0].dump_python(list(own), mode="json"),
        "inbox": lists[1].dump_python(list(inbox), mode="json"),
    }


def from_json(details: Mapping[str, Any]) -> tuple[list[Subscription], list[Message]]:
    own: list[Subscription] = adapter(list[Subscription]).validate_python(details["subscriptions"])
    inbox: list[Message] = adapter(list[Message]).validate_python(details["inbox"])
    return own, inbox
