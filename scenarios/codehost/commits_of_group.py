"""How many commits did somebody make in some days to all projects of a group together?"""

from collections.abc import Collection
from datetime import date
from typing import Any

from scenarios.codehost._projects import day, main_commits, place
from scenarios.kit import AnswerSchema, Draw, Family, Found, Right, See

WORDINGS = (
    (
        "How many commits did {author} make to the main branches of all projects of the group"
        " {team} together, from {first} to {last}? Go by the time beside each commit."
    ),
    (
        "Add up the commits by {author} on the main branch of each project in the group {team} from"
        " {first} to {last}. The time beside a commit counts, not the heading above it."
    ),
    (
        "From {first} to {last}, by the time beside each commit: how many commits are by"
        " {author} on the main branches of the projects in {team}, all of them taken together?"
    ),
    (
        "Go through every project of the group {team}. On their main branches, how many commits in"
        " all are by {author}, with a time beside the commit from {first} to {last}?"
    ),
)
VISIBLE = """SELECT * FROM projects WHERE ns = ? AND (visibility != 'private' OR ? IN
  (SELECT user FROM members WHERE project = path UNION
  SELECT user FROM team_members WHERE team = ns))"""
NEWEST = 60
"""The number of commits to each project among which the first and the last day are."""

MOST_PAGES = 9
"""The most pages of twenty commits that hold all that counts."""


def draw(d: Draw) -> Right:
    """Draw somebody with commits to several projects, and plant two by a name like that."""
    teams = [d.all(VISIBLE, each.name, d.me) for each in d.all("SELECT name FROM teams")]
    projects = d.some([each for each in teams if 2 <= len(each) <= 5] or teams)
    commits = [main_commits(d, each) for each in projects]
    newest = [row for rows in commits for row in rows[:NEWEST]]
    d.need(newest)
    author = d.some(newest).author
    days = [each.local for each in newest if each.author == author]
    first, last = sorted(d.some(days) for _ in range(2))
    own = [row for rows in commits for row in rows if row.author == author]
    here = [each for each in own if first <= each.local <= last]
    counts = [sum(row.project == each.path for row in here) for each in projects]
    below = sum(first <= each.day <= last for each in own)
    d.need(len(here) <= 30 and sum(map(bool, counts)) > 1)
    d.need(below != len(here) or d.rng.random() < 0.4)
    _plant_alike(d, author, here[:2])
    far = (max((at for at, row in enumerate(rows) if row in here), default=0) for rows in commits)
    d.need(sum(at // 20 + 1 for at in far) <= MOST_PAGES)
    pages = [see for each in projects for see in _pages(d, each, {row.sha for row in here})]
    wrong = {"a like name, too": 2, "without a project": -min(filter(None, counts))}
    period = {"first": first, "last": last}
    return Right(
        {"author": author, "team": projects[0].ns}
        | {name: day(date.fromisoformat(each)) for name, each in period.items()},
        via=[d.page("group", team=projects[0].ns)],
        read=pages,
        answer=str(len(here)),
        instead={name: str(len(here) + n) for name, n in wrong.items()}
        | ({"below the headings": str(below)} if below != len(here) else {}),
    )


def _plant_alike(d: Draw, author: str, rows: list[Any]) -> None:
    """Plant commits like these by somebody whose name lacks a letter."""
    name = author[:-2] + author[-1]
    own = {"author": name, "mail": f"{name.replace(' ', '.').lower()}@inbox.example"}
    for row in rows:
        same = {key: row[key] for key in ("project", "branch", "at", "title")}
        d.plant("commits", **same, **own, sha=f"{d.rng.getrandbits(32):08x}")


def _pages(d: Draw, project: Any, shas: Collection[str]) -> list[See]:
    """Return the first pages of a project's commits, up to the last one with a wanted commit."""

    def note(rows: list[Found]) -> str:
        found = (row.sha for row in rows if row.sha in shas)
        return ", ".join([project.slug, rows[-1].clock, *found])

    at = {**place(project), "branch": project.main}
    pages = d.list("commits", note, wanted=lambda row: row.sha in shas, **at)
    return pages[: max((n for n, each in enumerate(pages, 1) if each.evidence), default=1)]


FAMILY = Family(__file__, draw, WORDINGS, AnswerSchema("number"), size="medium")
