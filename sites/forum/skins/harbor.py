"""Harbor Boards: a link board with a bar at the top, ranked lists and votes on the left."""

from sites._kit.declare import Link, Skin

SYNONYMS = {
    "forum": "forum", "post": "submission", "comment": "comment", "score": "score",
    "upvote": "Upvote", "downvote": "Downvote", "subscribe": "Subscribe",
    "newest": "New", "highest score": "Top", "biography": "Biography",
}  # fmt: skip
SKIN = Skin(
    "harbor",
    words={
        "site": "Harbor Boards", "signed_in": "Signed in as {me}", "sorting": "Order",
        "footer": "Harbor Boards. All times are UTC.", "found": "found", "pages": "Pages",
        "keyword": "Search for", "apply": "Search",
        "next": "Next page", "previous": "Previous page", "number": "Page {n}",
        # orders
        "sort_hot": "Hot", "sort_new": "New", "sort_active": "Active", "sort_top": "Top",
        "sort_disputed": "Controversial", "sort_old": "Oldest", "sort_members": "By members",
        "sort_name": "Alphabetical", "sort_posts": "By submissions",
        # links
        "home": "Front page", "forums": "Forums", "users": "Users", "search": "Search",
        "submit": "Submit", "my_page": "My page", "forum": "f/{forum}", "user": "{user}",
        "forum_row": "{forum}", "thread": "{title}", "on_thread": "{title}",
        "comment": "Permalink {cid}", "parent": "Parent", "submit_to": "Submit to this forum",
        "edit_post": "Edit", "edit_forum": "Edit this forum", "edit_bio": "Edit biography",
        "user_posts": "Submissions", "user_comments": "Comments",
        "create_forum": "Create a forum",
        # buttons
        "upvote": "Upvote", "downvote": "Downvote",
        "upvote_comment": "Upvote comment", "downvote_comment": "Downvote comment",
        "subscribe": "Subscribe", "unsubscribe": "Unsubscribe", "reply": "Post",
        "reply_comment": "Reply", "submit_button": "Create submission", "create": "Create forum",
        "save_post": "Save", "save_forum": "Save forum", "save_bio": "Save biography",
        # fields
        "name": "Name", "heading": "Title", "description": "Description", "sidebar": "Sidebar",
        "title": "Title", "url": "URL", "body": "Body", "forum_label": "Forum",
        "comment_label": "Comment", "biography": "Biography",
        # columns and texts
        "col_title": "Submission", "col_about": "About", "col_comments": "Comments",
        "col_score": "Score", "col_name": "Forum", "col_description": "Description",
        "col_posts": "Submissions", "col_members": "Members", "col_text": "Comment",
        "col_user": "User", "col_buttons": "Vote", "by": "by", "in": "in",
        "comments_of": "Comments: {comments}", "score_of": "Score: {score}",
        "posts_of": "Submissions: {posts}", "members_of": "Members: {members}",
        "joined": "Joined", "about_forum": "About this forum", "founder": "Founded by",
        "picture_at": "Picture at", "link_at": "Link to", "write_comment": "Write a comment",
        "answers": "in reply to", "nothing": "Nothing here yet.",
        # headings
        "title_home": "Front page", "title_search": "Search", "title_forums": "All Forums",
        "title_users": "Users", "title_create_forum": "Create a forum",
        "title_submit": "Create a submission", "title_submit_to": "Submit to {forum}",
        "title_forum": "/f/{forum}", "title_edit_forum": "Edit {forum}", "title_thread": "{title}",
        "title_edit_post": "Edit “{title}”", "title_comment": "Comment", "title_user": "{user}",
        "title_user_posts": "Submissions of {user}", "title_user_comments": "Comments of {user}",
        "title_edit_bio": "Edit biography",
    },
    nav=(
        *(Link("home"), Link("forums"), Link("search"), Link("users"), Link("submit")),
        Link("user", "my_page", using={"user": "me"}),
    ),
    look="top",
    sheet="/static/harbor.css",
    buttons="before",
)  # fmt: skip
