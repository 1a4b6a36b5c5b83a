"""Tokens by a vocabulary that needs no download."""

from __future__ import annotations

import subprocess
import sys

from agent.llm import tokenizer, tokens

ALONE = """
import socket, sys
def refused(*_): raise OSError("no network here")
socket.socket.connect = socket.getaddrinfo = refused
from agent.llm import tokenizer
assert "mistral_common" not in sys.modules, "importing loads nothing"
print(tokenizer.count("click [12]"))
"""


def test_it_counts_without_a_network():
    done = subprocess.run(
        [sys.executable, "-c", ALONE], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "5", done.stderr


def test_words_are_few_tokens_and_signs_are_many():
    assert tokenizer.count("") == 0
    assert tokenizer.count("buy the red socks") == 4
    assert tokenizer.count("B0MEPHHF18") > 4


def test_the_estimate_is_near_it_for_prose():
    prose = "Open the product that fits best, by its code. An option is no reason to pass it over. "
    assert abs(tokens.of_text(prose * 20) / tokenizer.count(prose * 20) - 1) < 0.25
