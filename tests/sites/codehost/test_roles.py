"""Each role does what it may and no more: in operations, on pages, and by forged forms."""

from __future__ import annotations

import re

import pytest

from sites.codehost import SITE
from sites.codehost import operations as do
from sites.codehost.roles import ANYONE, NO_ROLE, RANKS, rank
from sites.kit import Do
from sites.site_app import Refusal

LIMITED = {each.name: each for each in SITE.operations if hasattr(each.run, "needs")}
"""The operations that need a role in a project."""
FORMS = {
    form.name: (page, form)
    for page in SITE.pages
    for form in page.sent
    if form.operation.name in LIMITED
}
BEFORE = {
    "set_role": "INSERT INTO members VALUES (:project, :user, 'Guest')",
    "add_label": "DELETE FROM issue_labels WHERE issue = :issue",
    "remove_member": "INSERT INTO members VALUES (:project, :user, 'Guest')",
    "reopen_issue": "UPDATE issues SET state = 'closed' WHERE id = :issue",
    "unstar": "INSERT INTO stars VALUES (:me, :project)",
}
"""The rows that an operation needs before it is called."""
OTHERS = {
    "fork": {"place": "me", "called": "seven-knots"},
    "create_file": {"file": "docs/seven-knots.txt"},
    "assign": {"assignee": ""},
}
"""The arguments of an operation that are not those of the rows of the visit."""
SEES = {"create_issue": ("Reporter", "Owner"), "report_issue": (ANYONE, "Guest")}
"""The lowest and the highest role that see a form, if not all see it whom its operation takes."""


def needed(name):
    return LIMITED[name].run.needs


def sees(role, name):
    """Whether the page of a form shows it to somebody with this role."""
    least, most = SEES.get(name, (needed(FORMS[name][1].operation.name), "Owner"))
    return RANKS[least] <= RANKS[role] <= RANKS[most]


def sentence(role, least):
    held = NO_ROLE if role == ANYONE else f"Your role here is {role}."
    return f"{held} This needs the role {least} or a higher one."


def prepare(visit, name, known):
    """Make an operation possible, and return a call of it with the fewest arguments."""
    values = {**known, "me": visit.me}
    values |= {key: values.get(text, text) for key, text in OTHERS.get(name, {}).items()}
    if name in BEFORE:
        names = re.findall(r":(\w+)", BEFORE[name])
        visit.world.write(BEFORE[name], {each: values[each] for each in names})
    visit.world.write("DELETE FROM log_change")
    return Do(name, {each: values[each] for each in LIMITED[name].needed})


def changed(visit):
    return visit.world.read("SELECT * FROM log_change")


def each_role(visit, where="members"):
    """Yield each role with the visit of somebody who has it, each time with the same rows."""
    with visit.world.fork() as before:
        for role in RANKS:
            visit.world.restore(before)
            yield role, visit.holding(role, where)


def test_every_write_to_a_project_names_a_role():
    own = {"create_project", "create_group", "invite_to_group", "follow", "unfollow"}
    own |= {"save_profile", "set_status", "finish_todo"}
    assert {each.name for each in SITE.operations} - {*LIMITED} == own
    assert {needed(name) for name in LIMITED} <= {*RANKS}


@pytest.mark.parametrize("where", ["members", "team_members"])
@pytest.mark.parametrize("name", LIMITED)
def test_an_operation_is_done_exactly_if_the_role_suffices(foundry, name, where):
    least = needed(name)
    for role, visit in each_role(foundry, where):
        call = prepare(visit, name, visit.values())
        if RANKS[role] >= RANKS[least]:
            visit.site.run(visit.world, call)
            assert changed(visit), role
            continue
        with pytest.raises(Refusal) as raised:
            visit.site.run(visit.world, call)
        assert (raised.value.status, raised.value.sentence) == (403, sentence(role, least))
        assert changed(visit) == [], role


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_there_exactly_if_the_role_suffices_and_cannot_be_forged(foundry, name):
    page, form = FORMS[name]
    least = needed(form.operation.name)
    for role, visit in each_role(foundry):
        known = visit.values()
        call = prepare(visit, form.operation.name, known)
        args = {each: known[each] for each in page.args}
        is_there = f'name="form" value="{name}"' in visit.open(page.name, **args).text
        assert is_there == sees(role, name), role
        empty = dict.fromkeys((each.name for each in form.fields), "")
        answer = visit.send(name, page.name, {**empty, **call.args}, **args)
        if RANKS[role] >= RANKS[least]:
            assert answer.status_code == 303, role
            assert changed(visit), role
            assert visit.client.get(answer.location).status_code == 200
        else:
            assert answer.status_code == 403, role
            assert sentence(role, least) in answer.text
            assert changed(visit) == [], role


