"""Lantern Rooms: an evening paper of cards, with votes below each card."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "forum": "room", "post": "note", "comment": "answer", "score": "rating",
    "upvote": "Recommend", "downvote": "Advise against", "subscribe": "Follow",
    "newest": "Most recent", "highest score": "Best rating", "biography": "Portrait",
}  # fmt: skip
SKIN = Skin(
    "lantern",
    words={
        "site": "Lantern Rooms", "signed_in": "Reading as {me}", "sorting": "Show",
        "footer": "Lantern Rooms · the clock here is UTC", "found": "in this list",
        "pages": "Leaf through", "keyword": "With the words", "apply": "Look up",
        "next": "Older leaves", "previous": "Newer leaves", "number": "Leaf {n}",
        # orders
        "sort_hot": "On the rise", "sort_new": "Most recent", "sort_active": "Last answered",
        "sort_top": "Best rating", "sort_disputed": "Divided", "sort_old": "As it was said",
        "sort_members": "Most followers", "sort_name": "By name", "sort_posts": "Most notes",
        # links
        "home": "All notes", "forums": "Rooms", "users": "Readers", "search": "Archive",
        "submit": "Write a note", "my_page": "My portrait", "forum": "{forum} room",
        "forum_row": "Enter {forum}", "thread": "{title}", "on_thread": "{title}",
        "user": "{user}", "comment": "Answer {cid}", "parent": "See what this answers",
        "submit_to": "Write a note in this room", "edit_post": "Revise this note",
        "edit_forum": "Rearrange this room", "edit_bio": "Revise my portrait",
        "user_posts": "Notes written", "user_comments": "Answers given",
        "create_forum": "Open a new room",
        # buttons
        "upvote": "Recommend", "downvote": "Advise against",
        "upvote_comment": "Recommend answer", "downvote_comment": "Advise against answer",
        "subscribe": "Follow this room", "unsubscribe": "Stop following",
        "reply": "Hand in answer", "reply_comment": "Hand in answer",
        "submit_button": "Put up note", "create": "Open room", "save_post": "Put up revision",
        "save_forum": "Rearrange", "save_bio": "Hang portrait",
        # fields
        "name": "Door sign", "heading": "Room title", "description": "Purpose",
        "sidebar": "Notice by the door", "title": "Heading", "url": "Web address",
        "body": "Wording", "forum_label": "Room", "comment_label": "Answer",
        "biography": "Portrait",
        # columns and texts
        "col_title": "Note", "col_about": "From", "col_comments": "Answers",
        "col_score": "Rating", "col_name": "Room", "col_description": "Purpose",
        "col_posts": "Notes", "col_members": "Followers", "col_text": "Answer",
        "col_user": "Reader", "col_buttons": "Verdict", "by": "written by", "in": "for the",
        "comments_of": "Answers: {comments}", "score_of": "Rating: {score}",
        "posts_of": "Notes: {posts}", "members_of": "Followers: {members}",
        "joined": "Reader since", "about_forum": "By the door", "founder": "Opened by",
        "picture_at": "Picture kept at", "link_at": "Points to", "write_comment": "Answer this",
        "answers": "to", "nothing": "Nobody has written here.",
        # headings
        "title_home": "All notes", "title_search": "Archive", "title_forums": "Rooms",
        "title_users": "Readers", "title_create_forum": "Open a new room",
        "title_submit": "Write a note", "title_submit_to": "A note for {forum}",
        "title_forum": "The {forum} room", "title_edit_forum": "Rearrange {forum}",
        "title_thread": "{title}", "title_edit_post": "Revise “{title}”",
        "title_comment": "An answer", "title_user": "Portrait of {user}",
        "title_user_posts": "Notes by {user}", "title_user_comments": "Answers by {user}",
        "title_edit_bio": "Revise my portrait",
    },
    nav=(
        *(Link("forums"), Link("users"), Link("search"), Link("home")),
        *(Link("submit"), Link("user", "my_page", using={"user": "me"})),
    ),
    look="top",
    sheet="/static/lantern.css",
    buttons="after",
    pager="next",
    size=15,
    sorts={"home": "active", "forum": "hot", "user_posts": "top", "thread": "top"},
    addresses={
        "search": "/archive", "forums": "/rooms", "users": "/readers", "submit": "/write",
        "create_forum": "/open-room", "forum": "/room/<forum>",
        "edit_forum": "/room/<forum>/rearrange", "submit_to": "/room/<forum>/write",
        "thread": "/room/<forum>/note/<id>/<slug>",
        "edit_post": "/room/<forum>/note/<id>/<slug>/revise",
        "comment": "/room/<forum>/note/<id>/answer/<cid>",
        "user": "/reader/<user>", "user_posts": "/reader/<user>/notes",
        "user_comments": "/reader/<user>/answers", "edit_bio": "/reader/<user>/revise",
    },
)  # fmt: skip
