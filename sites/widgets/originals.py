"""The original MiniWoB++ pages: files of Farama's package `miniwob`, served unchanged if installed.

Only the script `static/original.js` is added at the end of a task's page: it sets the seed, begins
the episode, and reports its end as our own pages do.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from rehearsal_errors import RehearsalError

ORIGINAL = "original"
"""The variant of a task that uses the package's page."""
INSTALL = "pip install --no-deps miniwob==1.1"
ACTION_MS = 1000
"""Milliseconds that pass on these pages with each action; some show their results by moving."""
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self'"
    " 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'self'; object-src 'none';"
    " base-uri 'none'; form-action 'self'"
)
"""A content security policy that allows inline scripts, which the original pages have."""
INPUTS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "bisect-angle",
            "circle-center",
            "find-midpoint",
            "right-angle",
            "use-colorwheel-2",
            "use-colorwheel",
        ),
        "click_at",
    ),
    **dict.fromkeys(
        (
            "chase-circle",
            "hover-shape",
        ),
        "hover_at wait",
    ),
    **dict.fromkeys(("moving-items",), "click_at wait"),
    **dict.fromkeys(
        (
            "button-delay",
            "simon-says",
            "stock-market",
        ),
        "wait",
    ),
    **dict.fromkeys(
        (
            "daily-calendar",
            "drag-items-grid",
            "drag-items",
            "drag-sort-numbers",
        ),
        "drag",
    ),
    **dict.fromkeys(
        (
            "drag-box",
            "drag-circle",
            "drag-cube",
            "drag-single-shape",
            "draw-circle",
            "draw-line",
            "resize-textarea",
        ),
        "draw",
    ),
    **dict.fromkeys(
        (
            "drag-shapes-2",
            "drag-shapes",
        ),
        "drag draw",
    ),
    **dict.fromkeys(
        (
            "highlight-text-2",
            "highlight-text",
            "text-editor",
        ),
        "mark_text",
    ),
    **dict.fromkeys(("hot-cold",), "click_at hover_at"),
    **dict.fromkeys(
        (
            "scroll-text-2",
            "sign-agreement",
        ),
        "scroll_in",
    ),
}
"""Unusual inputs (such as `hover_at wait`) that tasks need, by the task's name."""
_DRIVER = '<script src="/static/original.js" data-inputs="{}"></script>'
_LOADED = re.compile(r"""(?:src|href)=["']\.\./([^"']+)""")


class NotInstalled(RehearsalError, ModuleNotFoundError):
    """An error: the package with the original pages is not installed."""


@cache
def found() -> Path | None:
    """Return the package's folder of pages, or None if it is not installed.

    The package is not imported.
    """
    spec = importlib.util.find_spec("miniwob")
    folder = Path(spec.origin).parent / "html" if spec and spec.origin else None
    return folder if folder and (folder / "miniwob").is_dir() else None


def folder() -> Path:
    """Return the package's folder of pages. Raises `NotInstalled`."""
    place = found()
    if place is None:
        raise NotInstalled("the original pages are in the package miniwob, not here", INSTALL)
    return place


def tasks() -> frozenset[str]:
    """Return the names of the package's tasks. Raises `NotInstalled`."""
    return _names(folder())


@cache
def _names(place: Path) -> frozenset[str]:
    return frozenset(file.stem for file in (place / "miniwob").glob("*.html"))


def start(task: str, seed: int) -> str:
    """Return the address of a task's page."""
    return f"/original/miniwob/{task}.html?seed={seed}"


def text(task: str) -> str:
    """Return the HTML of a task's page, unchanged from the package. Raises `NotInstalled`."""
    return _file(task).read_text(encoding="utf-8")


def page(task: str) -> str:
    """Return the HTML of a task's page with our script added. Raises `NotInstalled`."""
    html, driver = text(task), _DRIVER.format(INPUTS.get(task, ""))
    head, body, tail = html.rpartition("</body>")
    return f"{head}{driver}{body}{tail}" if body else html + driver


def digests(task: str) -> dict[str, str]:
    """Return the SHA-256 of a task's page and of the files that it loads. Raises `NotInstalled`."""
    html = _file(task).read_bytes()
    shared = hashlib.sha256()
    for file in _shared(html.decode("utf-8")):
        shared.update(hashlib.sha256(file.read_bytes()).digest())
    return {"page": hashlib.sha256(html).hexdigest(), "loads": shared.hexdigest()}


def _file(task: str) -> Path:
    return folder() / "miniwob" / f"{task}.html"


def _shared(html: str) -> Iterator[Path]:
    return (folder() / name for name in sorted({*_LOADED.findall(html)}))
