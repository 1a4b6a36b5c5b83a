"""Add up the newest orders of a status."""

from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.backoffice.site import STATUSES

WORDINGS = ("What is the sum of the grand totals of the newest {count} orders whose status is {status}?",)
OF_STATUS = "SELECT * FROM orders WHERE status = ? ORDER BY placed DESC"


def money(orders: list) -> str:
    return f"${sum(each.cents for each in orders) / 100:.2f}"


def draw(d: Draw) -> Right:
    status, count = d.some(STATUSES), d.rng.randint(2, 8)
    found = d.all(OF_STATUS, status)
    d.need(len(found) > count)
    chosen = {each.number for each in found[:count]}
    size = d.map.size(d.map.site.page["orders"])
    every = d.all("SELECT * FROM orders ORDER BY placed DESC")
    return Right(
        {"count": count, "status": status},
        read=d.list("orders", status=status, sort="new", upto=-(-count // size), note=lambda rows: (
            ", ".join(each.total for each in rows if each.number in chosen))),
        answer=money(found[:count]),
        instead={"one too many": money(found[: count + 1]), "of all statuses": money(every[:count]),
                 "the oldest": money(found[-count:])},
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, AnswerSchema("money"))
