"""What a reply says, what its model thought: every mark of the table, and words that are none."""

from __future__ import annotations

import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.llm import completion, thought
from agent.llm.client import Client, Endpoint
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.transport.offline import Recording
from tests.each import ROOT, for_each

WANTED, OTHER = "click [12]", "click [3]"
FINAL = "<|start|>assistant<|channel|>final<|message|>"
SAMPLES = (
    ("<think>", "</think>"),
    ("<think>\n", "\n</think>\n\n"),
    ("<thinking>", "</thinking>"),
    ("<Thinking>", "</Thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ('<thinking effort="high">', "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n\n"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("[unused16]", "[unused17]"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|assistant|><think>", "</think>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("Thinking...\n", "\n...done thinking.\n\n"),
    ('<details type="reasoning" done="true">\n', "\n</details>\n"),
    ("analysis", "assistantfinal"),
    ("Here is my thought process:\n", "\nHere is my response:\n"),
    ("Here's my thought process:\n", "\nHere's my response:\n"),
    ("<|channel|>analysis<|message|>", f"<|end|>{FINAL}"),
    ("<|start|>assistant<|channel|>analysis<|message|>", f"<|end|>{FINAL}"),
    ("<|channel|>commentary<|message|>", f"<|end|>{FINAL}"),
)  # fmt: skip
MULLED = f"We could {OTHER}, or so."


@for_each(("opens", "closes"), SAMPLES)
def test_a_thought_is_no_part_of_the_reply(opens, closes):
    assert thought.split(f"{opens}{MULLED}{closes}{WANTED}") == (WANTED, MULLED)
    shown = f"Thought: it fits.\nAction: {WANTED}"
    assert thought.split(f"{opens}{MULLED}{closes}{shown}")[0] == shown


@for_each(("opens", "closes"), SAMPLES)
def test_a_thought_that_was_cut_off_is_no_reply(opens, closes):
    assert thought.split(f"{opens}{MULLED}") == ("", MULLED)


@for_each(
    ("opens", "closes"), [each for each in SAMPLES if not each[0].startswith(("Here", "<details"))]
)
def test_an_opening_mark_that_the_server_swallowed(opens, closes):
    assert thought.split(f"{MULLED}{closes}{WANTED}") == (WANTED, MULLED)


@for_each(
    "text",
    [
        f"<think>{OTHER}</think>\n<answer>\n{WANTED}\n</answer>",
        f"<think>{OTHER}\n<answer>{WANTED}</answer>",
        f"<think>{OTHER}</think><|begin_of_box|>{WANTED}<|end_of_box|>",
        f"<|begin_of_thought|>a<|end_of_thought|><|begin_of_solution|>{WANTED}<|end_of_solution|>",
        f"<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>{WANTED}<|END_RESPONSE|>",
        f"<|close|>think<|sep|><|open|>response<|sep|>{WANTED}<|close|>response<|sep|>",
        f"{WANTED}<|close|>response<|sep|><|close|>message<|sep|>",
        f"<think>{OTHER}</thinking>{WANTED}",
        f"<think>a</think>\n<think>{OTHER}</think>\n{WANTED}",
        f"<think><think>a</think>{OTHER}</think>{WANTED}",
        f"<thinking>a<reflection>{OTHER}</reflection>b</thinking>{WANTED}",
        f"{WANTED}\n<think>or {OTHER}",
        f"{WANTED}<think>or {OTHER}</think>",
        f"<|channel|>analysis<|message|>a<|end|>{FINAL}{WANTED}<|return|>",
        f"<s>{WANTED}</s>",
        f"<|start|>assistant<|message|>{WANTED}<|end|>",
        f"<|im_start|>assistant\n{WANTED}<|im_end|>",
        f"<|start_header_id|>assistant<|end_header_id|>\n\n{WANTED}<|eot_id|>",
        f"<start_of_turn>model\n{WANTED}<end_of_turn>\n<eos>",
    ],
)
def test_further_forms(text):
    assert thought.split(text)[0] == WANTED


ENDS = (
    *("</s>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<|endoftext|>", "<end_of_turn>"),
    "<|return|>",
    *("[/INST]", "<｜end▁of▁sentence｜>", "<eos>", "<|end_of_text|>", "<|eom_id|>", "<turn|>"),
    *("<|END_OF_TURN_TOKEN|>", "<|im_end|>\n<|endoftext|>", "<|user|>", "[EOS]", "</s></s>"),
    *("<|im_end|>\n<|im_start|>user\nclick [3]", "</s>[INST] click [3]"),
    *("<end_of_turn>\n<start_of_turn>user\nclick [3]", "<|endoftext|>Human: \nclick [3]"),
)  # fmt: skip


@for_each("end", ENDS)
def test_a_token_that_ends_a_turn_ends_the_reply(end):
    assert thought.split(f"{WANTED}{end}") == (WANTED, "")
    assert thought.split(f"{WANTED} {end}\n") == (WANTED, "")


@for_each(
    "text",
    [
        "type [3] [</s>]",
        "type [3] [</think>]",
        "type [3] [<think>why</think>] [1]",
        "type [3] [a </think> b]",
        "type [3] [<|channel|>final<|message|>x]",
        "type [3] [<|im_end|>\n<|im_start|>user]",
        'type(3, "</s>")',
        "type(3, '<|im_end|>')",
        "agent.type('#a', '</think>')\nagent.click('#b')",
        "search[<|endoftext|>]",
        "note [the field holds\n</think>\nand so on]",
        "stop [</reasoning>]",
        '{"keywords": "</think>"}',
        '{"action": {"verb": "type", "id": 3, "text": "a</think>b"}}',
        "Thought: the page shows `</think>` there.\nAction: click [12]",
        'Thought: the mark "</think>" is missing.\nAction: click [12]',
        "Thought: I use the <think> tag.\nAction: click [12]",
        "think[I look for it]",
        "[THINKPAD] is the name",
        "<s>12.50</s> 9.99 <s>8.00</s>",
        "Here is my response:\nclick [12]",
        "The analysis: it fits. The assistant finally said so.",
        "analysis of the page: it fits",
        "REASON: so\nACTION: click [12]",
        "  click [12]\n",
        "",
    ],
)
def test_what_is_no_mark_stays_as_it_is(text):
    assert thought.split(text) == (text, "")


def test_a_call_in_a_channel_stays_for_its_reader():
    text = (
        '<|channel|>analysis<|message|>{"keywords": "tea"}?<|end|><|start|>assistant<|channel|>'
        'commentary to=functions.Search <|constrain|>json<|message|>{"keywords": "lamp"}<|call|>'
    )
    reply, mulled = thought.split(text)
    assert reply == '<|channel|>commentary to=functions.Search<|message|>{"keywords": "lamp"}'
    assert mulled == '{"keywords": "tea"}?'


PIECES = [each for pair in SAMPLES for each in pair] + [*ENDS, " [", "] ", "(", '"', "\n", "a", "<"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_marks_in_any_order_are_read(pieces):
    reply, mulled = thought.split("".join(pieces))
    assert isinstance(reply, str) and isinstance(mulled, str)


@given(st.text())
def test_a_text_without_marks_is_its_own_reply(text):
    if not re.search(r"[<◁\[]|analysis|assistant|Here", text):
        assert thought.split(text) == (text, "")


@pytest.mark.wide
def test_a_flood_of_marks_takes_no_long_time():
    started = time.process_time()
    for piece in ("<think>", "</think>", "[/INST]", "<|channel|>", "analysis", "<|", "<" * 10):
        thought.split(piece * 50_000)
    assert time.process_time() - started < 30


def test_no_recording_and_no_prompt_has_a_mark():
    """What is replayed and what is asked reads as it did before there were marks."""
    for path in sorted((ROOT / "tests" / "cassettes").rglob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            for choice in (json.loads(line).get("reply") or {}).get("choices", ()):
                text = choice["message"].get("content") or ""
                assert thought.split(text) == (text, ""), path


# Parts of a content -----------------------------------------------------------------------------


def reply_of(content):
    return completion.read({"choices": [{"message": {"content": content}}]})[0].text


@for_each(
    "parts",
    [
        [{"type": "reasoning", "text": OTHER}, {"type": "text", "text": WANTED}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": OTHER}]}, {"text": WANTED}],
        [{"type": "thinking", "thinking": OTHER, "text": OTHER}, {"type": "text", "text": WANTED}],
        [{"type": "redacted_thinking", "data": "x"}, {"type": "output_text", "text": WANTED}],
        [{"type": "text", "text": OTHER, "thought": True}, {"type": "text", "text": WANTED}],
        [{"type": "text", "text": None}, {"type": "text", "text": WANTED}],
        [{"type": "text"}, {"type": "text", "text": {"value": WANTED}}],
        [{"type": "reasoning_text", "text": OTHER}, WANTED],
        [
            {"type": "text", "text": f"<think>{OTHER}"},
            {"type": "text", "text": f"</think>{WANTED}"},
        ],
        [{"type": "image_url", "image_url": {"url": "x"}}, {"type": "text", "text": WANTED}],
    ],
)
def test_of_a_content_in_parts_only_texts_are_the_reply(parts):
    assert reply_of(parts) == WANTED


def test_a_part_without_text_is_no_text():
    assert reply_of([{"type": "text", "text": None}]) == ""
    assert reply_of([{"type": "reasoning", "text": OTHER}]) == ""


# Through a client -------------------------------------------------------------------------------


def test_a_thought_stays_in_the_recording(runner, server, live, tmp_path):
    text = f"<think>{OTHER}</think>{WANTED}</s>"
    server.will(server.says(text, f"{OTHER}</think>{WANTED}"))
    writer = CassetteWriter(tmp_path / "e.jsonl", "gpt-x", {})
    client = Client(Recording(live, writer), Endpoint("gpt-x", server.url, "k"))
    exchange = runner.run(client.ask("p", [{"role": "user", "content": "hello"}], n=2))
    writer.close()
    assert exchange.reply.texts == (WANTED, WANTED)
    (call,) = Cassette.read(tmp_path / "e.jsonl").calls
    assert call.reply["choices"][0]["message"]["content"] == text


# The table in the docs --------------------------------------------------------------------------


def test_the_docs_list_every_mark():
    """Each row of docs/thought.md begins with marks that are read, and each of ours is there."""
    table = (ROOT / "docs" / "thought.md").read_text(encoding="utf-8")
    cells = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", table, re.M)
    rows = [tuple(cell.replace(r"\|", "|") for cell in row) for row in cells]
    assert all(
        any(re.fullmatch(mark.opens, opens) for opens, _ in rows)
        for mark in thought.THOUGHTS
        if not mark.opens.startswith(r"\A")
    )
    for opens, closes in rows:
        assert thought.split(f"{opens}{MULLED}{closes}{WANTED}") == (WANTED, MULLED), opens
