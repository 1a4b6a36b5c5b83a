"""A state graph is data: read, refused where it cannot be, and walked on a site of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agent import prompting
from agent.interface import (
    Click,
    Element,
    Goto,
    Message,
    Observation,
    Reply,
    Stop,
    Task,
    Text,
    ToolCall,
    Type,
)
from agent.methods import laser
from agent.methods.laser import state_graph
from agent.methods.laser.state_graph import Graph, State, choices
from agent.prompting import BadPrompt

STORE = Path(prompting.FOLDER / "laser" / "store.toml")

TOY = """
source = "a door with a lock"
rendering = "tree"

[covers]

[[states]]
name = "Outside"
path = '^/$'
layout = "a keypad and a door"
advice = "Type the code of the objective."
functions = ["enter_code", "give_up"]

[[states]]
name = "Inside"
path = '^/inside$'
layout = "a lamp"
advice = "Switch it on if it is off."
functions = ["switch", "leave"]

[functions.enter_code]
description = "type the code and open the door"
actions = ["type [Code] [{code}]", "select [Side] [{side}]", "click [Open]"]
next = "Inside"
[functions.enter_code.parameters]
type = "object"
required = ["code"]
properties.code = { type = "string", description = "four digits", pattern = '^[0-9]{4}$' }
properties.side = { type = "string", description = "left or right" }

[functions.give_up]
description = "the code is not known"
actions = ["stop [unknown]"]
next = "Outside"

[functions.switch]
description = "press the lamp"
actions = ["click [{lamp}]"]
next = "Inside"
[functions.switch.parameters]
required = ["lamp"]
properties.lamp = { type = "string", description = "its name" }

[functions.leave]
description = "all is done"
actions = ["stop [the lamp is on]"]
next = "Outside"

