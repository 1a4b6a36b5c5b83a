"""`vision=true`: the newest page is sent as a picture beside its text, and changes nothing for a
model that sees none."""

from __future__ import annotations

from typing import Any

import pytest

from agent.llm import messages, tokens
from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Call, Cassette
from agent.renderings import markers
from tests.contracts.harness import RecordedEpisode
from tests.each import for_each
from tests.measuring import DEEP

pytestmark = pytest.mark.usefixtures("unmeasured")
CASES = [
    ("ash", "store/latest_order/3"),
    ("react:structured=true", "widgets/click-shape/3"),
    ("react", "widgets/login-user-popup/3"),
    ("step", "crm/TASK_FIND_FLIGHT/3"),
    ("synapse", "widgets/click-tab-2/3"),
    ("synapse:no-abstraction", "widgets/click-pie/3"),
    *([("react", "store/buy_item/3")] * DEEP),
    *([("step", "widgets/search-engine/3")] * DEEP),
    *([("synapse", "widgets/email-inbox/3")] * DEEP),
    *([("synapse", "crm/TASK_FIND_FLIGHT/3")] * DEEP),
]
"""Each method on each of its forms of request; with `tox -e deep` on more pages."""


def seeing(agent: str) -> str:
    """The agent with the option."""
    return f"{agent}{',' if '=' in agent else ':'}vision=true"


def calls(episode: RecordedEpisode) -> tuple[Call, ...]:
    return Cassette.read(episode.home / "llm.jsonl").calls


def pictures(message: Any) -> list[str]:
    return [url for part in messages.parts(message) if (url := messages.url_of(part))]


def shows_a_page(message: Any) -> bool:
    return message["role"] == "user" and bool(markers.unfence(messages.text_of(message)))


@pytest.mark.wide
@pytest.mark.parametrize(("agent", "scenario"), CASES)
def test_a_model_that_sees_no_pictures_answers_as_without(harness, tmp_path, agent, scenario):
    source = ModelSource()
    plain = harness.run(agent, scenario, tmp_path / "plain", model_source=source, strict=True)
    seen = harness.run(seeing(agent), scenario, tmp_path / "seen", model_source=source, strict=True)
    assert plain.record["success"] is seen.record["success"] is True
    pairs = list(zip(calls(plain), calls(seen), strict=True))
    for without, with_vision in pairs:
        assert without.purpose == with_vision.purpose
        assert without.reply["choices"] == with_vision.reply["choices"]
        asked = [*with_vision.request["messages"]]
        assert [*map(messages.without_pictures, asked)] == without.request["messages"]
        shown = [place for place, each in enumerate(asked) if pictures(each)]
        if not with_vision.purpose.endswith("/act"):
            assert shown == [], "a picture goes with the question of what to do"
            continue
        pages = [place for place, each in enumerate(asked) if shows_a_page(each)]
        assert shown == [pages[-1]], "the newest page has the only picture"
        more = [each.reply["usage"]["prompt_tokens"] for each in (without, with_vision)]
        assert more[1] - more[0] == tokens.PER_IMAGE
    acts = [each for _, each in pairs if each.purpose.endswith("/act")]
    newest = [pictures(message) for each in acts for message in each.request["messages"]]
    assert len({url for found in newest for url in found}) > (len(acts) > 1), "each its own page"


def test_a_recording_with_pictures_is_replayed(harness, tmp_path):
    folder, scenario = tmp_path / "cassettes", "widgets/click-tab-2/3"
    recorded = harness.run(
        "react:vision=true", scenario, tmp_path / "run", model_source=ModelSource(record=folder)
    )
    assert all(any(map(pictures, each.request["messages"])) for each in calls(recorded))
    replayed = harness.run(
        "react:vision=true",
        scenario,
        tmp_path / "again",
        model_source=ModelSource("replay", folder),
        strict=True,
    )
    assert replayed.record["success"] is True, replayed.record["error"]
    assert replayed.record["llm_calls"] == recorded.record["llm_calls"]


def test_a_small_context_counts_the_picture(harness, tmp_path):
    scenario = "widgets/click-tab-2/3"
    plain = harness.run("react", scenario, tmp_path / "plain")
    largest = max(tokens.measured(each.request) for each in calls(plain))
    for room, ended in ((tokens.PER_IMAGE - 1, "truncated"), (tokens.PER_IMAGE, "answered")):
        source, run = ModelSource(context=largest + room), tmp_path / str(room)
        record = harness.run("react:vision=true", scenario, run, model_source=source).record
        assert record["ended"] == ended, (room, record["ended"], record["cause"])


@for_each("agent", ["react", "step", "synapse"])
def test_the_scripted_model_is_blind_on_a_canvas(harness, tmp_path, agent):
    """What is only in the picture it does not know, whatever it is sent."""
    record = harness.run(
        f"{agent}:vision=true", "widgets/click-shape.pixels/1", tmp_path / agent
    ).record
    assert record["success"] is False and record["ended"] == "answered", record["error"]
    assert record["llm_calls"] > 0
