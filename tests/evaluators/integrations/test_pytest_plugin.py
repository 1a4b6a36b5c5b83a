"""Our fixtures beside those of other plug-ins, as pytest runs them in another folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.integrations import pytest_plugin
from evaluators.records import run_folder
from tests.loopback import reply, serve
from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")

ROOT = Path(__file__).parents[3]
PLAYWRIGHT = {
    *("page", "context", "browser", "browser_name", "browser_type", "browser_channel", "device"),
    *("new_context", "launch_browser", "playwright", "connect_options", "assert_snapshot"),
    *("browser_type_launch_args", "browser_context_args", "output_path", "delete_output_dir"),
    *("is_chromium", "is_firefox", "is_webkit", "base_url"),
}
OTHERS = {
    *("client", "app", "config", "live_server", "settings", "db", "driver", "selenium", "session"),
    *("event_loop", "event_loop_policy", "loop", "mocker", "benchmark", "worker_id", "testrun_uid"),
    *(
        "cli_runner",
        "httpserver",
        "requests_mock",
        "faker",
        "snapshot",
        "anyio_backend",
        "respx_mock",
    ),
}
"""Of pytest-flask, -django, -selenium, -asyncio, -mock, -benchmark, -xdist and the like."""
STAND_IN = """
import pytest


def pytest_addoption(parser):
    group = parser.getgroup("stand-in")
    group.addoption("--headed", action="store_true")
    group.addoption("--browser", action="append", default=[])
{options}

{fixtures}
"""
FIXTURE = """
@pytest.fixture{scope}
def {name}():
    return "theirs"
"""


def pytest_in(
    folder: Path, tests: str, names: list[str], *arguments: str, options: str = "", **more: str
) -> str:
    """What pytest says of the tests, with a plug-in that has fixtures of these names."""
    fixtures = "".join(FIXTURE.format(scope="", name=name) for name in names)
    (folder / "stand_in.py").write_text(STAND_IN.format(options=options, fixtures=fixtures))
    (folder / "test_mine.py").write_text(tests)
    done = subprocess.run(
        (*(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"), *arguments),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", **more},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    return done.stdout + done.stderr


OURS_FIRST = ("-p", "evaluators.integrations.pytest_plugin", "-p", "stand_in")
OURS_LAST = ("-p", "stand_in", "-p", "evaluators.integrations.pytest_plugin")


def test_no_fixture_has_the_name_of_a_popular_plug_in():
    assert {"episode", "episode_page", "environments", "llm", "world"} <= pytest_plugin.FIXTURES
    assert not pytest_plugin.FIXTURES & (PLAYWRIGHT | OTHERS)


@pytest.mark.wide
@pytest.mark.parametrize("order", [OURS_FIRST, OURS_LAST], ids=["first", "last"])
def test_pages_of_both_plug_ins_are_there(tmp_path, order):
    tests = """
def test_ours(episode_page, runner):
    opened = episode_page("store/buy_item/0")
    assert runner.run(opened.observe()).title


def test_theirs(page, browser, context):
    assert page == browser == context == "theirs"
"""
    output = pytest_in(
        tmp_path, tests, sorted(PLAYWRIGHT), *order, "--headed", "--browser", "webkit"
    )
    assert "2 passed" in output, output


def test_a_fixture_of_ours_that_a_plug_in_replaces_is_refused(tmp_path):
    names = sorted(pytest_plugin.FIXTURES)
    tests = "".join(f"def test_{name}({name}):\n    pass\n\n\n" for name in names)
    output = pytest_in(tmp_path, tests + "def test_another():\n    pass\n", names, *OURS_FIRST)
    assert f"1 passed, {len(names)} errors" in output, output
    for name in names:
        assert f"stand_in.py replaces Rehearsal's fixture {name!r}; switch it off" in output
    assert "Traceback" not in output


def test_a_fixture_that_ours_needs_is_refused_too(tmp_path):
    output = pytest_in(tmp_path, "def test_it(episode_page):\n    pass\n", ["runner"], *OURS_FIRST)
    assert "replaces Rehearsal's fixture 'runner'" in output, output


def test_a_conftest_and_a_file_of_tests_may_override(tmp_path):
    override = "import pytest\n" + FIXTURE.format(scope="", name="{}")
    (tmp_path / "conftest.py").write_text(override.format("llm"))
    tests = override.format("world") + "\ndef test_it(llm, world):\n    assert llm == world\n"
    assert "1 passed" in pytest_in(tmp_path, tests, [], *OURS_FIRST)


def test_a_name_that_was_replaced_can_be_given_back(tmp_path):
    taken_back = "from evaluators.integrations.pytest_plugin import world\n"
    (tmp_path / "conftest.py").write_text(taken_back)
    tests = "def test_it(world):\n    assert callable(world)\n"
    assert "1 passed" in pytest_in(tmp_path, tests, ["world"], *OURS_FIRST)


@pytest.mark.parametrize("option", ["--live", "--run-dir", "--llm"])
def test_an_option_that_a_plug_in_has_is_named(tmp_path, option):
    taken = f'    group.addoption("{option}", default="")'
    output = pytest_in(tmp_path, "def test_it():\n    pass\n", [], *OURS_LAST, options=taken)
    assert "another plug-in has an option of Rehearsal's" in output, output
    assert option in output


# An agent of the user's own ----------------------------------------------------------------------

ASKING = """
from dataclasses import dataclass

from agent.interface import Click


