"""The legend explains what the table shows, and the page of names explains the rest alike."""

from __future__ import annotations

from pathlib import Path

from evaluators.analysis.summary import summary
from evaluators.report import console_table, legend
from scenarios import registry
from tests.evaluators.records.example_records import scored
from tests.sources import ROOT

NAMES = {
    "floor": "the success of the best null agent, which reads no page, on the same scenarios",
    "gold actions": "the share of the known solution's actions that the agent did",
    "knobs": "the difficulties with which a scenario was drawn",
    "outside": "the method of an external client, which decides by itself (`rehearse mcp`)",
    "published": "by the rule of the paper or of its code; ours is stricter",
    "strict": "the reward without what the published rule forgives",
}
PAGE = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")


def test_the_sites_and_columns_of_a_table_are_explained_under_it(capsys):
    console_table.table(
        summary("x", [scored(True, site="crm", scenario="crm/x/0")]), Path("runs/x")
    )
    head, _, below = capsys.readouterr().out.partition("react")
    assert "crm: The airline CRM" in below and "store: " not in below
    for name, meaning in legend.COLUMNS.items():
        assert name in head and f"{name}: {meaning}" in below


def test_the_page_of_names_has_every_name_and_site():
    for name, meaning in {**legend.COLUMNS, **NAMES}.items():
        assert f"| {name} | {meaning} |\n" in PAGE, name
    assert [site for site in registry.site_names() if f"| `{site}` |" not in PAGE] == []
