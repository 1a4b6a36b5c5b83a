"""Tell one's own feed token."""

from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "What is my feed token?",
    "Find my feed token in my settings and tell me its text.",
    "I need the text of the token for my feeds.",
    "Look up the feed token of my account and answer with it.",
    "My feed reader asks for a token. Which feed token do I have?",
    "Give me the whole feed token that belongs to my account.",
    "Which feed token stands in my profile's pages? Write it exactly.",
    "Copy my feed token for me as your answer.",
)
FEED = "SELECT feed FROM users WHERE name = ?"


def draw(d: Draw) -> Right:
    """Draw nothing but the user."""
    feed = d.pick(FEED, d.me).feed
    other = d.pick("SELECT feed FROM users WHERE name != ?", d.me).feed
    return Right(
        {},
        read=[d.page("tokens", feed)],
        answer=feed,
        instead={"of somebody else": other, "cut": feed[:-1], "my name": d.me},
    )


FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    AnswerSchema("text"),
    templates=("webarena:312",),
    size="medium",
    has_slots=False,
)
