"""The reader of JSON by strangers."""

from __future__ import annotations

import gc
import json
import re
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rehearsal_json
from rehearsal_json import DEEPEST, loads, nests_deeper
from tests.each import for_each
from tests.sources import ROOT
from tests.test_imports import EVERY

STREAMS = {"agent/mind2web/files.py", "sites/store/catalogue/webshop_files.py"}
"""They parse large files piece by piece, by Python's own parser."""
VALUES = st.recursive(
    st.none() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def depth(value: object) -> int:
    if isinstance(value, dict | list):
        return 1 + max(map(depth, value.values() if isinstance(value, dict) else value), default=0)
    return 0


@settings(derandomize=True, deadline=None)
@given(VALUES, st.booleans(), st.sampled_from(["utf-8", "utf-16", "utf-32-be"]))
def test_every_value_is_read_in_every_encoding(value, is_ascii, encoding):
    text = json.dumps(value, ensure_ascii=is_ascii)
    assert loads(text) == loads(text.encode(encoding)) == value
    assert [nests_deeper(text, levels) for levels in range(9)] == [
        depth(value) > levels for levels in range(9)
    ]


@for_each("encoding", ["utf-8", "utf-16", "utf-32"])
def test_what_is_nested_too_deep_is_refused(encoding):
    allowed, deeper = ("[" * levels + "]" * levels for levels in (DEEPEST, DEEPEST + 1))
    loads(allowed.encode(encoding))
    with pytest.raises(ValueError, match="nested deeper than 100 levels"):
        loads(deeper.encode(encoding))
    with pytest.raises(ValueError, match="nested deeper than 100 levels"):
        loads(('{"\u2222":' * 50_000).encode(encoding))


def test_brackets_in_texts_and_in_turn_are_not_nested():
    texts = ['"' + "[" * 500, "\\", "{" * 500]
    assert loads(json.dumps(texts)) == texts
    assert loads(f"[{','.join(['[]'] * 500)}]") == [[]] * 500


@for_each("text", ["", "{", "nan", "\ufeff1", b"\xff", '["a', "[" * 500 + '"', '"' * 50_001])
def test_anything_else_is_a_value_error(text):
    with pytest.raises(ValueError):
        loads(text)


def test_finalizers_of_others_never_run_at_the_limit_of_recursion(monkeypatch):
    class Careful:
        """It calls functions when it is collected, like a weak reference with a callback."""

        def __init__(self):
            self.itself = self

        def __del__(self):
            re.compile("a").sub("b", json.dumps(["a"]))

    failed = []
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    before = gc.get_threshold()
    try:
        for allocations in range(1, 1_200):
            gc.set_threshold(0)
            Careful()
            gc.set_threshold(gc.get_count()[0] + allocations)
            with pytest.raises(ValueError):
                rehearsal_json.loads("[" * 50_000)
    finally:
        gc.set_threshold(*before)
    assert not failed


def test_no_other_json_of_strangers_is_parsed_to_the_limit():
    texts = {str(each.relative_to(ROOT)): each.read_text(encoding="utf-8") for each in EVERY}
    parse = re.compile(r"\bjson\.loads?\(|get_json\(|raw_decode\(")
    found = {
        name for name, text in texts.items() if "RecursionError" in text and parse.search(text)
    }
    assert found == STREAMS
