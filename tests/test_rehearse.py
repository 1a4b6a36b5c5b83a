"""The command line: one line for every mistake, one JSON document where it is asked for."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehearse
from agent.prompting import FOLDER
from evaluators.commands import listing
from evaluators.records import files, run_folder
from evaluators.report.episodes import command as report_command
from tests.each import for_each
from tests.evaluators.records.example_records import manifest
from tests.measuring import HANG

ROOT = Path(__file__).parents[1]


@pytest.fixture
def cli(monkeypatch, tmp_path):
    """`cli(*arguments)` in an empty folder, offline, without a key."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Result:
        return CliRunner().invoke(rehearse.main, [str(each) for each in arguments])

    return run


def refused(result: Result, *parts: str, code: int = 2) -> None:
    """One line on stderr that names the value, nothing on stdout, no traceback."""
    lines = result.stderr.strip().splitlines()
    assert result.exit_code == code, (result.stderr, result.exception)
    assert result.stdout == ""
    assert len(lines) == 1 and lines[0].startswith("rehearse: "), result.stderr
    assert [part for part in parts if part not in lines[0]] == [], lines[0]


RUN = ("run", "--agent", "nothing", "--family", "buy_item", "--seeds", "0:1")


# Bad input ---------------------------------------------------------------------------------------


