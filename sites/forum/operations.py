"""The operations of a forum's member. No other function changes a world of the forum."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from sites._kit.declare import Invalid, one, operation
from sites.forum.pictures import ADDRESS
from sites.site_app import Refusal
from sites.world import Row, World

NOW = 1_768_478_400.0
"""The frozen time of every visit: 15 January 2026, 12:00 UTC."""
FORUM_NAME = re.compile(r"[a-z][a-z0-9_-]{2,24}")
WEB_ADDRESS = re.compile(r"https?://[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s<>\"]*)?")
BALLOTS = {"submissions": ("votes", "submission"), "comments": ("commentvotes", "comment")}
"""The table of the votes on each table's rows, and its column with the row's key."""


def me(world: World) -> str:
    """Return the name of the user who is signed in."""
    return str(world.about["me"])


@operation("votes", submission="submissions")
def vote(world: World, submission: int, choice: int) -> None:
    """Vote a submission up (1) or down (-1); the same vote again takes it back."""
    _move_vote(world, "submissions", submission, choice)


@operation("commentvotes", comment="comments")
def vote_comment(world: World, comment: int, choice: int) -> None:
    """Vote a comment up (1) or down (-1); the same vote again takes it back."""
    _move_vote(world, "comments", comment, choice)


def _move_vote(world: World, table: str, key: int, choice: int) -> None:
    """Vote on a row, and move the row's score by the difference to the vote before."""
    votes, column = BALLOTS[table]
    row = _row(world, table, key)["id"]
    mine = f"WHERE user = ? AND {column} = ?"
    held = world.read(f"SELECT choice FROM {votes} {mine}", (me(world), row))  # noqa: S608 (names of ours)
    old = held[0]["choice"] if held else 0
    new = 0 if old == choice else choice
    world.write(f"DELETE FROM {votes} {mine}", (me(world), row))  # noqa: S608
    if new:
        world.write(f"INSERT INTO {votes} VALUES (?, ?, ?)", (me(world), row, new))  # noqa: S608
    world.write(f"UPDATE {table} SET score = score + ? WHERE id = ?", (new - old, row))  # noqa: S608


@operation("subscriptions", forum="forums")
def subscribe(world: World, forum: str) -> None:
    """Subscribe to a forum; this changes nothing if the user is subscribed."""
    _forum(world, forum)
    world.write("INSERT OR IGNORE INTO subscriptions VALUES (?, ?)", (me(world), forum))


@operation("subscriptions", forum="forums")
def unsubscribe(world: World, forum: str) -> None:
    """End the subscription to a forum, if there is one."""
    _forum(world, forum)
    world.write("DELETE FROM subscriptions WHERE user = ? AND forum = ?", (me(world), forum))


@operation("forums")
def create_forum(
    world: World, name: str, description: str, heading: str = "", sidebar: str = ""
) -> Row:
    """Create a forum, which its founder can edit."""
    if not FORUM_NAME.fullmatch(name):
        raise Invalid(name="Use 3 to 25 small letters, digits, - or _, and begin with a letter.")
    if world.read("SELECT 1 FROM forums WHERE name = ?", (name,)):
        raise Invalid(name="There is a forum with this name already. Choose another name.")
    values = name, line(heading) or name.title(), clean(description), clean(sidebar), me(world)
    world.write(
        "INSERT INTO forums (name, heading, description, sidebar, founder) VALUES (?, ?, ?, ?, ?)",
        values,
    )
    return {"forum": name}


@operation("forums", forum="forums")
def edit_forum(world: World, forum: str, heading: str, description: str, sidebar: str) -> None:
    """Change the texts of a forum that the user founded."""
    _own(world, _forum(world, forum)["founder"])
    world.write(
        "UPDATE forums SET heading = ?, description = ?, sidebar = ? WHERE name = ?",
        (line(heading), clean(description), clean(sidebar), forum),
    )


