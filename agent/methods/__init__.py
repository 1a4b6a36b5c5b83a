"""Methods: a file or a folder each; `Method` lists what one defines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

from agent.interface import LLM, Page, Task


def check_least(options: object, **least: float) -> None:
    """Raise ValueError for an option below its least value."""
    for name, number in least.items():
        if getattr(options, name) < number:
            raise ValueError(f"{name}={getattr(options, name)} is below {number}")


def check_among(options: object, **known: Collection[str]) -> None:
    """Raise ValueError for an option that is none of the known values."""
    for name, values in known.items():
        if getattr(options, name) not in values:
            raise ValueError(f"{name}={getattr(options, name)} is none of {', '.join(values)}")


class Method(Protocol):
    """What a file in `agent/methods/` defines; the file's name is the method's.

    `Options` is a frozen dataclass; its `__post_init__` raises ValueError for a value out of range.
    Members with a value here are optional, and that value is their default: `PROMPTS` names the
    folders of prompts that it uses, () for the one of its own name. `check(options)` raises
    ValueError where a file or a library that the options name cannot be had; it is called before a
    run. `check_prompts(site, folder)` raises `BadPrompt` where the prompts of a site cannot be
    used. `hashes(site, options)` are the digests of what else it reads, by name.
    `budget(standard, options)` is the budget of an episode in place of the standard one, of which
    it may `dataclasses.replace` `steps`, `calls` and `attempts`, of which the standard has one.
    With `NEEDS_CLIENT` a client outside decides, through the option `exchange`: such a method runs
    in `rehearse mcp` alone.
    """

    Options: type
    PROMPTS: tuple[str, ...] = ()
    NEEDS_CLIENT: bool = False
    check: Callable[[Any], None] | None = None
    check_prompts: Callable[[str, Path], None] | None = None
    hashes: Callable[[str, Any], Mapping[str, str]] | None = None
    budget: Callable[[Any, Any], Any] | None = None

    async def solve(self, task: Task, page: Page, llm: LLM, options: Any) -> str:
        """Do the task; returns the answer, "" where none is asked for."""
