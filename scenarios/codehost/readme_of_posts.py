"""Make a project whose README lists the posts of a forum with the highest scores."""

from scenarios.codehost._beside import first_posts, new_name, with_readme
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import VISIBILITIES

WORDINGS = (
    (
        "Make a {visibility} project {slug} of my own from the template “blank”, without a"
        " description. Its README.md lists the titles of the {n} posts with the highest score in"
        " the forum {forum}, the highest first, each behind “- ” on its own line. Commit it as"
        " “{message}”."
    ),
    (
        "Which {n} posts in the forum {forum} have the highest scores? Start my own {visibility}"
        " project {slug} (template “blank”, no description) and add README.md with the commit"
        " message “{message}”: a line “- ” and the title for each, from the highest score down."
    ),
    (
        "I want a new {visibility} project {slug} in my own name, made from the template “blank”"
        " and with no description. Then add the file README.md, with “{message}” as the commit"
        " message. It has {n} lines: “- ” and a title, for the posts of {forum} with the highest"
        " scores, in the order of their scores."
    ),
    (
        "List the top {n} posts of the forum {forum} by score in README.md of a new project: “- ”"
        " and the title, one post a line, the best first. The project is {slug}, {visibility}, my"
        " own, from the template “blank” and without description; the commit message is"
        " “{message}”."
    ),
)
BUSY = "SELECT forum FROM submissions GROUP BY forum HAVING count(*) >= 7"
BEST = "SELECT * FROM submissions WHERE forum = ? ORDER BY score DESC, id"


def draw(d: Draw) -> Right:
    """Draw a forum whose first posts have different scores, and a new project."""
    n, slug, visibility = d.rng.randint(2, 4), new_name(d), d.some(VISIBILITIES)
    posts = d.beside("forum", BEST, d.some(d.beside("forum", BUSY)).forum)
    d.need(len({post.score for post in posts[: n + 1]}) == n + 1)
    newest = sorted(posts, key=lambda post: -post.at)
    d.need(newest[:n] != posts[:n])
    message = f"Name the {n} best of {posts[0].forum}"
    texts = [
        "\n".join(f"- {each.title}" for each in found)
        for found in (posts[:n], newest[:n], posts[: n + 1], posts[:n][::-1])
    ]
    right, *wrong = (with_readme(d, slug, visibility, text, message) for text in texts)
    labels = "the newest", "one too many", "the lowest first"
    return Right(
        {"slug": slug, "visibility": visibility, "n": n, "forum": posts[0].forum,
         "message": message},
        beside=[first_posts(posts[:n], "top")],
        do=right,
        instead={"without the README": right[:1], **dict(zip(labels, wrong, strict=True))},
    )  # fmt: skip


SITES = ("codehost", "forum")
FAMILY = Family(__file__, draw, WORDINGS, sites=SITES, templates=("webarena:88",), carries=True)
