"""The commands that export tasks, and that score a client's answers against a server's worlds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

import rehearse
from evaluators.integrations.webarena import export, folder, scores
from evaluators.integrations.webarena.answers import BadResults
from evaluators.integrations.webarena.folder import ExportedVisit
from evaluators.integrations.webarena.scores import BadServer, NoServer
from evaluators.server import serve
from scenarios import registry
from tests.each import for_each
from tests.measuring import HANG

SCENARIOS = ["map/nearest/3", "forum/vote_newest/2", "map/borders/0"]


@dataclass(frozen=True)
class Served:
    """A server whose first two tasks were played: the first to its right end, the second not."""

    server: serve.RunningServer
    folder: Path
    visits: tuple[ExportedVisit, ...]
    answer: str


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    tasks = tmp_path / "tasks"
    export.export(SCENARIOS, "webarena", tasks)
    visits = folder.read(tasks)
    with serve.serve(tasks=tasks) as running:
        assert running.door
        for variable, visit in zip(("MAP", "REDDIT"), visits, strict=False):
            url = running.door.variables()[variable]
            httpx2.get(f"{url}/?scenario={visit.start}", trust_env=False, timeout=HANG)
        opened = running.sessions.find(visits[0].start)
        family = registry.family(opened.scenario.family)
        data = registry.site_data(opened.scenario.site)
        yield Served(running, tasks, visits, family.solve(opened.scenario, opened.world, data))


def results(folder: Path, **answers: str) -> Path:
    made = folder / "results"
    made.mkdir(exist_ok=True)
    (made / "answers.json").write_text(
        json.dumps({key.strip("_"): text for key, text in answers.items()})
    )
    return made


def run(*arguments: object) -> Any:
    return CliRunner().invoke(rehearse.main, [str(each) for each in arguments])


def test_each_answer_is_scored_against_the_world_of_its_visit(served, tmp_path):
    given = results(tmp_path, _0=served.answer, _1="", _2="Nowhere")
    made = [*scores.scores(given, served.folder, served.server.ready)]
    assert [each.success for each in made] == [True, False, None]
    assert made[1].failed == ("votes", "submissions")
    assert scores.summary(made) == "1 of 2 succeeded; 1 not opened on this server"
    second = [*scores.scores(results(tmp_path, _0="other"), served.folder, served.server.ready)]
    assert [each.success for each in second] == [True], "the first answer counts"


def test_a_right_world_with_a_wrong_answer_fails(served, tmp_path):
    given = results(tmp_path, _0="Nowhere")
    [made] = scores.scores(given, served.folder, served.server.ready)
    assert (made.success, made.failed) == (False, ("answer",))


def test_the_command_prints_a_line_for_each_task(served, tmp_path):
    given = results(tmp_path, _0=served.answer, _1="")
    options = "--from", "webarena", given, "--tasks", served.folder, "--server", served.server.ready
    shown = run("score", *options)
    assert shown.exit_code == 0
    first, second, last = shown.stdout.splitlines()
    assert first.split() == ["0", SCENARIOS[0], "success"]
    assert second.split() == ["1", SCENARIOS[1], "failed:", "votes,", "submissions"]
    assert last == "1 of 2 succeeded"
    listed = json.loads(run("score", *options, "--json").stdout)
    assert [each["success"] for each in listed] == [True, False]


def test_an_answer_for_another_folders_task_is_refused(served, tmp_path):
    with pytest.raises(BadResults, match="an answer for task 7, which"):
        next(scores.scores(results(tmp_path, _7="x"), served.folder, served.server.ready))


@for_each(
    "server", ["", "http://127.0.0.1:1", "https://127.0.0.1:1/?token=ab", "x", "http://h/?token=a"]
)
def test_an_address_without_a_token_is_refused(served, tmp_path, server):
    with pytest.raises(BadServer, match="is no address with a token; give the address"):
        next(scores.scores(results(tmp_path, _0="x"), served.folder, server))


def test_a_wrong_token_and_a_server_that_is_gone_are_told_in_one_line(served, tmp_path):
    given = results(tmp_path, _0="x")
    port = served.server.control.port
    with pytest.raises(NoServer, match=r"refused the call \(40[13]\)"):
        next(scores.scores(given, served.folder, f"http://127.0.0.1:{port}/?token=abc"))
    with pytest.raises(NoServer, match="does not answer"):
        next(scores.scores(given, served.folder, "http://127.0.0.1:1/?token=abc"))


@for_each("form", ["webarena", "webarena-verified"])
def test_the_command_exports_a_suite(tmp_path, form, monkeypatch):
    monkeypatch.setattr(
        registry, "from_suite", lambda name: registry.from_family("nearest", range(2))
    )
    shown = run("export", "--to", form, "map-60", "-o", tmp_path)
    assert shown.exit_code == 0 and "2 tasks; they hold the solutions" in shown.stdout
    file = tmp_path / export.FORMS[form]
    assert len(json.loads(file.read_text())) == 2 == len(folder.read(tmp_path))


@for_each(
    ("words", "message"),
    [
        (["export", "--to", "webarena", "map-60"], "add -o tasks"),
        (["export", "--to", "webarena", "no-such", "-o", "x"], "no-such"),
        (["export", "--to", "elsewhere", "map-60", "-o", "x"], "elsewhere"),
        (["score", "--from", "webarena", "x"], "needs --tasks FOLDER and --server ADDRESS"),
        (["serve", "--webarena", "no-such-folder"], "there is no no-such-folder"),
    ],
)
def test_missing_options_are_told_in_one_line(words, message):
    shown = run(*words)
    assert shown.exit_code == 2
    last = shown.stderr.strip().splitlines()[-1]
    assert message in last
