"""The action of each screen's button, and the screen that follows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sites.crm.base.address import Place
from sites.crm.base.world import CrmData
from sites.crm.published_desk import operations
from sites.crm.published_desk.requests import Sent
from sites.world import World

SAVED = "The changes were saved."
CANCELLED = "The booking was cancelled."


@dataclass(frozen=True)
class Next:
    """The screen that follows an action, and the notice that it shows."""

    place: Place
    notice: str = ""


Commit = Callable[[World, CrmData, Place, Sent], Next]


def commit(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    """Run the action of a screen's button.

    Raises:
        Invalid: A value is wrong. Nothing was changed.
        Refusal: The subject is unknown or in another state. Nothing was changed.
        WorldClosed: The visit is over.
    """
    return _COMMITS[place.screen](world, data, place, sent)


def _search(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    made = operations.search_flights(world, data, sent.values)
    return Next(Place("results", str(made.number)))


def _journey_step(operation: Callable[..., object], following: str) -> Commit:
    """Return a handler for the button of a screen that continues a journey (a search with its
    choices).
    """

    def commit_step(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
        operation(world, data, place.number, sent.values, sent.version)
        return Next(Place(following, place.subject))

    return commit_step


def _find(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    return Next(Place("booking", operations.find_booking(world, sent.values).reference))


def _start(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    """Handle a press of one of the two buttons on a booking's page: Cancel or Modify."""
    if sent.control == "cancel-booking":
        return Next(Place("cancel", operations.start_cancel(world, place.subject).reference))
    return Next(Place("modify", operations.start_modify(world, place.subject).reference))


def _cancel(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    done = operations.cancel_booking(world, place.subject, sent.values, sent.version)
    return Next(Place("booking", done.reference), CANCELLED)


def _modify(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    done = operations.modify_passenger(world, place.subject, sent.values, sent.version)
    return Next(Place("booking", done.reference), SAVED)


def _modify_search(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    made = operations.search_flights(world, data, sent.values, place.subject)
    return Next(Place("modify-results", f"{made.booking}/{made.number}"))


def _modify_results(world: World, data: CrmData, place: Place, sent: Sent) -> Next:
    done = operations.modify_flights(
        world, data, place.reference, place.number, sent.values, sent.version
    )
    return Next(Place("booking", done.reference), SAVED)


_COMMITS: Mapping[str, Commit] = {
    "flights": _search,
    "results": _journey_step(operations.confirm_flights, "passenger"),
    "passenger": _journey_step(operations.save_passenger, "payment"),
    "payment": _journey_step(operations.book, "receipt"),
    "find": _find,
    "booking": _start,
    "cancel": _cancel,
    "modify": _modify,
    "modify-search": _modify_search,
    "modify-results": _modify_results,
}
