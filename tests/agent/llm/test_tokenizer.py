"""Tokens by a vocabulary that needs no download."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agent.llm import tokens
from tests.measuring import HANG

PROSE = (
    "Open the product that fits best, by its code. An option is no reason to pass it over. " * 20
)
COUNTED = ("click [12]", "", "buy the red socks", "B0MEPHHF18", PROSE)
ALONE = """
import json, socket, sys
def refused(*_): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refused
from agent.llm import tokenizer
assert "mistral_common" not in sys.modules, "importing loads nothing"
print(json.dumps([tokenizer.count(text) for text in json.loads(sys.argv[1])]))
"""


@pytest.mark.wide
def test_it_counts_without_a_network():
    """Words are few tokens and signs are many; for prose the estimate is near. In a process of its
    own, for loading the vocabulary takes seconds, which are spent once here."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE, json.dumps(COUNTED)],
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stderr
    click, nothing, socks, code, prose = json.loads(done.stdout)
    assert (click, nothing, socks) == (5, 0, 4)
    assert code > 4
    assert abs(tokens.of_text(PROSE) / prose - 1) < 0.25
