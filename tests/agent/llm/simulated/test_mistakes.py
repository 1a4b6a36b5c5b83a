"""Simulated mistakes: paired across skills, sticky until refuted, and of every kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.interface import (
    Action,
    Advice,
    Click,
    Element,
    Observation,
    Press,
    Select,
    Stop,
    Text,
    Type,
    Wait,
)
from agent.llm.simulated import mistakes
from agent.llm.simulated.mistakes import Situation, believe, is_refuted, named, wrong_plans
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge, Request
from agent.renderings import buttons, markers
from tests.each import for_each
from tests.measuring import DEEP, draws

SEEDS = range(300)
WISH = "please order the wool socks in red"

SEARCH = Observation("http://s/", "Shop", (Element(1, "searchbox", "Search"),))
RESULTS = Observation(
    "http://s/results",
    "Results",
    (
        Element(1, "button", "Next >"),
        *(Element(n, "button", f"B0SOCKS0{n}") for n in range(2, 6)),
        Text("wool socks"),
    ),
)
ITEM = Observation(
    "http://s/item",
    "Item",
    (
        *(Element(n, "radio", name) for n, name in enumerate(("red", "blue", "green"), start=1)),
        Element(4, "button", "Buy Now"),
        Element(5, "combobox", "Size", options=("small", "large")),
    ),
)
CASES = {
    "search": (SEARCH, (Type(1, "wool socks", enter=True),)),
    "open item": (RESULTS, (Click(3),)),
    "choose options": (ITEM, (Click(1), Click(4))),
    "choose size": (ITEM, (Select(5, "small"),)),
}


def situation(step: str) -> Situation:
    observation, actions = CASES[step]
    return Situation(Advice(step, actions), observation)


def decided(step: str, seed: int, skill: float):
    return believe(f"shop/{seed}/{step}", skill, situation(step))


# Beliefs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", CASES)
def test_a_better_model_is_wrong_in_fewer_places_and_in_the_same_way(step):
    wrong = {
        skill: {
            seed: decision.action
            for seed in SEEDS
            if (decision := decided(step, seed, skill)).mistake
        }
        for skill in (0.5, 0.7, 0.9)
    }
    assert wrong[0.9].items() <= wrong[0.7].items() <= wrong[0.5].items()
    assert 0.4 < len(wrong[0.5]) / len(SEEDS) < 0.6
    assert 0.05 < len(wrong[0.9]) / len(SEEDS) < 0.16


@pytest.mark.parametrize("step", CASES)
def test_skill_1_never_errs_and_skill_0_always(step):
    right = CASES[step][1][0]
    for seed in SEEDS:
        sure, lost = decided(step, seed, 1.0), decided(step, seed, 0.0)
        assert (sure.action, sure.mistake) == (right, "")
        assert lost.mistake and lost.action != right


def test_every_kind_of_mistake_occurs():
    kinds = {decided(step, seed, 0.0).mistake for step in CASES for seed in SEEDS}
    assert kinds == {
        "look-alike",
        "another element",
        "wrong value",
        "skips a step",
        "a field that is not there",
        "premature stop",
    }


def _believed(step: str, kind: str) -> set[Action]:
    found = (decided(step, seed, 0.0) for seed in SEEDS)
    return {decision.action for decision in found if decision.mistake == kind}


def test_mistakes_are_what_their_names_say():
    assert _believed("open item", "look-alike") == {Click(2), Click(4), Click(5)}
    assert _believed("choose size", "another element") == {Click(n) for n in (1, 2, 3, 4)}
    assert _believed("choose options", "look-alike") == {Click(2), Click(3)}
    assert _believed("choose options", "skips a step") == {Click(4)}
    assert _believed("choose size", "wrong value") == {Select(5, "large")}
    assert _believed("open item", "another element") == {Click(n) for n in (1, 2, 4, 5)}
    assert _believed("open item", "premature stop") == {Stop("")}
    for action in _believed("search", "wrong value"):
        assert isinstance(action, Type) and action.enter and action.target == 1
        assert sorted(action.text) == sorted("wool socks") and action.text != "wool socks"
    absent = _believed("open item", "a field that is not there")
    labels = {element.name for element in RESULTS.elements}
    assert len(absent) > 1 and not {action.target for action in absent} & labels


@for_each(("seconds", "misjudged"), [(2, {4, 1}), (8, {10, 4}), (0.3, {0.6, 0.1}), (0.1, {0.2})])
def test_who_misjudges_a_time_waits_twice_or_half_as_long(seconds, misjudged):
    waiting = Situation(Advice("wait", (Wait(seconds),)), RESULTS)
    wrong = mistakes.wrong_decisions("shop/0/wait", waiting)
    found = {each.action for each in wrong if each.mistake == "wrong value"}
    assert found == set(map(Wait, misjudged))


def test_a_trial_that_failed_is_evidence_and_so_are_two():
    """One that was done once, or an error of something else, may be another page's."""
    assert not is_refuted(Click(2), False, [])
    assert not is_refuted(Click(2), False, [Click(4), Click(2)])
    assert not is_refuted(Click(2), True, [])
    assert not is_refuted(Click(2), True, [Click(2), Click(4)])
    assert is_refuted(Click(2), True, [Click(4), Click(2)])
    assert is_refuted(Click(2), False, [Click(2), Click(4), Click(2)])


