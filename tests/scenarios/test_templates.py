"""WebArena's templates, and the families that stand for them."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby

import pytest
from click.testing import CliRunner

from rehearse import main
from scenarios import index, registry, templates
from tests.measuring import DEEP
from tests.sources import ROOT
from tools import webarena_near_misses, webarena_page

LOADED = templates.load()
SITES = {
    "account.md": "store",
    "forum.md": "forum",
    "map.md": "map",
    "shop.md": "shop",
    "codehost.md": "codehost",
    "admin.md": "admin",
}
"""The pages with a table of families and their templates, and the site of each."""


def test_the_templates_are_those_of_812_tasks():
    assert len(LOADED) == 191 and sum(each.tasks for each in LOADED) == 812
    twice = [name for name, n in Counter(each.template for each in LOADED).items() if n > 1]
    assert twice == ["webarena:42"]
    assert len({each.policy for each in LOADED} - {""}) == 14


def test_every_template_that_a_family_names_is_known():
    known = {each.template for each in LOADED}
    named = {name for each in index.entries() for name in each.templates}
    assert {name for name in named if name.startswith(templates.PREFIX)} <= known


def test_a_template_has_the_families_that_name_it():
    [found] = (each for each in LOADED if each.template == "webarena:58")
    assert found.families == ("walking_distance",) and found.is_covered
    assert not all(each.is_covered for each in LOADED)


def test_the_list_counts_what_is_covered():
    result = CliRunner().invoke(main, ["list", "templates"])
    own = [each for each in LOADED if each.is_covered]
    line = f"families stand for {len(own)} of 191 templates, {sum(e.tasks for e in own)} of 812"
    assert result.exit_code == 0 and line in result.stderr
    shown = CliRunner().invoke(main, ["list", "templates", "webarena:58", "--json"])
    assert '"walking_distance"' in shown.stdout


def test_a_template_says_how_ours_differ_if_and_only_if_a_family_stands_for_it():
    assert [each.template for each in LOADED if bool(each.posed) != each.is_covered] == []


def test_the_classes_are_those_of_all_tasks():
    assert all(sum(each.classes.values()) == each.tasks for each in LOADED)
    every = sum((Counter(each.classes) for each in LOADED), Counter())
    assert every == {"information": 297, "navigation": 111, "content": 364, "unachievable": 40}


# The pages


@pytest.mark.parametrize(("page", "site"), SITES.items())
def test_the_page_of_a_site_has_the_templates_of_its_families(page, site):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:\*\*)?`(\w+)`.*\| ([\d, ]*)\|$", text, re.MULTILINE)
    shown = {family: re.findall(r"\d+", numbers) for family, numbers in rows}
    own = {
        each.family: [name.removeprefix(templates.PREFIX) for name in each.templates]
        for each in index.entries()
        if each.site == site and each.templates and each.family != "review_evidence"
    }
    assert {name: sorted(each) for name, each in shown.items() if each} == {
        name: sorted(each) for name, each in own.items()
    }


def test_the_page_of_webarena_is_as_the_tool_writes_it():
    page = webarena_page.PAGE.read_text(encoding="utf-8")
    assert page == webarena_page.filled(page, LOADED), "run `python -m tools.webarena_page`"
    assert page.count("<!-- end -->") == 3


def test_the_tables_show_what_is_covered_of_all():
    [*_, last] = webarena_page.coverage(LOADED)
    own = [each for each in LOADED if each.is_covered]
    assert f"| all | {len(own)} of 191 | {sum(each.tasks for each in own)} of 812 |" in last
    without = [each for each in LOADED if each.template != "webarena:58"]
    assert last not in webarena_page.coverage(without)
    lines = [*webarena_page.by_kind(LOADED)]
    assert sum(bool(re.match(r"\| \d", line)) for line in lines) == 191
    kinds = [kind for kind, _ in groupby(LOADED, lambda each: each.site)]
    assert [line[4:].lower() for line in lines if line.startswith("###")] == kinds


# One scenario for each template


def test_each_template_with_a_family_has_a_scenario_of_its_own():
    chosen = [*templates.scenario_of_each(LOADED)]
    assert [each for each, _ in chosen] == [each for each in LOADED if each.is_covered]
    assert all(name.split("/")[1] in each.families for each, name in chosen)
    names = [name for _, name in chosen]
    assert len({*names}) == len(names)
    assert sorted(names) == sorted(registry.from_suite("webarena-1").names)


def test_at_most_six_templates_have_no_scenario():
    missing = [each.template for each in LOADED if not each.is_covered]
    assert missing == ["webarena:134", "webarena:188", "webarena:210"]


@pytest.mark.wide
def test_the_near_misses_are_those_that_were_counted():
    for each in webarena_near_misses.read()[:: 1 if DEEP else 20]:
        verdicts = webarena_near_misses.accepted(each.scenario)
        assert each.numbers == (len(verdicts), sum(verdicts.values())), each.scenario


def test_the_file_of_near_misses_has_all_templates_of_declared_sites():
    chosen = [name for _, name in templates.scenario_of_each(LOADED)]
    declared = [name for name in chosen if not name.startswith(templates.UNDECLARED)]
    assert [each.scenario for each in webarena_near_misses.read()] == declared
