"""LASER by hand-written replies on the real store."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent import agent_spec, plugins, prompting
from agent.interface import FormatError, Message, Reply, Task, ToolCall
from agent.llm.recording.cassette import Cassette
from agent.methods import laser
from agent.methods.laser import Options
from agent.renderings import markers
from evaluators.episode.budget import Budget
from evaluators.episode.notebook import Notebook, NotingPage
from evaluators.run import api
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.each import for_each

SCENARIO = "store/buy_item/3"
PAPER, PLENTY = Options(), Budget(80, 400)
CODE = Options(**prompting.variants("laser")["published-code"])


def call(name: str, **arguments: str) -> Reply:
    return Reply(("",), (ToolCall(name, json.dumps(arguments)),))


@dataclass
class Hand:
    """A model whose calls are written down; its thoughts are numbered."""

    calls: list[Reply | str]
    asked: list[tuple[str, list[Message], list[str], str | None]] = field(default_factory=list)
    thoughts: int = 0
    limits: dict[str, Any] = field(default_factory=dict)

    async def ask(
        self,
        purpose: str,
        messages: Iterable[Message],
        *,
        tools: Sequence[Any] = (),
        tool: str | None = None,
        temperature: float | None,
        **limits: Any,
    ) -> Reply:
        assert temperature == 0
        self.limits = limits
        names = [each["function"]["name"] for each in tools]
        self.asked.append((purpose, [dict(each) for each in messages], names, tool))
        if purpose == "laser/thought":
            self.thoughts += 1
            return Reply((f"Rationale: thought {self.thoughts}",))
        reply = self.calls.pop(0)
        return Reply((reply,)) if isinstance(reply, str) else reply

    def asks(self, purpose: str) -> list[str]:
        """The newest message of each request for a purpose."""
        return [str(m[-1]["content"]) for name, m, _, _ in self.asked if name == purpose]

    def system(self, purpose: str) -> list[str]:
        return [str(m[0]["content"]) for name, m, _, _ in self.asked if name == purpose]

    def offered(self) -> list[list[str]]:
        return [tools for purpose, _, tools, _ in self.asked if purpose == "laser/act"]


@dataclass
class Seen:
    """What came of it."""

    error: Exception | None
    steps: int
    events: dict[str, int]
    lines: list[dict[str, Any]]
    purchases: list[dict[str, Any]]
    url: str

    def texts(self, word: str) -> list[str]:
        return [each["what"] for each in self.lines if each.get("word") == word]


@pytest.fixture(scope="module")
def solve(harness):
    def solved(
        llm: Hand,
        options: Options = PAPER,
        budget: Budget = PLENTY,
        notebook: Notebook | None = None,
    ) -> Seen:
        async def work(visit):
            scenario, error = visit.scenario, None
            start = (await visit.page.observe()).url
            task = Task(
                scenario.site,
                scenario.instruction,
                start,
                scenario.family,
                record=visit.trace.record,
            )
            try:
                page = visit.page
                if notebook is not None:
                    page = NotingPage(page, notebook, visit.trace.record)
                assert await laser.solve(task, page, llm, options) == ""
            except FormatError as raised:
                error = raised
            bought = visit.page.world.snapshot()["purchases"]
            url = (await visit.page.observe()).url
            events = visit.trace.events
            return Seen(
                error,
                visit.meter.steps,
                events,
                [each.to_json() for each in visit.trace.lines],
                bought,
                url,
            )

        return harness.visit(SCENARIO, work, budget)

    return solved


@pytest.fixture(scope="module")
def gold():
    return registry.scenario(SCENARIO).gold


@pytest.fixture(scope="module")
def words(gold):
    return " ".join([gold["query"], *gold["attributes"]])


@pytest.fixture(scope="module")
def shown(words):
    """The codes on the first page of results."""
    return registry.site_data("store").search.search(words)[:10]


def buying(gold, options: Options = PAPER) -> list[Reply | str]:
    named = [", ".join(gold["goal_options"])] if options.published else []
    return [*named, call("Buy_Now", **gold["goal_options"])]


def right_way(gold, words, options: Options = PAPER) -> list[Reply | str]:
    return [
        call("Search", keywords=words, max_price="100"),
        call("select_item", item_id=gold["asin"]),
        call("Buy_Now"),
        *buying(gold, options),
    ]


@dataclass(frozen=True)
class Solved:
    """The right way, what was asked on it and what came of it."""

    llm: Hand
    seen: Seen


@pytest.fixture(scope="module")
def purchase(solve, gold, words) -> Solved:
    llm = Hand(right_way(gold, words))
    return Solved(llm, solve(llm))


@pytest.fixture(scope="module")
def purchase_by_code(solve, gold, words) -> Solved:
    """As the published code does it."""
    llm = Hand(right_way(gold, words, CODE))
    return Solved(llm, solve(llm, CODE))


def test_search_select_buy_is_three_transitions(purchase, gold):
    llm, seen = purchase.llm, purchase.seen
    assert not llm.calls and seen.error is None
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == gold["goal_options"]
    assert seen.events["transition"] == 3 and seen.texts("state") == [
        "Search",
        "Result",
        "Item",
        "Stop",
    ]
    assert [purpose for purpose, *_ in llm.asked] == [
        *("laser/thought", "laser/act") * 3,
        "laser/options",
    ], "one rationale for buying"
    assert "Rationale: thought 3\n" in f"{llm.asks('laser/options')[0]}\n"


def test_a_note_is_a_function_of_every_state_and_no_transition(solve, purchase, gold, words):
    way, notebook = right_way(gold, words), Notebook()
    llm = Hand([way[0], call("note", text="at most $100"), *way[1:]])
    seen = solve(llm, notebook=notebook)
    assert len(seen.purchases) == 1 and notebook.notes == ["at most $100"]
    assert (seen.events["transition"], seen.events["note"]) == (3, 1)
    assert seen.steps == purchase.seen.steps
    assert all("note" in offered for offered in llm.offered())
    assert ["Your notes: 'at most $100'" in each for each in llm.asks("laser/act")] == [
        *(False, False, True, True)
    ]


def test_the_published_code_counts_the_same_and_asks_for_types_and_a_rationale(purchase_by_code):
    """Opening counts 1, and the Prev or Buy that follows 1: search, select, buy are 3."""
    llm, seen = purchase_by_code.llm, purchase_by_code.seen
    assert not llm.calls and len(seen.purchases) == 1 and seen.events["transition"] == 3
    assert [purpose for purpose, *_ in llm.asked] == [
        *("laser/thought", "laser/act") * 3,
        *("laser/option-types", "laser/thought", "laser/options"),
    ]
    assert llm.limits == {"top_p": 1.0, "max_tokens": 200, "stop": ["\n\n"]}


def test_each_state_offers_its_functions_and_no_other(purchase):
    llm = purchase.llm
    assert llm.offered() == [
        ["Search"],
        ["select_item", "Next", "Back_to_Search"],
        ["Description", "Features", "Reviews", "Buy_Now", "Prev"],
    ]
    buy = next(each for each in llm.asked if each[0] == "laser/options")
    assert buy[2] == ["Buy_Now"] and buy[3] == "Buy_Now", "the last call is forced"


def test_every_thought_is_asked_with_all_thoughts_and_actions_before(purchase):
    llm = purchase.llm
    first, second, third = llm.asks("laser/thought")
    assert "History:" not in first
    assert "Rationale0: thought 1\nAction0: Search(" in second
    assert "Rationale0: thought 1" in third and "Rationale1: thought 2\nAction1: select" in third
    assert all("Rationale: thought" in asked for asked in llm.asks("laser/act"))


def test_the_published_code_shows_history_on_coming_back_to_search_and_forgets(solve, words):
    calls = [call("Search", keywords=words), call("Back_to_Search")] * 2
    llm = Hand([*calls, "no", "no", "no"])
    solve(llm, CODE)
    thoughts = llm.asks("laser/thought")
    assert ["History:" in each for each in thoughts] == [False, False, True, False, True]
    assert "thought 1" in thoughts[2] and "thought 1" not in thoughts[4]


def test_a_page_is_as_webshop_shows_it(purchase):
    """No address, no title, and the instruction once."""
    llm = purchase.llm
    for _, messages, *_ in llm.asked:
        newest = str(messages[-1]["content"])
        assert "url: " not in newest and "%22" not in newest and "WebShop'" not in newest
        assert newest.count(registry.scenario(SCENARIO).instruction) == 1


@pytest.mark.parametrize("name", ["purchase", "purchase_by_code"])
def test_target_details_are_the_arguments_of_the_last_search(request, words, name):
    """Table 6: the keywords and the highest price, below an item's page."""
    llm = request.getfixturevalue(name).llm
    instruction = registry.scenario(SCENARIO).instruction
    _, results, item = llm.asks("laser/thought")[:3]
    assert f"Target item details:\nkeywords: {words}\nmax_price: 100" in item
    assert f"Instruction: {instruction}" in item and "Target item details" not in results


