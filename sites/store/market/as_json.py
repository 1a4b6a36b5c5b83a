"""Convert dataclasses to JSON and back. Pydantic is slow to import, so it is imported late."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return Pydantic's adapter for a type, which writes it as JSON and parses it again."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
