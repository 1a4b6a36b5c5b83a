"""The base worlds of the forum, which episodes fork. A process draws each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sites.forum import texts
from sites.forum.operations import NOW, path, slug
from sites.forum.pictures import draw_address

DAY = 86_400
DEPTH = 6
"""The number of levels of a comment tree."""


@dataclass(frozen=True)
class Size:
    """The number of rows of a base world, by table."""

    forums: int
    posts: int
    comments: int
    users: int


SIZES = {"small": Size(20, 200, 1_500, 80), "medium": Size(40, 2_000, 16_000, 300)}
Values = dict[str, Any]


def draw(rng: Random, size: str) -> dict[str, list[Values]]:
    """Draw the rows of a base world of this size, by table."""
    return Drawing(rng, SIZES[size]).tables()


class Drawing:
    """Draws all rows of one base world.

    Args:
        rng: The random numbers.
        size: How many rows are drawn.
    """

    def __init__(self, rng: Random, size: Size) -> None:
        self.rng, self.size = rng, size
        self.users = list(self._user_names())
        self.forums = rng.sample([*texts.TOPICS], size.forums)
        self._titles: set[str] = set()

    def tables(self) -> dict[str, list[Values]]:
        """Return the rows by table."""
        posts = list(self._posts())
        comments: list[Values] = []
        for post, count in zip(posts, self._counts(), strict=True):
            comments += self._thread(post, count, first=len(comments) + 1)
        return {
            "users": [self._user(each) for each in self.users],
            "forums": [self._forum(each) for each in self.forums],
            "subscriptions": list(self._subscriptions()),
            "submissions": posts,
            "comments": comments,
            "votes": list(self._votes()),
        }

    # Users and forums

    def _user_names(self) -> Iterator[str]:
        """Draw the names; one in eight differs from an earlier one only by its ending."""
        found: dict[str, None] = {}
        while len(found) < self.size.users:
            if found and self.rng.random() < 0.12:
                name = self.rng.choice([*found]).rstrip("0123456789") + str(self.rng.randint(2, 99))
            else:
                parts = self.rng.choice(texts.NAMES), self.rng.choice(texts.PLACES)
                name = self.rng.choice(("", "-")).join(parts)
            if name not in found:
                found[name] = None
                yield name

    def _user(self, name: str) -> Values:
        topic = texts.TOPICS[self.rng.choice(self.forums)]
        joined = NOW - self.rng.randrange(400, 2000) * DAY - self.rng.randrange(DAY)
        return {"name": name, "joined": joined, "biography": self._say(texts.BIOGRAPHIES, topic)}

    def _forum(self, name: str) -> Values:
        topic = texts.TOPICS[name]
        *most, last = topic.things
        about = self.rng.choice(texts.ABOUT).format(all=f"{', '.join(most)} and {last}")
        rules = [each.format(**self._slots(topic)) for each in self.rng.sample(texts.RULES, 3)]
        return {
            "name": name,
            "heading": name.replace("-", " ").title(),
            "description": about,
            "sidebar": "\n".join(rules),
            "founder": self.rng.choice(self.users),
        }

    def _subscriptions(self) -> Iterator[Values]:
        for name in self.users:
            for forum in self.rng.sample(self.forums, self.rng.randrange(1, 6)):
                yield {"user": name, "forum": forum}

    def _votes(self) -> Iterator[Values]:
        """Draw a few votes that each user has cast; scores count them already."""
        for name in self.users:
            for post in self.rng.sample(range(1, self.size.posts + 1), self.rng.randrange(2, 6)):
                choice = 1 if self.rng.random() < 0.8 else -1
                yield {"user": name, "submission": post, "choice": choice}

    # Posts and comments

    def _posts(self) -> Iterator[Values]:
        """Draw the posts, the newest first; few forums and few authors have most of them."""
        forums = self.rng.choices(self.forums, _falling(self.size.forums, 4), k=self.size.posts)
        authors = self._authors(self.size.posts)
        waking = [at for at in range(3_600, 365 * DAY, 660) if (NOW - at) % DAY > 6 * 3_600]
        ages = sorted(self.rng.sample(waking, self.size.posts))
        for number, drawn in enumerate(zip(forums, authors, ages, strict=True), 1):
            forum, author, age = drawn
            yield {"id": number, **self._post(forum, author, NOW - age)}

    def _post(self, forum: str, author: str, at: float) -> Values:
        topic, [kind] = (
            texts.TOPICS[forum],
            self.rng.choices(("text", "link", "picture"), (73, 15, 12)),
        )
        pool = {"text": texts.TITLES, "link": texts.LINK_TITLES, "picture": texts.PICTURE_TITLES}
        title = self._title(pool[kind], topic)
        sentences = self.rng.randint(2, 5) if kind == "text" else self.rng.randint(0, 1)
        score = round(self.rng.lognormvariate(2.2, 1)) * (-1 if self.rng.random() < 0.06 else 1)
        return {
            "forum": forum,
            "author": author,
            "kind": kind,
            "title": title,
            "slug": slug(title),
            "url": self._url(kind, topic),
            "body": self._text(texts.BODIES, topic, sentences),
            "at": at,
            "score": score,
            "comments": 0,
            "active": at,
        }

    def _url(self, kind: str, topic: texts.Topic) -> str:
        if kind == "picture":
            return draw_address(self.rng)
        host = f"{self.rng.choice(texts.NAMES)}-{self.rng.choice(texts.PLACES)}"
        page = slug(self.rng.choice(topic.things))
        return f"https://{host}.example/{page}" if kind == "link" else ""

    def _authors(self, count: int) -> list[str]:
        return self.rng.choices(self.users, _falling(self.size.users, 2), k=count)

    def _counts(self) -> list[int]:
        """Draw the number of comments of each post."""
        posts = range(self.size.posts)
        weights = [self.rng.lognormvariate(0, 1) for _ in posts]
        drawn = Counter(self.rng.choices(posts, weights, k=self.size.comments))
        return [drawn[each] for each in posts]

    def _thread(self, post: Values, count: int, first: int) -> list[Values]:
        """Draw the comments of a post, with numbers from `first` on, and count them in the post."""
        rows: list[Values] = []
        for number, author in enumerate(self._authors(count), first):
            above = [each for each in rows if each["path"].count(".") < DEPTH - 1]
            parent = self.rng.choice(above) if above and self.rng.random() < 0.55 else None
            rows.append(self._comment(post, parent, number, author))
        post["comments"] = count
        post["active"] = max((each["at"] for each in rows), default=post["at"])
        return rows

    def _comment(self, post: Values, parent: Values | None, number: int, author: str) -> Values:
        above = parent or post
        topic, sentences = texts.TOPICS[post["forum"]], self.rng.choice((1, 1, 2, 2, 3))
        score = round(self.rng.lognormvariate(1.2, 1)) * (-1 if self.rng.random() < 0.12 else 1)
        return {
            "id": number,
            "submission": post["id"],
            "parent": parent["id"] if parent else 0,
            "path": path(number, parent["path"] if parent else ""),
            "author": author,
            "body": self._text(texts.COMMENTS, topic, sentences),
            "score": score or 1,
            "at": min(above["at"] + self.rng.randrange(60, 7_000), NOW - 60),
        }

    # Texts

    def _title(self, pool: Sequence[str], topic: texts.Topic) -> str:
        """Draw a title that no other post has."""
        title = self._say(pool, topic)
        while title in self._titles:
            title = self._say(pool, topic) + f" ({self.rng.randrange(2, 99)})"
        self._titles.add(title)
        return title

    def _text(self, pool: Sequence[str], topic: texts.Topic, count: int) -> str:
        slots = self._slots(topic)
        return " ".join(_fill(each, slots) for each in self.rng.sample(pool, count))

    def _say(self, pool: Sequence[str], topic: texts.Topic) -> str:
        return _fill(self.rng.choice(pool), self._slots(topic))

    def _slots(self, topic: texts.Topic) -> dict[str, Any]:
        """Draw the words that stand in a sentence on the topic."""
        things, others = self.rng.sample(topic.things, 2)
        return {
            "things": things,
            "others": others,
            "trouble": topic.trouble,
            "act": self.rng.choice(topic.acts),
            "context": self.rng.choice(texts.CONTEXTS),
            "place": self.rng.choice(texts.PLACES),
            "month": self.rng.choice(texts.MONTHS),
            "day": self.rng.choice(texts.DAYS),
            "n": self.rng.randrange(2, 40),
        }


def _fill(pattern: str, slots: Values) -> str:
    """Return the sentence with its words and a capital at its start."""
    text = pattern.format(**slots)
    return text[0].upper() + text[1:]


def _falling(count: int, start: int) -> list[float]:
    """Return weights that fall as one over the rank."""
    return [1 / (rank + start) for rank in range(count)]
