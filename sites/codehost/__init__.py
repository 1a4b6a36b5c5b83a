"""A code host: projects, issues, merge requests and members with roles, declared with the kit."""

from pathlib import Path

from flask import Flask

from sites._kit.app import create_app as create_kit_app
from sites._kit.bases import Bases
from sites.codehost import generator
from sites.codehost.operations import NOW
from sites.codehost.site import SITE
from sites.world import Worlds

__all__ = ["NOW", "SITE", "create_app", "load_data"]

HERE = Path(__file__).parent
MODULES = "generator", "operations", "roles", "tables", "texts"
DATA = Bases(SITE, generator.draw, tuple(HERE / f"{each}.py" for each in MODULES))


def load_data() -> Bases:
    """Return the data of the site."""
    return DATA


def create_app(data: Bases, worlds: Worlds) -> Flask:
    """Return the application that serves the code host."""
    return create_kit_app(data.site, HERE, worlds)
