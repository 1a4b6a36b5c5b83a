"""Visits to the code host."""

from __future__ import annotations

from typing import Any

import pytest

from sites import codehost
from sites.codehost.roles import ANYONE
from sites.world import Row
from tests.sites import declared

SKINS = [each.name for each in codehost.SITE.skins]
OF_GROUP = """SELECT p.*, p.path AS project FROM projects p
  WHERE p.ns IN (SELECT name FROM teams) AND p.visibility = 'public'
    AND EXISTS (SELECT 1 FROM issues i WHERE i.project = p.path AND i.state = 'open')
    AND EXISTS (SELECT 1 FROM merge_requests r WHERE r.project = p.path AND r.state = 'open')
  ORDER BY p.path"""
STRANGERS = """SELECT name FROM users WHERE name NOT IN (SELECT user FROM members)
  AND name NOT IN (SELECT user FROM team_members) ORDER BY name"""
"""Users without any role. Those who wrote something have one."""


class Visit(declared.Visit):
    """One user's visit, with one project of a group."""

    def project(self) -> Row:
        """A public project of a group, with an open issue and an open merge request."""
        return self.one(OF_GROUP)

    def holding(self, role: str, where: str = "members") -> Visit:
        """The same visit by a user who has this role in the project, or in its group."""
        self.world.about["me"] = self.one(STRANGERS)["name"]
        place = self.project()["path" if where == "members" else "ns"]
        if role != ANYONE:
            self.world.write(f"INSERT INTO {where} VALUES (?, ?, ?)", (place, self.me, role))
        self.world.write("DELETE FROM log_change")
        return self

    def values(self) -> dict[str, Any]:
        """A right value for each argument of an operation, and each part of an address."""
        project = self.project()
        path = project["path"]
        found = {
            name: self.one(f"SELECT * FROM {table} WHERE project = ? AND {more}", path)
            for name, table, more in (
                ("issue", "issues", "state = 'open'"),
                ("request", "merge_requests", "state = 'open'"),
                ("file", "files", "file = 'index.html'"),
                ("label", "labels", "1"),
                ("branch", "branches", f"name != '{project['main']}'"),
            )
        }
        other = self.world.read(STRANGERS)[-1]["name"]
        return {
            "project": path,
            "ns": project["ns"],
            "slug": project["slug"],
            "issue": found["issue"]["id"],
            "iid": found["issue"]["iid"],
            "request": found["request"]["id"],
            "mr": found["request"]["iid"],
            "number": found["file"]["id"],
            "version": 1,
            "file": "index.html",
            "source": found["branch"]["name"],
            "target": project["main"],
            "branch": project["main"],
            "label": found["label"]["name"],
            "user": other,
            "role": "Guest",
            "team": project["ns"],
            "title": "Seven knots",
            "starts": "2026-02-01",
            "due": "2026-03-01",
            "body": "A\nB",
            "message": "Say it",
            "comment": "Well.",
        }


@pytest.fixture
def visit():
    """A function that makes a visit under a skin."""
    with declared.visiting(codehost, Visit, "new_project", codehost.SITE.personas) as make:
        yield make


@pytest.fixture
def foundry(visit):
    return visit("foundry")
