"""The rules of the handbook as code: total, in any order the same, and each at its limits."""

from __future__ import annotations

import ast
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenarios.crm.policy import (
    asking,
    changing,
    decide,
    giving_back,
    travelling,
    ways,
    without,
)
from scenarios.crm.policy.decision import (
    Cancel,
    Collect,
    Compensate,
    CorrectName,
    Escort,
    ExtendVoucher,
    IssueVoucher,
    OtherRefund,
    Pay,
    Rebook,
    Refund,
    Reimburse,
    Reroute,
    Resell,
    SellSeats,
    SetBags,
    SetEmail,
    SetSeats,
    Tell,
)
from scenarios.crm.policy.engine import counting
from scenarios.crm.policy.facts import (
    DEATH,
    NOW,
    TODAY,
    Alternative,
    Claim,
    Delay,
    Document,
    Event,
    NewBags,
    NewName,
    NewSeats,
    Passenger,
    Payment,
    Permission,
    Raised,
    Receipt,
    SeatPlace,
    Sender,
    Unaccompanied,
    Voucher,
)
from scenarios.crm.policy.findings import BEATS
from scenarios.crm.policy.rules import RULES
from scenarios.crm.policy.together import decide_both
from sites.crm.airline_desk.handbook.article import texts
from sites.crm.airline_desk.handbook.edition import PARAMETERS, Bulletin, draw
from tests import measuring
from tests.each import for_each
from tests.scenarios.crm.policy.policy_facts import (
    ADULT,
    HOME,
    OUT,
    PLAIN,
    SEGMENTS,
    at,
    changed,
    facts,
    flight,
    in_brand,
    with_booking,
    with_request,
)

DEEP = 10_000 if measuring.DEEP else 12
ROOT = Path(__file__).parents[4]
EDITION = replace(
    draw(Random("policy")),
    second_thoughts_hours=24,
    second_thoughts_days=7,
    tax=20,
    classic_kept=60,
    share_by="flights",
    refund_order="last-first",
    covered=("illness", "injury", "jury"),
    cover_percent=90,
    cover_most=100,
    moved_minutes=120,
    relatives=("spouse", "parent"),
    bereavement_days=14,
    change_fee=55,
    gold_pays="half",
    gold_less=10,
    same_day_fee=75,
    same_day_from=24,
    same_day_until=3,
    cheaper_voucher=("flex", "business"),
    connection_home=60,
    connection_abroad=90,
    two_terminals=30,
    terminals=("LHR",),
    way_round_hours=48,
    voucher_most=2,
    card_least=20,
    grace_days=30,
    extension_days=90,
    permission_days=30,
    limit=1000,
    reroute_in="cabin",
    partner_hours=6,
    alone_age=12,
    adult_age=18,
    escort_fee=75,
    escort_connection=100,
    escorts_most=2,
    exit_age=15,
    assisted_rows=8,
    late_hours=3,
    half_hours=5,
    near_miles=100,
    far_miles=2000,
    paid_near=110,
    paid_middle=221,
    paid_far=400,
    exempt=("weather", "security"),
    warned_days=14,
    meal=15,
    meal_hours=3,
    hotel=85,
    name_letters=3,
    surname_fee=30,
    bags_count="together",
    bags_light=0,
    bags_classic=1,
    bags_flex=2,
    bags_business=3,
    bags_gold=1,
    bag_first=40,
    bag_further=70,
    sports_pieces=2,
    early_hours=24,
    early_percent=25,
    receipt_days=3,
    receipt_most=150,
    miles=((90, 1000, 2000, 2001, 9, 9, 9), *((0,) * 7,) * 6),
    bulletins=(),
)


def amount(found):
    return decide(EDITION, found).amount


# Of all facts ------------------------------------------------------------------------------------


