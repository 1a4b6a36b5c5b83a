"""Follow several people; other people have names that differ by a letter."""

from scenarios.kit import Draw, Family, Found, Right
from sites.codehost.operations import follow

WORDINGS = (
    "Follow these people on the code host, each named by the {kind}: {names}.",
    "Let me follow {names}. This is the {kind} of each; follow nobody else.",
    "{names}: I want to follow the people who have exactly one of these as their {kind}.",
    "Find the people with the {kind}s {names}, and follow each of them.",
)
KINDS = {"username": "name", "full name": "full"}
FREE = """SELECT *, substr(full, 1, instr(full, ' ') - 1) AS first FROM users
  WHERE name != ? AND name NOT IN (SELECT user FROM follows WHERE follower = ?)"""
OF_FIRST = "SELECT * FROM users WHERE instr(lower(full), lower(?))"
MOST = 8
"""The most people whom the search for a first name finds, for one page of every skin."""


def draw(d: Draw) -> Right:
    """Draw people with one first name; a letter tells one of them from somebody else."""
    free, kind, n = d.all(FREE, d.me, d.me), d.some([*KINDS]), d.rng.randint(2, 4)
    first, near = d.some([(one, two) for one in free for two in free if _alike(one, two)])
    others = [each for each in free if each.first == first.first and each not in (first, near)]
    d.need(len(others) >= n - 1 and len(d.all(OF_FIRST, first.first)) <= MOST)
    found = d.rng.sample([first, *d.rng.sample(others, n - 1)], n)
    names = [each[KINDS[kind]] for each in found]
    d.need(all([each.full for each in free].count(one.full) == 1 for one in found))
    wrong = [near if each == first else each for each in found]
    return Right(
        {"kind": kind, "names": f"{', '.join(names[:-1])} and {names[-1]}"},
        do=[follow(each.name) for each in found],
        via=[d.page("users", q=first.first)],
        instead={
            "a name that differs by a letter": [follow(each.name) for each in wrong],
            "both names that are alike": [follow(each.name) for each in (*found, near)],
        },
    )


def _alike(one: Found, other: Found) -> bool:
    """Return whether a name is another one with or without one letter of the surname."""
    if one.first != other.first:
        return False
    short, long = sorted((one.full, other.full), key=len)
    cut = (long[:at] + long[at + 1 :] for at in range(len(long)))
    return len(short) + 1 == len(long) and short in cut


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:330",), size="medium")
