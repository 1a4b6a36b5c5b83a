"""Freeze the splits of training: `python -m tools.freeze_splits`.

`scenarios/splits.json` has, for each family that needs no browser, a digest of its first test
scenarios and one of its first training scenarios. A digest that changes means that the family draws
other scenarios than before: results from before and after cannot be compared. Freeze again only if
the change was intended, and say so in the changelog.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import click

from evaluators.training import splits
from scenarios import index, registry

FILE = Path(registry.__file__).with_name("splits.json")
SCENARIOS = 5
"""The number of scenarios of each split that a digest covers."""


def families() -> list[str]:
    """Return the families that can be played without a browser, sorted."""
    return sorted({each.family for each in index.entries()} & {*splits.families()})


def digests(family: str) -> dict[str, str]:
    """Draw the first scenarios of a family's splits; return a digest of each split by its name."""
    return {part: _digest(f"{family}:{part}") for part in (splits.TEST, splits.TRAIN)}


def frozen() -> dict[str, dict[str, str]]:
    """Return the digests in the file, by family and split."""
    found: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def main() -> None:
    """Draw the scenarios of all families and write their digests."""
    content = {family: digests(family) for family in families()}
    FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    click.echo(FILE)


def _digest(name: str) -> str:
    split = splits.split(name)
    drawn = (registry.scenario(split.scenario(at)).digest() for at in range(SCENARIOS))
    return hashlib.sha256(" ".join(drawn).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
