"""The operations of the published desk on a visit's database (its world), for its pages and for
reference solutions.

The argument `values` is the texts of a screen's fields by id, as typed. A missing or wrong value
raises `Invalid`. A booking or journey that does not exist or is in another state raises `Refusal`
(404, 409). A visit that is over raises `WorldClosed`. In all these cases nothing is changed, and
the journal records the refused values. `version` is the version of the page that was sent
(`version_of`): an older version is refused, and None skips the check.
"""

from sites.crm.base.forms import Invalid
from sites.crm.base.records import total
from sites.crm.base.world import add_booking
from sites.crm.published_desk.operations._commits import changeable
from sites.crm.published_desk.operations.changing import (
    cancel_booking,
    find_booking,
    journey_for,
    modify_flights,
    modify_passenger,
    start_cancel,
    start_modify,
)
from sites.crm.published_desk.operations.looking import (
    booking,
    bookings,
    journey,
    namesakes,
    offers,
    own_journey,
    version_of,
    with_flights,
    with_passenger,
)
from sites.crm.published_desk.operations.selling import (
    book,
    confirm_flights,
    new_reference,
    save_passenger,
    search_flights,
)

__all__ = [
    "Invalid",
    "add_booking",
    "book",
    "booking",
    "bookings",
    "cancel_booking",
    "changeable",
    "confirm_flights",
    "find_booking",
    "journey",
    "journey_for",
    "modify_flights",
    "modify_passenger",
    "namesakes",
    "new_reference",
    "offers",
    "own_journey",
    "save_passenger",
    "search_flights",
    "start_cancel",
    "start_modify",
    "total",
    "version_of",
    "with_flights",
    "with_passenger",
]
