"""The three airlines differ in what they show, and in nothing else."""

from __future__ import annotations

from itertools import combinations, pairwise
from string import Formatter

import pytest

from sites.crm.airline_desk.model.airline import KEYS, LAST_STEPS, Airline, airlines
from tests.each import for_each

AIRLINES = [airlines()[key] for key in KEYS]


def tables(airline: Airline):
    """All that two airlines must have alike: the keys of each table, and the slots of words."""
    slots = {
        key: sorted({name for _, name, *_ in Formatter().parse(text) if name})
        for key, text in airline.words.items()
    }
    fields = {name: sorted(each) for name, each in airline.order.items()}
    holes = {key: each.count("{}") for key, each in airline.addresses.items()}
    return {"ids": set(airline.ids), "slots": slots, "order": fields, "addresses": holes}


def test_all_files_have_the_same_keys():
    first, *others = map(tables, AIRLINES)
    for other in others:
        for name, table in first.items():
            assert other[name] == table


@for_each("airline", AIRLINES)
def test_every_field_and_button_has_a_label(airline):
    assert [key for key in airline.ids if not airline.words.get(key)] == []


@for_each("airline", AIRLINES)
def test_no_id_or_address_is_given_twice(airline):
    assert len(set(airline.ids.values())) == len(airline.ids)
    assert len(set(airline.addresses.values())) == len(airline.addresses)


@for_each("airline", AIRLINES)
def test_every_id_leads_back_to_its_key(airline):
    for key in airline.ids:
        assert airline.key_of(airline.id(key)) == (key, ())
        assert airline.key_of(airline.id(key, 2)) == (key, ("2",))
        assert airline.key_of(airline.id(key, 1, "LW2041.KW1234")) == (key, ("1", "LW2041.KW1234"))
    for strange in ("", "-", "nothing", "nothing-2", "Ann Lee"):
        assert airline.key_of(strange) is None


@for_each("airline", AIRLINES)
def test_every_address_leads_back_to_its_screen(airline):
    for screen, template in airline.addresses.items():
        parts = ("K7Q2MB", "7", "2026-03-04", "LW2041", "flex")[: template.count("{}")]
        assert airline.read(airline.address(screen, *parts)) == (screen, parts)
    for strange in ("", "/", "//", "/nothing", "/nothing/7", f"/{'x' * 500}"):
        assert airline.read(strange) is None


@for_each("airline", AIRLINES)
def test_fields_of_an_order_are_fields(airline):
    for name, keys in airline.order.items():
        assert set(keys) <= set(airline.ids), name


@for_each("airline", AIRLINES)
def test_a_sale_ends_in_one_of_three_ways(airline):
    assert airline.last_step in LAST_STEPS


def test_they_share_few_words_ids_and_addresses():
    """What a policy learned on one does not name the fields of another."""
    for one, other in combinations(AIRLINES, 2):
        assert {key for key in one.ids if one.ids[key] == other.ids[key]} == set()
        assert {key for key in one.ids if one.words[key] == other.words[key]} == set()
        assert {key for key, at in one.addresses.items() if at == other.addresses[key]} == set()


def test_they_end_in_different_ways_and_have_different_widgets():
    for one, other in pairwise(AIRLINES):
        assert one.last_step != other.last_step
        for kind in ("airport", "date", "count", "offers"):
            assert one.widgets[kind] != other.widgets[kind]


def test_a_word_without_its_slot_is_a_fault_of_ours():
    with pytest.raises(KeyError):
        AIRLINES[0].word("title-booking")
    with pytest.raises(KeyError):
        AIRLINES[0].word("no such word")
