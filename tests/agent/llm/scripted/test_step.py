"""The scripted SteP: who calls whom, what is passed on, and calling again."""

from __future__ import annotations

from itertools import product

import pytest

from agent import prompting, renderings
from agent.interface import Advice, Click, Element, Note, Observation, Type
from agent.llm.model_source import answer
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge
from agent.methods.step import policy_library
from agent.renderings import markers
from tests.each import for_each
from tests.measuring import DEEP, draws

WISH = "please order the Wool Socks in red"
STEPS = {"store": ("search", "open item", "choose options", "buy")}
"""Of the kind of task, by its site: policies for parts of other kinds come last."""
MANY = 60
PAGE = Observation(
    "http://s/", "Shop", (Element(1, "searchbox", "Search"), Element(2, "link", "B0EXAMPLE1"))
)
FIND = Advice("search", (Type(1, "wool socks", enter=True),), needs=(("wool socks",), ("red",)))


def simulated(
    advice: Advice, skill: float = 1.0, scenario: str = "s", site: str = "store"
) -> SimulatedModel:
    known = Knowledge(WISH, scenario, site, 0, lambda _: advice, STEPS.get(site, ()))
    return SimulatedModel({WISH: known}, skill)


def answered(
    model: SimulatedModel,
    objective: str,
    *previous: str,
    offered: tuple[str, ...] | None = None,
    shown: Observation = PAGE,
) -> str:
    """The action that is answered."""
    return replied(model, objective, *previous, offered=offered, shown=shown).partition("ACTION: ")[
        2
    ]


def reason(model: SimulatedModel, objective: str) -> str:
    """The reason where one is asked for."""
    text = replied(model, objective, form="\nREASON: why\nACTION: what")
    return text.partition("REASON: ")[2].partition("\n")[0]


def replied(
    model: SimulatedModel,
    objective: str,
    *previous: str,
    offered: tuple[str, ...] | None = None,
    shown: Observation = PAGE,
    form: str = "",
) -> str:
    known = policy_library.load(model.only.site).policies
    names = known if offered is None else offered
    system = "\n".join(known[name].description for name in names) + form
    history = "\n".join(previous) or "None"
    rendering = renderings.get(prompting.load("step", model.only.site).rendering)
    page = markers.fence(rendering.render(shown))
    text = f"OBJECTIVE:\n{objective}\nOBSERVATION:\n{page}\nURL:\n{shown.url}\nPREVIOUS ACTIONS:\n"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": text + history}]
    reply = answer(model, "step/act", {"model": "scripted", "messages": messages})
    return str(reply["choices"][0]["message"]["content"])


def test_the_root_calls_who_serves_the_next_step_with_values_as_they_were_told():
    assert answered(simulated(FIND), WISH) == "find_products [Wool Socks, red]"


def test_a_policy_acts_on_what_it_was_told_and_stops_when_its_part_is_done():
    assert answered(simulated(FIND), "find_products [wool socks, red]").startswith(
        "type [1] [wool socks]"
    )
    assert answered(simulated(FIND), "buy_product [wool socks, red]") == "stop []"
    assert answered(simulated(Advice("buy", answer="")), "find_products [wool socks]") == "stop []"


@pytest.mark.parametrize("objective", ["find_products [wool socks]", "find_products []", "", "hm"])
def test_who_was_told_too_little_does_not_know(objective):
    assert answered(simulated(FIND), objective) == "stop [I do not know what to do]"


def test_a_part_ends_though_the_answer_to_the_whole_is_not_its_to_know():
    answer = Advice("answer", answer="$12", needs=(("in march",),))
    call = "find_products [wool socks]"
    assert answered(simulated(answer), call) == "stop [I do not know what to do]"
    assert answered(simulated(answer), call, "click [1]") == "stop []"
    assert answered(simulated(answer), f"{call[:-1]}, in March]", "click [1]") == "stop [$12]"


def test_a_policy_that_returned_without_its_part_done_is_called_again():
    call = "find_products [Wool Socks, red]"
    assert (
        answered(simulated(FIND), WISH, f"done = {call}")
        == "find_products [Wool Socks, red once more]"
    )
    assert answered(simulated(FIND), WISH, "done = find_products [x]") == call


def test_without_subroutines_the_root_acts_itself():
    assert answered(simulated(FIND), WISH, offered=()).startswith("type [1] [wool socks]")
    assert answered(simulated(FIND), WISH, offered=("buy_product",)).startswith("type [1]")


def test_who_is_called_again_does_not_stop_at_once():
    """What else it believes is no less likely then: a repeated call made no mistake at all."""
    call, kept = "find_products [wool socks, red]", 0
    for number in draws(MANY):
        model = simulated(FIND, 0.0, f"s{number}")
        first, repeated = answered(model, call), answered(model, call.replace("]", " once more]"))
        if first == "stop []":
            assert repeated.startswith("type [1] [wool socks]") or not repeated, "or is garbled"
        elif first and repeated:
            kept += 1
            assert first == repeated
    assert kept > MANY / 3


