r"""Plain output: no file name, agent name or error text reaches the terminal as a control sequence.

Control characters are printed as JSON escapes (`\u001b`): sequences that colour, move, erase or set
the title, carriage returns, and marks that change the direction of text.
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
"""A pattern of all control characters except tab and line feed, and of lone surrogates, which
cannot be printed.
"""


def plain(text: str) -> str:
    r"""Return the text with its control characters as escapes such as `\u001b`."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class PlainOutput(io.TextIOBase):
    """A stream that writes plain text to another stream; `raw` is that stream."""

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
    """Return the underlying stream, for code that writes control sequences and escapes its own
    text.
    """
    return stream.raw if isinstance(stream, PlainOutput) else stream


def _lasting(stream: TextIO | None) -> LastingOutput:
    below = stream.raw if isinstance(stream, PlainOutput) else stream
    return below if isinstance(below, LastingOutput) else LastingOutput(below)


@contextmanager
def plain_output() -> Iterator[LastingOutput]:
    """Make all output of this process plain within the block; printing never raises.

    Yields standard output, which remembers whether it failed.
    """
    out, errors = _lasting(sys.stdout), _lasting(sys.stderr)
    with redirect_stdout(PlainOutput(out)), redirect_stderr(PlainOutput(errors)):
        yield out


def print_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of a bug without control characters; it replaces `sys.excepthook`."""
    with plain_output():
        sys.__excepthook__(kind, error, trace)
