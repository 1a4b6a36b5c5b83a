"""Each operation changes these rows and no others, and refuses what it must with a sentence."""

from __future__ import annotations

import pytest

from sites.codehost import SITE
from sites.codehost import operations as do
from sites.codehost.operations import NAME, NOW, TAKEN
from sites.codehost.roles import RANKS
from sites.kit import GONE, NEW, Invalid
from sites.site_app import Refusal


@pytest.fixture
def owner(foundry):
    return foundry.holding("Owner")


@pytest.fixture
def maintainer(foundry):
    return foundry.holding("Maintainer")


@pytest.fixture
def known(owner):
    return owner.values()


def new(table, key=NEW, **columns):
    """The changes that make a row."""
    return [(table, key, column, value) for column, value in columns.items()]


def member(visit, role):
    """A user to whom the project gives this role."""
    user = visit.values()["user"]
    values = visit.project()["path"], user, role
    visit.world.write("INSERT OR REPLACE INTO members VALUES (?, ?, ?)", values)
    return user


def refused(visit, call):
    """Return why an operation is refused, which changes nothing."""
    visit.world.write("DELETE FROM log_change")
    with pytest.raises(Refusal) as raised:
        visit.site.run(visit.world, call)
    assert visit.world.read("SELECT * FROM log_change") == []
    return raised.value


# Each operation


def test_create_project(owner):
    assert owner.run(
        do.create_project(owner.me, "knots", "internal", "", " Seven  knots ")
    ) == sorted(
        [
            *new(
                "projects",
                f"{owner.me}/knots",
                path=f"{owner.me}/knots",
                ns=owner.me,
                slug="knots",
                description="Seven knots",
                visibility="internal",
                main="main",
                origin="",
                template="",
            ),
            *made_member(owner, f"{owner.me}/knots"),
            *new("branches", f"{owner.me}/knots/main", project=f"{owner.me}/knots", name="main"),
        ],
        key=str,
    )


def made_member(visit, path):
    return new("members", f"{path}/{visit.me}", project=path, user=visit.me, role="Owner")


@pytest.mark.parametrize("template", do.TEMPLATES)
def test_a_template_gives_its_files_and_a_commit_for_each(owner, template):
    owner.run(do.create_project(owner.me, "knots", "public", template))
    path = f"{owner.me}/knots"
    files = owner.world.read("SELECT file, body FROM files WHERE project = ?", (path,))
    wanted = {name: text.format(name="knots") for name, text in do.TEMPLATES[template].items()}
    assert {each["file"]: each["body"] for each in files} == wanted
    commits = owner.world.read("SELECT title FROM commits WHERE project = ?", (path,))
    assert [each["title"] for each in commits] == [f"Add {name}" for name in wanted]


def test_fork(owner, known):
    """Branches, commits and files are those of the origin; issues, stars and members are not."""
    path, origin = f"{owner.me}/knots", known["project"]
    owner.run(do.fork(origin, owner.me, "knots"))
    [made] = owner.world.read("SELECT * FROM projects WHERE path = ?", (path,))
    held = owner.project()
    same = ("description", "visibility", "main")
    assert {key: made[key] for key in same} == {key: held[key] for key in same}
    assert (made["origin"], made["made"]) == (origin, NOW)
    for table, columns in (
        ("branches", "name, since"),
        ("commits", "branch, sha, author, mail, at, title"),
        ("files", "file, body, version"),
    ):
        sql = f"SELECT {columns} FROM {table} WHERE project = ? ORDER BY {columns}"
        copied = owner.world.read(sql, (path,))
        assert copied == owner.world.read(sql, (origin,))
        assert copied
    for table in ("issues", "merge_requests", "labels", "milestones", "stars"):
        assert not owner.world.read(f"SELECT 1 FROM {table} WHERE project = ?", (path,))
    assert owner.world.read("SELECT user, role FROM members WHERE project = ?", (path,)) == [
        {"user": owner.me, "role": "Owner"}
    ]


def test_create_group(owner):
    assert owner.run(do.create_group("knot-club", "Knot  Club", "private")) == sorted(
        [
            *new("teams", "knot-club", name="knot-club", heading="Knot Club", visibility="private"),
            *new(
                "team_members",
                f"knot-club/{owner.me}",
                team="knot-club",
                user=owner.me,
                role="Owner",
            ),
        ],
        key=str,
    )
    assert owner.run(do.create_project("knot-club", "knots", "private"))


