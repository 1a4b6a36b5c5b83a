"""What a member of the forum can do: the only functions that change a world."""

from __future__ import annotations

import re
from typing import Any

from sites._kit.declare import Invalid, one, operation
from sites.site_app import Refusal
from sites.world import Row, World

NOW = 1_768_478_400.0


def me(world: World) -> str:
    return world.about["me"]


@operation("votes", submission="submissions")
def vote(world: World, submission: int, choice: int) -> None:
    """Up (1) or down (-1); the same once more takes it back."""
    post = one(world, "SELECT id FROM submissions WHERE id = ?", (int(submission),))["id"]
    held = world.read("SELECT choice FROM votes WHERE user = ? AND submission = ?", (me(world), post))
    old, new = held[0]["choice"] if held else 0, int(choice)
    world.write("DELETE FROM votes WHERE user = ? AND submission = ?", (me(world), post))
    if old != new:
        world.write("INSERT INTO votes VALUES (?, ?, ?)", (me(world), post, new))
    move = (0 if old == new else new) - old
    world.write("UPDATE submissions SET score = score + ? WHERE id = ?", (move, post))


@operation("subscriptions", forum="forums")
def subscribe(world: World, forum: str) -> None:
    one(world, "SELECT name FROM forums WHERE name = ?", (forum,))
    world.write("INSERT OR IGNORE INTO subscriptions VALUES (?, ?)", (me(world), forum))


@operation("subscriptions", forum="forums")
def unsubscribe(world: World, forum: str) -> None:
    world.write("DELETE FROM subscriptions WHERE user = ? AND forum = ?", (me(world), forum))


@operation("forums")
def create_forum(world: World, name: str, description: str) -> Row:
    if not re.fullmatch(r"[a-z0-9_]{3,25}", name):
        raise Invalid(name="Name: 3 to 25 small letters, digits or _.")
    if world.read("SELECT 1 FROM forums WHERE name = ?", (name,)):
        raise Invalid(name="Name: there is such a forum already.")
    world.write("INSERT INTO forums VALUES (?, ?, ?, ?)", (name, name.title(), "", clean(description)))
    return {"forum": name}


@operation("submissions", forum="forums")
def submit(world: World, forum: str, title: str, body: str) -> Row:
    if not world.read("SELECT 1 FROM forums WHERE name = ?", (forum,)):
        raise Invalid(forum="Choose a forum of the list.")
    values = (forum, me(world), title.strip(), slug(title), clean(body), NOW)
    made = world.write(
        "INSERT INTO submissions (forum, author, title, slug, body, at, score)"
        " VALUES (?, ?, ?, ?, ?, ?, 0)", values)  # fmt: skip
    return {"id": made, "slug": slug(title)}


@operation("submissions", submission="submissions")
def edit_post(world: World, submission: int, body: str) -> Row:
    post = one(world, "SELECT * FROM submissions WHERE id = ?", (int(submission),))
    _own(world, post)
    world.write("UPDATE submissions SET body = ? WHERE id = ?", (clean(body), post["id"]))
    return post


@operation("comments", submission="submissions")
def reply(world: World, submission: int, comment: str, parent: int = 0) -> Row:
    post = one(world, "SELECT * FROM submissions WHERE id = ?", (int(submission),))
    made = world.write(
        "INSERT INTO comments (submission, parent, author, body, at, score) VALUES (?, ?, ?, ?, ?, 0)",
        (post["id"], int(parent), me(world), clean(comment), NOW))  # fmt: skip
    return {"cid": made}


@operation("users")
def edit_bio(world: World, user: str, biography: str) -> None:
    _own(world, {"author": user})
    world.write("UPDATE users SET biography = ? WHERE name = ?", (clean(biography), user))


def _own(world: World, row: dict[str, Any]) -> None:
    if row["author"] != me(world):
        raise Refusal(403, "This belongs to somebody else. Go on with your own.")


def clean(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n"))


def slug(title: str) -> str:
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())[:8]) or "post"
