"""Runs in environments of BrowserGym, which a program stands for that speaks as its Python does."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from agent import prompting
from agent.browsergym.process import GymPython
from evaluators.episode import replay
from evaluators.records import files, run_folder, submission
from evaluators.records.models import EpisodeRecord, Summary
from evaluators.records.trace_events import read_trace
from evaluators.run import api, environments
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.environments import BadEnvironment, EnvironmentRequest
from evaluators.run.manifest import ChangedRun
from evaluators.run.verification import verify
from rehearse import main
from scenarios import registry
from scenarios.scenario import answer_schema
from tests import environment_program
from tests.each import for_each
from tests.environment_program import ANSWER, GOAL, MODE, URL

pytestmark = pytest.mark.usefixtures("unmeasured")
BUTTON, SHOP = "browsergym/miniwob.click-button", "browsergym/webarena.310"
METHODS = ("expert", "flat", "react", "step", "synapse")
FOR_ANY_WEBSITE = (
    *METHODS[1:],
    "anticipatory-reflection",
    "lats",
    "plan-act",
    "sampled-alternatives",
)
ONE = ExecutorConfig(concurrency=1)


@pytest.fixture(name="python")
def _python(tmp_path) -> Path:
    return environment_program.installed(tmp_path / "gym")


def ran(
    out: Path, python: Path, *agents: str, name: str = BUTTON, prompts_as: str = "", **config
) -> list[EpisodeRecord]:
    """The records of agents in an environment."""
    process = GymPython(str(python), config.pop("seconds", 30))
    tasks = EnvironmentRequest([name], prompts_as, process).tasks(range(1))
    config = {"executor": ONE, **config}
    api.run(agents, tasks, RunConfig(out=out, gym_python=process, **config))
    return list(run_folder.episodes(out))


def method(folder: Path, body: str) -> str:
    """A method of one's own with this body of `solve`."""
    made = folder / "own.py"
    made.write_text(
        "from dataclasses import dataclass\n"
        "from agent.interface import Click, Stop\n\n\n"
        "@dataclass(frozen=True)\nclass Options:\n    pass\n\n\n"
        f"async def solve(task, page, llm, options):\n    {body}\n"
    )
    return str(made)


# Whole runs --------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="run")
def _run(tmp_path_factory) -> Path:
    """Five methods that know the task."""
    folder = tmp_path_factory.mktemp("environments")
    ran(folder / "run", environment_program.installed(folder / "gym"), *METHODS)
    return folder / "run"


def test_methods_play_what_the_environment_asks_for(run):
    records = list(run_folder.episodes(run))
    assert [each.agent for each in records] == [*METHODS]
    for each in records:
        assert (each.success, each.reward, each.steps) == (True, 1.0, 1), each
        assert (each.ended, each.cause) == ("answered", "ended"), "no step after the end"
        assert (each.instruction, each.site, each.source) == (GOAL, "browsergym", BUTTON)


def test_the_page_is_in_the_trace_and_the_versions_are_in_the_evidence(run):
    events, faults = read_trace(run / "episodes/react/miniwob.click-button-0/0/trace.jsonl")
    assert not faults and any(URL in str(event) for event in events)
    record = next(iter(run_folder.episodes(run)))
    assert "browsergym-core 0.14.3" in record.checks[0].found


def test_scores_can_be_summed_again_and_a_verification_says_that_this_is_all(run, tmp_path):
    before = files.read(Summary, run / "summary.json")
    assert api.score(run) == before
    submission.export(run, tmp_path / "file")
    found = verify(tmp_path / "file")
    assert not found.findings and found.verified == len(METHODS)
    assert any("only summed again" in note for note in found.notes)


def test_a_reward_that_was_written_in_later_is_found(run, tmp_path):
    submission.export(run, tmp_path / "file")
    text = (tmp_path / "file").read_text()
    assert '"reward":1.0' in text
    (tmp_path / "file").write_text(text.replace('"reward":1.0', '"reward":0.5', 1))
    assert len(verify(tmp_path / "file").findings) == 1


def test_an_episode_of_an_environment_is_not_replayed(run):
    with pytest.raises(replay.NotReplayable, match="an environment that is not ours"):
        replay.load(run / "episodes/expert/miniwob.click-button-0/0")


def test_the_same_command_goes_on_and_other_prompts_are_another_run(run):
    python = run.parent / "gym" / "python"
    asked = len(environment_program.steps(python))
    assert len(ran(run, python, *METHODS)) == len(METHODS)
    assert len(environment_program.steps(python)) == asked, "nothing is played twice"
    with pytest.raises(ChangedRun, match=r"tasks of miniwob.click-button was .*, now .*@crm"):
        ran(run, python, *METHODS, prompts_as="crm")


