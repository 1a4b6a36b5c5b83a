"""Pages whose labels are ambiguous: what stands where must be found out.

Fields are called `f1` to `fn` and buttons `b1` to `bn`, in an order that the world's seed draws for
each screen; they have no accessible names and no hints, their captions are pictures, and every
button says OK. What a field is shows in what the page says of what was entered: the line of the
form repeats each accepted value in its role, and the message about another one says what is
expected. A press of a button first shows what it would do, and counts when that is confirmed.
Roles are translated here and never leave the site: the pages send and get neutral ids only.
"""

from sites.crm.published_desk.ambiguous.names import read_commit, read_events, shown_errors
from sites.crm.published_desk.ambiguous.pages import DEEDS, OK, disguise, verdict
from sites.crm.published_desk.ambiguous.pictures import caption
from sites.crm.published_desk.ambiguous.review import check, is_confirmed, review

__all__ = [
    "DEEDS",
    "OK",
    "caption",
    "check",
    "disguise",
    "is_confirmed",
    "read_commit",
    "read_events",
    "review",
    "shown_errors",
    "verdict",
]
