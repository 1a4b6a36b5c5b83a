"""Posts as the forum's families draw them: of a kind, in an order, on the pages of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scenarios.kit import Draw, See, Tell

KINDS = {"post": "%", "link post": "link", "picture post": "picture"}
"""The words for a kind of post, each with the pattern of its column."""
OF_FORUM = "SELECT * FROM submissions WHERE forum = ? AND kind LIKE ? ORDER BY "
NEWEST = OF_FORUM + "at DESC, id"
BEST = OF_FORUM + "score DESC, id"
BUSY = "SELECT forum AS name FROM submissions GROUP BY forum HAVING count(*) >= 6"
VOTED = "SELECT submission FROM votes WHERE user = ?"


def forum_and_kind(d: Draw) -> tuple[str, str]:
    """Draw a busy forum and the word for a kind of post."""
    return d.pick(BUSY).name, d.some([*KINDS])


def newest_first(d: Draw, forum: str, kind: str) -> list[Any]:
    """Return the posts of a kind; draw again unless the newest is ten minutes newer than others."""
    found = d.all(NEWEST, forum, KINDS[kind])
    d.need(len(found) > 1 and found[0].at - found[1].at >= 600)
    return found


def is_free(d: Draw, posts: Iterable[Any]) -> bool:
    """Return whether the user has voted on none of the posts."""
    return not {row.submission for row in d.all(VOTED, d.me)} & {post.id for post in posts}


def is_only(d: Draw, title: str) -> bool:
    """Return whether a search for the title finds one post."""
    return len(d.all("SELECT 1 FROM submissions WHERE instr(lower(title), lower(?))", title)) == 1


def is_deep(d: Draw, rows: Sequence[Any], wanted: Iterable[Any], size: int, share: float) -> bool:
    """Return whether a list needs a second page, or draw with the share that one page will do.

    The answer depends on rows alone, for the same scenarios on every skin; row 60 is the last.

    Args:
        d: The draw.
        rows: The list, in the order in which a page shows it.
        wanted: The rows that must be seen.
        size: The number of rows on the first page of the first skin.
        share: The probability with which a list is taken that needs one page.
    """
    last = max(rows.index(row) for row in wanted)
    return (d.rng.random() < share or last >= size) and last < 60


def pages_with(
    d: Draw, page: str, wanted: Sequence[Any], note: Tell | None = None, **args: Any
) -> list[See]:
    """Return the first pages of a list, up to the last page that shows one of the wanted rows."""
    return d.until(
        page, lambda row: any(one.items() <= row.items() for one in wanted), note, **args
    )
