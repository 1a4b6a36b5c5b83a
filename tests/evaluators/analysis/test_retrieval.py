"""What exemplars did, worked out by hand, and from a real episode."""

from __future__ import annotations

from evaluators import report
from evaluators.analysis import retrieval
from evaluators.analysis.retrieval import RetrievalStats
from evaluators.records.trace_events import MethodEvent
from tests.evaluators.report.handmade import Written, record


def use(seen: bool | None = True, **changes):
    made = {
        "task": "click-tab", "distance": 0.5, "seen": seen, "requests": 2, "shown": 5,
        "dropped": 1, "states": 1, "before": 300, "after": 100, "fallbacks": 0,
    }  # fmt: skip
    return {**made, **changes}


def shown(seen: bool | None = True, **changes):
    return record("synapse", site="widgets", exemplars=use(seen, **changes))


def event(word: str, what: str = "", **details):
    return MethodEvent(word=word, what=what, **details)


def test_a_trace_is_counted():
    lines = [
        event("retrieve", "click-tab", distance=0.25, seen=False),
        event("drop", "act", left=2),
        event("fallback", "no"),
        event("abstract", "x", before=100, after=10),
        event("abstract", "x", before=50, after=20),
        event("shown", "act", exemplars=3),
        event("shown", "act", exemplars=2),
        event("shown", "code", exemplars=1),
    ]
    assert retrieval.of_events(lines) == {
        "task": "click-tab", "distance": 0.25, "seen": False, "requests": 2, "shown": 5,
        "dropped": 1, "states": 2, "before": 150, "after": 30, "fallbacks": 1,
    }  # fmt: skip
    assert retrieval.of_events(lines[:1]) is None
    unasked = retrieval.of_events(lines[:3])
    assert (unasked["requests"], unasked["shown"], unasked["dropped"]) == (0, 0, 1), "none fitted"
    assert retrieval.of_events(lines[5:6])["distance"] is None
    assert retrieval.of_events(lines[-1:]) is None


def test_seen_and_unseen_are_apart_and_states_are_averaged():
    many = [
        shown(distance=0.2),
        shown(distance=0.4, states=3, before=900, after=500),
        shown(seen=False, distance=0.9, shown=0, dropped=0, fallbacks=2),
        shown(seen=None, distance=None, states=0, before=0, after=0),
        record("react", site="widgets"),
    ]
    [one] = retrieval.retrieval_stats(many)
    assert one == RetrievalStats("synapse", "widgets", one.seen, 0.9, 15 / 8, 3, 300, 140, 2)
    assert abs(one.seen - 0.3) < 1e-9


def test_without_abstraction_and_memory_there_is_nothing_to_say():
    bare = shown(seen=None, distance=None, states=0, before=0, after=0)
    [one] = retrieval.retrieval_stats([bare])
    assert (one.seen, one.unseen, one.before, one.after) == (None, None, None, None)


def test_the_report_shows_it_where_there_is_something(tmp_path):
    run = Written(tmp_path / "run")
    run.begin()
    run.add(record("react"))
    assert "What they were shown" not in report.write(run.path).read_text()
    run.add(record("synapse", exemplars=use()))
    page = report.write(run.path).read_text()
    assert "What they were shown" in page and '<td class="num">300</td>' in page


def test_an_episode_says_what_it_was_shown(harness, tmp_path):
    record_of = harness.run("synapse", "widgets/click-tab-2-hard/3", tmp_path, strict=True).record
    use_of = record_of["exemplars"]
    assert (use_of["task"], use_of["seen"], use_of["fallbacks"]) == ("click-tab-2", False, 0)
    assert 0 < use_of["distance"] < 1 and 0 < use_of["after"] < use_of["before"]
    assert use_of["requests"] == record_of["by_purpose"]["synapse/act"]["calls"]
    assert use_of["shown"] == 4 * use_of["requests"]
