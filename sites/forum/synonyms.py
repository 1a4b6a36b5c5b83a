"""The words, addresses and questions from which drawn skins of the forum are made."""

from __future__ import annotations

from sites._kit.skins.synonyms import Choice, Synonyms

NOUNS = (
    Choice(
        "forum forums",
        (
            *("forum|forums", "board|boards", "circle|circles", "channel|channels"),
            *("community|communities", "group|groups"),
        ),
    ),
    Choice(
        "post posts",
        ("post|posts", "thread|threads", "topic|topics", "discussion|discussions", "story|stories"),
    ),
    Choice(
        "comment comments",
        ("comment|comments", "reply|replies", "response|responses", "remark|remarks"),
    ),
    Choice(
        "member members",
        ("member|members", "person|people", "user|users", "contributor|contributors"),
    ),
)
SITE = (
    Choice(
        "site footer",
        (
            "Harbour <Forums>|Harbour <Forums> · all times are UTC",
            "Alder & Oak|Alder & Oak, the place for <posts>. Times are UTC.",
            "Lantern|Lantern · <posts> by and for <members> · UTC",
            "The Commons|The Commons. Times are in UTC.",
            "Quayside Talk|Quayside Talk · written by its <members> · UTC",
            "Northlight <Forums>|Northlight <Forums>. Be kind. Times are UTC.",
            "Pebble|Pebble · small <forums>, good <posts> · UTC",
            "Roundhouse|Roundhouse · all times are UTC",
        ),
    ),
    Choice("by in", ("by|in", "from|in", "written by|in", "posted by|to", "sent by|into")),
)
NAVIGATION = (
    Choice(
        "home title_home",
        (
            *("Front page|Front page", "Home|All <posts>", "All <posts>|All <posts>"),
            *("Everything|Everything", "Main page|Main page"),
        ),
    ),
    Choice(
        "forums title_forums",
        (
            *("<Forums>|<Forums>", "All <forums>|All <forums>", "Browse <forums>|All <forums>"),
            *("List of <forums>|List of <forums>", "Find a <forum>|<Forums>"),
        ),
    ),
    Choice(
        "search title_search",
        (
            *("Search|Search", "Search <posts>|Search <posts>", "Find <posts>|Find <posts>"),
            "Look for <posts>|Look for <posts>",
        ),
    ),
    Choice(
        "users title_users",
        (
            *("<Members>|<Members>", "All <members>|All <members>"),
            *("List of <members>|List of <members>", "Find <members>|Find <members>"),
        ),
    ),
    Choice("my_page", ("My page", "My profile", "Your profile", "Your page", "My account")),
    Choice("forum", ("{forum}", "<forum> {forum}", "#{forum}", "f/{forum}")),
    Choice("forum_row", ("{forum}", "Open {forum}", "Visit {forum}", "Enter {forum}")),
    Choice("title_forum", ("{forum}", "<Forum> {forum}", "Welcome to {forum}", "/{forum}")),
    Choice("user", ("{user}", "@{user}", "u/{user}", "~{user}")),
    Choice("title_user", ("{user}", "@{user}", "<Member> {user}", "About {user}")),
    Choice("on_thread", ("{title}", "On: {title}", "Below “{title}”", "→ {title}")),
    Choice(
        "comment title_comment",
        (
            *("Permalink {cid}|<Comment>", "Link {cid}|<Comment> by {user}"),
            *("Show alone ({cid})|One <comment>", "<Comment> {cid}|<Comment> {cid}"),
        ),
    ),
    Choice(
        "parent",
        ("Parent <comment>", "One level up", "What this answers", "The <comment> above"),
    ),
    Choice(
        "user_posts title_user_posts",
        (
            "<Posts>|<Posts> of {user}",
            "Submissions|Submissions of {user}",
            "Their <posts>|<Posts> by {user}",
            "<Posts> written|<Posts> written by {user}",
            "See <posts>|{user}: <posts>",
        ),
    ),
    Choice(
        "user_comments title_user_comments",
        (
            "<Comments>|<Comments> of {user}",
            "Their <comments>|<Comments> by {user}",
            "<Comments> written|<Comments> written by {user}",
            "See <comments>|{user}: <comments>",
        ),
    ),
)
LISTS = (
    Choice(
        "sort_hot sort_new sort_active sort_top sort_disputed sort_old",
        (
            "Hot|New|Active|Top|Controversial|Old",
            "Trending|Latest|Recently answered|Best rated|Disputed|Oldest first",
            "Popular now|Newest first|Last active|Highest score|Most disputed|Oldest",
            "Rising|Most recent|Latest activity|Most points|Divided opinions|From the beginning",
            "Much read|Newest|Just answered|Best|For and against|In order of writing",
        ),
    ),
    Choice(
        "sort_members sort_name sort_posts",
        (
            "By members|Alphabetical|By <posts>",
            "Largest first|A to Z|Most <posts>",
            "Most members|By name|Busiest first",
            "By size|Name, A–Z|By number of <posts>",
        ),
    ),
    Choice(
        "title col_title",
        ("Title|Title", "Headline|Headline", "Subject|Subject", "Title of the <post>|<Post>"),
    ),
    Choice("col_about", ("About", "Details", "From", "Written by", "Origin")),
    Choice(
        "comments_of col_comments",
        (
            "{comments} <comments>|<Comments>",
            "<comments>: {comments}|Number of <comments>",
            "with {comments} <comments>|<Comments>",
            "{comments} <comments> so far|<Comments> so far",
        ),
    ),
    Choice(
        "score_of col_score",
        (
            *("{score} points|Points", "score {score}|Score", "rated {score}|Rating"),
            *("balance {score}|Balance", "{score} votes|Votes"),
        ),
    ),
    Choice("col_name", ("Name", "<Forum>", "Short name", "Name of the <forum>")),
    Choice("col_user", ("<Member>", "Name", "Who", "Name of the <member>")),
    Choice("col_description", ("Description", "About", "In short", "What it is for")),
    Choice(
        "col_posts posts_of",
        (
            *("<Posts>|<Posts>: {posts}", "Number of <posts>|{posts} <posts>"),
            *("<Posts> so far|{posts} <posts> so far", "Written <posts>|{posts} <posts> written"),
        ),
    ),
    Choice(
        "col_members members_of",
        (
            *("Members|Members: {members}", "Subscribers|{members} subscribers"),
            *("Size|{members} members", "Joined by|Joined by {members}"),
        ),
    ),
    Choice("col_text", ("<Comment>", "Text", "Words", "What was written")),
)
PAGES = (
    Choice(
        "about_forum",
        ("About this <forum>", "This <forum>", "Notes on this <forum>", "In this <forum>"),
    ),
    Choice("founder", ("Founded by", "Started by", "Created by", "Looked after by")),
    Choice("joined", ("Joined", "Here since", "Registered", "<Member> since")),
    Choice("answers", ("in reply to", "answers", "to", "on")),
    Choice("link_at", ("Link to", "Points to", "Read at", "Leads to")),
    Choice("picture_at", ("Picture at", "Picture:", "Image at", "Image:")),
    Choice(
        "nothing",
        ("Nothing here yet.", "It is quiet here.", "Nobody has written here.", "No entries yet."),
    ),
    Choice("write_comment", ("Write a <comment>", "Take part", "Your turn", "Add your own")),
)
WRITING = (
    Choice(
        "submit submit_to title_submit title_submit_to submit_button",
        (
            "Submit|Submit to this <forum>|New submission|Submit to {forum}|Create submission",
            "New <post>|New <post> here|New <post>|New <post> in {forum}|Publish <post>",
            "Write|Write in this <forum>|Write a <post>|Write in {forum}|Publish",
            "Start a <post>|Start a <post> here|Start a <post>|Start a <post> in {forum}|Post it",
            "Add a <post>|Add a <post> here|Add a <post>|Add a <post> to {forum}|Send <post>",
        ),
    ),
    Choice(
        "edit_post title_edit_post save_post",
        (
            "Edit <post>|Edit {title}|Save <post>",
            "Change text|Change {title}|Store text",
            "Rewrite|Rewrite {title}|Keep new text",
            "Correct <post>|Correct {title}|Save text",
            "Revise|Revise {title}|Update <post>",
        ),
    ),
    Choice(
        "edit_bio title_edit_bio save_bio biography",
        (
            "Edit biography|Edit biography|Save biography|Biography",
            "About you|About you|Save “About you”|About you",
            "Introduce yourself|Introduce yourself|Save introduction|Introduction",
            "Describe yourself|Describe yourself|Keep self-description|Self-description",
            "Edit profile text|Edit profile text|Update profile text|Profile text",
        ),
    ),
    Choice(
        "create_forum title_create_forum create",
        (
            "Create a <forum>|Create a <forum>|Create <forum>",
            "New <forum>|New <forum>|Set up <forum>",
            "Start a <forum>|Start a <forum>|Start <forum>",
            "Found a <forum>|Found a <forum>|Found this <forum>",
            "Add a <forum>|Add a <forum>|Add <forum>",
        ),
    ),
    Choice(
        "edit_forum title_edit_forum save_forum",
        (
            "Edit <forum>|Edit {forum}|Save <forum>",
            "Change this <forum>|Change {forum}|Save changes to <forum>",
            "<Forum> settings|Settings of {forum}|Save settings",
            "Adjust <forum>|Adjust {forum}|Update <forum>",
        ),
    ),
    Choice(
        "reply reply_comment comment_label",
        (
            "Post <comment>|Post below this <comment>|Your <comment>",
            "Add <comment>|Answer this <comment>|New <comment>",
            "Send <comment>|Send as answer to <comment>|Write your <comment>",
            "Publish <comment>|Publish below this <comment>|<Comment>",
        ),
    ),
    Choice("name", ("Name", "Short name", "Name of the <forum>", "Name in the address")),
    Choice("heading", ("Heading", "Full name", "Display name", "Name in full")),
    Choice("description", ("Description", "Summary", "Purpose", "What it is for")),
    Choice("sidebar", ("Sidebar", "Text at the side", "Text beside the <posts>", "Side text")),
    Choice("url", ("URL", "Link", "Web address", "Address of a web page")),
    Choice("body", ("Body", "Text", "Main text", "Content", "Message")),
    Choice(
        "forum_label",
        ("<Forum>", "In which <forum>", "Choose a <forum>", "Name of the <forum>"),
    ),
)
VOTING = (
    Choice(
        "upvote downvote col_buttons upvote_comment downvote_comment",
        (
            "Upvote|Downvote|Vote|Upvote <comment>|Downvote <comment>",
            "Agree|Disagree|Your view|Agree with <comment>|Disagree with <comment>",
            "Like|Dislike|Your view|Like <comment>|Dislike <comment>",
            "Vote up|Vote down|Vote|Vote <comment> up|Vote <comment> down",
            "Thumbs up|Thumbs down|Vote|Thumbs up for <comment>|Thumbs down for <comment>",
            "Plus one|Minus one|Vote|Plus one for <comment>|Minus one for <comment>",
        ),
    ),
    Choice(
        "subscribe unsubscribe",
        (
            *("Subscribe|Unsubscribe", "Join <forum>|Leave <forum>", "Follow|Unfollow"),
            *("Follow this <forum>|Stop following", "Become a member|End membership"),
        ),
    ),
)
PATHS = {
    "f": ("f", "<forum>", "<forums>", "in"),
    "forums": ("<forums>", "all <forums>", "list of <forums>", "browse"),
    "users": ("<members>", "all <members>", "list of <members>", "directory"),
    "search": ("search", "find", "look for", "search <posts>"),
    "create_forum": ("create <forum>", "new <forum>", "start <forum>", "add <forum>"),
    "submit": ("submit", "write", "new <post>", "add <post>"),
    "edit": ("edit", "change", "revise", "rewrite"),
    "comment": ("<comment>", "permalink", "show", "at"),
    "user": ("user", "<member>", "u", "profile"),
    "submissions": ("submissions", "<posts>", "all <posts>", "written"),
    "comments": ("<comments>", "all <comments>", "answers", "said"),
    "edit_biography": ("edit biography", "about", "profile text", "introduction"),
}
TASKS = {
    "upvote": "say that you like a post",
    "downvote": "say that you do not like a post",
    "upvote_comment": "say that you like a comment",
    "downvote_comment": "say that you do not like a comment",
    "subscribe": "subscribe to a forum, to which you do not belong yet",
    "unsubscribe": "cancel your subscription to a forum",
    "submit_button": "send off a new post, after you have filled its fields",
    "save_post": "send off the new text of a post of yours, after you have changed it",
    "reply": "send off a comment on a post, after you have written it",
    "reply_comment": "send off an answer to one comment, after you have written it",
    "create": "send off a new forum, after you have filled its fields",
    "save_forum": "send off the new texts of a forum of yours, after you have changed them",
    "save_bio": "send off the new text about yourself, after you have changed it",
    "submit_to submit": "get to the fields of a new post, from the page of its forum",
    "edit_post": "get to the fields for changing the text of a post of yours",
    "create_forum": "get to the fields of a new forum",
    "edit_forum": "get to the fields for changing the texts of a forum of yours",
    "edit_bio": "get to the field for changing the text about yourself",
    "forums": "get to the list of the forums",
    "my_page": "get to the page about yourself",
    "user_posts": "get to the posts of the user whose page is open",
    "user_comments": "get to the comments of the user whose page is open",
    "sort_new": "have the list of posts begin with the newest",
    "sort_top": "have the list of posts begin with the post of the highest score",
}
SYNONYMS = Synonyms(NOUNS, (*SITE, *NAVIGATION, *LISTS, *PAGES, *WRITING, *VOTING), PATHS, TASKS)
