"""A note's matters: each stands for itself, at one desk as at a desk of its own."""

from __future__ import annotations

from functools import cache

import pytest

from scenarios import registry
from scenarios.crm.after_sale.handover import MARKS, _matters
from scenarios.crm.after_sale.handover._matters import TASKS, Matter
from scenarios.crm.airline_desk import desk as whole_desk
from scenarios.crm.airline_desk.phrasings import kind_of
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import new_world
from sites.crm.airline_desk.operations import people
from sites.world import World
from tests.drawing import drawn
from tests.measuring import DEEP

DATA = registry.site_data("crm")
SEEDS = range(10) if DEEP else (0, 4)
"""The last of the few is held out."""
SHOWN = [(airline, seed) for airline in KEYS for seed in range(3) if DEEP or KEYS[seed] == airline]
"""Each airline with seeds of its own; with `tox -e deep` with all."""

pytestmark = pytest.mark.usefixtures("unmeasured")
each_seed = pytest.mark.parametrize("seed", SEEDS)


@cache
def matters(seed: int) -> list[Matter]:
    """The matters of a note, each drawn by itself from its seed, in the note's order."""
    note = drawn("handover", seed)
    airline = airlines()[note.details["airline"]]
    found = []
    for family, own in note.details["matters"].items():
        made = TASKS[family].draw(own, airline, DATA)
        found.append(Matter(family, own, made.instruction, made.gold))
    return found


@pytest.mark.wide
@each_seed
def test_there_is_one_of_each_family_phrased_as_the_note(seed: int) -> None:
    assert {each.family for each in matters(seed)} == {*TASKS}
    for each in matters(seed):
        assert each.seed >= _matters.FIRST_SEED
        assert kind_of(each.seed) == kind_of(seed)
        assert each.gold["errands"], f"nothing is to be done in {each.family}/{each.seed}"


@each_seed
def test_each_text_stands_in_the_note_as_it_is_behind_its_mark(seed: int) -> None:
    note = drawn("handover", seed).instruction
    marked = [f"{mark}: {each.text}" for mark, each in zip(MARKS, matters(seed), strict=True)]
    assert note.endswith(" ".join(marked))
    assert all(note.count(f" {mark}: ") == 1 for mark in MARKS)


@each_seed
def test_what_is_changed_is_what_each_changes_alone(seed: int) -> None:
    gold = drawn("handover", seed).gold
    for key in ("changes", "sentences", "held", "errands", "evidence"):
        by_matter = [one for each in matters(seed) for one in each.gold.get(key, ())]
        assert gold[key] == by_matter, key


@each_seed
def test_answers_are_in_the_order_of_the_note(seed: int) -> None:
    asked = [each.gold["answer"]["text"] for each in matters(seed) if "answer" in each.gold]
    assert drawn("handover", seed).gold["text"].split(", ") == asked
    assert len(asked) == 2


@each_seed
def test_no_search_for_one_matter_finds_a_booking_of_another(seed: int) -> None:
    desk = whole_desk.world(drawn("handover", seed))
    for each in matters(seed):
        own = new_world("", "contrail", each.gold["rows"])
        searches = [*each.gold["find"].values(), *({"name": name} for name in each.searched)]
        for search in searches:
            assert references(desk, search) == references(own, search), (each.family, search)


def references(world: World, search: dict[str, str]) -> list[str]:
    found = people.search(world, DATA, people.wanted(DATA, search))
    return [each.booking.reference for each in found]


@each_seed
def test_customers_and_payments_are_those_of_each_matter(seed: int) -> None:
    rows = drawn("handover", seed).gold["rows"]
    numbers = [row["number"] for row in rows["customers"]]
    assert len(numbers) == len({*numbers})
    for each in matters(seed):
        for table in ("bookings", "vouchers"):
            assert owners(rows, table).items() >= owners(each.gold["rows"], table).items()
        if each.gives_back:
            own = each.gold["rows"]["payments"]
            assert rows["payments"][: len(own)] == own


def owners(rows: _matters.Rows, table: str) -> dict[str, str]:
    """The e-mail addresses of the customers of bookings or vouchers."""
    emails = {row["number"]: row["email"] for row in rows["customers"]}
    key = {"bookings": "reference", "vouchers": "code"}[table]
    return {row[key]: emails[row["customer"]] for row in rows[table]}


@pytest.mark.wide
@pytest.mark.parametrize(("airline", "seed"), SHOWN)
def test_each_airline_shows_the_same_matters(airline: str, seed: int) -> None:
    shown: Scenario = drawn(f"handover.{airline}", seed)
    assert shown.details["matters"] == drawn("handover", seed).details["matters"]
