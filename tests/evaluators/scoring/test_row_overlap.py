"""The score of level 2: all row changes of the gold, and no other."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.scoring.context import ScoringContext, scorer
from evaluators.scoring.scorers.crm.row_overlap import made, overlap
from scenarios.scenario import Scenario
from sites.crm.base.row_changes import changed
from sites.crm.base.row_names import standing
from tests.evaluators.scoring.booking_rows import (
    DAY,
    FLIGHT,
    bag,
    booking,
    edited,
    failed,
    fee,
    journal,
    pages,
    passenger,
    payment,
    refund,
    scored,
    seat,
    segment,
    snapshot,
    with_rows,
    without,
)
from tests.measuring import DEEP

START = snapshot()


def gold_of(after, **more):
    """The gold whose changes lead from the start to this snapshot."""
    return {"changes": sorted(made(START, after), key=str), **more}


# Keys --------------------------------------------------------------------------------------------


def test_rows_of_the_start_keep_their_number_and_new_ones_are_known_by_what_they_say():
    after = with_rows(
        edited(START, "passengers", 1, last_name="Lunde"),
        passengers=[
            passenger("KQ7XBM", 3, "NORA", "Berg", kind="child", born="2016-05-01"),
            passenger("KQ7XBM", 4, "Ole", "Berg", kind="infant", adult=3),
            passenger("KQ7XBM", 5, "Per", "Berg", kind="infant", adult=1),
        ],
        seats=[seat("KQ7XBM", 3, "15A"), seat("KQ7XBM", 2, "15B")],
        bags=[bag("KQ7XBM", 3, 1)],
        payments=[payment("KQ7XBM", 9, 80, "voucher", "V1")],
        refunds=[refund("KQ7XBM", 1, 7, 30), refund("KQ7XBM", 2, 9, 5)],
        fees=[fee("KQ7XBM", 1, "change", 40, 3), fee("KQ7XBM", 2, "service", 10)],
        checkins=[{"reference": "KQ7XBM", "passenger": 3, "flight": FLIGHT, "date": DAY}],
    )
    seen = made(START, after)
    assert ("passengers", "KQ7XBM/2", "last_name", "lunde") in seen
    assert ("passengers", "KQ7XBM/nora/berg", "kind", "child") in seen
    assert ("passengers", "KQ7XBM/ole/berg", "adult", "nora/berg") in seen
    assert ("passengers", "KQ7XBM/per/berg", "adult", "1") in seen
    assert {each for each in seen if each[0] not in ("passengers",)} == {
        ("seats", f"KQ7XBM/nora/berg/{FLIGHT}/{DAY}", "seat", "15A"),
        ("seats", f"KQ7XBM/2/{FLIGHT}/{DAY}", "seat", "15B"),
        ("bags", "KQ7XBM/nora/berg/outward", "pieces", 1),
        ("payments", "KQ7XBM/voucher/V1", "amount", 80),
        ("refunds", "KQ7XBM/7", "amount", 30),
        ("refunds", "KQ7XBM/voucher/V1", "amount", 5),
        ("fees", "KQ7XBM/change/nora/berg", "amount", 40),
        ("fees", "KQ7XBM/service/", "amount", 10),
        ("checkins", f"KQ7XBM/nora/berg/{FLIGHT}/{DAY}", "", True),
    }


def test_bookings_that_were_made_are_numbered_and_know_their_new_customer():
    after = with_rows(
        START,
        customers=[{"number": 2, "first_name": "Eva", "last_name": "Moe", "tier": "Gold"}],
        bookings=[booking("AAAAAA", customer=2), booking("BBBBBB")],
        passengers=[passenger("BBBBBB", 1, "Eva", "Moe")],
    )
    seen = made(START, after)
    assert ("bookings", "new", "customer", "new/eva/moe") in seen
    assert ("bookings", "new-2", "customer", "1") in seen
    assert ("customers", "new/eva/moe", "tier", "Gold") in seen
    assert ("passengers", "new-2/eva/moe", "born", "1980-01-01") in seen
    assert not any("BBBBBB" in str(each) or "bought" in each for each in seen)


def test_a_row_that_went_is_one_change():
    assert made(START, without(START, "passengers", 1)) == {("passengers", "KQ7XBM/2", "", None)}


def test_new_lines_of_the_history_do_not_count_and_changed_ones_do():
    row = {"number": 2, "reference": "KQ7XBM", "at": "t", "entry": "seat given"}
    assert made(START, with_rows(START, history=[row])) == frozenset()
    altered = made(START, edited(START, "history", 0, entry="never sold"))
    assert altered == {("history", "KQ7XBM/1", "entry", "never sold")}


def test_the_journal_is_no_change():
    assert made(START, with_rows(START, log_pages=pages(("board", "OSL")))) == frozenset()


def test_two_equal_refunds_are_two():
    once = with_rows(START, refunds=[refund("KQ7XBM", 1, 7, 50)])
    twice = with_rows(once, refunds=[refund("KQ7XBM", 2, 7, 50)])
    assert made(START, twice) - made(START, once) == {("refunds", "KQ7XBM/7 (2)", "amount", 50)}
    assert failed(scored(gold_of(once), START, twice)) == ["money"]
    listed = [["refunds", "KQ7XBM/7", "amount", 50]] * 2
    assert scored({"changes": listed}, START, twice).success


def test_people_of_one_name_are_told_apart_by_birth():
    def after(*born):
        people = [
            passenger("KQ7XBM", 3 + place, "Jon", "Moe", born=year, title=title)
            for place, (year, title) in enumerate(born)
        ]
        return with_rows(START, passengers=people)

    father, son = ("1970-01-01", "Dr"), ("1999-01-01", "Mr")
    assert made(START, after(father, son)) == made(START, after(son, father))
    mixed = after(("1970-01-01", "Mr"), ("1999-01-01", "Dr"))
    assert made(START, after(father, son)) != made(START, mixed)


def test_a_table_that_nobody_listed_counts_by_what_its_rows_hold():
    after = with_rows(START, lounge=[{"reference": "KQ7XBM", "guest": "Bo"}])
    assert failed(scored(gold_of(after), START, START)) == ["booking"]
    assert scored(gold_of(after), START, after).success


def test_a_gold_may_hold_nothing_that_stands_at_the_start():
    after = edited(with_rows(START, bags=[bag("KQ7XBM", 1, 1)]), "seats", 0, seat="15B")
    assert standing(made(START, without(after, "passengers", 1)), START) == []
    held = [
        ["seats", f"KQ7XBM/1/{FLIGHT}/{DAY}", "seat", "14C"],
        ["passengers", "KQ7XBM/bo/lund", "title", "Ms"],
        ["passengers", "KQ7XBM/2", "first_name", "BO"],
        ["payments", "KQ7XBM/card/4242", "amount", 300],
        ["passengers", "KQ7XBM/9", "", None],
        ["vouchers", "V1", "", True],
    ]
    assert len(standing(held, START)) == len(held)


# Checks ------------------------------------------------------------------------------------------

SOLD = with_rows(
    START,
    bookings=[booking("AAAAAA")],
    segments=[segment("AAAAAA"), segment("AAAAAA", "return", flight="LW2042", date="2026-03-22")],
    passengers=[passenger("AAAAAA", 1, "Eva", "Moe"), passenger("AAAAAA", 2, "Leo", "Moe")],
    seats=[seat("AAAAAA", 1, "10A"), seat("AAAAAA", 2, "10B")],
    bags=[bag("AAAAAA", 1, 1)],
    payments=[payment("AAAAAA", 9, 510)],
)
GOLD = gold_of(SOLD)
SLIPS = {
    "wrong flight": (edited(SOLD, "segments", 2, flight="LW9999"), ["flights"]),
    "one way only": (without(SOLD, "segments", 3), ["flights"]),
    "a stop too many": (with_rows(SOLD, segments=[segment("AAAAAA", place=2)]), ["flights"]),
    "wrong birth": (edited(SOLD, "passengers", 3, born="1981-01-01"), ["passengers"]),
    "one more person": (
        with_rows(SOLD, passengers=[passenger("AAAAAA", 3, "Ida", "Moe")]),
        ["passengers"],
    ),
    "wrong seat": (edited(SOLD, "seats", 1, seat="11A"), ["seats"]),
    "no seat": (without(SOLD, "seats", 2), ["seats"]),
    "a bag for the other too": (with_rows(SOLD, bags=[bag("AAAAAA", 2, 1)]), ["bags"]),
    "two bags": (edited(SOLD, "bags", 0, pieces=2), ["bags"]),
    "another card": (edited(SOLD, "payments", 2, source="1111"), ["money"]),
    "a fee": (with_rows(SOLD, fees=[fee("AAAAAA", 1, "service", 10)]), ["money"]),
    "light": (edited(SOLD, "bookings", 2, brand="light"), ["booking"]),
    "the other booking cancelled": (
        edited(SOLD, "bookings", 1, status="cancelled"),
        ["nothing else"],
    ),
    "a refund of the other booking": (
        with_rows(SOLD, refunds=[refund("ZZ9YYY", 1, 8, 120)]),
        ["nothing else"],
    ),
    "sold twice": (
        with_rows(SOLD, bookings=[booking("BBBBBB")], segments=[segment("BBBBBB")]),
        ["nothing else"],
    ),
    "a customer made": (
        with_rows(SOLD, customers=[{"number": 2, "first_name": "Eva", "last_name": "Moe"}]),
        ["nothing else"],
    ),
    "a customer changed": (edited(SOLD, "customers", 0, tier="Gold"), ["nothing else"]),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_each_slip_fails_the_check_of_its_table(slip):
    after, names = SLIPS[slip]
    seen = scored(GOLD, START, after)
    assert failed(seen) == names and not seen.success and seen.progress <= 0.99
    assert seen.failure == "missed detail" and list(seen.missed) == names


def test_a_wrong_value_is_no_collateral_and_a_row_too_many_is():
    assert scored(GOLD, START, SLIPS["wrong seat"][0]).collateral == ()
    seen = scored(GOLD, START, SLIPS["the other booking cancelled"][0])
    assert seen.collateral == ("bookings ZZ9YYY status cancelled",)


def test_all_that_was_asked_for_is_a_success():
    seen = scored(GOLD, START, SOLD)
    assert (seen.success, seen.success_published, seen.progress) == (True, True, 1.0)
    assert (seen.collateral, seen.gold_action_recall, seen.failure) == ((), 1.0, "")


def test_doing_nothing_scores_nothing():
    seen = scored(GOLD, START, START, "done")
    assert (seen.success, seen.progress, seen.actions) == (False, 0.0, 0)
    assert (seen.gold_action_recall, seen.failure) == (0.0, "gave up")
    assert "nothing else" not in failed(seen)


def test_another_voucher_than_asked_for_is_something_else():
    more = {"code": "V2", "customer": 1, "balance": 90, "expires": "2026-06-01"}
    start = with_rows(START, vouchers=[more])
    gold = {"changes": [["vouchers", "V1", "balance", 0]]}
    assert scored(gold, start, edited(start, "vouchers", 0, balance=0)).success
    wrong = scored(gold, start, edited(start, "vouchers", 1, balance=0))
    assert failed(wrong) == ["money", "nothing else"]
    assert wrong.collateral == ("vouchers V2 balance 0",)


def test_the_order_of_passengers_and_payments_does_not_count():
    other = {**SOLD, "passengers": SOLD["passengers"][:3]}
    other = with_rows(
        other,
        passengers=[passenger("AAAAAA", 1, "leo", "MOE"), passenger("AAAAAA", 2, "Eva", "Moe")],
    )
    other["seats"] = [*START["seats"], seat("AAAAAA", 1, "10B"), seat("AAAAAA", 2, "10A")]
    other["bags"] = [bag("AAAAAA", 2, 1)]
    assert scored(GOLD, START, other).success


# Progress ----------------------------------------------------------------------------------------


def test_progress_is_the_overlap_of_changes():
    seated = with_rows(START, seats=[seat("KQ7XBM", 2, "15B")])
    after = with_rows(seated, bags=[bag("KQ7XBM", 1, 1), bag("KQ7XBM", 2, 1)])
    assert scored(gold_of(after), START, seated).progress == pytest.approx(1 / 3, abs=1e-4)
    beside = edited(seated, "bookings", 1, status="cancelled")
    assert scored(gold_of(after), START, beside).progress == 0.25


def test_what_was_undone_stays_unless_it_was_asked_for():
    """An extra that was undone counts as much as one that stands, and undoing counts nothing."""
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1), bag("KQ7XBM", 2, 1)])
    gold = gold_of(wanted)
    half = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    moved = edited(half, "seats", 0, seat="20F")
    plain = scored(gold, START, half | {"log_commits": journal(START, half)})
    left = scored(gold, START, moved | {"log_commits": journal(START, half, moved)})
    undone = scored(gold, START, half | {"log_commits": journal(START, half, moved, half)})
    twice = journal(START, half, START, half)
    taken_back = scored(gold, START, half | {"log_commits": twice})
    assert (plain.progress, taken_back.progress) == (0.5, 0.5)
    assert left.progress == undone.progress == pytest.approx(1 / 3, abs=1e-4)
    assert undone.collateral == () and left.collateral
    whole = scored(gold, START, wanted | {"log_commits": journal(START, moved, wanted)})
    assert whole.success and whole.progress == 1


def test_a_row_that_was_made_again_under_another_number_is_the_same():
    first = with_rows(START, passengers=[passenger("KQ7XBM", 3, "Ida", "Moe")])
    second = with_rows(START, passengers=[passenger("KQ7XBM", 4, "Ida", "Moe")])
    gold = gold_of(with_rows(second, bags=[bag("KQ7XBM", 4, 1)]))
    straight = scored(gold, START, second | {"log_commits": journal(START, second)})
    detour = scored(gold, START, second | {"log_commits": journal(START, first, START, second)})
    assert replace(detour, actions=1) == straight and straight.progress == 0.8


def test_searches_and_refusals_of_the_journal_are_no_changes():
    def commit(recorded):
        return {**journal(START, START)[0], "recorded": recorded}

    rows = [commit(None), commit('{"people": 3}'), commit('"yes"'), commit("null")]
    half = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    gold = gold_of(with_rows(half, seats=[seat("KQ7XBM", 2, "15B")]))
    assert scored(gold, START, half | {"log_commits": rows}).progress == 0.5


def test_a_commit_need_not_repeat_what_its_keys_say():
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    changes = [["bags", f"KQ7XBM/{number}/outward", "pieces", 1] for number in (1, 2)]
    people = [["passengers", "KQ7XBM/3", "born", "2016-05-01"]]
    commits = [
        {**row, "recorded": json.dumps({"changes": part})}
        for row, part in zip(journal(*[START] * 3), (changes, people), strict=True)
    ]
    gold = gold_of(with_rows(wanted, seats=[seat("KQ7XBM", 2, "15B")]))
    assert scored(gold, START, wanted | {"log_commits": commits}).progress == 0.25


EVIDENCE = {"evidence": [["booking", "KQ7XBM"], ["seats", "KQ7XBM"]]}


def test_a_quarter_of_the_progress_is_for_the_evidence():
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    gold = gold_of(wanted, **EVIDENCE)
    half = {"log_pages": pages(("booking", "KQ7XBM"), ("booking", "ZZ9YYY"))}
    both = {"log_pages": pages(("booking", "KQ7XBM"), ("seats", "KQ7XBM"))}
    assert scored(gold, START, START | half).progress == 0.125
    assert scored(gold, START, START | both).progress == 0.25
    lucky = scored(gold, START, wanted | half)
    assert (lucky.progress, failed(lucky)) == (0.875, ["evidence"])
    assert scored(gold, START, wanted | both).success


def test_an_answer_that_is_missing_keeps_progress_below_one():
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    gold = gold_of(wanted, answer={"kind": "money", "text": "40"})
    assert scored(gold, START, wanted, "$40").success
    seen = scored(gold, START, wanted, "41")
    assert (failed(seen), seen.progress) == (["answer"], 0.99)


QUESTION = EVIDENCE | {"answer": {"kind": "list", "text": "ABCDEF, GHIJKL"}}
LOOKED = START | {"log_pages": pages(("seats", "KQ7XBM"), ("booking", "KQ7XBM"))}


def test_an_answer_counts_once_all_was_looked_at():
    assert scored(QUESTION, START, START, "ABCDEF, GHIJKL").progress == 0
    partly = START | {"log_pages": pages(("seats", "KQ7XBM"))}
    assert scored(QUESTION, START, partly, "ABCDEF, GHIJKL").progress == 0.25
    silent = scored(QUESTION, START, LOOKED)
    assert (silent.progress, silent.failure, silent.missed) == (0.5, "missed detail", ("answer",))
    assert scored(QUESTION, START, partly).failure == "retrieval"
    assert scored(QUESTION, START, LOOKED, "abcdef").progress == pytest.approx(5 / 6, abs=1e-4)
    seen = scored(QUESTION, START, LOOKED, "GHIJKL, ABCDEF")
    assert (seen.success, seen.progress, seen.gold_action_recall) == (True, 1.0, 1.0)


def test_what_cannot_be_done_is_an_answer_like_any_other():
    gold = EVIDENCE | {"changes": [], "answer": {"kind": "money", "text": "NOT_ACHIEVABLE"}}
    assert scored(gold, START, LOOKED, "NOT_ACHIEVABLE").success
    assert failed(scored(gold, START, START, "not achievable")) == ["evidence"]
    sold = scored(gold, START, SOLD | {"log_pages": LOOKED["log_pages"]}, "$510")
    assert failed(sold) == ["nothing else", "answer"] and sold.progress < 0.05


# Skills ------------------------------------------------------------------------------------------


def test_a_sale_asks_for_amounts_and_rows_and_nothing_is_to_be_found():
    right = scored(GOLD, START, SOLD).skills
    assert right == {"find": None, "inspect": None, "compute": 1, "commit": 1, "restrain": 1}
    dear = scored(GOLD, START, edited(SOLD, "payments", 2, amount=511)).skills
    assert (dear["compute"], dear["commit"], dear["restrain"]) == (0, 1, 1)
    seat_off = scored(GOLD, START, SLIPS["wrong seat"][0]).skills
    assert seat_off["compute"] == seat_off["restrain"] == 1 and 0.9 < seat_off["commit"] < 1
    twice = scored(GOLD, START, SLIPS["sold twice"][0]).skills
    assert (twice["commit"], twice["restrain"]) == (1, 0)


def test_a_booking_is_found_by_its_page_and_evidence_is_inspected():
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1)])
    gold = gold_of(wanted, **EVIDENCE)
    unseen = scored(gold, START, START | {"log_pages": pages(("seats", "KQ7XBM"))}).skills
    assert (unseen["find"], unseen["inspect"], unseen["commit"]) == (0, 0.5, 0)
    found = scored(gold, START, wanted | {"log_pages": pages(("booking", "KQ7XBM"))}).skills
    assert (found["find"], found["inspect"], found["commit"]) == (1, 0.5, 1)


@pytest.mark.parametrize(
    ("answer", "asks_for"),
    [
        ({"kind": "money", "text": "40"}, "compute"),
        ({"kind": "text", "text": "KQ7XBM"}, "commit"),
        ({"kind": "money", "text": "NOT_ACHIEVABLE"}, "commit"),
    ],
)
def test_an_answer_is_a_figure_or_else_part_of_what_is_to_be_done(answer, asks_for):
    gold = {"changes": [], "answer": answer, **EVIDENCE}
    for reply, right in ((answer["text"], 1), ("41", 0)):
        skills = scored(gold, START, START, reply).skills
        assert skills[asks_for] == right, "also where nothing was looked at"
        assert [skills[each] for each in ("find", "compute", "commit")].count(None) == 2


# Steps -------------------------------------------------------------------------------------------


def test_steps_tell_how_far_each_came():
    wanted = with_rows(START, bags=[bag("KQ7XBM", 1, 1), bag("KQ7XBM", 2, 1)])
    steps = {"find": [2, 3], "give bags": [0, 1], "answer": [4]}
    gold = gold_of(wanted, **EVIDENCE, steps=steps, answer={"kind": "number", "text": "2"})
    half = with_rows(START, bags=[bag("KQ7XBM", 1, 1)], log_pages=LOOKED["log_pages"])
    seen = scored(gold, START, half, "two")
    assert [(step.name, step.progress) for step in seen.steps] == [
        ("find", 1.0),
        ("give bags", 0.5),
        ("answer", 0.0),
    ]
    assert seen.gold_action_recall == 0.6


def test_actions_are_the_buttons_that_were_pressed():
    after = START | {"log_commits": journal(START, SOLD, START, SOLD)}
    assert scored(GOLD, START, after).actions == 3


# Properties --------------------------------------------------------------------------------------

DEEDS = (
    lambda world: with_rows(world, bags=[bag("KQ7XBM", 1, 1)]),
    lambda world: with_rows(world, bags=[bag("KQ7XBM", 2, 2)]),
    lambda world: edited(world, "seats", 0, seat="20F"),
    lambda world: with_rows(world, seats=[seat("KQ7XBM", 2, "20E")]),
    lambda world: edited(world, "bookings", 0, brand="flex"),
    lambda world: edited(world, "bookings", 1, status="cancelled"),
    lambda world: with_rows(world, refunds=[refund("ZZ9YYY", 1, 8, 20)]),
    lambda world: with_rows(world, payments=[payment("KQ7XBM", 9, 40)]),
    lambda world: with_rows(world, passengers=[passenger("KQ7XBM", 3, "Ida", "Moe")]),
    lambda world: edited(world, "customers", 0, tier="Gold"),
    lambda world: with_rows(world, bookings=[booking("AAAAAA")]),
)
"""Independent changes: each can be done or left, in any order."""
examples = settings(derandomize=True, max_examples=60 if DEEP else 20, deadline=None)
some = st.sets(st.sampled_from(range(len(DEEDS))))
orders = st.permutations(range(len(DEEDS)))


def visit(order):
    """The snapshots from the start, a deed a commit."""
    snapshots = [START]
    for number in order:
        snapshots.append(DEEDS[number](snapshots[-1]))
    return snapshots


def done(numbers):
    snapshots = visit(sorted(numbers))
    return snapshots[-1] | {"log_commits": journal(*snapshots)}


def progress(wanted, did):
    return scored(gold_of(done(wanted)), START, done(did)).progress


@examples
@given(some.filter(bool))
def test_nothing_is_zero_and_all_is_one(wanted):
    assert progress(wanted, ()) == 0
    assert progress(wanted, wanted) == 1


@examples
@given(some.filter(bool), some, st.sampled_from(range(len(DEEDS))))
def test_a_wanted_change_raises_progress_and_another_lowers_it(wanted, did, deed):
    less, more = progress(wanted, did - {deed}), progress(wanted, did | {deed})
    if deed in wanted:
        assert more > less
    else:
        assert more < less or more == less == 0


@examples
@given(some.filter(bool), orders)
def test_the_order_does_not_count(wanted, order):
    did = [number for number in order if number != 3]
    snapshots = visit(did)
    mixed = snapshots[-1] | {"log_commits": journal(*snapshots)}
    gold = gold_of(done(wanted))
    straight, other = (scored(gold, START, each) for each in (done(did), mixed))
    assert (straight.progress, straight.success) == (other.progress, other.success)


@examples
@given(some.filter(bool), some, st.sampled_from(range(len(DEEDS))))
def test_undoing_what_nobody_wanted_gains_nothing_but_success(wanted, did, deed):
    kept = sorted(did - {deed})
    world = visit(kept)[-1]
    beyond = DEEDS[deed](world)
    gold = gold_of(done(wanted))
    undone = scored(gold, START, world | {"log_commits": journal(START, world, beyond, world)})
    left = scored(gold, START, beyond | {"log_commits": journal(START, world, beyond)})
    if deed not in wanted and not undone.success:
        assert undone.progress == left.progress


@examples
@given(some.filter(bool), st.randoms(use_true_random=False))
def test_numbers_and_references_that_the_site_draws_do_not_count(wanted, chance):
    """Other references, and other numbers of what was made, score the same."""
    end, gold = done(wanted), gold_of(done(wanted))
    fresh = {"AAAAAA": "".join(chance.sample("BCDFGHJKLM", 6))}
    text = json.dumps({**end, "log_commits": []})
    renamed = json.loads(text.replace("AAAAAA", fresh["AAAAAA"]))
    for row in renamed["payments"][2:] + renamed["refunds"]:
        row["number"] = chance.randint(20, 99)
    assert scored(gold, START, renamed).success


changes = st.frozensets(st.tuples(*[st.sampled_from("abc")] * 4), max_size=6)


@examples
@given(changes.filter(bool), changes, changes)
def test_the_overlap_lies_between_nothing_and_all(goal, did, undone):
    share = overlap(goal, did, undone)
    assert 0 <= share <= 1
    assert (share == 1) == (did == goal and undone <= goal)
    assert (share == 0) == (not goal & did)


@examples
@given(some)
def test_the_journal_leads_to_the_end(did):
    """What each commit lists, put together, is what the end differs in from the start."""
    order = sorted(did)
    random.Random(str(order)).shuffle(order)
    snapshots = visit(order)
    rows = [each for step in pairwise(snapshots) for each in changed(*step)]
    assert {each[:3] for each in rows} == {each[:3] for each in changed(START, snapshots[-1])}


# The door ----------------------------------------------------------------------------------------


def test_the_desk_scores_by_the_file_that_the_family_names():
    family = SimpleNamespace(SCORING="row_overlap")
    scenario = Scenario("crm", "by hand", 1, "Do it", "/", {}, json.loads(json.dumps(GOLD)))
    context = ScoringContext(scenario, family, START, None)
    assert scorer("crm").score(context, SOLD, "").success
