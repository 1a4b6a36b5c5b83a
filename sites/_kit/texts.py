"""Normal forms of the texts that visitors write."""

from __future__ import annotations

import unicodedata


def line(text: str) -> str:
    """Return the text as one line, in normal form C."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def clean(text: str) -> str:
    """Return the text in normal form C, without spaces at the ends of its lines."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip().split("\n")
    return "\n".join(each.rstrip() for each in lines)
