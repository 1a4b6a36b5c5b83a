"""The prose is plain: subject, verb, object, and the field's words."""

from __future__ import annotations

import pytest

from tests import prose

pytestmark = pytest.mark.usefixtures("unmeasured")
KINDS = {
    "docstrings": lambda: (text for path in prose.files() for text in prose.docstrings(path)),
    "summaries": lambda: (
        prose.summary(text) for path in prose.files() for text in prose.docstrings(path)
    ),
    "comments": lambda: (text for path in prose.files() for text in prose.comments(path)),
    "messages": lambda: (text for path in prose.files() for text in prose.messages(path)),
    "pages": prose.pages,
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_turn_of_phrase_is_above_its_bar(kind):
    assert prose.over(KINDS[kind]()) == {}


def test_a_riddle_is_above_the_bars_and_a_plain_sentence_is_not():
    riddle = "What is left of those that were asked for, where there are any, besides so many."
    assert set(prose.over([riddle])) == {
        "What as a noun",
        "where for if",
        "besides",
        "so many, so much",
    }
    assert prose.over(["Return the remaining requested items, or an empty list."]) == {}
