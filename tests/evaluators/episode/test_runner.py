"""One agent on one scenario: how it can end, and what is written of it."""

from __future__ import annotations

import asyncio
import json
import shutil

import pytest

from agent import agent_spec
from agent.llm import model_source
from agent.llm.model_source import ModelSource
from agent.llm.recording.cassette import Cassette, CassetteWriter
from agent.llm.transport.live import Live
from agent.plugins import OwnFile
from evaluators.episode import termination
from evaluators.episode.budget import Limits
from evaluators.episode.runner import ScenarioChanged, run_episode
from evaluators.episode.spec import EpisodeSpec, RunContext
from evaluators.records import files, run_folder
from evaluators.run.api import score
from scenarios import registry
from tests.contracts.test_honesty import silent_prompts
from tests.evaluators.records.example_records import manifest
from tests.loopback import Server, serve

SCENARIO = "store/buy_item/3"
HEAD = """
import asyncio, sys
from dataclasses import dataclass
from agent.interface import *

@dataclass(frozen=True)
class Options:
    pass

async def solve(task, page, llm, options):
    ask = lambda text: llm.ask("react/act", [{"role": "user", "content": text}])
"""


@pytest.fixture
def own(tmp_path, harness):
    """Run a method with this body on the scenario."""

    def run_own(body: str, run: str = "run", **run_context):
        path = tmp_path / f"own{len(list(tmp_path.glob('own*.py'))) or ''}.py"
        path.write_text(HEAD + "".join(f"    {line}\n" for line in body.strip().split("\n")))
        return harness.run(str(path), SCENARIO, tmp_path / run, **run_context)

    return run_own


@pytest.fixture(scope="module")
def recorded(harness, tmp_path_factory):
    """An episode of react, and the folder of its recording."""
    folder = tmp_path_factory.mktemp("recorded")
    source = model_source.read("scripted", record=folder / "tapes")
    made = harness.run("react", SCENARIO, folder / "run", strict=True, model_source=source)
    return made, folder / "tapes"


# What is written ---------------------------------------------------------------------------------

KEYS = {
    *("schema_version", "episode", "scenario", "site", "family", "seed", "trial"),
    *("agent", "method", "options", "model", "skill", "ended", "cause", "success"),
    *("success_published", "progress", "reward", "reward_strict", "reward_parts", "checks"),
    *("answer", "attempts", "steps", "llm_calls", "invalid_actions", "repeats", "events"),
    *("usage", "cost_usd", "by_purpose", "hashes", "error"),
}


def test_the_record_of_a_success(recorded):
    ran, _ = recorded
    record = ran.record
    assert set(record) >= KEYS
    assert set(record["hashes"]) >= {"scenario", "data", "site", "evaluator", "prompts", "cassette"}
    assert (record["ended"], record["cause"], record["success"]) == ("answered", "", True)
    assert record["episode"] == f"react/{SCENARIO}/0" and record["model"] == "scripted"
    assert record["attempts"] == [
        {"success": True, "progress": 1.0, "actions": record["steps"], "answer": None},
    ]
    assert record["llm_calls"] == record["steps"] + 1, "one thought"
    assert record["by_purpose"]["react/act"]["calls"] == record["llm_calls"]
    assert record["usage"]["prompt"] > 0 and record["cost_usd"] == 0
    assert files.load(ran.home / "episode.json") == json.loads(json.dumps(record))
    assert {each.name for each in ran.home.iterdir()} == {
        "episode.json",
        "trace.jsonl",
        "final_world.json",
        "llm.jsonl",
        "SHA256SUMS",
    }
    bought = files.load(ran.home / "final_world.json")["purchases"]
    assert [row["asin"] for row in bought] == [registry.scenario(SCENARIO).gold["asin"]]
    kinds = [line["kind"] for line in ran.trace]
    assert kinds.count("action") == record["steps"] and kinds.count("call") == record["llm_calls"]
    assert kinds[0] == "observation" and kinds[-1] == "end"


def test_measured_times_stand_in_their_keys_alone(recorded, harness, tmp_path):
    runs = [recorded[0], harness.run("react", SCENARIO, tmp_path, strict=True)]
    assert untimed(runs[0].record) == untimed(runs[1].record)
    lines = [untimed(ran.trace) for ran in runs]
    assert lines[0] == lines[1]


