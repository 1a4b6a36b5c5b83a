"""Reads the wait that a server asks for, from its headers or else from the body of its error."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import rehearsal_json
from agent.llm.transport.server_errors import error_text

EPOCH = 1e9
"""The number (1e9) from which a rate limit's reset is read as a point in time: in seconds since
1970 from this number on, in milliseconds from 1000 times this number on. A smaller number is the
seconds until the reset.
"""
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_NUMBER = re.compile(r"[+-]?[0-9]{1,300}(\.[0-9]*)?")
_UNIT = r"(ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)"
_PART = rf"([0-9]+(?:\.[0-9]+)?) ?{_UNIT}"
_SPAN = re.compile(rf"(?:{_PART}\s*)+")
_SPAN_PART = re.compile(_PART)
_WORDS = re.compile(
    rf"(?:try again|retry|retry after|wait|available|reset\w*)(?: again)?(?: in| after| for)? ?"
    rf"((?:{_PART} ?(?:and )?)+)"
)
_RESET = re.compile(r"rate-?limit.*reset")


def wanted_wait(headers: Mapping[str, str], body: bytes) -> float | None:
    """Return the seconds that the server asks to wait, or None.

    The sources, in this order, are `retry-after-ms`, `Retry-After` (seconds or a date), the fields
    of the error's body, its text, and the resets of limits that are used up. Zero, past dates,
    negative numbers and NaN are ignored.
    """
    found = (each for each in _answers(headers, body) if each is not None)
    return next((each for each in found if math.isfinite(each) and each > 0), None)


def _answers(headers: Mapping[str, str], body: bytes) -> Iterator[float | None]:
    now = _date(headers.get("date", "")) or time.time()
    yield _number(headers.get("retry-after-ms", ""), 1000)
    after = headers.get("retry-after", "")
    yield _number(after)
    yield _span(after)
    yield _until(_date(after), now)
    yield from _fields(body)
    words = _WORDS.search(error_text(body).lower())
    yield _span(words[1]) if words else None
    yield max(_resets(headers, now), default=None)


def _number(text: str, divisor: float = 1) -> float | None:
    """Return the number in a text that has at most a sign and a decimal point, divided by
    `divisor`; None for "1e3", "1_000" and "inf".
    """
    return float(text) / divisor if _NUMBER.fullmatch(text.strip()) else None


def _span(text: str) -> float | None:
    """Return the seconds of a span such as `6m0s`, `120ms` or `2 minutes`; None for other texts."""
    plain = text.strip().lower().replace(" and ", " ")
    if len(plain) > 80 or not _SPAN.fullmatch(plain):
        return None
    parts = _SPAN_PART.findall(plain)
    return sum(float(amount) * _UNITS[_unit(unit)] for amount, unit in parts)


def _unit(word: str) -> str:
    return "ms" if word.startswith(("ms", "milli")) else word[0]


def _date(text: str) -> float | None:
    """Return the seconds since 1970 of an HTTP date or an ISO 8601 date; None for other texts."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            found = read(text.strip())
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return None


def _until(second: float | None, now: float) -> float | None:
    return None if second is None else second - now


def _fields(body: bytes) -> Iterator[float | None]:
    """Yield the waits in seconds that the fields `estimated_time`, `retry_after` and Google's
    `retryDelay` of an error body give, None for unreadable ones.
    """
    try:
        value = rehearsal_json.loads(body)
    except ValueError:
        return
    for name, each in _members(value):
        if name in {"estimated_time", "retry_after", "retryafter", "retrydelay", "retry_delay"}:
            yield _number(str(each))
            yield _span(str(each))


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield str(name).lower(), each
    inner = value.values() if isinstance(value, Mapping) else value
    for each in inner if isinstance(value, Mapping | list) else ():
        yield from _members(each)


def _resets(headers: Mapping[str, str], now: float) -> Iterator[float]:
    """Yield the seconds until each rate limit that the headers show as used up is reset."""
    for name, text in headers.items():
        if _RESET.search(name.lower()):
            left = _number(headers.get(name.lower().replace("reset", "remaining"), "0"))
            seconds = _reset(text, now)
            if seconds is not None and (left is None or left <= 0):
                yield seconds


def _reset(text: str, now: float) -> float | None:
    number = _number(text)
    if number is None:
        return _span(text) or _until(_date(text), now)
    if number >= EPOCH:
        return (number / 1000 if number >= 1000 * EPOCH else number) - now
    return number