def test_invite_and_set_role_and_remove_member(owner, known):
    path, user = known["project"], known["user"]
    key = f"{path}/{user}"
    assert owner.run(do.invite(path, user, "Guest")) == sorted(
        new("members", key, project=path, user=user, role="Guest"), key=str
    )
    assert owner.run(do.set_role(path, user, "Developer")) == [
        ("members", key, "role", "Developer")
    ]
    assert owner.run(do.remove_member(path, user)) == [("members", key, GONE, None)]


def test_invite_to_group(foundry):
    owner = foundry.holding("Owner", "team_members")
    team, user = owner.project()["ns"], owner.values()["user"]
    assert owner.run(do.invite_to_group(team, user, "Reporter")) == sorted(
        new("team_members", f"{team}/{user}", team=team, user=user, role="Reporter"), key=str
    )


def test_create_issue(owner, known):
    path = known["project"]
    user = member(owner, "Guest")
    last = owner.one("SELECT max(iid) AS n FROM issues WHERE project = ?", path)["n"]
    columns = {"title": "A knot", "body": "A\nB", "assignee": user, "due": "2026-03-01"}
    assert owner.run(do.create_issue(path, " A  knot", "A \r\nB\n", user, "2026-03-01")) == sorted(
        new("issues", project=path, author=owner.me, state="open", milestone="", **columns),
        key=str,
    )
    made = owner.one("SELECT * FROM issues ORDER BY id DESC")
    assert (made["iid"], made["at"], made["updated"]) == (last + 1, NOW, NOW)


def test_assign(owner, known):
    user, issue = member(owner, "Guest"), known["issue"]
    milestone = "Some day"
    owner.run(do.create_milestone(known["project"], milestone, "2026-01-01", "2026-02-01"))
    owner.run(do.assign(issue, ""))
    assert owner.run(do.assign(issue, user, "2026-03-01", milestone)) == [
        ("issues", str(issue), "assignee", user),
        ("issues", str(issue), "due", "2026-03-01"),
        ("issues", str(issue), "milestone", milestone),
    ]
    assert [each[3] for each in owner.run(do.assign(issue, ""))] == ["", "", ""]


def test_add_label(owner, known):
    issue, label = known["issue"], known["label"]
    owner.world.write("DELETE FROM issue_labels WHERE issue = ?", (issue,))
    assert owner.run(do.add_label(issue, label)) == sorted(
        new("issue_labels", f"{issue}/{label}", issue=issue, label=label), key=str
    )
    assert owner.run(do.add_label(issue, label)) == []


def test_close_issue_and_reopen_issue(owner, known):
    issue = str(known["issue"])
    assert owner.run(do.close_issue(issue)) == [("issues", issue, "state", "closed")]
    assert owner.run(do.reopen_issue(issue)) == [("issues", issue, "state", "open")]
    assert owner.run(do.reopen_issue(issue)) == []


def test_create_merge_request(owner, known):
    path, user = known["project"], member(owner, "Guest")
    call = do.create_merge_request(
        path, known["source"], known["target"], "Merge it", "", user, owner.me
    )
    columns = {"source": known["source"], "target": known["target"], "reviewer": owner.me}
    columns |= {"project": path, "title": "Merge it", "body": "", "assignee": user}
    wanted = new("merge_requests", author=owner.me, state="open", **columns)
    assert owner.run(call) == sorted(wanted, key=str)


def test_merge(owner, known):
    request = str(known["request"])
    assert owner.run(do.merge(request)) == [("merge_requests", request, "state", "merged")]
    assert owner.run(do.merge(request)) == []


@pytest.mark.parametrize(
    ("kind", "comment"), [("issue", do.comment_issue), ("request", do.comment_request)]
)
def test_comment_issue_and_comment_request(owner, known, kind, comment):
    columns = {"kind": kind, "thing": known[kind], "author": owner.me, "body": "Well.\nYes."}
    assert owner.run(comment(known[kind], "Well. \r\nYes.")) == sorted(
        new("notes", **columns), key=str
    )
    table = {"issue": "issues", "request": "merge_requests"}[kind]
    assert owner.one(f"SELECT updated FROM {table} WHERE id = ?", known[kind])["updated"] == NOW


def test_create_milestone(owner, known):
    columns = {"title": "A knot", "starts": "2026-02-01", "due": "2026-02-01", "state": "open"}
    call = do.create_milestone(known["project"], " A  knot", "2026-02-01 ", " 2026-02-01")
    wanted = new("milestones", project=known["project"], **columns)
    assert owner.run(call) == sorted(wanted, key=str)


