"""Exemplar files: what is read, and what is refused with file and place."""

from __future__ import annotations

import re

import pytest

from agent.methods.synapse.exemplar_files import NOTHING, BadExemplar, Exemplar, Round, load, tasks
from agent.plugins import UnknownName
from tests.each import for_each

ROUND = (
    """[[exemplar.round]]
state = "<p>a</p>\\n<b>x</b>"
observation = "<b>x</b>"
actions = """
    "'''\nagent.press('enter')'''\n"
)
ONE = f"""[[exemplar]]
instruction = "Press it"
{ROUND}"""
CODED = ONE.replace("[[exemplar.round]]", "program = '''\nobs = state\n'''\n[[exemplar.round]]", 1)
OTHER = CODED.replace("obs = state", "obs = 'x'")
GOOD = f'abstraction = "implicit"\n{CODED}{ROUND}{OTHER}'


@pytest.fixture
def read(tmp_path):
    """`read(text)`: the exemplars of a file with this text."""

    def made(text: str | bytes):
        path = tmp_path / "widgets" / "click-test.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        load.cache_clear()
        return load("widgets", "click-test", tmp_path)

    yield made
    load.cache_clear()


def test_a_file_is_read(read, tmp_path):
    found = read(GOOD)
    turn = Round("<p>a</p>\n<b>x</b>", "<b>x</b>", "agent.press('enter')")
    assert (found.task, found.abstraction) == ("click-test", "implicit")
    assert found.exemplars == (
        Exemplar("Press it", (turn, turn), "obs = state"),
        Exemplar("Press it", (turn,), "obs = 'x'"),
    )
    assert turn.shown == "<b>x</b>"
    assert tasks("widgets", tmp_path) == ["click-test"]
    assert tasks("store", tmp_path) == []


def test_without_abstraction_the_states_are_shown(read):
    raw = read(GOOD).raw
    assert (raw.abstraction, raw.task) == ("none", "click-test")
    assert [each.program for each in raw.exemplars] == ["", ""]
    assert [turn.shown for each in raw.exemplars for turn in each.rounds] == [
        "<p>a</p>\n<b>x</b>"
    ] * 3
    assert NOTHING.raw == NOTHING


def test_a_file_without_abstraction_needs_no_observations(read):
    found = read(f'abstraction = "none"\n{ONE}'.replace('observation = "<b>x</b>"\n', ""))
    [each] = found.exemplars
    assert each.rounds[0].observation == "" and each.rounds[0].shown.startswith("<p>")


PLAIN = f'abstraction = "explicit"\n{ONE}'


@for_each(
    ("text", "message"),
    [
        ("abstraction = ", "Invalid value"),
        (b"abstraction = '\xff'", "codec can't decode byte 0xff"),
        ("", ": abstraction is no text; write one"),
        ("abstraction = 3", ": abstraction is no text"),
        ('abstraction = "some"', ": abstraction is 'some'; write explicit, implicit, ranked"),
        (f'abstraction = "implicit"\n{ONE}', ": exemplar 1: program is no text; write one"),
        ('abstraction = "explicit"', " has no exemplar; write each as a table"),
        (PLAIN + "[[exemplar]]\ninstruction = 'x'", ": exemplar 2 has no round"),
        (PLAIN.replace("instruction", "task"), ": exemplar 1: instruction is no text"),
        (PLAIN.replace("state", "page"), ": exemplar 1, round 1: state is no text"),
        (PLAIN + ROUND.replace("actions", "act"), ": exemplar 1, round 2: actions is no text"),
        (PLAIN.replace('<b>x</b>"\nact', ' "\nact'), ": exemplar 1, round 1: observation is no"),
        ('exemplar = 3\nabstraction = "none"', " has no exemplar"),
        ('exemplar = ["x"]\nabstraction = "none"', " has no exemplar"),
        (
            'abstraction = "none"\n[[exemplar]]\ninstruction = "x"\nround = "x"',
            ": exemplar 1 has no round",
        ),
    ],
)
def test_a_bad_file_is_named_with_the_place(read, tmp_path, text, message):
    path = tmp_path / "widgets" / "click-test.toml"
    with pytest.raises(BadExemplar, match=re.escape(str(path))) as refused:
        read(text)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_task_without_a_file_is_unknown_with_the_nearest(read, tmp_path):
    read(GOOD)
    with pytest.raises(UnknownName, match="'click-tset'; did you mean click-test"):
        load("widgets", "click-tset", tmp_path)
