"""Freeze the suites of `scenarios/suites/definitions.toml`: `python -m evaluators.freeze`.

Freezing changes what a suite is. Do it when a family or the site data changes on purpose, and
say so in the changelog: scores of a suite before and after cannot be compared.
"""

from __future__ import annotations

import sys
import tomllib

import click

from evaluators import casting
from scenarios import suites


def main(names: list[str]) -> None:
    """Freeze the named suites, or all."""
    text = (suites.FOLDER / "definitions.toml").read_text(encoding="utf-8")
    for name, families in tomllib.loads(text).items():
        if names and name not in names:
            continue
        seeds = [(family, casting.read_seeds(text)) for family, text in families.items()]
        click.echo(suites.save(casting.freeze(name, seeds)).name)


if __name__ == "__main__":
    main(sys.argv[1:])
