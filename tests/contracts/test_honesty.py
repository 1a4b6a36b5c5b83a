"""The scripted model knows what the request says and nothing else.

Real requests of real episodes are taken, something is cut out of them or altered, and the model is
asked again. Every method with a scripted model is tested on every site that it has prompts for,
with every one of its variants.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property, partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

import agent.llm.scripted
from agent import actions, agent_spec, plugins, prompting, renderings
from agent.llm.messages import text_of
from agent.llm.model_source import answer
from agent.llm.scripted import is_covered
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods.step import policy_library
from agent.offered import OFFERS, WAIT
from agent.renderings import joined, markers
from evaluators.commands.exemplars import memory_keys
from scenarios import registry
from scenarios.kit import Family
from scenarios.scenario import Scenario, planned_steps, start_host
from scenarios.store.ledger.ledger_sum import WIDE
from scenarios.store.market import task as market
from scenarios.store.webshop import buy_item
from sites.crm.airline_desk.model.airline import airlines
from sites.crm.airline_desk.model.formats import Formats
from sites.crm.base.airports import load_airports
from sites.months import MONTHS
from sites.store.market.account.account import MarketAccount
from sites.store.market.service.help import dollars
from sites.widgets import compositions
from tests.contracts.declared import remedy
from tests.contracts.shared_episodes import SharedEpisode, SharedEpisodes
from tests.contracts.short_seeds import USUAL, short_seed
from tests.contracts.tried import tried
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")

FIRST = ("buy_item", "book-flight", "create_forum", *([] if DEEP else ["TASK_CANCEL_FLIGHT"]))
"""The families that come before the others of their site."""
AMBIGUOUS = [
    ("react", "TASK_CANCEL_FLIGHT_AMBIGUOUS"),
    ("step", "TASK_FIND_FLIGHT_AMBIGUOUS"),
]
"""Variants that ask for more than the same task does: what a field is must be found out."""
MORE_AMBIGUOUS = [
    (method, f"TASK_{kind}_AMBIGUOUS")
    for method in ("react", "step")
    for kind in ("BOOK_FLIGHT", "CANCEL_FLIGHT", "FIND_FLIGHT", "UPDATE_FLIGHTS")
]
COMPOSED = ("react", "step")
"""Who is measured on compositions (docs/widgets.md); for the others' limits the larger are too
long, and Synapse's exemplars are of single tasks."""
SEEDS = (USUAL, USUAL + 1)
"""With `tox -e deep`; a variant, which differs in its prompts only, runs the first."""
LONG = {
    *("handover", "shift_queue", "book_party", "audit_yesterday", "ticket_bags"),
    *("ticket_children", "ticket_disruption", "ticket_name", "ticket_third_party"),
    "ticket_vouchers",
    *("best_basket", "fitting_set", "gifts_for_people", "ledger_audit", "restock"),
    *("return_by_policy", "subscriptions_in_order"),
}
"""Families of long episodes, which in the normal run only those play who name them."""
WIDGETS = 2
"""So many times as many task pages as other families: their episodes are short."""
MOST_ASKED = 1000 if DEEP else 6
"""So many requests of an episode are altered and asked again, for each thing that is asked here."""
Item = TypeVar("Item")
METHODS = [each for each in plugins.names(agent.llm.scripted) if each != "mind2web"]
"""The methods on living pages; `tests/agent/llm/scripted/test_mind2web.py` has the others."""
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
AT_ELEMENTS = {*OFFERS, "click", "type", "select", "hover"} - {WAIT}
"""The verbs that do something to an element."""
FENCED = re.compile(
    rf"^{re.escape(markers.OPEN)}$.*?^{re.escape(markers.CLOSE)}$", re.MULTILINE | re.DOTALL
)
PLACE = re.compile(r"\((\d+), (\d+)\)")
BY_PLACE = re.compile(r"(?i:action): (?:click_at|draw) ")
CHOSEN = re.compile(r"Answer: ([B-Z])\.(?:\nAction: (\w+))?(?:\nValue: (.*))?$")
OBJECTIVE = re.compile(r"^OBJECTIVE:\n(.*?)\nOBSERVATION:$", re.DOTALL | re.MULTILINE)


