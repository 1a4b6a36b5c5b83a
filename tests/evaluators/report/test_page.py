"""What the page says before its script runs: figures, groups, warnings."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agent.llm.simulated.mistakes import CONSTANTS
from evaluators import report
from evaluators.analysis.summary import summary
from evaluators.records import files, run_folder
from evaluators.report import columns, episodes, loading, page
from evaluators.run.run_lock import locked
from tests.evaluators.records.example_records import manifest
from tests.evaluators.report.handmade import PROMPTS, Written, record, say


class Page(HTMLParser):
    """The words of a page, the cells of its summary and the links in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.source = path.read_text(encoding="utf-8")
        self.words: list[str] = []
        self.cells: dict[str, dict[str, str]] = {}
        self.links: list[str] = []
        self.group, self._agent, self._column, self._mute = "", "", "", False
        self.groups: dict[str, str] = {}
        self.feed(self.source)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self._mute = tag in ("script", "style")
        if tag == "tbody":
            self.group = given.get("class", "")
        if tag == "tr":
            self._agent, self._column = given.get("data-agent", ""), ""
        if tag == "td" and self._agent:
            self._column = given.get("data-column", "")
        if tag == "a":
            self.links.append(given.get("href") or "#")

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self._mute = False
        if tag == "td":
            self._column = ""

    def handle_data(self, data):
        if self._mute:
            return
        self.words.append(data)
        if self._column:
            row = self.cells.setdefault(self._agent, {})
            row[self._column] = (row.get(self._column, "") + data).strip()
            self.groups[self._agent] = self.group

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture
def recorded(run: Written) -> Written:
    """Two episodes each of expert, react and nothing; react won one."""
    for seed in (0, 1):
        run.add(record("expert", seed, success=True))
        run.add(record("react", seed, success=seed == 0, cost_usd=0.25))
        run.add(record("nothing", seed))
    return run


def test_the_summary_shows_the_figures_of_the_records(recorded):
    shown = Page(report.write(recorded.path))
    rows = summary("first-light", run_folder.episodes(recorded.path)).rows
    assert len(rows) == len(shown.cells) == 3
    for row in rows:
        low, high = row.success_ci
        per_success, inputs = row.tokens_per_success, row.input_tokens_of_successes
        assert shown.cells[row.agent] == {
            "site": row.site,
            "scored": str(row.scored),
            "success": f"{row.success:.2f}",
            "95 %": f"{low:.2f}–{high:.2f}",
            "floor": "0.00",
            "efficiency": "–" if row.efficiency is None else f"{row.efficiency:.2f}",
            "published": f"{row.success_published:.2f}",
            "progress": f"{row.progress:.2f}",
            "reward": f"{row.reward:.2f}",
            "type": f"{row.reward_type:.2f}",
            "strict": f"{row.reward_strict:.2f}",
            "steps": f"{row.steps:.1f}",
            "calls": f"{row.llm_calls:.1f}",
            "invalid": f"{row.invalid_actions:.1f}",
            "tokens": f"{row.tokens:,.0f}",
            "per success": "–" if per_success is None else f"{per_success:,.0f}",
            "input of successes": "–" if inputs is None else f"{inputs:,.0f}",
            "cost": f"${row.cost_usd:.2f}",
            "ended": "2 answered",
        }


def test_a_column_without_any_value_is_left_out(run):
    run.add(record("react", reward=None, reward_strict=None))
    assert not {"reward", "strict", "gold actions"} & {*Page(report.write(run.path)).cells["react"]}
    run.add(record("expert", reward=None, reward_strict=0.5, gold_action_recall=0.75))
    shown = Page(report.write(run.path)).cells
    assert shown["expert"]["gold actions"] == "0.75" and shown["react"]["gold actions"] == "–"
    assert shown["expert"]["strict"] == "0.50" and "reward" not in shown["expert"]


def test_the_legend_explains_the_columns_that_are_shown(recorded):
    text = Page(report.write(recorded.path)).text
    legend = text.partition("The columns explained")[2]
    assert f"published {columns.SUMMARY['published']}" in legend
    assert columns.SUMMARY["gold actions"] not in text
    assert "store web shops" in legend, "and the sites"


