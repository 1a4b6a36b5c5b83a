"""The tables of the code host, and the queries by which its pages read them."""

from __future__ import annotations

from sites._kit.declare import Table
from sites.codehost.roles import RANKS

# The SQL below is made of declarations alone.
# ruff: noqa: S608

TABLES = (
    Table(
        "users",
        "name TEXT PRIMARY KEY, full TEXT, joined REAL, zone INTEGER, website TEXT, status TEXT,"
        " feed TEXT",
        ("name",),
    ),
    Table("mails", "mail TEXT PRIMARY KEY, user TEXT", ("mail",), about={"user": "users"}),
    Table("follows", "follower TEXT, user TEXT, PRIMARY KEY (follower, user)",
          ("follower", "user")),
    Table("teams", "name TEXT PRIMARY KEY, heading TEXT, visibility TEXT", ("name",)),
    Table(
        "team_members",
        "team TEXT, user TEXT, role TEXT, PRIMARY KEY (team, user)",
        ("team", "user"),
        index=("user",),
    ),
    Table(
        "projects",
        "path TEXT PRIMARY KEY, ns TEXT, slug TEXT, description TEXT, visibility TEXT, main TEXT,"
        " origin TEXT, template TEXT, made REAL",
        ("path",),
        drawn=("made",),
        index=("ns",),
    ),
    Table(
        "members",
        "project TEXT, user TEXT, role TEXT, PRIMARY KEY (project, user)",
        ("project", "user"),
        index=("user",),
    ),
    Table("stars", "user TEXT, project TEXT, PRIMARY KEY (user, project)", ("user", "project"),
          index=("project",)),
    Table("branches", "project TEXT, name TEXT, since REAL, PRIMARY KEY (project, name)",
          ("project", "name"), drawn=("since",)),
    Table(
        "commits",
        "id INTEGER PRIMARY KEY, project TEXT, branch TEXT, sha TEXT, author TEXT, mail TEXT,"
        " at REAL, title TEXT",
        ("id",),
        drawn=("id", "at"),
        index=("project, branch, at",),
    ),
    Table(
        "files",
        "id INTEGER PRIMARY KEY, project TEXT, file TEXT, body TEXT, version INTEGER",
        ("id",),
        drawn=("id", "version"),
        index=("project, file",),
    ),
    Table("labels", "project TEXT, name TEXT, meaning TEXT, PRIMARY KEY (project, name)",
          ("project", "name")),
    Table(
        "milestones",
        "id INTEGER PRIMARY KEY, project TEXT, title TEXT, starts TEXT, due TEXT, state TEXT",
        ("id",),
        drawn=("id",),
        index=("project",),
    ),
    Table(
        "issues",
        "id INTEGER PRIMARY KEY, project TEXT, iid INTEGER, title TEXT, body TEXT, author TEXT,"
        " state TEXT, assignee TEXT, due TEXT, milestone TEXT, at REAL, updated REAL",
        ("id",),
        drawn=("id", "iid", "at", "updated"),
        index=("project, iid", "author", "assignee"),
    ),
    Table("issue_labels", "issue INTEGER, label TEXT, PRIMARY KEY (issue, label)",
          ("issue", "label"), about={"issue": "issues"}),
    Table(
        "merge_requests",
        "id INTEGER PRIMARY KEY, project TEXT, iid INTEGER, title TEXT, body TEXT, author TEXT,"
        " state TEXT, source TEXT, target TEXT, assignee TEXT, reviewer TEXT, at REAL,"
        " updated REAL",
        ("id",),
        drawn=("id", "iid", "at", "updated"),
        index=("project, iid", "assignee", "reviewer"),
    ),
    Table(
        "notes",
        "id INTEGER PRIMARY KEY, kind TEXT, thing INTEGER, author TEXT, body TEXT, at REAL",
        ("id",),
        drawn=("id", "at"),
        index=("kind, thing",),
    ),
    Table(
        "todos",
        "id INTEGER PRIMARY KEY, user TEXT, project TEXT, author TEXT, what TEXT, title TEXT,"
        " at REAL, state TEXT",
        ("id",),
        drawn=("id", "at"),
        index=("user",),
    ),
)  # fmt: skip

# Queries. Each has the columns of the address of its page: `ns` and `slug` are the project's.

_CASES = " ".join(f"WHEN '{role}' THEN {rank}" for role, rank in RANKS.items())
RANK = f"CASE role {_CASES} ELSE 0 END"
_MINE = f"""max(
  coalesce((SELECT {RANK} FROM members m WHERE m.project = p.path AND m.user = :me), 0),
  coalesce((SELECT {RANK} FROM team_members t WHERE t.team = p.ns AND t.user = :me), 0))"""
