"""The keys that write a text into a field; dates and times are typed part by part (en-US)."""

from __future__ import annotations

import re


def keystrokes(field: str, text: str) -> str:
    """Return the keys that type a text into a field.

    Args:
        field: Type of an input element, or `line` for any other field of one line.
        text: The text, with dates as YYYY-MM-DD and times as HH:MM.

    Raises:
        ValueError: The field cannot take the text; the message is written for the agent.
    """
    if not text:
        return ""
    if field == "date":
        return "{1}{2}{0}".format(*_parts(r"(\d{4})-(\d\d)-(\d\d)", text, "YYYY-MM-DD"))
    if field == "time":
        hour, minute = _parts(r"(\d\d):(\d\d)", text, "HH:MM")
        return f"{(int(hour) + 11) % 12 + 1:02}{minute}{'AM' if int(hour) < 12 else 'PM'}"
    if field in ("month", "week", "datetime-local"):
        raise ValueError(f"A {field} field cannot be typed into.")
    return re.sub(r"[\r\n]+", " ", text) if field == "line" else text


def _parts(pattern: str, text: str, shape: str) -> tuple[str, ...]:
    found = re.fullmatch(pattern, text.strip())
    if found is None:
        raise ValueError(f"This field takes {shape}, not {text[:40]!r}.")
    return found.groups()
