"""The store for clients of WebShop's application, by a client that is written from the description
of its addresses and pages."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest

from evaluators.integrations import webshop_goals
from evaluators.server import serve
from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.server import PortInUse, Server
from tests.evaluators.server.command import warning
from tests.evaluators.server.test_serve import buy, item_page
from tests.measuring import HANG

SCORE = "Your score (min 0.0, max 1.0)"


class Page(HTMLParser):
    """What a text client reads: every text with its parent; it knows no scripts and no styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[tuple[str, str | None]] = [("", None)]
        self.buttons: list[str] = []
        self.products: list[str] = []
        self.options: dict[str, str] = {}
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag not in {"br", "img", "input", "link", "meta"}:
            self.stack.append((tag, dict(attrs).get("class")))

    def handle_endtag(self, tag):
        while self.stack.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, of = self.stack[-1]
        if not data.strip() or tag in {"script", "style", "title"}:
            return
        if tag == "button":
            self.buttons.append(data)
        elif tag == "label":
            self.options[data] = self.texts[-1]
        elif (tag, of) == ("a", "product-link"):
            self.products.append(data)
        else:
            self.texts.append(data)

    @property
    def reward(self) -> float:
        return float(self.texts[self.texts.index(SCORE) + 1])


class Client:
    """One session. Where it is, it keeps itself; an address is made of that for each page."""

    def __init__(self, url: str, session: str) -> None:
        self.url, self.session = url, session
        self.words, self.number, self.asin = "", 1, ""
        self.chosen: dict[str, str] = {}

    def reset(self) -> Page:
        return self._get(self.session)

    def search(self, words: str) -> Page:
        self.words, self.number = words, 1
        return self.results()

    def turn(self) -> Page:
        self.number += 1
        return self.results()

    def results(self) -> Page:
        return self._get("search_results", self.session, self.words, self.number)

    def open(self, asin: str) -> Page:
        self.asin, self.chosen = asin, {}
        return self.item()

    def item(self) -> Page:
        return self._get("item_page", *self._inner(), self.chosen)

    def sub_page(self, name: str) -> Page:
        return self._get("item_sub_page", *self._inner(), name, self.chosen)

    def choose(self, page: Page, value: str) -> Page:
        self.chosen[page.options[value]] = value
        return self.item()

    def buy(self) -> Page:
        return self._get("done", self.session, self.asin, self.chosen)

    def _inner(self) -> tuple[Any, ...]:
        return self.session, self.asin, self.words, self.number

    def _get(self, *parts: Any) -> Page:
        path = "/".join(quote(str(part)) for part in parts)
        with urllib.request.urlopen(f"{self.url}/{path}", timeout=HANG) as answer:
            return Page(answer.read().decode())


@pytest.fixture(scope="module")
def served() -> Iterator[serve.RunningServer]:
    with serve.serve(["store:0"], for_webshop=True) as opened:
        yield opened


@pytest.fixture
def visit(served):
    """`visit(session)`: a client of the served store."""
    return lambda session: Client(served.sites["store"].server.url, session)


def gold_of(goal: int) -> dict[str, Any]:
    return dict(registry.scenario(f"store/buy_item/{goal}").gold)


def find(client: Client, gold: dict[str, Any]) -> Page:
    """Search for the wished item, turn pages until it is listed, and open it."""
    client.reset()
    page = client.search(gold["name"])
    while gold["asin"] not in page.products:
        page = client.turn()
    return client.open(gold["asin"])


def refused(status: int, call: Any) -> str:
    with pytest.raises(urllib.error.HTTPError) as caught:
        call()
    with caught.value as error:
        assert error.code == status
        return error.read().decode()


# A visit ------------------------------------------------------------------------------------------


def test_a_goal_is_bought_and_its_score_told(served, visit):
    gold = gold_of(3)
    client = visit("fixed_3")
    first = client.reset()
    assert first.buttons == ["Search"]
    assert registry.scenario("store/buy_item/3").instruction in first.texts
    page = find(client, gold)
    assert page.buttons[-4:] == ["Description", "Features", "Reviews", "Buy Now"]
    for value in gold["goal_options"].values():
        page = client.choose(page, value)
    assert "< Prev" in client.sub_page("Reviews").buttons
    assert client.chosen == gold["goal_options"]
    assert client.buy().reward == 1
    seen = served.sessions.find("fixed_3").evaluated()
    assert (seen["id"], seen["seed"], seen["success"]) == ("fixed_3", 3, True)
    assert seen["compat"] is True


def test_pages_are_turned(visit):
    client = visit("turning")
    client.reset()
    first = client.search("desk lamp")
    second = client.turn()
    assert len(first.products) == len(second.products) == 10
    assert not {*first.products} & {*second.products}
    assert "Next >" in second.buttons and "< Prev" in second.buttons


