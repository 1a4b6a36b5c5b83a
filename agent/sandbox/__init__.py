"""Runs programs that a model wrote, without access to this process.

Methods use `CodeRunner`, which `agent.sandbox.monty` implements.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

METHODS = {
    "type": "characters",
    "click_xpath": "xpath",
    "press": "key",
    "click_option": "xpath",
    "movemouse": "xpath",
}
"""The methods of `agent` in Synapse's action programs, each with the name of its only argument, a
string.
"""

LONGEST_ARGUMENT = 4_096  # characters of such a string at most

Host = Callable[[str, str], Awaitable[str | None]]
"""A function that performs a call of a program: `await host(method, argument)`. The call has its
result in the program.

If it raises `CallFailed`, the program ends with that text; any other exception ends the program and
is passed on unchanged.
"""


class CallFailed(Exception):
    """The browser could not perform a call of the program; the text gives the reason, in the words
    of the page.
    """


Kind = Literal["syntax", "unsupported", "limit", "refused", "failed", "runtime"]
"""The way in which a program failed.

- `syntax`: it is no Python.
- `unsupported`: it uses Python that the sandbox does not have.
- `limit`: time, memory, calls, depth, or the length of the program, the page or the observation.
- `refused`: a call that it may not make, or access to files, environment or processes.
- `failed`: the browser could not perform a call.
- `runtime`: an exception that it did not catch, or no observation.
"""


class ProgramError(Exception):
    """A program failed; the text is one line for the model that wrote it.

    `line` is the line of the program, from 1; None if it is unknown.
    """

    def __init__(self, kind: Kind, why: str, line: int | None = None) -> None:
        super().__init__(why if line is None else f"line {line}: {why}")
        self.kind: Kind = kind
        self.why = why
        self.line = line


@dataclass(frozen=True)
class Limits:
    """Limits of one program.

    Attributes:
        seconds: Running time below 5 seconds, without waiting for the host.
        memory: Bytes; a page of some 30,000 nodes fits into the default.
        source: Characters of the program.
        observation: Characters of the observation.
    """

    seconds: float = 2.0
    memory: int = 64 * 2**20
    source: int = 20_000
    observation: int = 100_000


class CodeRunner(Protocol):
    """Runs programs, each independently of all others."""

    async def act(
        self, program: str, host: Host, *, calls: int, methods: Mapping[str, str] = METHODS
    ) -> None:
        """Run an action program, which uses `agent`.

        The program waits while the host performs a call.

        Args:
            program: The program.
            host: Performs the calls.
            calls: Number of calls at most.
            methods: The methods of `agent`, each with the name of its only argument, a string.

        Raises:
            ProgramError: The program failed.
            Exception: Any other error that the host raises.
        """

    async def abstract(self, program: str, state: str) -> str:
        """Run an abstraction program, which reads the HTML in `state` and sets `obs`, a string.

        The program may import BeautifulSoup from bs4 (see `agent.sandbox.soup`).

        Returns:
            The string in `obs`.

        Raises:
            ProgramError: The program failed.
        """