_OF = f"p.path AS project, p.ns, p.slug, p.main, {_MINE} AS rank"
_SEEN = f"(p.visibility != 'private' OR {_MINE} > 0)"
_STARS = "(SELECT count(*) FROM stars s WHERE s.project = p.path)"
_ON_BRANCH = """c.project = p.path
  AND (c.branch = b.name OR (c.branch = p.main AND c.at <= b.since))"""
PROJECTS = f"""
SELECT {_OF}, p.path, p.description, p.visibility, p.origin, p.made, {_STARS} AS stars,
  p.main AS branch, p.path AS title,
  'git@code.example:' || p.path || '.git' AS ssh,
  'https://code.example/' || p.path || '.git' AS https,
  (SELECT count(*) FROM projects f WHERE f.origin = p.path) AS forks,
  (SELECT count(*) FROM issues i WHERE i.project = p.path AND i.state = 'open') AS issues,
  (SELECT count(*) FROM merge_requests r WHERE r.project = p.path AND r.state = 'open') AS requests,
  (SELECT count(*) FROM commits c WHERE c.project = p.path AND c.branch = p.main) AS commits,
  (SELECT count(*) FROM branches b WHERE b.project = p.path) AS branches,
  (SELECT body FROM files f WHERE f.project = p.path AND f.file = 'README.md') AS readme,
  EXISTS (SELECT 1 FROM stars s WHERE s.project = p.path AND s.user = :me) AS starred,
  EXISTS (SELECT 1 FROM teams g WHERE g.name = p.ns) AS of_team
FROM projects p WHERE {_SEEN}"""
MINE = PROJECTS + " AND EXISTS (SELECT 1 FROM members WHERE project = p.path AND user = :me)"
BRANCHES = f"""
SELECT {_OF}, b.name AS branch, b.name = p.main AS is_main,
  (SELECT count(*) FROM commits c WHERE {_ON_BRANCH}) AS commits
FROM projects p JOIN branches b ON b.project = p.path WHERE {_SEEN}"""
COMMITS = f"""
SELECT {_OF}, b.name AS branch, c.id AS number, c.sha, c.author, c.mail, c.title, c.at,
  strftime('%Y-%m-%d', c.at, 'unixepoch') AS day,
  strftime('%Y-%m-%d %H:%M', c.at + (SELECT zone FROM users WHERE name = :me), 'unixepoch') AS clock
FROM projects p JOIN branches b ON b.project = p.path
JOIN commits c ON {_ON_BRANCH} WHERE {_SEEN}"""
CONTRIBUTORS = f"""
SELECT c.author || ' ' || c.mail AS contributor, c.author, c.mail, count(*) AS commits
FROM projects p JOIN branches b ON b.project = p.path
JOIN commits c ON {_ON_BRANCH}
WHERE p.ns = :ns AND p.slug = :slug AND b.name = :branch AND {_SEEN} GROUP BY c.author, c.mail"""
FILES = f"""
SELECT {_OF}, p.main AS branch, f.id AS number, f.file, f.body, f.version,
  (SELECT title FROM commits c WHERE c.project = p.path AND c.branch = p.main
    ORDER BY c.at DESC, c.id DESC LIMIT 1) AS message
FROM projects p JOIN files f ON f.project = p.path WHERE {_SEEN}"""
LABELS = f"""
SELECT {_OF}, l.name AS label, l.meaning,
  (SELECT count(*) FROM issue_labels x JOIN issues i ON i.id = x.issue
    WHERE x.label = l.name AND i.project = p.path AND i.state = 'open') AS issues
FROM projects p JOIN labels l ON l.project = p.path WHERE {_SEEN}"""
MILESTONES = f"""
SELECT {_OF}, m.id AS milestone_no, m.title, m.starts, m.due, m.state
FROM projects p JOIN milestones m ON m.project = p.path WHERE {_SEEN}"""
ISSUES = f"""
SELECT {_OF}, i.id AS issue, i.iid, i.title, i.body, i.author AS user, i.state, i.assignee, i.due,
  i.milestone, i.at, i.updated, i.author = :me AS mine,
  (SELECT group_concat(label, ', ') FROM
    (SELECT label FROM issue_labels x WHERE x.issue = i.id ORDER BY label)) AS labels,
  (SELECT count(*) FROM notes n WHERE n.kind = 'issue' AND n.thing = i.id) AS notes
FROM projects p JOIN issues i ON i.project = p.path WHERE {_SEEN}"""
LABELLED = (
    ISSUES
    + """ AND p.ns = :ns AND p.slug = :slug AND i.state = 'open'
  AND EXISTS (SELECT 1 FROM issue_labels x WHERE x.issue = i.id AND x.label = :label)"""
)
REQUESTS = f"""
SELECT {_OF}, r.id AS request, r.iid AS mr, r.title, r.body, r.author AS user, r.state, r.source,
  r.target, r.assignee, r.reviewer, r.at, r.updated, r.author = :me AS mine,
  (SELECT count(*) FROM notes n WHERE n.kind = 'request' AND n.thing = r.id) AS notes
FROM projects p JOIN merge_requests r ON r.project = p.path WHERE {_SEEN}"""
NOTES = """
SELECT n.id AS note, n.kind, n.thing, n.author AS user, n.body, n.at FROM notes n
WHERE n.kind = '{kind}' AND n.thing = :{thing}"""
MEMBERS = f"""
SELECT {_OF}, m.user, m.role, (SELECT full FROM users u WHERE u.name = m.user) AS full
FROM projects p JOIN members m ON m.project = p.path WHERE {_SEEN}"""
USERS = f"""
SELECT u.name AS user, u.full, u.joined, u.website, u.status, u.feed, u.zone, u.name = :me AS mine,
  (SELECT count(*) FROM follows f WHERE f.user = u.name) AS followers,
  (SELECT count(*) FROM projects p WHERE p.ns = u.name AND {_SEEN}) AS projects,
  EXISTS (SELECT 1 FROM follows f WHERE f.user = u.name AND f.follower = :me) AS followed
FROM users u"""
ME = USERS.replace("u.name AS user,", "u.name AS me, u.name AS user,")
TEAM_RANK = f"""coalesce((SELECT {RANK} FROM team_members t
  WHERE t.team = g.name AND t.user = :me), 0)"""
