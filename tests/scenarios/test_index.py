"""The index of families holds what the families say."""

from __future__ import annotations

import json

import pytest

from scenarios import index


@pytest.mark.wide
def test_the_index_is_what_the_families_say():
    read = json.loads(index.FILE.read_text(encoding="utf-8"))
    assert read["files"] == index.files(), "run `python -m tools.index_families`"
    assert index.entries() == index.made(), "run `python -m tools.index_families`"


@pytest.mark.wide
def test_a_family_that_the_index_does_not_know_is_listed_all_the_same(tmp_path, monkeypatch):
    read = json.loads(index.FILE.read_text(encoding="utf-8"))
    monkeypatch.setattr(index, "FILE", tmp_path / "families.json")
    assert index.entries() == index.made()
    stale = {"files": read["files"][1:], "families": read["families"][1:]}
    index.FILE.write_text(json.dumps(stale))
    assert len(index.entries()) == len(read["families"])
    assert index.save() == index.FILE and json.loads(index.FILE.read_text()) == read
