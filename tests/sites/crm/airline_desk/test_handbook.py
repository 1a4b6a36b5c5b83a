"""The handbook: what its articles say, that they can be found, and its pages."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from string import Formatter

import pytest

from agent.llm import tokenizer
from sites.crm.airline_desk.handbook.article import (
    HITS,
    article,
    articles,
    bulletin_texts,
    search_handbook,
    texts,
    wordings,
)
from sites.crm.airline_desk.handbook.edition import (
    CHANGED,
    CHANGED_BAGS,
    CHANGED_CHILDREN,
    CHANGED_NAMES,
    CHANGED_VOUCHERS,
    PARAMETERS,
    Edition,
    draw,
)
from sites.crm.airline_desk.handbook.zones import zones
from sites.crm.airline_desk.model import journal, ticket_tables
from sites.crm.airline_desk.model.airline import KEYS, airlines
from sites.crm.airline_desk.model.world import edition_of, new_world
from sites.crm.base.airports import load_airports, plain
from sites.crm.base.clock import TODAY
from tests.each import for_each
from tests.sites.crm.airline_desk.sale import Sale, Wanted

AIRLINES = [airlines()[key] for key in KEYS]
EDITIONS = [draw(Random(f"handbook {number}")) for number in range(6)]
ROOT = Path(__file__).parents[4]
LONGEST = 350
"""Tokens of an article."""
BANNED = re.compile(
    r"\b(usually|normally|reasonabl[ey]|generally|should|might|may, where|where possible"
    r"|if possible|as a rule|approximately|about \d|soon|etc)\b",
    re.IGNORECASE,
)
"""Words that leave it to the reader what holds."""


def text_of(one):
    return " ".join((one.title, *one.paragraphs))


# Editions ----------------------------------------------------------------------------------------


@for_each("edition", EDITIONS)
def test_an_edition_is_its_json(edition):
    assert Edition.from_json(edition.to_json()) == edition


def test_the_same_seed_gives_the_same_edition_and_another_one_another():
    assert draw(Random("a")) == draw(Random("a"))
    assert len({each.to_json() for each in EDITIONS}) == len(EDITIONS)


def test_every_value_of_every_parameter_is_drawn():
    drawn = [draw(Random(number)) for number in range(150)]
    for name, about in PARAMETERS.items():
        if about["drawn"]:
            assert {getattr(each, name) for each in drawn} == set(about["drawn"])


@for_each("edition", EDITIONS)
def test_two_to_four_bulletins_are_in_force(edition):
    holding = [each for each in edition.bulletins if each.in_force]
    assert 2 <= len(holding) <= 4
    assert 8 <= len(edition.bulletins) <= 12
    assert len({each.issued for each in edition.bulletins}) == len(edition.bulletins)
    for each in edition.bulletins:
        assert each.value != getattr(edition, each.parameter)
        if each.withdrawn_by:
            newer = edition.bulletin(each.withdrawn_by)
            assert newer.in_force and newer.issued > each.issued
            assert each.until >= TODAY.isoformat()  # else nothing had to be taken back


def test_of_two_bulletins_about_one_number_the_newer_counts():
    edition = EDITIONS[0]
    one, other = (each for each in edition.bulletins if each.parameter == "change_fee")
    newer = max(one, other, key=lambda each: each.issued)
    for numbers in ((one.number, other.number), (other.number, one.number)):
        assert edition.with_bulletins(numbers).change_fee == newer.value


# Texts -------------------------------------------------------------------------------------------


@for_each("airline", AIRLINES)
def test_a_handbook_is_written_once_for_an_edition_and_a_front(airline):
    edition, foreign = EDITIONS[0], airline.in_formats(1)
    written = articles(edition, airline)
    assert articles(Edition.from_json(edition.to_json()), airline) is written
    assert articles(edition, airline.in_formats(1)) is articles(edition, foreign)
    assert articles(edition, foreign) != written != articles(EDITIONS[1], airline)


@pytest.mark.wide
@for_each("airline", AIRLINES)
def test_no_article_is_long(airline):
    for each in articles(EDITIONS[0], airline):
        assert tokenizer.count(text_of(each)) < LONGEST, each.number


@for_each("edition", EDITIONS)
def test_no_article_leaves_it_to_the_reader(edition):
    for airline in AIRLINES:
        for each in articles(edition, airline):
            text = text_of(each)
            assert not BANNED.search(text), (each.number, BANNED.search(text))
            assert not re.search(r"[{}]", text), each.number


def test_every_parameter_stands_in_one_rule_and_nowhere_else():
    """A table belongs to its rule; sentences of variants to the rule that has them."""
    owners: dict[str, set[str]] = {}
    for number, row in texts().items():
        sentences = [row["text"], *(text for each in wordings_of(row) for text in each.values())]
        for name in {each for text in sentences for each in slots(text)}:
            if name in PARAMETERS or name == "miles":
                owners.setdefault(name, set()).add(row.get("of", number))
    not_drawn = {"issued", "bulletins"}
    assert set(owners) == set(PARAMETERS) - not_drawn
    assert {name: each for name, each in owners.items() if len(each) > 1} == {}


def wordings_of(row):
    return row.get("wording", {}).values()


def slots(text):
    return [name for _, name, *_ in Formatter().parse(text) if name]


def test_every_variant_has_its_sentence():
    for name, about in PARAMETERS.items():
        if about["kind"] == "wording" and about["drawn"]:
            assert set(wordings()[name]) == set(about["drawn"])


def test_every_bulletin_has_its_sentence_and_changes_a_parameter_of_its_article():
    every = (*CHANGED, *CHANGED_BAGS, *CHANGED_VOUCHERS, *CHANGED_NAMES, *CHANGED_CHILDREN)
    assert {name for *_, name in every} == set(bulletin_texts())
    for _, number, name in every:
        assert name in slots(texts()[number]["text"])


def test_numbers_are_given_once_and_references_lead_somewhere():
    for edition in EDITIONS[:3]:
        every = articles(edition, AIRLINES[0])
        numbers = [each.number for each in every]
        assert len(set(numbers)) == len(numbers)
        for each in every:
            assert set(each.beaten_by) | set(each.see) <= set(numbers) - {each.number}, each.number


@for_each("procedure", ("P2", "P3", "P11", "P12", "P13", "P14", "P15", "P16"))
def test_references_of_a_procedure_reach_all_that_it_needs(procedure):
    """All rules that its own ones name as stronger, their tables, and every bulletin about them."""
    edition = EDITIONS[0]
    every = {each.number: each for each in articles(edition, AIRLINES[0])}
    reached, rest = set(), [procedure]
    while rest:
        number = rest.pop()
        if number not in reached:
            reached.add(number)
            rest += [*every[number].see, *every[number].beaten_by]
    rules = {number for number in every[procedure].see if number.isdecimal()}
    tables = {number for number, row in texts().items() if row.get("of") in rules}
    bulletins = {each.number for each in edition.bulletins if each.article in rules}
    assert rules | tables | bulletins <= reached


def test_an_archived_article_says_so_first():
    archived = [row for row in texts().values() if row["kind"] == "archive"]
    assert len(archived) == 5
    for row in archived:
        assert row["text"].strip().startswith(("Not in force", "Not for our", "Not a rule"))


def test_every_airport_is_in_one_zone():
    listed = [code for codes in zones().values() for code in codes]
    assert sorted(listed) == sorted(load_airports())
    for edition in EDITIONS:
        assert len(edition.miles) == len(zones())
        assert [list(row) for row in edition.miles] == [
            list(each) for each in zip(*edition.miles, strict=True)
        ]


def test_no_sentence_or_parameter_of_the_handbook_stands_below_agent():
    """Whoever reads a prompt knows none of the rules."""
    files = [each for each in (ROOT / "agent").rglob("*") if each.suffix in {".py", ".toml", ".md"}]
    agent = " ".join(plain(each.read_text(encoding="utf-8")) for each in files)
    written = articles(EDITIONS[0], AIRLINES[0])
    sentences = [
        plain(each)
        for one in written
        for paragraph in one.paragraphs
        for each in paragraph.split(". ")
    ]
    whole = [each for each in sentences if len(each.split()) > 4]
    assert len(whole) > 150
    assert [each for each in whole if each in agent] == []
    assert [name for name in PARAMETERS if "_" in name and name in agent] == []


# Search ------------------------------------------------------------------------------------------


def found(words, airline=AIRLINES[0]):
    return [each.number for each in search_handbook(EDITIONS[0], words, airline)]


def test_a_search_finds_words_of_titles_first():
    assert found("cover")[0] == "5"
    assert found("CHANGE fee")[0] == "9"
    assert set(found("money back")[:2]) == {"P2", "X1"}
    assert "10" in found("same day")[:2]


def test_a_search_finds_the_words_of_the_airline():
    assert "3" in found("Liberty", airlines()["halcyra"])
    assert found("Liberty") == []


def test_a_search_shows_eight_at_most_and_nothing_for_nothing():
    assert len(found("article")) == HITS
    assert found("") == found("qqq") == found("?!") == []


def test_an_article_is_found_by_its_number():
    assert article(EDITIONS[0], " t1 ", AIRLINES[0]).title == "Zones"
    assert article(EDITIONS[0], "99", AIRLINES[0]) is None


# Pages -------------------------------------------------------------------------------------------


@pytest.fixture
def reader(visitor):
    """At the desk of an airline that has a handbook."""

    def opened(airline):
        one = visitor(airline)
        one.world.about.update(new_world("", airline, {}, EDITIONS[0]).about)
        for table in ticket_tables.SCHEMA.split(";")[:-1]:
            one.world.write(table)
        one.open(one.airline.address("search"))
        return one

    return opened


@pytest.mark.parametrize("airline", KEYS)
def test_the_contents_lead_to_every_article_and_each_is_noted(reader, airline):
    one = reader(airline)
    one.follow(one.airline.word("see-handbook"))
    addresses = list(one.page.links.values())
    every = articles(EDITIONS[0], one.airline)
    for each in every:
        assert one.airline.address("article", each.number) in addresses
    for each in every[:30:7]:
        page = one.open(one.airline.address("article", each.number))
        assert all(paragraph in page.paragraphs for paragraph in each.paragraphs)
        assert one.airline.formats.day(each.day) in page.text
        for other in (*each.beaten_by, *each.see):
            assert one.airline.address("article", other) in page.links.values()
    read = [each.number for each in every[:30:7]]
    assert journal.subjects(one.world, "article") == read
    one.open("/")
    assert one.airline.word("seen-articles", numbers=", ".join(read)) in one.page.text


@pytest.mark.parametrize("airline", KEYS)
def test_a_search_is_shown_and_noted(reader, airline):
    one = reader(airline)
    word = one.airline.word
    one.follow(word("see-handbook"))
    address, name = one.airline.address("handbook"), one.airline.id("handbook-words")
    page = one.open(f"{address}?{name}=Change+%20FEE")
    wanted = search_handbook(EDITIONS[0], "change fee", one.airline)
    shown = [at for at in page.links.values() if at.startswith(f"{address}/")]
    assert shown == [one.airline.address("article", each.number) for each in wanted]
    assert journal.subjects(one.world, "handbook") == ["contents", "words=change fee"]
    assert word("no-article", words="qqq") in one.open(f"{address}?{name}=qqq").paragraphs


@pytest.mark.parametrize("airline", KEYS)
def test_an_unknown_article_is_refused(reader, airline):
    one = reader(airline)
    page = one.open(one.airline.address("article", "99"))
    assert page.status == 404 and "There is no article 99." in page.text
    assert journal.subjects(one.world, "article") == []


@pytest.mark.parametrize("airline", KEYS)
def test_a_desk_of_level_2_has_no_handbook(visitor, airline):
    one = visitor(airline)
    one.open("/")
    assert one.airline.word("see-handbook") not in one.page.links
    assert one.open(one.airline.address("handbook")).status == 404
    assert one.open(one.airline.address("article", "1")).status == 404
    assert edition_of(one.world) is None


@pytest.mark.parametrize("airline", KEYS)
def test_where_there_is_a_handbook_no_page_of_a_sale_says_what_stands_in_it(reader, airline):
    """What a fare gives back is a matter of the edition."""
    one = reader(airline)
    answer = one.airline.word("rule-in-handbook")
    there, here = (load_airports()[code].label for code in ("LAX", "EWR"))
    Sale(one).search(Wanted(there, here, "2026-03-13"))
    assert answer in one.page.text
    for key in ("rule-refund", "rule-no-refund", "rule-no-change", "rule-change-free"):
        assert one.airline.word(key) not in one.page.text


@for_each("airline", AIRLINES)
def test_a_word_that_begins_with_a_vowel_has_an_before_it(airline):
    whole = "\n".join(text_of(one) for edition in EDITIONS for one in articles(edition, airline))
    assert not re.search(r"\b[Aa] [aeiou]|\b[Aa]n [^aeiouh8]", whole.replace("a one-", ""))
