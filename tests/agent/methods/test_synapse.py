"""Synapse by hand-written replies on real pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest

from agent import agent_spec, prompting, renderings
from agent.interface import ContextOverflow, FormatError, Message, Observation, Reply, Task
from agent.llm import tokens
from agent.llm.recording.cassette import Cassette
from agent.methods import synapse
from agent.methods.synapse import Options, exemplar_files, namesake, state_abstraction
from agent.methods.synapse.exemplar_files import Exemplar, Round
from agent.methods.synapse.reply_format import read_program
from agent.renderings.markers import unfence
from evaluators.episode.budget import Budget
from scenarios import registry
from tests.each import for_each
from tests.measuring import DEEP, unmeasured

PAPER, PLENTY = Options(), Budget(80, 400)
STORE = "store/buy_item/3"
POPUP, LOGIN = "widgets/login-user-popup/3", "widgets/login-user/3"
TABS, TEXT = "widgets/click-tab-2/3", "widgets/enter-text/3"


def block(program: str) -> str:
    return f"```python\n{program}\n```"


def typing(text: str) -> str:
    return f"agent.click_xpath('//input')\nagent.press('command+a')\nagent.type({text!r})"


@dataclass
class Hand:
    """A model whose replies are written down by purpose."""

    act: list[str] = field(default_factory=list)
    abstract: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    asked: list[tuple[str, list[Message], tuple[str, ...]]] = field(default_factory=list)

    async def ask(
        self, purpose: str, messages: Iterable[Message], *, stop: Sequence[str] = (), **rest: Any
    ) -> Reply:
        assert rest == {"temperature": 0}
        self.asked.append((purpose, [dict(each) for each in messages], tuple(stop)))
        replies: list[str] = getattr(self, purpose.removeprefix("synapse/"))
        return Reply((replies.pop(0),))

    @property
    def left(self) -> list[str]:
        return [*self.act, *self.abstract, *self.code]

    def requests(self, purpose: str) -> list[list[Message]]:
        return [messages for name, messages, _ in self.asked if name == f"synapse/{purpose}"]

    def newest(self, purpose: str = "act") -> list[str]:
        return [str(messages[-1]["content"]) for messages in self.requests(purpose)]


@dataclass
class Seen:
    """What came of it."""

    error: Exception | None
    start: Observation
    instruction: str
    end: Observation
    lines: list[dict[str, Any]]
    events: Counter[str]
    steps: int
    answer: str

    def texts(self, word: str) -> list[str]:
        return [each["what"] for each in self.lines if each.get("word") == word]

    def typed(self) -> list[str]:
        return [each.value or "" for each in self.end.elements if each.tag == "input"]


@pytest.fixture
def solve(harness):
    def solved(llm: Hand, scenario: str = TEXT, options: Options = PAPER) -> Seen:
        async def work(visit):
            scenario, error, answer = visit.scenario, None, ""
            start = await visit.page.observe()
            read = getattr(registry.family(scenario.family), "instruction", None)
            instruction = read(start) if read else scenario.instruction
            task = Task(
                scenario.site, instruction, start.url, scenario.family, record=visit.trace.record
            )
            try:
                answer = await synapse.solve(task, visit.page, llm, options)
            except (FormatError, ContextOverflow) as raised:
                error = raised
            end, trace = await visit.page.observe(), visit.trace
            lines = [each.to_json() for each in trace.lines]
            return Seen(
                error, start, instruction, end, lines, trace.events, visit.meter.steps, answer
            )

        return harness.visit(scenario, work, PLENTY)

    return solved


def state(seen: Observation) -> str:
    return renderings.get("state").render(seen)


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def task_message(task: str) -> Message:
    return user(f"Task: {task}\nTrajectory:")


def state_message(task: str, seen: str) -> str:
    """How an abstraction is asked for: of examples as of the page."""
    return f"Task: {task}\nState:\n<<<observation\n{seen}\nobservation>>>\n"


def shown(seen: str) -> Message:
    return user(f"Observation:\n<<<observation\n{seen}\nobservation>>>\nAction:")


def did(program: str) -> Message:
    return {"role": "assistant", "content": f"```\n{program}\n```"}


# The messages -------------------------------------------------------------------------------------


def test_an_action_is_asked_for_after_whole_trajectories(solve):
    """System, each exemplar's task and turns, this task, its turns, the open observation."""
    first, second = typing("one"), typing("two")
    llm = Hand(
        act=[block(first), block(second), block("pass")], abstract=["seen 1", "seen 2", "now"]
    )
    seen = solve(llm, POPUP)
    assert seen.error is None and not llm.left
    exemplars = [
        message
        for each in exemplar_files.load("widgets", "login-user-popup").exemplars
        for message in (
            task_message(each.instruction),
            *(m for turn in each.rounds for m in (shown(turn.observation), did(turn.actions))),
        )
    ]
    trajectory = [shown("seen 1"), did(first), shown("seen 2"), did(second), shown("now")]
    system, *messages = llm.requests("act")[-1]
    assert system["role"] == "system"
    assert messages == [*exemplars, task_message(seen.instruction), *trajectory]
    assert {stop for name, _, stop in llm.asked if name == "synapse/act"} == {("Observation:",)}
    assert [name for name, *_ in llm.asked] == ["synapse/abstract", "synapse/act"] * 3


