"""Tell a fact about the entry with the most commits among the contributors to a branch."""

from scenarios.codehost._projects import place, some_project
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    (
        "Which {fact} has the entry with the most commits among the contributors on {branch} of"
        " {project}? A person with two mail addresses has two entries."
    ),
    (
        "Each mail address is an entry of its own among the contributors on {branch} of {project}."
        " Tell me the {fact} of the entry with the most commits."
    ),
    (
        "In {project}, under which mail address were most commits made to {branch}? Tell me the"
        " {fact} in its entry among the contributors."
    ),
    "Who is first among the contributors on {branch} of {project}, by commits? Tell me the {fact}.",
)
FACTS = {"full name": "author", "mail address": "mail", "number of commits": "n"}
ENTRIES = """SELECT c.author, c.mail, count(*) AS n FROM branches b JOIN commits c ON
  c.project = b.project AND (c.branch = b.name OR (c.branch = ? AND c.at <= b.since))
  WHERE b.project = ? AND b.name = ? GROUP BY c.author, c.mail ORDER BY n DESC, c.author, c.mail"""


def draw(d: Draw) -> Right:
    """Draw a branch on which one entry is ahead of the next by two commits or more."""
    project, fact = some_project(d), d.some([*FACTS])
    branches = d.all("SELECT name FROM branches WHERE project = ?", project.path)
    branch, other = (each.name for each in d.rng.sample(branches, 2))
    best, second, *more = d.all(ENTRIES, project.main, project.path, branch)
    [elsewhere, *_] = d.all(ENTRIES, project.main, project.path, other)
    d.need(best.n >= second.n + 2)
    both = best.n + sum(each.n for each in (second, *more) if each.author == best.author)
    column = FACTS[fact]
    wrong = {"second": second, "on another branch": elsewhere, "of both mails": {**best, "n": both}}
    d.need(both > best.n or elsewhere[column] != best[column] or d.rng.random() < 0.4)
    texts = {name: str(each[column]) for name, each in wrong.items()}
    right = str(best[column])
    return Right(
        {"fact": fact, "branch": branch, "project": project.path},
        read=[d.page("contributors", right, **place(project), branch=branch)],
        answer=right,
        instead={name: text for name, text in texts.items() if text != right},
    )


TEMPLATES = "webarena:316", "webarena:323", "webarena:324"
FAMILY = Family(__file__, draw, WORDINGS, AnswerSchema("text"), templates=TEMPLATES)
