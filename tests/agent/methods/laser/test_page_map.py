"""The outlet's pages as the store's graph of states reads them, and the outlet's own graph."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from agent import prompting
from agent.interface import Action, Click, Element, Goto, Observation, Press, Select, Text, Type
from agent.methods.laser import page_map, state_graph
from agent.methods.laser.model_calls import Options
from agent.prompting import BadPrompt

HOST = "http://outlet.localhost/s"
LAMP, OTHER = "BV-2399-A Oakhurst Vesper 2 Desk Lamp", "BV-2399-B Oakhurst Vesper 2 Desk Lamp"
HEAD = (Element(1, "link", "Outlet"), Element(2, "searchbox", "Search the outlet", ""),
        Element(3, "button", "Find"))  # fmt: skip
HOME = Observation(HOST, "Welcome · Outlet", (*HEAD, Element(4, "link", "desk lamps")))
LIST = Observation(
    f"{HOST}/search?q=lamps",
    "lamps · Outlet",
    (
        *HEAD, Text("9 items for “lamps”"), Text("Maker"), Element(4, "link", "Oakhurst"),
        Text("(9)"), Text("Order"), Element(5, "link", "Cheapest first"),
        Element(6, "link", LAMP, states=("visited",)), Text("$95.50 plus tax"),
        Text("Arm: Two-part"), Text("3.4 of 5"), Element(7, "link", OTHER), Text("$93.50 plus tax"),
        Text("4.0 of 5"), Text("2 of 9 shown"), Element(8, "link", "Show more"),
    ),
)  # fmt: skip
ITEM = Observation(
    f"{HOST}/goods/bv-2399-a",
    f"{LAMP} · Outlet",
    (
        *HEAD, Element(4, "link", "Back to the list"), Text("desk lamps"), Text(LAMP),
        Text("$95.50 plus tax"), Text("3.4 of 5, 30 reviews"), Text("Colour"),
        Element(5, "button", "black", states=("pressed",)), Element(6, "button", "white"),
        Text("Size"), Element(7, "combobox", "Size", "41", options=("Please choose", "40", "41")),
        Element(8, "button", "Order this item"), Text("Details"), Text("Weight"), Text("1140 g"),
        Text("About it"), Text("The Vesper 2 by Oakhurst."), Text("Enquiries"),
        Text("Does it hold?"), Text("It does."), Text("Oakhurst sizes"), Text("41"),
        Text("26.1 cm"), Text("Reviews"), Text("Well made: Bright."),
    ),
)  # fmt: skip
DONE = Observation(f"{HOST}/orders/1", "Thank you · Outlet", (*HEAD, Text("Thank you")))


class Page:
    """A page that shows what it is told to, and remembers what was done on it."""

    def __init__(self, seen: Observation) -> None:
        self.seen, self.done = seen, list[Action]()

    async def observe(self, *, view="document", screenshot=False, source="") -> Observation:
        return self.seen

    async def act(self, action: Action) -> Observation:
        self.done.append(action)
        return self.seen

    async def restart(self) -> Observation:
        return self.seen

    async def checkpoint(self) -> object:
        return "mark"

    async def restore(self, mark: object) -> Observation:
        return self.seen


def after(seen: Observation, *actions: Action) -> tuple[Observation, list[Action]]:
    """What the map shows after these actions, and what was done on the real page."""
    page = Page(seen)
    mapped = page_map.of(page, "outlet", "store")

    async def shown() -> Observation:
        shown = await mapped.observe()
        for action in actions:
            shown = await mapped.act(action)
        return shown

    return asyncio.run(shown()), page.done


def graph(site: str) -> state_graph.Graph:
    return state_graph.read(prompting.load("laser", site))


@pytest.mark.parametrize(
    ("page", "mapped", "own"),
    [
        (HOME, "Search", "Search"), (LIST, "Narrowed_result", "List"),
        (ITEM, "Specified_item", "Item"), (DONE, "Stop", "Stop"),
    ],
)  # fmt: skip
def test_each_page_is_a_state_of_both_graphs(page, mapped, own):
    assert graph("store").at(after(page)[0]).name == mapped
    assert graph("outlet").at(page).name == own
    assert graph("store").at(page) is None or page in (HOME,)


def test_a_list_has_codes_titles_and_prices_as_the_stores():
    shown, _ = after(LIST)
    lines = [node.name if isinstance(node, Element) else node.text for node in shown.content]
    assert lines == [
        "Back to Search", "Page 1 (Total results: 9)", "Next >", "Brand", "Oakhurst", "(9)", "Sort",
        "Cheapest first", "OUTBV2399A", LAMP, "$95.50", "Arm: Two-part", "OUTBV2399B", OTHER,
        "$93.50",
    ]  # fmt: skip
    codes = [each for each in shown.elements if each.name.startswith("OUT")]
    assert [each.states for each in codes] == [("visited",), ()]


def test_an_item_has_radio_buttons_a_price_tabs_and_a_specification():
    shown, _ = after(ITEM)
    lines = [node.name if isinstance(node, Element) else node.text for node in shown.content]
    assert lines == [
        "< Prev", "color", "black", "white", "size", "40", "41", LAMP, "Price: $95.50",
        "Description", "Features", "Reviews", "Specification", "Weight", "1140 g", "Buy Now",
    ]  # fmt: skip
    radios = {each.name: each.states for each in shown.elements if each.role == "radio"}
    assert radios == {"black": ("checked",), "white": (), "40": (), "41": ("checked",)}
    assert list(state_graph.choices(shown)) == ["color", "size"]


@pytest.mark.parametrize(
    ("page", "action", "done"),
    [
        (HOME, Type("Search products", "lamp", enter=True), [Type(2, "lamp", enter=True)]),
        (LIST, Click("Next >"), [Click(8)]), (LIST, Click("OUTBV2399B"), [Click(7)]),
        (LIST, Click("Back to Search"), [Click("Outlet")]), (LIST, Click("Oakhurst"), [Click(4)]),
        (ITEM, Click("< Prev"), [Click("Back to the list")]), (ITEM, Click("white"), [Click(6)]),
        (ITEM, Click("40"), [Select(7, "40")]),
        (ITEM, Click("Buy Now"), [Click("Order this item"), Click("Place order")]),
        (ITEM, Goto("http://store.localhost/item_page/bv-2399-a"), [Goto(ITEM.url)]),
        (ITEM, Click("nothing"), [Click("nothing")]),
    ],
)  # fmt: skip
def test_what_is_done_on_the_map_is_done_on_the_page(page, action, done):
    assert after(page, action)[1] == done


@pytest.mark.parametrize(
    ("tab", "lines"),
    [
        ("Description", ["The Vesper 2 by Oakhurst.", "41", "26.1 cm"]),
        ("Features", ["Does it hold?", "It does."]), ("Reviews", ["Well made: Bright."]),
    ],
)  # fmt: skip
def test_a_tab_is_a_section_of_the_page_and_costs_no_action(tab, lines):
    shown, done = after(ITEM, Click(tab))
    assert [each.text for each in shown.content if isinstance(each, Text)] == lines
    back, done = after(ITEM, Click(tab), Click("< Prev"))
    assert done == [] and back == after(ITEM)[0]


def test_a_new_beginning_closes_the_tab():
    page = Page(ITEM)
    mapped = page_map.of(page, "outlet", "store")

    async def shown(*, restarts: bool) -> Observation:
        await mapped.observe()
        await mapped.act(Click("Reviews"))
        page.seen = HOME
        return await (mapped.restart() if restarts else mapped.restore("mark"))

    for restarts in (True, False):
        page.seen = ITEM
        assert asyncio.run(shown(restarts=restarts)) == after(HOME)[0]


def test_a_refusal_at_an_items_address_is_no_item():
    link = Element(4, "link", "Back to the outlet")
    refused = replace(ITEM, content=(*HEAD, Text("We have no “x”."), link))
    shown, _ = after(refused)
    assert [each.name for each in shown.elements] == ["Search products", "Search"]
    assert graph("store").at(shown) is None


def test_a_text_that_begins_like_a_makers_number_is_no_card():
    shown, _ = after(replace(LIST, content=(*LIST.content, Text("BV-2399-A and others"))))
    assert len([each for each in shown.elements if each.name.startswith("OUT")]) == 2


def test_an_action_without_a_target_is_of_no_element():
    maker = Element(9, "link", "None")
    listed = replace(LIST, content=(*LIST.content[:5], maker, *LIST.content[5:]))
    assert after(listed, Press("Enter"))[1] == [Press("Enter")]


def test_a_page_of_its_own_site_needs_no_map_and_others_have_none():
    page = Page(HOME)
    assert page_map.of(page, "store", "store") is page
    with pytest.raises(BadPrompt, match="crm"):
        page_map.of(page, "crm", "store")
    with pytest.raises(ValueError, match="graph"):
        Options(graph="crm")


def test_the_outlets_prompts_make_their_points():
    prompts = prompting.load("laser", "outlet")
    text = json.dumps(prompts.data, ensure_ascii=False)
    written = text.partition('"states"')[2] + json.dumps(prompts.data["texts"], ensure_ascii=False)
    assert [each for each in prompts.data["covers"].values() if each not in written] == []
    functions = {each.name for each in graph("outlet").functions.values()}
    assert {"Search", "select_item", "Order", "Nothing_fits"} <= functions
