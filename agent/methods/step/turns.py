"""One turn of a policy: the messages that the model gets, and the reading of its reply (SteP,
section 4).

The reply is a REASON and an ACTION. An action is an action of our grammar, or the call of a policy
in the same form: `name [argument] ...`. The first word alone decides which.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent import action_schema, action_text, actions, renderings
from agent.interface import Action, Message, Observation, Reply, Type
from agent.llm.asking import message
from agent.llm.structured import ReplyForm
from agent.methods.step.policy_library import Example, Policy
from agent.prompting import Prompts
from agent.renderings import dated
from agent.renderings.markers import guard


@dataclass(frozen=True)
class PolicyReply:
    """A policy's decision.

    Attributes:
        reason: The reason that the model gave; "" if it gave none.
        text: The line that the history keeps.
        move: The action on the page, or the policy to call.
    """

    reason: str
    text: str
    move: Action | Policy


_REASON = re.compile(r"^\W*(?i:reason):\s*(.*?)(?=\n[^\S\n]*[A-Z]|\Z)", re.DOTALL | re.MULTILINE)


def read(
    reply: Reply, offered: Mapping[str, Policy], operations: Collection[str] = actions.VERBS
) -> PolicyReply:
    """Read the first sample of a reply as an operation or the call of a policy.

    Args:
        reply: The model's reply.
        offered: The policies that may be called, by name.
        operations: The verbs of the operations that may be used.

    Raises:
        ValueError: The reply has no valid action; the message is written for the model.
    """
    text = reply.text.strip()
    arities = {name: policy.arity for name, policy in offered.items()}
    called = action_text.call(text, (*operations, *offered), action_text.ARITIES | arities)
    called = " ".join(called.split()) if called.partition(" ")[0] in offered else called
    move = _move(called, offered)
    reason = _REASON.search(text)
    line = called if isinstance(move, Policy) else actions.show(move)
    return PolicyReply(reason[1].strip() if reason else "", line, move)


def _move(text: str, offered: Mapping[str, Policy]) -> Action | Policy:
    """Return the action that a text stands for, or the policy if the text is a call of one."""
    name, arguments = actions.call(text)
    if name in offered:
        policy = offered[name]
        if len(arguments) != policy.arity:
            raise ValueError(f"{text[:100]!r} has {len(arguments)} arguments; write {policy.form}")
        return policy
    action = actions.parse(text)
    return replace(action, text=_bare(action.text)) if isinstance(action, Type) else action


def _bare(text: str) -> str:
    """Return the text without the quotation marks around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def form(offered: Mapping[str, Policy], operations: Iterable[str], reason: bool) -> ReplyForm:
    """Return the JSON form of a policy's reply: one action or policy call, and a reason
    if wanted.
    """
    calls = [_call(name, policy) for name, policy in offered.items()]
    chosen = action_schema.one_of([*action_schema.operations(operations), *calls])
    why = {"reason": action_schema.TEXT} if reason else {}
    return ReplyForm(action_schema.an_object(**why, action=chosen), _written)


def _call(name: str, policy: Policy) -> action_schema.Schema:
    """Return the JSON schema of a policy's call, with the right number of arguments."""
    texts = {"type": "array", "items": action_schema.TEXT}
    count = {"minItems": policy.arity, "maxItems": policy.arity}
    return action_schema.a_call(name, arguments={**texts, **count})


def _written(value: Mapping[str, Any]) -> str:
    """Return a JSON reply converted to the text format, a REASON and an ACTION."""
    move = value["action"]
    if "arguments" in move:
        texts = (f"[{actions.bracketed(each)}]" for each in move["arguments"])
        line = " ".join((move["verb"], *texts))
    else:
        line = action_schema.text(move)
    reason = f"REASON: {value['reason']}\n" if "reason" in value else ""
    return f"{reason}ACTION: {line}"


@dataclass(frozen=True)
class Situation:
    """The input of a policy's turn: objective, page, last error, and the lines of its history
    (`previous`).
    """

    objective: str
    observation: Observation
    error: str = ""
    previous: Sequence[str] = ()


def with_dates(prompts: Prompts) -> Prompts:
    """Return the prompts with the rendering that shows the days of a calendar as whole dates, if
    the site's file names one. Examples get it, too.
    """
    rendering = prompts.data.get("rendering_with_dates", prompts.rendering)
    return replace(prompts, data={**prompts.data, "rendering": rendering})


def messages(
    prompts: Prompts, system: str, examples: Iterable[Example], situation: Situation
) -> list[Message]:
    """Return the messages of a turn: the instruction, one message per example, and the input."""
    shown = [example(prompts, each) for each in examples]
    introduced = [prompts.say("examples"), *shown] if shown else []
    talk = [message("system", text) for text in (system, *introduced)]
    return [*talk, message("user", _input(prompts, situation))]


def example(prompts: Prompts, example: Example) -> str:
    """Return an example turn as text for the prompt."""
    page = example.observation.strip()
    return prompts.say(
        "example",
        objective=example.objective,
        page=dated.redrawn(page) if prompts.rendering == "dated" else page,
        url=example.url,
        previous=_lines(example.previous),
        reason=example.reason,
        action=example.action,
    )


def _input(prompts: Prompts, situation: Situation) -> str:
    """Return the input of a turn as text for the prompt."""
    url = situation.observation.url  # it has a section of its own
    observation = replace(situation.observation, url="", error=situation.error or None)
    return prompts.say(
        "input",
        objective=situation.objective,
        observation=guard(renderings.get(prompts.rendering).render(observation)),
        error=situation.error,
        url=url,
        previous=_lines(situation.previous),
    )


def _lines(previous: Sequence[str]) -> str:
    """Return the history as text; "None" if it is empty."""
    return "\n".join(previous) or "None"
