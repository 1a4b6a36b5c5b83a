"""The five roles of a project's members, and which writes each may do."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any

from sites._kit.declare import one
from sites.site_app import Refusal
from sites.world import Row, World

ROLES = "Guest", "Reporter", "Developer", "Maintainer", "Owner"
ANYONE = "Anyone"
"""In place of a role: everybody who can see the project."""
RANKS = {ANYONE: 0, **{role: 10 * place for place, role in enumerate(ROLES, 1)}}
NO_ROLE = "You have no role here."
Run = Callable[..., Row | None]


def me(world: World) -> str:
    """Return the name of the user who is signed in."""
    return str(world.about["me"])


def rank(world: World, project: str) -> int:
    """Return the user's rank in a project: that of the higher of the own and the group's role."""
    return _rank(
        world,
        "SELECT role FROM members WHERE project = :place AND user = :me UNION ALL SELECT role FROM"
        " team_members JOIN projects ON ns = team WHERE path = :place AND user = :me",
        project,
    )


def team_rank(world: World, team: str) -> int:
    """Return the user's rank in a group."""
    sql = "SELECT role FROM team_members WHERE team = :place AND user = :me"
    return _rank(world, sql, team)


def _rank(world: World, sql: str, place: str) -> int:
    held = world.read(sql, {"place": place, "me": me(world)})
    return max((RANKS[each["role"]] for each in held), default=0)


def needs(role: str, table: str = "projects", *, author: bool = False) -> Callable[[Run], Run]:
    """Let only those with a role or a higher one call an operation.

    Args:
        role: The lowest role, or `ANYONE`.
        table: The table whose key the operation's first argument holds.
        author: Whether the author of its row may call the operation too.
    """

    def limit(run: Run) -> Run:
        first = [*signature(run).parameters][1]

        @wraps(run)
        def limited(world: World, **args: Any) -> Row | None:
            project = project_of(world, table, args[first])
            is_own = author and _is_own(world, table, args[first])
            check(world, project, ANYONE if is_own else role)
            return run(world, **args)

        limited.needs = role  # type: ignore[attr-defined]  # the test of all roles reads it
        return limited

    return limit


def _is_own(world: World, table: str, key: Any) -> bool:
    sql = f"SELECT 1 FROM {table} WHERE id = ? AND author = ?"  # noqa: S608 (names of ours)
    return bool(world.read(sql, (key, me(world))))


def check(world: World, project: str, role: str) -> None:
    """Refuse the request unless the user has a role, or a higher one, in a project.

    Raises:
        Refusal: There is no such project for the user (404), or the role is too low (403).
    """
    _check(world, "projects WHERE path = ?", project, rank(world, project), role)


def check_team(world: World, team: str, role: str) -> None:
    """Refuse the request unless the user has a role, or a higher one, in a group.

    Raises:
        Refusal: There is no such group for the user (404), or the role is too low (403).
    """
    _check(world, "teams WHERE name = ?", team, team_rank(world, team), role)


def _check(world: World, place: str, key: str, own: int, role: str) -> None:
    sql = f"SELECT 1 FROM {place} AND (visibility != 'private' OR ? > 0)"  # noqa: S608 (of ours)
    one(world, sql, (key, own))
    if own < RANKS[role]:
        held = next((f"Your role here is {name}." for name in ROLES if RANKS[name] == own), NO_ROLE)
        raise Refusal(403, f"{held} This needs the role {role} or a higher one.")


def project_of(world: World, table: str, key: Any) -> str:
    """Return the path of the project that a row of a table belongs to."""
    if table == "projects":
        return str(key)
    number = int(key) if str(key).isascii() and str(key).isdigit() and len(str(key)) < 10 else -1
    sql = f"SELECT project FROM {table} WHERE id = ?"  # noqa: S608 (names of ours)
    return str(one(world, sql, (number,))["project"])
