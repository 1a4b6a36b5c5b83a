"""Assign the open issue that a description fits."""

from typing import Any

from scenarios.codehost._projects import MEMBERS, by_full_name, place, project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import NOW, assign
from sites.codehost.texts import PARTS

WORDINGS = (
    "Assign the open issue in {project} {about} to {person}. Keep its due date and milestone.",
    "{person} should take care of the issue of {project} {about}, the one that is still open.",
    "In {project}, find the open issue {about}, and make {person} its assignee.",
    "Who does the issue {about}, which is open in {project}? Enter {person}; change nothing else.",
)
ABOUT = {
    "The {part} is slow with {n} entries": "about the {part} being slow",
    "The {part} loses {n} entries": "about entries that the {part} loses",
    "Wrong colours in the {part}": "about the colours of the {part}",
    "The {part} does not open on phones": "about the {part} not opening on phones",
    "The {part} forgets its state": "about the {part} not keeping its state",
    "Explain the {part} better": "that asks for a better explanation of the {part}",
    "The {part} shows an old date": "about the date that the {part} shows",
}
OF = "SELECT * FROM issues WHERE project = ? AND title LIKE ?"
NEXT = "SELECT coalesce(max(iid), 0) + 1 AS iid FROM issues WHERE project = ?"


def draw(d: Draw) -> Right:
    """Draw a matter, and plant an open issue, a closed one and one of another project about it."""
    project, elsewhere = project_as(d, "Reporter"), project_as(d, "Reporter")
    pattern, part = d.some([*ABOUT]), d.some(PARTS)
    members = [each.name for each in d.all(MEMBERS, project.path)]
    user = by_full_name(d, members)
    d.need(elsewhere.path != project.path)
    d.need(not d.all(OF, project.path, pattern.format(part=part, n="%")))
    wrong = d.some([name for name in members if name != user.name])
    titles = [pattern.format(part=part, n=n) for n in d.rng.sample(range(3, 90), 3)]
    states = zip((project, project, elsewhere), titles, ("open", "closed", "open"), strict=True)
    [issue, *others] = [_planted(d, wrong, *each) for each in states]
    return Right(
        {"project": project.path, "about": ABOUT[pattern].format(part=part), "person": user.full},
        do=[assign(issue, user.name)],
        via=[d.page("members", user.name, **place(project))],
        instead={
            "another member": [assign(issue, wrong)],
            "the closed one": [assign(others[0], user.name)],
            "with a due date": [assign(issue, user.name, "2026-02-01")],
        },
    )


def _planted(d: Draw, author: str, project: Any, title: str, state: str) -> int:
    """Add an issue of a random age, and return its id."""
    at = NOW - d.rng.randrange(3_600, 200 * 86_400)
    [last] = d.all(NEXT, project.path)
    return d.plant("issues", project=project.path, iid=last.iid, title=title, body="It happens.",
                   author=author, state=state, assignee="", due="",
                   milestone="", at=at, updated=at)  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:999",), carries=True)
