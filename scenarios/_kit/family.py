"""A family on a declared site: from what it draws, everything that the engine asks of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any

from agent.interface import Advice, AnswerSchema, Observation
from scenarios import registry
from scenarios._kit import beside
from scenarios._kit.drawing import Again, Draw, Right, See, put
from scenarios._kit.expert import Plan
from scenarios.scenario import NearMiss, Scenario, name, public_id
from sites.kit import Do, Map, Place, changes
from sites.site_app import Refusal
from sites.world import World

TRIES = 100
SIZE = "small"


class Family:
    """`FAMILY = Family(__file__, draw, WORDINGS)`; with `answer`, it asks a question."""

    instruction = None
    VARIANT_OF = ""

    def __init__(self, file: str, draw: Callable[[Draw], Right], wordings: Sequence[str],
                 answer: AnswerSchema | None = None, skin: str = "", site: str = "",
                 sites: Sequence[str] = ()) -> None:  # fmt: skip
        path = Path(file)
        self.base = path.stem
        self.name, self.SITE = self.base + (f".{skin}" if skin else ""), site or path.parent.name
        self._made = file, draw, wordings, answer
        self.draw, self.wordings, self.ANSWER, self.skin = draw, wordings, answer, skin
        self.VARIANT_OF = self.base if skin else ""
        self.TAG = "information" if answer else "content"
        self.LEVEL, self.MEMORY, self.SCORING, self.KNOWN_AS = 1, answer is not None, "", self.base if skin else ""
        self.HOSTS = self.JOINT_SITES = tuple(sites)
        self.FOREIGN, self.seeds, self.answer = None, None, None
        self.published = self.contenders = self.honest_length = None
        self.__doc__ = draw.__doc__
        declared = _site(self.SITE)
        self.STEPS = (*(f"find {page.name}" for page in declared.pages), *declared.operation, *beside.steps(sites))

    def of_variant(self, skin: str) -> Family:
        """The same family on the pages of a skin."""
        return Family(*self._made, skin=skin, site=self.SITE, sites=self.JOINT_SITES)

    # Drawing

    def generate(self, seed: int, data: Any) -> Scenario:
        site = data.site
        for attempt in range(TRIES):
            rng = Random(f"{self.SITE}/{self.base}/{seed}/{attempt}")
            number = rng.randrange(data.bases)
            world = data.base(SIZE, number).fork()
            me = rng.choice(world.read(site.personas))["name"]
            world.about = {"me": me, "skin": self.skin or site.skins[0].name}
            others = {each: registry.site_data(each) for each in self.JOINT_SITES[1:]}
            draw = Draw(rng, world, me, Map(site, world), data=others)
            try:
                right = self.draw(draw)
            except Again:
                continue
            start = f"{draw.map.url(Place.of(site.home, {}))}?scenario={public_id(name(self.SITE, self.name, seed))}"
            details = {"base": number, "size": SIZE, **world.about, "plants": draw.plants,
                       "told": [str(each) for each in right.slots.values()]}  # fmt: skip
            details |= {"data": {each: held.digest for each, held in others.items()}} if others else {}
            words = self.wordings[seed % len(self.wordings)].format(**right.slots)
            gold = self._gold(right, draw, site)
            return Scenario(self.SITE, self.name, seed, words, start, details, gold)
        raise AssertionError(f"{self.name}: nothing fits in {TRIES} tries; seed {seed}")

    def _gold(self, right: Right, draw: Draw, site: Any) -> dict[str, Any]:
        ended = draw.world.fork()
        ended.write("DELETE FROM log_change")
        parts: list[list[Any]] = []
        for do in right.do:
            before = {*_changed(site, ended)}
            site.run(ended, do)
            parts.append([list(each) for each in _changed(site, ended) if each not in before])
        gold: dict[str, Any] = {
            "do": [each.to_json() for each in right.do],
            "changes": [list(each) for each in _changed(site, ended)],
            "parts": parts,
            "via": [[each.place.page, dict(each.place.args), each.note] for each in right.via],
            "read": [[each.place.page, dict(each.place.args), each.note] for each in right.read],
            "evidence": sorted({each for see in right.read for each in draw.map.things(see.place)}
                               - {*draw.map.things(Place.of(site.home, {}))}),
            "end": [right.end.place.page, dict(right.end.place.args)] if right.end else None,
            "instead": {key: each if isinstance(each, str) else [do.to_json() for do in each]
                        for key, each in right.instead.items()},
        }  # fmt: skip
        if self.JOINT_SITES:
            gold["beside"] = beside.to_gold(right.beside)
        if self.ANSWER:
            gold["answer"] = {"kind": self.ANSWER.kind, "text": right.answer}
        return gold

    def world(self, scenario: Scenario) -> World:
        return beside.joint_world(start(scenario).map.world.fork(), scenario, self.JOINT_SITES)

    # The way

    def advise(self, scenario: Scenario, observation: Observation) -> Advice:
        elsewhere = beside.advise(scenario, observation)
        return elsewhere or beside.remembered(scenario, start(scenario).advise(observation))

    def length(self, scenario: Scenario) -> int:
        return start(scenario).walked[0] + beside.length(scenario.gold)

    def solve(self, scenario: Scenario, world: World, data: Any) -> str:
        beside.walk(scenario.gold, world)
        return self._solve_at_home(scenario, data, world)

    def _solve_at_home(self, scenario: Scenario, data: Any, world: World) -> str:
        for see in start(scenario).stations:
            if isinstance(see, See):
                _open(data.site, world, see.place)
        for do, part in zip(_dos(scenario.gold["do"]), scenario.gold["parts"], strict=True):
            if not {*map(tuple, part)} <= {*_changed(data.site, world)}:  # what is done stays done
                data.site.run(world, do)
        return str(scenario.gold.get("answer", {}).get("text", ""))

    # Near misses

    def near_misses(self, scenario: Scenario, data: Any) -> Mapping[str, NearMiss]:
        right = {tuple(each) for each in scenario.gold["changes"]}
        found: dict[str, NearMiss] = {}
        for label, dos, fails in self._wrong(scenario, data):
            ended = self.world(scenario)
            try:
                for do in dos:
                    data.site.run(ended, do)
            except Refusal:
                continue
            if {*_changed(data.site, ended)} != right:
                found[label] = NearMiss(partial(_run, data.site, dos, ""), fails)
        if self.ANSWER:
            found |= self._misread(scenario, data)
        if scenario.gold["end"]:
            found |= dict(self._misplaced(scenario, data))
        return beside.near_misses(scenario, found, partial(self._solve_at_home, scenario, data))

    def _misplaced(self, scenario: Scenario, data: Any) -> Iterator[tuple[str, NearMiss]]:
        """Left open on another page: each option left out, another order, home."""
        site, found = data.site, start(scenario).map
        right = Place.of(*scenario.gold["end"])
        page = site.page[right.page]
        others = {"the page before it all": Place.of(site.home, {})}
        others |= {f"without {key}": right.but(**{key: None}) for key, _ in right.args if key not in page.args}
        if page.listing:
            others |= {f"ordered by {sort}": found.usual(right.but(sort=sort)) for sort in page.listing.sorts}
        for label, place in others.items():
            if place != right:
                def left(world: World, place: Place = place) -> None:
                    _open(site, world, right)
                    _open(site, world, place)

                yield label, NearMiss(left, "page at the end")

    def _wrong(self, scenario: Scenario, data: Any) -> Iterator[tuple[str, list[Do], str]]:
        gold, site = scenario.gold, data.site
        dos = _dos(gold["do"])
        if not dos:
            return
        last = dos[-1]
        named = site.operation[last.operation].check
        for label, other in gold["instead"].items():
            yield label, _dos(other), named
        if len(dos) > 1:
            yield "the last left out", dos[:-1], named
        yield "done twice", [*dos, last], named
        for at, do in enumerate(dos[:1]):
            for key, value in do.args.items():
                table = site.operation[do.operation].of.get(key)
                for other in _siblings(start(scenario).map, table, value) if table else ():
                    swapped = Do(do.operation, {**do.args, key: other})
                    yield f"done to another of {table}", [*dos[:at], swapped, *dos[at + 1 :]], site.operation[do.operation].check
                if isinstance(value, str) and not table and len(value) > 3:
                    swapped = Do(do.operation, {**do.args, key: value[:-2] + value[-1]})
                    yield f"{key} written wrongly", [*dos[:at], swapped, *dos[at + 1 :]], site.operation[do.operation].check
                if isinstance(value, int) and not table and value:
                    swapped = Do(do.operation, {**do.args, key: -value})
                    yield f"{key} the other way", [*dos[:at], swapped, *dos[at + 1 :]], site.operation[do.operation].check
        stray = site.stray(start(scenario).map.world)
        other = site.operation[stray.operation].check
        yield "more than was asked for", [*dos, stray], other if other in {c[0] for c in gold["changes"]} else "nothing else"

    def _misread(self, scenario: Scenario, data: Any) -> dict[str, NearMiss]:
        gold = scenario.gold
        read = [See(Place.of(page, args), note) for page, args, note in gold["read"]]
        text = gold["answer"]["text"]

        def seen(world: World, pages: Sequence[See], said: str) -> str:
            for each in pages:
                _open(data.site, world, each.place)
            return said

        misses = {"guessed": NearMiss(lambda world: text, "evidence"),
                  "the last page unread": NearMiss(partial(seen, pages=read[:-1], said=text), "evidence")}  # fmt: skip
        for label, said in gold["instead"].items():
            if said != text:
                misses[label] = NearMiss(partial(seen, pages=read, said=said), "answer")
        stray = data.site.stray(start(scenario).map.world)

        def meddled(world: World) -> str:
            data.site.run(world, stray)
            return seen(world, read, text)

        return misses | {"changed something": NearMiss(meddled, "nothing else")}


def _site(of: str) -> Any:
    from importlib import import_module

    return import_module(f"sites.{of}").SITE


def _run(site: Any, dos: Sequence[Do], answer: str, world: World) -> str:
    for do in dos:
        site.run(world, do)
    return answer


def _open(site: Any, world: World, place: Place) -> None:
    Map(site, world).note(place)


def _changed(site: Any, world: World) -> list[Any]:
    return changes(site, world.read("SELECT * FROM log_change"))


def _dos(gold: Sequence[Any]) -> list[Do]:
    return [Do(operation, args) for operation, args in gold]


def _siblings(found: Map, table: str, value: Any) -> Iterator[Any]:
    [key] = found.site.table[table].key
    sql = f"SELECT {key} AS key FROM {table} WHERE {key} != ? ORDER BY {key} > ? DESC, {key} LIMIT 1"  # noqa: S608
    for row in found.world.read(sql, (value, value)):
        yield row["key"]


def start(scenario: Scenario) -> Plan:
    return _start(scenario.digest(), _Held(scenario))


class _Held:
    """A scenario that does not take part in the key of the cache."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario

    __hash__ = lambda self: 0  # noqa: E731
    __eq__ = lambda self, other: True  # noqa: E731


@lru_cache(maxsize=64)
def _start(digest: str, held: _Held) -> Plan:
    from importlib import import_module

    scenario = held.scenario
    details, gold = scenario.details, scenario.gold
    package = import_module(f"sites.{scenario.site}")
    world = package.load_data().base(details["size"], details["base"]).fork()
    world.session = world.name = scenario.id
    world.about = {"me": details["me"], "skin": details["skin"]}
    for table, row in details["plants"]:
        put(world, table, row)
    world.write("DELETE FROM log_change")
    world.writes = 0
    stations = [*(See(Place.of(page, args), note) for page, args, note in [*gold["via"], *gold["read"]]), *_dos(gold["do"])]
    if gold["end"]:
        stations.append(See(Place.of(*gold["end"])))
    answer = gold.get("answer", {}).get("text", "")
    ended = world.fork()
    for do in _dos(gold["do"]):
        package.SITE.run(ended, do)
    maps = Map(package.SITE, world), Map(package.SITE, ended)
    return Plan(*maps, stations, answer, tuple(details["told"]))
