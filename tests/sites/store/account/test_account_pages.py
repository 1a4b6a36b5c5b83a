"""The pages of a signed-in customer, through a client and in the browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from html import unescape
from random import Random

import pytest

from agent.interface import Click, Observation, Type
from sites.site_app import COOKIE
from sites.store import new_world
from sites.store.account import look, orders
from sites.store.account import operations as customer
from sites.store.account.account import STATUSES, WAITING_STATUSES
from sites.store.account.draw import draw_account
from sites.store.account.pages import WAYS
from sites.store.catalogue.clock import spoken
from sites.store.market.service.help import dollars
from sites.store.shop.address import Listing, Visit

HERE = Visit("s1")
ADDRESS = {
    "name": "Ann Lee",
    "street": "1 Hill Road",
    "city": "Fordville, SD",
    "postcode": "57001",
    "country": "United States",
    "phone": "605-555-0101",
}
MESSAGE = {"order_number": "", "subject": "Refund", "text": "It broke.\r\nTwice."}
SCRIPT = "<script>alert(1)</script>"


def form_of(shop, read, address: str, action: str) -> dict[str, str]:
    """The hidden fields of the page's form with this action."""
    html = shop.client.get(address).text
    forms = re.findall(r"<form.*?</form>", html, re.DOTALL)
    return read_form(next(form for form in forms if f'action="{action}"' in unescape(form)))


def read_form(form: str) -> dict[str, str]:
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))


def post(shop, read, address: str, action: str, **values: str | None):
    """Send the page's form with these values; None leaves a field out."""
    sent = {**form_of(shop, read, address, action), **values}
    return shop.client.post(action, data={k: v for k, v in sent.items() if v is not None})


# What the pages show -----------------------------------------------------------------------------


def test_the_header_shows_the_account_to_a_customer_only(shop, my_shop, read):
    mine = ["My Account", "My Orders", "My Wish List", "Contact Us"]
    shelves = [name.capitalize() for name in my_shop.data.shelves.categories]
    asin = my_shop.product.asin
    for address in ("/s1", Visit("s1", ("color",)).results(), HERE.item(asin, {})):
        links = [text for text, _ in read(my_shop.client.get(address)).links]
        assert links[: len(mine) + len(shelves)] == [*mine, *shelves]
        guest = read(shop.client.get(address)).texts
        assert not {*mine, *shelves, "Add to Wish List"} & set(guest)


def test_the_account_shows_name_address_and_the_last_orders(my_shop, account, read):
    texts = read(my_shop.client.get(HERE.account)).texts
    address = account.addresses[0]
    for text in (account.name, account.email, address.street, address.phone):
        assert text in texts
    for order in account.orders[:5]:
        assert {order.number, spoken(order.placed), order.status} <= set(texts)
    assert account.orders[5].number not in texts


def test_orders_are_listed_with_their_totals(my_shop, account, read):
    page = read(my_shop.client.get(HERE.orders(2)))
    shown = [order for order in account.orders if order.number in page.texts]
    assert shown == list(account.orders[10:20])
    for order in shown:
        at = page.texts.index(order.number)
        assert page.texts[at : at + 6] == [
            order.number,
            spoken(order.placed),
            order.ship_to.name,
            dollars(order.total),
            order.status,
            "View Order",
        ]
        assert page.find("a", href=HERE.order(order.number))["aria-label"].endswith(order.number)
    assert HERE.orders(3) in page.addresses() and HERE.orders(1) in page.addresses()


def test_an_order_shows_its_lines_and_what_of_it_can_be_changed(my_shop, account, read):
    sentences = set()
    for order in account.orders:
        page = read(my_shop.client.get(HERE.order(order.number)))
        assert {dollars(order.total), order.status, order.ship_to.street} <= set(page.texts)
        for line in order.lines:
            assert {line.asin, dollars(line.cents), dollars(line.total)} <= set(page.texts)
            assert set(line.options.values()) <= set(page.texts)
            assert HERE.item(line.asin, line.options) in page.addresses()
        sentences |= {text for text in page.texts if "change" in text or "can still" in text}
        other = next(each for each in account.addresses if each != order.ship_to)
        send = f"Send to {other.street}, {other.city} {other.postcode}"
        waits = order.status in WAITING_STATUSES
        assert page.buttons == ["Back to Search", *([send] if waits else [])]
    assert len(sentences) >= 5