@settings(
    max_examples=DEEP,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(facts(), st.integers(0, 50), st.randoms(use_true_random=False))
def test_everything_is_decided_and_in_any_order_the_same(drawn, seed, rng):
    edition = draw(Random(seed))
    made = decide(edition, drawn)
    rules = list(RULES.items())
    rng.shuffle(rules)
    assert decide(edition, drawn, dict(rules)) == made
    assert decide(edition, drawn) == made
    check_whole(made, drawn, edition)


def check_whole(made, drawn, edition):
    """What holds for every decision."""
    assert made.grounds and set(made.grounds) <= set(texts()) | {
        each.number for each in edition.bulletins
    }
    assert bool(made.changes) == (made.outcome in {"done", "in part"})
    assert made.offer <= bool(made.changes)
    refunds = [each for each in made.changes if isinstance(each, Refund)]
    left = {each.number: each.left for each in drawn.booking.payments}
    assert all(0 < each.amount <= left[each.payment] for each in refunds)
    assert len({each.payment for each in refunds}) == len(refunds)
    if refunds:
        assert made.amount == sum(each.amount for each in refunds)
    paid = sum(each.amount for each in made.changes if isinstance(each, Pay))
    if paid:
        assert made.amount == paid
    assert not any(isinstance(each, OtherRefund | Resell) for each in made.changes)
    for number in made.derivation:
        assert without((number,), edition, drawn).effect != made.effect


def test_of_two_rules_none_beats_the_other_both_ways():
    for one, beaten in BEATS.items():
        for other in beaten:
            assert one not in BEATS.get(other, ())


def test_what_beats_a_rule_is_named_by_its_article():
    for one, beaten in BEATS.items():
        for other in beaten:
            assert one in texts()[other]["beaten_by"], (one, other)


# Text and code -----------------------------------------------------------------------------------


@cache
def source():
    """The functions of the rules' modules, by name: no two have the same."""
    modules = (asking, changing, giving_back, travelling, ways)
    trees = [ast.parse(Path(each.__file__).read_text(encoding="utf-8")) for each in modules]
    found = [each for tree in trees for each in tree.body if isinstance(each, ast.FunctionDef)]
    assert len({each.name for each in found}) == len(found)
    return {each.name: each for each in found}


def read_by(name, functions, seen=()):
    """The parameters that a function reads, also by functions of its module."""
    found = set()
    for node in ast.walk(functions[name]):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found |= {node.attr} if node.value.id == "edition" else set()
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if called and node.func.id in functions and node.func.id not in (*seen, name):
            found |= read_by(node.func.id, functions, (*seen, name))
    return found


def slots_of(number):
    """The parameters that stand in the article of a rule and in its tables."""
    rows = [row for name, row in texts().items() if number in (name, row.get("of"))]
    sentences = [row["text"] for row in rows]
    sentences += [
        text for row in rows for each in row.get("wording", {}).values() for text in each.values()
    ]
    names = {name for text in sentences for _, name, *_ in Formatter().parse(text) if name}
    return names & set(PARAMETERS)


@for_each("number", RULES)
def test_every_parameter_of_an_article_is_read_by_its_rule_and_the_other_way_round(number):
    read = read_by(RULES[number].__name__, source())
    own = slots_of(number)
    assert own <= read
    others = {name for each in texts()[number]["see"] for name in slots_of(each)}
    assert read <= own | others


def test_the_articles_of_the_rules_are_those_that_are_coded():
    assert set(RULES) == {number for number, row in texts().items() if row["kind"] == "rule"}


def test_the_site_does_not_know_the_rules():
    for path in (ROOT / "sites").rglob("*.py"):
        assert "crm.policy" not in path.read_text(encoding="utf-8"), path


# Money back --------------------------------------------------------------------------------------


@for_each(("hours", "days", "back"), [(24, 7, 350), (25, 7, 230), (24, 6, 230), (1, 40, 350)])
def test_second_thoughts_at_its_limits(hours, days, back):
    first = TODAY + timedelta(days)
    segments = (replace(SEGMENTS[0], day=first, departs=at(first, 1)), SEGMENTS[1])
    found = with_booking(bought=NOW - timedelta(hours=hours), segments=segments)
    assert amount(found) == back


@for_each(
    ("brand", "back"),
    [("light", 40), ("classic", 230), ("flex", 350), ("business", 350)],
)
def test_what_each_fare_gives_back(brand, back):
    made = decide(EDITION, in_brand(brand))
    assert made.amount == back
    assert made.outcome == ("done" if back == 350 else "in part")
    assert "2" in made.grounds


def test_infants_have_no_taxes_and_nothing_is_kept_of_theirs():
    infant = replace(ADULT, number=2, kind="infant", fares={"outward": 30, "return": 30})
    paid = (Payment(1, "card", "1111", 410),)
    found = with_booking(passengers=(ADULT, infant), payments=paid)
    assert amount(found) == 230 + 60
    assert amount(in_brand("light", found)) == 40


def test_seats_and_bags_are_given_back_with_all_that_was_paid_only():
    found = with_booking(payments=(Payment(1, "card", "1111", 420),))
    assert amount(found) == 230
    assert amount(with_booking(found, bought=NOW)) == 420


def flown_to(hub, facts=PLAIN):
    """Two flights out by a hub, the first of them flown."""
    yesterday, later = TODAY - timedelta(1), TODAY + timedelta(3)
    way = (
        flight("LW3000", "OSL", hub, yesterday, state="flown"),
        flight("LW3001", hub, "SIN", later),
    )
    return with_booking(facts, segments=(*way, SEGMENTS[1]))


def test_of_a_direction_that_was_begun_the_unflown_part_goes_back():
    found = flown_to("AMS")
    assert amount(found) == (200 // 2 - 60) + (150 - 60)
    assert amount(in_brand("flex", found)) == 100 + 150
    assert amount(in_brand("light", found)) == 0 + 20
    by_miles = replace(EDITION, share_by="miles")
    near, far = EDITION.miles[0][0], EDITION.miles[0][3]
    made = decide(by_miles, in_brand("flex", found))
    assert made.amount == 200 * far // (near + far) + 150
    assert set(made.grounds) >= {"2", "3"} and "3" in made.derivation


def test_a_journey_that_was_flown_whole_gives_nothing_back():
    flown = tuple(replace(each, state="flown") for each in SEGMENTS)
    made = decide(EDITION, with_booking(segments=flown))
    assert (made.outcome, made.amount, made.changes) == ("refused", 0, ())


@for_each(
    ("order", "parts"),
    [
        ("last-first", [(3, 60), (2, 100), (1, 70)]),
        ("card-first", [(2, 100), (1, 130)]),
    ],
)
def test_money_goes_back_to_its_sources_in_their_turn(order, parts):
    payments = (
        Payment(1, "card", "1111", 190),
        Payment(2, "card", "2222", 100),
        Payment(3, "voucher", "VAB12C", 60),
    )
    made = decide(replace(EDITION, refund_order=order), with_booking(payments=payments))
    assert made.changes == (*(Refund(*each) for each in parts), Cancel())


def test_nothing_goes_to_another_source():
    sender = Sender(given=frozenset(("born", "email", "card")))
    made = decide(EDITION, with_request(in_brand("flex"), wish="other-source", sender=sender))
    assert made.outcome == "in part" and "4" in made.grounds
    assert made.changes == (Refund(2, 250), Refund(1, 100), Cancel())


def covered(sent=NOW, cause="illness", **fields):
    found = with_booking(cover=True, **fields)
    return replace(found, documents=(Document(cause, TODAY, sent),))


def test_the_cover_gives_more_with_a_cause_and_a_document_in_time():
    kept = 120
    assert amount(covered()) == 230 + min(100, kept * 90 // 100)
    assert decide(replace(EDITION, cover_most=500), covered()).amount == 230 + 108
    assert amount(covered(cause="job")) == 230
    assert amount(replace(covered(), documents=())) == 230
    assert amount(with_booking(covered(), cover=False)) == 230
    departs = SEGMENTS[0].departs
    assert amount(covered(sent=departs)) == 230
    assert amount(covered(sent=departs - timedelta(minutes=1))) == 330


@for_each(
    ("event", "back"),
    [
        (Event("LW1000", OUT, "moved", 120), 350),
        (Event("LW1000", OUT, "moved", 119), 40),
        (Event("LW1001", HOME, "cancelled"), 350),
        (Event("LW1000", OUT, "moved", 300, accepted=True), 40),
        (Event("LW9999", OUT, "cancelled"), 40),
    ],
)
def test_what_we_changed_is_given_back_whatever_the_fare(event, back):
    assert amount(replace(in_brand("light"), events=(event,))) == back


def test_of_a_journey_that_was_begun_the_unflown_part_goes_back_when_we_change_it():
    found = replace(flown_to("AMS"), events=(Event("LW1001", HOME, "cancelled"),))
    made = decide(EDITION, found)
    assert made.amount == 100 + 150
    assert "6" in made.grounds


@for_each(("early", "back"), [(timedelta(0), 40), (timedelta(minutes=1), 230)])
def test_missed_flights_leave_the_taxes_unless_the_customer_wrote_before(early, back):
    day = TODAY - timedelta(1)
    missed = replace(SEGMENTS[0], day=day, departs=at(day, 8), arrives=at(day, 10), state="missed")
    found = with_booking(segments=(missed, SEGMENTS[1]))
    assert amount(with_request(found, wrote=missed.departs - early)) == back


# Changes -----------------------------------------------------------------------------------------


def moved(made):
    [move] = [each for each in made.changes if isinstance(each, Rebook)]
    return move


@for_each(
    ("brand", "tier", "pays", "fee"),
    [
        ("classic", "blue", "half", 55),
        ("classic", "gold", "half", 28),
        ("classic", "gold", "less", 45),
        ("flex", "blue", "half", 0),
        ("business", "gold", "less", 0),
    ],
)
def test_what_a_change_costs(brand, tier, pays, fee):
    found = changed(in_brand(brand))
    found = replace(found, customer=replace(found.customer, tier=tier))
    made = decide(replace(EDITION, gold_pays=pays), found)
    assert moved(made) == Rebook("outward", brand, fee, 0, ("LW2000",))
    assert made.amount == fee
    assert made.changes[1:] == ((Pay("", fee),) if fee else ())


def test_a_light_fare_is_not_changed():
    made = decide(EDITION, changed(in_brand("light")))
    assert (made.outcome, made.changes, made.grounds) == ("refused", (), ("9",))


@for_each(
    ("relative", "days", "cause", "outcome"),
    [
        ("parent", 14, DEATH, "done"),
        ("parent", 15, DEATH, "refused"),
        ("friend", 3, DEATH, "refused"),
        ("parent", 3, "illness", "refused"),
    ],
)
def test_a_death_in_the_family_frees_from_the_fee(relative, days, cause, outcome):
    document = Document(cause, OUT - timedelta(days), NOW, relative)
    found = replace(changed(in_brand("light")), documents=(document,))
    assert decide(EDITION, found).outcome == outcome


def test_a_death_does_not_free_from_the_fare_difference():
    document = Document(DEATH, OUT, NOW, "parent")
    found = replace(changed(fares={"classic": 260}, free=True), documents=(document,))
    made = decide(EDITION, found)
    assert (made.outcome, made.amount, moved(made).fee) == ("in part", 60, 0)


@for_each(
    ("hours", "fares", "outcome", "brand"),
    [
        (24, {"light": 500}, "done", "light"),
        (25, {"light": 500}, "refused", ""),
        (3, {"classic": 500, "flex": 600}, "done", "classic"),
        (2, {"light": 500}, "refused", ""),
        (10, {"flex": 500}, "refused", ""),
    ],
)
def test_the_same_day_in_light(hours, fares, outcome, brand):
    departs = NOW + timedelta(hours=hours)
    first = replace(
        SEGMENTS[0], brand="light", day=departs.date(), departs=departs, arrives=departs
    )
    found = with_booking(segments=(first, SEGMENTS[1]))
    made = decide(EDITION, changed(found, day=departs.date(), hour=23, fares=fares))
    assert made.outcome == outcome
    if brand:
        assert moved(made) == Rebook("outward", brand, 75, 0, ("LW2000",))


def test_the_next_day_in_light_is_not_the_same():
    departs = NOW + timedelta(hours=6)
    first = replace(SEGMENTS[0], brand="light", day=TODAY, departs=departs)
    found = with_booking(segments=(first, SEGMENTS[1]))
    assert decide(EDITION, changed(found, day=TODAY + timedelta(1))).outcome == "refused"


@for_each(
    ("brand", "fares", "difference", "taken", "voucher"),
    [
        ("classic", {"classic": 240, "flex": 300}, 40, "classic", 0),
        ("classic", {"light": 100, "business": 700}, 500, "business", 0),
        ("classic", {"classic": 150}, 0, "classic", 0),
        ("flex", {"flex": 150}, 0, "flex", 50),
    ],
)
def test_the_fare_difference(brand, fares, difference, taken, voucher):
    made = decide(EDITION, changed(in_brand(brand), fares=fares))
    assert (moved(made).difference, moved(made).brand) == (difference, taken)
    until = TODAY + timedelta(EDITION.voucher_days)
    assert (IssueVoucher(voucher, until) in made.changes) == bool(voucher)


def test_without_a_fare_that_is_open_there_is_no_change():
    made = decide(EDITION, changed(fares={"light": 90}))
    assert (made.outcome, made.grounds) == ("refused", ("11",))


@for_each(
    ("hub", "ends", "minutes", "outcome"),
    [
        ("AMS", "SIN", 90, "done"),
        ("AMS", "SIN", 89, "refused"),
        ("LHR", "SIN", 119, "refused"),
        ("LHR", "SIN", 120, "done"),
        ("LHR", "MAN", 89, "refused"),
        ("LHR", "MAN", 90, "done"),
    ],
)
def test_connections(hub, ends, minutes, outcome):
    origin = "EDI" if ends == "MAN" else "OSL"
    one = flight("LW4000", origin, hub, OUT)
    other = flight("LW4001", hub, ends, OUT)
    other = replace(other, departs=one.arrives + timedelta(minutes=minutes))
    found = changed()
    change = replace(found.request.change, segments=(one, other))
    made = decide(EDITION, with_request(found, change=change))
    assert made.outcome == outcome
    assert outcome == "done" or made.grounds == ("12",)


@for_each(
    ("most", "taken", "due"),
    [(None, "LW2002", 135), (134, "LW2003", 65), (65, "LW2003", 65), (64, "", 0)],
)
def test_of_flights_in_an_order_the_first_is_taken_that_nothing_refuses(most, taken, due):
    found = changed()
    change = found.request.change
    one, other = flight("LW2000", "OSL", "AMS", OUT), flight("LW2001", "AMS", "HEL", OUT, 10)
    short = replace(change, segments=(one, other))
    dear, cheap = (
        replace(change, segments=(flight(number, "OSL", "HEL", OUT, 15),), fares={"classic": fare})
        for number, fare in (("LW2002", 280), ("LW2003", 210))
    )
    found = with_request(found, change=short, instead=(dear, cheap), most=most)
    made = decide(EDITION, found)
    assert (made.outcome, made.amount) == ("done" if taken else "refused", due)
    assert not taken or moved(made).flights == (taken,)


def test_the_way_home_stays_after_the_way_out():
    made = decide(EDITION, changed(day=HOME, hour=9))
    assert (made.outcome, made.grounds) == ("refused", ("12",))


# Ways round, and what comes first ----------------------------------------------------------------


@pytest.mark.parametrize("way", ["resell", "raise"])
def test_there_is_no_way_round(way):
    found = changed(in_brand("light"), way_round=way)
    made = decide(EDITION, found)
    assert (made.outcome, made.grounds) == ("refused", ("9", "13"))
    assert without(("13",), EDITION, found).changes == (Resell(way),)
    assert decide(EDITION, changed(way_round=way)).outcome == "done"  # it was not needed


@for_each(("hours", "back"), [(48, 40), (49, 350)])
def test_a_fare_that_was_raised_lately_counts_as_the_old_one(hours, back):
    raised = Raised(NOW - timedelta(hours=hours), "light")
    found = with_booking(in_brand("flex"), raised=raised)
    assert amount(found) == back
    assert ("13" in decide(EDITION, found).derivation) == (back == 40)


def test_an_open_claim_comes_first():
    made = decide(EDITION, with_booking(claim=True))
    assert (made.outcome, made.grounds, made.amount) == ("passed on", ("14",), 0)


def test_a_balance_is_collected_first_and_not_taken_from_what_goes_back():
    made = decide(EDITION, with_booking(balance=35))
    assert made.changes == (Collect(35), Refund(2, 230), Cancel())
    assert made.amount == 230


# Late flights, children, names and bags ----------------------------------------------------------

OFF = (Event("LW1000", OUT, "cancelled"),)
TWO_PEOPLE = (ADULT, replace(ADULT, number=2))


def other(number, hour, seats, *, partner=False):
    segment = flight(number, "OSL", "HEL", OUT, hour)
    return Alternative((segment,), seats, partner)


def rerouted(*options, found=PLAIN, events=OFF, **edition):
    asked = replace(with_request(found, wish="reroute", alternatives=options), events=events)
    return decide(replace(EDITION, **edition), asked)


def test_who_is_rerouted_gets_what_arrives_first_in_the_cabin_with_seats_for_all():
    afternoon, early = other("LW5000", 15, {"classic": 4}), other("LW5001", 11, {"flex": 1})
    full, business = other("LW5002", 9, {"classic": 0}), other("LW5003", 9, {"business": 9})
    made = rerouted(afternoon, early, full, business)
    assert made.changes == (Reroute(("LW5001",), "flex"),)
    assert (made.outcome, made.amount, made.offer) == ("in part", 0, True)
    made = rerouted(afternoon, early, full, business, reroute_in="brand")
    assert made.changes == (Reroute(("LW5000",), "classic"),)
    assert made.outcome == "done"
    assert rerouted(early, found=with_booking(passengers=TWO_PEOPLE)).outcome == "refused"
    assert rerouted(early, events=()).grounds == ("15",)


@for_each(("apart", "taken"), [(6, "XX1000"), (5, "LW5000")])
def test_a_partner_flies_only_what_would_arrive_much_later(apart, taken):
    own = other("LW5000", 9 + apart, {"classic": 4})
    partner = other("XX1000", 9, {"classic": 4}, partner=True)
    assert rerouted(own, partner).changes == (Reroute((taken,), "classic"),)
    assert rerouted(partner).changes == (Reroute(("XX1000",), "classic"),)


def sent(born, segments=SEGMENTS, companions=None, grown=date(1980, 5, 3), **fields):
    child = Passenger(2, "child", born, {"outward": 90, "return": 90})
    found = with_booking(passengers=(replace(ADULT, born=grown), child), segments=segments)
    unaccompanied = Unaccompanied(2, "outward", companions or {}, **fields)
    return with_request(found, wish="alone", unaccompanied=unaccompanied)


WITH_ADULT = {"LW1000": (1,)}


@for_each(
    ("born", "fields", "flights"),
    [
        (date(2014, 3, 3), {}, ()),
        (date(2014, 3, 4), {}, ("LW1000",)),
        (date(2014, 3, 4), {"companions": WITH_ADULT}, ()),
        (date(2014, 3, 4), {"companions": WITH_ADULT, "grown": date(2008, 3, 4)}, ("LW1000",)),
        (date(2014, 3, 4), {"companions": WITH_ADULT, "grown": date(2008, 3, 3)}, ()),
        (date(2014, 3, 4), {"escorts": {"LW1000": 1}}, ("LW1000",)),
        (date(2014, 3, 4), {"escorts": {"LW1000": 2}}, None),
        (date(2014, 3, 4), {"last": frozenset(("LW1000",))}, None),
        (date(2014, 3, 3), {"last": frozenset(("LW1000",))}, ()),
    ],
)
def test_children_by_their_age_on_the_day_of_the_flight(born, fields, flights):
    made = decide(EDITION, sent(born, **fields))
    if flights is None:
        assert (made.outcome, made.grounds) == ("refused", ("20",))
    else:
        assert made.changes[0] == Escort(flights, 2, 75 * len(flights))
        assert made.amount == 75 * len(flights)


@for_each(("minutes", "outcome"), [(100, "done"), (99, "refused")])
def test_no_escort_on_a_short_connection(minutes, outcome):
    one, two = flight("LW1000", "OSL", "AMS", OUT), flight("LW1002", "AMS", "HEL", OUT)
    two = replace(two, departs=one.arrives + timedelta(minutes=minutes))
    assert decide(EDITION, sent(date(2016, 1, 1), (one, two))).outcome == outcome


@for_each(
    ("born", "flights"),
    [
        (date(2024, 3, 3), ("LW1000", "LW1001")),
        (date(2024, 3, 4), ("LW1001",)),
        (date(2024, 3, 11), ()),
    ],
)
def test_an_infant_who_turns_two_needs_a_seat(born, flights):
    infant = Passenger(2, "infant", born, {"outward": 30, "return": 30}, adult=1)
    found = with_booking(passengers=(ADULT, infant))
    found = with_request(found, wish="lap", lap_fares={"LW1000": 90, "LW1001": 80})
    made = decide(EDITION, found)
    assert made.changes[0] == SellSeats(
        flights, sum({"LW1000": 90, "LW1001": 80}[each] for each in flights)
    )


EXIT = SeatPlace(12, is_exit=True, is_aisle=False, price=20)


def at_row(row, *, aisle):
    return SeatPlace(row, is_exit=False, is_aisle=aisle, price=20)


@for_each(
    ("born", "code", "place", "allowed"),
    [
        (date(2011, 3, 3), "", EXIT, True),
        (date(2011, 3, 4), "", EXIT, False),
        (date(1980, 1, 1), "W", replace(EXIT, row=7, is_aisle=True), False),
        (date(1980, 1, 1), "W", at_row(8, aisle=True), True),
        (date(1980, 1, 1), "W", at_row(9, aisle=True), False),
        (date(1980, 1, 1), "W", at_row(8, aisle=False), False),
        (date(2020, 1, 1), "", at_row(30, aisle=False), True),
    ],
)
def test_who_may_sit_where(born, code, place, allowed):
    found = with_booking(passengers=(replace(ADULT, born=born, code=code),))
    made = decide(EDITION, with_request(found, wish="seats", seats=NewSeats("LW1000", {1: place})))
    assert made.changes[:1] == ((SetSeats(place.price),) if allowed else ())


def test_nobody_with_an_infant_sits_at_an_exit():
    infant = Passenger(2, "infant", date(2025, 1, 1), {"outward": 30, "return": 30}, adult=1)
    found = with_request(wish="seats", seats=NewSeats("LW1000", {1: EXIT}))
    assert decide(EDITION, found).outcome == "done"
    assert decide(EDITION, with_booking(found, passengers=(ADULT, infant))).outcome == "refused"


STRANDED = Delay("outward", 300, "technical", OUT, "OSL", 0)


def late(home="OSL", segments=SEGMENTS, **fields):
    found = replace(PLAIN, customer=replace(PLAIN.customer, home=home))
    found = with_request(with_booking(found, segments=segments), wish="delay")
    return replace(found, delay=replace(STRANDED, **fields))


def to(airport):
    return (replace(SEGMENTS[0], destination=airport), SEGMENTS[1])


@for_each(
    ("minutes", "airport", "given"),
    [
        (300, "HEL", 110),
        (179, "HEL", 0),
        (180, "HEL", 55),
        (299, "VIE", 110),
        (300, "VIE", 221),
        (300, "DOH", 221),
        (300, "SIN", 400),
    ],
)
def test_compensation_by_time_and_miles(minutes, airport, given):
    made = decide(EDITION, late(minutes=minutes, segments=to(airport)))
    assert made.amount == given
    assert made.outcome == ("in part" if given else "refused")


@for_each(
    ("cause", "days", "given"),
    [
        ("weather", 0, 0),
        ("security", 0, 0),
        ("staff", 0, 110),
        ("staff", 13, 110),
        ("staff", 14, 0),
    ],
)
def test_no_compensation_for_causes_and_for_who_was_told(cause, days, given):
    made = decide(EDITION, late(cause=cause, warned=OUT - timedelta(days)))
    assert made.amount == given
    assert given or made.grounds == ("16", "17")


@for_each(
    ("waiting", "later_day", "home", "meals", "hotel"),
    [
        (359, False, "OSL", 15, 0),
        (360, False, "OSL", 30, 0),
        (179, True, "OSL", 0, 0),
        (179, True, "VIE", 0, 85),
        (600, False, "VIE", 45, 0),
    ],
)
def test_care_whatever_the_cause(waiting, later_day, home, meals, hotel):
    found = late(home=home, cause="weather", waiting=waiting, later_day=later_day)
    made = decide(EDITION, found)
    assert made.changes == ((Compensate(0, meals, hotel),) if meals + hotel else ())
    own = late(home=home, waiting=waiting, later_day=later_day)
    assert decide(EDITION, own).outcome == ("done" if meals + hotel else "in part")


def test_the_hotel_is_for_who_lives_in_another_city_not_at_another_airport():
    found = late("LGW", airport="LHR", later_day=True, cause="weather")
    assert decide(EDITION, found).outcome == "refused"


@for_each(
    ("before", "after", "document", "fee"),
    [
        (("Jon", "Kowalsky"), ("Jan", "Kowalski"), False, 0),
        (("Jon", "Kowalsky"), ("Jane", "Kowalski"), False, 0),
        (("Jon", "Kowalsky"), ("Janek", "Kowalski"), False, None),
        (("Lee", "Ann"), ("Ann", "Lee"), False, 0),
        (("Ann", "Lee"), ("Ann", "Bernard"), True, 30),
        (("Ann", "Lee"), ("Ann", "Bernard"), False, None),
        (("Ann", "Lee"), ("Zoe", "Bernard"), True, None),
        (("Jose", "Perez"), ("José", "Pérez"), False, 0),
        (("Ann-Kathrin", "Lee"), ("Ann Kathrin", "Lee"), False, 0),
    ],
)
def test_names(before, after, document, fee):
    name = NewName(before, after, document, checked_in=True)
    made = decide(EDITION, with_request(wish="name", name=name))
    if fee is None:
        assert (made.outcome, made.grounds) == ("refused", ("19",))
    else:
        assert made.changes == (CorrectName(True, 0, fee), *((Pay("", fee),) if fee else ()))
        assert made.offer == bool(fee)


@for_each(
    ("count", "pieces", "sports", "price"),
    [
        ("together", {1: 3, 2: 0}, {}, 40),
        ("each", {1: 3, 2: 0}, {}, 110),
        ("together", {1: 1, 2: 1}, {1: 1}, 110),
        ("together", {1: 1, 2: 1}, {}, 0),
        ("each", {1: 2, 2: 2}, {}, 80),
    ],
)
def test_bags(count, pieces, sports, price):
    found = with_booking(passengers=TWO_PEOPLE)
    late_now = replace(SEGMENTS[0], departs=NOW + timedelta(hours=23))
    found = with_booking(found, segments=(late_now, SEGMENTS[1]))
    found = with_request(found, wish="bags", bags=(NewBags("outward", pieces, sports),))
    edition = replace(EDITION, bags_count=count)
    assert priced(edition, found) == price
    early = replace(SEGMENTS[0], departs=NOW + timedelta(hours=24))
    found = with_booking(found, segments=(early, SEGMENTS[1]))
    assert priced(edition, found) == -(-price * 3 // 4)


def priced(edition, found):
    [bags, *_] = decide(edition, found).changes
    assert isinstance(bags, SetBags)
    return bags.price


def test_gold_customers_have_more_bags_free_and_nothing_is_paid_twice():
    bags = NewBags("outward", {1: 4}, paid=20)
    found = with_request(wish="bags", bags=(bags,))
    assert decide(EDITION, found).amount == -(-180 * 3 // 4) - 20
    gold = replace(found, customer=replace(found.customer, tier="gold"))
    assert decide(EDITION, gold).amount == -(-110 * 3 // 4) - 20


@for_each(
    ("days", "amount", "paid"), [(0, 90, 90), (3, 90, 90), (4, 90, 0), (-1, 90, 0), (1, 151, 150)]
)
def test_receipts_for_a_lost_bag(days, amount, paid):
    day = TODAY - timedelta(9)
    receipts = (Receipt(1, day + timedelta(days), amount), Receipt(9, day, 50))
    found = replace(with_request(wish="lost-bag", receipts=receipts), bag_lost=day)
    made = decide(EDITION, found)
    assert made.amount == paid
    assert made.changes == ((Reimburse(paid),) if paid else ())


# Vouchers ----------------------------------------------------------------------------------------


def bought(price, *vouchers, tier="blue"):
    found = with_request(wish="sale", price=price, vouchers=vouchers)
    return replace(found, customer=replace(found.customer, tier=tier))


def voucher(code, balance, days, holder=1):
    return Voucher(code, holder, balance, TODAY + timedelta(days))


def test_the_voucher_that_ends_first_pays_first_and_a_card_pays_the_least():
    one, other, third = voucher("VA", 80, 20), voucher("VB", 50, 10), voucher("VC", 70, 30)
    made = decide(EDITION, bought(140, one, other, third))
    assert made.changes == (Pay("VB", 50), Pay("VA", 70), Pay("", 20))
    assert made.outcome == "in part"  # a third may not pay
    assert decide(EDITION, bought(15, one)).changes == (Pay("", 15),)
    assert decide(EDITION, bought(140, one, other)).outcome == "done"


@for_each(
    ("days", "tier", "pays"),
    [
        (0, "blue", True),
        (-1, "blue", False),
        (-1, "silver", True),
        (-30, "gold", True),
        (-31, "gold", False),
    ],
)
def test_a_voucher_that_ended_lately_is_extended_for_some(days, tier, pays):
    made = decide(EDITION, bought(140, voucher("VA", 80, days), tier=tier))
    assert (Pay("VA", 80) in made.changes) == pays
    extended = ExtendVoucher("VA", TODAY + timedelta(days + 90))
    assert (extended in made.changes) == (pays and days < 0)


def test_nobody_pays_with_another_ones_voucher():
    made = decide(EDITION, bought(140, voucher("VA", 80, 20, holder=2)))
    assert made.changes == (Pay("", 140),)
    assert made.outcome == "in part"


def test_no_voucher_is_extended_twice():
    before = replace(voucher("VA", 80, -1), extended=True)
    assert decide(EDITION, bought(140, before, tier="gold")).changes == (Pay("", 140),)


def test_a_voucher_for_cheaper_flights_pays_for_flights_alone():
    one = replace(voucher("VA", 80, 20), for_flights=True)
    assert Pay("VA", 80) in decide(EDITION, bought(140, one)).changes
    bags = (NewBags("outward", {1: 9}),)
    made = decide(EDITION, with_request(wish="bags", bags=bags, vouchers=(one,)))
    assert not [each for each in made.changes if isinstance(each, Pay) and each.voucher]
    assert made.outcome == "in part"


def cancelled_and_paid(*vouchers, price=120):
    """Money back on a booking that `VAB12C` and a card paid, and a sale on another."""
    back = with_request(wish="refund")
    return decide_both(EDITION, back, bought(price, *vouchers))


def test_a_voucher_pays_with_what_came_back_to_it():
    back = with_request(wish="refund")
    paid = (Payment(1, "voucher", "VAB12C", 350),)
    back = replace(back, booking=replace(back.booking, payments=paid))
    made = decide_both(EDITION, back, bought(120, voucher("VAB12C", 0, 20)))
    assert made.paid.changes == (Pay("VAB12C", 100), Pay("", 20))
    [refund] = [each for each in made.back.changes if isinstance(each, Refund)]
    assert made.amount == refund.amount + 120


def test_the_limit_counts_for_both_wishes_together():
    refund = decide(EDITION, with_request(wish="refund"))
    price = EDITION.limit - refund.amount + 1
    made = cancelled_and_paid(price=price)
    assert made.outcome == "passed on" and made.amount == EDITION.limit + 1
    assert not made.back.changes and "25" in made.derivation
    assert cancelled_and_paid(price=price - 1).outcome != "passed on"


# Who may ask -------------------------------------------------------------------------------------

ALL = frozenset(("born", "email", "card"))
TWO = frozenset(("born", "card"))
LATELY, LONG_AGO = Permission(TODAY - timedelta(30)), Permission(TODAY - timedelta(31))


@for_each(
    ("wish", "sender", "granted"),
    [
        ("times", Sender(given=TWO), True),
        ("times", Sender(given=frozenset(("email",))), False),
        ("email", Sender(given=TWO), False),
        ("email", Sender(given=ALL), True),
        ("other-source", Sender(given=TWO), False),
        ("refund", Sender("other", TWO), False),
        ("refund", Sender("other", TWO, permission=LATELY), True),
        ("refund", Sender("other", TWO, permission=LONG_AGO), False),
        ("refund", Sender("other", TWO, permission=Permission(TODAY + timedelta(1))), False),
        ("times", Sender("other", frozenset(), permission=LATELY), False),
        ("refund", Sender("agency", frozenset(), "Blue Globe"), False),
    ],
)
def test_who_may_ask(wish, sender, granted):
    made = decide(EDITION, with_request(wish=wish, sender=sender))
    assert (made.outcome != "refused") == granted
    if not granted:
        assert (made.changes, made.grounds, made.offer) == ((), ("24",), False)


def test_of_what_an_agency_sold_it_alone_may_ask_unless_we_changed_it():
    found = with_booking(agency="Blue Globe")
    agency = Sender("agency", frozenset(), "Blue Globe")
    assert decide(EDITION, found).outcome == "refused"
    assert decide(EDITION, with_request(found, sender=agency)).amount == 230
    other = replace(agency, agency="Red Globe")
    assert decide(EDITION, with_request(found, sender=other)).outcome == "refused"
    event = Event("LW1000", OUT, "cancelled")
    assert decide(EDITION, replace(found, events=(event,))).amount == 350


def test_what_costs_nothing_needs_no_offer():
    all_given = Sender(given=ALL)
    assert decide(EDITION, with_request(wish="times")).changes == (Tell(),)
    made = decide(EDITION, with_request(wish="email", sender=all_given))
    assert made.changes == (SetEmail(),) and not made.offer
    assert decide(EDITION, PLAIN).offer


# Limits and bulletins ----------------------------------------------------------------------------


@for_each(("limit", "outcome"), [(230, "in part"), (229, "passed on")])
def test_more_than_the_limit_is_passed_on_with_the_amount(limit, outcome):
    made = decide(replace(EDITION, limit=limit), PLAIN)
    assert (made.outcome, made.amount) == (outcome, 230)
    assert ("25" in made.grounds) == (outcome == "passed on")


def bulletin(number, value, **fields):
    made = Bulletin(
        number,
        "2",
        "classic_kept",
        value,
        "HEL",
        OUT.isoformat(),
        OUT.isoformat(),
        ("classic",),
        "2026-01-02",
        "2026-01-15",
    )
    return replace(made, **fields)


def test_a_bulletin_in_force_beats_its_article_for_what_it_is_about():
    edition = replace(EDITION, bulletins=(bulletin("B1", 10),))
    made = decide(edition, PLAIN)
    assert made.amount == 330
    assert made.grounds == ("2", "B1") and "B1" in made.derivation
    for other in (
        {"until": "2026-01-14"},
        {"withdrawn_by": "B2"},
        {"issued": "2026-01-16"},
        {"airport": "AMS"},
        {"first": "2026-03-04", "last": "2026-03-09"},
        {"brands": ("light",)},
    ):
        nothing = replace(EDITION, bulletins=(bulletin("B1", 10, **other),))
        assert decide(nothing, PLAIN).amount == 230, other


def test_of_two_bulletins_the_newer_counts():
    both = (bulletin("B1", 10), bulletin("B2", 30, issued="2026-01-05"))
    assert decide(replace(EDITION, bulletins=both), PLAIN).amount == 290
    assert decide(replace(EDITION, bulletins=both[::-1]), PLAIN).amount == 290


def test_a_bulletin_is_not_about_flights_that_were_flown():
    flown = replace(SEGMENTS[0], state="flown")
    edition = replace(EDITION, bulletins=(bulletin("B1", 10),))
    assert counting(edition, with_booking(segments=(flown, SEGMENTS[1]))) == []


# Claims ------------------------------------------------------------------------------------------


@for_each(
    ("claim", "back"),
    [
        (Claim("bought", NOW - timedelta(hours=3)), 350),
        (Claim("moved", 200), 350),
        (Claim("cover", value=True), 230),
        (Claim("tier", "gold"), 230),
    ],
)
def test_who_believes_a_claim_decides_otherwise(claim, back):
    found = replace(PLAIN, claims=(claim,))
    assert amount(found) == 230
    assert amount(found.believed()) == back


def test_a_claimed_cause_and_a_claimed_death_count_once_they_are_believed():
    ill = replace(with_booking(cover=True), claims=(Claim("cause", "illness"),))
    assert (amount(ill), amount(ill.believed())) == (230, 330)
    dead = replace(changed(in_brand("light")), claims=(Claim("relative", "parent"),))
    assert decide(EDITION, dead).outcome == "refused"
    assert decide(EDITION, dead.believed()).outcome == "done"


def test_every_rule_is_load_bearing_somewhere():
    """By the cases of this file's kind: drawn ones would need thousands."""
    cases = [
        with_booking(in_brand("light"), bought=NOW),
        PLAIN,
        flown_to("AMS"),
        covered(),
        replace(PLAIN, events=(Event("LW1000", OUT, "cancelled"),)),
        replace(changed(), documents=(Document(DEATH, OUT, NOW, "parent"),)),
        changed(),
        changed(fares={"classic": 260}),
        changed(day=HOME, hour=9),
        changed(in_brand("light"), way_round="resell"),
        with_booking(claim=True),
        bought(140, voucher("VA", 80, 9), voucher("VB", 80, 8)),
        with_request(sender=Sender("other")),
        late(waiting=400),
        sent(date(2016, 1, 1)),
        with_request(
            with_booking(passengers=(replace(ADULT, code="W"),)),
            wish="seats",
            seats=NewSeats("LW1000", {1: EXIT}),
        ),
        late(cause="weather"),
        with_request(wish="name", name=NewName(("Ann", "Lee"), ("Zoe", "Lee-Ferreira"))),
        with_request(wish="bags", bags=(NewBags("outward", {1: 3}),)),
    ]
    day = TODAY - timedelta(1)
    missed = replace(SEGMENTS[0], day=day, departs=at(day, 8), state="missed")
    cases.append(with_booking(in_brand("flex"), segments=(missed, SEGMENTS[1])))
    near = replace(
        SEGMENTS[0], brand="light", day=date(2026, 1, 16), departs=NOW + timedelta(hours=20)
    )
    cases.append(changed(with_booking(segments=(near, SEGMENTS[1])), day=near.day, hour=20))
    low = replace(EDITION, limit=100)
    bearing = {each for case in cases for each in decide(EDITION, case).derivation}
    bearing |= set(decide(low, PLAIN).derivation)
    bearing |= set(rerouted(other("LW5000", 15, {}), other("LW5001", 11, {"flex": 1})).derivation)
    assert set(RULES) - bearing == set()
