"""A question about a company's bookings; the answer is a sum, a number, a day or references.

The needed facts are on the bookings' pages; the list shows only travellers, days and status. A
second company's name begins with the whole name of the first, so a search finds its bookings too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Back, Click, Observation
from scenarios.crm.after_sale.booking_figures import _company
from scenarios.crm.after_sale.booking_figures._company import COMPOSITIONS, Office, Trip, Wanted
from scenarios.crm.after_sale.booking_figures._figures import (
    KINDS,
    LISTED,
    NOTHING,
    Condition,
    Kind,
    counted,
)
from scenarios.crm.airline_desk import dates, desk, value_formats
from scenarios.crm.airline_desk.bookings import Customer
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.parties import ADULT, CHILD, INFANT
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.airline_desk.service import ANSWER, FIND, READ, Service
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.records import CANCELLED, Person
from sites.crm.airline_desk.operations.people import PAGE
from sites.crm.base.network import BRANDS
from sites.months import MONTHS
from sites.world import World

COMPANIES = (
    *("Nordwind", "Halden", "Castell", "Merlin", "Tessera", "Brookfield", "Alvaro", "Lindgren"),
    *("Kestrel", "Montrose", "Sundara", "Ferrand"),
)
FIELDS = ("Travel", "Trade", "Design", "Energy", "Foods", "Films", "Textiles", "Optics")
ENDINGS = ("Partners", "Services", "Group", "North", "Overseas")
CHOSEN = 4
"""The number of conditions in a question that only the page of a booking, not the list, can
answer.
"""
CORRECTED = 0.7
RIGHT = (4, 5, 6, 7)
"""The possible numbers of bookings that meet all conditions of a question."""
SIMILAR = 3
"""The number of bookings of a second company, whose name begins with the whole name of the
first.
"""
BOOKERS, OTHERS = (1, 2, 3, 4), {"similar": 5, "third": 6, "private": 7}
"""The customer numbers of the company's bookers, and of customers of other companies (or none) by
kind.
"""
EMPTY = ("dropped", "nonstop", "changing", "voucher")
"""The kinds of conditions that have no value, such as "non-stop"."""


@dataclass(frozen=True)
class Plan:
    """The contents of one seed's question.

    Attributes:
        companies: The company asked about, a company with a longer name, and a company with the
            same first word.
        mistake: The index of a condition and its wrong value that the request later corrects.
    """

    kind: Kind
    companies: tuple[str, str, str]
    conditions: tuple[Condition, ...]
    trips: tuple[Trip, ...]
    customers: tuple[Customer, ...]
    mistake: tuple[int, Condition] | None

    @property
    def company(self) -> str:
        return self.companies[0]

    @property
    def listed(self) -> list[Trip]:
        """Return the trips that a search for the company finds, in the order of the list."""
        found = [each for each in self.trips if each.agency in self.companies[:2]]
        return sorted(found, key=lambda each: (each.day, each.held.reference))

    @property
    def figure(self) -> str:
        return self._made_of(self.trips, self.conditions)

    @property
    def mistaken(self) -> tuple[Condition, ...]:
        """The conditions as the request states them before it corrects a mistake."""
        stated = list(self.conditions)
        if self.mistake:
            at, wrong = self.mistake
            stated[at] = wrong
        return tuple(stated)

    def wrong(self) -> dict[str, str]:
        """Return the answers of an agent that makes one mistake, by that mistake."""
        found = {
            _without(each): self._made_of(
                self.trips, [one for one in self.conditions if one is not each]
            )
            for each in self.conditions
        }
        right = counted(self.trips, self.conditions)
        found |= {label: figure(right) for label, figure in self.kind.careless.items()}
        found["the first page only"] = self._made_of(self.listed[:PAGE], self.conditions)
        if self.kind.cancelled:
            strict = [*self.conditions, Condition("dropped")]
            found["cancelled ones left out"] = self._made_of(self.trips, strict)
        if self.mistake:
            found["the correction ignored"] = self._made_of(self.trips, self.mistaken)
        return found

    def _made_of(self, trips: Sequence[Trip], conditions: Sequence[Condition]) -> str:
        chosen = counted(trips, conditions)
        return self.kind.figure(chosen) if chosen else NOTHING


def _without(condition: Condition) -> str:
    """Return a label for the mistake of ignoring a condition."""
    if condition.kind == "company":
        return "companies of a similar name counted"
    same = {"bought_before": "bought", "bought_since": "bought"}
    same |= {"nonstop": "stops", "changing": "stops", "dropped": "status"}
    return f"without {same.get(condition.kind, condition.kind)}"


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("booking_figures", seed)
    kind = KINDS[seed % len(KINDS)]
    plan = next(filter(None, (_plan(rng, data, kind) for _ in range(2000))))
    speaker = Speaker("booking_figures", kind_of(seed), rng)
    text, known = _request(plan, airline, speaker)
    return Drawn(text, _gold(plan, known, airline), {"phrasing": speaker.kind, "asks": kind.name})


def _plan(rng: Random, data: CrmData, kind: Kind) -> Plan | None:
    """Draw a question with its bookings, or return None if some mistake would still give the right
    answer.
    """
    office = Office(rng, data, 1 if kind.name == "dearest" else _company.PLACES)
    companies = _companies(rng)
    customers = [office.customer(each, companies[0]) for each in BOOKERS]
    agencies = (*companies[1:], "")
    customers += [
        office.customer(number, agency)
        for number, agency in zip(OTHERS.values(), agencies, strict=True)
    ]
    left_out = rng.choice(customers[: len(BOOKERS)]).person
    conditions = _conditions(rng, kind, companies[0], left_out)
    wishes = _wishes(rng, kind, companies, conditions, left_out)
    trips = tuple(office.trip(each) for each in wishes)
    plan = Plan(kind, companies, conditions, trips, tuple(customers), None)
    mistakes = [*_mistakes(rng, plan)] if rng.random() < CORRECTED else []
    if mistakes:
        plan = replace(plan, mistake=rng.choice(mistakes))
    right = plan.figure
    if right in (NOTHING, "0") or right in plan.wrong().values():
        return None
    return plan


def _companies(rng: Random) -> tuple[str, str, str]:
    """Draw the names of a company, of another whose name continues the first, and of a third with
    the same first word.
    """
    name, (field, other) = rng.choice(COMPANIES), rng.sample(FIELDS, 2)
    return f"{name} {field}", f"{name} {field} {rng.choice(ENDINGS)}", f"{name} {other}"


def _conditions(rng: Random, kind: Kind, company: str, left_out: Person) -> tuple[Condition, ...]:
    """Draw the conditions of a question: the company, then conditions that the list of bookings
    shows, then conditions that only a booking's page shows.
    """
    day = dates.moved("2025-10-25", rng.randrange(28))
    hidden = [
        Condition(rng.choice(("bought_before", "bought_since")), day),
        Condition("fare", rng.choice(BRANDS[:3])),
        Condition(rng.choice(("nonstop", "changing"))),
        Condition("note", rng.choice(_company.NOTES)),
        Condition("voucher"),
    ]
    able = [each for each in hidden if each.kind not in kind.never]
    return (
        Condition("company", company),
        *([] if kind.cancelled else [Condition("dropped")]),
        Condition("month", f"2026-{rng.randint(3, 6):02}"),
        Condition("traveller", left_out.name),
        *rng.sample(able, CHOSEN),
    )


# The trips


def _wishes(
    rng: Random,
    kind: Kind,
    companies: tuple[str, str, str],
    conditions: Sequence[Condition],
    left_out: Person,
) -> list[Wanted]:
    """Describe the trips to draw: trips that count, trips that break a single condition, and trips
    of other companies.
    """
    values = {each.kind: each.value for each in conditions}
    month = int(values["month"][5:])
    base = _base(values, month)
    right = [
        _right(kind, replace(base, agency=companies[0], customer=rng.choice(BOOKERS)), place)
        for place in range(rng.choice(RIGHT))
    ]
    strong = _strong(kind, base)
    broken = [
        replace(each, agency=companies[0], customer=rng.choice(BOOKERS))
        for each in _broken(rng, strong, values, left_out)
    ]
    other = {
        "similar": replace(strong, agency=companies[1], customer=OTHERS["similar"]),
        "third": replace(strong, agency=companies[2], customer=OTHERS["third"]),
        "private": replace(strong, agency="", customer=OTHERS["private"]),
    }
    wishes = [*right, *broken, *([other["similar"]] * SIMILAR), other["third"], other["private"]]
    rng.shuffle(wishes)
    return wishes


def _base(values: Mapping[str, str], month: int) -> Wanted:
    """Describe a trip that meets all conditions of the question."""
    wanted = Wanted("", 0, (f"2026-{month:02}-02", f"2026-{month:02}-27"))
    wanted = replace(wanted, brand=values.get("fare", ""), no_note=values.get("note", ""))
    if "bought_before" in values:
        day = dates.moved(values["bought_before"], -1)
        wanted = replace(wanted, bought=(_company.FIRST_BOUGHT, day))
    if "bought_since" in values:
        wanted = replace(wanted, bought=(values["bought_since"], _company.LAST_BOUGHT))
    if "nonstop" in values or "changing" in values:
        wanted = replace(wanted, stops="changing" in values)
    return replace(wanted, voucher=False) if "voucher" in values else wanted


def _right(kind: Kind, wanted: Wanted, place: int) -> Wanted:
    """Describe a trip that counts for the question; details depend on its position among these
    trips.
    """
    first = place == 0
    late = (f"{wanted.days[0][:8]}20", wanted.days[1])
    if kind.name == "net":
        status = CANCELLED if place < 2 else wanted.status
        return replace(wanted, status=status, back=0.5, fees=("service",))
    if kind.name == "unseated":
        return replace(wanted, seats=SEATED[place % len(SEATED)])
    if kind.name == "charged":
        days = (("2025-12-18", "2026-01-07"), ("2026-01-09", _company.LAST_FEE), None)[
            min(place, 2)
        ]
        fees, days_out = ("change", "service"), late if first else wanted.days
        return replace(wanted, fees=fees, charged=days, charged_voucher=place == 1, days=days_out)
    if kind.name == "dearest":
        best = replace(wanted, brand="flex", home_brand="flex", compositions=FEW, days=late)
        return best if first else replace(wanted, brand="classic", compositions=MANY)
    return replace(wanted, fees=FEES.get(kind.name, ()) if place % 2 == 0 else ())


def _strong(kind: Kind, wanted: Wanted) -> Wanted:
    """Describe a trip that would change the answer if it wrongly counted."""
    if kind.name == "charged":
        return replace(wanted, fees=("change", "seats"), charged=("2026-01-08", _company.LAST_FEE))
    if kind.name == "dearest":
        best = "business"
        return replace(wanted, brand=best, home_brand=best, compositions=COMPOSITIONS[:2])
    if kind.name == "unseated":
        return replace(wanted, seats="gap")
    return replace(wanted, fees=FEES.get(kind.name, ()))


SEATED = ("gap", "all", "gap", "all", "")
"""The seats on the first flight of each right trip: "all" seated, a "gap", or by chance."""
FEES = {"bags": ("bags",), "seats": ("seats",), "fees": ("change", "name")}
"""For each kind of question about fees, the kinds of fees that count."""
FEW = ((ADULT, INFANT), (ADULT, CHILD, INFANT))
MANY = ((ADULT, ADULT, CHILD), (ADULT, ADULT, CHILD, CHILD), (ADULT, ADULT))
"""Compositions of parties whose whole price is high although the price for each person is not."""


def _broken(
    rng: Random, wanted: Wanted, values: Mapping[str, str], left_out: Person
) -> Iterator[Wanted]:
    """Yield descriptions of trips that each break one condition."""
    month = int(values["month"][5:])
    before, after = (f"2026-{each:02}" for each in (month - 1, month + 1))
    yield replace(wanted, days=(f"{before}-24", f"{before}-28"), home_in=values["month"])
    yield replace(wanted, days=(f"{after}-02", f"{after}-20"))
    yield replace(wanted, traveller=left_out)
    if "dropped" in values:
        yield replace(wanted, status=CANCELLED)
    if "bought_before" in values:
        yield replace(wanted, bought=(values["bought_before"], _company.LAST_BOUGHT))
    if "bought_since" in values:
        day = dates.moved(values["bought_since"], -1)
        yield replace(wanted, bought=(_company.FIRST_BOUGHT, day))
    if "fare" in values:
        others = [each for each in BRANDS[:3] if each != values["fare"]]
        yield replace(wanted, brand=rng.choice(others))
    if wanted.stops is not None:
        yield replace(wanted, stops=not wanted.stops)
    if "note" in values:
        yield replace(wanted, note=values["note"])
    if "voucher" in values:
        yield replace(wanted, voucher=True)


def _mistakes(rng: Random, plan: Plan) -> Iterator[tuple[int, Condition]]:
    """Yield wrong values of conditions that would change the answer, each with the index of the
    condition.
    """
    right = plan.figure
    for at, each in enumerate(plan.conditions):
        for value in _other_values(rng, plan, each):
            wrong = at, Condition(each.kind, value)
            mistaken = replace(plan, mistake=wrong)
            if mistaken.wrong()["the correction ignored"] != right:
                yield wrong


def _other_values(rng: Random, plan: Plan, condition: Condition) -> list[str]:
    if condition.kind == "month":
        month = int(condition.value[5:])
        return [f"2026-{each:02}" for each in (month - 1, month + 1)]
    if condition.kind in ("bought_before", "bought_since"):
        return [dates.moved(condition.value, rng.choice((-16, -9, 9, 16)))]
    if condition.kind == "fare":
        return [each for each in BRANDS[:3] if each != condition.value]
    if condition.kind == "traveller":
        names = [each.names[0] for each in counted(plan.trips, plan.conditions)]
        return names[:1]
    return []


def _gold(plan: Plan, known: Mapping[str, str], airline: Airline) -> dict[str, Any]:
    shown = [each for each in plan.conditions if each.kind in LISTED]
    tour = counted(plan.listed, shown)
    own = [each.held.reference for each in tour if each.agency == plan.company]
    evidence = [["booking", each] for each in own]
    listed = [each.held.reference for each in plan.listed]
    text = plan.figure
    return {
        "asks": plan.kind.name,
        "rows": _company.rows(plan.trips, plan.customers, airline),
        "find": {"name": plan.company},
        "list": listed,
        "tour": [each.held.reference for each in tour],
        "wrong": plan.wrong(),
        "known": known,
        "told": [[each] for each in known.values()],
        "needs": {"find": [[plan.company]], "answer": [[each] for each in known.values()]},
        "path": [],
        "changes": [],
        "evidence": evidence,
        "answer": {"kind": plan.kind.answer.kind, "text": text},
        "text": text,
        "steps": {READ: [*range(len(evidence))], ANSWER: [len(evidence)]},
    }


# The request -------------------------------------------------------------------------------------


def _request(plan: Plan, airline: Airline, speaker: Speaker) -> tuple[str, dict[str, str]]:
    """Write the request; return it with the wording of its facts by placeholder."""
    rng = speaker.rng
    words = _words(plan.conditions, airline, rng)
    stated, now = dict(words), ""
    if plan.mistake:
        _, wrong = plan.mistake
        stated |= _words([wrong], airline, rng)
        now = NOW[wrong.kind].format_map(words)
    slots = {SLOT.get(kind, kind): text for kind, text in stated.items()}
    kinds = [each.kind for each in plan.conditions[1:]]
    kinds += ["kept"] if plan.kind.cancelled else []
    rng.shuffle(kinds)
    wishes = "; ".join(speaker.phrase(kind, **slots) for kind in kinds)
    named = {key: airline.word(word) for key, word in AIRLINE_WORDS.items()}
    parts = [
        speaker.say(f"ask_{plan.kind.name}", company=plan.company, **named),
        speaker.say("similar", company=plan.company),
        f"{wishes[:1].upper()}{wishes[1:]}.",
    ]
    if rng.random() < 0.5:
        parts.insert(rng.randint(1, len(parts)), speaker.say("digress", **_decoys(rng)))
    if now:
        parts.append(speaker.say("correct", now=now))
    return " ".join(parts), words


AIRLINE_WORDS = {
    "bags": "fee-bags",
    "seats": "fee-seats",
    "change": "fee-change",
    "name": "fee-name",
    "fees": "group-fees",
}
"""For each placeholder of the phrasings, the airline's word for a kind of fee or for the heading of
fees.
"""
SLOT = {"bought_before": "bought", "bought_since": "bought"}
NOW = {
    "month": "the trips have to begin in {month}",
    "bought_before": "what counts was bought before {bought_before}",
    "bought_since": "what counts was bought on {bought_since} or later",
    "fare": "the fare of the way out has to be {fare}",
    "traveller": "the person whose trips are left out is {traveller}",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _words(conditions: Sequence[Condition], airline: Airline, rng: Random) -> dict[str, str]:
    """Return the request's wording of the conditions' values, by kind of condition."""
    return {each.kind: _spelt(each, airline, rng) for each in conditions if each.kind not in EMPTY}


def _spelt(condition: Condition, airline: Airline, rng: Random) -> str:
    value = condition.value
    if condition.kind == "month":
        return f"{MONTHS[int(value[5:]) - 1]} {value[:4]}"
    if condition.kind.startswith("bought"):
        return rng.choice(value_formats.of_date(value)[1:3])
    if condition.kind == "fare":
        return airline.word(f"brand-{value}")
    return airline.word(f"note-{value}") if condition.kind == "note" else value


def _decoys(rng: Random) -> dict[str, object]:
    """Draw values that mislead the reader of a request, which the question is not about."""
    return {"price": rng.randrange(900, 9000), "month": rng.choice(MONTHS)}


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Return the advice to search for the company, read the bookings that may count, and answer."""
    at = Service(scenario, observation)
    if not at.unread:
        return Advice(ANSWER, answer=scenario.gold["text"], needs=at.needs("answer"))
    page, needs = at.page, at.needs("find")
    if page.screen == "booking":
        return Advice(READ, (Back(),), needs=needs)
    if page.screen != "people":
        return Advice(FIND, page.press("find-people"), needs=needs)
    filling = page.fill(scenario.gold["find"])
    if filling is None:
        return Advice(FIND)
    link = page.element(at.airline.id("open-booking", at.unread), at.unread)
    if link and not filling:
        return Advice(READ, (Click(link.id),), needs=needs)
    turn = page.turn()
    if turn and not filling:
        return Advice(READ, turn, needs=needs)
    return Advice(FIND, (*filling, *page.press("search-people")), needs=needs)


