"""What the command line prints: no text of others (a file's name, an agent's, an error's) reaches
the terminal as a control sequence.

A control character is shown by its number, as JSON writes it (`\\u001b`): escapes that colour,
move, erase or retitle, carriage returns, and marks that turn the direction of a text.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from types import TracebackType
from typing import TextIO, cast

from evaluators.commands.streams import LastingOutput

_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""All but tab and line feed; halves of characters, which cannot be printed, too."""


def plain(text: str) -> str:
    """A text with its control characters shown."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PlainOutput(io.TextIOBase):
    """A stream that writes plain text to another one, which `raw` gives back."""

    def __init__(self, raw: LastingOutput) -> None:
        self.raw = cast("TextIO", raw)

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a variable there
        return self.raw.encoding or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]  # a variable there
        return self.raw.errors or "strict"

    def write(self, text: str) -> int:
        self.raw.write(plain(text))
        return len(text)

    def flush(self) -> None:
        self.raw.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.raw.isatty()

    def fileno(self) -> int:
        return self.raw.fileno()


def raw(stream: TextIO) -> TextIO:
    """The stream itself, for what writes control sequences of our own and plain cells."""
    return stream.raw if isinstance(stream, PlainOutput) else stream


def _lasting(stream: TextIO | None) -> LastingOutput:
    below = stream.raw if isinstance(stream, PlainOutput) else stream
    return below if isinstance(below, LastingOutput) else LastingOutput(below)


@contextmanager
def plain_output() -> Iterator[LastingOutput]:
    """Everything that is printed meanwhile, by whomever in this process, is plain, and printing
    never raises. Yields standard output, which knows whether it failed."""
    out, errors = _lasting(sys.stdout), _lasting(sys.stderr)
    with redirect_stdout(PlainOutput(out)), redirect_stderr(PlainOutput(errors)):
        yield out


def print_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """The traceback of a bug, plain; for `sys.excepthook`."""
    with plain_output():
        sys.__excepthook__(kind, error, trace)
