"""Outer HTML, as the scripted model reads it."""

from __future__ import annotations

from agent import renderings
from agent.llm.simulated import markup
from agent.methods.synapse import exemplar_files
from tests.each import for_each

STATE = renderings.get("state")
ROUNDS = [
    (f"{task}-{number}-{at}", turn)
    for task in exemplar_files.tasks("widgets")
    for number, exemplar in enumerate(exemplar_files.load("widgets", task).exemplars)
    for at, turn in enumerate(exemplar.rounds)
    if turn.source
]


@for_each(("name", "turn"), ROUNDS)
def test_the_source_of_a_state_reads_as_the_state(name, turn):
    seen, read = STATE.parse(turn.state), markup.parse(turn.source)
    assert markup.is_markup(turn.source) and not markup.is_markup(turn.state)
    assert read.elements == seen.elements
    assert {*seen.text.split()} <= {*read.text.split()}  # labels are read twice


def test_what_is_hidden_is_not_read():
    page = (
        '<div><p hidden>a</p><p style="display: none">b</p><p>c<br></p>'
        '<div hidden><button data-id="9">x</button></div><b>d</b></div>'
    )
    assert markup.parse(page).text == "c\nd" and not markup.parse(page).elements


def test_a_container_is_not_named_by_what_it_holds():
    page = (
        '<div><div data-id="1" data-name="" role="generic">one <button data-id="2">two</button>'
        "</div></div>"
    )
    seen = markup.parse(page)
    assert [each.name for each in seen.elements] == ["", "two"] and seen.text == "\none\ntwo"


def test_what_an_element_holds_is_deeper_and_blanks_between_tags_are_nothing():
    """A mail of the original pages, which stands on its own line in a task area."""
    page = """<div id="wrap">
  <div id="area"><div data-id="1" data-name="" role="generic"><div>Ann</div>
    <span data-id="2" role="button" data-name="trash"></span></div></div>
</div>"""
    assert markup.is_markup(page)
    assert [each.depth for each in markup.parse(page).content] == [0, 1, 1]


@for_each("state", ['<input data-id="1">\n<button data-id="2">Go</button>', "<b>a</b>\n<b>c</b>"])
def test_a_state_of_lines_is_no_outer_html(state):
    assert not markup.is_markup(state)


def test_options_stand_apart():
    page = (
        '<div><select data-id="1" data-name="Size" value="M"><option>S</option>'
        "<option>M</option></select></div>"
    )
    [size] = markup.parse(page).elements
    assert (size.role, size.name, size.value, size.options) == ("combobox", "Size", "M", ("S", "M"))
