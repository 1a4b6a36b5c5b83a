"""Standard streams that do not break a command.

A command finishes its work even if nobody can read its output: a stream may be closed (`1>&-`), its
reader may have gone (`| head -1`), its disk may be full, its encoding may lack characters
(`LANG=C`). The command reports output that it could not print once, at the end; it says nothing if
the reader has gone, who has read enough.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress
from typing import Any, TextIO

CLOSED = "it is closed"
READER_GONE = os.strerror(errno.EPIPE)
_GIVEN_UP = "what the command wrote into files is there; send its output to a terminal or a file"


def reopen() -> None:
    """Open the null device for each closed standard descriptor, so that no other file gets its
    number.

    `sys.stdin` becomes an empty stream. A closed output stays None, as Python left it.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115


class LastingOutput(io.TextIOBase):
    """A text stream that never raises: after a failure, further output is dropped.

    `why` is the reason of the failure, or "". A character that the encoding lacks is written as an
    escape, as in JSON.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self.stream = stream
        self.why = ""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a variable there
        return getattr(self.stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]  # a variable there
        return getattr(self.stream, "errors", None) or "strict"

    @property
    def buffer(self) -> Any:
        """The underlying byte stream, for code that takes over the stream."""
        return self.stream.buffer if self.stream else io.BytesIO()

    def write(self, text: str) -> int:
        self._try("write", spelled(text, self.encoding))
        return len(text)

    def flush(self) -> None:
        self._try("flush")

    def _try(self, method: str, *arguments: str) -> None:
        if self.stream is None:
            self.why = CLOSED if arguments else self.why
        if self.why or self.stream is None:
            return
        try:
            getattr(self.stream, method)(*arguments)
        except (OSError, ValueError) as error:  # ValueError: somebody closed it
            self.why = getattr(error, "strerror", None) or str(error)
            self._drain()

    def _drain(self) -> None:
        """Discard the buffered output, since Python would otherwise fail on it again at exit."""
        with suppress(OSError, ValueError, AttributeError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self.stream.fileno())  # type: ignore[union-attr]  # else it is closed
            os.close(null)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        try:
            return self.stream is not None and self.stream.isatty()
        except ValueError:
            return False

    def fileno(self) -> int:
        if self.stream is None:
            raise io.UnsupportedOperation("the stream is closed")
        return self.stream.fileno()


def spelled(text: str, encoding: str) -> str:
    r"""Return the text with characters that the encoding lacks as escapes such as `\u201c`.

    A character above U+FFFF becomes two escapes (a surrogate pair).
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return "".join(_spelled(each, encoding) for each in text)
    return text


def _spelled(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        units = character.encode("utf-16-be", "surrogatepass")
        pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
        return "".join(f"\\u{each}" for each in pairs)
    return character


def unprinted(stream: LastingOutput) -> str:
    """Return a line that says why output is missing and what to do, or "" if all was printed."""
    stream.flush()
    if not stream.why:
        return ""
    return f"standard output could not be written ({stream.why}); {_GIVEN_UP}"
