"""ASH (Lo et al. 2023), a baseline of LASER: the model condenses each page before it acts.

The paper of LASER has it in table 1. The actor is ReAct. The summarizer is one more request for
each page. It names the task, so that the actor reads only what matters for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from agent.methods import react

PROMPTS = ("ash", "react")
solve = react.solve


@dataclass(frozen=True)
class Options(react.Options):
    """Options of ASH, the same as those of ReAct."""

    NAME: ClassVar[str] = "ash"
    CONDENSES: ClassVar[bool] = True
