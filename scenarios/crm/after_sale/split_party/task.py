"""A person who leaves a party's booking, with every consequence settled.

The refund depends on each direction's fare and goes to the payments in order. The infant, a bag,
and children left without an adult need attention too. Half of the requests name the booking, and
the others name its destination and month. Every fifth seed uses held-out phrasings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any

from scenarios.crm.after_sale.split_party import _group, _plan, _request
from scenarios.crm.after_sale.split_party._group import LEAVER, NAMESAKE, OTHER, TEEN
from scenarios.crm.after_sale.split_party._minding import PARTS
from scenarios.crm.after_sale.split_party._money import mistaken, split
from scenarios.crm.after_sale.split_party._plan import CODES, Plan
from scenarios.crm.airline_desk import bookings, desk, forms, service
from scenarios.crm.airline_desk.desk import Drawn
from scenarios.crm.airline_desk.family import Task
from scenarios.crm.airline_desk.forms import Do, Instead
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.phrasings import Speaker
from scenarios.scenario import NearMiss, Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model import prices
from sites.crm.airline_desk.model.airline import Airline
from sites.crm.airline_desk.model.prices import MOST_BAGS
from sites.crm.airline_desk.model.records import DIRECTIONS
from sites.crm.airline_desk.operations.changing import LEAVES
from sites.world import World


@dataclass(frozen=True)
class Decision:
    """A decision, right or wrong, about the booking that a person leaves.

    Attributes:
        lap: The number of the adult on whose lap the infant travels; `leaves` if the infant leaves
            the booking; "" if the party has no infant.
        refunds: Dollars by payment number.
        moves: New seats by the flight's position and by passenger.
        bag: (passenger, direction, number of bags), or None for no bag.
        fee: (passenger, dollars), or None for no charge.
    """

    leaver: int
    lap: str
    refunds: Mapping[str, int]
    moves: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    bag: tuple[int, str, int] | None = None
    fee: tuple[int, int] | None = None
    note: str = ""


# Drawing -----------------------------------------------------------------------------------------


def draw(seed: int, airline: Airline, data: CrmData) -> Drawn:
    rng = desk.rng("split_party", seed)
    plan = next(filter(None, (_plan.draw(rng, data) for _ in range(3000))))
    speaker = Speaker("split_party", kind_of(seed), rng)
    rows = _rows(rng, plan)
    text, needs, find = _request.request(plan, airline, data, speaker)
    gold = _gold(plan, rows, airline, data)
    return Drawn(text, {**gold, "needs": needs, "find": find}, {"phrasing": speaker.kind})


def _rows(rng: Random, plan: Plan) -> bookings.Rows:
    held = [plan.held, *plan.others]
    rng.shuffle(held)
    return bookings.rows(held, plan.customers, [plan.voucher])


# Right and wrong decisions ------------------------------------------------------------------------


def _gold(plan: Plan, rows: bookings.Rows, airline: Airline, data: CrmData) -> dict[str, Any]:
    right = _right(plan, _payments(rows, plan.held.reference))
    reference = plan.held.reference
    made = to_do(reference, right, plan.card)
    result = forms.outcome(airline.key, rows, data, made)
    return {
        **result.gold(made),
        "rows": rows,
        "card": plan.card,
        "wrong": {
            label: [fails, where, asdict(decision)]
            for label, (fails, where, decision) in _wrong(plan, rows, right).items()
        },
    }


def _payments(rows: bookings.Rows, reference: str) -> list[int]:
    """Return the numbers of a booking's payments, in order."""
    return [
        number
        for number, row in enumerate(rows["payments"], start=1)
        if row["reference"] == reference
    ]


def _right(plan: Plan, payments: Sequence[int]) -> Decision:
    group = plan.group
    taker = group.numbers[plan.taker]
    return Decision(
        leaver=group.numbers[LEAVER],
        lap=str(_group.holders(group)[plan.lap]),
        refunds=_refunds(plan, payments, plan.due),
        moves=_texts(group.moves),
        bag=(taker, plan.way, plan.pieces(taker, plan.way) + 1),
        fee=plan.fee,
        note=plan.note,
    )


