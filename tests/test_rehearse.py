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
from evaluators.records import files, run_folder
from tests.evaluators.records.example_records import manifest

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


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (("frobnicate",), ("frobnicate",)),
        (("run",), ("--agent",)),
        (("run", "--agent", "nothing"), ("--suite", "--family")),
        (("run", "--agent", "nothing", "--family", "buy_item"), ("--seeds",)),
        ((*RUN, "--suite", "smoke"), ("--suite", "--family")),
        (("run", "--agent", "raect", *RUN[3:]), ("'raect'", "react")),
        (("run", "--agent", "react:sumary", *RUN[3:]), ("'sumary'", "summary")),
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
        ((*RUN, "--context", "0"), ("--context", "0")),
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
        (("run", "--agent", "synapse:embedder=hsahed", *RUN[3:]), ("'hsahed'", "hashed")),
        (
            ("run", "--agent", "synapse:embedder=openai", *RUN[3:]),
            ("keys.jsonl", "exemplars build"),
        ),
        (("run", "--agent", "synapse:exemplars=gone", *RUN[3:]), ("gone", "exemplars build")),
        (("exemplars", "build"), ("-o",)),
        (("exemplars", "build", "-o", "a-file"), ("a-file",)),
        (("exemplars", "build", "-o", "x", "--task", "click-tba"), ("'click-tba'", "click-tab")),
        (("exemplars", "table", "--site", "shop"), ("'shop'", "store")),
        (("exemplars", "build", "-o", "x", "--embedder", "openai"), ("OPENAI_API_KEY",)),
        (("exemplars", "table", "--embedder", "hsahed"), ("'hsahed'", "hashed")),
        (("serve", "--site", "stoer"), ("'stoer'", "store")),
        (("serve", "--port", "70000"), ("--port", "70000")),
    ],
    ids=lambda value: " ".join(map(str, value))[-40:],
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
        "react:summary=true,reasks=0,nothing",
        None,
        "buy_item",
        "0:1",
        None,
        **settings,
        prompts=None,
        max_cost=None,
    )
    assert list(made.names) == ["react:summary=true,reasks=0", "nothing"]


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


def test_a_bug_keeps_its_traceback(cli, tmp_path):
    (tmp_path / "mine.py").write_text("raise RuntimeError('mine')\n")
    result = cli("run", "--agent", "./mine.py", *RUN[3:])
    assert result.exit_code == 1 and isinstance(result.exception, RuntimeError)


def test_a_browser_that_is_not_there_is_one_line(cli, monkeypatch):
    monkeypatch.setenv("REHEARSE_CHROMIUM", "/no/such/chromium")
    refused(cli(*RUN, "--json"), "/no/such/chromium", code=1)


# What it prints ----------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["methods", "sites", "families", "suites", "cassettes"])
def test_lists(cli, what):
    rows = one_document(cli("list", what, "--json"))
    table = cli("list", what)
    assert table.exit_code == 0 and table.stderr == ""
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
    told = cli("generate", "--family", "buy_item", "--seed", 7).stdout
    assert drawn[0]["instruction"] in told and drawn[0]["id"] in told
    assert drawn[0]["gold"]["asin"] not in told


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
    said = ("run", "--agent", agents, *RUN[3:6], "0:2", "-o", tmp_path / "run", "--json")
    summary = one_document(cli(*said))
    assert set(summary) == {"schema_version", "run", "rows"} and summary["run"] == "run"
    rates = {row["agent"]: (row["success"], row["progress"]) for row in summary["rows"]}
    assert rates == {"expert": (1, 1), "react": (1, 1), "nothing": (0, 0), "refuse": (0, 0)}
    assert one_document(cli("score", tmp_path / "run", "--json")) == summary
    assert one_document(cli(*said)) == summary
    assert json.loads((tmp_path / "run" / "summary.json").read_text()) == summary
    by_family = one_document(cli("score", tmp_path / "run", "--by", "family", "--json"))
    assert {row["family"] for row in by_family["rows"]} == {"buy_item"}
    table = cli("score", tmp_path / "run").stdout
    assert "react" in table and str(tmp_path / "run") in table
    changed = cli(*said[:2], "expert", *said[3:])
    refused(changed, "another -o")
    _spoil(tmp_path / "run", "expert")
    refused(cli("score", tmp_path / "run"), "final_world.json: not what was recorded")
    home = run_folder.folder(tmp_path / "run", "expert", "buy_item", 0, 0)
    run_folder.commit(home, run_folder.load_episode(home))
    again = one_document(cli("score", tmp_path / "run", "--json"))
    expert = next(row for row in again["rows"] if row["agent"] == "expert")
    assert expert["success"] == 0.5, "scores are made from what was recorded"


def _spoil(run: Path, agent: str) -> None:
    """Take the purchase out of the first recorded world."""
    path = run_folder.folder(run, agent, "buy_item", 0, 0) / "final_world.json"
    files.save(path, {**files.load(path), "purchases": []})


def test_a_run_of_a_family_of_ones_own_can_be_scored_again(cli, tmp_path):
    (tmp_path / "own_family.py").write_text(
        '"""One\'s own."""\nfrom dataclasses import replace\n'
        "from scenarios.store import buy_item\nfrom scenarios.store.buy_item import *\n"
        "def generate(seed, data):\n"
        "    start = '/' + public_id(f'store/own_family/{seed}')\n"
        "    made = buy_item.generate(seed, data)\n"
        "    return replace(made, family='own_family', start=start)\n"
    )
    said = ("run", "--agent", "expert", "--family", "./own_family.py", "--seeds", "0:1", "--json")
    summary = one_document(cli(*said, "-o", "run"))
    assert summary["rows"][0]["success"] == 1
    assert one_document(cli("score", "run", "--json")) == summary


def test_replay_and_a_changed_prompt(cli, tmp_path):
    said = ("run", "--agent", "react", *RUN[3:], "--json")
    first = one_document(cli(*said, "--record", "tapes", "-o", "one/run"))
    again = one_document(cli(*said, "--llm", "replay:tapes", "-o", "two/run"))
    assert again == first
    shutil.copytree(FOLDER, tmp_path / "prompts")
    path = tmp_path / "prompts" / "react" / "store.toml"
    path.write_text(path.read_text().replace("You shop", "You shop?", 1))
    prompts = ("--llm", "replay:tapes", "--prompts", "prompts")
    result = cli(*said, *prompts, "-o", "three/run")
    assert result.exit_code == 1
    [row] = json.loads(result.stdout)["rows"]
    assert (row["infra"], row["success"], row["success_low"]) == (1, None, 0)
    for part in ("0.0.jsonl", "no recorded answer", "-You shop in", "+You shop? in", "--record"):
        assert part in result.stderr, result.stderr
    assert "Traceback" not in result.stderr


def test_without_json_the_table_and_the_folder_are_told(cli, tmp_path):
    result = cli(*RUN, "-o", tmp_path / "run")
    assert result.exit_code == 0
    assert "nothing" in result.stdout and str(tmp_path / "run") in result.stdout
    assert "1/1 episodes" in result.stderr


def test_from_another_folder_as_a_program(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rehearse", "list", "sites", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert "store" in [row["site"] for row in json.loads(done.stdout)]
