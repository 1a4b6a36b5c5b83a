"""The screens of the whole desk: what each shows, and what its buttons do."""

from __future__ import annotations

from collections.abc import Mapping

from sites.crm.reservations.screens._asked import filled
from sites.crm.reservations.screens._view import LONGER, NAMES, Contents, ScreenKind, View
from sites.crm.reservations.screens.booking import BOOKING
from sites.crm.reservations.screens.changes import CHANGES
from sites.crm.reservations.screens.day import DAY
from sites.crm.reservations.screens.escorts import ESCORTS
from sites.crm.reservations.screens.extras import EXTRAS
from sites.crm.reservations.screens.flags import FLAGS
from sites.crm.reservations.screens.handbook import HANDBOOK
from sites.crm.reservations.screens.money import MONEY
from sites.crm.reservations.screens.payouts import PAYOUTS
from sites.crm.reservations.screens.people import PEOPLE
from sites.crm.reservations.screens.replies import REPLIES
from sites.crm.reservations.screens.review import REVIEW
from sites.crm.reservations.screens.sale import SALE
from sites.crm.reservations.screens.search import SEARCH
from sites.crm.reservations.screens.tickets import TICKETS
from sites.crm.reservations.screens.vouchers import VOUCHERS

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