def _known(method: str, site: str, families: list[str]) -> list[str]:
    """The families of a host that the method has prompts for, that its script covers, and that
    its limits leave within its reach."""
    try:
        prompts = prompting.load(method, site)
    except prompting.BadPrompt:
        return []
    if prompts.path.stem == prompting.WEBSITE:  # those for any website, of no site
        return []
    name, beyond = method.replace("_", "-"), tried(method).beyond.get("", ())
    known = [each for each in families if prompts.knows(each) and is_covered(name, site, each)]
    known = [each for each in known if each not in beyond]
    if method not in COMPOSED:
        known = [each for each in known if not compositions.number_of(each)]
    if prompts.data.get("abstraction") == "ranked":  # what no exemplar taught may be left out
        taught = set(memory_keys.known(site)) if site in memory_keys.sites() else set()
        return [family for family in known if taught & set(memory_keys.accepted(family))]
    return known


def _families() -> dict[str, list[str]]:
    """The families of each host; variants of one have the same tasks and are left out."""
    found: dict[str, list[str]] = {}
    for name, module in sorted(registry.family_modules().items()):
        if not registry.is_variant(name):
            found.setdefault(start_host(module), []).append(name)
    return {
        site: sorted(names, key=lambda name: name not in FIRST) for site, names in found.items()
    }


def _some(method: str, names: list[str]) -> list[str]:
    """All with `tox -e deep`; else the first, so many others as the method says, evenly spread
    and for each method others, and those that it names; in the same order."""
    if DEEP or not names:
        return names
    wanted, rest = tried(method), [name for name in names[1:] if name not in LONG]
    many = wanted.families * (WIDGETS if registry.family(names[0]).SITE == "widgets" else 1) - 1
    start = METHODS.index(method) / len(METHODS)
    places = (start + at / many for at in range(many) if rest)
    spread = [rest[int(len(rest) * place) % len(rest)] for place in places]
    return [name for name in names if name in {names[0], *spread, *wanted.also}]


def has_variants(host: str) -> bool:
    """Whether variants are tried there: on a site's own host, not on one that it has besides."""
    return host in registry.site_names()


def _cases(method: str) -> Iterator[tuple[str, str]]:
    """The method on the families of each host, and its variants on the first that they can do."""
    name, first = method.replace("_", "-"), {}
    for host, families in _families().items():
        some = _some(method, _known(method, host, families))
        first |= {host: some} if has_variants(host) else {}
        yield from ((name, family) for family in some)
    for place, variant in enumerate(sorted(agent_spec.variants(method))):
        beyond = tried(method).beyond.get(variant, ())
        able = [[each for each in some if each not in beyond][:1] for some in first.values()]
        cases = [(f"{name}:{variant}", family) for family in itertools.chain(*able)]
        yield from cases if DEEP else [cases[place % len(cases)]]


CASES = [
    *(case for method in METHODS for case in _cases(method)),
    *(MORE_AMBIGUOUS if DEEP else AMBIGUOUS),
]
"""A variant is tried on each site with `tox -e deep`, else on one, in turn."""
AIRPORTS = load_airports()


@dataclass(frozen=True)
class Asked:
    """One request of an episode, and the reply of the model."""

    scenario: Scenario
    purpose: str
    body: dict[str, Any]
    recorded: Answer

    def ask(self, change: Callable[[str], str] = str) -> Answer:
        """What the model says where every message's text is changed so."""
        body = json.loads(json.dumps(self.body))
        for message in body["messages"]:
            if text := text_of(message):
                message["content"] = change(text)
        return answered(answer(_simulated(self.scenario), self.purpose, body), body)

    @cached_property
    def text(self) -> str:
        return "\n".join(filter(None, map(text_of, self.body["messages"])))

    @cached_property
    def task(self) -> str:
        """What tells this request what to do: the instruction, or the objective of a policy."""
        objective = OBJECTIVE.search(text_of(self.body["messages"][-1]))
        return objective[1] if objective else self.scenario.instruction

    @cached_property
    def page(self) -> str:
        """The newest observation, as written."""
        shown = markers.unfence(self.text)
        return shown[-1] if shown else ""


