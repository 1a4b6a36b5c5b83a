"""`rehearse exemplars from-mind2web`: recorded tasks become exemplars for living pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent import prompting
from agent.interface import Element, Text
from agent.methods.synapse import exemplar_files, memory
from agent.mind2web import files
from agent.mind2web.task import Candidate, Step
from agent.plugins import UnknownName
from evaluators.commands.exemplars import from_mind2web
from evaluators.commands.exemplars.build import BadExemplarFolder
from evaluators.commands.exemplars.from_mind2web import NotShown, exemplar, page
from evaluators.mind2web.build import building, splits
from tests import mind2web_data

pytestmark = pytest.mark.usefixtures("unmeasured")
XML = (
    '<html backend_node_id="1"><h1 backend_node_id="2"><text backend_node_id="3">Tea</text></h1>'
    '<div backend_node_id="4"><a backend_node_id="5"><text backend_node_id="6">Buy</text></a></div>'
    '<input backend_node_id="7" type="search" placeholder="Find" input_value="oolong"/>'
    '<select backend_node_id="8" name="size"><option backend_node_id="9">'
    '<text backend_node_id="10">Large</text></option></select></html>'
)
LINK = Step("u", "CLICK", "CLICK", "", "[link]  Buy -> CLICK", XML, "5", "", [], [])
RIGHT = [Candidate("5", "a", {})]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own") / "data"
    building.build(splits.of(["buy_item"], [], "3000:3003", "train"), folder, [].append)
    return folder


def test_a_page_has_the_elements_and_the_texts_of_the_recorded_page():
    seen, number = page(replace(LINK, positives=RIGHT), "shop")
    assert seen.content == (
        Text("Tea"),
        Element(1, "link", "Buy", tag="a"),
        Element(2, "searchbox", "Find", value="oolong", tag="input"),
        Element(3, "combobox", "size", value="", tag="select", options=("Large",)),
    )
    assert (seen.title, number) == ("shop", 1)


def test_the_right_element_is_one_whatever_its_tag_is():
    seen, number = page(replace(LINK, positives=[Candidate("4", "div", {})]), "shop")
    assert seen.elements[number - 1] == Element(1, "generic", "Buy", tag="div")


def test_a_step_without_a_right_element_is_refused():
    with pytest.raises(NotShown, match="no right element"):
        page(LINK, "shop")
    with pytest.raises(NotShown, match="does not have"):
        page(replace(LINK, positives=[Candidate("99", "a", {})]), "shop")


def test_typing_and_enter_are_one_action(data):
    task = next(iter(files.tasks(data, "train")))
    made = exemplar(task, prompting.load("synapse", "store"))
    assert len(made.rounds) == len(task.steps) - 1
    assert made.rounds[0].actions.endswith("[press_enter_after=1]")
    assert [each.actions.partition(" ")[0] for each in made.rounds[1:]] == ["CLICK"] * (
        len(made.rounds) - 1
    )


def test_an_operation_that_the_prompts_lack_is_refused(data):
    task = next(iter(files.tasks(data, "train")))
    chosen = replace(task.steps[0], op="SELECT", original_op="SELECT", value="x")
    with pytest.raises(NotShown, match="offer no select"):
        exemplar(replace(task, steps=[chosen]), prompting.load("synapse", "store"))


def test_the_made_up_tasks_of_the_published_format_are_read(tmp_path):
    folder, lines = mind2web_data.write(tmp_path / "data"), []
    from_mind2web.build(folder, "test_task", "forum", tmp_path / "out", "hashed", lines.append)
    assert "forum/keys.jsonl" in lines
    assert any(line.startswith("left out: ") for line in lines)
    assert exemplar_files.all_of("forum", tmp_path / "out")


def test_an_agent_plays_with_them(data, quick_harness, tmp_path):
    from_mind2web.build(data, "train", "store", tmp_path / "out", "hashed", [].append)
    assert {each.task for each in memory.load(tmp_path / "out/store/keys.jsonl").keys} == {"store"}
    agent = f"synapse:exemplars={tmp_path / 'out'}"
    record = quick_harness.run(agent, "store/buy_item/0", tmp_path / "run", strict=True).record
    assert record["success"] is True
    own = quick_harness.run("synapse", "store/buy_item/0", tmp_path / "own", strict=True).record
    assert own["hashes"]["memory"] != record["hashes"]["memory"]


def test_a_site_must_be_known_and_take_single_actions(data, tmp_path):
    with pytest.raises(UnknownName):
        from_mind2web.build(data, "train", "nothing", tmp_path, "hashed", [].append)
    with pytest.raises(BadExemplarFolder, match="programs"):
        from_mind2web.build(data, "train", "widgets", tmp_path, "hashed", [].append)
