"""How long a server asks to wait, in its headers and in its words."""

from __future__ import annotations

import httpx2
import pytest

from agent.llm.transport.wanted_wait import wanted_wait
from tests.each import for_each

DATE = "Sun, 09 Sep 2001 01:46:40 GMT"  # the second 1e9

WANTED = [
    ({"retry-after": "150"}, b"", 150),
    ({"retry-after": "0.3"}, b"", 0.3),
    ({"retry-after": "2 minutes"}, b"", 120),
    ({"retry-after": "1000000000"}, b"", 1e9),
    ({"retry-after-ms": "250", "retry-after": "9"}, b"", 0.25),
    ({"retry-after-ms": "soon", "retry-after": "2"}, b"", 2),
    ({"retry-after": "Sun, 09 Sep 2001 01:48:10 GMT", "date": DATE}, b"", 90),
    ({"retry-after": "3", "x-ratelimit-reset-tokens": "6m0s"}, b"", 3),
    ({"x-ratelimit-reset-requests": "6m0s"}, b"", 360),
    ({"x-ratelimit-reset-tokens": "120ms"}, b"", 0.12),
    ({"x-ratelimit-reset-tokens": "1h2m3.5s"}, b"", 3723.5),
    ({"x-ratelimit-reset": "30"}, b"", 30),
    ({"x-ratelimit-reset": "1000000050", "date": DATE}, b"", 50),
    ({"x-ratelimit-reset": "1000000050000", "date": DATE}, b"", 50),
    ({"anthropic-ratelimit-requests-reset": "2001-09-09T01:47:40Z", "date": DATE}, b"", 60),
    (
        {
            "x-ratelimit-reset-requests": "6m0s",
            "x-ratelimit-remaining-requests": "7",
            "x-ratelimit-reset-tokens": "1s",
            "x-ratelimit-remaining-tokens": "0",
        },
        b"",
        1,
    ),
    ({}, b'{"error": "gpt2 is currently loading", "estimated_time": 20.0}', 20),
    ({}, b'[{"error": {"details": [{"retryDelay": "26s"}]}}]', 26),
    ({}, b'{"error": {"message": "Limit 6000. Please try again in 7m12s. Need more?"}}', 432),
    ({}, b'{"error": {"message": "Please retry after 6 seconds."}}', 6),
    ({}, b"Please wait 80000 seconds before retrying.", 80000),
    ({}, b'{"error": {"message": "try again in 250ms"}}', 0.25),
]

NOTHING = ["", " ", "0", "-1", "-0.5", "nan", "inf", "-inf", "1e400", "9" * 400, "soon", "1, 5",
           "Fri, 99 Foo 2099 25:61:61 GMT", "Sun, 09 Sep 2001 01:46:39 GMT", "0x10", "1_0",
           "s", "m5", "5 parsecs", "\u0663"]  # fmt: skip


@for_each(("headers", "body", "seconds"), WANTED)
def test_a_wait_is_read(headers, body, seconds):
    assert wanted_wait(httpx2.Headers(headers), body) == pytest.approx(seconds)


@for_each("name", ["retry-after", "retry-after-ms", "x-ratelimit-reset-tokens"])
def test_what_is_no_wait_is_passed_over(name):
    for text in NOTHING:
        headers = httpx2.Headers([(name.encode(), text.encode()), (b"date", DATE.encode())])
        assert wanted_wait(headers, b"") is None, text


@for_each(
    "body",
    [
        b"", b"[" * 5000, b'{"estimated_time": NaN}', b'{"estimated_time": -5}', b"null", b"\xff",
        b'{"retry_after": {"a": []}}', b'{"error": {"message": "try again later"}}',
    ],
)  # fmt: skip
def test_a_body_without_a_wait(body):
    assert wanted_wait(httpx2.Headers(), body) is None
