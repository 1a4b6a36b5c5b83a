"""Many episodes: the same result however they are spread, resumed, and orderly when things die."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from multiprocessing import resource_tracker
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import rehearse
from agent import agent_spec
from agent.llm.recording.cassette import Cassette
from agent.plugins import OwnFile
from agent.prompting import BadPrompt
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records import files, run_folder
from evaluators.run import api, arguments, manifest, scheduler
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.manifest import ChangedRun
from evaluators.run.run_lock import locked
from evaluators.run.worker import StrictError
from scenarios import registry
from tests.contracts.harness import trace_of
from tests.each import for_each
from tests.measuring import DEEP, HANG, measured, unmeasured

ROOT = Path(__file__).parents[3]
MARK = "REHEARSE_TEST_MARK"
HEAD = """
import asyncio, os, signal, sys
from dataclasses import dataclass
from agent.interface import *

@dataclass(frozen=True)
class Options:
    pass

async def solve(task, page, llm, options):
"""


def own(folder: Path, body: str) -> str:
    path = folder / "own.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.strip().split("\n")))
    return str(path)


def dying_once(folder: Path) -> str:
    """An agent whose first episode ends its process, and leaves the file `died`."""
    body = f"""
try:
    open({str(folder / "died")!r}, 'x').close()
except FileExistsError:
    return 'done'
