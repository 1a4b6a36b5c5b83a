"""Turns the arguments of a call as models write them into the JSON that the call's schema requires.

Models write a Python dict, an object within a text, null for no arguments, a number as a text, or a
text as a number. Arguments with only one interpretation are converted; all others stay unchanged
and are left to the check against the schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from agent.interface import ToolCall
from agent.llm import lenient_json

_NUMBER = re.compile(r"[$€£]?\s*(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)")
_BOOLEANS = {"true": True, "false": False}


def strict(call: ToolCall, schema: Mapping[str, Any]) -> ToolCall:
    """Return the function call with its arguments converted to the types of the JSON schema;
    unchanged if they cannot be read.
    """
    try:
        value = lenient_json.loads(call.arguments.strip() or "{}")
        value = lenient_json.loads(value.strip() or "{}") if isinstance(value, str) else value
    except ValueError:
        return call
    if value is not None and not isinstance(value, dict):
        return call
    return replace(call, arguments=json.dumps(_fitted(value or {}, schema)))


def _fitted(values: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Convert arguments to the types that a schema demands: "50" to 50, 50 to "50", or "true" to
    true.

    Optional properties that are null are left out.
    """
    properties, required = schema.get("properties", {}), schema.get("required", ())
    left_out = {
        name
        for name, value in values.items()
        if value is None and name in properties and name not in required
    }
    return {
        name: _as(properties.get(name, {}).get("type"), value)
        for name, value in values.items()
        if name not in left_out or "null" in _kinds(properties[name].get("type"))
    }


def _kinds(kind: Any) -> list[str]:
    return [kind] if isinstance(kind, str) else list(kind or ())


def _as(kind: Any, value: Any) -> Any:
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    if kind == "boolean" and isinstance(value, str):
        return _BOOLEANS.get(value.strip().lower(), value)
    if kind in ("number", "integer") and isinstance(value, str):
        return _number(value, kind)
    return value


def _number(text: str, kind: str) -> Any:
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return text
    digits = found[1].replace(",", "")
    if len(digits) > 15 or (kind == "integer" and "." in digits):
        return text
    return float(digits) if "." in digits else int(digits)
