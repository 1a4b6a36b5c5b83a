"""Post in a forum what the code host shows of a project: its description, or its name."""

from difflib import SequenceMatcher

from scenarios.kit import Draw, Family, Reading, Right, path_step
from sites.forum.operations import submit
from sites.kit import Place

WORDINGS = (
    "In the forum {forum}, post “{title}”; its body is {what} on the code host, and nothing else.",
    "Write a post “{title}” in {forum}. Its body is just {what}, as the code host shows it.",
    "Look up {what} on the code host, and submit it to {forum} as the whole body of “{title}”.",
    "Make a post “{title}” in the forum {forum}, with {what} from the code host as its whole body.",
)
SEEN = "SELECT * FROM projects WHERE visibility != 'private' AND origin = ''"


def draw(d: Draw) -> Right:
    """Draw a project of the code host; the task gives its name or its description."""
    projects = d.beside("codehost", SEEN)
    project, by_name = d.some(projects), d.rng.random() < 0.5
    others = [each for each in projects if each != project]
    about = project.description
    near = max(others, key=lambda each: SequenceMatcher(None, each.description, about).ratio())
    forum, wrong = (each.name for each in d.rng.sample(d.all("SELECT name FROM forums"), 2))
    title = f"Worth a try, no. {d.rng.randint(2, 900)}"
    what = f"owner/name of the project that is described as “{project.description}”"
    what = f"the description of the project {project.path}" if by_name else what
    body, other = (each.description if by_name else each.path for each in (project, near))
    place = Place.of("project", {"ns": project.ns, "slug": project.slug})
    shown = [[{"shows": f"project {project.ns} {project.slug}"}]]
    return Right(
        {"forum": forum, "title": title, "what": what},
        beside=[Reading("codehost", [path_step(place)], shown, [body])],
        do=[submit(forum, title, body)],
        instead={
            "of another project": [submit(forum, title, other)],
            "in another forum": [submit(wrong, title, body)],
            "as the README has it": [submit(forum, title, f"{body}.")],
            "a part of it": [submit(forum, title, body.split("/")[-1].split(" for ")[0])],
        },
    )


SITES, TEMPLATES = ("forum", "codehost"), ("webarena:116", "webarena:117")
FAMILY = Family(__file__, draw, WORDINGS, sites=SITES, templates=TEMPLATES, carries=True)
