"""Train a linear policy by policy gradient and print its success on held-out scenarios.

    python -m benchmarks.learning --into runs/learning             # four families, with and without
    python -m benchmarks.learning --into runs/learning --draw docs/learning.svg

It shows that the training ground holds: rewards, groups, splits, shaping and thousands of episodes
in one process. It says nothing about language models.

Each round plays a training scenario in eight worlds. An episode's advantage is its reward less the
mean of the group (REINFORCE), and a shorter episode is worth more. Each round also learns from some
earlier successes (self-imitation). There is no gold and no expert. An episode that does not stop
within `HORIZON` actions is stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import product, repeat
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.learning_policy import Choice, Floats, Memory, chances, choices, matrix, start
from evaluators.report import charts, page, svg_files
from evaluators.training import splits
from evaluators.training.session import StepResult
from evaluators.training.vector import Environments

FAMILIES = {
    "newest_of_status": 512, "wish_product": 384, "edit_bio": 256, "category_by_price": 1024,
}  # fmt: skip
"""The families, each with the number of its training episodes."""
SHAPINGS = (0.0, 1.0)
HORIZON = 12
GROUP = 8
"""The worlds in which a round plays its scenario."""
DISCOUNT = 0.95
"""The share of its worth that an episode keeps with each step."""
KEPT, REPEATED, REPEATS = 64, 8, 3
"""Successes that are kept, those that are learned from together, and how often in a round."""
RATE, STEADY = 0.1, 1e-2
"""Adam's rate, which falls to 0, and the slope below which a weight moves less."""
TESTS = 32
"""The number of held-out scenarios."""
ROUNDS = 16
"""Rounds between two looks at the held-out scenarios."""
LOW, HIGH = 0.3, 0.7
"""The bar: success at the start is at most the first figure, and at the end at least the other."""


@dataclass(frozen=True)
class Step:
    """The features of all choices at a step, and the number of the chosen one."""

    features: Floats
    chosen: int


@dataclass
class Rollout:
    """An episode: its steps, its reward (None if Rehearsal failed), and whether it succeeded."""

    steps: list[Step] = field(default_factory=list)
    reward: float | None = 0.0
    success: bool = False

    def add(self, turn: StepResult) -> None:
        """Add the reward of a step."""
        known = turn.reward is not None and self.reward is not None
        self.reward = self.reward + turn.reward if known else None
        self.success = bool(turn.info.get("success"))

    def worth(self, amount: float) -> float:
        """Return an amount, discounted by the number of steps."""
        return float(amount * DISCOUNT ** len(self.steps))


@dataclass(frozen=True)
class Point:
    """A point of a curve.

    Attributes:
        episodes: Training episodes so far.
        steps: Training steps so far.
        success: Success on held-out scenarios.
        training: Success of the training episodes since the last point.
        seconds: Seconds of processor time so far.
    """

    episodes: int
    steps: int
    success: float
    training: float
    seconds: float


# Play -----------------------------------------------------------------------------------------


def play(
    environments: Environments,
    scenarios: Sequence[str],
    weights: Floats,
    rng: np.random.Generator | None = None,
) -> list[Rollout]:
    """Play an episode of a scenario in each environment, side by side.

    Args:
        environments: The environments.
        scenarios: A scenario for each.
        weights: The weights of the policy.
        rng: Source of the choices; None takes the best choice each time.
    """
    turns: list[StepResult | None] = [*environments.reset_many(scenarios)]
    memories = [Memory(goal) for goal in environments.goals]
    rollouts = [Rollout(reward=turn.reward) for turn in turns]
    for _ in range(HORIZON):
        made = [
            None if turn is None or turn.done else choose(turn, *each, weights, rng)
            for turn, *each in zip(turns, memories, rollouts, strict=True)
        ]
        if not any(made):
            break
        turns = environments.step_many([each and each.action for each in made])
        for each, turn, memory, choice in zip(rollouts, turns, memories, made, strict=True):
            if turn and choice:
                memory.remember(choice)
                each.add(turn)
    return rollouts


