"""A walk over cases leaves none out, and names those that fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.each import LONGEST, ROOT, for_each, shown
from tests.measuring import HANG

WALK = """
from tests.each import for_each

@for_each(("number", "word"), [(1, "one"), (2, "two"), (3, "three")])
def test_numbers(tmp_path, word, number):
    assert tmp_path.exists() and number == 2 and word

@for_each("word", ["good", "fine"])
def test_words(word):
    assert word
"""


def test_each_case_that_fails_is_named_and_the_others_are_checked(tmp_path):
    (tmp_path / "test_walk.py").write_text(WALK)
    command = ("-m", "pytest", "-q", "-rf", "-p", "no:cacheprovider", "-c", "/dev/null")
    done = subprocess.run(
        [sys.executable, *command, "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    failed = [line for line in done.stdout.splitlines() if line.startswith("SUBFAILED")]
    assert len(failed) == 2 and "'one'" in failed[0] and "'three'" in failed[1], done.stdout
    assert "1 passed" in done.stdout.splitlines()[-1]


def test_values_are_named_shortly():
    assert shown(Path(__file__)) == "tests/test_each.py"
    assert shown((1, "a")) == "(1, 'a')"
    assert len(shown("x" * 500)) == LONGEST + 1


def test_a_walk_over_nothing_and_a_name_that_no_test_takes_are_mistakes():
    with pytest.raises(AssertionError, match="nothing to check"):
        for_each("path", [])
    with pytest.raises(AssertionError, match=r"does not take \['path'\]"):
        for_each("path", [1])(lambda other: None)
