"""Orders as the back office's families name them: by number, or by customer and status."""

from __future__ import annotations

from typing import Any

from scenarios.kit import AnswerSchema, Draw
from sites.shop.texts import CITIES, STREETS

OF_STATUS = "SELECT * FROM orders WHERE instr(?, status) > 0 ORDER BY at DESC, number DESC"
NEWEST = "the newest order of {customer} with the status {status}"
MAY_FAIL = AnswerSchema("text", "NOT_ACHIEVABLE if it cannot be done")


def some_order(d: Draw, *statuses: str) -> tuple[str, Any, Any]:
    """Draw an order with one of these statuses.

    Returns:
        The words for it, the order, and another one that a careless clerk takes for it.
    """
    found = d.all(OF_STATUS, ", ".join(statuses))
    order = d.some(found)
    if d.rng.random() < 0.4:
        return f"order {order.number}", order, d.some([each for each in found if each != order])
    same = [each for each in found if each.status == order.status and alike(each, order)]
    own = [each for each in same if each.customer == order.customer]
    d.need(own[0] == order and len(same) > 1)
    words = NEWEST.format(customer=order.customer, status=order.status)
    return words, order, d.some(own[1:] or [each for each in same if each != order])


def alike(order: Any, other: Any) -> bool:
    """Return whether the customers of two orders have the first name or the surname in common."""
    return bool({*order.customer.split()} & {*other.customer.split()})


def address(d: Draw) -> tuple[str, str, str]:
    """Draw a street, a city and a postcode."""
    street = f"{d.rng.randint(1, 140)} {d.some(STREETS)}"
    return street, d.some(CITIES), str(d.rng.randint(10_000, 99_999))
