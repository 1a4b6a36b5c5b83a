"""The words, addresses and questions from which drawn skins of the code host are made."""

from __future__ import annotations

from sites._kit.skins.synonyms import Choice, Synonyms

NOUNS = (
    Choice(
        "project projects",
        (
            *("project|projects", "repository|repositories", "codebase|codebases"),
            *("package|packages", "program|programs"),
        ),
    ),
    Choice("issue issues", ("issue|issues", "ticket|tickets", "case|cases", "problem|problems")),
    Choice(
        "request requests",
        (
            *("merge request|merge requests", "pull request|pull requests"),
            *("change request|change requests", "proposal|proposals", "patch|patches"),
        ),
    ),
    Choice("team teams", ("group|groups", "team|teams", "crew|crews", "club|clubs")),
    Choice(
        "member members",
        (
            *("member|members", "collaborator|collaborators", "participant|participants"),
            "teammate|teammates",
        ),
    ),
    Choice("person people", ("user|users", "person|people", "account|accounts", "coder|coders")),
    Choice(
        "goal goals", ("milestone|milestones", "goal|goals", "release|releases", "phase|phases")
    ),
    Choice(
        "commit commits",
        ("commit|commits", "revision|revisions", "snapshot|snapshots", "change set|change sets"),
    ),
    Choice("branch branches", ("branch|branches", "line|lines", "track|tracks", "strand|strands")),
    Choice("label labels", ("label|labels", "tag|tags", "marker|markers", "topic|topics")),
)
ZONES = (
    "Days above <commits> and times in brackets are in UTC. The time of a <commit> is in your own"
    " zone."
)
SITE = (
    Choice(
        "site footer",
        (
            f"Granary|Granary. {ZONES}",
            f"Copperline|{ZONES} Copperline, for <people> and their <projects>.",
            f"Workbench|Workbench, the place for <projects>. {ZONES}",
            f"Sluice|{ZONES} This is Sluice.",
            f"Brickyard|Brickyard · {ZONES}",
            f"Tinder & Flint|{ZONES} Tinder & Flint.",
        ),
    ),
    Choice(
        "clone_ssh clone_https",
        (
            "Clone with SSH: {ssh}|Clone with HTTPS: {https}",
            "SSH: {ssh}|HTTPS: {https}",
            "Over SSH: {ssh}|Over HTTPS: {https}",
            "Fetch by SSH: {ssh}|Fetch by HTTPS: {https}",
        ),
    ),
)
NAVIGATION = (
    Choice(
        "home title_home",
        (
            *("Your <projects>|Your <projects>", "My <projects>|My <projects>"),
            *("Start page|Your <projects>", "Home|Your <projects>"),
        ),
    ),
    Choice(
        "explore title_explore",
        (
            *("Explore|Explore <projects>", "All <projects>|All <projects>"),
            *("Discover|Discover <projects>", "Find <projects>|Find <projects>"),
        ),
    ),
    Choice(
        "my_issues title_my_issues my_created title_my_created",
        (
            ("<Issues> assigned to you|<Issues> assigned to you"
            "|<Issues> created by you|<Issues> created by you"),
            "My <issues>|My <issues>|<Issues> I opened|<Issues> I opened",
            "<Issues> for you|<Issues> for you|<Issues> from you|<Issues> from you",
            ("Your assigned <issues>|Your assigned <issues>"
            "|<Issues> you wrote|<Issues> you wrote"),
        ),
    ),
    Choice(
        "my_requests title_my_requests my_reviews title_my_reviews",
        (
            ("<Requests> assigned to you|<Requests> assigned to you"
            "|<Requests> to review|<Requests> to review"),
            "My <requests>|My <requests>|Reviews I owe|Reviews I owe",
            ("<Requests> for you|<Requests> for you"
            "|<Requests> that wait for your review|<Requests> that wait for your review"),
            ("Your assigned <requests>|Your assigned <requests>"
            "|Your review is asked|Your review is asked"),
        ),
    ),
    Choice(
        "todos title_todos finish_todo",
        (
            "To-do list|To-do list|Mark as done",
            "Inbox|Inbox|Put away",
            "Task list|Task list|Tick off",
            "Reminders|Reminders|Dismiss",
        ),
    ),
    Choice("todo_of", ("{user} {what} “{title}”", "{user} {what}: {title}")),
    Choice("col_todo_of", ("To do", "What happened", "Event", "Notice")),
    Choice("users title_users", ("<People>|<People>", "All <people>|All <people>",
           "List of <people>|List of <people>", "Directory of <people>|Directory of <people>")),
    Choice("groups title_groups", ("<Teams>|<Teams>", "All <teams>|All <teams>",
           "List of <teams>|List of <teams>", "Browse <teams>|All <teams>")),
    Choice("my_page", ("Your page", "My page", "Your public page", "How others see you")),
    Choice("user", ("{user}", "@{user}", "~{user}", "{user}’s page")),
    Choice("title_user", ("{full} @{user}", "{full} ({user})", "{user}: {full}", "{full}, {user}")),
    Choice("group title_group", ("{team}|<Team> {team}", "{team}|{team}", "@{team}|<Team> {team}",
           "<team> {team}|<Team> {team}")),
    Choice("project title_project up", (
        "{ns} / {slug}|{ns} / {slug}|{ns} / {slug}", "{ns}/{slug}|{slug}|Back to {slug}",
        "{slug} of {ns}|{slug} of {ns}|This <project>: {slug}",
        "{slug} ({ns})|{slug} ({ns})|« {slug}")),
    Choice("owner owning_group", (
        "Owner: {ns}|<Team>: {ns}", "Belongs to {ns}|Belongs to the <team> {ns}",
        "Kept by {ns}|Kept by the <team> {ns}", "More of {ns}|More of the <team> {ns}")),
    Choice("group_members title_group_members", (
        "<Members> of the <team>|<Members> of the <team> {team}",
        "<Team> <members>|<Team> <members> of {team}",
        "Who belongs here|Who belongs to {team}", "<People> in this <team>|<People> in {team}")),
)  # fmt: skip
OF_PROJECT = (
    Choice("commits title_commits", (
        "<Commits> on {branch}|<Commits> on {branch}", "History of {branch}|History of {branch}",
        "<Commits> of {branch}|<Commits> of {branch}", "Log of {branch}|Log of {branch}")),
    Choice("branches title_branches branches_of", (
        "<Branches>|<Branches>|<Branches>: {branches}",
        "All <branches>|All <branches>|Number of <branches>: {branches}",
        "List of <branches>|List of <branches>|<Branches> so far: {branches}",
        "See <branches>|<Branches>|Open <branches>: {branches}")),
    Choice("contributors title_contributors col_contributors", (
        "Contributors on {branch}|Contributors on {branch}|Contributors",
        "Authors of {branch}|Authors of {branch}|Authors",
        "Who wrote {branch}|Who wrote {branch}|Who wrote it",
        "Credits for {branch}|Credits for {branch}|Credits")),
    Choice("issues title_issues closed_issues title_closed_issues all_issues title_all_issues", (
        "Open <issues>|Open <issues>|Closed <issues>|Closed <issues>|All <issues>|All <issues>",
        "<Issues>|Open <issues>|<Issues>, closed|Closed <issues>|<Issues>, all|All <issues>",
        ("Unsolved <issues>|Unsolved <issues>|Solved <issues>|Solved <issues>"
        "|Every <issue>|Every <issue>"),
        ("<Issues> still open|<Issues> still open|Former <issues>|Former <issues>"
        "|<Issues> of any state|<Issues> of any state"))),
    Choice("labels title_labels labelled title_labelled", (
        "<Labels>|<Labels>|{label}|<Label> {label}",
        "All <labels>|All <labels>|{label}|<Issues> with {label}",
        "List of <labels>|List of <labels>|“{label}”|<Label> “{label}”",
        "<Labels> of <issues>|<Labels> of <issues>|#{label}|#{label}")),
    Choice("new_issue title_new_issue create_issue", (
        "New <issue>|New <issue>|Create <issue>", "Open new <issue>|New <issue>|Open <issue>",
        "Write <issue>|Write <issue>|File <issue>", "Add <issue>|Add <issue>|Submit <issue>")),
    Choice("report_page title_report_page report_issue", (
        "Report fault|Report fault|Send report",
        "Something is wrong|Something is wrong|Report this",
        "Complain|Complain|Hand in complaint", "Tell the makers|Tell the makers|Tell them")),
    Choice("issue title_issue", (
        "#{iid} {title}|{title} (#{iid})", "{iid}: {title}|{title}, no. {iid}",
        "{title} [{iid}]|{title} [{iid}]", "No. {iid} {title}|No. {iid} {title}")),
    Choice("requests title_requests merged_requests title_merged_requests", (
        "<Requests>|Open <requests>|Merged|Merged <requests>",
        "Open <requests>|Open <requests>|Merged <requests>|Merged <requests>",
        "<Requests> to decide|<Requests> to decide|<Requests> taken over|<Requests> taken over",
        "Waiting <requests>|Waiting <requests>|Accepted <requests>|Accepted <requests>")),
    Choice("new_request title_new_request create_request", (
        "New <request>|New <request>|Create <request>",
        "Start <request>|Start <request>|Start this <request>",
        "Add <request>|Add <request>|Submit <request>",
        "Offer <request>|Offer <request>|Offer this <request>")),
    Choice("request title_request", (
        "!{mr} {title}|{title} (!{mr})", "{mr}: {title}|{title}, no. {mr}",
        "{title} [{mr}]|{title} [{mr}]", "No. {mr} {title}|No. {mr} {title}")),
    Choice("members title_members", (
        "<Members>|<Members> of the <project>", "<Project> <members>|<Project> <members>",
        "Who takes part|Who takes part", "Roles|<Members> and roles")),
    Choice("invite_page title_invite_page invite invite_to_group", (
        "Invite <members>|Invite <members>|Invite|Invite to <team>",
        "Add <members>|Add <members>|Add to <project>|Add to <team>",
        "New <members>|New <members>|Make <member>|Make <member> of <team>",
        "Take <people> in|Take <people> in|Take in|Take into <team>")),
    Choice("milestones title_milestones new_milestone title_new_milestone create_milestone", (
        "<Goals>|<Goals>|New <goal>|New <goal>|Create <goal>",
        "All <goals>|All <goals>|Add <goal>|Add <goal>|Save <goal>",
        "List of <goals>|List of <goals>|Plan <goal>|Plan <goal>|Put <goal> on the plan",
        "Schedule|Schedule of <goals>|Set <goal>|Set <goal>|Put <goal> into schedule")),
    Choice("fork_page title_fork_page fork forks_of col_forks origin_of", (
        "Fork|Fork {path}|Fork <project>|Forks: {forks}|Forks|Forked from: {origin}",
        "Copy this <project>|Copy {path}|Make copy|Copies: {forks}|Copies|Copied from: {origin}",
        ("Duplicate|Duplicate {path}|Make duplicate|Duplicates: {forks}|Duplicates"
        "|Duplicate of: {origin}"),
        ("Spin off|Spin off from {path}|Make spin-off|Spin-offs: {forks}|Spin-offs"
        "|Spin-off from: {origin}"))),
    Choice("new_file title_new_file create_file", (
        "New file|New file|Commit new file", "Add file|Add file|Save new file",
        "Write new file|Write new file|Store new file",
        "Create file|Create file|Create this file")),
    Choice("edit_file title_edit_file save_file", (
        "Edit|Edit {file}|Commit changes", "Change file|Change {file}|Save file",
        "Rewrite|Rewrite {file}|Store new text", "Open editor|Editor: {file}|Save text")),
)  # fmt: skip
LISTS = (
    Choice("sort_new sort_updated sort_title sort_name", (
        "Created date|Updated date|Title|Name", "Newest|Last changed|By title|By name",
        "Newest first|Latest activity|Alphabetical|A to Z",
        "Youngest|Recently touched|Title, A–Z|Name, A–Z")),
    Choice("sort_commits commits_of col_commits", (
        "Most <commits>|<Commits>: {commits}|<Commits>",
        "By number of <commits>|Number of <commits>: {commits}|Number of <commits>",
        "Busiest|<Commits> so far: {commits}|<Commits> so far",
        "Largest share|All <commits>: {commits}|Share of <commits>")),
    Choice("col_title", ("Name", "Title", "Name or title", "Heading")),
    Choice("col_description description", (
        "Description|Description", "About|What it is about", "In short|In short",
        "Summary|Summary")),
    Choice("col_issues issues_of", (
        "Open <issues>|Open <issues>: {issues}", "<Issues>|<Issues>: {issues}",
        "<Issues> still open|<Issues> still open: {issues}",
        "Number of open <issues>|Number of open <issues>: {issues}")),
    Choice("col_requests requests_of", (
        "<Requests>|<Requests>: {requests}", "Open <requests>|Open <requests>: {requests}",
        "<Requests> that wait|<Requests> that wait: {requests}",
        "Number of open <requests>|Number of open <requests>: {requests}")),
    Choice("col_state_of col_state state", (
        "State|State|State", "Status|Status|With status", "How it stands|State|Show only",
        "Progress|Progress|Progress")),
    Choice("by col_about", ("created by|Created", "from|From", "opened by|Opened", "by|Author")),
    Choice("updated_of col_updated", (
        "updated|Updated", "changed|Changed", "last touched|Last touched",
        "latest activity|Latest activity")),
    Choice("col_body comment_issue comment_request comment", (
        "Comment|Comment|Comment on <request>|Write a comment",
        "Remark|Post remark|Post remark on <request>|Your remark",
        "Reply|Send reply|Send reply to <request>|Your reply",
        "Note|Add note|Add note to <request>|New note")),
    Choice("col_author col_mail", (
        "Author|E-mail", "Written by|Mail", "Who|Mail address", "Contributor|E-mail address")),
    Choice("col_clock_of", (
        "Time in your zone", "Your local time", "Time where you are", "Time (your zone)")),
    Choice("col_sha", ("<Commit>", "Number", "Hash", "Short hash")),
    Choice("col_full", ("Full name", "Name", "Name in full", "Person")),
    Choice("col_role role set_role remove_member", (
        "Role|Select a role|Update role|Remove <member>",
        "Rights|Rights|Change rights|Take out", "Permission|Permission|Set permission|Expel",
        "Rank|Rank|Give rank|Drop <member>")),
    Choice("starts_of col_starts_of starts", (
        "from {starts}|Start|Start date (YYYY-MM-DD)",
        "starts {starts}|Starts|Starts on (YYYY-MM-DD)",
        "begins {starts}|Begins|First day (YYYY-MM-DD)",
        "start: {starts}|First day|From (YYYY-MM-DD)")),
    Choice("ends_of col_ends_of due_of due", (
        "to {due}|End|Due date: {due}|Due date (YYYY-MM-DD)",
        "until {due}|Until|Due: {due}|Due on (YYYY-MM-DD)",
        "ends {due}|Ends|Deadline: {due}|Deadline (YYYY-MM-DD)",
        "end: {due}|Last day|Wanted by: {due}|Wanted by (YYYY-MM-DD)")),
    Choice("col_meaning", ("Description", "Meaning", "Used for", "What it says")),
    Choice("col_projects", ("<Projects>", "Number of <projects>", "All <projects>", "Owns")),
    Choice("col_heading", ("Full name", "Name in full", "<Team>", "Long name")),
    Choice("col_people", ("<Members>", "Number of <members>", "Size", "<Members> in all")),
    Choice("col_buttons", ("Actions", "Change", "What you may do", "Buttons")),
    Choice("look nothing", (
        "Search <people>|No one found.", "Look up|Nobody has such a name.",
        "Suggest names|There is no such name.", "Find <person>|Nobody found.")),
)  # fmt: skip
FACTS = (
    Choice("assignee_of assignee", (
        "Assignee: {assignee}|Assignee", "Assigned to: {assignee}|Assign to",
        "In charge: {assignee}|In charge", "Responsible: {assignee}|Responsible")),
    Choice("reviewer_of reviewer", (
        "Reviewer: {reviewer}|Reviewer", "Review by: {reviewer}|Review by",
        "To be checked by: {reviewer}|To be checked by", "Checks it: {reviewer}|Who checks it")),
    Choice("milestone_of milestone", (
        "<Goal>: {milestone}|<Goal>", "For <goal>: {milestone}|For <goal>",
        "Planned <goal>: {milestone}|Planned <goal>", "Belongs to: {milestone}|Belongs to <goal>")),
    Choice("labels_of add_label label", (
        "<Labels>: {labels}|Add <label>|<Label>",
        "Has <labels>: {labels}|Put <label> on|New <label>",
        "<Labels> on it: {labels}|Attach <label>|Attach which <label>",
        "Sorted under: {labels}|Sort under <label>|Under which <label>")),
    Choice("visibility_of visibility", (
        "Visibility: {visibility}|Visibility level", "Seen by: {visibility}|Who may see it",
        "Access: {visibility}|Access", "Audience: {visibility}|Audience")),
    Choice("from_to source target", (
        "{source} into {target}|Source <branch>|Target <branch>",
        "{source} → {target}|From <branch>|Into <branch>",
        "from {source} to {target}|Take from|Bring to",
        "merges {source} into {target}|<Branch> with the changes|<Branch> that gets them")),
)  # fmt: skip
WRITING = (
    Choice("new_project title_new_project create_project", (
        "New <project>|New <project>|Create <project>",
        "Start <project>|Start <project>|Start this <project>",
        "Add <project>|Add <project>|Save <project>",
        "Set up <project>|Set up <project>|Set up this <project>")),
    Choice("new_group title_new_group create_group", (
        "New <team>|New <team>|Create <team>", "Found <team>|Found <team>|Found this <team>",
        "Add <team>|Add <team>|Save <team>",
        "Bring <team> together|Bring <team> together|Set up <team>")),
    Choice("ns", ("Namespace", "Owner", "Belongs to", "Under whose name")),
    Choice("place called", (
        "Namespace of the copy|Name of the copy", "Owner of the copy|Short name of the copy",
        "Copied to|Copied as", "New owner|New name",
    )),
    Choice("slug", ("<Project> name", "Short name",
        "Name of the <project>", "Name in the address")),
    Choice("template", ("Template", "Start from", "Begin with", "Ready-made files")),
    Choice("team heading", (
        "<Team> path|<Team> name", "Short name|Full name", "Name in the address|Display name",
        "Path of the <team>|Name of the <team>")),
    Choice("user_label", ("Username", "Name of the <person>", "Whom", "<Person>")),
    Choice("title", ("Title", "Heading", "Subject", "In one line")),
    Choice("body", ("Text", "Details", "Content", "Main text")),
    Choice("assign", ("Save changes", "Save settings", "Keep these", "Store plan")),
    Choice("close_issue reopen_issue", (
        "Close <issue>|Reopen <issue>", "Mark as solved|Mark as unsolved",
        "Finish <issue>|Take up <issue> once more", "Settle <issue>|Unsettle <issue>")),
    Choice("merge", ("Merge", "Accept and merge", "Take over", "Merge now")),
    Choice("file_label", ("File name", "Path of the file", "Name of the file", "Path")),
    Choice("message", ("<Commit> message", "What you changed", "Reason for the change",
           "Message of the <commit>")),
    Choice("profile title_profile", (
        "Edit profile|Edit profile", "Your profile|Your profile", "Settings|Your settings",
        "About you|About you")),
    Choice("website_of website save_profile", (
        "Website: {website}|Website|Update profile", "Homepage: {website}|Homepage|Save homepage",
        "On the web: {website}|Your web address|Save web address",
        "Web page: {website}|Web page|Store web page")),
    Choice("status_of status set_status", (
        "Status: {status}|Status|Set status", "Right now: {status}|Right now|Show this",
        "Mood: {status}|Mood|Set mood", "Message: {status}|Short message|Show message")),
    Choice("tokens title_tokens feed_of", (
        "Access tokens|Access tokens|Feed token: {feed}", "Keys|Keys|Key for feeds: {feed}",
        "Secrets|Secrets|Secret for feeds: {feed}", "Tokens|Tokens|Token for feeds: {feed}")),
)  # fmt: skip
MARKS = (
    Choice("star unstar stars_of sort_stars col_stars", (
        "Star|Unstar|Stars: {stars}|Most stars|Stars",
        "Like|Unlike|Likes: {stars}|Most likes|Likes",
        "Bookmark|Drop bookmark|Bookmarks: {stars}|Most bookmarks|Bookmarks",
        "Add to favourites|Remove from favourites|Favourite of: {stars}|Best liked|Favourite of")),
    Choice("follow unfollow followers_of sort_followers col_followers", (
        "Follow|Unfollow|Followers: {followers}|Most followers|Followers",
        "Watch|Stop watching|Watched by: {followers}|Most watched|Watched by",
        "Subscribe|Unsubscribe|Subscribers: {followers}|Most subscribers|Subscribers",
        "Keep track|Lose track|Tracked by: {followers}|Most tracked|Tracked by")),
)  # fmt: skip
PATHS = {
    "project": ("project", "<project>", "<projects>", "code"),
    "explore": ("explore", "discover", "all <projects>", "browse"),
    "dashboard": ("dashboard", "mine", "my", "for-me"),
    "issues": ("<issues>", "open <issues>", "list of <issues>"),
    "created": ("created", "written", "from-me", "by-me"),
    "merge-requests": ("<requests>", "open <requests>", "list of <requests>"),
    "reviews": ("reviews", "to-review", "checks", "second-look"),
    "todos": ("todos", "inbox", "tasks", "reminders"),
    "my-profile": ("my-profile", "settings", "profile", "about-me"),
    "my-tokens": ("my-tokens", "tokens", "keys", "secrets"),
    "new-project": ("new <project>", "start <project>", "add <project>", "create <project>"),
    "new-group": ("new <team>", "found <team>", "add <team>", "create <team>"),
    "users": ("<people>", "all <people>", "list of <people>", "directory"),
    "groups": ("<teams>", "all <teams>", "list of <teams>"),
    "members": ("<members>", "roles", "who"),
    "branches": ("<branches>", "all <branches>", "list of <branches>"),
    "commits": ("<commits>", "history", "log"),
    "contributors": ("contributors", "authors", "credits", "written-by"),
    "closed-issues": ("closed <issues>", "former <issues>", "solved <issues>"),
    "all-issues": ("all <issues>", "every <issue>", "<issues> of any state"),
    "labels": ("<labels>", "all <labels>", "list of <labels>"),
    "new-issue": ("new <issue>", "add <issue>", "write <issue>"),
    "report-issue": ("report", "report fault", "complain"),
    "issue": ("<issue>", "show <issue>", "one <issue>"),
    "merged-requests": ("merged", "merged <requests>", "accepted <requests>"),
    "new-merge-request": ("new <request>", "add <request>", "offer <request>"),
    "merge-request": ("<request>", "show <request>", "one <request>"),
    "invite": ("invite", "add <members>", "new <members>"),
    "milestones": ("<goals>", "all <goals>", "schedule"),
    "new-milestone": ("new <goal>", "add <goal>", "plan <goal>"),
    "fork": ("fork", "copy", "duplicate"),
    "new-file": ("new file", "add file", "create file"),
    "edit": ("edit", "change", "rewrite"),
    "file": ("file", "blob", "source", "read"),
}
TASKS = {
    "create_project": "send off a new project, after you have filled its fields",
    "fork": "make a copy of a project of your own, after you have chosen where",
    "create_group": "send off a new group, after you have filled its fields",
    "invite": "give a user a role in a project, after you have chosen both",
    "set_role": "give a member of a project the role that you have just chosen",
    "remove_member": "take a member out of a project",
    "invite_to_group": "give a user a role in a group, after you have chosen both",
    "create_issue": "send off a new issue with its assignee, after you have filled its fields",
    "report_issue": "send off a report about a project in which you have no role",
    "assign": "store the assignee, the due date and the milestone of an issue",
    "add_label": "put a label on an issue, after you have chosen it",
    "close_issue": "say that an issue needs no more work",
    "reopen_issue": "say that a closed issue needs work after all",
    "comment_issue": "send off a comment on an issue, after you have written it",
    "create_request": "send off a new merge request, after you have filled its fields",
    "comment_request": "send off a comment on a merge request, after you have written it",
    "merge": "bring the commits of a merge request into its target branch",
    "create_milestone": "send off a new milestone, after you have filled its fields",
    "save_file": "store the changed text of a file",
    "create_file": "store a file that was not there before",
    "star": "say that you like a project",
    "unstar": "take back that you like a project",
    "follow": "get news about what a user does",
    "unfollow": "get no more news about what a user does",
    "save_profile": "store the address of your website",
    "set_status": "show others the short text about what you do at present",
    "finish_todo": "say that an entry of your to-do list is done",
    "explore": "get to the list of all projects",
    "my_issues": "get to the issues that somebody gave you to work on",
    "my_created": "get to the issues that you have written yourself",
    "my_requests": "get to the merge requests that somebody gave you to work on",
    "my_reviews": "get to the merge requests that you are asked to review",
    "todos": "get to the list of what waits for you",
    "contributors": "see how many commits each author has made",
    "commits": "see the commits of a branch, newest first",
    "closed_issues": "see the issues of a project that are closed",
    "merged_requests": "see the merge requests of a project that were merged",
    "members": "see who has which role in a project",
    "invite_page": "get to the fields by which a user gets a role in a project",
    "milestones": "see the milestones of a project",
    "fork_page": "get to the fields for a copy of a project of your own",
    "tokens": "see the secret text by which a program can read your feed",
}
SYNONYMS = Synonyms(
    NOUNS, (*SITE, *NAVIGATION, *OF_PROJECT, *LISTS, *FACTS, *WRITING, *MARKS), PATHS, TASKS
)