def test_only_a_reporter_says_who_does_a_new_issue_and_until_when(foundry):
    for role, visit in each_role(foundry):
        project = visit.project()
        path, args = project["path"], {key: project[key] for key in ("ns", "slug")}
        milestone = visit.one("SELECT title FROM milestones WHERE project = ?", path)["title"]
        member = visit.one("SELECT user FROM members WHERE project = ?", path)["user"]
        for more in ({"assignee": member}, {"due": "2026-03-01"}, {"milestone": milestone}):
            call = do.create_issue(path, "Seven knots", **more)
            answer = visit.send("create_issue", "new_issue", dict(call.args), **args)
            assert answer.status_code == (303 if sees(role, "create_issue") else 403)
            assert bool(changed(visit)) == sees(role, "create_issue")


def test_an_author_without_a_role_closes_and_opens_the_own_issue(foundry):
    visit = foundry.holding(ANYONE)
    known = visit.values()
    visit.world.write("UPDATE issues SET author = ? WHERE id = ?", (visit.me, known["issue"]))
    place = {each: known[each] for each in ("ns", "slug", "iid")}
    for at, (form, other) in enumerate((("close", "reopen"), ("reopen", "close"))):
        page = visit.open("issue", **place).text
        assert f'value="{form}_issue"' in page
        assert f'value="{other}_issue"' not in page
        sent = {"issue": known["issue"], "once": at}
        assert visit.send(f"{form}_issue", "issue", sent, **place).status_code == 303
    assert visit.one("SELECT state FROM issues WHERE id = ?", known["issue"])["state"] == "open"
    with pytest.raises(Refusal, match="needs the role Reporter"):
        visit.run(do.assign(known["issue"], ""))


def test_the_higher_of_the_own_role_and_that_of_the_group_counts(foundry):
    for role, visit in each_role(foundry, "team_members"):
        project = visit.project()
        for own in RANKS:
            visit.world.write("DELETE FROM members WHERE user = ?", (visit.me,))
            if own != ANYONE:
                values = project["path"], visit.me, own
                visit.world.write("INSERT INTO members VALUES (?, ?, ?)", values)
            higher = max(RANKS[own], RANKS[role])
            assert rank(visit.world, project["path"]) == higher
            page = visit.open("invite_page", ns=project["ns"], slug=project["slug"]).text
            assert ('value="invite"' in page) == (higher >= RANKS["Maintainer"])


def test_a_role_in_a_project_or_group_is_none_in_another(foundry):
    visit = foundry.holding("Owner")
    other = visit.one(
        "SELECT path FROM projects WHERE path != ? AND visibility = 'public'",
        visit.project()["path"],
    )["path"]
    team = visit.one("SELECT name FROM teams WHERE name != ?", visit.project()["ns"])["name"]
    for call in (
        do.create_file(other, "a.txt", "A", "Add"),
        do.invite_to_group(visit.project()["ns"], visit.values()["user"], "Guest"),
        do.invite_to_group(team, visit.values()["user"], "Guest"),
        do.create_project(team, "seven-knots", "public"),
    ):
        with pytest.raises(Refusal, match=NO_ROLE):
            visit.run(call)


def test_maintainers_of_a_group_invite_into_it(foundry):
    for role, visit in each_role(foundry, "team_members"):
        known = visit.values()
        is_there = RANKS[role] >= RANKS["Maintainer"]
        page = visit.open("group_members", team=known["team"]).text
        assert ('value="invite_to_group"' in page) == is_there
        sent = {key: known[key] for key in ("team", "user", "role")}
        answer = visit.send("invite_to_group", "group_members", sent, team=known["team"])
        assert answer.status_code == (303 if is_there else 403), role
        assert bool(changed(visit)) == is_there


