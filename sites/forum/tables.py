"""The tables of the forum, and the queries by which its pages read them."""

from __future__ import annotations

from sites._kit.declare import Table

TABLES = (
    Table("users", "name TEXT PRIMARY KEY, joined REAL, biography TEXT", ("name",)),
    Table(
        "forums",
        "name TEXT PRIMARY KEY, heading TEXT, description TEXT, sidebar TEXT, founder TEXT",
        ("name",),
    ),
    Table(
        "subscriptions",
        "user TEXT, forum TEXT, PRIMARY KEY (user, forum)",
        ("user", "forum"),
        index=("forum",),
    ),
    Table(
        "submissions",
        "id INTEGER PRIMARY KEY, forum TEXT, author TEXT, kind TEXT, title TEXT, slug TEXT,"
        " url TEXT, body TEXT, at REAL, score INTEGER, comments INTEGER, active REAL",
        ("id",),
        drawn=("id", "at", "comments", "active"),
        index=("forum, at", "author", "at"),
    ),
    Table(
        "comments",
        "id INTEGER PRIMARY KEY, submission INTEGER, parent INTEGER, path TEXT, author TEXT,"
        " body TEXT, at REAL, score INTEGER",
        ("id",),
        drawn=("id", "at", "path"),
        index=("submission, path", "author"),
    ),
    Table(
        "votes",
        "user TEXT, submission INTEGER, choice INTEGER, PRIMARY KEY (user, submission)",
        ("user", "submission"),
    ),
    Table(
        "commentvotes",
        "user TEXT, comment INTEGER, choice INTEGER, PRIMARY KEY (user, comment)",
        ("user", "comment"),
    ),
)
POSTS = """
SELECT s.*, s.author AS user, s.author = :me AS mine,
  coalesce((SELECT choice FROM votes v WHERE v.user = :me AND v.submission = s.id), 0) AS voted
FROM submissions s"""
FORUMS = """
SELECT f.*, f.name AS forum, f.founder = :me AS mine,
  (SELECT count(*) FROM submissions s WHERE s.forum = f.name) AS posts,
  (SELECT count(*) FROM subscriptions s WHERE s.forum = f.name) AS members,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.forum = f.name AND s.user = :me) AS subscribed
FROM forums f"""
COMMENTS = """
SELECT c.id AS cid, c.submission, c.body, c.at, c.score, c.parent, c.path,
  (length(c.path) + 1) / 7 AS level, c.author AS user, s.id, s.forum, s.slug, s.title,
  coalesce((SELECT choice FROM commentvotes v WHERE v.user = :me AND v.comment = c.id), 0) AS voted
FROM comments c JOIN submissions s ON s.id = c.submission"""
USERS = """
SELECT u.*, u.name AS user, u.name = :me AS mine,
  (SELECT count(*) FROM submissions s WHERE s.author = u.name) AS posts,
  (SELECT count(*) FROM comments c WHERE c.author = u.name) AS comments
FROM users u"""
POST_ORDERS = {
    "hot": "score + at / 43200 DESC, id",
    "new": "at DESC, id",
    "active": "active DESC, id",
    "top": "score DESC, id",
    "disputed": "comments * 1.0 / (abs(score) + 5) DESC, id",
}
"""The orders of a list of posts. A day makes up for two points in `hot`."""
COMMENT_ORDERS = {"old": "path", "top": "score DESC, cid", "new": "at DESC, cid"}
FORUM_ORDERS = {"members": "members DESC, name", "name": "name"}
USER_ORDERS = {"name": "name", "posts": "posts DESC, name"}
FORUM_NAMES = "SELECT name FROM forums ORDER BY name"
PERSONAS = "SELECT name FROM users WHERE name IN (SELECT author FROM submissions)"
"""The users who may be signed in."""