os.kill(os.getpid(), signal.SIGKILL)
"""
    return own(folder, body)


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "rehearse", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ran(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    process = started(*arguments, **environment)
    out, err = process.communicate(timeout=HANG)
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def here(*arguments: str) -> Result:
    """The same command in this process, for what is not about processes."""
    return CliRunner().invoke(rehearse.main, arguments)


def untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: untimed(v) for k, v in value.items() if not k.endswith(("_s", "_at"))}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def contents(run: Path) -> dict[str, Any]:
    """Everything that a run leaves but measured times, by path."""
    found: dict[str, Any] = {}
    for path in sorted(run.rglob("*")):
        name = path.relative_to(run).as_posix()
        if path.name == "trace.jsonl":
            found[name] = untimed(trace_of(path))
        elif path.name == "llm.jsonl":
            tape = Cassette.read(path)
            found[name] = [tape.header.prompts, [(c.key, c.purpose, c.reply) for c in tape.calls]]
        elif path.suffix == ".json":
            found[name] = untimed(json.loads(path.read_text(encoding="utf-8")))
            found[name].pop("faults", None)  # what befell on the way is not what came of it
        elif path.is_file() and path.name != files.SUMS and path.suffix != ".lock":
            found[name] = path.read_bytes()
    return found


# The same result ---------------------------------------------------------------------------------


@pytest.mark.wide
@unmeasured()
def test_another_hash_seed_two_processes_and_a_death_change_nothing(tmp_path):
    """The first episode that runs in a worker ends its process."""
    agents = f"{dying_once(tmp_path)},react@scripted-0.8,random:actions=5"
    seeds = "0:4" if DEEP else "0:2"
    command = ("run", "--agent", agents, "--family", "buy_item", "--seeds", seeds, "--json", "-o")
    elsewhere = {"PYTHONHASHSEED": another_hash_seed(), "TZ": "Pacific/Kiritimati"}
    spread = ran(*command, str(tmp_path / "a" / "run"), "-n", "2", **elsewhere)
    assert spread.returncode == 0, spread.stderr
    assert (tmp_path / "died").exists()
    faults = [each.faults.to_json() for each in run_folder.episodes(tmp_path / "a" / "run")]
    assert {"met": {"worker": 1}, "mended": {"worker": 1}} in faults
    single = here(*command, str(tmp_path / "b" / "run"), "-n", "1")
    assert untimed(json.loads(spread.stdout)) == untimed(json.loads(single.stdout))
    first, second = contents(tmp_path / "a" / "run"), contents(tmp_path / "b" / "run")
    assert len([name for name in first if name.endswith("episode.json")]) == (12 if DEEP else 6)
    assert list(first) == list(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert json.loads(spread.stdout) == json.loads((tmp_path / "a/run/summary.json").read_text())


def another_hash_seed() -> str:
    """Not that of this process."""
    return "8" if os.environ.get("PYTHONHASHSEED") == "7" else "7"


def test_a_second_command_is_refused_before_it_says_anything_else(tmp_path):
    home = run_folder.folder(tmp_path / "run", "expert", "buy_item", 0, 0)
    home.mkdir(parents=True)
    command = ["run", "--agent", "expert", "--family", "buy_item", "--seeds", "0:1"]
    with locked(tmp_path / "run"):
        refused = here(*command, "-o", str(tmp_path / "run"))
    assert refused.exit_code == os.EX_TEMPFAIL
    assert refused.stderr.startswith("rehearse: ") and refused.stderr.count("\n") == 1
    assert "is under way already" in refused.stderr


def options(**given: Any) -> dict[str, Any]:
    """The options of `rehearse run` that must be given to `parse`."""
    left = ("prompts", "max_cost", "max_run_cost", "concurrency", "out")
    return {**dict.fromkeys(left), "processes": 1, "headed": False, "engine": "processes", **given}


UNCUT = "--seeds 0:3 is for families and environments and cuts no suite"


@for_each(
    ("suites", "families", "llm", "note"),
    [
        (
            ["store-20", "crm-12"],
            ["click-test"],
            "scripted",
            f"planned episodes: store-20: 40, crm-12: 24, click-test 0:3: 6; {UNCUT}",
        ),
        (["store-20"], [], "live", "planned episodes: store-20 0:3: 6"),
        (["store-20"], [], "scripted", ""),
        ([], ["click-test"], "live", "planned episodes: click-test 0:3: 6"),
    ],
)
def test_a_line_says_what_a_command_plans_and_what_the_seeds_are_for(suites, families, llm, note):
    agents = ["react", "nothing"]
    assert arguments.parse(agents, suites, families, "0:3", llm=llm, **options()).note == note


@pytest.mark.wide
def test_both_kinds_of_mistakes_are_played_side_by_side(tmp_path):
    task_set = registry.from_family("buy_item", range(1))
    setting = RunConfig(out=tmp_path / "run", mistakes="sticky,memoryless")
    planned = arguments.RunRequest(["react"], task_set, setting, [0.5, 0.9], tmp_path / "run")
    assert planned.total == 4
    summary = api.run(["react"], task_set, setting, [0.5])
    assert [(row.agent, row.mistakes, row.skill) for row in summary.rows] == [
        ("react@scripted-0.5-memoryless", "memoryless", 0.5),
        ("react@scripted-0.5-sticky", "sticky", 0.5),
    ]


# Resuming ----------------------------------------------------------------------------------------


def run(tmp_path: Path, names: list[str], seeds: range = range(2), **setting: Any):
    """A run in this process; the episodes that ran, and the summary."""
    ran: list[str] = []
    summary = api.run(
        names,
        registry.from_family("buy_item", seeds),
        RunConfig(out=tmp_path / "run", **setting),
        on_record=lambda record: ran.append(record.episode),
    )
    return ran, summary


@pytest.mark.wide
def test_resuming_plays_what_is_missing_and_nothing_else(tmp_path):
    finished, whole = run(tmp_path, ["expert"])
    assert len(finished) == 2
    before = contents(tmp_path / "run")
    home = run_folder.folder(tmp_path / "run", "expert", "buy_item", 1, 0)
    (home / "episode.json").unlink()
    finished, resumed = run(tmp_path, ["expert"])
    assert finished == ["expert/store/buy_item/1/0"]
    assert contents(tmp_path / "run") == before and resumed == whole
    assert run(tmp_path, ["expert"])[0] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"mistakes": "memoryless"},
        {"context": 9000},
        {"dollars": 0.5},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_run_is_not_resumed_under_another_configuration(tmp_path, changed):
    files.save(tmp_path / "run" / "run.json", _begun(tmp_path))
    given = {"names": ["react"], "seeds": range(1), **changed}
    with pytest.raises(ChangedRun) as refused:
        run(tmp_path, **given)
    assert "another -o" in str(refused.value) and "\n" not in str(refused.value)


def _begun(tmp_path: Path, agent: str = "react") -> dict[str, Any]:
    """The run.json of a run that has just begun."""
    task_set = registry.from_family("buy_item", range(1))
    manifest.write(
        tmp_path / "other",
        [agent_spec.read(agent)],
        task_set,
        RunConfig(out=tmp_path / "other"),
    )
    return files.load(tmp_path / "other" / "run.json")


def test_no_record_of_a_resumed_run_is_lost_by_a_corrupt_one(tmp_path):
    """The corrupt one is named; the others stay as they are."""
    files.save(tmp_path / "run" / "run.json", _begun(tmp_path, "nothing"))
    home = run_folder.folder(tmp_path / "run", "nothing", "buy_item", 0, 0)
    home.mkdir(parents=True)
    (home / "episode.json").write_text("{")
    with pytest.raises(files.CorruptRecord, match=r"buy_item-0/0/episode\.json"):
        run(tmp_path, ["nothing"], range(1))


@pytest.fixture(scope="module")
def finished(tmp_path_factory) -> Path:
    """A run of one episode that came to its end."""
    folder = tmp_path_factory.mktemp("finished")
    run(folder, ["react"], range(1))
    return folder / "run"


@pytest.mark.parametrize("name", ["episode.json", "trace.jsonl", "final_world.json", "llm.jsonl"])
def test_a_flipped_byte_of_a_finished_episode_is_named(tmp_path, finished, name):
    shutil.copytree(finished, tmp_path / "run")
    path = run_folder.folder(tmp_path / "run", "react", "buy_item", 0, 0) / name
    data = bytearray(path.read_bytes())
    at = data.index(b"0")  # still JSON, and another episode
    data[at] = ord("1")
    path.write_bytes(data)
    with pytest.raises(files.CorruptRecord, match=f"{name}: not what was recorded"):
        run(tmp_path, ["react"], range(1))
    assert path.read_bytes() == data, "nothing was written over"


def test_a_task_that_an_agents_prompts_do_not_fit_is_refused_beside_one_that_they_fit(tmp_path):
    names = ["widgets/click-pie/0", "widgets/login-user/0"]
    refused = r"laser cannot do widgets/click-pie: .*widgets\.toml is not for the task click-pie;"
    for tasks in (names, names[:1]):
        with pytest.raises(BadPrompt, match=refused):
            api.run(["laser"], registry.TaskSet(tasks), RunConfig(out=tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_an_agent_without_prompts_for_the_host_is_refused_before_it_begins(tmp_path):
    """LASER needs a graph of a site's states, and the desk of three airlines has none."""
    tasks = registry.TaskSet(["crm/find_by_name/3"])
    with pytest.raises(
        BadPrompt, match="laser cannot do crm/find_by_name: laser has no graph of states"
    ):
        api.run(["laser"], tasks, RunConfig(out=tmp_path / "none"))
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("options", ["--strict", "--isolate --strict", "--isolate", ""])
def test_an_exception_names_the_line_of_the_users_file(tmp_path, options):
    path = own(tmp_path, "def helper(page):\n    return page.nothing_here\nreturn helper(page)")
    words = f"run --agent {path} --family buy_item --seeds 0:1 {options} -o {tmp_path / 'run'}"
    ended = CliRunner().invoke(rehearse.main, words.split())
    line = next(each for each in ended.output.splitlines() if "AttributeError" in each)
    assert "own.py:12: AttributeError: " in line and "nothing_here" in line, ended.output
    strict = "--strict" in options
    assert (ended.exit_code, "Traceback" in ended.output) == (int(strict), False)
    assert ended.output.count("\n") == 1 or not strict