def test_links_of_this_account_do_not_show_that_they_were_followed(my_shop, account):
    """The market's do; here an order leads back to the first page of orders, too."""
    here = HERE.order(account.orders[12].number)
    for address in (HERE.account, HERE.orders(2), here, HERE.account, HERE.orders(2), here):
        text = my_shop.client.get(address).text
        assert "visited" not in text
    assert text.count(f'href="{HERE.orders()}"') == 2, "in the header, and back from the order"


def test_every_status_of_an_order_has_a_sentence_and_every_link_a_page():
    assert set(look.WEBSHOP.statuses) == set(STATUSES)
    assert {*look.WEBSHOP.ways, *look.MARKET.ways} == set(WAYS)


def waiting(account) -> str:
    """The number of an order that waits, and goes to the first address."""
    return next(
        each.number
        for each in account.orders
        if each.status in WAITING_STATUSES and each.ship_to == account.addresses[0]
    )


def test_an_order_that_waits_is_sent_to_another_address(my_shop, account, read):
    number = waiting(account)
    here = HERE.order(number)
    answer = post(my_shop, read, here, here)
    assert (answer.status_code, answer.headers["Location"]) == (303, here)
    page = read(my_shop.client.get(here))
    assert account.addresses[1].street in page.texts
    other = account.addresses[0]
    assert page.buttons[1:] == [f"Send to {other.street}, {other.city} {other.postcode}"]


@pytest.mark.parametrize(
    ("values", "status"), [({"csrf": ""}, 400), ({"address": "9"}, 404), ({"address": "x"}, 404)]
)
def test_what_is_no_address_of_the_book_changes_nothing(my_shop, account, read, values, status):
    here, before = HERE.order(waiting(account)), my_shop.world.digest()
    sent = {**form_of(my_shop, read, here, here), **values}
    assert my_shop.client.post(here, data=sent).status_code == status
    assert my_shop.world.digest() == before


def test_an_order_that_is_on_its_way_cannot_be_redirected_by_the_form_of_another(
    my_shop, account, read
):
    here = HERE.order(waiting(account))
    sent = form_of(my_shop, read, here, here)
    before = my_shop.world.digest()
    for order in account.orders:
        if order.status not in WAITING_STATUSES:
            answer = my_shop.client.post(HERE.order(order.number), data=sent)
            assert answer.status_code == 409 and "no longer" in answer.text
    assert my_shop.client.post(HERE.order("123"), data=sent).status_code == 404
    assert my_shop.world.digest() == before


def test_prices_of_an_order_lead_to_products_that_can_be_opened(my_shop, account, read):
    line = account.orders[0].lines[0]
    page = read(my_shop.client.get(HERE.item(line.asin, line.options)))
    checked = [have["value"] for tag, have in page.elements if tag == "input" and "checked" in have]
    assert set(checked) == set(line.options.values())


def test_reviews_are_shown_over_several_pages_to_guests_too(shop, read):
    product = next(p for p in shop.data.catalogue if 17 <= p.review_count < 25)
    bodies = []
    for page in (1, 2, 3):
        address = HERE.sub_page(product.asin, "Reviews", {}, page)
        shown = read(shop.client.get(address))
        found = customer.reviews_page(shop.world, shop.data, product.asin, page)
        bodies += [review.body for review in found.reviews]
        assert all(review.body in shown.texts for review in found.reviews)
        links = {text for text, _ in shown.links}
        assert links == {1: {"Next page"}, 2: {"Previous page", "Next page"}}.get(
            page, {"Previous page"}
        )
    assert len(bodies) == product.review_count
    few = next(p for p in shop.data.catalogue if 0 < p.review_count <= 8)
    assert not read(shop.client.get(HERE.sub_page(few.asin, "Reviews", {}))).links


# Categories --------------------------------------------------------------------------------------


def test_a_category_links_to_its_types_and_every_order(my_shop, read):
    page = read(my_shop.client.get(HERE.category(Listing("garden"))))
    for kind in my_shop.data.shelves.categories["garden"]:
        assert HERE.category(Listing(kind)) in page.addresses()
    for sort in ("name", "price", "rating"):
        for direction in ("asc", "desc"):
            assert HERE.category(Listing("garden", 1, sort, direction)) in page.addresses()
    assert page.find("a", **{"aria-current": "true"})["href"] == HERE.category(Listing("garden"))


def test_turning_the_page_keeps_the_order(my_shop, read):
    listing = Listing("garden", 2, "price", "desc")
    page = read(my_shop.client.get(HERE.category(listing)))
    found = customer.category(my_shop.world, my_shop.data, "garden", 2, "price", "desc")
    cards = [text for text, of in page.links if of.startswith("product-link")]
    assert cards == [product.asin for product in found.products]
    assert HERE.category(Listing("garden", 1, "price", "desc")) in page.addresses()


