"""Score a task page by the verdict that its core kept in private and posted.

The first episode of the first load counts: another load, unless the world was set back for it, is
leaving the page. Progress is the share of the controls that had to change and are as they should
be, or the reward where that is more. Where fields were set by script and nothing else was done so,
the published figures are the page's, and the strict ones are 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check, Score, Step
from scenarios.scenario import Scenario
from sites.world import Row, Snapshot

MOST = 0.99
"""Progress of what is not a success."""


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score an episode on a task page from what the page reported."""
    load = _load(after)
    verdict = _of(load, after["verdicts"])[:1]
    taints = [row["reason"] for row in _of(load, after["log_taints"])]
    taints += [row["tainted"] for row in verdict if row["tainted"] and not taints]
    checks = tuple(_checks(context.scenario, load, verdict, taints))
    ended, counts = checks[0].held and bool(verdict), checks[0].held and not taints
    raw, timed = (verdict[0]["raw"], verdict[0]["reward"]) if ended else (0.0, 0.0)
    strict = raw if counts else 0.0
    success, share = all(check.held for check in checks), _share(load, after, verdict)
    return Score(
        success=success,
        success_published=raw > 0,
        progress=1.0 if success else min(MOST, max(share, raw)) if counts else 0.0,
        checks=checks,
        steps=(Step("set the controls", share), Step("end the task", float(success))),
        reward=timed,
        reward_strict=strict,
        reward_parts={
            "published": {"reward": timed, "raw": raw},
            "strict": {"reward": strict, "raw": strict},
        },
        unverified=load is not None and load.get("channel") == "http",
    )


def _load(after: Snapshot) -> Row | None:
    """The load that counts: the first one, or the first one after the world was set back last."""
    loads = after["log_loads"]
    return next((row for row in loads if row["restores"] == loads[-1]["restores"]), None)


def _of(load: Row | None, rows: list[Row]) -> list[Row]:
    """What was reported of the first episode of a load."""
    return [row for row in rows if load and (row["load"], row["episode"]) == (load["id"], 1)]


def _checks(
    scenario: Scenario, load: Row | None, verdict: list[Row], taints: list[str]
) -> Iterator[Check]:
    details = scenario.details
    wanted = {"task": details["task"], "seed": str(scenario.seed), "variant": details["variant"]}
    wanted["mode"] = "default"
    opened = {key: load.get(key, "default") for key in wanted} if load else None
    yield Check("the task's page was opened", opened == wanted, opened)
    yield Check("nothing was tampered with", not taints, taints)
    seen = {key: verdict[0][key] for key in ("raw", "reason", "seconds")} if verdict else None
    yield Check("the task was ended", bool(verdict), seen)
    yield Check("the reward is 1", bool(verdict) and verdict[0]["raw"] == 1, seen)


def _share(load: Row | None, after: Snapshot, verdict: list[Row]) -> float:
    """The last word on the controls."""
    if verdict:
        return float(verdict[0]["share"])
    reports = sorted(_of(load, after["log_progress"]), key=lambda row: int(row["moment"]))
    return float(reports[-1]["share"]) if reports else 0.0
