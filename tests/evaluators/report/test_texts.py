"""Long texts are stored once, cut with a note, and shown without what HTML cannot hold."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluators.report.texts import CAPS, Texts, lines, named, visible, words


def _read(table: dict, number: int) -> str:
    return "\n".join(table["lines"][index] for index in table["texts"][number])


@settings(derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.text(alphabet="ab\n\u2028", max_size=30), max_size=8))
def test_every_text_comes_back_and_no_line_is_kept_twice(texts):
    kept = Texts()
    numbers = [kept.add(text, "llm.jsonl") for text in texts]
    table = kept.table()
    assert [_read(table, number) for number in numbers] == texts
    assert len(set(table["lines"])) == len(table["lines"])
    assert len(table["texts"]) == len(set(texts))
    assert table["cuts"] == {}


def test_texts_over_the_budget_are_cut_with_a_note_where_the_whole_is():
    kept = Texts()
    short = kept.add("short", "a/trace.jsonl")
    long = kept.add("x" * 30_000, "a/llm.jsonl")
    table = kept.table(budget=21_000)
    cut = table["cuts"][long]
    assert (cut.shown, cut.whole, cut.place) == (20_000, 30_000, "a/llm.jsonl")
    assert _read(table, long) == "x" * 20_000
    assert _read(table, short) == "short" and short not in table["cuts"]


def test_a_text_over_the_largest_cap_is_cut_in_any_case():
    kept = Texts()
    long = kept.add("y" * (CAPS[0] + 1), "llm.jsonl")
    assert kept.table()["cuts"][long].shown == CAPS[0]


def test_nothing_is_too_large_for_a_budget():
    kept = Texts()
    for number in range(50):
        kept.add(f"{number} " * 500, "llm.jsonl")
    assert kept.table(budget=0)["lines"] == [""]


def test_visible_replaces_only_what_a_page_cannot_show():
    assert visible("a\x00b\x1b\x7f\r") == "a\u2400b\u241b\u2421\u240d"
    assert visible("\ud800 \udfff") == "\ufffd \ufffd"
    kept = "tab\tline\nseparator\u2028 <b> é \U0001f600"
    assert visible(kept) == kept


def test_words_for_people():
    assert words([]) == "none" and words(None) == "none" and words(True) == "yes"
    assert words([259.99, 290.0]) == "259.99, 290.0"
    assert words(1 / 3) == "0.3333"
    assert words([{"wanted": "red", "by": "title", "found": "red"}]) == "red · title"
    assert named({"a": {"b": 1, "c": []}}) == [("a b", "1"), ("a c", "none")]
    assert lines({"wanted": "lamp", "found": ["x", "y"]}) == "wanted: lamp\nfound: x, y"
    assert lines("as it is") == "as it is"


@settings(derandomize=True, max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=8,
    )
)
def test_every_json_value_has_words(value):
    assert isinstance(lines(json.loads(json.dumps(value))), str)