def choose(
    turn: StepResult,
    memory: Memory,
    rollout: Rollout,
    weights: Floats,
    rng: np.random.Generator | None,
) -> Choice:
    """Choose an action for a page and add the step to the episode; the last action is a stop."""
    found = choices(turn.observation, memory)
    features = matrix(found)
    chance = chances(features, weights)
    at = int(chance.argmax() if rng is None else rng.choice(len(found), p=chance / chance.sum()))
    at = at if len(rollout.steps) < HORIZON - 1 else 0
    rollout.steps.append(Step(features, at))
    return found[at]


# Learn ----------------------------------------------------------------------------------------


@dataclass
class Learner:
    """The weights of a policy, and the moments of Adam."""

    weights: Floats = field(default_factory=start)
    first: Floats = field(default_factory=lambda: 0 * start())
    second: Floats = field(default_factory=lambda: 0 * start())
    updates: int = 0
    rate: float = RATE

    def climb(self, gradient: Floats) -> None:
        """Change the weights along a gradient, as Adam does."""
        if not gradient.any():
            return
        self.updates += 1
        self.first = 0.9 * self.first + 0.1 * gradient
        self.second = 0.99 * self.second + 0.01 * gradient**2
        mean = self.first / (1 - 0.9**self.updates)
        spread = np.sqrt(self.second / (1 - 0.99**self.updates))
        self.weights = self.weights + self.rate * mean / (spread + STEADY)

    def slope(self, rollout: Rollout) -> Floats:
        """Return the gradient of an episode's log likelihood."""
        total = 0 * self.weights
        for step in rollout.steps:
            total += step.features[step.chosen]
            total -= chances(step.features, self.weights) @ step.features
        return total

    def learn(self, group: Sequence[Rollout]) -> None:
        """Learn from a group: each episode counts by what its reward has above the mean."""
        valid = [(each, each.worth(each.reward)) for each in group if each.reward is not None]
        mean = float(np.mean([worth for _, worth in valid])) if valid else 0.0
        gradient = 0 * self.weights
        for each, worth in valid:
            if worth != mean:
                gradient += (worth - mean) * self.slope(each) / GROUP
        self.climb(gradient)

    def repeat(self, successes: Sequence[Rollout]) -> None:
        """Learn from earlier successes: make their actions more likely."""
        if successes:
            self.climb(sum(each.worth(1) * self.slope(each) for each in successes) / len(successes))


