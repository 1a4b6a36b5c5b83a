"""How many commits did somebody make in some days? The heads of days are in another zone."""

from datetime import date

from scenarios.codehost._projects import day, main_commits, place, some_project
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    (
        "How many commits did {author} make to {branch} of {project} from {first} to {last}? Go by"
        " the time beside each commit."
    ),
    (
        "Count the commits by {author} on the branch {branch} of {project} from {first} to {last},"
        " both days included. The time beside a commit counts, not the heading above it."
    ),
    (
        "From {first} to {last}, by the time that stands beside each commit: how many commits on"
        " {branch} of {project} are by {author}?"
    ),
    (
        "Look through the commits on {branch} of {project}. How many are by {author}, with a"
        " time beside the commit from {first} to {last}?"
    ),
)
FAR = 100
"""The number of commits, the newest first, among which the first and the last day are."""


def draw(d: Draw) -> Right:
    """Draw days for which counting below the headings gives another number."""
    project = some_project(d)
    commits = main_commits(d, project)
    near = range(min(FAR, len(commits)))
    last, first = (commits[at] for at in sorted(d.rng.sample(near, 2)))
    author = d.some(commits).author
    days = [each for each in commits if first.local <= each.local <= last.local]
    here = [each for each in days if each.author == author]
    below = sum(e.author == author and first.local <= e.day <= last.local for e in commits)
    d.need(first.local < last.local and 2 <= len(here) <= 30 and below != len(here))
    d.need(commits.index(here[-1]) >= 20 or d.rng.random() < 0.4)
    shas = {each.sha for each in here}
    pages = d.until(
        "commits",
        lambda row: row.sha in shas,
        lambda rows: ", ".join(row.sha for row in rows if row.sha in shas),
        **place(project),
        branch=project.main,
    )
    answers = {"below the headings": below, "by anybody": len(days), "one more": len(here) + 1}
    return Right(
        {
            "author": author,
            "branch": project.main,
            "project": project.path,
            "first": day(date.fromisoformat(first.local)),
            "last": day(date.fromisoformat(last.local)),
        },
        read=pages,
        answer=str(len(here)),
        instead={name: str(n) for name, n in answers.items() if n != len(here)},
    )


FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    AnswerSchema("number"),
    templates=("webarena:320", "webarena:321", "webarena:322"),
    size="medium",
)