def test_an_item_that_was_opened_before_can_be_opened_again(visit):
    gold = gold_of(4)
    client = visit("fixed_4")
    before = find(client, gold)
    assert gold["asin"] in client.results().products
    assert client.open(gold["asin"]).buttons == before.buttons


def test_each_of_many_purchases_is_scored_alone_and_the_first_one_counts(served, visit):
    gold = gold_of(5)
    client = visit("fixed_5")
    find(client, gold)
    other = next(asin for asin in client.results().products if asin != gold["asin"])
    client.open(other)
    wrong = client.buy().reward
    client.open(gold["asin"])
    client.chosen = dict(gold["goal_options"])
    assert wrong < 1 and client.buy().reward == client.buy().reward == 1
    seen = served.sessions.find("fixed_5").evaluated()
    assert seen["success"] is False and seen["reward"] == wrong and seen["collateral"] == ()


def test_a_posted_purchase_without_our_form_is_the_same(served, visit):
    gold = gold_of(6)
    client = visit("fixed_6")
    find(client, gold)
    path = f"done/fixed_6/{gold['asin']}/{quote(str(gold['goal_options']))}"
    with urllib.request.urlopen(f"{client.url}/{path}", b"", timeout=HANG) as answer:
        assert Page(answer.read().decode()).reward == 1


# Sessions -----------------------------------------------------------------------------------------


def test_a_name_has_its_goal_and_a_number_its_own(served, visit):
    for session in ("abc", "fixed_499", "fixed_1500"):
        visit(session).reset()
    seeds = {name: served.sessions.find(name).scenario.seed for name in ("abc", "fixed_499")}
    assert seeds["abc"] == webshop_goals.named("abc") < 500 and seeds["fixed_499"] == 499
    assert served.sessions.find("fixed_1500").scenario.seed == 1500
    assert len({webshop_goals.named(f"session {number}") for number in range(50)}) > 40
    assert "no goal 1000000" in refused(404, visit("fixed_1000000").reset)


def test_the_control_plane_knows_a_session_once_it_is_opened(served, visit):
    session = "fixed_8"
    with pytest.raises(LookupError):
        served.sessions.find(session)
    visit(session).reset()
    served.sessions.finish(session, "")
    client = visit(session)
    client.asin = gold_of(8)["asin"]
    assert "over" in refused(409, client.buy)


def test_what_is_drawn_there_is_a_visit_like_any_other(served):
    drawn = served.sessions.draw("store", "buy_item", 9)
    client = Client(served.sites["store"].server.url, drawn.world.session)
    client.asin = gold_of(9)["asin"]
    refused(405, client.buy)
    assert "compat" not in drawn.evaluated()


def test_what_is_bought_must_be_sold_and_come_like_that(visit):
    client = visit("fixed_7")
    client.asin = "B000000000"
    assert "do not sell" in refused(404, client.buy)
    client.asin, client.chosen = gold_of(7)["asin"], {"flavour": "none"}
    assert "to choose" in refused(400, client.buy)


def test_a_person_who_buys_by_the_stores_own_form_is_told_the_score_too(served, visit):
    url = f"{served.sites['store'].server.url}/fixed_10"
    bought = buy(item_page(url, gold_of(10)))
    assert Page(bought.html).reward == 1
    assert served.sessions.find("fixed_10").evaluated()["success"]


# Serving ------------------------------------------------------------------------------------------


def test_without_the_option_goals_and_scores_are_not_there():
    with serve.serve(["store"]) as served:
        client = Client(served.sites["store"].server.url, "fixed_0")
        refused(404, client.reset)


def test_a_site_has_the_port_that_is_named():
    with Server(serve.create_app(serve.Sessions({}), "")) as free:
        port = free.port
    with serve.serve([f"store:{port}", "crm"]) as served:
        urls = served.addresses()["sites"]
        assert urls["store"] == f"http://127.0.0.1:{port}"
        assert [*urls] == ["store", "crm"]
        with pytest.raises(PortInUse, match=str(port)), serve.serve([f"store:{port}"]):
            pass


@pytest.mark.parametrize(
    ("names", "options", "words"),
    [
        (["store:x"], {}, "write --site store:3000"),
        (["store:"], {}, "write --site store:3000"),
        (["store:70000"], {}, "a port is 0 to 65535"),
        (["crm"], {"for_webshop": True}, "add --site store"),
        ([], {"for_webshop": True, "open_sessions": True}, "leave one out"),
        ([], {"for_webshop": True, "jailed": True}, "leave one out"),
    ],
)
def test_what_cannot_be_served_is_said(names, options, words):
    with pytest.raises(RehearsalError, match=words), serve.serve(names, **options):
        pass


@pytest.mark.wide
def test_the_command_line_warns():
    def use(sites):
        assert Client(sites["store"], "fixed_0").reset().buttons == ["Search"]

    err = warning(use, "--webshop", "--site", "store:0")
    assert err.count("\n") == 1 and "told the score" in err
