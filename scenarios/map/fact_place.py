"""Open the map's page of a place that the encyclopedia tells."""

from scenarios.kit import Draw, Family, Reading, Right
from scenarios.map import _wiki
from scenarios.map._places import looked_up, opened

WORDINGS = (
    "Open the map's page of {what}. The wiki tells its name.",
    "Read in the wiki about {what}, and leave the page of that place on the map open.",
    "Look for {what} in the wiki; then open the place on the map.",
    "Show the page that the map has of {what}; the wiki knows the name.",
    "Which place is {what}? Find out in the wiki, and open its page on the map.",
    "I am looking for {what}. Its name is in the wiki; I want its page on the map.",
    "The wiki has an article that names {what}. Bring up the map's page of it.",
    "Leave the map open on the page of {what}, whose name you find in the wiki.",
)


def draw(d: Draw) -> Right:
    """Draw a ground of a team, a building of an architect, or an abbreviation."""
    what, number, reading = d.some([*(_ground,) * 6, _short, *(_building,) * 4])(d)
    place = _wiki.place(d, number)
    via = [looked_up(d, place.label)]
    return Right({"what": what}, via=via, beside=[reading], end=opened(d, place))


def _ground(d: Draw) -> tuple[str, int, Reading]:
    team = d.some(_wiki.facts(d).teams)
    grounds = [*reversed(team.grounds)]
    at = d.rng.randrange(len(grounds))
    ground = _wiki.place(d, grounds[at].place)
    if not at:
        what = f"the present home ground of {team.name}"
        return what, ground.id, _wiki.article(team.name, [ground.name])
    d.need(grounds[at].until - grounds[at].since >= 4)
    year = d.rng.randint(grounds[at].since + 2, grounds[at].until - 2)
    what = f"the home ground that {team.name} had in {year}"
    return what, ground.id, _wiki.table_row(team.name, 4 + at, [ground.name])


def _building(d: Draw) -> tuple[str, int, Reading]:
    known = _wiki.facts(d)
    building = d.some(known.buildings)
    by = [each for each in known.buildings if each.architect == building.architect]
    d.need(len(by) > 1 and sum(each.opened == building.opened for each in by) == 1)
    place = _wiki.place(d, building.place)
    works = sum(each.author == building.architect for each in known.works)
    position = 3 + works + by.index(building)
    what = f"the building by {building.architect} that was opened in {building.opened}"
    reading = _wiki.table_row(building.architect, position, [place.name], or_article=place.name)
    return what, place.id, reading


def _short(d: Draw) -> tuple[str, int, Reading]:
    letters, place = d.some([*_wiki.facts(d).short.items()])
    return f"{letters} (an abbreviation)", place.id, _wiki.article(letters, [place.name])


FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    sites=_wiki.SITES,
    templates=("webarena:371",),
    LEVEL=2,
    size="medium",
    carries=True,
)
