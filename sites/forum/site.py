"""The declaration of the forum: its pages, with the links, lists and forms that stand on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sites._kit.declare import Column, Do, Field, Form, Link, Listing, Page, Site
from sites._kit.skins.drawn import DrawnSkins
from sites.forum import operations as do
from sites.forum.skins import SKINS
from sites.forum.synonyms import SYNONYMS
from sites.forum.tables import (
    COMMENT_ORDERS,
    COMMENTS,
    FORUM_NAMES,
    FORUM_ORDERS,
    FORUMS,
    PERSONAS,
    POST_ORDERS,
    POSTS,
    TABLES,
    USER_ORDERS,
    USERS,
)
from sites.world import Row, World

# Forms


def is_mine(row: Row) -> bool:
    """Return whether the row belongs to the user who is signed in."""
    return bool(row["mine"])


def _voted(choice: int) -> Any:
    return lambda row: row["voted"] == choice


def _vote(name: str, choice: int) -> Form:
    """Return the form of a vote on a submission."""
    given, fixed = {"submission": "id"}, {"choice": choice}
    return Form(name, do.vote, given=given, fixed=fixed, done=_voted(choice))


def _comment_vote(name: str, choice: int) -> Form:
    """Return the form of a vote on a comment."""
    given, fixed = {"comment": "cid"}, {"choice": choice}
    return Form(name, do.vote_comment, given=given, fixed=fixed, done=_voted(choice))


VOTES = (_vote("upvote", 1), _vote("downvote", -1))
COMMENT_VOTES = (_comment_vote("upvote_comment", 1), _comment_vote("downvote_comment", -1))
SUBSCRIBE = Form(
    "subscribe",
    do.subscribe,
    given={"forum": "forum"},
    shown=lambda row: not row["subscribed"],
)
UNSUBSCRIBE = Form(
    "unsubscribe",
    do.unsubscribe,
    given={"forum": "forum"},
    shown=lambda row: bool(row["subscribed"]),
)
SUBMIT = Form(
    "submit",
    do.submit,
    (
        Field("forum", "choice", options=FORUM_NAMES),
        Field("title", most=150),
        Field("url", required=False, most=300),
        Field("body", "text", required=False, most=4000),
    ),
    follows="thread",
    commits=True,
)
EDIT_POST = Form(
    "save_post",
    do.edit_post,
    (Field("body", "text", required=False, held="body", most=4000),),
    given={"submission": "id"},
    follows="thread",
)
COMMENT = Field("comment", "text", most=4000)
REPLY = Form(
    "reply",
    do.reply,
    (COMMENT,),
    given={"submission": "id"},
    fixed={"parent": 0},
    follows="comment",
    commits=True,
)
REPLY_COMMENT = Form(
    "reply_comment",
    do.reply,
    (COMMENT,),
    given={"submission": "id", "parent": "cid"},
    follows="comment",
    commits=True,
)
FORUM_TEXTS = (
    Field("heading", required=False, held="heading", most=60),
    Field("description", "text", held="description", most=300),
    Field("sidebar", "text", required=False, held="sidebar", most=1000),
)
CREATE_FORUM = Form(
    "create",
    do.create_forum,
    (Field("name", most=25), *(replace(each, held="") for each in FORUM_TEXTS)),
    follows="forum",
    commits=True,
)
EDIT_FORUM = Form(
    "save_forum", do.edit_forum, FORUM_TEXTS, given={"forum": "forum"}, follows="forum"
)
EDIT_BIO = Form(
    "save_bio",
    do.edit_bio,
    (Field("biography", "text", required=False, held="biography", most=500),),
    given={"user": "user"},
    follows="user",
)

# Lists


def _written(*names: str) -> tuple[Column, ...]:
    """Return columns that the forum's own templates write."""
    return tuple(Column(each, ()) for each in names)


def _posts(rows: str, size: int = 15, **more: Any) -> Listing:
    """Return a list of posts."""
    links = Link("thread"), Link("forum"), Link("user")
    columns = _written("title", "about", "comments", "score")
    return Listing(rows, POST_ORDERS, links, VOTES, size=size, columns=columns, **more)


def _comments(rows: str, orders: dict[str, str], links: tuple[Link, ...], size: int) -> Listing:
    """Return a list of comments; the first of its links leads to the comment."""
    columns = _written("text", "about", "score")
    return Listing(
        rows, orders, (Link("comment"), *links), COMMENT_VOTES, size=size, columns=columns
    )


