"""Make a project whose README lists entries of an article of the encyclopedia."""

from scenarios.codehost._beside import new_name, with_readme
from scenarios.kit import Draw, Family, Reading, Right, path_step
from sites.codehost.operations import VISIBILITIES
from sites.kit import Place

WORDINGS = (
    (
        "Make a {visibility} project {slug} of my own from the template “blank”, without a"
        " description. Its README.md lists all entries “{fact}” in the table of the wiki's article"
        " about {title}, as they stand there and in that order, one a line. Commit it as"
        " “{message}”."
    ),
    (
        "What does the wiki's article about {title} have under “{fact}” in its table? Start my own"
        " {visibility} project {slug} (template “blank”, no description) and add README.md with"
        " the commit message “{message}”: each of these entries on its own line, word for word, in"
        " the table's order."
    ),
    (
        "I want a new {visibility} project {slug} in my own name, made from the template “blank”"
        " and with no description. Then add README.md, with “{message}” as the commit message: the"
        " lines are the entries “{fact}” of the table about {title} in the wiki, all of them and"
        " spelled and sorted as they are there."
    ),
    (
        "Copy the table entries called “{fact}” of the article {title} in the wiki into README.md"
        " of a new project, one entry a line, unchanged and in the same order. The project is"
        " {slug}, {visibility}, my own, from the template “blank” and without description; the"
        " commit message is “{message}”."
    ),
)
LISTED = """SELECT a.slug, a.title, f.name FROM facts f JOIN articles a ON a.slug = f.slug
  WHERE f.name IN ('Work', 'Building', 'City', 'Borders')
  GROUP BY a.slug, f.name HAVING count(*) BETWEEN 2 AND 6"""
ENTRIES = "SELECT * FROM facts WHERE slug = ? AND name = ? ORDER BY position"


def draw(d: Draw) -> Right:
    """Draw an article with several entries of a name, and a new project."""
    about, other = d.rng.sample(d.beside("wiki", LISTED), 2)
    slug, visibility = new_name(d), d.some(VISIBILITIES)
    rows = d.beside("wiki", ENTRIES, about.slug, about.name)
    values = [each.value for each in rows]
    others = [each.value for each in d.beside("wiki", ENTRIES, other.slug, other.name)]
    message = f"Note the entries {about.name}, no. {d.rng.randint(2, 900)}"
    lists = values, values[:-1], values[::-1], others
    texts = ["\n".join(each) for each in lists]
    right, *wrong = (with_readme(d, slug, visibility, text, message) for text in texts)
    labels = "all but the last", "in the other order", "those of another article"
    place = Place.of("article", {"slug": about.slug})
    shown = [[{"shows": f"article row {about.slug} {each.position}"}] for each in rows]
    return Right(
        {"slug": slug, "visibility": visibility, "fact": about.name, "title": about.title,
         "message": message},
        beside=[Reading("wiki", [path_step(place)], shown, values)],
        do=right,
        instead={"without the README": right[:1], **dict(zip(labels, wrong, strict=True))},
    )  # fmt: skip


SITES = ("codehost", "wiki")
FAMILY = Family(__file__, draw, WORDINGS, sites=SITES, templates=("webarena:87",), carries=True)