@dataclass(frozen=True)
class Answer:
    """A reply as JSON."""

    reply: str

    @cached_property
    def arguments(self) -> list[str]:
        """What it names: arguments of actions, values of function calls; thoughts apart."""
        found = []
        for message in json.loads(self.reply):
            text = re.sub(r"(?i)\bthink\[.*\]|thought:.*", "", message.get("content") or "")
            if "```" in text:
                found += _called_with(text)
            else:
                found += _values_of(text) or re.findall(r"\[([^\[\]]+)\]", text)
            for call in message.get("tool_calls", ()):
                found += map(str, json.loads(call["function"]["arguments"]).values())
        return found


def _is_worked_out(each: Asked) -> bool:
    """Whether forms take values in other words than the request has for them."""
    return registry.family(each.scenario.family).LEVEL > 1


def _touches_the_page(answer: Answer) -> bool:
    verb = re.search(r"(?i:action): (\w+)", answer.reply)
    return verb is None or (verb[1] in actions.VERBS and verb[1] != "stop")


def _is_answer(argument: str, each: Asked) -> bool:
    """Whether it is the right one, worked out of values that the request holds, all of them."""
    right, operands = each.scenario.gold.get("answer", {}).get("text"), [*_operands(each.scenario)]
    return argument == right and operands != [] and all(term in each.text for term in operands)


def _operands(scenario: Scenario) -> Iterator[str]:
    """What the answer to a question is worked out of: what is carried from page to page, the
    totals that stand on the last page of a list, and at a declared site the facts that are noted
    on each page."""
    gold = scenario.gold
    yield from gold.get("values", ())
    if isinstance(registry.family(scenario.family), Family):
        notes = (note for _, _, note in gold["read"] if note)
        yield from (fact for note in notes for fact in note.split(", "))
    if scenario.details.get("form") == WIDE:
        shown = [page for way in gold["evidence"] for page in way if page["page"] == "order"]
        counted = {str(page["number"]) for page in shown}
        orders = MarketAccount.from_json(scenario.details["account"]).orders
        yield from (dollars(each.total) for each in orders if each.number in counted)


def _is_meant(argument: str, each: Asked) -> bool:
    """Whether it is the kind of good that the request tells by its name, or by what it is for."""
    gold = each.scenario.gold
    lines = (line["kind"] for line in gold.get("lines", ()) if "kind" in line)
    if argument not in {gold.get("kind"), *lines}:
        return False
    kind = market.of_kind(argument)[0].kind
    needs = (need for wordings in kind.needs.values() for need in wordings)
    return any(wording in each.text for wording in (kind.one, *needs))


def _is_reckoned(argument: str, each: Asked) -> bool:
    """Whether it is a value of the order at an airline, as its pages spell it: a day, an airport,
    a number of people, a seat, a sum. What the request says of it, in other words, is in `needs`.
    """
    airline = airlines().get(each.scenario.details.get("airline", ""))
    gold = each.scenario.gold
    order = [gold.get(key, {}) for key in ("order", "errands", "find", "text")]
    return airline is not None and argument in {
        spelt for leaf in _leaves(order) for spelt in _spelt(leaf, airline.formats)
    }


def _is_owed(argument: str, each: Asked) -> bool:
    """Whether it is what a claim asks for, reckoned from what was noted of an order's items."""
    rows = each.scenario.gold.get("rows", [])
    owed = [row for row in rows if argument in {f"{x / 100:.2f}" for x in row.get("cents", ())}]
    return any(row["order_number"] in each.text for row in owed)


def _is_end_of_month(argument: str, each: Asked) -> bool:
    """Whether it is the first or the last day of a month that the request names."""
    try:
        day = date.fromisoformat(argument)
    except ValueError:
        return False
    ends = day.day == 1 or (day + timedelta(1)).day == 1
    return ends and f"{day:%B %Y}" in each.text