@pytest.mark.parametrize("made", [True, False])
def test_create_file_and_edit_file(owner, known, made):
    """One row of a file and one commit on the main branch, with the user's name and mail."""
    path, main = known["project"], known["target"]
    file = owner.one("SELECT * FROM files WHERE id = ?", known["number"])
    who = owner.one("SELECT full FROM users WHERE name = ?", owner.me)["full"]
    owner.world.write("INSERT INTO mails VALUES ('zzz@post.example', ?)", (owner.me,))
    mail = owner.one("SELECT min(mail) AS mail FROM mails WHERE user = ?", owner.me)["mail"]
    commit = {"project": path, "branch": main, "author": who, "mail": mail, "title": "Say it"}
    if made:
        call = do.create_file(path, "docs/a.txt", "A \r\nB", " Say  it")
        row = new("files", project=path, file="docs/a.txt", body="A\nB")
    else:
        call = do.edit_file(file["id"], file["version"], "A \r\nB", " Say  it")
        row = [("files", str(file["id"]), "body", "A\nB")]
    changed = owner.run(call)
    last = owner.one("SELECT * FROM commits ORDER BY id DESC")
    wanted = [*row, *new("commits", **commit, sha=last["sha"])]
    assert changed == sorted(wanted, key=str)
    assert last["at"] == NOW
    assert len(last["sha"]) == 8


def test_star_and_unstar(owner, known):
    key = f"{owner.me}/{known['project']}"
    wanted = new("stars", key, project=known["project"], user=owner.me)
    assert owner.run(do.star(known["project"])) == wanted
    assert owner.run(do.star(known["project"])) == []
    assert owner.run(do.unstar(known["project"])) == [("stars", key, GONE, None)]
    assert owner.run(do.unstar(known["project"])) == []


def test_follow_and_unfollow(owner, known):
    owner.world.write("DELETE FROM follows")
    key = f"{owner.me}/{known['user']}"
    wanted = new("follows", key, follower=owner.me, user=known["user"])
    assert owner.run(do.follow(known["user"])) == wanted
    assert owner.run(do.follow(known["user"])) == []
    assert owner.run(do.unfollow(known["user"])) == [("follows", key, GONE, None)]
    assert refused(owner, do.follow(owner.me)).status == 403
    assert refused(owner, do.follow("nobody")).status == 404
    assert refused(owner, do.unfollow("nobody")).status == 404


def test_save_profile_and_set_status(owner):
    for text in ("https://a-knot.example/b?c=d", ""):
        change = ("users", owner.me, "website", text)
        assert owner.run(do.save_profile(f" {text} ")) == [change]
    owner.run(do.set_status("Away"))
    assert owner.run(do.set_status(" At  sea ")) == [("users", owner.me, "status", "At sea")]


@pytest.mark.parametrize("wrong", ["a-knot", "javascript:alert(1)", 'https://a.b/"', "https://a b"])
def test_a_website_is_a_whole_address(owner, wrong):
    assert [*refused(owner, do.save_profile(wrong)).errors] == ["website"]


def test_finish_todo(owner):
    owner.world.about["me"] = owner.one("SELECT user FROM todos")["user"]
    mine = owner.one("SELECT id FROM todos WHERE user = ?", owner.me)["id"]
    assert owner.run(do.finish_todo(mine)) == [("todos", str(mine), "state", "done")]
    theirs = owner.one("SELECT id FROM todos WHERE user != ?", owner.me)["id"]
    for wrong in (theirs, 999_999, "x", "1 OR 1"):
        assert refused(owner, do.finish_todo(wrong)).status == 404


def test_every_operation_has_a_test():
    names = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    tested = {each for name in names for each in name.split("_and_")}
    assert {each.name for each in SITE.operations} <= tested


# Names


WRONG_NAMES = "", "a/b", "x" * 300, "x" * 51, "Capital", "-a", "a-", "a b", "a_b", "a.b", "..", "ä"


@pytest.mark.parametrize("wrong", WRONG_NAMES)
def test_a_name_has_few_letters_and_no_signs(owner, wrong):
    path, letters = owner.project()["path"], "Use up to 50 small letters"
    for call in (
        do.create_project(owner.me, wrong, "public"),
        do.fork(path, owner.me, wrong),
        do.create_group(wrong, "A group", "public"),
    ):
        assert letters in refused(owner, call).sentence