@pytest.mark.parametrize("named", [True, False])
def test_that_nothing_may_be_selected_is_said_where_the_task_says_so(named):
    text = prompting.load("synapse", "widgets").say("system", nothing=named, list=False)
    assert ("If nothing is to be selected, only submit." in text) is named


@for_each(("scenario", "named"), [("widgets/click-scroll-list/3", True), (TEXT, False)])
def test_keys_of_a_list_are_named_where_there_is_one(solve, scenario, named):
    llm = Hand(act=[block("pass")])
    solve(llm, scenario)
    assert ("command+space" in str(llm.requests("act")[0][0]["content"])) is named


def test_an_observation_is_asked_for_after_pairs_of_states_and_observations(solve):
    llm = Hand(act=[block("pass")], abstract=["what matters"])
    seen = solve(llm, POPUP)
    [[message]] = llm.requests("abstract")
    text = str(message["content"])
    known = exemplar_files.load("widgets", "login-user-popup").exemplars
    pairs = [
        f"{state_message(each.instruction, each.rounds[0].state)}Observation:\n"
        f"{each.rounds[0].observation}\n"
        for each in known
    ]
    places = [text.index(pair) for pair in pairs]
    assert message["role"] == "user" and places == sorted(places)
    assert text.endswith(f"{state_message(seen.instruction, state(seen.start))}Observation:")
    assert text.count("State:") == text.count("Observation:") == len(pairs) + 1
    assert llm.asked[0][2] == ("Task:", "Action:", "Output:", "State:")
    assert unfence(llm.newest()[0]) == ["what matters"]
    [line] = [each for each in seen.lines if each.get("word") == "abstract"]
    assert line["what"] == "what matters"
    assert (line["before"], line["after"]) == (len(state(seen.start)), len("what matters"))


def test_code_that_abstracts_is_asked_for_and_run(solve):
    """A known program is shown with its task; then this task and its state."""
    program = "import re\nobs = ' '.join(re.findall('data-id=\"1\"|Tab', state))"
    llm = Hand(act=[block("pass")], code=[block(program)])
    seen = solve(llm, TABS)
    [[message]] = llm.requests("code")
    text, known = str(message["content"]), exemplar_files.load("widgets", "click-tab-2")
    first = known.exemplars[0]
    asked = state_message(first.instruction, first.rounds[0].state)
    assert f"{asked}Program:\n```\n{first.program}\n```" in text
    assert text.count("State:") == 2, "the others hold the same program"
    assert text.endswith(f"{state_message(seen.instruction, state(seen.start))}Program:")
    assert unfence(llm.newest()[0]) == ['data-id="1" Tab Tab Tab']
    assert seen.events["fallback"] == 0 and seen.texts("abstract") == ['data-id="1" Tab Tab Tab']


@for_each(
    ("task", "words", "examples"),
    [
        ("book-flight", "menu-back", 2),
        ("book-flight", "flight-from", 2),
        ("use-autocomplete", "listbox", 4),
        ("terminal", "user$ ls", 4),
        ("login-user-popup", "popup-ok", 2),
        ("tic-tac-toe", "ttt-0", 1),
    ],
)
def test_examples_are_of_the_kind_of_page_that_is_asked_about(task, words, examples):
    """Each page of an exemplar is looked at as if it were the current one; no program twice."""
    known, page = exemplar_files.load("widgets", task), renderings.get("state")
    for turn in (turn for each in known.exemplars for turn in each.rounds if words in turn.state):
        found = state_abstraction.examples(known.exemplars, page.parse(turn.state), page)
        if known.abstraction == "implicit":
            found = state_abstraction.distinct(found)
        assert len(found) == examples
        assert all(words in shown.state for _, shown in found)


def test_an_exemplar_whose_state_cannot_be_read_is_like_no_page():
    known = exemplar_files.load("widgets", "terminal").exemplars
    odd = Exemplar("Do it", (replace(known[0].rounds[0], state="a line of one's own"),))
    page = renderings.get("state")
    seen = page.parse(known[0].rounds[0].state)
    found = state_abstraction.examples([odd, *known], seen, page)
    assert [each for each, _ in found] == [*known]


def test_code_that_worked_is_not_asked_for_again_on_a_page_of_its_kind(solve):
    """The squares of tic-tac-toe stay, what stands in them changes; new code where it fails."""
    program = "import re\nobs = ' '.join(re.findall('free|X|O', state))"
    press = ["agent.click_xpath('//*[@id=\"ttt-4\"]')", "agent.press('home')"]
    llm = Hand(act=[*map(block, press), block("pass")], code=[block(program)])
    seen = solve(llm, "widgets/tic-tac-toe/1")
    assert not llm.left and len(set(seen.texts("abstract"))) == 2
    once = block(f'{program} if \'ttt-4" role="button" style="background\' in state else 3 / 0')
    second = Hand(act=[*map(block, press), block("pass")], code=[once, block("obs = 'new'")])
    seen = solve(second, "widgets/tic-tac-toe/1")
    assert not second.left and seen.texts("abstract")[1] == "new" and seen.events["fallback"] == 0


