"""The visits of an agent outside as the episodes of a run."""

from __future__ import annotations

import json
import signal
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehearse
from evaluators.episode import replay
from evaluators.episode.replay import NotReplayable
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord, Summary
from evaluators.run.clients import BadName
from evaluators.run.manifest import ChangedRun
from evaluators.server import serve
from tests.evaluators.report.test_page import Page
from tests.evaluators.server import command
from tests.evaluators.server.test_serve import Control, buy, fetch, item_page, refused
from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")

AGENT = "outside:client=my-agent"


@pytest.fixture
def run(tmp_path) -> Path:
    return tmp_path / "mine"


@pytest.fixture
def control(run) -> Iterator[Control]:
    with serve.serve(["store"], out=run, client="my-agent") as served:
        yield Control(served.control.url, served.token)


def draw(control: Control, seed: int, **parameters: str) -> dict:
    more = "".join(f"&{name}={value}" for name, value in parameters.items())
    return dict(control(f"/generate-random-scenario?type=buy_item&seed={seed}{more}"))


def finish(control: Control, drawn: dict) -> dict:
    return dict(control("/finish", {"scenario": drawn["id"]}))


def recorded(run: Path) -> dict[tuple[int, int], EpisodeRecord]:
    return {(each.seed, each.trial): each for each in run_folder.episodes(run)}


def rehearsed(*words: str) -> str:
    done = CliRunner().invoke(rehearse.main, [*words])
    assert done.exit_code == 0, done.output
    return str(done.output)


def test_a_finished_visit_is_an_episode_as_other_clients_have_them(run, control):
    drawn = draw(control, 3)
    buy(item_page(drawn["url"], drawn["details"]))
    verdict = finish(control, drawn)
    [[_, record]] = run_folder.checked(run)
    assert verdict["success"] and record.success and record.progress == 1
    assert (record.agent, record.method, record.options) == (
        AGENT,
        "outside",
        {"client": "my-agent"},
    )
    assert (record.scenario, record.ended, record.unverified) == (
        "store/buy_item/3",
        "answered",
        False,
    )
    assert record.steps > 2 and record.llm_calls is None and record.reward == verdict["reward"]
    home = run_folder.home(run, record)
    assert {path.name for path in home.iterdir()} == {
        *("episode.json", "trace.jsonl", "final_world.json", "SHA256SUMS")
    }


def test_what_the_site_cannot_know_is_unknown_in_every_form(run, control):
    drawn = draw(control, 3)
    buy(item_page(drawn["url"], drawn["details"]))
    finish(control, drawn)
    [record] = recorded(run).values()
    asked = (record.model, record.skill, record.mistakes, record.usage.prompt, record.cost_usd)
    assert asked == ("unknown", None, "", None, None)
    assert (record.invalid_actions, record.repeats, record.wasted) == (None, None, None)
    table = rehearsed("score", str(run))
    cells = next(line for line in table.splitlines() if AGENT in line).split()
    assert cells[-3:] == ["-", "-", "unknown"]
    folder = run.parent / "tables"
    rehearsed("report", str(run), "--latex", str(folder / "table.tex"), "--csv", str(folder))
    latex, agents, episodes = (
        (folder / name).read_text() for name in ("table.tex", "agents.csv", "episodes.csv")
    )
    page = Page(run / "report.html").text
    assert "An outside program acted; we do not know which model it asked." in latex
    assert f"an outside program acted as {AGENT}; we do not know which model it asked" in table
    for text in (table, latex, page, agents, episodes):
        for falsehood in ("o model was asked", "$0.00", "sticky", "scripted", "100 %"):
            assert falsehood not in text, (falsehood, text)


def test_a_run_whose_tasks_were_drawn_is_named_by_their_families(run, control):
    drawn = draw(control, 3)
    fetch(drawn["url"])
    finish(control, drawn)
    rehearsed("run", "--agent", "nothing", "--family", "buy_item", "--seeds", "3", "-o", str(run))
    latex = run / "table.tex"
    rehearsed("report", str(run), "--latex", str(latex))
    label = "buy_item drawn one by one; buy_item 3:4"
    assert label in Page(run / "report.html").text
    assert f"{label}: 1 scenarios".replace("_", "\\_") in latex.read_text()


def test_the_trace_has_the_requests_that_the_site_answered_without_the_visits_address(run, control):
    drawn = draw(control, 4)
    session = drawn["url"].rpartition("=")[2]
    buy(item_page(drawn["url"], drawn["details"]))
    finish(control, drawn)
    [[home, _]] = run_folder.checked(run)
    text = (home / "trace.jsonl").read_text()
    *events, end = map(json.loads, text.splitlines())
    assert events[0]["what"].startswith("GET /?scenario=") and events[0]["status"] == 302
    assert any(each["what"].startswith("POST /") for each in events)
    assert end["kind"] == "end" and session not in text


def test_a_visit_without_a_page_leaves_nothing(run):
    with serve.serve(["store"], out=run) as served:
        control = Control(served.control.url, served.token)
        draw(control, 5)
        finish(control, draw(control, 6))
        assert served.run and served.run.summary() is None
    assert not (run / "run.json").exists() and run_folder.homes(run) == []


