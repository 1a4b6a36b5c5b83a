"""The clerk reads the handbook: the numbers of the edition, out of the texts of its articles."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from sites.crm.airline_desk.handbook import article as written
from sites.crm.airline_desk.handbook.edition import (
    BRANDS,
    DOLLARS,
    LISTED,
    NUMBER,
    PARAMETERS,
    WORDING,
    Bulletin,
    Edition,
    kind,
)
from sites.crm.airline_desk.handbook.zones import zones
from sites.crm.airline_desk.model.airline import Airline
from tests.scenarios.crm.airline_desk.clerk import CODE, Unreadable
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.sites.crm.airline_desk.served import spoken

RULE = "rule"
ZONES, MILES, CLOCKS, BULLETINS = "T1", "T2", "T8", "P10"
_MONEY = r"[$\d.,]+(?: \$)?"
_PATTERNS = {DOLLARS: _MONEY, NUMBER: r"\d+", LISTED: ".+?"}
_SLOT = re.compile(r"\\{([\w-]+)\\}")
_BEFORE_VOWEL = re.compile(r"\b([Aa])\\ (?=[aeiou])")


class Handbook:
    """The book of the desk that is open; each article is opened once."""

    def __init__(self, desk: Tickets) -> None:
        self.desk, self.airline = desk, desk.clerk.airline
        self._texts: dict[str, str] = {}

    def text(self, number: str) -> str:
        """The paragraphs of an article. Raises `Unreadable`."""
        if number not in self._texts:
            page = self.desk.at("article", number)
            path = "//section[contains(@class, 'passage')]/p[not(@class)]"
            found = [spoken(each) for each in page.tree.xpath(path)]
            if not found:
                raise Unreadable(f"article {number}")
            self._texts[number] = "\n\n".join(found)
        return self._texts[number]

    def edition(self) -> Edition:
        """What the articles say, with the bulletins; a number that none has decides nothing."""
        found: dict[str, Any] = {
            name: about["drawn"][0] for name, about in PARAMETERS.items() if about["drawn"]
        }
        for number, row in written.texts().items():
            if row["kind"] == RULE or (number != MILES and _has_parameters(row["text"])):
                found |= self._read(number, row["text"])
        self._check_zones()
        bulletins = self._bulletins()
        return Edition(**found, miles=self._miles(), issued="", bulletins=bulletins)

    # Parameters

    def _read(self, number: str, template: str) -> dict[str, Any]:
        text = self.text(number)
        match = re.fullmatch(_pattern(template.strip(), self.airline), text)
        if match is None:
            raise Unreadable(f"article {number}: {text}")
        found = {}
        for name, value in match.groupdict().items():
            if value is not None:
                found |= self._parameter(name, value)
        return found

    def _parameter(self, group: str, text: str) -> dict[str, Any]:
        """What a group of a match says; the variant of a wording stands in its name."""
        name, _, variant = group.partition("__")
        return {name: variant.replace("_", "-") if variant else self.value(name, text)}

    def value(self, name: str, text: str) -> Any:
        """A parameter, as it stands in a text."""
        if kind(name) == DOLLARS:
            return self.desk.formats.read_money(text)
        if kind(name) == NUMBER:
            return int(text)
        return tuple(_listed(name, each, self.airline) for each in text.split(", "))

    # Tables

    def _check_zones(self) -> None:
        read = dict(line.split(": ") for line in self.text(ZONES).split("\n\n"))
        if {name: tuple(codes.split()) for name, codes in read.items()} != dict(zones()):
            raise Unreadable("the zones")

    def _miles(self) -> tuple[tuple[int, ...], ...]:
        """Each line has the zones that were not named before."""
        _, *lines = self.text(MILES).split("\n\n")
        found = {
            frozenset((line[0], letter)): int(miles)
            for line in lines
            for letter, miles in re.findall(r"([A-Z]) (\d+)", line)
        }
        names = [*zones()]
        return tuple(tuple(found[frozenset((one, each))] for each in names) for one in names)

    def clocks(self) -> dict[str, float]:
        """Hours that the clock of each airport is ahead of the desk's."""
        lines = re.findall(r"([+−][\d.]+): ([A-Z ]+)", self.text(CLOCKS))
        return {
            code: float(hours.replace("−", "-")) for hours, codes in lines for code in codes.split()
        }

    # Bulletins

    def _bulletins(self) -> tuple[Bulletin, ...]:
        self.text(BULLETINS)
        page = self.desk.at("article", BULLETINS)
        places = [self.airline.read(each) for each in page.links.values()]
        numbers = [place[1][0] for place in places if place and place[0] == "article"]
        read = [self._bulletin(each) for each in numbers if each.startswith("B")]
        taken = {number: one.number for one, texts in read if one.in_force for number in texts}
        return tuple(replace(one, withdrawn_by=taken.get(one.number, "")) for one, _ in read)

    def _bulletin(self, number: str) -> tuple[Bulletin, list[str]]:
        """A bulletin, and the numbers of those that it takes back."""
        holds, scope, *more = self.text(number).split("\n\n")
        day = self.desk.formats.read_day
        dates = re.fullmatch(r"In force from (.+) to (.+)\.", holds)
        about = re.fullmatch(
            r"For every .+ with a flight, still to be flown, to or from (?P<airport>.+?)"
            r" from (?P<first>.+?) to (?P<last>.+?), in (?P<fares>[^:]+?): (?P<what>.+)",
            scope,
        )
        if dates is None or about is None:
            raise Unreadable(f"bulletin {number}")
        parameter, value = self._changed(about["what"])
        one = Bulletin(
            number=number,
            article=next(iter(re.findall(r"\b[Aa]rticle (\d+)", about["what"]))),
            parameter=parameter,
            value=value,
            airport=about["airport"][CODE + 2 : -1],
            first=day(about["first"]),
            last=day(about["last"]),
            brands=self._brands(about["fares"]),
            issued=day(dates[1]),
            until=day(dates[2]),
        )
        return one, re.findall(r"takes back bulletin (B\d+)\.", " ".join(more))

    def _changed(self, text: str) -> tuple[str, Any]:
        """The parameter that a sentence changes, and what it is now."""
        for name, sentence in written.bulletin_texts().items():
            pattern = _pattern(sentence.replace("{value}", f"{{{name}}}"), self.airline)
            match = re.fullmatch(pattern, text)
            if match:
                return name, self.value(name, match[name])
        raise Unreadable(text)

    def _brands(self, text: str) -> tuple[str, ...]:
        if text == "any fare":
            return BRANDS
        return tuple(_brand(self.airline, each) for each in text.split(" or "))