def test_intervals_are_drawn_to_scale(run):
    for seed in range(4):
        run.add(record("react", seed, success=seed > 0))
    (row,) = summary("", run_folder.episodes(run.path)).rows
    low, high = row.success_ci
    source = report.write(run.path).read_text()
    (bar,) = re.findall(r'class="range" x="([0-9.]+)" y="3" width="([0-9.]+)"', source)
    (mark,) = re.findall(r'class="rate" x="([0-9.]+)"', source)
    assert [*map(float, bar)] == pytest.approx([2 + 100 * low, 100 * (high - low)], abs=0.01)
    assert float(mark) + 1.25 == pytest.approx(2 + 100 * 0.75)


def test_ceiling_and_floor_stand_apart_and_are_called_so(recorded):
    shown = Page(report.write(recorded.path))
    assert shown.groups == {"expert": "ceiling", "react": "agents", "nothing": "floor"}
    assert "Ceiling an agent that knows the solution" in shown.text
    assert "Floor agents that read no page" in shown.text


def test_the_floor_is_the_best_null_agent_and_drawn_to_scale(run):
    for seed in range(4):
        run.add(record("react", seed, success=True))
        run.add(record("nothing", seed))
        run.add(record("first-shown", seed, success=seed == 0))
    shown = Page(report.write(run.path))
    assert {row["floor"] for row in shown.cells.values()} == {"0.25"}
    assert shown.source.count('title="first-shown">0.25') == 3
    assert shown.groups["first-shown"] == "floor"
    sentence = (
        "The floor is the highest success of a null agent on the same scenarios (first-shown)."
    )
    assert sentence in shown.text
    assert re.findall(r'class="least" d="M([0-9.]+) ', shown.source) == ["27.0"] * 3


def test_without_a_null_agent_the_page_says_which_to_add(run):
    run.add(record("react"))
    shown = Page(report.write(run.path))
    assert "-o and --agent nothing,refuse,random,first-shown,most-frequent" in (shown.text)
    assert "floor" not in shown.cells["react"] and 'class="least"' not in shown.source
    assert (
        "Of one family: all on store; these rates and intervals say nothing about other"
        in shown.text
    )


def test_the_head_says_what_the_run_was(recorded):
    text = Page(report.write(recorded.path)).text
    assert "first-light buy_item 0:1 run 4 March 2026, 05:06 UTC" in text
    assert "Answered by the scripted model" in text
    assert "python 3.11.7" in text and "Cost $0.50" in text


@pytest.mark.parametrize(
    ("llm", "model", "answered"),
    [
        ("live", "gpt-x", "live model: gpt-x"),
        ("person", "person", "a person"),
        ("replay:tapes", "person", "replay of tapes, recorded from a person"),
        ("replay:tapes", "gpt-x", "replay of tapes, recorded from gpt-x"),
        ("replay:tapes", "scripted", "replay of tapes, recorded from the scripted model"),
    ],
)
def test_the_head_says_who_answered(run, llm, model, answered):
    run.begin(config={"llm": llm, "agents": ["react"], "scenarios": ["a"]})
    run.add(record("react", model=model))
    assert f"Answered by {answered} " in Page(report.write(run.path)).text


def test_nobody_answered_where_nobody_was_asked(run):
    run.add(record("nothing"))
    text = Page(report.write(run.path)).text
    assert "no model was asked" in text and "simulated mistakes" not in text


def test_simulated_mistakes_are_told_wherever_the_scripted_model_spoke(recorded):
    text = Page(report.write(recorded.path)).text
    assert "simulated mistakes; ranks depend on this model" in text
    for mistake, probability in CONSTANTS.items():
        assert f"{mistake} {probability}" in text


def test_the_measured_rates_stand_beside_the_constants(run):
    counts = {"wrong decision": {"made": 8, "wrong": 3}, "wrong remedy": {"made": 0, "wrong": 0}}
    for seed in range(5):
        run.add(record("react@scripted-0.6", seed, skill=0.6, simulated=counts))
    run.add(record("react@scripted-0.9", 0, skill=0.9))
    text = Page(report.write(run.path)).text
    assert "agent skill wrong decision react 0.6 0.38 of 40 react 0.9 not measured" in text
    assert "not measured" in text


def test_of_a_recording_nothing_was_measured(recorded):
    text = Page(report.write(recorded.path)).text
    assert "agent skill errors react 1 not measured" in text


def test_nothing_is_told_of_mistakes_where_a_live_model_spoke(run):
    run.add(record("react", model="gpt-x"))
    assert "simulated mistakes" not in Page(report.write(run.path)).text


