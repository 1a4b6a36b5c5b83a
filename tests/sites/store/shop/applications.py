"""Applications of the store that tests take in turn: making one takes longer than most tests do."""

from __future__ import annotations

from functools import cache

from flask import Flask

from sites.store import StoreData, create_app
from sites.world import World, Worlds


class VisitedWorlds(Worlds):
    """Worlds of one test after the other."""

    def forget(self) -> None:
        super().__init__()


def application(data: StoreData, world: World, visitor: str = "") -> tuple[Flask, Worlds]:
    """The store with this world as its only one, published; the world of an earlier call is gone.

    Several `visitor`s of one test have applications of their own.
    """
    app, worlds = _application(data, visitor)
    worlds.forget()
    worlds.publish(world)
    return app, worlds


@cache
def _application(data: StoreData, visitor: str) -> tuple[Flask, VisitedWorlds]:
    worlds = VisitedWorlds()
    return create_app(data, worlds), worlds
