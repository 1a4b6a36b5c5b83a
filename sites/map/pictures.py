"""The addresses of the map's pictures, and the responses with them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from flask import Response, request

from sites._land.land import Land
from sites._land.routes import Route
from sites._land.streets import MODES
from sites.map import directions, drawing, search, views
from sites.map.views import View
from sites.site_app import SENTENCES, Refusal, enter_kept

CLOSE = 16
"""The zoom that shows a place with the streets around it."""


def address(page: Any) -> str:
    """Return the address of the picture of a page.

    Args:
        page: The page, as a template knows it (`sites/_kit/pages.py::View`).
    """
    record, shown = page.record, search.country(page.map.world)
    if page.place.page == "directions":
        return _of_way(shown, record)
    if page.place.page == "place":
        at = search.position(record["lat"], record["lon"])
        return _spelled(View(CLOSE, at), mark=record["id"])
    is_view = "zoom" in page.page.args
    return _spelled(views.read(record) if is_view else views.of_city(shown))


def response(**where: str) -> Response:
    """Return the picture of a view; `way` is a mode and two places, `mark` is a place."""
    shown = search.country(enter_kept())
    try:
        view = views.read(where)
    except Refusal:
        raise Refusal(404, SENTENCES[404]) from None
    mark = shown.of.get(_number(request.args.get("mark", "")))
    way = _way(shown, request.args.get("way", ""))
    drawn = drawing.svg(shown, view, way, [mark.at] if mark else [])
    return Response(drawn, mimetype="image/svg+xml")


def _of_way(shown: Land, record: dict[str, Any]) -> str:
    """Return the address of the picture of a way and the places at its ends."""
    one, other = (search.resolve(shown, record[name]) for name in ("from", "to"))
    assert one and other
    way = directions.route(shown, one, other, record["engine"])
    at = {**shown.streets.junctions, **shown.region.junctions}
    points = [at[each] for each in way.junctions] if way else []
    view = drawing.around([one.at, other.at, *points])
    return _spelled(view, way=f"{record['engine']} {one.id} {other.id}")


def _way(shown: Land, text: str) -> Route | None:
    """Return the way that an address names: its mode and the numbers of two places."""
    mode, _, numbers = text.partition(" ")
    first, _, second = numbers.partition(" ")
    one, other = shown.of.get(_number(first)), shown.of.get(_number(second))
    if mode not in MODES or one is None or other is None:
        return None
    return directions.route(shown, one, other, mode)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 12 else -1


def _spelled(view: View, **options: object) -> str:
    spelled = views.spelled("", view)
    query = f"?{urlencode(options)}" if options else ""
    return f"/picture/{view.zoom}/{spelled['lat']}/{spelled['lon']}{query}"
