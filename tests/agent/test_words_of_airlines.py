"""What an agent is told comes from Contrail alone: nothing that only the two other airlines show.

Policies, exemplars and prompts carry over to Halcyra and Ostrel only where they hold none of their
labels, ids and addresses. A label is looked for anywhere, in capitals or not. English that texts
for agents need besides (`ORDINARY`) is looked for as what a page makes of it: a name in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from agent import prompting
from scenarios import registry
from sites.crm.airline_desk.model.airline import Airline, airlines
from tests.each import for_each

FOLDER = prompting.FOLDER.parent
SUFFIXES = {".toml", ".jsonl", ".json", ".md", ".txt", ".html"}
DEMONSTRATED = "contrail"
ORDINARY = {
    # prose, and what every prompt says of its requests
    *("between", "group", "input", "more", "places", "there is no"),
    # callers of the first desk, and Contrail's own labels, in part
    *("lap", "leaving", "mm", "month and year", "surname"),
    # goods and signs of other sites
    *("dd", "file", "layout"),
}
ORDINARY_IDS = {
    *("cost", "hold", "leaving", "offers", "operations", "places", "today"),
}
"""Ids and parts of addresses that are words of the same kinds."""
LEAST = 3
"""Words of a part of a sentence; shorter ones are anybody's."""
EXEMPLARS = "exemplars/"


def _phrases(airline: Airline) -> Iterator[str]:
    """Its labels, and what stands around slots and stops of its sentences, three words or more."""
    for text in airline.words.values():
        is_sentence = "{" in text or text.endswith(".")
        for part in re.split(r"\{[^}]*\}|[^\w\s'&/-]", text):
            phrase = " ".join(part.split()).casefold()
            if len(phrase.split()) >= (LEAST if is_sentence else 1) and len(phrase) > 1:
                yield phrase


def _ids(airline: Airline) -> set[str]:
    """Its ids, and the parts of its addresses."""
    parts = (part for each in airline.addresses.values() for part in each.split("/"))
    return {*airline.ids.values(), *(part for part in parts if part and "{" not in part)}


@cache
def _foreign() -> tuple[frozenset[str], frozenset[str]]:
    """The phrases and the ids that the demonstrated airline lacks."""
    known = airlines()
    own = known[DEMONSTRATED]
    others = [each for each in known.values() if each is not own]
    phrases = {each for one in others for each in _phrases(one)} - {*_phrases(own)}
    return frozenset(phrases), frozenset(set().union(*map(_ids, others)) - _ids(own))


def _listed(words: Iterable[str], text: str) -> str:
    """The words that the text has at all, for a pattern; "(?!)" matches nothing."""
    held = sorted((each for each in words if each in text), key=len, reverse=True)
    return "|".join(map(re.escape, held)) or "(?!)"


def _anywhere(words: Iterable[str], text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{_listed(words, text)})(?![\w-])")


def _as_names(words: Iterable[str], text: str) -> re.Pattern[str]:
    """As the name of an element: a quoted word, alone or before what it is of."""
    roles = "|".join(("textbox", "combobox", "spinbutton", "button", "link", "checkbox", "radio"))
    named = rf"(?:{roles}|heading|term) ['\"](?:{_listed(words, text)})(?:['\"]| \()"
    return re.compile(named)


def _as_ids(ids: Iterable[str], text: str) -> re.Pattern[str]:
    """As an attribute, a selector, or a part of an address."""
    before = r"(?:id|name|for)=[\\'\"]+|#|airline\.localhost(?:/[^\s\"']*)?/"
    return re.compile(rf"(?:{before})(?:{_listed(ids, text)})(?![\w])")


REQUESTS = re.compile(
    r'^instruction = ".*"$|"instruction":"(?:[^"\\]|\\.)*"|role=\\?"note\\?"[^<>]*>[^<]*<',
    re.MULTILINE,
)
"""Those of exemplars, which a task page repeats in its note: callers say the same everywhere."""


@cache
def _own_sentences() -> re.Pattern[str]:
    """Those of the demonstrated airline, in which a label of another may occur."""
    words = airlines()[DEMONSTRATED].words.values()
    whole = {each.casefold() for each in words if "{" not in each and each.endswith(".")}
    return re.compile("|".join(map(re.escape, sorted(whole, key=len, reverse=True))))


def _text(path: str) -> str:
    """A file without what callers say in its exemplars."""
    text = (FOLDER / path).read_text(encoding="utf-8")
    return REQUESTS.sub("", text) if path.startswith(EXEMPLARS) else text


def found(text: str) -> list[str]:
    """What the text holds of the other airlines."""
    phrases, ids = _foreign()
    folded = _own_sentences().sub("", text.casefold())
    patterns = [
        _anywhere((phrases - ORDINARY) | (ids - ORDINARY_IDS - ORDINARY), folded),
        _as_names(phrases & ORDINARY, folded),
        _as_ids(ids, folded),
    ]
    return [each[0] for pattern in patterns for each in pattern.finditer(folded)]


ELSEWHERE = registry.host_names() - {*registry.site("crm").HOSTS, "crm"}
"""The hosts at which no task at the desk starts; an agent at the desk is not shown their files."""
FILES = [
    str(path.relative_to(FOLDER))
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in SUFFIXES and path.is_file() and path.parent.name != "transport"
    if ELSEWHERE.isdisjoint({path.stem, path.parent.name})
]


@pytest.mark.wide
@for_each("path", FILES)
def test_no_text_for_agents_holds_what_only_the_other_airlines_show(path):
    assert found(_text(path)) == []


def test_every_label_would_be_seen_on_a_page_of_an_example():
    unseen = [each for each in _foreign()[0] if not found(f"[3] textbox '{each.title()}' value=''")]
    assert unseen == []


def test_every_id_would_be_seen_in_markup_and_in_an_address():
    ids = _foreign()[1]
    assert [each for each in ids if not found(f'<input id="{each}">')] == []
    assert [each for each in ids if not found(f"http://airline.localhost/{each}/1")] == []


def test_words_of_an_instruction_would_be_seen():
    assert found("3. Type the airport into Going to, and press See services.")
    assert found("Write the forename before the family name.")
    assert not found("3. Type the airport into To, and press Search. Who travels?")


def test_every_exception_is_needed():
    texts = _own_sentences().sub("", " ".join(map(_text, FILES)).casefold())
    phrases, ids = _foreign()
    used = {*_anywhere(ORDINARY | ORDINARY_IDS, texts).findall(texts)}
    assert ORDINARY - (phrases & used) == set()
    assert ORDINARY_IDS - (ids & used) == set()
