"""The outlet's wording of amounts, dates, options, and the messages of operations that both shops
share.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from sites.months import MONTHS
from sites.store.market.pricing import HOLIDAYS, HOME, NOT_SERVED, Code, Method, ShopRules
from sites.store.market.service import help as rules
from sites.store.market.service.help import dollars, listed
from sites.store.outlet.operations import NAMES

_DATE = re.compile(rf"({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})")
_CART = re.compile(r"\bcart\b")


def label(kind: str) -> str:
    """Return the outlet's label of a product option, such as "Colour"."""
    return NAMES.get(kind, kind).capitalize()


def day(when: date) -> str:
    """Return a day as the outlet writes it: 23.01.2026."""
    return f"{when:%d.%m.%Y}"


def percent(thousandths: int) -> str:
    """Return thousandths as a percentage: "6.5 %"."""
    return f"{thousandths / 10:g} %"


def british(sentence: str) -> str:
    """Return the message of an operation that both shops share, in the outlet's words and date
    format.
    """
    dated = _DATE.sub(lambda found: f"{found[2]:0>2}.{_month(found[1])}.{found[3]}", sentence)
    return _CART.sub("basket", dated)


def _month(name: str) -> str:
    return f"{MONTHS.index(name) + 1:02}"


def rule(code: Code) -> str:
    """Return a sentence in the outlet's words about a discount code: its reduction and its
    conditions.
    """
    return british(rules.rule(code))


# Terms -------------------------------------------------------------------------------------------


def delivery(rules: ShopRules) -> Sequence[str]:
    """Return the sentences about delivery that stand below the table of its methods."""
    off = listed([day(each) for each in HOLIDAYS])
    inside = [each.name for each in rules.methods if not each.abroad]
    shown = [
        "Working days are Monday to Friday. The day of the order does not count.",
        f"Nothing is delivered on {off}, and these days do not count.",
        *_free(rules),
        *([f"{listed(inside)}: within the {HOME} only."] if inside else []),
        f"Nothing goes to {listed(NOT_SERVED, 'or')}.",
    ]
    if rules.bulky and rules.bulky_kinds:
        shown.append(
            f"Bulky goods cost {dollars(rules.bulky)} more a piece, whatever the way, also where"
            f" postage is free: {listed(rules.bulky_kinds)}."
        )
    return shown


def _free(rules: ShopRules) -> Sequence[str]:
    if rules.free_method not in {each.name for each in rules.methods}:
        return ()
    return (
        (
            f"{rules.free_method} is free once the goods come to {dollars(rules.free_over)}"
            " without tax, after codes."
        ),
    )


def within(method: Method) -> str:
    """Return the delivery time of a method as text, such as "3 working days"."""
    return f"{method.days} working day{'s' * (method.days != 1)}"


def tax(rules: ShopRules) -> str:
    """Return the sentences about tax on the page of the outlet's terms."""
    if not rules.tax:
        return "All our prices include tax. None is added."
    return (
        f"All our prices are without tax. Tax of {percent(rules.tax)} is added to the goods, after"
        " codes, at the checkout; it is rounded to whole cents, half a cent up. There is no tax on"
        " postage."
    )


def minimum(rules: ShopRules) -> str:
    """Return the sentence about the minimum order on the page of the outlet's terms."""
    if not rules.minimum:
        return "There is no smallest order."
    least = dollars(rules.minimum)
    return f"The goods of an order must come to {least} at least, without tax and before codes."