def test_a_variant_shows_the_instruction_as_target_details(solve, gold, words):
    """What the last search left out, such as "space saving", is not lost."""
    llm = Hand(right_way(gold, words))
    solve(llm, Options(**prompting.variants("laser")["target-instruction"]))
    instruction = registry.scenario(SCENARIO).instruction
    item = llm.asks("laser/thought")[2]
    assert f"Target item details:\n{instruction}" in item
    assert "Instruction:" not in item and item.count(instruction) == 1


def test_detail_pages_are_read_into_the_item_and_cost_no_transition(solve, gold, words):
    way = right_way(gold, words)
    llm = Hand([*way[:2], call("Features"), call("Description"), *way[2:]])
    seen = solve(llm)
    assert seen.events["transition"] == 3 and seen.texts("detail") == ["features", "description"]
    page = markers.unfence(llm.asks("laser/thought")[4])[0].split("\n")
    product = registry.site_data("store").catalogue.get(gold["asin"])
    start = page.index("features:")
    assert page[start + 1] in product.bullets and page[start + 2] in product.bullets
    assert page.index("description:") > start
    assert llm.offered()[4] == ["Reviews", "Buy_Now", "Prev"], "nothing is read twice"


def test_the_published_code_reads_one_line_of_a_detail_page(solve, gold, words):
    way = right_way(gold, words, CODE)
    llm = Hand([*way[:2], call("Features"), *way[2:]])
    solve(llm, CODE)
    page = markers.unfence(llm.asks("laser/thought")[3])[0].split("\n")
    assert page[page.index("features:") + 2 :] == []