@pytest.mark.wide
def test_several_processes_play_together(tmp_path, python):
    records = ran(tmp_path / "run", python, "expert", "react", executor=ExecutorConfig(2, 1))
    assert [each.success for each in records] == [True, True]


def test_an_agent_in_a_process_of_its_own_plays_too(tmp_path, python):
    [record] = ran(tmp_path / "run", python, "react", isolate=True)
    assert (record.success, record.cause) == (True, "ended")


def test_prompts_for_no_site_serve_where_none_is_nearer(tmp_path, python):
    out = tmp_path / "run"
    records = ran(out, python, *FOR_ANY_WEBSITE, prompts_as="browsergym")
    assert {each.agent: each.success for each in records} == dict.fromkeys(FOR_ANY_WEBSITE, True)
    for name in FOR_ANY_WEBSITE:
        sent = (out / "episodes" / name / "miniwob.click-button-0/0/llm.jsonl").read_text()
        path = prompting.load(name.replace("-", "_"), "browsergym").path
        covers = prompting.parse(path).get("covers", {})
        assert path.stem == prompting.WEBSITE
        assert [point for point, words in covers.items() if words not in sent] == [], name


@pytest.mark.parametrize(
    ("body", "call", "success"),
    [
        (f"return {ANSWER!r}", ["send_msg_to_user", [ANSWER]], True),
        ("return ''", ["send_msg_to_user", [""]], False),
        ("return 'NOT_ACHIEVABLE'", ["report_infeasible", ["NOT_ACHIEVABLE"]], False),
    ],
)
def test_the_answer_is_said_to_the_user_before_the_score(tmp_path, python, body, call, success):
    [record] = ran(tmp_path / "run", python, method(tmp_path, body), name=SHOP)
    assert environment_program.steps(python) == [[call]]
    assert record.success is success and record.asks


def test_a_method_that_goes_on_after_the_end_does_nothing_more(tmp_path, python):
    body = """while True:
        try:
            await page.act(Click(2))
        except Exception:
            await page.act(Click(1))"""
    [record] = ran(tmp_path / "run", python, method(tmp_path, body))
    assert (record.success, record.cause) == (True, "ended")
    assert len(environment_program.steps(python)) == 1


def test_a_budget_is_thirty_steps_unless_said(tmp_path, python):
    agent = method(tmp_path, "while True:\n        await page.act(Click(3))")
    [record] = ran(tmp_path / "run", python, agent, name=SHOP)
    assert (record.ended, record.steps) == ("truncated", 30)


# Faults ------------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("dies", "the environment's process ended at step (exit 3)"),
        ("hangs", "did not reply to step in 2 s"),
        ("garbles", "by 'Loading 100%', not by JSON"),
        ("faults", "ValueError: Please set WA_SHOPPING."),
    ],
)
def test_a_fault_of_the_environment_is_nobodys_failure_and_the_run_goes_on_later(
    tmp_path, python, monkeypatch, mode, words
):
    monkeypatch.setenv(MODE, mode)
    seconds = 2 if mode == "hangs" else 30
    [record] = ran(tmp_path / "run", python, "expert", seconds=seconds)
    assert (record.ended, record.cause, record.tries) == ("infra_error", "environment", 2)
    assert words in record.error and record.success is None
    monkeypatch.setenv(MODE, "")
    [record] = ran(tmp_path / "run", python, "expert")
    assert (record.success, record.tries) == (True, 3)


def test_a_process_that_died_is_started_again_for_the_second_try(tmp_path, python, monkeypatch):
    monkeypatch.setenv(MODE, "dies once")
    [record] = ran(tmp_path / "run", python, "expert")
    assert (record.success, record.tries) == (True, 2)


# What is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "name", "words"),
    [
        ("react", "browsergym/miniwob.click-buton", "did you mean browsergym/miniwob.click-button"),
        ("react", SHOP, "the scripted model does not know how to do browsergym/webarena.310"),
        ("expert", SHOP, "expert: nobody advises on browsergym/webarena.310"),
        ("react", "miniwob.click-button", "write browsergym/miniwob.click-button"),
        ("react", f"{BUTTON}@store", "is no environment"),
    ],
)
def test_what_cannot_be_run_is_said_before_the_run(tmp_path, python, agent, name, words):
    with pytest.raises(BadEnvironment) as raised:
        ran(tmp_path / "run", python, agent, name=name)
    assert words in str(raised.value)
    assert not (tmp_path / "run").exists()


def test_prompts_of_no_site_are_refused(tmp_path, python):
    with pytest.raises(
        BadEnvironment, match="'stroe' is no site; write admin, airline, browsergym"
    ):
        ran(tmp_path / "run", python, "react", prompts_as="stroe")


