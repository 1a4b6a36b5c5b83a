"""Steps: each look at the page with what the model was traced, said and did there."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.llm.completion import completion
from agent.llm.messages import with_picture
from agent.llm.recording.cassette import CassetteWriter
from evaluators.report import loading
from evaluators.report.frames import NOT_IN_TRACE, REFUSED, Call, Event, Frame, frames
from evaluators.report.texts import Texts
from tests.evaluators.report.handmade import (
    FENCED,
    FIRST,
    PROMPTS,
    SECOND,
    TRACE,
    action,
    call,
    end,
    event,
    look,
    record,
    say,
)


class Shown:
    """The frames of a run's only episode, with texts for their numbers."""

    def __init__(self, run: Path) -> None:
        self.texts = Texts()
        (episode,) = loading.read(run).episodes
        self.frames, self.faults = frames(episode, self.texts), episode.faults

    def text(self, number: int | None) -> str | None:
        table = self.texts.table()
        if number is None:
            return None
        return "\n".join(table["lines"][index] for index in table["texts"][number])

    def calls(self, frame: Frame) -> list[Call]:
        return [each for each in frame.happened if isinstance(each, Call)]

    def events(self, frame: Frame) -> list[tuple[str, str | None]]:
        return [(each.word, self.text(each.text)) for each in frame.happened if each.kind != "call"]

    def prompt(self, asked: Call) -> list[tuple[str, str | None, bool]]:
        return [(each.role, self.text(each.text), each.new) for each in asked.messages]


def test_a_frame_for_each_look_with_what_was_done_there(run):
    run.add(record("react"))
    shown = Shown(run.path)
    first, second, last = shown.frames
    assert [each.title for each in shown.frames] == ["Page 0", "Page 1", "Page 2"]
    assert (first.step, first.action, first.target) == (1, "click [Lamp]", "link 'Lamp'")
    assert first.error == "No element on this page is named Lamp."
    assert second.error == ""
    assert shown.events(first) == [("think", "hm")]
    assert last.action == "" and shown.events(last) == [("end", None)]


def test_the_page_as_text_is_shown_only_where_no_prompt_shows_it(run):
    run.add(record("react"))
    shown = Shown(run.path)
    assert [shown.text(each.text) for each in shown.frames] == [None, None, "receipt as text"]


def test_an_agent_without_a_model_sees_the_page_as_text(run):
    run.add(record("expert"), [look(0, "start"), action(1, "click [1]"), look(1, "end"), end()])
    shown = Shown(run.path)
    assert [shown.text(each.text) for each in shown.frames] == ["start", "end"]


def test_a_prompt_is_what_it_adds_to_the_one_before(run):
    run.add(record("react"))
    shown = Shown(run.path)
    (one,), (two,) = shown.calls(shown.frames[0]), shown.calls(shown.frames[1])
    assert one.before == 0
    assert shown.prompt(one) == [(each["role"], each["content"], True) for each in FIRST]
    assert two.before == 2
    assert shown.prompt(two) == [
        ("assistant", "think[hm]", False),
        ("user", SECOND[-1]["content"], True),
    ]
    assert [shown.text(each) for each in two.reply] == ["click[Buy]"]
    assert two.tokens == (500, 3) and two.seconds == 0.004 and two.settings == "model scripted"


def test_the_same_request_again_still_opens_its_last_message(run):
    run.add(record("react"), prompts=[(FIRST, "?"), (FIRST, "click[Buy]")])
    shown = Shown(run.path)
    (repeated,) = shown.calls(shown.frames[1])
    assert repeated.before == 1
    assert shown.prompt(repeated) == [("user", FIRST[-1]["content"], True)]


def test_purposes_do_not_share_their_earlier_messages(run):
    trace = [
        look(0, "start"),
        call(1, "shorter", purpose="ash/summary"),
        call(2, "click[Buy]"),
        end(),
    ]
    home = run.add(record("react"), trace, prompts=[])
    writer = CassetteWriter(home / "llm.jsonl", "scripted", {})
    for purpose, reply in (("ash/summary", "shorter"), ("react/act", "click[Buy]")):
        request = {"model": "scripted", "messages": list(FIRST)}
        writer.write(purpose, request, completion([reply]))
    writer.close()
    shown = Shown(run.path)
    assert [each.before for each in shown.calls(shown.frames[0])] == [0, 0]


