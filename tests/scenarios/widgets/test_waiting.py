"""Advice to wait: for as long as is left, and as a program does it."""

from __future__ import annotations

from agent.interface import Advice, Click, Element, Hover, Observation, Text, Wait
from scenarios.widgets import _waiting, button_delay, hover_shape, simon_says, stock_market
from scenarios.widgets._page_view import PageView
from tests.each import for_each

ONE, TWO = Element(1, "button", "ONE"), Element(2, "button", "TWO")
BUY = Element(1, "button", "Buy")


def view(instruction: str, *content: Element | Text) -> PageView:
    return PageView(instruction, Observation("http://w/", "Page", content))


def delayed(watch: str) -> Advice:
    task = "Click button ONE, wait 2 seconds, then click button TWO."
    return button_delay.advise(view(task, Text(watch, "timer"), ONE, TWO))


def test_the_click_is_a_part_of_the_delay() -> None:
    advice = delayed("no button clicked yet")
    assert advice.actions == (Click(1), Wait(1.9), Click(2))
    program = [Click(1), *[Hover(1)] * 19, Click(2)]
    assert [action for _, action in advice.ahead] == program


@for_each(
    ("watch", "actions"),
    [
        ("0.1 s since the first click", (Wait(1.9), Click(2))),
        ("1.4 s since the first click", (Wait(0.6), Click(2))),
        ("2.0 s since the first click", (Click(2),)),
        ("2.3 s since the first click", (Click(2),)),
    ],
)
def test_what_is_left_of_a_delay_is_waited_for(watch: str, actions: tuple[object, ...]) -> None:
    assert delayed(watch).actions == actions


@for_each(("price", "action"), [("$42.00", Wait(0.1)), ("$45.20", Wait(0.3)), ("$41.00", Click(1))])
def test_a_price_is_looked_at_before_it_can_have_fallen_and_risen(price: str, action: object):
    task = "Buy AOP stock when the price is less than $41.10."
    advice = stock_market.advise(view(task, Text(f"Stock price: {price}"), BUY))
    assert advice.actions == (action,) and advice.needs == (("41.10",),)


def test_all_that_is_shown_is_watched_at_once() -> None:
    buttons = [Element(n, "button", name) for n, name in enumerate("abcd", start=1)]
    status = Text("Watch: 1 of 3 shown so far", "status")
    advice = simon_says.advise(view("Push the buttons in the order displayed.", *buttons, status))
    assert advice.actions == (Wait(1.5),) and len(advice.ahead) == 15


def test_where_no_square_is_coloured_there_is_nothing_to_stay_over() -> None:
    black = Element(1, "button", "square 1", colors=(("fill", "rgb(0, 0, 0)"),))
    green = Element(2, "button", "square 2", colors=(("fill", "rgb(0, 128, 0)"),))
    assert hover_shape.advise(view("", black)).actions == ()
    assert hover_shape.advise(view("", black, green)).actions == (Hover(2), Wait(0.3))


def test_a_wait_is_none_or_one_that_is_allowed() -> None:
    assert [_waiting.wait(actions) for actions in (-1, 0, 1, 999)] == [
        None,
        None,
        Wait(0.1),
        Wait(10),
    ]
