"""Set the user's own status line."""

from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import save_profile, set_status
from sites.codehost.texts import CROWDS, PARTS

WORDINGS = (
    "Set my status to “{status}”.",
    "Let my status line say “{status}” and nothing else.",
    "People should see “{status}” as my status. Change it.",
    "Replace my status, whatever it is now, by “{status}”.",
)
STATUSES = (
    "Busy with the {part} until {n} o'clock",
    "Testing the {part} for {crowd}, back in {n} days",
    "Ask me about the {part} in room {n}",
    "On leave for {n} days with {crowd}",
)


def draw(d: Draw) -> Right:
    """Draw a status line."""
    words = {"part": d.some(PARTS), "crowd": d.some(CROWDS), "n": d.rng.randint(2, 12)}
    status = d.some(STATUSES).format(**words)
    [old] = d.all("SELECT status, website FROM users WHERE name = ?", d.me)
    return Right(
        {"status": status},
        do=[set_status(status)],
        instead={
            "behind the old one": [set_status(f"{old.status or 'Away'}. {status}")],
            "in quotes": [set_status(f"“{status}”")],
            "and no website": [set_status(status), save_profile("")],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:361",))