def test_tools_and_their_calls_are_shown(run):
    tools = [{"type": "function", "function": {"name": "click_item"}}]
    named = [{"name": "click_item", "arguments": '{"id":4}'}]
    home = run.add(record("react"), [look(0, "start"), call(1, "", calls=named), end()], prompts=[])
    writer = CassetteWriter(home / "llm.jsonl", "scripted", {})
    writer.write(
        "react/act",
        {"model": "scripted", "messages": list(FIRST), "tools": tools, "temperature": 0},
        completion([""]),
    )
    writer.close()
    shown = Shown(run.path)
    (asked,) = shown.calls(shown.frames[0])
    assert [shown.text(each) for each in asked.reply] == ['click_item({"id":4})']
    assert "click_item" in (shown.text(asked.tools) or "")
    assert asked.settings == "model scripted, temperature 0"


def test_messages_of_parts_and_of_tool_calls_are_read(run):
    calls = [{"function": {"name": "go", "arguments": "{}"}}]
    messages = [
        say("user", [{"type": "text", "text": "look"}, {"type": "image", "size": 3}]),
        {"role": "assistant", "content": None, "tool_calls": calls},
    ]
    run.add(record("react"), [look(0, ""), call(1, "x"), end()], prompts=[(messages, "x")])
    shown = Shown(run.path)
    (asked,) = shown.calls(shown.frames[0])
    assert [text for _, text, _ in shown.prompt(asked)] == ["look\n3 · image", "go({})"]


def test_a_picture_is_told_by_a_note(run):
    message = with_picture(say("user", "look"), b"PNG" * 50_000)
    run.add(record("react"), [look(0, ""), call(1, "x"), end()], prompts=[([message], "x")])
    shown = Shown(run.path)
    (asked,) = shown.calls(shown.frames[0])
    [(_, text, _)] = shown.prompt(asked)
    assert text.startswith("look\n[picture ") and len(text) < 80


def test_a_request_that_was_too_long_stands_before_the_one_that_was_not(run):
    home = run.add(record("react"), [look(0, "s"), call(1, "click[Buy]"), end()], prompts=[])
    writer = CassetteWriter(home / "llm.jsonl", "scripted", {})
    error = {"error": {"code": "context_length_exceeded", "message": "too long"}}
    writer.write("react/act", {"model": "scripted", "messages": list(SECOND)}, error, 400)
    writer.write(
        "react/act", {"model": "scripted", "messages": list(FIRST)}, completion(["click[Buy]"])
    )
    writer.close()
    shown = Shown(run.path)
    refused, answered = shown.calls(shown.frames[0])
    assert (refused.note, refused.reply) == (REFUSED, ())
    assert answered.note == "" and answered.before == 1


def test_an_embedding_is_shown_with_its_texts(run):
    trace = [look(0, "s"), call(1, "1 x 2 numbers", purpose="synapse/embed"), end()]
    home = run.add(record("react"), trace, prompts=[])
    writer = CassetteWriter(home / "llm.jsonl", "gpt-x", {})
    reply = {"data": [{"index": 0, "embedding": [0.6, 0.8]}], "usage": {"prompt_tokens": 3}}
    for text in ("Task: buy a lamp\nState:\n<button>Buy</button>", "told by nobody"):
        writer.write("synapse/embed", {"model": "ada", "input": [text]}, reply)
    writer.close()
    shown = Shown(run.path)
    traced, recorded = (call for frame in shown.frames for call in shown.calls(frame))
    assert [text for _, text, _ in shown.prompt(traced)] == [
        "Task: buy a lamp\nState:\n<button>Buy</button>"
    ]
    assert traced.settings == "model ada"
    assert (traced.note, recorded.note) == ("", NOT_IN_TRACE)
    assert [shown.text(each.reply[0]) for each in (traced, recorded)] == ["1 x 2 numbers"] * 2


def test_calls_that_the_trace_does_not_tell_of_are_shown_at_the_end(run):
    run.add(record("react"), [look(0, "start"), end()])
    shown = Shown(run.path)
    left = shown.calls(shown.frames[-1])
    assert [each.note for each in left] == [NOT_IN_TRACE, NOT_IN_TRACE]
    assert [shown.text(each.reply[0]) for each in left] == [reply for _, reply in PROMPTS]


