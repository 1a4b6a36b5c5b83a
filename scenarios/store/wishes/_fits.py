"""Which revisions of a device an accessory fits, as its page states them: "3 to 5, not 4S".

Revisions are 1, 2, 2S, 3 and so on. A statement is clear about a revision with an S only if it
names that revision or is about quite other revisions: nobody has to know whether "2 to 4" covers
2S.
"""

from __future__ import annotations

import re
from random import Random

LAST = 6
_SPAN = re.compile(r"(?P<first>\d+) to (?P<last>\d+)")


def covers(stated: str, revision: str) -> bool:
    """Return whether a revision of a device is among those that an accessory's page states.

    Args:
        stated: The statement, such as "3 to 5, not 4S".
        revision: The revision, such as "4" or "4S".
    """
    main, _, exception = stated.partition(", not ")
    if revision == exception:
        return False
    main, _, besides = main.partition(", also ")
    if revision in (besides, *main.removesuffix(" only").split(" and ")):
        return True
    if not revision.isdigit():
        return False
    if main.endswith(" and later"):
        return int(revision) >= int(main.split()[0])
    if main.startswith("up to "):
        return int(revision) <= int(main.split()[-1])
    span = _SPAN.fullmatch(main)
    return span is not None and int(span["first"]) <= int(revision) <= int(span["last"])


def is_clear(stated: str, revision: str) -> bool:
    """Return whether a statement such as "3 to 5, not 4S" leaves no doubt about a revision."""
    return revision.isdigit() or revision in stated or not covers(stated, revision.rstrip("S"))


def stated(rng: Random) -> str:
    """Draw a statement of the revisions that an accessory fits, such as "2 to 4, also 3S"."""
    low = rng.randint(1, 3)
    high = rng.randint(low + 1, LAST)
    return rng.choice(
        (
            f"{low} to {high}",
            f"{low} to {high}, not {rng.randint(low, high)}S",
            f"{low} to {high}, also {rng.randint(low, high)}S",
            f"{low} and {low + 1}",
            f"{low} and later",
            f"up to {high}",
            f"{low}S only",
        )
    )


def stated_with(revision: str, rng: Random, *, fits: bool) -> str:
    """Draw a statement that clearly covers a revision, or that does not but names a similar one.

    Args:
        revision: The revision to decide about.
        rng: The source of randomness.
        fits: Whether the statement covers the revision.
    """
    number = int(revision.rstrip("S"))
    while True:
        found = stated(rng)
        near = {int(each) for each in re.findall(r"\d+", found)} & {number - 1, number, number + 1}
        if covers(found, revision) == fits and near and is_clear(found, revision):
            return found
