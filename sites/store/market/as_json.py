"""Dataclasses as JSON and back. Pydantic, which is heavy, is imported where it is first needed."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Of a type, or of a mapping of them: writes it as JSON and reads it again."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
