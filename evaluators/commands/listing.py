"""`rehearse list`: methods, sites, families, suites, templates and cassettes as rows of a table or
JSON.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from types import ModuleType
from typing import Any

import agent.methods
import sites
from agent import agent_spec, plugins, prompting
from agent.agent_spec import Agent
from evaluators.analysis.grouping import grouped
from evaluators.commands.terminal import plain
from scenarios import index, suites, templates
from scenarios.suites import Suite

ORIGINAL = "original"
"""Part of the names of suites on MiniWoB++'s own pages."""
LONGEST = 8
"""The length of a list above which its column shows only counts in the table."""
ONLY_JSON = ("seeds", "classes", "posed")
"""Columns of `--json` that are too wide for a table."""
CASSETTES = Path(__file__).parents[2] / "tests" / "cassettes"

ENGINE = ("prompts", "exchange")
"""Options that the engine fills."""

Row = dict[str, Any]


def rows(what: str, name: str = "", site: str = "", tag: str = "") -> list[Row]:
    """Return the rows of a list of `rehearse list`.

    Args:
        what: "methods", "sites", "families", "suites", "templates" or "cassettes".
        name: Only the items that have this name in a row. A suite's name gives a row per family; a
            family's name gives its row with its description and an instruction, and a method's
            name gives its row with its options.
        site: Only rows of this site; "" for all.
        tag: Only families of this category or with this published template; "" for all.

    Raises:
        UnknownName: No item has that name, no site has that name, or no family has that tag.
        NoSuchFile: The name is the path of a file that does not exist.
    """
    made = {
        "methods": _methods,
        "sites": _sites,
        "families": _families,
        "suites": _suites,
        "templates": _templates,
        "cassettes": _cassettes,
    }
    if what == "families" and name.endswith(".py") and not Path(name).is_file():
        raise plugins.NoSuchFile(f"there is no file {name}", "check the path")
    found = made[what]()
    if site:
        _check_site(site)
        found = [row for row in found if row["site"] == site]
    if tag:
        found = _tagged(found, tag)
    if not name:
        return found
    chosen = [row for row in found if name in row.values()]
    if what == "families" and all(row["family"] == name for row in chosen):
        chosen = [row for row in [_family(name)] if site in {"", row["site"]}]
    if not chosen:
        kind = "family" if what == "families" else what.removesuffix("s")
        raise plugins.unknown(kind, name, [str(next(iter(row.values()))) for row in found])
    if what == "methods":
        return [_method(row) for row in chosen if row["method"] == name] or chosen
    return _suite(name) if what == "suites" else chosen


def _tagged(found: list[Row], tag: str) -> list[Row]:
    """Return the rows of the families that have the tag."""
    tags = {row["family"]: {row["tag"], *row["templates"]} - {""} for row in found}
    chosen = [row for row in found if tag in tags[row["family"]]]
    if not chosen:
        raise plugins.unknown("tag", tag, sorted(set().union(*tags.values())))
    return chosen


def not_installed(name: str) -> str:
    """Return a line about a suite whose pages are not installed, or "" if it can run."""
    if ORIGINAL not in name:
        return ""
    from sites.widgets import originals

    return "" if originals.found() else f"its pages are not installed; {originals.INSTALL}"


def _check_site(name: str) -> None:
    """Raise `UnknownName` if no site has this name."""
    known = plugins.folders(sites)
    if name not in known:
        raise plugins.unknown("site", name, known)


def show(what: str, rows: list[Row], *, whole: bool) -> None:
    """Print rows: families and suites by site, a single family in full, the others as a table.

    Args:
        what: The kind of item.
        rows: The rows.
        whole: Print long lists whole instead of counting them.
    """
    if rows and "instruction" in rows[0]:
        for row in rows:
            print(plain("\n".join(family(row))))  # noqa: T201
    elif rows and "options" in rows[0]:
        for row in rows:
            print(plain("\n".join(method(row))))  # noqa: T201
    elif what in {"families", "suites"} and rows and "site" in rows[0]:
        by_site(rows if whole else brief(rows))
    elif what == "methods":
        table([{**row, "sites": _where(row["sites"])} for row in rows])
    else:
        table(rows if whole else brief(rows))


def brief(rows: list[Row]) -> list[Row]:
    """Return the rows with counts instead of lists in each column that has a long list."""
    long = {key for row in rows for key, value in row.items() if _is_long(value)}
    return [
        {key: len(value) if key in long else value for key, value in row.items()} for row in rows
    ]


def _is_long(value: Any) -> bool:
    return isinstance(value, list) and len(value) > LONGEST


def table(rows: list[Row]) -> None:
    """Print the rows of a list in columns, without the columns that JSON alone has."""
    from rich.table import Table

    from evaluators.report.console import console

    empty = {"templates"} if not any(row.get("templates") for row in rows) else set()
    hidden = {*ONLY_JSON, *empty}
    rows = [{key: value for key, value in row.items() if key not in hidden} for row in rows]
    shown = Table(box=None, pad_edge=False)
    for number, key in enumerate(rows[0] if rows else []):
        shown.add_column(key, no_wrap=number == 0)
    for row in rows:
        shown.add_row(*(plain(_text(value)) for value in row.values()))
    console().print(shown if rows else "nothing yet")


