"""The cart of a visit to the market: the lines to buy and the lines saved for later.

Every operation raises `Refusal` for something that the shop does not accept, and then changes
nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sites.site_app import Refusal
from sites.store.account.operations import raise_wrong
from sites.store.market.account.account import STORE
from sites.store.market.goods.stock import Market
from sites.store.market.pricing import PricedLine
from sites.store.market.shops import journal_options
from sites.store.market.visit import has_cart
from sites.store.shop import operations
from sites.store.shop.journal import as_json, log_page
from sites.world import Row, World

MOST = 99
"""The largest number of pieces of a product in one order."""
NO_NUMBER = f"Enter a whole number from 0 to {MOST}."


@dataclass(frozen=True)
class CartLine:
    """A line of the cart: a number of pieces of a product with these options; a `saved` line is
    kept for later.
    """

    id: int
    shop: str
    asin: str
    options: Mapping[str, str]
    quantity: int
    saved: bool = False


def open_cart(world: World, shop: str = STORE) -> list[CartLine]:
    """Return the lines of the cart that are to be bought, and record in the journal that the cart
    was opened.
    """
    found = lines(world, shop)
    log_page(world, "cart", options=journal_options(shop))
    return found


def lines(world: World, shop: str = STORE) -> list[CartLine]:
    """Return the lines of the cart that are to be bought, in the order in which they were added."""
    return [line for line in _every(world, shop) if not line.saved]


def saved(world: World, shop: str = STORE) -> list[CartLine]:
    """Return the lines of the cart that are saved for later."""
    return [line for line in _every(world, shop) if line.saved]


def pieces(world: World, shop: str = STORE) -> int:
    """Return the number of pieces to buy in the cart."""
    return sum(line.quantity for line in lines(world, shop))


def priced(stock: Market, found: Sequence[CartLine]) -> list[PricedLine]:
    """Return lines of a cart with today's prices, for calculations."""
    return [stock.line(line.asin, line.quantity) for line in found]


def add(
    world: World,
    stock: Market,
    asin: str,
    options: Mapping[str, str],
    quantity: int = 1,
    shop: str = STORE,
) -> CartLine:
    """Put pieces of a product into the cart and return its line; a line with the same options gets
    more pieces.

    Raises:
        Refusal: The item or an option does not exist, the quantity is below 1, the stock is
            too small, or the visit has no cart.
    """
    check_cart(world)
    item = operations.product(stock, asin)
    chosen = operations.choose(item, options)
    if quantity < 1:
        raise Refusal(400, f"Put 1 to {MOST} pieces into the cart, not {quantity}.")
    with world.lock:
        same = _same(lines(world, shop), item.asin, chosen)
        if same is not None:
            return change(world, stock, same.id, same.quantity + quantity)
        _check_stock(world, stock, item.asin, quantity, shop)
        number = world.write(
            "INSERT INTO cart_lines (shop, asin, options, quantity, saved) VALUES (?, ?, ?, ?, 0)",
            (shop, item.asin, as_json(chosen), quantity),
        )
        return _line(world, number)


def change(world: World, stock: Market, line: int, quantity: int) -> CartLine:
    """Set the number of pieces of a line of the cart; 0 removes the line.

    Returns:
        The line with its new number, or the removed line as it was.
    """
    with world.lock:
        old = _line(world, line)
        if quantity < 0:
            raise Refusal(400, f"Enter 0 to {MOST} pieces, not {quantity}. 0 takes the item out.")
        if quantity:
            _check_stock(world, stock, old.asin, quantity, old.shop, but=line)
        _set(world, line, quantity)
        return replace(old, quantity=quantity) if quantity else old


