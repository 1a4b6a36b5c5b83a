"""Post the picture of a post again in another forum."""

from scenarios.forum._posts import is_only
from scenarios.kit import Draw, Family, Right
from sites.forum.operations import submit

WORDINGS = (
    "Post the picture of “{title}” again in {forum}, with the title “{new}” and the body “{note}”.",
    "“{title}” shows a picture. Post it in {forum}, with the title “{new}” and the body “{note}”.",
    "Submit the picture of the post “{title}” to {forum}. Title: “{new}”. Body: “{note}”.",
    "Take the picture of “{title}” and post its address in {forum}: title “{new}”, body “{note}”.",
)
PICTURES = "SELECT * FROM submissions WHERE kind = 'picture'"


def draw(d: Draw) -> Right:
    """Draw a picture and a forum in which it was not posted."""
    post, other = d.pick(PICTURES), d.pick(PICTURES)
    d.need(is_only(d, post.title) and other.url != post.url)
    forum = d.pick("SELECT name FROM forums WHERE name != ?", post.forum).name
    new, note = f"From {post.forum} no. {d.rng.randint(2, 99)}", f"Posted first by {post.author}."
    return Right(
        {"title": post.title, "forum": forum, "new": new, "note": note},
        do=[submit(forum, new, note, post.url)],
        via=[d.page("thread", post.url, forum=post.forum, id=post.id, slug=post.slug)],
        instead={
            "another picture": [submit(forum, new, note, other.url)],
            "in the same forum": [submit(post.forum, new, note, post.url)],
            "without the picture": [submit(forum, new, note)],
            "with the old title": [submit(forum, post.title, note, post.url)],
            "the address in the body": [submit(forum, new, f"{note} {post.url}")],
        },
    )


FAMILY = Family(__file__, draw, WORDINGS, templates=("webarena:11",), carries=True)