def _is_changed_number(argument: str, each: Asked) -> bool:
    """Whether it is a number of the page, changed by a number or a percentage of the task."""
    if not NUMBER.fullmatch(argument):
        return False
    shown = {float(number) for number in NUMBER.findall(each.page)}
    asked = {float(number) for number in NUMBER.findall(each.scenario.instruction)}
    reckoned = (
        amount
        for a in shown
        for b in asked
        for amount in (a + b, a - b, a * (1 + b / 100), a * (1 - b / 100))
    )
    return any(abs(amount - float(argument)) < 0.006 for amount in reckoned)


def _is_pressed_often(argument: str, each: Asked) -> bool:
    """Whether it is buttons of the page, with how often each is to be pressed."""
    names = [re.fullmatch(r"(.+) x\d+", one) for one in argument.split(", ")]
    return all(name is not None and name[1] in each.page for name in names)


def _spelt(value: Any, formats: Formats) -> Iterator[str]:
    if isinstance(value, int):
        yield formats.money(value)
    elif re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        yield from (formats.day(value), value[8:], MONTHS[int(value[5:7]) - 1])
    elif value.isdecimal():
        yield from (value, formats.money(int(value)))
    else:
        yield AIRPORTS[value].name if value in AIRPORTS else value


def _called_with(program: str) -> list[str]:
    """What the calls of a program name: texts, options, and elements by their id or mark."""
    calls = re.findall(r"agent\.(?:type|click_\w+|movemouse)\((['\"])(.*?)\1\)", program)
    return [name for _, call in calls for name in re.findall(r'="(.*?)"', call) or [call]]


def _values_of(text: str) -> list[str]:
    """The arguments of a reply that is a function call in JSON."""
    try:
        return [str(value) for value in json.loads(text)["arguments"].values()]
    except (ValueError, KeyError, TypeError):
        return []


def answered(reply: Any, body: Mapping[str, Any]) -> Answer:
    """A reply to a request."""
    messages = [choice["message"] for choice in reply["choices"]]
    shown = [
        {**each, "content": _meant(each.get("content") or "", body) or each.get("content")}
        for each in messages
    ]
    return Answer(json.dumps(shown, sort_keys=True))


def _meant(text: str, body: Mapping[str, Any]) -> str:
    """The action of a reply of MindAct, whose letter stands for a line of the request; else ""."""
    chosen = CHOSEN.match(text)
    if chosen is None:
        return ""
    choices = text_of(body["messages"][-1]).rpartition("A. None of the above")[2]
    line = re.search(rf"^{chosen[1]}\. (?:\[(\d+)\])?", choices, re.MULTILINE)
    if line is None or line[1] is None:
        return f"ACTION: stop [{chosen[3] or ''}]"
    value = f" [{chosen[3]}]" if chosen[3] else ""
    return f"ACTION: {str(chosen[2]).lower()} [{line[1]}]{value}"


def _simulated(scenario: Scenario) -> SimulatedModel:
    family = registry.family(scenario.family)
    instruction, advise = scenario.instruction, partial(family.advise, scenario)
    host = start_host(family)
    steps = planned_steps(family, scenario)
    knowledge = Knowledge(instruction, scenario.name, host, 0, advise, steps)
    return SimulatedModel({scenario.instruction: knowledge})


@pytest.fixture
def asked(shared_episodes: SharedEpisodes) -> Callable[[str, str], list[Asked]]:
    """The requests of a skilful agent's episodes, by (agent, family)."""

    def requests(agent: str, family: str) -> list[Asked]:
        return [
            Asked(
                episode.scenario,
                call.purpose,
                dict(call.request),
                answered(call.reply, call.request),
            )
            for seed in seeds_of(agent, family)
            for episode in [_successful(shared_episodes.get(agent, family, seed))]
            for call in episode.calls
        ]

    return requests


def some(cases: Iterable[Item]) -> list[Item]:
    """At most `MOST_ASKED` of them, in their order."""
    whole = list(cases)
    places = Random(0).sample(range(len(whole)), min(len(whole), MOST_ASKED))
    return [whole[place] for place in sorted(places)]


