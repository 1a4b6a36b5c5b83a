"""Suites: frozen lists of scenarios, each with its hash."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
REMOVED = {
    "crm-120": "crm-100, and --family TASK_UPDATE_FLIGHTS --seeds 0:20",
    "crm-live-30": "crm-airlines-60, or --family airline_search.halcyra --seeds 0:10",
    "store-l2-foreign-16": "--family checkout_exact.foreign --seeds 0:4, and others with that dial",
    "store-l3-account-foreign-12": "--family ledger_audit.foreign --seeds 0:4, and others",
    "store-l3-meanwhile-10": "store-l2-meanwhile-40",
    "store-trimmed-10": "--family checkout_exact.trimmed --seeds 0:5",
}
"""The suites of earlier versions, each with what to use in its place."""


@dataclass(frozen=True)
class Suite:
    """A frozen list of scenarios.

    Attributes:
        name: The name of the suite.
        data: The digest of each site's data, by site.
        expert: The largest number of actions in this suite by family, from which budgets are
            computed (`scenarios.scenario.budgeted_length`).
        scenarios: The hash of each scenario, by scenario name.
    """

    name: str
    data: Mapping[str, str]
    expert: Mapping[str, int]
    scenarios: Mapping[str, str]


def names() -> list[str]:
    """Return the names of all frozen suites, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Suite:
    """Return the suite with a name. Raises `LookupError` if no suite has that name."""
    path = FOLDER / f"{name}.json"
    if name not in names():
        raise LookupError(name)
    content = json.loads(path.read_text(encoding="utf-8"))
    return Suite(name, content["data"], content["expert"], _flat(content["scenarios"]))


@cache
def definitions() -> Mapping[str, Any]:
    """Return the definition of each suite, by name, in the order of `definitions.toml`."""
    return tomllib.loads((FOLDER / "definitions.toml").read_text(encoding="utf-8"))


def about(name: str) -> str:
    """Return the line that says what a suite is for. Raises `KeyError`."""
    return str(definitions()[name]["about"])


def save(suite: Suite) -> Path:
    """Write a suite into its JSON file and return the path of the file."""
    path = FOLDER / f"{suite.name}.json"
    scenarios: dict[str, dict[str, str]] = {}
    for scenario, digest in suite.scenarios.items():
        family, _, seed = scenario.rpartition("/")
        scenarios.setdefault(family, {})[seed] = digest
    content = {"data": suite.data, "expert": suite.expert, "scenarios": scenarios}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


def _flat(scenarios: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the hashes by scenario; grouping them by family makes the file smaller."""
    return {
        f"{family}/{seed}": digest
        for family, seeds in scenarios.items()
        for seed, digest in seeds.items()
    }
