"""The key of a request: everything that can change the answer, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.llm.recording.canonical import IGNORED, canonical, dumps, encoded, key
from tests.each import for_each

REQUEST = {
    "model": "gpt-x",
    "messages": [{"role": "user", "content": "caf\u00e9 \u212b"}],
    "temperature": 1.0,
}


def of(request):
    return key(canonical(request))


def test_the_key_is_the_same_in_every_process():
    code = (
        "from agent.llm.recording.canonical import *\n"
        f"print(key(canonical({REQUEST!r})))"
    )  # fmt: skip
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert runs == {of(REQUEST)}
    assert of(REQUEST) == "fe6a95f8c507ff80a377dfc1e88de803f2f66b8643309777ec0581a504b137e0"


def test_order_normal_form_and_whole_floats_do_not_matter():
    turned = dict(reversed(REQUEST.items()))
    assert of(turned) == of(REQUEST)
    decomposed = [{"content": "cafe\u0301 A\u030a", "role": "user"}]
    assert of({**REQUEST, "messages": decomposed}) == of(REQUEST)
    assert of({**REQUEST, "temperature": 1}) == of(REQUEST)


@pytest.mark.parametrize("name", sorted(IGNORED))
def test_what_cannot_change_the_answer_is_no_part(name):
    assert of({**REQUEST, name: "x"}) == of(REQUEST)


@for_each(
    "change",
    [
        {"model": "gpt-y"},
        {"temperature": 0.5},
        {"temperature": True},
        {"n": 2},
        {"stop": ["\n"]},
        {"seed": 1},
        {"max_completion_tokens": 5},
        {"tools": []},
        {"tool_choice": "auto"},
        {"response_format": {"type": "text"}},
        {"a_field_of_the_future": None},
    ],
)
def test_everything_else_is(change):
    assert of({**REQUEST, **change}) != of(REQUEST)


def test_ignored_names_count_inside_a_message():
    named = [{**REQUEST["messages"][0], "user": "x"}]
    assert of({**REQUEST, "messages": named}) != of(REQUEST)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(JSON.filter(lambda value: "Infinity" not in json.dumps(value)))
def test_the_form_is_a_fixed_point(value):
    once = canonical({"x": value})
    assert canonical(once) == once
    assert dumps(canonical(once)) == dumps(once)


def test_numbers_that_json_has_not_are_refused():
    with pytest.raises(ValueError):
        key(canonical({"temperature": float("nan")}))


def test_half_a_surrogate_pair_is_escaped():
    assert encoded({"a": "\ud83d"}) == b'{"a":"\\ud83d"}'
    assert encoded({"a": "é"}) == '{"a":"é"}'.encode()
