"""Many episodes in one file: how large it gets, and how soon it is there."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.llm.recording.cassette import Cassette, CassetteWriter
from evaluators import report
from evaluators.records import files, run_folder
from evaluators.records.trace_events import parse_event, trace_lines
from tests import measuring
from tests.contracts.harness import RecordedEpisode
from tests.evaluators.report.handmade import Written

COPIES = 60 if measuring.DEEP else 24
MARKERS = ("<<<observation", "observation>>>")


def copy(play: RecordedEpisode, run: Path, seed: int) -> None:
    """The episode once more under another seed, with pages of its own: every line that a page or
    a user's message has says the seed, so that no text is kept once for two episodes."""
    record = run_folder.load_episode(play.home)
    name = f"{record.site}/{record.family}/{seed}"
    made = record.model_copy(update={"seed": seed, "scenario": name})
    home = run_folder.home(run, made)
    home.mkdir(parents=True)
    shutil.copy(play.home / "final_world.json", home)
    files.save(home / "episode.json", made.to_json())
    lines = [
        {**line, "text": other(line["text"], seed)} if "text" in line else line
        for line in play.trace
    ]
    files.write(home / "trace.jsonl", trace_lines(map(parse_event, lines)))
    if made.llm_calls:
        writer = CassetteWriter(home / "llm.jsonl", "scripted", {})
        for call in Cassette.read(play.home / "llm.jsonl").calls:
            asked = {
                **call.request,
                "messages": [changed(each, seed) for each in call.request["messages"]],
            }
            writer.write(call.purpose, asked, call.reply, call.status)
        writer.close()


def changed(message: dict[str, Any], seed: int) -> dict[str, Any]:
    if message["role"] != "user":
        return message
    return {**message, "content": other(message["content"], seed)}


def other(text: str, seed: int) -> str:
    lines = text.split("\n")
    return "\n".join(line if not line or line in MARKERS else f"{line} {seed}" for line in lines)


def filled(run: Written, plays: Sequence[RecordedEpisode], episodes: int) -> Path:
    """A run of copies of these episodes; its report."""
    for number in range(episodes):
        copy(plays[number % len(plays)], run.path, number // len(plays))
    return report.write(run.path)


@pytest.fixture
def few(harness, tmp_path) -> list[RecordedEpisode]:
    """One on the store, one at the desk."""
    names = (("laser", "store/buy_item/0"), ("react", "crm/TASK_CANCEL_FLIGHT/0"))
    return [harness.run(agent, name, tmp_path / "played") for agent, name in names]


@pytest.mark.wide
def test_an_episode_takes_few_bytes(run, few):
    empty = report.write(run.path).stat().st_size
    written = filled(run, few, COPIES)
    assert (written.stat().st_size - empty) / COPIES < 18_000
    assert '"cuts":{}' in written.read_text()


MANY = (
    ("laser", "store/buy_item/0"),
    ("react@scripted-0.7", "store/buy_item/1"),
    ("step", "crm/TASK_CANCEL_FLIGHT/0"),
    ("react@scripted-0.6", "crm/TASK_UPDATE_PASSENGER_DETAILS/0"),
    ("anticipatory-reflection", "crm/TASK_FIND_BOOKING/0"),
)


SIFT = """() => {
    const begun = performance.now();
    document.getElementById("words").value = "laser";
    document.getElementById("filters").dispatchEvent(new Event("input"));
    document.getElementById("episodes").getBoundingClientRect();
    return performance.now() - begun;
}"""
OPEN = """() => {
    const begun = performance.now();
    const drawn = new Promise((done) => addEventListener("hashchange", () => {
        document.getElementById("frame").getBoundingClientRect();
        done(performance.now() - begun);
    }));
    document.querySelector("#episodes tbody tr:not([hidden]) a").click();
    return drawn;
}"""
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


async def busy(session) -> float:
    """Milliseconds for which the page's main thread has worked."""
    found = (await session.send("Performance.getMetrics"))["metrics"]
    return 1_000 * next(each["value"] for each in found if each["name"] == "TaskDuration")


@pytest.mark.deep
def test_a_thousand_episodes_open_at_once(harness, tmp_path, run, reader):
    """By the work of the page's thread: what a busy machine adds is printed, and not asserted."""
    plays = [harness.run(agent, name, tmp_path / "played") for agent, name in MANY]
    written = filled(run, plays, 1_000)
    session = reader.do(reader.page.context.new_cdp_session(reader.page))
    reader.do(session.send("Performance.enable", {"timeDomain": "threadTicks"}))
    reader.open(written)
    loaded = reader.ask(LOADED)
    sifted = reader.ask(SIFT)
    worked = reader.do(busy(session))
    assert reader.text("#count") == "200 of 1,000 episodes"
    opened = reader.ask(OPEN)
    size = written.stat().st_size
    print(
        f"{size:,} bytes; worked {worked:.0f} ms until the first filter (on the clock {loaded:.0f}"
        f" until the load event, {sifted:.0f} for the filter); an episode {opened:.0f} ms"
    )
    assert size < 20_000_000
    assert worked < 2_000 and opened < 1_000
