"""Comment on the merge request that a description fits, or that waits for one's review."""

from typing import Any

from scenarios.codehost._projects import project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import NOW, comment_request
from sites.codehost.texts import BRANCHES, PARTS, REMARKS

WORDINGS = (
    "Find the open merge request in {project} {about}. {what}",
    "{what} This is about the merge request {about}, which is open in {project}.",
    "In {project} is an open merge request {about}. Open it. {what}",
    "Look for the merge request {about} among the open ones of {project}. {what}",
)
ABOUT = {
    "Fix the {part}": "that mends the {part}",
    "Simplify the {part}": "that makes the {part} simpler",
    "Speed up the {part}": "that makes the {part} faster",
    "Document the {part}": "that explains the {part}",
    "Translate the {part}": "that brings the {part} into other languages",
    "Rewrite the {part}": "that writes the {part} anew",
    "Repair the {part} on phones": "that makes the {part} work on phones",
    "Remove old code of the {part}": "that throws out old code of the {part}",
}
MEMBERS = "SELECT user AS name FROM members WHERE project = ? AND user != ?"
OPEN = "SELECT * FROM merge_requests WHERE project = ? AND state = 'open'"
NEXT = "SELECT coalesce(max(iid), 0) + 1 AS iid FROM merge_requests WHERE project = ?"


def draw(d: Draw) -> Right:
    """Plant an open and a merged request of one matter, with two comments on the open one."""
    project, matter, part = project_as(d, "Guest"), d.some([*ABOUT]), d.some(PARTS)
    title = matter.format(part=part)
    d.need(all(title != e.title and d.me != e.reviewer for e in d.all(OPEN, project.path)))
    people = [each.name for each in d.all(MEMBERS, project.path, d.me)]
    author, *others = d.rng.sample(people, 2)
    wanted, merged = (_planted(d, project, title, author, each) for each in ("open", "merged"))
    *_, last = notes = d.some([(author, d.me), (others[0], author)])
    for at, name in enumerate(notes):
        body = REMARKS[at]
        d.plant("notes", kind="request", thing=wanted, author=name, body=body, at=NOW - 9_000 + at)
    thanks = f"Thank you. I look at line {d.rng.randint(2, 900)} today."
    asks = f"Did you see my question about line {d.rng.randint(2, 900)}?"
    depends = f"If its author wrote the last comment there, comment “{thanks}”, else “{asks}”."
    what, text = d.some([
        (f"Comment “{thanks}” on it.", thanks),
        (depends, thanks if last == author else asks),
    ])  # fmt: skip
    about = d.some([ABOUT[matter].format(part=part), "that waits for my review"])
    return Right(
        {"project": project.path, "about": about, "what": what},
        do=[comment_request(wanted, text)],
        instead={
            "the other text": [comment_request(wanted, asks if text == thanks else thanks)],
            "on the merged one": [comment_request(merged, text)],
            "both texts": [comment_request(wanted, thanks), comment_request(wanted, asks)],
        },
    )


def _planted(d: Draw, project: Any, title: str, author: str, state: str) -> int:
    """Add a merge request of a random age that the user reviews, and return its id."""
    at = NOW - d.rng.randrange(10_000, 200 * 86_400)
    [last] = d.all(NEXT, project.path)
    return d.plant("merge_requests", project=project.path, iid=last.iid, title=title, body="",
                   author=author, state=state, source=d.some(BRANCHES), target=project.main,
                   assignee="", reviewer=d.me, at=at, updated=at)  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:348", "webarena:360"))
