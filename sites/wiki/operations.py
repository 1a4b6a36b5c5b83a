"""The operations of the encyclopedia."""

from __future__ import annotations

from sites._kit.declare import Invalid, operation
from sites.world import Row, World


def me(world: World) -> str:
    """Return the name of the reader."""
    return str(world.about["me"])


@operation("watches", article="articles")
def watch(world: World, article: str) -> Row | None:
    """Put an article on the reader's list."""
    if not world.read("SELECT 1 FROM articles WHERE slug = ?", (article,)):
        raise Invalid(article="There is no such article.")
    world.write("INSERT OR IGNORE INTO watches (reader, article) VALUES (?, ?)",
                (me(world), article))  # fmt: skip
    return None


@operation("watches", article="articles")
def unwatch(world: World, article: str) -> Row | None:
    """Take an article from the reader's list."""
    world.write("DELETE FROM watches WHERE reader = ? AND article = ?", (me(world), article))
    return None
