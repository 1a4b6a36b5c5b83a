"""Change the title of a content page."""

from scenarios.kit import Draw, Family, Right
from sites.admin.operations import save_content

WORDINGS = (
    "Change the title of the page {page} to “{title}”. Its content stays as it is.",
    "The content page {page} should be titled “{title}” from now on.",
    "Rename the page {page}: its new title is “{title}”. Change nothing else on it.",
    "Give the page {page} the page title “{title}”, and keep its text.",
)
SAYS = "{old} in {year}", "{old} (part {n})", "{old}, version {n}", "All about: {old}, {year}"


def draw(d: Draw) -> Right:
    """Draw a page, named by its title or its address, and a new title."""
    page, other = d.rng.sample(d.all("SELECT * FROM contents"), 2)
    words = d.some([f"“{page.title}”", f"with the address “{page.path}”"])
    number, year = d.rng.randint(2, 99), d.rng.randint(2026, 2040)
    title = d.some(SAYS).format(old=page.title, n=number, year=year)
    right = save_content(page.id, page.version, title, page.body)
    return Right(
        {"page": words, "title": title},
        do=[right],
        instead={
            "another page": [save_content(other.id, other.version, title, other.body)],
            "in the content, too": [
                save_content(page.id, page.version, title, f"{title}\n{page.body}")
            ],
            "without the content": [save_content(page.id, page.version, title, title)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:275",))
