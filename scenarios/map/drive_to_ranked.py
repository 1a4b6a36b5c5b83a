"""Leave the directions by car to a national park open that leads the others in the encyclopedia."""

from scenarios.kit import Draw, Family, Right
from scenarios.map import _wiki
from scenarios.map._places import way
from scenarios.places import NAMED

WORDINGS = (
    "Show the way by car from {start} to the {rank} national park. The wiki has the figures.",
    "Look in the wiki for the {rank} national park; open the directions there by car from {start}.",
    "I want to drive from {start} to the {rank} national park of the wiki. Open the directions.",
    "Get directions by car that start at {start} and end at the {rank} national park in the wiki.",
)
RANKS = {
    "largest": ("area", -1), "second largest": ("area", -2), "smallest": ("area", 0),
    "second smallest": ("area", 1), "oldest": ("founded", 0), "second oldest": ("founded", 1),
    "youngest": ("founded", -1), "second youngest": ("founded", -2),
}  # fmt: skip
"""The measures of the ranks, each with the place of its park among all parks."""


def draw(d: Draw) -> Right:
    """Draw a start and a rank that one park has alone."""
    known, start, rank = _wiki.facts(d), d.pick(NAMED), d.some([*RANKS])
    names = {each.place: known.country.of[each.place].name for each in known.parks}
    measures = {
        "area": {each.place: each.area for each in known.parks},
        "founded": {
            each.place: int(known.country.of[each.place].tags["founded"]) for each in known.parks
        },
    }
    measure, at = RANKS[rank]
    values = measures[measure]
    d.need(len({*values.values()}) == len(values))
    right = sorted(values, key=lambda number: values[number])[at]
    return Right(
        {"start": start.label, "rank": rank},
        beside=[_wiki.leads(_wiki.PARKS, [*names.values()], [names[right]])],
        end=way(d, start, _wiki.place(d, right), "car").page,
    )


FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    sites=_wiki.SITES,
    templates=("webarena:120",),
    LEVEL=2,
    size="medium",
    carries=True,
)
