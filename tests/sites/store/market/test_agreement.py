"""Readers who saw only a wording and the shop's words took it for the value that the bank means."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sites.store.market.goods import bank
from tools import agreement
from tools.agreement import BadAnswers, Wording

READERS = 3
EXCEPTIONS = {
    "Nothing should rise to my ears, I like to look about.": (
        "one of three took a low backrest where anything but a high one is meant, and a low one"
        " meets both readings"
    ),
}
"""Wordings on which fewer than three of three agree, each with the reason."""


MARKS = agreement.marks()


def agreed(wording: Wording) -> bool:
    agreeing, of = MARKS.get(wording.kind, {}).get(wording.text, (0, 0))
    return agreeing == of >= READERS


@pytest.mark.parametrize("split", bank.SPLITS)
def test_all_readers_agree_on_every_wording(split: str) -> None:
    found = [each for each in agreement.every() if each.split == split]
    assert {each.text for each in found if not agreed(each)} <= {*EXCEPTIONS}


def test_marks_and_exceptions_are_of_wordings_that_the_banks_hold() -> None:
    held = {(each.kind, each.text) for each in agreement.every()}
    marked = {(kind, text) for kind, table in MARKS.items() for text in table}
    assert marked <= held
    assert {*EXCEPTIONS} <= {text for _, text in held}


def test_the_file_says_how_many_wordings_of_each_split_were_read() -> None:
    text = agreement.MARKS.read_text(encoding="utf-8")
    assert f"# Read are {agreement.shares(MARKS)}.\n" in text


def test_the_marks_are_no_part_of_what_the_goods_are_made_of() -> None:
    assert agreement.MARKS.name not in {path.name for path in bank.WORDS.iterdir()}


# The tool ----------------------------------------------------------------------------------------


@pytest.fixture
def asked() -> list[Wording]:
    """Six wordings of two kinds."""
    return [*agreement.every()[:3], *agreement.every()[-3:]]


def answer(folder: Path, part: str, reader: int, choices: list[str]) -> None:
    lines = [f"{number} {choice}" for number, choice in enumerate(choices, 1)]
    (folder / f"a{part}_{reader}.txt").write_text("\n".join(lines), encoding="utf-8")


def test_answers_become_marks(tmp_path: Path, asked: list[Wording]) -> None:
    agreement.make_sheets(tmp_path, asked, parts=2)
    key = json.loads((tmp_path / agreement.KEY).read_text(encoding="utf-8"))
    assert sorted(each["text"] for listed in key.values() for each in listed) == sorted(
        each.text for each in asked
    )
    for part, listed in key.items():
        right = [each["choice"] for each in listed]
        wrong = right[0].removeprefix("not ") if "not" in right[0] else f"not {right[0]}"
        for reader in range(READERS):
            answer(tmp_path, part, reader, right if reader else [wrong, *right[1:]])
    counted = agreement.counted(tmp_path)
    found = [mark for table in counted.values() for mark in table.values()]
    assert sorted(found) == [(2, 3)] * 2 + [(3, 3)] * 4
    file = tmp_path / "agreement.toml"
    agreement.write(
        agreement.merged({"coolers": {"A wording that is gone.": (3, 3)}}, counted), file
    )
    assert agreement.marks(file) == {kind: {} for kind in bank.kinds()} | counted


def test_a_sheet_shows_sentences_and_values_and_not_what_is_meant(
    tmp_path: Path, asked: list[Wording]
) -> None:
    agreement.make_sheets(tmp_path, asked, parts=1)
    sheet = (tmp_path / "q1.md").read_text(encoding="utf-8")
    assert all(sheet.count(each.text) == 1 for each in asked)
    kind = bank.kinds()[asked[0].kind]
    assert all(f"- {name}: " in sheet for name in agreement.choices(kind))


def test_an_answer_that_is_no_choice_is_refused(tmp_path: Path, asked: list[Wording]) -> None:
    agreement.make_sheets(tmp_path, asked, parts=1)
    answer(tmp_path, "1", 1, ["lid.nonsense"])
    with pytest.raises(BadAnswers, match=r"a1_1\.txt:1: lid\.nonsense is no choice"):
        agreement.counted(tmp_path)
    listed = json.loads((tmp_path / agreement.KEY).read_text(encoding="utf-8"))["1"]
    answer(tmp_path, "1", 1, [each["choice"] for each in listed][:-1])
    with pytest.raises(BadAnswers, match=r"no answer to \[6\]"):
        agreement.counted(tmp_path)


@pytest.mark.parametrize("number", ["7", "0", "-1", "²", "1", "9" * 5000, "first"])
def test_a_number_of_no_sentence_or_twice_is_refused(tmp_path: Path, asked, number) -> None:
    agreement.make_sheets(tmp_path, asked, parts=1)
    listed = json.loads((tmp_path / agreement.KEY).read_text(encoding="utf-8"))["1"]
    choice = listed[0]["choice"]
    (tmp_path / "a1_1.txt").write_text(f"1. {choice} ? perhaps\n\n{number}\t{choice}")
    with pytest.raises(BadAnswers, match=r"a1_1\.txt:3: .* is no sentence; write each number once"):
        agreement.counted(tmp_path)


def test_a_folder_without_sheets_or_answers_is_told_in_one_line(tmp_path: Path, asked) -> None:
    before = agreement.MARKS.read_bytes()
    with pytest.raises(SystemExit, match="holds no sheets; make them with `sheets` first"):
        agreement.main(["marks", str(tmp_path)])
    agreement.make_sheets(tmp_path, asked, parts=1)
    with pytest.raises(SystemExit, match=r"holds no answers; put a<part>_<reader>\.txt there"):
        agreement.main(["marks", str(tmp_path)])
    assert agreement.MARKS.read_bytes() == before


def test_no_sheets_are_none_to_make(tmp_path: Path, capsys) -> None:
    with pytest.raises(SystemExit):
        agreement.main(["sheets", str(tmp_path), "--parts", "0"])
    assert "make at least one sheet" in capsys.readouterr().err
    agreement.main(["sheets", str(tmp_path / "new")])
    assert capsys.readouterr().out == "0 wordings to read\n"
    assert not (tmp_path / "new").exists()
