"""A model's server that misbehaves: how the episodes that ask it end, and what is counted."""

from __future__ import annotations

import asyncio
import gzip
import itertools
import json
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.interface import FormatError, Reply, ToolCall
from agent.llm.asking import ask_for, only_call
from agent.llm.client import Client, Endpoint, Limits
from agent.llm.faults import (
    AccessRefused,
    ModelUnavailable,
    RequestRefused,
    RunStopped,
    UnreadableReply,
)
from agent.llm.transport.live import LARGEST_REPLY, Live
from evaluators.records import files, run_folder
from evaluators.records.models import Summary
from evaluators.run.api import run
from evaluators.run.config import ExecutorConfig, RunConfig
from scenarios import registry
from tests.loopback import Answer, Server, reply, serve
from tests.measuring import DEEP

HELLO = [{"role": "user", "content": "hello"}]
MOVES = ("search[lamp]", "think[not this one]", "stop[nothing fits]")
NO_FAULTS = {"met": {}, "mended": {}}

STATUSES = {
    429: "rate limit",
    408: "server error",
    409: "server error",
    500: "server error",
    502: "server error",
    503: "server error",
    504: "server error",
}
PASSING: dict[str, tuple[Answer, str]] = {
    **{str(n): (Server.fails(n, retry_after_ms="1"), kind) for n, kind in STATUSES.items()},
    "429 that does not say when": (Server.fails(429), "rate limit"),
    "hung up": (Answer(drop=True), "connection"),
    "reset": (Answer(reset=True), "connection"),
    "cut off": (Answer(b'{"choices": [', cut=50), "connection"),
    "no JSON": (Answer(b"<html>bad gateway</html>", content_type="text/html"), "unreadable reply"),
    "empty": (Answer(), "unreadable reply"),
    "half": (Answer(b'{"choices": [{"mess'), "unreadable reply"),
    "another encoding": (Answer('{"choices": ["\u00e9"]}'.encode("latin-1")), "unreadable reply"),
}
PLACES = {"first": 0, "middle": 1, "last": 2}


def deep(*values):
    return pytest.param(*values, marks=pytest.mark.deep)


ORDINARY = {
    ("429", "first"),
    ("429 that does not say when", "middle"),
    ("500", "last"),
    ("reset", "middle"),
    ("cut off", "last"),
    ("no JSON", "first"),
}
CASES = [each if each in ORDINARY else deep(*each) for each in itertools.product(PASSING, PLACES)]


@pytest.mark.wide
@pytest.mark.parametrize(("fault", "place"), CASES)
def test_a_fault_that_passes_does_no_harm_and_is_counted(run_one, model, fault, place):
    answer, kind = PASSING[fault]
    good = [reply(move) for move in MOVES]
    model.will(*good[: PLACES[place]], answer, *good[PLACES[place] :])
    record = run_one()
    assert (record["ended"], record["answer"]) == ("answered", "nothing fits"), record["error"]
    assert record["faults"] == {"met": {kind: 1}, "mended": {kind: 1}}
    assert record["llm_calls"] == 3 and len(model.requests) == 4
    assert record["usage"] == {"prompt": 300, "completion": 15}


@pytest.mark.wide
def test_three_limits_in_a_row_are_waited_for(run_one, model):
    limit = Server.fails(429, retry_after_ms="5")
    model.will(limit, limit, limit, *map(reply, MOVES))
    assert run_one()["faults"] == {"met": {"rate limit": 3}, "mended": {"rate limit": 3}}


@pytest.mark.wide
def test_a_limit_for_ever_is_a_fault_of_ours_until_a_later_try_mends_it(run_one, model):
    model.will(Server.fails(429, "slow down", retry_after_ms="1"))
    record = run_one()
    assert (record["ended"], record["cause"], record["success"]) == ("infra_error", "model", None)
    assert "429: slow down" in record["error"] and "\n" not in record["error"]
    assert record["faults"] == {"met": {"model": 1, "rate limit": 5}, "mended": {}}
    model.will(*map(reply, MOVES))
    record = run_one()
    assert (record["ended"], record["tries"]) == ("answered", 2)
    assert record["faults"] == {"met": {"model": 1, "rate limit": 5}, "mended": {"model": 1}}


def test_without_faults_none_are_counted(run_one, model):
    model.will(*map(reply, MOVES))
    assert run_one()["faults"] == NO_FAULTS


# No answer ---------------------------------------------------------------------------------------


@pytest.fixture
def ask(runner, model):
    """`ask(limits, url="")`: one request; what was counted stays in `ask.client.setbacks`."""

    class Ask:
        client: Client

        def __call__(self, limits: Limits, url: str = "", **options):
            async def once():
                live = Live(url or model.url, **options)
                self.client = Client(live, Endpoint("m", url or model.url, "k"), limits)
                try:
                    return await self.client.ask("p", HELLO)
                finally:
                    await live.aclose()

            return runner.run(once())

        @property
        def counted(self):
            return dict(self.client.setbacks.met), dict(self.client.setbacks.mended)

    return Ask()


