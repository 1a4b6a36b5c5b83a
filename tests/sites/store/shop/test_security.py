from __future__ import annotations

import dataclasses
import http.client
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sites.server import Server
from sites.store import create_app, new_world
from sites.store.shop.address import Visit
from sites.store.shop.data import StoreData
from sites.world import Worlds
from tests import measuring
from tests.measuring import HANG

EXAMPLES = 200 if measuring.DEEP else 70
ODD = [
    "'",
    '"',
    "\\",
    "../..",
    "..%2f..",
    "%00",
    "%ff%fe",
    "{}",
    "{'a':'b'}",
    "[]",
    '["a"]',
    '["\\ud800"]',
    "<script>alert(1)</script>",
    "{{7*7}}",
    "' OR 1=1 --",
    "//evil.example",
    "/\\evil.example",
    "😀",
    "-1",
    "0",
    "99999999999999999999",
    "s1",
    "Reviews",
    "a" * 3000,
]
SEGMENT = st.one_of(
    st.sampled_from(ODD), st.text(max_size=30).map(lambda text: quote(text, errors="replace"))
)
FIELDS = ["csrf", "order", "search_query", "messages", "field", "value", "asin", "name", "text"]
ROUTES = [
    "/{}",
    "/{}?search_query={}",
    "/?scenario={}",
    "/search_results/{}/{}/{}",
    "/search_results/s1/{}/{}",
    "/item_page/{}/{}/{}/{}/{}",
    "/item_page/s1/ASIN/{}/{}/{}",
    "/item_page/s1/ASIN/red/1/{}?{}={}",
    "/item_sub_page/s1/ASIN/{}/1/{}/{}",
    "/done/s1/{}/{}",
    "/done/s1/ASIN/{}",
    "/account/{}/{}/{}",
    "/account/s1/orders/{}",
    "/account/s1/orders?page={}",
    "/account/s1/addresses/{}",
    "/account/s1/wishlist",
    "/contact/s1",
    "/contact/s1/draft",
    "/wish/s1/ASIN/{}/{}/{}",
    "/wish/{}/{}/{}/{}/{}",
    "/category/s1/{}?sort={}&direction={}&page={}",
    "/category/s1/garden?sort={}&direction={}&page={}",
    "/picture/{}.svg",
    "/picture/ASIN.svg?{}={}",
    "/static/{}",
    "/shared/{}",
]


@pytest.mark.wide
@pytest.mark.parametrize("whose", ["shop", "my_shop"])
def test_no_request_is_a_fault_of_ours(request, whose):
    shop = request.getfixturevalue(whose)
    before = shop.world.digest()

    @settings(derandomize=True, max_examples=EXAMPLES, deadline=None)
    @given(
        route=st.sampled_from(ROUTES),
        segments=st.lists(SEGMENT, min_size=5, max_size=5),
        form=st.none() | st.dictionaries(st.sampled_from(FIELDS), st.text()),
    )
    def answers(route, segments, form):
        address = route.format(*segments).replace("ASIN", shop.product.asin)
        check_answer(send(shop.client, address, form))

    answers()
    assert shop.world.digest() == before


def send(client, address, form):
    if form is None:
        return client.get(address)
    return client.post(
        address, data={name: text.encode(errors="replace") for name, text in form.items()}
    )


def check_answer(answer):
    with answer:
        assert answer.status_code < 500
        assert re.match(r"/[^/\\]", answer.headers.get("Location", "/x"))
        if answer.status_code >= 400:
            assert answer.mimetype == "text/html"
            assert "Traceback" not in answer.text


def reachable(shop, read) -> list[str]:
    """Every address within a few clicks of the first page, a receipt included."""
    visit, seen = Visit("s1", ("choices", "color")), {"/s1": None}
    product = shop.product
    page = read(shop.client.get(visit.item(product.asin, {})))
    shop.client.post(page.find("form", method="post")["action"], data=page.fields())
    waiting = ["/s1", visit.results(), visit.results(5), visit.done(product.asin, {})]
    while waiting and len(seen) < 150:
        address = waiting.pop(0)
        with shop.client.get(address) as answer:
            if answer.mimetype == "text/html":
                found = [
                    urlsplit(link)._replace(fragment="").geturl()
                    for link in read(answer).addresses()
                ]
                waiting += [link for link in found if link not in seen]
                seen.update(dict.fromkeys(found))
    return list(seen)


