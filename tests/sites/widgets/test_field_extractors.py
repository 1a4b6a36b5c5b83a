"""The package miniwob reads fields from instructions by patterns of its own: ours fit them."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from scenarios import registry

PAGES = sorted(registry.site_data("widgets").pages)
SEEDS = 20
MODES = ("train", "test")
WITHOUT_EXTRACTOR = {"button-delay", "hover-shape"}
"""Pages that the package has, and reads no fields of."""
OWN_WORDS = {"email-inbox-forward-nl", "email-inbox-forward-nl-turk", "email-inbox-nl-turk"}
"""Their extractor gives no fields, for the page tells them."""
ALWAYS = {
    "click-collapsible": "Expand the section below and click submit.",
    "click-collapsible-nodelay": "Expand the section below and click submit.",
    "click-dialog": 'Close the dialog box by clicking the "x".',
    "click-test": "Click the button.",
    "click-test-2": "Click button ONE.",
    "copy-paste": (
        "Copy the text in the textarea below, paste it into the textbox and press Submit."
    ),
    "focus-text": "Focus into the textbox.",
    "guess-number": (
        "Guess the number between 0-9 and press Submit. "
        "Use the feedback below to find the right number."
    ),
    "identify-shape": "Click the button that best describes the figure below.",
    "simple-algebra": "Solve for x and type your answer into the textbox. Press Submit when done.",
    "simple-arithmetic": (
        "Solve the math problem and type your answer into the textbox. Press submit when done."
    ),
    "text-transform": "Type the text below into the text field and press Submit.",
    "tic-tac-toe": "Playing as 'X', win a game of tic-tac-toe.",
}
"""What the originals say, which drivers compare with."""
UTTERANCES = """{modes}.flatMap((mode) => Array.from({{ length: {seeds} }}, (_, seed) => {{
    core.endEpisode(0); Math.seedrandom(seed); core.setDataMode(mode); core.startEpisodeReal();
    return core.getUtterance();
}}))"""


@pytest.fixture
def utterances(visit):
    """`utterances(page)`: what drivers are told, over seeds and modes."""
    script = UTTERANCES.format(modes=list(MODES), seeds=SEEDS)
    return lambda name: visit(f"widgets/{name}/1", lambda page: page.js(script))


def text_of(utterance: Any) -> str:
    return utterance if isinstance(utterance, str) else utterance["utterance"]


@pytest.mark.wide
@pytest.mark.parametrize("name", ALWAYS)
def test_an_instruction_that_is_always_the_same_is_the_originals(utterances, name):
    assert {text_of(each) for each in utterances(name)} == {ALWAYS[name]}


@pytest.mark.parametrize("name", PAGES if find_spec("miniwob") else PAGES[:1])
def test_the_package_miniwob_reads_the_fields_of_our_instructions(utterances, name):
    fields = pytest.importorskip(
        "miniwob.fields", reason="miniwob is not installed: pip install miniwob"
    )
    if name in WITHOUT_EXTRACTOR:
        assert name not in fields.FIELD_EXTRACTORS
        return
    extract = fields.get_field_extractor(name)
    for utterance in utterances(name):
        read = dict(extract(text_of(utterance)))  # raises where it cannot
        assert all(read.values()), (utterance, read)
        if name in OWN_WORDS:
            assert read == {} and {"task", "by"} <= utterance["fields"].keys()
        elif not isinstance(utterance, str):
            assert read == utterance["fields"]
