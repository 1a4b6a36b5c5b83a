"""Star the projects that have the most stars."""

from scenarios.kit import Draw, Family, Right
from sites.codehost.operations import star, unstar

WORDINGS = (
    "Star the {n} projects with the most stars, of all that I can explore.",
    "Give my star to each of the {n} most starred projects; one that has it already keeps it.",
    "Which {n} projects have the most stars? See to it that each of these has mine, too.",
    "Sort all projects by their stars. In the end, each of the first {n} should have my star.",
)
RANKED = """SELECT p.path, count(*) AS stars, max(s.user = ?) AS starred
  FROM projects p JOIN stars s ON s.project = p.path WHERE p.visibility != 'private'
  OR EXISTS (SELECT 1 FROM members m WHERE m.project = p.path AND m.user = ?)
  OR EXISTS (SELECT 1 FROM team_members t WHERE t.team = p.ns AND t.user = ?)
  GROUP BY p.path ORDER BY stars DESC, p.path"""
PAGE = 10


def draw(d: Draw) -> Right:
    """Draw a number of projects, in a third of the seeds more than the first page has."""
    found = d.all(RANKED, d.me, d.me, d.me)
    n = d.rng.randint(2, PAGE) if d.rng.random() < 0.65 else d.rng.randint(PAGE + 1, PAGE + 4)
    first = [each for each in found[:n] if not each.starred]
    d.need(2 * len(first) >= n and (n <= PAGE or not all(e.starred for e in found[PAGE:n])))
    do, after = [star(each.path) for each in first], [e for e in found[n:] if not e.starred]
    held = [unstar(each.path) for each in found[:n] if each.starred]
    return Right(
        {"n": n},
        do=do,
        via=[d.page("explore")],
        instead={
            "one too many": [*do, star(after[0].path)],
            "the last alone": do[-1:] if len(do) > 1 else [star(after[0].path)],
            **({"took a star away": [*do, held[0]]} if held else {}),
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:354",), size="medium")