@operation("submissions", forum="forums")
def submit(world: World, forum: str, title: str, body: str, url: str = "") -> Row:
    """Post a text, or with an address a link or a picture, in a forum."""
    if not world.read("SELECT 1 FROM forums WHERE name = ?", (forum,)):
        raise Invalid(forum="Choose a forum of the list.")
    kind, title = _kind(url.strip()), line(title)
    made = world.write(
        "INSERT INTO submissions"
        " (forum, author, kind, title, slug, url, body, at, score, comments, active)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)",
        (forum, me(world), kind, title, slug(title), url.strip(), clean(body), NOW, NOW),
    )
    return {"forum": forum, "id": made, "slug": slug(title)}


def _kind(url: str) -> str:
    """Return whether an address is a picture of this site or a link; without one it is a text."""
    if not url:
        return "text"
    if ADDRESS.fullmatch(url):
        return "picture"
    if not WEB_ADDRESS.fullmatch(url):
        raise Invalid(url="Write a whole address, such as https://example.org/page.")
    return "link"


@operation("submissions", submission="submissions")
def edit_post(world: World, submission: int, body: str) -> Row:
    """Replace the text of a submission of one's own."""
    post = _row(world, "submissions", submission)
    _own(world, post["author"])
    world.write("UPDATE submissions SET body = ? WHERE id = ?", (clean(body), post["id"]))
    return post


@operation("comments", submission="submissions", parent="comments")
def reply(world: World, submission: int, comment: str, parent: int = 0) -> Row:
    """Comment on a submission, or answer one of its comments (the parent; 0 for none)."""
    post, above = _row(world, "submissions", submission), None
    if str(parent or 0) != "0":
        above = _row(world, "comments", parent)
    if above and above["submission"] != post["id"]:
        raise Refusal(400, "This comment belongs to another post. Open it and answer it there.")
    made = world.write(
        "INSERT INTO comments (submission, parent, path, author, body, at, score)"
        " VALUES (?, ?, '', ?, ?, ?, 0)",
        (post["id"], above["id"] if above else 0, me(world), clean(comment), NOW),
    )
    place = path(made, above["path"] if above else "")
    world.write("UPDATE comments SET path = ? WHERE id = ?", (place, made))
    world.write(
        "UPDATE submissions SET comments = comments + 1, active = ? WHERE id = ?",
        (NOW, post["id"]),
    )
    return {"forum": post["forum"], "id": post["id"], "cid": made}


@operation("users")
def edit_bio(world: World, user: str, biography: str) -> None:
    """Replace the user's own biography."""
    _own(world, one(world, "SELECT name FROM users WHERE name = ?", (user,))["name"])
    world.write("UPDATE users SET biography = ? WHERE name = ?", (clean(biography), user))


def _forum(world: World, name: str) -> Row:
    return one(world, "SELECT * FROM forums WHERE name = ?", (name,))


def _row(world: World, table: str, key: Any) -> Row:
    """Return the row of the table with this number."""
    number = int(key) if re.fullmatch(r"[0-9]{1,12}", str(key)) else -1
    return one(world, f"SELECT * FROM {table} WHERE id = ?", (number,))  # noqa: S608 (names of ours)


def _own(world: World, user: str) -> None:
    """Refuse the request unless the user is the one who is signed in."""
    if user != me(world):
        raise Refusal(403, "This belongs to somebody else. Go on with your own.")


def path(number: int, above: str) -> str:
    """Return the place of a comment in the tree: a text that sorts it below its parent.

    Args:
        number: The comment's number.
        above: The place of its parent, "" if it has none.
    """
    return f"{above}.{number:06d}" if above else f"{number:06d}"


def line(text: str) -> str:
    """Return the text as one line, in normal form C."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def clean(text: str) -> str:
    """Return the text in normal form C, without spaces at the ends of its lines."""
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip().split("\n")
    return "\n".join(each.rstrip() for each in lines)


def slug(title: str) -> str:
    """Return the words of a title as they stand in an address."""
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())[:8]) or "post"
