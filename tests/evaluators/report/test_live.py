"""The report of a run that goes on: what each look finds, what it reads, and the page."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from agent import agent_spec
from agent.llm.completion import completion
from agent.llm.recording.cassette import CassetteWriter
from evaluators.records import run_folder
from evaluators.records.files import CorruptRecord
from evaluators.report import live
from evaluators.report.live_run import RECORDING, LiveRun
from evaluators.run import manifest
from evaluators.run.config import RunConfig
from evaluators.run.run_lock import LOCK, running_since
from evaluators.run.run_lock import locked as locked_run
from evaluators.server import local_page
from evaluators.server.local_page import Changes
from scenarios.registry import TaskSet
from tests.evaluators.report.handmade import record
from tests.evaluators.run.test_scheduler import own
from tests.measuring import HANG

ROOT = Path(__file__).parents[3]
ASKED = {"model": "gpt-4o", "messages": [{"role": "user", "content": "What next?" * 10}]}


def reply(prompt: int, tokens: int) -> dict:
    made = completion(["click[A]"], model="gpt-4o")
    return made | {"usage": {"prompt_tokens": prompt, "completion_tokens": tokens}}


def begin(run: Path, seed: int = 3, speaker: str = "gpt-4o") -> CassetteWriter:
    """The recording of an episode of react that is under way."""
    home = run_folder.folder(run, "react", "buy_item", seed, 0)
    home.mkdir(parents=True, exist_ok=True)
    return CassetteWriter(home / "llm.jsonl", speaker, {})


@pytest.fixture
def locked(run):
    """A run that this process runs."""
    with FileLock(run.path / LOCK):
        yield run


def test_who_plays_what_as_the_recording_grows(locked):
    following = LiveRun(locked.path)
    assert following.look().under_way == ()
    writer = begin(locked.path)
    (first,) = following.look().under_way
    assert (first.agent, first.scenario, first.trial) == ("react", "buy_item/3", 0)
    assert (first.speaker, first.calls, first.purpose, first.replied_at) == ("gpt-4o", 0, "", None)
    writer.write("react/act", ASKED, reply(1000, 100))
    writer.write("ash/summary", ASKED, reply(500, 0))
    (then,) = following.look().under_way
    assert (then.calls, then.purpose, then.tokens) == (2, "ash/summary", 1600)
    assert then.cost_usd == pytest.approx((1500 * 2.5 + 100 * 10) / 1e6)
    assert then.since <= then.replied_at
    writer.close()
    locked.add(record(seed=4, cost_usd=0.5))
    assert following.look().records[0].cost_usd == 0.5


def test_only_what_was_appended_is_read(locked):
    following, writer = LiveRun(locked.path), begin(locked.path)
    writer.write("react/act", ASKED, reply(10, 1))
    assert following.look().under_way[0].calls == 1
    path = run_folder.folder(locked.path, "react", "buy_item", 3, 0) / RECORDING
    with path.open("r+b") as file:
        file.write(b"#" * path.stat().st_size)
    writer.write("react/act", ASKED, reply(10, 1))
    assert following.look().under_way[0].calls == 2
    writer.close()


def test_a_line_that_is_half_written_waits_for_its_rest(locked):
    following, writer = LiveRun(locked.path), begin(locked.path)
    writer.write("react/act", ASKED, reply(10, 1))
    path = run_folder.folder(locked.path, "react", "buy_item", 3, 0) / RECORDING
    whole = path.read_bytes()
    path.write_bytes(whole[:-30])
    assert following.look().under_way[0].calls == 0
    with path.open("ab") as file:
        file.write(whole[-30:])
    assert following.look().under_way[0].calls == 1
    writer.close()


def test_a_recording_that_is_begun_again_counts_anew(locked):
    following, writer = LiveRun(locked.path), begin(locked.path)
    for _ in range(3):
        writer.write("react/act", ASKED, reply(10, 1))
    assert following.look().under_way[0].calls == 3
    writer.close(ok=False)
    second = begin(locked.path)
    second.write("react/act", ASKED, reply(10, 1))
    assert following.look().under_way[0].calls == 1
    second.close(ok=False)


def test_an_episode_that_is_retried_is_under_way(locked):
    broken = {"success": None, "ended": "infra_error", "cause": "model", "llm_calls": 0}
    locked.add(record(seed=3, **broken))
    following = LiveRun(locked.path)
    assert len(following.look().finished) == 1
    writer = begin(locked.path)
    seen = following.look()
    assert (len(seen.finished), len(seen.under_way)) == (0, 1)
    writer.close(ok=False)
    assert len(following.look().finished) == 1


def test_nobody_plays_what_a_killed_run_left(run):
    begin(run.path).close(ok=False)
    home = run_folder.folder(run.path, "react", "buy_item", 3, 0)
    assert LiveRun(run.path).look().under_way == ()
    os.utime(home, (1, 1))
    with FileLock(run.path / LOCK):  # another process that has not come to it yet
        assert LiveRun(run.path).look().under_way == ()


def test_the_lock_is_looked_at_and_not_tried(run):
    assert running_since(run.path) is None
    with FileLock(run.path / LOCK):
        assert running_since(run.path) == (run.path / LOCK).stat().st_mtime
    assert running_since(run.path) is None


def test_a_run_that_grows_is_counted_whole_from_the_time_of_its_last_command(run):
    run.begin(config={"agents": ["react"], "scenarios": ["x"]})
    run.add(record(seed=0))
    (run.path / LOCK).touch()
    os.utime(run.path / LOCK, (1, 1))
    following = LiveRun(run.path)
    assert live.facts(following.look())["Episodes"] == "1 of 1"
    run.begin(config={"agents": ["react", "step"], "scenarios": ["x", "y"]})
    before = time.time() - 1
    with locked_run(run.path):
        seen = following.look()
    assert live.facts(seen)["Episodes"] == "1 of 4"
    assert live.state(seen).since >= before


def test_nothing_is_read_again_where_nothing_has_changed(run, monkeypatch):
    for seed in range(3):
        run.add(record(seed=seed))
    for path in sorted(run.path.rglob("*")):
        os.utime(path, (1, 1))
    following = LiveRun(run.path)
    before = following.look()
    touched = []
    for name in ("iterdir", "open", "read_text", "read_bytes"):
        real = getattr(Path, name)

        def spy(self, *args, name=name, real=real, **options):
            touched.append((name, self))
            return real(self, *args, **options)

        monkeypatch.setattr(Path, name, spy)
    assert following.look() == before
    assert [path for _, path in touched if path.is_relative_to(run.path)] == []


def test_a_record_that_cannot_be_read_is_named(run):
    home = run.add(record())
    (home / "episode.json").write_text("{")
    seen = LiveRun(run.path).look()
    assert seen.finished == seen.under_way == ()
    assert len(seen.unreadable) == 1 and "episode.json" in seen.unreadable[0]
    assert "episode.json" in live.drawn("run", seen)["faults"]


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(CorruptRecord, match="is this the folder of a run"):
        LiveRun(tmp_path)


# What is drawn -----------------------------------------------------------------------------------


def test_the_figures_are_those_of_done_and_under_way(locked):
    locked.begin(config={"agents": ["react"], "scenarios": [f"a/{n}" for n in range(5)]})
    locked.add(record(seed=0, success=True, cost_usd=0.25, llm_calls=2))
    locked.add(record(seed=1, cost_usd=0.5, llm_calls=3))
    locked.add(record(seed=2, success=None, ended="infra_error", cause="model", llm_calls=0))
    writer = begin(locked.path)
    writer.write("react/act", ASKED, reply(100_000, 0))
    seen = LiveRun(locked.path).look()
    writer.close()
    assert live.facts(seen) == {
        "Episodes": "3 of 5",
        "Succeeded": "1 of 2 (0.50)",
        "Under way": "1",
        "Model calls": "6",
        "Tokens": f"{100_000 + sum(each.usage.tokens for each in seen.records):,}",
        "Cost": "$1.00",
    }
    bars = {bar.kind: (bar.x, bar.width) for bar in live.bars(seen)}
    assert bars["succeeded"] == (0, 200) and bars["under way"] == (600, 200)
    assert live.state(seen).word == "under way" and live.state(seen).since is not None


@pytest.mark.parametrize(
    ("costs", "shown"),
    [([0.25, None], "at least $0.25"), ([None], "unknown"), ([0.25, 0.5], "$0.75"), ([], "$0.00")],
)
def test_an_unknown_cost_is_never_counted_as_nothing(run, costs, shown):
    for seed, cost in enumerate(costs):
        run.add(record(seed=seed, cost_usd=cost))
    assert live.facts(LiveRun(run.path).look())["Cost"] == shown


def test_a_run_that_nobody_runs_says_what_is_missing(run):
    run.begin(config={"agents": ["react"], "scenarios": ["a/0", "a/1"]})
    run.add(record(seed=0))
    stopped = live.state(LiveRun(run.path).look())
    assert (stopped.word, stopped.sentence) == (
        "stopped",
        "1 episode is still to be run; resume the run with -o",
    )
    run.add(record(seed=1))
    assert live.state(LiveRun(run.path).look()).word == "finished"


def test_names_of_others_are_text(locked):
    locked.add(record("<img src=x>", 0, method="react"))
    writer = begin(locked.path, speaker="<script>alert(1)</script>")
    writer.write("<b>act", ASKED, reply(1, 1))
    page = "".join(live.drawn("<i>run", LiveRun(locked.path).look()).values())
    writer.close()
    assert "&lt;script&gt;" in page and "&lt;b&gt;act" in page and "&lt;img" in page
    assert not re.search(r"<(script|img|b|i)\b(?! class)", page)


# Waiting -----------------------------------------------------------------------------------------


def test_a_request_waits_for_a_change_and_ends_with_the_page():
    versions, answers = ["1"], []
    changes = Changes(lambda: versions[-1])
    assert changes.wait("") == "1"
    waiting = [threading.Thread(target=lambda: answers.append(changes.wait("1"))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    assert answers == []
    versions.append("2")
    for thread in waiting:
        thread.join(10)
    assert answers == ["2", "2"]
    last = threading.Thread(target=lambda: answers.append(changes.wait("2")))
    last.start()
    changes.close()
    last.join(10)
    assert answers == ["2", "2", "2"] and not last.is_alive()


def test_more_than_can_wait_are_answered_as_it_stands(monkeypatch):
    monkeypatch.setattr(local_page, "HELD", 0)
    assert Changes(lambda: "1").wait("1") == "1"


# The page ----------------------------------------------------------------------------------------


def test_a_page_under_another_token_is_none(run):
    report = live.LiveReport(LiveRun(run.path))
    app = local_page.create_app(live._pages(report, Changes(report.version)), "t0ken")
    client, to = app.test_client(), {"Host": "127.0.0.1:80"}
    assert client.get("/other/", headers=to).status_code == 404
    found = client.get("/t0ken/", headers=to)
    assert found.status_code == 200
    assert "default-src 'none'" in found.headers["Content-Security-Policy"]
    assert client.get("/t0ken/report.html", headers=to).status_code == 200
    assert client.get("/t0ken/report.py", headers=to).status_code == 404


def served(run: Path) -> tuple[subprocess.Popen[str], str]:
    """`rehearse report RUN --live`, and the address that it prints."""
    command = [sys.executable, "-m", "rehearse", "report", str(run), "--live"]
    process = subprocess.Popen(command, cwd=ROOT, text=True, stdout=-1, stderr=-1)
    assert process.stdout is not None
    found = re.search(r"http://127\.0\.0\.1:\d+/\S+", process.stdout.readline())
    assert found is not None
    return process, found[0]


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
def test_the_page_follows_a_run_and_its_links_lead_to_the_report(tmp_path, reader):
    run, go_on = tmp_path / "run", tmp_path / "go-on"
    waiting = f"while not os.path.exists({str(go_on)!r}):\n    await asyncio.sleep(0.05)"
    agents = f"react,{own(tmp_path, waiting)}"
    arguments = ["--agent", agents, "--family", "buy_item", "--seeds", "0:2"]
    command = [sys.executable, "-m", "rehearse", "run", *arguments, "-o", str(run)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=-3, stderr=-3)
    while not (run / "run.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    report, url = served(run)
    reader.do(reader.page.goto(url))
    reader.ask("() => { window.loaded = 'once'; }")
    reader.do(reader.page.wait_for_selector(".under-way-table tbody tr", timeout=1000 * HANG))
    go_on.touch()
    reader.do(reader.page.wait_for_selector(".chip.finished", timeout=1000 * HANG))
    assert process.wait(HANG) == 0
    assert reader.ask("() => window.loaded") == "once", "the page was loaded again"
    records = list(run_folder.episodes(run))
    won = sum(bool(each.success) for each in records)
    assert f"Succeeded{won} of 4 ({won / 4:.2f})" in re.sub(r"\s{2,}", "", reader.text(".facts"))
    assert len(reader.texts("[data-part=finished] tbody tr")) == 4
    asked = [each for each in reader.requests if "/state?" in each]
    assert len(asked) < 60
    reader.do(reader.page.click("[data-part=finished] tbody tr:first-child a"))
    reader.do(reader.page.wait_for_selector("body.single"))
    report.send_signal(signal.SIGINT)
    printed = report.communicate(timeout=HANG)[1]
    assert (report.returncode, printed) == (0, "") and reader.troubles == []


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
def test_it_waits_for_a_run_that_is_just_starting_and_ctrl_c_ends_the_wait(tmp_path):
    run, never = tmp_path / "run", tmp_path / "never"
    waiting, bored = (
        subprocess.Popen(
            [sys.executable, "-m", "rehearse", "report", str(folder), "--live"],
            cwd=ROOT,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for folder in (run, never)
    )
    with waiting, bored:
        for process, folder in ((waiting, run), (bored, never)):
            assert f"no run has begun in {folder}" in process.stderr.readline()
        manifest.write(run, [agent_spec.read("nothing")], TaskSet(()), RunConfig())
        assert f"The report of {run}" in waiting.stdout.readline()
        for process in (waiting, bored):
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=HANG)[1] == ""
    assert (waiting.returncode, bored.returncode) == (0, 0)
