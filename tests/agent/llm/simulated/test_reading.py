"""What the scripted model reads out of a request."""

from __future__ import annotations

import pytest

from agent.interface import Element, Observation
from agent.llm.messages import with_picture
from agent.llm.simulated import reading
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.reading import Knowledge, Lost, Request
from agent.renderings import buttons, markers
from tests.each import for_each

PAGE = Observation("http://s/", "Shop", (Element(1, "button", "navy blue"),))


def request(*contents: str) -> Request:
    messages = [{"role": "user", "content": content} for content in contents]
    return Request("m/act", {"model": "scripted", "messages": messages})


def fenced(page: Observation) -> str:
    return markers.fence(buttons.render(page))


def test_pictures_are_not_seen():
    words = f"before\n{fenced(PAGE)}"
    plain = request("told", words)
    seen = Request("m/act", {"messages": [with_picture(each, b"PNG") for each in plain.messages]})
    assert (seen.messages, seen.text, seen.shown) == (plain.messages, plain.text, plain.shown)
    wordless = {"role": "user", "content": with_picture({"role": "user"}, b"PNG")["content"]}
    assert Request("m/act", {"messages": [wordless]}).messages == []


def test_the_text_without_pages_leaves_pages_out():
    text = request(f"before\n{fenced(PAGE)}\nafter").text_without_pages
    assert "before" in text and "after" in text and "navy" not in text


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("in navy blue, please", True),
        ("in Navy Blue.", True),
        ("in dark navy blueish", False),
        ("size 10", True),
        ("size 100", False),
        ("nothing of the kind", False),
    ],
)
def test_a_value_is_known_only_as_whole_words_of_the_text(text, known):
    spelling = "10" if "size" in text else "navy blue"
    assert request(text, fenced(PAGE)).holds([spelling, "never written"]) is known


def test_a_value_on_the_page_alone_is_not_held():
    assert not request(fenced(PAGE)).holds(["navy blue"])


def test_the_newest_page_counts():
    other = Observation("http://s/2", "Shop", (Element(1, "button", "red"),))
    asked = request(fenced(PAGE), f"x\n{fenced(other)}")
    assert asked.observation("buttons").elements[0].name == "red"


def test_without_a_page_or_with_a_broken_one_it_is_lost():
    with pytest.raises(Lost):
        request("no page").observation("buttons")
    with pytest.raises(Lost):
        request(f"{markers.OPEN}\nwhat: ever\n\n[button\n{markers.CLOSE}").observation("buttons")


def test_a_task_is_known_by_its_instruction_alone():
    known = Knowledge("buy socks", "s/f/0", "s", 0, lambda observation: None)
    simulated = SimulatedModel({"buy socks": known})
    assert simulated.task(request("please: buy socks!")) is known
    with pytest.raises(Lost):
        simulated.task(request("buy shoes"))


def test_messages_without_content_are_passed_over():
    body = {"model": "x", "messages": [{"role": "assistant", "content": None, "tool_calls": []}]}
    assert Request("m/act", body).text == ""


@for_each(
    ("value", "text", "stands"),
    [
        ("10", "take 10 of them", True),
        ("10", "take 100 of them", False),
        ("0", "take 10 of them", False),
        (", by name", "with the status Pending, by name.", True),
        (", by name", "with the status Pending, by names.", False),
    ],
)
def test_a_value_occurs_where_it_cuts_no_word(value, text, stands):
    assert reading.occurs(value, text) is stands
