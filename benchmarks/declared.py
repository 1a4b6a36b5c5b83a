"""Measure a fork, pages, ways and drawn scenarios of a declared site, in processor milliseconds.

    python -m benchmarks.declared                   # the forum, 19,000 rows; half a minute
    python -m benchmarks.declared --site map        # the map, a city of 2,500 junctions
    python -m benchmarks.declared --site codehost   # the code host, 6,800 commits
    python -m benchmarks.declared --quick           # fewer rounds, a small world

Each line gives the median and the best of its rounds, and says whether the median holds its bar.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.measuring import Clock
from scenarios import registry
from sites.kit import Map, Place
from sites.site_app import COOKIE
from sites.world import Worlds

FORK_MS, PAGE_MS, WAYS_MS, DRAW_MS = 1.0, 5.0, 30.0, 100.0
Row = tuple[str, float, float, float]
"""The name of a measurement, its median, its best and its bar."""


def forum_pages(found: Map) -> dict[str, Place]:
    """Return pages of the forum; the last is the one to find ways to."""
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
        "comments of a user": Place.of("user_comments", {"user": post["author"]}),
        "a thread": Place.of("thread", thread),
    }


def map_pages(found: Map) -> dict[str, Place]:
    """Return pages of the map; the last is the one to find ways to."""
    named = "SELECT * FROM places WHERE chain = '' AND district != '' AND label = name ORDER BY id"
    one, *_, other = found.world.read(named)
    ends = {"from": one["label"], "to": other["label"]}
    return {
        "districts": Place.of("home", {}),
        "a district": Place.of("district", {"district": one["district"]}),
        "a search by name": Place.of("search", {"query": one["name"]}),
        "a search by nearness": Place.of("search", {"query": f"cafes near {one['label']}"}),
        "directions by car": Place.of("directions", {**ends, "engine": "car"}),
        "directions on foot": Place.of("directions", {**ends, "engine": "foot"}),
        "a view": Place.of("view", {"zoom": "14", "lat": f"{one['lat']:.5f}",
                                    "lon": f"{one['lon']:.5f}"}),
        "a place": Place.of("place", {"type": one["type"], "id": one["id"]}),
    }  # fmt: skip


def codehost_pages(found: Map) -> dict[str, Place]:
    """Return pages of the code host; the last is the one to find ways to."""
    most = "SELECT project FROM commits GROUP BY project ORDER BY count(*) DESC, project"
    paths = [row["project"] for row in found.world.read(most)]
    [project] = found.world.read(
        "SELECT * FROM projects WHERE visibility = 'public' AND path IN"
        " (SELECT value FROM json_each(?)) ORDER BY path LIMIT 1",
        (json.dumps(paths[:20]),),
    )
    place = {"ns": project["ns"], "slug": project["slug"]}
    [issue] = found.world.read(
        "SELECT iid FROM issues WHERE project = ? ORDER BY iid LIMIT 1", (project["path"],)
    )
    return {
        "own projects": Place.of("home", {}),
        "all projects": Place.of("explore", {}),
        "a project": Place.of("project", place),
        "commits": Place.of("commits", {**place, "branch": project["main"]}),
        "contributors": Place.of("contributors", {**place, "branch": project["main"]}),
        "open issues": Place.of("issues", place),
        "members": Place.of("members", place),
        "an issue": Place.of("issue", {**place, "iid": issue["iid"]}),
    }


PAGES: dict[str, Callable[[Map], dict[str, Place]]] = {
    "forum": forum_pages,
    "map": map_pages,
    "codehost": codehost_pages,
}


def median(work: Callable[[], object], rounds: int) -> tuple[float, float]:
    """Return the median and the best of the rounds, in milliseconds of this process."""
    work()
    clock = Clock()
    for _ in range(rounds):
        clock.time(work)
    return clock.median, min(clock.taken)


def measure(name: str, size: str, rounds: int) -> Iterator[Row]:
    """Yield the measurements of a site."""
    package, data = registry.site(name), registry.site_data(name)
    site, base, worlds = data.site, data.base(size, 0), Worlds()
    world = base.fork()
    world.about = {"me": world.read(site.personas)[0]["name"], "skin": site.skins[0].name}
    client = package.create_app(data, worlds).test_client()
    client.set_cookie(COOKIE, worlds.admit(world))
    yield "fork", *median(lambda: base.fork().release(), rounds), FORK_MS
    places = PAGES[name](Map(site, world))
    for about, place in places.items():
        url = Map(site, world).url(place)
        assert client.get(url).status_code == 200, url
        yield about, *median(lambda url=url: client.get(url), rounds), PAGE_MS
    about, last = list(places.items())[-1]
    yield f"ways to {about}", *median(lambda: Map(site, world).ways([last]), rounds), WAYS_MS
    world.release()
    yield from drawn(name, data, rounds)


def drawn(name: str, data: Any, rounds: int) -> Iterator[Row]:
    """Yield the time to draw a scenario, for the fastest and the slowest family of a site."""
    found = {}
    for label, family in registry.family_modules().items():
        if name == family.SITE and not family.VARIANT_OF:
            seeds = iter(range(rounds + 1))
            found[label] = median(
                lambda seeds=seeds, family=family: family.generate(next(seeds), data), rounds
            )
    ordered = sorted(found, key=lambda label: found[label][0])
    for label in (ordered[0], ordered[-1]):
        yield f"draw {label}", *found[label], DRAW_MS


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--site", choices=sorted(PAGES), default="forum")
    options = parser.parse_args()
    rounds, size = (9, "small") if options.quick else (60, "medium")
    for name, middle, best, bar in measure(options.site, size, rounds):
        verdict = "within" if middle <= bar else "over"
        print(f"{name:28} {middle:8.2f} {best:8.2f}   {verdict} {bar:g} ms")


if __name__ == "__main__":
    main()
