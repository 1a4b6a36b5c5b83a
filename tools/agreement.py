"""Check the wordings of wishes with readers: write sheets, and count how many readers agree.

A wish is a customer's sentence that asks for one value of a product, such as a colour. A reader
sees the values of a kind of product in the shop's words and sentences of customers, and says for
each sentence which value it asks for. A mark says how many readers named the value that the bank of
wordings means, out of those who read the sentence. Marks are stored beside the banks, apart from
the data that products are made of.

    python -m tools.agreement sheets FOLDER --parts 4   # of all wordings that have no mark yet
    python -m tools.agreement marks FOLDER              # from the answers a<part>_<reader>.txt

Each of the sheets q1.md, q2.md, ... goes to three readers who have not seen the banks.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from rehearsal_errors import RehearsalError
from sites.store.market.goods import bank
from sites.store.market.goods.bank import GatheredFact, Kind, Wishes, WordedFact

MARKS = Path(bank.__file__).with_name("agreement.toml")
KEY, READER = "key.json", "reader.txt"
HEAD = """\
# For each wording of a wish: how many readers took it for the value that the bank means, of how
# many that read it and the values of its kind and nothing else. Written by `tools/agreement.py`.
# Read are {}.
"""
INSTRUCTIONS = """\
You get one sheet (q<part>.md). For each kind of product it lists the values that such a product can
have, in the words of a shop, and then numbered sentences of customers. Each sentence asks for
exactly one value of its kind, or for anything else but one value of its kind. Read only the sheet,
and no other file. For each sentence choose the one value that fits it best among all values of the
kind; write `not` before it where the customer wants anything else but that value, of the same fact.
Answer every sentence, also where you are not sure: your first understanding counts. Write one line
for each sentence, its number, a blank, and your choice by its name, such as `17 folding.flat` or
`18 not folding.flat`, into the file a<part>_<your number as a reader>.txt, and nothing else. Choose
sentence by sentence, by understanding it, and not by a script.
"""

Marks = Mapping[str, Mapping[str, tuple[int, int]]]
"""By kind and wording: the number of readers that agreed, and of all its readers."""


class BadAnswers(RehearsalError, ValueError):
    """An answer is no choice of its sheet; the message names the file and the line."""


@dataclass(frozen=True)
class Wording:
    """A wording of a wish for one value, or for any other value (`not fact.value`)."""

    kind: str
    choice: str
    split: str
    text: str


def wordings(stem: str, kind: Kind) -> Iterator[Wording]:
    """Yield the wordings of a kind's facts that have words.

    A measured fact has none here: its wish holds a figure and names its bound.
    """
    for fact in kind.facts.values():
        if isinstance(fact, WordedFact):
            for value in fact.values.values():
                yield from _each(stem, f"{fact.name}.{value.name}", value.wish)
                yield from _each(stem, f"not {fact.name}.{value.name}", value.unlike)
        elif isinstance(fact, GatheredFact):
            for member in fact.members.values():
                yield from _each(stem, f"{fact.name}.{member.name}", member.wish)


def _each(stem: str, choice: str, wish: Wishes) -> Iterator[Wording]:
    for split, texts in wish.items():
        yield from (Wording(stem, choice, split, text) for text in texts)


def every() -> list[Wording]:
    """Return all wordings of all kinds."""
    return [each for stem, kind in bank.kinds().items() for each in wordings(stem, kind)]


def marks(file: Path = MARKS) -> Marks:
    """Return the marks in a file, or {} if it does not exist."""
    tables = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {
        kind: {text: (int(agreed), int(of)) for text, (agreed, of) in table.items()}
        for kind, table in tables.items()
    }


def write(found: Marks, file: Path = MARKS) -> None:
    """Write the marks of wordings that the banks still hold, in the order of the banks."""
    lines = [HEAD.format(shares(found))]
    for stem, kind in bank.kinds().items():
        of_kind = found.get(stem, {})
        texts = [each.text for each in wordings(stem, kind) if each.text in of_kind]
        lines += [f"[{stem}]", *(_line(text, of_kind[text]) for text in texts), ""]
    file.write_text("\n".join(lines), encoding="utf-8")


def shares(found: Marks) -> str:
    """Return a line with the number of marked wordings in each split."""
    counts = Counter(each.split for each in every())
    read = Counter(each.split for each in every() if each.text in found.get(each.kind, {}))
    return ", ".join(f"{read[split]} of {number} of {split}" for split, number in counts.items())


def _line(text: str, mark: tuple[int, int]) -> str:
    return f"{json.dumps(text, ensure_ascii=False)} = [{mark[0]}, {mark[1]}]"


# Sheets ------------------------------------------------------------------------------------------


def unread(found: Marks) -> list[Wording]:
    """Return the wordings that have no mark yet."""
    return [each for each in every() if each.text not in found.get(each.kind, {})]


def make_sheets(folder: Path, asked: Sequence[Wording], parts: int) -> None:
    """Write the sheets, their key and the instructions for readers.

    Args:
        folder: The folder for the files.
        asked: The wordings to read.
        parts: The number of sheets.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stems = list(dict.fromkeys(each.kind for each in asked))
    key: dict[str, list[dict[str, str]]] = {}
    for part in range(1, parts + 1):
        mine = stems[(part - 1) * len(stems) // parts : part * len(stems) // parts]
        listed = [each for stem in mine for each in _shuffled(stem, asked)]
        key[str(part)] = [vars(each) for each in listed]
        text = "\n\n".join(_section(stem, listed) for stem in mine)
        (folder / f"q{part}.md").write_text(text + "\n", encoding="utf-8")
    (folder / KEY).write_text(json.dumps(key, indent=1, ensure_ascii=False), encoding="utf-8")
    (folder / READER).write_text(INSTRUCTIONS, encoding="utf-8")


def _shuffled(stem: str, asked: Sequence[Wording]) -> list[Wording]:
    mine = [each for each in asked if each.kind == stem]
    random.Random(f"sheet/{stem}").shuffle(mine)
    return mine


def _section(stem: str, listed: Sequence[Wording]) -> str:
    kind = bank.kinds()[stem]
    values = [f"- {name}: {text}" for name, text in choices(kind).items()]
    asked = [f"{number}. {each.text}" for number, each in enumerate(listed, 1) if each.kind == stem]
    title, above = f"## {kind.name}", "Values that a product of this kind can have:"
    return "\n".join([title, above, *values, "Sentences of customers:", *asked])


def choices(kind: Kind) -> dict[str, str]:
    """Return the values of a kind by name, in the shop's words."""
    found: dict[str, str] = {}
    for fact in kind.facts.values():
        if isinstance(fact, WordedFact):
            for value in fact.values.values():
                shown = (value.table, value.page, value.answer)
                found[f"{fact.name}.{value.name}"] = " | ".join(shown)
        elif isinstance(fact, GatheredFact):
            for member in fact.members.values():
                found[f"{fact.name}.{member.name}"] = f"{fact.labels[0]}: {member.text}"
    return found


# Answers -----------------------------------------------------------------------------------------


def counted(folder: Path) -> dict[str, dict[str, tuple[int, int]]]:
    """Return the marks from the answers in a folder of sheets. Raise `BadAnswers` if an answer is
    wrong.
    """
    agreed, of = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for wording, choice in _all_answers(folder):
        place = (wording.kind, wording.text)
        agreed[place] += choice == wording.choice
        of[place] += 1
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for kind, text in of:
        found.setdefault(kind, {})[text] = (agreed[kind, text], of[kind, text])
    return found


def _all_answers(folder: Path) -> Iterator[tuple[Wording, str]]:
    """Yield each reader's choice for each wording, over all sheets."""
    if not (folder / KEY).is_file():
        raise BadAnswers(f"{folder} holds no sheets", "make them with `sheets` first")
    key = json.loads((folder / KEY).read_text(encoding="utf-8"))
    asked = {part: [Wording(**each) for each in listed] for part, listed in key.items()}
    files = [(part, file) for part in asked for file in sorted(folder.glob(f"a{part}_*.txt"))]
    if not files:
        raise BadAnswers(f"{folder} holds no answers", "put a<part>_<reader>.txt there")
    for part, file in files:
        yield from _answers(file, asked[part])


def _answers(file: Path, asked: Sequence[Wording]) -> Iterator[tuple[Wording, str]]:
    """Yield each wording of a sheet with a reader's choice; every wording must have one."""
    left = dict(enumerate(asked, 1))
    for at, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        number, choice = [*line.split(maxsplit=1), "", ""][:2]
        if not number:
            continue
        wording = left.pop(_place(number), None)
        if wording is None:
            raise BadAnswers(f"{file}:{at}: {number} is no sentence", "write each number once")
        yield wording, _chosen(f"{file}:{at}", wording, choice)
    if left:
        raise BadAnswers(f"{file}: no answer to {[*left]}", "answer every sentence")


def _place(number: str) -> int:
    """Return the number of a sentence, or 0 if it is no number."""
    found = re.fullmatch(r"([0-9]{1,9})\.?", number)
    return int(found[1]) if found else 0


def _chosen(where: str, wording: Wording, choice: str) -> str:
    """Return the name of a choice; text after a question mark is a reader's doubt and is
    ignored.
    """
    name = " ".join(choice.partition("?")[0].split())
    if name.removeprefix("not ") not in choices(bank.kinds()[wording.kind]):
        raise BadAnswers(f"{where}: {name} is no choice", f"name a value of {wording.kind}")
    return name


def merged(old: Marks, new: Marks) -> Marks:
    """Return the marks of both; if both have one, the new mark counts."""
    return {kind: {**old.get(kind, {}), **new.get(kind, {})} for kind in {*old, *new}}


def main(words: Sequence[str] | None = None) -> None:
    """Write sheets, or read answers and write marks."""
    parser = argparse.ArgumentParser(prog="python -m tools.agreement", description=__doc__)
    parser.add_argument("what", choices=["sheets", "marks"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--parts", type=int, default=4, help="sheets; one takes some 400 choices")
    chosen = parser.parse_args(words)
    if chosen.parts < 1:
        parser.error(f"--parts {chosen.parts}: make at least one sheet")
    try:
        if chosen.what == "sheets":
            _sheets(chosen.folder, chosen.parts)
        else:
            _marks(chosen.folder)
    except RehearsalError as error:
        sys.exit(str(error))


def _sheets(folder: Path, parts: int) -> None:
    asked = unread(marks())
    if asked:
        make_sheets(folder, asked, parts)
    click.echo(f"{len(asked)} wordings to read")


def _marks(folder: Path) -> None:
    new = counted(folder)
    write(merged(marks(), new))
    read = [(kind, text, mark) for kind, table in new.items() for text, mark in table.items()]
    click.echo(f"{len(read)} wordings marked")
    for kind, text, (agreed, of) in read:
        if agreed < of:
            click.echo(f"{agreed} of {of}: {kind}: {text}")


if __name__ == "__main__":
    main()
