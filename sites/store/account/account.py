"""What the accounts of all customers have: addresses, and the statuses of orders."""

from __future__ import annotations

from dataclasses import dataclass

STATUSES = ("Complete", "Processing", "Pending", "Shipped", "Canceled", "On Hold")
WAITING_STATUSES = ("Pending", "On Hold")
"""An order in one of these can still be sent to another address of the customer's."""
OPEN_STATUSES = tuple(status for status in STATUSES if status not in ("Complete", "Canceled"))
COUNTRIES = ("United States", "Canada", "United Kingdom", "Ireland", "Australia", "New Zealand")


@dataclass(frozen=True)
class Address:
    """`city` holds the state where there is one ("Fordville, SD")."""

    name: str
    street: str
    city: str
    postcode: str
    country: str
    phone: str
