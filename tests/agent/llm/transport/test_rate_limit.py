"""Requests and tokens a minute, over all episodes and processes."""

from __future__ import annotations

import multiprocessing
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.llm.client import Client, Endpoint
from agent.llm.completion import completion
from agent.llm.transport.offline import Scripted
from agent.llm.transport.rate_limit import BURST_SECONDS, RateLimit, RateLimited


def test_a_burst_goes_out_at_once_and_the_rest_at_its_rate():
    pace = RateLimit(requests_per_minute=60)
    waits = [pace.reserve(0, now=100.0) for _ in range(9)]
    assert waits == [0.0] * 7 + [1.0, 2.0]
    assert pace.reserve(0, now=103.0) == 0.0, "what was promised has gone out"
    assert pace.reserve(0, now=1000.0) == 0.0


def test_tokens_are_paced_too_and_the_slower_one_counts():
    pace = RateLimit(requests_per_minute=6000, tokens_per_minute=6000)
    assert pace.reserve(600, now=100.0) == 0.0, "an empty bucket lets the first one through"
    assert pace.reserve(600, now=100.0) == pytest.approx(0.0)
    assert pace.reserve(600, now=100.0) == pytest.approx(6.0)
    assert RateLimit().reserve(10**9, now=100.0) == 0.0


def test_those_that_share_no_memory_keep_a_part_each():
    assert RateLimit(60, 6000).part(3) == (20, 2000)


@settings(derandomize=True, max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 5), min_size=1, max_size=60), st.integers(1, 600))
def test_no_minute_sees_more_than_the_rate_and_the_burst(gaps, rate):
    pace, now, sent = RateLimit(requests_per_minute=rate), 100.0, []
    for gap in gaps:
        now += gap
        sent.append(now + pace.reserve(0, now))
    for begin in sent:
        within = sum(begin <= each < begin + 60 for each in sent)
        assert within <= rate * (60 + BURST_SECONDS) / 60 + 1 + 1e-6


def _reserve(pace: RateLimit, count: int) -> None:
    for _ in range(count):
        pace.reserve(0, now=100.0)


@pytest.mark.wide
def test_processes_share_a_pace():
    pace = RateLimit(requests_per_minute=60)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_reserve, args=(pace, 10)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert pace.reserve(0, now=100.0) == 20 - BURST_SECONDS


def test_a_request_waits_for_its_turn(runner):
    def complete(purpose, body):
        return completion(["hi"])

    paced = RateLimited(Scripted(complete), RateLimit(requests_per_minute=60_000 / 100))
    client = Client(paced, Endpoint("m"))
    begun = time.monotonic()
    for _ in range(64):
        runner.run(client.ask("a/b", [{"role": "user", "content": "hello"}]))
    assert time.monotonic() - begun > 0.25, "sixty at once, then one a tenth of a second"