def test_an_item_leads_back_to_the_listing_that_led_to_it(my_shop, read):
    listing = Listing("garden", 2, "price", "desc")
    asin = customer.category(my_shop.world, my_shop.data, "garden", 2, "price", "desc").products[0]
    page = read(my_shop.client.get(HERE.item(asin.asin, {})))
    assert page.find("a", href=HERE.category(listing))
    listed = read(my_shop.client.get(HERE.category(listing)))
    assert listed.visited() == [asin.asin]
    searched = Visit("s1", ("color",))
    assert "< Prev" in read(my_shop.client.get(searched.item(asin.asin, {}))).buttons


def test_an_item_that_nothing_led_to_leads_back_to_its_type(my_shop, read):
    product = my_shop.product
    page = read(my_shop.client.get(HERE.item(product.asin, {})))
    assert page.find("a", href=HERE.category(Listing(product.kind)))


# Addresses ---------------------------------------------------------------------------------------


def test_an_address_is_changed_by_its_form(my_shop, account, read):
    page = my_shop.client.get(HERE.address(1)).text
    assert all(f'value="{text}"' in page for text in (account.addresses[0].street,))
    answer = post(my_shop, read, HERE.address(1), HERE.address(1), **ADDRESS)
    assert (answer.status_code, answer.headers["Location"]) == (303, HERE.addresses)
    assert "1 Hill Road" in read(my_shop.client.get(HERE.addresses)).texts
    repeated = post(my_shop, read, HERE.address(1), HERE.address(1), **ADDRESS)
    assert repeated.status_code == 303
    assert len(my_shop.world.snapshot()["addresses"]) == 2


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("name", "", "Enter your name."),
        ("street", None, "Enter a street and number."),
        ("postcode", "x", "Enter a ZIP code"),
        ("country", "Atlantis", "Choose a country"),
        ("phone", "1", "Enter a phone number"),
        ("city", SCRIPT * 5, "at most 80 characters"),
    ],
)
def test_a_wrong_address_is_shown_again_with_what_is_wrong(my_shop, read, field, value, sentence):
    before = my_shop.world.digest()
    answer = post(my_shop, read, HERE.address(2), HERE.address(2), **{**ADDRESS, field: value})
    assert answer.status_code == 400
    page = read(answer)
    assert any(text.startswith(sentence) or sentence in text for text in page.texts)
    wrong = next(have for _, have in page.elements if have.get("aria-invalid"))
    assert (wrong["name"], wrong["aria-describedby"]) == (field, f"{field}-said")
    assert page.find("input", name="street")["value"] in ("1 Hill Road", "")
    assert SCRIPT not in answer.text
    assert my_shop.world.digest() == before


# Wishes ------------------------------------------------------------------------------------------


def test_an_item_is_wished_for_on_its_page_and_removed_on_the_list(my_shop, read):
    product = my_shop.product
    chosen = {kind: values[0] for kind, values in product.options.items()}
    visit = Visit("s1", ("color",), 2)
    item, action = visit.item(product.asin, chosen), visit.wish(product.asin, chosen)
    fields = form_of(my_shop, read, item, action)
    answers = [my_shop.client.post(action, data=fields) for _ in range(2)]
    assert [(each.status_code, each.headers["Location"]) for each in answers] == [(303, item)] * 2
    shown = read(my_shop.client.get(item))
    assert "Add to Wish List" not in shown.buttons and "On your wish list." in shown.texts
    assert customer.wished(my_shop.world) == (product.asin,)
    removed = post(my_shop, read, HERE.wishlist, HERE.wishlist)
    assert (removed.status_code, removed.headers["Location"]) == (303, HERE.wishlist)
    assert customer.wished(my_shop.world) == ()
    assert "Add to Wish List" in read(my_shop.client.get(item)).buttons


# The contact form --------------------------------------------------------------------------------