def test_an_examined_item_is_asked_about_a_second_time(solve, gold, words, shown):
    wrong = next(asin for asin in shown if asin != gold["asin"])
    way = right_way(gold, words)
    look = [call("select_item", item_id=wrong), call("Prev"), call("select_item", item_id=wrong)]
    llm = Hand([way[0], *look, *way[1:]])
    seen = solve(llm)
    assert len(seen.texts("duplicate")) == 1 and [p["asin"] for p in seen.purchases] == [
        gold["asin"]
    ]
    act = llm.asks("laser/act")[4]
    assert "another product that was not examined yet" in act
    assert "Rationale: thought" not in act, "the old rationale is for the same item"


def test_it_is_said_when_to_go_on_when_to_leave_and_when_options_are_chosen(purchase):
    llm = purchase.llm
    _, results, item = llm.system("laser/thought")
    assert "Next is right when" in results
    assert "lack a value that was asked for (one is enough)" in item
    assert "values are chosen after Buy Now" in item
    assert "go back if none of them has it" in item
    assert "unsure" not in item and "is missing" not in item, "one rule for what is not shown"
    assert "a range such as" in results and "a range that it lies in" in item
    assert all("(a range, when it begins above it)" in each for each in (results, item))


def test_a_page_shows_no_button_that_no_function_presses(solve, purchase, gold, words):
    way = right_way(gold, words)
    llm = Hand([way[0], call("Next"), *["no"] * 3])
    solve(llm)
    _, first, second = (markers.unfence(each)[0] for each in llm.asks("laser/thought"))
    assert "[button] Back to Search [button_]" in first
    assert "Page 2 (" in second and "< Prev" not in second
    [item] = markers.unfence(purchase.llm.asks("laser/thought")[2])
    assert "[button] < Prev [button_]" in item and "Back to Search" not in item


