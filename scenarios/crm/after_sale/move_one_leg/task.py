"""A move of one direction to another day, to the offer nearest in time to the present flight.

The request names the day relative to a day of the booking. Each condition excludes a nearer offer.
The request also settles the fee, the voucher and the seats. In three of twenty seeds the move is
impossible. Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios.crm.after_sale.move_one_leg import _nearest, case, moving
from scenarios.crm.after_sale.move_one_leg.case import FITS, LIGHT, NOTHING, Plan, Rerouting, right
from scenarios.crm.after_sale.move_one_leg.moving import WAY_WORDS
from scenarios.crm.airline_desk import dates, desk, fits, forms, service
from scenarios.crm.airline_desk import value_formats as formats
from scenarios.crm.airline_desk.decoys import decoys
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task
from scenarios.crm.airline_desk.fits import Condition, Option
from scenarios.crm.airline_desk.flight_choice import clock
from scenarios.crm.airline_desk.forms import Do, Instead
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.place import Place
from sites.crm.airline_desk.model.prices import BRAND_RULES
from sites.crm.airline_desk.operations import looking
from sites.crm.base.network import BRANDS
from sites.world import World

NAME = "move_one_leg"
IMPOSSIBLE_IN, IMPOSSIBLE = 20, (NOTHING, NOTHING, LIGHT)
"""The length of a round of seeds, and the outcomes of the seeds in it whose move is impossible."""
CORRECTED = 0.6
STATED = ("when", "fee", "paying", "card", "expiry", "cvc")
"""The placeholders whose values stand in the request and might be given as an answer by
guessing.
"""
CHANGE, SEATS = "change flights", "choose seats"
NOT_ACHIEVABLE = "NOT_ACHIEVABLE"
PAGES = 6
"""Additional pages to read before any change: the booking, and all offers of the day."""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng, outcome = desk.rng(NAME, seed), outcome_of(seed)
    plan = next(filter(None, (case.draw(rng, data, outcome) for _ in range(5000))))
    speaker = Speaker(NAME, kind_of(seed), rng)
    words = _words(plan, data, rng)
    mistake = _mistake(plan, data, rng)
    gold = _gold(plan, words, airline, data)
    gold["rivals"] = [
        [each.name, each.fails, [do.to_json() for do in each.do], each.answer]
        for each in _instead(plan, data, mistake)
    ]
    return Drawn(_request(plan, words, mistake, data, speaker), gold, {"phrasing": speaker.kind})


def outcome_of(seed: int) -> str:
    """Return the outcome of a seed: `FITS` if the move is possible (17 of 20 seeds), else the
    reason why not.
    """
    return desk.rare(NAME, seed, IMPOSSIBLE_IN, IMPOSSIBLE) or FITS


def _gold(plan: Plan, words: Mapping[str, str], airline: Airline, data: CrmData) -> dict[str, Any]:
    reference = plan.held.reference
    find = {"name": words["name"]} if plan.named else {"booking-reference": reference}
    known = [words[key] for key in ("when", *(each.kind for each in plan.wish.conditions))]
    needs: dict[str, list[list[str]]] = {
        "find": [[words["name" if plan.named else "reference"]]],
        "0": [[each] for each in (*known, words["card"], words["fee"]) if each],
        "1": [[plan.towards]],
    }
    gold: dict[str, Any] = {
        "outcome": plan.outcome,
        "find": {reference: find},
        "needs": needs,
        "rows": plan.rows,
        "look": Do("search-flights", (reference, plan.way), {"departure": plan.day.iso}).to_json(),
        "pages": [*_pages(plan, data)],
        "turned": _turned(plan, data),
        "path": [],
        "told": [[words[key]] for key in STATED],
        "errands": [],
        "sentences": [],
        "held": [],
        "changes": [],
    }
    if plan.outcome == FITS:
        move = right(plan)
        dos = move.do(plan)
        gold |= forms.outcome(airline.key, plan.rows, data, dos).gold(dos)
        text = str(move.card(plan))
    else:
        text = NOT_ACHIEVABLE
        gold["evidence"] = gold["pages"] if plan.outcome == NOTHING else [["booking", reference]]
        gold["steps"] = {CHANGE: [*range(len(gold["evidence"]))]}
    last = len(gold["changes"]) + len(gold.get("evidence", []))
    gold["steps"] = {**gold["steps"], service.ANSWER: [last]}
    return {**gold, "answer": {"kind": "money", "text": text}, "text": text}


def _turned(plan: Plan, data: CrmData) -> int:
    """Return the number of clicks on "next page" up to the right offer, or through all pages if no
    offer is right.
    """
    present, option = plan.wish.present, plan.wish.target
    way = present.origin, present.destination, plan.day.iso
    if option is None:
        return desk.page_count(data, *way) - 1
    return desk.page_of(data, way, f"{option.offer.id}/{option.brand}") - 1


def _pages(plan: Plan, data: CrmData) -> Iterator[list[str]]:
    """Yield [screen, subject] of every page of the day's offers, as the journal records it."""
    present = plan.wish.present
    count = desk.page_count(data, present.origin, present.destination, plan.day.iso)
    for page in range(1, count + 1):
        subject = f"{plan.held.reference}/{plan.way}/{plan.day.iso} {page}/{count}"
        yield ["reroute-results", subject]


