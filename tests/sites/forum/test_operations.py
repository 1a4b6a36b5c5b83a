"""Each operation changes these rows and no others, and refuses what it must."""

from __future__ import annotations

import pytest

from sites.forum import operations as do
from sites.forum.site import OPERATIONS
from sites.kit import GONE, NEW, Invalid
from sites.site_app import Refusal


@pytest.fixture
def harbor(visit):
    return visit("harbor")


def other(visit):
    """A submission of somebody else on which the user has not voted."""
    return visit.one(
        "SELECT * FROM submissions WHERE author != ? AND comments > 1 AND id NOT IN"
        " (SELECT submission FROM votes WHERE user = ?)",
        *[visit.me] * 2,
    )


def test_vote(harbor):
    post = other(harbor)
    key = f"{harbor.me}/{post['id']}"
    vote = [("votes", key, "choice", 1), ("votes", key, "submission", post["id"])]
    vote += [("votes", key, "user", harbor.me)]
    score = ("submissions", str(post["id"]), "score", post["score"] + 1)
    assert harbor.run(do.vote(post["id"], 1)) == sorted([score, *vote], key=str)
    down = ("submissions", str(post["id"]), "score", post["score"] - 1)
    assert harbor.run(do.vote(post["id"], -1)) == [down, ("votes", key, "choice", -1)]
    back = ("submissions", str(post["id"]), "score", post["score"])
    assert harbor.run(do.vote(post["id"], -1)) == [back, ("votes", key, GONE, None)]


def test_vote_comment(harbor):
    comment = harbor.one("SELECT * FROM comments")
    number, me = comment["id"], harbor.me
    key, score = f"{me}/{number}", comment["score"]
    vote = {"choice": -1, "comment": number, "user": me}
    assert harbor.run(do.vote_comment(number, -1)) == sorted(
        [
            ("comments", str(number), "score", score - 1),
            *(("commentvotes", key, column, value) for column, value in vote.items()),
        ],
        key=str,
    )
    assert harbor.run(do.vote_comment(number, -1)) == sorted(
        [("commentvotes", key, GONE, None), ("comments", str(number), "score", score)], key=str
    )


def test_subscribe_and_unsubscribe(harbor):
    forum = harbor.one(
        "SELECT name FROM forums WHERE name NOT IN"
        " (SELECT forum FROM subscriptions WHERE user = ?)",
        harbor.me,
    )["name"]
    key = f"{harbor.me}/{forum}"
    assert harbor.run(do.subscribe(forum)) == [
        ("subscriptions", key, "forum", forum),
        ("subscriptions", key, "user", harbor.me),
    ]
    assert harbor.run(do.subscribe(forum)) == []
    assert harbor.run(do.unsubscribe(forum)) == [("subscriptions", key, GONE, None)]
    assert harbor.run(do.unsubscribe(forum)) == []


def test_create_forum(harbor):
    made = do.create_forum("kite_flying", "  Strings and wind. ", "Kites", "No storms.\r\nBe kind.")
    assert harbor.run(made) == [
        ("forums", "kite_flying", "description", "Strings and wind."),
        ("forums", "kite_flying", "founder", harbor.me),
        ("forums", "kite_flying", "heading", "Kites"),
        ("forums", "kite_flying", "name", "kite_flying"),
        ("forums", "kite_flying", "sidebar", "No storms.\nBe kind."),
    ]


def test_edit_forum(visit):
    forum = visit().one("SELECT * FROM forums")
    founder = visit(me=forum["founder"])
    edit = do.edit_forum(forum["name"], "Other", forum["description"], "None.")
    assert founder.run(edit) == [
        ("forums", forum["name"], "heading", "Other"),
        ("forums", forum["name"], "sidebar", "None."),
    ]


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("", "text"),
        ("https://fern-quay.example/knots", "link"),
        ("/picture/red-boat-at-dusk-7.svg", "picture"),
    ],
)
def test_submit(harbor, url, kind):
    forum = harbor.one("SELECT name FROM forums")["name"]
    wanted = {
        "author": harbor.me,
        "body": "A\nB",
        "forum": forum,
        "kind": kind,
        "score": 0,
        "slug": "a-knot",
        "title": "A  knot",
        "url": url,
    }
    wanted["title"] = "A knot"
    assert harbor.run(do.submit(forum, " A  knot", "A \r\nB\n", url)) == sorted(
        (("submissions", NEW, column, value) for column, value in wanted.items()), key=str
    )