@pytest.mark.parametrize("purpose", ["own/act", "react/nonsense"])
def test_an_agent_that_nobody_answers_ends_the_run_without_a_score(tmp_path, purpose):
    """Even if it swallows the error: a script that is missing is no failure of the agent."""
    asks = f"await llm.ask({purpose!r}, [{{'role': 'user', 'content': 'hello'}}])"
    path = own(tmp_path, f"try:\n    {asks}\nexcept Exception:\n    return 'swallowed'")
    words = f"run --agent {path},nothing --family buy_item --seeds 0:1 -o {tmp_path / 'run'}"
    ended = CliRunner().invoke(rehearse.main, words.split())
    assert ended.exit_code == 1 and ended.output.count("rehearse: ") == 1, ended.output
    line = ended.output[ended.output.index("rehearse: ") :]
    assert line.count("\n") == 1 and "the scripted model answered" not in ended.output
    for words in (purpose, "--llm live", "--llm replay:DIR", "scripted answers"):
        assert words in line
    assert not [*(tmp_path / "run").rglob("own/**/episode.json")]


# Faults of ours ----------------------------------------------------------------------------------

BROKEN = '''"""A family whose purchases no scorer can read."""
from dataclasses import replace
from scenarios.store.webshop import buy_item
from scenarios.scenario import public_id
from scenarios.store.webshop.buy_item import *

def generate(seed, data):
    made = buy_item.generate(seed, data)
    start = "/" + public_id(f"store/broken/{seed}")
    return replace(made, family="broken", start=start, gold={"asin": made.gold["asin"]})

def length(scenario):
    return 9
'''

