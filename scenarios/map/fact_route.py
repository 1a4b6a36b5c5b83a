"""Leave the directions to the ground open on which a team played in a year."""

from scenarios.kit import Draw, Family, Right
from scenarios.map import _wiki
from scenarios.map._places import MODES, way
from scenarios.places import NAMED

WORDINGS = (
    (
        "Show the way {how} from {start} to the ground on which {team} played at home in {year}. "
        "The wiki tells which one that was."
    ),
    (
        "In the wiki, find the home ground of {team} in {year}. Then leave the directions open "
        "that lead {how} from {start} to it."
    ),
    (
        "{team} had another home ground in {year} than today, or the same one; the wiki knows. "
        "Open the directions {how} from {start} to it."
    ),
    (
        "Get directions {how} from {start} to the home ground that {team} had in {year}, "
        "according to the wiki."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a team, a year in the middle of a stay on a ground, a start and a mode."""
    team = d.some(_wiki.facts(d).teams)
    grounds = [*reversed(team.grounds)]
    at = d.rng.randrange(len(grounds))
    ground = _wiki.place(d, grounds[at].place)
    d.need(grounds[at].until - grounds[at].since >= 4)
    year = d.rng.randint(grounds[at].since + 2, grounds[at].until - 2)
    start, mode = d.pick(NAMED), d.some([*MODES])
    d.need(start.id != ground.id)
    lead = "" if at else team.name  # the first lines of the article tell the present ground
    reading = _wiki.table_row(team.name, 4 + at, [ground.name], or_article=lead)
    return Right(
        {"team": team.name, "year": year, "start": start.label, "how": MODES[mode]},
        beside=[reading],
        end=way(d, start, ground, mode).page,
    )


FAMILY = Family(
    __file__,
    draw,
    WORDINGS,
    sites=_wiki.SITES,
    templates=("webarena:42", "webarena:49", "webarena:51", "webarena:94"),
    LEVEL=2,
    size="medium",
    carries=True,
)
