"""Score a page with one small task by the verdict that the page's script keeps in private and
posts.

The first episode of the first page load counts. Another load counts as leaving the page, unless the
visit's database was restored for it. Progress is the share of the controls that are set as wanted,
or the reward if that is higher. If a script only set fields, the published figures are the page's
own and the strict ones are 0; after any other tampering both are 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from evaluators.scoring import in_words
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import MOST, Check, Score, Step
from scenarios.scenario import Scenario
from sites.world import Row, Snapshot


def score(context: ScoringContext, after: Snapshot, answer: str) -> Score:
    """Score an episode on a task page by the page's reports."""
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
    """Return the log's row of the page load that counts: the first since the database was last
    restored.
    """
    loads = after["log_loads"]
    return next((row for row in loads if row["restores"] == loads[-1]["restores"]), None)


def _of(load: Row | None, rows: list[Row]) -> list[Row]:
    """Return the reports about the first episode of a page load."""
    return [row for row in rows if load and (row["load"], row["episode"]) == (load["id"], 1)]


def _checks(
    scenario: Scenario, load: Row | None, verdict: list[Row], taints: list[str]
) -> Iterator[Check]:
    details = scenario.details
    wanted = {"task": details["task"], "seed": str(scenario.seed), "variant": details["variant"]}
    wanted["mode"] = "default"
    opened = {key: load.get(key, "default") for key in wanted} if load else {}
    pages = (in_words.options(each) if each else "no page" for each in (opened, wanted))
    yield Check("the task's page was opened", opened == wanted, *pages)
    found = in_words.listed(taints, "no tampering")
    yield Check("nothing was tampered with", not taints, found, "no tampering")
    ended = f"ended after {verdict[0]['seconds']:g} s" if verdict else "not ended"
    yield Check("the task was ended", bool(verdict), ended, "ended")
    right = bool(verdict) and verdict[0]["raw"] == 1
    yield Check("the reward is 1", right, _reward(verdict), "reward 1")


def _reward(verdict: list[Row]) -> str:
    """Return the raw reward in words, with the page's reason for it."""
    if not verdict:
        return "no reward"
    raw, reason = verdict[0]["raw"], verdict[0]["reason"]
    return f"reward {raw:g}{f': {in_words.short(reason)}' if reason else ''}"


def _share(load: Row | None, after: Snapshot, verdict: list[Row]) -> float:
    """Return the last reported share of controls that are set as wanted."""
    if verdict:
        return float(verdict[0]["share"])
    reports = sorted(_of(load, after["log_progress"]), key=lambda row: int(row["moment"]))
    return float(reports[-1]["share"]) if reports else 0.0
