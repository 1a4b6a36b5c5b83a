"""The ranker: what it puts first, what of a page is reduced, and that it is the same every time."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agent.interface import Click, Element, Observation, Select, Text, Type
from agent.methods.synapse import element_ranking
from agent.methods.synapse.element_ranking import Ranker, acted, entered, identity, past, reduced

PAGE = Observation(
    "http://store.localhost/item_page/x",
    "Lamp · WebShop",
    (
        Element(1, "button", "Back"),
        Text("Kitchen", colors=(("color", "red"),)),
        Element(2, "radio", "grey", colors=(("color", "grey"),)),
        Element(3, "radio", "dark red"),
        Element(4, "link", "B0TTTTTTTT"),
        Text("Lamp for the desk, oak"),
        Text("$12.00"),
        Text("Rating 3"),
        Element(5, "button", "Buy Now"),
    ),
)
ASKED = "I want an oak desk lamp, color dark red, below 20 dollars"


def best(k: int = 5, ranker: Ranker = Ranker(ASKED), **more) -> list[int]:  # noqa: B008
    return ranker.best(PAGE, k, **more)


def test_what_the_task_says_comes_first():
    """All of `dark red` is said, of the product's texts some, of the rest nothing."""
    assert best() == [3, 4, 1, 2, 5]
    assert best(ranker=Ranker("the GREY one"))[0] == 2
    assert best(k=2) == [3, 4]


def test_numbers_of_the_task_are_compared_whole():
    sizes = Observation("", "", tuple(Element(i, "radio", f"{i}.5 ft") for i in range(1, 4)))
    assert Ranker("patio umbrella, size 2.5 ft").best(sizes, 1) == [2]


def test_what_exemplars_acted_on_comes_before_what_only_shares_a_word():
    other = Observation(
        "", "Chair · WebShop", (Element(9, "button", "Buy Now"), *PAGE.elements[:1])
    )
    known = acted(other, Click(9))
    assert best(ranker=Ranker(ASKED, known))[:2] == [3, 5]
    assert best(ranker=Ranker("nothing of that", known))[0] == 5


def test_the_exemplars_page_that_is_most_like_this_one_counts_most():
    alike = Observation("", PAGE.title, (*PAGE.elements[:4], Element(5, "button", "Buy Now")))
    apart = Observation("", "Receipt", (Element(1, "button", "Back"), Element(2, "link", "Help")))
    known = (*acted(apart, Click(1)), *acted(alike, Click(5)))
    assert best(1, Ranker("nothing of that", known)) == [5]


def test_where_something_was_entered_is_less_wanted():
    fields = Observation(
        "", "Form", tuple(Element(i, "textbox", name) for i, name in ((1, "From"), (2, "To")))
    )
    ranker = Ranker("from Rome to Oslo")
    done = entered([(fields, Type(1, "Rome"))], fields)
    assert (ranker.best(fields, 1), ranker.best(fields, 1, done)) == ([1], [2])
    assert entered([(fields, Click(1))], fields) == frozenset()
    assert entered([(fields, Select(2, "Oslo"))], fields) == {identity(fields.elements[1])}
    elsewhere = Observation("", "Results")
    turns = [(fields, Type(1, "Rome")), (elsewhere, Click(1))]
    assert entered(turns, fields) == frozenset(), "the form came up again"


def test_kept_elements_stand_among_the_texts():
    content = reduced(PAGE, [3, 5]).content
    assert [getattr(each, "id", None) for each in content] == [None, 3, None, None, None, 5]
    assert (reduced(PAGE, [3]).url, reduced(PAGE, [3]).left_out) == (PAGE.url, 4)
    assert reduced(PAGE, [1, 2, 3, 4, 5]).left_out == 0


def test_of_a_past_page_the_best_and_the_one_acted_on_stay_with_their_texts():
    shown = past(Ranker(ASKED), PAGE, Click(5), 2)
    assert [each.id for each in shown.elements] == [3, 4, 5]
    assert [each.text for each in shown.content if isinstance(each, Text)] == [
        "Lamp for the desk, oak",
        "$12.00",
    ]


@pytest.mark.parametrize("target", [99, "Buy Now"])
def test_what_is_done_to_no_element_teaches_nothing(target):
    assert acted(PAGE, Click(target)) == []


def test_an_empty_page_and_an_empty_task():
    assert Ranker(ASKED).best(Observation("", ""), 5) == []
    assert Ranker("").best(PAGE, 2) == [1, 2]


@pytest.mark.wide
def test_it_is_the_same_in_every_process():
    """Sums over sets depend on the hash seed unless they are ordered."""
    script = (
        "from tests.agent.methods.synapse.test_element_ranking import ASKED, PAGE;"
        "from agent.methods.synapse.element_ranking import Ranker;"
        "print(Ranker(ASKED)._scores(PAGE, ()))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "012"
    }
    assert len(printed) == 1


def test_the_words_of_a_kind():
    element = Element(1, "radio", "LW4669, 5:33am", html_id="outward-1", kind="radio")
    assert element_ranking.kind(element) == {"radio", "lw", "0", "am", "outward"}