def _successful(episode: SharedEpisode) -> SharedEpisode:
    record = episode.record
    assert record["success"] is True, (
        f"{record['agent']} on {record['scenario']} ended by {record['ended']} with the answer"
        f" {record['answer']!r}: {_help(episode.scenario.family)}; checks: {record['checks']}"
    )
    return episode


def _help(family: str) -> str:
    """What to change if an agent with the scripted model fails."""
    return remedy(
        family,
        "let the pages show what was done and opened: give each page of `read` a note of the facts"
        " that the answer takes, and name in `slots` only what the wordings say",
        "mend `advise`, which must help on every page that the agent opens, and lists in `needs`"
        " only what its requests contain",
    )


def seeds_of(agent: str, family: str) -> tuple[int, ...]:
    """The seeds of which the agent plays the family."""
    method, is_variant = agent.partition(":")[::2]
    deep = SEEDS[:1] if is_variant else SEEDS
    return tried(method).seeds.get(family, deep if DEEP else (short_seed(family),))


def is_wide(agent: str, family: str) -> bool:
    """Return whether the slice leaves the case out: an agent with options, or a long episode."""
    return ":" in agent or family == "checkout_exact"


each_case = pytest.mark.parametrize(
    ("agent", "family"),
    [pytest.param(*case, marks=pytest.mark.wide if is_wide(*case) else ()) for case in CASES],
)


def _outside_pages(text: str, change: Callable[[str], str]) -> str:
    """The text changed, its observations left alone."""
    pages = FENCED.findall(text)
    parts = [change(part) for part in FENCED.split(text)]
    return "".join(part + page for part, page in zip(parts, [*pages, ""], strict=True))


def _without(value: str, text: str, by: str = "") -> str:
    return re.sub(re.escape(value), by, text, flags=re.IGNORECASE)


def test_there_are_cases():
    assert {agent.split(":")[0].replace("-", "_") for agent, _ in CASES} == set(METHODS)


def the_unchanged_request_gets_the_recorded_reply(requests: list[Asked]) -> None:
    for each in some(requests):
        assert each.ask() == each.recorded, "answer from the request alone, the same each time"


def everything_that_it_names_stands_in_the_request(requests: list[Asked]) -> None:
    if not requests[0].scenario.gold:
        pytest.skip("what is typed may be reckoned from what is shown")
    named = 0
    for each in requests:
        known = each.text.casefold()
        for argument in each.recorded.arguments:
            text = argument.casefold().replace("\\n", " ")  # a line break as actions write it
            words = [word.strip(",;") for word in text.split()]
            unknown = [word for word in words if word.removesuffix("s") not in known]
            derived = (
                *(_is_answer, _is_meant, _is_reckoned, _is_owed, _is_pressed_often),
                *(_is_end_of_month, _is_changed_number),
            )
            assert unknown == [] or any(each_way(argument, each) for each_way in derived), (
                f"{each.purpose}: the reply names {argument!r}, which is not in the request;"
                f" {_say_it(each)}"
            )
            named += 1
    assert named


def _say_it(each: Asked) -> str:
    """What to change if a reply names what the request does not say."""
    return remedy(
        each.scenario.family,
        "say it in a wording, or show it on a page; if it is an answer that is worked out, write"
        ' the facts that it follows from, with ", " between them, as the note of the page in `read`'
        " that shows them",
        "list it in `needs` of the advice, and write a Note in words of the page; if an answer is"
        " worked out, list what it is worked out of in `values` of the gold",
    )


def _name_it(each: Asked, value: str) -> str:
    """What to change if the model acts though the request lacks a value."""
    return remedy(
        each.scenario.family,
        f"put {value} into `slots`, say it in every wording, and use it in `do` or `read`",
        f"list {value} in `needs` of the advice",
    )


