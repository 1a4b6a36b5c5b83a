"""Which of one's own projects have the most, the fewest, or fewer than so many stars?"""

from scenarios.kit import AnswerSchema, Draw, Family, Right

WORDINGS = (
    "List the projects in my own namespace with {stars}. Give whole paths, namespace included.",
    "Which projects under my user name, not under a group, have {stars}? I need whole paths.",
    "My own namespace is {me}. Give me the whole path of every project in it with {stars}.",
    "Look only at projects whose path begins with my user name. Which paths have {stars}?",
)
STARRED = """SELECT p.path, p.ns, count(s.user) AS stars FROM projects p
  LEFT JOIN stars s ON s.project = p.path WHERE {} GROUP BY p.path ORDER BY stars DESC, p.path"""
OWN = STARRED.format("p.ns = ?")
OTHERS = STARRED.format("""p.visibility != 'private' AND p.path NOT IN
  (SELECT project FROM members WHERE user = ?)""")
ON_START = 10


def draw(d: Draw) -> Right:
    """Draw own projects, and give the user others with more stars, which fill the start page."""
    own, kind = d.all(OWN, d.me), d.some(("most", "fewest", "fewer than", "fewer than"))
    others = [each for each in d.all(OTHERS, d.me) if each.stars > own[0].stars]
    d.need(len(own) > 1 and len(others) >= ON_START)
    for each in d.rng.sample(others, ON_START):
        d.plant("members", project=each.path, user=d.me, role=d.some(("Guest", "Developer")))
    few = d.rng.randrange(1, len(own)) if d.rng.random() < 5 / 6 else 0
    counts = [0, *(each.stars for each in own[::-1])]
    most = (
        counts[few + 1] if d.rng.random() < 0.5 else d.rng.randint(counts[few] + 1, counts[few + 1])
    )
    d.need(most > 1)
    paths = [each.path for each in own]
    found, near = {
        "most": (paths[:1], paths[1:2]),
        "fewest": (paths[-1:], paths[-2:-1]),
        "fewer than": (paths[len(own) - few :], paths[-few - 1 :]),
    }[kind]
    stars = f"{kind} {most} stars" if kind == "fewer than" else f"the {kind} stars"
    return Right(
        {"stars": stars, "me": d.me},
        read=d.list("user", user=d.me),
        answer=", ".join(found),
        status="" if found else "NOT_FOUND",
        instead={
            "one more, or the next": ", ".join(near),
            "of all where I am a member": max(others, key=lambda each: each.stars).path,
        },
    )


PATHS = AnswerSchema("list", "paths of projects")
FAMILY = Family(__file__, draw, WORDINGS, PATHS, templates=("webarena:289",), size="medium")
