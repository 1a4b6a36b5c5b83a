"""The pages of the airline desk for somebody who has only what is served: controls are found by
their accessible names, and a form sends what a browser without scripts would send."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from flask import Flask
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from sites.crm.airline_desk.model.airline import Airline
from sites.months import MONTHS
from sites.site_app import COOKIE
from sites.world import World, Worlds

BASE = "http://airline.localhost"
AROUND = "(ancestor::tr | ancestor::div[@role='group'])[last()]"
CONTROLS = "//input[not(@type='hidden')] | //select | //textarea"


@dataclass(frozen=True)
class Control:
    """`options` are the texts of a list by their values; `radio` and `checkbox` have `checked`.
    `around` is the text of the row or group that a radio stands in."""

    name: str
    label: str
    kind: str
    value: str
    options: Mapping[str, str] = field(default_factory=dict)
    checked: bool = False
    enabled: bool = True
    hint: str = ""
    around: str = ""

    def chosen(self, text: str) -> str:
        """What is sent when this is typed, or chosen from the list."""
        if self.kind != "select":
            return text
        found = [value for value, label in self.options.items() if label == text]
        assert len(found) == 1, (self.label, text, list(self.options.values())[:20])
        return found[0]


class Page:
    """One answer of the desk."""

    def __init__(self, answer: TestResponse) -> None:
        self.status = answer.status_code
        self.text = answer.text
        self.address = answer.request.full_path.rstrip("?")
        self.tree = html.fromstring(answer.text) if answer.text else html.Element("html")

    # What it shows

    @property
    def heading(self) -> str:
        return self._only("//h1")

    @property
    def alert(self) -> str:
        """What the page says is wrong with all of it."""
        found = self.tree.xpath("//*[@role='alert']")
        return spoken(found[0]) if found else ""

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with each field, by the field's label."""
        found = {}
        for each in self.tree.xpath("//*[contains(@class, 'problem') and @id]"):
            field = each.get("id").removesuffix("-problem")
            found[self._caption(field)] = spoken(each)
        return found

    def _caption(self, field: str) -> str:
        """The text of a field's label; of a field that is several lists, their common one."""
        for ending in ("caption", "label"):
            for each in self.tree.xpath("//*[@id=$id]", id=f"{field}-{ending}"):
                return spoken(each)
        return field

    @property
    def paragraphs(self) -> list[str]:
        return [spoken(each) for each in self.tree.xpath("//main//p")]

    def facts(self, title: str) -> dict[str, str]:
        """The terms below a heading and what they are."""
        rows = self.tree.xpath("//section[h2=$title]//dl/div", title=title)
        return {spoken(each.find("dt")): spoken(each.find("dd")) for each in rows}

    def table(self, title: str) -> list[dict[str, str]]:
        """The rows of the table below a heading, by the texts of its head."""
        found = self.tree.xpath("//section[h2=$title]//table", title=title)
        head = [spoken(each) for each in found[0].xpath(".//thead//th")] if found else []
        rows = [
            each.xpath("./td | ./th") for each in (found[0].xpath(".//tbody/tr") if found else [])
        ]
        return [dict(zip(head, map(spoken, cells), strict=True)) for cells in rows]

    @property
    def seats(self) -> list[str]:
        """The rows of the seat map, as they are read out."""
        return [
            spoken(each) for each in self.tree.xpath("//*[contains(@class, 'seatmap')]//tbody//th")
        ]

    @property
    def suggestions(self) -> list[tuple[str, str]]:
        """The airports that its widgets suggest: city, and the name with the code."""
        found = self.tree.xpath("//script[@id='front']")
        airports = json.loads(found[0].text)["airports"] if found else []
        return [(each["city"], each["label"]) for each in airports]

    @property
    def today(self) -> str:
        """The line of the page that tells the day; "" where there is none."""
        return " ".join(map(spoken, self.tree.xpath("//*[@id='today']")))

    @property
    def links(self) -> dict[str, str]:
        return {spoken(each): each.get("href") for each in self.tree.xpath("//a[@href]")}

    def _only(self, path: str) -> str:
        [found] = self.tree.xpath(path)
        return spoken(found)

    # Its form

    @cached_property
    def controls(self) -> list[Control]:
        return list(self._controls())

    @property
    def buttons(self) -> dict[str, str]:
        """What each button sends, by its text."""
        return {spoken(each): each.get("value") for each in self.tree.xpath("//form//button")}

    def control(self, label: str, kind: str = "") -> Control:
        """The field with this label; a list before a text of the same label."""
        found = [each for each in self.controls if each.label == label and kind in {"", each.kind}]
        assert found, (label, [each.label for each in self.controls])
        return max(found, key=lambda each: each.kind == "select")

    def sent(self) -> dict[str, str]:
        """What the form sends as it stands."""
        hidden = self.tree.xpath("//form//input[@type='hidden']")
        posted = {each.get("name"): each.get("value", "") for each in hidden}
        for each in self.controls:
            if each.enabled and (each.checked or each.kind not in {"radio", "checkbox"}):
                posted[each.name] = each.value
        return posted

    def _controls(self) -> Iterator[Control]:
        for each in self.tree.xpath(CONTROLS):
            kind = each.get("type", "text") if each.tag == "input" else each.tag
            options = {one.get("value", ""): spoken(one) for one in each.xpath(".//option")}
            marked = [one.get("value", "") for one in each.xpath(".//option[@selected]")]
            value = (marked or list(options))[0] if options else each.get("value", "")
            yield Control(
                name=each.get("name", ""),
                label=self.label_of(each),
                kind=kind,
                value=value,
                options=options,
                checked=each.get("checked") is not None,
                enabled=each.get("disabled") is None,
                hint=self._hint(each),
                around=" ".join(map(spoken, each.xpath(AROUND))) if kind == "radio" else "",
            )

    def _hint(self, each: html.HtmlElement) -> str:
        """What describes a control besides its label."""
        parts = [
            self.tree.xpath("//*[@id=$id]", id=one)
            for one in each.get("aria-describedby", "").split()
        ]
        return " ".join(spoken(part[0]) for part in parts if part)

    def label_of(self, each: html.HtmlElement) -> str:
        """The accessible name of a control."""
        if named := each.get("aria-labelledby"):
            parts = [self.tree.xpath("//*[@id=$id]", id=one) for one in named.split()]
            return " ".join(spoken(part[0]) for part in parts if part)
        if each.get("aria-label"):
            return str(each.get("aria-label"))
        labels = self.tree.xpath("//label[@for=$id]", id=each.get("id", ""))
        around = labels or each.xpath("ancestor::label")
        return spoken(around[0]) if around else ""