def test_developers_of_a_group_make_projects_in_it(foundry):
    for role, visit in each_role(foundry, "team_members"):
        project, may = visit.project(), RANKS[role] >= RANKS["Developer"]
        assert (f"<option>{project['ns']}</option>" in visit.open("new_project").text) == may
        for call in (
            do.create_project(project["ns"], "seven-knots", "private"),
            do.fork(project["path"], project["ns"], "eight-knots"),
        ):
            if may:
                assert visit.run(call)
                continue
            with pytest.raises(Refusal) as raised:
                visit.run(call)
            assert (raised.value.status, changed(visit)) == (403, [])


# Private projects


@pytest.fixture
def hidden(foundry):
    """A visit by a stranger to whom the project is private, with right values of its rows."""
    visit = foundry.holding(ANYONE)
    known = visit.values()
    sql = "UPDATE projects SET visibility = 'private' WHERE path = ?"
    visit.world.write(sql, (known["project"],))
    visit.world.write("DELETE FROM log_change")
    return visit, known


def test_every_page_of_a_private_project_is_not_found_by_others(hidden):
    visit, known = hidden
    for page in SITE.pages:
        if "slug" in page.args:
            args = {each: known[each] for each in page.args}
            assert visit.open(page.name, **args).status_code == 404, page.name


def test_a_private_project_is_on_no_list_of_others(hidden):
    """Not even on the lists of somebody who had a part in it before."""
    visit, known = hidden
    rows = {"me": visit.me, "project": known["project"]}
    for sql in (
        "UPDATE issues SET assignee = :me WHERE project = :project AND id % 2",
        "UPDATE issues SET author = :me WHERE project = :project",
        "UPDATE merge_requests SET assignee = :me, reviewer = :me WHERE project = :project",
        "UPDATE todos SET user = :me WHERE project = :project",
        "INSERT INTO stars VALUES (:me, :project)",
    ):
        visit.world.write(sql, {key: rows[key] for key in rows if f":{key}" in sql})
    args = {"user": known["user"], "team": known["ns"]}
    for page in SITE.pages:
        if "slug" not in page.args:
            place = {each: args[each] for each in page.args}
            assert f"/{known['slug']}" not in visit.open(page.name, **place).text, page.name
    assert 'class="count">0 ' in visit.open("explore", q=known["slug"]).text


@pytest.mark.parametrize("name", LIMITED)
def test_every_operation_on_a_private_project_is_not_found_by_others(hidden, name):
    visit, known = hidden
    call = prepare(visit, name, known)
    with pytest.raises(Refusal) as raised:
        visit.site.run(visit.world, call)
    assert raised.value.status == 404
    assert changed(visit) == []


@pytest.mark.parametrize("name", FORMS)
def test_a_forged_form_of_a_private_project_is_not_found(hidden, name):
    """Neither from its own page nor from that of another project."""
    visit, known = hidden
    page, form = FORMS[name]
    call = prepare(visit, form.operation.name, known)
    empty = dict.fromkeys((each.name for each in form.fields), "")
    args = {each: known[each] for each in page.args}
    assert visit.send(name, page.name, {**empty, **call.args}, **args).status_code == 404
    assert changed(visit) == []


def test_a_guest_sees_a_private_project_and_a_stranger_an_internal_one(foundry):
    for role, visit in each_role(foundry):
        project = visit.project()
        for visibility in ("private", "internal"):
            sql = "UPDATE projects SET visibility = ? WHERE path = ?"
            visit.world.write(sql, (visibility, project["path"]))
            status = visit.open("project", ns=project["ns"], slug=project["slug"]).status_code
            is_seen = role != ANYONE or visibility == "internal"
            assert status == (200 if is_seen else 404), (role, visibility)


def test_a_private_group_is_not_found_by_others(foundry):
    for role, visit in each_role(foundry, "team_members"):
        known = visit.values()
        visit.world.write(
            "UPDATE teams SET visibility = 'private' WHERE name = ?", (known["team"],)
        )
        for page in ("group", "group_members"):
            status = visit.open(page, team=known["team"]).status_code
            assert status == (404 if role == ANYONE else 200)
        is_listed = f"/{known['team']}" in visit.open("groups").text
        assert is_listed == (role != ANYONE)
        if RANKS[role] >= RANKS["Developer"]:
            continue
        for call in (
            do.invite_to_group(known["team"], known["user"], "Guest"),
            do.create_project(known["team"], "seven-knots", "private"),
        ):
            with pytest.raises(Refusal) as raised:
                visit.run(call)
            assert raised.value.status == (404 if role == ANYONE else 403)