def test_a_server_that_says_nothing_is_asked_again(ask, model):
    model.will(Answer(hang=True), reply("hi"))
    assert ask(Limits(max_retries=1, timeout_s=0.5)).reply.text == "hi"
    assert ask.counted == ({"timeout": 1}, {"timeout": 1})


@pytest.mark.parametrize(
    "answer",
    [
        Answer(b" " * 9999, drip=0.02),
        Answer(b'{"choices": [', endless=True),
        pytest.param(Answer(b" " * 9999, drip=1.0), marks=pytest.mark.deep),
    ],
    ids=["drip", "endless", "a byte a second"],
)
def test_the_deadline_counts_the_whole_call_and_not_the_wait_for_a_byte(ask, model, answer):
    model.will(answer)
    with pytest.raises(ModelUnavailable, match=r"within 0\.4 s"):
        ask(Limits(max_retries=0, timeout_s=9, deadline_s=0.4))
    assert ask.counted == ({"timeout": 1}, {})


def test_a_name_that_nobody_has(ask):
    with pytest.raises(ModelUnavailable, match=r"cannot reach http://nowhere\.invalid"):
        ask(Limits(max_retries=0), "http://nowhere.invalid/v1")
    assert ask.counted == ({"connection": 1}, {})


def test_a_port_where_nobody_listens(ask):
    with pytest.raises(ModelUnavailable, match="cannot reach"):
        ask(Limits(max_retries=0), "http://127.0.0.1:1/v1")
    assert ask.counted == ({"connection": 1}, {})


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_server_that_does_not_speak_tls(ask, model):
    with pytest.raises(ModelUnavailable, match="cannot reach https://"):
        ask(Limits(max_retries=0, timeout_s=2), model.url.replace("http:", "https:"))
    assert ask.counted == ({"connection": 1}, {})


def test_a_reply_that_is_too_large_is_not_read_to_its_end(ask, model):
    model.will(Answer(b" " * (LARGEST_REPLY + 2**20)))
    with pytest.raises(UnreadableReply, match=f"longer than {LARGEST_REPLY} bytes"):
        ask(Limits(max_retries=0))
    assert ask.counted == ({"unreadable reply": 2}, {})


def test_a_compressed_reply_that_would_grow_is_not_unpacked(ask, model):
    """Nobody has asked for compression, and what is sent so is read where it is small."""
    squeezed, largest = {"Content-Encoding": "gzip"}, 2**20
    model.will(
        Answer(gzip.compress(bytes(16 * largest)), headers=squeezed),
        Answer(gzip.compress(Server.says("hi").body), headers=squeezed),
    )
    assert ask(Limits(max_retries=0), largest_reply=largest).reply.text == "hi"
    assert model.requests[0].headers["accept-encoding"] == "identity"
    assert ask.counted == ({"unreadable reply": 1}, {"unreadable reply": 1})


# Refusals ----------------------------------------------------------------------------------------

REFUSED = {
    "400": Server.fails(400, "no such parameter"),
    "401": Server.fails(401, "bad key"),
    "403": Server.fails(403, "not you"),
    "404": Server.fails(404, "no such model"),
    "quota": Server.fails(429, "pay first", "insufficient_quota"),
}


@pytest.mark.wide
@pytest.mark.parametrize("refused", ["400", "401", deep("403"), deep("404"), deep("quota")])
def test_a_refused_first_request_ends_everything_and_spends_no_try(
    run_one, model, refused, tmp_path
):
    model.will(REFUSED[refused])
    with pytest.raises(AccessRefused) as error:
        run_one()
    assert len(model.requests) == 1 and "\n" not in str(error.value)
    assert not list(tmp_path.rglob("episode.json"))
    model.will(*map(reply, MOVES))
    assert (run_one()["tries"], len(model.requests)) == (1, 4)


def live_run(out: Path, seeds: range, **settings: int):
    executor = ExecutorConfig(**{"concurrency": 1, **settings})
    return run(["react"], registry.from_family("buy_item", seeds), RunConfig("live", out=out,
               executor=executor))  # fmt: skip


