"""Base worlds of the forum: drawn once a process by size and number, and forked for each episode."""

from __future__ import annotations

from functools import cache
from random import Random

from sites._kit.rows import schema, triggers
from sites.forum.operations import NOW, slug
from sites.forum.site import SITE
from sites.world import World

SIZES = {"small": (20, 200, 1_500, 80), "medium": (40, 2_000, 16_000, 300)}
BASES = 4
TOPICS = (
    "sailing knitting beekeeping chess astronomy pottery cycling baking gardening climbing"
    " woodwork photography drumming origami birding kayaking calligraphy fencing juggling archery"
    " puppetry weaving rowing skating foraging cartography printing brewing carving surfing"
    " bonsai falconry mosaics quilting hiking diving running swimming painting singing"
).split()
THINGS = ("tools", "gloves", "lessons", "clubs", "books", "repairs", "weekends", "beginners", "plans", "habits", "records", "storage", "budgets", "maps", "photos")  # fmt: skip
OPENERS = ("How do you keep", "What I learned about", "Looking for", "My first year with", "A question on", "Notes on", "Why I changed my", "Help me choose", "Old and new", "Good and bad")  # fmt: skip
PLACES = "harbour valley kitchen attic garden workshop island station bridge market meadow tower".split()
NAMES = "wren otter maple ridge quill ember lark fern basil comet delta ivory juniper koala linden mango nettle olive pepper quartz raven sable tulip umber violet willow yarrow zephyr birch cedar".split()  # fmt: skip
FEELINGS = ("It went well", "I would not do it again", "Somebody should write this down", "The cheap one broke", "Ask your neighbours first", "I still think about it", "It took two weekends", "Nobody told me that", "The old way is fine", "Measure twice")  # fmt: skip


@cache
def base(size: str, number: int) -> World:
    forums, posts, comments, users = SIZES[size]
    rng = Random(f"forum/base/{size}/{number}")
    world = World(schema(SITE), "base", {"me": "", "skin": ""})
    world.write("BEGIN")
    names = _users(rng, users)
    for name in names:
        joined = NOW - rng.randrange(400, 2000) * 86400
        world.write("INSERT INTO users VALUES (?, ?, ?)", (name, joined, f"Likes the {rng.choice(PLACES)}."))
    topics = rng.sample(TOPICS, forums)
    for topic in topics:
        world.write("INSERT INTO forums VALUES (?, ?, ?, ?)", (
            topic, topic.title(), topic, f"All about {topic}: questions, finds and {rng.choice(THINGS)}."))  # fmt: skip
    for name in names:
        for forum in rng.sample(topics, rng.randrange(1, 6)):
            world.write("INSERT INTO subscriptions VALUES (?, ?)", (name, forum))
    weights, people = [1 / (at + 2) for at in range(forums)], [1 / (at + 6) for at in range(users)]
    times = sorted(rng.sample(range(3600, 365 * 86400, 660), posts), reverse=True)
    seen: set[str] = set()
    for at in times:
        [forum], [author] = rng.choices(topics, weights), rng.choices(names, people)
        title = _title(rng, forum, seen)
        score = round(rng.lognormvariate(2.2, 1)) * (-1 if rng.random() < 0.06 else 1)
        world.write(
            "INSERT INTO submissions (forum, author, title, slug, body, at, score) VALUES (?,?,?,?,?,?,?)",
            (forum, author, title, slug(title), _body(rng, 3), NOW - at, score))  # fmt: skip
    for _ in range(comments):
        post, [author] = rng.randint(1, posts), rng.choices(names, people)
        after = rng.randrange(60, 7000)
        score = round(rng.lognormvariate(1.2, 1)) * (-1 if rng.random() < 0.12 else 1)
        world.write(
            "INSERT INTO comments (submission, parent, author, body, at, score)"
            " SELECT id, 0, ?, ?, min(at + ?, ?), ? FROM submissions WHERE id = ?",
            (author, _body(rng, 1), after, NOW - 1800, score or 1, post))  # fmt: skip
    world.write("COMMIT")
    for statement in triggers(SITE):
        world.write(statement)
    return world


def _users(rng: Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        found[f"{rng.choice(NAMES)}{rng.choice(('_', '', ''))}{rng.choice(PLACES)}{rng.choice(('', '', '7', '22'))}"] = None
    return [*found]


def _title(rng: Random, topic: str, seen: set[str]) -> str:
    while True:
        title = f"{rng.choice(OPENERS)} {topic} {rng.choice(THINGS)} in the {rng.choice(PLACES)}"
        if title in seen:
            title += f" ({rng.randrange(2, 99)})"
        if title not in seen:
            seen.add(title)
            return title


def _body(rng: Random, sentences: int) -> str:
    return " ".join(f"{rng.choice(FEELINGS)} in the {rng.choice(PLACES)}." for _ in range(sentences))
