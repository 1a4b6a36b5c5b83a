"""Write strict JSON, without NaN and Infinity."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any


def text(value: Any, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """Return a value as JSON.

    A number that is not finite becomes null (unknown); a value that JSON does not know becomes
    text.
    """

    def dumped(value: Any) -> str:
        return json.dumps(
            value,
            indent=indent,
            separators=separators,
            ensure_ascii=False,
            allow_nan=False,
            default=str,
        )

    try:
        return dumped(value)
    except ValueError:
        return dumped(_finite(value))


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {_finite(name): _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value
