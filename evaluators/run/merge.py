"""Merge runs: the parts of one (`--shard 1/4` to `4/4`), or different agents or scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from evaluators.records import files, run_folder
from evaluators.records.models import RunManifest, Summary
from evaluators.run import growth
from evaluators.run.api import summarize
from evaluators.run.manifest import MOST_CHANGES, ChangedRun
from rehearsal_errors import RehearsalError, first_few


class MergeTargetExists(RehearsalError, ValueError):
    """The folder for the merged run already exists."""


@dataclass(frozen=True)
class Merged:
    """The result of a merge: the summary, and in `doubles` the names of episodes that several parts
    have.
    """

    summary: Summary
    doubles: tuple[str, ...]


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Copy the episodes of several runs into one run; of duplicates, the first one counts.

    Raises:
        MergeTargetExists: `out` exists already.
        ChangedRun: Two runs have unlike settings for the same agent, or other limits or tasks.
        CorruptRecord: A part cannot be read.
    """
    if out.exists():
        raise MergeTargetExists(f"{out} is there already; give another -o")
    manifest = _whole(parts)
    found = [(run, home) for run in parts for home, _ in run_folder.checked(run)]
    doubles = []
    for run, home in found:
        target = out / home.relative_to(run)
        if target.exists():
            doubles.append(target.relative_to(out / run_folder.EPISODES).as_posix())
        else:
            files.copy(home, target)
    run_folder.save_manifest(out, manifest.model_copy(update={"run": out.name}))
    return Merged(summarize(out), tuple(doubles))


def _whole(parts: Sequence[Path]) -> RunManifest:
    """Return the manifest of the whole run; raise `ChangedRun` if two parts do not fit together."""
    manifests = [run_folder.load_manifest(run).with_settings(shard="") for run in parts]
    for (one, before), (other, now) in combinations(zip(parts, manifests, strict=True), 2):
        found = (line for part in now.parts for line in growth.differences(before, part.config))
        if changed := [*dict.fromkeys(found)]:
            raise ChangedRun(
                f"{one} and {other} were begun differently ({first_few(changed, MOST_CHANGES)}),"
                " so they are not parts of one run"
            )
    return growth.united(manifests)
