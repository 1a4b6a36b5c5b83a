"""The legend of a table in a terminal: its sites and its columns, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import sites
from agent import plugins

COLUMNS: Mapping[str, str] = {
    "success": "the share of episodes that reached exactly the wanted end",
    "95 %": "the interval of success",
    "progress": "the mean share of the way to that end",
    "reward": "the mean reward by the published rule of WebShop or MiniWoB",
    "calls": "requests to the model in an episode",
    "cost": "US dollars of all episodes",
}
"""Columns of the table in a terminal, as it explains them itself."""


def lines(on: Iterable[str]) -> list[str]:
    """Return the legend of a table with these sites."""
    named = [(site, plugins.about(sites, site)) for site in sorted({*on})]
    columns = "; ".join(f"{name}: {meaning}" for name, meaning in COLUMNS.items())
    return [*(f"{site}: {about}" for site, about in named if about), columns]
