"""A film of an episode: a frame for each step, its target marked."""

from __future__ import annotations

from io import BytesIO

import pytest

from agent.browser.picture import Mark, Picture
from evaluators.episode.replay import looks
from evaluators.records.trace_events import parse_event
from evaluators.report import film
from evaluators.report.pictures import Shot
from tests.evaluators.report.handmade import TRACE, record

images = pytest.importorskip("PIL.Image", reason="the extra film is not installed")


def frames(path):
    """The frames of a film."""
    with images.open(path) as film:
        for number in range(getattr(film, "n_frames", 1)):
            film.seek(number)
            yield film.convert("RGB")


@pytest.fixture
def shots():
    """Three steps: a white page, a grey one, and the grey one behind a dialog."""

    def picture(color, *marks):
        out = BytesIO()
        images.new("RGB", (1280, 720), color).save(out, format="webp", lossless=True)
        return Picture(out.getvalue(), marks)

    seen = looks(map(parse_event, TRACE))
    mark = Mark((100, 200, 300, 40), (250, 220))
    taken = picture("#ffffff", mark), picture("#808080"), None
    return [Shot(look, each) for look, each in zip(seen, taken, strict=True)]


@pytest.mark.wide
@pytest.mark.parametrize("ending", [".webp", ".gif", ".WEBP"])
def test_a_frame_for_each_step(tmp_path, shots, ending):
    target = tmp_path / f"film{ending}"
    film.write(target, record("react", success=False), shots)
    made = [*frames(target)]
    assert [each.size for each in made] == [(1280, 800)] * 3
    for frame, page in zip(made, ("#ffffff", "#808080", "#808080"), strict=True):
        found = frame.getpixel((900, 600))
        assert all(abs(found[at] - int(page[1 + 2 * at :][:2], 16)) < 8 for at in range(3))


def test_the_target_is_marked_on_its_own_step(tmp_path, shots):
    target = tmp_path / "film.webp"
    film.write(target, record(), shots)
    made = [*frames(target)]

    def red(frame, at):
        one, two, three = made[frame].getpixel(at)
        return one > 150 and two < 120 and three < 150

    assert red(0, (250, 198)) and red(0, (250, 220)), "the outline, and the place of the mouse"
    assert not red(0, (600, 220)) and not red(1, (250, 220))


def test_a_short_and_a_strange_episode(tmp_path, shots):
    """One step, no action, signs that no font has."""
    target = tmp_path / "film.webp"
    last = Shot(shots[-1].look, None)
    film.write(target, record(instruction="\u4f60\u597d " * 200, success=None), [last])
    assert [each.size for each in frames(target)] == [(1280, 800)]


def test_another_ending_is_one_line(tmp_path):
    with pytest.raises(film.NoFilm, match=r"let it end in \.webp or \.gif"):
        film.check(tmp_path / "film.mp4")