def test_a_name_in_use_is_refused(owner, known):
    columns = "full, joined, zone, website, status, feed"
    owner.world.write(
        f"INSERT INTO users (name, {columns}) SELECT 'knots', {columns} FROM users LIMIT 1"
    )
    owner.run(do.create_project(owner.me, "knots", "public"))
    for call, field in (
        (do.create_project(owner.me, "knots", "private"), "slug"),
        (do.fork(known["project"], owner.me, "knots"), "called"),
        (do.create_group("knots", "The name of a user", "public"), "team"),
        (do.create_group(known["ns"], "The name of a group", "public"), "team"),
    ):
        found = refused(owner, call)
        assert ([*found.errors], "Choose another name." in found.sentence) == ([field], True)


def test_a_group_has_no_name_with_which_addresses_of_other_pages_begin(owner):
    for name in ("groups", "users", "new", "kit"):
        assert (
            "Choose another name." in refused(owner, do.create_group(name, "A", "public")).sentence
        )
    assert owner.run(do.create_group("users-of-new", "A", "public"))
    assert all(NAME.fullmatch(each) for each in TAKEN)


# Members


def test_who_cannot_be_invited(maintainer):
    known, user = maintainer.values(), member(maintainer, "Reporter")
    path, team = known["project"], known["ns"]
    maintainer.world.write(
        "INSERT INTO team_members VALUES (?, ?, 'Maintainer')", (team, maintainer.me)
    )
    maintainer.world.write("INSERT INTO team_members VALUES (?, ?, 'Reporter')", (team, user))
    stranger = maintainer.values()["user"]
    for name, role, field in (
        (user, "Guest", "user"),
        (maintainer.me, "Guest", "user"),
        ("nobody", "Guest", "user"),
        *((stranger, role, "role") for role in ("Owner", "Anyone", "Emperor", "")),
    ):
        for call in (do.invite(path, name, role), do.invite_to_group(team, name, role)):
            assert [*refused(maintainer, call).errors] == [field], call
    assert "already, as Reporter" in refused(maintainer, do.invite(path, user, "Guest")).sentence


@pytest.mark.parametrize("role", RANKS)
def test_the_owner_stays_the_owner(foundry, role):
    visit = foundry.holding("Owner")
    path = visit.project()["path"]
    first = visit.one("SELECT user FROM members WHERE project = ? AND role = 'Owner'", path)["user"]
    for call in (do.set_role(path, first, role), do.remove_member(path, first)):
        found = refused(visit, call)
        assert found.status in (400, 403)
        assert isinstance(found, Invalid) == (role == "Anyone" and call.operation == "set_role")


def test_nobody_changes_a_higher_role_or_gives_one(foundry):
    visit = foundry.holding("Maintainer")
    path = visit.project()["path"]
    for role in ("Guest", "Maintainer"):
        user = member(visit, role)
        assert [*refused(visit, do.set_role(path, user, "Owner")).errors] == ["role"]
        assert visit.run(do.set_role(path, user, "Reporter"))
        assert visit.run(do.remove_member(path, user))
    user = member(visit, "Owner")
    for call in (do.set_role(path, user, "Guest"), do.remove_member(path, user)):
        assert refused(visit, call).status == 403
    for call in (do.set_role(path, "nobody", "Guest"), do.remove_member(path, "nobody")):
        assert refused(visit, call).status == 404


# Issues and merge requests


def test_what_an_issue_or_a_merge_request_cannot_name(owner, known):
    path, issue, stranger = known["project"], known["issue"], known["user"]
    other = owner.one("SELECT * FROM branches WHERE project != ? AND name != 'main'", path)
    owner.world.write("DELETE FROM branches WHERE project = ? AND name = ?", (path, other["name"]))
    owner.world.write("INSERT INTO branches VALUES (?, 'own', 0)", (path,))
    label = "no such label"
    request, main = do.create_merge_request, known["target"]
    for call, field in (
        (do.create_issue(path, "T", "", stranger), "assignee"),
        (do.create_issue(path, "T", "", "nobody"), "assignee"),
        (do.create_issue(path, "T", "", "", "", "No such release"), "milestone"),
        (do.assign(issue, stranger), "assignee"),
        (do.assign(issue, "", "", "No such release"), "milestone"),
        (do.add_label(issue, label), "label"),
        (request(path, "own", "own", "T"), "source"),
        (request(path, other["name"], main, "T"), "source"),
        (request(path, "own", other["name"], "T"), "target"),
        (request(path, "own", "no-such-branch", "T"), "target"),
        (request(path, "own", main, "T", "", stranger), "assignee"),
        (do.create_milestone(path, "T", "2026-02-02", "2026-02-01"), "due"),
    ):
        assert [*refused(owner, call).errors] == [field], call


