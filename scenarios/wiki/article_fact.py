"""Tell a fact that the table of an article has."""

from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "What does the wiki give as “{fact}” in the table of the article about {title}?",
    "Open the article about {title}. What does its table say under “{fact}”?",
    "Find the article about {title} and tell me the entry “{fact}” of its table.",
    "In the wiki, what is the entry “{fact}” for {title}?",
)
FACTS = """SELECT f.slug, f.name, f.value, a.title, a.topic FROM facts f
  JOIN articles a ON a.slug = f.slug
  WHERE f.name IN ('Architect', 'Opened', 'Founded', 'Author', 'Year', 'Mayor', 'Highest peak',
    'Colours', 'Sport', 'Profession', 'Form', 'Area')"""
OTHERS = "SELECT value FROM facts WHERE name = ? AND value != ?"


def draw(d: Draw) -> Right:
    """Draw an article and an entry of its table."""
    fact = d.pick(FACTS)
    wrong = d.pick(OTHERS, fact.name, fact.value).value
    page = d.page("article", fact.value, slug=fact.slug)
    return Right(
        {"fact": fact.name, "title": fact.title},
        read=[page],
        answer=fact.value,
        instead={"of another article": wrong, "the title": fact.title},
    )


TEXT = AnswerSchema("text")
FAMILY = Family(__file__, draw, WORDINGS, TEXT, size="medium")
