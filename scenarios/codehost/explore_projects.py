"""Leave a list of all projects open that was searched and sorted."""

from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Explore all projects: show those with “{word}” in the path, {order}.",
    "Among the projects that one can explore, search for “{word}” and sort them {order}.",
    "Leave the page to explore projects open, {order}, with only paths that contain “{word}”.",
    "Show me the list of all projects, and not only of mine, with “{word}” in the path, {order}.",
    "Which projects of all people have “{word}” in the path? List them {order}.",
    "I would like to explore projects with a path in which “{word}” stands, {order}.",
    "Open the list in which all projects can be explored; search it for “{word}”, {order}.",
    "A path with “{word}” in it: which projects have one? Show me the list, {order}.",
)
ORDERS = {
    "stars": "with the most stars first",
    "name": "by name",
    "new": "with the one that was created last first",
}
PATHS = "SELECT path, ns, slug FROM projects WHERE visibility != 'private'"


def draw(d: Draw) -> Right:
    """Draw an order, and a part of a path, mostly of several paths."""
    found, order = d.all(PATHS), d.some([*ORDERS])
    one = d.some(found)
    d.need("." in one.ns or d.rng.random() < 0.3)  # there are few groups
    word = d.some([one.ns, one.ns, d.some(one.slug.split("-"))])
    d.need(sum(word in each.path for each in found) > 1 or d.rng.random() < 0.4)
    end = d.page("explore", q=word, sort=order)
    return Right({"word": word, "order": ORDERS[order]}, end=end)


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:325",), size="medium")
