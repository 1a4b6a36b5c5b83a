"""The floor: the success of null agents, which read no page, on the same scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agent.agent_spec import CHEAT
from evaluators.analysis.grouping import grouped
from evaluators.records.models import Floor, SummaryRow

NULL_AGENTS = ("nothing", "refuse", "random", "first-shown", "most-frequent")


def is_null(method: str) -> bool:
    """Return whether a method is a null agent, which reads no page, or a cheater."""
    return method in NULL_AGENTS or method.startswith(CHEAT)


def with_floors(rows: Sequence[SummaryRow]) -> tuple[SummaryRow, ...]:
    """Return the rows of a summary, each with the best null agent on the same site, family or
    tag.
    """
    by_group = grouped(rows, lambda row: row.group)
    floors = {group: floor(alike) for group, alike in by_group.items()}
    return tuple(row.model_copy(update={"floor": floors[row.group]}) for row in rows)


def floor(rows: Iterable[SummaryRow]) -> Floor | None:
    """Return the best null agent (an agent that reads no page) among these rows of a summary.

    None if none was run and scored. The first of equally good agents wins.
    """
    reached = [
        (row.success, row.agent) for row in rows if is_null(row.method) and row.success is not None
    ]
    if not reached:
        return None
    success, agent = max(reached, key=lambda one: one[0])
    return Floor(agent=agent, success=success)


def notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return sentences for the reader of a summary that explain the floor and the intervals of its
    rows.

    The floor is the success of the best null agent.
    """
    named = ", ".join(sorted({row.floor.agent for row in rows if row.floor}))
    found = [
        f"the floor is the highest success of a null agent on the same scenarios ({named})"
        if named
        else f"there is no floor, because no null agent was run; add {','.join(NULL_AGENTS)}"
    ]
    lone = sorted({row.site for row in rows if _is_of_one_family(row)})
    if lone:
        found.append(
            f"on {', '.join(lone)} all episodes of a row are of one family, so no interval covers"
            " other families"
        )
    return found


def _is_of_one_family(row: SummaryRow) -> bool:
    """Return whether a summary's row for a site has scored episodes of only one family."""
    by_site = not (row.family or row.tag)
    return bool(row.scored) and by_site and row.success_ci_families is None
