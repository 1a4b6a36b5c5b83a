"""The floor: the success of null agents, which read no page, on the same scenarios."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from agent.agent_spec import CHEAT
from evaluators.analysis.intervals import mean, rounded
from evaluators.records.models import EpisodeRecord, Floor, SummaryRow
from rehearsal_errors import first_few

Episodes = Sequence[EpisodeRecord]

NULL_AGENTS = ("nothing", "refuse", "random", "first-shown", "most-frequent")
NO_FLOOR = (
    "no null agent was run, so the table has no floor; to add it, run the same tasks again with the"
    f" same -o and --agent {','.join(NULL_AGENTS)}"
)


def is_null(method: str) -> bool:
    """Return whether a method is a null agent, which reads no page, or a cheater."""
    return method in NULL_AGENTS or method.startswith(CHEAT)


def with_floors(rows: Sequence[tuple[SummaryRow, Episodes]]) -> tuple[SummaryRow, ...]:
    """Return the rows, each with the best null agent of the same site, family or tag.

    Args:
        rows: Each row with its episodes.
    """
    null = [(row, group) for row, group in rows if is_null(row.method)]
    return tuple(
        row.model_copy(
            update={"floor": floor(group, [pair for pair in null if pair[0].group == row.group])}
        )
        for row, group in rows
    )


def floor(episodes: Episodes, null: Iterable[tuple[SummaryRow, Episodes]]) -> Floor | None:
    """Return the best of the null agents that have run all scenarios of these episodes.

    Its success is that on these scenarios. The first of equally good ones wins; None if no such
    agent has a score.
    """
    scenarios = {each.scenario for each in episodes}
    reached = [
        (success, row.agent)
        for row, group in null
        if scenarios <= {each.scenario for each in group}
        and (success := _success(group, scenarios)) is not None
    ]
    if not reached:
        return None
    success, agent = max(reached, key=lambda one: one[0])
    return Floor(agent=agent, success=success)


def _success(episodes: Episodes, scenarios: Collection[str]) -> float | None:
    """Return the success rate on some scenarios, None if none is scored."""
    found = [each for each in episodes if each.is_comparable and each.scenario in scenarios]
    return rounded(mean([float(bool(each.success)) for each in found]))


def notes(rows: Sequence[SummaryRow]) -> list[str]:
    """Return sentences that tell a reader what floor and intervals mean for these rows."""
    found = _about_floors(rows)
    if lone := _of_one_family(rows):
        found.append(
            f"of one family: {', '.join(lone)}; these rates and intervals say nothing about other"
            " families"
        )
    return found


def _of_one_family(rows: Sequence[SummaryRow]) -> list[str]:
    """Return the rows whose episodes are of one family, by site; a site stands for all its rows."""
    lone = [row for row in rows if _is_of_one_family(row)]
    mixed = {row.site for row in rows if row.scored and not _is_of_one_family(row)}
    sites = dict.fromkeys(f"all on {row.site}" for row in lone if row.site not in mixed)
    return [*sites, *(f"{row.agent} on {row.site}" for row in lone if row.site in mixed)]


def _is_of_one_family(row: SummaryRow) -> bool:
    """Return whether a summary's row for a site has scored episodes of only one family."""
    by_site = not (row.family or row.tag)
    return bool(row.scored) and by_site and row.success_ci_families is None


def _about_floors(rows: Sequence[SummaryRow]) -> list[str]:
    if not any(is_null(row.method) and row.success is not None for row in rows):
        return [NO_FLOOR]
    named = ", ".join(sorted({row.floor.agent for row in rows if row.floor}))
    without = [f"{row.agent} on {row.group}" for row in rows if not row.floor]
    found = []
    if named:
        found.append(
            f"the floor is the highest success of a null agent on the same scenarios ({named})"
        )
    if without:
        found.append(f"no null agent was run on all scenarios of {first_few(without)}: no floor")
    return found
