"""Find the hot place of an area by moving the mouse over it, and click there.

The adviser sees only the mouse's position and the page's word there. It visits places in an order
in which each place implies what earlier places ruled out: first six places all over the area, then
a mesh around a place within 40 pixels, then a ring around a place within 10 pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from agent.interface import Advice, ClickAt, HoverAt, Place
from scenarios.widgets import _picture
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

WIDTH, HEIGHT = 154, 125
COLD, WARM = 40, 10
"""The distances in pixels within which the page says COLD and WARM."""
WIDE = tuple((x, y) for x in (29, 77, 125) for y in (33, 91))
MESH = tuple((x, y) for x in range(-36, 37, 12) for y in range(-36, 37, 12))
RING = ((7, 0), (5, 5), (0, 7), (-5, 5), (-7, 0), (-5, -5), (0, -7), (5, -5))

Routes = dict[Place, tuple[list[Place], list[Place]]]
"""A search plan: for each place, the places to try next, and nearby places to try after these."""


@cache
def routes() -> Routes:
    """Return the search plan: all places to visit, wide or close; it is the same in every
    episode.
    """
    found: Routes = {}
    wide = enter(found, WIDE)
    for n, middle in enumerate(wide):
        mesh = [place for place in moved(middle, MESH) if not ruled_out(place, wide[:n])]
        closer = enter(found, mesh)
        found[middle][1].extend(closer)
        for place in closer:
            found[place][1].extend(enter(found, moved(place, RING)))
    return found


def enter(found: Routes, places: Sequence[Place]) -> list[Place]:
    """Add places to visit one after the other to the search plan, and return them.

    A place that the plan already has is moved a little.
    """
    free: list[Place] = []
    for place in places:
        free.append(nearest(place, lambda at: at in found or at in free))
    for n, place in enumerate(free):
        found[place] = (free[n + 1 :], [])
    return free


def nearest(place: Place, taken: Callable[[Place], bool]) -> Place:
    """Return the place in the area that is nearest to `place` and not taken."""
    around: Sequence[Place] = [place]
    for size in range(2 * WARM):
        free = [at for at in around if 0 <= at[0] < WIDTH and 0 <= at[1] < HEIGHT and not taken(at)]
        if free:
            return min(free, key=lambda at: _picture.distance(at, place))
        reach = range(-size - 1, size + 2)
        around = moved(place, [(x, y) for x in reach for y in reach])
    raise AssertionError("no place is left")


def moved(place: Place, ways: Sequence[Place]) -> list[Place]:
    return [(place[0] + x, place[1] + y) for x, y in ways]


def ruled_out(place: Place, icy: Sequence[Place]) -> bool:
    """Return whether the hot place cannot be near `place`, because the page said ICE COLD at
    `icy`.
    """
    far_outside = not (-WARM < place[0] < WIDTH + WARM and -WARM < place[1] < HEIGHT + WARM)
    return far_outside or any(_picture.distance(place, each) <= COLD - WARM for each in icy)


def after(at: Place, heat: str) -> Place | None:
    """Return the next place to visit when the page's word at `at` is `heat`; None at the end."""
    further, closer = routes().get(at, ([*WIDE], []))
    if closer and (heat == "WARM" or (heat == "COLD" and at in WIDE)):
        return closer[0]
    return next((place for place in further if possible(_picture.distance(place, at), heat)), None)


def possible(away: float, heat: str) -> bool:
    """Return whether the hot place can be close to a place, by the page's word at another place.

    Args:
        away: The distance in pixels between the two places.
        heat: The page's word at the other place.
    """
    if heat == "ICE COLD":
        return away > COLD - WARM
    return heat != "COLD" or away <= COLD + WARM


def advise(view: PageView) -> Advice:
    area, mouse, heat = _picture.find(view), _picture.points("mouse at", view), view.texts("status")
    if area is None:
        return do()
    if not mouse or not heat:
        return do(HoverAt(area.id, WIDE[0]), step=STEPS[0])
    [at] = map(_picture.rounded, mouse)
    if heat == ["HOT"]:
        return do(ClickAt(area.id, at), step=STEPS[1])
    place = after(at, heat[0])
    return do(HoverAt(area.id, place) if place else None, step=STEPS[0])


def at_word(view: PageView, word: str) -> Advice:
    """Advise clicking as soon as the page says this word."""
    advice, heat = advise(view), view.texts("status")
    area, mouse = _picture.find(view), _picture.points("mouse at", view)
    if area and mouse and heat == [word]:
        return do(ClickAt(area.id, _picture.rounded(mouse[0])))
    return advice


STEPS = ("find the hot place", "click it")
OUTCOMES = {
    "wrong": Outcome(lambda view: at_word(view, "ICE COLD"), seeds=(0, 1, 3)),
    "partial": Outcome(lambda view: at_word(view, "COLD"), 0.25),
    "partial, warm": Outcome(lambda view: at_word(view, "WARM"), 0.5),
}
FAMILY = Widget(__file__, __doc__, advise, actions=35, outcomes=OUTCOMES, STEPS=STEPS)