def test_a_call_without_a_recording_keeps_its_reply(run):
    run.add(record("react"), prompts=[PROMPTS[0]])
    shown = Shown(run.path)
    (asked,) = shown.calls(shown.frames[1])
    assert asked.before is None and asked.messages == ()
    assert [shown.text(each) for each in asked.reply] == ["click[Buy]"]
    assert shown.text(shown.frames[1].text) == "lamp page as text"


def test_events_exceptions_and_a_new_attempt(run):
    trace = [
        look(0, "start"),
        event("push", "find", depth=2),
        event("attempt", "2"),
        look(0, "start repeated"),
        {"kind": "error", "text": "Traceback: boom"},
        end(ended="agent_error", cause="exception", error="KeyError: 'x'"),
    ]
    run.add(record("expert"), trace)
    shown = Shown(run.path)
    assert shown.events(shown.frames[0]) == [("push", "find"), ("attempt", "2")]
    pushed = shown.frames[0].happened[0]
    assert isinstance(pushed, Event) and pushed.details == "depth: 2"
    assert shown.events(shown.frames[1]) == [
        ("error", "Traceback: boom"),
        ("end", "KeyError: 'x'"),
    ]
    assert shown.frames[1].happened[1].details == "agent_error exception"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kind": "observation", "step": 1}, "observation.url: Field required (and 4 more)"),
        ({"kind": "action", "step": "1", "action": "", "target": ""}, "action.step: Input should"),
        ({"kind": "call", "purpose": "react/act"}, "call.call: Field required"),
        ({"kind": "event", "word": "think"}, "event.what: Field required"),
        ({"kind": "surprise"}, "Input tag 'surprise' found using 'kind' does not match"),
        ({}, "Unable to extract tag using discriminator 'kind'"),
    ],
)
def test_a_line_of_another_shape_is_named_and_the_rest_is_shown(run, wrong, message):
    run.add(record("expert"), [TRACE[0], wrong, end()])
    shown = Shown(run.path)
    [fault] = shown.faults
    assert fault.startswith(f"episodes/expert/buy_item-0/0/trace.jsonl, line 2: {message}")
    assert shown.events(shown.frames[-1]) == [("end", None)]
    assert shown.text(shown.frames[0].text) == TRACE[0]["text"]


def test_fences_in_a_prompt_stay_for_the_script_to_find(run):
    run.add(record("react"))
    shown = Shown(run.path)
    (asked,) = shown.calls(shown.frames[0])
    assert shown.prompt(asked)[1][1] == FENCED.format("start as the model saw it")


STACKED = (
    look(0, "start"),
    event("push", "root", depth=1, objective="buy a red lamp"),
    call(1, "find [lamp]"),
    event("push", "find", depth=2, objective="find [lamp]"),
    call(2, "click [1]"),
    action(1, "click [1]"),
    look(1, "lamp"),
    call(3, "stop [done]"),
    event("pop", "find", depth=2, value="done"),
    call(4, "stop []"),
    event("pop", "root", depth=1, value=""),
    end(),
)


def test_the_stack_of_policies_at_each_look(run):
    run.add(record("step", llm_calls=0), STACKED)
    shown = Shown(run.path)
    first, second = shown.frames
    assert [(e.depth, e.policy, e.change, shown.text(e.text)) for e in first.stack] == [
        (1, "root", "push", "buy a red lamp"),
        (2, "find", "push", "find [lamp]"),
    ]
    assert [(e.depth, e.policy, e.change, shown.text(e.text)) for e in second.stack] == [
        (1, "root", "", None),
        (2, "find", "", None),
        (2, "find", "pop", "done"),
        (1, "root", "pop", None),
    ]
    assert first.active is not None and (first.active.depth, first.active.policy) == (2, "find")
    assert second.active is None
    assert [each.policy for each in (*shown.calls(first), *shown.calls(second))] == [
        *("root", "find", "find", "root"),
    ]


def test_a_push_that_does_not_say_what_for_is_an_event_like_others(run):
    run.add(record("step", llm_calls=0), [look(0, "x"), event("push", "root", depth=1), end()])
    shown = Shown(run.path)
    assert shown.frames[0].stack == () and shown.faults == ()
    assert shown.events(shown.frames[0]) == [("push", "root"), ("end", None)]
