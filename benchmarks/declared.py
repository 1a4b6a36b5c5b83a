"""Measure a fork, pages and ways of a declared site, in processor milliseconds.

    python -m benchmarks.declared                   # the forum, 19,000 rows; half a minute
    python -m benchmarks.declared --quick           # fewer rounds, a small world

Each line gives the median and the best of its rounds, and says whether the median holds its bar.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from benchmarks.measuring import Clock
from sites import forum
from sites.kit import Map, Place
from sites.site_app import COOKIE
from sites.world import Worlds

FORK_MS, PAGE_MS, WAYS_MS = 1.0, 5.0, 30.0


def pages(found: Map) -> dict[str, Place]:
    """Return the pages to open, by a short description."""
    busy = "SELECT forum FROM submissions GROUP BY forum ORDER BY count(*) DESC LIMIT 1"
    [name] = found.world.read(busy)
    posts = "SELECT forum, id, slug, author FROM submissions WHERE forum = ? ORDER BY at DESC"
    post = found.world.read(posts, (name["forum"],))[0]
    thread = {key: post[key] for key in ("forum", "id", "slug")}
    return {
        "20 rows, 40 forms": Place.of("home", {}),
        "20 rows, the last page": Place.of("home", {"sort": "top", "page": 100}),
        "a forum": Place.of("forum", {"forum": name["forum"], "sort": "new"}),
        "forums": Place.of("forums", {}),
        "a thread": Place.of("thread", thread),
        "comments of a user": Place.of("user_comments", {"user": post["author"]}),
    }


def median(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median and the best of the rounds, in milliseconds of this process."""
    work()
    clock = Clock()
    for _ in range(rounds):
        clock.time(work)
    return clock.median, min(clock.taken)


def measure(size: str, rounds: int) -> Iterator[tuple[str, float, float, float]]:
    """Yield the name of each measurement, its median, its best and its bar."""
    base = forum.load_data().base(size, 0)
    worlds = Worlds()
    world = base.fork()
    world.about = {"me": world.read(forum.SITE.personas)[0]["name"], "skin": ""}
    world.about["skin"] = forum.SITE.skins[0].name
    client = forum.create_app(forum.load_data(), worlds).test_client()
    client.set_cookie(COOKIE, worlds.admit(world))
    yield "fork", *median(lambda: base.fork().release(), rounds), FORK_MS
    for name, place in pages(Map(forum.SITE, world)).items():
        url = Map(forum.SITE, world).url(place)
        assert client.get(url).status_code == 200, url
        yield name, *median(lambda url=url: client.get(url), rounds), PAGE_MS
    thread = pages(Map(forum.SITE, world))["a thread"]
    yield (
        "ways to a thread",
        *median(lambda: Map(forum.SITE, world).ways([thread]), rounds),
        WAYS_MS,
    )
    world.release()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    rounds, size = (9, "small") if quick else (60, "medium")
    for name, middle, best, bar in measure(size, rounds):
        verdict = "within" if middle <= bar else "over"
        print(f"{name:26} {middle:8.2f} {best:8.2f}   {verdict} {bar:g} ms")


if __name__ == "__main__":
    main()
