"""Projects, commits and people as the code host's families draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from scenarios.kit import Draw
from sites.codehost.operations import NOW
from sites.codehost.roles import ROLES

SEEN = """SELECT p.* FROM projects p WHERE p.origin = '' AND (p.visibility != 'private'
  OR EXISTS (SELECT 1 FROM members m WHERE m.project = p.path AND m.user = ?))"""
"""The projects that a user can open."""
WITH_ROLE = """SELECT p.* FROM projects p JOIN members m ON m.project = p.path
  WHERE p.origin = '' AND m.user = ? AND m.role IN ({roles})"""
COMMITS = """SELECT c.*, strftime('%Y-%m-%d', c.at, 'unixepoch') AS day,
  strftime('%Y-%m-%d', c.at + u.zone, 'unixepoch') AS local
  FROM commits c JOIN users u ON u.name = ? WHERE c.project = ? AND c.branch = ?
  ORDER BY c.at DESC, c.id DESC"""
"""The commits of a main branch, the newest first, with their days in UTC and in a user's zone."""


def some_project(d: Draw) -> Any:
    """Draw a project that the user can open."""
    return d.pick(SEEN, d.me)


def project_as(d: Draw, role: str) -> Any:
    """Draw a project in which the user has a role, or a higher one."""
    roles = ", ".join(f"'{each}'" for each in ROLES[ROLES.index(role) :])
    return d.pick(WITH_ROLE.format(roles=roles), d.me)


def main_commits(d: Draw, project: Any) -> list[Any]:
    """Return the commits of a project's main branch, the newest first."""
    return d.all(COMMITS, d.me, project.path, project.main)


def place(project: Any) -> dict[str, str]:
    """Return the arguments of a project's pages."""
    return {"ns": project.ns, "slug": project.slug}


# For families that change something

PLACES = """SELECT name, 'my own namespace' AS words FROM users WHERE name = ? UNION
  SELECT team, 'the group ' || team FROM team_members
  WHERE user = ? AND role IN ('Developer', 'Maintainer', 'Owner')"""
"""The user and the groups in which the user may make projects, with the words for them."""


def another(d: Draw, words: Sequence[str], one: str) -> str:
    """Draw one of the other words."""
    return d.some([each for each in words if each != one])


def with_roles(d: Draw, many: int) -> dict[str, str]:
    """Draw other users, each with a role below that of an owner."""
    users = d.rng.sample(d.all("SELECT name FROM users WHERE name != ?", d.me), many)
    return {each.name: d.some(ROLES[:-1]) for each in users}


def listed(roles: Mapping[str, str]) -> str:
    """Return the words for people with roles."""
    return ", ".join(f"{name} as {role}" for name, role in roles.items())


def day_of(days: int) -> date:
    """Return the day some days after the frozen time of a visit."""
    return datetime.fromtimestamp(NOW, UTC).date() + timedelta(days)


def day(when: date) -> str:
    """Return the words for a day."""
    return f"{when:%-d %B %Y}"


ALIKE = """SELECT v.* FROM users u JOIN users v ON v.name != u.name AND v.full != u.full
  AND substr(v.full, 1, instr(v.full, ' ') + 1) = substr(u.full, 1, instr(u.full, ' ') + 1)
  WHERE u.name = ?"""
"""The users whose full name differs from a user's by a letter of the surname."""
SOLE = "SELECT * FROM users u WHERE (SELECT count(*) FROM users v WHERE v.full = u.full) = 1"
"""The users whose full name nobody else has."""


def by_full_name(d: Draw, names: Sequence[str] = ()) -> Any:
    """Draw a user other than the signed-in one whose full name is unique, often one of a near pair.

    Args:
        d: The attempt.
        names: The users to draw from; () for all.
    """
    found = [u for u in d.all(SOLE) if u.name != d.me and (not names or u.name in names)]
    d.need(found)
    alike = [each for each in found if d.all(ALIKE, each.name)]
    return d.some(alike if alike and d.rng.random() < 0.5 else found)


def in_words(words: Sequence[str]) -> str:
    """Return a list as words: “a, b and c”."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


MEMBERS = "SELECT user AS name, role FROM members WHERE project = ?"


def some_words(d: Draw, titles: Sequence[str]) -> str:
    """Draw one of the titles, or its last words, at least two."""
    d.need(titles)
    words = d.some(titles).split()
    return " ".join(words[d.some((0, 0, 0, d.rng.randint(0, len(words) - 2))) :])