def test_a_message_is_sent_once(my_shop, account, read):
    number = account.orders[0].number
    fields = form_of(my_shop, read, HERE.contact, HERE.contact)
    sent = {**fields, **MESSAGE, "order_number": number}
    answers = [my_shop.client.post(HERE.contact, data=sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 409]
    assert HERE.contact in read(answers[1]).addresses()
    (message,) = my_shop.world.snapshot()["messages"]
    assert message == {
        "id": 1,
        "order_number": number,
        "subject": "Refund",
        "text": "It broke.\nTwice.",
    }
    assert "“Refund” was sent" in my_shop.client.get(HERE.contact).text


@pytest.mark.parametrize("field", ["order_number", "subject", "text"])
def test_a_wrong_message_is_shown_again_with_what_is_wrong(my_shop, read, field):
    sent = {**MESSAGE, "subject": SCRIPT, field: "x" * 5_000}
    answer = post(my_shop, read, HERE.contact, HERE.contact, **sent)
    assert answer.status_code == 400
    wrong = [have["name"] for _, have in read(answer).elements if have.get("aria-invalid")]
    assert wrong == [field]
    assert "x" * 5_000 in answer.text and SCRIPT not in answer.text
    assert my_shop.world.snapshot()["messages"] == []


def draft(shop, read, **values: str | None):
    fields = form_of(shop, read, HERE.contact, HERE.contact)
    sent = {**fields, "field": "text", "value": "It broke.", **values}
    return shop.client.post(HERE.draft, data={k: v for k, v in sent.items() if v is not None})


def test_a_draft_is_kept_and_stands_in_the_form_again(my_shop, read):
    assert draft(my_shop, read, value=f"a\n{SCRIPT}").status_code == 204
    page = my_shop.client.get(HERE.contact).text
    assert 'rows="8">\na\n&lt;script&gt;alert(1)&lt;/script&gt;</textarea>' in page
    assert my_shop.world.snapshot()["messages"] == []


@pytest.mark.parametrize(
    ("status", "values"),
    [
        (400, {"csrf": "x"}),
        (400, {"csrf": None}),
        (400, {"messages": "x"}),
        (400, {"messages": None}),
        (409, {"messages": "1"}),
        (400, {"field": "name"}),
        (400, {"field": None}),
        (413, {"value": "x" * 100_000}),
    ],
)
def test_drafts_that_are_not_of_our_form_are_refused(my_shop, read, status, values):
    answer = draft(my_shop, read, **values)
    assert answer.status_code == status
    assert my_shop.world.snapshot()["log_drafts"] == []


# What cannot be done -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        (HERE.order("123456789"), 404, "You have no order “123456789”."),
        (HERE.order("<b>"), 404, "You have no order “<b>”."),
        (f"{HERE.account}/orders?page=99", 404, "The last one is"),
        (f"{HERE.account}/orders?page=0", 404, "The last one is"),
        (f"{HERE.account}/orders?page=x", 404, "There is no such page."),
        (HERE.address(9), 404, "There is no address 9"),
        (f"{HERE.addresses}/x", 404, "no page number"),
        (HERE.category(Listing("nonsense")), 404, "There is no category “nonsense”."),
        (HERE.category(Listing("garden", 999)), 404, "There is no page 999"),
        ("/category/s1/garden?sort=x", 400, "cannot be shown like that"),
        ("/category/s1/garden?page=x", 400, "cannot be shown like that"),
        ("/account/other", 404, "Nobody has opened a visit at this address."),
        ("/contact/other", 404, "Nobody has opened a visit at this address."),
        ("/category/other/garden", 404, "Nobody has opened a visit at this address."),
        ("/account/s1/nothing", 404, "There is no such page."),
    ],
)
def test_what_cannot_be_done_is_a_page_with_a_sentence(my_shop, read, address, status, sentence):
    before = my_shop.world.snapshot()
    answer = my_shop.client.get(address)
    assert answer.status_code == status
    assert sentence in " ".join(read(answer).texts)
    assert "<b>" not in answer.text
    assert my_shop.world.snapshot() == before


def posts(shop, read) -> list[tuple[str, dict[str, str]]]:
    """Every address that changes something, with what it would take."""
    asin = shop.product.asin
    return [
        (HERE.address(1), ADDRESS),
        (HERE.wishlist, {"asin": asin}),
        (HERE.wish(asin, {}), {}),
        (HERE.contact, {**MESSAGE, "messages": "0"}),
        (HERE.draft, {"messages": "0", "field": "text", "value": "x"}),
    ]


@pytest.mark.parametrize("csrf", [None, "", "x", "é"])
def test_a_form_that_is_not_ours_changes_nothing(my_shop, read, csrf):
    before = my_shop.world.snapshot()
    for address, values in posts(my_shop, read):
        sent = values if csrf is None else {**values, "csrf": csrf}
        assert my_shop.client.post(address, data=sent).status_code == 400, address
    assert my_shop.world.snapshot() == before


