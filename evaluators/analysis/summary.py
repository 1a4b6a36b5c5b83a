"""The summary of a run: a row of rates, means and costs for each agent and site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from evaluators.analysis import efficiency, failure_modes, plan_stats
from evaluators.analysis.calibration import calibration
from evaluators.analysis.floor import with_floors
from evaluators.analysis.grouping import grouped
from evaluators.analysis.intervals import (
    mean,
    over_families,
    over_trials,
    pass_at,
    pass_hat,
    rounded,
    total,
)
from evaluators.analysis.reliability import Rate, agreement, pass_hat_rate
from evaluators.analysis.reward_shares import reward_shares
from evaluators.analysis.safety import safety
from evaluators.records.models import SCHEMA_VERSION, EpisodeRecord, Summary, SummaryRow

INFRA_MARK = 0.02
"""The share of infrastructure errors above which a row of a summary is marked."""
_MEANS = (
    *("success_published", "progress", "reward", "reward_strict"),
    *("steps", "llm_calls", "invalid_actions", "repeats", "gold_action_recall", "actions"),
    "actions_published",
)
"""Fields of records that a summary averages over the episodes that have them."""


def summary(run: str, records: Iterable[EpisodeRecord], by: str = "site") -> Summary:
    """Return the summary of a run: a row for each agent and site (or family, or tag).

    Args:
        run: The run's name.
        records: The records of its episodes.
        by: "site", "family" or "tag".
    """
    groups = grouped(records, lambda record: (record.agent, getattr(record, by)))
    rows = [(_row(group, by), group) for _, group in sorted(groups.items())]
    return Summary(schema_version=SCHEMA_VERSION, run=run, rows=with_floors(rows))


def _row(group: Sequence[EpisodeRecord], by: str) -> SummaryRow:
    first = group[0]
    scored = [each for each in group if each.is_comparable]
    won = sum(bool(each.success) for each in scored)
    tokens = [each.usage.tokens for each in scored if each.llm_calls is not None]
    low, high = over_trials(_won(scored))
    families = over_families(map(_won, grouped(scored, lambda record: record.family).values()))
    infra = sum(not each.is_scored for each in group)
    means: dict[str, Any] = {name: _mean(scored, name) for name in _MEANS}
    shared = ("agent", "method", "options", "model", "skill", "site", "mistakes", by)
    return SummaryRow(
        **{name: getattr(first, name) for name in shared},
        episodes=len(group),
        scored=len(scored),
        unverified=sum(bool(each.unverified) for each in group),
        infra=infra,
        marked=infra > INFRA_MARK * len(group),
        success=rounded(mean([float(bool(each.success)) for each in scored])),
        success_low=round(won / len(group), 6),
        success_ci=(round(low, 6), round(high, 6)),
        success_ci_families=(round(families[0], 6), round(families[1], 6)) if families else None,
        **_efficiency(scored),
        **_calibration(scored),
        **_over_trials(scored),
        **means,
        **reward_shares(scored),
        valid_actions=rounded(failure_modes.valid_actions(scored)),
        failures=failure_modes.failures(scored),
        missed=failure_modes.missed(scored),
        tokens=rounded(mean(map(float, tokens))),
        tokens_per_success=round(sum(tokens) / won, 6) if won and tokens else None,
        input_tokens_of_successes=rounded(mean(input_tokens_of_successes(scored))),
        cost_usd=rounded(total(each.cost_usd for each in scored)),
        planning=plan_stats.planning(scored),
        ended=dict(sorted(Counter(str(each.ended) for each in group).items())),
        **_safety(scored),
    )


def input_tokens_of_successes(records: Iterable[EpisodeRecord]) -> list[float]:
    """Return the number of prompt tokens of each success that asked a model (SteP, figure 3b)."""
    won = (each for each in records if each.success and each.llm_calls)
    return [float(each.usage.prompt) for each in won if each.usage.prompt is not None]


def _efficiency(scored: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Return the fields about efficiency; None if the actions of a success are unknown."""
    area = efficiency.area(scored, efficiency.ACTIONS, efficiency.MOST_TIMES) if scored else None
    return {
        "efficiency": _all([efficiency.efficiency(each) for each in scored]),
        "efficiency_ci": _ends(efficiency.efficiency_interval(scored)),
        "efficiency_squared": _all([efficiency.efficiency(each, 2) for each in scored]),
        "area": rounded(area.value) if area else None,
        "area_ci": _ends((area.low, area.high) if area else None),
    }


def _calibration(scored: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Return the fields about confidence; None if no episode has one."""
    found = calibration(scored)
    return {
        "brier": rounded(found.brier) if found else None,
        "auroc": rounded(found.auroc) if found else None,
        "honest_failures": rounded(found.honest) if found else None,
    }


def _all(values: Sequence[float | None]) -> float | None:
    """Return the mean; None if a value is unknown, or without values."""
    known = [each for each in values if each is not None]
    return rounded(mean(known)) if len(known) == len(values) else None


def _ends(interval: tuple[float, float] | None) -> tuple[float, float] | None:
    return (round(interval[0], 6), round(interval[1], 6)) if interval else None


def _safety(scored: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Return the row's field `safety`, which exists only if an episode has safety verdicts."""
    found = safety(scored)
    return {"safety": found} if found else {}


def _won(scored: Sequence[EpisodeRecord]) -> list[tuple[int, int]]:
    """Return (successes, trials) of each scenario."""
    groups = grouped(scored, lambda record: record.scenario).values()
    return [(sum(bool(each.success) for each in group), len(group)) for group in groups]


def _over_trials(scored: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Return the fields `pass_hat` (pass^k) with its interval, `pass_at` (pass@k) and `agreement`.

    The first three are dicts by k, which goes up to the fewest trials of a scenario; they are
    empty if there is one trial.
    """
    groups = _won(scored) if any(each.trial for each in scored) else []
    most = min((trials for _, trials in groups), default=0)
    rates = {
        name: {str(k): rounded(rate(groups, k)) for k in range(1, most + 1)}
        for name, rate in (("pass_hat", pass_hat), ("pass_at", pass_at))
    }
    all_k = {str(k): _ends(_interval(pass_hat_rate(groups, k))) for k in range(1, most + 1)}
    alike = agreement(groups)
    return {
        **rates,
        "pass_hat_ci": all_k,
        "agreement": rounded(alike.value) if alike else None,
        "agreement_ci": _ends(_interval(alike)),
    }


def _interval(rate: Rate | None) -> tuple[float, float] | None:
    return (rate.low, rate.high) if rate else None


def _mean(scored: Sequence[EpisodeRecord], name: str) -> float | None:
    values = [float(value) for each in scored if (value := getattr(each, name)) is not None]
    return rounded(mean(values))
