"""Pictures in the report: which episodes, where they are kept, and how they are looked at."""

from __future__ import annotations

import base64
import html
import json
import shutil

import pytest

from agent.browser.picture import Mark
from evaluators import report
from evaluators.records import run_folder
from evaluators.report import loading, page, pictures
from evaluators.report.pictures import Album, BadChoice
from evaluators.run import api
from evaluators.run.config import RunConfig
from scenarios import registry
from tests.each import for_each
from tests.evaluators.report.handmade import Written, record

DOT = base64.b64decode("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
"""A picture of one pixel."""
CARELESS = "random:actions=3"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A run with a failed episode of few steps on each site and successes, really run."""
    folder = tmp_path_factory.mktemp("runs") / "real"
    tasks = registry.from_families(
        ["buy_item", "email-inbox-nl-turk", "TASK_FIND_FLIGHT"], range(1)
    )
    api.run(["expert", CARELESS], tasks, config=RunConfig(out=folder))
    return folder


@pytest.fixture
def many(run: Written):
    for seed in range(3):
        run.add(record("react", seed))
    run.add(record("laser", 0))
    run.add(record("expert", 0, success=True))
    run.add(record("nothing", 0, success=None, ended="infra_error", cause="browser"))
    return run


@for_each(
    ("wanted", "chosen"),
    [
        ("failed", ["laser/0", "react/0", "react/1", "react/2"]),
        ("all", ["expert/0", "laser/0", "nothing/0", "react/0", "react/1", "react/2"]),
        ("3", ["laser/0", "react/0", "react/1"]),
        ("5", ["laser/0", "react/0", "react/1", "react/2", "expert/0"]),
        ("99", ["laser/0", "react/0", "react/1", "react/2", "expert/0", "nothing/0"]),
    ],
)
def test_which_episodes_get_pictures(many, wanted, chosen):
    found = pictures.choose(loading.read(many.path), wanted)
    assert [f"{each.record.agent}/{each.record.seed}" for each in found] == chosen


@pytest.mark.parametrize("wanted", ["some", "0", "-3", "1.5", "runs/a"])
def test_what_chooses_no_episodes_is_one_line(many, wanted):
    with pytest.raises(BadChoice, match="write failed, all or a number"):
        report.write(many.path, wanted)
    assert not (many.path / report.NAME).exists()


def policy(text: str) -> str:
    found = text.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    return html.unescape(found)


@pytest.mark.wide
def test_a_real_run_has_its_failed_episodes_in_pictures(reader, finished):
    messages = []
    target = report.write(finished, "failed", messages.append)
    records = list(run_folder.episodes(finished))
    failed = [each for each in records if each.success is False]
    assert {each.site for each in failed} == {"store", "widgets", "crm"}
    assert messages == [f"replaying for pictures: {len(failed)} of 6 episodes"], (
        "and none has failed"
    )
    assert not (finished / pictures.FOLDER).exists(), "they are in the report itself"
    reader.open(target)
    assert len(reader.texts("#episodes .camera")) == len(failed)
    for each in failed:
        reader.open(
            target, f"#{run_folder.key(run_folder.home(finished, each).relative_to(finished))}"
        )
        frames = reader.ask("document.querySelectorAll('#steps li').length")
        strip = "[...document.querySelectorAll('#strip img')]"
        reader.do(reader.page.wait_for_function(f"{strip}.every((each) => each.complete)"))
        sizes = reader.ask(f"{strip}.map((each) => each.naturalWidth)")
        assert len(sizes) == frames
        assert {*sizes} <= {1278, 1280}, "a third of 1280 pixels is rounded by newer browsers"
        assert not reader.shown("#picture-note"), "the pages are those that were recorded"
    assert reader.troubles == [] and len(reader.requests) == 1 + len(set(reader.requests[1:]))
    assert all(each.startswith(("file:", "data:")) for each in reader.requests)
    assert "img-src data:;" in policy(target.read_text())


@pytest.fixture
def album(run: Written):
    """An episode of three looks with pictures of one pixel: the third stands behind a dialog."""
    home = run.add(record("react", 0))
    run.add(record("react", 1))
    folder = run.path / pictures.FOLDER / "react" / "buy_item-0" / "0"
    folder.mkdir(parents=True)
    paths = [folder / name for name in ("001.webp", "002.webp")]
    for path in paths:
        path.write_bytes(DOT)
    mark = Mark((100, 200, 300, 40), (250, 220))
    steps = (0, (mark,)), (1, (Mark((0, 0, 10, 10)),)), (None, ())
    return {home.relative_to(run.path): Album(tuple(paths), steps, "the replay stopped")}


def written(run, albums):
    target = run.path / report.NAME
    target.write_bytes(page.html(loading.read(run.path), albums))
    return target


KEY = "#react/buy_item-0/0"
SIDES = """['.picture', '.words'].map((part) =>
    document.querySelector(`#frame ${part}`).getBoundingClientRect().toJSON())"""
"""Where the picture and the words beside it stand."""


def test_the_step_view_shows_picture_and_text_with_the_target_marked(reader, run, album):
    reader.open(written(run, album), f"{KEY}?step=1")
    assert reader.text("h2:has(#agent)") == "react on store/buy_item/0 with pictures"
    assert reader.shown("#pictured")
    assert reader.text("#picture-note") == "These pictures are of a replay: the replay stopped."
    boxes = "[...document.querySelectorAll('#frame .outline')].map((each) => each.outerHTML)"
    (box,) = reader.ask(boxes)
    assert all(part in box for part in ('x="95"', 'y="195"', 'width="310"', 'height="50"'))
    assert reader.ask("document.querySelector('#frame .mouse').getAttribute('cx')") == "250"
    left, right = reader.ask(SIDES)
    assert left["right"] <= right["left"] and abs(left["top"] - right["top"]) < 2
    assert reader.shown("#frame .side .action") and reader.shown("#frame .words .call")
    strip = (
        "[...document.querySelectorAll('#strip button')].findIndex((each) => each.matches('.here'))"
    )
    assert reader.ask(strip) == 0
    reader.press("ArrowRight")
    assert reader.ask(strip) == 1 and not reader.ask("document.querySelector('#frame .mouse')")
    reader.do(reader.page.click("#strip button:nth-child(3)"))
    assert "A dialog was open" in reader.text("#frame figcaption")
    assert reader.ask("location.hash") == KEY, "it failed, so it opens at its last step"
    assert reader.troubles == []


@pytest.mark.wide
def test_a_picture_is_enlarged_by_key_and_by_mouse(reader, run, album):
    reader.open(written(run, album), f"{KEY}?step=1")
    reader.press("z")
    assert reader.shown("#large") and "1. click [Lamp]" in reader.text("#large figcaption")
    reader.press("ArrowRight")
    assert "2. click [Buy]" in reader.text("#large figcaption"), "steps go on while it is large"
    reader.press("Escape")
    assert not reader.shown("#large") and reader.shown("#episode"), "Escape closes it and no more"
    reader.do(reader.page.click("#frame .zoom"))
    assert reader.shown("#large")
    reader.press("z")
    assert not reader.shown("#large")
    reader.do(reader.page.focus("#frame .zoom"))
    reader.press("Enter")
    assert reader.shown("#large")
    reader.press("n")
    reader.do(reader.page.wait_for_selector("#large", state="hidden"))
    assert reader.ask("location.hash") == "#react/buy_item-1/0"
    assert not reader.shown("#strip") and not reader.shown("#enlarge-key"), "it has no pictures"
    reader.press("z")
    assert not reader.shown("#large")
    assert reader.troubles == []


def test_on_a_narrow_screen_the_text_is_below_the_picture(reader, run, album):
    reader.do(reader.page.set_viewport_size({"width": 390, "height": 800}))
    reader.open(written(run, album), KEY)
    above, below = reader.ask(SIDES)
    assert above["bottom"] <= below["top"]
    assert reader.ask("document.documentElement.scrollWidth") <= 390


def test_many_pictures_lie_beside_the_report(reader, run, album, monkeypatch):
    monkeypatch.setattr(pictures, "INSIDE", 50)
    target = written(run, album)
    assert "base64," not in target.read_text()
    assert "img-src 'self' file:;" in policy(target.read_text())
    reader.open(target, KEY)
    strip = "[...document.querySelectorAll('#strip img')]"
    reader.do(reader.page.wait_for_function(f"{strip}.every((each) => each.complete)"))
    assert reader.ask(f"{strip}.map((each) => each.naturalWidth)") == [1, 1, 1]
    found = {each.rpartition("/")[2] for each in reader.requests}
    assert {"001.webp", "002.webp"} <= found and reader.troubles == []


def test_an_agent_with_signs_in_its_name_finds_its_pictures(reader, run, monkeypatch):
    monkeypatch.setattr(pictures, "INSIDE", 0)
    home = run.add(record("react@exemplars=a/b#c?d%", 0))
    folder = run.path / pictures.FOLDER
    path = folder.joinpath(*home.relative_to(run.path).parts[1:]) / "001.webp"
    path.parent.mkdir(parents=True)
    path.write_bytes(DOT)
    target = written(run, {home.relative_to(run.path): Album((path,), ((0, ()),))})
    reader.open(target)
    reader.ask("document.querySelector('#episodes a').click()")
    reader.do(reader.page.wait_for_selector("#strip img"))
    reader.do(reader.page.wait_for_function("document.querySelector('#strip img').naturalWidth"))
    assert reader.troubles == []


def test_without_pictures_nothing_may_be_loaded(run, album):
    assert "img-src" not in written(run, {}).read_text()


def test_what_cannot_be_replayed_is_told_and_has_none(run):
    run.add(record("react", 0, source="/somewhere/mine.py"))
    messages = []
    target = report.write(run.path, "all", messages.append)
    assert len(messages) == 2 and "no pictures of react/buy_item-0/0: " in messages[1]
    assert "none is run because a record names it" in messages[1]
    assert '"pictures"' not in target.read_text()


@pytest.mark.wide
def test_pictures_of_other_pages_say_so(reader, tmp_path, finished):
    others = shutil.ignore_patterns("expert", "email-*", "TASK_*")
    copy = shutil.copytree(finished, tmp_path / "old", ignore=others)
    (failed,) = run_folder.episodes(copy)
    trace = run_folder.home(copy, failed) / "trace.jsonl"
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    [each for each in lines if each["kind"] == "observation"][1]["title"] = "of yesterday"
    trace.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    target = report.write(copy, "failed")
    reader.open(target, f"#{CARELESS}/buy_item-0/0")
    assert "they differ from what the agent saw, from step 2 on" in reader.text("#picture-note")


def test_a_report_without_pictures_removes_those_of_an_earlier_one(run, album):
    assert (run.path / pictures.FOLDER).exists()
    report.write(run.path)
    assert not (run.path / pictures.FOLDER).exists()
