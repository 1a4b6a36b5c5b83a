"""The declaration of the code host: its pages, with the links, lists and forms on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sites._kit.declare import Column, Do, Field, Form, Link, Listing, Page, Show, Site
from sites._kit.skins.drawn import DrawnSkins
from sites.codehost import operations as do
from sites.codehost import tables as of
from sites.codehost.roles import RANKS, ROLES, me
from sites.codehost.skins import SKINS
from sites.codehost.synonyms import SYNONYMS
from sites.codehost.texts import TEMPLATES
from sites.world import Row, World

# Parts of rows and records


def _words(*names: str) -> Column:
    """Return a column with these words of the skin."""
    return Column(names[0], tuple(Show("word", each) for each in names))


def _link(name: str, label: str) -> Column:
    return Column(name, (Show("link", label),))


def _at(word: str, column: str = "at") -> Column:
    return Column(column, (Show("word", word), Show("ago", column)))


def _lines(column: str) -> Column:
    return Column(column, (Show("lines", column),))


# Conditions


def _may(role: str) -> Any:
    """Return the condition that the user has a role or a higher one."""
    return lambda row: row["rank"] >= RANKS[role]


def _may_not(role: str) -> Any:
    return lambda row: row["rank"] < RANKS[role]


def _is(column: str, value: Any = 1) -> Any:
    """Return the condition that a column has a value."""
    return lambda row: row[column] == value


def _may_set(state: str) -> Any:
    """Return the condition that the user may give an issue of this state another one."""
    return lambda row: row["state"] == state and (row["mine"] or row["rank"] >= RANKS["Reporter"])


def _may_move(row: Row) -> bool:
    """Return whether the user may change the role of a member."""
    lowest = max(RANKS["Maintainer"], RANKS[row["role"]])
    return bool(row["role"] != "Owner" and row["rank"] >= lowest)


# Forms

OF_PROJECT = {"project": "project"}
OF_ISSUE = {"issue": "issue"}
OF_REQUEST = {"request": "request"}
VISIBILITY = Field("visibility", "radio", options=do.VISIBILITIES)
USER = Field("user", "suggest", options=of.USER_NAMES, most=60)
ROLE = Field("role", "choice", options=ROLES)
ASSIGNEE = Field("assignee", "choice", required=False, options=of.MEMBER_NAMES)
DUE = Field("due", "date", required=False)
MILESTONE = Field("milestone", "choice", required=False, options=of.MILESTONE_NAMES)
TITLE = Field("title", most=150)
BODY = Field("body", "text", required=False, most=4000)
COMMENT = Field("comment", "text", most=4000)
TEXT = Field("body", "text", required=False, held="body", most=8000)
MESSAGE = Field("message", most=150)
PLACE = Field("ns", "choice", options=of.PLACES)
SLUG = Field("slug", most=300)
CREATE_PROJECT = Form(
    "create_project",
    do.create_project,
    (
        PLACE,
        SLUG,
        Field("description", required=False, most=200),
        VISIBILITY,
        Field("template", "choice", required=False, options=tuple(TEMPLATES)),
    ),
    follows="project",
    commits=True,
)
FORK = Form(
    "fork",
    do.fork,
    (replace(PLACE, name="place"), replace(SLUG, name="called", held="slug")),
    OF_PROJECT,
    follows="project",
    commits=True,
)
CREATE_GROUP = Form(
    "create_group",
    do.create_group,
    (Field("team", most=300), Field("heading", most=80), VISIBILITY),
    follows="group",
    commits=True,
)
INVITE = Form(
    "invite", do.invite, (USER, ROLE), OF_PROJECT, follows="invite_page", shown=_may("Maintainer")
)
SET_ROLE = Form(
    "set_role",
    do.set_role,
    (replace(ROLE, held="role"),),
    {**OF_PROJECT, "user": "user"},
    shown=_may_move,
)
REMOVE = replace(SET_ROLE, name="remove_member", operation=do.remove_member, fields=())
INVITE_TO_GROUP = Form(
    "invite_to_group",
    do.invite_to_group,
    (USER, ROLE),
    {"team": "team"},
    follows="group_members",
    shown=_may("Maintainer"),
)
CREATE_ISSUE = Form(
    "create_issue",
    do.create_issue,
    (TITLE, BODY, ASSIGNEE, DUE, MILESTONE),
    OF_PROJECT,
    follows="issue",
    shown=_may("Reporter"),
    commits=True,
)
REPORT_ISSUE = replace(
    CREATE_ISSUE, name="report_issue", fields=(TITLE, BODY), shown=_may_not("Reporter")
)
ASSIGN = Form(
    "assign",
    do.assign,
    (
        replace(ASSIGNEE, held="assignee"),
        replace(DUE, held="due"),
        replace(MILESTONE, held="milestone"),
    ),
    OF_ISSUE,
    follows="issue",
    shown=_may("Reporter"),
)
ADD_LABEL = Form(
    "add_label",
    do.add_label,
    (Field("label", "choice", options=of.LABEL_NAMES),),
    OF_ISSUE,
    shown=_may("Reporter"),
)
CLOSE = Form("close_issue", do.close_issue, (), OF_ISSUE, shown=_may_set("open"))
REOPEN = Form("reopen_issue", do.reopen_issue, (), OF_ISSUE, shown=_may_set("closed"))
COMMENT_ISSUE = Form("comment_issue", do.comment_issue, (COMMENT,), OF_ISSUE, commits=True)
BRANCH = Field("source", "choice", options=of.BRANCH_NAMES)
CREATE_REQUEST = Form(
    "create_request",
    do.create_merge_request,
    (
        BRANCH,
        replace(BRANCH, name="target"),
        TITLE,
        BODY,
        ASSIGNEE,
        replace(ASSIGNEE, name="reviewer"),
    ),
    OF_PROJECT,
    follows="request",
    shown=_may("Developer"),
    commits=True,
)
COMMENT_REQUEST = Form("comment_request", do.comment_request, (COMMENT,), OF_REQUEST, commits=True)
MERGE = Form(
    "merge",
    do.merge,
    (),
    OF_REQUEST,
    shown=lambda row: row["state"] == "open" and row["rank"] >= RANKS["Maintainer"],
    commits=True,
)
CREATE_MILESTONE = Form(
    "create_milestone",
    do.create_milestone,
    (TITLE, Field("starts", "date"), Field("due", "date")),
    OF_PROJECT,
    follows="milestones",
    shown=_may("Reporter"),
)
EDIT_FILE = Form(
    "save_file",
    do.edit_file,
    (TEXT, MESSAGE),
    {"number": "number", "version": "version"},
    follows="file",
    shown=_may("Developer"),
)
CREATE_FILE = Form(
    "create_file",
    do.create_file,
    (Field("file", most=200), replace(TEXT, held=""), MESSAGE),
    OF_PROJECT,
    follows="file",
    shown=_may("Developer"),
)
STAR = Form("star", do.star, (), OF_PROJECT, shown=_is("starred", 0))
UNSTAR = Form("unstar", do.unstar, (), OF_PROJECT, shown=_is("starred"))
FOLLOW = Form(
    "follow", do.follow, (), {"user": "user"}, shown=lambda row: not row["followed"] | row["mine"]
)
UNFOLLOW = Form("unfollow", do.unfollow, (), {"user": "user"}, shown=_is("followed"))
SAVE_PROFILE = Form(
    "save_profile", do.save_profile, (Field("website", required=False, held="website", most=200),)
)
SET_STATUS = Form(
    "set_status", do.set_status, (Field("status", required=False, held="status", most=100),)
)
FINISH_TODO = Form("finish_todo", do.finish_todo, (), {"todo": "todo"})

# Lists

ISSUE = Link("issue")
REQUEST = Link("request")


def _projects(rows: str, **more: Any) -> Listing:
    """Return a list of projects."""
    columns = (
        _link("title", "project"),
        *("description", "stars", "forks", "issues", "requests"),
    )
    return Listing(rows, of.PROJECT_ORDERS, (Link("project"),), columns=columns, **more)


def _issues(rows: str, orders: Mapping[str, str] = of.ISSUE_ORDERS, **more: Any) -> Listing:
    """Return a list of issues."""
    columns = (
        _link("title", "issue"),
        _words("state_of", "labels_of", "assignee_of", "due_of"),
        Column("about", (Show("word", "by"), Show("text", "user"), Show("ago", "at"))),
        _at("updated_of", "updated"),
    )
    return Listing(rows, orders, (ISSUE,), keyword="title", columns=columns, **more)


def _requests(rows: str) -> Listing:
    """Return a list of merge requests."""
    columns = (
        _link("title", "request"),
        _words("state_of", "reviewer_of", "from_to"),
        Column("about", (Show("word", "by"), Show("text", "user"), Show("ago", "at"))),
    )
    return Listing(rows, of.REQUEST_ORDERS, (REQUEST,), keyword="title", columns=columns)


def _notes(kind: str, thing: str) -> Listing:
    """Return the comments on an issue or a merge request."""
    columns = Column("about", (Show("link", "user"), Show("ago", "at"))), _lines("body")
    query = of.NOTES.format(kind=kind, thing=thing)
    return Listing(
        query, {"old": "at, note"}, (Link("user"),), size=50, key=("note",), columns=columns
    )


IN_PROJECT = " AND p.ns = :ns AND p.slug = :slug"
FILES = Listing(
    of.FILES + IN_PROJECT,
    {"name": "file"},
    (Link("file"),),
    size=40,
    columns=(_link("title", "file"),),
)
COMMITS = Listing(
    of.COMMITS + IN_PROJECT + " AND b.name = :branch",
    {"new": "at DESC, number DESC"},
    key=("number",),
    keyword="title",
    columns=("title", "author", _words("clock_of"), "sha"),
    head="day",
)
BRANCHES = Listing(
    of.BRANCHES + IN_PROJECT,
    {"name": "branch"},
    (Link("commits"), Link("contributors")),
    columns=(_link("title", "commits"), _link("contributors", "contributors")),
)
CONTRIBUTORS = Listing(
    of.CONTRIBUTORS,
    {"commits": "commits DESC, contributor", "name": "contributor"},
    key=("contributor",),
    columns=("author", "mail", "commits"),
)
MEMBERS = Listing(
    of.MEMBERS + IN_PROJECT,
    {"name": "user"},
    (Link("user"),),
    (SET_ROLE, REMOVE),
    size=30,
    columns=(_link("title", "user"), "full", "role"),
)
GROUP_MEMBERS = Listing(
    of.TEAM_MEMBERS + " AND g.name = :team",
    {"name": "user"},
    (Link("user"),),
    size=30,
    columns=(_link("title", "user"), "full", "role"),
)
MILESTONES = Listing(
    of.MILESTONES + IN_PROJECT,
    {"due": "due, title"},
    key=("milestone_no",),
    columns=("title", _words("starts_of"), _words("ends_of"), "state"),
)
LABELS = Listing(
    of.LABELS + IN_PROJECT,
    {"name": "label"},
    (Link("labelled"),),
    columns=(_link("title", "labelled"), "meaning", "issues"),
)
TODOS = Listing(
    of.TODOS,
    {"new": "at DESC, todo"},
    forms=(FINISH_TODO,),
    key=("todo",),
    keyword="title",
    columns=(_words("todo_of"), Column("about", (Show("text", "project"), Show("ago", "at")))),
)
USERS = Listing(
    of.USERS,
    {"name": "user", "followers": "followers DESC, user"},
    (Link("user"),),
    (FOLLOW, UNFOLLOW),
    keyword="full",
    columns=(_link("title", "user"), "full", "projects", "followers"),
)
GROUPS = Listing(
    of.TEAMS,
    {"name": "team"},
    (Link("group"),),
    keyword="team",
    columns=(_link("title", "group"), "heading", "projects", "people"),
)

# Pages

UP = Link("project", "up")
KEY = ("ns", "slug")


def _page(
    name: str, address: str, listing: Listing | None = None, *more: Link, **parts: Any
) -> Page:
    """Return a page of a project."""
    record, key = parts.pop("record", of.PROJECTS), (*KEY, *parts.pop("key", ()))
    links = tuple(each for each in (UP, *more) if each.to != name)
    return Page(
        name, f"/project/<ns>/<slug>{address}", record, key, links, listing=listing, **parts
    )


def _of(query: str, state: str) -> str:
    alias = "i" if query == of.ISSUES else "r"
    return f"{query}{IN_PROJECT} AND {alias}.state = '{state}'"


STATES = {"state": "SELECT 'open' UNION SELECT 'closed'"}
ISSUE_PAGES = (
    *map(Link, ("issues", "closed_issues", "all_issues", "labels")),
    Link("new_issue", shown=_may("Reporter")),
    Link("report_page", shown=_may_not("Reporter")),
)
REQUEST_PAGES = (
    *map(Link, ("requests", "merged_requests")),
    Link("new_request", shown=_may("Developer")),
)
OF_PROJECT_PAGES = (
    Link("user", "owner", using={"user": "ns"}, shown=_is("of_team", 0)),
    Link("group", "owning_group", using={"team": "ns"}, shown=_is("of_team")),
    *map(Link, ("commits", "branches", "contributors", "issues", "requests", "milestones")),
    *map(Link, ("members", "fork_page")),
    Link("new_file", shown=_may("Developer")),
)
PAGES = (
    Page("home", "/", listing=_projects(of.MINE, size=10)),
    Page(
        "explore",
        "/explore",
        listing=_projects(of.PROJECTS, keyword="title", size=10, forms=(STAR, UNSTAR)),
    ),
    Page(
        "my_issues",
        "/dashboard/issues",
        links=(Link("my_created"),),
        listing=_issues(of.ISSUES + " AND i.assignee = :me", filters=STATES),
    ),
    Page(
        "my_created",
        "/dashboard/created",
        links=(Link("my_issues"),),
        listing=_issues(of.ISSUES + " AND i.author = :me", filters=STATES),
    ),
    Page(
        "my_requests",
        "/dashboard/merge-requests",
        links=(Link("my_reviews"),),
        listing=_requests(of.REQUESTS + " AND r.assignee = :me AND r.state = 'open'"),
    ),
    Page(
        "my_reviews",
        "/dashboard/reviews",
        links=(Link("my_requests"),),
        listing=_requests(of.REQUESTS + " AND r.reviewer = :me AND r.state = 'open'"),
    ),
    Page("todos", "/dashboard/todos", listing=TODOS),
    Page(
        "profile",
        "/my-profile",
        of.ME,
        ("me",),
        (Link("tokens"),),
        (SAVE_PROFILE, SET_STATUS),
        shows=(_words("website_of"), _words("status_of")),
    ),
    Page("tokens", "/my-tokens", of.ME, ("me",), (Link("profile"),), shows=(_words("feed_of"),)),
    Page("new_project", "/new-project", forms=(CREATE_PROJECT,)),
    Page("new_group", "/new-group", forms=(CREATE_GROUP,)),
    Page("users", "/users", listing=USERS),
    Page(
        "user",
        "/users/<user>",
        of.USERS,
        ("user",),
        (),
        (FOLLOW, UNFOLLOW),
        _projects(of.PROJECTS + " AND p.ns = :user"),
        shows=(*map(_words, ("website_of", "status_of", "followers_of")),),
    ),
    Page("groups", "/groups", links=(Link("new_group"),), listing=GROUPS),
    Page(
        "group",
        "/groups/<team>",
        of.TEAMS,
        ("team",),
        (Link("group_members"),),
        listing=_projects(of.PROJECTS + " AND p.ns = :team"),
        shows=(_words("heading_of"),),
    ),
    Page(
        "group_members",
        "/groups/<team>/members",
        of.TEAMS,
        ("team",),
        (Link("group"),),
        (INVITE_TO_GROUP,),
        GROUP_MEMBERS,
        shows=(_words("heading_of"),),
    ),
    _page("branches", "/branches", BRANCHES),
    _page(
        "commits",
        "/commits/<branch>",
        COMMITS,
        Link("contributors"),
        record=of.BRANCHES,
        key=("branch",),
    ),
    _page(
        "contributors",
        "/contributors/<branch>",
        CONTRIBUTORS,
        Link("commits"),
        record=of.BRANCHES,
        key=("branch",),
    ),
    _page("issues", "/issues", _issues(_of(of.ISSUES, "open")), *ISSUE_PAGES),
    _page("closed_issues", "/closed-issues", _issues(_of(of.ISSUES, "closed")), *ISSUE_PAGES),
    _page("all_issues", "/all-issues", _issues(of.ISSUES + IN_PROJECT), *ISSUE_PAGES),
    _page("labels", "/labels", LABELS, Link("issues")),
    _page(
        "labelled",
        "/labels/<label>",
        _issues(of.LABELLED),
        Link("labels"),
        record=of.LABELS,
        key=("label",),
        shows=(_words("meaning_of"),),
    ),
    _page("new_issue", "/new-issue", None, Link("issues"), forms=(CREATE_ISSUE,)),
    _page("report_page", "/report-issue", None, Link("issues"), forms=(REPORT_ISSUE,)),
    _page(
        "issue",
        "/issue/<iid>",
        _notes("issue", "issue"),
        Link("issues"),
        Link("user"),
        record=of.ISSUES,
        key=("iid",),
        forms=(CLOSE, REOPEN, ASSIGN, ADD_LABEL, COMMENT_ISSUE),
        shows=(
            Column("about", (Show("word", "state_of"), Show("link", "user"), Show("ago", "at"))),
            _words("assignee_of", "due_of", "milestone_of", "labels_of"),
            _lines("body"),
        ),
    ),
    _page("requests", "/merge-requests", _requests(_of(of.REQUESTS, "open")), *REQUEST_PAGES),
    _page(
        "merged_requests",
        "/merged-requests",
        _requests(_of(of.REQUESTS, "merged")),
        *REQUEST_PAGES,
    ),
    _page("new_request", "/new-merge-request", None, Link("requests"), forms=(CREATE_REQUEST,)),
    _page(
        "request",
        "/merge-request/<mr>",
        _notes("request", "request"),
        Link("requests"),
        Link("user"),
        record=of.REQUESTS,
        key=("mr",),
        forms=(MERGE, COMMENT_REQUEST),
        shows=(
            Column("about", (Show("word", "state_of"), Show("link", "user"), Show("ago", "at"))),
            _words("from_to", "assignee_of", "reviewer_of"),
            _lines("body"),
        ),
    ),
    _page("members", "/members", MEMBERS, Link("invite_page", shown=_may("Maintainer"))),
    _page(
        "invite_page",
        "/invite",
        replace(MEMBERS, forms=()),
        Link("members"),
        forms=(INVITE,),
    ),
    _page("milestones", "/milestones", MILESTONES, Link("new_milestone", shown=_may("Reporter"))),
    _page("new_milestone", "/new-milestone", None, Link("milestones"), forms=(CREATE_MILESTONE,)),
    _page("fork_page", "/fork", forms=(FORK,)),
    _page("new_file", "/new-file", forms=(CREATE_FILE,)),
    _page(
        "edit_file",
        "/edit/<branch>/<*file>",
        None,
        Link("file"),
        record=of.FILES,
        key=("file",),
        forms=(EDIT_FILE,),
    ),
    _page(
        "file",
        "/file/<branch>/<*file>",
        None,
        Link("edit_file", shown=_may("Developer")),
        record=of.FILES,
        key=("file",),
        shows=(Column("message", (Show("text", "message"),)), _lines("body")),
    ),
    _page(
        "project",
        "",
        FILES,
        *OF_PROJECT_PAGES,
        forms=(STAR, UNSTAR),
        shows=(
            Column("description", (Show("text", "description"),)),
            _words("stars_of", "forks_of", "requests_of", "issues_of"),
            _words("commits_of", "branches_of", "visibility_of", "origin_of"),
            _words("clone_ssh"),
            _words("clone_https"),
            _lines("readme"),
        ),
    ),
)


def stray(world: World) -> Do:
    """Return an operation that nobody asked for: follow somebody else."""
    rows = world.read(
        "SELECT name FROM users WHERE name != :me AND name NOT IN"
        " (SELECT user FROM follows WHERE follower = :me) ORDER BY name DESC LIMIT 1",
        {"me": me(world)},
    )
    return do.follow(rows[0]["name"])


OPERATIONS = (
    *(do.create_project, do.fork, do.create_group, do.invite, do.set_role, do.remove_member),
    *(do.invite_to_group, do.create_issue, do.assign, do.add_label, do.close_issue),
    *(do.reopen_issue, do.create_merge_request, do.merge, do.comment_issue, do.comment_request),
    *(do.create_milestone, do.edit_file, do.create_file, do.star, do.unstar, do.follow),
    *(do.unfollow, do.save_profile, do.set_status, do.finish_todo),
)
SITE = Site(
    "codehost",
    of.TABLES,
    OPERATIONS,
    PAGES,
    SKINS,
    "home",
    of.PERSONAS,
    stray,
    drawn=DrawnSkins(SYNONYMS),
)