def test_a_reviewer_who_is_no_member_is_named_at_the_own_field(owner, known):
    call = do.create_merge_request(
        known["project"], known["source"], known["target"], "T", "", "", known["user"]
    )
    assert [*refused(owner, call).errors] == ["reviewer"]


def test_a_closed_milestone_and_a_title_in_use_are_refused(owner, known):
    path = known["project"]
    title = owner.one("SELECT title FROM milestones WHERE project = ?", path)["title"]
    call = do.create_milestone(path, title, "2026-02-01", "2026-03-01")
    assert [*refused(owner, call).errors] == ["title"]
    owner.world.write("UPDATE milestones SET state = 'closed'")
    assert [*refused(owner, do.assign(known["issue"], "", "", title)).errors] == ["milestone"]


def test_a_member_of_the_group_can_be_assigned(owner, known):
    values = known["ns"], known["user"], "Guest"
    owner.world.write("INSERT INTO team_members VALUES (?, ?, ?)", values)
    assert owner.run(do.assign(known["issue"], known["user"]))


@pytest.mark.parametrize("number", ["999999", "-1", "abc", "1 OR 1", "", "²", "9" * 40])
def test_a_row_that_is_not_there_is_not_found(owner, number):
    for call in (
        do.close_issue(number),
        do.assign(number, ""),
        do.comment_issue(number, "Lost."),
        do.comment_request(number, "Lost."),
        do.merge(number),
        do.edit_file(number, 1, "Lost.", "Lost"),
        do.star(number),
        do.finish_todo(number),
        do.invite_to_group(number, owner.values()["user"], "Guest"),
        do.create_project(number, "knots", "public"),
    ):
        assert refused(owner, call).status == 404, call


# Files


WRONG_FILES = (
    *("..", "../a.txt", "a/../b.txt", "a/..", "/a.txt", "a.txt/", "a//b.txt", ".", "./a", "a/./b"),
    *("a b.txt", "a\\b", "a\nb", "<b>.txt", "ä.txt", "a/b/c/d/e/f/g/h.txt", ""),
)


@pytest.mark.parametrize("wrong", WRONG_FILES)
def test_a_file_name_leads_nowhere_else(owner, known, wrong):
    call = do.create_file(known["project"], wrong, "A", "Add it")
    assert [*refused(owner, call).errors] == ["file"]


@pytest.mark.parametrize("right", [".gitignore", "a..b.txt", "a/b-c/d_e.txt", "x" * 200])
def test_a_new_file_is_opened_at_its_address(owner, known, right):
    args = {key: known[key] for key in ("ns", "slug")}
    sent = {"project": known["project"], "file": right, "body": "Seven knots", "message": "Add it"}
    answer = owner.send("create_file", "new_file", sent, **args)
    assert "Seven knots" in owner.client.get(answer.location).text
    assert [*refused(owner, do.create_file(known["project"], right, "B", "Add")).errors] == ["file"]


def test_a_file_that_changed_meanwhile_is_not_overwritten(owner, known):
    args = {key: known[key] for key in ("ns", "slug", "branch", "file")}
    sent = {"number": known["number"], "version": 1, "message": "Say it"}
    first = owner.send("save_file", "edit_file", {**sent, "body": "The first text"}, **args)
    assert "The first text" in owner.client.get(first.location).text
    late = {**sent, "body": "The second text", "once": 0}
    answer = owner.send("save_file", "edit_file", late, **args)
    assert answer.status_code == 409
    assert "The file was changed meanwhile. Open it again and edit the new text." in answer.text
    page = owner.open("file", **args).text
    assert "The first text" in page and "The second text" not in page
    assert owner.send("save_file", "edit_file", {**late, "version": 2}, **args).status_code == 303
    assert "The second text" in owner.open("file", **args).text


def test_an_edit_is_of_the_main_branch_whatever_its_name(owner, known):
    owner.world.write(
        "UPDATE projects SET main = ? WHERE path = ?", (known["source"], known["project"])
    )
    owner.run(do.edit_file(known["number"], 1, "A", "Say it"))
    assert owner.one("SELECT * FROM commits ORDER BY id DESC")["branch"] == known["source"]
