"""The fields and buttons of the published desk's forms, with the ids and labels that the pages
show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sites.crm.base import fields
from sites.crm.base.address import SCREENS


@dataclass(frozen=True)
class Option:
    """A value of a field, with its label."""

    value: str
    label: str


@dataclass(frozen=True)
class Field:
    """A field of a form; `type` is airport, date, choice, text or number.

    `value` is the text or option in it at first.
    """

    id: str
    label: str
    type: str = "text"
    options: tuple[Option, ...] = ()
    value: str = ""
    hint: str = ""


@dataclass(frozen=True)
class Button:
    """A button.

    Attributes:
        id: The html id.
        label: The label.
        action: "commit", or "open" for a link to `address`.
        address: The address that it opens.
        commits: Whether its action cannot be undone.
    """

    id: str
    label: str
    action: str = "commit"
    address: str = ""
    commits: bool = False


def _options(names: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(name, name[:1].upper() + name[1:]) for name in names)


DATE_HINT = "For example 2026-03-04 or 4 March 2026"
SEARCH = (
    Field("from", "From", "airport", hint="Code or city"),
    Field("to", "To", "airport", hint="Code or city"),
    Field("trip-type", "Trip type", "choice", _options(fields.TRIPS), fields.TRIPS[0]),
    Field("departure", "Departure date", "date", hint=DATE_HINT),
    Field("return", "Return date", "date", hint=DATE_HINT),
)
PASSENGER = (
    Field("title", "Title", "choice", _options(fields.TITLES)),
    Field("first-name", "First name"),
    Field("last-name", "Last name"),
    Field("gender", "Gender", "choice", _options(fields.GENDERS)),
    Field("dob", "Date of birth", "date", hint="For example 1980-05-03 or 3 May 1980"),
)
PAYMENT = (
    Field("card-number", "Card number", "number"),
    Field("expiry", "Expiry date", "number", hint="MM/YY"),
    Field("cvc", "CVC", "number", hint="3 or 4 digits on the back"),
)
FIND = (Field("booking-reference", "Booking reference", hint="6 letters and digits"),)
CANCEL = (Field("confirm-reference", "Booking reference", hint="Type it again to confirm"),)

FORMS: Mapping[str, Sequence[Field]] = {
    "flights": SEARCH,
    "passenger": PASSENGER,
    "payment": PAYMENT,
    "find": FIND,
    "cancel": CANCEL,
    "modify": PASSENGER,
    "modify-search": SEARCH,
}
"""The fields of the form on each screen, in the order in which the page shows them; keys are names
of screens.
"""

_GROUPS = ("outward", "return")
"""The radio groups of the screens on which flights are chosen."""

FIELDS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(SCREENS, ()),
    **{screen: tuple(field.id for field in form) for screen, form in FORMS.items()},
    "results": _GROUPS,
    "modify-results": _GROUPS,
}
"""The ids of each screen's fields."""

BUTTONS: Mapping[str, Sequence[Button]] = {
    **dict.fromkeys(SCREENS, ()),
    "flights": (Button("search-flights", "Search"),),
    "results": (Button("confirm-flights", "Confirm"),),
    "passenger": (Button("save-passenger", "Save"),),
    "payment": (Button("book-flight", "Book flight", commits=True),),
    "find": (Button("search-booking", "Search"),),
    "booking": (Button("cancel-booking", "Cancel"), Button("modify-booking", "Modify")),
    "cancel": (Button("confirm-cancel", "Cancel", commits=True),),
    "modify": (Button("save-changes", "Save", commits=True),),
    "modify-search": (Button("search-flights", "Search"),),
    "modify-results": (Button("save-changes", "Save", commits=True),),
}
"""The buttons of each screen that submit its form."""

CONTROLS = {screen: tuple(each.id for each in buttons) for screen, buttons in BUTTONS.items()}
"""The ids of the buttons in `BUTTONS`, by screen."""