@pytest.fixture(scope="module")
def offered(harness, tmp_path_factory) -> dict[str, list[dict[str, Any]]]:
    """The functions that each request of a purchase offers, by its purpose."""
    episode = harness.run("laser", "store/buy_item/9", tmp_path_factory.mktemp("purchase"))
    calls = Cassette.read(episode.home / "llm.jsonl").calls
    found: dict[str, list[dict[str, Any]]] = {}
    for each in calls:
        tools = {
            tool["function"]["name"]: tool["function"] for tool in each.request.get("tools", ())
        }
        found.setdefault(each.purpose, []).append(tools)
    return found


def test_arguments_are_identifiers_and_their_descriptions_name_the_options(offered):
    [buying] = offered["laser/options"]
    properties = buying["Buy_Now"]["parameters"]["properties"]
    assert list(properties) == ["color", "length", "number_of_items"]
    assert "the value of number of items," in properties["number_of_items"]["description"]


def test_values_are_announced_before_they_are_asked_for_and_not_there(offered):
    [buying] = offered["laser/options"]
    assert "are asked for next" not in buying["Buy_Now"]["description"]
    assert "with these values" in buying["Buy_Now"]["description"]
    assert "are asked for next" in offered["laser/act"][-1]["Buy_Now"]["description"]


def test_functions_say_what_the_advice_says(offered, purchase):
    rule = "where a page lists no products, or after several pages and several products"
    search, results = offered["laser/act"][:2]
    assert rule in purchase.llm.system("laser/thought")[1]
    assert rule in results["Back_to_Search"]["description"].casefold()
    limit = search["Search"]["parameters"]["properties"]["max_price"]["description"]
    assert "not filtered by it" in limit


# The forced choice --------------------------------------------------------------------------------


def wandering(gold, words) -> list[Reply | str]:
    """Thirteen transitions: the right item is seen, and left for the other pages of results."""
    seen = [call("Search", keywords=words), call("select_item", item_id=gold["asin"]), call("Prev")]
    turns = [call("Next"), call("Next"), call("Next"), call("Back_to_Search")]
    repeated = [call("Search", keywords=words), call("Next"), call("Next"), call("Next")]
    return [*seen, *turns, *repeated, call("Back_to_Search"), call("Search", keywords=words)]


@pytest.mark.wide
def test_after_thirteen_transitions_the_best_examined_item_is_bought(solve, gold, words):
    llm = Hand([*wandering(gold, words), call("select_item", item_id=gold["asin"]), *buying(gold)])
    seen = solve(llm)
    assert not llm.calls and seen.error is None
    assert seen.events["forced"] == 1 and seen.texts("backup") == [gold["asin"]]
    assert seen.events["transition"] == 15, "13, then opened and bought"
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == gold["goal_options"]
    backup = next(each for each in llm.asked if each[0] == "laser/backup")
    assert backup[2:] == (["select_item"], "select_item")
    [listed] = markers.unfence(str(backup[1][-1]["content"]))
    assert gold["asin"] in listed and gold["name"] in listed and "Price" not in listed
    for kind, value in gold["goal_options"].items():
        assert any(line.startswith(f"{kind}: ") and value in line for line in listed.split("\n"))
    assert "examined: thought 3" in listed.split("\n"), "the last rationale on its page"