@for_each(
    ("arguments", "parts"),
    [
        (("frobnicate",), ("frobnicate",)),
        (("run",), ("--agent",)),
        (("run", "--agent", "nothing"), ("--suite", "--family")),
        (("run", "--agent", "nothing", "--family", "buy_item"), ("--seeds",)),
        ((*RUN, "--suite", "smoke,smoke"), ("smoke is named twice", "once")),
        ((*RUN, "--suite", "smoke,"), ("--suite", "'smoke,'", "empty")),
        (("run", "--agent", "raect", *RUN[3:]), ("'raect'", "react")),
        (("run", "--agent", "react:instruction", *RUN[3:]), ("'instruction'", "instructions")),
        (("run", "--agent", "react:reask=1", *RUN[3:]), ("'reask'", "reasks")),
        (("run", "--agent", "react@scripted-7", *RUN[3:]), ("scripted-7", "0 to 1")),
        (("run", "--agent", "nothing,nothing", *RUN[3:]), ("nothing", "twice")),
        (("run", "--agent", "", *RUN[3:]), ("--agent",)),
        (("run", "--agent", ",", *RUN[3:]), ("--agent",)),
        (("run", "--agent", "./gone.py", *RUN[3:]), ("gone.py",)),
        ((*RUN[:3], "--family", "buy_itme", "--seeds", "0:1"), ("'buy_itme'", "buy_item")),
        ((*RUN[:3], "--family", "./gone.py", "--seeds", "0:1"), ("gone.py",)),
        ((*RUN[:3], "--suite", "stor-20"), ("'stor-20'", "store-20")),
        ((*RUN[:3], "--suite", "store-20", "--seeds", "700:800"), ("store-20", "700:800")),
        ((*RUN[:5], "--seeds", "5:1"), ("--seeds", "'5:1'", "0:20")),
        ((*RUN[:5], "--seeds", "a:b"), ("--seeds", "'a:b'", "0:20")),
        ((*RUN[:5], "--seeds", ""), ("--seeds", "''")),
        ((*RUN, "--skill", "1.5"), ("--skill", "'1.5'")),
        ((*RUN, "--skill", "high"), ("--skill", "'high'")),
        ((*RUN, "--skill", "0.5,"), ("--skill", "'0.5,'")),
        ((*RUN, "--trials", "0"), ("--trials", "0")),
        ((*RUN, "-n", "0"), ("-n", "0")),
        ((*RUN, "-n", "two"), ("-n", "two")),
        ((*RUN, "--max-cost", "-1"), ("--max-cost", "-1")),
        ((*RUN, "--max-run-cost", "-1"), ("--max-run-cost", "-1")),
        ((*RUN, "--family", "buy_item"), ("buy_item, buy_item", "once")),
        ((*RUN, "--model", "gpt-4o"), ("--model gpt-4o", "--llm live")),
        ((*RUN, "--reasoning-effort", "low"), ("--reasoning-effort low", "--llm live")),
        ((*RUN, "--llm", "live", "--reasoning-effort", "much"), ("--reasoning-effort", "minimal")),
        ((*RUN, "--llm", "replay:.", "--model", "gpt-4o"), ("--model gpt-4o", "--llm live")),
        (("list", "suites", "smok"), ("'smok'", "smoke")),
        ((*RUN, "--context", "0"), ("--context", "0")),
        ((*RUN, "--context", "4k,much"), ("--context", "'4k,much'", "4k,8k,16k")),
        ((*RUN[:2], "react:context=0", *RUN[3:]), ("context=0", "1 or more")),
        ((*RUN, "--mistakes", "dice"), ("--mistakes", "dice")),
        ((*RUN, "--mistakes", "sticky,sticky"), ("--mistakes", "'sticky,sticky'")),
        ((*RUN, "--llm", "gpt"), ("--llm", "'gpt'", "replay:DIR")),
        ((*RUN, "--llm", "replay:"), ("--llm", "'replay:'")),
        ((*RUN, "--llm", "replay:nowhere"), ("nowhere", "--record")),
        ((*RUN, "--llm", "live"), ("OPENAI_API_KEY",)),
        ((*RUN, "--prompts", "nowhere"), ("--prompts", "nowhere")),
        (("run", "--agent", "react", *RUN[3:], "--prompts", "."), ("store.toml",)),
        ((*RUN, "--record", "a-file"), ("a-file",)),
        ((*RUN, "-o", "a-file"), ("a-file",)),
        (("list", "colours"), ("colours",)),
        (("generate",), ("--family",)),
        (("generate", "--family", "buy_itme"), ("'buy_itme'", "buy_item")),
        (("generate", "--family", "./gone.py"), ("gone.py",)),
        (("generate", "--family", "buy_item", "--seed", "-1"), ("--seed", "-1")),
        (("generate", "--family", "buy_item", "-n", "0"), ("-n", "0")),
        (("score", "nowhere"), ("nowhere",)),
        (("report", "nowhere"), ("nowhere",)),
        (("score", "nowhere", "--by", "moon"), ("--by", "moon")),
        (("export", "nowhere"), ("nowhere",)),
        (("verify", "nowhere"), ("nowhere", "rehearse export")),
        (("verify", "a-file"), ("a-file, line 1",)),
        (("run", "--agent", "synapse:embedder=hsahed", *RUN[3:]), ("'hsahed'", "hashed")),
        (
            ("run", "--agent", "synapse:embedder=openai", *RUN[3:]),
            ("keys.jsonl", "exemplars build"),
        ),
        (("run", "--agent", "synapse:exemplars=gone", *RUN[3:]), ("gone", "exemplars build")),
        (("exemplars", "build"), ("-o",)),
        (("exemplars", "build", "-o", "a-file"), ("a-file",)),
        (("exemplars", "build", "-o", "x", "--task", "click-tba"), ("'click-tba'", "click-tab")),
        (("exemplars", "table", "--site", "sho"), ("'sho'", "shop")),
        (("exemplars", "build", "-o", "x", "--embedder", "openai"), ("OPENAI_API_KEY",)),
        (("exemplars", "table", "--embedder", "hsahed"), ("'hsahed'", "hashed")),
        (("serve", "--site", "stoer"), ("'stoer'", "store")),
        (("serve", "--port", "70000"), ("--port", "70000")),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(cli, tmp_path, arguments, parts):
    (tmp_path / "a-file").write_text("kept")
    refused(cli(*arguments), *parts)
    assert (tmp_path / "a-file").read_text() == "kept"
    assert not list(tmp_path.rglob("episode.json"))


@pytest.mark.parametrize("skill", ["0.5", "0.5,0.5"])
def test_an_agent_is_named_once_also_with_skills(cli, skill):
    names = "react" if "," in skill else "react,react"
    refused(cli("run", "--agent", names, *RUN[3:], "--skill", skill), "twice")


def test_several_options_of_an_agent_can_be_given(cli):
    """As the name is written, commas included."""
    from evaluators.run.arguments import parse

    settings = {"out": None, "processes": 1, "concurrency": 1, "headed": False}
    settings["engine"] = "processes"
    made = parse(
        ["react:instructions=true", "reasks=0", "nothing"],
        (),
        ["buy_item"],
        "0:1",
        **settings,
        prompts=None,
        max_cost=None,
        max_run_cost=None,
    )
    assert list(made.names) == ["react:instructions=true,reasks=0", "nothing"]


def test_a_file_beside_is_the_remedy_for_its_name_without_the_ending(cli):
    for name in ("mine.py", "my_own.py"):
        Path(name).write_text("")
    refused(cli("run", "--agent", "mine:size=3", *RUN[3:]), "'mine'", "did you mean ./mine.py?")
    refused(cli("run", "--agent", "my-own", *RUN[3:]), "'my-own'", "did you mean ./my_own.py?")
    refused(cli("generate", "--family", "mine"), "family 'mine'", "did you mean ./mine.py?")
    refused(cli("run", "--agent", "../x", *RUN[3:]), "'../x'", "there are adaplanner")


def test_a_port_in_use_is_named(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused(cli("serve", "--port", port), str(port), "another port")


def test_a_corrupt_record_is_named_and_nothing_is_lost(cli, tmp_path):
    run = tmp_path / "run"
    run_folder.save_manifest(run, manifest())
    home = run_folder.folder(run, "nothing", "buy_item", 0, 0)
    home.mkdir(parents=True)
    (home / "episode.json").write_text('{\n "agent": \n')
    refused(cli("score", run), "episode.json", "line 3")
    assert (home / "episode.json").read_text() == '{\n "agent": \n'
    files.save(home / "episode.json", {"schema_version": 99})
    refused(cli("score", run), "episode.json: schema_version is 99", "run it again")


def test_a_file_of_ones_own_that_is_no_agent_is_one_line(cli, tmp_path):
    (tmp_path / "mine.py").write_text("x = 1\n")
    refused(cli("run", "--agent", "./mine.py", *RUN[3:]), "mine.py")
    refused(cli("run", *RUN[1:3], "--family", "./mine.py", "--seeds", "0:1"), "mine.py")


BROKEN = {
    "syntax": ("x = 1\ndef solve(:\n", ("mine.py:2", "SyntaxError")),
    "import": ("import json\n\nimport no_such_module\n", ("mine.py:3", "no_such_module")),
    "deep": ("def f():\n    raise RuntimeError('a\\nb')\nf()\n", ("mine.py:2", "RuntimeError: a;")),
    "exit": ("raise SystemExit(3)\n", ("mine.py:1", "SystemExit: 3")),
}


@pytest.mark.parametrize("strict", [(), ("--strict",)])
@pytest.mark.parametrize(("code", "parts"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_of_ones_own_is_one_line(cli, tmp_path, code, parts, strict):
    (tmp_path / "mine.py").write_text(code)
    parts = (*parts, "run `python -P mine.py`")
    refused(cli("run", "--agent", "./mine.py", *RUN[3:], *strict), *parts)
    family = ("--family", "./mine.py", "--seeds", "0:1")
    refused(cli("run", "--agent", "nothing", *family, *strict), *parts)
    refused(cli("generate", "--family", "./mine.py"), *parts)


OPTIONS = {
    "no dataclass": ("class Options: ...\n", ("mine.py:2", "Options is no dataclass")),
    "no default": (
        "from dataclasses import dataclass\n@dataclass\nclass Options:\n    size: int\n",
        ("mine.py", "TypeError", "size"),
    ),
    "misspelt": ("Options = type\nPROMTPS = ()\n", ("PROMTPS", "did you mean PROMPTS?")),
}


@pytest.mark.parametrize("strict", [(), ("--strict",)])
@pytest.mark.parametrize(("code", "parts"), OPTIONS.values(), ids=OPTIONS)
def test_an_agent_without_proper_members_is_one_line(cli, tmp_path, code, parts, strict):
    solve = "async def solve(task, page, llm, options): return ''\n"
    (tmp_path / "mine.py").write_text(solve + code)
    refused(cli("run", "--agent", "./mine.py", *RUN[3:], *strict), *parts)


def test_a_bug_keeps_its_traceback(cli, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("ours")

    monkeypatch.setattr(listing, "rows", fail)
    result = cli("list", "methods")
    assert result.exit_code == 1 and isinstance(result.exception, RuntimeError)


OWN = """
from dataclasses import dataclass
from agent.interface import FormatError

@dataclass(frozen=True)
class Options:
    deep: int = 0

async def solve(task, page, llm, options):
    {}
"""


@pytest.mark.wide
def test_agents_of_files_are_named_by_their_modules(cli, tmp_path):
    """Runs and recordings are found wherever the file was named from."""
    (tmp_path / "work").mkdir()
    for path in ("work/shopper.py", "shopper.py"):
        (tmp_path / path).write_text(OWN.format('return ""'))
    for path, run in (("./shopper.py", "a"), ("./work/shopper.py:deep=1", "b")):
        assert cli("run", "--agent", path, *RUN[3:], "-o", run).exit_code == 0
    assert [path.name for path in (tmp_path / "a" / "episodes").iterdir()] == ["shopper"]
    [record] = run_folder.episodes(tmp_path / "b")
    assert (record.agent, record.method) == ("shopper:deep=1", "shopper")
    second = cli("run", "--agent", "./work/../shopper.py", *RUN[3:], "-o", "a")
    assert second.exit_code == 0, second.stderr
    config = run_folder.load_manifest(tmp_path / "a").config
    assert report_command(record, config).startswith("rehearse run --agent ./shopper.py:deep=1 ")
    two = "./shopper.py,./work/shopper.py:deep=1"
    refused(cli("run", "--agent", two, *RUN[3:]), "./work/shopper.py", "rename the file")
    (tmp_path / "nothing.py").write_text(OWN.format('return ""'))
    refused(cli("run", "--agent", "nothing,./nothing.py", *RUN[3:]), "rename the file")


WHY = {
    "returning": ("return 7", "agent_error: solve returned int 7; return the answer as text"),
    "raising": ('raise ValueError("no\\nluck")', "agent_error: raising.py:10: ValueError: no luck"),
    "unread": ('raise FormatError("unreadable")', "format_error: unreadable"),
}


@pytest.mark.wide
def test_why_an_agent_failed_is_printed_and_can_be_the_exit_code(cli, tmp_path):
    for name, (line, _) in WHY.items():
        (tmp_path / f"{name}.py").write_text(OWN.format(line))
    agents = ",".join([*(f"./{name}.py" for name in WHY), "nothing"])
    run = ("run", "--agent", agents, *RUN[3:5], "--seeds", "0:2", "-o", "run")
    result = cli(*run)
    assert result.exit_code == 0
    for name, (_, reason) in WHY.items():
        assert f"{name}: 2 episodes ended by an error of the agent" in result.stderr
        assert f"  store/buy_item/0: {reason}; see run/episodes/{name}/" in result.stderr
    assert cli(*run, "--fail-on-error", "--json").exit_code == 1
    fine = cli("run", "--agent", "nothing", *RUN[3:], "-o", "fine", "--fail-on-error")
    assert fine.exit_code == 0 and "error of the agent" not in fine.stderr


@pytest.mark.wide
def test_several_families_are_all_run(cli, tmp_path):
    families = ("--family", "buy_item", "--family", "click-test", "--family", "click-test.easy")
    summary = one_document(
        cli("run", "--agent", "nothing", *families, "--seeds", "0:2", "-o", "r", "--json")
    )
    assert {row["site"]: row["episodes"] for row in summary["rows"]} == {"store": 2, "widgets": 4}
    found = {(each.family, each.seed) for each in run_folder.episodes(tmp_path / "r")}
    names = ("buy_item", "click-test", "click-test.easy")
    assert found == {(name, seed) for name in names for seed in (0, 1)}


def test_agents_may_be_named_by_several_options(cli, tmp_path):
    agents = ("--agent", "nothing,refuse", "--agent", "expert")
    summary = one_document(
        cli("run", *agents, "--family", "click-test", "--seeds", "0:1", "-o", "r", "--json")
    )
    assert {row["agent"] for row in summary["rows"]} == {"nothing", "refuse", "expert"}


def test_a_window_without_a_display_is_one_line(cli, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    refused(cli(*RUN, "--headed"), "DISPLAY", "leave out --headed", "xvfb-run")
    refused(cli("demo", "--headed"), "DISPLAY", "leave out --headed")


def test_a_folder_that_cannot_be_written_is_named(cli):
    result = cli(*RUN, "-o", "/proc/nope")
    refused(result, "cannot write /proc/nope", "give another folder", code=os.EX_IOERR)
    assert "make room" not in result.stderr


def test_a_run_without_episodes_cannot_be_compared(cli, tmp_path):
    run_folder.save_manifest(tmp_path / "empty", manifest())
    for more in ((), ("--agent", "react")):
        refused(cli("compare", "empty", "empty", *more), "empty has no episodes", "-o")


def test_a_browser_that_is_not_there_is_one_line(cli, monkeypatch):
    monkeypatch.setenv("REHEARSE_CHROMIUM", "/no/such/chromium")
    refused(cli(*RUN, "--json"), "/no/such/chromium", code=1)


# What it prints ----------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["methods", "sites", "families", "suites", "cassettes"])
def test_lists(cli, what):
    rows = one_document(cli("list", what, "--json"))
    table = cli("list", what)
    assert table.exit_code == 0
    assert table.stderr == "" or "pip install --no-deps miniwob" in table.stderr
    assert max(map(len, table.stdout.splitlines())) < 230
    name = what.rstrip("s") if what != "families" else "family"
    for row in rows if what != "cassettes" else []:
        assert row[name] in table.stdout


def one_document(result: Result) -> Any:
    assert result.exit_code == 0, (result.stderr, result.exception)
    assert result.stderr == ""
    return json.loads(result.stdout)


def test_generate(cli):
    drawn = one_document(cli("generate", "--family", "buy_item", "--seed", 7, "-n", 2, "--json"))
    assert [each["name"] for each in drawn] == ["store/buy_item/7", "store/buy_item/8"]
    assert {"id", "instruction", "start", "details", "gold", "seed"} <= set(drawn[0])
    printed = cli("generate", "--family", "buy_item", "--seed", 7).stdout
    assert drawn[0]["instruction"] in printed and drawn[0]["id"] in printed
    assert drawn[0]["gold"]["asin"] not in printed


def test_python_is_another_door_to_the_same(cli):
    drawn = one_document(cli("generate", "--family", "buy_item", "--seed", 7, "--json"))
    assert rehearse.generate("buy_item", 7).to_json() == drawn[0]
    assert set(rehearse.__all__) >= {"run", "generate", "score"}


def test_help_is_there_for_every_command(cli):
    for command in ("", "run", "list", "generate", "serve", "score", "report", "demo", "doctor"):
        result = cli(*filter(None, [command]), "--help")
        assert result.exit_code == 0 and "Usage:" in result.stdout


def test_the_version_from_a_checkout_that_is_not_installed_too(cli):
    result = cli("--version")
    assert result.exit_code == 0, result.exception
    assert any(map(str.isdigit, result.stdout))


# Running -----------------------------------------------------------------------------------------


def test_a_run_as_json_then_score_and_resume(cli, tmp_path):
    agents = "expert,react,nothing,refuse"
    arguments = ("run", "--agent", agents, *RUN[3:], "-o", tmp_path / "run", "--json")
    summary = one_document(cli(*arguments))
    assert set(summary) == {"schema_version", "run", "rows"} and summary["run"] == "run"
    rates = {row["agent"]: (row["success"], row["progress"]) for row in summary["rows"]}
    assert rates == {"expert": (1, 1), "react": (1, 1), "nothing": (0, 0), "refuse": (0, 0)}
    assert one_document(cli("score", tmp_path / "run", "--json")) == summary
    assert one_document(cli(*arguments)) == summary
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == summary
    by_family = one_document(cli("score", tmp_path / "run", "--by", "family", "--json"))
    assert {row["family"] for row in by_family["rows"]} == {"buy_item"}
    table = cli("score", tmp_path / "run").stdout
    assert "react" in table and str(tmp_path / "run") in table
    fewer = cli(*arguments[:2], "expert", *arguments[3:])
    assert json.loads(fewer.stdout) == summary and "they stay in it" in fewer.stderr
    refused(cli(*arguments, "--max-steps", 3), "another -o")
    assert cli("export", tmp_path / "run").stdout.endswith("submission.jsonl: 4 episodes\n")
    handed_in = tmp_path / "run" / "submission.jsonl"
    assert one_document(cli("verify", handed_in, "--json"))["summary"] == summary
    assert cli("verify", handed_in).stdout.endswith("verified: 4 of 4 episodes\n")
    _corrupt(tmp_path / "run", "expert")
    refused(cli("export", tmp_path / "run"), "final_world.json: not what was recorded")
    refused(cli("score", tmp_path / "run"), "final_world.json: not what was recorded")
    home = run_folder.folder(tmp_path / "run", "expert", "buy_item", 0, 0)
    run_folder.commit(home, run_folder.load_episode(home))
    second = one_document(cli("score", tmp_path / "run", "--json"))
    expert = next(row for row in second["rows"] if row["agent"] == "expert")
    assert expert["success"] == 0, "scores are made from what was recorded"


def _corrupt(run: Path, agent: str) -> None:
    """Take the purchase out of the first recorded world."""
    path = run_folder.folder(run, agent, "buy_item", 0, 0) / "final_world.json"
    files.save(path, {**files.load(path), "purchases": []})


def test_a_run_of_a_family_of_ones_own_can_be_scored_again(cli, tmp_path):
    (tmp_path / "own_family.py").write_text(
        '"""One\'s own."""\nfrom dataclasses import replace\n'
        "from scenarios.scenario import public_id\nfrom scenarios.store.webshop import buy_item\n"
        "from scenarios.store.webshop.buy_item import *\n"
        "def generate(seed, data):\n"
        "    start = '/' + public_id(f'store/own_family/{seed}')\n"
        "    made = buy_item.generate(seed, data)\n"
        "    return replace(made, family='own_family', start=start)\n"
    )
    arguments = (
        "run",
        "--agent",
        "expert",
        "--family",
        "./own_family.py",
        "--seeds",
        "0:1",
        "--json",
    )
    summary = one_document(cli(*arguments, "-o", "run"))
    assert summary["rows"][0]["success"] == 1
    scored = cli("score", "run", "--json", "--family", "./own_family.py")
    assert one_document(scored) == summary


def test_replay_and_a_changed_prompt(cli, tmp_path):
    arguments = ("run", "--agent", "react", *RUN[3:], "--json")
    first = one_document(cli(*arguments, "--record", "tapes", "-o", "one/run"))
    second = one_document(cli(*arguments, "--llm", "replay:tapes", "-o", "two/run"))
    assert second == first
    shutil.copytree(FOLDER, tmp_path / "prompts")
    path = tmp_path / "prompts" / "react" / "store.toml"
    path.write_text(path.read_text().replace("You shop", "You shop?", 1))
    prompts = ("--llm", "replay:tapes", "--prompts", "prompts")
    result = cli(*arguments, *prompts, "-o", "three/run")
    assert result.exit_code == 1
    [row] = json.loads(result.stdout)["rows"]
    assert (row["infra"], row["success"], row["success_low"]) == (1, None, 0)
    for part in ("0.0.jsonl", "no recorded answer", "-You shop in", "+You shop? in", "--record"):
        assert part in result.stderr, result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.wide
def test_without_json_the_table_and_the_folder_are_told(cli, tmp_path):
    result = cli(*RUN, "-o", tmp_path / "run")
    assert result.exit_code == 0
    assert "nothing" in result.stdout and str(tmp_path / "run") in result.stdout
    assert "1/1 episodes" in result.stderr


@pytest.mark.wide
def test_from_another_folder_as_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rehearse", "list", "sites", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert "store" in [row["site"] for row in json.loads(done.stdout)]
