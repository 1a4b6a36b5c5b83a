"""`rules:bank`: rules that read the market's banks, which are public, and play by the pages alone.

The wordings of all splits are inverted: the wish into what it asks for (a fact, a form, a value),
pages into facts. It searches for the kind, narrows by the shop's links, sorts by price, and opens
what is left until something meets the wish. Run it by its path: `--agent benchmarks/rules_bank.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, takewhile
from typing import Any

from agent.interface import LLM, Click, Element, Observation, Page, Task, Text, Type
from agent.methods.rules import NOT_ACHIEVABLE, STEPS, pages
from agent.methods.rules.clicks import click, every_review
from agent.methods.rules.question import Question, named
from sites.store.market.goods.bank import (
    Fact,
    GatheredFact,
    Kind,
    MeasuredFact,
    Wishes,
    WordedFact,
    WordedValue,
    kinds,
    shared,
)
from sites.store.market.goods.charts import Chart, Note, fits, measures

FIGURE = r"(\d+(?:\.\d+)?) ([A-Za-z%]+(?: oz)?)"
TABS = ("Description", "Features", "Reviews")
CHART, OPTION = "chart", "option "
Node = Element | Text
Wanted = tuple[str, str, Any]
"""A fact (or `CHART`, or an option), what is said of it, and the value."""
Facts = dict[str, Any]
"""What pages tell of a product: a value by the name of each fact, options among them."""


@dataclass(frozen=True)
class Options:
    """None."""


def budget(standard: Any, options: Options) -> Any:
    return replace(standard, steps=max(standard.steps, STEPS))


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    start, text = await page.observe(), task.instruction
    box, asks = pages.search_box(start), bool(task.answer and task.answer.kind == "list")
    kind = max(kinds().values(), key=lambda each: _likeness(each, text))
    if box is None or not (asks or _likeness(kind, text)):
        return ""
    results = await page.act(Type(box.id, text if asks else kind.name, enter=True))
    if asks:
        return await _answer(page, results, text)
    wanted = list(_wanted(kind, text))
    for name in (kind.name, *_links(kind, wanted), "Price: low to high"):
        results = await click(page, results, name)
    return await _buy_what_fits(page, results, kind, wanted, _price(text))


def _links(kind: Kind, wanted: Sequence[Wanted]) -> Iterator[str]:
    """What the shop's links to narrow by call the values that are asked for."""
    for name, form, value in wanted:
        fact = kind.facts.get(name)
        if form == "is" and isinstance(fact, WordedFact):
            yield fact.values[value].table


async def _answer(page: Page, results: Observation, text: str) -> str:
    about = next((each for each in pages.cards(results) if each.title in text), None)
    if about is None:
        return ""
    asked, item = Question(text, about.title), await click(page, results, about.link)
    topics = [each for kind in kinds().values() for each in kind.complaints]
    says = [line for each in topics if _stands(each.asked, text) for line in each.says]
    read = [each async for each in every_review(page, item) if asked.counts(each)]
    return named([each for each in read if any(line in each.text for line in says)])


async def _buy_what_fits(
    page: Page, results: Observation, kind: Kind, wanted: Sequence[Wanted], bound: float
) -> str:
    before = None
    while before is None or results.content != before.content:
        for card in pages.cards(results):
            if card.price > bound:
                return NOT_ACHIEVABLE
            if _fit(_facts(kind, _row(results, card.link)), wanted):
                shown = await click(page, results, card.link)
                if await _bought(page, shown, kind, wanted):
                    return ""
                results = await click(page, await page.observe(), pages.BACK)
        before, results = results, await click(page, results, pages.NEXT)
    return NOT_ACHIEVABLE


async def _bought(page: Page, shown: Observation, kind: Kind, wanted: Sequence[Wanted]) -> bool:
    """Whether it fits and everything that is asked for is known of it; then it is bought so."""
    facts, shown = await _read(page, shown, kind, wanted)
    if not _fit(facts, wanted) or any(fact not in facts for fact, _, _ in wanted):
        return False
    for fact, form, value in wanted:
        if form == CHART:
            shown = await _choose(page, shown, "size", facts[CHART].size(*value))
        elif form == OPTION:
            shown = await _choose(page, shown, fact.removeprefix(OPTION), value)
    await click(page, shown, pages.BUY)
    return True


async def _choose(page: Page, shown: Observation, name: str, value: str) -> Observation:
    radios = pages.choices(shown).get(name, [])
    wanted = next((each for each in radios if (each.name, each.states) == (value, ())), None)
    return await page.act(Click(wanted.id)) if wanted else shown


async def _read(
    page: Page, shown: Observation, kind: Kind, wanted: Sequence[Wanted]
) -> tuple[Facts, Observation]:
    """What a product's page tells, and its tabs as long as something that is asked for is open."""
    facts = _facts(kind, shown.content)
    facts |= {OPTION + name: [each.name for each in radios]
              for name, radios in pages.choices(shown).items()}  # fmt: skip
    for tab in TABS:
        if _fit(facts, wanted) and not all(fact in facts for fact, _, _ in wanted):
            opened = await click(page, shown, tab)
            facts = _facts(kind, opened.content) | facts
            shown = await click(page, opened, pages.BACK)
    return facts, shown


def _fit(facts: Facts, wanted: Sequence[Wanted]) -> bool:
    """Whether nothing that is known of a product speaks against it."""
    return all(_holds(facts, *each) for each in wanted if each[0] in facts)


def _holds(facts: Facts, fact: str, form: str, value: Any) -> bool:
    has = facts[fact]
    if form == CHART:
        return bool(has.size(*value) in facts.get(f"{OPTION}size", [has.size(*value)]))
    if form in ("at most", "at least"):
        return bool(has <= value if form == "at most" else has >= value)
    return bool({"is": has == value, "not": has != value}.get(form, value in has))


