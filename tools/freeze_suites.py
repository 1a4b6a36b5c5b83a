"""Freeze the suites of `definitions.toml`: `python -m tools.freeze_suites`.

Freezing changes the content of a suite. Do it when a family or the site data changes on purpose,
and say so in the changelog, since scores from before and after cannot be compared.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from scenarios import registry, suites


def main(names: list[str]) -> None:
    """Freeze the named suites, or all of them."""
    definitions = suites.definitions()
    for name in definitions:
        if not names or name in names:
            seeds = list(defined(name, definitions))
            click.echo(suites.save(registry.freeze(name, seeds)).name)


def defined(name: str, definitions: Mapping[str, Any]) -> Iterator[tuple[str, range]]:
    """Yield the families of a suite with their seeds, in the order of its definition."""
    definition = definitions[name]
    if "like" in definition:
        for family, seeds in defined(definition["like"], definitions):
            yield f"{family}.{definition['variant']}", seeds
        return
    for key, value in definition.items():
        if key == "about":
            continue
        if isinstance(value, list):
            yield from ((family, registry.read_seeds(key)) for family in value)
        elif key in registry.site_names():
            yield from ((family, registry.read_seeds(value)) for family in _families(key))
        else:
            yield key, registry.read_seeds(value)


def _families(site: str) -> list[str]:
    return sorted(name for name, each in registry.family_modules().items() if site == each.SITE)


if __name__ == "__main__":
    main(sys.argv[1:])