@pytest.mark.wide
def test_the_backup_sees_the_details_that_were_read(solve, gold, words):
    """Clones have one title and one price."""
    way = [call("Search", keywords=words), call("select_item", item_id=gold["asin"])]
    repeated = call("select_item", item_id=gold["asin"])
    llm = Hand([*way, call("Features"), call("Prev"), repeated, *buying(gold)])
    solve(llm, Options(force_after=3))
    product = registry.site_data("store").catalogue.get(gold["asin"])
    [listed] = markers.unfence(llm.asks("laser/backup")[0])
    [features] = [line for line in listed.split("\n") if line.startswith("features: ")]
    assert all(bullet in features for bullet in product.bullets)
    assert "examined: thought 4" in listed
    llm = Hand([*way, call("Features"), call("Prev"), repeated, *buying(gold, CODE)])
    solve(llm, dataclasses.replace(CODE, force_after=3))
    backup = next(each for each in llm.asked if each[0] == "laser/backup")
    [listed] = markers.unfence(str(backup[1][-1]["content"]))
    assert "features" not in listed and "examined" not in listed
    thought = llm.asks("laser/thought")[-2]
    assert "B0" in thought and "History:" not in thought, "no history for the backup's thought"


def test_without_backup_the_end_of_the_transitions_is_the_end(solve, gold, words):
    llm = Hand(wandering(gold, words)[:3])
    seen = solve(llm, Options(backup=False, force_after=3))
    assert not llm.calls and not seen.purchases
    assert seen.events["forced"] == 1 and seen.events["transition"] == 3


def test_an_empty_memory_buys_nothing(solve, words):
    llm = Hand([call("Search", keywords=words), call("Next"), call("Back_to_Search")])
    seen = solve(llm, Options(force_after=3))
    assert not llm.calls and not seen.purchases and seen.error is None
    assert seen.texts("backup") == ["nothing was examined, so nothing is bought"]


@pytest.mark.wide
def test_the_published_backup_searches_the_title(solve, gold, words):
    chosen = call("select_item", item_id=gold["asin"])
    looked = [call("Search", keywords=words), chosen, call("Prev")]
    llm = Hand([*looked, chosen, *buying(gold, CODE)])
    seen = solve(llm, dataclasses.replace(CODE, force_after=3))
    typed = [each["action"] for each in seen.lines if each["kind"] == "action"]
    assert any(gold["name"] in each for each in typed)
    assert seen.texts("backup")[0] == gold["asin"]
    found = gold["asin"] in registry.site_data("store").search.search(gold["name"])[:10]
    assert [each["asin"] for each in seen.purchases] == [gold["asin"]] * found


def test_the_published_code_first_decides_on_the_item_that_is_open(solve, gold, words):
    llm = Hand(right_way(gold, words, CODE))
    seen = solve(llm, dataclasses.replace(CODE, force_after=2))
    assert not llm.calls and "forced" not in seen.events and len(seen.purchases) == 1
    assert seen.events["transition"] == 3


# Bad replies --------------------------------------------------------------------------------------

BAD = {
    "no function call": (Reply(("I would search",)), "call exactly one of Search"),
    "a function of another state": (call("Buy_Now"), "there is no function 'Buy_Now'"),
    "no JSON": (Reply(("",), (ToolCall("Search", "{keywords: x"),)), "are no JSON"),
    "a missing argument": (call("Search"), "needs keywords"),
    "two calls": (Reply(("",), (ToolCall("Search", "{}"),) * 2), "there are 2 function calls"),
}


@for_each("kind", BAD)
def test_a_bad_call_is_asked_again_by_name_and_then_refused(solve, kind):
    reply, why = BAD[kind]
    llm = Hand([reply, reply, reply, "never asked"])
    seen = solve(llm)
    assert isinstance(seen.error, FormatError) and why in str(seen.error)
    assert seen.events["reask"] == 2 and seen.steps == 0 and not seen.purchases
    assert why in llm.asks("laser/act")[-1]


@for_each("items", [("B000000000", "Next >"), ("",)])
def test_an_item_that_is_not_on_the_page_is_asked_again(solve, gold, words, items):
    way = right_way(gold, words)
    llm = Hand([way[0], *(call("select_item", item_id=item) for item in items), *way[1:]])
    seen = solve(llm)
    assert seen.events["reask"] == len(items) and len(seen.purchases) == 1
    assert seen.events["browse"] == 1


