"""The graph that is derived from a declaration: its file, its states on every page of every skin,
its functions on these pages, and whole tasks that the scripted model plays by it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest

from agent import prompting
from agent.interface import (
    Action,
    Click,
    Element,
    Goto,
    Message,
    Observation,
    Reply,
    Select,
    Task,
    Text,
    Type,
)
from agent.llm import completion
from agent.llm.model_source import answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods import laser
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Function, outline_of, placed
from evaluators.scoring.context import ScoringContext
from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.forum import SITE, load_data
from sites.forum.skins import HELD_OUT
from sites.kit import (
    Column,
    Do,
    Field,
    Form,
    Listing,
    Map,
    Page,
    Place,
    operation,
)
from sites.site_app import COOKIE
from sites.world import World
from tests.contracts.offline import OfflinePage, application
from tests.measuring import DEEP, HANG
from tools import laser_graph
from tools.laser_graph import FOLDER, PageGraph

PROMPTS = prompting.read(FOLDER / "forum.toml")
GRAPH = state_graph.read(PROMPTS)
SKINS = [*(each.name for each in SITE.skins), *(f"skin-{number}" for number in range(2))]
MANY = 80
"""The number of transitions that is enough for every family; the paper's is meant for a shop."""


@cache
def graph_of(page: str) -> PageGraph:
    """The state of one page of the forum, as the tool derives it."""
    return next(each for each in laser_graph.page_graphs("forum") if each.page.name == page)


def test_the_file_is_what_the_tool_writes():
    path = FOLDER / "forum.toml"
    written = path.read_text(encoding="utf-8")
    assert laser_graph.whole(written, "forum") == written, "run `python -m tools.laser_graph forum`"
    assert laser_graph.left_out(SITE) == []


def test_every_page_is_a_state_and_the_start_page_is_the_first():
    named = [name for state in GRAPH.states for name in state.name.split(" or ")]
    assert sorted(named) == sorted(each.name.replace("_", " ") for each in SITE.pages)
    assert named[0] == SITE.home


def test_the_graph_holds_no_word_and_no_address_of_a_held_out_skin():
    skin = SITE.skin[HELD_OUT]
    table = tomllib.loads((FOLDER / "forum.toml").read_text(encoding="utf-8"))
    texts = {*_texts(table["states"]), *_texts(table["functions"])}
    long = {each for each in skin.words.values() if " " in each and "{" not in each}
    parts = {part for each in skin.addresses.values() for part in each.split("/")[1:2]}
    assert len(long) > 20 and len(parts) > 5
    assert not [each for each in long if any(each in text for text in texts)]
    assert not [each for each in parts if any(f"/{each}" in text for text in texts)]


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def test_the_families_that_it_is_not_for_are_those_of_two_sites():
    names = {each for each in registry.family_modules() if registry.family(each).SITE == "forum"}
    left = {each for each in names if not PROMPTS.knows(each)}
    assert left == {each for each in names if registry.family(each).JOINT_SITES}


# Pages ------------------------------------------------------------------------------------------


@contextmanager
def visited(skin: str) -> Iterator[tuple[Map, OfflinePage]]:
    """A visit of a member who has written posts and comments, and who founded a forum."""
    app, worlds = application("forum")
    with load_data().base("small", 0).fork() as world:
        sql = """SELECT author AS name FROM submissions
          WHERE author IN (SELECT author FROM comments) AND body != '' ORDER BY id"""
        world.about = {"me": world.read(sql)[0]["name"], "skin": skin}
        token = worlds.admit(world)
        client = app.test_client()
        client.set_cookie(COOKIE, token, domain="127.0.0.1")
        yield Map(SITE, world), OfflinePage(client)
        worlds.revoke(token)


def places(site_map: Map, page: Page) -> list[Place]:
    """Some places of a page that its visitor may open; of the own pages, those of the visitor."""
    records = site_map.find(page, {}, 400) or [{"me": site_map.me}]
    own = [each for each in records if each.get("mine", True) or not page.name.startswith("edit")]
    full = [each for each in own if each.get("posts", 1) and each.get("comments", 1)]
    return [Place.of(page.name, {key: row[key] for key in page.args}) for row in full[:3]]


def founded(site_map: Map) -> None:
    """Let the visitor found a forum, so that there is one to edit."""
    SITE.run(site_map.world, Do("create_forum", {"name": "mine", "description": "d",
                                                 "heading": "h", "sidebar": ""}))  # fmt: skip