def update(world: World, stock: Market, quantities: Mapping[int, int], shop: str = STORE) -> None:
    """Set the number of pieces of several lines of the cart, given by the lines' ids; change all of
    them or none.

    Raises:
        Invalid: A quantity is wrong; it holds a sentence for each such line, under the
            line's id.
    """
    with world.lock:
        for number in quantities:
            _line(world, number)
        found = [
            replace(line, quantity=quantities.get(line.id, line.quantity))
            for line in lines(world, shop)
        ]
        together = Counter[str]()
        for line in found:
            together[line.asin] += max(0, line.quantity)
        raise_wrong({str(line.id): _wrong_quantity(stock, line, together) for line in found})
        for line in found:
            _set(world, line.id, line.quantity)


def _wrong_quantity(stock: Market, line: CartLine, together: Mapping[str, int]) -> str:
    if line.quantity < 0:
        return f"Enter 0 to {MOST}, not {line.quantity}."
    return shortage(stock, line.asin, together[line.asin]) if line.quantity else ""


def _set(world: World, line: int, quantity: int) -> None:
    if quantity:
        world.write("UPDATE cart_lines SET quantity = ? WHERE id = ?", (quantity, line))
    else:
        world.write("DELETE FROM cart_lines WHERE id = ?", (line,))


def save(world: World, line: int, kept: bool) -> CartLine:
    """Save a line of the cart for later (`kept`), or put it back, and return it; it is merged with
    a line of the same product and options.
    """
    with world.lock:
        old = _line(world, line)
        if old.saved == kept:
            return old
        others = saved(world, old.shop) if kept else lines(world, old.shop)
        same = _same(others, old.asin, old.options)
        if same is not None:
            together = min(MOST, same.quantity + old.quantity)
            world.write("UPDATE cart_lines SET quantity = ? WHERE id = ?", (together, line))
            world.write("DELETE FROM cart_lines WHERE id = ?", (same.id,))
        world.write("UPDATE cart_lines SET saved = ? WHERE id = ?", (int(kept), line))
        return _line(world, line)


def check_cart(world: World) -> None:
    """Raise `Refusal` (404) if this visit has no cart."""
    if not has_cart(world):
        raise Refusal(404, "There is no cart here. Open an item, and buy it on its page.")


def shortage(stock: Market, asin: str, quantity: int) -> str:
    """Return the reason why a product cannot be bought in this quantity, as a sentence; "" if it
    can.
    """
    name, offer = operations.product(stock, asin).name, stock.offer(asin)
    if offer.gone:
        return f"“{name}” is not sold any more."
    if offer.stock is not None and quantity > offer.stock:
        if offer.stock == 0:
            return f"“{name}” is sold out."
        return f"Only {offer.stock} of “{name}” can be had, not {quantity}."
    if quantity > MOST:
        return f"An order holds at most {MOST} pieces of “{name}”, not {quantity}."
    return ""


def _check_stock(
    world: World, stock: Market, asin: str, quantity: int, shop: str, but: int = 0
) -> None:
    """Raise `Refusal` (409) if there are too few pieces of a product for this quantity and the
    cart's other lines.
    """
    others = (each for each in lines(world, shop) if each.asin == asin and each.id != but)
    short = shortage(stock, asin, quantity + sum(each.quantity for each in others))
    if short:
        raise Refusal(409, short)


def _every(world: World, shop: str) -> list[CartLine]:
    check_cart(world)
    rows = world.read("SELECT * FROM cart_lines WHERE shop = ? ORDER BY id", (shop,))
    return [_read(row) for row in rows]


def _line(world: World, number: int) -> CartLine:
    check_cart(world)
    rows = world.read("SELECT * FROM cart_lines WHERE id = ?", (number,))
    if not rows:
        raise Refusal(404, "This item is no longer in your cart. Look at the cart again.")
    return _read(rows[0])


def _read(row: Row) -> CartLine:
    options = json.loads(row["options"])
    return CartLine(
        row["id"], row["shop"], row["asin"], options, row["quantity"], bool(row["saved"])
    )


def _same(found: Sequence[CartLine], asin: str, options: Mapping[str, str]) -> CartLine | None:
    wanted = (asin, dict(options))
    return next((line for line in found if (line.asin, dict(line.options)) == wanted), None)