def test_code_that_finds_nothing_is_replaced_by_zero_shot_abstraction(solve):
    llm = Hand(act=[block("pass")], code=[block("obs = ' '")], abstract=["by hand"])
    seen = solve(llm, TABS)
    assert seen.texts("fallback") == ["the observation is empty"]
    assert seen.texts("abstract") == ["by hand"]


def test_the_memory_is_asked_once_with_the_page_as_it_was_opened(solve):
    seen = solve(Hand(act=[block(typing("x")), block("pass")], abstract=["a", "b"]), POPUP)
    [found] = [each for each in seen.lines if each.get("word") == "retrieve"]
    assert found["what"] == "login-user-popup" and len(found["neighbours"]) == 3
    assert 0 < found["distance"] < 1


# Ablations ----------------------------------------------------------------------------------------


def test_without_abstraction_outer_html_is_shown(solve):
    llm = Hand(act=[block(typing("x")), block("pass")])
    seen = solve(llm, POPUP, Options(abstraction=False))
    first, last = llm.requests("act")
    exemplar = exemplar_files.load("widgets", "login-user-popup").exemplars[0]
    assert first[2] == shown(exemplar.rounds[0].source)
    now = str(last[-1]["content"])
    assert '<div id="wrap"><div id="query"' in now and 'value="x"' in now
    assert seen.typed()[0] == "x" and seen.texts("abstract") == []


@for_each("scenario", [POPUP, TABS])
def test_outer_html_is_abstracted_where_it_is_the_state(solve, scenario):
    """Pairs and page are HTML, as in the paper; what the code of an exemplar reads is not."""
    llm = Hand(act=[block("pass")], abstract=["what matters"])
    seen = solve(llm, scenario, Options(state="html"))
    [text] = llm.newest("abstract")
    known = exemplar_files.load("widgets", scenario.split("/")[1]).exemplars
    assert state_message(known[0].instruction, known[0].rounds[0].source) in text
    assert '<div id="wrap"><div id="query"' in unfence(text)[-1]
    assert known[0].rounds[0].state not in text and llm.requests("code") == []
    assert seen.texts("abstract") == unfence(llm.newest()[0]) == ["what matters"]
    assert shown(known[0].rounds[0].observation) in llm.requests("act")[0]


def test_a_task_without_abstraction_is_shown_the_state_even_where_html_is_abstracted(solve):
    llm = Hand(act=[block("pass")])
    seen = solve(llm, TEXT, Options(state="html"))
    assert llm.requests("act")[0][-1] == shown(state(seen.start))


@pytest.mark.wide
@for_each("task", ["email-inbox-nl-turk", "click-pie"])
@unmeasured()
def test_the_scripted_model_abstracts_outer_html(harness, tmp_path, task):
    record = harness.run("synapse:state=html", f"widgets/{task}/0", tmp_path / task).record
    assert record["success"] is True and record["exemplars"]["states"] > 0


def test_a_task_without_abstraction_is_shown_the_state_in_any_case(solve):
    llm = Hand(act=[block("pass")])
    seen = solve(llm, TEXT, Options(abstraction=False))
    assert llm.requests("act")[0][-1] == shown(state(seen.start))


def test_without_trajectories_single_steps_are_shown_and_no_history(solve):
    llm = Hand(act=[block(typing("x")), block("pass")], abstract=["a", "b"])
    seen = solve(llm, POPUP, Options(trajectory=False))
    _, *messages = llm.requests("act")[-1]
    turns = [
        message
        for each in exemplar_files.load("widgets", "login-user-popup").exemplars
        for turn in each.rounds
        for message in (shown(turn.observation), did(turn.actions))
    ]
    assert messages == [*turns, task_message(seen.instruction), shown("b")]


def test_without_memory_the_name_of_the_task_decides(solve):
    options = Options(memory=False)
    own, none = Hand(act=[block("pass")], abstract=["a"]), Hand(act=[block("pass")])
    assert solve(own, POPUP, options).texts("retrieve") == []
    assert len(own.requests("act")[0]) > 10
    solve(none, LOGIN, options)
    assert [each["role"] for each in none.requests("act")[0]] == ["system", "user", "user"]
    other = Hand(act=[block("pass")], code=[block("obs = 'x'")])
    solve(other, "widgets/click-tab-2-hard/3", options)
    known = exemplar_files.load("widgets", "click-tab-2").exemplars
    assert other.requests("act")[0][1] == task_message(known[0].instruction)


def test_without_memory_a_variant_is_shown_exemplars_of_its_own_pages_where_there_are_any():
    instead = prompting.load("synapse", "widgets").data["without_memory"]
    theirs = frozenset({"email-inbox-nl-turk.original", "click-tab-2", "click-tab-2.original"})
    for family, name in (
        ("email-inbox.original", "email-inbox-nl-turk.original"),
        ("email-inbox", "email-inbox-nl-turk"),
        ("click-tab-2.original", "click-tab-2.original"),
        ("click-tab-2.easy", "click-tab-2"),
        ("click-tab-2-hard", "click-tab-2"),
    ):
        assert namesake(family, instead, theirs) == name


