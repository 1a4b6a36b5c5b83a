"""The words of requests at the airline desk: open and held-out phrasings of each act."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from scenarios import registry
from scenarios.crm.airline_desk.phrasings import HELD_OUT, OPEN, kind_of
from scenarios.phrasings import phrasings
from tests.drawing import drawn
from tests.measuring import DEEP

FAMILIES = sorted(
    name
    for name, made in registry.family_modules().items()
    if "airline" in made.HOSTS and not registry.is_variant(name)
)
CONDITIONS = (
    *("direct", "after", "by", "hours", "wait", "avoid", "change", "free_change", "limit"),
    *("month", "dropped", "kept", "traveller", "bought_before", "bought_since", "fare", "from"),
    *("nonstop", "changing", "note", "voucher", "to", "pair", "force", "nights", "age", "bought"),
    *("luggage", "stops", "called"),
    *("times", "mailbox", "elsewhere", "known", "lure-copy", "lure-mailbox", "lure-note"),
    *("named", "arrives", "leaves", "near", "ceiling", "death", "tier", "free", "promised"),
    *("raise", "resell", "charge"),
    *("lost", "told", "arrived", "paid-up"),
    *("born", "digits", "moved", "cause", "cover", "sad", "owed", "sign"),
    *("second", "why", "other", "their-born", "their-digits", "their-email"),
    *("keep", "lawyer", "group"),
    *("married", "instead", "seats", "not-in", "paper", "few"),
    *("seat-for", "grown"),
    *("ask", "alone", "total_all", "total_customers", "total_company", "leave"),
)
"""Parts of a sentence or a letter in some family, of which several stand together: half as many
will do."""
RUN = 5
"""No run of so many words of a held-out phrasing occurs in an open one."""

pytestmark = pytest.mark.parametrize("family", FAMILIES)


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def runs(text: str) -> set[tuple[str, ...]]:
    """Runs of words between the slots."""
    found = set()
    for part in re.split(r"\{[^}]*\}", text.lower()):
        words = re.findall(r"[a-z0-9']+", part)
        found |= {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
    return found


def test_each_act_has_twelve_open_and_six_held_out_phrasings(family):
    spoken = {kind: phrasings(family, kind) for kind in (OPEN, HELD_OUT)}
    assert spoken[OPEN].keys() == spoken[HELD_OUT].keys()
    for act, open_ in spoken[OPEN].items():
        number = (len({*open_}), len({*spoken[HELD_OUT][act]}))
        assert number == (12, 6) or (number == (6, 3) and act in CONDITIONS), act


def test_all_phrasings_of_an_act_name_the_same_values(family):
    """`digress` names what nobody asks for, and `{where_first}` is `{where}` at the beginning."""
    for kind in (OPEN, HELD_OUT):
        for act, texts in phrasings(family, kind).items():
            if act == "digress":
                continue
            named = {frozenset(slots(text.replace("where_first", "where"))) for text in texts}
            assert len(named) == 1, (act, named)


def test_no_held_out_phrasing_shares_five_words_with_an_open_one(family):
    open_, held = (
        set().union(*(runs(text) for texts in phrasings(family, kind).values() for text in texts))
        for kind in (OPEN, HELD_OUT)
    )
    assert open_ and held and not open_ & held


def test_one_seed_of_five_is_held_out(family):
    for seed in range(10) if DEEP else (0, 4):
        assert drawn(family, seed).details["phrasing"] == kind_of(seed)
    assert [kind_of(seed) for seed in range(5)] == [OPEN] * 4 + [HELD_OUT]