ASKED = WISH, "find_products [wool socks, red]"
PAST = (), ("click [2]", "click [1]", "no = look_inside [a] [b]")
IN_TURN = [(0.0, ASKED[1], PAST[1]), (0.5, ASKED[0], PAST[0]), (0.9, ASKED[0], PAST[1])]


@pytest.mark.wide
@for_each(
    ("skill", "objective", "previous"), product((0.0, 0.5, 0.9), ASKED, PAST) if DEEP else IN_TURN
)
def test_no_history_changes_how_often_a_turn_is_wrong(skill, objective, previous):
    right = answered(simulated(FIND), objective, *previous)
    found = [
        answered(simulated(FIND, skill, f"s{n}"), objective, *previous) for n in draws(4 * MANY)
    ]
    wrong = [each != right for each in found if each]
    assert sum(wrong) / len(wrong) == pytest.approx(1 - skill, abs=0.1 if skill else 0)


@pytest.mark.parametrize("skill", [0.0, 0.5])
def test_answers_and_verdicts_err_by_skill(skill):
    end, look = Advice("read", answer="1998"), Advice("go on", (Click(2),), needs=(("red",),))
    for advice, objective, right in (
        (end, WISH, "stop [1998]"),
        (look, "look_inside [B0EXAMPLE1] [red]", "stop [no]"),
    ):
        models = (simulated(advice, skill, f"s{number}") for number in draws(4 * MANY))
        found = [answered(model, objective, "click [2]") for model in models]
        wrong = [each != right for each in found if each]
        assert sum(wrong) / len(wrong) == pytest.approx(1 - skill, abs=0.06)


def test_a_reason_is_made_from_the_decision():
    assert reason(simulated(FIND), WISH) == (
        "On the page 'Shop' comes the step 'search', for which the task names 'Wool Socks', 'red';"
        " find_products does such a part."
    )
    assert reason(simulated(FIND), "find_products [wool socks, red]") == (
        "The page shows the searchbox 'Search', and the task says 'wool socks'; this belongs to"
        " the step 'search'."
    )


def test_the_roots_mistakes_are_calls_with_a_wrong_value_or_a_stop():
    answers = {answered(simulated(FIND, 0.3, f"s{number}"), WISH) for number in range(80)}
    assert "find_products [Wool Socks, red]" in answers and "stop []" in answers
    misspelt = [
        each for each in answers if each.startswith("find_products [") and "Socks" not in each
    ]
    assert misspelt


LOOK = Advice("look inside", (Click(2),), needs=(("red",),))


def test_a_product_is_opened_only_by_its_code():
    assert answered(simulated(LOOK), "look_inside [B0EXAMPLE1] [red]") == "click [2]"
    assert answered(simulated(LOOK), "look_inside [B0EXAMPLE2] [red]").startswith(
        "stop [I do not know"
    )
    assert answered(simulated(LOOK), "look_inside [B0EXAMPLE1] [blue]").startswith(
        "stop [I do not know"
    )


@pytest.mark.parametrize(
    ("step", "verdict"), [("go on", "no"), ("choose options", "yes"), ("buy", "yes")]
)
def test_a_verdict_needs_what_must_hold(step, verdict):
    advice = Advice(step, (Click(2),), needs=(("red",),))
    opened = "click [2]"
    assert (
        answered(simulated(advice), "look_inside [B0EXAMPLE1] [red]", opened) == f"stop [{verdict}]"
    )
    assert (
        answered(simulated(advice), "look_inside [B0EXAMPLE1] [blue]", opened)
        != f"stop [{verdict}]"
    )


CHOOSE = Advice("choose options", (Click(1),), needs=(("wool socks",), ("color red", "red")))
ITEM = Observation("http://s/", "Wool Socks", (Element(1, "radio", "red"),))
PLAIN = Observation("http://s/", "Wool Socks", (Element(1, "button", "Buy Now"),))


def test_who_chooses_options_is_told_these_alone_with_their_group():
    assert answered(simulated(CHOOSE), WISH, shown=ITEM) == "buy_product [red]"
    wish = "please order the Wool Socks in color red"
    known = Knowledge(wish, "s", "store", 0, lambda _: CHOOSE)
    assert answered(SimulatedModel({wish: known}), wish, shown=ITEM) == "buy_product [color red]"
    assert answered(simulated(CHOOSE), WISH, shown=PLAIN) == "buy_product [none]"
    assert answered(simulated(CHOOSE), "buy_product [color red]", shown=ITEM) == "click [1]"
    lost = answered(simulated(CHOOSE), "buy_product [color blue]", shown=ITEM)
    assert lost == "stop [I do not know what to do]"