def test_tasks_that_others_stand_in_for_have_no_exemplars_of_their_own():
    table = prompting.load("synapse", "widgets").data["without_memory"]
    known = set(exemplar_files.tasks("widgets"))
    assert set(table.values()) <= known and not set(table) & known


def test_beyond_the_threshold_nothing_is_shown(solve):
    llm = Hand(act=[block("pass")])
    seen = solve(llm, "widgets/click-option/3", Options(threshold=0.1))
    assert seen.texts("retrieve") == [""]
    assert len(llm.requests("act")[0]) == 3


def test_the_released_code_has_rounds_and_history_by_task(solve):
    options = Options(release=True, reasks=0)
    once = Hand(act=[block(typing("x")), "never asked"])
    assert solve(once, TEXT, options).typed() == ["x"]
    assert once.act == ["never asked"]
    assert all(
        not str(each["content"]).startswith("Task:") for each in once.requests("act")[0][:-2]
    )
    thrice = Hand(act=[block(typing(text)) for text in "abcd"], abstract=["seen"] * 4)
    seen = solve(thrice, POPUP, options)
    assert len(thrice.act) == 1
    history = [task_message(seen.instruction), shown("seen"), did(typing("a"))]
    last = thrice.requests("act")[-1]
    start = last.index(history[0])
    assert last[start : start + 3] == history
    refused = Hand(act=["prose"])
    assert isinstance(solve(refused, TEXT, options).error, FormatError)


VARIANTS = "published-code", "paper"
SEVERAL_ROUNDS = (
    *("book-flight", "choose-date", "click-collapsible-2", "click-menu", "click-pie"),
    *("click-tab-2", "email-inbox-forward-nl", "navigate-tree", "search-engine"),
    *("social-media", "use-autocomplete"),
)


@pytest.mark.wide
@for_each(
    ("variant", "task"),
    product(VARIANTS, SEVERAL_ROUNDS) if DEEP else zip(cycle(VARIANTS), SEVERAL_ROUNDS),
)
@unmeasured()
def test_the_rounds_of_the_released_code_suffice(harness, tmp_path, variant, task):
    """With a perfect model, where one look for each change of the page would not do."""
    home = tmp_path / variant / task
    record = harness.run(f"synapse:{variant}", f"widgets/{task}.easy/0", home).record
    assert record["success"] is True


# The context --------------------------------------------------------------------------------------


def sizes(llm: Hand, purpose: str) -> list[int]:
    return [tokens.measured({"messages": each}) for each in llm.requests(purpose)]


def test_exemplars_are_dropped_from_the_last_until_the_prompt_fits(solve):
    whole = Hand(act=[block("pass")], abstract=["a"])
    solve(whole, POPUP)
    [full] = sizes(whole, "act")
    limit = full - 1
    llm = Hand(act=[block("pass")], abstract=["a"])
    seen = solve(llm, POPUP, Options(context=limit))
    [size], [messages] = sizes(llm, "act"), llm.requests("act")
    assert seen.error is None and size <= limit
    known = exemplar_files.load("widgets", "login-user-popup").exemplars
    shown_tasks = [each for each in messages if str(each["content"]).startswith("Task:")]
    assert shown_tasks == [task_message(each.instruction) for each in known[:3]] + [
        task_message(seen.instruction)
    ]
    drops = [each for each in seen.lines if each.get("word") == "drop" and each["what"] == "act"]
    assert [each["left"] for each in drops] == [3]


def test_pairs_are_dropped_from_the_last_until_the_prompt_fits(solve):
    whole = Hand(act=[block("pass")], abstract=["a"])
    solve(whole, POPUP)
    [full] = sizes(whole, "abstract")
    llm = Hand(act=[block("pass")], abstract=["a"])
    seen = solve(llm, POPUP, Options(context=full - 1))
    [longest], dropped = sizes(llm, "abstract"), seen.texts("drop").count("abstract")
    assert seen.error is None and longest < full and dropped == 1
    pairs = [whole.newest("abstract")[0].count("State:"), llm.newest("abstract")[0].count("State:")]
    assert pairs == [5, 4]


def test_where_not_even_the_bare_request_fits_the_episode_is_truncated(harness, solve, tmp_path):
    llm = Hand()
    seen = solve(llm, POPUP, Options(context=200))
    assert isinstance(seen.error, ContextOverflow) and "of 200 tokens" in str(seen.error)
    assert llm.asked == [] and seen.events["drop"] > 0
    record = harness.run("synapse:context=200", POPUP, tmp_path).record
    assert (record["ended"], record["cause"], record["success"]) == ("truncated", "context", False)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("scenario", "limit"),
    [("widgets/book-flight/0", 4097), (STORE, 5000)],
)
def test_with_a_limit_abstraction_makes_the_difference(harness, tmp_path, scenario, limit):
    """As in figure 5: abstracted states leave room for an exemplar, raw ones do not."""
    clean, raw = (
        harness.run(f"synapse:context={limit},abstraction={how}", scenario, tmp_path / how).record
        for how in ("true", "false")
    )
    assert clean["success"] is True
    assert (raw["success"], raw["ended"], raw["cause"]) == (False, "truncated", "context")
    assert raw["exemplars"]["dropped"] > 0


