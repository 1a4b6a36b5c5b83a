"""The operations of a code host's user. No other function changes a world of the code host."""

from __future__ import annotations

import re
from hashlib import sha1

from sites._kit.declare import Invalid, one, operation
from sites._kit.texts import clean, line
from sites.codehost.roles import (
    ANYONE,
    RANKS,
    check,
    check_team,
    me,
    needs,
    project_of,
    rank,
    team_rank,
)
from sites.codehost.texts import TEMPLATES
from sites.site_app import RESERVED, Refusal
from sites.world import Row, World

NOW = 1_768_478_400.0
"""The frozen time of every visit: 15 January 2026, 12:00 UTC."""
NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?")
FILE = re.compile(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+){0,5}")
WEB_ADDRESS = re.compile(r"https?://[a-z0-9-]+(\.[a-z0-9-]+)+(/[^\s<>\"]*)?")
TAKEN = {"dashboard", "do", "explore", "groups", "kit", "new", "projects", "users", *RESERVED}
"""Names that no group has, since addresses of other pages begin with them."""
WRONG_NAME = "Use up to 50 small letters, digits and -, and begin and end with a letter or digit."
WRONG_FILE = "Use letters, digits, _, . and -, with / between a folder and its content."
VISIBILITIES = "private", "internal", "public"
OPEN, CLOSED, MERGED = "open", "closed", "merged"


# Projects and groups


@operation("projects")
def create_project(
    world: World,
    ns: str,
    slug: str,
    visibility: str,
    template: str = "",
    description: str = "",
) -> Row:
    """Make a project of one's own or of a group; a template gives it files."""
    _check_place(world, ns)
    path = f"{ns}/{_free_name(world, ns, slug, 'slug')}"
    _make_project(world, path, visibility, "", template, line(description))
    world.write("INSERT INTO branches VALUES (?, 'main', 0)", (path,))
    for file, body in TEMPLATES.get(template or "", {}).items():
        _write_file(world, path, file, body.format(name=slug), f"Add {file}")
    return {"project": path, "ns": ns, "slug": slug}


@operation("projects", project="projects")
@needs(ANYONE)
def fork(world: World, project: str, place: str, called: str) -> Row:
    """Copy a project, with its branches, commits and files, to oneself or to a group."""
    _check_place(world, place)
    path = f"{place}/{_free_name(world, place, called, 'called')}"
    held = one(world, "SELECT * FROM projects WHERE path = ?", (project,))
    _make_project(world, path, held["visibility"], project, "", held["description"], held["main"])
    for table, columns in (
        ("branches", "name, since"),
        ("commits", "branch, sha, author, mail, at, title"),
        ("files", "file, body, version"),
    ):
        world.write(
            f"INSERT INTO {table} (project, {columns})"  # noqa: S608 (names of ours)
            f" SELECT ?, {columns} FROM {table} WHERE project = ? ORDER BY rowid",
            (path, project),
        )
    return {"project": path, "ns": place, "slug": called}


def _check_place(world: World, ns: str) -> None:
    """Refuse a place that is neither the user nor a group in which the user is a developer."""
    if ns != me(world):
        check_team(world, ns, "Developer")


def _free_name(world: World, ns: str, slug: str, field: str) -> str:
    if not NAME.fullmatch(slug):
        raise Invalid(**{field: WRONG_NAME})
    if world.read("SELECT 1 FROM projects WHERE path = ?", (f"{ns}/{slug}",)):
        raise Invalid(**{field: f"{ns} has a project with this name. Choose another name."})
    return slug


def _make_project(
    world: World, path: str, visibility: str, origin: str, template: str, about: str,
    main: str = "main",
) -> None:  # fmt: skip
    ns, slug = path.split("/")
    if visibility not in VISIBILITIES:
        raise Invalid(visibility="Choose one of the list.")
    world.write(
        "INSERT INTO projects (path, ns, slug, description, visibility, main, origin, template,"
        " made) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (path, ns, slug, about, visibility, main, origin, template, NOW),
    )
    world.write("INSERT INTO members VALUES (?, ?, 'Owner')", (path, me(world)))


