"""`rehearse mind2web run`, `score` and `sft` on the command line, and the report of a run."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import rehearse
from evaluators import report
from evaluators.analysis.offline import CAVEAT

pytestmark = pytest.mark.usefixtures("unmeasured")


def cli(*arguments):
    return CliRunner().invoke(rehearse.main, ["mind2web", *map(str, arguments)])


@pytest.fixture
def ran(mind2web_folder, ranks_file, tmp_path):
    """Return a run of two agents and what the command printed."""
    made = cli(
        *("run", mind2web_folder, "--split", "test_task", "--ranks", ranks_file),
        *("--method", "synapse:no-memory,mindact:top=15", "-o", tmp_path / "run"),
    )
    assert made.exit_code == 0, made.output
    return tmp_path / "run", made.stdout


def test_a_run_prints_its_figures_with_their_cap_and_what_they_mean(ran):
    rows = [line.split() for line in ran[1].splitlines()]
    heads = next(each for each in rows if each[:1] == ["agent"])
    assert [*map(heads.index, ("element", "cap", "recall@5", "rule"))] == sorted(
        map(heads.index, ("element", "cap", "recall@5", "rule"))
    )
    mindact = next(each for each in rows if each[:1] == ["mindact:top=15"])
    assert mindact[1:5] == ["3", "7", "88.9", "(66.7-100.0)"] and mindact[-1] == "mindact"
    assert CAVEAT[1:] in ran[1] and "1 steps have no right element" in ran[1]


def test_the_figures_are_printed_by_group_and_as_json(ran):
    by_op = cli("score", ran[0], "--by", "op", "--rule", "mindact").stdout
    assert by_op.count(" CLICK ") == 2 and " synapse " not in by_op.replace("synapse:", "")
    found = json.loads(cli("score", ran[0], "--json", "--skip-no-positive").stdout)
    assert [each["figures"]["steps"] for each in found] == [6, 6]
    assert found[0]["figures"]["micro"]["success"]["mean"] == 1


def test_a_report_says_that_its_figures_are_teacher_forced(ran):
    page = report.write(ran[0]).read_text(encoding="utf-8")
    assert CAVEAT[1:].replace("'", "&#39;") in page


def test_sft_says_how_many_lines_it_wrote(mind2web_folder, ranks_file, tmp_path):
    out = tmp_path / "train.jsonl"
    ended = cli("sft", mind2web_folder, "--ranks", ranks_file, "-o", out)
    assert ended.stdout == f"{out}: 5 lines\n"


def test_what_cannot_be_run_is_refused_in_one_line(mind2web_folder, ranks_file, tmp_path):
    given = ("run", mind2web_folder, "--split", "test_task", "--ranks", ranks_file, "--method")
    for arguments, says in (
        ((*given, "react"), "there is no method for Mind2Web 'react'; did you mean mindact?"),
        ((*given, "mindact", "--tasks", "7"), "test_task has 3 tasks; choose others with --tasks"),
        (("score", tmp_path), "there is no"),
        ((*given, "mindact", "--llm", "replay:none"), "there is no folder none"),
    ):
        ended = cli(*arguments)
        assert ended.exit_code == 2 and says in ended.stderr, ended.stderr
        assert ended.stderr.count("\n") == 1