[texts]
thought = "{{ layout }} {{ advice }}"
act = "{{ layout }} {{ functions }}"
situation = '''
{{ instruction }} {{ history }} {{ error }} {{ target }} {{ rationale }}
<<<observation
{{ observation }}
observation>>>
'''
"""


@pytest.fixture
def toy(tmp_path) -> Path:
    (tmp_path / "laser").mkdir()
    (tmp_path / "laser" / "house.toml").write_text(TOY)
    return tmp_path


class ToyPage:
    """A toy site behind the page door: a door with a code, a lamp behind it."""

    def __init__(self) -> None:
        self.typed, self.url, self.lit = "", "http://house.localhost/", False
        self.done: list[Any] = []

    async def observe(self) -> Observation:
        inside = self.url.endswith("/inside")
        outside = (
            Element(1, "textbox", "Code", self.typed),
            Element(2, "combobox", "Side", "left", options=("left", "right")),
            Element(3, "button", "Open"),
        )
        lamp = (Element(1, "button", "Lamp", states=("pressed",) if self.lit else ()),)
        return Observation(self.url, "Toy", lamp if inside else outside)

    async def act(self, action: Any) -> Observation:
        self.done.append(action)
        if isinstance(action, Type):
            self.typed = action.text
        if action == Click("Open"):
            self.url += "inside" if self.typed == "4711" else "nowhere"
        if action == Click("Lamp"):
            self.lit = True
        if isinstance(action, Goto):
            self.url = action.url
        return await self.observe()


class Script:
    """Function calls one after the other."""

    def __init__(self, *calls: tuple[str, dict[str, str]]) -> None:
        self.calls = list(calls)

    async def ask(self, purpose: str, messages: Iterable[Message], **rest: Any) -> Reply:
        if purpose == "laser/thought":
            return Reply(("hm",))
        name, arguments = self.calls.pop(0)
        return Reply(("",), (ToolCall(name, json.dumps(arguments)),))


@pytest.fixture
def play(runner, toy):
    def run(*calls: tuple[str, dict[str, str]], **options: Any) -> tuple[str, ToyPage, list[str]]:
        served, lines = ToyPage(), []
        task = Task(
            "house",
            "The code is 4711. Light the lamp.",
            "http://house.localhost/",
            "light",
            record=lambda word, what="", **details: lines.append(f"{word} {what}"),
        )
        given = laser.Options(prompts=toy, **options)
        answer = runner.run(laser.solve(task, served, Script(*calls), given))
        return answer, served, lines

    return run


CODE, LAMP = ("enter_code", {"code": "4711"}), ("switch", {"lamp": "Lamp"})


def test_another_sites_graph_is_another_file(play):
    answer, served, lines = play(CODE, LAMP, ("leave", {}))
    assert answer == "the lamp is on" and served.lit
    assert served.done == [Type("Code", "4711"), Click("Open"), Click("Lamp")]
    assert [line for line in lines if line.startswith("state")] == [
        "state Outside",
        "state Inside",
        "state Inside",
    ]


def test_an_action_whose_argument_is_not_given_is_left_out(play):
    _, served, _ = play(("enter_code", {"code": "4711", "side": "right"}), ("leave", {}))
    assert [type(each).__name__ for each in served.done] == ["Type", "Select", "Click"]


def test_a_page_that_no_state_knows_is_left_for_the_start(play):
    answer, served, lines = play(("enter_code", {"code": "0000"}), ("give_up", {}))
    assert answer == "unknown" and "state unknown" in lines
    assert served.done[-1] == Goto("http://house.localhost/")


def test_a_target_out_of_an_argument_must_be_shown(play):
    _, served, lines = play(CODE, ("switch", {"lamp": "Heater"}), LAMP, ("leave", {}))
    assert sum(line.startswith("reask") for line in lines) == 1
    assert Click("Heater") not in served.done


def test_a_value_must_match_its_pattern(play):
    _, served, lines = play(("enter_code", {"code": "door"}), CODE, ("leave", {}))
    assert sum(line.startswith("reask") for line in lines) == 1
    assert Type("Code", "door") not in served.done


def test_without_a_memory_the_end_of_the_transitions_is_the_end(play):
    answer, served, lines = play(CODE, LAMP, force_after=2)
    assert answer == "" and "forced " in lines and served.lit


# Reading ------------------------------------------------------------------------------------------


def graph(text: str, folder: Path) -> Graph:
    path = folder / "graph.toml"
    path.write_text(text)
    return state_graph.read(prompting.read(path))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'next = "Inside"\n[functions.enter_code',
            'next = "Cellar"\n[functions.enter_code',
            "'Cellar'",
        ),
        ('"click [{lamp}]"', '"press the lamp"', "is no action"),
        ('functions = ["switch", "leave"]', 'functions = ["dim"]', "'dim'"),
        ("path = '^/inside$'", "path = '('", "cannot be read"),
        ("path = '^/inside$'", "path = ''\nshows = '('", "cannot be read"),
        ('description = "press the lamp"\n', "", "description"),
        ('layout = "a lamp"', 'look = "a lamp"', "look"),
        ('layout = "a lamp"', 'layout = "a lamp"\nleave = "give_up"', "'give_up' to leave by"),
        ("[[states]]", "[[rooms]]", "'states'"),
    ],
)
def test_a_graph_that_cannot_be_read_is_refused_by_its_file(tmp_path, old, new, message):
    with pytest.raises(BadPrompt, match=re.escape("graph.toml")) as refused:
        graph(TOY.replace(old, new), tmp_path)
    assert message in str(refused.value)


def test_the_store_is_recognised_by_its_addresses():
    store = state_graph.read(prompting.read(STORE))
    found = {
        path: store.at(Observation(f"http://store.localhost{path}", ""))
        for path in (
            "/abc",
            "/search_results/abc/x/1",
            "/item_page/abc/B0/x/1/{}",
            "/done/a",
            "/a/b",
        )
    }
    assert [state.name if state else None for state in found.values()] == [
        "Search",
        "Result",
        "Item",
        "Stop",
        None,
    ]


WIDGETS = Path(prompting.FOLDER / "laser" / "widgets.toml")


@pytest.mark.parametrize(
    ("task", "shown", "state"),
    [
        ("email-inbox", ["search", "trash Ann"], "Mail list"),
        ("email-inbox-nl-turk", ["close email", "Reply"], "Mail"),
        ("email-inbox", ["close reply", "search"], "Mail list"),
        ("email-inbox", ["search", "START"], "Over"),
        ("login-user", ["Username"], "Login"),
        ("login-user-popup", ["Username", "Exit to home page?"], "Question"),
        ("login-user-popup", ["Username", "Did it say Exit to home page?"], "Login"),
        ("click-pie", ["+"], None),
    ],
)
def test_screens_of_one_address_are_told_apart_by_what_they_show(task, shown, state):
    page = Observation(f"http://w/miniwob/{task}.html?seed=3", "", tuple(map(Text, shown)))
    found = state_graph.read(prompting.read(WIDGETS)).at(page)
    assert (found.name if found else None) == state


def test_a_task_that_the_graph_is_not_for_is_refused_by_name(tmp_path):
    prompts = prompting.read(WIDGETS)
    prompts.check("login-user.easy")
    with pytest.raises(BadPrompt, match=r"widgets\.toml is not for the task click-pie; it is for"):
        prompts.check("click-pie")


def test_an_action_is_read_back_into_the_function_and_its_arguments():
    store = state_graph.read(prompting.read(STORE))
    page = Observation(
        "", "", (Element(1, "searchbox", "Search products"), Element(2, "link", "B0EXAMPLE1"))
    )
    read = {name: each.read for name, each in store.functions.items()}
    assert read["Search"]([Type(1, "red mats", enter=True)], page) == {"keywords": "red mats"}
    assert read["select_item"]([Click(2)], page) == {"item_id": "B0EXAMPLE1"}
    assert read["select_item"]([Click("Next >")], page) is None
    assert read["Next"]([Click("Next >")], page) == {}
    assert read["Features"]([Click("< Prev")], page) is None, "that is its way back"
    assert read["Buy_Now"]([Stop("")], page) is None


def labelled(*kinds: str) -> Observation:
    """A page with these options of one value each."""
    shown = ((Text(kind), Element(at, "radio", "x")) for at, kind in enumerate(kinds))
    return Observation("", "", tuple(node for pair in shown for node in pair))


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (["color", "power source"], ["color", "power_source"]),
        (["power source", "power-source"], ["power_source", "option_2"]),
        (["2nd size", "größe", "色"], ["option_1", "gr_e", "option_3"]),
        (["option 2", "?"], ["option_1", "option_2"]),
    ],
)
def test_options_are_given_by_arguments_that_are_identifiers(kinds, names):
    found = state_graph.argument_names(labelled(*kinds))
    assert found == dict(zip(kinds, names, strict=True))


def test_a_value_is_checked_under_the_name_of_its_argument():
    page, buy = (
        labelled("power source"),
        state_graph.read(prompting.read(STORE)).functions["Buy_Now"],
    )
    state_graph.check_choices(buy, {"power_source": "X"}, page)
    state_graph.check_choices(buy, {"power_source": ""}, page)
    with pytest.raises(ValueError, match="power source has no value 'sun'; it has x"):
        state_graph.check_choices(buy, {"power_source": "sun"}, page)


def test_the_stores_layouts_show_the_buttons_that_its_functions_press():
    """But for the search bar's, and for values and codes, which stand there as descriptions."""
    for state in state_graph.read(prompting.read(STORE)).states:
        buttons = set(
            re.findall(r"^\[button\] ([A-Z<].*) \[button_\]$", state.layout, re.MULTILINE)
        )
        here = (one.actions[:1] if one.detail_page else one.actions for one in state.functions)
        clicks = (each for actions in here for each in actions)
        pressed = {
            each.target for each in clicks if isinstance(each, Click) and "{" not in str(each)
        }
        placed = {each for each in buttons if _takes(state, each)}
        assert buttons - placed - {"Search"} == {str(each) for each in pressed}, state.name
        assert not pressed & set(state.hides)


