"""Draft, and do not send, a request for a coupon."""

from scenarios.kit import Draw, Family, Right
from sites.shop.operations import send_message
from sites.shop.texts import CATEGORIES

WORDINGS = (
    "Save a draft to the shop, and do not send it: reason Coupon, text “{text}”, all else empty.",
    "Draft a message with the reason Coupon and the text “{text}”, without order and amount.",
    "I may ask for a coupon later. Keep this as a draft (reason Coupon, nothing else): “{text}”",
    "Write a message for a coupon and save it as a draft, unsent. It has only its text: “{text}”",
)
BECAUSE = (
    "my parcel came {n} days late",
    "I plan to buy {n} {things} for a school",
    "I have been a customer for {n} years",
    "the last {things} were out of stock {n} times",
)


def draw(d: Draw) -> Right:
    """Draw the text of a request."""
    things = d.some([each.heading.lower() for each in CATEGORIES.values()])
    because = d.some(BECAUSE).format(n=d.rng.randint(2, 40), things=things)
    text = f"Please send me a coupon for {things}, since {because}."
    return Right({"text": text}, draft=send_message("Coupon", "", "", text))


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:163",))
