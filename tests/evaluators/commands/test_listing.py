"""What there is, as rows."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import rehearse
from agent.plugins import UnknownName
from evaluators.commands import listing
from scenarios import registry

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
    assert methods["react"] == ["instructions", "published-code", "summary"]
    assert methods["nothing"] == []
    assert {"site": "store"}.items() <= listing.rows("sites")[0].items() or len(
        listing.rows("sites")
    ) > 1
    assert ("buy_item", "store") in [(r["family"], r["site"]) for r in listing.rows("families")]


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


def test_one_row_by_its_name():
    assert [row["about"] for row in listing.rows("families", "buy_item")]
    with pytest.raises(UnknownName, match="buy_item"):
        listing.rows("families", "buy_itme")


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
