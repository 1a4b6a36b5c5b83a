"""Invite people, who are named by their full names, if the site accepts all of them."""

from scenarios.codehost import _projects as of
from scenarios.kit import AnswerSchema, Draw, Family, Right
from sites.codehost.operations import invite
from sites.codehost.roles import RANKS, ROLES, rank

WORDINGS = (
    "Invite {people} to {project} as {role}, or nobody if one of them cannot get an invitation.",
    (
        "Bring {people} into my project {project} by an invitation, with the role {role}. If the"
        " site would refuse one of them, change nothing."
    ),
    "In {project}: the role {role} for {people}, as new members. Invite all of them or none.",
    (
        "{people} should join {project}; invite each as {role}. Change nothing if one of them is a"
        " member there already or my own role is too low."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a project, people and a role; in one of six scenarios the site refuses somebody."""
    project, role = of.project_as(d, "Guest"), d.some(ROLES)
    members = {each.name for each in d.all(of.MEMBERS, project.path)}
    people = {
        user.name: user.full for user in (of.by_full_name(d) for _ in range(d.some((1, 2, 3))))
    }
    new = [name for name in people if name not in members]
    slots = {"people": of.in_words([*people.values()]), "project": project.path, "role": role}
    do = [invite(project.path, name, role) for name in new]
    may = rank(d.world, project.path) >= max(RANKS["Maintainer"], RANKS[role])
    if not may or len(new) < len(people):
        d.need(d.rng.random() < 0.2)
        wanted = {d.me, *people}
        read = d.until("members", lambda row: row.user in wanted, None, **of.place(project))
        rest = {"invited the others": do} if may and new else {}
        return Right(slots, read=read, status="NOT_ACHIEVABLE", instead=rest)
    found = [each.name for each in d.all(of.ALIKE, new[0]) if each.name not in {*people, *members}]
    near = {each: [invite(project.path, each, role), *do[1:]] for each in found if each != d.me}
    other = of.another(d, ROLES[:-1], role)
    return Right(
        slots,
        do=do,
        via=[d.page("users", name, q=full) for name, full in people.items()],
        instead={"another role": [invite(project.path, each, other) for each in people], **near},
    )


TAGS = ("webarena:293", "webarena:294", "webarena:351")
ANSWER = AnswerSchema("text", "NOT_ACHIEVABLE where it cannot be done")
FAMILY = Family(__file__, draw, WORDINGS, ANSWER, templates=TAGS)