BUYER = """
with open({log!r}, "a") as log:
    log.write("ran\\n")
await page.act(Type(1, "office chairs", enter=True))
found = await page.observe()
await page.act(Click([e.id for e in found.elements if e.name.startswith("B0")][0]))
await page.act(Click("Buy Now"))
"""


@pytest.mark.wide
def test_a_fault_of_ours_is_played_again_at_once_and_three_times_in_all(tmp_path):
    family, log = tmp_path / "broken.py", tmp_path / "log"
    family.write_text(BROKEN)
    spec = EpisodeSpec(agent_spec.read(own(tmp_path, BUYER.format(log=str(log)))), "store/broken/0")
    spec = EpisodeSpec(spec.agent, spec.scenario, family_file=OwnFile(family))
    run_context = RunContext(tmp_path / "run")
    counts = []
    for _ in range(3):
        scheduler.run_episodes(
            [spec], run_context, ExecutorConfig(concurrency=1), lambda record: None
        )
        counts.append(len(log.read_text().splitlines()))
    assert counts == [2, 3, 3]
    record = files.load(next(tmp_path.glob("run/**/episode.json")))
    assert (record["ended"], record["tries"]) == ("infra_error", 3)


@pytest.mark.wide
def test_a_fault_of_a_recording_is_never_played_again(tmp_path):
    (tmp_path / "tapes").mkdir()
    log = tmp_path / "log"
    body = (
        f'with open({str(log)!r}, "a") as log:\n    log.write("ran\\n")\n'
        'await llm.ask("react/act", [])'
    )
    name = own(tmp_path, body)
    for _ in range(2):
        _, summary = run(tmp_path, [name], range(1), llm=f"replay:{tmp_path / 'tapes'}")
        assert summary.rows[0].infra == 1 and summary.rows[0].success is None
    assert log.read_text() == "ran\n"


@pytest.mark.wide
def test_one_bad_recording_does_not_stop_the_others(tmp_path):
    """Two episodes are replayed, the first one's recording is corrupt."""
    run(tmp_path / "a", ["react"], record=tmp_path / "tapes")
    (tmp_path / "tapes/react/buy_item/0.0.jsonl").write_text("{}\n")
    _, summary = run(tmp_path / "b", ["react"], llm=f"replay:{tmp_path / 'tapes'}")
    [row] = summary.rows
    assert (row.episodes, row.scored, row.infra, row.success) == (2, 1, 1, 1.0)


# Death -------------------------------------------------------------------------------------------