def test_edit_post(harbor):
    post = harbor.one("SELECT * FROM submissions WHERE author = ?", harbor.me)
    change = ("submissions", str(post["id"]), "body", "New words.")
    assert harbor.run(do.edit_post(post["id"], "New words. ")) == [change]


def test_reply(harbor):
    post = other(harbor)
    wanted = {
        "author": harbor.me,
        "body": "Yes.",
        "parent": 0,
        "score": 0,
        "submission": post["id"],
    }
    assert harbor.run(do.reply(post["id"], "Yes.")) == [
        ("comments", NEW, column, value) for column, value in wanted.items()
    ]
    assert harbor.one("SELECT * FROM submissions WHERE id = ?", post["id"])["comments"] == (
        post["comments"] + 1
    )


def test_reply_to_a_comment_stands_below_it(harbor):
    above = harbor.one("SELECT * FROM comments")
    wanted = {"author": harbor.me, "body": "No.", "parent": above["id"], "score": 0}
    wanted["submission"] = above["submission"]
    assert harbor.run(do.reply(above["submission"], "No.", above["id"])) == [
        ("comments", NEW, column, value) for column, value in wanted.items()
    ]
    made = harbor.one("SELECT * FROM comments ORDER BY id DESC")
    assert made["path"].startswith(above["path"] + ".")


def test_edit_bio(harbor):
    change = ("users", harbor.me, "biography", "I row.")
    assert harbor.run(do.edit_bio(harbor.me, "I row.")) == [change]


def test_every_operation_has_a_test():
    names = {"_".join(name.split("_")[1:]) for name in globals() if name.startswith("test_")}
    tested = {each for name in names for each in name.split("_and_")}
    assert {each.name for each in OPERATIONS} <= tested


@pytest.mark.parametrize(
    "wrong",
    [
        lambda visit: do.edit_post(other(visit)["id"], "Mine now."),
        lambda visit: do.edit_bio(other(visit)["author"], "Mine now."),
        lambda visit: do.edit_forum(theirs(visit), "Mine", "Mine", "Mine"),
        lambda visit: do.reply(other(visit)["id"], "Lost.", elsewhere(visit)),
        lambda visit: do.reply(999_999, "Lost."),
        lambda visit: do.vote(999_999, 1),
        lambda visit: do.vote("1 OR 1", 1),
        lambda visit: do.vote_comment(999_999, 1),
        lambda visit: do.subscribe("no_such_forum"),
        lambda visit: do.unsubscribe("no_such_forum"),
        lambda visit: do.edit_bio("nobody", "Lost."),
    ],
)
def test_a_refused_operation_changes_nothing(harbor, wrong):
    with pytest.raises(Refusal):
        harbor.run(wrong(harbor))
    assert harbor.world.read("SELECT * FROM log_change") == []


def theirs(visit):
    return visit.one("SELECT name FROM forums WHERE founder != ?", visit.me)["name"]


def elsewhere(visit):
    """A comment on another submission than `other`."""
    sql = "SELECT id FROM comments WHERE submission != ?"
    return visit.one(sql, other(visit)["id"])["id"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (do.create_forum("no", "Too short a name."), "name"),
        (do.create_forum("Capitals", "A name with a capital."), "name"),
        (do.create_forum("<script>", "A name with signs."), "name"),
        (do.create_forum("x" * 26, "A name that is too long."), "name"),
        (do.submit("no_such_forum", "A title", ""), "forum"),
        (do.submit("FORUM", "A title", "", "javascript:alert(1)"), "url"),
        (do.submit("FORUM", "A title", "", "/picture/pink-boat-at-noon-3.svg"), "url"),
    ],
)
def test_wrong_fields_are_named(harbor, wrong, field):
    forum = harbor.one("SELECT name FROM forums")["name"]
    args = {key: forum if value == "FORUM" else value for key, value in wrong.args.items()}
    with pytest.raises(Invalid) as raised:
        harbor.run(type(wrong)(wrong.operation, args))
    assert [*raised.value.errors] == [field]


def test_a_forum_that_exists_is_not_created_again(harbor):
    forum = harbor.one("SELECT name FROM forums")["name"]
    with pytest.raises(Invalid, match="already"):
        harbor.run(do.create_forum(forum, "Again."))
