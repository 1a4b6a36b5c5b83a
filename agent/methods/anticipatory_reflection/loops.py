"""Plans with loops and procedures, which the paper's flat plans lack (section 5.2).

A step may be a loop, "For each of THINGS: STEP; STEP", or a call, "Do NAME" or "Do NAME for THING",
of a procedure: a list of steps of its own below a line "Procedure NAME". Calls are replaced by
their steps when the plan is read. A loop is unrolled when the agent comes to it: the model names
the next things, each of them gets the loop's steps, and the loop follows after them. It ends when
the model names no new thing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from agent.interface import Reply
from agent.methods.anticipatory_reflection import parsing

LONGEST = 100
"""The most steps of a plan with unrolled loops; a loop of a longer plan ends."""

_LOOP = re.compile(r"for each of (.+?): (.+)", re.IGNORECASE)
_CALL = re.compile(r"(?i:do) ([A-Z][A-Z0-9_]+)(?: (?i:for) (.+?))?\W*")
_PROCEDURE = re.compile(r"^\W*(?i:procedure)\s+([A-Z][A-Z0-9_]+)\W*$", re.MULTILINE)
_THING = re.compile(r"^\s*[-*]\s*(\S.*)$", re.MULTILINE)
_NO_THING = re.compile(rf"\W*{parsing.NONE}\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Loop:
    """A step that is done for each of several things."""

    things: str
    steps: Sequence[str]

    @classmethod
    def read(cls, step: str) -> Self | None:
        """Return the loop that a step of a plan is, or None for any other step."""
        found = _LOOP.fullmatch(step)
        return cls(found[1], found[2].split("; ")) if found else None

    @property
    def text(self) -> str:
        """The loop as a step of a plan."""
        return f"For each of {self.things}: {'; '.join(self.steps)}"

    def unrolled(self, things: Sequence[str], plan: Collection[str]) -> list[str]:
        """Return the loop's steps for each thing that the plan has no steps for, and then the loop;
        nothing if there is no such thing.

        Args:
            things: The names of the next things.
            plan: The steps of the plan so far.
        """
        steps = [of(thing, step) for thing in dict.fromkeys(things) for step in self.steps]
        left = [step for step in steps if step not in plan]
        return [*left, self.text] if left and len(plan) + len(left) <= LONGEST else []


def of(thing: str, step: str) -> str:
    """Return a step for one thing."""
    return f"For {thing}: {step}"


def plan(reply: Reply) -> list[str]:
    """Return the steps of a plan, with the steps of its procedures in place of their calls.

    Raises:
        ValueError: The plan cannot be read, in words for the model.
    """
    first, *defined = _PROCEDURE.split(reply.text)
    lists = zip(defined[::2], defined[1::2], strict=True)
    procedures = {name: parsing.plan(Reply((text,))) for name, text in lists}
    steps = parsing.plan(Reply((first,)))
    found = [each for step in steps for each in _called(step, procedures, ())]
    if len(found) > parsing.MOST_STEPS:
        most = parsing.MOST_STEPS
        raise ValueError(f"the plan has {len(found)} steps with its calls; write at most {most}")
    return found


def _called(step: str, procedures: Mapping[str, list[str]], within: tuple[str, ...]) -> list[str]:
    """Return a step with calls replaced; `within` names the procedures that it stands in."""
    if loop := Loop.read(step):
        inner = [each for one in loop.steps for each in _called(one, procedures, within)]
        if any(map(Loop.read, inner)):
            raise ValueError(
                f"{step[:100]!r} is a loop within a loop; write one loop after another"
            )
        return [Loop(loop.things, inner).text]
    call = _CALL.fullmatch(step)
    if call is None:
        return [step]
    name, thing = call.groups()
    if name not in procedures:
        raise ValueError(f"there is no Procedure {name}; write it below the list")
    if name in within:
        raise ValueError(f"Procedure {name} calls itself; write a loop, For each of")
    inner = [each for one in procedures[name] for each in _called(one, procedures, (*within, name))]
    return [of(thing, each) for each in inner] if thing else inner


def things(reply: Reply) -> list[str]:
    """Return the names of the things that a reply lists, a line each behind a dash; none for the
    word NONE.

    Raises:
        ValueError: The reply has no such line.
    """
    text = reply.text
    if _NO_THING.fullmatch(text):
        return []
    found = [each.strip() for each in _THING.findall(text)]
    if not found:
        raise ValueError("there is no line that begins with a dash; write one a thing, or NONE")
    return [each for each in found if not _NO_THING.fullmatch(each)]