def _refunds(
    plan: Plan, payments: Sequence[int], due: int, order: Sequence[int] = ()
) -> dict[str, int]:
    """Return the dollars refunded to each payment, by its number."""
    paid = [each for *_, each in plan.held.payments()]
    sources = dict(zip(payments, paid, strict=True))
    turn = [payments[at] for at in order or plan.order]
    return {str(number): part for number, part in split(due, sources, turn).items()}


def _texts(moves: Mapping[int, Mapping[int, str]]) -> dict[str, dict[str, str]]:
    return {
        str(place): {str(number): code for number, code in moved.items()}
        for place, moved in moves.items()
    }


Wrong = tuple[str, str, Decision]
"""A near miss: the check that fails, the booking, and the wrong decision about it."""


def _wrong(plan: Plan, rows: bookings.Rows, right: Decision) -> dict[str, Wrong]:
    """Return near misses with one mistake each, by the label of the mistake."""
    here = plan.held.reference
    found: dict[str, Wrong] = {}
    for fails, decisions in (
        ("passengers", _wrong_people(plan, right)),
        ("money", _wrong_money(plan, rows, right)),
        ("seats", _wrong_seats(plan, right)),
        ("bags", _wrong_bags(plan, right)),
    ):
        found |= {label: (fails, here, each) for label, each in decisions}
    other_note = next(each for each in CODES if each != plan.note)
    found |= {
        "no note": ("booking", here, replace(right, note="")),
        "another note": ("booking", here, replace(right, note=other_note)),
    }
    other = plan.others[0]
    name = plan.group.leaver.person
    number = next(each.number for each in other.passengers if each.person == name)
    found["another booking"] = "nothing else", other.reference, Decision(number, "", {})
    return found


def _wrong_people(plan: Plan, right: Decision) -> Iterator[tuple[str, Decision]]:
    group = plan.group
    yield (
        "the namesake leaves",
        Decision(group.numbers[NAMESAKE], "", right.refunds, note=right.note),
    )
    yield "the infant leaves too", replace(right, lap=LEAVES)
    for role in (NAMESAKE, OTHER, TEEN):
        number = str(group.numbers[role])
        if number != right.lap:
            yield f"the infant on the lap of the {role}", replace(right, lap=number)


def _wrong_money(
    plan: Plan, rows: bookings.Rows, right: Decision
) -> Iterator[tuple[str, Decision]]:
    payments = _payments(rows, plan.held.reference)
    due = plan.due
    first, second, rest = plan.order
    sums = mistaken(plan.ticket, plan.held, plan.rule, plan.back)
    for label, each in sums.items():
        yield label, replace(right, refunds=_refunds(plan, payments, each))
    orders = {
        "all to the last card": (rest, first, second),
        "the second one first": (second, rest, first),
        "the second one left out": (first, rest, second),
    }
    for label, order in orders.items():
        yield label, replace(right, refunds=_refunds(plan, payments, due, order))
    yield "nothing is given back", replace(right, refunds={})
    assert right.bag is not None
    number, way, _ = right.bag
    price = prices.BRAND_RULES[plan.held.ways[way][1]].bag
    if right.fee:
        yield "the bag is not charged", replace(right, fee=None)
    else:
        yield "the bag is charged", replace(right, fee=(number, price))


def _wrong_seats(plan: Plan, right: Decision) -> Iterator[tuple[str, Decision]]:
    yield "nobody moves", replace(right, moves={})
    for part in PARTS:
        moved = _texts(plan.group.moves_without(part))
        yield f"moved without {part}", replace(right, moves=moved)
    first, second = right.moves.items()
    yield "moved on the first flight only", replace(right, moves=dict([first]))
    yield "moved on the second flight only", replace(right, moves=dict([second]))


