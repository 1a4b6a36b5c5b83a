"""The base worlds: their sizes, their texts, and the same bytes in every process."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from sites.forum import SITE, load_data, texts
from sites.forum.generator import DEPTH, SIZES

TABLES = [each.name for each in SITE.tables]


def rows(size, number, table):
    return load_data().base(size, number).read(f"SELECT * FROM {table} ORDER BY 1, 2")


@pytest.mark.parametrize(("size", "count"), [("small", 2_000), ("medium", 19_000)])
def test_a_base_world_has_its_rows(size, count):
    counts = {each: len(rows(size, 0, each)) for each in TABLES}
    assert counts["submissions"] == SIZES[size].posts
    assert count <= sum(counts.values()) <= 1.2 * count


def test_the_bytes_of_a_base_world_are_fixed():
    """A change of this digest changes every scenario of the forum: say it in CHANGELOG."""
    found = json.dumps(
        [rows("small", number, each) for number in range(load_data().bases) for each in TABLES]
    )
    assert sha256(found.encode()).hexdigest()[:16] == "51974c761db3ed4b"


def test_counters_agree_with_the_rows():
    world = load_data().base("small", 1)
    for post in world.read("SELECT id, comments, active, at FROM submissions"):
        sql = "SELECT count(*) AS n, max(at) AS last FROM comments WHERE submission = ?"
        found = world.read(sql, (post["id"],))[0]
        assert post["comments"] == found["n"]
        assert post["active"] == (found["last"] or post["at"])


def test_comments_are_trees_of_six_levels():
    levels = {each["path"].count(".") + 1 for each in rows("small", 0, "comments")}
    assert levels == set(range(1, DEPTH + 1))


def test_no_two_topics_share_a_thing_and_each_is_in_one_description():
    assert len(set(texts.THINGS)) == len(texts.THINGS)
    described = [each["description"] for each in rows("medium", 0, "forums")]
    for topic in texts.TOPICS.values():
        assert any(all(thing in each for thing in topic.things) for each in described)


def test_a_page_reads_like_a_forum():
    """No body occurs often, titles are unique, and names differ by an ending alone."""
    posts = rows("medium", 0, "submissions")
    bodies = [each["body"] for each in posts if each["kind"] == "text"]
    assert len({each["title"] for each in posts}) == len(posts)
    assert len(set(bodies)) > 0.98 * len(bodies)
    comments = [each["body"] for each in rows("medium", 0, "comments")]
    assert len(set(comments)) > 0.5 * len(comments)
    names = {each["name"] for each in rows("medium", 0, "users")}
    assert sum(each.rstrip("0123456789") in names - {each} for each in names) > 10