@operation("teams")
def create_group(world: World, team: str, heading: str, visibility: str) -> Row:
    """Make a group, which the user owns."""
    taken = (
        "SELECT name FROM teams WHERE name = :name UNION SELECT name FROM users WHERE name = :name"
    )
    if not NAME.fullmatch(team):
        raise Invalid(team=WRONG_NAME)
    if team in TAKEN:
        raise Invalid(team="This name belongs to the site. Choose another name.")
    if world.read(taken, {"name": team}):
        raise Invalid(team="A group or user has this name. Choose another name.")
    if visibility not in VISIBILITIES:
        raise Invalid(visibility="Choose one of the list.")
    world.write("INSERT INTO teams VALUES (?, ?, ?)", (team, line(heading), visibility))
    world.write("INSERT INTO team_members VALUES (?, ?, 'Owner')", (team, me(world)))
    return {"team": team}


# Members


@operation("members", project="projects", user="users")
@needs("Maintainer")
def invite(world: World, project: str, user: str, role: str) -> Row:
    """Make a user a member of a project, with a role up to one's own."""
    _check_role(rank(world, project), role)
    held = world.read("SELECT role FROM members WHERE project = ? AND user = ?", (project, user))
    _check_invited(world, user, held)
    world.write("INSERT INTO members VALUES (?, ?, ?)", (project, user, role))
    return _parts(project)


@operation("members", project="projects", user="users")
@needs("Maintainer")
def set_role(world: World, project: str, user: str, role: str) -> None:
    """Give a member another role, up to one's own."""
    _check_role(rank(world, project), role)
    _check_member(world, project, user)
    sql = "UPDATE members SET role = ? WHERE project = ? AND user = ?"
    world.write(sql, (role, project, user))


@operation("members", project="projects", user="users")
@needs("Maintainer")
def remove_member(world: World, project: str, user: str) -> None:
    """End a membership."""
    _check_member(world, project, user)
    world.write("DELETE FROM members WHERE project = ? AND user = ?", (project, user))


def _check_member(world: World, project: str, user: str) -> None:
    """Refuse to change a membership that is not there, the owner's, or one of a higher role."""
    sql = "SELECT role FROM members WHERE project = ? AND user = ?"
    held = one(world, sql, (project, user))["role"]
    if held == "Owner":
        raise Refusal(403, "The owner stays the owner of the project. Choose another member.")
    if RANKS[held] > rank(world, project):
        raise Refusal(403, "This member has a higher role than you. Choose another member.")


@operation("team_members", team="teams", user="users")
def invite_to_group(world: World, team: str, user: str, role: str) -> Row:
    """Make a user a member of a group, with a role up to one's own."""
    check_team(world, team, "Maintainer")
    _check_role(team_rank(world, team), role)
    held = world.read("SELECT role FROM team_members WHERE team = ? AND user = ?", (team, user))
    _check_invited(world, user, held)
    world.write("INSERT INTO team_members VALUES (?, ?, ?)", (team, user, role))
    return {"team": team}


def _check_role(own: int, role: str) -> None:
    if role not in RANKS or role == ANYONE:
        raise Invalid(role="Choose one of the list.")
    if RANKS[role] > own:
        raise Invalid(role="This role is above your own. Choose a lower one.")


def _check_invited(world: World, user: str, held: list[Row]) -> None:
    if user == me(world):
        raise Invalid(user="This is you, and you are a member already.")
    if not world.read("SELECT 1 FROM users WHERE name = ?", (user,)):
        raise Invalid(user="There is no user with this name.")
    if held:
        raise Invalid(user=f"{user} is a member already, as {held[0]['role']}.")