# The request -------------------------------------------------------------------------------------

NOW = {
    "when": "the new flight has to leave {when}",
    "after": "it must not leave earlier than {after}",
    "by": "the arrival has to be at {by} local time at the latest, still on the day it leaves",
    "fee": "the fee is {fee} for each traveller, with the exceptions that I named",
}
"""The sentences that correct an earlier statement of the request, by the placeholder whose value
they correct.
"""


@dataclass(frozen=True)
class Mistake:
    """A statement that the request later corrects; `move` is the move that it asks for, None if no
    flight fits it.
    """

    kind: str
    text: str
    move: Rerouting | None


def _mistake(plan: Plan, data: CrmData, rng: Random) -> Mistake | None:
    """Draw a wrong statement that asks for something else, or return None if there is none."""
    if rng.random() >= CORRECTED:
        return None
    wrong = [*_wrong_days(plan, data), *_wrong_times(plan, rng), *_wrong_fees(plan)]
    kinds = sorted({each.kind for each in wrong})
    kind = rng.choice(kinds) if kinds else ""
    return rng.choice([each for each in wrong if each.kind == kind]) if wrong else None


def _wrong_days(plan: Plan, data: CrmData) -> Iterator[Mistake]:
    for days in (-2, -1, 1, 2, 3):
        day = dates.moved(plan.day.iso, days)
        if day != plan.days[plan.way] and case.in_order(plan.days, plan.way, day):
            option = _on(plan, data, day)
            for way, named in moving.named_days(plan.days, day):
                if way == plan.counted:
                    yield Mistake("when", named.text, right(plan, option) if option else None)


def _wrong_times(plan: Plan, rng: Random) -> Iterator[Mistake]:
    for one in plan.wish.conditions:
        for step in (-4, -3, -2, 2, 3, 4) if one.kind in NOW else ():
            wrong = Condition(one.kind, int(one.value) + step * _nearest.GRID)
            others = [each for each in plan.wish.conditions if each != one]
            option = _first(plan, [*others, wrong])
            if option != plan.wish.target and 0 <= int(wrong.value) < 24 * 60:
                move = right(plan, option) if option else None
                yield Mistake(one.kind, clock(rng, int(wrong.value)), move)


def _wrong_fees(plan: Plan) -> Iterator[Mistake]:
    if plan.fee.ruled or plan.wish.target is None:
        return
    for amount in (20, 30, 40, 50, 60):
        wrong = replace(plan.fee, amount=amount)
        yield Mistake("fee", wrong.text, right(plan, fee=wrong.total(plan.kinds)))


def _first(plan: Plan, conditions: list[Condition]) -> Option | None:
    """Return the nearest offer of the day that meets the conditions, or None."""
    far = _nearest.apart(plan.wish.present, plan.wish.measure)
    return min(fits.fitting(plan.found, conditions), key=far, default=None)


