"""Pages that nobody takes a picture of are not drawn, and cannot tell."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from random import Random

import pytest
from PIL import Image

from agent.browser.lane import Lane
from agent.interface import Click

from .conftest import Answer, Visit

TELLS = """
<style>@keyframes run { to { left: 9px } }</style>
<p id=moves style="position: relative; animation: run 30ms">runs</p>
<button>Read</button><pre id=told></pre>
<div style="height: 3000px"></div><p id=low>low</p>
<script>
const seen = new Set();
const tell = (what) => seen.add(what);
addEventListener("resize", () => tell("resized"));
moves.onanimationend = () => tell("an animation ended");
new IntersectionObserver(([{ isIntersecting }]) => tell(`low in view: ${isIntersecting}`))
  .observe(low);
addEventListener("scroll", () => tell("scrolled"));
requestAnimationFrame(() => requestAnimationFrame(() => tell("two frames")));
document.querySelector("button").onclick = () => {
  scrollTo(0, 3000);
  setTimeout(() => requestAnimationFrame(() => setTimeout(() => {
    const { width, height, offsetLeft, offsetTop, scale } = visualViewport;
    const sizes = [innerWidth, innerHeight, screenX, screenY, devicePixelRatio, scrollY,
      width, height, offsetLeft, offsetTop, scale, document.visibilityState];
    const { x, y } = low.getBoundingClientRect();
    const hit = document.elementFromPoint(x + 1, y + 1).id;
    told.textContent = [...sizes, x, y, hit, ...[...seen].sort()].join(", ");
  })), 100);
};
</script>
"""


@pytest.fixture
def unseen(runner, browser, store) -> Iterator[Visit]:
    """A lane of which no picture was taken."""
    lane = Lane(browser)
    yield Visit(runner, lane, store)
    runner.run(lane.close())


def noise() -> Answer:
    """A picture that takes the browser a while to decode."""
    image, file = Image.frombytes("RGB", (1200, 700), Random(0).randbytes(2_520_000)), io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return Answer(file.getvalue(), headers={"Content-Type": "image/png"})


def looks(visit: Visit) -> Iterator[str]:
    """What it shows, again and again for five seconds."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        yield visit.observe().text


def test_a_page_cannot_tell_whether_it_is_drawn(unseen):
    reports = {}
    for screenshot in (False, True):
        unseen.show(TELLS, screenshot=screenshot)
        unseen.act(Click("Read"))
        reports[screenshot] = next(text for text in looks(unseen) if "two frames" in text)
    assert reports[False] == reports[True]
    for each in ("an animation ended", "low in view: true", "scrolled"):
        assert each in reports[False]
    assert "resized" not in reports[True]


def test_the_first_picture_is_whole(unseen):
    drawn = noise()
    unseen.site.pages["/noise.png"] = lambda _: drawn
    page = "<img src=/noise.png width=1200 height=700 alt=''>"
    first = unseen.show(page, screenshot=True).screenshot
    assert first == unseen.observe(screenshot=True).screenshot
    assert len(first) > 2_000_000, "nothing was drawn"
