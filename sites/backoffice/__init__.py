"""A shop's back office."""

from pathlib import Path
from typing import Any

from flask import Flask

from sites._kit.app import create_app as _create_app
from sites.backoffice.site import NOW, SITE, base
from sites.world import World, Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]


class BackofficeData:
    site, bases, digest = SITE, 2, "prototype"

    def base(self, size: str, number: int) -> World:
        return base(size, number)


def load_data() -> BackofficeData:
    return BackofficeData()


def create_app(data: Any, worlds: Worlds) -> Flask:
    return _create_app(SITE, Path(__file__).parent, worlds)