@dataclass(frozen=True)
class Options: ...


async def solve(task, page, llm, options):
    reply = await llm.ask("mine/which", [{"role": "user", "content": task.instruction}])
    await page.act(Click(reply.text))
    return ""
"""
EPISODE = """
def test_mine(episode):
    record = episode("./mine.py", "widgets/click-button/0")
    assert (record.agent, record.llm_calls) == ("mine", 1)
    assert record.success and record.model == "gpt-4o-mini"
"""


@pytest.mark.wide
def test_an_own_agent_runs_with_a_live_model_and_with_its_recording(tmp_path):
    (tmp_path / "mine.py").write_text(ASKING)
    with serve() as model:
        model.will(reply("Cancel"))
        live = pytest_in(tmp_path, EPISODE, [], *OURS_FIRST, "--llm", "live", **model.environment)
        assert "1 passed" in live, live
        assert len(model.requests) == 1
        record(tmp_path, model.environment)
    replayed = pytest_in(tmp_path, EPISODE, [], *OURS_FIRST, "--llm", "replay:tapes")
    assert "1 passed" in replayed, replayed
    (tmp_path / "mine.py").write_text(ASKING.replace("task.instruction", "'Now click'"))
    changed = pytest_in(tmp_path, EPISODE, [], *OURS_FIRST, "--llm", "replay:tapes")
    assert "1 failed" in changed and "\n+Now click\n" in changed, changed
    options = "--agent ./mine.py --family click-button --seeds 0:1 --llm live --model gpt-4o-mini"
    assert f"\nrecord again: rehearse run {options} --record DIR\n" in changed, changed
    assert "AssertionError" not in changed and "Traceback" not in changed, changed


def record(folder: Path, environment: dict[str, str]) -> None:
    words = ("run", "--agent", "./mine.py", "--family", "click-button", "--seeds", "0:1")
    subprocess.run(
        (sys.executable, str(ROOT / "rehearse.py"), *words, "--llm", "live", "--record", "tapes"),
        cwd=folder,
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        timeout=HANG,
    )


@pytest.mark.wide
def test_an_own_agent_that_asks_the_script_is_named_a_remedy(tmp_path):
    (tmp_path / "mine.py").write_text(ASKING)
    output = pytest_in(tmp_path, EPISODE, [], *OURS_FIRST)
    assert "1 failed" in output and "give --llm live or --llm replay:DIR" in output, output
    assert "Traceback" not in output


MISTAKES = """
def test_a_task_without_a_seed(draw_task):
    draw_task("buy_item")


def test_a_family_that_there_is_not(draw_task):
    draw_task("store/buy_itm/0")


def test_an_episode_of_it(episode):
    episode("nothing", "store/buy_itm/0")


def test_an_agent_that_there_is_not(episode):
    episode("nothng", "store/buy_item/0")


def test_the_rest(episode_page, world, evaluate):
    for wrong in (
        lambda: episode_page("store/buy_itm/0"),
        lambda: world("buy_itm", 0),
        lambda: evaluate("store/buy_itm/0", None),
    ):
        with pytest.raises(pytest.fail.Exception, match="no family"):
            wrong()
"""


@pytest.mark.wide
def test_a_mistake_in_a_name_is_one_sentence_without_a_traceback(tmp_path):
    output = pytest_in(tmp_path, "import pytest\n" + MISTAKES, [], *OURS_FIRST)
    assert "4 failed, 1 passed" in output, output
    sentences = "'buy_item' is no scenario; write <site>/<family>/<seed>", "buy_itm", "nothng"
    assert all(each in output for each in sentences), output
    assert "During handling" not in output and not re.search(r"\.py:\d", output), output


def test_recordings_that_there_are_not_are_one_sentence(tmp_path):
    tests = "def test_it(llm):\n    pass\n"
    output = pytest_in(tmp_path, tests, [], *OURS_FIRST, "--llm", "replay:missing")
    assert "1 error" in output and "there is no folder missing; record it with" in output, output
    assert "During handling" not in output and not re.search(r"\.py:\d", output), output


DRAWN = """
from urllib.request import urlopen

import pytest

from evaluators.integrations.outside_task import NoPageShown


@pytest.mark.parametrize("seed", range(3))
def test_it_finishes(draw_task, seed):
    task = draw_task(f"store/buy_item/{seed}")
    assert task.instruction and task.steps and task.answer is None
    urlopen(task.url).close()
    assert not task.finish().success


def test_it_looks_and_leaves(draw_task):
    urlopen(draw_task("store/buy_item/3").url).close()


def test_it_opens_nothing(draw_task):
    with pytest.raises(NoPageShown, match="buy_item/4: no page was shown"):
        draw_task("store/buy_item/4").finish()
"""


@pytest.mark.wide
def test_workers_leave_one_run_of_the_tasks_that_their_tests_drew_and_print_its_table(tmp_path):
    where = ("-p", "xdist", "-n", "2", "--run-dir", "mine", "--as", "my-agent")
    output = pytest_in(tmp_path, DRAWN, [], *OURS_FIRST, *where)
    assert "5 passed" in output and "run: mine" in output, output
    assert re.search(r"outside:client=my-agent +store +\d", output), output
    records = [*run_folder.episodes(tmp_path / "mine")]
    assert [(each.seed, each.trial, each.ended) for each in records] == [
        *((seed, 0, "answered") for seed in range(3)),
        (3, 0, "truncated"),
    ]
