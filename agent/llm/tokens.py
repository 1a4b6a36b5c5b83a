"""Counts of tokens: by a vocabulary if one is installed, and an estimate that needs none.

Limits of a request are checked by `check_fits`, which counts by the vocabulary of
`agent.llm.tokenizer`. Without the package, and in all places that must not depend on installed
packages (such as the scripted model's usage), a token is four bytes of UTF-8, rounded up per text.
The requests of our methods have 0.6 to 1.1 times as many tokens by this estimate as by the
vocabulary; scripts with three bytes per character get about 0.75 tokens per character.

A message adds four tokens and a request three, as in OpenAI's counting examples. An image counts as
765 tokens (OpenAI's figure for 1024 x 1024).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agent.interface import ContextOverflow
from agent.llm import messages, tokenizer

BYTES = 4
PER_MESSAGE = 4
PER_REQUEST = 3
PER_IMAGE = 765

Count = Callable[[str], int]
"""A function that counts the tokens of a text."""


def of_text(text: str) -> int:
    """Return the estimated tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES)


def of_request(request: Mapping[str, Any], count: Count = of_text) -> int:
    """Return the tokens of a chat completion request: its messages and tools.

    Args:
        request: The request.
        count: Counts the tokens of a text; the estimate by default.
    """
    asked = sum(PER_MESSAGE + _of_message(message, count) for message in request["messages"])
    tools = request.get("tools")
    return PER_REQUEST + asked + (_of_json(tools, count) if tools else 0)


def of_reply(choices: Iterable[Mapping[str, Any]]) -> int:
    """Return the estimated tokens of the choices of a chat completion: texts and function calls."""
    return sum(_of_message(choice["message"], of_text) for choice in choices)


def measured(request: Mapping[str, Any]) -> int:
    """Return the tokens of a request, by the vocabulary if it is installed, else by the
    estimate.
    """
    return of_request(request, _by_vocabulary if tokenizer.is_installed() else of_text)


def check_fits(request: Mapping[str, Any], limit: int, reply: int = 0) -> None:
    """Check that a request and its reply fit a limit of tokens.

    Args:
        request: The request.
        limit: Tokens of both together; 0 for no limit.
        reply: Tokens that are kept for the reply.

    Raises:
        ContextOverflow: They do not fit. The message says how the tokens were counted.
    """
    if not limit:
        return
    size = measured(request) + reply
    if size > limit:
        raise ContextOverflow(f"the request takes {size} of {limit} tokens, {_how()}")


def _how() -> str:
    """Return how `measured` counts, as words for a message."""
    if tokenizer.is_installed():
        return f"counted by {tokenizer.VOCABULARY}"
    return f"estimated at {BYTES} bytes each ({tokenizer.REMEDY} counts them)"


def _by_vocabulary(text: str) -> int:
    return tokenizer.count(text.encode("utf-8", "replace").decode())


def _of_message(message: Mapping[str, Any], count: Count) -> int:
    calls = message.get("tool_calls")
    texts = sum(_of_part(part, count) for part in messages.parts(message))
    return texts + (_of_json(calls, count) if calls else 0)


def _of_part(part: Any, count: Count) -> int:
    if isinstance(part, str):
        return count(part)
    return count(part["text"]) if messages.is_text(part) else PER_IMAGE


def _of_json(value: Any, count: Count) -> int:
    return count(json.dumps(value, ensure_ascii=False))
