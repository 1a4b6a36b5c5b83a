"""Change one place of a file, and keep the rest of it."""

import re

from scenarios.codehost._projects import project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import edit_file
from sites.codehost.texts import CROWDS, KINDS, LICENCES

WORDINGS = (
    (
        "In {file} of the project {project}, change {part} to “{new}”. Leave the rest of the file"
        " as it is. The commit message is “{message}”."
    ),
    (
        "Edit {file} of {project}: {part} becomes “{new}”, and nothing else in the file changes."
        " Write “{message}” as the commit message."
    ),
    (
        "The project {project} needs another text in {file}. Let {part} read “{new}”, keep all"
        " other text, and commit it as “{message}”."
    ),
    (
        "Open {file} of {project}, and replace {part} by “{new}”. All other text of the file stays."
        " Commit it as “{message}”."
    ),
)
PARTS = {
    "the text of the title element": ("index.html", "(?<=<title>).*(?=</title>)"),
    "the text of the h1 element": ("index.html", "(?<=<h1>).*(?=</h1>)"),
    "the first line": ("LICENSE", "^.*"),
}
"""The places, each with its file and a pattern of its text."""
NAMED = "SELECT * FROM files WHERE project = ? AND file = ?"


def draw(d: Draw) -> Right:
    """Draw a project in which the user may write, and a new text for one place of a file."""
    project, part = project_as(d, "Developer"), d.some([*PARTS])
    name, pattern = PARTS[part]
    file, readme = (d.pick(NAMED, project.path, each) for each in (name, "README.md"))
    new = f"{d.some(KINDS).capitalize()} for {d.some(CROWDS)}"
    if name == "LICENSE":
        new = d.some([each for each in LICENCES if not file.body.startswith(each)])
    message = f"Update {name}, no. {d.rng.randint(2, 900)}"
    wrong = {
        "the rest lost": new,
        "added": f"{new}\n{file.body}",
        "the project's name replaced": file.body.replace(project.slug, new),
    }
    body = re.sub(pattern, new, file.body, count=1)
    return Right(
        {"file": name, "project": project.path, "part": part, "new": new, "message": message},
        do=[edit_file(file.id, file.version, body, message)],
        instead={
            "in the README": [edit_file(readme.id, readme.version, new, message)],
            **{label: [edit_file(file.id, file.version, each, message)] for label, each in
               wrong.items()},
        },
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:308", "webarena:355"))