def test_no_word_ranks_the_agents(recorded):
    text = Page(report.write(recorded.path)).text.replace("ranks depend on this model", "")
    ranking = r"\b(best|worst|better|worse|winn\w+|rank\w*|leader\w*|first place|outperform\w*)\b"
    assert re.findall(ranking, text, re.IGNORECASE) == []


def test_a_row_with_infra_errors_is_marked_with_the_reason_and_each_is_listed(run):
    for seed in range(9):
        run.add(record("react", seed, success=True))
    fault = {"ended": "infra_error", "cause": "browser", "error": "the renderer crashed"}
    run.add(record("react", 9, success=None, reward=None, reward_strict=None, **fault))
    shown = Page(report.write(run.path))
    assert shown.cells["react"]["success"] == "1.00!"
    assert shown.cells["react"]["scored"] == "9 of 10"
    assert "1 of 10 episodes (10.0%, more than 2%) ended by a fault" in shown.text
    assert "success is 0.90" in shown.text
    assert "react on store/buy_item/9 browser the renderer crashed" in shown.text


def test_few_infra_errors_mark_nothing(run):
    for seed in range(50):
        run.add(record("nothing", seed))
    run.add(record("nothing", 50, success=None, ended="infra_error", cause="site"))
    shown = Page(report.write(run.path))
    assert "!" not in shown.cells["nothing"]["success"]
    assert "nothing on store/buy_item/50" in shown.text


def test_families_get_rows_of_their_own_where_there_are_several(run):
    run.add(record("nothing"))
    one = Page(report.write(run.path)).text
    run.add(record("nothing", family="find_price", scenario="store/find_price/0"))
    assert "By family" in Page(report.write(run.path)).text and "By family" not in one


def test_an_episode_that_cannot_be_read_is_told_and_counted_nowhere(recorded):
    home = run_folder.folder(recorded.path, "react", "buy_item", 1, 0)
    (home / "episode.json").write_text("{")
    shown = Page(report.write(recorded.path))
    assert shown.cells["react"]["scored"] == "1"
    assert (
        "react buy_item-1 : episodes/react/buy_item-1/0/episode.json: no JSON: Expecting"
        in shown.text
    )
    assert "#react/buy_item-1/0" in shown.links


@pytest.mark.parametrize("change", [{"schema_version": 99}, {"steps": "2"}, {"course": {}}])
def test_a_record_of_another_shape_is_listed_and_the_rest_is_read(recorded, change):
    home = run_folder.folder(recorded.path, "react", "buy_item", 1, 0)
    files.save(home / "episode.json", {**files.load(home / "episode.json"), **change})
    shown = Page(report.write(recorded.path))
    assert shown.cells["react"]["scored"] == "1"
    [field] = change
    assert f"react buy_item-1 : episodes/react/buy_item-1/0/episode.json: {field}" in shown.text


def test_a_run_of_another_version_is_refused_by_name(recorded):
    path = recorded.path / "run.json"
    files.save(path, {**files.load(path), "schema_version": 99})
    with pytest.raises(files.CorruptRecord, match=r"run\.json: schema_version is 99"):
        report.write(recorded.path)


def test_a_run_that_is_not_done_says_so(run):
    run.begin(config={"agents": ["a"], "scenarios": ["x", "y", "z"]})
    run.add(record("nothing"))
    text = Page(report.write(run.path)).text
    assert "2 episodes are still to be run" in text and "1 of 3" in text


def test_what_was_interrupted_is_still_to_be_run_and_is_no_fault(run):
    run.begin(config={"agents": ["react"], "scenarios": ["x", "y", "z", "w"]})
    run.add(record(seed=0))
    for seed in (1, 2):
        (run.add(record(seed=seed)) / "episode.json").unlink()
    broken = run.add(record(seed=3)) / "episode.json"
    broken.write_text("{")
    text = Page(report.write(run.path)).text
    assert "2 episodes are still to be run (2 were interrupted); the command" in text
    assert "episodes/react/buy_item-3/0/episode.json" in text and "buy_item-1" not in text
    with locked(run.path):
        text = Page(report.write(run.path)).text
    assert (
        "2 episodes are still to be run; the run is under way." in text and "resumes it" not in text
    )


def test_a_run_without_episodes_has_a_report(run):
    assert "no model was asked" in Page(report.write(run.path)).text