# Issues and merge requests


@operation("issues", project="projects")
@needs(ANYONE)
def create_issue(
    world: World,
    project: str,
    title: str,
    body: str = "",
    assignee: str = "",
    due: str = "",
    milestone: str = "",
) -> Row:
    """Open an issue; only a reporter can also say who does it and until when."""
    if assignee or due or milestone:
        check(world, project, "Reporter")
    _check_assigned(world, project, assignee, milestone)
    made = world.write(
        "INSERT INTO issues (project, iid, title, body, author, state, assignee, due, milestone,"
        " at, updated) VALUES (?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?)",
        (project, _next(world, "issues", project), line(title), clean(body), me(world),
         assignee.strip(), due.strip(), milestone, NOW, NOW),
    )  # fmt: skip
    return _made(world, "issues", made)


@operation("issues", issue="issues")
@needs("Reporter", table="issues")
def assign(world: World, issue: int, assignee: str, due: str = "", milestone: str = "") -> Row:
    """Say who does an issue, until when, and for which milestone; "" says nobody or none."""
    _check_assigned(world, project_of(world, "issues", issue), assignee, milestone)
    world.write(
        "UPDATE issues SET assignee = ?, due = ?, milestone = ?, updated = ? WHERE id = ?",
        (assignee.strip(), due.strip(), milestone, NOW, issue),
    )
    return _made(world, "issues", issue)


def _check_assigned(world: World, project: str, assignee: str, milestone: str) -> None:
    _check_named(world, project, assignee=assignee)
    sql = "SELECT 1 FROM milestones WHERE project = ? AND title = ? AND state = 'open'"
    if milestone and not world.read(sql, (project, milestone)):
        raise Invalid(milestone="Choose one of the list.")


def _check_named(world: World, project: str, **users: str) -> None:
    """Refuse users, by the name of their field, who are no members of a project or its group."""
    sql = (
        "SELECT 1 FROM members WHERE project = :project AND user = :user UNION ALL SELECT 1 FROM"
        " team_members JOIN projects ON ns = team WHERE path = :project AND user = :user"
    )
    for field, user in users.items():
        if user and not world.read(sql, {"project": project, "user": user.strip()}):
            raise Invalid(**{field: "Only a member of the project can be chosen."})


@operation("issue_labels", issue="issues")
@needs("Reporter", table="issues")
def add_label(world: World, issue: int, label: str) -> None:
    """Put a label of the project on an issue."""
    project = project_of(world, "issues", issue)
    if not world.read("SELECT 1 FROM labels WHERE project = ? AND name = ?", (project, label)):
        raise Invalid(label="Choose one of the list.")
    world.write("INSERT OR IGNORE INTO issue_labels VALUES (?, ?)", (issue, label))


@operation("issues", issue="issues")
@needs("Reporter", table="issues", author=True)
def close_issue(world: World, issue: int) -> None:
    """Close an issue."""
    _set_state(world, issue, CLOSED)


@operation("issues", issue="issues")
@needs("Reporter", table="issues", author=True)
def reopen_issue(world: World, issue: int) -> None:
    """Open a closed issue again."""
    _set_state(world, issue, OPEN)


def _set_state(world: World, issue: int, state: str) -> None:
    sql = "UPDATE issues SET state = ?, updated = ? WHERE id = ?"
    world.write(sql, (state, NOW, issue))


