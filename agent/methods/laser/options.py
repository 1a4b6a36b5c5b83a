"""Options of LASER."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from agent import prompting

HISTORIES, DETAILS, WAYS = ("all", "search"), ("whole", "first line"), ("address", "search")


@dataclass(frozen=True)
class Options:
    """Defaults are the paper's; the forced choice takes two more transitions, 15 in all.

    `force_after`: transitions before a choice is forced. `backup`: choose from memory then
    (otherwise give up). `functions`: legal functions by the API's function calls, else described
    in the prompt and answered in JSON. `one_shot`: one example pair in every prompt. `history`:
    shown at every step, or only on coming back to the first state. `details`: of a detail page.
    `open_cost`: transitions that opening an item counts. `reopen`: how the backup gets to its
    item. `temperature`: the released code's; -1 leaves it to the model. `reasks`: for replies that
    cannot be carried out.
    """

    force_after: int = 13
    backup: bool = True
    functions: bool = True
    one_shot: bool = False
    history: str = "all"
    details: str = "whole"
    open_cost: int = 1
    reopen: str = "address"
    temperature: float = 0.0
    reasks: int = 2
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        for name, known in (("history", HISTORIES), ("details", DETAILS), ("reopen", WAYS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name}={getattr(self, name)} is none of {', '.join(known)}")
        for name in ("force_after", "open_cost", "reasks"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)} is below 0")
