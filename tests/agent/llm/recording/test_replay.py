"""Replay: the recorded answers in their order, and a loud end otherwise."""

from __future__ import annotations

import asyncio
import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.llm.client import Client, Endpoint, Limits
from agent.llm.completion import completion
from agent.llm.messages import with_picture
from agent.llm.recording.cassette import Cassette, CassetteFault, CassetteWriter
from agent.llm.recording.replay import WHO_ANSWERS, CassetteMiss, CassetteUnused, Replay
from agent.llm.transport.offline import Recording, Scripted
from tests.measuring import DEEP

AGAIN = "rehearse run --record DIR"
TOOLS = [{"type": "function", "function": {"name": "buy", "description": "Buy it now"}}]
PAGE = "Results\n[1] red shoes $20\n[2] blue shoes $30\n\nWhat now?"


def asked(text, role="user"):
    return [{"role": "system", "content": "You shop."}, {"role": role, "content": text}]


def count_up():
    numbers = iter(range(1000))
    return Scripted(lambda purpose, body: completion([f"reply {next(numbers)}"]))


async def talk(client, *exchanges):
    return [(await client.ask(*exchange, tools=TOOLS)).reply.text for exchange in exchanges]


EXCHANGES = [("react/act", asked(PAGE)), ("react/act", asked(PAGE)), ("react/sum", asked("More"))]


@pytest.fixture
def cassette(tmp_path, runner):
    writer = CassetteWriter(tmp_path / "e.jsonl", "scripted", {})
    client = Client(Recording(count_up(), writer), Endpoint("scripted"))
    assert runner.run(talk(client, *EXCHANGES)) == ["reply 0", "reply 1", "reply 2"]
    writer.close()
    return Cassette.read(tmp_path / "e.jsonl")


def client(replay, model="scripted"):
    return Client(replay, Endpoint(model), Limits(max_retries=3))


def test_the_same_questions_get_the_same_answers(cassette, runner):
    replay = Replay(cassette, AGAIN)
    assert runner.run(talk(client(replay), *EXCHANGES)) == ["reply 0", "reply 1", "reply 2"]
    replay.finish()


def test_only_the_order_among_equal_questions_matters(cassette, runner):
    replay = Replay(cassette, AGAIN)
    turned = [EXCHANGES[2], EXCHANGES[0], EXCHANGES[1]]
    assert runner.run(talk(client(replay), *turned)) == ["reply 2", "reply 0", "reply 1"]


def test_the_purpose_is_no_part_of_the_question(cassette, runner):
    replay = Replay(cassette, AGAIN)
    assert runner.run(talk(client(replay), ("other/name", asked(PAGE)))) == ["reply 0"]


def test_two_replays_of_one_cassette_do_not_mix(cassette, runner):
    async def both():
        episodes = [client(Replay(cassette, AGAIN)) for _ in range(2)]
        return await asyncio.gather(*(talk(episode, *EXCHANGES) for episode in episodes))

    assert runner.run(both()) == [["reply 0", "reply 1", "reply 2"]] * 2


def miss(runner, cassette, *exchanges, model="scripted"):
    with pytest.raises(CassetteMiss) as error:
        runner.run(talk(client(Replay(cassette, AGAIN), model), *exchanges))
    assert isinstance(error.value, CassetteFault)
    return str(error.value).splitlines()


def test_a_miss_shows_what_changed_and_what_to_do(cassette, runner):
    lines = miss(runner, cassette, EXCHANGES[0], ("react/act", asked(PAGE.replace("$30", "$31"))))
    assert lines[0] == f"{cassette.path}: no recorded answer to call 2, react/act"
    assert lines[1] == "--- recorded: react/act, line 4"
    assert lines[2] == "+++ asked now"
    assert "-[2] blue shoes $30" in lines
    assert "+[2] blue shoes $31" in lines
    assert " [1] red shoes $20" in lines
    assert lines[-1] == f"record again: {AGAIN}"


def test_the_nearest_request_has_the_same_purpose(cassette, runner):
    lines = miss(runner, cassette, ("react/sum", asked(PAGE + "!")))
    assert lines[1].startswith("--- recorded: react/sum")
    lines = miss(runner, cassette, ("new/purpose", asked(PAGE + "!")))
    assert lines[1].startswith("--- recorded: react/act")


@pytest.mark.parametrize(
    ("now", "shown"),
    [
        (PAGE + "\u200b", "+What now?\\u200b"),
        (PAGE.replace("\n\n", "\n\r\n"), "+\\r"),
        (PAGE.replace("red shoes", "red\u00a0shoes"), "+[1] red\\xa0shoes $20"),
    ],
)
def test_a_difference_that_nobody_sees_is_shown(cassette, runner, now, shown):
    assert shown in miss(runner, cassette, ("react/act", asked(now)))