def length(scenario: Scenario) -> int:
    """Return the number of the expert's actions: the search, each booking and the way back, page
    turns, and the answer.
    """
    tour: Sequence[str] = scenario.gold["tour"]
    listed: Sequence[str] = scenario.gold["list"]
    turns = listed.index(tour[-1]) // PAGE
    return 3 + turns + 2 * len(tour)


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of an agent that searches again for each booking."""
    return 5 * len(scenario.gold["list"]) + 1


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    return _answered(scenario, scenario.gold["text"], scenario.gold["tour"], world)


def _answered(scenario: Scenario, text: str, read: Sequence[str], world: World) -> str:
    """Open the pages of these bookings as an agent does, and return the answer `text`."""
    for each in read:
        desk.see(world, Place("booking", (each,)))
    return text


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    tour, right = scenario.gold["tour"], scenario.gold["text"]
    own = [subject for _, subject in scenario.gold["evidence"]]
    answered = partial(_answered, scenario)
    misses = {
        label: NearMiss(partial(answered, text, tour), "answer")
        for label, text in scenario.gold["wrong"].items()
    }
    first = [each for each in tour if each in scenario.gold["list"][:PAGE]]
    misses["the first page only"] = NearMiss(
        partial(answered, scenario.gold["wrong"]["the first page only"], first), "evidence"
    )
    misses["guessed"] = NearMiss(partial(answered, right, []), "evidence")
    misses["one booking short"] = NearMiss(partial(answered, right, own[:-1]), "evidence")
    return misses


def answer_of(scenario: Scenario) -> AnswerSchema:
    """Return the answer schema of the scenario's question."""
    return next(each.answer for each in KINDS if each.name == scenario.gold["asks"])


TASK = Task(
    task="booking_figures",
    about="Answer a question about a company's bookings by what their pages show.",
    STEPS=(FIND, READ, ANSWER),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
    honest_length=honest_length,
    MEMORY=True,
    TAG="information",
    ANSWER=AnswerSchema("text", "an amount, a number, a date or references, as asked"),
    answer=answer_of,
)
FAMILIES = on_all(TASK)
