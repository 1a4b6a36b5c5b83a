"""The pages as HTML: what they say, and that they run nothing that they show."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest

from evaluators.server import formatting
from scenarios import registry
from scenarios.store.webshop import buy_item

VOID = {"meta", "link", "img", "input", "br"}


class Markup(HTMLParser):
    """Elements with their attributes and texts; unbalanced tags are an error."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.stack: list[str] = []
        self.feed(html)
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        for tag in self.stack[-1:]:
            self.texts.setdefault(tag, []).append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def named(self, tag: str, name: str) -> dict[str, str | None]:
        return next(each for each in self.all(tag) if each.get("name") == name)


@pytest.fixture
def finished(served, draw):
    opened = draw(30, solved=True)
    return served.sessions.finish(opened.scenario.id, "it <is> done")


def test_the_first_page_names_sites_families_and_scenarios(call, served, finished):
    draw_form = call.page("/")
    page = Markup(draw_form)
    assert served.sites["store"].server.url in draw_form and "WebShop-style shop" in draw_form
    offered = [each.get("value") for each in page.all("option")]
    families = [name for name, made in registry.family_modules().items() if made.SITE == "store"]
    assert offered == ["", "store/", *(f"store/{name}" for name in sorted(families))]
    assert {"href": f"/scenario/{finished.scenario.id}"} in page.all("a")
    assert "100" in [each.get("value") for each in page.all("progress")]
    assert "Solved" in page.texts["span"]


def test_the_list_shows_the_beginning_of_a_long_instruction(call, draw):
    opened = draw(36)
    long = " ".join(["words of a request"] * 40)
    opened.scenario = replace(opened.scenario, instruction=long)
    shown = [text.strip() for text in Markup(call.page("/")).texts["a"]]
    assert long not in shown
    [brief] = [text for text in shown if text.startswith("words of")]
    assert brief.endswith("…") and len(brief) <= formatting.BRIEF
    assert long in call.page(f"/scenario/{opened.id}")


def test_the_forms_of_the_pages_do_what_they_say(call, served):
    sent = {"type": "store/buy_item", "seed": "31"}
    answer = call.post("/draw", data=sent)
    assert answer.status_code == 303
    page = Markup(call.page(answer.headers["Location"]))
    opened = served.sessions.find(str(page.named("input", "scenario")["value"]))
    assert opened.scenario.name == "store/buy_item/31"
    sent = {name: page.named("input", name)["value"] for name in ("type", "seed")}
    assert call.post("/draw", data=sent).status_code == 303
    assert served.sessions.find(opened.scenario.id).opening == opened.opening + 1


@pytest.mark.parametrize("sent", [{}, {"type": ""}, {"type": "store/"}, {"type": "store"}])
def test_the_form_draws_what_is_left_open(call, sent):
    assert call.post("/draw", data={**sent, "seed": " "}).status_code == 303


def test_the_curl_lines_work_once_token_and_id_are_filled_in(call, served, draw):
    opened = draw(32)
    lines = [text for text in Markup(call.page("/")).texts["pre"] if text.strip()]
    assert len(lines) == 3 and all("$TOKEN" in line for line in lines)
    answers = [call_by_curl(call, line, opened.scenario.id) for line in lines]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[0].json["seed"] == 7
    assert answers[1].json["closed"] is False and answers[2].json["closed"] is True


def call_by_curl(call, line, scenario):
    words = shlex.split(line.replace("$TOKEN", call.token).replace("$ID", scenario))
    assert words.pop(0) == "curl"
    address = words.pop()
    pairs = [*zip(words[::2], words[1::2], strict=True)]
    headers = dict(value.split(": ") for flag, value in pairs if flag == "-H")
    fields = dict(value.split("=") for flag, value in pairs if flag == "-d")
    path = address.removeprefix("http://127.0.0.1:5055")
    return call("POST" if fields else "GET", path, headers=headers, data=fields or None)


def test_a_scenario_page_leads_to_the_site_without_a_hold_on_this_page(call, draw):
    opened = draw(33)
    page = Markup(call.page(f"/scenario/{opened.scenario.id}"))
    [link] = [each for each in page.all("a") if each.get("target")]
    assert link["href"] == opened.url and link["target"] == "_blank"
    assert link["rel"] == "noopener noreferrer"
    assert opened.scenario.instruction in page.texts["blockquote"]


