"""Visits to declared sites without a browser: the site's own HTML, read as an observation.

Declared sites need no script, so links, fields and forms are all that a page has. A real browser
plays two seeds of each family in `test_declared.py`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import lxml.html
from flask.testing import FlaskClient

from agent.interface import Action, Advice, Click, Element, Note, Observation, Select, Text, Type
from evaluators.episode.notebook import REFUSED, Notebook
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from scenarios._kit.starts import STARTS
from scenarios.scenario import Family, Scenario
from sites.site_app import COOKIE
from sites.world import World, Worlds

HOME = "http://127.0.0.1"
SKIPPED = {"script", "style"}
MOST_TURNS = 200


@cache
def application(site: str) -> tuple[Any, Worlds]:
    worlds = Worlds()
    app = registry.site(site).create_app(registry.site_data(site), worlds)
    app.testing = True
    return app, worlds


@dataclass
class OfflinePage:
    """A page of a declared site that is opened, read and acted on through its HTML.

    Attributes:
        notebook: The agent's notes; None if the family asks for none.
    """

    client: FlaskClient
    notebook: Notebook | None = None
    url: str = ""
    status: int = 0
    document: Any = None
    nodes: list[Any] = field(default_factory=list)
    steps: int = 0
    invalid: int = 0

    def open(self, url: str, **post: Any) -> None:
        """Open an address, and follow where it leads."""
        answer = self.client.open(url, base_url=HOME, follow_redirects=True, **post)
        self.status, request = answer.status_code, answer.request
        self.url = f"{request.path}?{request.query_string.decode()}".rstrip("?")
        self.document = lxml.html.document_fromstring(answer.text)

    def observe(self) -> Observation:
        self.nodes = []
        content = tuple(self._read(self.document.body))
        title = self.document.findtext(".//title") or ""
        notes = None if self.notebook is None else tuple(self.notebook.notes)
        return Observation(f"{HOME}{self.url}", title, content, notes=notes)

    def _read(self, node: Any) -> Iterator[Element | Text]:
        """The elements and texts of a node in reading order, without those that are hidden."""
        if not isinstance(node.tag, str) or node.get("hidden") is not None:
            return
        element = self._element(node)
        is_label = node.tag == "label" and node.get("for") is not None
        if element or is_label or node.tag in SKIPPED:
            yield from [element] if element else []
            return
        is_closed = node.tag == "details" and node.get("open") is None
        yield from [] if is_closed else _texts(node.text)
        for child in node.iterchildren("summary") if is_closed else node:
            yield from self._read(child)
            yield from _texts(child.tail)

    def _element(self, node: Any) -> Element | None:
        known = _role(node)
        if known is None:
            return None
        self.nodes.append(node)
        options = tuple(_folded(each.text_content()) for each in node.iter("option"))
        return Element(
            len(self.nodes),
            known,
            self._name(node),
            _value(node),
            _states(node),
            node.tag,
            node.get("id", ""),
            options=options if node.tag == "select" else (),
        )

    def _name(self, node: Any) -> str:
        if node.tag in ("a", "button", "summary"):
            return _folded(node.text_content())
        if node.getparent().tag == "label":
            return _folded(node.getparent().text_content())
        labels = self.document.xpath("//label[@for=$id]", id=node.get("id", ""))
        return _folded(labels[0].text_content()) if labels else node.get("aria-label", "")

    def act(self, action: Action) -> Observation:
        """Do an action as a browser would; count it if it is one of the browser."""
        if isinstance(action, Note):
            assert self.notebook is None or self.notebook.add(action.text), (REFUSED, action)
            return self.observe()
        self.steps += 1
        assert isinstance(action, Click | Type | Select), action
        assert isinstance(action.target, int)
        node = self.nodes[action.target - 1]
        if isinstance(action, Click):
            self._click(node)
        elif node.tag == "select":
            assert isinstance(action, Select)
            for each in node.iter("option"):
                each.attrib.pop("selected", None)
                if _folded(each.text_content()) == action.option:
                    each.set("selected", "selected")
        else:
            assert isinstance(action, Type)
            if node.tag == "textarea":
                node.text = action.text
            else:
                node.set("value", action.text)
        return self.observe()

    def leads(self, link: Element, urls: Container[str]) -> bool:
        """Whether a link leads to one of these addresses."""
        return self.nodes[link.id - 1].get("href") in urls

    def _click(self, node: Any) -> None:
        if node.tag == "summary":
            node.getparent().set("open", "")
        elif node.tag == "a":
            self.open(urljoin(self.url, node.get("href")))
        elif node.get("type") == "checkbox":
            _toggle(node)
        elif node.get("type") == "radio":
            for each in self.document.xpath("//input[@type='radio'][@name=$name]", name=node.name):
                each.attrib.pop("checked", None)
            node.set("checked", "checked")
        else:
            self._send(next(node.iterancestors("form")), node)

    def _send(self, form: Any, button: Any) -> None:
        pairs = [(name, value.replace("\n", "\r\n")) for name, value in form.form_values()]
        if button.get("name"):
            pairs.append((button.get("name"), button.get("value", "")))
        url = urljoin(self.url, form.get("action"))
        if form.get("method", "get").lower() == "post":
            self.open(url, method="POST", data=urlencode(pairs),
                      content_type="application/x-www-form-urlencoded")  # fmt: skip
        else:
            self.open(f"{urlsplit(url).path}?{urlencode(pairs)}")


@dataclass(frozen=True)
class OfflineVisit:
    """How a visit without a browser ended."""

    scenario: Scenario
    score: Score
    steps: int
    answer: str
    curve: tuple[float, ...]
    """The progress after each turn, without an answer."""
    advised: tuple[str, ...]
    """The step of each advice."""


def visit(family: Family, scenario: Scenario, strays: tuple[int, int] = (0, 0)) -> OfflineVisit:
    """Let the expert do a scenario.

    Args:
        family: The family of the scenario.
        scenario: The scenario.
        strays: How many random links it follows at the start, and once more after two turns.
    """
    app, worlds = application(scenario.site)
    context = ScoringContext.of(scenario, family)
    with family.world(scenario) as world:
        token = worlds.admit(world)
        client = app.test_client()
        client.set_cookie(COOKIE, token, domain="127.0.0.1")
        page = OfflinePage(client, Notebook() if family.MEMORY else None)
        answer, curve, advised = _play(page, family, scenario, context, world, strays)
        worlds.revoke(token)
        score = context.score_world(world, answer)
    return OfflineVisit(scenario, score, page.steps, answer, tuple(curve), tuple(advised))


def _play(
    page: OfflinePage,
    family: Family,
    scenario: Scenario,
    context: ScoringContext,
    world: World,
    strays: tuple[int, int],
) -> tuple[str, list[float], list[str]]:
    page.open(scenario.start)
    assert page.status == 200, (scenario.name, page.status)
    rng, seen = Random(scenario.name), page.observe()
    curve: list[float] = []
    advised: list[str] = []
    closed = _creations(scenario)
    for turn in range(MOST_TURNS):
        for _ in range({0: strays[0], 2: strays[1]}.get(turn, 0)):
            links = [each for each in seen.elements if each.role == "link"]
            if ways := [each for each in links if not page.leads(each, closed)]:
                seen = page.act(Click(rng.choice(ways).id))
        advice = family.advise(scenario, seen)
        advised.append(advice.step)
        if advice.answer is not None or not advice.actions:
            return advice.answer or "", curve, advised
        seen = _follow(page, seen, advice)
        curve.append(context.score_world(world).progress)
    raise AssertionError(f"{scenario.name}: the advice goes in circles near {page.url}")


def _creations(scenario: Scenario) -> set[str]:
    """The addresses of the forms that create a page.

    A stray opens none of them: the page of such a form does not tell that it was sent before.
    """
    with STARTS.open(scenario) as plan:
        return {plan.map.url(each) for at in plan.made for each in plan.stands[at]}


def _follow(page: OfflinePage, seen: Observation, advice: Advice) -> Observation:
    for action in advice.actions:
        before, seen = seen, page.act(action)
        if [e.name for e in before.elements] != [e.name for e in seen.elements]:
            break
    return seen


def _role(node: Any) -> str | None:
    if node.tag == "a" and node.get("href"):
        return "link"
    if node.tag == "select":
        return "combobox"
    if node.tag in ("button", "summary"):
        return "button"
    if node.tag == "textarea":
        return "textbox"
    if node.tag != "input" or node.get("type") == "hidden":
        return None
    kind = node.get("type", "text")
    return {"checkbox": "checkbox", "radio": "radio", "search": "searchbox"}.get(kind, "textbox")


def _value(node: Any) -> str | None:
    if node.tag == "textarea":
        return (node.text or "").removeprefix("\n")
    if node.tag == "select":
        chosen = [each for each in node.iter("option") if each.get("selected") is not None]
        return _folded((chosen or [*node.iter("option")])[0].text_content())
    if node.tag == "input" and node.get("type") not in ("checkbox", "radio"):
        return str(node.get("value", ""))
    return None


def _states(node: Any) -> tuple[str, ...]:
    found = {
        "checked": node.get("checked") is not None,
        "collapsed": node.tag == "summary" and node.getparent().get("open") is None,
        "pressed": node.get("aria-pressed") == "true",
        "visited": "visited" in node.get("class", "").split(),
    }
    return tuple(name for name, held in found.items() if held)


def _toggle(node: Any) -> None:
    if node.attrib.pop("checked", None) is None:
        node.set("checked", "checked")


def _texts(text: str | None) -> Iterator[Text]:
    if text and text.strip():
        yield Text(_folded(text))


def _folded(text: str) -> str:
    return " ".join(text.split())
