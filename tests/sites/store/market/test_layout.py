"""The pages of the market and of the outlet fit a window, from a small telephone to a tablet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from scenarios import registry
from sites.server import Server
from sites.store import create_app
from sites.store.market.account.account import OUTLET, STORE
from sites.store.market.account.draw import draw_account
from sites.store.market.checkout import cart, checkout
from sites.store.market.goods import wording
from sites.store.market.goods.goods import goods
from sites.store.market.visit import new_market_world
from sites.store.outlet.address import Shop
from sites.store.outlet.goods import sold
from sites.store.outlet.stock import stock_of
from sites.store.outlet.visit import open_shops
from sites.store.shop.address import Visit
from sites.world import World, Worlds
from tests.foreign import playwright_chromium

if TYPE_CHECKING:
    from playwright.async_api import Browser

DATA = registry.site_data("store")
VISIT, SHOP = Visit("s1", ("desk", "lamp")), Shop("s1")
SHOE = next(asin for asin, good in goods().items() if good.kind.name == "running shoes")
ASKED = next(asin for asin, good in goods().items() if len(wording.answers(good)) > 1)
WIDTHS = (320, 390, 768)
Found = dict[tuple[str, int, str], Any]
"""By script, width and address."""
OUTSIDE = """() => {
  const root = document.documentElement, found = [];
  if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide`);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(texts.currentNode);
    let around = texts.currentNode.parentElement;
    while (getComputedStyle(around).display === "inline") around = around.parentElement;
    const box = around.getBoundingClientRect();
    for (const line of range.getClientRects())
      if (line.width > 1 && line.right > box.right + 2) found.push(texts.currentNode.data.trim());
  }
  return found;
}"""
SMALL = """() => [...document.querySelectorAll("a, button, select, input:not([type=hidden])")]
  .filter((each) => each.checkVisibility() && !each.closest("h4, .choice, .chip"))
  .map((each) => [each.innerText || each.name, each.getBoundingClientRect().height])
  .filter(([name, height]) => height < 24)"""
"""What a finger misses, besides labelled boxes and headings whose whole card is the link."""


@pytest.fixture(scope="module")
def browser(runner: asyncio.Runner) -> Iterator[Browser]:
    with playwright_chromium(runner) as opened:
        yield opened


@pytest.fixture(scope="module")
def found(browser: Browser, runner: asyncio.Runner) -> Found:
    """What the scripts find on each page at each width that has any of it; pages load once."""
    worlds = Worlds()
    worlds.publish(_world())
    with Server(create_app(DATA, worlds)) as server:
        return runner.run(_visited(browser, server.port))


def _world() -> World:
    """A customer with a long history, and with items in the carts of both shops."""
    made = new_market_world("s1", "Buy it.", draw_account(Random("layout"), DATA.market), cart=True)
    open_shops(made)
    cart.add(made, DATA.market, SHOE, {}, 2)
    cart.add(made, DATA.market, ASKED, {}, 1)
    for asin in list(sold())[:2]:
        cart.add(made, stock_of(DATA.market, made), asin, {}, 2, OUTLET)
    return made


def _pages() -> Iterator[tuple[str, str]]:
    """The shops and addresses of pages of every kind."""
    account = draw_account(Random("layout"), DATA.market)
    order = max(account.orders, key=lambda each: (bool(each.refunds), len(each.lines)))
    tabs = [VISIT.sub_page(ASKED, name, {}) for name in ("Description", "Features", "Reviews")]
    good = next(iter(sold().values()))
    for address in (
        *(VISIT.index, VISIT.results(), VISIT.item(SHOE, {}), *tabs),
        *(VISIT.cart, *[VISIT.checkout(step) for step in checkout.STEPS]),
        *(VISIT.account, VISIT.orders(2), VISIT.order(order.number), VISIT.addresses),
        *(VISIT.wallet, VISIT.lists, VISIT.help("offers"), VISIT.order("1")),
    ):
        yield STORE, address
    for address in (
        *(SHOP.home, SHOP.search("desk lamps", {}), SHOP.search("xyzzy", {}), SHOP.item(good, {})),
        *(SHOP.basket, SHOP.checkout, SHOP.help, SHOP.bought("1")),
    ):
        yield OUTLET, address


async def _visited(browser: Browser, port: int) -> Found:
    page, found = await browser.new_page(), {}
    for shop, address in _pages():
        await page.goto(f"http://{shop}.localhost:{port}{address}")
        for width in WIDTHS:
            await page.set_viewport_size({"width": width, "height": 800})
            for script in (OUTSIDE, SMALL):
                found[script, width, address] = await page.evaluate(script)
    await page.close()
    return {key: each for key, each in found.items() if each}


@pytest.mark.wide
@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_is_wider_than_its_window_and_no_text_than_its_box(found, width):
    assert [each for key, each in found.items() if key[:2] == (OUTSIDE, width)] == []


@pytest.mark.wide
def test_a_finger_hits_every_link_and_button_on_a_telephone(found):
    assert [each for key, each in found.items() if key[:2] == (SMALL, 390)] == []