FORUM_LIST = Listing(
    FORUMS,
    FORUM_ORDERS,
    (Link("forum", "forum_row"),),
    keyword="name",
    size=10,
    columns=("name", "description", "posts", "members"),
)
USER_LIST = Listing(
    USERS,
    USER_ORDERS,
    (Link("user"),),
    keyword="name",
    size=25,
    columns=("user", "posts", "comments"),
)
IN_THREAD = _comments(COMMENTS + " WHERE c.submission = :id", COMMENT_ORDERS, (Link("user"),), 30)
OF_USER = _comments(
    COMMENTS + " WHERE c.author = :user",
    {"new": "at DESC, cid", "top": "score DESC, cid"},
    (Link("thread", "on_thread"),),
    10,
)

# Pages

PARENT = Link("comment", "parent", using={"cid": "parent"}, shown=lambda row: row["parent"] > 0)
PAGES = (
    Page("home", "/", listing=_posts(POSTS)),
    Page(
        "search",
        "/search",
        listing=_posts(POSTS, keyword="title", filters={"forum": FORUM_NAMES}),
    ),
    Page("forums", "/forums", links=(Link("create_forum"),), listing=FORUM_LIST),
    Page("users", "/users", listing=USER_LIST),
    Page("create_forum", "/create_forum", links=(Link("forums"),), forms=(CREATE_FORUM,)),
    Page("submit", "/submit", forms=(SUBMIT,)),
    Page("submit_to", "/submit/<forum>", FORUMS, ("forum",), (Link("forum"),), (SUBMIT,)),
    Page(
        "forum",
        "/f/<forum>",
        FORUMS,
        ("forum",),
        (Link("submit_to"), Link("edit_forum", shown=is_mine)),
        (SUBSCRIBE, UNSUBSCRIBE),
        _posts(POSTS + " WHERE s.forum = :forum"),
    ),
    Page("edit_forum", "/f/<forum>/edit", FORUMS, ("forum",), (Link("forum"),), (EDIT_FORUM,)),
    Page(
        "edit_post",
        "/f/<forum>/<id>/<slug>/edit",
        POSTS,
        ("id",),
        (Link("thread"),),
        (EDIT_POST,),
    ),
    Page(
        "thread",
        "/f/<forum>/<id>/<slug>",
        POSTS,
        ("id",),
        (Link("forum"), Link("user"), Link("edit_post", shown=is_mine)),
        (*VOTES, REPLY),
        IN_THREAD,
    ),
    Page(
        "comment",
        "/f/<forum>/<id>/-/comment/<cid>",
        COMMENTS,
        ("cid",),
        (Link("thread"), Link("user"), PARENT),
        (*COMMENT_VOTES, REPLY_COMMENT),
    ),
    Page(
        "user",
        "/user/<user>",
        USERS,
        ("user",),
        (Link("user_posts"), Link("user_comments"), Link("edit_bio", shown=is_mine)),
    ),
    Page(
        "user_posts",
        "/user/<user>/submissions",
        USERS,
        ("user",),
        (Link("user"), Link("user_comments")),
        listing=_posts(POSTS + " WHERE s.author = :user", 10),
    ),
    Page(
        "user_comments",
        "/user/<user>/comments",
        USERS,
        ("user",),
        (Link("user"), Link("user_posts")),
        listing=OF_USER,
    ),
    Page("edit_bio", "/user/<user>/edit_biography", USERS, ("user",), (Link("user"),), (EDIT_BIO,)),
)


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: subscribe to a forum."""
    rows = world.read(
        "SELECT name FROM forums WHERE name NOT IN"
        " (SELECT forum FROM subscriptions WHERE user = ?) ORDER BY name DESC LIMIT 1",
        (do.me(world),),
    )
    return do.subscribe(rows[0]["name"])


OPERATIONS = (
    *(do.create_forum, do.edit_forum, do.subscribe, do.unsubscribe, do.vote, do.vote_comment),
    *(do.submit, do.edit_post, do.reply, do.edit_bio),
)
DRAWN = DrawnSkins(SYNONYMS)
SITE = Site("forum", TABLES, OPERATIONS, PAGES, SKINS, "home", PERSONAS, stray, drawn=DRAWN)