def test_where_no_value_exists_after_two_more_tries_the_item_is_bought_without(solve, gold, words):
    """The model decided to buy this item; the backup would ask about the same values."""
    way = right_way(gold, words)
    wrong = call("Buy_Now", **dict.fromkeys(gold["goal_options"], "mauve"))
    llm = Hand([*way[:-1], wrong, wrong, wrong])
    seen = solve(llm)
    assert seen.error is None and not llm.calls and "forced" not in seen.events
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == {}
    assert seen.events["reask"] == 2 and "'mauve'" in seen.texts("unreadable")[0]


def test_the_published_code_buys_at_once_without_a_value_that_does_not_exist(solve, gold, words):
    way = right_way(gold, words, CODE)
    wrong = call("Buy_Now", **dict.fromkeys(gold["goal_options"], "mauve"))
    [bought] = solve(Hand([*way[:-1], wrong]), CODE).purchases
    assert json.loads(bought["options"]) == {}


def test_an_option_type_that_does_not_exist_is_asked_again(solve, gold, words):
    way = right_way(gold, words, CODE)
    llm = Hand([*way[:3], "colour, flavour", f"The options: {way[3]}.", *way[4:]])
    seen = solve(llm, CODE)
    assert seen.events["reask"] == 1 and len(seen.purchases) == 1
    assert "'colour' is no option" in llm.asks("laser/option-types")[1]


@pytest.mark.wide
def test_none_needs_no_options_and_an_empty_value_chooses_nothing(solve, gold, words):
    way = right_way(gold, words)
    [bought] = solve(Hand([*way[:3], "None"]), CODE).purchases
    assert json.loads(bought["options"]) == {}
    empty = call("Buy_Now", **dict.fromkeys(gold["goal_options"], ""))
    [bought] = solve(Hand([*way[:-1], empty])).purchases
    assert json.loads(bought["options"]) == {}


@pytest.mark.wide
def test_unreadable_replies_lead_to_the_backup(solve, gold, words):
    way, repeated = right_way(gold, words), call("select_item", item_id=gold["asin"])
    llm = Hand([*way[:2], "hm", "hm", "hm", repeated, *buying(gold)])
    seen = solve(llm)
    assert seen.error is None and seen.events["unreadable"] == seen.events["forced"] == 1
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == gold["goal_options"]


def test_a_backup_that_cannot_be_read_either_buys_the_first_examined_item(solve, gold, words):
    way = right_way(gold, words)
    llm = Hand([*way[:2], *["hm"] * 6, *buying(gold)])
    seen = solve(llm)
    assert seen.error is None and not llm.calls and seen.events["unreadable"] == 2
    assert [each["asin"] for each in seen.purchases] == [gold["asin"]]


def test_without_backup_unreadable_replies_are_a_format_error(solve, gold, words):
    llm = Hand([*right_way(gold, words)[:2], *["hm"] * 3])
    seen = solve(llm, Options(backup=False))
    assert isinstance(seen.error, FormatError) and not llm.calls and not seen.purchases


@pytest.mark.wide
def test_where_no_call_can_be_read_the_published_code_buys_what_is_open(solve, gold, words):
    llm = Hand([*right_way(gold, words)[:2], "hm", "hm", "hm", *buying(gold, CODE)])
    seen = solve(llm, CODE)
    assert seen.error is None and [each["asin"] for each in seen.purchases] == [gold["asin"]]


@pytest.mark.parametrize(("options", "read"), [(PAPER, 3), (CODE, 4)])
def test_where_no_value_can_be_read_the_open_item_is_bought_without(
    solve, gold, words, options, read
):
    llm = Hand([*right_way(gold, words, options)[:read], "hm", "hm", "hm"])
    seen = solve(llm, options)
    [bought] = seen.purchases
    assert bought["asin"] == gold["asin"] and json.loads(bought["options"]) == {}
    assert seen.error is None and seen.events["unreadable"] == 1


@pytest.mark.wide
def test_for_a_page_that_was_read_the_published_code_goes_back(solve, gold, words):
    way = [*right_way(gold, words)[:2], call("Features"), call("Features")]
    seen = solve(Hand([*way, "no", "no", "no"]), CODE)
    assert seen.texts("state")[-1] == "Result" and "Prev({})" in seen.texts("transition")
    asked = Hand([*way, *right_way(gold, words)[2:]])
    seen = solve(asked)
    assert (
        seen.events["reask"] == 1
        and "there is no function 'Features'" in asked.asks("laser/act")[4]
    )