def test_where_not_one_exemplar_fits_the_episode_is_truncated(solve):
    """Without one it is not the method: the bare request alone would fit."""
    bare, one = Hand(act=[block("pass")]), Hand(act=[block("pass")])
    solve(bare, LOGIN, Options(abstraction=False, memory=False))
    [size] = sizes(bare, "act")
    seen = solve(one, LOGIN, Options(abstraction=False, context=size + 10))
    assert isinstance(seen.error, ContextOverflow) and one.asked == []
    assert [each["left"] for each in seen.lines if each.get("word") == "drop"] == [3, 2, 1]


def test_the_option_shots_limits_the_exemplars_that_are_shown(solve):
    known = exemplar_files.load("widgets", "login-user-popup").exemplars
    llm = Hand(act=[block("pass")], abstract=["a"])
    seen = solve(llm, POPUP, Options(shots=2))
    assert llm.newest("abstract")[0].count("State:") == 3, "two pairs and the page"
    tasks = [each for each in llm.requests("act")[0] if str(each["content"]).startswith("Task:")]
    assert tasks == [
        *(task_message(each.instruction) for each in known[:2]),
        task_message(seen.instruction),
    ]
    assert seen.events["drop"] == 0


@for_each(("memory", "neighbours"), [(True, 5), (False, 2)])
def test_as_many_trajectories_are_retrieved_as_the_option_says(solve, memory, neighbours):
    llm = Hand(act=["`STOP []`"])
    solve(llm, "crm/TASK_BOOK_FLIGHT/3", Options(memory=memory, neighbours=neighbours))
    assert len(tasks_shown(llm)) == neighbours + 1


# One action on ranked elements --------------------------------------------------------------------


def page_of(text: str) -> Observation:
    return renderings.get("html").parse(unfence(text)[-1])


def test_actions_are_asked_for_one_by_one_on_ranked_elements(solve):
    """System, exemplars, this task with its past pages cut further, the page of now."""
    search = "`TYPE [1] [patio umbrellas solar powered heavy duty] [press_enter_after=1]`"
    llm = Hand(act=[search, "`CLICK [2]`", "`STOP [it is there]`"])
    seen = solve(llm, STORE, Options(top=4))
    assert (seen.error, seen.answer, seen.steps) == (None, "it is there", 2)
    system, *messages = llm.requests("act")[-1]
    assert "CLICK [id]: " in str(system["content"]) and "SELECT" not in str(system["content"])
    exemplars = [
        message
        for each in nearest_first(messages)
        for message in (
            task_message(each.instruction),
            *(m for turn in each.rounds for m in (shown(turn.observation), in_words(turn))),
        )
    ]
    assert messages[: len(exemplars)] == exemplars
    task, first, typed, second, clicked, now = messages[len(exemplars) :]
    assert task == task_message(seen.instruction)
    words = "[searchbox] Search products -> TYPE: patio umbrellas solar powered heavy duty"
    assert typed == moved(search.strip("`"), words)
    link = next(each for each in page_of(str(second["content"])).elements if each.id == 2)
    assert clicked == moved("CLICK [2]", f"[{link.role}] {link.name} -> CLICK")
    counts = [len(page_of(str(each["content"])).elements) for each in (first, second, now)]
    assert counts == [2, 3, 4], "what was clicked is among the three of a past page"
    assert "Total results" not in str(second["content"]), "texts of a past page are cut"
    assert "Total results" in str(now["content"])
    assert [each for each in llm.asked if each[0] != "synapse/act"] == []
    assert seen.events["abstract"] == 3


def nearest_first(messages: Sequence[Message]) -> list[Exemplar]:
    """The shop's exemplars that messages tell of, in that order: three."""
    tasks = exemplar_files.tasks("store")
    known = [each for task in tasks for each in exemplar_files.load("store", task).exemplars]
    found = [each for each in known if task_message(each.instruction) in messages]
    assert len(found) == 3
    return sorted(found, key=lambda each: messages.index(task_message(each.instruction)))


def moved(action: str, words: str = "") -> Message:
    return {"role": "assistant", "content": f"`{action}`" + f" ({words})" * bool(words)}


def in_words(turn: Round) -> Message:
    """The reply of an exemplar: its action, and in brackets what it does to which element."""
    verb, *written = re.findall(r"^\w+|\[.*?\]", turn.actions)
    if verb == "STOP":
        return moved(turn.actions)
    page = renderings.get("html").parse(turn.state)
    [target] = [each for each in page.elements if f"[{each.id}]" == written[0]]
    value = f": {written[1][1:-1]}" if verb != "CLICK" else ""
    return moved(turn.actions, f"[{target.role}] {target.name} -> {verb}{value}")


