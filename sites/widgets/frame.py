"""The frame around every task page: a task's file holds its title, styles and scripts."""

from __future__ import annotations

from pathlib import Path

TASKS = Path(__file__).parent / "tasks"
WITHOUT_DELAY = "-nodelay"
"""The ending of the names of tasks whose published page moves without delay.

Its file may hold only a title; the rest comes from the task with delay. The published pairs differ
only in how fast their pages move, and our pages do not move.
"""
_FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{title}
<link rel="stylesheet" href="/static/core.css">
{styles}</head>
<body>
<div id="wrap">This page could not load its scripts. Load it again.</div>
<script src="/static/core.js"></script>
{scripts}</body>
</html>
"""


def framed(title: str, styles: str, scripts: str) -> str:
    """Return a page's HTML. `title`, `styles` and `scripts` hold HTML elements."""
    return _FRAME.format(title=title, styles=styles, scripts=scripts)


def names(tasks: Path = TASKS) -> list[str]:
    """Return the names of the tasks, in the order of their files."""
    return [file.stem for file in sorted(tasks.glob("*.html"))]


def page(task: str, tasks: Path = TASKS) -> str:
    """Return the HTML of a task's page. Raises `FileNotFoundError`."""
    title, rest = _read(tasks / f"{task}.html")
    if not rest:
        _, rest = _read(tasks / f"{task.removesuffix(WITHOUT_DELAY)}.html")
    styles, script, scripts = rest.partition("<script")
    return framed(title, styles, script + scripts)


def _read(file: Path) -> tuple[str, str]:
    """Return the title of a task's file, and the text below it."""
    title, _, rest = file.read_text(encoding="utf-8").partition("\n")
    return title, rest