def a_target_that_is_not_shown_is_not_used(requests: list[Asked]) -> None:
    """Cut the line of what it presses, or of the field that it types into, out of the page."""
    shown = [(each, _lines_of(each, each.recorded)) for each in requests]
    cut = some((each, lines) for each, lines in shown if lines)
    for each, lines in cut:
        right = each.recorded
        page = "\n".join(line for line in each.page.split("\n") if line not in lines)
        blind = each.ask(lambda text, each=each, page=page: text.replace(each.page, page))
        assert blind.arguments != right.arguments, (each.purpose, lines, blind)
    if not cut:
        assert not any(map(_names_what_is_shown, requests)), (
            "name what is on the page as it is there"
        )
        pytest.skip("its programs open what holds their target, by what the instruction says")


def _names_what_is_shown(each: Asked) -> bool:
    lines = [line for line in each.page.split("\n") if each.task not in line]
    return any(argument in line for line in lines for argument in each.recorded.arguments)


def _lines_of(each: Asked, answer: Answer) -> list[str]:
    verb = re.search(r"(?i:action): (\w+)", answer.reply)
    if _ends(answer) or (verb and verb[1] not in AT_ELEMENTS):
        return []  # a note, a call, or the part is done: nothing on the page is touched
    body = each.page.partition("\n\n")[2] or each.page
    lines = [line for line in body.split("\n") if "Instruction" not in line]
    quotes = "['\"]" if "`" in answer.reply else "'"  # Synapse names attributes of HTML
    for argument in answer.arguments:
        named = re.compile(
            rf"(?:\[|\] |{quotes}){re.escape(argument)}(?:{quotes}|\]| \[)", re.IGNORECASE
        )
        found = [line for line in lines if named.search(line)]
        if found:
            return found
    if answer.arguments and not each.purpose.endswith("summary"):
        return [line for line in lines if re.search(r"search ?b(?:ar|ox)|textbox|\[field", line)]
    return []


def without_the_instruction_it_does_not_know_what_to_do(requests: list[Asked]) -> None:
    assert all(each.task in each.text for each in requests)
    decisions = [each for each in requests if not each.purpose.endswith("/describe")]
    for each in some(decisions):  # what an action did can be described without the task
        task = each.task
        lost = each.ask(lambda text, task=task: text.replace(task, ""))
        relied = f"{each.purpose}: it acts without the instruction; "
        relied += _name_it(each, "what it relies on")
        assert lost != each.recorded, (relied, lost)
        assert not set(lost.arguments) & set(each.recorded.arguments), (relied, lost)


def a_value_that_is_altered_is_not_known(requests: list[Asked]) -> None:
    """The page still shows the true instruction; only what the method says is altered."""
    relied_on = [(each, value) for each in requests for value in _relied_on(each, each.recorded)]
    needed = ((each, value) for each in requests for value in _needed_to_act(each, each.recorded))
    altered = some(relied_on or needed)  # a task in which things are only pressed names no value
    for each, value in altered:
        right = each.recorded
        changed = each.ask(
            lambda text, value=value: _outside_pages(
                text, lambda part: _without(value, part, "zzz")
            )
        )
        acts = (_stops(changed), changed.arguments)
        assert acts != (_stops(right), right.arguments), (
            f"{each.purpose}: it acts the same if the request does not say {value!r};"
            f" {_name_it(each, repr(value))}"
        )
        named = " ".join(changed.arguments)
        whole = rf"(?<!\w){re.escape(value)}(?!\w)"
        assert not re.search(whole, named, re.IGNORECASE), (each.purpose, value, named)
    if not altered:
        assert not requests[0].scenario.gold, _name_it(requests[0], "what the instruction says")
        pytest.skip("this task tells no value")


def _relied_on(each: Asked, right: Answer) -> list[str]:
    """The values of the gold that a reply names; what its advice needs, where there is no gold or
    where values are compared with what pages show, and seldom typed, or worked out.

    Who ends a part relies on none: what is needed next is for somebody else.
    """
    instruction = each.scenario.instruction
    gold, named = each.scenario.gold, " ".join(right.arguments).casefold()
    if not gold or "told" in gold or _is_worked_out(each):
        needed = _needed_to_act(each, right)
        hands_on = _is_worked_out(each) and not _touches_the_page(right)
        return [value for value in needed if not hands_on or value.casefold() in named]
    leaves = {leaf for leaf in _leaves(gold) if isinstance(leaf, str) and leaf}
    return sorted(x for x in leaves if _says(instruction, x) and x.casefold() in named)