def _has_parameters(template: str) -> bool:
    return any(name in PARAMETERS for name in re.findall(r"\{([\w-]+)\}", template))


def _pattern(template: str, airline: Airline, seen: set[str] | None = None) -> str:
    """A pattern of a text: the airline's words as they are, a group for each parameter."""
    named = set() if seen is None else seen
    parts = _SLOT.split(re.escape(template).replace(r"\-", "-"))
    pattern = "".join(
        part if at % 2 == 0 else _slot(part, airline, named) for at, part in enumerate(parts)
    )
    return _BEFORE_VOWEL.sub(r"\1n\\ ", pattern)


def _slot(name: str, airline: Airline, seen: set[str]) -> str:
    """What stands in a slot; the same each time that it comes."""
    if name not in PARAMETERS:
        return re.escape(_word(name, airline))
    if name in seen:
        return f"(?P={name})"
    seen.add(name)
    if kind(name) != WORDING:
        return f"(?P<{name}>{_PATTERNS[kind(name)]})"
    variants = (
        f"(?P<{name}__{key.replace('-', '_')}>{_pattern(text, airline, seen)})"
        for key, text in written.wordings()[name].items()
    )
    return f"(?:{'|'.join(variants)})"


def _word(name: str, airline: Airline) -> str:
    """What stands in a slot that is no parameter."""
    lower = {"booking": "booking", "passenger": "passenger", "passengers": "travellers"}
    return airline.word(lower[name]).lower() if name in lower else airline.word(name)


def _listed(name: str, text: str, airline: Airline) -> str:
    """The key of an entry of a list."""
    if name == "terminals":
        return text[CODE + 2 : -1]
    if name == "cheaper_voucher":
        return _brand(airline, text)
    return next(key for key, word in _words()[name].items() if word == text)


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((written.FOLDER / "words.toml").read_text(encoding="utf-8"))


def _brand(airline: Airline, text: str) -> str:
    return next(each for each in BRANDS if airline.word(f"brand-{each}") == text)
