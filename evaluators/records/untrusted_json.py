"""Read JSON by strangers, with limits on size, depth, values and digits, and no repeated keys."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from rehearsal_errors import RehearsalError

MOST_BYTES = 64 * 2**20
"""The most bytes of a document: a file, or a line of a JSON lines file."""
MOST_PARTS = 3_000_000
"""The most strings, brackets and commas of a document."""
MOST_DEPTH = 64
MOST_DIGITS = 100
SHOWN = 40
"""The number of characters that a message quotes from a wrong value."""

_PART = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_NESTING = {byte: step for pair, step in ((b"[{", 1), (b"]}", -1)) for byte in pair}


class BadJson(RehearsalError, ValueError):
    """The bytes are no strict JSON, or exceed a limit; the message is one line."""


def read(data: bytes) -> Any:
    """Return the value of a JSON document.

    Raises:
        BadJson: It is no strict JSON in UTF-8 (NaN, Infinity and lone surrogates are refused), an
            object has a key twice, or a limit of this module is exceeded.
    """
    if len(data) > MOST_BYTES:
        raise BadJson(f"more than {MOST_BYTES:,} bytes")
    _check_structure(data)
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
        if _SURROGATE.search(data):
            json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise BadJson(f"no UTF-8 at byte {error.start + 1}") from None
    except UnicodeEncodeError:
        raise BadJson("half a surrogate pair in a text") from None
    except json.JSONDecodeError as error:
        raise BadJson(f"no JSON: {error}") from None
    return value


def _check_structure(data: bytes) -> None:
    """Raise `BadJson` for too many parts or levels, before the document is parsed."""
    depth = 0
    for number, part in enumerate(_PART.finditer(data)):
        depth += _NESTING.get(data[part.start()], 0)
        if depth > MOST_DEPTH:
            raise BadJson(f"nested deeper than {MOST_DEPTH} levels")
        if number > MOST_PARTS:
            raise BadJson(f"more than {MOST_PARTS:,} texts, brackets and commas")


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise BadJson(f"the key {short(twice)} stands twice in one object")
    return made


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise BadJson(f"a number of {len(text):,} digits, and {MOST_DIGITS} are read")
    return int(text)


def _float(text: str) -> float:
    value = float(text) if len(text) <= MOST_DIGITS else math.inf
    if not math.isfinite(value):
        raise BadJson(f"{short(text)} is larger or longer than the numbers that are read")
    return value


def _constant(text: str) -> NoReturn:
    raise BadJson(f"{text} is no number of JSON")


def short(value: object) -> str:
    """Return a wrong value as a message quotes it: in one line, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
