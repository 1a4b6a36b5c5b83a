"""Folio: an encyclopedia set in tables, with a menu."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "topic": "Parts",
    "article": "chapters",
    "search": "Index",
    "watch list": "Reading list",
}
SKIN = Skin(
    "folio",
    words={
        "site": "Folio", "signed_in": "Reader {me}", "sorting": "Order",
        "footer": "Folio. One volume, many chapters.", "found": "on record",
        "pages": "Sheets", "keyword": "Heading", "apply": "Consult", "menu": "Contents",
        "next": "Next sheet", "previous": "Previous sheet", "number": "Sheet {n}",
        "home": "Parts", "search": "Index", "topic": "{topic}", "article": "{title}",
        "fact_of": "{value}", "watched": "Reading list",
        "watch": "Add to the reading list", "unwatch": "Strike from the reading list",
        "topic_label": "Part", "name_of": "{name}", "inside_of": "{inside} chapters",
        "col_title": "Chapter", "col_lead": "Opening", "col_inside": "Chapters",
        "col_name": "Matter", "col_value": "Stated",
        "title_home": "Parts", "title_search": "Index", "title_topic": "{topic}",
        "title_article": "{title}", "title_watched": "Reading list",
    },
    nav=tuple(map(Link, ("watched", "home", "search"))),
    look="masthead",
    theme="slate",
    rows="table",
    menus=("nav",),
    size=12,
    addresses={
        "search": "/index", "topic": "/part/<topic>", "article": "/chapter/<slug>",
        "watched": "/reading-list",
    },
)  # fmt: skip
