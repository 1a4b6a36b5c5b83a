"""Create a group with members."""

from scenarios.codehost._projects import another, listed, with_roles
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import VISIBILITIES, create_group, invite_to_group
from sites.codehost.texts import HUES, OBJECTS

WORDINGS = (
    "Create the group {team} ({visibility}) with the group name “{heading}”. Members: {people}.",
    (
        "Found a group. Path: {team}. Name: “{heading}”. Visibility: {visibility}. Invite {people}"
        " into it."
    ),
    (
        "I need a group called “{heading}” at the path {team}, with the visibility {visibility}."
        " It has as members {people}."
    ),
    "Make a group for {people}: its path is {team}, its name “{heading}”, and it is {visibility}.",
)
KINDS = "club", "crew", "circle", "guild", "team", "workshop"


def draw(d: Draw) -> Right:
    """Draw a path that nobody has, a name, a visibility and one to three members."""
    hue, kind, thing = d.some(HUES), d.some(KINDS), d.some(OBJECTS)
    team, heading, visibility = f"{hue}-{thing}-{kind}", f"{hue} {kind}", d.some(VISIBILITIES)
    people = with_roles(d, d.rng.randint(1, 3))
    joins = [invite_to_group(team, *each) for each in people.items()]
    stranger = d.pick("SELECT name FROM users WHERE name != ?", d.me).name
    d.need(stranger not in people)
    others = [invite_to_group(team, stranger, role) for role in people.values()]
    seen = create_group(team, heading.title(), another(d, VISIBILITIES, visibility))
    made = create_group(team, heading.title(), visibility)
    return Right(
        {"team": team, "heading": heading.title(), "visibility": visibility,
         "people": listed(people)},
        do=[made, *joins],
        instead={
            "another visibility": [seen, *joins[:-1]],
            "without members": [made],
            "another member": [made, *others[:1], *joins[1:]],
            "one member too many": [made, *joins, others[0]],
        },
    )  # fmt: skip


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:600",))