def _wrong_bags(plan: Plan, right: Decision) -> Iterator[tuple[str, Decision]]:
    assert right.bag is not None
    number, way, pieces = right.bag
    other_way = next(each for each in DIRECTIONS if each != way)
    there = plan.pieces(number, other_way) + 1
    yield "the bag goes with nobody", replace(right, bag=None)
    yield "the bag on the other way", replace(right, bag=(number, other_way, there))
    own = plan.pieces(plan.group.numbers[LEAVER], way)
    if own > 1 and pieces - 1 + own <= MOST_BAGS:
        yield "all bags of who leaves", replace(right, bag=(number, way, pieces - 1 + own))
    other = plan.group.numbers[plan.mistaken_taker]
    more = plan.pieces(other, way) + 1
    yield "the bag with somebody else", replace(right, bag=(other, way, more))


def to_do(reference: str, made: Decision, card: Mapping[str, str]) -> list[Do]:
    """Return the forms that carry out a decision, in order."""
    laps = {f"lap.{each}": made.lap for each in _INFANTS if made.lap}
    back = {f"refund-amount.{number}": str(each) for number, each in made.refunds.items()}
    found = [Do("confirm-remove", (reference, str(made.leaver)), {**laps, **back})]
    for place, moved in made.moves.items():
        values = {f"seat.{number}": code for number, code in moved.items()}
        found.append(Do("save-seats", (reference, place), values))
    if made.bag:
        number, way, pieces = made.bag
        values = {f"bags-{way}.{number}": str(pieces)}
        found.append(Do("save-bags", (reference,), values))
    if made.fee:
        number, dollars = made.fee
        values = {
            "fee-kind": "bags",
            "passenger": str(number),
            "fee-amount": str(dollars),
            "card-amount": str(dollars),
            **card,
        }
        found.append(Do("charge", (reference,), values))
    if made.note:
        found.append(Do("add-note", (reference,), {"note-code": made.note}))
    return found


_INFANTS = (7,)
"""The passenger number of the infant, the last of the seven passengers, as a tuple."""


# Solution and near misses ------------------------------------------------------------------------


ONCE = ("confirm-remove", "charge", "add-note")
"""The buttons not to press again if the pages report their action as done."""


def solve(scenario: Scenario, world: World, data: CrmData) -> str:
    done = {*forms.done(world)}
    pairs = zip(forms.to_do(scenario), scenario.gold["sentences"], strict=True)
    left = [each for each, text in pairs if each.control not in ONCE or text not in done]
    forms.do(world, data, left)
    return ""


def near_misses(scenario: Scenario, data: CrmData) -> Mapping[str, NearMiss]:
    gold = scenario.gold
    wrong = [
        Instead(label, to_do(where, Decision(**made), gold["card"]), fails)
        for label, (fails, where, made) in gold["wrong"].items()
    ]
    first, *_ = forms.to_do(scenario)
    back = {key: value for key, value in first.values.items() if key.startswith("refund")}
    cancelled = [Do("confirm-cancel", (first.reference,), back)]
    wrong.append(Instead("the whole booking cancelled", cancelled, "booking"))
    return forms.near_misses(data, wrong)


def honest_length(scenario: Scenario) -> int:
    """Return the number of actions of an agent that first looks at the flights' seats and the
    bags.
    """
    return service.silent_length(scenario) + LOOKING


LOOKING = 8
"""Actions to look at three flights and the fares and to go back."""

TASK = Task(
    task="split_party",
    about="Take one person out of a party's booking, and see to money, seats, infant and bags.",
    STEPS=(
        "find booking",
        "change passengers",
        "settle money",
        "choose seats",
        "change bags",
        "add note",
    ),
    draw=draw,
    solve=solve,
    near_misses=near_misses,
    advise=service.advise,
    length=service.silent_length,
    honest_length=honest_length,
)