def test_a_model_may_write_its_action_as_the_trajectory_shows_actions(solve):
    reply = "`TYPE [1] [oak lamp] [press_enter_after=1]` ([searchbox] Search -> TYPE: oak lamp)"
    llm = Hand(act=[reply, "`STOP []`"])
    seen = solve(llm, STORE)
    assert (seen.error, seen.steps, seen.events["reask"]) == (None, 1, 0)
    assert "oak lamp" in seen.end.title


def test_the_released_code_keeps_the_element_of_an_action_among_those_of_a_past_page(solve):
    """Three in all, in exemplars as in the trajectory; here three and the action's own."""
    counts = {}
    for release in (True, False):
        llm = Hand(act=["`TYPE [1] [lamp] [press_enter_after=1]`", "`CLICK [9]`", "`STOP []`"])
        seen = solve(llm, STORE, Options(release=release, top=9))
        *past, _ = [
            page_of(str(each["content"]))
            for each in llm.requests("act")[-1]
            if "<<<observation" in str(each["content"])
        ]
        assert seen.error is None
        assert 9 in [each.id for each in past[-1].elements], "the one that was pressed"
        counts[release] = [len(each.elements) for each in past]
    assert max(counts[True]) == 3 and max(counts[False]) == 4


@for_each("site", ["store", "crm", "forum", "shop", "map", "codehost", "airline"])
def test_exemplars_of_files_are_shortened_as_the_method_shortens_past_pages(site):
    prompts = prompting.load("synapse", site)
    for _, each in exemplar_files.all_of(site, exemplar_files.FOLDER):
        [made] = state_abstraction.shortened(
            exemplar_files.ranked([each]), prompts, Options(past=3, release=False)
        ).exemplars
        assert made == each, "the default: as in the file"
        remade = state_abstraction._shortened(each, prompts, Options())
        assert remade == each


def test_the_released_code_asks_for_single_actions_without_an_exemplar_that_fits(solve):
    bare = Hand(act=["`STOP []`"])
    solve(bare, STORE, Options(threshold=0.001))
    [size] = sizes(bare, "act")
    for release, asked in ((True, 1), (False, 0)):
        llm = Hand(act=["`STOP []`"])
        seen = solve(llm, STORE, Options(release=release, context=size + 10))
        assert len(llm.asked) == asked
        assert isinstance(seen.error, ContextOverflow) is not release


@for_each("variant", ["paper", "mind2web", "published-code"])
def test_without_self_correction_no_error_is_shown_and_nothing_is_asked_twice(solve, variant):
    options = agent_spec.read(f"synapse:{variant}").build()
    seen = solve(Hand(act=["`CLICK [77]`", "prose"]), STORE, replace(options, context=0))
    assert isinstance(seen.error, FormatError) and seen.events["reask"] == 0
    llm = Hand(act=["`CLICK [77]`", "`STOP []`"])
    solve(llm, STORE, replace(options, context=0))
    assert "did nothing" not in str(llm.requests("act"))


@pytest.mark.wide
@for_each(("variant", "ended"), [("mind2web", "answered"), ("paper", "truncated")])
def test_trajectories_of_the_desk_fit_the_context_of_mind2web(harness, tmp_path, variant, ended):
    """16,385 tokens as in section 4.1 hold them; the 4,097 of the other benchmark do not."""
    record = harness.run(f"synapse:{variant}:no-memory", "crm/TASK_UPDATE_FLIGHTS/0", tmp_path)
    assert record.record["ended"] == ended


def test_an_action_that_cannot_be_done_is_task_message(solve):
    llm = Hand(act=["`CLICK [77]`", "I give up", "`STOP []`"])
    seen = solve(llm, STORE)
    assert seen.events["reask"] == 1 and seen.error is None
    first, second, _ = llm.newest()
    assert second.startswith("The last action did nothing: ") and "77" in second.split("\n")[0]
    assert "did nothing" not in first


def test_without_exemplars_the_ranker_goes_by_the_task_alone(solve):
    """As where nothing near was retrieved: the page is cut all the same, and nothing is shown."""
    llm = Hand(act=["`STOP []`"])
    solve(llm, "store/cheapest_in_list/3", Options(threshold=0.01, top=1))
    [messages] = llm.requests("act")
    assert [each["role"] for each in messages] == ["system", "user", "user"]
    assert len(page_of(str(messages[-1]["content"])).elements) == 1


def test_without_abstraction_the_whole_page_is_shown(solve):
    llm = Hand(act=["`STOP []`"])
    seen = solve(llm, STORE, Options(abstraction=False))
    plain = tuple(replace(node, colors=()) for node in seen.start.content)
    assert page_of(llm.newest()[0]).content == plain
    [messages] = llm.requests("act")
    assert messages[2] == shown(nearest_first(messages)[0].rounds[0].state)


def test_the_moves_are_used_up(solve):
    llm = Hand(act=["`CLICK [77]`"] * 3)
    assert solve(llm, STORE, Options(moves=2)).error is None and len(llm.act) == 1


def tasks_shown(llm: Hand) -> list[str]:
    return [
        str(each["content"]).split("\n")[0].removeprefix("Task: ")
        for each in llm.requests("act")[0]
        if str(each["content"]).startswith("Task: ")
    ]


