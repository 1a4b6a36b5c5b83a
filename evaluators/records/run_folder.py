"""What a run leaves behind: one folder an episode, plain JSON, and rows that sum them up."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from agent.storage_errors import writing
from evaluators.analysis import failure_modes, plan_stats
from evaluators.analysis.intervals import clustered, mean, pass_at, pass_hat, wilson
from rehearsal_errors import RehearsalError

Key = TypeVar("Key")

SCHEMA_VERSION = 1
INFRA = "infra_error"
INFRA_MARK = 0.02
"""A row with a larger share of infra errors is marked."""
SUMS = "SHA256SUMS"
ATTEMPT = "attempt-{}.json"
EVIDENCE = ("final_world.json", "llm.jsonl", "trace.jsonl")
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
    *("agent", "method", "options", "model", "skill"),
    *("scenario", "site", "family", "seed", "trial"),
    *("ended", "success", "usage", "cost_usd", "events", *_MEANS),
)


class CorruptRecord(RehearsalError, ValueError):
    """A file of a run that cannot be read; names it and says what to do."""


def folder(run: Path, agent: str, family: str, seed: int, trial: int) -> Path:
    return run / "episodes" / slug(agent) / f"{family}-{seed}" / str(trial)


def home(run: Path, record: Mapping[str, Any]) -> Path:
    """The folder of an episode that was recorded."""
    return folder(run, record["agent"], record["family"], record["seed"], record["trial"])


def key(place: Path) -> str:
    """How the report's address names an episode; `place` is its folder within the run."""
    return quote("/".join(place.parts[1:]), safe="/@=,:", errors="surrogateescape")


def attempt(home: Path, number: int) -> Path:
    """Where an episode keeps the world that an attempt left, from 1; the last one's is final."""
    return home / ATTEMPT.format(number)


def slug(agent: str) -> str:
    """An agent's name as the name of a folder; two names never share one."""
    return quote(agent, safe=":@=,+ ")


def save(path: Path, value: Any) -> None:
    """Write JSON in one step."""
    write(path, _json(value))


def _json(value: Any) -> bytes:
    text = json.dumps(value, indent=1, ensure_ascii=False, default=str)
    return f"{text}\n".encode("utf-8", "replace")  # a page can hold lone surrogates


def write(path: Path, data: bytes) -> None:
    """Write in one step and for good: a reader sees the old file or the new one, also after a
    loss of power. Raises `NotWritten`."""
    part = path.with_suffix(path.suffix + ".part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _written(part, data)
            part.replace(path)
        except OSError:
            part.unlink(missing_ok=True)  # what little there is left is needed
            raise
        _synced(path.parent)


def _written(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _synced(folder: Path) -> None:
    """Make the names in a folder last."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def commit(home: Path, record: Mapping[str, Any]) -> None:
    """Write an episode's record, the last of its files: with it the episode is done.

    The sums beside it are of all its files, in the format of `sha256sum -c`.
    """
    data = _json(record)
    sums = {"episode.json": hashlib.sha256(data).hexdigest(), **_sums(home)}
    write(home / SUMS, _lines(sums))
    write(home / "episode.json", data)


def check(home: Path) -> None:
    """Raises `CorruptRecord` where a file of an episode is not what was written."""
    if not (home / SUMS).exists():
        raise CorruptRecord(f"{home / SUMS} is missing; delete its folder and resume the run")
    told, sums = (home / SUMS).read_bytes(), _sums(home, "episode.json")
    if told != _lines(sums):
        raise CorruptRecord(
            f"{home / _other(told, sums)}: not what was recorded ({SUMS}); delete its folder and"
            " resume the run"
        )


def _other(told: bytes, sums: Mapping[str, str]) -> str:
    """A file whose sum is not the one that is told; the sums themselves where there is none."""
    lines = (line.partition("  ") for line in told.decode("utf-8", "replace").splitlines())
    before = {name: digest for digest, _, name in lines}
    wrong = (name for name in sorted(sums) if before.get(name) != sums[name])
    return next(wrong, next((name for name in before if name not in sums), SUMS))


def _sums(home: Path, *more: str) -> dict[str, str]:
    """The sums of an episode's evidence, and of more of its files, by name."""
    kept = [home / name for name in (*EVIDENCE, *more) if (home / name).exists()]
    return {path.name: _sum(path) for path in [*kept, *home.glob(ATTEMPT.format("*"))]}


def _lines(sums: Mapping[str, str]) -> bytes:
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items())).encode()


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


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


def grouped(
    records: Iterable[Mapping[str, Any]], by: Callable[[Mapping[str, Any]], Key]
) -> dict[Key, list[Mapping[str, Any]]]:
    """The records by what a function says of each, in their order."""
    groups: dict[Key, list[Mapping[str, Any]]] = {}
    for record in records:
        groups.setdefault(by(record), []).append(record)
    return groups


def summary(run: str, records: Iterable[Mapping[str, Any]], by: str = "site") -> dict[str, Any]:
    """The summary of a run: a row for each agent and site (or family, or tag)."""
    groups = grouped(records, lambda record: (record["agent"], record.get(by, "")))
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
        "mistakes": first.get("mistakes"),
        **({by: first.get(by, "")} if by != "site" else {}),
        "episodes": len(group),
        "scored": len(scored),
        "infra": infra,
        "marked": infra > INFRA_MARK * len(group),
        "success": _rounded(mean([float(each["success"]) for each in scored])),
        "success_low": _rounded(won / len(group)),
        "success_ci": [_rounded(low), _rounded(high)],
        "success_ci_families": [_rounded(each) for each in clustered(_won(scored, "family"))],
        **_over_trials(scored),
        **{key: _mean(scored, key) for key in (*_MEANS, *_PLANNED)},
        "valid_actions": _rounded(failure_modes.valid_actions(scored)),
        "failures": failure_modes.failures(scored),
        "missed": failure_modes.missed(scored),
        "tokens": _rounded(mean([float(each) for each in tokens])),
        "tokens_per_success": _rounded(sum(tokens) / won) if won else None,
        "cost_usd": _cost(scored),
        "planning": _planning(scored),
        "ended": dict(sorted(Counter(each["ended"] for each in group).items())),
    }


def _won(scored: Sequence[Mapping[str, Any]], by: str) -> list[tuple[int, int]]:
    """(successes, episodes) of each group."""
    groups = grouped(scored, lambda record: record[by]).values()
    return [(sum(each["success"] for each in group), len(group)) for group in groups]


def _over_trials(scored: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """pass^k and pass@k for every k that all scenarios have trials for, where there are several."""
    groups = _won(scored, "scenario") if any(each["trial"] for each in scored) else []
    most = min((trials for _, trials in groups), default=0)
    return {
        name: {str(k): _rounded(rate(groups, k)) for k in range(1, most + 1)}
        for name, rate in (("pass_hat", pass_hat), ("pass_at", pass_at))
    }


def _planning(scored: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Table 1 and figures 3 and 6 of Anticipatory Reflection; None for methods without plans."""
    found = plan_stats.planning(scored)
    if found is None:
        return None
    told = asdict(found)
    after = [_rounded(rate) for rate in found.success_after]
    means = {key: _rounded(told[key]) for key in ("actions_first", "actions_last", "revisions")}
    lengths = {str(steps): count for steps, count in found.plan_lengths.items()}
    return {**told, **means, "success_after": after, "plan_lengths": lengths}


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