def _says(instruction: str, value: str) -> bool:
    """Whether an instruction names a value: as words of its own, not as a part of another word."""
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", instruction, re.IGNORECASE))


def _needed_to_act(each: Asked, right: Answer) -> list[str]:
    """The values of its task that the advice needs, if the reply acts."""
    acts, task = right.arguments and not _stops(right), each.task.casefold()
    return [value for value in _needed(each) if value.casefold() in task] if acts else []


def an_answer_is_not_known_where_an_operand_is_altered(requests: list[Asked]) -> None:
    """What a sum, a mean or the like is worked out of, on the newest page or noted before."""
    derived = [
        (each, argument)
        for each in requests
        for argument in each.recorded.arguments
        if argument not in each.text and _is_answer(argument, each)
    ]
    if not derived:
        pytest.skip("no answer is worked out")
    for each, argument in derived:
        for operand in some(_operands(each.scenario)):
            changed = each.ask(lambda text, operand=operand: _without(operand, text, "zzz"))
            assert argument not in changed.arguments, (
                f"{each.purpose}: the answer is given if no page or note says {operand!r};"
                f" {_say_it(each)}"
            )


def a_place_that_the_page_tells_otherwise_is_not_known(requests: list[Asked]) -> None:
    """Everything that the newest page names a place of is moved; what is marked, drawn or dragged
    by places moves with it, or is not known any more."""
    if not any(_tells_a_place(each) for each in requests):
        pytest.skip("no place of the page is told in a reply")
    for each in some(filter(_tells_a_place, requests)):
        page = PLACE.sub(lambda at: f"({int(at[1]) + 9}, {int(at[2]) + 7})", each.page)
        moved = each.ask(lambda text, each=each, page=page: text.replace(each.page, page))
        assert moved.arguments != each.recorded.arguments, (each.purpose, moved)


def _tells_a_place(each: Asked) -> bool:
    """Whether it goes by places that its page tells."""
    return bool(BY_PLACE.search(each.recorded.reply) and PLACE.search(each.page))


def _stops(given: Answer) -> bool:
    """Whether it ends its part of the task, which may tell what another action does too."""
    return "ACTION: stop" in given.reply


def _ends(given: Answer) -> bool:
    """Whether it ends the task in the form of WebShop's actions."""
    return '"stop[' in given.reply


def _needed(each: Asked) -> list[str]:
    host = start_host(registry.family(each.scenario.family))
    rendering = prompting.load(each.purpose.partition("/")[0], host).rendering
    page = renderings.get(rendering).parse(joined.part(each.page)[-1])
    addresses = re.findall(r"^URL:\n(\S+)$", each.text, re.MULTILINE)  # those of examples first
    page = replace(page, url=addresses[-1]) if addresses and not page.url else page
    advice = registry.family(each.scenario.family).advise(each.scenario, page)
    return [spellings[0] for spellings in advice.needs]


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


def the_right_product_is_not_opened_for_other_properties(
    requests: list[Asked],
) -> None:
    opened = 0
    for each in requests:
        gold = each.scenario.gold
        if not _opens(each, each.recorded, gold["asin"]):
            continue
        opened += 1
        for value in (_kind(each), *gold["attributes"]):
            changed = each.ask(
                lambda text, value=value: _outside_pages(
                    text, lambda part: _without(value, part, "zzz")
                )
            )
            assert not _opens(each, changed, gold["asin"]), value
    assert opened


def _kind(each: Asked) -> str:
    """What is to be bought, as the instruction calls it: electric toothbrushes, or one of them."""
    kind = str(each.scenario.gold["query"])
    return kind if kind in each.scenario.instruction else buy_item.one_of(kind).partition(" ")[2]


def _opens(each: Asked, answer: Answer, code: str) -> bool:
    """Whether it presses the link of a product, by its code or by its number on the page."""
    if each.purpose.endswith("summary"):
        return False
    return answer.arguments[:1] == [code] or any(
        re.search(rf"['>]{code}['<]", line) for line in _lines_of(each, answer)
    )


