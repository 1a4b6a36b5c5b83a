"""Recorded episodes are replayed on fresh worlds, and every page is as it was recorded."""

from __future__ import annotations

import json
import shutil
from collections import Counter

import pytest

from agent.interface import Click, Type
from evaluators.episode import replay
from evaluators.episode.approval import ALLOW, REFUSE, STOP
from evaluators.episode.replay import Recording
from evaluators.records import files, run_folder
from evaluators.records.files import CorruptRecord
from evaluators.records.own_families import FamilyNotNamed
from evaluators.records.trace_events import ActionEvent, parse_event, read_trace, trace_lines
from evaluators.report.pictures import Camera
from scenarios import registry
from tests.contracts.harness import RecordedEpisode
from tests.evaluators.records.example_records import episode
from tests.measuring import DEEP, unmeasured

RANDOM = "random" if DEEP else "random:actions=7"
LATS = "lats@scripted-0.5" if DEEP else "lats:samples=2,iterations=3,depth=3@scripted-0.3"
FURTHER = (
    ("step@scripted-0.5", "crm/TASK_UPDATE_PASSENGER_DETAILS/0"),
    (RANDOM, "widgets/book-flight/1"),
    ("laser@scripted-0.5", "store/buy_item/0"),
    ("synapse@scripted-0.5", "crm/TASK_FIND_FLIGHT/1"),
)
EPISODES = (
    (LATS, "store/buy_item/1" if DEEP else "store/buy_item/2"),
    ("anticipatory-reflection@scripted-0.3", "store/buy_item/0"),
    ("synapse@scripted-0.5", "widgets/email-inbox-nl-turk/1"),
    (RANDOM, "crm/TASK_BOOK_FLIGHT/2"),
    (RANDOM, "store/cheapest_in_list/1"),
    ("expert", "store/change_shipped_address/1"),
    ("cheat:restart", "widgets/click-button/1"),
    *(FURTHER if DEEP else ()),
)
PICTURED = (LATS, "synapse@scripted-0.5", "expert")
"""Whose pages are also taken pictures of."""


@pytest.fixture(scope="module")
def recorded(harness, tmp_path_factory):
    """Episodes by their agent and scenario, each run once."""
    made: dict[tuple[str, str], RecordedEpisode] = {}

    def get(agent: str, scenario: str) -> RecordedEpisode:
        if (agent, scenario) not in made:
            folder = tmp_path_factory.mktemp("run")
            made[agent, scenario] = harness.run(agent, scenario, folder)
        return made[agent, scenario]

    return get


@pytest.fixture
def replayed(harness):
    """What came of replaying an episode."""

    def run(home_or_recording, on_look=None):
        recording = home_or_recording
        if not isinstance(recording, Recording):
            recording = replay.load(recording)
        return harness.runner.run(replay.replay(recording, harness.environments, on_look))

    return run


@pytest.fixture
def copy(recorded, tmp_path):
    """A copy of an episode's folder, whose trace may be changed."""

    def make(agent, scenario):
        home = recorded(agent, scenario).home
        return shutil.copytree(home, tmp_path.joinpath(*home.parts[-4:]))

    return make


def rewrite(home, change):
    """Change the list of a trace's lines."""
    path = home / "trace.jsonl"
    lines = change([json.loads(line) for line in path.read_text().splitlines()])
    path.write_bytes(trace_lines(map(parse_event, lines)))


@pytest.mark.wide
@pytest.mark.parametrize(("agent", "scenario"), EPISODES)
@unmeasured()
def test_no_page_differs_on_the_same_version(replayed, recorded, agent, scenario):
    camera = Camera()
    pictured = agent in PICTURED
    made = replayed(recorded(agent, scenario).home, camera.take if pictured else None)
    assert made.is_same, made
    assert made.steps == made.seen > 1
    assert bool(camera.shots) == pictured
    assert all(shot.picture.data[8:12] == b"WEBP" for shot in camera.shots)
    acted = [shot for shot in camera.shots if "[" in getattr(shot.look.action, "target", "")]
    for shot in acted:
        assert shot.picture.marks, shot.look.action