@pytest.mark.parametrize("skin", SKINS)
def test_the_state_of_every_page_is_recognised_and_its_functions_fit(skin):
    with visited(skin) as (site_map, page):
        founded(site_map)
        for declared in SITE.pages:
            found = places(site_map, declared)
            assert found, declared.name
            for place in found:
                page.open(site_map.url(place))
                seen = page.observe()
                assert page.status == 200, place
                state = GRAPH.at(seen)
                assert state is not None, (place, outline_of(seen))
                assert declared.name.replace("_", " ") in state.name.split(" or "), place
                for function in graph_of(declared.name).functions:
                    named = state.named(function.name)
                    assert named is not None, (place, function.name)
                    check(named, seen)


ROLES = {Select: {"combobox"}, Type: {"textbox", "searchbox"}, Click: {"link", "button"}}


def check(function: Function, seen: Observation) -> None:
    """A call with an argument for each parameter can be made, and its actions have elements of the
    right roles. A function for buttons or links that this page lacks is refused.
    """
    given = {name: _given(name, seen) for name in function.schema["properties"]}
    if None in given.values():
        with pytest.raises(ValueError, match=r"is no (link|button) of this page"):
            state_graph.check_targets(function, dict.fromkeys(given, 10_000), seen)
        return
    state_graph.check_targets(function, given, seen)
    elements = {each.id: each for each in seen.elements}
    actions = [placed(each, seen) for each in function.fill(given)]
    assert len(actions) == len(function.actions)
    for action in actions:
        assert elements[action.target].role in ROLES[type(action)], (function.name, action)
    if len(actions) > 1:
        assert function.read(actions, seen) == given


def _given(name: str, seen: Observation) -> Any:
    if name not in ("link", "button"):
        return f"some {name}"
    return next((each.id for each in seen.elements if each.role == name), None)


def test_a_closed_menu_is_no_part_of_the_outline():
    shown = (
        Element(1, "button", "Menu", states=("collapsed",)),
        Element(2, "button", "Sort", states=("expanded",)),
        Element(3, "link", "New"),
        Element(4, "searchbox", "Search for"),
        Text("forty"),
        Element(5, "button", "Search"),
    )
    seen = Observation("http://f/anything", "", shown)
    assert outline_of(seen) == "searchbox button "
    state = GRAPH.at(seen)
    assert state is not None and state.name == "forums or users"


def test_an_element_is_named_by_its_number_and_its_role():
    shown = (Element(1, "link", "Up"), Element(2, "button", "Up"), Element(3, "button", "Up"))
    page, upvote = Observation("http://f/", "", shown), GRAPH.functions["upvote"]
    state_graph.check_targets(upvote, {"button": 3}, page)
    assert upvote.fill({"button": 3}) == [Click(3)]
    assert upvote.read([Click(3)], page) == {"button": 3}
    assert upvote.read([Click(1)], page) is None and upvote.read([Click("Up")], page) is None
    with pytest.raises(ValueError, match=r"\[1\] is no button of this page"):
        state_graph.check_targets(upvote, {"button": 1}, page)


def test_a_field_is_named_by_its_place_whatever_its_label():
    shown = (
        Element(1, "button", "Go"),
        Element(2, "combobox", "a", options=("x", "y")),
        Element(3, "searchbox", "b"),
        Element(4, "button", "Go"),
    )
    page, search = Observation("http://f/", "", shown), GRAPH.functions["filter_search"]
    assert search.read([Select(2, "y"), Click(4)], page) == {"forum": "y"}
    assert search.read([Type(3, "two\nlines"), Click(4)], page) == {"q": "two\nlines"}
    assert search.read([Click(1)], page) is None
    assert [placed(each, page) for each in search.fill({"q": "z"})] == [Type(3, "z"), Click(4)]
    with pytest.raises(ValueError, match="does not fit this page, which has no <field 2>"):
        state_graph.check_targets(search, {"q": "z"}, Observation("http://f/", "", shown[:2]))


# What a declaration can have that a graph cannot -------------------------------------------------


def test_forms_that_no_function_can_fill_in_are_named():
    @operation("posts")
    def tick(world: World, done: str, place: str) -> None:
        """Tick a row."""

    form = Form("tick", tick, (Field("done", "check"), Field("place", tab="more")))
    one = Page("one", "/one", forms=(form,))
    assert not laser_graph.is_covered(form)
    made = PageGraph(SITE, one, [{"me": "x"}])
    assert "tick" not in [each.name for each in made.functions]
    assert made.outline == "^checkbox textbox button $"


def test_a_list_whose_rows_have_no_buttons_has_none_in_its_outline():
    page = Page(
        "one", "/one", listing=Listing("SELECT 1 AS n", {"n": "n"}, columns=(Column("n", ()),))
    )
    assert PageGraph(SITE, page, [{"me": "x"}]).outline == "^$"


