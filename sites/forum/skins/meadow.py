"""Meadow Circles: a calm community with a menu at the side, tables and page numbers."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "forum": "circle", "post": "discussion", "comment": "reply", "score": "balance",
    "upvote": "Agree", "downvote": "Disagree", "subscribe": "Join",
    "newest": "Latest", "highest score": "Highest balance", "biography": "About you",
}  # fmt: skip
SKIN = Skin(
    "meadow",
    words={
        "site": "Meadow Circles", "signed_in": "You are {me}", "sorting": "Sort by",
        "footer": "Meadow Circles, a place to talk. Times in UTC.", "found": "entries",
        "pages": "Pages", "keyword": "Containing", "apply": "Filter",
        "next": "Onward", "previous": "Back", "number": "{n}",
        # orders
        "sort_hot": "Trending", "sort_new": "Latest", "sort_active": "Last reply",
        "sort_top": "Highest balance", "sort_disputed": "Most disputed", "sort_old": "In order",
        "sort_members": "Largest first", "sort_name": "A to Z", "sort_posts": "Busiest first",
        # links
        "home": "Everything", "forums": "Circles", "users": "People", "search": "Explore",
        "submit": "Start a discussion", "my_page": "Your profile", "forum": "{forum}",
        "forum_row": "Open {forum}", "thread": "{title}", "on_thread": "{title}",
        "user": "@{user}", "comment": "No. {cid}", "parent": "Reply before this",
        "submit_to": "Start a discussion here", "edit_post": "Change text",
        "edit_forum": "Change circle", "edit_bio": "Change what others read about you",
        "user_posts": "Discussions", "user_comments": "Replies",
        "create_forum": "Found a circle",
        # buttons
        "upvote": "Agree", "downvote": "Disagree",
        "upvote_comment": "Agree with reply", "downvote_comment": "Disagree with reply",
        "subscribe": "Join circle", "unsubscribe": "Leave circle", "reply": "Send reply",
        "reply_comment": "Send reply", "submit_button": "Publish", "create": "Found circle",
        "save_post": "Keep changes", "save_forum": "Keep changes", "save_bio": "Keep changes",
        # fields
        "name": "Short name", "heading": "Full name", "description": "What it is about",
        "sidebar": "House rules", "title": "Headline", "url": "Link", "body": "Text",
        "forum_label": "Circle", "comment_label": "Your reply", "biography": "About you",
        # columns and texts
        "col_title": "Discussion", "col_about": "Started", "col_comments": "Replies",
        "col_score": "Balance", "col_name": "Circle", "col_description": "What it is about",
        "col_posts": "Discussions", "col_members": "People", "col_text": "Reply",
        "col_user": "Person", "col_buttons": "Your opinion", "by": "from", "in": "in",
        "comments_of": "Replies: {comments}", "score_of": "Balance: {score}",
        "posts_of": "Discussions: {posts}", "members_of": "People: {members}",
        "joined": "Here since", "about_forum": "This circle", "founder": "Founded by",
        "picture_at": "Picture:", "link_at": "Read at", "write_comment": "Take part",
        "answers": "answers", "nothing": "It is quiet here.",
        # headings
        "title_home": "Everything", "title_search": "Find a discussion",
        "title_forums": "Circles", "title_users": "People", "title_create_forum": "Found a circle",
        "title_submit": "Start a discussion", "title_submit_to": "Discuss in {forum}",
        "title_forum": "Circle {forum}", "title_edit_forum": "Change circle {forum}",
        "title_thread": "{title}", "title_edit_post": "Change “{title}”",
        "title_comment": "A reply", "title_user": "{user}", "title_edit_bio": "About you",
        "title_user_posts": "Discussions by {user}", "title_user_comments": "Replies by {user}",
    },
    nav=(
        *(Link("forums"), Link("home"), Link("search"), Link("users")),
        Link("user", "my_page", using={"user": "me"}),
    ),
    look="side",
    theme="meadow",
    sheet="/static/meadow.css",
    rows="table",
    buttons="after",
    pager="numbers",
    size=12,
    sorts={"home": "new", "forum": "active", "forums": "name", "user_posts": "new"},
    addresses={
        "search": "/find", "forums": "/circles", "users": "/people", "submit": "/discuss",
        "create_forum": "/found", "forum": "/circle/<forum>",
        "edit_forum": "/circle/<forum>/change", "submit_to": "/circle/<forum>/discuss",
        "thread": "/circle/<forum>/d/<id>/<slug>",
        "edit_post": "/circle/<forum>/d/<id>/<slug>/change",
        "comment": "/circle/<forum>/d/<id>/reply/<cid>",
        "user": "/people/<user>", "user_posts": "/people/<user>/discussions",
        "user_comments": "/people/<user>/replies", "edit_bio": "/people/<user>/about",
    },
)  # fmt: skip
