"""Ask to merge a branch into another one, with a reviewer."""

from scenarios.codehost._projects import MEMBERS, by_full_name, place, project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import create_merge_request
from sites.codehost.texts import PARTS
from sites.kit import Do

WORDINGS = (
    (
        "Open a merge request “{title}” in {project}, from {source} into {target}, with"
        " {person} as the reviewer and without an assignee or a text."
    ),
    (
        "In {project}: ask {person} to review a merge request of the branch {source} into"
        " {target}. Title: “{title}”. Leave all else empty."
    ),
    (
        "The branch {source} of {project} is to go into {target}. Make the merge request for it,"
        " “{title}”; its reviewer is {person}, and it needs nothing else."
    ),
    (
        "Let {person} review a new merge request in {project} that is called “{title}”. It brings"
        " {source} into {target} and has no assignee and no text."
    ),
)
TITLES = "Bring in the work on the {part}", "Step {n} of the {part}", "A new {part}, part {n}"
BRANCHES = "SELECT name FROM branches WHERE project = ?"


def draw(d: Draw) -> Right:
    """Draw two branches, often with the main branch as one, and a member of the project."""
    project = project_as(d, "Developer")
    names = [each.name for each in d.all(BRANCHES, project.path) if each.name != project.main]
    d.need(len(names) > 1)
    source, other = d.rng.sample(names, 2)
    target = d.some([project.main, project.main, other])
    members = [each.name for each in d.all(MEMBERS, project.path)]
    user = by_full_name(d, members)
    wrong = d.some([name for name in members if name != user.name])
    title = d.some(TITLES).format(part=d.some(PARTS), n=d.rng.randint(2, 30))
    third = other if target == project.main else project.main

    def make(source: str, target: str, reviewer: str, assignee: str = "") -> Do:
        return create_merge_request(project.path, source, target, title, "", assignee, reviewer)

    return Right(
        {"project": project.path, "source": source, "title": title, "person": user.full,
         "target": "the main branch" if target == project.main else target},
        do=[make(source, target, user.name)],
        via=[d.page("members", user.name, **place(project))],
        instead={
            "another target": [make(source, third, user.name)],
            "the other way": [make(target, source, user.name)],
            "another reviewer": [make(source, target, wrong)],
            "as the assignee": [make(source, target, "", user.name)],
        },
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:335",), carries=True)
