"""Preview a theme without applying it."""

from scenarios.kit import Draw, Family, Right
from sites.admin.operations import apply_theme

WORDINGS = (
    "Preview the theme {theme} for our shop, and leave the preview open.",
    "I want to see what the theme {theme} would be like. Only preview it.",
    "Open the preview of {theme} among the themes. The shop keeps its present theme.",
    "Show me the theme {theme}, but do not give it to the shop yet.",
)
NAMES = ("Harbour", "Orchard", "Lantern", "Meadow", "Copper", "Linen", "Marble", "Willow")
STYLES = ("Light", "Dark", "Wide", "Slim", "Bright", "Quiet")
ABOUT = "A {style} page in {n} columns."


def draw(d: Draw) -> Right:
    """Plant a theme and others with similar names."""
    name, styles, n = d.some(NAMES), d.rng.sample(STYLES, 3), d.rng.randint(2, 9)
    themes = [f"{name} {style} {number}" for style in styles for number in (n, n + 1)]
    for each in themes:
        about = ABOUT.format(style=each.split()[1].lower(), n=d.rng.randint(1, 4))
        d.plant("themes", name=each, about=about, applied="")
    right, *others = d.rng.sample(themes, len(themes))
    return Right(
        {"theme": right},
        end=d.page("theme", theme=right),
        instead={"applied it": [apply_theme(right)], "applied another": [apply_theme(others[0])]},
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:266",))
