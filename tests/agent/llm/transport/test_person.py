"""A person as the model: the folder of open requests, and which replies fit."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from agent.interface import Reply, ToolCall
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import AccessRefused, RequestRefused
from agent.llm.transport import person
from agent.llm.transport.person import BadReply, Person

PLACE = Path("react@scripted-0.5", "buy_item", "7.2.jsonl")
SEARCH = {
    "type": "function",
    "function": {
        "name": "search",
        "parameters": {
            "type": "object",
            "properties": {"words": {"type": "string"}, "most": {"type": "integer"}},
            "required": ["words"],
            "additionalProperties": False,
        },
    },
}
TALK = [{"role": "user", "content": "What next?"}]


async def until(found):
    """Wait until `found()` is true of the folder; pytest's own limit is the deadline."""
    while True:
        if value := found():
            return value
        await asyncio.sleep(0.01)


async def answered(folder: Path, *replies: str, **options) -> tuple[Reply, list[dict]]:
    """The reply to one request, and the open requests as they were before each reply."""
    client = Client(Person(folder, PLACE), Endpoint("person"), Limits())
    asking = asyncio.create_task(client.ask("react/act", TALK, **options))
    seen = []
    for number, text in enumerate(replies):
        wanted = bool(number)
        (asked,) = await until(
            lambda wanted=wanted: [
                each for each in person.open_requests(folder) if bool(each["error"]) == wanted
            ]
        )
        seen.append(asked)
        person.save(folder / f"{asked['id']}.reply", text)
    return (await asking).reply, seen


def test_a_request_is_a_file_and_its_reply_the_file_beside_it(tmp_path, runner):
    reply, (asked,) = runner.run(answered(tmp_path, "click[Lamp]\n"))
    assert reply.text == "click[Lamp]" and reply.calls == ()
    assert asked["id"] == "buy_item-7.2-react@scripted-0.5-1"
    assert asked["agent"] == "react@scripted-0.5" and asked["scenario"] == "buy_item/7"
    assert asked["trial"] == 2 and asked["purpose"] == "react/act"
    assert asked["messages"] == TALK and "tools" not in asked
    assert list(tmp_path.iterdir()) == []


def test_a_function_call_is_checked_and_a_bad_one_leaves_the_request_open(tmp_path, runner):
    bad = json.dumps({"name": "search", "arguments": {"most": "3"}})
    good = json.dumps({"name": "search", "arguments": {"words": "red lamp", "most": 3}})
    reply, (_, refused) = runner.run(answered(tmp_path, bad, good, tools=[SEARCH]))
    assert refused["error"] == "search needs words; give every required argument"
    assert reply.calls == (ToolCall("search", '{"words": "red lamp", "most": 3}', "call_0"),)
    assert list(tmp_path.iterdir()) == []


def test_what_was_refused_is_not_lost(tmp_path):
    asked = {"id": "one", "tools": [SEARCH], "messages": TALK}
    with person.opened(tmp_path, asked):
        (tmp_path / "one.reply").write_text('{"name": "find", "arguments": {}}')
        assert person.take(tmp_path, asked) is None
        assert (tmp_path / "one.refused").read_text() == '{"name": "find", "arguments": {}}'
        assert (tmp_path / "one.error").read_text() == "call search, not 'find'"
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_a_reply_that_is_still_being_written(tmp_path):
    asked = {"id": "one", "messages": TALK}
    with person.opened(tmp_path, asked):
        (tmp_path / "one.reply").touch()
        assert person.take(tmp_path, asked) is None
        assert (tmp_path / "one.reply").exists()


def test_one_sample_answers_a_request_for_several_and_stop_ends_a_text(tmp_path, runner):
    reply, (asked,) = runner.run(answered(tmp_path, "A\nObservation: B", n=5, stop=["\nObs"]))
    assert asked["n"] == 5
    assert reply.texts == ("A",)


