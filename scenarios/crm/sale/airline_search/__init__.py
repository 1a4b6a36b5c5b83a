"""A flight search that a customer and an airline agent agree on in a conversation.

The agent under test only has to bring the right offers onto the screen. The conversation names
cities with two airports, relative dates, and travellers by their ages. The task follows the live
experiment in appendix E of the "SteP" paper. Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, Observation
from scenarios.crm.airline_desk import dates, desk, parties
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import OUTWARD, Drawn, Order
from scenarios.crm.airline_desk.family import Task, on_all
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.crm.sale import pages
from scenarios.crm.sale.routes import Route, route
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.world import add
from sites.crm.airline_desk.operations import selling
from sites.world import World

ONE_WAY = 0.3
CORRECTED = 0.4
MOST_SEATS = 6
"""The most seats that a search may ask for."""
CUSTOMER, AGENT = "Customer", "Agent"
GROWN = (
    ("me alone", 1),
    ("my wife and me", 2),
    ("my husband and me", 2),
    ("a friend and me", 2),
    ("my parents and me", 3),
    ("both grandparents, my husband and me", 4),
)
"""Phrases for a group of adults in a request, each with the number of adults."""
CHILD, TEEN, MONTHS = (2, 10), (12, 15), (3, 12)
"""The ranges of ages of children and teenagers in years and of babies in months; none turns into
another fare kind before travel.
"""
GIRL_OR_BOY = ("girl", "boy")


@dataclass(frozen=True)
class Travellers:
    """The travellers as the airline counts them, and `text` as the customer describes them."""

    adults: int
    children: int
    infants: int
    text: str

    def counts(self) -> dict[str, str]:
        """Return the numbers of adults, children and infants, by field name of the search form."""
        fields = ("adults", "children", "infants")
        return {each: str(getattr(self, each)) for each in fields}


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("airline_search", seed)
    while not data.network.flies((way := route(rng, data)).origin, way.destination):
        continue
    out = dates.outward(rng)
    back = None if rng.random() < ONE_WAY else dates.homeward(rng, out.iso)
    who = _travellers(rng)
    values = {
        "from": way.origin,
        "to": way.destination,
        "trip-type": "return" if back else "one-way",
        "departure": out.iso,
        "return": back.iso if back else "",
        **who.counts(),
    }
    words = _words(way, out.text, back.text if back else "", who)
    speaker = Speaker("airline_search", kind_of(seed), rng)
    days = [out.iso, values["return"]]
    text, before = _conversation(words, days, who, data, speaker)
    gold = {
        "order": Order(values, {}, {}).to_json(),
        "search": asdict(desk.search_of(Order(values, {}, {}))),
        "known": words,
        "before": before,
    }
    return Drawn(text, gold, {"phrasing": speaker.kind})


def _travellers(rng: Random) -> Travellers:
    """Draw adults, and children whose ages decide how the airline counts them."""
    text, adults = rng.choice(GROWN)
    parts, children = [text], 0
    for _ in range(rng.choice((0, 1, 1, 2))):
        is_teen = rng.random() < 0.3
        age = rng.randint(*(TEEN if is_teen else CHILD))
        parts.append(f"a {rng.choice(GIRL_OR_BOY)} of {dates.NUMBERS[age]}")
        adults, children = adults + is_teen, children + (not is_teen)
    infants = int(rng.random() < 0.35)
    if infants:
        parts.append(f"a baby of {dates.NUMBERS[rng.randint(*MONTHS)]} months")
    if len(parts) > 1 and text == "me alone":
        parts[0] = "me"
    return Travellers(adults, children, infants, parties.enumerated(parts))


def _words(way: Route, out: str, back: str, who: Travellers) -> dict[str, str]:
    return {
        "origin": way.names[way.origin],
        "destination": way.names[way.destination],
        "out": out,
        "back": back,
        "travellers": who.text,
    }


def _conversation(
    words: Mapping[str, str], days: Sequence[str], who: Travellers, data: CrmData, speaker: Speaker
) -> tuple[str, dict[str, Any]]:
    """Write the conversation between customer and agent, sometimes with a corrected mistake.

    Returns:
        The conversation, and the search fields that a mistake changed ({} without a mistake).
    """
    rng = speaker.rng
    stated, now = dict(words), ""
    before: dict[str, Any] = {}
    if rng.random() < CORRECTED:
        slot, wrong, before = _mistaken(days, who, rng)
        stated[slot], now = wrong, NOW[slot].format_map(words)
    acts = [(AGENT, "greet"), (CUSTOMER, "ask"), (AGENT, "when"), (CUSTOMER, "out")]
    acts += [(AGENT, "home"), (CUSTOMER, "back" if words["back"] else "one_way")]
    acts += [(AGENT, "many"), (CUSTOMER, "travellers")]
    spoken = [f"{name}: {speaker.say(act, **stated)}" for name, act in acts]
    if rng.random() < 0.5:
        spoken[rng.choice((1, 3, 5))] += f" {speaker.say('digress', **decoys(rng, data))}"
    if now:
        spoken[-1] += f" {speaker.say('correct', now=now)}"
    return " ".join([*spoken, f"{AGENT}: {speaker.say('look')}"]), before


NOW = {
    "out": "we leave {out}",
    "back": "we come back {back}",
    "travellers": "those who fly are {travellers}",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


def _mistaken(days: Sequence[str], who: Travellers, rng: Random) -> tuple[str, str, dict[str, Any]]:
    """Draw a wrong statement that the customer later corrects.

    If one day is named relative to the other, that other day is never the mistake.

    Returns:
        The placeholder, its wrong wording, and the search fields that the mistake changes.
    """
    out, back = days
    if rng.random() < 0.5:
        other = next(made for made in iter(lambda: _travellers(rng), None) if _differ(made, who))
        return "travellers", other.text, other.counts()
    day = dates.moved(back or out, rng.randint(1, 5))
    slot, field = ("back", "return") if back else ("out", "departure")
    return slot, dates.plain(date.fromisoformat(day)), {field: day}


def _differ(one: Travellers, other: Travellers) -> bool:
    return one.counts() != other.counts()


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    return pages.advise(scenario, observation, WAYS)


def _results(at: pages.Ladder) -> Advice:
    """Return the advice to finish if the page shows the offers of the right search, and to search
    again otherwise.
    """
    if at.page.parts[1] == OUTWARD and pages.shows_way(at, OUTWARD):
        return Advice(pages.SEARCH, answer="")
    return pages.to_search(at)


WAYS: Mapping[str, pages.Way] = {"search": pages.search, "results": _results}


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    return look(world, data=data, search=scenario.gold["order"]["search"])


def look(world: World, *, data: CrmData, search: Mapping[str, str]) -> str:
    """Run the search as an agent does, and open the first page of its offers; the answer is
    empty.
    """
    trip = desk.search(world, data, search)
    desk.see_results(world, data, trip, OUTWARD, 1)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    search = scenario.gold["order"]["search"]
    misses = {"not looked at": NearMiss(partial(_unseen, data=data, search=search), "results")}
    for label, fails, changed in _mistakes(scenario, search, data):
        misses[label] = NearMiss(partial(look, data=data, search=changed), fails)
    later = {**search, "departure": dates.moved(search["departure"], -1)}
    both = partial(_both, data=data, searches=(search, later))
    misses["another search after it"] = NearMiss(both, "dates")
    misses["a seat sold besides"] = NearMiss(
        partial(_sell, data=data, search=search), "nothing else"
    )
    return misses


def _unseen(world: World, *, data: CrmData, search: Mapping[str, str]) -> None:
    desk.search(world, data, search)


def _both(world: World, *, data: CrmData, searches: Sequence[Mapping[str, str]]) -> None:
    for each in searches:
        look(world, data=data, search=each)


def _sell(world: World, *, data: CrmData, search: Mapping[str, str]) -> None:
    """Run the search, and add a booking that nobody asked for to the visit's database."""
    look(world, data=data, search=search)
    row = {"reference": "ZZ22ZZ", "status": "confirmed", "customer": None, "bought": selling.BOUGHT}
    add(world, "bookings", row)


