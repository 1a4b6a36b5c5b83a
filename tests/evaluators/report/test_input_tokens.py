"""The histogram of SteP's figure 3b: input tokens of successful episodes."""

from __future__ import annotations

from evaluators import report
from evaluators.records.models import EpisodeRecord
from evaluators.report.input_tokens import BINS, HIGH, spreads
from tests.evaluators.report.handmade import record


def episode(agent: str, seed: int, prompt: int, *, success: bool = True) -> EpisodeRecord:
    usage = {"prompt": prompt, "completion": 9}
    return record(agent, seed, success=success, usage=usage, llm_calls=3)


EPISODES = [
    *(episode("react", seed, prompt) for seed, prompt in enumerate([100, 110, 900])),
    episode("step", 0, 400),
    episode("step", 1, 90_000, success=False),
    episode("laser", 0, 90_000, success=False),
]


def test_a_histogram_counts_each_success_and_no_failure():
    found = {each.agent: each for each in spreads(EPISODES)}
    assert set(found) == {"react", "step"}
    react = found["react"]
    assert (react.successes, round(react.mean)) == (3, 370)
    assert [each.count for each in react.bars if each.count] == [2, 1]
    assert len(react.bars) == BINS and max(each.height for each in react.bars) == HIGH
    assert found["step"].mean == 400


def test_agents_of_a_site_have_one_scale():
    tops = {each.top for each in spreads(EPISODES)}
    assert tops == {1000}


def test_a_bar_holds_the_tokens_that_it_names():
    for each in spreads(EPISODES):
        for bar in each.bars:
            assert bar.low < bar.high
        filled = [bar for bar in each.bars if bar.count]
        assert filled[0].low <= (100 if each.agent == "react" else 400) <= filled[0].high


def test_the_report_shows_it(run):
    run.add(record("react", 0, success=True))
    run.add(record("nothing", 0))
    text = report.write(run.path).read_text()
    assert "How much they read to succeed" in text
    assert "1 successes with" in text and "2 successes with" not in text