def _takes(state: State, button: str) -> bool:
    """Whether a function names this button by an argument that says how such buttons read."""
    for function in state.functions:
        for action in function.actions:
            reads, brace, name = str(getattr(action, "target", "")).rstrip("}").partition("{")
            known = function.schema["properties"][name] if brace else {}
            pattern = re.escape(reads) or known.get("pattern")
            if brace and pattern and re.match(pattern, button):
                return True
    return False


def _store_state(address: str, *lines: str) -> str:
    page = Observation(f"http://store.localhost/{address}", "", tuple(map(Text, lines)))
    state = state_graph.read(prompting.read(STORE)).at(page)
    assert state is not None
    return state.name


def test_the_markets_pages_are_states_of_their_own():
    assert _store_state("search_results/x", "Page 1", "Sort", "Load: 89 kg") == "Narrowed_result"
    assert _store_state("search_results/x", "Page 1", "Sort of a lamp") == "Result"
    assert _store_state("search_results/x", "We cannot find that") == "No_such_page"
    assert _store_state("item_page/x", "Price: $2.00", "Specification") == "Specified_item"
    assert _store_state("item_page/x", "Price: $2.00") == "Item"
    assert _store_state("receipt/x/3", "Thank you") == "Stop"


HEADER = ("My Account", "My Orders", "Address Book", "Wallet", "Shared Lists", "Help")
CART = (*HEADER, "Cart (2 pieces)", "wallet")