@operation("merge_requests", project="projects")
@needs("Developer")
def create_merge_request(
    world: World,
    project: str,
    source: str,
    target: str,
    title: str,
    body: str = "",
    assignee: str = "",
    reviewer: str = "",
) -> Row:
    """Ask to merge a branch into another one."""
    sql = "SELECT 1 FROM branches WHERE project = ? AND name = ?"
    for field, branch in (("source", source), ("target", target)):
        if not world.read(sql, (project, branch)):
            raise Invalid(**{field: "Choose one of the list."})
    if source == target:
        raise Invalid(source="This is the target branch. Choose another branch.")
    _check_named(world, project, assignee=assignee, reviewer=reviewer)
    made = world.write(
        "INSERT INTO merge_requests (project, iid, title, body, author, state, source, target,"
        " assignee, reviewer, at, updated) VALUES (?, ?, ?, ?, ?, 'open', ?, ?, ?, ?, ?, ?)",
        (project, _next(world, "merge_requests", project), line(title), clean(body), me(world),
         source, target, assignee.strip(), reviewer.strip(), NOW, NOW),
    )  # fmt: skip
    return _made(world, "merge_requests", made)


@operation("merge_requests", request="merge_requests")
@needs("Maintainer", table="merge_requests")
def merge(world: World, request: int) -> None:
    """Merge an open merge request."""
    world.write(
        "UPDATE merge_requests SET state = ?, updated = ? WHERE id = ? AND state = 'open'",
        (MERGED, NOW, request),
    )


@operation("notes", issue="issues")
@needs(ANYONE, table="issues")
def comment_issue(world: World, issue: int, comment: str) -> None:
    """Write a comment on an issue."""
    _note(world, "issue", "issues", issue, comment)


@operation("notes", request="merge_requests")
@needs(ANYONE, table="merge_requests")
def comment_request(world: World, request: int, comment: str) -> None:
    """Write a comment on a merge request."""
    _note(world, "request", "merge_requests", request, comment)


def _note(world: World, kind: str, table: str, thing: int, body: str) -> None:
    world.write(
        "INSERT INTO notes (kind, thing, author, body, at) VALUES (?, ?, ?, ?, ?)",
        (kind, thing, me(world), clean(body), NOW),
    )
    world.write(f"UPDATE {table} SET updated = ? WHERE id = ?", (NOW, thing))  # noqa: S608


def _next(world: World, table: str, project: str) -> int:
    sql = f"SELECT coalesce(max(iid), 0) + 1 AS n FROM {table} WHERE project = ?"  # noqa: S608
    return int(world.read(sql, (project,))[0]["n"])


def _made(world: World, table: str, key: int) -> Row:
    """Return the columns of a row that stand in the address of its page."""
    row = one(world, f"SELECT * FROM {table} WHERE id = ?", (key,))  # noqa: S608
    return {**_parts(row["project"]), "iid": row["iid"], "mr": row["iid"]}


@operation("milestones", project="projects")
@needs("Reporter")
def create_milestone(world: World, project: str, title: str, starts: str, due: str) -> Row:
    """Plan a milestone, from a first to a last day."""
    starts, due = starts.strip(), due.strip()
    if due and due < starts:
        raise Invalid(due="This day is before the first day.")
    if world.read("SELECT 1 FROM milestones WHERE project = ? AND title = ?", (project, title)):
        raise Invalid(title="The project has a milestone with this title.")
    world.write(
        "INSERT INTO milestones (project, title, starts, due, state) VALUES (?, ?, ?, ?, 'open')",
        (project, line(title), starts, due),
    )
    return _parts(project)


# Files


@operation("commits", number="files")
@needs("Developer", table="files")
def edit_file(world: World, number: int, version: int, body: str, message: str) -> Row:
    """Replace the text of a file, which makes a commit on the main branch."""
    held = one(world, "SELECT * FROM files WHERE id = ?", (number,))
    if str(held["version"]) != str(version):
        raise Refusal(409, "The file was changed meanwhile. Open it again and edit the new text.")
    _write_file(world, held["project"], held["file"], body, message)
    return _file_of(world, held["project"], held["file"])


