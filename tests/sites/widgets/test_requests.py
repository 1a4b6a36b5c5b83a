"""What people ask for with mail: sentences of one reading each, however they are typed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from rapidfuzz.distance import OSA

from scenarios.widgets._requests import Request, understood
from tests.each import for_each

PAGE = "widgets/email-inbox-nl-turk/1"
DOINGS = {"reply": ("by", "text"), "forward": ("by", "to"), "trash": ("by",), "star": ("by",)}
MODES = ("train", "test")
LEAST = {"train": 40, "test": 12}
DRAWS = 800
WRITTEN = """Array.from({{ length: {draws} }}, () => {{
    const [by, to] = core.several(words.NAMES, 2), text = words.text(core.randi(3, 6));
    return [{writer}({doing!r}, {mode!r}, {{ by, to, text }}), {{ by, to, text }}];
}})"""


@pytest.fixture
def in_page(visit):
    """`in_page(script)`: what it gives on the page."""
    return lambda script: visit(PAGE, lambda page: page.js(script))


@pytest.fixture(scope="module")
def drawn() -> dict[tuple[str, str], Any]:
    """What was drawn before."""
    return {}


@pytest.fixture
def written(in_page, drawn):
    """`written(doing, mode)`: many that people wrote, each with its names and text."""

    def draw(doing: str, mode: str) -> Any:
        if (doing, mode) not in drawn:
            script = WRITTEN.format(draws=DRAWS, writer="crowd.write", doing=doing, mode=mode)
            drawn[doing, mode] = in_page(script)
        return drawn[doing, mode]

    return draw


def asked(doing: str, parts: dict[str, str]) -> Request:
    return Request(
        parts["by"], doing, {"reply": parts["text"], "forward": parts["to"]}.get(doing, "")
    )


# The sentences ------------------------------------------------------------------------------------


def test_there_are_enough_of_them_and_none_is_trained_on_and_tested(in_page):
    sentences, plain = in_page("[crowd.SENTENCES, requests.FORWARD]")
    before, after = in_page("[crowd.BEFORE, crowd.AFTER]")
    assert set(sentences) == set(DOINGS)
    for doing, sets in sentences.items():
        for mode in MODES:
            assert len(sets[mode]) >= LEAST[mode]
            for sentence in sets[mode]:
                slots = sorted(re.findall(r"\{(\w+)\}", sentence))
                assert slots == sorted(DOINGS[doing]), sentence
    assert len(plain["train"]) == 30
    for sets in (*sentences.values(), plain, before, after):
        bare = [re.sub(r"\W", "", each.lower()) for mode in MODES for each in sets[mode]]
        assert len(set(bare)) == len(bare), "a sentence stands twice"


@pytest.mark.parametrize("mode", MODES)
def test_plain_requests_are_understood(in_page, mode):
    script = WRITTEN.format(draws=200, writer="requests.write", doing="forward", mode=mode)
    for sentence, parts in in_page(script):
        assert understood(sentence) == asked("forward", parts), sentence


UTTERANCES = """Array.from({{ length: 40 }}, (_, seed) => {{
    core.endEpisode(0); Math.seedrandom(seed); core.setDataMode("{mode}");
    core.startEpisodeReal();
    return core.getUtterance();
}})"""


@pytest.mark.parametrize("mode", MODES)
def test_drivers_are_told_the_fields_by_the_originals_names(in_page, mode):
    names = {"reply": "reply", "forward": "forward", "trash": "delete", "star": "star"}
    replies = in_page(UTTERANCES.format(mode=mode))
    for reply in replies:
        request = understood(reply["utterance"])
        more = {"reply": {"message": request.text}, "forward": {"to": request.text}}
        expected = {"task": names[request.doing], "by": request.sender}
        assert reply["fields"] == expected | more.get(request.doing, {})
    assert {reply["fields"]["task"] for reply in replies} == set(names.values())


@for_each(
    ("sentence", "sender", "receiver"),
    [
        ("Send Anne-Marie the email from Charita.", "Charita", "Anne-Marie"),
        ("Yevette wants his or her message to be sent to Arlyne.", "Yevette", "Arlyne"),
        ("Arlyne wants the email Anne-Marie sent to you.", "Anne-Marie", "Arlyne"),
    ],
)
def test_of_two_people_the_writer_is_the_sender(sentence, sender, receiver):
    assert understood(sentence) == Request(sender, "forward", receiver)


# As people type them ------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("doing", DOINGS)
def test_each_is_understood_and_keeps_its_names_and_its_text(written, doing, mode):
    for sentence, parts in written(doing, mode):
        assert understood(sentence) == asked(doing, parts), sentence
        for slot in DOINGS[doing]:
            found = rf"(?<!\w){re.escape(parts[slot])}" + (r"\b" if slot != "text" else "")
            assert len(re.findall(found, sentence)) == 1, sentence
        assert sentence.count('"') == 2 * (doing == "reply") and "{" not in sentence


@pytest.mark.wide
def test_only_words_that_carry_nothing_have_slips(in_page, written):
    """They are as near to one of those as a swap, a doubled or a missing letter inside it."""
    known, harmless = _vocabulary(in_page)
    slips = []
    for doing in DOINGS:
        for mode in MODES:
            for sentence, parts in written(doing, mode):
                bare = _without(sentence, parts)
                slips += [word for word in _words(bare) if word not in known]
    assert len(set(slips)) > 40
    for slip in set(slips):
        [meant] = {word for word in harmless if OSA.distance(slip, word) == 1}
        assert (slip[0], slip[-1]) == (meant[0], meant[-1]), slip


@pytest.mark.wide
def test_most_are_typed_with_care_and_some_are_not(in_page, written):
    known, _ = _vocabulary(in_page)
    drawn = [each for doing in DOINGS for each in written(doing, "train")]
    lower = [sentence[0].islower() for sentence, _ in drawn]
    bare = [sentence[-1] not in '.?!"' for sentence, _ in drawn]
    slips = [not known.issuperset(_words(_without(*each))) for each in drawn]
    for seen, least, most in ((lower, 0.07, 0.2), (bare, 0.12, 0.3), (slips, 0.04, 0.15)):
        assert least < sum(seen) / len(seen) < most
    lengths = [len(_without(*each).split()) for each in drawn]
    assert 7 < sum(lengths) / len(lengths) < 14


HIDDEN = """(() => {{
    const longest = (texts, count) => texts.toSorted((a, b) => b.length - a.length).slice(0, count);
    const text = longest(words.LATIN, 5).join(" "), [by, to] = longest(words.NAMES, 2);
    const sentences = Array.from({{ length: {draws} }}, () =>
        crowd.write({doing!r}, {mode!r}, {{ by, to, text: `${{text}}.` }}));
    return longest(sentences, 200).filter((each) => {{
        query.textContent = each;
        return query.scrollHeight > query.clientHeight;
    }});
}})()"""


@pytest.mark.parametrize("doing", DOINGS)
def test_the_longest_are_shown_whole(in_page, doing):
    for mode in MODES:
        assert in_page(HIDDEN.format(draws=DRAWS, doing=doing, mode=mode)) == []


def _vocabulary(in_page: Any) -> tuple[set[str], list[str]]:
    """The words of all sentences with their short forms, and those that may be misspelt."""
    texts, short, harmless = in_page(
        "(({ SENTENCES, BEFORE, AFTER, SHORT, HARMLESS }) =>"
        " [JSON.stringify([SENTENCES, BEFORE, AFTER]), SHORT, HARMLESS])(crowd)"
    )
    known = {*_words(texts.replace("\\n", " ")), *(each.lower() for each in short.values())}
    return known | {each.replace("'", "") for each in known}, harmless


def _without(sentence: str, parts: dict[str, str]) -> str:
    for part in parts.values():
        sentence = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)('s)?", " ", sentence)
    return sentence


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", re.sub(r"\{\w+\}('s)?", " ", text).lower())