def marked(mark: str) -> list[int]:
    """The processes that were started with this mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            environment = path.read_bytes()
            state = (path.parent / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if f"{MARK}={mark}".encode() in environment and state != "Z":
            found.append(int(path.parent.name))
    return found


def gone(mark: str, seconds: float = 30) -> bool:
    """Whether every such process ends in time; what is left is ended here."""
    end = time.monotonic() + seconds
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.05)
    left = marked(mark)
    for number in left:
        os.kill(number, signal.SIGKILL)
    return not left


@pytest.mark.wide
def test_a_killed_worker_is_one_line_and_leaves_no_process(tmp_path, monkeypatch):
    name, mark = own(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)"), f"{tmp_path.name}-killed"
    resource_tracker.ensure_running()  # it would be a worker's child, and stay
    monkeypatch.setenv(MARK, mark)
    command = ("run", "--agent", name, "--family", "buy_item", "--seeds", "0:1", "-n", "2")
    done = here(*command, "--json", "-o", str(tmp_path / "run"))
    assert done.exit_code == 1 and done.stdout == ""
    assert "worker" in done.stderr and "-o" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert gone(mark)


@pytest.mark.wide
@unmeasured()
def test_a_run_that_was_killed_leaves_no_process_and_ends_as_if_it_had_not_been(tmp_path):
    """Some of its episodes would go on for ever. As long as it lives nobody else starts it."""
    hanging, mark = tmp_path / "hanging", f"{tmp_path.name}-run"
    body = f"if os.path.exists({str(hanging)!r}):\n    await asyncio.Event().wait()"
    agents = f"{own(tmp_path, body)},react@scripted-0.8"
    command = ("run", "--agent", agents, "--family", "buy_item", "--seeds", "0:2", "--json", "-o")
    killed = (*command, str(tmp_path / "a" / "run"))
    hanging.touch()
    process = started(*killed, "-n", "2", **{MARK: mark})
    while not any(tmp_path.rglob("episode.json")) and process.poll() is None:
        time.sleep(0.02)
    with measured():
        second = here(*killed)
    assert second.exit_code == 75 and "is under way already" in second.stderr
    process.kill()
    process.communicate()
    assert gone(mark)
    hanging.unlink()
    resumed, whole = here(*killed), here(*command, str(tmp_path / "b" / "run"))
    assert resumed.exit_code == 0, resumed.stderr
    assert untimed(json.loads(resumed.stdout)) == untimed(json.loads(whole.stdout))
    assert contents(tmp_path / "a" / "run") == contents(tmp_path / "b" / "run")


@pytest.mark.deep
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
@unmeasured()
def test_a_run_that_is_ended_leaves_no_process(tmp_path, by):
    """Episodes are under way that would go on for ten minutes."""
    begun, mark = tmp_path / "begun", f"{tmp_path.name}-{by.name}"
    name = own(tmp_path, f"open({str(begun)!r}, 'w').close()\nawait asyncio.Event().wait()")
    with (tmp_path / "err").open("w") as err:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "rehearse", "run", "--agent", name),
                *("--family", "buy_item", "--seeds", "0:2", "-n", "2"),
                *("-o", str(tmp_path / "run")),
            ],
            cwd=ROOT,
            env={**os.environ, MARK: mark},
            stdout=subprocess.DEVNULL,
            stderr=err,
        )
        while not begun.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(by)
        assert gone(mark)
    errors = (tmp_path / "err").read_text()
    assert process.wait() != 0 and "Traceback" not in errors
    if by == signal.SIGINT:
        assert process.returncode == 130 and "resume with -o" in errors


@pytest.mark.wide
def test_strict_raises_a_methods_error_in_one_process_and_in_two(tmp_path):
    name = own(tmp_path, "raise ValueError('my own bug')")
    for processes in (1, 2):
        with pytest.raises(StrictError, match="ValueError: my own bug"):
            run(
                tmp_path / str(processes),
                [name],
                range(1),
                strict=True,
                executor=ExecutorConfig(processes=processes),
            )


def test_a_method_that_ends_its_task_costs_no_other_episode(tmp_path):
    body = "if task.rng.random() < 2 and 'desk' != task.site:\n    raise asyncio.CancelledError"
    finished, summary = run(tmp_path, [own(tmp_path, body)], range(3))
    assert len(finished) == 3 and summary.rows[0].episodes == 3