def test_retrieved_trajectories_are_shown_as_they_are_whatever_their_task(solve):
    """The three nearest by their instructions, the nearest first; not all of one task."""
    llm = Hand(act=["`STOP []`"])
    seen = solve(llm, "crm/TASK_BOOK_FLIGHT/3")
    known = {
        each.instruction: name for name, each in exemplar_files.all_of("crm", exemplar_files.FOLDER)
    }
    *near, own = tasks_shown(llm)
    assert own == seen.instruction and len(near) == 3 and set(near) <= set(known)
    [found] = [each for each in seen.lines if each.get("word") == "retrieve"]
    assert found["neighbours"] == [known[each] for each in near]
    assert found["what"] == found["neighbours"][0] == "TASK_BOOK_FLIGHT"


def test_without_memory_trajectories_are_drawn_at_random_for_all_tasks(solve):
    """The task's own exemplars would tell what kind of task it is; the released code draws."""
    drawn = []
    for scenario in ("crm/TASK_BOOK_FLIGHT/3", "crm/TASK_CANCEL_FLIGHT/3"):
        llm = Hand(act=["`STOP []`"])
        seen = solve(llm, scenario, Options(memory=False))
        assert seen.texts("retrieve") == []
        drawn.append(tasks_shown(llm)[:-1])
    own = [each.instruction for each in exemplar_files.load("crm", "TASK_BOOK_FLIGHT").exemplars]
    assert len(drawn[0]) == 3 and drawn[0] == drawn[1] != own


def test_without_trajectories_a_single_step_is_told_the_actions_before_it(solve):
    llm = Hand(act=["`TYPE [1] [oak lamp] [press_enter_after=1]`", "`CLICK [2]`", "`STOP []`"])
    seen = solve(llm, STORE, Options(trajectory=False))
    first, second, _ = llm.newest()
    field = next(each.name for each in seen.start.elements if each.id == 1)
    assert first.endswith("Previous actions:\nNone\nAction:")
    assert second.endswith(f"Previous actions:\n[searchbox] {field} -> TYPE: oak lamp\nAction:")
    whole = Hand(act=["`STOP []`"])
    solve(whole, STORE)
    assert not any("Previous actions" in str(each) for each in whole.requests("act")[0])


def test_without_trajectories_the_same_three_steps_are_shown_for_all_tasks(solve):
    """As in the released code: with no, one and two actions before them; one page is shown."""
    asked = []
    for scenario in ("crm/TASK_BOOK_FLIGHT/3", "crm/TASK_CANCEL_FLIGHT/3"):
        llm = Hand(act=["`CLICK [1]`", "`STOP []`"])
        seen = solve(llm, scenario, Options(trajectory=False))
        assert seen.texts("retrieve") == []
        _, *steps, task, _ = llm.requests("act")[-1]
        assert task == task_message(seen.instruction)
        asked.append(steps)
    assert asked[0] == asked[1]
    users, replies = asked[0][::2], asked[0][1::2]
    before = [str(each["content"]).partition("Previous actions:\n")[2] for each in users]
    assert [each.count(" -> ") for each in before] == [0, 1, 2]
    assert before[0] == "None\nAction:" and {each["role"] for each in replies} == {"assistant"}


# Abstraction that fails ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("obs = state[", "syntax"),
        ("obs = missing", "runtime"),
        ("x = 1", "runtime"),
        ("obs = 3", "runtime"),
        ("import socket", "unsupported"),
        ("obs = open('/etc/passwd').read()", "refused"),
        ("obs = ' ' * 10**9", "limit"),
    ],
)
def test_a_broken_abstraction_program_falls_back_to_zero_shot(solve, program, kind):
    llm = Hand(act=[block("pass")], code=[block(program)], abstract=["in my words"])
    seen = solve(llm, TABS)
    [line] = [each for each in seen.lines if each.get("word") == "fallback"]
    assert (line["program"], line["failure"]) == (program, kind)
    [text] = llm.newest("abstract")
    assert text.count("State:") == 1, "no pairs"
    assert unfence(llm.newest()[0]) == ["in my words"]
    assert seen.error is None


# Programs that fail -------------------------------------------------------------------------------


def test_a_program_that_fails_in_the_middle_is_told_and_mended(solve):
    program = f"{typing('half')}\nagent.click_xpath('//h9')\nagent.type('never')"
    llm = Hand(act=[block(program), block(typing("whole")), block("pass")])
    seen = solve(llm, TEXT)
    assert seen.typed() == ["whole"]
    first, second, third = llm.newest()
    message = "The last program did not come to its end: line 4: "
    assert second.startswith(message) and "//h9" in second.split("\n")[0]
    assert 'value="half"' in second, "what was done before stays done"
    assert "did not come to its end" not in first + third
    [line] = [each for each in seen.lines if each.get("word") == "program"]
    assert (line["failure"], line["program"]) == ("failed", program)


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        ("agent.type('x'", "syntax"),
        ("while True:\n    pass", "limit"),
        ("x = [0] * 10**9", "limit"),
        ("for _ in range(99):\n    agent.press('arrowleft')", "limit"),
        ("import os\nos.remove('x')", "refused"),
        ("agent.close()", "refused"),
        ("1 / 0", "runtime"),
    ],
)
def test_after_a_program_that_is_ended_the_episode_goes_on(solve, program, kind):
    llm = Hand(act=[block(program), block(typing("still here")), block("pass")])
    seen = solve(llm, TEXT, Options(memory=False, calls=5))
    [line] = [each for each in seen.lines if each.get("word") == "program"]
    assert line["failure"] == kind
    assert line["what"] in llm.newest()[1]
    assert seen.typed() == ["still here"] and seen.error is None


