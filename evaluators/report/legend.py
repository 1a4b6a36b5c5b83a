"""The names in tables that nobody can guess, each with its meaning."""

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
NAMES: Mapping[str, str] = {
    "floor": "the success of the best null agent, which reads no page, on the same scenarios",
    "gold actions": "the share of the known solution's actions that the agent did",
    "knobs": "the difficulties with which a scenario was drawn",
    "outside": "the method of an external client, which decides by itself (`rehearse mcp`)",
    "published": "by the rule of the paper or of its code; ours is stricter",
    "strict": "the reward without what the published rule forgives",
}
"""Names in reports, records and lists."""


def lines(on: Iterable[str]) -> list[str]:
    """Return the legend of a table with these sites."""
    named = [(site, plugins.about(sites, site)) for site in sorted({*on})]
    columns = "; ".join(f"{name}: {meaning}" for name, meaning in COLUMNS.items())
    return [*(f"{site}: {about}" for site, about in named if about), columns]
