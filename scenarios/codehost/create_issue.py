"""Open an issue with a title, somebody who does it, and a day until when."""

from datetime import timedelta

from scenarios.codehost._projects import MEMBERS, by_full_name, day, day_of, place, project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import create_issue
from sites.codehost.texts import PARTS

WORDINGS = (
    "Open an issue in {project} {title}, for {person} and due on {due}. Nothing else goes into it.",
    "Create an issue {title} in {project}: assignee {person}, due date {due}, all else empty.",
    (
        "{project} needs a new issue {title}. It is assigned to {person}, and {due} is its due"
        " date; it has neither a text nor a milestone."
    ),
    (
        "Write a new issue of {project}, {title}. {person} gets it, and it is due on {due}. Leave"
        " its text and its milestone empty."
    ),
)
WISHES = (
    "a test of the {part}",
    "an icon for the {part}",
    "a film about the {part}",
    "help with the {part}",
)


def draw(d: Draw) -> Right:
    """Draw a project, a member or the user, a day, and a title or words for one."""
    project, matter = project_as(d, "Reporter"), d.some(WISHES).format(part=d.some(PARTS))
    members = [each.name for each in d.all(MEMBERS, project.path)]
    other = by_full_name(d, members)
    name, person = d.some([(d.me, "me"), (other.name, other.full), (other.name, other.full)])
    title, due = f"Add {matter}", day_of(d.rng.randint(3, 200))
    last, late = f"{due:%Y-%m-%d}", f"{due + timedelta(1):%Y-%m-%d}"
    wrong = d.some([each for each in members if each != name])
    is_own = d.rng.random() < 0.4
    words = f"with a title of your own that contains “{matter}”" if is_own else f"“{title}”"
    return Right(
        {"project": project.path, "title": words, "person": person, "due": day(due)},
        do=[create_issue(project.path, title, "", name, last)],
        via=[] if person == "me" else [d.page("members", name, **place(project))],
        has={"title": (matter,)} if is_own else {},
        instead={
            "for another member": [create_issue(project.path, title, "", wrong, last)],
            "for nobody": [create_issue(project.path, title, "", "", last)],
            "a day too late": [create_issue(project.path, title, "", name, late)],
        },
    )


TAGS = ("webarena:327", "webarena:328", "webarena:337")
FAMILY = Family(__file__, draw, WORDINGS, templates=TAGS, carries=True)
