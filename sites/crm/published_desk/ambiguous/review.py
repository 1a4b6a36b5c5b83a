"""The review page before an action: it shows the action that a button would take, without taking
it.
"""

from __future__ import annotations

import hashlib
import json

from sites.crm.base.forms import Invalid
from sites.crm.published_desk import commits, journal
from sites.crm.published_desk.ambiguous import readings
from sites.crm.published_desk.ambiguous.names import names
from sites.crm.published_desk.ambiguous.pages import DEEDS, OK
from sites.crm.published_desk.form_fields import BUTTONS
from sites.crm.published_desk.requests import Sent
from sites.crm.published_desk.screen_contents import CrmView
from sites.crm.published_desk.serializers import Json
from sites.site_app import Refusal
from sites.world import WorldClosed


def is_confirmed(view: CrmView, sent: Sent) -> bool:
    """Return whether exactly these values were shown for review before and are now confirmed."""
    return sent.reviewed == _token(view, sent)


def check(view: CrmView, sent: Sent) -> None:
    """Try the action on a copy of the visit's database, and record the press of the button in the
    visit's journal.

    A refusal is recorded, too.

    Raises:
        Invalid: A value is wrong.
        Refusal: The commit would be refused.
        WorldClosed: The visit is over.
    """
    if view.world.closed:
        raise WorldClosed("this episode is closed; nothing was changed")
    try:
        _try(view, sent)
    except (Invalid, Refusal) as problem:
        errors = problem.errors if isinstance(problem, Invalid) else {"": problem.sentence}
        journal.refused(view.world, sent.control, view.place, sent.values, errors)
        raise
    journal.click(view.world, view.place, sent.control)


def _try(view: CrmView, sent: Sent) -> None:
    wrong = readings.read(view, sent.values, whole=True).problems
    if wrong:
        raise Invalid(wrong)
    with view.world.fork() as copy:
        commits.commit(copy, view.data, view.place, sent)


def review(view: CrmView, sent: Sent, screen: Json) -> Json:
    """Return the review page of an action, as JSON.

    Args:
        view: The screen on which the button was pressed.
        sent: The commit.
        screen: The JSON of that screen, from which the review is made.
    """
    neutral = names(view.world, view.place.screen).neutral
    [button] = [each for each in BUTTONS[view.place.screen] if each.id == sent.control]
    return {
        **screen,
        "back": view.place.address,
        "tabs": [],
        "fields": [],
        "flights": None,
        "buttons": [
            {
                "id": neutral[sent.control],
                "label": OK,
                "action": "commit",
                "address": "",
                "commits": button.commits,
            }
        ],
        "review": {
            "deed": DEEDS[sent.control],
            "line": _line(view, sent),
            "values": {neutral[field]: text for field, text in sent.values.items()},
            "token": _token(view, sent),
        },
    }


def _line(view: CrmView, sent: Sent) -> str:
    """Return the line of text that repeats the values of the action under review."""
    if not sent.values:
        return f"Booking {view.place.reference}"
    return readings.read(view, sent.values, whole=True).line


def _token(view: CrmView, sent: Sent) -> str:
    """Return a token that proves that exactly this action with these values was reviewed."""
    parts = [view.place.address, sent.control, sent.version, sorted(sent.values.items())]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
