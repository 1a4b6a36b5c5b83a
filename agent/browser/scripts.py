"""Functions that read the JavaScript files next to this module."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any


@functools.cache
def source(name: str) -> str:
    """Return the text of the JavaScript file with this name."""
    return resources.files("agent.browser").joinpath(name).read_text("utf-8")


def call(name: str, argument: Any) -> str:
    """Return a JavaScript expression that calls the function in a file with one argument, given as
    JSON.
    """
    return f"({source(name)})({json.dumps(argument)})"
