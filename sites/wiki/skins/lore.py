"""Lore: an encyclopedia with the navigation at the side and cards."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "topic": "Fields", "article": "entries", "search": "Find",
    "watch list": "Bookmarks",
}  # fmt: skip
SKIN = Skin(
    "lore",
    words={
        "site": "Lore", "signed_in": "Guest {me}", "sorting": "Arrange",
        "footer": "Lore, the encyclopedia of one country.", "found": "altogether",
        "pages": "Leaves", "keyword": "Name", "apply": "Find", "menu": "Contents",
        "next": "Onward", "previous": "Back", "number": "{n}",
        "home": "Fields", "search": "Find entries", "topic": "{topic}", "article": "{title}",
        "fact_of": "{value}", "watched": "Bookmarks",
        "watch": "Bookmark this", "unwatch": "Drop the bookmark",
        "topic_label": "Field", "name_of": "{name}:", "inside_of": "{inside} entries",
        "title_home": "Fields", "title_search": "Find entries", "title_topic": "{topic}",
        "title_article": "{title}", "title_watched": "Bookmarks",
    },
    nav=tuple(map(Link, ("search", "home", "watched"))),
    look="side",
    theme="meadow",
    pager="numbers",
    size=8,
    addresses={
        "search": "/find", "topic": "/field/<topic>", "article": "/lore/<slug>",
        "watched": "/bookmarks",
    },
)  # fmt: skip
