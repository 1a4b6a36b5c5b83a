"""What was spent: computed from the served pages and the words of the question alone."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import partial
from html import unescape
from itertools import product

import pytest
from flask.testing import FlaskClient

from scenarios import registry
from scenarios.phrasings import Phrasings, phrasings
from scenarios.scenario import Scenario
from scenarios.store.ledger import ledger_sum
from scenarios.store.ledger.ledger_sum import DEEP, DIFFERENT, MEAN, MONTH, SECOND, SUM, WIDE
from scenarios.store.pages import visits
from sites.store.shop.address import Visit
from tests import drawing, measuring
from tests.scenarios.store.pages.visiting import visit

DATA = registry.site_data("store")
SEEDS = range(200) if measuring.DEEP else (*range(10), 600, 601, 2000, 2001)
MANY = range(160 if measuring.DEEP else 64)
"""Seeds of which shares are counted."""
DAY = r"([A-Z][a-z]+ \d{1,2}, \d{4})"
TAG = re.compile(r"<[^>]+>")
CENT = Decimal("0.01")


def texts(html: str) -> list[str]:
    body = html.partition("<article>")[2]
    return [unescape(each).strip() for each in TAG.split(body) if each.strip()]


def amount(text: str) -> Decimal:
    return Decimal(text.replace("$", "").replace(",", ""))


def day(text: str) -> datetime:
    return datetime.strptime(text, "%B %d, %Y").replace(tzinfo=UTC)


# The question ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Read:
    """A question as somebody understands it who knows how such questions are put."""

    form: str
    asked: str
    inside: tuple[bool, bool]
    only: bool
    returned: bool
    parts: Mapping[str, str]


WHENS = {
    "when-both-days": (True, True),
    "when-neither-day": (False, False),
    "when-first-day": (True, False),
    "when-last-day": (False, True),
}
"""Whether the first and the last day count, by the act."""


def read(instruction: str, words: Phrasings) -> list[Read]:
    """Return every way to understand it."""
    asks = [act.split("-")[1:] for act in words if act.startswith("ask-")]
    return [
        found
        for form, asked in asks
        for frame, (act, inside) in product(words[f"ask-{form}-{asked}"], WHENS.items())
        for when, (only, who) in product(words[act], _whos(words))
        for found in _matches(instruction, words, (form, asked), frame, when, (inside, only, who))
    ]


def _whos(words: Phrasings) -> Iterator[tuple[bool, str]]:
    yield False, ""
    yield from ((True, each) for each in words["only"])
    yield from ((False, each) for each in words["without"])


def _matches(instruction, words, key, frame, when, rest) -> Iterator[Read]:
    inside, only, who = rest
    pattern = re.escape(frame).replace(r"\{when\}", re.escape(when))
    pattern = pattern.replace(r"\{who\}", re.escape(who))
    for name, what in (("first", DAY), ("last", DAY), ("person", "([a-zA-Z ]+)"),
                       ("department", "([A-Z][a-z]+)")):  # fmt: skip
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{what[1:-1]})")
    match = re.match(pattern, instruction)
    if match is None:
        return
    ending = instruction[match.end() :]
    returned = any(each in ending for each in words["returned"])
    assert returned or any(each in ending for each in words["canceled"])
    yield Read(*key, inside, only, returned, match.groupdict())


# The pages ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Listed:
    number: str
    day: datetime
    ship_to: str
    status: str
    total: Decimal


def listed(client: FlaskClient, here: Visit) -> Iterator[Listed]:
    page, last = 1, 1
    while page <= last:
        shown = texts(client.get(here.orders(page)).text)
        for at, text in enumerate(shown):
            if re.fullmatch(r"\d{9}", text):
                when, _, to, status, total = shown[at + 1 : at + 6]
                yield Listed(text, day(when), to, status, amount(total))
            elif match := re.fullmatch(r"Page \d+ of (\d+)", text):
                last = int(match[1])
        page += 1


@dataclass(frozen=True)
class Bought:
    """A line of an order."""

    name: str
    department: str
    price: Decimal
    pieces: int
    paid_back: Decimal


def bought(client: FlaskClient, here: Visit, number: str) -> list[Bought]:
    shown = texts(client.get(here.order(number)).text)
    end = next(
        at for at, text in enumerate(shown) if text in ("Charged", "Would have been charged")
    )
    refunds = _refunds(shown)
    found, start = [], shown.index("Subtotal") + 1
    for at in range(start, end):
        if shown[at].isdigit() and shown[at - 1][0] == shown[at + 1][0] == "$":
            name = shown[start]
            found.append(
                Bought(name, shown[at - 2], amount(shown[at - 1]), int(shown[at]), refunds[name])
            )
            assert amount(shown[at + 1]) == found[-1].price * found[-1].pieces
            start = at + 2
    return found


def _refunds(shown: list[str]) -> dict[str, Decimal]:
    found: dict[str, Decimal] = defaultdict(Decimal)
    if "Paid back" in shown:
        rows = shown[shown.index("Paid back") + 1 : shown.index("Ship to")]
        for reason, cents in zip(rows[1::3], rows[2::3], strict=True):
            found[reason.partition(": ")[2]] += amount(cents)
    return found


def person(client: FlaskClient, here: Visit, spoken_of: str) -> str:
    """Who that is, by the notes of the address book."""
    if not spoken_of.startswith("my "):
        return spoken_of
    shown = texts(client.get(here.addresses).text)
    who = spoken_of.removeprefix("my ").casefold()
    [at] = [
        at for at, text in enumerate(shown) if re.match(rf"note: (my )?{who}\.", text.casefold())
    ]
    return next(shown[up + 1] for up in range(at, -1, -1) if shown[up].endswith("address"))


# The answer --------------------------------------------------------------------------------------


def answer(client: FlaskClient, here: Visit, asked: Read) -> str:
    counted = list(_counted(client, here, asked))
    if asked.form == WIDE:
        amounts = [(each.day, each.total) for each in counted]
        if not amounts:
            return "NOT_FOUND"
        return _in_words(asked.asked, amounts, len(amounts), [each.total for each in counted])
    lines = [
        (order.day, line)
        for order in counted
        for line in bought(client, here, order.number)
        if line.department == asked.parts.get("department", line.department)
    ]
    if not lines:
        return "NOT_FOUND"
    if asked.asked == DIFFERENT:
        return str(len({line.name for _, line in lines}))
    amounts = [(when, line.price * line.pieces - line.paid_back) for when, line in lines]
    pieces = sum(line.pieces for _, line in lines)
    return _in_words(asked.asked, amounts, pieces, [line.price for _, line in lines])


def _counted(client: FlaskClient, here: Visit, asked: Read) -> Iterator[Listed]:
    first, last = day(asked.parts["first"]), day(asked.parts["last"])
    who = person(client, here, asked.parts.get("person", ""))
    out = {"Canceled", "Returned"} if asked.returned else {"Canceled"}
    for each in listed(client, here):
        inside = first < each.day < last
        inside = inside or (each.day == first and asked.inside[0])
        inside = inside or (each.day == last and asked.inside[1])
        if inside and each.status not in out and (not who or (each.ship_to == who) == asked.only):
            yield each


def _in_words(asked: str, amounts, number: int, prices) -> str:
    total = sum(each for _, each in amounts)
    if asked == SUM:
        return f"${total:,.2f}"
    if asked == MEAN:
        return f"${(total / number).quantize(CENT, ROUND_HALF_UP):,.2f}"
    if asked == SECOND:
        first, second = sorted(prices, reverse=True)[:2]
        assert second < first
        return f"${second:,.2f}"
    assert asked == MONTH
    months: dict[str, Decimal] = defaultdict(Decimal)
    for when, each in amounts:
        months[f"{when:%B %Y}"] += each
    return max(months, key=lambda name: months[name])


# Tests -------------------------------------------------------------------------------------------


def drawn(seed: int) -> Scenario:
    return drawing.drawn("ledger_sum", seed)


@pytest.mark.wide
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pages_and_the_question_suffice(seed: int) -> None:
    scenario = drawn(seed)
    readings = read(scenario.instruction, phrasings("ledger_sum", visits.split_of(seed)))
    client = visit(ledger_sum.world(scenario))
    answers = {answer(client, Visit(scenario.id), each) for each in readings}
    assert answers == {scenario.gold["answer"]["text"]}


def test_both_forms_and_all_questions_are_drawn() -> None:
    found = [drawn(seed) for seed in MANY]
    forms = Counter(each.details["form"] for each in found)
    assert forms[WIDE] > len(found) * 0.3 < forms[DEEP]
    assert {each.details["asked"] for each in found} == {SUM, MEAN, MONTH, SECOND, DIFFERENT}
    nothing = [each for each in found if each.gold["answer"]["text"] == "NOT_FOUND"]
    assert len(nothing) == len(found) // ledger_sum.IMPOSSIBLE_ONE_IN
    for each in found:
        opened = sum(step["page"] == "order" for step in each.gold["path"])
        assert opened in (ledger_sum.COUNTED[DEEP] if each.details["form"] == DEEP else (0,))


def test_each_split_has_words_of_its_own() -> None:
    every = [
        {text for texts in phrasings("ledger_sum", split).values() for text in texts if text}
        for split in visits.SPLITS
    ]
    assert min(map(len, every)) >= 20
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not every[one] & every[other]


def test_drawing_is_quick() -> None:
    drawn(0)
    taken = [measuring.cpu_seconds(partial(drawn, seed), enough=0.05) for seed in range(40)]
    assert statistics.median(taken) < 0.05
    assert max(taken) < 0.5
