"""Detection of models that reason before they answer: their hidden tokens count towards a reply's
limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from agent.llm import thought
from agent.llm.transport import json_calls

CAP = "max_completion_tokens"
EFFORT = "reasoning_effort"
_NAMES = re.compile(
    r"(^|[/:.])(o[134](-|$)|gpt-5|gpt-oss|deepseek-(r|reasoner)|qwq|qwen3|magistral|glm-(4\.[5-9]|[5-9])"
    r"|grok-[4-9]|gemini-(2\.5|[3-9])|kimi-k2-think|minimax-m)|reason|think"
)
_INSTANT = re.compile(r"gpt-5(\.\d+)?-chat|qwen3-.*instruct|non-reasoning|nothink")


def does_reason(model: str) -> bool:
    """Return whether a model with this name is known to produce reasoning before its answer."""
    name = model.lower()
    return bool(_NAMES.search(name)) and not _INSTANT.search(name)


def wants_reasoning(body: Mapping[str, Any]) -> bool:
    """Return whether a request asks for reasoning."""
    return body.get(EFFORT) not in (None, "none")


def spent_on_reasoning(reply: Mapping[str, Any]) -> bool:
    """Return whether a reply was cut off at its limit of tokens, partly because of reasoning."""
    found = [each for each in json_calls.choices(reply) if isinstance(each, dict)]
    return any(each.get("finish_reason") == "length" for each in found) and (
        _counted(reply) or any(_reasoned(each.get("message")) for each in found)
    )


def _counted(reply: Mapping[str, Any]) -> bool:
    usage = reply.get("usage")
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    return bool(isinstance(details, dict) and details.get("reasoning_tokens"))


def _reasoned(message: object) -> bool:
    if not isinstance(message, dict):
        return False
    content = message.get("content")
    spoken, thought_of = thought.split(content) if isinstance(content, str) else ("", "")
    written = bool(thought_of) and not spoken.strip()
    return bool(written or message.get("reasoning_content") or message.get("reasoning"))
