"""The sheet of labels for readers, its key, and the count of right answers."""

from __future__ import annotations

import re

import pytest

from tests.each import for_each
from tests.sites.kit_skins.visits import declared
from tools.skin_labels import BadAnswers, main, plain, questions, read_answers, wrong


def asked(number: int):
    site = declared("forum")
    return questions(site, site.skin[f"skin-{number}"], number)


def test_the_sheet_shows_labels_and_the_key_lies_elsewhere(tmp_path, capsys):
    main(["forum", "--seeds", "3:5", "--key", str(tmp_path / "key.txt")])
    printed = capsys.readouterr().out
    numbers = re.findall(r"^(\d+\.\d+) Which label", printed, re.MULTILINE)
    right = read_answers((tmp_path / "key.txt").read_text("utf-8"))
    assert numbers == [*right]
    assert {number.split(".")[0] for number in numbers} == {"3", "4"}
    assert re.findall(r"^# Site (\d+)", printed, re.MULTILINE) == ["3", "4"]
    assert "{" not in printed


@for_each("number", range(5))
def test_every_right_label_stands_on_the_sheet(number, capsys):
    main(["forum", "--seeds", str(number)])
    shown = capsys.readouterr().out
    assert [each for each in asked(number) if each.right[0] not in shown] == []


def test_the_key_is_right_and_anything_else_is_wrong(tmp_path, capsys):
    main(["forum", "--seeds", "3", "--key", str(tmp_path / "key.txt")])
    capsys.readouterr()
    lines = [
        line.split(" | ")[0] for line in (tmp_path / "key.txt").read_text("utf-8").splitlines()
    ]
    lines[1] = "3.2 Something else"
    (tmp_path / "mine.txt").write_text("\n".join(lines), encoding="utf-8")
    main(["forum", "--seeds", "3", "--answers", str(tmp_path / "mine.txt")])
    printed = capsys.readouterr().out.splitlines()
    assert (
        len(printed) == 2 and printed[0].startswith("3.2 ") and "Something else, not" in printed[0]
    )
    assert printed[1] == f"{len(lines) - 1} of {len(lines)} right ({1 - 1 / len(lines):.1%})"


def test_brackets_marks_and_capitals_of_an_answer_do_not_matter():
    first = asked(3)[0]
    assert wrong([first], {first.number: f"[{first.right[0].upper()}]"}) == []
    assert wrong([first], {}) == [(first, "")]


def test_a_column_is_marked():
    assert plain("Go to {n}") == "Go to ‹number›"
    assert plain("<{title}>") == "<‹title›>"


def test_a_line_that_is_no_answer_is_refused_by_its_number():
    with pytest.raises(BadAnswers, match="line 2: 'Send' is no answer"):
        read_answers("3.1 Send\nSend\n")


def test_a_site_without_drawn_skins_is_refused():
    with pytest.raises(SystemExit, match="store has no drawn skins"):
        main(["store"])
