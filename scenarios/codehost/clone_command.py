"""Tell the SSH address of a project that is described, and not that of a fork."""

from scenarios.codehost._projects import some_project
from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "From which SSH address does one clone “{about}”? I mean the original and no fork of it.",
    "Find the project with the description “{about}” that is no fork. What is its SSH address?",
    (
        "I want to clone the project that describes itself as “{about}”, not one that was forked"
        " from it. Give me the address for SSH."
    ),
    (
        "A project and its forks are described as “{about}”. With SSH, what address clones the one"
        " that was not forked from another?"
    ),
)
ALIKE = """SELECT path FROM projects WHERE path != ? AND visibility != 'private'
  AND instr(description, ?) = 1"""
STRANGERS = """SELECT name FROM users WHERE name != ? AND name NOT IN
  (SELECT user FROM members WHERE project = ?)"""
FILES = "SELECT file, body, version FROM files WHERE project = ?"
COMMITS = """SELECT branch, sha, author, mail, at, title FROM commits
  WHERE project = ? AND branch = ? ORDER BY at DESC, id DESC LIMIT 9"""


def draw(d: Draw) -> Right:
    """Draw a project, and plant a fork of it with the same name."""
    project = some_project(d)
    owner, kind = d.pick(STRANGERS, d.me, project.path).name, project.description.split(" for ")[0]
    fork, alike = f"{owner}/{project.slug}", d.pick(ALIKE, project.path, kind).path
    copied = {"path": fork, "ns": owner, "origin": project.path, "visibility": "public"}
    d.plant("projects", **{**project, **copied})
    d.plant("members", project=fork, user=owner, role="Owner")
    d.plant("branches", project=fork, name=project.main, since=0.0)
    for row in d.all(FILES, project.path):
        d.plant("files", project=fork, **row)
    for row in d.all(COMMITS, project.path, project.main):
        d.plant("commits", project=fork, **row)
    address = "git@code.example:{}.git".format
    return Right(
        {"about": project.description},
        read=[d.page("project", address(project.path), ns=project.ns, slug=project.slug)],
        search=d.list("explore", upto=3),
        answer=address(project.path),
        instead={
            "of the fork": address(fork),
            "of a project described alike": address(alike),
            "for HTTPS": f"https://code.example/{project.path}.git",
        },
    )


FAMILY = Family(
    __file__, draw, WORDINGS, AnswerSchema("text"), templates=("webarena:329",), size="medium"
)