ENDS = {
    "an answer": Advice("count", answer="12"),
    "an answer of one digit": Advice("count", answer="7"),
    "yes": Advice("look", answer="yes"),
    "no answer": Advice("buy", answer=""),
    "a key": Advice("press", (Press("Enter"),)),
    "a letter": Advice("type", (Type(1, "x"),)),
    "a click on nothing": Advice("open", (Click(99),)),
}


@pytest.mark.parametrize("case", ENDS)
@pytest.mark.parametrize("page", [SEARCH, Observation("http://s/", "Empty")], ids=["page", "empty"])
def test_whatever_is_right_a_mistake_can_be_made(case, page):
    """Where the drawn kind of mistake could not be made, the model was right instead."""
    for seed in SEEDS if DEEP else SEEDS[:60]:
        case_ = Situation(ENDS[case], page)
        decision = believe(f"{seed}", 0.0, case_)
        assert decision.mistake and decision.action != case_.right


def test_answers_are_misread():
    found = {
        believe(f"{seed}", 0.0, Situation(ENDS[case], SEARCH)).action
        for case in ("an answer", "an answer of one digit", "yes")
        for seed in SEEDS
    }
    assert {Stop("21"), Stop("8"), Stop("no")} <= found


def test_a_mistake_is_none_for_who_calls_elements_by_their_names_either():
    page = replace(RESULTS, content=tuple(Element(n, "link", "More") for n in range(1, 9)))
    for seed in SEEDS:
        action = believe(f"{seed}", 0.0, Situation(Advice("open", (Click(3),)), page)).action
        assert not (isinstance(action, Click) and isinstance(action.target, int))


def test_the_same_mistake_is_made_where_a_page_is_shown_with_fewer_elements():
    """Methods show the same page with more or fewer of its elements."""
    fewer = replace(RESULTS, content=RESULTS.content[1:4])
    advice, differ, same = Advice("open", (Click(3),)), 0, 0
    for seed in SEEDS:
        whole = believe(f"{seed}", 0.0, Situation(advice, RESULTS)).action
        less = believe(f"{seed}", 0.0, Situation(advice, fewer)).action
        if whole in (Click(2), Click(4)):
            assert whole == less
        differ, same = differ + (whole != less), same + (whole == less)
    assert same > 2 * differ


def test_a_wrong_plan_drops_doubles_or_swaps_a_step():
    plans = set(wrong_plans(("search", "open", "buy"), "s"))
    assert ("search", "buy") in plans and ("search", "search", "open", "buy") in plans
    assert ("open", "search", "buy") in plans and ("search", "open", "buy") not in plans
    assert wrong_plans(("search",), "s") == [("search", "search")]


def test_a_decision_is_named_by_words_not_by_numbers():
    moved = replace(RESULTS, content=tuple(replace(e, id=e.id + 7) for e in RESULTS.elements))
    assert named(Click(3), RESULTS) == named(Click(10), moved)
    assert named(Click(3), RESULTS) != named(Click(4), RESULTS)


# A model of some skill ---------------------------------------------------------------------------


def simulated(seed: int, skill: float, mistakes: str = "sticky", trial: int = 0) -> SimulatedModel:
    def advise(observation: Observation) -> Advice:
        step = "open item" if "results" in observation.url else "choose options"
        return Advice(step, CASES[step][1])

    known = Knowledge(WISH, f"shop/buy/{seed}", "store", trial, advise)
    return SimulatedModel({WISH: known}, skill, mistakes)


def request(*turns: tuple[str, str], page: Observation = RESULTS) -> Request:
    """A dialogue: the wish, what was said and shown since, and the page at its end."""
    messages = [{"role": "user", "content": f"Instruction: {WISH}"}]
    messages += [{"role": role, "content": text} for role, text in turns]
    messages.append({"role": "user", "content": markers.fence(buttons.render(page))})
    return Request("react/act", {"model": "scripted", "messages": messages})


def choice(model: SimulatedModel, asked: Request, already: tuple[Action, ...] = ()):
    return model.decide(asked, "buttons", already=already)[1]


def test_decisions_of_a_mind_are_paired_and_repeatable():
    wrong: dict[float, dict[int, Action]] = {0.5: {}, 0.9: {}}
    for skill, found in wrong.items():
        for seed in SEEDS:
            first, second = (choice(simulated(seed, skill), request()) for _ in range(2))
            assert first == second
            if first.mistake:
                found[seed] = first.action
    assert wrong[0.9].items() <= wrong[0.5].items() and wrong[0.9]


