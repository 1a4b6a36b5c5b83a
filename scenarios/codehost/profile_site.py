"""Change the address of the website on the user's own profile."""

from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import save_profile, set_status
from sites.codehost.texts import CROWDS, HUES, OBJECTS

WORDINGS = (
    "Set the website on my profile to {address}.",
    "My website has moved. Let my profile name {address} as its address.",
    "Update my profile: the website is now {address}, and all else stays.",
    "Replace the address of the website on my profile by {address}.",
)
OTHER = "SELECT website FROM users WHERE name != ?"


def draw(d: Draw) -> Right:
    """Draw an address, with a number in its path."""
    host = f"{d.some(HUES)}-{d.some(OBJECTS)}.example"
    address = f"https://{host}/{d.some(CROWDS).split()[-1]}/{d.rng.randint(2, 99)}"
    [own] = d.all("SELECT website FROM users WHERE name = ?", d.me)
    other = d.pick(OTHER, d.me).website
    return Right(
        {"address": address},
        do=[save_profile(address)],
        instead={
            "as the status": [set_status(address)],
            "without the path": [save_profile(f"https://{host}")],
            "below the old address": [save_profile(own.website + address.split(host)[1])],
            "that of another person": [save_profile(other)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:331",))
