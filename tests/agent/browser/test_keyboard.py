"""The keys, as a page sees them."""

from __future__ import annotations

import json

import pytest

from agent.browser import keyboard
from agent.browser.keyboard import UnknownKey
from agent.interface import Click, KeyboardType, Press

LISTENER = """<title>keys</title><textarea id=t aria-label=t></textarea><p id=p></p><script>
const seen = [];
for (const type of ["keydown", "keypress", "keyup"]) t.addEventListener(type, (e) => {
  const held = ["ctrlKey", "shiftKey", "altKey", "metaKey"].filter((name) => e[name]);
  seen.push([type, e.key, e.code, e.keyCode, e.location, held.join(), e.isTrusted]);
  if (t.dataset.stop) e.preventDefault();
  p.textContent = JSON.stringify(seen);
});
</script>"""


@pytest.fixture
def pressed(visit):
    """`pressed(*keys)`: the events of the keys, pressed one after the other."""

    def press(*keys):
        visit.show(LISTENER.replace("id=t", "id=t data-stop=1"))
        seen = visit.act(Click("t"), *(Press(each) for each in keys))
        assert seen.error is None
        return json.loads(seen.text[seen.text.index("[[") :])

    return press


@pytest.mark.parametrize(
    ("keys", "down"),
    [
        ("a", ["a", "KeyA", 65, 0, ""]),
        ("A", ["A", "KeyA", 65, 0, ""]),
        ("Shift+a", ["A", "KeyA", 65, 0, "shiftKey"]),
        ("Shift+1", ["!", "Digit1", 49, 0, "shiftKey"]),
        ("KeyA", ["a", "KeyA", 65, 0, ""]),
        ("?", ["?", "Slash", 191, 0, ""]),
        ("+", ["+", "Equal", 187, 0, ""]),
        ("Control++", ["+", "Equal", 187, 0, "ctrlKey"]),
        ("Control+a", ["a", "KeyA", 65, 0, "ctrlKey"]),
        ("Control+Shift+Alt+a", ["A", "KeyA", 65, 0, "ctrlKey,shiftKey,altKey"]),
        ("Enter", ["Enter", "Enter", 13, 0, ""]),
        ("Space", [" ", "Space", 32, 0, ""]),
        ("Escape", ["Escape", "Escape", 27, 0, ""]),
        ("F12", ["F12", "F12", 123, 0, ""]),
        ("ArrowLeft", ["ArrowLeft", "ArrowLeft", 37, 0, ""]),
        ("PageDown", ["PageDown", "PageDown", 34, 0, ""]),
        ("Delete", ["Delete", "Delete", 46, 0, ""]),
        ("NumpadAdd", ["+", "NumpadAdd", 107, 3, ""]),
    ],
)
def test_a_key_is_what_a_keyboard_sends(keys, down, pressed):
    events = pressed(keys)
    at = next(n for n, each in enumerate(events) if each[:2] == ["keydown", down[0]])
    assert events[at] == ["keydown", *down, True]
    assert events[at + 1][0] == "keyup" and events[at + 1][1:3] == down[:2]
    modifiers = [each[1] for each in events if each[1] in keyboard.MODIFIERS]
    held = [name for name in keys.split("+")[:-1] if name]
    assert modifiers == held + held[::-1]
    assert all(event[-1] for event in events)


def test_every_key_of_the_keyboard_types_its_character(visit):
    visit.show(LISTENER)
    signs = "".join(map(chr, range(32, 127)))
    seen = visit.act(Click("t"), *(KeyboardType(signs[at : at + 19]) for at in range(0, 95, 19)))
    assert seen.elements[0].value == signs
    events = json.loads(seen.text[seen.text.index("[[") :])
    assert [each[1] for each in events if each[0] == "keypress"] == list(signs)


def test_a_character_that_no_key_has_is_inserted(visit):
    visit.show(LISTENER)
    assert visit.act(Click("t"), KeyboardType("aü漢😀")).elements[0].value == "aü漢😀"
    assert [keyboard.can_type(each) for each in "aü"] == [True, False]


@pytest.mark.parametrize("keys", ["NoSuchKey", "aa", "Control+nothing", "Nothing+a", "enter", "ü"])
def test_what_is_no_key(keys):
    with pytest.raises(UnknownKey):
        list(keyboard.press(keys))
