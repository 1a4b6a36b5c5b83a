"""What there is, as rows for people and programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent import agent_spec
from scenarios import registry, suites

CASSETTES = Path(__file__).parents[2] / "tests" / "cassettes"

Row = dict[str, Any]


def rows(what: str) -> list[Row]:
    """The rows of methods, sites, families, suites or cassettes."""
    made = {
        "methods": _methods,
        "sites": _sites,
        "families": _families,
        "suites": _suites,
        "cassettes": _cassettes,
    }
    return made[what]()


def table(rows: list[Row]) -> None:
    """Print rows in columns."""
    from rich.table import Table

    from evaluators.report.columns import console

    shown = Table(box=None, pad_edge=False)
    for number, key in enumerate(rows[0] if rows else []):
        shown.add_column(key, no_wrap=number == 0)
    for row in rows:
        shown.add_row(*(_text(value) for value in row.values()))
    console().print(shown if rows else "nothing yet")


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _first_line(module: Any) -> str:
    return str(module.__doc__ or "").strip().split("\n")[0]


def _methods() -> list[Row]:
    return [
        {
            "method": name,
            "variants": sorted(agent_spec.variants(name)),
            "about": _first_line(agent_spec.read(name).module()),
        }
        for name in agent_spec.names()
    ]


def _sites() -> list[Row]:
    return [
        {"site": name, "about": _first_line(registry.site(name))} for name in registry.site_names()
    ]


def _families() -> list[Row]:
    return [
        {
            "family": name,
            "site": module.SITE,
            "tag": module.TAG,
            "about": _first_line(module),
        }
        for name, module in sorted(registry.family_modules().items())
    ]


def _suites() -> list[Row]:
    return [
        {
            "suite": name,
            "scenarios": len(suite.scenarios),
            "families": sorted(suite.expert),
        }
        for name in suites.names()
        for suite in [suites.load(name)]
    ]


def _cassettes() -> list[Row]:
    """The recordings that the tests replay; a wheel has none."""
    found = sorted(CASSETTES.glob("*/*/*/*.jsonl"))
    groups: dict[tuple[str, str], int] = {}
    for path in found:
        key = (path.parts[-4], path.parts[-3])
        groups[key] = groups.get(key, 0) + 1
    return [
        {"set": name, "agent": agent, "episodes": count, "speaker": "scripted"}
        for (name, agent), count in sorted(groups.items())
    ]
