"""The JSON of web requests: bodies that are nested too deep are refused like any other bad JSON."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.json.provider import DefaultJSONProvider

import rehearsal_json


class _WebJson(DefaultJSONProvider):
    def loads(self, s: str | bytes, **kwargs: Any) -> Any:
        return rehearsal_json.loads(s, **kwargs)


def read_shallow(app: Flask, *, sort_keys: bool = True) -> None:
    """Make an application refuse JSON that is nested too deep.

    Args:
        app: The application.
        sort_keys: Whether the JSON that it sends has its keys in alphabetical order.
    """
    app.json = _WebJson(app)
    app.json.sort_keys = sort_keys
