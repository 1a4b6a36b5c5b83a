"""Write the titles of the newest posts of a forum into a new file of a project."""

from scenarios.codehost._beside import first_posts
from scenarios.codehost._projects import project_as
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import create_file
from sites.codehost.texts import PARTS

WORDINGS = (
    (
        "Add the file {file} to the project {project}, with the titles of the {n} newest posts of"
        " the forum {forum}: one title a line, {order} first. The commit message is “{message}”."
    ),
    (
        "In the project {project}, make the file {file}. Each of its {n} lines is the title of one"
        " of the {n} newest posts in the forum {forum}, {order} first. Commit it as “{message}”."
    ),
    (
        "Which are the {n} newest posts in the forum {forum}? Write their titles, one a line and"
        " the {order} first, into the new file {file} of {project}, with the commit message"
        " “{message}”."
    ),
    (
        "With the commit message “{message}”, put a new file {file} into {project}. It has {n}"
        " lines, the titles of the {n} posts that the forum {forum} got last, {order} first."
    ),
)
BUSY = "SELECT forum FROM submissions GROUP BY forum HAVING count(*) >= 7"
NEWEST = "SELECT * FROM submissions WHERE forum = ? ORDER BY at DESC, id"


def draw(d: Draw) -> Right:
    """Draw a busy forum, a project in which the user may write, and a file in a new folder."""
    project, n = project_as(d, "Developer"), d.rng.randint(3, 5)
    posts = d.beside("forum", NEWEST, d.some(d.beside("forum", BUSY)).forum)[: n + 1]
    order, way = d.some((("newest", 1), ("oldest", -1)))
    titles = [post.title for post in posts]
    folder = f"{d.some(PARTS).replace(' ', '-')}-{d.rng.randint(2, 99)}"
    file, message = f"{folder}/posts.txt", f"List {n} posts in {folder}"
    body = "\n".join(titles[:n][::way])
    wrong = {"the other order": titles[:n][::-way], "one too many": titles[::way]}
    texts = {label: "\n".join(each) for label, each in wrong.items()}
    return Right(
        {"file": file, "project": project.path, "n": n, "forum": posts[0].forum, "order": order,
         "message": message},
        beside=[first_posts(posts[:n], "new")],
        do=[create_file(project.path, file, body, message)],
        instead={
            "without the folder": [create_file(project.path, "posts.txt", body, message)],
            **{label: [create_file(project.path, file, each, message)] for label, each in
               texts.items()},
        },
    )  # fmt: skip


SITES = ("codehost", "forum")
FAMILY = Family(__file__, draw, WORDINGS, sites=SITES, templates=("webarena:84",), carries=True)
