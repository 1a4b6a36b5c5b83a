"""A run grows: what is added to it, what stays, and what is refused."""

from __future__ import annotations

import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rehearse
from agent import agent_spec
from agent.prompting import FOLDER
from evaluators.analysis.floor import NULL_AGENTS
from evaluators.episode.budget import Limits
from evaluators.records import run_folder
from evaluators.records.models import RunManifest
from evaluators.records.run_plan import RunPlan
from evaluators.run import manifest
from evaluators.run.config import RunConfig
from evaluators.run.manifest import ChangedRun
from evaluators.run.run_lock import RunLocked, locked
from scenarios import registry
from scenarios.registry import TaskSet
from tests.each import for_each
from tests.loopback import reply, serve

STORE = registry.from_families(["buy_item"], range(2))
WIDGETS = registry.from_families(["click-test"], range(3))


@pytest.fixture
def live(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that names a live model, which is never asked."""
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-4o-mini")


def begin(out: Path, *agents: str, tasks: TaskSet = STORE, **setting: object) -> RunManifest:
    """Begin a run or add to it, without its episodes; its manifest."""
    config = RunConfig(out=out, **setting)  # type: ignore[arg-type]
    manifest.write(out, [agent_spec.read(each) for each in agents], tasks, config)
    return run_folder.load_manifest(out)


def episodes(found: RunManifest) -> set[tuple[str, str, int]]:
    return {*RunPlan(found)}


def test_one_more_agent_joins_the_run(tmp_path: Path) -> None:
    begun = begin(tmp_path, "react")
    found = begin(tmp_path, "nothing", "react", "laser")
    assert found.config.agents == ("react", "nothing", "laser") and not found.added
    assert {*found.config.models} == {"react", "laser"} == {*found.config.prompts}
    assert found.started_at == begun.started_at
    assert RunPlan(found).episodes == 6


def test_more_trials_take_the_place_of_fewer(tmp_path: Path) -> None:
    begin(tmp_path, "react", "laser")
    found = begin(tmp_path, "react", "laser", trials=3)
    assert found.config.trials == 3 and not found.added and RunPlan(found).episodes == 12


def test_more_trials_of_one_agent_leave_the_other_as_it_is(tmp_path: Path) -> None:
    begin(tmp_path, "react", "laser")
    found = begin(tmp_path, "react", trials=3)
    trials = {(agent, trial) for agent, _, trial in episodes(found)}
    assert trials == {("react", 0), ("react", 1), ("react", 2), ("laser", 0)}
    assert RunPlan(found).episodes == 8 == len(episodes(found))


def found_agents(found: RunManifest) -> set[str]:
    return {agent for part in found.parts for agent in part.config.agents}


def test_other_tasks_are_a_part_of_their_own_with_their_label(tmp_path: Path) -> None:
    begin(tmp_path, "react", "laser")
    found = begin(tmp_path, "react", tasks=WIDGETS)
    assert [part.label for part in found.parts] == ["buy_item 0:2", "click-test 0:3"]
    assert RunPlan(found).episodes == 2 * 2 + 3
    assert ("laser", "widgets/click-test/0", 0) not in episodes(found)


def test_one_more_suite_or_family_in_one_command(tmp_path: Path) -> None:
    begin(tmp_path, "react")
    both = registry.from_families(["buy_item", "click-test"], range(3))
    found = begin(tmp_path, "react", tasks=both)
    assert found.label == "buy_item,click-test 0:3" and not found.added
    assert RunPlan(found).episodes == 6


def test_what_a_run_has_is_not_written_again(tmp_path: Path) -> None:
    begin(tmp_path, "react", "laser", trials=2)
    before = (tmp_path / "run.json").stat().st_mtime_ns, (tmp_path / "run.json").read_bytes()
    begin(tmp_path, "laser", tasks=registry.from_families(["buy_item"], range(1)))
    begin(tmp_path, "react")
    after = (tmp_path / "run.json").stat().st_mtime_ns, (tmp_path / "run.json").read_bytes()
    assert after == before


def test_null_agents_join_a_live_run_without_a_model(tmp_path: Path, live: None) -> None:
    begin(tmp_path, "react", llm="live", dollars=0.5, context=9000)
    found = begin(tmp_path, "nothing", "random")
    assert [part.config.llm for part in found.parts] == ["live", "scripted"]
    assert found.parts[0].config.models == {"react": "gpt-4o-mini"}
    assert found.parts[1].config.models == {} == found.parts[1].config.prompts
    resumed = begin(tmp_path, "react", "nothing", "random", llm="live", dollars=0.5, context=9000)
    assert resumed == found


def test_null_agents_join_a_replay(tmp_path: Path) -> None:
    (tmp_path / "tapes").mkdir()
    begin(tmp_path / "run", "react", llm=f"replay:{tmp_path / 'tapes'}")
    found = begin(tmp_path / "run", "nothing")
    assert found.parts[0].config.models == {"react": "replay"}
    assert RunPlan(found).episodes == 4


@for_each(
    ("agent", "setting", "message"),
    [
        ("laser", {}, r"\(llm was live, now scripted\)"),
        ("react", {}, r"\(llm was live, now scripted\)"),
        ("react", {"llm": "live", "model": "other"}, "model was gpt-4o-mini, now other for react"),
        ("react", {"llm": "live", "context": 9000}, "context was None, now 9000 for react"),
        ("laser", {"llm": "live", "dollars": 0.5}, "dollars was None, now 0.5"),
        ("laser", {"llm": "live", "limits": Limits(calls=4)}, "max_calls was None, now 4"),
        ("nothing", {"limits": Limits(steps=4)}, "max_steps was None, now 4"),
        ("nothing", {"confirm": "stop"}, "confirm was None, now stop"),
        ("nothing", {"tasks": registry.from_suite("store-20")}, "tasks of buy_item was , now "),
    ],
)
def test_what_would_mix_unlike_episodes_is_refused_by_name(
    tmp_path: Path, live: None, agent: str, setting: dict[str, object], message: str
) -> None:
    before = begin(tmp_path, "react", llm="live")
    with pytest.raises(ChangedRun, match=f"{message}.*another -o"):
        begin(tmp_path, agent, **setting)  # type: ignore[arg-type]
    assert run_folder.load_manifest(tmp_path) == before


def test_another_model_of_the_environment_is_another_model(
    tmp_path: Path, live: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path, "react", llm="live")
    begin(tmp_path, "react", llm="live", model="gpt-4o-mini")
    monkeypatch.setenv("OPENAI_MODEL", "gpt-4o")
    with pytest.raises(ChangedRun, match="model was gpt-4o-mini, now gpt-4o for react"):
        begin(tmp_path, "react", "laser", llm="live")


def test_a_new_agent_brings_prompts_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    prompts, out = Path(shutil.copytree(FOLDER, tmp_path / "prompts")), tmp_path / "run"
    begin(out, "react", prompts=prompts)
    for name in ("react", "laser"):
        with (prompts / name / "store.toml").open("a") as file:
            file.write("# changed\n")
    begin(out, "laser", prompts=prompts)
    begin(out, "react", tasks=WIDGETS, prompts=prompts)
    with pytest.raises(ChangedRun, match=r"\(prompts of react for store was"):
        begin(out, "laser", "react", prompts=prompts)


@pytest.mark.parametrize("agent", ["flat:cap=4000", "flat:examples=2"])
def test_other_families_are_refused_if_they_decide_the_prompt(tmp_path: Path, agent: str) -> None:
    account = registry.from_families(["latest_order"], range(1))
    begin(tmp_path, agent, "flat", "step")
    begin(tmp_path, "flat", "step", tasks=account)
    found = begin(tmp_path, agent, tasks=WIDGETS)
    at = {"store": "buy_item", "widgets": "click-test"}
    assert [part.config.fitted for part in found.parts] == [
        *({agent: {"store": at["store"]}}, {}, {agent: {"widgets": at["widgets"]}})
    ]
    made = f"the prompt of {agent} at store was made"
    message = rf"\({made} without latest_order, {made} also for buy_item\).*another -o"
    with pytest.raises(ChangedRun, match=message):
        begin(tmp_path, agent, tasks=account)
    assert run_folder.load_manifest(tmp_path) == found
    assert begin(tmp_path, agent) == found


def test_a_run_under_way_does_not_grow(tmp_path: Path) -> None:
    before = begin(tmp_path, "react")
    with locked(tmp_path):
        begin(tmp_path, "react")
        with pytest.raises(RunLocked, match="under way already"):
            begin(tmp_path, "laser")
    assert run_folder.load_manifest(tmp_path) == before


def test_agents_that_are_added_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    begin(tmp_path, "react")
    with ThreadPoolExecutor(len(NULL_AGENTS)) as pool:
        [*pool.map(lambda agent: begin(tmp_path, agent), NULL_AGENTS)]
    assert found_agents(run_folder.load_manifest(tmp_path)) == {"react", *NULL_AGENTS}


def test_the_episodes_of_a_strangers_manifest_are_counted_without_being_listed(
    tmp_path: Path,
) -> None:
    begin(tmp_path, "react")
    huge = begin(tmp_path, "laser", tasks=WIDGETS).with_settings(trials=10**6)
    assert RunPlan(huge).episodes == 5 * 10**6


# With episodes -----------------------------------------------------------------------------------


def cli(*words: object) -> Result:
    return CliRunner().invoke(rehearse.main, [str(each) for each in words])


def works(*words: object) -> Result:
    result = cli(*words)
    assert result.exit_code == 0, result.output
    return result


def hinted(result: Result) -> str:
    """The agents that the hint under a table says to add."""
    [agents] = re.findall(r"no floor.*--agent (\S+)", result.stdout)
    return agents


def records(run: Path) -> dict[Path, int]:
    """The times at which the records were written."""
    return {path: path.stat().st_mtime_ns for path in run.rglob("episode.json")}


def usable(run: Path, tmp_path: Path) -> None:
    """Every command that reads a run reads this one."""
    works("export", run, "-o", tmp_path / "file")
    verified = works("verify", tmp_path / "file")
    count = len(records(run))
    assert f"verified: {count} of {count} episodes" in verified.stdout
    works("score", run)
    works("report", run)
    works("estimate", run, "--model", "gpt-4o-mini")
    assert f"<dd>{count}</dd>" in (run / "report.html").read_text().replace("\n", "")


BEGUN = ("--family", "click-test", "--seeds", "0:1")


@pytest.mark.usefixtures("unmeasured")
def test_the_hint_of_the_floor_a_family_and_trials_add_to_a_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    first = works("run", "--agent", "react", *BEGUN, "-o", run)
    assert "has also" not in first.stderr
    before = records(run)
    second = works("run", "--agent", hinted(first), *BEGUN, "-o", run)
    assert "the run has also agents: react; they stay in it" in second.stderr
    assert "floor is the highest success" in second.stdout
    more = ("--family", "click-test", "--family", "click-button", "--seeds", "0:1")
    works("run", "--agent", "react", *more, "--trials", 2, "-o", run)
    third = works("run", "--agent", "react,nothing", *BEGUN, "-o", run)
    assert "scenarios: widgets/click-button/0; trials: 2 instead of 1" in third.stderr
    assert before.items() <= records(run).items()
    assert len(records(run)) == 1 + len(NULL_AGENTS) + 3
    usable(run, tmp_path)
    works("compare", run, run, "--agent", "react", "--with", "nothing")


@pytest.mark.usefixtures("unmeasured")
def test_a_null_agent_beside_several_models_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs once beside the scripted model and once beside a live one, and names neither."""
    run = tmp_path / "run"
    with serve(lambda body: reply("stop[nothing fits]")) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        works("run", "--agent", "react", *BEGUN, "--llm", "live", "-o", run)
        works("run", "--agent", "nothing", *BEGUN, "-o", run)
        both = ("--agent", "react,nothing", *BEGUN, "--trials", 2)
        works("run", *both, "--llm", "live", "-o", run)
    found = {(each.agent, each.trial): each.model for each in run_folder.episodes(run)}
    live = "gpt-4o-mini"
    assert found == {("react", n): live for n in (0, 1)} | {("nothing", n): "" for n in (0, 1)}
    usable(run, tmp_path)
    for trial, named in enumerate(("scripted", live)):
        as_before(run, f"nothing/widgets/click-test/0/{trial}", named)
    usable(run, tmp_path)


def as_before(run: Path, episode: str, model: str) -> None:
    """Let an episode's record name the run's model, as in versions before this rule."""
    old = next(each for each in run_folder.episodes(run) if each.episode == episode)
    changed = old.model_copy(update={"model": model, "mistakes": "sticky"})
    run_folder.commit(run_folder.home(run, old), changed)


@pytest.mark.wide
@pytest.mark.usefixtures("unmeasured")
def test_the_hint_works_on_a_live_run_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "run"
    with serve(lambda body: reply("stop[nothing fits]")) as model:
        for name, value in model.environment.items():
            monkeypatch.setenv(name, value)
        first = works("run", "--agent", "react", *BEGUN, "--llm", "live", "-o", run)
        asked = len(model.requests)
        works("run", "--agent", hinted(first), *BEGUN, "-o", run)
        everybody = f"react,{hinted(first)}"
        works("run", "--agent", everybody, *BEGUN, "--llm", "live", "--trials", 1, "-o", run)
        assert len(model.requests) == asked > 0
    usable(run, tmp_path)
    assert "live model: gpt-4o-mini<" in (run / "report.html").read_text()