# Replies, rounds and the end ----------------------------------------------------------------------


def test_a_reply_without_a_program_is_asked_again_and_then_refused(solve):
    prose = "I would type it."
    llm = Hand(act=[prose, block(typing("x")), block("pass")])
    seen = solve(llm, TEXT, Options(memory=False))
    assert seen.typed() == ["x"] and seen.events["reask"] == 1
    reasked = llm.requests("act")[1][-2:]
    assert reasked[0] == {"role": "assistant", "content": prose}
    assert "there is no program" in str(reasked[1]["content"])
    seen = solve(Hand(act=[prose] * 3), TEXT, Options(memory=False))
    assert isinstance(seen.error, FormatError) and seen.events["reask"] == 2 and seen.steps == 0


@pytest.mark.parametrize("empty", ["```\n```", "```\n# done\n```"])
def test_an_empty_program_is_asked_again_and_ends_nothing(solve, empty):
    llm = Hand(act=[empty, f"So: ```{typing('x')}```", block("pass")])
    seen = solve(llm, TEXT, Options(memory=False))
    assert seen.typed() == ["x"] and seen.events["reask"] == 1 and not llm.left
    assert "the program is empty" in str(llm.requests("act")[1][-1]["content"])


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        ("```\na\n```", "a"),
        ("Here:\n```python\na\nb\n```\nDone.\n```\nc\n```", "a\nb"),
        ("```py\na", "a"),
        ("```\n\n  a\n\n```", "a"),
    ],
)
def test_the_first_block_is_the_program(reply, program):
    assert read_program(Reply((reply,))) == program


@pytest.mark.parametrize("reply", ["", "press enter", "`a`", "``\na\n``"])
def test_what_is_no_block(reply):
    with pytest.raises(ValueError, match="there is no program"):
        read_program(Reply((reply,)))


def test_the_rounds_are_used_up(solve):
    llm = Hand(act=[block(typing(text)) for text in "abcd"])
    seen = solve(llm, TEXT, Options(memory=False, rounds=3))
    assert len(llm.act) == 1 and seen.typed() == ["c"] and seen.error is None


def test_nothing_is_asked_once_the_page_is_over(solve):
    llm = Hand(act=[block("agent.click_xpath('//button')"), "never asked"])
    seen = solve(llm, TEXT, Options(memory=False))
    assert llm.act == ["never asked"] and seen.error is None
    assert "START" in [each.name for each in seen.end.elements]


@pytest.mark.parametrize(
    "wrong",
    [
        {"rounds": 0},
        {"calls": 0},
        {"moves": 0},
        {"past": 0},
        {"top": -1},
        {"threshold": -1.0},
        {"context": -1},
        {"reasks": -1},
        {"neighbours": 0},
        {"shots": -1},
        {"state": "picture"},
    ],
)
def test_options_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Options(**wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"embedder": "hsahed"}, "there is no embedder 'hsahed'; did you mean hashed"),
        ({"embedder": "hashed/3"}, "hashed has no model '3'"),
        ({"embedder": "openai"}, "keys.jsonl is for hashed .* not openai .*exemplars build"),
        (
            {"memory_file": "/nowhere/keys.jsonl"},
            "cannot read /nowhere/keys.jsonl.*exemplars build",
        ),
        ({"exemplars": Path("/nowhere")}, "/nowhere holds no exemplars; build"),
    ],
)
def test_a_memory_that_cannot_be_had_is_refused_with_the_remedy(wrong, message):
    with pytest.raises(ValueError, match=message):
        synapse.check(Options(**wrong))


def test_the_scripted_model_keeps_all_rows_that_fit_and_no_other(harness, tmp_path):
    """Two posts of a user are asked for: which of the user's is for the action to say."""
    home = harness.run("synapse", "widgets/social-media-some/3", tmp_path).home
    [call] = [
        each
        for each in Cassette.read(home / "llm.jsonl").calls
        if each.purpose == "synapse/abstract"
    ]
    page = unfence(str(call.request["messages"][-1]["content"]))[-1]
    fitting = re.findall(r'<span data-id="(\d+)" role="button"[^>]*>Share @ronnie<', page)
    [choice] = call.reply["choices"]
    kept = re.findall(r"data-id=\"(\d+)\".*>(.*)</", choice["message"]["content"])
    assert len(fitting) > 1
    assert [number for number, name in kept if name != "Submit"] == fitting
