"""The forum, declared: its tables, and its pages with what stands on them."""

from __future__ import annotations

from typing import Any

from sites._kit.declare import Do, Field, Form, Link, Listing, Page, Site, Table
from sites._kit.skins.drawn import DrawnSkins
from sites.forum import operations as do
from sites.forum.skins import SKINS
from sites.forum.synonyms import SYNONYMS
from sites.world import World

TABLES = (
    Table("users", "name TEXT PRIMARY KEY, joined REAL, biography TEXT", ("name",)),
    Table("forums", "name TEXT PRIMARY KEY, title TEXT, topic TEXT, description TEXT", ("name",)),
    Table("subscriptions", "user TEXT, forum TEXT, PRIMARY KEY (user, forum)", ("user", "forum")),
    Table("submissions", "id INTEGER PRIMARY KEY, forum TEXT, author TEXT, title TEXT, slug TEXT,"
          " body TEXT, at REAL, score INTEGER", ("id",), drawn=("id", "at"),
          index=("forum, at", "author")),
    Table("comments", "id INTEGER PRIMARY KEY, submission INTEGER, parent INTEGER, author TEXT,"
          " body TEXT, at REAL, score INTEGER", ("id",), drawn=("id", "at"),
          index=("submission", "author")),
    Table("votes", "user TEXT, submission INTEGER, choice INTEGER, PRIMARY KEY (user, submission)",
          ("user", "submission")),
)  # fmt: skip

POSTS = """
SELECT s.*, s.author AS user, s.author = :me AS mine,
  (SELECT count(*) FROM comments c WHERE c.submission = s.id) AS comments,
  coalesce((SELECT choice FROM votes v WHERE v.user = :me AND v.submission = s.id), 0) AS voted
FROM submissions s"""
FORUMS = """
SELECT f.*, f.name AS forum,
  (SELECT count(*) FROM submissions s WHERE s.forum = f.name) AS posts,
  (SELECT count(*) FROM subscriptions s WHERE s.forum = f.name) AS members,
  EXISTS (SELECT 1 FROM subscriptions s WHERE s.forum = f.name AND s.user = :me) AS subscribed
FROM forums f"""
COMMENTS = """
SELECT c.id AS cid, c.submission, c.body, c.at, c.score, c.parent, s.id, s.forum, s.slug, s.title, c.author AS user
FROM comments c JOIN submissions s ON s.id = c.submission"""
USERS = "SELECT u.*, u.name AS user, u.name = :me AS mine FROM users u"
ORDERS = {"hot": "score + at / 43200 DESC, id", "new": "at DESC, id", "top": "score DESC, id"}

UP = Form("upvote", do.vote, given={"submission": "id"}, fixed={"choice": 1},
          done=lambda row: row["voted"] == 1)  # fmt: skip
DOWN = Form("downvote", do.vote, given={"submission": "id"}, fixed={"choice": -1},
            done=lambda row: row["voted"] == -1)  # fmt: skip
JOIN = Form("subscribe", do.subscribe, given={"forum": "forum"}, shown=lambda row: not row["subscribed"])
LEAVE = Form("unsubscribe", do.unsubscribe, given={"forum": "forum"}, shown=lambda row: row["subscribed"])
WRITE = (
    Field("forum", "choice", options="SELECT name FROM forums ORDER BY name"),
    Field("title", most=150),
    Field("body", "text", required=False, most=4000),
)
SUBMIT = Form("submit", do.submit, WRITE, follows="thread")


def posts(rows: str, size: int = 20, **more: Any) -> Listing:
    return Listing(
        rows, ORDERS, (Link("thread"), Link("forum"), Link("user")), (UP, DOWN), size=size,
        columns=("title", "about", "comments", "score"), **more,
    )  # fmt: skip


PAGES = (
    Page("home", "/", listing=posts(POSTS, keyword="title",
                                    filters={"forum": "SELECT name FROM forums ORDER BY name"})),
    Page("forums", "/forums", listing=Listing(
        FORUMS, {"members": "members DESC, name", "name": "name"}, (Link("forum", "forum_row"),),
        keyword="name", columns=("name", "description", "posts", "members")), links=(Link("create_forum"),)),
    Page("create_forum", "/create_forum", forms=(
        Form("create", do.create_forum, (Field("name", most=25), Field("description", "text", most=300)),
             follows="forum"),)),
    Page("submit", "/submit", forms=(SUBMIT,)),
    Page("submit_to", "/submit/<forum>", FORUMS, ("forum",), (Link("forum"),), (SUBMIT,)),
    Page("forum", "/f/<forum>", FORUMS, ("forum",), (Link("submit_to"),), (JOIN, LEAVE),
         posts(POSTS + " WHERE s.forum = :forum")),
    Page("edit_post", "/f/<forum>/<id>/<slug>/edit", POSTS, ("id",), (Link("thread"),),
         (Form("save_post", do.edit_post, (Field("body", "text", held="body", most=4000),),
               given={"submission": "id"}, follows="thread"),)),
    Page("thread", "/f/<forum>/<id>/<slug>", POSTS, ("id",),
         (Link("forum"), Link("user"), Link("edit_post", shown=lambda row: row["mine"])),
         (UP, DOWN, Form("reply", do.reply, (Field("comment", "text", most=4000),),
                         given={"submission": "id"}, fixed={"parent": 0}, follows="comment")),
         Listing(COMMENTS + " WHERE c.submission = :id", {"old": "at, cid"},
                 (Link("comment"), Link("user")), columns=("text", "about", "score"), size=40)),
    Page("comment", "/comment/<cid>", COMMENTS, ("cid",),
         (Link("thread"), Link("user"))),
    Page("user", "/user/<user>", USERS, ("user",),
         (Link("user_posts"), Link("user_comments"),
          Link("edit_bio", shown=lambda row: row["mine"]))),
    Page("user_posts", "/user/<user>/submissions", USERS, ("user",), (Link("user"), Link("user_comments")),
         listing=posts(POSTS + " WHERE s.author = :user", 10)),
    Page("user_comments", "/user/<user>/comments", USERS, ("user",), (Link("user"), Link("user_posts")),
         listing=Listing(COMMENTS + " WHERE c.author = :user", {"new": "at DESC, cid"},
                         (Link("comment"), Link("thread", "on_thread")),
                         columns=("text", "about", "score"), size=15)),
    Page("edit_bio", "/user/<user>/edit_biography", USERS, ("user",), (Link("user"),),
         (Form("save_bio", do.edit_bio, (Field("biography", "text", held="biography", most=500),),
               given={"user": "user"}, follows="user"),)),
)  # fmt: skip


def stray(world: World) -> Do:
    """Joins the forum whose name comes first of those that were not joined."""
    sql = FORUMS.replace("f.*", "f.name")
    rows = world.read(f"SELECT * FROM ({sql}) WHERE NOT subscribed ORDER BY name", {"me": do.me(world)})
    return do.subscribe(rows[-1]["forum"])


PERSONAS = "SELECT name FROM users WHERE name IN (SELECT author FROM submissions)"
OPERATIONS = (do.create_forum, do.vote, do.subscribe, do.unsubscribe, do.submit, do.edit_post, do.reply, do.edit_bio)
SITE = Site("forum", TABLES, OPERATIONS, PAGES, SKINS, "home", PERSONAS, stray, drawn=DrawnSkins(SYNONYMS))
