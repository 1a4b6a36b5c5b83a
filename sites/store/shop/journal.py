"""Functions that write the journal of a visit: the pages that were opened, and the queries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sites.world import World, WorldClosed


def log_page(
    world: World,
    page: str,
    asin: str | None = None,
    options: Mapping[str, str] | None = None,
    number: int | None = None,
) -> None:
    """Record in the journal that a page was opened."""
    chosen = None if options is None else as_json(options)
    log(world, "log_pages (page, asin, options, number)", (page, asin, chosen, number))


def log(world: World, table: str, values: tuple[Any, ...]) -> None:
    """Add a line to a table of the journal; after the end of the visit, nothing is written."""
    marks = ", ".join("?" * len(values))
    try:
        world.write(f"INSERT INTO {table} VALUES ({marks})", values)  # noqa: S608 (own names)
    except WorldClosed:
        return


def as_json(options: Mapping[str, str]) -> str:
    """Return chosen product options as JSON with sorted keys."""
    return json.dumps(dict(options), sort_keys=True, ensure_ascii=False)