def test_a_reply_left_by_a_killed_run_answers_nothing(tmp_path):
    (tmp_path / "one.reply").write_text("click[Old]")
    with person.opened(tmp_path, {"id": "one", "messages": TALK}):
        assert person.take(tmp_path, {"id": "one", "messages": TALK}) is None


def test_a_cancelled_request_is_closed(tmp_path, runner):
    async def cancelled():
        client = Client(Person(tmp_path, PLACE), Endpoint("person"))
        asking = asyncio.create_task(client.ask("react/act", TALK))
        await until(lambda: person.open_requests(tmp_path))
        asking.cancel()
        await asyncio.wait({asking})
        return asking.cancelled()

    assert runner.run(cancelled())
    assert list(tmp_path.iterdir()) == []


def test_only_our_files_are_cleared(tmp_path):
    for name in ("a.json", "a.reply", "a.error", "a.refused", "notes.txt"):
        (tmp_path / name).touch()
    person.clear(tmp_path)
    person.clear(tmp_path / "none")
    person.clear(None)
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["../out", "a/b", "", "\0", "none"])
def test_no_name_leads_out_of_the_folder(tmp_path, name):
    (tmp_path / "out.json").write_text("{}")
    (tmp_path / "requests").mkdir()
    assert person.load(tmp_path / "requests", name) is None


def test_two_long_names_share_no_file(tmp_path):
    places = [Path(f"react:words={'x' * 200}{end}", "buy_item", "1.0.jsonl") for end in "ab"]
    names = {Person(tmp_path, place)._described("", {})["id"] for place in places}
    assert len(names) == 2 and max(map(len, names)) < 130


def test_embeddings_are_refused(tmp_path, runner):
    client = Client(Person(tmp_path, PLACE), Endpoint("person"))
    with pytest.raises((RequestRefused, AccessRefused), match="makes no embeddings"):
        runner.run(client.embed("synapse/key", ["a"], model="m"))


FORCED = {"tools": [SEARCH], "tool_choice": {"type": "function", "function": {"name": "search"}}}


@pytest.mark.parametrize(
    ("text", "asked", "problem"),
    [
        ("", {}, "the reply is empty"),
        (" \n", {}, "the reply is empty"),
        ("x" * (2**20 + 1), {}, "longer than"),
        ("search lamps", FORCED, "wants a call of search"),
        ('{"name": "find", "arguments": {}}', {"tools": [SEARCH]}, "call search, not 'find'"),
        ('{"name": "search", "arguments": []}', FORCED, "must be a JSON object"),
        ('{"name": "search", "arguments": "{"}', FORCED, "are no JSON"),
        ('{"name": ["search"], "arguments": {}}', FORCED, "call search, not"),
    ],
)
def test_replies_that_do_not_fit(text, asked, problem):
    with pytest.raises(BadReply, match=problem):
        person.read_reply(text, asked)


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('{"name": "search", "arguments": {}}', {}),
        ('{"name": "search", "arguments": {}, "why": 1}', {"tools": [SEARCH]}),
        ("[1]", {"tools": [SEARCH]}),
        ("  kept as typed\n\n", {}),
    ],
)
def test_everything_else_is_a_text(text, asked):
    assert person.read_reply(text, asked) == Reply((text.removesuffix("\n"),))


def test_arguments_may_be_json_in_a_text():
    text = json.dumps({"name": "search", "arguments": '{"words": "a"}'})
    assert person.read_reply(text, FORCED).calls[0].arguments == '{"words": "a"}'


def test_requests_come_in_the_order_in_which_they_were_asked(tmp_path):
    for name, at in (("b", "2026-01-01T00:00:02"), ("a", "2026-01-01T00:00:09")):
        person.save(tmp_path / f"{name}.json", json.dumps({"id": name, "asked_at": at}))
    (tmp_path / "half.json").write_text('{"id": ')
    assert [each["id"] for each in person.open_requests(tmp_path)] == ["b", "a"]
