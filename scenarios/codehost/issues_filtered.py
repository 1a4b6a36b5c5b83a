"""Leave a list of a project's open issues open: all, or those with a label that is described."""

from scenarios.codehost._projects import place, some_project
from scenarios.kit import Draw, Family, Right

WORDINGS = (
    "Show me the open issues of {project} {which}, {order}.",
    "Bring up the open issues {which} in the project {project}, {order}.",
    "In {project}, I want to look at the open issues {which}, {order}.",
    "Leave the list of open issues of {project} {which} on the screen, {order}.",
)
ORDERS = {
    "new": "with the newest first",
    "updated": "with the one that was updated last first",
    "title": "by title",
}
MEANT = "with the label that stands for “{}”"
LABELS = """SELECT l.* FROM labels l JOIN issue_labels x ON x.label = l.name
  JOIN issues i ON i.id = x.issue AND i.project = l.project
  WHERE l.project = ? AND i.state = 'open'"""


def draw(d: Draw) -> Right:
    """Draw a project, an order, and mostly a label that open issues have."""
    project, order = some_project(d), d.some([*ORDERS])
    page, which, label = "issues", "with any label or none", {}
    if order == "new" or d.rng.random() < 0.6:
        held = d.pick(LABELS, project.path)
        page, which, label = "labelled", MEANT.format(held.meaning), {"label": held.name}
    end = d.page(page, **place(project), **label, sort=order)
    slots = {"project": project.path, "which": which, "order": ORDERS[order]}
    return Right(slots, end=end)


TEMPLATES = "webarena:299", "webarena:300", "webarena:349"
FAMILY = Family(__file__, draw, WORDINGS, templates=TEMPLATES)
