"""Who else is a member of a project of one's own?"""

from scenarios.codehost._projects import place
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "Who besides me is a member of my project {project}? List the user names.",
    "List the user names of all members of {project} other than myself.",
    "I want to know who else has a role in my project {project}. Give me their user names.",
    "List every user name on the page of members of {project}, except mine.",
)
OTHERS = "SELECT * FROM members WHERE project = ? AND user != ? ORDER BY user"
STRANGERS = """SELECT name FROM users WHERE name NOT IN
  (SELECT user FROM members WHERE project = ?)"""


def draw(d: Draw) -> Right:
    """Draw a project in the user's own namespace."""
    project = d.pick("SELECT * FROM projects WHERE ns = ?", d.me)
    names = [each.user for each in d.all(OTHERS, project.path, d.me)]
    d.need(len(names) > 1)
    return Right(
        {"project": project.path},
        read=[d.page("members", ", ".join(names), **place(project))],
        answer=", ".join(names),
        instead={
            "myself, too": ", ".join([*names, d.me]),
            "one left out": ", ".join(names[:-1]),
            "a stranger, too": ", ".join([*names, d.pick(STRANGERS, project.path).name]),
        },
    )


NAMES = AnswerSchema("list", "user names")
FAMILY = Family(__file__, draw, WORDINGS, NAMES, templates=("webarena:298",))
