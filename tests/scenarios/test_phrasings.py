"""The words of instructions, in the TOML files beside the families of both sites."""

from __future__ import annotations

from random import Random
from string import Formatter

import pytest

from scenarios.phrasings import SCENARIOS, SHARED, Speaker, phrasings
from scenarios.store.pages import visits
from tests.each import for_each

STORE = SCENARIOS / "store"
FILES = sorted(path.stem for path in STORE.rglob("*.toml") if path.name != SHARED)
SPLIT = [name for name in FILES if phrasings(name, "test").keys() != phrasings(name, "").keys()]


def own(name: str, split: str) -> dict[str, set[str]]:
    """Return the acts that only this split has, without what all splits share."""
    always = phrasings(name, "")
    return {
        act: {*texts} - {""} for act, texts in phrasings(name, split).items() if act not in always
    }


def slots(texts: set[str]) -> set[str]:
    """Return the names of the values that texts hold; `who_first` is `who` at the beginning."""
    return {
        name.removesuffix("_first")
        for text in texts
        for _, name, _, _ in Formatter().parse(text)
        if name
    }


def test_most_families_of_the_store_have_words_by_split():
    assert len(SPLIT) >= 14 < len(FILES)


@for_each("name", SPLIT)
def test_each_split_has_the_same_acts_in_words_of_its_own(name):
    test, dev, train = (own(name, split) for split in visits.SPLITS)
    assert [*test] == [*dev] == [*train]
    for act in test:
        assert not (test[act] & dev[act] or test[act] & train[act] or dev[act] & train[act]), act
        assert len({frozenset(slots(each[act])) for each in (test, dev, train)}) == 1, act


def test_the_families_of_a_folder_share_acts_and_have_acts_of_their_own():
    shared = phrasings("fitting_set", "dev")
    assert shared["posts"] == phrasings("best_basket", "dev")["posts"]
    assert shared["firsts"] != phrasings("best_basket", "dev")["firsts"]
    assert "posts" not in phrasings("restock", "dev")


def test_a_speaker_fills_the_slots_and_draws_once_for_each_act():
    rng, same = Random(3), Random(3)
    text = Speaker("restock", "test", rng).say("ask", day="May 4")
    assert text == same.choice(phrasings("restock", "test")["ask"]).format(day="May 4")
    assert "May 4" in text and rng.random() == same.random()


def test_no_two_files_have_one_name():
    names = [path.stem for path in SCENARIOS.rglob("*.toml") if path.name != SHARED]
    assert len(names) == len(set(names))


def test_an_unknown_act_is_an_error():
    with pytest.raises(KeyError, match="asks"):
        Speaker("restock", "test", Random(0)).phrase("asks")
