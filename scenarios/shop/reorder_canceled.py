"""Order again what was ordered once and canceled."""

from scenarios.kit import Draw, Family, Right
from scenarios.shop._goods import delivery
from scenarios.shop._orders import CANCELED, LINES, bought_once, month, opened, upto
from sites.shop.operations import reorder

WORDINGS = (
    "My order with {name} from {month} was canceled. Reorder all of it to {street}, by {method}.",
    "Reorder my canceled order of {month} that has {name} in it. Ship to {street}, by {method}.",
    "Order all of my canceled order with {name} ({month}) again, to {street} by {method}.",
    "Repeat my canceled order from {month} that included {name}; send it to {street} by {method}.",
)
STOCK = """SELECT min(s.quantity >= l.quantity AND p.status = 'enabled') AS enough
  FROM lines l JOIN stock s ON s.variant = l.variant JOIN products p ON p.sku = l.product
  WHERE l.order_no = ?"""


def draw(d: Draw) -> Right:
    """Draw a canceled order whose lines the shop still has, and another order."""
    lines = d.all(LINES, d.me)
    line = bought_once(d, [each for each in lines if each.state == CANCELED])
    numbers = dict.fromkeys(each.order_no for each in lines)
    good = [each for each in numbers if d.all(STOCK, each)[0].enough]
    d.need(line.order_no in good and len(good) > 1)
    street, method, order, otherwise = delivery(d)
    wrong = next(each for each in good if each != line.order_no)
    return Right(
        {"name": line.name, "month": month(line.at), "street": street, "method": method},
        via=[*upto(d, [line.order_no]), opened(d, line.order_no)],
        do=[reorder(line.order_no), order],
        instead={
            "another order": [reorder(wrong), order],
            "only put into the cart": [reorder(line.order_no)],
            "by another method": [reorder(line.order_no), otherwise],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:156",), size="medium")
