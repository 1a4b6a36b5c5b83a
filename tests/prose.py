"""Count turns of phrase that make docstrings, comments, messages and pages hard to read."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.sources import ROOT

PACKAGES = ("agent", "evaluators", "scenarios", "sites")
IDIOMS = {
    "What as a noun": (r"^What\b", 0.10),
    "where for if": (
        r"\bwhere (there|it|that|one|this|nothing|something|they|he|she|some|an?|the|no)\b",
        0.80,
    ),
    "so many, so much": (r"\bso (many|much|long|far|often)\b", 0.20),
    "besides": (r"\bbesides\b", 0.05),
    "who without a noun": (
        r"\b(by|for|of|to) who\b|\bWho(ever)? (has|is|does|reads|may)\b|\bwhoever\b",
        0.08,
    ),
    "of which, of whom": (r"\bof (which|whom)\b", 0.10),
    "one as a pronoun": (r"\b(of which one|by one|one is|one that|one of them)\b", 0.25),
    "in turn, anew, at all, once more": (r"\b(in turn|anew|at all|once more)\b", 0.15),
}
"""A pattern of each turn of phrase, and the most occurrences in a thousand words: about twice the
highest rate in the docstrings of four well-read libraries of the field."""


FIXED = ("sites/", "agent/methods/", "agent/actions.py")
"""Places whose messages models and pages read: recordings hold them."""


def rates(texts: Iterable[str]) -> dict[str, float]:
    """Return the occurrences of each idiom in a thousand words."""
    every = list(texts)
    words = sum(len(text.split()) for text in every)
    return {
        name: 1000 * sum(len(re.findall(pattern, text, re.MULTILINE)) for text in every) / words
        for name, (pattern, _) in IDIOMS.items()
    }


def over(texts: Iterable[str]) -> dict[str, float]:
    """Return the rates above their bars."""
    return {name: rate for name, rate in rates(texts).items() if rate > IDIOMS[name][1]}


def files() -> Iterator[Path]:
    """Yield the Python files of the four packages."""
    return (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


@cache
def docstrings(path: Path) -> tuple[str, ...]:
    """Return the docstrings of a file, those under assignments included."""
    return tuple(_docstrings(path))


def _docstrings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from filter(None, [ast.get_docstring(node)])
        body = getattr(node, "body", None)
        for before, after in pairwise(body) if isinstance(body, list) else ():
            if isinstance(before, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
                value = getattr(after.value, "value", None)
                yield from [value] if isinstance(value, str) else []


def summary(text: str) -> str:
    """Return the first sentence of a docstring."""
    return re.split(r"(?<=[.:])\s", text.strip(), maxsplit=1)[0]


def comments(path: Path) -> Iterator[str]:
    """Yield the comments of a file, without headings and instructions to tools."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline)
    texts = (each.string.lstrip("# ") for each in tokens if each.type == tokenize.COMMENT)
    return (text for text in texts if not re.match(r"type:|noqa|fmt:|pragma|.*---", text))


def messages(path: Path) -> Iterator[str]:
    """Yield the literal texts of the errors that a file raises."""
    if path.relative_to(ROOT).as_posix().startswith(FIXED):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Raise) and node.exc is not None:
            for part in ast.walk(node.exc):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def pages() -> Iterator[str]:
    """Yield the text of each page of documentation, without blocks of code."""
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("*.md")),
    ):
        text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        yield re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