def test_a_form_of_another_visit_changes_nothing(my_shop, data, read):
    mine = form_of(my_shop, read, HERE.contact, HERE.contact)
    other = new_world("s1", "x", draw_account(Random("other"), data))
    client = my_shop.app.test_client()
    client.set_cookie(COOKIE, my_shop.worlds.admit(other))
    before = other.snapshot()
    for address, values in posts(my_shop, read):
        sent = {**values, "csrf": mine["csrf"]}
        assert client.post(address, data=sent).status_code == 400, address
    assert other.snapshot() == before
    assert client.get(HERE.account.replace("s1", "s2")).status_code == 404


def test_after_the_visit_pages_are_shown_and_nothing_is_changed(my_shop, read):
    csrf = form_of(my_shop, read, HERE.contact, HERE.contact)["csrf"]
    my_shop.world.close()
    before = my_shop.world.snapshot()
    for address, values in posts(my_shop, read):
        answer = my_shop.client.post(address, data={**values, "csrf": csrf})
        assert answer.status_code == 409, address
    for address in (HERE.account, HERE.orders(), HERE.addresses, HERE.wishlist, HERE.contact):
        assert my_shop.client.get(address).status_code == 200
    assert my_shop.world.snapshot() == before


def test_a_guest_is_told_to_sign_in(shop, read):
    before = shop.world.snapshot()
    for address in (HERE.account, HERE.orders(), HERE.contact, HERE.category(Listing("garden"))):
        answer = shop.client.get(address)
        assert answer.status_code == 404
        assert orders.SIGN_IN in read(answer).texts
    assert shop.world.snapshot() == before


def test_too_much_text_is_refused(my_shop, read):
    before = my_shop.world.snapshot()
    for address, values in posts(my_shop, read):
        answer = my_shop.client.post(address, data={**values, "csrf": "x" * 100_000})
        assert answer.status_code == 413, address
    assert my_shop.world.snapshot() == before


def test_equal_visits_get_equal_pages(my_shop, data, account, read):
    other = type(my_shop)(data, account)
    for address in (HERE.account, HERE.orders(2), HERE.addresses, HERE.category(Listing("jeans"))):
        assert my_shop.client.get(address).data == other.client.get(address).data


# In the browser ----------------------------------------------------------------------------------


class Customer:
    """A lane with a signed-in world of its own."""

    def __init__(self, runner, environments, lane, account) -> None:
        self.run, self.lane, site = runner.run, lane, environments.sites["store"]
        self.world = new_world("s1", "Write to us.", account)
        self.origin, self.token = site.origin, site.worlds.admit(self.world)

    def open(self, address: str) -> Observation:
        return self.run(self.lane.open(f"{self.origin}{address}", cookie=(COOKIE, self.token)))

    def act(self, action) -> Observation:
        seen = self.run(self.lane.act(action))
        assert not seen.capped and seen.error is None, (action, seen.error)
        return seen


@pytest.fixture
def browsing(runner, environments) -> Iterator[Customer]:
    account = draw_account(Random("browsing"), environments.sites["store"].data)
    stack = AsyncExitStack()
    lane = runner.run(stack.enter_async_context(environments.lane("store")))
    yield Customer(runner, environments, lane, account)
    runner.run(stack.aclose())


def test_what_was_typed_is_a_draft_when_it_is_seen(browsing):
    """Each observation after typing implies that the site has the text, also of a field that was
    not left yet."""
    browsing.open(HERE.contact)
    held = {}
    texts = ("It broke.", "It broke. " * 20, "")
    for turn, text in enumerate(texts):
        for label, field in (("Subject", "subject"), ("Message", "text")):
            seen = browsing.act(Type(label, f"{text}{turn}".strip()))
            held[field] = f"{text}{turn}".strip()
            assert {**customer.drafts(browsing.world), **held} == customer.drafts(browsing.world)
            assert "Draft saved." in seen.text
    repeated = browsing.act(Click("Contact Us"))
    assert {each.value for each in repeated.elements if each.role == "textbox"} >= set(
        held.values()
    )
    assert customer.messages(browsing.world) == ()


def test_a_message_typed_and_sent_leaves_no_draft(browsing):
    browsing.open(HERE.contact)
    browsing.act(Type("Subject", "Refund"))
    browsing.act(Type("Message", "It broke."))
    seen = browsing.act(Click("Send"))
    assert "“Refund” was sent" in seen.text
    assert [message.subject for message in customer.messages(browsing.world)] == ["Refund"]
    assert set(customer.drafts(browsing.world).values()) == {""}


def test_only_sending_is_for_good(browsing):
    seen = browsing.open(HERE.contact)
    assert [each.name for each in seen.elements if each.commits] == ["Send"]
    seen = browsing.open(HERE.address(1))
    assert not [each for each in seen.elements if each.commits]
