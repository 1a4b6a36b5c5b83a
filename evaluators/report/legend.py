"""The legend of a table in a terminal: its sites and its columns, each with its meaning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import sites
from agent import plugins
from evaluators.analysis.summary import INFRA_MARK
from evaluators.records.models import SummaryRow

MARK, NOTHING = "!", "-"
"""A sign behind a rate of success, and a sign in place of a figure."""
COLUMNS: Mapping[str, str] = {
    "n": "the episodes with a score, which all means of the row are of",
    "success": "the share of episodes that reached exactly the wanted end",
    "95 %": "the interval of success",
    "progress": "the mean share of the way to that end",
    "reward": "the mean reward by the published rule of WebShop or MiniWoB",
    "calls": "requests to the model in an episode",
    "cost": "US dollars of all episodes",
}
"""Columns of the table in a terminal, as it explains them itself."""


SHARES: Mapping[str, str] = {
    "att, opt, type": "the mean shares of attributes and options that fit, and of the type",
}
"""Columns of the table of purchases."""
SIGNS: Mapping[str, str] = {
    MARK: f"more than {INFRA_MARK:.0%} of the row's episodes ended by a fault of browser, site,"
    " model, recording or evaluator, and are in no mean",
    NOTHING: "no value, because no null agent was run (floor), or because no scored episode has"
    " such a figure",
}


def lines(rows: Sequence[SummaryRow], cells: Iterable[str] = ()) -> list[str]:
    """Return the legend of a table: its sites, its columns, and the signs in its cells.

    Args:
        rows: The rows of the table.
        cells: The texts of its figures.
    """
    named = [(site, plugins.about(sites, site)) for site in sorted({row.site for row in rows})]
    shares = SHARES if any(row.reward_type is not None for row in rows) else {}
    columns = "; ".join(f"{name}: {meaning}" for name, meaning in {**COLUMNS, **shares}.items())
    ends = {cell[-1:] for cell in cells}
    signs = "; ".join(f"{sign}: {meaning}" for sign, meaning in SIGNS.items() if sign in ends)
    return [
        *(f"{site}: {about}" for site, about in named if about),
        columns,
        *filter(None, [signs]),
    ]
