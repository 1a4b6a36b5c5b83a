"""What a run leaves behind: one folder an episode, plain JSON, and rows that sum them up."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evaluators import evidence
from evaluators.statistics import mean, wilson

SCHEMA_VERSION = 1
INFRA = "infra_error"
INFRA_MARK = 0.02
"""A row with a larger share of infra errors is marked."""
MEASURED = ("_s", "_at")
"""Only keys with these endings hold measured times."""

_MEANS = (
    "success_published",
    "progress",
    "reward",
    "reward_strict",
    "steps",
    "llm_calls",
    "invalid_actions",
    "repeats",
)
_PLANNED = ("gold_action_recall", "actions")
"""Means over the episodes that record them: only where a plan of actions is known."""

_NEEDED = (
    *("agent", "method", "options", "model", "skill", "site", "family", "seed", "trial"),
    *("ended", "success", "usage", "cost_usd", "events", *_MEANS),
)


class CorruptRecord(ValueError):
    """A file of a run that cannot be read; names it and says what to do."""


def folder(run: Path, agent: str, family: str, seed: int, trial: int) -> Path:
    return run / "episodes" / slug(agent) / f"{family}-{seed}" / str(trial)


def slug(agent: str) -> str:
    """An agent's name as the name of a folder; two names never share one."""
    return quote(agent, safe=":@=,+ ")


def save(path: Path, value: Any) -> None:
    """Write JSON in one step: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(path.suffix + ".part")
    text = json.dumps(value, indent=1, ensure_ascii=False, default=str)
    with part.open("wb") as file:
        file.write(f"{text}\n".encode("utf-8", "replace"))  # a page can hold lone surrogates
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def load(path: Path) -> dict[str, Any]:
    """Read JSON. Raises `CorruptRecord`."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CorruptRecord(f"there is no {path}; is this the folder of a run?") from None
    except ValueError as error:
        raise CorruptRecord(f"{path}: {error}; delete its folder and resume the run") from None
    if not isinstance(value, dict):
        raise CorruptRecord(f"{path}: not a JSON object; delete its folder and resume the run")
    return value


def episodes(run: Path) -> Iterator[dict[str, Any]]:
    """The finished episodes of a run, in a fixed order. Raises `CorruptRecord`."""
    load(run / "run.json")
    paths = (run / "episodes").glob("*/*/*/episode.json")
    found = [_episode(path) for path in paths]
    yield from sorted(
        found,
        key=lambda each: (each["agent"], each["site"], each["family"], each["seed"], each["trial"]),
    )


def _episode(path: Path) -> dict[str, Any]:
    record = load(path)
    missing = [key for key in _NEEDED if key not in record]
    if missing:
        raise CorruptRecord(
            f"{path}: {', '.join(missing)} missing; delete its folder and resume the run"
        )
    return record


def summary(run: str, records: Iterable[Mapping[str, Any]], by: str = "site") -> dict[str, Any]:
    """The summary of a run: a row for each agent and site (or family)."""
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for record in records:
        groups.setdefault((record["agent"], record[by]), []).append(record)
    rows = [_row(group, by) for _, group in sorted(groups.items())]
    return {"schema_version": SCHEMA_VERSION, "run": run, "rows": rows}


def _row(group: Sequence[Mapping[str, Any]], by: str) -> dict[str, Any]:
    first = group[0]
    scored = [each for each in group if each["success"] is not None]
    won = sum(each["success"] for each in scored)
    tokens = [_tokens(each) for each in scored]
    low, high = wilson(won, len(scored))
    infra = len(group) - len(scored)
    return {
        **{key: first[key] for key in ("agent", "method", "options", "model", "skill", "site")},
        **({by: first[by]} if by != "site" else {}),
        "episodes": len(group),
        "scored": len(scored),
        "infra": infra,
        "marked": infra > INFRA_MARK * len(group),
        "success": _rounded(mean([float(each["success"]) for each in scored])),
        "success_low": _rounded(won / len(group)),
        "success_ci": [_rounded(low), _rounded(high)],
        **{key: _mean(scored, key) for key in (*_MEANS, *_PLANNED)},
        "valid_actions": _rounded(evidence.valid_actions(scored)),
        "failures": evidence.failures(scored),
        "missed": evidence.missed(scored),
        "tokens": _rounded(mean([float(each) for each in tokens])),
        "tokens_per_success": _rounded(sum(tokens) / won) if won else None,
        "cost_usd": _cost(scored),
        "ended": dict(sorted(Counter(each["ended"] for each in group).items())),
    }


def _tokens(record: Mapping[str, Any]) -> int:
    return sum(value or 0 for value in record["usage"].values())


def _mean(scored: Sequence[Mapping[str, Any]], key: str) -> float | None:
    values = [float(each[key]) for each in scored if each.get(key) is not None]
    return _rounded(mean(values))


def _cost(scored: Sequence[Mapping[str, Any]]) -> float | None:
    """The sum, or None where the price of one episode is not known."""
    costs = [each["cost_usd"] for each in scored]
    return None if None in costs else _rounded(sum(costs))


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
