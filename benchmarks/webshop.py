"""WebShop's text environment over our store: `python -m benchmarks.webshop [--quick]`.

The naive way is Flask's test client, and a page read by `html.parser` once for its text and once
for what can be clicked. Nothing is asserted of speed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from functools import partial
from html.parser import HTMLParser

from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, alternate, compared
from evaluators.integrations.webshop_text import TextEnv, Way
from scenarios import registry
from sites.store import create_app
from sites.world import Worlds

STEP_MS = 2
"""The bar: a step, its search included."""
PUBLISHED_MS = 10.9
"""WebShop's own environment, measured once: 1,000 products, its search answered at once (CPU busy
elsewhere, load 4)."""
GOALS = range(30)


async def step(quick: bool) -> list[Row]:
    """A step of visits that search, turn pages, read a tab, choose, and buy."""
    visits = [_visit(goal) for goal in GOALS]
    ours = _endless(partial(_ours, TextEnv("text_rich")), visits)
    naive = _endless(partial(_naively, _Client()), visits)
    effort = Effort(4 if quick else 12, 100, warm=100, settling=5)
    timings = await alternate(effort, partial(_next, ours), partial(_next, naive))
    [mine, other] = timings
    note = f"text_rich, resets included; WebShop's own: {PUBLISHED_MS} ms, search left out"
    return [
        compared("a step of the text environment", timings, STEP_MS, note),
        Row("95 of 100 steps", "ms", mine.percentile(95), other.percentile(95)),
        Row("steps a second", "/s", 1000 / statistics.mean(mine.wall), note="on one core"),
    ]


Moves = list[tuple[str, Way | None]]
"""The lines of a visit with the request that each leads to; the first is a reset, to None."""


def _visit(goal: int) -> Moves:
    env = TextEnv("url")
    env.reset(goal)
    gold = env.scenario.gold
    moves: Moves = [(str(goal), None)]

    def do(line: str) -> None:
        way = env._way(line)
        assert way is not None, line
        moves.append((line, way))
        env.step(line)

    do(f"search[{gold['name']}]")
    while gold["asin"].lower() not in env.page.clickables:
        do("click[next >]")
    for name in (gold["asin"], "reviews", "< prev", *gold["goal_options"].values(), "buy now"):
        do(f"click[{name}]")
    assert env.score().reward == 1
    return moves


def _next(moves: Iterator[Callable[[], None]]) -> None:
    next(moves)()


def _endless(
    way: Callable[[Moves], Iterator[Callable[[], None]]], visits: list[Moves]
) -> Iterator[Callable[[], None]]:
    while True:
        for visit in visits:
            yield from way(visit)


def _ours(env: TextEnv, visit: Moves) -> Iterator[Callable[[], None]]:
    for line, way in visit:
        yield partial(_step, env, line, way is None)


def _step(env: TextEnv, line: str, is_reset: bool) -> None:
    env.reset(line) if is_reset else env.step(line)
    env.get_available_actions()


class _Client:
    """The store as its tests open it."""

    def __init__(self) -> None:
        self.data, self.worlds = registry.site_data("store"), Worlds()
        self.client = create_app(self.data, self.worlds).test_client()
        self.hidden: dict[str, str] = {}

    def reset(self, goal: str) -> None:
        family = registry.family("buy_item")
        scenario = family.generate(int(goal), self.data)
        self.worlds.publish(family.world(scenario))
        self.load(Way(scenario.start))

    def load(self, way: Way) -> None:
        method = "GET" if way.fields is None else "POST"
        data = None if way.fields is None else self.hidden
        answer = self.client.open(way.address, method=method, data=data, follow_redirects=True)
        assert answer.status_code == 200
        " [SEP] ".join(_Page(answer.text).texts)
        self.hidden = _Page(answer.text).hidden


class _Page(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.texts: list[str] = []
        self.clickables: dict[str, dict[str, str | None]] = {}
        self.hidden: dict[str, str] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        have = dict(attrs)
        if tag not in {"br", "img", "input", "link", "meta"}:
            self.stack.append(tag)
        if have.get("type") == "hidden":
            self.hidden[str(have["name"])] = str(have["value"])
        elif tag in {"a", "button", "input"}:
            self.clickables[str(have.get("value", len(self.clickables)))] = have

    def handle_endtag(self, tag: str) -> None:
        while self.stack.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and "head" not in self.stack:
            self.texts.append(data.strip())


def _naively(client: _Client, visit: Moves) -> Iterator[Callable[[], None]]:
    for line, way in visit:
        yield partial(client.reset, line) if way is None else partial(client.load, way)


BENCHMARKS: dict[str, Benchmark] = {"step": step}


if __name__ == "__main__":
    run("benchmarks.webshop", str(__doc__), BENCHMARKS)
