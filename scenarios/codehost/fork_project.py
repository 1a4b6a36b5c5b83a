"""Fork a project, or all projects of a user, into a namespace."""

from scenarios.codehost._projects import PLACES, by_full_name
from scenarios.kit import Draw, Family, Found, Right
from sites.codehost.operations import NOW, fork
from sites.codehost.texts import HUES, KINDS

WORDINGS = (
    "Fork {projects} into {place}, {names}.",
    "I need {projects} as a fork in {place}, {names}.",
    "Into {place}: a fork of {projects}, {names}.",
    "With {place} as the namespace, fork {projects}, {names}.",
)
SEEN = """SELECT p.* FROM projects p WHERE p.ns = ? AND (p.visibility != 'private'
  OR EXISTS (SELECT 1 FROM members m WHERE m.project = p.path AND m.user = ?)) ORDER BY p.path"""


def draw(d: Draw) -> Right:
    """Draw a project with an old or a new name, or a user with two or three, and a place."""
    owners = [each.ns for each in d.all("SELECT ns FROM projects")]
    owner, place = by_full_name(d, owners), d.pick(PLACES, d.me, d.me)
    found, is_one = d.all(SEEN, owner.name, d.me), d.rng.random() < 0.5
    d.need(1 <= len(found) <= 3 and (is_one or len(found) > 1))
    wanted = [d.some(found)] if is_one else found
    copied = _planted(d, wanted[0], place.name, owner.name)
    slug = f"{d.some(HUES)}-{d.some(KINDS).replace(' ', '-')}"
    is_renamed = is_one and d.rng.random() < 0.5
    first = slug if is_renamed else wanted[0].slug
    rest = [fork(each.path, place.name, each.slug) for each in wanted[1:]]
    do = [fork(wanted[0].path, place.name, first), *rest]
    more = [fork(e.path, place.name, e.slug) for e in found if is_one and e != wanted[0]]
    people = [d.page("users", owner.name, q=owner.full), d.page("user", user=owner.name)]
    return Right(
        {
            "projects": wanted[0].path
            if is_one
            else f"every project in the namespace of {owner.full}",
            "place": place.words,
            "names": f"under the name {slug}" if is_renamed else "keeping the name",
        },
        do=do,
        via=[] if is_one else people,
        instead={
            "the fork of it": [fork(copied, place.name, first), *rest],
            **({"all of them": [*do, *more]} if more else {}),
        },
    )


def _planted(d: Draw, project: Found, *taken: str) -> str:
    """Add a fork of a project that somebody else has, and return its path."""
    others = "SELECT name FROM users WHERE name NOT IN (?, ?, ?)"
    user = d.pick(others, d.me, *taken).name
    path = f"{user}/{project.slug}"
    d.need(not d.all("SELECT 1 FROM projects WHERE path = ?", path))
    own = {"path": path, "ns": user, "visibility": "public", "origin": project.path, "made": NOW}
    d.plant("projects", **{**project, **own})
    d.plant("branches", project=path, name=project.main, since=0)
    d.plant("members", project=path, user=user, role="Owner")
    return path


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:352",), carries=True)
