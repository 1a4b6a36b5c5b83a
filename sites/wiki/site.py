"""The declaration of the encyclopedia: its pages, with their links, lists and forms."""

from __future__ import annotations

from typing import Any

from sites._kit.declare import Column, Do, Form, Link, Listing, Page, Show, Site
from sites.wiki import operations as do
from sites.wiki import tables as of
from sites.wiki.skins import SKINS
from sites.world import Row, World


def _is_watched(row: Row) -> bool:
    return bool(row["watched"])


def _is_unwatched(row: Row) -> bool:
    return not row["watched"]


def _leads(row: Row) -> bool:
    """Return whether a fact leads to an article."""
    return bool(row["target"])


WATCH = Form("watch", do.watch, given={"article": "slug"}, shown=_is_unwatched)
UNWATCH = Form("unwatch", do.unwatch, given={"article": "slug"}, shown=_is_watched)
TITLE = Column("title", (Show("link", "article"),))


def _articles(rows: str, **more: Any) -> Listing:
    """Return a list of articles by title."""
    sorts = {"title": "title, slug"}
    return Listing(rows, sorts, (Link("article"),), columns=(TITLE, "lead"), **more)


FACTS = Listing(
    of.FACTS + " WHERE f.slug = :slug",
    {"position": "position"},
    (Link("article", "fact_of", using={"slug": "target"}, shown=_leads),),
    size=40,
    key=("article", "position"),
    columns=(
        Column("name", (Show("word", "name_of"),)),
        Column("value", (Show("link", "fact_of"), Show("text", "bare"))),
    ),
)
PAGES = (
    Page(
        "home",
        "/",
        listing=Listing(
            of.TOPICS,
            {"name": "topic"},
            (Link("topic"),),
            columns=(
                Column("title", (Show("link", "topic"),)),
                Column("inside", (Show("word", "inside_of"),)),
            ),
        ),
    ),
    Page(
        "search",
        "/search",
        listing=_articles(of.ARTICLES, filters={"topic": of.TOPIC_NAMES}, keyword="title", size=10),
    ),
    Page(
        "topic",
        "/topic/<topic>",
        of.TOPICS,
        ("topic",),
        listing=_articles(of.ARTICLES + " WHERE a.topic = :topic"),
    ),
    Page(
        "article",
        "/wiki/<slug>",
        of.ARTICLES,
        ("slug",),
        (Link("topic"),),
        (WATCH, UNWATCH),
        FACTS,
        shows=(Column("lead", (Show("text", "lead"),)),),
    ),
    Page("watched", "/watched", listing=_articles(of.WATCHED)),
)


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: watch the first article."""
    [row] = world.read("SELECT slug FROM articles ORDER BY slug LIMIT 1")
    return do.watch(row["slug"])


SITE = Site("wiki", of.TABLES, (do.watch, do.unwatch), PAGES, SKINS, "home", of.PERSONAS, stray)
