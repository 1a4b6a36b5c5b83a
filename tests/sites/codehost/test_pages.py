"""Every page of the code host under every skin; days and clocks, branches, counters and lists."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html import unescape

import pytest
from lxml import html

from sites._kit.addresses import meet
from sites.codehost import SITE, texts
from sites.codehost.operations import NAME, NOW, TAKEN
from sites.codehost.roles import ANYONE
from sites.codehost.skins import SYNONYMS
from sites.kit import Place
from tests.sites.codehost.conftest import SKINS


def places(visit):
    """One place of each page, in a project with a role that sees all links."""
    known = visit.values()
    return {
        page.name: Place.of(page.name, {each: known[each] for each in page.args})
        for page in SITE.pages
    }


@pytest.mark.parametrize("role", [ANYONE, "Owner"])
@pytest.mark.parametrize("skin", SKINS)
def test_every_page_is_drawn_with_one_heading_and_all_its_links(visit, skin, role):
    opened = visit(skin).holding(role)
    for place in places(opened).values():
        response = opened.client.get(opened.map.url(place))
        assert response.status_code == 200, place
        assert response.text.count("<h1") == 1
        declared = {opened.map.url(to) for _, to in opened.map.links(place)}
        drawn = {unescape(each) for each in re.findall(r'<a href="([^"]*)"', response.text)}
        assert drawn == declared, place


@pytest.mark.parametrize("skin", SKINS)
def test_a_missing_row_is_not_found(visit, skin):
    opened = visit(skin).holding("Owner")
    known = opened.values()
    for page in SITE.pages:
        for arg in page.args:
            for wrong in ("nobody", "999999"):
                place = {**{each: known[each] for each in page.args}, arg: wrong}
                assert opened.open(page.name, **place).status_code == 404, (page.name, place)


def test_all_skins_have_the_same_words_and_synonyms():
    first, *others = SITE.skins
    for other in others:
        plain = {each for each in other.words if not each.startswith("col_")}
        assert plain == {each for each in first.words if not each.startswith("col_")}
    assert len({tuple(SYNONYMS[each]) for each in SKINS}) == 1


@pytest.mark.parametrize("skin", SKINS)
def test_the_word_of_each_thing_stands_on_the_pages(visit, skin):
    opened = visit(skin).holding("Owner")
    seen = "".join(opened.client.get(opened.map.url(each)).text for each in places(opened).values())
    for word in SYNONYMS[skin].values():
        assert word.casefold() in seen.casefold(), word


@pytest.mark.parametrize("skin", SKINS)
def test_no_name_of_a_group_begins_the_address_of_another_page(skin):
    addresses = [SITE.skin[skin].addresses.get(each.name, each.address) for each in SITE.pages]
    for one in addresses:
        for other in addresses:
            if one != other and meet(one, other):
                pairs = [*zip(one.split("/"), other.split("/"), strict=False)]
                apart = {word for slot, word in pairs if slot in ("<ns>", "<team>")}
                numbers = {slot for slot, _ in pairs} & {"<iid>", "<mr>"}
                words = {each for each in apart if each[:1] != "<" and NAME.fullmatch(each)}
                assert words <= TAKEN or numbers, (one, other)


@pytest.mark.parametrize("skin", SKINS)
def test_an_error_page_has_the_whole_frame_and_marks_no_link(visit, skin):
    answer = visit(skin).client.get("/nowhere")
    assert answer.status_code == 404
    assert SITE.skin[skin].words["footer"] in unescape(answer.text)
    assert "aria-current" not in answer.text


# Days and clocks


def rows(text):
    """The rows of a table, each with the head above it and the texts of its cells."""
    found, head = [], ""
    for row in html.fromstring(text).xpath("//tbody/tr"):
        cells = [" ".join(each.text_content().split()) for each in row]
        if row.get("class") == "above":
            [head] = cells
        else:
            found.append((head, *cells))
    return found


def commits(visit, branch="", number=1):
    """The rows of a page of the commits of a branch."""
    known = visit.values()
    place = {**{key: known[key] for key in ("ns", "slug")}, "branch": branch or known["branch"]}
    at = Place.of("commits", {**place, "page": number})
    return rows(visit.client.get(visit.map.url(at)).text)


def commit(visit, at, title, branch=""):
    known = visit.values()
    values = known["project"], branch or known["branch"], at, title
    visit.world.write(
        "INSERT INTO commits (project, branch, sha, author, mail, at, title)"
        " VALUES (?, ?, '00c0ffee', 'Ada Knot', 'ada@post.example', ?, ?)",
        values,
    )


@pytest.mark.parametrize("zone", sorted({*texts.ZONES, 0}))
def test_a_head_is_the_day_in_utc_and_a_clock_is_in_the_zone_of_the_viewer(foundry, zone):
    visit = foundry.holding("Guest")
    visit.world.write("UPDATE users SET zone = ? WHERE name = ?", (zone, visit.me))
    sql = (
        "SELECT at FROM commits WHERE project = ? AND branch = ? ORDER BY at DESC, id DESC LIMIT 20"
    )
    known = visit.values()
    times = [each["at"] for each in visit.world.read(sql, (known["project"], known["branch"]))]
    shown = [(day, clock) for day, _, _, clock, _ in commits(visit)]
    assert shown == [
        (
            f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}",
            f"{datetime.fromtimestamp(at + zone, UTC):%Y-%m-%d %H:%M}",
        )
        for at in times
    ]


def test_a_commit_of_the_evening_stands_below_the_next_day(foundry):
    """It was made at 21:30 in a zone five hours behind UTC, which is 02:30 of the next day."""
    visit = foundry.holding("Guest")
    visit.world.write("UPDATE users SET zone = -18000 WHERE name = ?", (visit.me,))
    commit(visit, datetime(2026, 1, 15, 2, 30, tzinfo=UTC).timestamp(), "Late work")
    [row] = [each for each in commits(visit) if each[1] == "Late work"]
    assert row == ("2026-01-15", "Late work", "Ada Knot", "2026-01-14 21:30", "00c0ffee")


def test_a_second_page_that_begins_amid_a_day_has_its_head(foundry):
    visit = foundry.holding("Guest")
    for minute in range(25):
        commit(visit, NOW - 60 * minute, f"Change {minute}")
    assert [each[:2] for each in commits(visit)] == [
        ("2026-01-15", f"Change {at}") for at in range(20)
    ]
    assert [each[:2] for each in commits(visit, number=2)][:5] == [
        ("2026-01-15", f"Change {at}") for at in range(20, 25)
    ]


# Branches


def test_a_branch_shows_the_commits_of_the_main_branch_up_to_its_start(foundry):
    visit = foundry.holding("Guest")
    known = visit.values()
    project, name, main = known["project"], known["source"], known["branch"]
    since = visit.one("SELECT since FROM branches WHERE project = ? AND name = ?", project, name)
    start = since["since"]
    commit(visit, start - 1, "Before the start")
    commit(visit, start + 1, "After the start")
    commit(visit, NOW, "On the branch", name)
    branch, on_main = every(visit, name), every(visit, main)
    assert {"Before the start", "On the branch"} <= {*branch}
    assert "After the start" not in branch
    assert {"Before the start", "After the start"} <= {*on_main}
    assert "On the branch" not in on_main
    sql = "SELECT count(*) AS n FROM commits WHERE project = ? AND branch = ?"
    own = visit.one(sql, project, name)["n"]
    before = visit.one(f"{sql} AND at <= ?", project, main, start)["n"]
    assert len(branch) == own + before
    assert len(on_main) == visit.one(sql, project, main)["n"]


def every(visit, branch):
    """The titles of all commits of a branch, page by page."""
    found, number = [], 1
    while shown := commits(visit, branch, number):
        found += [title for _, title, *_ in shown]
        number += 1
    return found


def test_files_stand_at_the_main_branch_alone(foundry):
    visit = foundry.holding("Guest")
    known = visit.values()
    place = {key: known[key] for key in ("ns", "slug", "file")}
    assert visit.open("file", **place, branch=known["branch"]).status_code == 200
    assert visit.open("file", **place, branch=known["source"]).status_code == 404


def test_two_mails_of_one_author_are_two_contributors(foundry):
    visit = foundry.holding("Guest")
    known = visit.values()
    place = {key: known[key] for key in ("ns", "slug", "branch")}
    before = number(visit.open("contributors", **place).text)
    for mail in ("ada@post.example", "ada@inbox.example", "ada@inbox.example"):
        commit(visit, NOW, "A change")
        visit.world.write("UPDATE commits SET mail = ? WHERE at = ? AND mail LIKE 'ada@post%'"
                          " AND id = (SELECT max(id) FROM commits)", (mail, NOW))  # fmt: skip
    shown = rows(visit.open("contributors", **place).text)
    own = [each[2:] for each in shown if each[1] == "Ada Knot"]
    assert sorted(own) == [("ada@inbox.example", "2"), ("ada@post.example", "1")]
    assert number(visit.open("contributors", **place).text) == before + 2


# Counters


def number(text):
    """The number of rows that a list says it has."""
    return int(re.search(r'class="count">(\d+) ', text)[1])


@pytest.mark.parametrize("size", ["small", "medium"])
def test_counters_agree_with_lists(visit, size):
    opened = visit("foundry", size=size).holding("Owner")
    known = opened.values()
    sql = "SELECT path, ns, slug, main AS branch FROM projects WHERE visibility != 'private'"
    own = [each for each in opened.world.read(sql) if each["path"] == known["project"]]
    for project in [*opened.world.read(f"{sql} LIMIT 3"), *own]:
        place = {key: project[key] for key in ("ns", "slug")}
        record = opened.map.record(Place.of("project", place))
        branch = {**place, "branch": project["branch"]}
        for page, column, args in (
            ("issues", "issues", place),
            ("requests", "requests", place),
            ("branches", "branches", place),
            ("commits", "commits", branch),
        ):
            assert number(opened.open(page, **args).text) == record[column], (page, project)
        labels = opened.map.shown(Place.of("labels", place), record).rows
        for label in labels:
            found = number(opened.open("labelled", **place, label=label["label"]).text)
            assert found == label["issues"]
        for each in opened.map.shown(Place.of("branches", place), record).rows:
            found = number(opened.open("commits", **place, branch=each["branch"]).text)
            assert found == each["commits"]


def test_counters_of_people_and_groups_agree_with_lists(foundry):
    visit = foundry.holding(ANYONE)
    known = visit.values()
    hide = "UPDATE projects SET visibility = 'private' WHERE path = ?"
    visit.world.write(hide, (known["project"],))
    for page, listed, key, columns in (
        ("groups", "group", "team", {"projects": "group", "people": "group_members"}),
        ("users", "user", "user", {"projects": "user"}),
    ):
        place = Place.of(page, {})
        for row in visit.map.shown(place, visit.map.record(place)).rows:
            for column, other in columns.items():
                found = number(visit.open(other, **{key: row[key]}).text)
                assert found == row[column], (listed, row)


def test_stars_and_followers_are_counted_at_once(foundry):
    visit = foundry.holding(ANYONE)
    known = visit.values()
    place = {key: known[key] for key in ("ns", "slug")}
    sql = "DELETE FROM stars WHERE user = ? AND project = ?"
    visit.world.write(sql, (visit.me, known["project"]))
    visit.world.write("DELETE FROM follows WHERE follower = ?", (visit.me,))
    for at, (form, page, args, sent) in enumerate(
        (
            ("star", "project", place, {"project": known["project"]}),
            ("unstar", "project", place, {"project": known["project"]}),
            ("follow", "user", {"user": known["user"]}, {"user": known["user"]}),
            ("unfollow", "user", {"user": known["user"]}, {"user": known["user"]}),
        )
    ):
        before = count(visit, page, args)
        assert visit.send(form, page, {**sent, "once": at}, **args).status_code == 303
        change = -1 if form.startswith("un") else 1
        assert count(visit, page, args) == before + change


def count(visit, page, args):
    """The number of stars or followers that a page shows."""
    found = re.search(r"Stars: (\d+)|Followers: (\d+)", visit.open(page, **args).text)
    return int(found[1] or found[2])


# Issues and merge requests


def test_closed_issues_and_merged_requests_have_pages_of_their_own(foundry):
    visit = foundry.holding("Maintainer")
    known = visit.values()
    place = {key: known[key] for key in ("ns", "slug")}
    for page, other, form, key, part in (
        ("issues", "closed_issues", "close_issue", "issue", "iid"),
        ("requests", "merged_requests", "merge", "request", "mr"),
    ):
        before = [number(visit.open(each, **place).text) for each in (page, other)]
        sent = {key: known[key], "once": 0 if key == "issue" else 1}
        visit.send(form, key, sent, **place, **{part: known[part]})
        after = [number(visit.open(each, **place).text) for each in (page, other)]
        assert after == [before[0] - 1, before[1] + 1]
    every = number(visit.open("all_issues", **place).text)
    assert every == sum(
        number(visit.open(each, **place).text) for each in ("issues", "closed_issues")
    )


def test_a_list_of_the_dashboard_has_both_states_and_a_filter(foundry):
    visit = foundry.holding(ANYONE)
    seen = "project NOT IN (SELECT path FROM projects WHERE visibility = 'private')"
    visit.world.write(f"UPDATE issues SET assignee = ? WHERE id < 40 AND {seen}", (visit.me,))
    own = visit.one("SELECT count(*) AS n FROM issues WHERE assignee = ?", visit.me)["n"]
    found = {each: number(visit.open("my_issues", state=each).text) for each in ("open", "closed")}
    assert number(visit.open("my_issues").text) == sum(found.values()) == own
    assert all(found.values())


SCRIPT = "<script>alert(1)</script> **bold** [a](javascript:b)"


def test_no_text_becomes_html(foundry):
    visit = foundry.holding("Owner")
    for table, columns in (
        ("projects", ("description",)),
        ("files", ("body",)),
        ("issues", ("title", "body", "milestone")),
        ("merge_requests", ("title", "body")),
        ("notes", ("body",)),
        ("commits", ("title", "author", "mail")),
        ("milestones", ("title",)),
        ("labels", ("meaning",)),
        ("users", ("full", "status", "website")),
        ("teams", ("heading",)),
        ("todos", ("title",)),
    ):
        for column in columns:
            visit.world.write(f"UPDATE {table} SET {column} = ?", (SCRIPT,))
    visit.world.write("UPDATE todos SET user = ?", (visit.me,))
    shown = 0
    for place in places(visit).values():
        text = visit.client.get(visit.map.url(place)).text
        assert "<script" not in text, place
        assert "javascript:b" not in "".join(re.findall(r'href="([^"]*)"', text)), place
        shown += text.count("&lt;script&gt;alert(1)&lt;/script&gt; **bold**")
    assert shown > 50
