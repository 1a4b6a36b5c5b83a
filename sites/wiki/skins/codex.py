"""Codex: a plain encyclopedia with a bar at the top."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "topic": "Topics",
    "article": "articles",
    "search": "Search",
    "watch list": "Watch list",
}
SKIN = Skin(
    "codex",
    words={
        "site": "Codex", "signed_in": "Reading as {me}", "sorting": "Sort by",
        "footer": "Codex, the encyclopedia of one country.", "found": "in all",
        "pages": "Pages", "keyword": "Title contains", "apply": "Search", "menu": "Menu",
        "next": "Next page", "previous": "Previous page", "number": "Page {n}",
        "home": "Topics", "search": "Search articles", "topic": "{topic}", "article": "{title}",
        "fact_of": "{value}", "watched": "Watch list",
        "watch": "Watch this article", "unwatch": "Stop watching",
        "topic_label": "Topic", "name_of": "{name}:", "inside_of": "{inside} articles",
        "title_home": "Topics", "title_search": "Search articles", "title_topic": "{topic}",
        "title_article": "{title}", "title_watched": "Watch list",
    },
    nav=tuple(map(Link, ("home", "search", "watched"))),
    look="top",
    theme="ocean",
)  # fmt: skip
