"""Acts of a visit without a browser: open pages, run operations, and read the changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rehearsal_errors import RehearsalError
from scenarios._kit.gold import End, Written
from sites.kit import Change, Do, Map, Place, Site, changes
from sites.world import World

OTHER = "x"
"""The text that is added to an argument to find the columns that it reaches."""


class BadRight(RehearsalError, AssertionError):
    """A family's `Right` contradicts itself; the message says what to change in it."""


def opened(site: Site, world: World, places: Iterable[Place]) -> None:
    """Note in the journal that pages were opened."""
    visited = Map(site, world)
    for place in places:
        visited.note(place)


def done(site: Site, world: World, dos: Iterable[Do]) -> None:
    """Run operations. Raise `Refusal` if the site refuses one."""
    for do in dos:
        site.run(world, do)


def changed(site: Site, world: World) -> list[Change]:
    """Return the changes that the visit made and did not take back."""
    return changes(site, world.read("SELECT * FROM log_change"))


def end_of(
    site: Site, start: World, dos: Sequence[Do], has: Mapping[str, Sequence[str]] | None = None
) -> End:
    """Return the end state to which operations lead.

    Args:
        site: The declared site.
        start: The world before them; it stays as it is.
        dos: The operations.
        has: The arguments that the agent words itself, with the words that they must contain.
    """
    with start.fork() as world:
        parts: list[list[Change]] = []
        for do in dos:
            before = changed(site, world)
            site.run(world, do)
            parts.append([each for each in changed(site, world) if each not in before])
        last = changed(site, world)
    standing = tuple(tuple(each for each in part if each in last) for part in parts)
    written = tuple(_written(site, start, dos, has or {}, last))
    return End(tuple(dos), tuple(last), standing, written)


def _written(
    site: Site,
    start: World,
    dos: Sequence[Do],
    has: Mapping[str, Sequence[str]],
    last: Sequence[Change],
) -> Iterable[Written]:
    """Yield the columns to which the agent's own texts go."""
    for argument, words in has.items():
        texts = [str(do.args[argument]) for do in dos if argument in do.args]
        other = [_with_other_text(do, argument) for do in dos]
        after = {each[:3]: each[3] for each in end_of(site, start, other).changes}
        for *column, value in last:
            table, key, name = column
            if (table, key, name) not in after:
                raise BadRight(
                    f"has={argument!r}: the key of {table} is made of this text, so it cannot be"
                    " the agent's own; leave it out of `has` and give it in `slots`"
                )
            if after[table, key, name] != value:
                whole = any(text in str(value) for text in texts)
                yield Written((table, key, name), tuple(words) if whole else ())


def _with_other_text(do: Do, argument: str) -> Do:
    if argument not in do.args:
        return do
    return Do(do.operation, {**do.args, argument: f"{do.args[argument]}{OTHER}"})
