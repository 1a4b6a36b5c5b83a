"""Two screens in one text are read back as they were."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agent.renderings import joined
from tests.measuring import DEEP

LINES = st.lists(st.sampled_from(["url: x", "[1] link 'A'", "-", "+b", " c", ""]), min_size=1)


@given(LINES, LINES)
@settings(max_examples=100 if DEEP else 30, derandomize=True, deadline=None)
def test_both_come_back(first, second):
    before, after = "\n".join(first), "\n".join(second)
    assert joined.part(joined.join(before, after)) == [before, after]


def test_a_line_of_both_stands_there_once():
    text = joined.join("url: x\nnews\nend", "url: x\nolds\nend")
    assert text.split("\n")[2:] == [" url: x", "-news", "+olds", " end"]


def test_a_text_of_its_own_is_left_alone():
    assert joined.part("url: x\n-1") == ["url: x\n-1"]