@pytest.mark.wide
def test_a_quota_that_ends_on_the_way_stops_the_run_and_keeps_what_is_done(model, tmp_path):
    """A request that is refused by itself, before that, is the failure of its own episode only."""
    spent = Server.fails(429, "pay first", "insufficient_quota")
    odd = Server.fails(400, "we do not talk about lamps")
    good = [reply(move) for move in MOVES]
    model.will(*good, odd, *good, good[0], spent)
    with pytest.raises(RequestRefused, match="refuses with 429: pay first"):
        live_run(tmp_path / "run", range(5))
    kept = {each.seed: each for each in run_folder.episodes(tmp_path / "run")}
    assert [(seed, each.ended) for seed, each in kept.items()] == [
        (0, "answered"),
        (1, "agent_error"),
        (2, "answered"),
    ]
    assert len(model.requests) == 9, "neither is asked again"
    assert files.read(Summary, tmp_path / "run/summary.json").rows[0].episodes == 3
    model.will(*(good * 2))
    assert live_run(tmp_path / "run", range(5)).rows[0].scored == 5


STOPS = {
    "no credit": Server.fails(400, "Your credit balance is too low to access the API"),
    "quota by its type": Server.gives({"error": {"message": "suspended", "type":
                                       "exceeded_current_quota_error"}}, 429),
    "payment": Server.fails(402, "Insufficient Balance"),
    "key": Server.fails(401, "this key was revoked"),
    "key by its words": Server.gives([{"error": {"message": "API key not valid."}}], 400),
    "rights": Server.fails(403, "your team has used all available credits"),
    "model": Server.fails(404, "The model does not exist", "model_not_found"),
    "a day's quota": Server.fails(429, "Limit reached on tokens per day (TPD)", retry_after="1"),
    "a long wait": Server.fails(429, "slow down", retry_after="100000"),
}  # fmt: skip


@pytest.mark.wide
@pytest.mark.parametrize(
    ("stop", "executor"),
    [
        ("no credit", {"concurrency": 1}),
        ("quota by its type", {"concurrency": 3}),
        ("a long wait", {"concurrency": 3}),
        ("payment", {"processes": 2}),
        *(deep(stop, {"concurrency": 2}) for stop in STOPS),
        *(deep(stop, {"processes": 2}) for stop in STOPS),
    ],
)
def test_a_server_that_stops_in_the_middle_blames_nobody(model, tmp_path, stop, executor):
    """The first episode ends, then nothing is answered: the run stops in one line, no other episode
    has a record, and the same command goes on."""
    turns = itertools.count()
    model.answering = lambda body: _turn(body) if next(turns) < 3 else STOPS[stop]
    with pytest.raises(RunStopped) as error:
        live_run(tmp_path / "run", range(4), **executor)
    assert "\n" not in str(error.value) and "; " in str(error.value)
    kept = list(run_folder.episodes(tmp_path / "run"))
    assert {each.ended for each in kept} <= {"answered"} and len(kept) < 4
    model.answering = _turn
    row = live_run(tmp_path / "run", range(4), **executor).rows[0]
    assert (row.scored, row.episodes) == (4, 4)
    assert {each.tries for each in run_folder.episodes(tmp_path / "run")} == {1}


STOPPED = r"cannot reach|takes no request"


@pytest.mark.wide
@pytest.mark.parametrize("executor", [{"concurrency": 2}, {"processes": 2}])
def test_a_server_that_dies_in_the_middle_spends_no_try(monkeypatch, tmp_path, executor):
    """The first episode ends, then nobody listens: the run stops in one line, and goes on with a
    server that was started again."""
    turns = itertools.count()
    for begin, error in ((0, RunStopped), (99, None)):
        with serve(lambda body: _turn(body) if next(turns) < 3 else Answer(dies=True)) as model:
            if begin:
                model.answering = _turn
            for name, value in model.environment.items():
                monkeypatch.setenv(name, value)
            settings = ExecutorConfig(**{"concurrency": 1, **executor})
            given = RunConfig("live", out=tmp_path, executor=settings, request_seconds=6)
            tasks = registry.from_family("buy_item", range(4))
            with pytest.raises(error, match=STOPPED) if error else nullcontext():
                run(["react"], tasks, given)
    kept = list(run_folder.episodes(tmp_path))
    assert [(each.ended, each.tries) for each in kept] == [("answered", 1)] * 4


def _turn(body):
    """The next of the moves, by how many were made."""
    made = sum(message["role"] == "assistant" for message in body["messages"])
    return reply(MOVES[min(made, len(MOVES) - 1)])


@pytest.mark.wide
def test_a_model_that_loads_for_long_spends_no_try_of_four_episodes(model, tmp_path):
    """Twenty refusals are more than all tries of all episodes; one request at a time meets them."""
    loading = iter(range(20))
    busy = Server.fails(503, "Loading model", retry_after_ms="5")
    model.answering = lambda body: _turn(body) if next(loading, None) is None else busy
    assert live_run(tmp_path / "run", range(4), concurrency=4).rows[0].scored == 4
    kept = list(run_folder.episodes(tmp_path / "run"))
    assert {(each.ended, each.tries) for each in kept} == {("answered", 1)}
    assert sum(each.faults.met["server error"] for each in kept if each.faults.met) == 20


