"""The parts of which a task at the airline's desk is made: bookings, forms and words."""

from scenarios.crm.airline_desk.bookings import Customer, Held, Rows, Voucher
from scenarios.crm.airline_desk.bookings import reference as new_reference
from scenarios.crm.airline_desk.bookings import rows as booking_rows
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN, page_of
from scenarios.crm.airline_desk.forms import Do, Instead, Outcome
from scenarios.crm.airline_desk.parties import enumerated
from scenarios.crm.airline_desk.service import FORM_STEPS
from scenarios.phrasings import Speaker

__all__ = [
    "FORM_STEPS",
    "OUTWARD",
    "RETURN",
    "Customer",
    "Do",
    "Held",
    "Instead",
    "Outcome",
    "Rows",
    "Speaker",
    "Voucher",
    "booking_rows",
    "enumerated",
    "new_reference",
    "page_of",
]