# A calculator -------------------------------------------------------------------------------------


def test_a_calculator_shows_its_result_in_the_history_and_counts_as_no_transition(
    solve, gold, words
):
    way = right_way(gold, words)
    llm = Hand([way[0], call("calculate", expression="(12.50 + 7) * 2"), *way[1:]])
    seen = solve(llm, Options(calculator=True))
    assert len(seen.purchases) == 1 and seen.events["transition"] == 3
    assert all(each[-1] == "calculate" for each in llm.offered())
    shown = 'Action1: calculate({"expression": "(12.50 + 7) * 2"}) = 39'
    assert f"{shown}\n" in llm.asks("laser/thought")[2] and seen.texts("calculated") == [shown]


# Verification -------------------------------------------------------------------------------------


def test_a_purchase_is_verified_and_the_feedback_decides(solve, gold, words):
    """The model sees its rationale, the action and the feedback, and leaves the item."""
    way = right_way(gold, words)
    llm = Hand(
        [
            *way[:3],
            "Feedback: it is not red",
            call("Prev"),
            call("select_item", item_id=gold["asin"]),
        ]
    )
    llm.calls += [call("select_item", item_id=gold["asin"]), call("Buy_Now"), "it fits", *way[2:]]
    seen = solve(llm, Options(verify=True))
    assert not llm.calls and [each["asin"] for each in seen.purchases] == [gold["asin"]]
    first, _ = llm.asks("laser/feedback")
    assert "Rationale: thought 3\nProposed action: Buy_Now({})" in first
    assert f"Instruction: {registry.scenario(SCENARIO).instruction}" in first
    assert "Proposed action: Buy_Now({})\nFeedback: it is not red\n" in llm.asks("laser/act")[3]
    assert seen.texts("feedback") == ["it is not red", "it fits"]
    assert "does the product match the wish" in llm.system("laser/feedback")[0].casefold()


def test_a_forced_choice_is_not_verified(solve, gold, words):
    way, chosen = right_way(gold, words), call("select_item", item_id=gold["asin"])
    llm = Hand([*way[:2], call("Prev"), chosen, *buying(gold)])
    seen = solve(llm, Options(verify=True, force_after=3))
    assert not llm.calls and len(seen.purchases) == 1 and not llm.asks("laser/feedback")


def test_the_script_verifies_a_purchase(harness, tmp_path):
    episode = harness.run("laser:verify=true", SCENARIO, tmp_path, strict=True)
    assert episode.record["success"] is True
    assert episode.record["by_purpose"]["laser/feedback"]["calls"] == 1


# Variants -----------------------------------------------------------------------------------------


def as_json(reply: Reply | str) -> str:
    if isinstance(reply, str):
        return reply
    [one] = reply.calls
    return json.dumps({"action": one.name, "arguments": json.loads(one.arguments)})


def test_without_function_calling_functions_are_described_and_answered_in_json(solve, gold, words):
    llm = Hand([f"```json\n{as_json(each)}\n```" for each in right_way(gold, words)[:3]])
    llm.calls += map(as_json, buying(gold))
    seen = solve(llm, Options(functions=False))
    assert [each["asin"] for each in seen.purchases] == [gold["asin"]]
    assert all(not tools for _, _, tools, _ in llm.asked)
    search = llm.system("laser/act")[0]
    assert '{"name": "Search", "purpose": ' in search and '"max_price": ' in search


def test_a_function_call_that_was_written_as_json_is_read(solve, gold, words):
    """As the released code does, where the server's model calls no function."""
    written = json.dumps({"name": "functions.Search", "arguments": {"keywords": words}})
    llm = Hand([written, *right_way(gold, words)[1:]])
    seen = solve(llm)
    assert "reask" not in seen.events and len(seen.purchases) == 1


