"""Methods: one file each, `async def solve(task, page, llm, options) -> str` and `Options`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from agent.interface import LLM, Page, Task


class Method(Protocol):
    """What a file in `agent/methods/` defines; the file's name is the method's.

    Members with a value here are optional, and that value is their default: `PROMPTS` names the
    folders of prompts that it uses, () for the one of its own name. `check_prompts(site, folder)`
    raises where prompts are missing that it will load. `hashes(site, options)` are the hashes of
    what else it reads, by name. `budget(budget, options)` changes the budget of an episode.
    """

    Options: type
    PROMPTS: tuple[str, ...] = ()
    check_prompts: Callable[[str, Path], None] | None = None
    hashes: Callable[[str, Any], Mapping[str, str]] | None = None
    budget: Callable[[Any, Any], Any] | None = None

    async def solve(self, task: Task, page: Page, llm: LLM, options: Any) -> str:
        """Do the task; returns the answer, "" where none is asked for."""
        ...
