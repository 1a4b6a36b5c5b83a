"""Messages of texts, and of parts of which some are pictures."""

from __future__ import annotations

from agent.llm import messages
from tests.each import for_each

PLAIN = {"role": "user", "content": "the page"}
SEEN = messages.with_picture(PLAIN, b"\x89PNG picture")
ODD = {"role": "user", "content": ["a", {"type": "text", "text": "b"}, {"type": "x", "size": 3}]}


def test_a_picture_stands_behind_the_text():
    text, picture = SEEN["content"]
    assert text == {"type": "text", "text": "the page"} and SEEN["role"] == "user"
    assert picture["type"] == "image_url" and picture["image_url"]["detail"] == "high"
    assert picture["image_url"]["url"] == "data:image/png;base64,iVBORyBwaWN0dXJl"
    assert messages.with_picture(PLAIN, None) == PLAIN
    assert PLAIN == {"role": "user", "content": "the page"}, "the message given stays as it is"


def test_what_it_says_in_words():
    assert [messages.text_of(each) for each in (PLAIN, SEEN, ODD)] == ["the page", "the page", "b"]
    assert messages.without_pictures(SEEN) == messages.without_pictures(PLAIN) == PLAIN


@for_each("content", [None, 5, {"a": 1}, [], [None, 7]])
def test_what_says_nothing_says_nothing(content):
    assert messages.text_of({"role": "assistant", "content": content}) == ""
    assert messages.text_of({"role": "assistant"}) == ""


def test_people_are_shown_a_note_that_tells_pictures_apart():
    shown = messages.shown(SEEN)
    assert shown.startswith("the page\n[picture ") and "base64" not in shown
    assert shown != messages.shown(messages.with_picture(PLAIN, b"\x89PNG another"))
    assert messages.shown(ODD) == '"a"\nb\n{"type": "x", "size": 3}'


def test_several_messages_as_one():
    assert messages.joined([PLAIN, PLAIN]) == "the page\n\nthe page"
    assert messages.joined([PLAIN, SEEN]) == [SEEN["content"][0], *SEEN["content"]]


def test_an_address_is_a_picture_itself_or_leads_elsewhere():
    url = messages.url_of(SEEN["content"][1])
    assert url is not None and messages.is_data(url)
    for other in ("https://a/b.png", f"{url} sk-live", "data:text/plain;base64,AAAA", ""):
        assert not messages.is_data(other)
    assert messages.url_of("text") is messages.url_of({"image_url": {"url": 3}}) is None