# Called policies ---------------------------------------------------------------------------------


def a_policy_knows_only_what_it_was_called_with(requests: list[Asked]) -> None:
    """Its request tells the task in its objective only, if at all, and in calls of its own that
    hand that on; without its objective it is lost."""
    called = [each for each in requests if each.task != each.scenario.instruction]
    family = requests[0].scenario.family
    if compositions.number_of(family) is None:  # whose steps are those of its parts
        assert bool(called) == _is_served(family)
    if not called:
        pytest.skip("no policy serves a step of this family")
    for each in some(called):
        besides = _outside_pages_of(each.text)
        for handed_on in (each.task, *actions.call(each.task)[1]):
            besides = besides.replace(handed_on, "")
        assert each.scenario.instruction not in besides
        lost = each.ask(lambda text, task=each.task: _outside_pages(text, partial(_without, task)))
        assert re.search(r"ACTION: stop \[(I do not know|missing:)", lost.reply), lost
        assert lost != each.recorded


def _is_served(family: str) -> bool:
    """Whether the library has a policy for a step of the family."""
    made = registry.family(family)
    library = policy_library.load(start_host(made)).policies.values()
    return any(step in made.STEPS for policy in library for step in policy.steps)


def _outside_pages_of(text: str) -> str:
    return "".join(FENCED.split(text))


# All of them -------------------------------------------------------------------------------------

CONTRACTS = (
    the_unchanged_request_gets_the_recorded_reply,
    everything_that_it_names_stands_in_the_request,
    a_target_that_is_not_shown_is_not_used,
    without_the_instruction_it_does_not_know_what_to_do,
    a_value_that_is_altered_is_not_known,
    an_answer_is_not_known_where_an_operand_is_altered,
    a_place_that_the_page_tells_otherwise_is_not_known,
)


def _contracts(agent: str, family: str) -> Iterator[Callable[[list[Asked]], None]]:
    yield from CONTRACTS
    if family == "buy_item":
        yield the_right_product_is_not_opened_for_other_properties
    if agent.split(":")[0] == "step":
        yield a_policy_knows_only_what_it_was_called_with


@each_case
def test_the_model_knows_what_its_requests_say_and_nothing_else(asked, subtests, agent, family):
    requests = asked(agent, family)
    for contract in _contracts(agent, family):
        with subtests.test(contract=contract.__name__):
            contract(requests)


# Whole episodes ----------------------------------------------------------------------------------


def silent_prompts(method: str, folder: Path) -> Path:
    """The prompts, without the instruction or objective in any template of the method, or of
    one whose files it takes over."""
    shutil.copytree(prompting.FOLDER, folder)
    own = list((folder / method).glob("*.toml"))
    lenders = {str(prompting.parse(path).get("like", method)) for path in own} - {method}
    for path in (*own, *(each for like in lenders for each in (folder / like).glob("*.toml"))):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"\{\{ *(instruction|objective) *\}\}", "...", text))
    return folder


def _untold() -> list[tuple[str, str]]:
    """Of the cases all with `tox -e deep`; else the first of each method on each host, and the
    first of each variant."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for name, family in CASES:
        host = "" if ":" in name else start_host(registry.family(family))
        first.setdefault((name, host), (name, family))
    return CASES if DEEP else [*first.values()]


@pytest.mark.parametrize(("agent", "family"), _untold())
def test_an_agent_that_is_not_told_the_instruction_fails(quick_harness, tmp_path, agent, family):
    method = agent.split(":")[0].replace("-", "_")
    prompts = silent_prompts(method, tmp_path / "prompts")
    for seed in seeds_of(agent, family):
        scenario = f"{registry.family(family).SITE}/{family}/{seed}"
        play = quick_harness.run(agent, scenario, tmp_path / "run", prompts=prompts, strict=True)
        assert play.record["success"] is False and play.record["progress"] == 0, play.record
        assert play.record["llm_calls"] > 0