@pytest.mark.wide
def test_these_episodes_have_all_that_a_trace_can_hold(recorded):
    found = Counter()
    for agent, scenario in EPISODES:
        for line in recorded(agent, scenario).trace:
            found[line.get("word", line["kind"])] += 1
            found["refused action"] += bool(line.get("error")) and line["kind"] == "observation"
    assert {"restore", "attempt", "refused action"} <= {*+found}, found


def test_a_target_is_marked_where_it_stands(harness, replayed):
    """Below the window, in the middle of a page: the picture is scrolled as the action would."""
    found = {}

    async def work(visit):
        lane = visit.lane
        seen = await visit.page.observe()
        box = next(each for each in seen.elements if each.role == "searchbox")
        seen = await visit.page.act(Type(box.id, "lamp", enter=True))
        last = seen.elements[-1]
        before = [each.to_json() for each in visit.trace.lines]
        found["picture"] = await lane.picture(Click(last.id))
        script = "JSON.stringify([scrollY, document.documentElement.outerHTML.length])"
        send = lane._tab.send
        reply = await send("Runtime.evaluate", expression=script, returnByValue=True)
        found["scrolled"], size = json.loads(reply["result"]["value"])
        found["same"] = (await visit.page.observe()) == seen and size > 0
        found["lines"] = before == [each.to_json() for each in visit.trace.lines]

    harness.visit("store/buy_item/3", work)
    ((mark,), scrolled) = found["picture"].marks, found["scrolled"]
    x, y, width, height = mark.box
    assert scrolled > 0 and 0 <= x < 1280 and 0 <= y < 720 and width > 5 and height > 5
    assert x <= mark.at[0] <= x + width and y <= mark.at[1] <= y + height
    assert found["same"] and found["lines"], "a picture is no look, and draws nothing on the page"


def test_a_small_page_is_enlarged(harness):
    async def work(visit):
        seen = await visit.page.observe()
        picture = await visit.lane.picture(Click(seen.elements[-1].id))
        place = await visit.lane._tab.ask("outline", seen.elements[-1].id)
        same = await visit.page.observe() == seen
        return picture, place["box"], same

    picture, box, same = harness.visit("widgets/click-button/1", work)
    assert same and picture.marks[0].box == tuple(3 * each for each in box)


def test_a_page_that_was_another_is_told_with_its_step(replayed, copy):
    home = copy(RANDOM, "store/cheapest_in_list/1")

    def change(lines):
        looks = [line for line in lines if line["kind"] == "observation"]
        looks[2]["title"] = "The old title"
        looks[2]["text"] += "\nbutton 'Of yesterday'"
        return lines

    rewrite(home, change)
    made = replayed(home)
    assert not made.is_same and made.seen == made.steps, "it goes on where a page differs"
    (only,) = made.differences
    assert only.step == 3
    assert "- title: The old title" in only.lines and "- button 'Of yesterday'" in only.lines
    assert any(line.startswith("+ title: ") for line in only.lines)
    events, _ = read_trace(home / "trace.jsonl")
    action = [each for each in events if isinstance(each, ActionEvent)]
    assert only.after.startswith(action[1].action)


@pytest.mark.wide
def test_a_long_difference_is_cut(replayed, copy):
    home = copy("expert", "store/change_shipped_address/1")

    def change(lines):
        next(line for line in lines if line["kind"] == "observation")["text"] = "x\n" * 100
        return lines

    rewrite(home, change)
    (only,) = replayed(home).differences
    assert len(only.lines) == replay.LONGEST and only.more > 80


def test_a_world_that_was_left_otherwise_is_told(replayed, copy):
    home = copy("expert", "store/change_shipped_address/1")
    world = files.load(home / "final_world.json")
    name = next(name for name, rows in world.items() if rows and not name.startswith("log_"))
    world[name].pop()
    files.save(home / "final_world.json", world)
    made = replayed(home)
    assert made.differences == [] and made.rows == (name,) and not made.is_same


def test_an_action_that_nobody_saw_the_end_of_is_not_done(replayed, copy):
    """As where the page hung, or the time was over."""
    home = copy(RANDOM, "store/cheapest_in_list/1")

    def change(lines):
        acted = [at for at, line in enumerate(lines) if line["kind"] == "action"]
        return lines[: acted[2] + 1]

    rewrite(home, change)
    recording = replay.load(home)
    assert recording.looks[-1].action is not None and recording.world is None
    made = replayed(recording)
    assert made.is_same and made.steps == 3