def by_site(rows: list[Row]) -> None:
    """Print a table for each site, under a line that says what the site is."""
    for number, (name, group) in enumerate(grouped(rows, lambda row: str(row["site"])).items()):
        about = plugins.about(sites, name)
        print("\n" * bool(number) + ": ".join(filter(None, (name, about))))  # noqa: T201
        table([{key: value for key, value in row.items() if key != "site"} for row in group])


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _methods() -> list[Row]:
    return [
        {
            "method": name.replace("_", "-"),
            "variants": sorted(prompting.variants(name)),
            "sites": _sites_of(name),
            "about": plugins.about(agent.methods, name),
        }
        for name in plugins.names(agent.methods)
    ]


def _sites_of(method: str) -> list[str]:
    """Return the sites on which a method plays."""
    module = Agent(method, method.replace("_", "-")).module()
    return [name for name in plugins.folders(sites) if _plays(module, method, name)]


def _where(found: list[str]) -> str:
    """Return the sites of a method as text: the few that it lacks if it plays on most."""
    lacking = [name for name in plugins.folders(sites) if name not in found]
    if not lacking:
        return "any site"
    return f"all but {', '.join(lacking)}" if len(lacking) < len(found) else ", ".join(found)


def _plays(module: ModuleType, method: str, site: str) -> bool:
    try:
        prompting.check(module, method, site)
    except prompting.BadPrompt:
        return False
    return True


def _method(row: Row) -> Row:
    """Return the row of a method with its options and their defaults, and those of variants."""
    kind = Agent(row["method"], row["method"]).module().Options
    own = [each for each in fields(kind) if each.name not in ENGINE]
    defaults = {each.name: _plain_value(each.default) for each in own}
    return {
        **row,
        "options": defaults,
        "variant_options": agent_spec.variants(row["method"]),
        "description": inspect.getdoc(kind) or "",
    }


def _plain_value(default: Any) -> Any:
    """Return an option's default as JSON can hold it."""
    return default if isinstance(default, bool | int | float | str) else str(default)


def method(row: Row) -> list[str]:
    """Return lines about a method whose row has its options."""
    return [
        row["about"],
        f"sites: {_where(row['sites'])}",
        *(f"option {name}={value}" for name, value in row["options"].items()),
        *(f"variant {name}: {_settings(given)}" for name, given in row["variant_options"].items()),
        *(["", row["description"]] if row["options"] else []),
    ]


def _settings(given: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in given.items())


def _sites() -> list[Row]:
    return [{"site": name, "about": plugins.about(sites, name)} for name in plugins.folders(sites)]


def _families() -> list[Row]:
    return [asdict(each) for each in index.entries()]


def _family(name: str) -> Row:
    """Return the row of a family, with its whole description and the instruction of a first seed.

    The instruction is "" if the page draws it.
    """
    from scenarios import registry

    made = registry.family(name)
    drawn = index.first(made)
    text = drawn.instruction if made.instruction is None else ""
    description = inspect.cleandoc(str(made.__doc__ or ""))
    entry = asdict(index.entry(name, made, drawn))
    return {**entry, "description": description, "instruction": text}


def family(row: Row) -> list[str]:
    """Return lines about a family whose row has an instruction."""
    kind = ", ".join(filter(None, (row["site"], f"level {row['level']}", row["tag"])))
    asked = row["instruction"] or "The page draws a problem for each seed, and says what to do."
    return [f"{row['family']} ({kind})", row["description"], "", "A first instruction:", asked]


def _suites() -> list[Row]:
    """Return a row for each suite, by site and level."""
    levels = index.levels()
    made = [_suite_row(suites.load(name), levels) for name in suites.names()]
    return sorted(made, key=lambda row: (row["site"], row["level"], row["suite"]))


def _suite_row(suite: Suite, levels: Mapping[str, int]) -> Row:
    reached = {levels.get(each) or levels[each.partition(".")[0]] for each in suite.expert}
    return {
        "suite": suite.name,
        "site": ", ".join(sorted({each.split("/")[0] for each in suite.scenarios})),
        "level": " to ".join(map(str, sorted({min(reached), max(reached)}))),
        "scenarios": len(suite.scenarios),
        "families": sorted(suite.expert),
        "about": suites.about(suite.name),
    }


def _suite(name: str) -> list[Row]:
    """Return a row for each family of a suite; `steps` is the step limit of its longest episode."""
    from evaluators.episode.budget import standard

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


def _templates() -> list[Row]:
    """Return a row for each template of WebArena, with the families that stand for it."""
    return [{**asdict(each), "families": [*each.families]} for each in templates.load()]


def covered(rows: list[Row]) -> str:
    """Return a line that counts the templates and tasks for which families stand."""
    own = [row for row in rows if row["families"]]
    tasks, every = (sum(row["tasks"] for row in found) for found in (own, rows))
    return f"families stand for {len(own)} of {len(rows)} templates, {tasks} of {every} tasks"


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
