"""Trajectories of the split `train` as Synapse shows them to a model, and the memory that finds the
nearest ones (Zheng et al. 2024, sections 3.3 and 3.4).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from agent.interface import LLM
from agent.methods.synapse import memory
from agent.methods.synapse.memory import Found, Key
from agent.mind2web import page_text
from agent.mind2web.task import RecordedTask, Step
from rehearsal_errors import RehearsalError

REMEDY = "delete it and resume the run"


class BadExemplars(RehearsalError, ValueError):
    """A file of trajectories that cannot be read; the message names the line."""


@dataclass(frozen=True)
class Look:
    """A past step as a model reads it: the page, the annotator's action, and that in words."""

    observation: str
    action: str
    words: str


@dataclass(frozen=True)
class Exemplar:
    """A whole trajectory of `train`.

    Attributes:
        id: The task's id.
        site: The key in memory: website, domain, subdomain and task, a line each.
        instruction: The task.
        looks: Its steps.
    """

    id: str
    site: str
    instruction: str
    looks: tuple[Look, ...]


def key_text(task: RecordedTask) -> str:
    """Return the text from which embeddings are computed, for keys and queries alike.

    Source: Synapse, section 3.4 and its released code (four lines of metadata).
    """
    named = {
        "Website": task.website,
        "Domain": task.domain,
        "Subdomain": task.subdomain,
        "Task": task.instruction,
    }
    return "\n".join(f"{name}: {value}" for name, value in named.items())


def written_action(op: str, element: str, value: str) -> str:
    """Return an action as Synapse writes it: `CLICK [id]`, `TYPE [id] [value]`."""
    return f"{op} [{element}]" + (f" [{value}]" if op != "CLICK" else "")


def target_action(step: Step) -> str:
    """Return the annotator's action as Synapse writes it."""
    target = step.positives[0].id if step.positives else step.target_id
    return written_action(step.op, target, step.value)


def look(step: Step, order: Sequence[str], k: int) -> Look:
    """Return a past step: its page with k elements, the one acted on among them.

    Args:
        step: The step.
        order: All candidates, the best first.
        k: How many elements to show.

    Raises:
        UnreadablePage: The page cannot be read.
    """
    shown = page_text.observation(step, page_text.positive_and_best(step, order, k))
    return Look(shown, target_action(step), step.repr)


def exemplar(task: RecordedTask, orders: Mapping[str, Sequence[str]], k: int) -> Exemplar:
    """Return a task of `train` as a trajectory with k elements a page.

    Raises:
        UnreadablePage: A page cannot be read.
    """
    looks = (look(each, orders.get(task.key(each), ()), k) for each in task.steps)
    return Exemplar(task.id, key_text(task), task.instruction, tuple(looks))


def lines(exemplars: Iterable[Exemplar]) -> Iterable[str]:
    """Yield the lines of a file of trajectories, which `load` reads."""
    return (f"{json.dumps(asdict(each), ensure_ascii=False)}\n" for each in exemplars)


@lru_cache(maxsize=4)
def load(path: Path) -> tuple[Exemplar, ...]:
    """Return the trajectories in a file; a process reads a file once.

    Raises:
        BadExemplars: The file cannot be read.
    """
    try:
        with path.open(encoding="utf-8") as file:
            return tuple(_exemplar(path, at, line) for at, line in enumerate(file, start=1))
    except OSError as error:
        raise BadExemplars(f"{path}: {error.strerror}", REMEDY) from None


def _exemplar(path: Path, at: int, line: str) -> Exemplar:
    try:
        values = json.loads(line)
        looks = tuple(Look(**each) for each in values.pop("looks"))
        return Exemplar(**values, looks=looks)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BadExemplars(f"{path}:{at}: no trajectory", REMEDY) from None


@dataclass(frozen=True, slots=True)
class _TaskKey(Key):
    """A key in the memory: `task` is the id of a trajectory, `state` its four lines."""

    @property
    def text(self) -> str:
        return self.state


async def nearest(
    task: RecordedTask, exemplars: Sequence[Exemplar], count: int, embedder: str, llm: LLM
) -> tuple[Found, list[Exemplar]]:
    """Return the trajectories that are nearest to a task, nearest first, and their distances.

    Args:
        task: The task.
        exemplars: The trajectories in the memory; at least one.
        count: How many to return at most.
        embedder: The embedder's name.
        llm: The model, for embedders that need one.

    Source: Synapse, section 3.4. It takes ada-002 and the squared distance of FAISS's flat index;
    ours is the Euclidean distance of the embedder's vectors.
    """
    keys = tuple(_TaskKey(each.id, each.instruction, each.site) for each in exemplars)
    stored = memory.of_trajectories(keys, embedder)
    found = await stored.retrieve(key_text(task), llm, neighbours=count)
    known = {each.id: each for each in exemplars}
    return found, [known[each.task] for each in found.neighbours]
