"""What `episode.json` says of an episode: how it ended, its verdict, counts, costs and hashes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from agent import plugins
from agent.llm.model_source import ModelConnection
from evaluators.analysis import retrieval
from evaluators.episode.spec import EpisodeState
from evaluators.episode.termination import Termination
from evaluators.records import run_folder
from evaluators.scoring.score import Score


def recorded(
    play: EpisodeState, end: Termination, scores: list[Score], line: ModelConnection
) -> dict[str, Any]:
    """All that an ended episode has to say; `scores` has one of each attempt, and none where there
    is no verdict."""
    spec, scenario, meter = play.spec, play.scenario, play.meter
    score = scores[-1] if scores else None
    return {
        "schema_version": run_folder.SCHEMA_VERSION,
        "episode": spec.name,
        "scenario": scenario.name,
        "site": scenario.site,
        "family": scenario.family,
        "tag": play.family.TAG,
        "source": spec.family_file,
        "seed": scenario.seed,
        "trial": spec.trial,
        "instruction": play.instruction,
        "knobs": scenario.details.get("knobs", {}),
        "agent": spec.agent.name,
        "method": spec.agent.method,
        "options": dict(spec.agent.options),
        "model": line.model,
        "skill": spec.agent.skill,
        "mistakes": play.mistakes,
        "ended": end.ended,
        "cause": end.cause,
        **scored(score),
        "answer": end.answer,
        "attempts": [
            {**attempted(each), "actions": count}
            for each, count in zip(scores, play.trace.actions, strict=False)
        ],
        "steps": meter.steps,
        "llm_calls": meter.calls,
        "invalid_actions": meter.invalid_actions,
        "repeats": meter.repeats,
        "events": dict(sorted(play.trace.events.items())),
        "stack_depth": play.trace.stack_depth,
        "exemplars": retrieval.of_trace(play.trace.lines),
        "plan_length": play.trace.plan_length,
        "usage": dict(meter.tokens),
        "cost_usd": meter.dollars,
        "by_purpose": meter.purposes(),
        "hashes": {**_hashes(play), "cassette": line.digest()},
        "wasted": _wasted(play, scores),
        "error": end.error,
        "elapsed_s": meter.elapsed(),
    }


def _wasted(play: EpisodeState, scores: list[Score]) -> int | None:
    """Steps of a success beyond what the expert needs for this scenario; None for others."""
    if not scores or not scores[-1].success:
        return None
    return max(0, play.meter.steps - play.family.length(play.scenario))


def attempted(score: Score) -> dict[str, Any]:
    """The verdict on what an attempt left, as an episode records it."""
    return {"success": score.success, "progress": score.progress}


def scored(score: Score | None) -> dict[str, Any]:
    """The verdict as an episode records it; all None where there is none."""
    judged = score.to_json() if score else {}
    return {key: judged.get(key) for key in _SCORED} | {"progress_steps": judged.get("steps")}


_SCORED = (
    "success",
    "success_published",
    "progress",
    "reward",
    "reward_strict",
    "reward_parts",
    "gold_action_recall",
    "actions",
    "checks",
    "collateral",
    "failure",
    "missed",
)


def _hashes(play: EpisodeState) -> Mapping[str, str]:
    site, told = play.scenario.site, play.spec.agent.module().hashes
    return {
        "scenario": play.scenario.digest(),
        "data": play.site.data.digest,
        "site": _package_digest(
            f"sites/{site}", "sites/world.py", "sites/site_app.py", "sites/months.py"
        ),
        "evaluator": _package_digest(
            "evaluators/scoring/scorers",
            "evaluators/scoring/webshop_reward.py",
            "evaluators/scoring/answers.py",
        ),
        "prompts": plugins.digest(*folders) if (folders := play.prompts) else "",
        **(told(site, play.spec.agent.build(prompts=play.run_context.prompts)) if told else {}),
    }


@cache
def _package_digest(*places: str) -> str:
    """Over files and folders of ours. Raises `FileNotFoundError` for one that is not there."""
    root = Path(__file__).parents[2]
    return plugins.digest(*[root / place for place in places])