@pytest.mark.wide
@pytest.mark.parametrize("whose", ["shop", "my_shop"])
def test_a_crawl_changes_nothing_and_stays_at_home(request, whose, read):
    shop = request.getfixturevalue(whose)
    addresses = reachable(shop, read)
    assert len(addresses) > 100
    assert {urlsplit(address)[:2] for address in addresses} == {("", "")}
    assert not [address for address in addresses if re.match(r"/[/\\]", address)]
    before = shop.world.digest()
    for address in addresses:
        for _ in range(2):
            with shop.client.get(address) as answer:
                assert answer.status_code in (200, 302, 404, 405), address
    assert shop.world.digest() == before


def test_what_our_files_name_is_ours(read_css):
    folder = Path(__file__).parents[4] / "sites"
    for file in [*folder.glob("static/*"), *folder.glob("store/shop/static/*")]:
        if file.suffix not in (".css", ".js", ".svg"):
            continue
        text = file.read_text().replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "://" not in text, file
        assert "//evil" not in text
        assert all(re.match(r"/[^/]|#", address) for address in read_css(text)), file
        assert not re.search(r"\beval\b|innerHTML|document\.write", text), file


def test_every_file_that_the_pages_name_exists(my_shop, read, read_css):
    named = {
        address
        for page in ("/s1", Visit("s1", ("color",)).results(), "/nobody", Visit("s1").contact)
        for address in read(my_shop.client.get(page)).addresses()
        if address.startswith(("/static/", "/shared/"))
    }
    with my_shop.client.get("/static/store.css") as css:
        named |= set(read_css(css.text))
    assert len(named) > 5
    for address in named:
        with my_shop.client.get(address) as answer:
            assert answer.status_code == 200, address


@pytest.mark.wide
@pytest.mark.parametrize("page", ["item", "results", "Description", "Features", "Reviews"])
def test_texts_of_the_catalogue_and_of_visitors_are_escaped(data, page):
    script = "<script>alert(1)</script>"
    product = dataclasses.replace(
        next(iter(data.catalogue)),
        name=script,
        description=script,
        bullets=(script,),
        product_category=script,
        options={f'x"{script}': (f'y"{script}',)},
    )
    catalogue = SimpleNamespace(get=lambda asin: product)
    search = SimpleNamespace(search=lambda query, limit: [product.asin])
    evil = StoreData(cast("Any", catalogue), cast("Any", search))
    worlds = Worlds()
    worlds.publish(new_world("s1", script))
    client = create_app(evil, worlds).test_client()
    visit = Visit("s1", (script,))
    address = {"item": visit.item(product.asin, {}), "results": visit.results()}.get(
        page, visit.sub_page(product.asin, page, {})
    )
    answer = client.get(address)
    assert answer.status_code == 200
    assert "&lt;script&gt;" in answer.text
    assert answer.text.count("<script") == 1


def test_pages_hold_no_inline_script_or_style(shop, read):
    for address in (
        "/s1",
        Visit("s1", ("color",)).results(),
        Visit("s1").item(shop.product.asin, {}),
    ):
        html = shop.client.get(address).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
        assert re.findall(r"<script[^>]*>", html) == ['<script src="/static/store.js" defer>']


def test_pages_of_an_account_hold_no_inline_script_or_style(my_shop):
    visit = Visit("s1")
    for address in (visit.account, visit.address(1), visit.wishlist, visit.contact):
        html = my_shop.client.get(address).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
        own = re.findall(r'<script src="([^"]*)" defer></script>', html)
        assert len(own) == html.count("<script")
        assert own == ["/static/store.js", "/static/contact.js"][: len(own)]


def test_pages_never_show_what_the_reward_reads(shop):
    """The product's attributes are hidden in WebShop; only texts that mention them are shown."""
    for product in list(shop.data.catalogue)[:20]:
        for page in ("Description", "Features"):
            assert (
                "attribute"
                not in shop.client.get(Visit("s1").sub_page(product.asin, page, {})).text.lower()
            )


def test_hosts_and_raw_requests_over_the_wire(shop):
    with Server(shop.app) as server:
        for host, status in (
            (f"127.0.0.1:{server.port}", 200),
            (f"localhost:{server.port}", 200),
            ("store.localhost", 200),
            ("store.localhost:1", 400),
            ("evil.example", 400),
            (f"127.0.0.1.evil.example:{server.port}", 400),
        ):
            assert status_of(server.port, "/s1", host) == status
        for target in ("/%", "/%zz", "/%c3%28", "/s1/../../etc/passwd", "//s1", "/s1;x", "*"):
            assert status_of(server.port, target, "localhost") < 500
        assert 400 <= status_of(server.port, "/" + "a" * 300_000, "localhost") < 500


def status_of(port: int, target: str, host: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
    try:
        connection.putrequest("GET", target, skip_host=True)
        connection.putheader("Host", host)
        connection.endheaders()
        return connection.getresponse().status
    finally:
        connection.close()
