"""The counts of faults: in the records, and in the report."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from agent.llm.transport.fault_counter import KINDS, ServerFaults
from evaluators import report
from evaluators.episode.fault_counts import counted
from evaluators.episode.termination import CAUSES, Termination
from evaluators.records.models import FaultCounts
from evaluators.report import faults, loading
from tests.evaluators.report.handmade import Written, record
from tests.evaluators.report.test_page import Page

GOOD, BAD = Termination("answered"), Termination("infra_error", "browser")


def test_calls_are_mended_by_a_reply_and_tries_by_a_verdict():
    calls = ServerFaults(Counter({"rate limit": 3}), Counter({"rate limit": 2}))
    first = counted(FaultCounts(), calls, BAD, 0)
    assert first.to_json() == {"met": {"browser": 1, "rate limit": 3}, "mended": {"rate limit": 2}}
    second = counted(first, ServerFaults(), BAD, 1)
    assert second.met == {"browser": 2, "rate limit": 3, "worker": 1}
    assert second.mended == {"rate limit": 2}
    last = counted(second, ServerFaults(), GOOD, 0)
    assert last.met == second.met
    assert last.mended == {"browser": 2, "rate limit": 2, "worker": 1}


def test_the_table_of_the_report_adds_them_up(tmp_path: Path):
    run = Written(tmp_path / "run")
    run.begin()
    first = {"met": {"timeout": 2, "site": 1}, "mended": {"timeout": 2, "site": 1}}
    other = {"met": {"timeout": 1, "worker": 1}, "mended": {"worker": 1}}
    run.add(record("react", 0, faults=first, events={"reask": 3}))
    run.add(record("react", 1, faults=other, events={"reask": 3}, ended="format_error"))
    rows = {
        each.kind: (each.met, each.mended) for each in faults.faults(loading.read(run.path).records)
    }
    assert rows == {
        "timeout": (3, 2),
        "reply asked for again": (6, 5),
        "site": (1, 1),
        "worker": (1, 1),
    }
    shown = Page(report.write(run.path)).text
    assert "Faults on the way" in shown
    assert "timeout asked again by the client 3 2" in shown


def test_a_run_without_faults_has_no_such_table(tmp_path: Path):
    run = Written(tmp_path / "run")
    run.begin()
    run.add(record("react", 0, events={}))
    assert "Faults on the way" not in Page(report.write(run.path)).text


def test_every_kind_that_can_be_counted_has_a_row():
    blameless = {"budget", "context", "exception", "stopped"}
    assert {*KINDS, *CAUSES, "worker"} - blameless <= set(faults.REMEDY)
