"""The banks of the market: wishes share no words with pages, and each means one value."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from sites.store.catalogue.search import analyzer
from sites.store.market.goods import bank
from sites.store.market.goods.bank import (
    BadBank,
    GatheredFact,
    Kind,
    MeasuredFact,
    Wishes,
    WordedFact,
    WordedValue,
)
from tests.measuring import unmeasured

COFFEE = (bank.WORDS / "coffee_makers.toml").read_text(encoding="utf-8")
ALIKE = 0.6
LIMITS = {"table": 45, "page": 110, "answer": 110}

each_kind = pytest.mark.parametrize("kind", bank.kinds().values(), ids=lambda kind: kind.name)


FUNCTION_WORDS = frozenset(
    Path(__file__).with_name("function_words.txt").read_text(encoding="utf-8").split()
)


def stems(*texts: str) -> set[str]:
    """The stems of the words that carry meaning."""
    words = re.findall(r"[^\W_]+", " ".join(texts).replace("{x}", " ").casefold())
    plain = " ".join(word for word in words if word not in FUNCTION_WORDS and len(word) > 1)
    return {stem for stem in analyzer().analyze(plain) if not stem.isdigit()}


@dataclass(frozen=True)
class Wish:
    """A wording of a wish, the fact and value that it means, and the shop's words for those."""

    fact: str
    value: str
    text: str
    split: str
    shop: tuple[str, ...]

    @property
    def grams(self) -> set[str]:
        text = re.sub(r"\W+", " ", self.text.casefold())
        return {text[at : at + 3] for at in range(len(text) - 2)}


def wishes(kind: Kind) -> Iterator[Wish]:
    for fact in kind.facts.values():
        if isinstance(fact, WordedFact):
            for value in fact.values.values():
                shop = (*fact.labels, *_wordings(value))
                yield from _each(fact.name, value.name, value.wish, shop)
                yield from _each(fact.name, f"not {value.name}", value.unlike, shop)
        elif isinstance(fact, MeasuredFact):
            shop = (*fact.labels, fact.page, fact.answer)
            yield from _each(fact.name, "at most", fact.most, shop)
            yield from _each(fact.name, "at least", fact.least, shop)
        else:
            for member in fact.members.values():
                yield from _each(fact.name, member.name, member.wish, (*fact.labels, member.text))


def _each(fact: str, value: str, wish: Wishes, shop: tuple[str, ...]) -> Iterator[Wish]:
    for split, texts in wish.items():
        yield from (Wish(fact, value, text, split, shop) for text in texts)


def _wordings(value: WordedValue) -> tuple[str, ...]:
    return value.table, value.page, value.answer, *value.review, value.against


@each_kind
def test_wishes_share_no_stem_with_the_pages(kind: Kind) -> None:
    titles = (*kind.heads, *itertools.chain(*kind.options.values()))
    shared = [
        f"{wish.fact}.{wish.value} ({wish.split}) {wish.text!r}: {sorted(common)}"
        for wish in wishes(kind)
        if (common := stems(wish.text) & stems(*wish.shop, *titles))
    ]
    assert not shared, "\n".join(shared)


@each_kind
def test_needs_do_not_name_the_kind(kind: Kind) -> None:
    named = stems(kind.name, *kind.heads)
    assert not [each for texts in kind.needs.values() for each in texts if stems(each) & named]


@pytest.mark.wide
@each_kind
@unmeasured()
def test_no_wish_means_two_values(kind: Kind) -> None:
    worded = [(wish, wish.grams) for wish in wishes(kind)]
    alike = [
        f"{one.fact}.{one.value} {one.text!r} ~ {other.fact}.{other.value} {other.text!r}"
        for (one, grams), (other, others) in itertools.combinations(worded, 2)
        if (one.fact, one.value) != (other.fact, other.value)
        and len(grams & others) > ALIKE * len(grams | others)
    ]
    assert not alike, "\n".join(alike)


@each_kind
def test_no_wording_is_given_twice(kind: Kind) -> None:
    texts = [wish.text for wish in wishes(kind)]
    assert len(texts) == len(set(texts))
    assert not [text for text in texts if not re.search(r"[.?!]$", text)], "whole sentences"


@each_kind
def test_pages_tell_values_apart(kind: Kind) -> None:
    """No page wording of a value stands inside one of another value of the kind."""
    wordings = [
        (f"{fact.name}.{value.name}", text)
        for fact in kind.facts.values()
        if isinstance(fact, WordedFact)
        for value in fact.values.values()
        for text in (value.table, value.page, value.answer, *value.review)
    ]
    inside = [
        f"{one} {text!r} in {other} {longer!r}"
        for (one, text), (other, longer) in itertools.permutations(wordings, 2)
        if one != other and text.casefold() in longer.casefold()
    ]
    assert not inside, "\n".join(inside)


@each_kind
def test_a_kind_is_whole(kind: Kind) -> None:
    forms = [type(fact) for fact in kind.facts.values()]
    assert (forms.count(WordedFact), forms.count(MeasuredFact), forms.count(GatheredFact)) == (
        5,
        5,
        2,
    )
    worded = [fact for fact in kind.facts.values() if isinstance(fact, WordedFact)]
    assert all(len(fact.values) >= 3 for fact in worded)
    assert sum(bool(value.unlike) for fact in worded for value in fact.values.values()) >= 6
    assert len(kind.complaints) >= 2
    labels = [label for fact in kind.facts.values() for label in fact.labels]
    assert len(labels) == len(set(labels)), "no two facts have one label"
    long = [
        text
        for fact in worded
        for value in fact.values.values()
        for key, limit in LIMITS.items()
        if len(text := getattr(value, key)) > limit
    ]
    assert not long


def test_kinds_are_told_apart() -> None:
    names = [kind.name for kind in bank.kinds().values()]
    assert len(names) == len(set(names))
    needs = [text for kind in bank.kinds().values() for t in kind.needs.values() for text in t]
    assert len(needs) == len(set(needs))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('kind = "coffee makers"', 'kind = ""', "coffee_makers.toml has no kind"),
        ('table = "Lift-out tank"', "", "facts.water.values.removable has no table"),
        ('unit = "W"', 'unit = "hp"', "facts.power has the unknown unit hp"),
        ("range = [24, 44]", "range = [44, 24]", "facts.height has no range"),
        ("{x} and not a hair more", "less", "facts.height.most has a wish without {x}"),
        ("count = [1, 3]", "count = [0, 9]", "facts.box takes 0 to 9 of 4 members"),
        ("[complaints.leaks]", "[complaints.leaks", "coffee_makers.toml is no TOML"),
    ],
)
def test_a_bad_bank_is_named(old: str, new: str, message: str) -> None:
    assert old in COFFEE
    with pytest.raises(BadBank) as error:
        bank.read("coffee_makers", COFFEE.replace(old, new, 1))
    assert message in str(error.value)


def test_every_file_is_a_kind() -> None:
    files = {file.stem for file in Path(bank.WORDS).glob("*.toml")} - {bank.SHARED}
    assert set(bank.kinds()) == files