# Policies that are told more than values ----------------------------------------------------------

FORM = Observation(
    "http://w/",
    "Form",
    (
        Element(1, "textbox", "Color", value=""),
        Element(2, "textbox", "Kind", value=""),
        Element(3, "option", "red"),
    ),
)


def form(step: str, *actions: Click | Type, needs: tuple[str, ...] = ("red",)) -> SimulatedModel:
    return simulated(Advice(step, actions, needs=tuple((each,) for each in needs)), site="widgets")


COLOR, KIND, OPTION = (
    form("enter the places", Type(1, "red")),
    form("enter the places", Type(2, "Wool Socks"), needs=("Wool Socks",)),
    form("enter the places", Click(3)),
)


def test_a_policy_for_a_field_is_told_the_field_that_comes_next_and_its_value():
    assert answered(COLOR, WISH, shown=FORM) == "fill_text [Color] [red]"
    assert answered(KIND, WISH, shown=FORM) == "fill_text [Kind] [Wool Socks]"
    repeated = "fill_text [Color] [red]"
    assert (
        answered(COLOR, WISH, f"done = {repeated}", shown=FORM)
        == "fill_text [Color] [red once more]"
    )


def test_where_no_field_comes_next_the_root_acts_itself():
    assert answered(OPTION, WISH, shown=FORM) == "click [3]"


def test_a_policy_for_a_field_leaves_the_next_field_alone():
    call = "fill_text [Color] [red]"
    assert answered(COLOR, call, shown=FORM) == "type [1] [red]"
    assert answered(OPTION, call, "type [1] [red]", shown=FORM) == "click [3]"
    assert answered(KIND, call, "type [1] [red]", "click [3]", shown=FORM) == "stop []"


def test_a_policy_that_is_told_the_objective_is_told_all_of_it():
    boxes = form("tick the boxes", Click(3))
    assert answered(boxes, WISH, shown=FORM) == f"click_checkbox [{WISH}]"
    assert answered(boxes, f"click_checkbox [{WISH}]", shown=FORM) == "click [3]"
    assert answered(boxes, "click_checkbox [order it]", shown=FORM).startswith(
        "stop [I do not know"
    )


def test_a_value_is_passed_on_as_it_was_written_and_not_as_another_word_is():
    wish = 'please order an item that begins with "An"'
    advice = Advice("find the tab", (Click(3),), needs=(("An",),))
    model = SimulatedModel({wish: Knowledge(wish, "s", "widgets", 0, lambda _: advice)})
    assert answered(model, wish, shown=FORM) == "search_tab [An]"


# Policies of the market ---------------------------------------------------------------------------


def knowing(instruction: str, advice: Advice, *steps: str) -> SimulatedModel:
    known = Knowledge(instruction, "s", "store", 0, lambda _: advice, steps)
    return SimulatedModel({instruction: known})


SUM = "what did the Wool Socks cost in all"
SUM_STEPS = ("open addresses", "open orders", "look through orders", "open order")
READ = Observation(
    "http://s/account/a/orders/100000007",
    "Order 100000007",
    (Element(1, "link", "Back to My Orders"),),
)
LEAVE = Advice("open order", (Note("$5.00"), Click(1)), needs=(("Wool Socks",),))


def test_what_was_returned_is_not_noted_again():
    model = knowing(SUM, LEAVE, *SUM_STEPS)
    asked, call = f"sum_orders [{SUM}]", "search_order [Wool Socks]"
    known, other = (
        answered(model, asked, f"{amount} = {call}", offered=("sum_orders",), shown=READ)
        for amount in ("$5.00", "$6.00")
    )
    assert known == "click [1]" and other.startswith("note")


def test_who_has_others_do_parts_is_not_called_for_another_kind_of_task():
    orders = Advice("open orders", (Click(1),))
    replaces = ("open orders", "look through orders", "open item", "read on", "search", "narrow",
                "choose options", "buy")  # fmt: skip
    asked = knowing(WISH, orders, "open orders", "look through orders")
    assert answered(asked, WISH) == f"search_order [{WISH}]"
    assert answered(knowing(WISH, orders, *replaces), WISH) == f"replace_bought [{WISH}]"


def test_of_a_whole_wish_a_search_is_told_the_kind_alone():
    wish = "I sit on the floor. Please get me a Camping Chair that folds"
    advice = Advice(
        "search", (Type(1, "camping chairs", enter=True),), needs=(("I sit on the floor",),)
    )
    model = knowing(wish, advice, "search", "open item")
    assert answered(model, wish) == "find_products [Camping Chair]"
    assert answered(model, "find_products [Camping Chair]").startswith("type [1] [Camping Chair]")
    other = knowing(wish.replace("I sit", "We sit"), advice, "search", "open item")
    assert answered(other, other.only.instruction).startswith("stop [I do not")