Mistake = tuple[str, str, Mapping[str, str]]


def _mistakes(scenario: Scenario, search: Mapping[str, str], data: CrmData) -> Iterator[Mistake]:
    """Yield near misses, each a label, the check that must fail, and a search with one mistake."""
    for end in ("from", "to"):
        own = data.airports[search[end]]
        for other in data.airports.values():
            if other.city == own.city and other != own:
                yield "the city's other airport", "route", {**search, end: other.code}
    turned = {"from": search["to"], "to": search["from"]}
    yield "the other way round", "route", {**search, **turned}
    if search["return"]:
        late = {key: dates.moved(search[key], 7) for key in ("departure", "return")}
        yield "a week late", "dates", {**search, **late}
        yield "home a day late", "dates", {**search, "return": dates.moved(search["return"], 1)}
        yield "one way", "dates", {**search, "trip-type": "one-way", "return": ""}
    else:
        late_day = dates.moved(search["departure"], 7)
        yield "a week late", "dates", {**search, "departure": late_day}
    yield from _other_counts(search)
    before = scenario.gold["before"]
    fails = "dates" if {*before} & {"departure", "return"} else "travellers"
    if before:
        yield "as before the correction", fails, {**search, **before}


def _other_counts(search: Mapping[str, str]) -> Iterator[Mistake]:
    seats = int(search["adults"]) + int(search["children"])
    if seats < MOST_SEATS:
        more = {"adults": str(int(search["adults"]) + 1)}
        yield "one traveller too many", "travellers", {**search, **more}
    if search["children"] != "0":
        yield "children as adults", "travellers", {**search, "children": "0", "adults": str(seats)}
    if search["infants"] != "0":
        yield "without the baby", "travellers", {**search, "infants": "0"}


TASK = Task(
    task="airline_search",
    about="Search flights as a customer and an agent speak of them.",
    STEPS=(pages.SEARCH,),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=pages.search_length,
    TAG="navigation",
    SCORING="last_search",
)
FAMILIES = on_all(TASK)