# Replies of another kind -------------------------------------------------------------------------


def choice(**fields):
    return Answer(json.dumps({"choices": [{"index": 0, **fields}]}).encode())


ODD = {
    "no choices": Answer(b'{"choices": []}'),
    "no content": choice(message={"content": None}, finish_reason="stop"),
    "refusal": choice(message={"content": None, "refusal": "I will not"}, finish_reason="stop"),
    "cut at its length": reply("search[the very lo", finish_reason="length"),
}


@pytest.mark.wide
@pytest.mark.parametrize(
    "odd", ["no choices", "cut at its length", deep("no content"), deep("refusal")]
)
def test_a_reply_that_says_nothing_is_asked_for_again(run_one, model, odd):
    model.will(ODD[odd], *map(reply, MOVES))
    record = run_one()
    assert (record["ended"], record["llm_calls"]) == ("answered", 4), record["error"]
    assert record["events"]["reask"] == 1
    complaint = model.requests[1].body["messages"][-1]["content"]
    assert ("cut off" in complaint) is (odd == "cut at its length")


def call(*calls: tuple[str, str]) -> Answer:
    return Server.says("", calls=tuple(ToolCall(*each) for each in calls))


BAD_CALLS = {
    "cut off": call(("Search", '{"keywords": "la')),
    "another type": call(("Search", '{"keywords": ["lamp"]}')),
    "another name": call(("Steal", "{}")),
    "two": call(("Search", '{"keywords": "lamp"}'), ("Search", '{"keywords": "tea"}')),
    "unknown fields": call(("Search", '{"haste": true}')),
}


@pytest.mark.parametrize(
    "bad", ["cut off", *(deep(each) for each in BAD_CALLS if each != "cut off")]
)
def test_bad_calls_for_ever_are_complained_about_twice_and_then_the_agents_failure(
    run_one, model, bad
):
    def answer(body):
        return BAD_CALLS[bad] if "tools" in body else reply("I think I should search.")

    model.answering = answer
    record = run_one("laser")
    assert (record["ended"], record["success"]) == ("format_error", False), record["error"]
    assert record["events"]["reask"] == 2
    assert sum("tools" in each.body for each in model.requests) == 3


NAMES = st.sampled_from(["buy", "look", "Buy", "", "steal"])
ARGUMENTS = st.text('{}[]":, aé1\\', max_size=20) | st.sampled_from(
    ['{"item": "a"}', '{"item": "a"', '{"item": 1}', "{}", "[]", "null", '{"item": "a", "x": 1}']
)
TOOLS = [
    {"type": "function", "function": {"name": "buy", "parameters": {
        "properties": {"item": {"type": "string"}}, "required": ["item"],
        "additionalProperties": False}}},
    {"type": "function", "function": {"name": "look"}},
]  # fmt: skip


@settings(derandomize=True, max_examples=200 if DEEP else 50, deadline=None)
@given(st.lists(st.lists(st.builds(ToolCall, NAMES, ARGUMENTS), max_size=3), min_size=3))
def test_any_calls_are_read_or_end_after_two_complaints(replies):
    left = iter(replies)

    class Model:
        async def ask(self, purpose, messages, **options):
            return Reply(("",), tuple(next(left)))

    try:
        name, given_ = asyncio.run(ask_for(Model(), "p", HELLO, lambda r: only_call(r, TOOLS)))
    except FormatError:
        assert len(list(left)) == len(replies) - 3
    else:
        assert name in ("buy", "look") and isinstance(given_, dict)


@pytest.mark.parametrize(
    "usage",
    [None, deep({"prompt_tokens": -1, "completion_tokens": 5})],
    ids=["missing", "negative"],
)
def test_unknown_usage_makes_the_cost_unknown_and_never_nothing(run_one, model, usage):
    body = json.loads(reply("stop[]").body)
    model.will(Server.gives({**body, "usage": usage}))
    record = run_one()
    assert record["ended"] == "answered"
    assert record["cost_usd"] is None and record["usage"]["prompt"] is None


# Too long ----------------------------------------------------------------------------------------

LONG = Server.fails(400, "too long", "context_length_exceeded")


def test_a_context_that_overflows_ends_the_episode_as_left(run_one, model):
    model.will(reply("search[lamp]"), LONG)
    record = run_one()
    assert (record["ended"], record["cause"]) == ("truncated", "context")
    assert record["success"] is False and len(model.requests) == 2


def test_a_method_that_can_say_it_in_fewer_words_does_so(run_one, model):
    """The server takes no request that shows the start page whole."""
    model.will(LONG, reply("a page where one can search"))
    record = run_one("plan-act")
    assert record["events"]["abstract"] >= 1 and record["cause"] != "context", record["error"]
    assert "a page where one can search" in str(model.requests[2].body["messages"])
