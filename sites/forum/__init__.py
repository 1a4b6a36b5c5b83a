"""A forum of boards, posts and votes."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask

from sites._kit.app import create_app as _create_app
from sites.forum import generator
from sites.forum.operations import NOW
from sites.forum.site import SITE
from sites.world import World, Worlds

__all__ = ["NOW", "SITE", "ForumData", "create_app", "load_data"]


@dataclass(frozen=True)
class ForumData:
    """Base worlds are drawn when they are asked for."""

    site: Any = SITE
    bases: int = generator.BASES

    @property
    def digest(self) -> str:
        return sha256(Path(generator.__file__).read_bytes()).hexdigest()

    def base(self, size: str, number: int) -> World:
        return generator.base(size, number)


def load_data() -> ForumData:
    return ForumData()


def create_app(data: ForumData, worlds: Worlds) -> Flask:
    return _create_app(data.site, Path(__file__).parent, worlds)