def test_a_role_a_model_a_setting_show_in_the_diff(cassette, runner):
    assert "+[developer]" in miss(runner, cassette, ("react/act", asked(PAGE, "developer")))
    lines = miss(runner, cassette, EXCHANGES[0], model="gpt-x")
    assert "-model: scripted" in lines and "+model: gpt-x" in lines


def test_a_picture_is_part_of_the_question_and_shown_by_a_note(tmp_path, runner):
    one, other = ([with_picture(*asked(PAGE)[1:], b"%d" % n * 90_000)] for n in (1, 2))
    writer = CassetteWriter(tmp_path / "e.jsonl", "scripted", {})
    recording = Client(Recording(count_up(), writer), Endpoint("scripted"))
    assert runner.run(talk(recording, ("react/act", one))) == ["reply 0"]
    writer.close()
    recorded = Cassette.read(tmp_path / "e.jsonl")
    replay = Replay(recorded, AGAIN)
    assert runner.run(talk(client(replay), ("react/act", one))) == ["reply 0"]
    replay.finish()
    lines = miss(runner, recorded, ("react/act", other))
    notes = [line for line in lines if "[picture " in line]
    assert [line[0] for line in notes] == ["-", "+"] and "base64" not in "".join(lines)


def test_a_question_too_many_says_so(cassette, runner):
    lines = miss(runner, cassette, *EXCHANGES[:2], EXCHANGES[0])
    assert lines[0].endswith("call 3, react/act: it was recorded 2 times and is asked again")
    assert lines[-1] == f"record again: {AGAIN}"


def test_a_long_diff_is_cut(cassette, runner):
    lines = miss(runner, cassette, ("react/act", asked("\n".join(map(str, range(5000))))))
    assert len(lines) < 100 and "more lines" in lines[-2]


@pytest.mark.parametrize(
    ("speaker", "options"),
    [
        ("scripted", "--llm scripted"),
        ("person", "--llm person"),
        ("toy", "--llm live --model toy"),
        ("a model", "--llm live --model 'a model'"),
    ],
)
def test_the_command_names_the_model_that_was_recorded(tmp_path, runner, speaker, options):
    CassetteWriter(tmp_path / "e.jsonl", speaker, {}).close()
    replay = Replay(Cassette.read(tmp_path / "e.jsonl"), f"rehearse run {WHO_ANSWERS}")
    with pytest.raises(CassetteMiss, match=f"record again: rehearse run {options}$"):
        runner.run(talk(client(replay), EXCHANGES[0]))


def test_an_empty_recording(tmp_path, runner):
    CassetteWriter(tmp_path / "e.jsonl", "m", {}).close()
    lines = miss(runner, Cassette.read(tmp_path / "e.jsonl"), EXCHANGES[0])
    assert "the recording is empty" in lines[0]


def test_what_was_not_asked_for_is_loud(cassette, runner):
    replay = Replay(cassette, AGAIN)
    runner.run(talk(client(replay), EXCHANGES[0]))
    with pytest.raises(CassetteUnused) as error:
        replay.finish()
    assert "2 of 3 recorded calls were not asked for: react/act (line " in str(error.value)
    assert AGAIN in str(error.value)


def spots(value, path=()):
    """Where the texts of a JSON value are, those of `model` and `role` included."""
    if isinstance(value, str):
        return [path] if value else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return [spot for name, item in pairs for spot in spots(item, (*path, name))]


BODY = {"messages": asked(PAGE), "tools": TOOLS}


@settings(derandomize=True, max_examples=250 if DEEP else 50, deadline=None)
@given(st.data())
def test_one_changed_character_anywhere_is_a_miss(shared, runner, data):
    body = copy.deepcopy(BODY)
    *way, last = data.draw(st.sampled_from(spots(BODY)))
    inner = body
    for name in way:
        inner = inner[name]
    text = inner[last]
    at = data.draw(st.integers(0, len(text) - 1))
    new = data.draw(st.sampled_from("aZ0 \n\u200b\u0430é?").filter(lambda char: char != text[at]))
    inner[last] = text[:at] + data.draw(st.sampled_from([new, "", new + text[at]])) + text[at + 1 :]
    with pytest.raises(CassetteMiss):
        runner.run(
            client(Replay(shared, AGAIN)).ask("react/act", body["messages"], tools=body["tools"])
        )


@pytest.fixture(scope="module")
def shared(tmp_path_factory, runner):
    path = tmp_path_factory.mktemp("shared") / "e.jsonl"
    writer = CassetteWriter(path, "scripted", {})
    runner.run(talk(Client(Recording(count_up(), writer), Endpoint("scripted")), EXCHANGES[0]))
    writer.close()
    return Cassette.read(path)