def test_what_nobody_finished_is_scored_as_it_was_left_when_the_server_ends(run):
    with serve.serve(["store"], out=run) as served:
        control = Control(served.control.url, served.token)
        won, looked = draw(control, 7), draw(control, 8)
        buy(item_page(won["url"], won["details"]))
        fetch(looked["url"])
        assert not run_folder.homes(run)
    found = recorded(run)
    assert {key: each.success for key, each in found.items()} == {(7, 0): True, (8, 0): False}
    assert {(each.ended, each.cause) for each in found.values()} == {("truncated", "client")}


def test_a_draw_that_is_replaced_is_scored_and_the_next_one_is_another_trial(run, control):
    first = draw(control, 9)
    buy(item_page(first["url"], first["details"]))
    second = draw(control, 9)
    assert {key: each.success for key, each in recorded(run).items()} == {(9, 0): True}
    fetch(second["url"])
    finish(control, second)
    own = draw(control, 9, own="1")
    fetch(own["url"])
    finish(control, own)
    assert {key: each.success for key, each in recorded(run).items()} == {
        (9, 0): True,
        (9, 1): False,
        (9, 2): False,
    }


def test_a_page_that_is_only_fetched_or_prefetched_is_not_shown(run, control):
    drawn = draw(control, 10)
    for headers in ({"Sec-Fetch-Dest": "empty"}, {"Sec-Fetch-Dest": "iframe"}):
        request = urllib.request.Request(drawn["url"], headers=headers)
        urllib.request.urlopen(request, timeout=HANG).close()
    finish(control, drawn)
    assert not (run / "run.json").exists()


def test_the_commands_for_runs_work_on_the_folder(run, tmp_path):
    with serve.serve(["store"], out=run, client="my-agent") as served:
        control = Control(served.control.url, served.token)
        for seed in (0, 1):
            drawn = draw(control, seed)
            if seed:
                buy(item_page(drawn["url"], drawn["details"]))
            else:
                fetch(drawn["url"])
            finish(control, drawn)
    score = rehearsed("score", str(run))
    assert AGENT in score and "0.50" in score
    exported = tmp_path / "mine.jsonl"
    rehearsed("export", str(run), "-o", str(exported))
    assert "verified: 2 of 2 episodes" in rehearsed("verify", str(exported))
    assert "report.html" in rehearsed("report", str(run))
    with pytest.raises(NotReplayable, match="acted in a browser outside"):
        replay.load(run_folder.homes(run)[1])
    other = tmp_path / "other"
    rehearsed(
        "run", "--agent", "nothing", "--family", "buy_item", "--seeds", "0:2", "-o", str(other)
    )
    assert "success   0.500 -> 0.000" in rehearsed("compare", str(run), str(other))


def test_two_servers_add_to_one_run(run):
    names = {"out": run, "client": "my-agent"}
    with serve.serve(["store"], **names) as one, serve.serve(["store"], **names) as other:
        for served, seed in ((one, 1), (other, 1), (one, 2), (other, 2)):
            control = Control(served.control.url, served.token)
            drawn = draw(control, seed)
            fetch(drawn["url"])
            finish(control, drawn)
    assert sorted(recorded(run)) == [(1, 0), (1, 1), (2, 0), (2, 1)]
    manifest = run_folder.load_manifest(run)
    assert (manifest.config.trials, manifest.config.episodes) == (2, 4)


@pytest.mark.wide
def test_another_run_and_a_wrong_name_are_refused(run):
    rehearsed("run", "--agent", "nothing", "--family", "buy_item", "--seeds", "0:1", "-o", str(run))
    with pytest.raises(ChangedRun, match=r"another run \(agents"), serve.serve(["store"], out=run):
        pass
    with pytest.raises(BadName, match="--as 'my agent'"), serve.serve(out=run, client="my agent"):
        pass


@pytest.mark.parametrize("option", ["one_port", "open_sessions", "for_webshop"])
def test_a_run_is_refused_where_its_scores_would_mean_nothing(run, option):
    with (
        pytest.raises(serve.OptionsCollide, match="leave out -o"),
        serve.serve(out=run, **{option: True}),
    ):
        pass
    assert not run.exists()


def test_a_verdict_that_cannot_be_recorded_is_said(run, control):
    drawn = draw(control, 12)
    fetch(drawn["url"])
    (run / "episodes").write_text("in the way")
    with refused(507):
        finish(control, drawn)


def test_as_without_a_run_is_refused():
    with pytest.raises(serve.OptionsCollide, match="add -o FOLDER"), serve.serve(client="me"):
        pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_that_gets_a_signal_scores_what_is_open(run, number):
    with command.rehearse("--json", "--site", "store", "-o", str(run)) as process:
        try:
            addresses = json.loads(process.stdout.readline())
            control = Control(addresses["control"], addresses["token"])
            fetch(draw(control, 11)["url"])
            process.send_signal(number)
            out, err = process.communicate(timeout=HANG)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "", f"run: {run}\n")
    assert [each.ended for each in recorded(run).values()] == ["truncated"]
    summary = Summary.model_validate_json((run / "summary.json").read_text())
    assert summary.rows[0].agent == "outside"
