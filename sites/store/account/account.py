"""Postal addresses, and the statuses that orders can have, in a customer's account."""

from __future__ import annotations

from dataclasses import dataclass

STATUSES = ("Complete", "Processing", "Pending", "Shipped", "Canceled", "On Hold")
WAITING_STATUSES = ("Pending", "On Hold")
"""The statuses in which a customer can still redirect an order to another address of the address
book.
"""
OPEN_STATUSES = tuple(status for status in STATUSES if status not in ("Complete", "Canceled"))
COUNTRIES = ("United States", "Canada", "United Kingdom", "Ireland", "Australia", "New Zealand")


@dataclass(frozen=True)
class Address:
    """A postal address. `city` includes the state, if the country has states ("Fordville, SD")."""

    name: str
    street: str
    city: str
    postcode: str
    country: str
    phone: str