def curve(family: str, shaping: float, episodes: int, seed: int = 0) -> Iterator[Point]:
    """Train on a family and yield the points of its curve.

    Args:
        family: The family; each has a policy of its own.
        shaping: See `Ground`.
        episodes: The number of training episodes.
        seed: Seed of the policy's choices.
    """
    rng, learner = np.random.default_rng(seed), Learner()
    kept: deque[Rollout] = deque(maxlen=KEPT)
    training, test = splits.split(f"{family}:train"), splits.split(f"{family}:test")
    recent: list[bool] = []
    began, steps = time.process_time(), 0
    sites = [test.scenario(0).partition("/")[0]]
    with Environments(GROUP, sites=sites, shaping=shaping) as environments:
        for turn in range(episodes // GROUP + 1):
            if turn % ROUNDS == 0:
                success = held_out(environments, test, learner.weights)
                done, seconds = turn * GROUP, time.process_time() - began
                trained = sum(recent) / max(1, len(recent))
                yield Point(done, steps, success, trained, round(seconds, 1))
                recent.clear()
            found = play(environments, [training.scenario(turn)] * GROUP, learner.weights, rng)
            steps += sum(len(each.steps) for each in found)
            recent += [each.success for each in found]
            kept.extend(each for each in found if each.success)
            learner.rate = RATE * (1 - turn * GROUP / episodes)
            learner.learn(found)
            for _ in range(REPEATS):
                learner.repeat([kept[at] for at in rng.permutation(len(kept))[:REPEATED]])


def held_out(environments: Environments, test: splits.Split, weights: Floats) -> float:
    """Return the share of the first held-out scenarios that the best choices solve."""
    names = [test.scenario(at) for at in range(TESTS)]
    found: list[Rollout] = []
    for at in range(0, TESTS, environments.count):
        found += play(environments, names[at : at + environments.count], weights)
    return float(np.mean([each.success for each in found]))


# Print and draw -------------------------------------------------------------------------------


def run(folder: Path, family: str) -> None:
    """Train on a family for each shaping without a curve in the folder; write it point by point."""
    for shaping in [each for each in SHAPINGS if (family, each) not in read(folder)]:
        points: list[dict[str, float]] = []
        for point in curve(family, shaping, FAMILIES[family]):
            points.append(asdict(point))
            path = folder / f"{family}-{shaping:g}.json"
            path.write_text(json.dumps(points), encoding="utf-8")
            print(f"{family:18} shaping {shaping:g}", *asdict(point).values(), flush=True)


def read(folder: Path) -> dict[tuple[str, float], list[Point]]:
    """Return the curves of a folder, by family and shaping."""
    found = {}
    for family, shaping in product(FAMILIES, SHAPINGS):
        path = folder / f"{family}-{shaping:g}.json"
        if path.exists():
            points = json.loads(path.read_text(encoding="utf-8"))
            found[family, shaping] = [Point(**each) for each in points]
    return found


def table(curves: dict[tuple[str, float], list[Point]]) -> str:
    """Return a line for each curve, with the verdict on the bar."""
    lines = [f"{'family':18} {'shaping':>7} {'start':>6} {'end':>6} {'episodes/s':>10} {'s':>6}"]
    for (family, shaping), points in curves.items():
        first, last = points[0], points[-1]
        met = first.success <= LOW and last.success >= HIGH
        rate = last.episodes / last.seconds if last.seconds else 0.0
        lines.append(
            f"{family:18} {shaping:7g} {first.success:6.2f} {last.success:6.2f} {rate:10.2f}"
            f" {last.seconds:6.0f}   {'met' if met else 'MISSED'}"
        )
    return "\n".join(lines)


def drawn(curves: dict[tuple[str, float], list[Point]]) -> str:
    """Return the curves as an SVG on a light sheet, a chart for each family, two in a row."""
    parts, names = [], {0.0: "no shaping", 1.0: "shaping by progress"}
    width, height = charts.WIDTH + 20, charts.HEIGHT + 50
    families = [*dict.fromkeys(family for family, _ in curves)]
    for at, family in enumerate(families):
        series = {
            names[shaping]: [(each.episodes, each.success) for each in points]
            for (name, shaping), points in curves.items()
            if name == family
        }
        styles = {name: style for style, name in enumerate(names.values())}
        title = f"{family}: success on {TESTS} held-out scenarios"
        chart = charts.chart(title, "training episodes", series, styles)
        source = svg_files.source(svg_files.lines("learning", family, chart))
        left, top = 10 + at % 2 * width, 10 + at // 2 * height
        parts.append(source.replace("<svg ", f'<svg x="{left}" y="{top}" ', 1))
    across, down = 2 * width, -(-len(families) // 2) * height
    sheet = page.text_of("report.css").partition("--sheet:")[2].partition(";")[0].strip()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}"'
        f' height="{down}"><rect width="100%" height="100%" fill="{sheet}"/>'
        f"{''.join(parts)}</svg>\n"
    )


def main() -> None:
    """Train what the folder does not have yet, print the table, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--into", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--draw", type=Path, metavar="SVG")
    asked = parser.parse_args()
    if {*asked.families} - {*FAMILIES}:
        parser.error(f"give families out of {', '.join(FAMILIES)}")
    asked.into.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(asked.processes, get_context("spawn")) as pool:
        [*pool.map(run, repeat(asked.into), asked.families or FAMILIES)]
    curves = read(asked.into)
    print(table(curves))
    if asked.draw:
        asked.draw.write_text(drawn(curves), encoding="utf-8")


if __name__ == "__main__":
    main()
