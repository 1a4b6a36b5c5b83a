"""The scripted model's plans with loops, and the things that a loop goes over.

A step of a task that names several things, in the plural, is planned as a loop. Its next thing is
the element that the next right action uses; the thing is done when the next right action uses
another element of the same role.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_OF_THING = re.compile(r"For ((\w+) '.*'): ")
_PLURAL = re.compile(r".*[^s]s")


def listed(steps: Iterable[str]) -> str:
    """Return a plan: the word List, and the steps as numbered lines."""
    return "\n".join(["List", *(f"{at}. {step}" for at, step in enumerate(steps, start=1))])


def plan(steps: Sequence[str]) -> str:
    """Return a plan in which each step about several things is a loop that calls a procedure."""
    loops = {step: step.upper().replace(" ", "_") for step in steps if _PLURAL.fullmatch(step)}
    lines = [_loop(step, loops[step]) if step in loops else step for step in steps]
    defined = [f"Procedure {name}\n1. {step}" for step, name in loops.items()]
    return "\n".join([listed(lines), *defined])


def _loop(step: str, name: str) -> str:
    return f"For each of the {step.rpartition(' ')[2]}: Do {name}"


def own_step(step: str, steps: Sequence[str]) -> str:
    """Return the step of the task that a step of a plan, which may be of a loop, carries out."""
    return step if step in steps else step.rpartition(": ")[2]


def is_other(step: str, thing: str) -> bool:
    """Return whether a step is about a thing with the role of this thing, but another name.

    Args:
        step: A step of a plan.
        thing: The role and name of an element.
    """
    found = _OF_THING.match(step)
    return found is not None and thing.startswith(f"{found[2]} ") and thing != found[1]