def untimed(value):
    if isinstance(value, dict):
        return {k: untimed(v) for k, v in value.items() if not k.endswith(("_s", "_at"))}
    return [untimed(each) for each in value] if isinstance(value, list) else value


def test_the_prompts_that_were_used_are_named(recorded, harness, tmp_path):
    """Also those of a folder of one's own."""
    prompts = silent_prompts("react", tmp_path / "prompts")
    one, _ = recorded
    other = harness.run("react", SCENARIO, tmp_path / "b", prompts=prompts)
    assert one.record["hashes"]["prompts"] != other.record["hashes"]["prompts"]
    headers = [Cassette.read(ran.home / "llm.jsonl").header for ran in (one, other)]
    assert headers[0].speaker == "scripted" and set(headers[0].prompts) >= {"store.toml"}
    assert headers[0].prompts["store.toml"] != headers[1].prompts["store.toml"]


def test_a_scenario_that_is_not_what_was_frozen_is_not_played(harness, tmp_path):
    spec = EpisodeSpec(agent_spec.read("nothing"), SCENARIO, digest="0" * 64)
    with pytest.raises(ScenarioChanged, match=SCENARIO):
        harness.runner.run(run_episode(spec, harness.environments, RunContext(tmp_path)))
    assert not list(tmp_path.rglob("episode.json"))


# How the method can end it -----------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["'NOT_FOUND'", "'yes'", "None", "task.instruction * 99"])
def test_any_answer_without_a_deed_scores_nothing(own, answer):
    record = own(f"return {answer}", strict=True).record
    assert (record["ended"], record["success"], record["progress"]) == ("answered", False, 0)


ERRORS = ["ValueError", "KeyError", "AssertionError", "TimeoutError", "RecursionError", "OSError"]


@pytest.mark.parametrize("error", [*ERRORS, "asyncio.CancelledError", "SystemExit"])
def test_a_method_that_raises_is_scored_as_it_left_things(own, error):
    record = own(f"raise {error}('my bug')").record
    assert (record["ended"], record["cause"]) == ("agent_error", "exception"), record["error"]
    assert record["success"] is False and record["progress"] == 0
    assert "my bug" in record["error"] and error.split(".")[-1] in record["error"]


@pytest.mark.parametrize("error", ERRORS)
def test_strict_raises_it_again(own, error):
    with pytest.raises(Exception, match="my bug"):
        own(f"raise {error}('my bug')", strict=True)


def test_the_traceback_is_in_the_trace(own):
    lines = own("raise ValueError('my bug')").trace
    [text] = [line["text"] for line in lines if line["kind"] == "error"]
    assert "Traceback" in text and "own.py" in text


def test_what_was_done_before_the_crash_counts(own):
    gold = registry.scenario(SCENARIO).gold
    words = " ".join([gold["query"], *gold["attributes"]])
    body = f"""
observation = await page.observe()
box = next(e for e in observation.elements if e.role == "searchbox")
await page.act(Type(box.id, {words!r}, enter=True))
for _ in range({gold["results_page"] - 1}):
    await page.act(Click("Next >"))
await page.act(Click({gold["asin"]!r}))
raise ValueError("my bug")
"""
    record = own(body).record
    assert record["ended"] == "agent_error" and record["progress"] == 0.3333


def test_asking_without_acting_ends_by_calls(own):
    record = own("while True:\n        await ask('hm')").record
    length = registry.family("buy_item").length(registry.scenario(SCENARIO))
    assert (record["ended"], record["cause"]) == ("truncated", "budget")
    assert record["llm_calls"] == 8 * (2 * length + 10) and record["steps"] == 0
    assert record["success"] is False, "scored, not excluded"


def test_a_method_may_ask_for_a_budget_of_its_own(harness, tmp_path):
    path = tmp_path / "mine.py"
    own = "def budget(standard, options):\n    return replace(standard, steps=2 * standard.steps)\n"
    begin, _, solve = HEAD.partition("async def solve")
    head = f"from dataclasses import replace\n{begin}{own}\n\nasync def solve{solve}"
    path.write_text(f"{head}    while True:\n        await page.act(Back())\n")
    record = harness.run(str(path), SCENARIO, tmp_path / "run").record
    length = registry.family("buy_item").length(registry.scenario(SCENARIO))
    assert (record["ended"], record["steps"]) == ("truncated", 2 * (2 * length + 10))


