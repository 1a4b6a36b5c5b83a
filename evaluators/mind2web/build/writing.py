"""Writes a data set in the folders and files of Mind2Web, and says what is in it.

DATA/train/train_0.json       a list of at most 100 tasks; then train_1.json, ...
DATA/build.json               every scenario with a digest of its task or why it is left out
DATA/README
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluators.run.manifest import package_version
from rehearsal_errors import RehearsalError

IN_A_FILE = 100
"""The most tasks of a file."""
INDEX = "build.json"
LEFT_OUT = "left out: "


class BadFolder(RehearsalError, ValueError):
    """The folder cannot take a data set; the message says what to do."""


@dataclass
class Figures:
    """Counts of a split.

    Attributes:
        tasks: The tasks that were written.
        steps: Their steps.
        candidates: The candidates on all pages.
        raw: The characters of all raw pages.
        cleaned: The characters of all cleaned pages.
        left_out: The number of tasks that were left out, by the reason.
    """

    tasks: int = 0
    steps: int = 0
    candidates: int = 0
    raw: int = 0
    cleaned: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def add(self, task: Mapping[str, Any]) -> None:
        """Count a task."""
        self.tasks += 1
        for step in task["actions"]:
            self.steps += 1
            self.candidates += len(step["pos_candidates"]) + len(step["neg_candidates"])
            self.raw += len(step["raw_html"])
            self.cleaned += len(step["cleaned_html"])

    @property
    def row(self) -> dict[str, Any]:
        """The counts as a row of a table; those of pages are means."""
        pages = max(1, self.steps)
        return {
            "tasks": self.tasks,
            "steps": self.steps,
            "candidates a page": round(self.candidates / pages, 1),
            "characters raw": round(self.raw / pages),
            "characters cleaned": round(self.cleaned / pages),
            "left out": ", ".join(f"{n} {reason}" for reason, n in self.left_out.most_common()),
        }


class Writer:
    """Writes the tasks of a data set, one after the other.

    Args:
        folder: The folder, which must be empty or absent.

    Raises:
        BadFolder: The folder holds something.
    """

    def __init__(self, folder: Path) -> None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadFolder(f"{folder} is there already", "name a new folder")
        self._folder = folder
        self.figures: dict[str, Figures] = {}
        self.scenarios: dict[str, dict[str, str]] = {}

    def add(self, split: str, scenario: str, task: Mapping[str, Any]) -> str:
        """Write a task, and return its digest."""
        text = json.dumps(task, ensure_ascii=False)
        figures = self._figures(split)
        number, place = divmod(figures.tasks, IN_A_FILE)
        with self._file(split, number).open("r+" if place else "w", encoding="utf-8") as opened:
            if place:
                opened.seek(0, 2)
                opened.seek(opened.tell() - len(_END))
            opened.write(f"{_NEXT if place else _BEGIN}{text}{_END}")
        figures.add(task)
        self.scenarios[split][scenario] = digest = digest_of(text)
        return digest

    def leave_out(self, split: str, scenario: str, reason: str) -> None:
        """Count a task that is left out."""
        self._figures(split).left_out[reason] += 1
        self.scenarios[split][scenario] = f"{LEFT_OUT}{reason}"

    def finish(self, name: str, about: str) -> None:
        """Write the index and the readme.

        Args:
            name: The name of the data set.
            about: A line about how it was built.
        """
        index = {"name": name, "scenarios": self.scenarios, "files": self._digests()}
        text = json.dumps(index, indent=1, ensure_ascii=False) + "\n"
        (self._folder / INDEX).write_text(text, encoding="utf-8")
        readme = _README.format(
            name=name, version=package_version(), about=about, digest=digest_of(text)
        )
        (self._folder / "README").write_text(readme, encoding="utf-8")

    def _figures(self, split: str) -> Figures:
        if split not in self.figures:
            (self._folder / split).mkdir(parents=True)
            self.figures[split], self.scenarios[split] = Figures(), {}
        return self.figures[split]

    def _file(self, split: str, number: int) -> Path:
        return self._folder / split / f"{split}_{number}.json"

    def _digests(self) -> dict[str, str]:
        """Return the SHA-256 of each file."""
        files = [
            self._file(split, number)
            for split, figures in self.figures.items()
            for number in range(-(-figures.tasks // IN_A_FILE))
        ]
        return {
            each.relative_to(self._folder).as_posix(): hashlib.sha256(each.read_bytes()).hexdigest()
            for each in files
        }


_BEGIN, _NEXT, _END = "[\n", ",\n", "\n]\n"
_README = """{name}: recorded tasks in the format of Mind2Web, made by Rehearsal {version}. {about}

The pages and tasks are Rehearsal's own, under its licence; nothing here comes from Mind2Web.
The expert's way is one of several right ones, so element accuracy says too little about a model.
build.json (SHA-256 begins {digest}) names each scenario with its family and seed, and each file.
"""


def digest_of(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