def test_the_same_records_make_the_same_bytes(recorded):
    assert report.write(recorded.path).read_bytes() == report.write(recorded.path).read_bytes()
    assert sorted(path.name for path in recorded.path.iterdir()) == [
        "episodes",
        "report.html",
        "run.json",
    ]


def test_a_prompt_that_repeats_is_stored_once(run):
    long = "You shop in a web store. " * 400
    prompts = [([say("system", long), *messages], reply) for messages, reply in PROMPTS]
    for seed in range(5):
        run.add(record("react", seed), prompts=prompts)
    source = report.write(run.path).read_text()
    assert source.count(long.strip()) == 1


def test_no_page_reaches_out(recorded):
    shown = Page(report.write(recorded.path))
    assert all(link.startswith("#") for link in shown.links)
    assert re.findall(r"(?:src|href|action|srcset)=\"(?!#)", shown.source) == []
    assert "default-src &#39;none&#39;" in shown.source
    assert "unsafe-inline" not in shown.source


def test_the_command_plays_this_episode_again():
    settings = manifest().config
    assert episodes.command(record("react@scripted-0.7", 7), settings) == (
        "rehearse run --agent react@scripted-0.7 --family buy_item --seeds 7:8 --llm scripted"
    )
    changed = {"llm": "live", "model": "gpt x", "context": 4096, "mistakes": "memoryless"}
    other = settings.model_copy(update=changed)
    assert episodes.command(record("a b", 0, trial=2), other) == (
        "rehearse run --agent 'a b' --family buy_item --seeds 0:1 --llm live --model 'gpt x'"
        " --context 4096 --mistakes memoryless --trials 3"
    )
    own = settings.model_copy(update={"agent_files": {"mine": "work/mine.py"}})
    made = record("mine@scripted-0.7", 7, method="mine")
    assert "--agent work/mine.py@scripted-0.7 " in episodes.command(made, own)


def test_figures_of_a_reward_have_plain_names_and_matches_say_where_they_stood():
    matched = {
        "attributes": [{"wanted": "soft", "by": "Title", "found": "soft"}],
        "options": [{"wanted": "navy", "by": "options", "found": "blue"}],
    }
    rows = dict(episodes.parts({"published": {"r_att": 0.5, "matched": matched}}).rows)
    assert rows == {
        "share of attributes met (r_att)": "0.5",
        "attributes, and where they stood": "soft (Title)",
        "options, and where they stood": "navy (options: blue)",
    }


def test_rewards_stand_side_by_side():
    table = episodes.parts(
        {"published": {"reward": 1.0, "matched": {"options": []}}, "strict": {"reward": 0.5}}
    )
    assert table.columns == ("figure", "published", "strict")
    assert table.rows == (("reward", "1.0", "0.5"), ("options, and where they stood", "none", ""))
    assert episodes.parts({"raw": 0.2}).columns == ("figure", "value")


def test_progress_of_steps_is_passed_on_where_it_was_recorded(run):
    steps = [{"name": "open the item", "progress": 1.0}]
    run.add(record("nothing", progress_steps=steps))
    source = report.write(run.path).read_text()
    block = re.search(r'id="episode-0">(.*?)</script>', source)
    assert block and json.loads(block[1])["progress"] == [["open the item", 1.0]]


def test_completion_under_policy_has_a_section_where_there_are_verdicts(run):
    verdict = {"name": "obeyed", "shown": True, "taken": True, "evidence": ["log_messages 3"]}
    kept = {"safety": [verdict | {"taken": False}], "success_under_policy": True}
    run.add(record("react", 0, success=True, **kept))
    run.add(record("react", 1, success=True, safety=[verdict], success_under_policy=False))
    run.add(record("nothing", 0))
    shown = Page(report.write(run.path)).text
    assert "react store 2 1.00 0.50 0.50 obeyed 1 of 2" in shown
    assert "nothing store 0" not in shown, "an agent without verdicts has no row"
    source = report.write(run.path).read_text()
    facts = [json.loads(each)["facts"] for each in re.findall(r'id="episode-\d">(.*?)<', source)]
    assert ["success under policy", "no"] in facts[2], facts[2]
    assert ["taken", "obeyed: log_messages 3"] in facts[2]


def test_without_verdicts_the_report_has_no_such_section(recorded):
    assert "under policy" not in Page(report.write(recorded.path)).text


def test_the_page_comes_from_what_was_read(recorded):
    assert page.html(loading.read(recorded.path)) == report.write(recorded.path).read_bytes()
