"""What there is, as rows."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from click.testing import CliRunner

import rehearse
import sites as all_sites
from agent import plugins, prompting
from agent.plugins import NoSuchFile, UnknownName
from agent.prompting import BadPrompt
from evaluators.commands import listing
from evaluators.run.prepare import read_agents
from scenarios import registry, suites
from sites.widgets import originals

KINDS = ("methods", "sites", "families", "suites", "cassettes")


@pytest.mark.parametrize("what", KINDS)
def test_rows_are_json_of_one_shape(what):
    rows = listing.rows(what)
    json.dumps(rows)
    assert len({tuple(row) for row in rows}) <= 1


@pytest.mark.parametrize("what", ["methods", "sites", "families", "suites"])
def test_everything_says_what_it_is(what):
    rows = listing.rows(what)
    assert rows and all(row["about"] for row in rows)


def test_the_rows_of_this_project():
    methods = {row["method"]: row["variants"] for row in listing.rows("methods")}
    assert methods["react"] == ["instructions", "published-code"]
    assert methods["nothing"] == []
    assert {"site": "store"}.items() <= listing.rows("sites")[0].items() or len(
        listing.rows("sites")
    ) > 1
    assert ("buy_item", "store") in [(r["family"], r["site"]) for r in listing.rows("families")]


def test_a_method_is_listed_with_the_sites_on_which_a_run_accepts_it():
    sites = {row["method"]: row["sites"] for row in listing.rows("methods")}
    assert sites["expert"] == sites["react"] == plugins.folders(all_sites)
    assert "store" in sites["laser"] and "shop" not in sites["laser"]
    laser, react = read_agents(["laser", "react"])
    for site in plugins.folders(all_sites):
        known = site in sites["laser"]
        with nullcontext() if known else pytest.raises(BadPrompt, match="no graph of states"):
            prompting.check(laser.module(), laser.prompts, site)
        prompting.check(react.module(), react.prompts, site)


def test_a_method_alone_is_listed_with_its_options_and_variants():
    [row] = listing.rows("methods", "step")
    assert row["options"]["temperature"] == 0.3 and "prompts" not in row["options"]
    assert row["variant_options"]["stop-missing"] == {"stop_missing": True}
    shown = CliRunner().invoke(rehearse.main, ["list", "methods", "step"]).stdout
    for line in ("sites: any site", "option temperature=0.3", "variant zero-shot: examples=0"):
        assert line in shown.splitlines()
    assert "loops: Number of times" in shown
    table = CliRunner().invoke(rehearse.main, ["list", "methods"]).stdout.splitlines()
    laser = next(line for line in table if line.startswith("laser"))
    assert "crm, forum, store, widgets" in laser
    as_json = CliRunner().invoke(rehearse.main, ["list", "methods", "step", "--json"]).stdout
    assert json.loads(as_json) == [row]
    for each in listing.rows("methods"):
        [row] = listing.rows("methods", each["method"])
        assert each.items() <= row.items() and "MISSING" not in json.dumps(row)


def test_a_suites_families_are_a_count_and_its_name_shows_them():
    rows = listing.rows("suites")
    counts = {row["suite"]: row["families"] for row in listing.brief(rows)}
    assert counts == {row["suite"]: len(row["families"]) for row in rows}
    assert counts["smoke"] == len(listing.rows("suites", "smoke")) > 1
    [row] = listing.rows("suites", "store-20")
    assert (row["family"], row["scenarios"]) == ("buy_item", 20) and row["most actions"] > 1
    assert row["seeds"] == [*range(20)] and row["steps"] == 2 * row["most actions"] + 10
    shown = CliRunner().invoke(rehearse.main, ["list", "suites", "store-500"]).output
    assert "seeds" not in shown and "500" in shown


def test_suites_stand_by_site_with_level_and_a_line_each():
    rows = {row["suite"]: row for row in listing.rows("suites")}
    assert [*rows] == [*dict.fromkeys(rows)] and set(rows) == set(suites.names())
    assert (rows["store-20"]["site"], rows["store-20"]["level"]) == ("store", "1")
    assert (rows["crm-l3-60"]["site"], rows["crm-l3-60"]["level"]) == ("crm", "3")
    assert rows["smoke"]["site"] == "crm, store, widgets"
    assert rows["original-45"]["site"] == "widgets"
    out = CliRunner().invoke(rehearse.main, ["list", "suites"])
    heads = [line.partition(":")[0] for line in out.stdout.split("\n") if line[:1].isalpha()]
    assert [each for each in heads if each in {"crm", "store", "widgets"}] == [
        "crm", "store", "widgets"
    ]  # fmt: skip
    assert out.stderr == "" and out.stdout.startswith("admin")


def test_a_level_is_that_of_the_families():
    of = {row["family"]: row["level"] for row in listing.rows("families")}
    assert all(of[name] >= each.LEVEL for name, each in registry.family_modules().items())
    assert [of[each] for each in ("buy_item", "buy_wish", "best_basket", "cheapest_fit")] == [
        *(1, 2, 3, 2)
    ]
    levels = {each["suite"]: each["level"] for each in listing.rows("suites")}
    wanted = {"store-20": "1", "crm-l2-dials-64": "2", "store-l2-40": "2", "store-l3-dials-40": "3"}
    assert {name: levels[name] for name in wanted} == wanted


def test_pages_that_are_not_installed_are_noted_where_they_are_named(monkeypatch):
    monkeypatch.setattr(originals, "found", lambda: None)
    assert CliRunner().invoke(rehearse.main, ["list", "suites"]).stderr == ""
    noted = CliRunner().invoke(rehearse.main, ["list", "suites", "original-45"])
    assert noted.exit_code == 0 and "pip install" in noted.stderr
    refused = CliRunner().invoke(rehearse.main, ["list", "families", "book-flight.original"])
    assert refused.exit_code == 2 and "pip install" in refused.stderr


def test_a_family_says_what_it_asks_and_shows_an_instruction():
    out = CliRunner().invoke(rehearse.main, ["list", "families", "buy_item"]).stdout
    assert "buy_item (store, level 1, transaction)\nBuy an item" in out
    assert registry.scenario("store/buy_item/0").instruction in out
    by_page = CliRunner().invoke(rehearse.main, ["list", "families", "click-test"]).stdout
    assert "The page draws a problem for each seed" in by_page
    [dialled] = listing.rows("families", "checkout_exact.busy")
    assert dialled["instruction"] == registry.scenario("store/checkout_exact.busy/0").instruction


def test_one_row_by_its_name():
    assert [row["about"] for row in listing.rows("families", "buy_item")]
    with pytest.raises(UnknownName, match="buy_item"):
        listing.rows("families", "buy_itme")


def test_what_is_not_found_is_named_in_one_line_with_a_few_names_at_most():
    with pytest.raises(NoSuchFile, match=r"^there is no file \./mine\.py; check the path$"):
        listing.rows("families", "./mine.py")
    for what, kind in (("families", "family"), ("suites", "suite"), ("methods", "method")):
        with pytest.raises(UnknownName, match=f"there is no {kind} 'zzzz'") as refused:
            listing.rows(what, "zzzz")
        assert len(str(refused.value)) < 400


def test_the_families_of_a_site_are_all_its_pages():
    of_widgets = {row["family"] for row in listing.rows("families", site="widgets")}
    assert of_widgets > set(registry.site_data("widgets").pages)
    assert of_widgets < {row["family"] for row in listing.rows("families")}
    assert [row["site"] for row in listing.rows("families", "click-test", "widgets")] == ["widgets"]
    for name, site in (("", "widget"), ("buy_item", "widgets")):
        with pytest.raises(UnknownName, match=name or site):
            listing.rows("families", name, site)


def test_only_families_are_chosen_by_their_site():
    chosen = CliRunner().invoke(rehearse.main, ["list", "suites", "--site", "widgets"])
    assert chosen.exit_code == 2 and "--site chooses families" in chosen.output
    listed = CliRunner().invoke(rehearse.main, ["list", "families", "--site", "crm", "--json"])
    assert {row["site"] for row in json.loads(listed.output)} == {"crm"}


def test_a_table_for_people(capsys):
    listing.table([{"name": "a", "many": ["x", "y"], "about": "in [bold]brackets[/bold] [/x]"}])
    out = capsys.readouterr().out
    assert "x, y" in out and "in [bold]brackets[/bold] [/x]" in out


def test_an_empty_table_says_so(capsys):
    listing.table([])
    assert "nothing yet" in capsys.readouterr().out


def test_a_row_is_one_line_where_no_terminal_is(capsys):
    words = " ".join(["word"] * 100)
    listing.table([{"name": "a", "about": words}, {"name": "b", "about": words}])
    assert [line.split(maxsplit=1)[0] for line in capsys.readouterr().out.splitlines()] == [
        "name", "a", "b"
    ]  # fmt: skip


def test_a_tag_chooses_families_by_category_or_template():
    names = {row["family"] for row in listing.rows("families", tag="webarena:27")}
    assert names == {"edit_post"}
    assert {row["tag"] for row in listing.rows("families", tag="information")} == {"information"}
    with pytest.raises(UnknownName, match="did you mean webarena:"):
        listing.rows("families", tag="webarena:28")


def test_only_families_have_tags():
    result = CliRunner().invoke(rehearse.main, ["list", "suites", "--tag", "content"])
    assert result.exit_code == 2 and "--tag chooses families" in result.output
