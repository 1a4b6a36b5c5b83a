"""The JavaScript files next to this module."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def source(name: str) -> str:
    """Return the text of a script."""
    return resources.files("agent.browser").joinpath(name).read_text("utf-8")


def call(name: str, argument: Any) -> str:
    """Return an expression that calls the function in a script with one JSON value."""
    return f"({source(name)})({json.dumps(argument)})"
