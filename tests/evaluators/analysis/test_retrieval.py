"""What exemplars did, worked out by hand, and from a real episode."""

from __future__ import annotations

from evaluators import report
from evaluators.analysis import retrieval
from evaluators.analysis.retrieval import RetrievalStats
from tests.evaluators.report.handmade import Written, event, record


def told(seen: bool | None = True, **changes):
    made = {
        "task": "click-tab", "distance": 0.5, "seen": seen, "requests": 2, "shown": 5,
        "dropped": 1, "states": 1, "before": 300, "after": 100, "fallbacks": 0,
    }  # fmt: skip
    return {"agent": "synapse", "site": "widgets", "exemplars": {**made, **changes}}


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
        {"kind": "action", "word": "drop"},
    ]
    assert retrieval.of_trace(lines) == {
        "task": "click-tab", "distance": 0.25, "seen": False, "requests": 2, "shown": 5,
        "dropped": 1, "states": 2, "before": 150, "after": 30, "fallbacks": 1,
    }  # fmt: skip
    assert retrieval.of_trace(lines[:1]) is None
    unasked = retrieval.of_trace(lines[:3])
    assert (unasked["requests"], unasked["shown"], unasked["dropped"]) == (0, 0, 1), "none fitted"
    assert retrieval.of_trace(lines[5:6])["distance"] is None
    assert retrieval.of_trace(lines[-2:]) is None


def test_seen_and_unseen_are_apart_and_states_are_averaged():
    many = [
        told(distance=0.2),
        told(distance=0.4, states=3, before=900, after=500),
        told(seen=False, distance=0.9, shown=0, dropped=0, fallbacks=2),
        told(seen=None, distance=None, states=0, before=0, after=0),
        {"agent": "react", "site": "widgets", "exemplars": None},
        {"agent": "old", "site": "widgets"},
    ]
    [one] = retrieval.retrieval_stats(many)
    assert one == RetrievalStats("synapse", "widgets", one.seen, 0.9, 15 / 8, 3, 300, 140, 2)
    assert abs(one.seen - 0.3) < 1e-9


def test_without_abstraction_and_memory_there_is_nothing_to_say():
    bare = told(seen=None, distance=None, states=0, before=0, after=0)
    [one] = retrieval.retrieval_stats([bare])
    assert (one.seen, one.unseen, one.before, one.after) == (None, None, None, None)


def test_the_report_shows_it_where_there_is_something(tmp_path):
    run = Written(tmp_path / "run")
    run.begin()
    run.add(record("react"))
    assert "What they were shown" not in report.write(run.path).read_text()
    run.add(record("synapse", exemplars=told()["exemplars"]))
    shown = report.write(run.path).read_text()
    assert "What they were shown" in shown and '<td class="num">300</td>' in shown


def test_an_episode_says_what_it_was_shown(harness, tmp_path):
    played = harness.run("synapse", "widgets/click-tab-2-hard/3", tmp_path, strict=True).record
    said = played["exemplars"]
    assert (said["task"], said["seen"], said["fallbacks"]) == ("click-tab-2", False, 0)
    assert 0 < said["distance"] < 1 and 0 < said["after"] < said["before"]
    assert said["requests"] == played["by_purpose"]["synapse/act"]["calls"]
    assert said["shown"] == 3 * said["requests"]
