"""Parts of the families that read another site before they write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scenarios.kit import Draw, Reading, path_step
from sites.codehost.operations import create_file, create_project
from sites.codehost.texts import HUES, OBJECTS
from sites.kit import Do, Place


def new_name(d: Draw) -> str:
    """Draw the name of a project that nobody has."""
    return f"{d.some(HUES)}-{d.some(OBJECTS)}-{d.rng.randint(2, 99)}"


def with_readme(d: Draw, slug: str, visibility: str, body: str, message: str) -> list[Do]:
    """Return the operations that make a blank project of the user's own with a README."""
    made = create_project(d.me, slug, visibility, "blank")
    return [made, create_file(f"{d.me}/{slug}", "README.md", body, message)]


def first_posts(posts: Sequence[Any], sort: str) -> Reading:
    """Return the reading of the first posts of a forum in an order."""
    place = Place.of("forum", {"forum": posts[0].forum, "sort": sort})
    shown = [[{"shows": f"thread {post.forum} {post.id} {post.slug}"}] for post in posts]
    return Reading("forum", [path_step(place)], shown, [post.title for post in posts])
