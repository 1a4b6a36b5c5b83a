from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.renderings.markers import CLOSE, OPEN, fence, guard, unfence

lines = st.one_of(
    st.sampled_from((OPEN, CLOSE, f"\\{OPEN}", f"\\\\{CLOSE}", f" {OPEN}", f"{CLOSE} ", "\\", "")),
    st.text(max_size=8),
)
texts = st.lists(lines, max_size=6).map("\n".join)


@given(st.lists(texts, max_size=4), st.sampled_from(("", "\n", "Then:\n\n", f"see {OPEN}\n")))
@settings(max_examples=200, derandomize=True)
def test_fenced_texts_are_found_in_order(blocks: list[str], between: str) -> None:
    prompt = (
        "Objective: shop\n" + "".join(f"{between}{fence(block)}\n" for block in blocks) + "Act!"
    )
    assert unfence(prompt) == blocks


def test_a_plain_text_is_not_touched() -> None:
    text = "url: http://a/\n\ntext 'the <<<observation marker'"
    assert guard(text) == text
    assert fence(text) == f"{OPEN}\n{text}\n{CLOSE}"


@pytest.mark.parametrize(
    "prompt", ["", OPEN, CLOSE, f"{CLOSE}\n{OPEN}", f"{OPEN}\nx", f"x {OPEN}\nx\n{CLOSE}"]
)
def test_a_marker_alone_fences_nothing(prompt: str) -> None:
    assert unfence(prompt) == []


def test_a_stray_marker_before_does_not_swallow_the_block() -> None:
    assert unfence(f"{CLOSE}\n{OPEN}\nchatter\n{fence('page')}") == ["page"]
