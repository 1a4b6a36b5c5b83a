"""The canonical form of a request, and its key in a recording.

Two requests have the same key if and only if they differ only in ways that cannot change the
answer: the order of names, the Unicode normal form (NFC), `1` in place of `1.0`, and the fields in
`IGNORED`. A field that is unknown here is part of the key.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
import zlib
from collections.abc import Mapping
from typing import Any

IGNORED = frozenset(
    {
        "metadata",  # labels for the account's owner
        "prompt_cache_key",  # affects only the server's cache
        "safety_identifier",  # the user of the account
        "service_tier",  # speed and price
        "store",  # storage on the server
        "stream_options",  # division of the reply into pieces
        "timeout",  # our waiting time
        "user",  # the user of the account
    }
)


def canonical(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the request, normalised, without `IGNORED` fields.

    Raises ValueError for NaN and infinities.
    """
    return {
        unicodedata.normalize("NFC", name): _normal(value)
        for name, value in request.items()
        if name not in IGNORED
    }


def dumps(value: Any) -> str:
    """Return the value as canonical JSON: sorted names and no blanks."""
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def encoded(value: Any) -> bytes:
    """Return the value as canonical JSON in UTF-8. Non-ASCII characters are escaped if a text
    contains a lone half of a surrogate pair.
    """
    try:
        return dumps(value).encode()
    except UnicodeEncodeError:
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def checked_line(value: dict[str, Any]) -> bytes:
    """Return a line of a recording: the object as JSON, with the CRC-32 of the preceding text as
    its last field.
    """
    data = encoded(value)[:-1]
    return b'%b,"crc":"%08x"}\n' % (data, zlib.crc32(data))


def digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def key(form: Mapping[str, Any]) -> str:
    """Return the key of a request in canonical form: the SHA-256 of its JSON."""
    return digest(dumps(form))


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_normal(item) for item in value]
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", name): _normal(item) for name, item in value.items()}
    return value