def _on(plan: Plan, data: CrmData, day: str, brand: str = "") -> Option | None:
    """Return the nearest offer of a day that meets the conditions in a fare brand, or None if none
    does.
    """
    present = plan.wish.present
    offers = data.network.offers(present.origin, present.destination, day)
    found = _nearest.options(offers, brand or plan.brand, plan.kinds)
    far = _nearest.apart(present, plan.wish.measure)
    return min(fits.fitting(found, plan.wish.conditions), key=far, default=None)


def _words(plan: Plan, data: CrmData, rng: Random) -> dict[str, str]:
    """Return the request's wording of each value, by placeholder of the phrasings."""
    kept = next(each for each in WAY_WORDS if each != plan.way)
    rule = "our fare may not be changed at all, or " if plan.fee.ruled else ""
    words = {
        "reference": plan.held.reference,
        "name": plan.held.passengers[0].person.name,
        "city": data.airports[plan.held.destination].city,
        "moved": WAY_WORDS[plan.way],
        "kept": WAY_WORDS[kept],
        "when": plan.day.text,
        "nearest": f"the one whose {plan.wish.measure} is nearest by the clock to that of the"
        f" present {WAY_WORDS[plan.way]}, be it earlier or later",
        "fee": plan.fee.text,
        "exceptions": plan.fee.exceptions,
        "voucher": moving.WHICH[plan.credit.rule],
        "paying": f"as much as it holds, but so that at least ${plan.credit.least} of the sum are"
        " left for the card",
        **formats.card_words(rng, plan.card),
        "seats": "the seat that they have now on the first flight of that way or, where that is not"
        f" free, the seat of the same letter in the nearest row {plan.towards} where it is free;"
        " exit rows do not count, and what a seat costs does not matter",
        "unless": f"{rule}no flight of that day fits all of this",
    }
    return words | {each.kind: _spelt(each, data, rng) for each in plan.wish.conditions}


def _spelt(condition: Condition, data: CrmData, rng: Random) -> str:
    if condition.kind in ("after", "by"):
        return clock(rng, int(condition.value))
    if condition.kind == "avoid":
        return data.airports[str(condition.value)].city
    return str(condition.value) if condition.kind == "wait" else ""


def _request(
    plan: Plan, words: Mapping[str, str], mistake: Mistake | None, data: CrmData, speaker: Speaker
) -> str:
    rng, stated = speaker.rng, dict(words)
    if mistake:
        stated[mistake.kind] = mistake.text
    kinds = [each.kind for each in plan.wish.conditions]
    rng.shuffle(kinds)
    wishes = "; ".join(speaker.phrase(kind, **stated) for kind in kinds)
    parts = [
        speaker.say("by_name" if plan.named else "by_reference", **stated),
        speaker.say("move", **stated),
        speaker.say("nearest", **stated),
        f"{wishes[:1].upper()}{wishes[1:]}.",
        speaker.say("fee", **stated),
        speaker.say("paying_first", **stated),
        speaker.say("rest", **stated),
        speaker.say("seats", **stated),
        speaker.say("report", **stated),
    ]
    if rng.random() < 0.5:
        parts.insert(rng.randint(1, len(parts)), speaker.say("digress", **decoys(rng, data)))
    if mistake:
        parts.append(speaker.say("correct", now=NOW[mistake.kind].format_map(words)))
    return " ".join(parts)


# Advice ------------------------------------------------------------------------------------------


def advise(scenario: Scenario, observation: Observation) -> Advice:
    if scenario.gold["outcome"] == FITS:
        return service.advise(scenario, observation)
    at, look = service.Service(scenario, observation), forms.read(scenario.gold["look"])
    if at.page.place == Place("reroute-results", (*look.parts, look.values["departure"])):
        return _looked(at)
    if scenario.gold["outcome"] == LIGHT and at.page.parts == look.parts[:1]:
        return Advice(service.ANSWER, answer=NOT_ACHIEVABLE)
    return service.send(at, (look,), CHANGE, at.needs("0"))