@pytest.mark.wide
def test_a_checkpoint_of_an_earlier_version_is_found_by_its_page(replayed, copy):
    home = copy(*EPISODES[0])

    def change(lines):
        return [{name: value for name, value in line.items() if name != "look"} for line in lines]

    rewrite(home, change)
    made = replayed(home)
    assert made.is_same, made


def test_a_restore_of_nothing_stops_the_replay(replayed, copy):
    home = copy(*EPISODES[0])

    def change(lines):
        for line in lines:
            if line.get("word") == "restore":
                line["look"] = 999
        return lines

    rewrite(home, change)
    made = replayed(home)
    assert "which checkpoint" in made.stopped and 0 < made.seen < made.steps and not made.is_same


@pytest.mark.wide
@pytest.mark.parametrize("decision", [REFUSE, STOP])
def test_what_a_person_refused_or_stopped(harness, replayed, tmp_path, decision):
    asked = []

    def policy(commitment):
        asked.append(commitment)
        return decision if len(asked) == 1 else ALLOW

    made = harness.run("expert", "store/buy_item/3", tmp_path, approve=policy)
    assert asked and any(line.get("word") == "confirm" for line in made.trace)
    assert replayed(made.home).is_same


@pytest.mark.wide
def test_an_id_of_a_look_at_the_window_alone(harness, replayed):
    """The trace has no line of that look, but the target's name."""
    found = {}

    async def work(visit):
        seen = await visit.page.observe()
        box = next(each for each in seen.elements if each.role == "searchbox")
        seen = await visit.page.act(Type(box.id, "lamp", enter=True))
        await visit.page.act(Click(seen.elements[-3].id))
        await visit.page.act(Type("//body", "", enter=False))
        await visit.lane._tab.send("Runtime.evaluate", expression="scrollTo(0, 1e5)")
        part = await visit.page.observe(view="viewport")
        await visit.page.act(Click(part.elements[-1].id))
        found["trace"], found["parts"] = list(visit.trace.lines), part.elements

    harness.visit("store/buy_item/3", work)
    looks = replay.looks(found["trace"])
    assert looks[-1].cause.target
    record = episode(scenario="store/buy_item/3", site="store", family="buy_item", seed=3)
    recording = Recording(record, registry.scenario("store/buy_item/3"), looks, None)
    assert replayed(recording).is_same


def test_what_has_no_pages_is_refused(copy):
    home = copy("expert", "store/change_shipped_address/1")
    rewrite(home, lambda lines: [line for line in lines if line["kind"] == "end"])
    with pytest.raises(replay.NotReplayable, match="before its page was seen"):
        replay.load(home)


def test_a_trace_that_cannot_be_read_is_refused(copy):
    home = copy("expert", "store/change_shipped_address/1")
    with (home / "trace.jsonl").open("a") as out:
        out.write("{}\n")
    with pytest.raises(CorruptRecord, match="line"):
        replay.load(home)


def test_an_action_that_cannot_be_read_stops_the_replay(replayed, copy):
    home = copy(RANDOM, "store/cheapest_in_list/1")

    def change(lines):
        acted = [line for line in lines if line["kind"] == "action"]
        acted[1]["action"] = "fly [away]"
        return lines

    rewrite(home, change)
    made = replayed(home, Camera().take)
    assert "cannot be read" in made.stopped and made.seen == 2


def test_a_family_of_ones_own_is_run_only_where_its_file_is_named(copy):
    home = copy("expert", "store/change_shipped_address/1")
    record = run_folder.load_episode(home)
    files.save(home / "episode.json", {**record.to_json(), "source": "/somewhere/mine.py"})
    with pytest.raises(FamilyNotNamed, match="--family FILE"):
        replay.load(home)


def test_what_has_changed_since_is_named(copy):
    home = copy("expert", "store/change_shipped_address/1")
    assert replay.load(home).changed == ()
    record = run_folder.load_episode(home)
    hashes = {**record.hashes, "site": "of another version"}
    files.save(home / "episode.json", {**record.to_json(), "hashes": hashes})
    assert replay.load(home).changed == ("site",)
