"""Run programs that a model wrote, without access to this process.

Methods use `CodeRunner`; `agent.sandbox.monty` implements it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

METHODS = {
    "type": "characters",
    "click_xpath": "xpath",
    "press": "key",
    "click_option": "xpath",
    "movemouse": "xpath",
}
"""The methods of `agent` in an action program, each with the name of its one string argument."""

LONGEST_ARGUMENT = 4_096  # the most characters of such a string

Host = Callable[[str, str], Awaitable[None]]
"""`await host(method, argument)` carries out a call of the program in the browser.

A `CallFailed` ends the program with its text; any other exception ends it and passes unchanged.
"""


class CallFailed(Exception):
    """A call of the program failed; the text says why, as the page would."""


Kind = Literal["syntax", "unsupported", "limit", "refused", "failed", "runtime"]
"""How a program failed.

`syntax`: it is no Python. `unsupported`: Python that the sandbox does not have. `limit`: time,
memory, calls, depth, or the length of the program, the page or the observation. `refused`: a call
that it may not make, or files, environment, processes. `failed`: the browser could not do it.
`runtime`: an exception that it raised or did not catch, or no observation.
"""


class ProgramError(Exception):
    """A program failed; the text is one line for the model that wrote it.

    `line` is the line of the program, from 1, or None where it is not known.
    """

    def __init__(self, kind: Kind, why: str, line: int | None = None) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.kind: Kind = kind
        self.why = why
        self.line = line


@dataclass(frozen=True)
class Limits:
    """Limits of one program. `seconds` (below 5) exclude waiting for the host.

    `memory` is in bytes, `source` and `observation` are in characters. A page of some 30,000
    nodes fits into the memory.
    """

    seconds: float = 2.0
    memory: int = 64 * 2**20
    source: int = 20_000
    observation: int = 100_000


class CodeRunner(Protocol):
    """Runs programs, each as if there had never been another one."""

    async def act(self, program: str, host: Host, *, calls: int) -> None:
        """Run an action program: it drives `agent`, whose methods are METHODS.

        The program waits while the host does what it called. At most `calls` calls are made.
        Raises `ProgramError`, and whatever the host raises.
        """

    async def abstract(self, program: str, state: str) -> str:
        """Run an abstraction program: it reads the HTML in `state`, and sets `obs`, a string.

        It may import BeautifulSoup from bs4 (`agent.sandbox.soup`). Raises `ProgramError`.
        """
