"""Suites: frozen lists of scenarios, each with its hash."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

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
    """`scenarios` maps names to hashes, `data` sites to the digest of their data, `expert`
    families to the most actions from which a budget follows in this suite (`budgeted_length`)."""

    name: str
    data: Mapping[str, str]
    expert: Mapping[str, int]
    scenarios: Mapping[str, str]


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def load(name: str) -> Suite:
    """The suite of that name. Raises `LookupError`."""
    path = FOLDER / f"{name}.json"
    if name not in names():
        raise LookupError(name)
    content = json.loads(path.read_text(encoding="utf-8"))
    return Suite(name, content["data"], content["expert"], _flat(content["scenarios"]))


def about(name: str) -> str:
    """The line of `definitions.toml` that says what a suite is for. Raises `KeyError`."""
    definitions = tomllib.loads((FOLDER / "definitions.toml").read_text(encoding="utf-8"))
    return str(definitions[name]["about"])


def save(suite: Suite) -> Path:
    """Freeze a suite into its file."""
    path = FOLDER / f"{suite.name}.json"
    scenarios: dict[str, dict[str, str]] = {}
    for scenario, digest in suite.scenarios.items():
        family, _, seed = scenario.rpartition("/")
        scenarios.setdefault(family, {})[seed] = digest
    content = {"data": suite.data, "expert": suite.expert, "scenarios": scenarios}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    return path


def _flat(scenarios: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The file groups them by family, which makes it a third of the size."""
    return {
        f"{family}/{seed}": digest
        for family, seeds in scenarios.items()
        for seed, digest in seeds.items()
    }
