"""Somebody who has only the served pages and the banks: facts are read back from the wordings.

Neither gold nor goods are looked at, so whatever is found here can be found on the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from urllib.parse import quote_plus

from flask.testing import FlaskClient

from scenarios.store.market import wishes
from sites.store.market.goods.bank import GatheredFact, Kind, MeasuredFact, WordedFact, shared
from sites.store.market.goods.charts import measures
from sites.store.shop.address import Visit

TAG = re.compile(r"<[^>]+>")
FIGURE = r"(?P<x>\d+(?:\.\d+)?) (?P<unit>[A-Za-z%]+(?: oz)?)"
CHARTS = "Description"
FACT_PAGES = (CHARTS, "Features", "Reviews")
"""Pages below an item, in the order in which they are read until all facts are known; the first has
the size chart."""


@dataclass
class Chart:
    """A size chart as the Description tab shows it: sizes, what each is made for in cm, and the
    note below."""

    rows: list[tuple[str, float]]
    note: str

    def size(self, cm: float, padded: bool) -> str:
        """Which size the note tells somebody of this measure to take."""
        larger = next((at for at, (_, made_for) in enumerate(self.rows) if made_for >= cm), None)
        if larger is None or cm < self.rows[0][1]:
            return ""
        chosen = larger - 1 if "take the smaller one" in self.note else larger
        chosen += padded and "more than that" in self.note
        return self.rows[chosen][0] if chosen < len(self.rows) else ""


@dataclass
class Seen:
    """A product as its pages show it."""

    asin: str
    name: str
    price: float
    options: dict[str, tuple[str, ...]]
    facts: dict[str, object] = field(default_factory=dict)
    chart: Chart | None = None


def crawl(client: FlaskClient, kind: Kind) -> list[Seen]:
    """Every product of a kind, reached by the links of its results and items."""
    asins: dict[str, None] = {}
    keywords = tuple(kind.name.split())
    narrowing = f"kind={quote_plus(kind.name)}"
    first = get(client, f"{Visit('reader', keywords).results()}?{narrowing}")
    for brand in dict.fromkeys(re.findall(r'brand=([^"&]+)"', first)):
        page = 1
        while True:
            visit = Visit("reader", keywords, page)
            text = client.get(f"{visit.results()}?{narrowing}&brand={brand}")
            found = re.findall(r"product-link[^>]*>(\w{10})<", text.text)
            if text.status_code != 200 or not found:
                break
            asins |= dict.fromkeys(found)
            page += 1
    return [read_item(client, asin, kind) for asin in asins]


def get(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.text


def read_item(client: FlaskClient, asin: str, kind: Kind) -> Seen:
    """A product of a kind, by the pages of the visit `reader`."""
    visit = Visit("reader")
    html = get(client, visit.item(asin, {}))
    seen = Seen(asin, text_of(between(html, "<h2>", "</h2>")), price(html), _options(html))
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', html)
    for label, text in rows:
        _read_row(kind, text_of(label), text_of(text), seen.facts)
    for page in FACT_PAGES:
        if page != CHARTS and seen.facts.keys() == kind.facts.keys():
            break
        shown = get(client, visit.sub_page(asin, page, {}))
        seen.chart = _chart(shown) or seen.chart
        prose = text_of(shown)
        for fact in kind.facts.values():
            if fact.name not in seen.facts and (value := _read(fact, prose)) is not None:
                seen.facts[fact.name] = value
    return seen


def _chart(html: str) -> Chart | None:
    rows = re.findall(r'<th scope="row">([^<]+)</th><td>([\d.]+) (cm|in)</td>', html)
    note = text_of(between(html, '<p class="stated">', "</p>"))
    in_cm = [(size, float(x) * (2.54 if unit == "in" else 1)) for size, x, unit in rows]
    return Chart(in_cm, note) if rows else None


def between(html: str, start: str, end: str) -> str:
    return html.partition(start)[2].partition(end)[0]


def text_of(html: str) -> str:
    return " ".join(unescape(TAG.sub(" ", html)).split())


def price(html: str) -> float:
    return float(re.findall(r"Price: \$(\d+\.\d\d)", html)[0])


def _options(html: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in re.findall(r'<input type="radio" [^>]*name="(\w+)" value="([^"]+)"', html):
        found[name] = (*found.get(name, ()), unescape(value))
    return found


# The shop's words --------------------------------------------------------------------------------


def _read_row(kind: Kind, label: str, text: str, facts: dict[str, object]) -> None:
    fact = next(fact for fact in kind.facts.values() if label in fact.labels)
    if isinstance(fact, WordedFact):
        [facts[fact.name]] = [v.name for v in fact.values.values() if v.table == text]
    elif isinstance(fact, MeasuredFact):
        facts[fact.name] = _metric(fact, re.fullmatch(FIGURE, text))
    else:
        facts[fact.name] = _members(fact, text)


def _read(fact: WordedFact | MeasuredFact | GatheredFact, prose: str) -> object:
    if isinstance(fact, WordedFact):
        found = [
            value.name
            for value in fact.values.values()
            if any(_holds(prose, wording) for wording in (value.page, value.answer, *value.review))
        ]
        assert len(found) <= 1, (fact.name, found)
        return found[0] if found else None
    pattern = FIGURE if isinstance(fact, MeasuredFact) else "(?P<x>[^.:?!]+?)"
    for template in (fact.page, fact.answer):
        match = re.search(re.escape(template).replace(r"\{x\}", pattern), prose)
        if match and isinstance(fact, MeasuredFact):
            return _metric(fact, match)
        if match and isinstance(fact, GatheredFact):
            return _members(fact, match["x"])
    return None


def _holds(prose: str, wording: str) -> bool:
    return wording in prose or wording[:1].upper() + wording[1:] in prose


def _metric(fact: MeasuredFact, match: re.Match[str] | None) -> float:
    assert match is not None, fact.name
    is_other = bool(fact.unit.other) and match["unit"] == fact.unit.other
    return float(match["x"]) * (fact.unit.factor if is_other else 1)


def _members(fact: GatheredFact, text: str) -> tuple[str, ...]:
    return tuple(m.name for m in fact.members.values() if m.text.casefold() in text.casefold())


# The customer's words ----------------------------------------------------------------------------


def wished(kind: Kind, instruction: str, split: str) -> Iterator[wishes.Constraint]:
    """What an instruction asks for, by the banks."""
    for fact in kind.facts.values():
        if isinstance(fact, WordedFact):
            for value in fact.values.values():
                yield from stands(instruction, fact.name, wishes.IS, value.name, value.wish[split])
                unlike = value.unlike.get(split, ())
                yield from stands(instruction, fact.name, wishes.NOT, value.name, unlike)
        elif isinstance(fact, MeasuredFact):
            yield from bounds(instruction, fact, split)
            yield from _sums(kind, instruction, fact, split)
        else:
            for member in fact.members.values():
                yield from stands(
                    instruction, fact.name, wishes.HAS, member.name, member.wish[split]
                )
    yield from _body(kind, instruction, split)
    yield from _offer(kind, instruction)


def _sums(
    kind: Kind, instruction: str, fact: MeasuredFact, split: str
) -> Iterator[wishes.Constraint]:
    """Bounds that are told as two measures, of which one is taken off or added so many times."""
    for rule in measures()["fits"]:
        if (rule["kind"], rule["fact"]) != (kind.name, fact.name):
            continue
        for text in rule[split]:
            pattern = re.escape(text).replace(r"\{gap\}", FIGURE)
            other = FIGURE.replace("<x>", "<air>").replace("<unit>", "<_unit>")
            match = re.search(pattern.replace(r"\{air\}", other), instruction)
            if match:
                sign = -1 if rule["form"] == wishes.MOST else 1
                factor = fact.unit.factor if match["unit"] == fact.unit.other else 1
                bound = (float(match["x"]) + sign * rule["times"] * float(match["air"])) * factor
                yield wishes.Constraint(fact.name, rule["form"], bound, text)


def _body(kind: Kind, instruction: str, split: str) -> Iterator[wishes.Constraint]:
    """The measure of somebody, and whether thick clothes come in between."""
    worn = measures()["worn"].get(kind.name)
    for text in worn["wish"][split] if worn else ():
        match = re.search(re.escape(text).replace(r"\{x\}", FIGURE), instruction)
        if match:
            padded = any(each in instruction for each in worn["padded"][split])
            cm = float(match["x"]) * (2.54 if match["unit"] == "in" else 1)
            yield wishes.Constraint("size", wishes.SIZE, {"cm": cm, "padded": padded}, text)


def stands(
    instruction: str, fact: str, form: str, value: object, texts: Sequence[str]
) -> Iterator[wishes.Constraint]:
    found = [text for text in texts if text in instruction][:1]
    yield from (wishes.Constraint(fact, form, value, text) for text in found)


def bounds(instruction: str, fact: MeasuredFact, split: str) -> Iterator[wishes.Constraint]:
    for form, texts in ((wishes.MOST, fact.most), (wishes.LEAST, fact.least)):
        for text in texts.get(split, ()):
            match = re.search(re.escape(text).replace(r"\{x\}", FIGURE), instruction)
            if match:
                yield wishes.Constraint(fact.name, form, _metric(fact, match), text)


def _offer(kind: Kind, instruction: str) -> Iterator[wishes.Constraint]:
    frames: Mapping[str, Sequence[str]] = shared()["wishes"]
    for text in frames["size"]:
        match = re.search(re.escape(text).replace(r"\{value\}", r"(\d+(?:\.5)?)"), instruction)
        if match:
            yield wishes.Constraint("size", wishes.OPTION, match[1], text)
    for name, values in kind.options.items():
        for value in values:
            texts = [
                each.format(value=value, Value=value.capitalize()) for each in frames["option"]
            ]
            yield from stands(instruction, name, wishes.OPTION, value, texts)
    for text in frames["price"]:
        match = re.search(re.escape(text).replace(r"\{price\}", r"(\d+)"), instruction)
        if match:
            yield wishes.Constraint("price", wishes.PRICE, float(match[1]), text)


def fits(seen: Seen, constraint: wishes.Constraint) -> bool:
    """Whether a product meets a constraint, as far as its pages tell."""
    if constraint.form == wishes.PRICE:
        return seen.price <= constraint.value
    if constraint.form == wishes.OPTION:
        return constraint.value in seen.options.get(constraint.fact, ())
    if constraint.form == wishes.SIZE:
        return size(seen, constraint) in seen.options["size"]
    return constraint.of_fact(seen.facts[constraint.fact])


def size(seen: Seen, constraint: wishes.Constraint) -> str:
    """The size of a product for the body that a wish tells of."""
    assert seen.chart is not None
    return seen.chart.size(**constraint.value)