@pytest.mark.parametrize(
    ("address", "links", "texts", "name"),
    [
        ("x", HEADER, (), "Customer"),
        ("account/x/orders", HEADER, ("My Orders", "Page 1 of 4"), "Orders"),
        ("account/x/orders/100000001", HEADER, ("Order 100000001",), "Order"),
        ("search_results/x", HEADER, ("Page 1", "Sort"), "Compared_result"),
        ("item_page/x", (*HEADER, "Buy Now"), ("Specification",), "Compared_item"),
        ("item_page/x", HEADER, ("Specification", "No longer sold"), "Old_item"),
        ("x", CART, (), "Cart_search"),
        ("search_results/x", CART, ("Page 1", "Sort"), "Cart_result"),
        ("item_page/x", (*CART, "Add to Cart"), ("Specification",), "Cart_item"),
        ("cart/x", CART, ("Cart",), "Cart"),
        *(
            (f"checkout/x/{step}", CART, (f"Checkout: {step.capitalize()}",), f"Checkout_{step}")
            for step in ("address", "delivery", "extras", "payment", "review")
        ),
    ],
)
def test_a_customers_pages_are_states_also_without_what_is_hidden(address, links, texts, name):
    """Whoever reads a request knows the state by what is left of the page."""
    buttons = (Element(number, "link", each) for number, each in enumerate(links))
    url = f"http://store.localhost/{address}"
    page = Observation(url, "", (*buttons, *map(Text, texts)))
    store = state_graph.read(prompting.read(STORE))
    state = store.at(page)
    assert state is not None and state.name == name
    left = state.shown(page)
    assert store.at(left) == state
    assert {"My Account", "Address Book", "Help"}.isdisjoint(each.name for each in left.elements)


@pytest.mark.parametrize(
    "page", ["account/x/wallet", "account/x/addresses", "help/x", "help/x/taxes"]
)
def test_pages_that_no_purchase_needs_are_none_of_the_graphs(page):
    store = state_graph.read(prompting.read(STORE))
    assert store.at(Observation(f"http://store.localhost/{page}", "", (Text("My Orders"),))) is None


def test_a_choice_that_is_forced_is_made_in_the_papers_state():
    graph = state_graph.read(prompting.read(STORE))
    opening = graph.behaving("remember")
    assert next(each for each in graph.states if opening in each.functions).name == "Result"


def test_choices_stand_under_their_labels():
    page = Observation(
        "",
        "",
        (
            Text("color"),
            Element(1, "radio", "red"),
            Element(2, "radio", "blue"),
            Text("size"),
            Element(3, "radio", "S"),
            Element(4, "button", "Buy Now"),
        ),
    )
    assert {kind: [each.name for each in group] for kind, group in choices(page).items()} == {
        "color": ["red", "blue"],
        "size": ["S"],
    }