@for_each(
    ("script", "words"),
    [
        ("exec true", "ended at check (exit 0)"),
        ("echo Python 2.7; exec sleep 600", "by 'Python 2.7', not by JSON"),
        ("exec sleep 600", "did not reply to check in 1 s"),
        ('echo \'{"fault": "ImportError: no numpy"}\'; exec sleep 600', "ImportError: no numpy"),
    ],
)
def test_a_python_that_is_none_is_named(tmp_path_factory, script, words):
    python = tmp_path_factory.mktemp("other") / "python"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    tasks = EnvironmentRequest([BUTTON]).tasks(range(1))
    seconds = 1 if "1 s" in words else 30
    with pytest.raises(BadEnvironment) as raised:
        environments.check(tasks, GymPython(str(python), seconds))
    assert words in str(raised.value) and f"{python}: " in str(raised.value)
    assert "--gym-python" in str(raised.value)


@pytest.mark.skipif(find_spec("browsergym") is not None, reason="browsergym is installed here")
def test_our_own_python_says_what_to_install():
    tasks = EnvironmentRequest([BUTTON]).tasks(range(1))
    with pytest.raises(BadEnvironment, match="has no browsergym-core; there: pip install"):
        environments.check(tasks, GymPython())


def test_there_is_no_such_python():
    with pytest.raises(BadEnvironment, match="there is no Python /no/such; give its path"):
        environments.check(EnvironmentRequest([BUTTON]).tasks(range(1)), GymPython("/no/such"))


# The command -------------------------------------------------------------------------------------


def called(capsys, *words: str) -> tuple[int, str]:
    with pytest.raises(SystemExit) as ended:
        main([*words])
    return int(ended.value.code or 0), capsys.readouterr().err


def test_the_command_plays_and_warns_of_versions_that_were_not_tried(tmp_path, capsys):
    versions = {**environment_program.VERSIONS, "browsergym-core": "0.15.0"}
    python = environment_program.installed(tmp_path / "gym", versions)
    code, printed = called(
        capsys,
        *("run", "--agent", "expert", "--env", BUTTON, "--gym-python", str(python)),
        *("-o", str(tmp_path / "run")),
    )
    assert code == 0
    assert "browsergym-core 0.15.0 was not tried; 0.14.2 and 0.14.3 were" in printed
    assert "playwright" not in printed


def test_the_python_is_read_from_the_environment(tmp_path, capsys, monkeypatch, python):
    monkeypatch.setenv("REHEARSE_GYM_PYTHON", str(python))
    out = tmp_path / "run"
    code, _ = called(capsys, "run", "--agent", "expert", "--env", BUTTON, "-o", str(out))
    assert code == 0 and next(run_folder.episodes(out)).success


def test_laser_says_in_one_line_that_there_is_no_graph(tmp_path, capsys, python):
    words = ("--prompts-as", "browsergym", "--gym-python", str(python), "-o", str(tmp_path / "r"))
    code, printed = called(capsys, "run", "--agent", "laser", "--env", BUTTON, *words)
    assert code == 2 and printed.count("\n") == 1
    assert "laser has no graph of states for browsergym, and none fits every site" in printed


def test_prompts_of_a_site_are_for_environments(capsys):
    code, printed = called(
        capsys, "run", "--agent", "nothing", "--suite", "smoke", "--prompts-as", "crm"
    )
    assert code == 2 and "--prompts-as is for environments" in printed


# Whose prompts, whose advice ---------------------------------------------------------------------


@for_each(
    ("name", "host", "known_as", "is_known"),
    [
        ("miniwob.click-button", "widgets", "click-button", True),
        ("miniwob.a-page-of-later", "widgets", "a-page-of-later", False),
        ("rehearsal.buy_item", "store", "buy_item", True),
        ("rehearsal.latest_order", "store", "latest_order", True),
        ("rehearsal.TASK_FIND_BOOKING", "crm", "TASK_FIND_BOOKING", True),
        ("webarena.310", "webarena", "webarena.310", False),
        ("webarena.310@store", "store", "webarena.310", False),
    ],
)
def test_prompts_are_the_nearest_and_advice_is_that_of_the_same_task(
    name, host, known_as, is_known
):
    made = registry.environment(f"browsergym/{name}")
    assert (made.HOSTS, made.KNOWN_AS, made.known is not None) == ((host,), known_as, is_known)


def test_an_environment_of_ours_asks_for_the_same_answer_as_the_family():
    ours, theirs = (
        registry.family("latest_order"),
        registry.environment("browsergym/rehearsal.latest_order"),
    )
    scenario = theirs.generate(3, None)
    asked = answer_schema(ours, registry.scenario("store/latest_order/3"))
    assert theirs.answer(scenario) == asked is not None