# Whole tasks ------------------------------------------------------------------------------------

COVERED = tuple(PROMPTS.data["families"])
SHORT = ("reply", "subscribe", "vote_newest")
"""The families that every run of the tests plays, one seed each."""
SEEDS = range(9)
CHOSEN = (SITE.skins[0].name, "meadow", HELD_OUT)
SCENARIOS = [
    pytest.param(
        family, skin, seed, marks=() if family in SHORT and seed == 0 else pytest.mark.wide
    )
    for family in COVERED
    for at, skin in enumerate(CHOSEN)
    for seed in (SEEDS if DEEP else SEEDS[at :: len(CHOSEN)])
]
"""Each family and seed on one skin, in turn; `tox -e deep` plays every seed on every skin."""


class Served:
    """A page of the site as a method sees it, without a browser."""

    def __init__(self, page: OfflinePage) -> None:
        self.page = page

    async def observe(self) -> Observation:
        return self.page.observe()

    async def act(self, action: Action) -> Observation:
        if isinstance(action, Goto):
            self.page.open(action.url)
            return self.page.observe()
        return self.page.act(action)


class Scripted:
    """The scripted model, asked as a method asks it; it notes the functions that it called."""

    def __init__(self, simulated: SimulatedModel) -> None:
        self.simulated = simulated
        self.called: list[str] = []

    async def ask(
        self, purpose: str, messages: Iterable[Message], *, tools: Any = (), **rest: Any
    ) -> Reply:
        body = {"model": "scripted", "messages": [*messages], "tools": [*tools]}
        reply, _ = completion.read(answer(self.simulated, purpose, body))
        self.called += [each.name for each in reply.calls]
        return reply


def play(family: str, skin: str, seed: int) -> tuple[Any, list[str], list[str]]:
    """Play a scenario; return the score, the functions called, and the states that were met."""
    made = registry.family(f"{family}.{skin}")
    scenario = made.generate(seed, load_data())
    app, worlds = application("forum")
    context, states = ScoringContext.of(scenario, made), []

    def record(word: str, what: str = "", /, **details: Any) -> None:
        if word == "state":
            states.append(what)

    with made.world(scenario) as world:
        token = worlds.admit(world)
        client = app.test_client()
        client.set_cookie(COOKIE, token, domain="127.0.0.1")
        page = OfflinePage(client)
        page.open(scenario.start)
        task = Task("forum", scenario.instruction, scenario.start, family, made.ANSWER,
                    record=record)  # fmt: skip
        known = Knowledge(scenario.instruction, scenario.name, "forum", 0,
                          lambda seen: made.advise(scenario, seen))  # fmt: skip
        model = Scripted(SimulatedModel({scenario.instruction: known}))
        options = laser.Options(force_after=MANY)
        final_answer = asyncio.run(laser.solve(task, Served(page), model, options))
        worlds.revoke(token)
        score = context.score(world.snapshot(), final_answer)
    return score, model.called, states


@pytest.mark.parametrize(("family", "skin", "seed"), SCENARIOS)
def test_the_scripted_model_plays_every_family_by_the_graph(family, skin, seed):
    score, called, states = play(family, skin, seed)
    assert score.success, [each.name for each in score.checks if not each.held]
    assert "unknown" not in states
    for function, _, after in zip(called, states, states[1:], strict=False):
        leads = GRAPH.functions[function].next
        assert leads in ("", after), (function, after)


def test_the_scripted_model_calls_the_function_of_the_link_that_it_follows():
    for skin in (SITE.skins[0].name, HELD_OUT):
        _, called, states = play("subscribe", skin, 0)
        assert called[-2:] == ["subscribe", "finish"] and "open_thread" in called
        assert states[-1] == "forum" and states[states.index("thread") + 1] == "forum"


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ((), "no site is named; write python -m tools.laser_graph SITE"),
        (("forun",), "there is no site 'forun'; did you mean forum"),
        (("store",), "the site store is not declared, so no graph can be derived from it"),
        (("shop",), r"there is no .*shop\.toml; write its first part"),
    ],
)
def test_a_site_without_a_graph_is_one_sentence(monkeypatch, tmp_path, names, sentence):
    monkeypatch.setattr(laser_graph, "FOLDER", tmp_path)
    with pytest.raises(RehearsalError, match=sentence):
        laser_graph.main(*names)
    assert not [*tmp_path.iterdir()]


def test_the_command_prints_the_sentence_alone():
    ended = subprocess.run(
        (sys.executable, "-m", "tools.laser_graph", "crm"),
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr.startswith("laser_graph: the site crm is not declared"), ended.stderr
    assert ended.stderr.count("\n") == 1
