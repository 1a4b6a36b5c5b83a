"""Plan a milestone with its first and last day."""

from datetime import timedelta

from scenarios.codehost._projects import day, day_of, project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import create_milestone
from sites.codehost.texts import PARTS

WORDINGS = (
    "Create the milestone “{title}” in {project}. It starts on {starts} and {ends}.",
    "Plan “{title}” as a milestone of {project} that {ends}; its first day is {starts}.",
    "{project} needs a milestone “{title}”: from {starts} on, and it {ends}.",
    "From {starts}, the project {project} has a milestone called “{title}” that {ends}. Set it up.",
)
TITLES = "Renew the {part}", "Version 2.{n}", "Review of the {part}", "Sprint {n}"


def draw(d: Draw) -> Right:
    """Draw a project, a title and two days; the last day may be given by its distance."""
    project, other = project_as(d, "Reporter"), project_as(d, "Reporter")
    title = d.some(TITLES).format(part=d.some(PARTS), n=d.rng.randint(2, 40))
    days = d.rng.randint(6, 90)
    start = day_of(d.rng.randint(3, 120))
    end = start + timedelta(days)
    late, early = (f"{end + timedelta(by):%Y-%m-%d}" for by in (1, -1))
    first, last = f"{start:%Y-%m-%d}", f"{end:%Y-%m-%d}"
    ends = d.some([f"is due on {day(end)}", f"is due {days} days after its start"])
    d.need(other.path != project.path)
    return Right(
        {"title": title, "project": project.path, "starts": day(start), "ends": ends},
        do=[create_milestone(project.path, title, first, last)],
        instead={
            "a day too late": [create_milestone(project.path, title, first, late)],
            "a day too early": [create_milestone(project.path, title, first, early)],
            "in another project": [create_milestone(other.path, title, first, last)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:339",))
