"""The words that make up the rows of the code host: people, projects, files and sentences."""

from __future__ import annotations

from collections.abc import Mapping

FIRST = (
    "Abena", "Aino", "Bram", "Carmen", "Dilan", "Edda", "Farid", "Greta", "Hanna", "Ilya", "Jonas",
    "Kavya", "Lena", "Mateo", "Nadia", "Oskar", "Paula", "Quinn", "Rosa", "Samir", "Tilda", "Umar",
    "Vera", "Wanda", "Yusuf", "Zofia",
)  # fmt: skip
LAST = (
    "Alder", "Bergman", "Castell", "Drummond", "Eklund", "Fenwick", "Galloway", "Hartwell",
    "Ivarsen", "Jansky", "Keller", "Lindqvist", "Marlow", "Norwood", "Okafor", "Penrose",
    "Quimby", "Rasmusen", "Sterling", "Thornley", "Ullman", "Vance", "Whitfield", "Yardley",
)  # fmt: skip
HOSTS = "post.example", "mailbox.example", "inbox.example"
OWN_HOST = "noreply.codehost.example"
ZONES = (-28_800, -18_000, -18_000, -10_800, 3_600, 7_200, 28_800, 36_000)
"""The distances of the users' zones from UTC, in seconds."""
HUES = (
    "amber", "cobalt", "coral", "ivory", "jade", "lilac", "ochre", "olive", "plum", "russet",
    "silver", "teal",
)  # fmt: skip
OBJECTS = (
    "anvil", "beacon", "compass", "drawer", "ember", "ferry", "garden", "harbour", "inkwell",
    "ladder", "meadow", "needle", "orchard", "pebble",
)  # fmt: skip
KINDS = (
    "time tracker", "recipe planner", "photo sorter", "receipt printer", "chess clock",
    "plant diary", "radio tuner", "quiz maker", "tide table", "budget sheet", "seat planner",
    "word counter",
)  # fmt: skip
CROWDS = (
    "small teams", "night workers", "schools", "gardeners", "choirs", "libraries", "cyclists",
    "volunteers", "travellers", "museums",
)  # fmt: skip
TEAMS = (
    ("north-lab", "North Lab"), ("open-pier", "Open Pier"), ("quiet-tools", "Quiet Tools"),
    ("blue-kite", "Blue Kite"), ("stonebridge", "Stonebridge"), ("paper-crane", "Paper Crane"),
    ("third-floor", "Third Floor"), ("long-field", "Long Field"), ("red-thread", "Red Thread"),
    ("old-mill", "Old Mill"), ("windrose", "Windrose"), ("half-moon", "Half Moon"),
)  # fmt: skip
PARTS = (
    "login page", "search box", "settings menu", "export", "import", "calendar view", "printing",
    "start page", "undo button", "sorting", "side bar", "colour theme", "address form",
    "keyboard shortcuts", "backup", "loading screen", "error message", "file picker", "footer",
    "sign-up form", "page numbers", "help text",
)  # fmt: skip
CHANGES = (
    "Fix the {part}", "Simplify the {part}", "Test the {part}", "Rename parts of the {part}",
    "Speed up the {part}", "Document the {part}", "Clean up the {part}", "Translate the {part}",
    "Rewrite the {part}", "Repair the {part} on phones", "Remove old code of the {part}",
)  # fmt: skip
TROUBLES = (
    "The {part} is slow with {n} entries", "The {part} loses {n} entries",
    "Wrong colours in the {part}", "The {part} does not open on phones",
    "Add a dark version of the {part}", "The {part} forgets its state",
    "Explain the {part} better", "The {part} fails after {n} minutes",
    "Make the {part} work without a mouse", "The {part} shows an old date",
)  # fmt: skip
REPORTS = (
    "I saw this on version 1.{n}.", "It happens every time.", "It happens about once a day.",
    "A colleague sees the same.", "The last version did not do this.", "There is no message.",
    "Reloading the page helps.", "I can help to test a change.", "I would like to use this daily.",
)  # fmt: skip
REMARKS = (
    "I can look at it tomorrow.", "This needs a test first.", "Which version do you use?",
    "The same for me on version 1.{n}.", "Please rebase this on the main branch.",
    "Two small comments, otherwise fine.", "I have pushed the change you asked for.",
    "Could you add a line to the notes?", "Let us wait for the next release.",
)  # fmt: skip
LABELS = (
    ("bug", "Something does not work"), ("feature", "A wish for something new"),
    ("question", "Somebody wants to know something"), ("docs", "The handbook has to change"),
    ("speed", "Something takes too long"), ("design", "Something does not look right"),
    ("safety", "Somebody could do harm with it"), ("testing", "A test is missing or wrong"),
    ("beginners", "A good start for newcomers"), ("blocked", "It waits for somebody else"),
)  # fmt: skip
MILESTONES = "Spring release", "Summer release", "Autumn release", "Winter release", "First draft"
BRANCHES = (
    "fix-printing", "new-calendar", "faster-search", "dark-theme", "phone-layout", "trial",
    "tidy-tests", "short-names",
)  # fmt: skip
TODOS = "assigned you the issue", "asked you to review the merge request", "mentioned you in"
STATUSES = (
    "", "", "", "Reading reviews", "Out of office until Monday", "At a conference", "Writing tests",
)  # fmt: skip
LICENCES = "Open Orchard Licence 2.0", "Free Harbour Licence", "Plain Sharing Licence 1.1"
README = (
    "# {slug}\n\nA {kind} for {crowd}.\n\n## Start\n\nRun `make` and open the page {page}.\n\n"
    "## Status\n\nVersion 1.{n}. Questions belong into an issue."
)
HTML = (
    "<html>\n<head><title>{slug}</title></head>\n<body>\n<h1>Welcome to {slug}</h1>\n</body>\n"
    "</html>"
)
TEMPLATES: Mapping[str, Mapping[str, str]] = {
    "blank": {},
    "with a README": {"README.md": "# {name}"},
    "web page": {
        "README.md": "# {name}\n\nA web page.",
        "index.html": "<html>\n<body>\n<h1>{name}</h1>\n</body>\n</html>",
    },
    "phone app": {"README.md": "# {name}\n\nAn app.", "app/main.txt": "start {name}"},
}
"""The templates of a new project, each with the texts of its files."""
