"""`rehearse list`: methods, sites, families, suites and cassettes as rows of a table or JSON."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from agent import agent_spec, plugins
from evaluators.commands.terminal import plain
from evaluators.episode.budget import standard
from scenarios import registry, suites
from sites.widgets import originals
from sites.widgets.originals import ORIGINAL

LONGEST = 8
"""The length of a list above which its column shows only counts in the table."""
CASSETTES = Path(__file__).parents[2] / "tests" / "cassettes"

Row = dict[str, Any]


def rows(what: str, name: str = "", site: str = "") -> list[Row]:
    """Return the rows of a list of `rehearse list`.

    Args:
        what: "methods", "sites", "families", "suites" or "cassettes".
        name: Only the items that have this name in a row; a suite's name gives a row per family.
        site: Only rows of this site; "" for all.

    Raises:
        UnknownName: No item has that name, or no site has that name.
    """
    made = {
        "methods": _methods,
        "sites": _sites,
        "families": _families,
        "suites": _suites,
        "cassettes": _cassettes,
    }
    found = made[what]()
    if site:
        found = _of_site(found, site)
    if not name:
        return found
    chosen = [row for row in found if name in row.values()]
    if not chosen:
        raise plugins.unknown(what, name, [str(next(iter(row.values()))) for row in found])
    return _suite(name) if what == "suites" else chosen


def not_installed(what: str, rows: list[Row]) -> str:
    """Return a line about listed tasks whose pages are not installed, or "" if all can run."""
    widgets = what == "families" and any(row["site"] == "widgets" for row in rows)
    suites = what == "suites" and any(
        ORIGINAL in str(value) for row in rows for value in row.values()
    )
    if originals.found() or not (widgets or suites):
        return ""
    return f"the original pages (<task>.{ORIGINAL}) are not installed; {originals.INSTALL}"


def _of_site(rows: list[Row], site: str) -> list[Row]:
    if site not in registry.site_names():
        raise plugins.unknown("site", site, registry.site_names())
    return [row for row in rows if row["site"] == site]


def brief(rows: list[Row]) -> list[Row]:
    """Return the rows with counts instead of lists in each column that has a long list."""
    long = {key for row in rows for key, value in row.items() if _is_long(value)}
    return [
        {key: len(value) if key in long else value for key, value in row.items()} for row in rows
    ]


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > LONGEST


def table(rows: list[Row]) -> None:
    """Print the rows of a list in columns, without seeds, since a suite has up to 500."""
    from rich.table import Table

    from evaluators.report.console import console

    rows = [{key: value for key, value in row.items() if key != "seeds"} for row in rows]
    shown = Table(box=None, pad_edge=False)
    for number, key in enumerate(rows[0] if rows else []):
        shown.add_column(key, no_wrap=number == 0)
    for row in rows:
        shown.add_row(*(plain(_text(value)) for value in row.values()))
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
            "about": _first_line(agent_spec.Agent(name, name).module()),
        }
        for name in agent_spec.names()
    ]


def _sites() -> list[Row]:
    return [
        {"site": name, "about": _first_line(registry.site(name))} for name in registry.site_names()
    ]


def _families() -> list[Row]:
    return [
        {"family": name, "site": module.SITE, "tag": module.TAG, "about": _first_line(module)}
        for name, module in sorted(registry.family_modules().items())
    ]


def _suites() -> list[Row]:
    return [
        {
            "suite": name,
            "scenarios": len(suite.scenarios),
            "families": sorted(suite.expert),
            "about": suites.about(name),
        }
        for name in suites.names()
        for suite in [suites.load(name)]
    ]


def _suite(name: str) -> list[Row]:
    """Return a row for each family of a suite; `steps` is the step limit of its longest episode."""
    suite = suites.load(name)
    seeds: dict[str, list[int]] = {}
    for scenario in suite.scenarios:
        _, family, seed = scenario.split("/")
        seeds.setdefault(family, []).append(int(seed))
    return [
        {
            "family": family,
            "scenarios": len(seeds[family]),
            "seeds": seeds[family],
            "most actions": most,
            "steps": standard(most).steps,
        }
        for family, most in sorted(suite.expert.items())
    ]


def _cassettes() -> list[Row]:
    """Return rows that count the recordings that the tests replay, by set and agent.

    An installed package contains none.
    """
    found = sorted(CASSETTES.glob("*/*/*/*.jsonl"))
    groups = Counter((path.parts[-4], path.parts[-3]) for path in found)
    return [
        {"set": name, "agent": agent, "episodes": count, "speaker": "scripted"}
        for (name, agent), count in sorted(groups.items())
    ]
