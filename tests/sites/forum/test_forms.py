"""Bad input through the pages: limits, wrong users, foreign rows; recorded rows stay."""

from __future__ import annotations

import pytest

from tests.sites.forum.conftest import SKINS


@pytest.fixture
def harbor(visit):
    return visit("harbor")


def rows(visit):
    """Everything that a visit can change, apart from the journal."""
    tables = "users", "forums", "subscriptions", "submissions", "comments", "votes"
    return {each: visit.world.read(f"SELECT * FROM {each}") for each in tables}


def forum(visit):
    return visit.one("SELECT name FROM forums ORDER BY name")["name"]


def post(visit, author="!="):
    sql = f"SELECT * FROM submissions WHERE author {author} ?"
    return visit.one(sql, visit.me)


LONG = "x" * 5_000
WRONG = {
    "no title": ("submit", {"title": "  ", "url": "", "body": "B"}, "Title: fill this in."),
    "a long title": ("submit", {"title": "x" * 151, "url": "", "body": ""}, "at most 150"),
    "a long body": ("submit", {"title": "T", "url": "", "body": LONG}, "at most 4000"),
    "a script as address": ("submit", {"title": "T", "url": "javascript:a", "body": ""}, "address"),
    "a forum that is not there": (
        "submit",
        {"forum": "nowhere", "title": "T", "url": "", "body": ""},
        "choose one of the list",
    ),
}


@pytest.mark.parametrize("why", WRONG)
def test_a_wrong_field_is_named_and_the_text_is_kept(harbor, why):
    form, values, sentence = WRONG[why]
    before = rows(harbor)
    response = harbor.send(form, "submit", {"forum": forum(harbor), **values})
    assert response.status_code == 400
    assert sentence in response.text
    assert rows(harbor) == before
    kept = values["body"] or values["title"]
    assert kept.strip() in response.text


@pytest.mark.parametrize("skin", SKINS)
def test_a_sent_form_leads_to_what_it_made(visit, skin):
    opened = visit(skin)
    values = {"forum": forum(opened), "title": "Seven knots", "url": "", "body": "A\r\nB"}
    made = opened.client.get(opened.send("submit", "submit", values).location).text
    assert "Seven knots" in made and "A\nB" in made
    mine = opened.one("SELECT * FROM submissions WHERE title = 'Seven knots'")
    place = {"forum": mine["forum"], "id": mine["id"], "slug": mine["slug"]}
    sent = opened.send("reply", "thread", {"submission": mine["id"], "comment": "Well."}, **place)
    assert "Well." in opened.client.get(sent.location).text


def test_nobody_edits_what_belongs_to_others(harbor):
    theirs, before = post(harbor), rows(harbor)
    place = {"forum": theirs["forum"], "id": theirs["id"], "slug": theirs["slug"]}
    values = {"submission": theirs["id"], "body": "Mine now."}
    assert harbor.send("save_post", "edit_post", values, **place).status_code == 403
    values = {"user": theirs["author"], "biography": "Mine now."}
    other = {"user": theirs["author"]}
    assert harbor.send("save_bio", "edit_bio", values, **other).status_code == 403
    name = harbor.one("SELECT name FROM forums WHERE founder != ?", harbor.me)["name"]
    values = {"forum": name, "heading": "Mine", "description": "Mine", "sidebar": "Mine"}
    assert harbor.send("save_forum", "edit_forum", values, forum=name).status_code == 403
    assert rows(harbor) == before


def test_a_direction_in_the_request_does_not_count(harbor):
    """The button decides how a vote counts, not a field that somebody adds."""
    theirs = harbor.one(
        "SELECT * FROM submissions WHERE id NOT IN (SELECT submission FROM votes WHERE user = ?)",
        harbor.me,
    )
    harbor.send("upvote", "home", {"submission": theirs["id"], "choice": "-50"})
    found = harbor.one("SELECT score FROM submissions WHERE id = ?", theirs["id"])["score"]
    assert found == theirs["score"] + 1


@pytest.mark.parametrize("number", ["999999", "-1", "abc", "1; DROP TABLE votes", ""])
def test_a_row_that_is_not_there_is_not_found(harbor, number):
    before = rows(harbor)
    assert harbor.send("upvote", "home", {"submission": number}).status_code == 404
    assert rows(harbor) == before


def test_a_form_without_the_token_of_the_page_changes_nothing(harbor):
    before = rows(harbor)
    sent = {"form": "upvote", "once": "0", "submission": post(harbor)["id"], "csrf": "guess"}
    assert harbor.client.post("/", data=sent).status_code == 400
    assert rows(harbor) == before


def test_ten_megabytes_are_refused(harbor):
    values = {"forum": forum(harbor), "title": "T", "url": "", "body": "x" * 10_000_000}
    assert harbor.send("submit", "submit", values).status_code == 413


def test_a_name_that_exists_is_refused_with_a_sentence(harbor):
    values = {"name": forum(harbor), "heading": "", "description": "Again.", "sidebar": ""}
    response = harbor.send("create", "create_forum", values)
    assert response.status_code == 400 and "Choose another name." in response.text
