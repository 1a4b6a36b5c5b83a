"""The tables of the encyclopedia, and the queries by which its pages read them."""

from __future__ import annotations

from sites._kit.declare import Table

TABLES = (
    Table("readers", "name TEXT PRIMARY KEY", ("name",)),
    Table(
        "articles",
        "slug TEXT PRIMARY KEY, title TEXT, topic TEXT, lead TEXT",
        ("slug",),
        index=("topic", "title"),
    ),
    Table(
        "facts",
        "slug TEXT, position INTEGER, name TEXT, value TEXT, target TEXT,"
        " PRIMARY KEY (slug, position)",
        ("slug", "position"),
        about={"slug": "articles"},
    ),
    Table(
        "watches",
        "reader TEXT, article TEXT, PRIMARY KEY (reader, article)",
        ("reader", "article"),
        about={"article": "articles"},
    ),
)
ARTICLES = """
SELECT a.slug, a.title, a.topic, a.lead,
  EXISTS (SELECT 1 FROM watches w WHERE w.article = a.slug AND w.reader = :me) AS watched
FROM articles a"""
TOPICS = """
SELECT a.topic, a.topic AS heading, count(*) AS inside FROM articles a GROUP BY a.topic"""
FACTS = """
SELECT f.slug AS article, f.position, f.name, f.value, f.target,
  CASE f.target WHEN '' THEN f.value END AS bare
FROM facts f"""
WATCHED = ARTICLES + " JOIN watches w ON w.article = a.slug AND w.reader = :me"
TOPIC_NAMES = "SELECT DISTINCT topic FROM articles ORDER BY topic"
PERSONAS = "SELECT name FROM readers"
