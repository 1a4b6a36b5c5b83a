"""Change a stored address after moving."""

from scenarios.kit import Draw, Family, Right
from sites.shop.operations import add_address, save_address
from sites.shop.texts import CITIES, STREETS

WORDINGS = (
    "I moved from {old} to {street}, {postcode} {city}. Change my address in the shop.",
    "Update my stored address {old}: it is now {street}, {postcode} {city}.",
    "My address {old} is out of date. Replace it by {street}, {postcode} {city}.",
    "Correct the address {old} in my account to {street}, {postcode} {city}.",
)


def draw(d: Draw) -> Right:
    """Draw an address of the customer and a new street, postcode and city."""
    old = d.pick("SELECT * FROM addresses WHERE customer = ?", d.me)
    street = f"{d.rng.randint(1, 140)} {d.some(STREETS)}"
    city, postcode = d.some(CITIES), str(d.rng.randint(10_000, 99_999))
    d.need(street != old.street and city != old.city)
    new = street, city, postcode
    return Right(
        {"old": old.street, "street": street, "city": city, "postcode": postcode},
        do=[save_address(old.id, old.recipient, *new)],
        instead={
            "added beside the old one": [add_address(old.recipient, *new)],
            "the old postcode": [save_address(old.id, old.recipient, street, city, old.postcode)],
            "the old city": [save_address(old.id, old.recipient, street, old.city, postcode)],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:165",))