@for_each("text", ["{}", "[]", "Search(mats)", '{"action": "Search"}', "3", "null"])
def test_what_is_no_json_call_is_asked_again(solve, text):
    llm = Hand([text] * 3)
    assert isinstance(solve(llm, Options(functions=False)).error, FormatError)
    assert len(llm.asks("laser/act")) == 3


@pytest.mark.wide
def test_one_shot_puts_a_pair_before_the_input_of_every_prompt(solve, purchase, gold, words):
    plain, shot = purchase.llm, Hand(right_way(gold, words))
    solve(shot, Options(one_shot=True))
    for (purpose, short, _, _), (_, long, _, _) in zip(plain.asked, shot.asked, strict=True):
        assert [long[0], long[-1]] == [short[0], short[-1]], purpose
        roles = [message["role"] for message in long[1:-1]]
        called = purpose in ("laser/act", "laser/options")
        assert roles == ["user", "assistant", "tool"] if called else ["user", "assistant"], purpose


@for_each("name", ["open_cost", "reopen", "examine_last"])
def test_what_the_published_code_does_is_one_option(name):
    """The last two were options of their own; a name of an old record says so in one line."""
    with pytest.raises(plugins.UnknownName, match=f"laser '{name}'") as refused:
        agent_spec.read(f"laser:{name}=2")
    assert "\n" not in str(refused.value)


@for_each(
    "wrong",
    [
        {"force_after": -1},
        {"max_tokens": -1},
        {"target": "wish"},
    ],
)
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Options(**wrong)


# Questions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "states"),
    [
        ("store/spend_in_month/2", ["Customer", *["Order_history"] * 2]),
        ("store/bought_configuration/2", ["Customer", *["Order_history"] * 3, "Past_order"]),
    ],
)
def test_a_question_about_orders_is_answered(harness, tmp_path, scenario, states):
    episode = harness.run("laser", scenario, tmp_path, strict=True)
    assert episode.record["success"] is True, episode.record["checks"]
    assert [line["what"] for line in episode.trace if line.get("word") == "state"] == states


def test_a_family_that_the_graph_does_not_serve_is_refused_before_the_first_episode(tmp_path):
    config = RunConfig(out=tmp_path / "run")
    with pytest.raises(prompting.BadPrompt) as refused:
        api.run(["laser"], registry.from_family("review_mentions", range(1)), config)
    assert "laser cannot do store/review_mentions: " in str(refused.value)
    assert "latest_order" in str(refused.value) and "\n" not in str(refused.value)
    assert not (tmp_path / "run").exists()


# The market ---------------------------------------------------------------------------------------


def test_a_wish_that_nothing_meets_ends_with_nothing_bought(harness, tmp_path):
    scenario = registry.scenario("store/buy_wish/2")
    assert not scenario.gold["possible"]
    episode = harness.run("laser", scenario.name, tmp_path, strict=True)
    assert episode.record["success"] is True, episode.record["checks"]
    assert episode.record["answer"] == "NOT_ACHIEVABLE"


@pytest.mark.wide
def test_an_item_of_the_market_shows_its_specification_and_the_tabs_that_were_read(
    harness, tmp_path
):
    episode = harness.run("laser", "store/buy_wish/5", tmp_path, strict=True)
    calls = Cassette.read(episode.home / "llm.jsonl").calls
    pages = [str(each.request["messages"][-1]["content"]) for each in calls]
    items = [page for page in pages if "[button] Buy Now [button_]" in page]
    assert items and all("\nSpecification\n" in page for page in items)
    read = [page for page in items if "\nfeatures:\n" in page]
    assert read and all("[clicked button] Features [clicked button_]" in page for page in read)
    assert "[button] Features [button_]" in items[0]


@pytest.mark.wide
def test_after_the_last_page_of_results_it_goes_on(harness, tmp_path):
    """A belief that there is another page leads to one that the store does not have."""
    episode = harness.run("laser@scripted-0.8", "store/buy_wish/4", tmp_path, strict=True)
    seen = [line["text"] for line in episode.trace if line["kind"] == "observation"]
    assert any("There is no page 2 of these results" in text for text in seen)
    assert episode.record["ended"] == "answered", episode.record["error"]