_TEAM_SEEN = f"(g.visibility != 'private' OR {TEAM_RANK} > 0)"
TEAMS = f"""
SELECT g.name AS team, g.heading, g.visibility, {TEAM_RANK} AS rank,
  (SELECT count(*) FROM projects p WHERE p.ns = g.name AND {_SEEN}) AS projects,
  (SELECT count(*) FROM team_members t WHERE t.team = g.name) AS people
FROM teams g WHERE {_TEAM_SEEN}"""
TEAM_MEMBERS = f"""
SELECT g.name AS team, t.user, t.role, {TEAM_RANK} AS rank,
  (SELECT full FROM users u WHERE u.name = t.user) AS full
FROM teams g JOIN team_members t ON t.team = g.name WHERE {_TEAM_SEEN}"""
TODOS = f"""
SELECT t.id AS todo, t.author AS user, t.what, t.title, t.project, t.at, t.state
FROM todos t JOIN projects p ON p.path = t.project
WHERE t.user = :me AND t.state = 'open' AND {_SEEN}"""

PROJECT_ORDERS = {
    "stars": "stars DESC, path",
    "name": "path",
    "new": "made DESC, path",
}
ISSUE_ORDERS = {
    "new": "at DESC, issue DESC",
    "updated": "updated DESC, issue DESC",
    "title": "title, issue",
}
REQUEST_ORDERS = {"new": "at DESC, request DESC", "updated": "updated DESC, request DESC"}
USER_NAMES = "SELECT name FROM users ORDER BY name"
PLACES = f"""
SELECT :me AS name UNION SELECT team FROM team_members
WHERE user = :me AND {RANK} >= {RANKS["Developer"]} ORDER BY name"""
"""The users and groups in which the user may make projects."""
BRANCH_NAMES = "SELECT name FROM branches WHERE project = :project ORDER BY name"
MEMBER_NAMES = """
SELECT user FROM members WHERE project = :project UNION
SELECT t.user FROM team_members t JOIN projects p ON p.ns = t.team WHERE p.path = :project
ORDER BY user"""
LABEL_NAMES = "SELECT name FROM labels WHERE project = :project ORDER BY name"
MILESTONE_NAMES = """
SELECT title FROM milestones WHERE project = :project AND state = 'open' ORDER BY title"""
PERSONAS = """
SELECT name FROM users WHERE name IN (SELECT ns FROM projects WHERE origin = '')
  AND name IN (SELECT assignee FROM issues) AND name IN (SELECT reviewer FROM merge_requests)
  AND name IN (SELECT author FROM issues)"""
"""The users who may be signed in."""
