"""Function calls in texts, and arguments in the habits of models: read, or complained about."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.interface import Reply, ToolCall
from agent.llm import lenient_json, thought, written_calls
from agent.llm.asking import only_call
from tests.each import for_each

LAMP = ToolCall("Search", '{"keywords": "lamp"}')
NESTED = json.dumps({"name": "Search", "arguments": '{"keywords": "lamp"}'})
KIMI = "<|tool_calls_section_begin|><|tool_call_begin|>functions.Search:0"
DEEPSEEK = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>Search"
FORMS = {
    "LASER's": '{"action": "Search", "arguments": {"keywords": "lamp"}}',
    "OpenAI's": '{"name": "Search", "arguments": {"keywords": "lamp"}}',
    "Llama's": '{"name": "Search", "parameters": {"keywords": "lamp"}}',
    "a Python dict": "{'name': 'Search', 'arguments': {'keywords': 'lamp'}}",
    "an apostrophe": "It's {'name': 'Search', 'arguments': {'keywords': 'lamp'}}",
    "arguments as a text": NESTED,
    "a namespace": '{"name": "functions.Search", "arguments": {"keywords": "lamp"}}',
    "a trailing comma": '{"name": "Search", "arguments": {"keywords": "lamp",},}',
    "a fence": '```json\n{"name": "Search", "arguments": {"keywords": "lamp"}}\n```',
    "typographic quotes": "{“name”: “Search”, “arguments”: {“keywords”: “lamp”}}",
    "prose with braces": 'I take {it}: {"name": "Search", "arguments": {"keywords": "lamp"}}. Yes.',
    "a function within": '{"function": {"name": "Search", "arguments": {"keywords": "lamp"}}}',
    "a list": '[{"type": "function", "function": {"name": "Search", '
    '"arguments": {"keywords": "lamp"}}}]',
    "tool_calls": f'{{"tool_calls": [{{"id": "a", "function": {NESTED}}}]}}',
    "function_call": f'{{"function_call": {NESTED}}}',
    "Cohere's": '{"tool_call_id": "0", "tool_name": "Search", "parameters": {"keywords": "lamp"}}',
    "LangChain's": '{"action": "Search", "action_input": {"keywords": "lamp"}}',
    "no field for arguments": '{"name": "Search", "keywords": "lamp"}',
    "Hermes": '<tool_call>\n{"name": "Search", "arguments": {"keywords": "lamp"}}\n</tool_call>',
    "Qwen3-Coder": "<tool_call>\n<function=Search>\n<parameter=keywords>\nlamp\n</parameter>\n"
    "</function>\n</tool_call>",
    "Llama 3.1": '<function=Search>{"keywords": "lamp"}</function>',
    "a python tag": '<|python_tag|>{"name": "Search", "parameters": {"keywords": "lamp"}}',
    "Mistral": '[TOOL_CALLS] [{"name": "Search", "arguments": {"keywords": "lamp"}}]',
    "Mistral's newer": '[TOOL_CALLS]Search[ARGS]{"keywords": "lamp"}',
    "Kimi K2": f'{KIMI}<|tool_call_argument_begin|>{{"keywords": "lamp"}}<|tool_call_end|>',
    "DeepSeek": f'{DEEPSEEK}\n```json\n{{"keywords": "lamp"}}\n```<｜tool▁call▁end｜>',
    "GLM": "<tool_call>Search\n<arg_key>keywords</arg_key>\n<arg_value>lamp</arg_value>\n"
    "</tool_call>",
    "MiniMax": '<minimax:tool_call>\n<invoke name="Search">\n<parameter name="keywords">lamp'
    "</parameter>\n</invoke>\n</minimax:tool_call>",
    "gpt-oss": "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary "
    'to=functions.Search <|constrain|>json<|message|>{"keywords": "lamp"}<|call|>',
    "gpt-oss, recipient first": "<|start|>assistant to=functions.Search<|channel|>commentary "
    'json<|message|>{"keywords": "lamp"}<|call|>',
    "gpt-oss without tokens": "analysisI search.assistantcommentary to=functions.Search json"
    '{"keywords": "lamp"}',
    "Python": 'Search(keywords="lamp")',
    "Python in a list": '[functions.Search(keywords="lamp")]',
    "twice the same": '{"name": "Search", "arguments": {"keywords": "lamp"}}\n' * 2,
    "behind a thought": '<think>{"name": "Back"}</think>{"name": "Search", '
    '"arguments": {"keywords": "lamp"}}',
}


@for_each("form", FORMS)
def test_a_call_is_read_in_every_form(form):
    reply, _ = thought.split(FORMS[form])
    assert written_calls.read(reply) == (LAMP,)


@for_each(
    "text",
    [
        *("", "I think I should search.", "{}", "[1]", '{"keywords": "lamp"}', "{name: Search}"),
        *('{"name": "Search", "arguments": {"keywords": "la', "Search lamp", "{" * 5_000),
        *('{"name": 5}', "__import__('os').system('true')", "[" * 5_000, "f(" * 5_000),
    ],
)
def test_what_is_no_call_is_none(text):
    assert written_calls.read(text) == ()


def test_two_different_calls_are_two():
    text = '{"name": "Search", "arguments": {}} {"name": "Back", "arguments": null}'
    assert [each.name for each in written_calls.read(text)] == ["Search", "Back"]


@given(st.text("{}[]()'\":,\\ aN1=<>\n") | st.text())
def test_any_text_is_read_without_an_error(text):
    assert isinstance(written_calls.read(text), tuple)
    assert all(json.loads(json.dumps(each)) == each for each in lenient_json.objects(text))


# Arguments --------------------------------------------------------------------------------------

SEARCH = {
    "type": "function",
    "function": {
        "name": "Search",
        "parameters": {
            "properties": {
                "keywords": {"type": "string"},
                "max_price": {"type": "string"},
                "most": {"type": "number"},
                "page": {"type": "integer"},
                "new": {"type": "boolean"},
            },
            "required": ["keywords"],
            "additionalProperties": False,
        },
    },
}
BACK = {"type": "function", "function": {"name": "Back"}}


@for_each(
    ("written", "meant"),
    [
        ('{"keywords": "lamp"}', {}),
        ("{'keywords': 'lamp', 'new': True}", {"new": True}),
        ('{"keywords": "lamp",}', {}),
        ('"{\\"keywords\\": \\"lamp\\"}"', {}),
        ('{"keywords": "lamp", "max_price": 50}', {"max_price": "50"}),
        ('{"keywords": "lamp", "max_price": 49.99}', {"max_price": "49.99"}),
        ('{"keywords": "lamp", "most": "50"}', {"most": 50}),
        ('{"keywords": "lamp", "most": "$1,049.50"}', {"most": 1049.5}),
        ('{"keywords": "lamp", "page": "2"}', {"page": 2}),
        ('{"keywords": "lamp", "new": "false"}', {"new": False}),
        ('{"keywords": "lamp", "most": null}', {}),
        ('{"keywords": "lamp"}\n', {}),
    ],
)
def test_arguments_with_one_reading_are_read(written, meant):
    call = ToolCall("functions.search", written)
    name, found = only_call(Reply(("",), (call,)), [SEARCH, BACK])
    assert (name, found) == ("Search", {"keywords": "lamp", **meant})


@for_each("written", ["", "null", "{}", '"{}"', "None", " "])
def test_no_arguments_are_none(written):
    assert only_call(Reply(("",), (ToolCall("Back", written),)), [SEARCH, BACK]) == ("Back", {})


@for_each(
    ("written", "why"),
    [
        ("[]", "must be a JSON object"),
        ("lamp", "are no JSON"),
        ('{"keywords": NaN}', "NaN is no JSON value"),
        ('{"keywords": null}', "must be a string, not null"),
        ('{"keywords": ["lamp"]}', "must be a string"),
        ('{"keywords": true}', "must be a string, not true"),
        ('{"keywords": "a", "most": "cheap"}', 'must be a number, not "cheap"'),
        ('{"keywords": "a", "page": "2.5"}', 'must be a whole number, not "2.5"'),
        ('{"keywords": "a", "new": 0}', "must be true or false, not 0"),
        ("{'keywords': __import__('os')}", "are no JSON"),
        ("{'keywords': b'a'}", "are no JSON"),
        ('{"keywords": "a", "haste": true}', "does not take haste"),
    ],
)
def test_arguments_with_no_reading_are_complained_about(written, why):
    with pytest.raises(ValueError, match="Search") as error:
        only_call(Reply(("",), (ToolCall("Search", written),)), [SEARCH, BACK])
    assert why in str(error.value)
