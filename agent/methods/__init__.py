"""The agents' methods: each file or folder in this package is one method, and `Method` lists the
members that it defines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, Protocol

from agent.interface import LLM, Page, Task


def check_least(options: object, **least: float) -> None:
    """Raise ValueError if an option is below its least value.

    Args:
        options: The options of a method.
        **least: The least value of each option, by name.
    """
    for name, number in least.items():
        if getattr(options, name) < number:
            raise ValueError(f"{name}={getattr(options, name)} is below {number}")


def check_among(options: object, **known: Collection[str]) -> None:
    """Raise ValueError if an option has none of its known values.

    Args:
        options: The options of a method.
        **known: The known values of each option, by name.
    """
    for name, values in known.items():
        if getattr(options, name) not in values:
            raise ValueError(f"{name}={getattr(options, name)} is none of {', '.join(values)}")


class Method(Protocol):
    """The members that a file in `agent/methods/` defines; the file's name is the method's name.

    Members with a value here are optional, and that value is their default.

    Attributes:
        Options: A frozen dataclass; its `__post_init__` raises ValueError for a value out of range.
        PROMPTS: Names of the folders of prompts that the method uses; () for the folder of its own
            name.
        NEEDS_CLIENT: Whether an external client decides, through the option `exchange`. Such a
            method runs in `rehearse mcp` only.
        check: `check(options)` raises ValueError if a file or a library that the options name is
            missing. It is called before a run.
        check_prompts: `check_prompts(site, folder)` raises `BadPrompt` if the prompts of a site
            cannot be used.
        hashes: `hashes(site, options)` returns the digests of other files that the method reads, by
            name.
        budget: `budget(standard, options)` returns the budget of an episode: the standard budget,
            in which the method may `dataclasses.replace` `steps`, `calls` and `attempts` (1 in the
            standard budget).
    """

    Options: type
    PROMPTS: tuple[str, ...] = ()
    NEEDS_CLIENT: bool = False
    check: Callable[[Any], None] | None = None
    check_prompts: Callable[[str, Path], None] | None = None
    hashes: Callable[[str, Any], Mapping[str, str]] | None = None
    budget: Callable[[Any, Any], Any] | None = None

    async def solve(self, task: Task, page: Page, llm: LLM, options: Any) -> str:
        """Do the task.

        Args:
            task: The task.
            page: The browser.
            llm: The model.
            options: The method's `Options`.

        Returns:
            The answer; "" if the task asks for none.
        """
