"""The base worlds of the code host, which episodes fork. A process draws each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha1
from itertools import product
from random import Random
from typing import Any

from sites.codehost import texts
from sites.codehost.operations import NOW
from sites.codehost.roles import ROLES

DAY = 86_400
HOURS = (8, 9, 10, 11, 14, 15, 16, 19, 20, 21, 22, 22, 23, 23)
"""The hours of a day at which people commit, in their own zones."""
SPAN = 540
"""The days before now in which something happened."""
FEATURES = 3
"""The most commits of a branch that is not the main one."""
Values = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """The number of rows of a base world."""

    projects: int
    users: int
    teams: int
    commits: int
    issues: int
    requests: int


SIZES = {"small": Size(12, 40, 4, 600, 150, 36), "medium": Size(60, 200, 12, 6_000, 1_200, 220)}


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Draw the rows of a base world of this size, by table."""
    return Drawing(rng, SIZES[size]).tables()


@dataclass(frozen=True)
class Project:
    """A project with its people; the first is the owner."""

    path: str
    main: str
    kind: str
    crowd: str
    made: float
    members: dict[str, str]
    branches: dict[str, float]
    labels: Sequence[tuple[str, str]]
    milestones: Sequence[Values]

    @property
    def slug(self) -> str:
        """The last part of the path."""
        return self.path.split("/")[1]


