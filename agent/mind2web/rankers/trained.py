"""The ranker `trained:FILE`: a logistic regression over features of the candidates, in numpy.

It is trained as the published ranker is: each epoch draws a right element and five others of each
step of `train` (Deng et al. 2023, section 3.1). The weights are JSON.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from agent.mind2web.rankers import Entry, RankerUnusable, _features, entries, previous
from agent.mind2web.task import RecordedTask
from agent.storage_errors import writing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

OTHERS, EPOCHS = 5, 5
RIDGE, ROUNDS, SMALL = 1.0, 25, 1e-9
"""How strongly large weights are held back; the most rounds of Newton's method, and the change that
ends them.
"""


@dataclass(frozen=True)
class Trained:
    """The ranker `trained`; `weights` has a number for each feature, and one more at the end."""

    weights: Sequence[float]

    @property
    def parameters(self) -> Mapping[str, Any]:
        """A digest of the weights."""
        text = json.dumps([*self.weights])
        return {"weights": hashlib.sha256(text.encode()).hexdigest()}

    def rank(self, task: str, previous: Sequence[str], candidates: Sequence[Entry]) -> list[float]:
        """Return the logits."""
        rows = _with_ones(_features.features(task, previous, candidates))
        return [float(each) for each in rows @ np.array(self.weights)]


def fit(tasks: Iterable[RecordedTask]) -> Trained:
    """Return a ranker that is trained on tasks.

    Args:
        tasks: The tasks of `train`. Steps without a right element are left out.

    Raises:
        RankerUnusable: No step has a right element.
    """
    drawn = [each for task in tasks for at in range(len(task.steps)) for each in _drawn(task, at)]
    if not drawn:
        raise RankerUnusable("no step has a right element", "train on another split")
    rows = _with_ones(np.concatenate([rows for rows, _ in drawn]))
    right = np.concatenate([each for _, each in drawn])
    return Trained([round(float(each), 6) for each in _solved(rows, right)])


def _drawn(task: RecordedTask, at: int) -> list[tuple[Numbers, Numbers]]:
    """Return the features of the elements that the epochs draw, and which of them are right."""
    step, found = task.steps[at], entries(task.steps[at])
    positives = {each.id for each in step.positives}
    right = [place for place, each in enumerate(found) if each.candidate.id in positives]
    others = [place for place in range(len(found)) if place not in right]
    if not right:
        return []
    random = Random(f"train {task.key(step)}")
    rows = _features.features(task.instruction, previous(task, at), found)
    chosen = [
        place
        for _ in range(EPOCHS)
        for place in (random.choice(right), *random.sample(others, min(OTHERS, len(others))))
    ]
    return [(rows[chosen], np.array([float(place in right) for place in chosen]))]


def _with_ones(rows: Numbers) -> Numbers:
    return np.concatenate([rows, np.ones((len(rows), 1))], axis=1)


def _solved(rows: Numbers, right: Numbers) -> Numbers:
    """Return the weights of a logistic regression with a ridge, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    held = RIDGE * np.eye(rows.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (right - chance) - held @ weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows + held
        step = np.linalg.solve(curve, slope)
        weights = weights + step
        if np.abs(step).max() < SMALL:
            break
    return weights


def save(ranker: Trained, path: Path) -> None:
    """Write the weights. Raises `NotWritten`."""
    names = [*_features.names(), "constant"]
    text = json.dumps(dict(zip(names, ranker.weights, strict=True)), indent=1)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")


def made(argument: str) -> Trained:
    """Return the ranker; `argument` is the file of the weights. Raises `RankerUnusable`."""
    if not argument:
        raise RankerUnusable("trained needs its weights", "write trained:FILE, and --fit once")
    try:
        found = json.loads(Path(argument).read_text(encoding="utf-8"))
    except OSError as error:
        problem = f"cannot read {argument} ({error.strerror})"
        raise RankerUnusable(problem, "make it: rehearse mind2web rank --fit") from error
    except ValueError as error:
        raise RankerUnusable(f"{argument} is no JSON", "make it again with --fit") from error
    names = [*_features.names(), "constant"]
    is_whole = isinstance(found, dict) and list(found) == names
    if not is_whole or not all(isinstance(each, int | float) for each in found.values()):
        raise RankerUnusable(f"{argument} has no weights of ours", "make it again with --fit")
    return Trained([float(each) for each in found.values()])
