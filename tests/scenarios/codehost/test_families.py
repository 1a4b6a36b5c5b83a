"""The code host's families over many seeds: their answers, found again from what the pages show."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

import scenarios.codehost
from scenarios import registry
from sites.codehost import SITE, load_data
from sites.kit import Map, Place
from tests.measuring import DEEP

FOLDER = Path(scenarios.codehost.__file__).parent
NAMES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))
SEEDS = 200 if DEEP else 30
PERIOD = re.compile(r"(\d+ [A-Z][a-z]+ \d{4}) to (\d+ [A-Z][a-z]+ \d{4})")


@cache
def drawn(name, count=SEEDS):
    family = registry.family(name)
    return [family.generate(seed, load_data()) for seed in range(count)]


@pytest.fixture
def shown():
    """A function that returns all rows of a list in the start world of a scenario."""
    worlds = []

    def rows(scenario, page, **args):
        world = registry.family(scenario.family).world(scenario)
        worlds.append(world)
        found = Map(SITE, world)
        place = Place.of(page, args)
        query = found.query(place, found.record(place))
        return world.read(f"{query.sql} ORDER BY {query.order}", query.values)

    yield rows
    for each in worlds:
        each.release()


def answer(scenario):
    return scenario.gold["answer"]["text"]


def in_period(scenario, rows):
    """The commits whose own time is in the period of the instruction, by anybody."""
    first, last = (
        f"{datetime.strptime(each, '%d %B %Y').replace(tzinfo=UTC):%Y-%m-%d}"
        for each in PERIOD.search(scenario.instruction).groups()
    )
    return [row for row in rows if first <= row["clock"][:10] <= last]


def author(scenario, rows):
    """The author whom the instruction names; no other name contains it."""
    named = {row["author"] for row in rows if row["author"] in scenario.instruction}
    return max(named, key=len)


@pytest.mark.parametrize("name", ["count_commits", "commits_of_group"])
def test_commits_are_counted_on_every_page_of_every_project(shown, name):
    for scenario in drawn(name):
        if name == "count_commits":
            [[_, args, _], *_] = scenario.gold["read"]
            places = [{key: args[key] for key in ("ns", "slug", "branch")}]
        else:
            [[_, args, _]] = scenario.gold["via"]
            places = shown(scenario, "group", **args)
        rows = [
            row
            for each in places
            for row in shown(
                scenario, "commits", ns=each["ns"], slug=each["slug"], branch=each["branch"]
            )
        ]
        counted = [r for r in in_period(scenario, rows) if r["author"] == author(scenario, rows)]
        assert answer(scenario) == str(len(counted)), scenario.instruction
        assert len({row["sha"] for row in counted}) == len(counted)


def test_the_headings_of_days_give_another_number(shown):
    for scenario in drawn("count_commits"):
        [[_, args, _], *_] = scenario.gold["read"]
        place = {key: args[key] for key in ("ns", "slug", "branch")}
        rows = shown(scenario, "commits", **place)
        own = [row for row in rows if row["author"] == author(scenario, rows)]
        by_head = [{**row, "clock": row["day"]} for row in own]
        assert str(len(in_period(scenario, by_head))) != answer(scenario)


def test_the_first_page_does_not_suffice_on_a_third_of_the_seeds():
    for name, share in (("count_commits", 1 / 3), ("commits_of_group", 1 / 3)):
        later = [any(args.get("page") for _, args, _ in s.gold["read"]) for s in drawn(name)]
        assert sum(later) >= share * len(later), name


def test_the_top_committer_has_the_most_commits_of_an_entry(shown):
    for scenario in drawn("top_committer"):
        [_, args, _] = scenario.gold["read"][-1]
        place = {key: args[key] for key in ("ns", "slug", "branch")}
        first, second, *_ = shown(scenario, "contributors", **place)
        assert first["commits"] >= second["commits"] + 2
        assert answer(scenario) in {first["author"], first["mail"], str(first["commits"])}


def test_members_are_those_of_the_page_of_members(shown):
    for scenario in drawn("who_has_access"):
        [_, args, _] = scenario.gold["read"][-1]
        place = {key: args[key] for key in ("ns", "slug")}
        members = {row["user"] for row in shown(scenario, "members", **place)}
        assert {*answer(scenario).split(", ")} == members - {scenario.details["me"]}


def test_an_issue_is_the_last_of_those_with_the_words(shown):
    for scenario in drawn("issue_state"):
        [_, args, _] = scenario.gold["read"][-1]
        word = re.search("“(.*?)”", scenario.instruction)[1]
        order = "updated" if args.get("sort") == "updated" else "at"
        rows = [
            row for row in shown(scenario, "my_created") if word.lower() in row["title"].lower()
        ]
        last = max(rows, key=lambda row: row[order])
        assert len(rows) > 1
        assert answer(scenario) == ("yes" if last["state"] == "closed" else "no")


def test_an_address_is_of_the_only_project_with_its_description(shown):
    for scenario in drawn("clone_command"):
        about = re.search("“(.*?)”", scenario.instruction)[1].lower()
        rows = [
            row
            for row in shown(scenario, "explore")
            if about in row["description"].lower() and not row["origin"]
        ]
        assert [row["ssh"] for row in rows] == [answer(scenario)]


def test_answers_are_spread():
    for name in ("count_commits", "commits_of_group", "top_committer"):
        [(_, most)] = Counter(map(answer, drawn(name))).most_common(1)
        assert most <= 0.25 * SEEDS, name


def test_a_family_has_few_lines():
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.glob("*.py")]
    assert sum(sizes) / len(NAMES) <= 60
    assert max(sizes) <= 120
