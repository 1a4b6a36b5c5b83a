"""Pages whose labels are ambiguous: the visitor has to find out what each field and button is.

Fields are called `f1` to `fn` and buttons `b1` to `bn`, in an order that the world's seed draws for
each screen. They have no accessible names and no hints, their captions are pictures, and every
button says OK. The page reveals the role of a field by its reaction: a line of the form repeats
each accepted value in its role, and the message about a rejected value says what the field expects.
A press of a button first shows the action that it would take, and takes it after a confirmation.
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