def spoken(each: html.HtmlElement) -> str:
    """The text of an element without what is hidden from who listens."""
    return " ".join("".join(_texts(each)).split())


def _texts(each: html.HtmlElement) -> Iterator[str]:
    yield each.text or ""
    for child in each:
        if isinstance(child.tag, str) and child.get("aria-hidden") != "true":
            yield from _texts(child)
        yield child.tail or ""


class Visitor:
    """Somebody at the desk of an airline: opens pages, fills fields by their labels, presses
    buttons by their texts. `page` is the page that is open, `pages` are all that were shown."""

    def __init__(self, app: Flask, worlds: Worlds, world: World, airline: Airline) -> None:
        self.world, self.airline = world, airline
        self.client: FlaskClient = app.test_client()
        self.client.set_cookie(COOKIE, worlds.admit(world), domain="airline.localhost")
        self.pages: list[Page] = []

    @property
    def page(self) -> Page:
        return self.pages[-1]

    def open(self, address: str) -> Page:
        return self._show(self.client.get(address, base_url=BASE, follow_redirects=True))

    def follow(self, label: str) -> Page:
        return self.open(self.page.links[label])

    def press(self, label: str, entered: Mapping[str, str] | None = None) -> Page:
        """Send the form with these texts, by the names of their controls."""
        form = {**self.page.sent(), "press": self.page.buttons[label], **(entered or {})}
        return self.post(self.page.address, form)

    def post(self, address: str, form: Mapping[str, str]) -> Page:
        return self._show(
            self.client.post(address, data=form, base_url=BASE, follow_redirects=True)
        )

    def _show(self, answer: TestResponse) -> Page:
        self.pages.append(Page(answer))
        return self.page

    # What is entered where

    def text(self, label: str, text: str) -> dict[str, str]:
        """A text that is typed into a field, or chosen from its list."""
        control = self.page.control(label)
        return {control.name: control.chosen(text)}

    def day(self, label: str, iso: str) -> dict[str, str]:
        """A date as the field takes it: typed, or chosen from three lists."""
        lists = [each for each in self.page.controls if each.label.startswith(f"{label} ")]
        if not lists:
            return self.text(label, self.airline.formats.day(iso))
        year, month, day = map(int, iso.split("-"))
        texts = {"day": f"{day:02}", "month-of": MONTHS[month - 1], "year": str(year)}
        parts = [(f"{label} {self.airline.word(word)}", text) for word, text in texts.items()]
        return {name: value for part in parts for name, value in self.text(*part).items()}

    def airport(self, label: str, airport: str) -> dict[str, str]:
        """An airport by its label: typed, picked from a list, or from the last of three lists."""
        lists = [each for each in self.page.controls if each.label.startswith(f"{label} ")]
        return self.text(lists[-1].label if lists else label, airport)