def test_the_page_of_an_open_scenario_does_not_tell_the_solution(call, draw):
    opened = draw(34)
    page = call.page(f"/scenario/{opened.scenario.id}")
    assert opened.scenario.gold["asin"] not in page
    assert opened.scenario.gold["name"] not in page


def test_a_finished_page_shows_answer_checks_and_both_rewards(call, finished):
    html = call.page(f"/scenario/{finished.scenario.id}")
    page = Markup(html)
    assert "it <is> done" in page.texts["blockquote"]
    assert page.texts["strong"] == [each["name"] for each in finished.evaluated()["checks"]]
    assert {"reward", "r_type", "r_att", "r_option", "r_price"} <= {*page.texts["code"]}
    assert "Published rule" in page.texts["th"] and "Strict" in page.texts["th"]
    assert not [each for each in page.all("form") if each.get("action") == "/finish"]


def test_a_failed_check_says_why(call, served, draw):
    opened = draw(35)
    data = served.sites["store"].data
    misses = buy_item.near_misses(opened.scenario, data)
    name = next(name for name in misses if name != "second purchase")
    misses[name].apply(opened.world)
    served.sessions.finish(opened.scenario.id, "")
    html = call.page(f"/scenario/{opened.scenario.id}")
    failed = re.findall(r'<li class="failed">.*?<strong>(.*?)</strong>', html, re.DOTALL)
    assert misses[name].fails in failed and "Not solved" in html


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}"


def test_nothing_that_is_shown_is_run(call, served, draw):
    opened = draw(36)
    opened.scenario = replace(opened.scenario, instruction=HOSTILE)
    opened.world.write(
        "INSERT INTO purchases (asin, options, price) VALUES (?, ?, 1)",
        (opened.scenario.gold["asin"], '{"<b>a</b>": "<script>alert(3)</script>"}'),
    )
    served.sessions.finish(opened.scenario.id, HOSTILE)
    for path in ("/", f"/scenario/{opened.scenario.id}"):
        html = call.page(path)
        page = Markup(html)
        assert (
            "<script>alert" not in html
            and "49" not in page.texts["blockquote" if path != "/" else "a"]
        )
        assert [each["src"] for each in page.all("script")] == ["/static/control.js"]
        assert not [name for _, have in page.elements for name in have if name.startswith("on")]
        assert "style" not in {name for _, have in page.elements for name in have}
        assert not page.all("b")
    draw(36)


def test_the_token_is_on_no_page(call, draw, finished):
    paths = ["/", f"/scenario/{finished.scenario.id}", f"/scenario/{draw(37).scenario.id}"]
    for path in paths:
        answer = call.get(path, headers={"Accept": "text/html"})
        assert call.token not in answer.text and call.token not in str(answer.headers)
    for path in ("/nowhere", "/evaluate", "/generate-random-scenario?type=x"):
        assert call.token not in call.get(path).text


def test_the_pages_ask_this_server_only(call, finished):
    for path in ("/", f"/scenario/{finished.scenario.id}"):
        page = Markup(call.page(path))
        for tag, name in (("script", "src"), ("link", "href"), ("img", "src"), ("form", "action")):
            for each in page.all(tag):
                assert str(each[name]).startswith("/") and not urlsplit(str(each[name])).netloc


def test_every_control_has_a_name(call, draw):
    opened = draw(38)
    for path in ("/", f"/scenario/{opened.scenario.id}"):
        page = Markup(call.page(path))
        assert page.all("h1") and [each["lang"] for each in page.all("html")] == ["en"]
        assert all(each.get("aria-label") for each in page.all("progress"))
        fields = [each for each in page.all("input") if each.get("type") != "hidden"]
        fields += page.all("select") + page.all("textarea")
        assert len(fields) <= len(page.all("label"))
        ids = [have["id"] for _, have in page.elements if have.get("id")]
        assert len(ids) == len({*ids})
        described = [have.get("aria-labelledby") for _, have in page.elements]
        assert {each for each in described if each} <= {*ids}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        ((), "none"),
        (True, "yes"),
        (False, "no"),
        (0, "0"),
        (0.0, "0"),
        (20.49, "20.49"),
        (60.0, "60"),
        (1 / 3, "0.3333"),
        (1e6, "1000000"),
        ("x", "x"),
    ],
)
def test_values_in_words(value, text):
    assert formatting.plain(value) == text


def test_only_what_is_complete_is_a_hundred_percent():
    assert [formatting.percent(share) for share in (0, 0.29, 0.9999, 1)] == [0, 29, 99, 100]
