"""The screens of the airline desk: their contents, and the operations of their buttons."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.airline_desk.screens._asked import filled
from sites.crm.airline_desk.screens._view import LONGER, NAMES, Contents, ScreenKind, View
from sites.crm.airline_desk.screens.booking import BOOKING
from sites.crm.airline_desk.screens.changes import CHANGES
from sites.crm.airline_desk.screens.day import DAY
from sites.crm.airline_desk.screens.escorts import ESCORTS
from sites.crm.airline_desk.screens.extras import EXTRAS
from sites.crm.airline_desk.screens.flags import FLAGS
from sites.crm.airline_desk.screens.handbook import HANDBOOK
from sites.crm.airline_desk.screens.money import MONEY
from sites.crm.airline_desk.screens.payouts import PAYOUTS
from sites.crm.airline_desk.screens.people import PEOPLE
from sites.crm.airline_desk.screens.replies import REPLIES
from sites.crm.airline_desk.screens.review import REVIEW
from sites.crm.airline_desk.screens.sale import SALE
from sites.crm.airline_desk.screens.search import SEARCH
from sites.crm.airline_desk.screens.tickets import TICKETS
from sites.crm.airline_desk.screens.vouchers import VOUCHERS

SCREENS: Mapping[str, ScreenKind] = {
    **SEARCH,
    **SALE,
    **PEOPLE,
    **BOOKING,
    **EXTRAS,
    **CHANGES,
    **MONEY,
    **DAY,
    **FLAGS,
    **HANDBOOK,
    **REVIEW,
    **TICKETS,
    **REPLIES,
    **VOUCHERS,
    **PAYOUTS,
    **ESCORTS,
}

__all__ = ["LONGER", "NAMES", "SCREENS", "Contents", "ScreenKind", "View", "filled"]
