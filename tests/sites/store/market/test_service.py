"""Returns and claims as a customer's browser asks for them: what is taken, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest

from sites.site_app import Refusal
from sites.store.account.operations import Invalid
from sites.store.market.account.account import MarketLine, MarketOrder, Refund
from sites.store.market.goods.goods import goods
from sites.store.market.pricing import METHODS
from sites.store.market.service import claims, returns
from sites.store.market.service import help as rules
from sites.store.market.service.claims import LATE, PRICE, Promises
from sites.store.market.service.returns import Extension, ReturnPolicy
from sites.store.shop.address import Visit
from sites.world import World, state
from tests.scenarios.store.pages.visiting import visit
from tests.sites.store.market.shopping import ACCOUNT, HOME, LAMPS, new_shopper

HERE = Visit("s1")
LAMP, SECOND, OTHER = LAMPS[:3]
DESK = next(asin for asin, good in goods().items() if good.kind.name == "standing desks")
ORDER = MarketOrder(
    number="100000001",
    placed=date(2025, 12, 1),
    status="Complete",
    lines=(MarketLine(LAMP, 4000, 2), MarketLine(DESK, 50000)),
    ship_to=HOME,
    delivered=date(2025, 12, 8),
)
ON_ITS_WAY = replace(
    ORDER, number="100000002", placed=date(2026, 1, 13), status="Shipped", delivered=None
)
TERMS = ReturnPolicy(
    days={"Office": 30},
    extension=Extension(date(2025, 11, 10), date(2025, 12, 20), date(2026, 1, 31), ("Office",)),
    sealed_only=("Grocery",),
    kept_of=("Office",),
    lockers=("Office",),
    bulky=("standing desks",),
    picked_up=("coolers",),
    final={SECOND: date(2025, 12, 1)},
)
PROMISES = Promises(
    date(2025, 10, 1),
    fast=("Courier", "Express"),
    fast_late=900,
    prices={
        LAMP: ((date(2025, 10, 1), 4000), (date(2025, 12, 15), 3800), (date(2025, 12, 16), 3500))
    },
)
FILLED = {
    "condition": "Sealed",
    "reason": "No longer needed",
    "method": "Locker",
    "refund": "Money",
}


@pytest.fixture
def world() -> World:
    made = new_shopper(account=replace(ACCOUNT, orders=(ON_ITS_WAY, ORDER)), cart=False)
    returns.RULES.offer(made, TERMS)
    claims.PROMISES.offer(made, PROMISES)
    return made


def send(world: World, address: str, status: int = 303, /, **form: str | list[str]) -> str:
    """Post a form of ours; the page that comes of it."""
    client = visit(world)
    token = re.findall(r'name="csrf" value="([^"]+)"', client.get(HERE.claim).text)[0]
    answer = client.post(address, data={"csrf": token, **form})
    assert answer.status_code == status, answer.text
    return client.get(answer.headers["Location"]).text if status == 303 else answer.text


# Returns -----------------------------------------------------------------------------------------


def test_a_line_is_sent_back_once_and_can_be_taken_back(world: World) -> None:
    form = HERE.send_back(ORDER.number, LAMP)
    shown = send(world, form, **FILLED)
    assert "Return started" in shown and f"/returns/s1/{ORDER.number}/{LAMP}" not in shown
    [row] = world.snapshot()["returns"]
    assert row == {"id": 1, "order_number": ORDER.number, "asin": LAMP, **FILLED}
    assert "started already" in send(world, form, 409, **FILLED)
    assert "Nothing is on its way back" in send(world, HERE.returns, **{"return": "1"})
    assert world.snapshot()["returns"] == []


def test_a_form_says_what_each_way_costs_and_nothing_that_cannot_be(world: World) -> None:
    client = visit(world)
    lamp = client.get(HERE.send_back(ORDER.number, LAMP)).text
    assert "Locker, free" in lamp and "Parcel shop, free" in lamp and "Pick-up, $8.95" in lamp
    desk = client.get(HERE.send_back(ORDER.number, DESK)).text
    assert "Pick-up, $8.95" in desk and "Locker" not in desk and "Parcel shop" not in desk


@pytest.mark.parametrize(
    ("asin", "wrong", "sentence"),
    [
        (LAMP, {"reason": ""}, "Say why it goes back."),
        (LAMP, {"condition": "New"}, "Say in which condition it is."),
        (LAMP, {"refund": "Gold"}, "Choose how you are paid back."),
        (DESK, {"method": "Locker"}, "Choose a way for this item."),
    ],
)
def test_a_form_that_lacks_something_is_shown_again(
    world: World, asin: str, wrong: dict[str, str], sentence: str
) -> None:
    shown = send(world, HERE.send_back(ORDER.number, asin), 400, **{**FILLED, **wrong})
    assert sentence in shown
    assert world.snapshot()["returns"] == []


@pytest.mark.parametrize(
    ("number", "asin", "status"),
    [(ON_ITS_WAY.number, LAMP, 409), (ORDER.number, OTHER, 404), ("1", LAMP, 404),
     (ORDER.number, "nothing", 404)],
)  # fmt: skip
def test_what_was_not_delivered_or_bought_does_not_go_back(
    world: World, number: str, asin: str, status: int
) -> None:
    assert visit(world).get(HERE.send_back(number, asin)).status_code == status
    send(world, HERE.send_back(number, asin), status, **FILLED)


def test_the_last_day_is_counted_from_the_delivery() -> None:
    assert TERMS.last_day(date(2025, 12, 16), "Office") == date(2026, 1, 15)
    assert TERMS.extension.holds(date(2025, 11, 10), "Kitchen")
    assert not TERMS.extension.holds(date(2025, 11, 9), "Kitchen")
    assert not TERMS.extension.holds(date(2025, 11, 10), "Office")


def test_an_item_says_since_when_it_is_final_sale(world: World) -> None:
    client = visit(world)
    assert "Final sale since December 1, 2025" in client.get(HERE.item(SECOND, {})).text
    assert "Final sale" not in client.get(HERE.item(LAMP, {})).text


# Claims ------------------------------------------------------------------------------------------


def test_a_claim_is_written_row_by_row_and_sent_once(world: World) -> None:
    row = {"order_number": ORDER.number, "reason": PRICE, "amount": "$4.00"}
    send(world, HERE.claim, do="add", **row)
    assert "There is such a row" in send(world, HERE.claim, 400, do="add", **row)
    send(world, HERE.claim, do="add", **{**row, "reason": LATE, "amount": "5"})
    send(world, HERE.claim, remove="2")
    shown = send(world, HERE.claim, do="send", row=["1"])
    assert "Sent" in shown and "Not sent yet" not in shown
    [sent] = world.snapshot()["claim_rows"]
    assert (sent["claim"], sent["cents"]) == (1, 400)
    send(world, HERE.claim, remove="1")
    assert world.snapshot()["claim_rows"] == [sent]
    assert "has no rows" in send(world, HERE.claim, 409, do="send", row=["1"])


def test_a_claim_is_sent_as_it_was_shown_or_not_at_all(world: World) -> None:
    claims.add_row(world, ORDER.number, PRICE, "4.00")
    before = state(world.snapshot())
    assert "was changed since" in send(world, HERE.claim, 409, do="send", row=["1", "2"])
    assert state(world.snapshot()) == before


@pytest.mark.parametrize(
    ("row", "field"),
    [
        (("1", PRICE, "4.00"), "order_number"),
        ((ORDER.number, "Bad mood", "4.00"), "reason"),
        ((ORDER.number, PRICE, "four"), "amount"),
        ((ORDER.number, PRICE, "0.00"), "amount"),
        ((ORDER.number, PRICE, "4.5"), "amount"),
    ],
)
def test_a_row_that_cannot_be_says_what_to_do(
    world: World, row: tuple[str, str, str], field: str
) -> None:
    with pytest.raises(Invalid) as refused:
        claims.add_row(world, *row)
    assert [*refused.value.errors] == [field]
    assert claims.rows(world) == []


def test_what_is_owed_for_a_price_ends_with_the_last_day() -> None:
    [lamp, desk] = ORDER.lines
    assert PROMISES.difference(lamp, ORDER.placed) == 2 * 200, "the 14th day counts, the 15th not"
    assert PROMISES.difference(replace(lamp, cents=3840), ORDER.placed) == 0, "less than a dollar"
    assert PROMISES.difference(desk, ORDER.placed) == 0


def test_what_is_late_goes_by_business_days() -> None:
    slow = replace(ORDER, method="Economy", delivered=date(2025, 12, 10))
    assert PROMISES.for_late(slow, METHODS) == 0
    assert PROMISES.for_late(replace(slow, delivered=date(2025, 12, 11)), METHODS) == 500
    assert PROMISES.for_late(replace(slow, method="Courier"), METHODS) == 900


def test_the_page_of_an_item_has_its_prices(world: World) -> None:
    shown = visit(world).get(HERE.item(LAMP, {})).text
    days = re.findall(r'<th scope="row">(\w+ \d+, 2025)</th><td>(\$[\d.]+)</td>', shown)
    assert days[0] == ("December 16, 2025", "$35.00") and len(days) == 3


# Elsewhere ---------------------------------------------------------------------------------------


def test_who_has_neither_sees_nothing_of_them() -> None:
    plain = new_shopper(account=replace(ACCOUNT, orders=(ORDER,)), cart=False)
    client = visit(plain)
    for address in (
        HERE.order(ORDER.number),
        HERE.item(LAMP, {}),
        HERE.help(),
        HERE.help("returns"),
    ):
        shown = client.get(address).text
        assert not re.search(r"/returns/|/claim/|Price history|What we promise|Locker", shown)
    for address in (HERE.returns, HERE.claim, HERE.send_back(ORDER.number, LAMP)):
        assert client.get(address).status_code == 404
    with pytest.raises(Refusal):
        returns.take_back(plain, 1)


def test_terms_and_promises_are_read_back_as_they_were_written() -> None:
    assert returns.RULES.from_json(returns.RULES.to_json(TERMS)) == TERMS
    assert claims.PROMISES.from_json(claims.PROMISES.to_json(PROMISES)) == PROMISES


def test_a_visitors_own_help_stands_in_place_of_the_usual(world: World) -> None:
    topics = rules.topics_of(world)
    assert [*topics] == [*rules.TOPICS, claims.PROMISES.name]
    shown = " ".join(text for each in topics["returns"].sections(None) for text in each.sentences)
    assert "Office: within 30 days." in shown and "by phone" not in shown
    assert "“Canceled” means that nothing was charged." in shown


def test_a_refund_of_a_promise_is_shown_with_its_reason(world: World) -> None:
    paid = replace(ORDER, number="100000003", refunds=(Refund(date(2025, 12, 20), 300, LATE),))
    made = new_shopper(account=replace(ACCOUNT, orders=(paid,)), cart=False)
    claims.PROMISES.offer(made, PROMISES)
    assert LATE in visit(made).get(HERE.order(paid.number)).text