# What the wish asks for --------------------------------------------------------------------------


def _likeness(kind: Kind, text: str) -> int:
    named_or_needed = kind.one in text or _stands(kind.needs, text)
    return 3 * named_or_needed + sum(form != OPTION for _, form, _ in _wanted(kind, text))


def _wanted(kind: Kind, text: str) -> Iterator[Wanted]:
    yield from _wanted_facts(kind, text)
    yield from _wanted_measures(kind, text)
    yield from _wanted_options(kind, text)


def _wanted_facts(kind: Kind, text: str) -> Iterator[Wanted]:
    for name, fact in kind.facts.items():
        if isinstance(fact, WordedFact):
            for each in fact.values.values():
                forms = ("is", each.wish), ("not", each.unlike)
                yield from ((name, form, each.name) for form, wish in forms if _stands(wish, text))
        elif isinstance(fact, GatheredFact):
            held = (each for each in fact.members.values() if _stands(each.wish, text))
            yield from ((name, "has", each.name) for each in held)
        else:
            for form, wish in (("at most", fact.most), ("at least", fact.least)):
                yield from ((name, form, _metric(fact, *each)) for each in _figures(wish, text))


def _wanted_measures(kind: Kind, text: str) -> Iterator[Wanted]:
    """What it has to fit, or who has to fit into it."""
    for rule in fits(kind.name):
        for gap, unit, air, _ in _figures(rule.wish, text):
            bound, fact = rule.bound(float(gap), float(air)), kind.facts[rule.fact]
            assert isinstance(fact, MeasuredFact)
            yield rule.fact, rule.form, _metric(fact, bound, unit)
    if worn := measures()["worn"].get(kind.name):
        for figure, unit in _figures(worn["wish"], text):
            yield CHART, CHART, (_cm(figure, unit), _stands(worn["padded"], text))


def _wanted_options(kind: Kind, text: str) -> Iterator[Wanted]:
    frames = shared()["wishes"]
    for name, values in kind.options.items():
        asks = {each: [f.lower().format(value=each) for f in frames["option"]] for each in values}
        held = (each for each in values if any(ask in text.lower() for ask in asks[each]))
        yield from ((OPTION + name, OPTION, each) for each in held)
    for (size,) in _figures({"": frames["size"]}, text, r"(\d+(?:\.5)?)"):
        yield f"{OPTION}size", OPTION, size


def _price(text: str) -> float:
    found = list(_figures({"": shared()["wishes"]["price"]}, text, r"(\d+)"))
    return float(found[0][0]) if found else float("inf")


def _stands(wish: Wishes, text: str) -> bool:
    return any(each in text for each in chain(*wish.values()))


def _figures(wish: Wishes, text: str, figure: str = FIGURE) -> Iterator[tuple[str, ...]]:
    found = (re.search(_pattern(each, figure), text) for each in chain(*wish.values()))
    return (each.groups() for each in found if each)


def _pattern(text: str, figure: str) -> str:
    return re.sub(r"\\\{\w+\\\}", lambda _: figure, re.escape(text))


def _metric(fact: MeasuredFact, figure: float | str, unit: str) -> float:
    return float(figure) * (fact.unit.factor if unit == fact.unit.other else 1)


def _cm(figure: str, unit: str) -> float:
    return float(figure) * (2.54 if unit == "in" else 1)


# What pages tell ---------------------------------------------------------------------------------


def _row(results: Observation, link: str) -> list[Node]:
    """What a list shows of a product: it stands between its link and the next element."""
    place = next(at for at, each in enumerate(results.content) if getattr(each, "name", "") == link)
    return list(takewhile(lambda each: isinstance(each, Text), results.content[place + 1 :]))


def _facts(kind: Kind, nodes: Iterable[Node]) -> Facts:
    texts = [each for each in nodes if isinstance(each, Text)]
    cells = dict(each.text.partition(": ")[::2] for each in texts if each.role == "listitem")
    cells |= {a.text: b.text for a, b in pairwise(texts) if a.role == "rowheader"}
    prose = " ".join(each.text for each in texts if not each.text.startswith("Instruction:"))
    read = {name: _value(fact, cells, prose) for name, fact in kind.facts.items()}
    figures = {size: re.fullmatch(FIGURE, cells[size]) for size in cells if size[0].isdigit()}
    rows = tuple((size, _cm(*each.groups())) for size, each in figures.items() if each)
    note = next((each for each in measures()["notes"] if each["text"][:30] in prose), None)
    if rows and note:
        padded = int("more than that" in prose)
        read[CHART] = Chart("", "", "", "cm", rows, Note(note["between"], padded, ""))
    return {name: value for name, value in read.items() if value is not None}


def _value(fact: Fact, cells: Mapping[str, str], prose: str) -> Any:
    cell = next((cells[label] for label in fact.labels if label in cells), "")
    if isinstance(fact, WordedFact):
        values = fact.values.values()
        return next((each.name for each in values if _states(each, cell, prose)), None)
    figure = "(.+?)" if isinstance(fact, GatheredFact) else FIGURE
    read = (re.search(_pattern(each, figure), prose) for each in (fact.page, fact.answer))
    text = cell or next((each[0] for each in read if each), "")
    if isinstance(fact, GatheredFact):
        held = [m.name for m in fact.members.values() if m.text.casefold() in text.casefold()]
        return held or None
    measure = re.search(FIGURE, text)
    return _metric(fact, *measure.groups()) if measure else None


def _states(value: WordedValue, cell: str, prose: str) -> bool:
    """Whether a value's wording stands there, in any case of its first letter."""
    texts = (value.page, value.answer, *value.review)
    return cell == value.table or any(each[1:] in prose for each in texts)
