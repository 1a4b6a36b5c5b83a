"""Check drawn skins with readers: write a sheet of labels and questions, and count right answers.

A sheet shows the labels of the pages of a site in several drawn skins, without any other text. For
each operation it asks which label the reader would press. Readers must not know the site. The
labels of a skin are good if readers name nearly all operations.

    python -m tools.skin_labels forum --seeds 0:20 --key key.txt > sheet.md
    python -m tools.skin_labels forum --seeds 0:20 --answers reader1.txt
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import click

from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.kit import Label, Page, Site, Skin, labels

INSTRUCTIONS = """\
You see the labels of web sites. A button is written as [Label], a link as Label, a field to fill as
(Label). The marks ‹ › stand for a text that differs from row to row or from page to page, such as a
title. Answer the questions after each site with one label of that site. Write the label without
brackets and marks. Answer every question, even if you are not sure. Write one line for each answer:
the number of the question, a blank, and the label, such as `3.7 Send` or `3.8 Order of ‹number›`.
"""
NUMBERS = {"n", "id", "cid"}
"""Columns whose values are numbers."""
ANSWER = re.compile(r"(\d+\.\d+)[.:]?\s+(.*\S)")

Answers = Mapping[str, str]
"""By the number of the question, a label."""


class BadAnswers(RehearsalError, ValueError):
    """A line of an answer file has another form; the message names the line."""


@dataclass(frozen=True)
class Question:
    """One question about a drawn skin.

    Attributes:
        number: The number of the skin and the number of the question, such as `3.7`.
        task: The end of the question.
        right: The labels that are right.
    """

    number: str
    task: str
    right: tuple[str, ...]


def questions(site: Site, skin: Skin, number: int) -> list[Question]:
    """Return the questions about a skin, in an order of its own."""
    shown = {each.word: each for page in site.pages for each in labels(site, skin, page)}
    asked = []
    for words, task in tasks(site).items():
        right = tuple(plain(shown[word].text) for word in words.split() if word in shown)
        if right:
            asked.append((task, right))
    Random(f"{skin.name}/questions").shuffle(asked)
    return [Question(f"{number}.{at}", *each) for at, each in enumerate(asked, start=1)]


def tasks(site: Site) -> Mapping[str, str]:
    """Return the ends of the questions by their words; the label of the first word is asked for."""
    assert site.drawn is not None
    return site.drawn.synonyms.tasks


def plain(text: str) -> str:
    """Return a text in which each column stands between the marks ‹ ›."""

    def mark(found: re.Match[str]) -> str:
        return f"‹{'number' if found[1] in NUMBERS else found[1]}›"

    return re.sub(r"\{(\w+)\}", mark, text)


# The sheet


def sheet(site: Site, seeds: Sequence[int]) -> Iterator[str]:
    """Yield the lines of the sheet for the drawn skins with these numbers."""
    yield INSTRUCTIONS
    for number in seeds:
        skin = site.skin[f"skin-{number}"]
        yield f"\n# Site {number}: {skin.say('site')}\n"
        yield from _everywhere(site, skin)
        for page in site.pages:
            yield from _page(site, skin, page)
        yield ""
        for each in questions(site, skin, number):
            yield f"{each.number} Which label would you press to {each.task}?"


def _everywhere(site: Site, skin: Skin) -> Iterator[str]:
    nav = [each.label for each in skin.nav]
    menu = f", in the menu [{skin.say('menu')}]" if "nav" in skin.menus else ""
    yield f"On every page{menu}: {' · '.join(plain(skin.words[word]) for word in nav)}"


def _page(site: Site, skin: Skin, page: Page) -> Iterator[str]:
    title = plain(skin.words[f"title_{page.name}"])
    nav = {each.label for each in skin.nav} | {"menu"}
    own = (each for each in labels(site, skin, page) if each.word not in nav)
    shown = list(dict.fromkeys(_shown(each) for each in own))
    yield f"Page “{title}”: {' · '.join(shown)}"


def _shown(label: Label) -> str:
    form = {"link": "{}", "button": "[{}]", "field": "({})"}[label.role]
    return form.format(plain(label.text))


def key(site: Site, seeds: Sequence[int]) -> Iterator[str]:
    """Yield the lines of the key: the number of each question, and the right labels."""
    for number in seeds:
        for each in questions(site, site.skin[f"skin-{number}"], number):
            yield f"{each.number} {' | '.join(each.right)}"


# Answers


def read_answers(text: str) -> dict[str, str]:
    """Return the answers of a reader.

    Raises:
        BadAnswers: A line is no answer.
    """
    found = {}
    for at, row in enumerate(text.splitlines(), start=1):
        answer = ANSWER.fullmatch(row.strip())
        if answer:
            found[answer[1]] = answer[2]
        elif row.strip():
            raise BadAnswers(f"line {at}: {row[:80]!r} is no answer", "write `3.7 Label`")
    return found


def wrong(asked: Sequence[Question], answers: Answers) -> list[tuple[Question, str]]:
    """Return the questions that were not answered rightly, each with its answer."""
    given = [(each, answers.get(each.number, "")) for each in asked]
    return [
        (each, answer)
        for each, answer in given
        if _bare(answer) not in {_bare(right) for right in each.right}
    ]


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[\[\]()“”\"`‹›]", " ", text).casefold().split())


# The command


def main(words: Sequence[str] | None = None) -> None:
    """Print the sheet and write the key, or count the right answers of a reader."""
    parser = argparse.ArgumentParser(prog="python -m tools.skin_labels", description=__doc__)
    parser.add_argument("site", help="a declared site with drawn skins")
    parser.add_argument("--seeds", default="0:20", help="the numbers of the skins, such as 0:20")
    parser.add_argument("--key", type=Path, help="the file to write the right answers to")
    parser.add_argument("--answers", type=Path, help="the file with the answers of a reader")
    chosen = parser.parse_args(words)
    try:
        site, seeds = declared(chosen.site), registry.read_seeds(chosen.seeds)
        if chosen.answers:
            _count(site, seeds, chosen.answers)
        else:
            _print(site, seeds, chosen.key)
    except RehearsalError as error:
        sys.exit(str(error))


def declared(name: str) -> Site:
    """Return the declaration of a site with drawn skins.

    Raises:
        BadAnswers: The site has no drawn skins.
    """
    site = getattr(registry.site(name), "SITE", None)
    if not isinstance(site, Site) or site.drawn is None:
        raise BadAnswers(f"{name} has no drawn skins", "give `SITE` of its package synonyms")
    return site


def _print(site: Site, seeds: Sequence[int], file: Path | None) -> None:
    click.echo("\n".join(sheet(site, seeds)))
    if file:
        file.write_text("".join(f"{each}\n" for each in key(site, seeds)), encoding="utf-8")


def _count(site: Site, seeds: Sequence[int], file: Path) -> None:
    asked = [each for n in seeds for each in questions(site, site.skin[f"skin-{n}"], n)]
    missed = wrong(asked, read_answers(file.read_text("utf-8")))
    for each, answer in missed:
        click.echo(f"{each.number} {each.task}: {answer or 'no answer'}, not {each.right[0]}")
    right = len(asked) - len(missed)
    click.echo(f"{right} of {len(asked)} right ({right / len(asked):.1%})")


if __name__ == "__main__":
    main()
