"""Create a project, in half of the seeds with members."""

from scenarios.codehost._projects import PLACES, another, listed, with_roles
from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import VISIBILITIES, create_project, invite
from sites.codehost.texts import HUES, KINDS, TEMPLATES

WORDINGS = (
    (
        "Create the {visibility} project {slug} in {place}, from the template “{template}” and"
        " without a description. Members besides me: {people}."
    ),
    (
        "Set up a new project in {place}. Its name: {slug}. Its visibility: {visibility}. Its"
        " template: “{template}”. Its description: none. People to invite: {people}."
    ),
    (
        "I need a project {slug} in {place} that is {visibility} and begins with the template"
        " “{template}”. Leave the description empty. People with a role in it: {people}."
    ),
    (
        "Start {slug} in {place}: {visibility}, nothing as the description, and the template"
        " “{template}”. These join me there: {people}."
    ),
)


def draw(d: Draw) -> Right:
    """Draw a free name, the choices of the form, and the members."""
    place, visibility, template = d.pick(PLACES, d.me, d.me), d.some(VISIBILITIES), d.some(KNOWN)
    slug = f"{d.some(HUES)}-{d.some(KINDS).replace(' ', '-')}"
    people = with_roles(d, d.some((0, 0, 1, 2)))
    joins = [invite(f"{place.name}/{slug}", *each) for each in people.items()]
    made = create_project(place.name, slug, visibility, template)
    seen = create_project(place.name, slug, another(d, VISIBILITIES, visibility), template)
    other = create_project(place.name, slug, visibility, another(d, KNOWN, template))
    return Right(
        {"place": place.words, "slug": slug, "visibility": visibility, "template": template,
         "people": listed(people) or "none"},
        do=[made, *joins],
        instead={
            "another visibility": [seen, *joins[:-1]],
            "another template": [other, *joins[:-1]],
        },
    )  # fmt: skip


KNOWN = tuple(TEMPLATES)
TAGS = ("webarena:292", "webarena:332", "webarena:2100")
FAMILY = Family(__file__, draw, WORDINGS, templates=TAGS)