def test_trials_differ():
    first = [choice(simulated(seed, 0.5), request()).mistake for seed in SEEDS]
    second = [choice(simulated(seed, 0.5, trial=1), request()).mistake for seed in SEEDS]
    assert first != second


def test_a_belief_lasts_until_the_request_holds_evidence_against_it():
    talk = ("assistant", "think[hm]"), ("user", "OK.")
    checked = 0
    for seed in draws(len(SEEDS)):
        model = simulated(seed, 0.5)
        belief = choice(model, request())
        if not belief.mistake:
            continue
        checked += 1
        assert choice(model, request(*talk, *talk)) == belief, "talk is no evidence"
        once, twice = (belief.action,), (belief.action, Click(3), belief.action)
        assert choice(model, request(*talk), already=once) == belief
        tried = choice(model, request(*talk), already=twice)
        assert (tried.action, tried.mistake) == (Click(3), "")
        failed = replace(RESULTS, error="that did nothing")
        assert choice(model, request(*talk, page=failed)) == belief, "another thing failed"
        assert choice(model, request(*talk, page=failed), already=once).action == Click(3)
        refused = request(*talk, ("user", "Invalid action: there is no such thing"))
        shown = Request(
            refused.purpose, {"messages": refused.messages[:-2] + refused.messages[-1:]}
        )
        assert choice(model, shown, already=once) == belief
    assert checked > 100


def test_keys_whose_effect_is_not_shown_are_not_pressed_again():
    down, space = Press("Control+ArrowDown"), Press("Control+Space")
    advice = Advice("choose", (down, down, space))
    model = SimulatedModel({WISH: Knowledge(WISH, "t/1", "store", 0, lambda page: advice)})
    asked = request()
    assert choice(model, asked).action == down
    assert choice(model, asked, (down,)).action == down
    assert choice(model, asked, (down, down)).action == space
    assert choice(model, asked, (Click(1), down, down)).action == space, "the newest keys count"
    assert choice(model, asked, (space,)).action == down


def test_keys_whose_effect_is_shown_are_pressed_as_often_as_the_page_asks_for():
    right = Press("ArrowRight")
    advice = Advice("set", (right, right, Click(3)))
    model = SimulatedModel({WISH: Knowledge(WISH, "t/1", "store", 0, lambda page: advice)})
    assert choice(model, request(), (right, right)).action == right


@pytest.mark.wide
@pytest.mark.parametrize("skill", [0.0, 0.5, 0.9])
def test_no_history_changes_how_often_a_decision_is_wrong(skill):
    """It did: what was done before refuted beliefs that had nothing to do with it."""
    past = {0.0: (), 0.5: tuple(Click(n) for n in (5, 2, 4)), 0.9: (Click(9), Click(1))}
    for already in past.values() if DEEP else [past[skill]]:
        wrong = [bool(choice(simulated(n, skill), request(), already).mistake) for n in draws(1000)]
        assert sum(wrong) / 1000 == pytest.approx(1 - skill, abs=0.04 if skill else 0)


def test_what_is_counted_are_first_decisions():
    model = simulated(3, 0.0)
    assert model.tally.counts == {}
    belief = choice(model, request())
    choice(model, request(), already=(belief.action, belief.action))
    assert model.tally.counts == {mistakes.DECISION: (1, 1)}
    model.malformed(request())
    assert model.tally.counts[mistakes.MALFORMED][0] == 1


def test_the_memoryless_model_throws_dice_at_every_request():
    talk = ("assistant", "think[hm]"), ("user", "OK.")
    changed = sum(
        choice(simulated(seed, 0.5, "memoryless"), request()).mistake
        != choice(simulated(seed, 0.5, "memoryless"), request(*talk)).mistake
        for seed in SEEDS
    )
    assert changed > 50


@pytest.mark.parametrize("skill", [0.0, 0.5, 0.9])
def test_the_share_of_garbled_replies_is_a_fifth_of_what_is_lacking(skill):
    garbled = sum(simulated(seed, skill).malformed(request()) for seed in range(1000))
    assert abs(garbled / 1000 - (1 - skill) / 5) < 0.035


def test_garbled_replies_are_paired_and_asked_again_they_clear_up():
    worse = {seed for seed in SEEDS if simulated(seed, 0.2).malformed(request())}
    better = {seed for seed in SEEDS if simulated(seed, 0.7).malformed(request())}
    assert better < worse
    reasked = ("assistant", "Let me see"), ("user", "answer with exactly one action")
    assert any(not simulated(seed, 0.2).malformed(request(*reasked)) for seed in worse)
    assert not any(simulated(seed, 1.0).malformed(request()) for seed in SEEDS)


def test_the_printed_constants_are_those_of_the_code():
    assert mistakes.CONSTANTS["malformed reply"] == "(1 - skill) / 5"
    assert mistakes.CONSTANTS["wrong decision"].startswith("1 - skill")