@operation("commits", project="projects")
@needs("Developer")
def create_file(world: World, project: str, file: str, body: str, message: str) -> Row:
    """Add a file, which makes a commit on the main branch. Its name may begin with folders."""
    if not FILE.fullmatch(file) or {".", ".."} & {*file.split("/")}:
        raise Invalid(file=WRONG_FILE)
    if world.read("SELECT 1 FROM files WHERE project = ? AND file = ?", (project, file)):
        raise Invalid(file="The project has a file with this name. Open it and edit it.")
    _write_file(world, project, file, body, message)
    return _file_of(world, project, file)


def _write_file(world: World, project: str, file: str, body: str, message: str) -> None:
    """Write the text of a file, and the commit for it."""
    text, title = clean(body), line(message)
    found = world.read("SELECT id FROM files WHERE project = ? AND file = ?", (project, file))
    if found:
        sql = "UPDATE files SET body = ?, version = version + 1 WHERE id = ?"
        world.write(sql, (text, found[0]["id"]))
    else:
        sql = "INSERT INTO files (project, file, body, version) VALUES (?, ?, ?, 1)"
        world.write(sql, (project, file, text))
    [who] = world.read(
        "SELECT full, (SELECT min(mail) FROM mails WHERE user = name) AS mail, main FROM users,"
        " projects WHERE name = ? AND path = ?",
        (me(world), project),
    )
    sha = sha1(f"{project}/{file}/{text}".encode(), usedforsecurity=False).hexdigest()[:8]
    world.write(
        "INSERT INTO commits (project, branch, sha, author, mail, at, title)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (project, who["main"], sha, who["full"], who["mail"], NOW, title),
    )


def _file_of(world: World, project: str, file: str) -> Row:
    main = one(world, "SELECT main FROM projects WHERE path = ?", (project,))["main"]
    return {**_parts(project), "branch": main, "file": file}


def _parts(project: str) -> Row:
    """Return the columns of a project that stand in the addresses of its pages."""
    ns, slug = project.split("/")
    return {"ns": ns, "slug": slug}


# One's own things


@operation("stars", project="projects")
@needs(ANYONE)
def star(world: World, project: str) -> None:
    """Star a project; this changes nothing if it is starred."""
    world.write("INSERT OR IGNORE INTO stars VALUES (?, ?)", (me(world), project))


@operation("stars", project="projects")
@needs(ANYONE)
def unstar(world: World, project: str) -> None:
    """Take the star from a project, if there is one."""
    world.write("DELETE FROM stars WHERE user = ? AND project = ?", (me(world), project))


@operation("follows", user="users")
def follow(world: World, user: str) -> None:
    """Follow a user; this changes nothing if one follows the user already."""
    one(world, "SELECT 1 FROM users WHERE name = ?", (user,))
    if user == me(world):
        raise Refusal(403, "This is you. Choose somebody else.")
    world.write("INSERT OR IGNORE INTO follows VALUES (?, ?)", (me(world), user))


@operation("follows", user="users")
def unfollow(world: World, user: str) -> None:
    """End following a user."""
    one(world, "SELECT 1 FROM users WHERE name = ?", (user,))
    world.write("DELETE FROM follows WHERE follower = ? AND user = ?", (me(world), user))


@operation("users")
def save_profile(world: World, website: str) -> None:
    """Replace the address of the user's website."""
    if website.strip() and not WEB_ADDRESS.fullmatch(website.strip()):
        raise Invalid(website="Write a whole address, such as https://example.org.")
    world.write("UPDATE users SET website = ? WHERE name = ?", (website.strip(), me(world)))


@operation("users")
def set_status(world: World, status: str) -> None:
    """Replace the user's status line; "" clears it."""
    world.write("UPDATE users SET status = ? WHERE name = ?", (line(status), me(world)))


@operation("todos", todo="todos")
def finish_todo(world: World, todo: int) -> None:
    """Mark an entry of the user's to-do list as done."""
    found = one(world, "SELECT * FROM todos WHERE id = ? AND user = ?", (todo, me(world)))
    world.write("UPDATE todos SET state = 'done' WHERE id = ?", (found["id"],))
