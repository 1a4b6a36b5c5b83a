"""Shops that write days and money in other formats: each page alike, and the same end is right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape

import pytest

from agent.interface import Advice, Click, Element, Note, Observation, Text, Type
from agent.plugins import UnknownName
from scenarios import dials as profiles
from scenarios import foreign, registry
from scenarios.store.market import ordering
from sites import dials
from sites.dials import Dials
from sites.store.market.service.claims import PRICE
from sites.store.shop import formats
from sites.store.shop.address import Visit
from sites.store.shop.formats import Formats
from sites.world import World
from tests.contracts.harness import scored
from tests.drawing import drawn
from tests.measuring import DEEP
from tests.scenarios.store.pages.visiting import visit
from tests.scenarios.store.two_shops.shops_reader import HOST
from tests.scenarios.with_dials import ends_as_without

FAMILIES = [
    name
    for name in profiles.AT_THE_MARKET
    if "foreign" in profiles.profiles_of(registry.family(name), name)
]
FEW = ("ledger_audit", "two_shops_cheapest")
"""The families that are looked at in every run; with `tox -e deep` all are."""
DAY_FIRST, MONTH_FIRST = formats.chosen(1), formats.chosen(2)
KEPT = re.compile(r'<(\w+)[^>]* translate="no"[^>]*>.*?</\1>', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
USUAL = re.compile(r"\$\d|[A-Z][a-z]+ \d{1,2}, 20\d\d|\b\d\d\.\d\d\.20\d\d\b")
DATA = registry.site_data("store")
START = {
    "ledger_audit": ("store", "/?scenario={}"),
    "subscriptions_in_order": ("store", "/?scenario={}"),
    "checkout_exact": (
        *("store", "/cart/{}", "/checkout/{}/review", "/checkout/{}/delivery"),
        *("/checkout/{}/extras", "/search_results/{}/%5B%22monitors%22%5D/1", "/account/{}/wallet"),
    ),
    "two_shops_cheapest": (
        *("outlet", "/{}/search?q=lamp", "/{}/basket", "/{}/checkout", "/{}/help"),
    ),
}
"""Visits whose pages are looked at: the shop, and where one begins."""
ORDERS = {
    "checkout_exact": lambda gold: gold["wanted"],
    "two_shops_cheapest": lambda gold: {**gold["orders"][0], "shop": "outlet"},
}
"""What they have in the cart."""


@pytest.mark.parametrize(
    ("text", "day_first", "month_first"),
    [
        ("$1,250.00", "1.250,00 $", "1.250,00 $"),
        ("$1250.5", "1.250 $.5", "1.250 $.5"),
        ("−$0.05 or $25 to $50.", "−0,05 $ or 25 $ to 50 $.", "−0,05 $ or 25 $ to 50 $."),
        ("Friday, March 4, 2026", "Friday, 04/03/2026", "Friday, 03/04/2026"),
        ("by 23.01.2026, 2.5 kg", "by 23/01/2026, 2.5 kg", "by 01/23/2026, 2.5 kg"),
        ("12 dollars in May 2026", "12 dollars in May 2026", "12 dollars in May 2026"),
    ],
)
def test_days_and_amounts_of_a_text_are_written_otherwise(text, day_first, month_first):
    assert DAY_FIRST is not None and MONTH_FIRST is not None and formats.chosen(0) is None
    assert (DAY_FIRST.written(text), MONTH_FIRST.written(text)) == (day_first, month_first)


@pytest.mark.parametrize("kept", ['<p translate="no">$5.00</p>', "<textarea>$5.00\n</textarea>",
                                  '<input value="$5.00">'])  # fmt: skip
def test_what_a_customer_wrote_stays_as_it_is(kept):
    assert Formats(True).page(f"<b>$5.00</b>{kept}<i>$5</i>") == f"<b>5,00 $</b>{kept}<i>5 $</i>"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("12,50", "12.50"),
        ("$12", "12.00"),
        ("1.250,00 $", "1250.00"),
        ("1.250", "1250.00"),
        ("12.50", ""),
        ("12,5", ""),
        ("", ""),
        ("twelve", ""),
    ],
)
def test_an_amount_is_read_as_it_is_written(typed, read):
    for number, text in ((0, typed), (1, read), (2, read)):
        world = World("", "one")
        dials.equip(world, Dials(formats=number).to_json())
        assert formats.read_amount(world, typed) == text


# Pages -------------------------------------------------------------------------------------------


def pages(name: str, number: int, most: int) -> Iterator[tuple[str, str]]:
    """Pages and where their links lead, with their addresses, as a visit with these formats and a
    full cart sees them."""
    scenario = drawn(name, 0)
    world, order = registry.family(name).world(scenario), ORDERS.get(name)
    dials.equip(world, Dials(formats=number).to_json())
    if order is not None:
        ordering.fill(world, ordering.stock_of(scenario, DATA), order(scenario.gold))
    client, seen = visit(world), set[str]()
    shop, *first = START[name]
    ahead = [each.format(world.session) for each in first]
    while ahead and len(seen) < most:
        address = ahead.pop(0)
        if address in seen or "/picture/" in address:
            continue
        seen.add(address)
        answer = client.get(address, base_url=HOST[shop], follow_redirects=True)
        if answer.status_code != 200:
            continue  # forms lead there, no links
        page = answer.text
        yield address, page
        ahead += [unescape(each) for each in re.findall(r'(?:href|action)="(/[^"]*)"', page)
                  if not re.search(r"static|shared|\.svg", each)]  # fmt: skip


def shown(page: str) -> str:
    """What a shop says on a page."""
    return unescape(TAG.sub("\n", KEPT.sub("", page)))


def in_the_stores_formats(text: str) -> str:
    """Amounts of cards with a comma, and days of the outlet as the store has them."""

    def written(found: re.Match[str]) -> str:
        day = datetime.strptime(found[0], "%d.%m.%Y").replace(tzinfo=UTC)
        return f"{day:%B} {day.day}, {day.year}"

    amounts = re.sub(r"\$(\d{4,})", lambda found: f"${int(found[1]):,}", text)
    return re.sub(r"\b\d\d\.\d\d\.\d{4}\b", written, amounts)


@pytest.mark.parametrize("number", [1, 2] if DEEP else [1])
@pytest.mark.parametrize("name", START)
def test_all_pages_are_written_so_and_say_the_same(name, number):
    own, most = formats.chosen(number), 400 if DEEP else 20
    assert own is not None
    plain = dict(pages(name, 0, most))
    changed = 0
    for address, page in pages(name, number, most):
        assert own.hint in unescape(page), address
        assert not USUAL.search(shown(page)), address
        in_tags = [tag for tag in TAG.findall(page) if USUAL.search(tag)]
        assert in_tags == [], address
        text = shown(page).replace(own.hint, "").replace(formats.TYPED_LIKE, "").split()
        assert own.read(" ".join(text)) == in_the_stores_formats(
            " ".join(shown(plain[address]).split())
        ), address
        changed += text != shown(plain[address]).split()
    assert changed > 5


def test_a_claimed_amount_is_typed_as_the_pages_write_it():
    scenario = drawn("ledger_audit.foreign", 0)
    world = registry.family(scenario.family).world(scenario)
    client, address = visit(world), Visit(world.session).claim
    csrf = re.findall(r'name="csrf" value="([^"]*)"', client.get(address).text)[0]
    [order, *_] = world.read("SELECT number FROM market_orders")
    sent = {"csrf": csrf, "order_number": order["number"], "reason": PRICE, "do": "add"}
    refused = client.post(address, data={**sent, "amount": "12.50"})
    assert refused.status_code == 400 and "Enter an amount such as 12,50 $." in refused.text
    assert 'value="12.50"' in refused.text and world.read("SELECT * FROM claim_rows") == []
    assert client.post(address, data={**sent, "amount": "12,50"}).status_code == 303
    [row] = world.read("SELECT cents FROM claim_rows")
    assert row["cents"] == 1250


# What somebody does there ------------------------------------------------------------------------


def test_a_page_is_read_and_what_is_noted_and_typed_is_written_as_it_asks():
    own = Formats(day_first=True)
    page = Observation(
        "http://store.localhost/claim/one",
        "Claim",
        (
            Text("Placed on 04/03/2026"),
            Element(1, "link", "Standard, 5,00 $"),
            Element(2, "textbox", "Amount in dollars", value="12,50"),
        ),
    )

    def usual(seen: Observation) -> Advice:
        assert seen.text.startswith("Placed on March 4, 2026\n")
        assert [each.name for each in seen.elements] == ["Standard, $5.00", "Amount in dollars"]
        assert seen.elements[1].value == "12.50"
        typed = (Note("March 4, 2026, $12.00"), Type(2, "12.50"), Type(1, "12.50"), Click(1))
        return Advice("write claim", typed, needs=(("$5.00",), ("lamp",)))

    advice = foreign.advise(own, usual, page)
    assert advice.actions == (
        *(Note("04/03/2026, 12,00 $"), Type(2, "12,50 $"), Type(1, "12.50"), Click(1)),
    )
    assert advice.needs == (("$5.00", "5,00 $"), ("lamp",))


@pytest.mark.parametrize("name", FAMILIES if DEEP else FEW)
def test_the_ends_of_a_family_are_the_same(name):
    for seed in range(10 if DEEP else 1):
        ends_as_without(f"{name}.foreign", seed)


@pytest.mark.wide
def test_the_expert_reads_and_writes_the_formats(harness, tmp_path):
    for name in FAMILIES if DEEP else FEW:
        for seed in range(5 if DEEP else 1):
            harness.expert_succeeds(f"store/{name}.foreign/{seed}", tmp_path)


def test_an_answer_may_be_written_as_the_pages_write():
    family = registry.family("ledger_sum.foreign")
    scenario = next(
        each
        for each in (drawn("ledger_sum.foreign", seed) for seed in range(20))
        if each.gold["answer"]["kind"] == "money" and "$" in each.gold["answer"]["text"]
    )

    def answered(world: World) -> str:
        return Formats(day_first=True).written(family.solve(scenario, world, DATA))

    ended = scored(family, scenario, answered)
    assert ended.answer.endswith(" $") and ended.score.success, ended.held()


def test_where_hardly_an_amount_decides_shops_write_as_always():
    assert len(FAMILIES) == len(profiles.AT_THE_MARKET) - len(profiles.BY_NAME)
    with pytest.raises(UnknownName, match="no variant of"):
        registry.family("buy_wish.foreign")
