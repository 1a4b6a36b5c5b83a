"""A film of an episode for talks: a picture of each step with its action, made with Pillow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.browser.picture import Mark
from evaluators.records import files
from evaluators.records.models import EpisodeRecord
from evaluators.report.pictures import Shot
from rehearsal_errors import RehearsalError

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS: dict[str, dict[str, Any]] = {
    ".webp": {"quality": 82, "method": 4},
    ".gif": {"optimize": True},
}
"""The file endings that a film may have, each with Pillow's options for saving."""
STEP_MS, LAST_MS = 1_800, 4_000
WIDTH, HEIGHT, STRIP = 1280, 720, 80
PAPER, INK, QUIET, MARK, LIGHT = "#14171a", "#e8e6e1", "#a0a6ae", "#e0245e", "#ffffff"


class NoFilm(RehearsalError):
    """A film cannot be made with this file name or on this machine."""


def check(target: Path) -> None:
    """Raise `NoFilm` if Pillow is missing or the file's name has another ending."""
    if target.suffix.lower() not in FORMATS:
        endings = " or ".join(FORMATS)
        raise NoFilm(f"--film {target} is no film's name", f"let it end in {endings}")
    if find_spec("PIL") is None:
        raise NoFilm("--film needs Pillow", "run: pip install 'rehearsal-web[film]'")


def write(target: Path, record: EpisodeRecord, shots: Sequence[Shot]) -> None:
    """Write the film atomically.

    Args:
        target: The file; its ending decides the format.
        record: The episode's record.
        shots: The observations with their pictures, in order.
    """
    begin, *rest = _frames(record, shots)
    times = [STEP_MS] * len(rest) + [LAST_MS]
    film, ending = BytesIO(), target.suffix.lower()
    begin.save(
        film,
        format=ending[1:],
        save_all=True,
        append_images=rest,
        duration=times,
        loop=0,
        **FORMATS[ending],
    )
    files.write(target, film.getvalue(), synced=False)


def _frames(record: EpisodeRecord, shots: Sequence[Shot]) -> Iterator[Image]:
    from PIL import Image

    page = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    for number, shot in enumerate(shots, start=1):
        marks: Sequence[Mark] = ()
        if shot.picture is not None:  # else a dialog hides the page: keep the last picture
            page = Image.open(BytesIO(shot.picture.data)).convert("RGB")
            marks = shot.picture.marks
        frame = Image.new("RGB", (WIDTH, HEIGHT + STRIP), PAPER)
        frame.paste(page, (0, 0))
        for mark in marks:
            _draw_mark(frame, mark)
        _draw_strip(frame, f"{number}/{len(shots)}", _deed(record, shot), _about(record))
        yield frame


def _draw_mark(frame: Image, mark: Mark) -> None:
    """Draw the mark of an action: an outline that is visible on light and dark pages, and a dot for
    the mouse.
    """
    from PIL import ImageDraw

    draw = ImageDraw.Draw(frame)
    x, y, width, height = mark.box
    for far, wide, color in ((6, 6, LIGHT), (5, 4, MARK)):
        box = x - far, y - far, x + width + far, y + height + far
        draw.rounded_rectangle(box, far + 2, outline=color, width=wide)
    if mark.at:
        draw.circle(mark.at, 7, fill=MARK, outline=LIGHT, width=2)


def _draw_strip(frame: Image, place: str, deed: str, about: str) -> None:
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(frame)
    large, small = ImageFont.load_default(26), ImageFont.load_default(17)
    draw.rectangle((0, HEIGHT, WIDTH, HEIGHT + STRIP), fill=PAPER)
    left = 24 + large.getlength(place) + 20
    draw.text((24, HEIGHT + 12), place, font=large, fill=QUIET)
    draw.text((left, HEIGHT + 12), _fit(deed, large, WIDTH - left - 24), font=large, fill=INK)
    draw.text((left, HEIGHT + 48), _fit(about, small, WIDTH - left - 24), font=small, fill=QUIET)


def _fit(text: str, font: Any, width: float) -> str:
    """Return the text in characters that the font has, shortened to fit the width in pixels."""
    text = " ".join(text.encode("latin-1", "replace").decode("latin-1").split())
    while text and font.getlength(text) > width:
        text = text.removesuffix("...")[:-1].rstrip() + "..."
    return text


def _deed(record: EpisodeRecord, shot: Shot) -> str:
    """Return the text below a picture: the action that follows, or how the episode ended."""
    if (action := shot.look.action) is not None:
        return f"{action.action}  {action.target}"
    if record.success is None:
        return record.ended.replace("_", " ")
    return "success" if record.success else "no success"


def _about(record: EpisodeRecord) -> str:
    return f"{record.agent} on {record.scenario}: {record.instruction}"
