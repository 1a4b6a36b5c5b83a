"""How the forum can look: words, navigation, layout, addresses, sizes."""

from __future__ import annotations

from sites._kit.declare import Link, Skin

ME = {"user": "me"}
ORDER = {"sort_hot": "Hot", "sort_new": "New", "sort_top": "Top", "sort_old": "Oldest",
         "sort_members": "By members", "sort_name": "Alphabetical"}  # fmt: skip
HARBOR = Skin(
    "harbor",
    words={
        **ORDER,
        "site": "Harbor Boards", "signed_in": "Signed in as {me}",
        "footer": "Harbor Boards · all times are UTC", "sorting": "Order", "keyword": "Search", "apply": "Apply", "pages": "Pages",
        "found": "found", "next": "Next", "previous": "Previous", "number": "Page {n}",
        "home": "Front page", "forums": "Forums", "submit": "Submit", "my_page": "My page",
        "forum": "f/{forum}", "forum_row": "{forum}", "thread": "{title}", "user": "{user}",
        "comment": "Permalink {cid}", "on_thread": "{title}", "submit_to": "Submit to this forum",
        "edit_post": "Edit", "user_posts": "Submissions", "user_comments": "Comments",
        "edit_bio": "Edit biography", "upvote": "Upvote", "downvote": "Downvote",
        "subscribe": "Subscribe", "unsubscribe": "Unsubscribe", "submit_button": "Create submission",
        "reply": "Post", "save_post": "Save", "save_bio": "Save biography",
        "create_forum": "Create a forum", "create": "Create forum", "title_create_forum": "Create a forum",
        "name": "Name", "description": "Description", "title": "Title", "body": "Body", "comment_label": "Comment", "forum_label": "Forum", "biography": "Biography",
        "col_title": "Title", "col_about": "About", "col_comments": "Comments", "col_score": "Score",
        "col_name": "Name", "col_description": "Description", "col_posts": "Posts",
        "col_members": "Members", "col_text": "Comment", "col_buttons": "Vote",
        "comments_of": "{comments} comments", "score_of": "{score} points", "by": "by", "in": "in",
        "title_home": "Front page", "title_forums": "All Forums", "title_submit": "Create a submission",
        "title_submit_to": "Submit to {forum}", "title_forum": "/f/{forum}", "title_thread": "{title}",
        "title_comment": "Comment", "title_user": "{user}", "title_user_posts": "Submissions of {user}",
        "title_user_comments": "Comments of {user}", "title_edit_bio": "Edit biography",
        "title_edit_post": "Edit {title}",
    },
    nav=(Link("home"), Link("forums"), Link("submit"), Link("user", "my_page", using=ME)),
    look="top",
    sorts={},
)  # fmt: skip
MEADOW = Skin(
    "meadow",
    words={
        **HARBOR.words,
        "sort_hot": "Trending", "sort_new": "Latest", "sort_top": "Best rated",
        "sort_members": "Largest first", "sort_name": "A to Z",
        "site": "Meadow Circles", "signed_in": "{me}", "footer": "Meadow Circles. Times in UTC.",
        "found": "entries", "keyword": "Containing", "apply": "Filter", "number": "{n}",
        "home": "Everything", "forums": "Circles", "my_page": "Your profile",
        "forum": "{forum}", "forum_row": "Open {forum}", "submit_to": "Start a discussion",
        "edit_post": "Change text", "user_posts": "Discussions", "user_comments": "Replies",
        "edit_bio": "About you", "upvote": "Agree", "downvote": "Disagree", "subscribe": "Join circle",
        "unsubscribe": "Leave circle", "submit_button": "Publish", "reply": "Send reply",
        "save_post": "Store", "save_bio": "Store", "create_forum": "Found a circle", "create": "Found it", "title": "Headline", "body": "Text",
        "comment_label": "Your reply", "biography": "About you", "forum_label": "Circle",
        "comment": "No. {cid}", "user": "@{user}",
        "col_title": "Headline", "col_score": "Balance", "col_members": "People",
        "comments_of": "{comments} replies", "score_of": "{score}", "by": "from", "in": "in",
        "title_home": "Everything", "title_forums": "Circles", "title_submit_to": "Discuss in {forum}",
        "title_forum": "Circle {forum}", "title_user_posts": "Discussions by {user}",
        "title_user_comments": "Replies by {user}", "title_edit_bio": "About you",
    },
    nav=(Link("forums"), Link("home"), Link("user", "my_page", using=ME)),
    look="side",
    theme="meadow",
    rows="table",
    buttons="before",
    pager="numbers",
    size=12,
    sorts={"home": "new", "forum": "top", "forums": "name", "user_posts": "new"},
    addresses={
        "forums": "/circles", "forum": "/circle/<forum>", "thread": "/circle/<forum>/d/<id>/<slug>",
        "edit_post": "/circle/<forum>/d/<id>/<slug>/change", "submit_to": "/circle/<forum>/discuss",
        "user": "/people/<user>", "user_posts": "/people/<user>/discussions",
        "user_comments": "/people/<user>/replies", "edit_bio": "/people/<user>/about",
    },
)  # fmt: skip
SKINS = (HARBOR, MEADOW)