def _looked(at: service.Service) -> Advice:
    """Return the advice to turn the pages of the offers, and then to answer that nothing fits."""
    turn = at.page.turn()
    if turn:
        return Advice(CHANGE, turn, needs=at.needs("0"))
    return Advice(service.ANSWER, answer=NOT_ACHIEVABLE)


def length(scenario: Scenario) -> int:
    """Return the number of the expert's actions; the answer is not an action.

    A possible move takes its forms. If nothing fits, the expert pages through the offers. If the
    fare cannot be changed, the expert only opens the booking.
    """
    gold = scenario.gold
    if gold["outcome"] == LIGHT:
        return _of_forms(scenario, []) - 1
    listed = [gold["look"]] if gold["outcome"] == NOTHING else gold["errands"]
    turned: int = gold["turned"]
    return _of_forms(scenario, listed) + turned - 1


def _of_forms(scenario: Scenario, listed: list[dict[str, Any]]) -> int:
    """Return the number of actions for these forms, including the search of the booking and an
    answer.
    """
    held = scenario.gold["held"] or [{} for _ in listed]
    gold = {
        **scenario.gold,
        "errands": listed,
        "tour": [*scenario.gold["find"]],
        "held": held[: len(listed)],
    }
    return service.length(replace(scenario, gold=gold))


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of an agent that first reads the booking and all offers of the
    day.
    """
    return max(length(scenario), _of_forms(scenario, [scenario.gold["look"]])) + PAGES


# Solution and near misses ------------------------------------------------------------------------


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    if scenario.gold["outcome"] != FITS:
        _see(scenario, world)
    else:
        dos = forms.to_do(scenario)
        forms.do(world, data, dos[_is_moved(world, dos[0]) :])
    return str(scenario.gold["text"])


def _is_moved(world: World, settle: Do) -> bool:
    reference, way, day, *_ = settle.parts
    return looking.booking(world, reference).direction(way)[0].date == day


def _see(scenario: Scenario, world: World, pages: int | None = None) -> str:
    """Open the booking and the first pages of the day's offers (by default all pages), and return
    the answer that nothing fits.
    """
    [reference] = scenario.gold["find"]
    desk.see(world, Place("booking", (reference,)))
    for screen, subject in scenario.gold["pages"][:pages]:
        desk.see(world, Place(screen, (subject,)))
    return NOT_ACHIEVABLE


def _instead(plan: Plan, data: CrmData, mistake: Mistake | None) -> Iterator[Instead]:
    """Yield near misses of the move, each with a single mistake."""
    moves: dict[tuple[str, str], Rerouting | None] = {}
    for kind, option in plan.wish.instead.items():
        moves[f"breaks {kind}", "flights"] = right(plan, option)
    if mistake:
        check = "money" if mistake.kind == "fee" else "flights"
        moves["what was taken back", check] = mistake.move
    moves |= {(label, "flights"): move for label, move in _flights(plan, data)}
    if plan.outcome == FITS:
        moves |= {(label, "money"): move for label, move in _money(plan)}
        moves |= {(label, "seats"): move for label, move in _seats(plan)}
    for (label, check), move in moves.items():
        if move is not None:
            fails = check if plan.outcome == FITS else "nothing else"
            yield Instead(label, move.do(plan), fails, str(move.card(plan)))


def _flights(plan: Plan, data: CrmData) -> Iterator[tuple[str, Rerouting | None]]:
    """Yield moves to wrong flights that look right, each with a label."""
    wish = plan.wish
    if plan.outcome != FITS:
        option = wish.target or _first(plan, [])
        yield "changed all the same", right(plan, option)
    others = {"counted from the other flight": _miscounted(plan, data)}
    for measure in (_nearest.DEPARTURE, _nearest.ARRIVAL):
        if measure != wish.measure:
            found = sorted(plan.found, key=_nearest.apart(wish.present, measure))
            others["nearest in the other measure"] = next(
                iter(fits.fitting(found, wish.conditions)), None
            )
    left = [each for each in fits.fitting(plan.found, wish.conditions) if each != wish.target]
    others["one that is not so near"] = next(iter(left), None)
    for brand in BRANDS:
        others[f"the nearest in {brand}"] = _on(plan, data, plan.day.iso, brand)
    for label, option in others.items():
        if option is not None and option != wish.target:
            yield label, right(plan, option)


def _miscounted(plan: Plan, data: CrmData) -> Option | None:
    """Return the offer that would be right if the day were counted from the other direction; None
    if none would.
    """
    other = next(each for each in WAY_WORDS if each != plan.counted)
    day = moving.counted_from(plan.days[other], plan.day, plan.days[plan.counted])
    if day == plan.days[plan.way] or not case.in_order(plan.days, plan.way, day):
        return None
    return _on(plan, data, day)


def _money(plan: Plan) -> Iterator[tuple[str, Rerouting]]:
    """Yield moves with a wrong fee or a wrong payment, each with a label."""
    exact, kinds, credit = right(plan), plan.kinds, plan.credit
    fees = {
        "the fee once": plan.fee.amount,
        "the fee for everybody in full": plan.fee.amount * len(kinds),
        "no exception for children": _full(plan, "child"),
        "no exception for infants": _full(plan, "infant"),
        "the fee of another rule": replace(plan.fee, amount=_other_fee(plan)).total(kinds),
        "no fee": 0,
    }
    for label, fee in fees.items():
        if fee != exact.fee:
            yield label, right(plan, fee=fee)
    due = exact.card(plan) + exact.taken
    yield "by card alone", replace(exact, taken=0)
    yield (
        "another voucher",
        replace(exact, voucher=credit.other, taken=credit.taken(due, credit.other)),
    )
    taken = min(credit.right.balance, due)
    if taken != exact.taken:
        yield "too little left for the card", replace(exact, taken=taken)


def _full(plan: Plan, kind: str) -> int:
    parts = {each: part for each, part in plan.fee.parts.items() if each != kind}
    return replace(plan.fee, parts=parts).total(plan.kinds)


def _other_fee(plan: Plan) -> int:
    """Return a wrong fee in dollars: the fee on the pages if the request states its own, or else
    that of another fare.
    """
    fees = {each: BRAND_RULES[each].change_fee or 0 for each in ("classic", "flex")}
    return fees[plan.brand] if not plan.fee.ruled else sum(fees.values()) - fees[plan.brand]


def _seats(plan: Plan) -> Iterator[tuple[str, Rerouting]]:
    """Yield moves to the right flights but with wrong seats, each with a label."""
    exact = right(plan)
    option, none = exact.option, ()
    found = {
        "seats not taken again": none,
        "seats towards the other end": case.seated(plan, option, case.other_end(plan)),
        "an exit row": case.seated(plan, option, plan.towards, exits=True),
        "seats on the first flight only": exact.seats[:1],
    }
    for label, seats in found.items():
        if seats != exact.seats:
            yield label, replace(exact, seats=seats)


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    gold = scenario.gold
    wrong = [
        Instead(label, [*map(forms.read, listed)], fails, answer)
        for label, fails, listed, answer in gold["rivals"]
    ]
    if gold["outcome"] == FITS:
        dos = forms.to_do(scenario)
        due = sum(int(dos[0].values.get(key, "0")) for key in ("card-amount", "voucher-amount"))
        wrong.append(Instead("answered what was due", dos, "answer", str(due)))
        given_up = NearMiss(partial(_see, scenario), "flights")
        return {**forms.near_misses(data, wrong), "said that nothing fits": given_up}
    misses = forms.near_misses(data, wrong)
    misses["gave up unseen"] = NearMiss(lambda world: NOT_ACHIEVABLE, "evidence")
    if gold["outcome"] == NOTHING:
        most = partial(_see, scenario, pages=len(gold["pages"]) - 1)
        misses["gave up before the last page"] = NearMiss(most, "evidence")
    return misses


TASK = Task(
    task=NAME,
    about="Move one direction of a booking to the nearest flight of another day, and pay for it.",
    STEPS=(service.FIND, CHANGE, *service.FORM_STEPS.values(), SEATS, service.ANSWER),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=advise,
    length=length,
    honest_length=honest_length,
    ANSWER=AnswerSchema(
        "money", "dollars that the card pays; NOT_ACHIEVABLE where it cannot be done"
    ),
)