class Drawing:
    """Draws all rows of one base world.

    Args:
        rng: The random numbers.
        size: How many rows are drawn.
    """

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        self.users = list(self._users())
        self.names = [each["name"] for each in self.users]
        self.full = {each["name"]: each["full"] for each in self.users}
        self.zone = {each["name"]: each["zone"] for each in self.users}
        self.mails = {name: list(self._mails(name)) for name in self.names}
        self.teams = rng.sample(texts.TEAMS, size.teams)
        self.people = {team: self._people(rng.choice(self.names), 6) for team, _ in self.teams}
        self.projects = list(self._projects())

    def tables(self) -> dict[str, list[Values]]:
        """Return the rows by table."""
        commits = sorted(self._commits(), key=lambda row: row["at"])
        issues, requests = list(self._issues()), list(self._requests())
        shares = [each for each in self.names for _ in range(4)]
        follows = {(one, self.rng.choice(self.names)) for one in shares}
        every = self.projects
        notes = [*self._notes("issue", issues), *self._notes("request", requests)]
        return {
            "users": self.users,
            "mails": _rows("mail user", ((m, n) for n in self.names for m in self.mails[n])),
            "follows": _rows("follower user", sorted({*follows} - {(n, n) for n in self.names})),
            "teams": _rows("name heading visibility", ((*team, "public") for team in self.teams)),
            "team_members": _rows("team user role", _flat(self.people)),
            "projects": [self._project(each) for each in self.projects],
            "members": _rows("project user role", _flat({p.path: p.members for p in every})),
            "stars": list(self._stars()),
            "branches": _rows("project name since", _flat({p.path: p.branches for p in every})),
            "commits": _numbered(commits),
            "files": _numbered(file for each in self.projects for file in self._files(each)),
            "labels": _rows("project name meaning",
                            ((p.path, *x) for p in every for x in p.labels)),
            "milestones": _numbered({"project": p.path, **m} for p in every for m in p.milestones),
            "issues": issues,
            "issue_labels": list(self._issue_labels(issues)),
            "merge_requests": requests,
            "notes": _numbered(notes),
            "todos": _numbered(self._todos(issues, requests)),
        }  # fmt: skip

    # People

    def _users(self) -> Iterator[Values]:
        """Draw users; the surname of one in eight differs from another's by a letter."""
        pairs = self.rng.sample([*product(texts.FIRST, texts.LAST)], self.size.users)
        for at, (first, last) in enumerate(pairs):
            if at and self.rng.random() < 0.12:
                yield self._user(self._alike(*self.rng.choice(pairs[:at])), at)
            else:
                yield self._user(f"{first} {last}", at)

    def _alike(self, first: str, last: str) -> str:
        """Return a name whose surname lacks one letter of another surname."""
        cut = self.rng.randrange(2, len(last) - 1)
        return f"{first} {last[:cut]}{last[cut + 1 :]}"

    def _user(self, full: str, at: int) -> Values:
        name = full.lower().replace(" ", ".") + str(at)
        feed = sha1(f"{name}/{self.rng.random()}".encode(), usedforsecurity=False).hexdigest()
        return {
            "name": name,
            "full": full,
            "joined": NOW - self.rng.randrange(SPAN, 2_000) * DAY,
            "zone": self.rng.choice(texts.ZONES),
            "website": f"https://{name.replace('.', '-')}.example",
            "status": self.rng.choice(texts.STATUSES),
            "feed": f"feed-{feed[:16]}",
        }

    def _mails(self, name: str) -> Iterator[str]:
        """Draw one mail of a user; one user in five has a second mail."""
        yield f"{name}@{self.rng.choice(texts.HOSTS)}"
        if self.rng.random() < 0.2:
            yield f"{name}@{texts.OWN_HOST}"

    def _people(self, owner: str, most: int) -> dict[str, str]:
        """Draw the members of a project or group, the owner first."""
        others = self.rng.sample([each for each in self.names if each != owner], most)
        roles = self.rng.choices(ROLES[:-1], (2, 2, 5, 2), k=self.rng.randint(2, most))
        return {owner: "Owner", **dict(zip(others, roles, strict=False))}

    # Projects

    def _projects(self) -> Iterator[Project]:
        slugs = self.rng.sample([*product(texts.HUES, texts.OBJECTS)], self.size.projects)
        abouts = self.rng.sample([*product(texts.KINDS, texts.CROWDS)], self.size.projects)
        owners = self.rng.sample(self.names, self.size.projects // 2)
        for (hue, thing), (kind, crowd) in zip(slugs, abouts, strict=True):
            ns = self.rng.choice(owners)
            if self.rng.random() < 0.35:
                ns = self.rng.choice([*self.people])
            owner = next(iter(self.people[ns])) if ns in self.people else ns
            made = NOW - self.rng.randrange(SPAN, 1_500) * DAY
            yield Project(
                f"{ns}/{hue}-{thing}",
                self.rng.choices(("main", "master"), (3, 1))[0],
                kind,
                crowd,
                made,
                self._people(owner, 7),
                {},
                self.rng.sample(texts.LABELS, self.rng.randint(4, 8)),
                list(self._milestones()),
            )

    def _project(self, each: Project) -> Values:
        visibility = self.rng.choices(("public", "internal", "private"), (8, 1, 1))[0]
        return {
            "path": each.path,
            "ns": each.path.split("/")[0],
            "slug": each.slug,
            "description": f"A {each.kind} for {each.crowd}",
            "visibility": visibility,
            "main": each.main,
            "origin": "",
            "template": "",
            "made": each.made,
        }

    def _stars(self) -> Iterator[Values]:
        """Draw a different number of stars for each project, from fewer than half of the users."""
        most = len(self.names) // 2
        counts = self.rng.sample(range(1, most), len(self.projects))
        for each, stars in zip(self.projects, counts, strict=True):
            for name in sorted(self.rng.sample(self.names, stars)):
                yield {"user": name, "project": each.path}

    def _milestones(self) -> Iterator[Values]:
        for title in self.rng.sample(texts.MILESTONES, self.rng.randint(1, 3)):
            start = datetime.fromtimestamp(NOW, UTC) + timedelta(self.rng.randrange(-60, 60))
            end = start + timedelta(self.rng.randrange(14, 90))
            days = {"starts": f"{start:%Y-%m-%d}", "due": f"{end:%Y-%m-%d}"}
            yield {"title": title, **days, "state": "open"}

    def _files(self, each: Project) -> Iterator[Values]:
        page = f"{self.rng.choice(texts.PARTS).replace(' ', '-')}.html"
        slots = {
            "slug": each.slug,
            "kind": each.kind,
            "crowd": each.crowd,
            "page": page,
            "n": self.rng.randrange(2, 60),
        }
        bodies = {
            "LICENSE": f"{self.rng.choice(texts.LICENCES)}\n\nYou may use {each.slug} freely.",
            "README.md": texts.README.format(**slots),
            "index.html": texts.HTML.format(**slots),
            f"docs/{page}": f"The {page.removesuffix('.html').replace('-', ' ')} of {each.slug}.",
            "src/settings.txt": f"name = {each.slug}\nversion = 1.{slots['n']}",
        }
        for file, body in bodies.items():
            yield {"project": each.path, "file": file, "body": body, "version": 1}

    # Commits

    def _commits(self) -> Iterator[Values]:
        """Draw the commits; few projects and few authors have most of them."""
        drawn = self.rng.choices(
            self.projects, _falling(len(self.projects), 3), k=self.size.commits
        )
        for each in self.projects:
            each.branches[each.main] = 0.0
            wanted = drawn.count(each) + 8
            yield from self._on_main(each, wanted)
            for name in self.rng.sample(texts.BRANCHES, self.rng.randint(1, 4)):
                since = NOW - self.rng.randrange(5, 60) * DAY
                each.branches[name] = since
                for _ in range(self.rng.randint(1, FEATURES)):
                    yield self._commit(each, name, self.rng.choice([*each.members]), since)

    def _on_main(self, each: Project, wanted: int) -> Iterator[Values]:
        """Draw the commits of a main branch, several on each of few days."""
        helpers = [name for name in self.rng.sample(self.names, 3) if name not in each.members]
        authors = self.rng.sample([*each.members], len(each.members)) + helpers
        days = self.rng.choices(range(2, SPAN), k=max(4, wanted // 4))
        for author in self.rng.choices(authors, _falling(len(authors), 1), k=wanted):
            day = NOW - self.rng.choice(days) * DAY
            yield self._commit(each, each.main, author, day - day % DAY - DAY)

    def _commit(self, each: Project, branch: str, author: str, day: float) -> Values:
        """Draw a commit within a day and a half after a time, at an hour of the author's zone."""
        hour = self.rng.choice(HOURS) * 3_600 + self.rng.randrange(3_600)
        title = self.rng.choice(texts.CHANGES).format(part=self.rng.choice(texts.PARTS))
        at = day - day % DAY + hour - self.zone[author]
        return {
            "project": each.path,
            "branch": branch,
            "sha": f"{self.rng.getrandbits(32):08x}",
            "author": self.full[author],
            "mail": self.rng.choice(self.mails[author]),
            "at": at,
            "title": title,
        }

    # Issues and merge requests

    def _things(self, number: int, pool: Sequence[str]) -> Iterator[tuple[Project, Values]]:
        """Draw what issues and merge requests have in common, the oldest first."""
        times = sorted(self.rng.sample(range(3_600, SPAN * DAY, 700), number), reverse=True)
        counts: dict[str, int] = {}
        for number, ago in enumerate(times, 1):
            [each] = self.rng.choices(self.projects, _falling(len(self.projects), 4))
            counts[each.path] = counts.get(each.path, 0) + 1
            part, n = self.rng.choice(texts.PARTS), self.rng.randrange(2, 90)
            about = self.rng.sample(texts.REPORTS, self.rng.randint(1, 3))
            yield (
                each,
                {
                    "id": number,
                    "project": each.path,
                    "iid": counts[each.path],
                    "title": self.rng.choice(pool).format(part=part, n=n),
                    "body": " ".join(about).format(n=n),
                    "author": self.rng.choice([*each.members]),
                    "at": NOW - ago,
                    "updated": NOW - self.rng.randrange(60, ago),
                },
            )

    def _issues(self) -> Iterator[Values]:
        for each, row in self._things(self.size.issues, texts.TROUBLES):
            is_planned = each.milestones and self.rng.random() < 0.3
            yield {
                **row,
                "state": self.rng.choices(("open", "closed"), (3, 2))[0],
                "assignee": self.rng.choice(["", *each.members]),
                "due": "",
                "milestone": self.rng.choice(each.milestones)["title"] if is_planned else "",
            }

    def _issue_labels(self, issues: Iterable[Values]) -> Iterator[Values]:
        labels = {each.path: each.labels for each in self.projects}
        for issue in issues:
            held = self.rng.sample(labels[issue["project"]], self.rng.choice((0, 1, 1, 2)))
            for label, _ in sorted(held):
                yield {"issue": issue["id"], "label": label}

    def _requests(self) -> Iterator[Values]:
        for each, row in self._things(self.size.requests, texts.CHANGES):
            yield {
                **row,
                "state": self.rng.choices(("open", "merged", "closed"), (5, 3, 1))[0],
                "source": self.rng.choice([name for name in each.branches if name != each.main]),
                "target": each.main,
                "assignee": self.rng.choice([*each.members]),
                "reviewer": self.rng.choice([*each.members]),
            }

    def _notes(self, kind: str, things: Iterable[Values]) -> Iterator[Values]:
        members = {each.path: [*each.members] for each in self.projects}
        for thing in things:
            times = [self.rng.uniform(thing["at"], NOW) for _ in range(self.rng.randint(0, 4))]
            for at in sorted(times):
                body = self.rng.choice(texts.REMARKS).format(n=self.rng.randrange(2, 60))
                author = self.rng.choice(members[thing["project"]])
                yield {"kind": kind, "thing": thing["id"], "author": author, "body": body,
                       "at": float(round(at))}  # fmt: skip

    def _todos(self, issues: Sequence[Values], requests: Sequence[Values]) -> Iterator[Values]:
        """Draw entries about things that others asked a user to do."""
        for number, name in enumerate(self.names):
            assigned = [each for each in issues if each["assignee"] == name][-3:]
            asked = [each for each in requests if each["reviewer"] == name][-3:]
            for what, found in zip(texts.TODOS, (assigned, asked), strict=False):
                for each in found:
                    yield {
                        "user": name,
                        "project": each["project"],
                        "author": each["author"],
                        "what": what,
                        "title": each["title"],
                        "at": each["at"] + number,
                        "state": "open",
                    }


def _falling(count: int, start: int) -> list[float]:
    """Return weights that fall as one over the rank."""
    return [1 / (rank + start) for rank in range(count)]


def _rows(columns: str, values: Iterable[Sequence[Any]]) -> list[Values]:
    """Return rows with these columns, which are separated by spaces."""
    return [dict(zip(columns.split(), each, strict=True)) for each in values]


def _flat(held: dict[str, dict[str, Any]]) -> Iterator[tuple[str, str, Any]]:
    return ((one, other, value) for one, inner in held.items() for other, value in inner.items())


def _numbered(rows: Iterable[Values]) -> list[Values]:
    return [{"id": number, **row} for number, row in enumerate(rows, 1)]