@pytest.mark.parametrize(
    ("agent", "scenario", "limit", "steps"),
    [
        ("step:published-code", "widgets/click-button/0", None, 30),
        ("flat:published-code", "widgets/click-button/0", None, 30),
        ("flat:published-code", "store/category_by_price/0", None, 20),
        ("step:published-code", "widgets/click-button/0", 3, 3),
        ("step", "widgets/click-button/0", None, 12),
    ],
)
def test_a_released_code_limits_the_actions_unless_the_run_does(
    harness, tmp_path, monkeypatch, agent, scenario, limit, steps
):
    act = "press [Tab]" if "widgets" in scenario else "scroll [down]"
    with serve() as server:
        server.will(Server.says(f"REASON: none\nACTION: {act}"))
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        source, live = ModelSource("live", model="gpt-x"), Live(server.url)
        limits = {"live": live, "limits": Limits(steps=limit)}
        made = harness.run(agent, scenario, tmp_path, model_source=source, **limits).record
        harness.runner.run(live.aclose())
    assert (made["ended"], made["cause"], made["steps"]) == ("truncated", "budget", steps)
    released = made["options"].get("max_steps", {})
    assert released.get("widgets") == (30 if ":" in agent else None), "the record tells the limit"


def test_from_level_2_on_an_episode_has_twenty_seconds_a_step(harness, tmp_path):
    """The method makes a step of every hundred seconds, so that the record tells them."""
    path, family = tmp_path / "mine.py", tmp_path / "second_level.py"
    own = "def budget(standard, options):\n    return replace(standard, steps=SECONDS)\n"
    own = own.replace("SECONDS", "int(standard.seconds) // 100")
    begin, _, solve = HEAD.partition("async def solve")
    head = f"from dataclasses import replace\n{begin}{own}\n\nasync def solve{solve}"
    path.write_text(f"{head}    while True:\n        await page.act(Back())\n")
    family.write_text(SECOND_LEVEL)
    first = harness.run(str(path), SCENARIO, tmp_path / "run").record
    second = harness.run(
        str(path), "store/second_level/3", tmp_path / "run", family_file=OwnFile(family)
    ).record
    length = registry.family("buy_item").length(registry.scenario(SCENARIO))
    assert (first["steps"], second["steps"]) == (6, 20 * (2 * length + 10) // 100)
    assert first["steps"] != second["steps"]


SECOND_LEVEL = """from scenarios.store.webshop.buy_item import *
from scenarios.store.webshop import buy_item
from dataclasses import replace
from scenarios.scenario import public_id

LEVEL = 2

def generate(seed, data):
    start = "/" + public_id(f"store/second_level/{seed}")
    return replace(buy_item.generate(seed, data), family="second_level", start=start)
"""


def test_each_attempt_is_scored_from_the_world_that_it_left(harness, tmp_path):
    """What was bought counts for its own attempt; the answer is that of the last one."""
    method = HEAD.replace("    pass\n", "    attempts: int = 3\n")
    body = """
from scenarios import registry
async def shop():
    family, scenario = registry.family("buy_item"), registry.scenario("store/buy_item/3")
    advise = lambda seen: family.advise(scenario, seen)
    observation = await page.observe()
    while (advice := advise(observation)).answer is None:
        for action in advice.actions:
            observation = await page.act(action)
await page.restart()
await shop()
await page.restart()
await page.act(Note("nothing"))
return "done"
"""
    path = tmp_path / "shopper.py"
    budget = "\ndef budget(standard, options):\n    return replace(standard, attempts=3)\n"
    method = method.replace("import dataclass\n", "import dataclass, replace\n")
    solve = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    path.write_text(method + solve + budget)
    ran = harness.run(str(path), SCENARIO, tmp_path / "run", strict=True)
    length = registry.family("buy_item").length(registry.scenario(SCENARIO))
    assert ran.record["attempts"] == [
        {"success": False, "progress": 0, "actions": 0, "answer": None},
        {"success": True, "progress": 1.0, "actions": length, "answer": None},
        {"success": False, "progress": 0, "actions": 1, "answer": None},
    ]
    assert ran.record["success"] is False, "the last attempt is what is left"
    bought = [files.load(ran.home / f"attempt-{n}.json")["purchases"] for n in (1, 2)]
    assert [len(rows) for rows in bought] == [0, 1]


ASKING = """
import dataclasses
from agent.interface import *

@dataclasses.dataclass(frozen=True)
class Options:
    attempts: int = 2

def budget(standard, options):
    return dataclasses.replace(standard, attempts=2)

async def solve(task, page, llm, options):
    await page.observe()
    await page.restart()
    return "no idea"
"""


def test_an_attempt_without_an_answer_to_a_question_is_neither_right_nor_wrong(harness, tmp_path):
    """Recorded so, and scored again so; it was recorded as wrong."""
    path = tmp_path / "asking.py"
    path.write_text(ASKING)
    ran = harness.run(str(path), "store/spend_in_month/0", tmp_path / "run", strict=True)
    left = [
        {"success": None, "progress": 0.0, "actions": 0, "answer": None},
        {"success": False, "progress": 0.0, "actions": 0, "answer": None},
    ]
    assert ran.record["asks"] and ran.record["attempts"] == left
    run_folder.save_manifest(tmp_path / "run", manifest())
    score(tmp_path / "run")
    assert files.load(ran.home / "episode.json")["attempts"] == left
    assert not harness.run("nothing", SCENARIO, tmp_path / "other").record["asks"]


def test_acting_without_end_ends_by_steps(own):
    record = own("while True:\n        await page.act(Back())").record
    length = registry.family("buy_item").length(registry.scenario(SCENARIO))
    assert (record["ended"], record["steps"]) == ("truncated", 2 * length + 10)
    assert record["success"] is False


def test_a_format_error_and_an_overflow_are_endings(own):
    record = own("raise FormatError('no reply')").record
    assert (record["ended"], record["success"]) == ("format_error", False)
    source = model_source.read("scripted", context=50)
    record = own("await ask('word ' * 100)", run="small", model_source=source).record
    assert (record["ended"], record["cause"]) == ("truncated", "context")
    assert record["success"] is False


def test_hostile_input_is_the_agents_own_failure(own):
    """It cannot have its episode voided by crashing the site."""
    body = """
observation = await page.observe()
box = next(e for e in observation.elements if e.role == "searchbox")
await page.act(Type(box.id, "<x>\\"' OR 1 * AND \\U0001f9e6 \\ud83d" * 500, enter=True))
for path in ("/%ff", "/search_results/x/%5B/1", "/item_page/x/y/z/0/{}", "/done/../..", "/a" * 900):
    await page.act(Goto("http://store.localhost" + path))
await page.act(Goto("http://store.localhost/generate-random-scenario"))
await page.act(Goto("\\ud800"))
return "NOT_ACHIEVABLE"
"""
    record = own(body).record
    assert (record["ended"], record["success"]) == ("answered", False), record["error"]


def test_the_next_episode_is_not_harmed(own):
    for _ in range(3):
        own("raise ValueError('my bug')")
    assert own("return ''", run="after", strict=True).record["ended"] == "answered"


# Recordings --------------------------------------------------------------------------------------


def test_a_recording_is_played_again(recorded, harness, tmp_path):
    first, tapes = recorded
    assert [path.relative_to(tapes).as_posix() for path in tapes.rglob("*.jsonl")] == [
        "react/buy_item/3.0.jsonl"
    ]
    one, other = untimed(first.record), untimed(replayed(harness, tapes, tmp_path))
    assert other["hashes"].pop("cassette") and not one["hashes"].pop("cassette")
    assert one.pop("simulated") and other.pop("simulated") is None, "a recording does not err"
    assert one == other


@pytest.fixture
def tapes(recorded, tmp_path):
    """A copy of the recording, which may be changed."""
    return shutil.copytree(recorded[1], tmp_path / "tapes")


def replayed(harness, tapes, run, **run_context):
    return harness.run(
        "react", SCENARIO, run, model_source=model_source.read(f"replay:{tapes}"), **run_context
    ).record


def test_a_changed_prompt_is_a_miss_with_its_difference(harness, tmp_path, tapes):
    prompts = silent_prompts("react", tmp_path / "prompts")
    record = replayed(harness, tapes, tmp_path / "b", prompts=prompts)
    assert (record["ended"], record["cause"]) == ("infra_error", "cassette")
    assert record["success"] is None
    for part in ("3.0.jsonl", "no recorded answer", "+Instruction: ...", "--record"):
        assert part in record["error"]


def test_a_missing_recording_is_a_fault(harness, tmp_path, tapes):
    (tapes / "react" / "buy_item" / "3.0.jsonl").unlink()
    record = replayed(harness, tapes, tmp_path / "b")
    assert (record["ended"], record["cause"]) == ("infra_error", "cassette")
    assert "3.0.jsonl" in record["error"]


def test_a_corrupt_recording_is_a_fault_with_its_line(harness, tmp_path, tapes):
    path = tapes / "react" / "buy_item" / "3.0.jsonl"
    lines = path.read_text().split("\n")
    lines[2] = lines[2].replace("a", "b", 1)
    path.write_text("\n".join(lines))
    record = replayed(harness, tapes, tmp_path / "b")
    assert (record["ended"], record["cause"]) == ("infra_error", "cassette")
    assert "3.0.jsonl:3" in record["error"]


def test_recorded_calls_that_nobody_asks_for_are_a_fault(harness, tmp_path, tapes):
    path = tapes / "react" / "buy_item" / "3.0.jsonl"
    old = Cassette.read(path)
    writer = CassetteWriter(path, "scripted", {})
    for call in old.calls:
        writer.write(call.purpose, call.request, call.reply)
    extra = {"model": "scripted", "messages": [{"role": "user", "content": "never asked"}]}
    writer.write("react/act", extra, old.calls[0].reply)
    writer.close()
    record = replayed(harness, tapes, tmp_path / "b")
    assert (record["ended"], record["cause"]) == ("infra_error", "cassette")
    assert f"1 of {len(old.calls) + 1} recorded" in record["error"]


def test_a_method_cannot_swallow_a_miss(own, tapes, tmp_path):
    """A broad `except` around a call must not turn a fault of ours into a verdict."""
    body = """
try:
    await ask("hm")
except Exception:
    pass
return ""
"""
    place = tapes / run_folder.slug(str(tmp_path / "own.py")) / "buy_item"
    CassetteWriter(place / "3.0.jsonl", "scripted", {}).close()
    record = own(body, model_source=model_source.read(f"replay:{tapes}")).record
    assert (record["ended"], record["cause"]) == ("infra_error", "cassette")


# Faults of ours ----------------------------------------------------------------------------------

BROKEN = '''"""A family whose gold the scorer cannot read."""
from dataclasses import replace
from scenarios.store.webshop import buy_item
from scenarios.scenario import public_id
from scenarios.store.webshop.buy_item import *

def generate(seed, data):
    made = buy_item.generate(seed, data)
    start = "/" + public_id(f"store/broken/{seed}")
    return replace(made, family="broken", start=start, gold={"asin": made.gold["asin"]})

def length(scenario):
    return 1
'''


def test_a_scorer_that_fails_is_no_verdict(harness, tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(BROKEN)
    buyer = tmp_path / "buyer.py"
    buyer.write_text(
        HEAD
        + "    o = await page.observe()\n"
        + "    await page.act(Type(1, 'office chairs', enter=True))\n"
        + "    o = await page.observe()\n"
        + "    await page.act(Click([e for e in o.elements if e.name.startswith('B0')][0].id))\n"
        + "    await page.act(Click('Buy Now'))\n"
    )
    ran = harness.run(str(buyer), "store/broken/0", tmp_path / "run", family_file=OwnFile(path))
    ended = ran.record["ended"], ran.record["cause"]
    assert ended == ("infra_error", "evaluator"), ran.record["error"]
    assert ran.record["success"] is None and ran.record["progress"] is None
    assert ran.record["error"]


def test_endings_and_causes_are_closed_lists():
    assert termination.ENDINGS == (
        "answered",
        "truncated",
        "format_error",
        "agent_error",
        "infra_error",
    )


def test_a_cancelled_run_leaves_no_half_episode(harness, tmp_path):
    path = tmp_path / "own.py"
    path.write_text(
        f"{HEAD}    begun.set()\n    await asyncio.Event().wait()\nbegun = asyncio.Event()\n"
    )

    async def cancelled():
        spec = EpisodeSpec(agent_spec.read(str(path)), SCENARIO)
        begun = spec.agent.module().begun
        task = asyncio.ensure_future(
            run_episode(spec, harness.environments, RunContext(tmp_path / "run"))
        )
        async with asyncio.timeout(20):
            await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    harness.runner.run(cancelled())
    assert not list((tmp_path / "run").rglob("episode.json"))
