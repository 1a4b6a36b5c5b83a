"""Function calls that a model writes into its text, in the formats of model families.

A server should return calls in a field of their own, but some leave them in the text, and models
that got no functions write JSON. Only `read` knows these formats.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agent.interface import ToolCall
from agent.llm import lenient_json

NAMES = (
    "name",
    "action",
    "function",
    "tool",
    "tool_name",
    "function_name",
    "verb",
    "recipient_name",
)
ARGUMENTS = (
    "arguments", "parameters", "args", "params", "input", "action_input", "tool_input", "kwargs",
)  # fmt: skip
WITHIN = ("function", "function_call", "tool_call", "action")
BESIDE = {"type", "index", "tool_call_id", "thought", "reason", "reasoning", "rationale"}
"""Fields next to a written call's name that are not arguments of the call."""
Value = Mapping[str, Any]

_FENCE = r"\s*(?:```(?:json)?\s*)?(?=\{)"
_WITH_JSON = tuple(
    re.compile(head + _FENCE)
    for head in (
        r"\bto=([\w.-]+)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*(?:<\|message\|>)?",
        r"<function(?:=|\s+name=)\"?([\w.-]+)\"?>",
        r"<｜tool▁sep｜>([\w.-]+)",
        r"<\|tool_call_begin\|>\s*([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>",
        r"\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[ARGS\])?",
        r"<\|tool_call>call:([\w.-]+)",
    )
)
"""Patterns of call formats that give a function's name, followed by the arguments as a
JSON object.
"""
_WITH_PARAMETERS = (
    (
        re.compile(r"<function=\s*([\w.-]+)\s*>(.*?)(?:</function>|\Z)", re.DOTALL),
        re.compile(
            r"<parameter=\s*([\w-]+)\s*>\n?(.*?)\n?(?=</parameter>|<parameter=|\Z)", re.DOTALL
        ),
    ),
    (
        re.compile(r"<invoke\s+name=[\"']?([\w.-]+)[\"']?\s*>(.*?)(?:</invoke>|\Z)", re.DOTALL),
        re.compile(
            r"<parameter\s+name=[\"']?([\w-]+)[\"']?[^>]*>(.*?)(?=</parameter>|\Z)", re.DOTALL
        ),
    ),
    (
        re.compile(
            r"<tool_call>\s*([A-Za-z_][\w.-]*)\s*(<arg_key>.*?)(?:</tool_call>|\Z)", re.DOTALL
        ),
        re.compile(
            r"<arg_key>\s*([\w-]+)\s*</arg_key>\s*<arg_value>(.*?)(?=</arg_value>|\Z)", re.DOTALL
        ),
    ),
)
"""Pairs of patterns for call formats that give each argument between marks of its own: the first
finds the call, the second its arguments.
"""


def read(text: str) -> tuple[ToolCall, ...]:
    """Return the calls in a text in order, without duplicates; () if it has none."""
    for form in _FORMS:
        calls = dict.fromkeys(form(text))
        if calls:
            return tuple(calls)
    return ()


def bare(name: str) -> str:
    """Return a function's name without the namespace that gpt-oss and others put before it."""
    return name.strip().removeprefix("functions.").removeprefix("function.")


def _named(text: str) -> Iterator[ToolCall]:
    for pattern in _WITH_JSON:
        for found in pattern.finditer(text):
            for given in lenient_json.objects(text[found.end() :])[:1]:
                yield _call(found[1], given)


def _with_parameters(text: str) -> Iterator[ToolCall]:
    for pattern, parameter in _WITH_PARAMETERS:
        for name, inner in pattern.findall(text):
            yield _call(name, {key: _typed(value) for key, value in parameter.findall(inner)})


def _typed(text: str) -> Any:
    """Return the value of an argument that is written between marks: a list or an object if it is
    JSON of one, else the text.
    """
    bare_text = text.strip()
    try:
        return lenient_json.loads(bare_text) if bare_text[:1] in ("[", "{") else bare_text
    except ValueError:
        return bare_text


def _in_objects(text: str) -> Iterator[ToolCall]:
    for value in lenient_json.objects(text):
        yield from _of(value)


def _of(value: Value) -> Iterator[ToolCall]:
    """Yield the function calls that a JSON object stands for, including calls nested in it or in a
    list.
    """
    several = value.get("tool_calls")
    if isinstance(several, list):
        for each in several:
            yield from _of(each) if isinstance(each, dict) else ()
        return
    inner = next((value[key] for key in WITHIN if isinstance(value.get(key), dict)), None)
    if inner is not None:
        yield from _of(inner)
        return
    key = next((key for key in NAMES if isinstance(value.get(key), str)), None)
    if key is not None:
        yield _call(value[key], _given(value, key))


def _given(value: Value, key: str) -> Any:
    """Return the arguments of a function call that a JSON object stands for.

    They are in a field, possibly as a text, or they are the fields next to the name.
    """
    field = next((each for each in ARGUMENTS if each in value), None)
    if field is None:
        beside = {*BESIDE, key, *(["id"] if "type" in value else [])}
        return {each: value[each] for each in value if each not in beside}
    return value[field]


def _in_python(text: str) -> Iterator[ToolCall]:
    """Yield the calls in a text such as `Search(keywords="lamp")`, or in a list of such calls."""
    try:
        tree = ast.parse(re.sub(r"\A```\w*\s|\s*```\Z", "", text.strip()), mode="eval").body
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return
    for each in tree.elts if isinstance(tree, ast.List) else [tree]:
        if (
            isinstance(each, ast.Call)
            and not each.args
            and isinstance(each.func, ast.Name | ast.Attribute)
        ):
            named = {word.arg: ast.unparse(word.value) for word in each.keywords if word.arg}
            written = ", ".join(f"{json.dumps(name)}: {value}" for name, value in named.items())
            yield from _python_call(ast.unparse(each.func), f"{{{written}}}")


def _python_call(name: str, arguments: str) -> Iterator[ToolCall]:
    try:
        yield _call(name, lenient_json.loads(arguments))
    except ValueError:
        return


def _call(name: str, given: Any) -> ToolCall:
    if isinstance(given, str):
        text = given.strip() or "{}"
    else:
        text = json.dumps({} if given is None else given, ensure_ascii=False)
    return ToolCall(bare(name), text)


_FORMS: tuple[Callable[[str], Iterator[ToolCall]], ...] = (
    _named,
    _with_parameters,
    _in_objects,
    _in_python,
)
