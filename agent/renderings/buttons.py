"""WebShop's rich text: `[button] Buy Now [button_]`, and plain lines for text.

Options of a group are indented by two blanks. `[clicked button]` marks a chosen option or a visited
link. At the top of an item's page, WebShop lists the options that were clicked.

WebShop shows no fields. Here a search field is `[search bar 'its text'] Name [search bar_]`,
another field is `[field 'its text'] Name [field_]`, and a select is `[choice 'red' of 'red',
'blue'] Name [choice_]`. A text or name that could be mistaken for syntax is quoted.

The format has no ids: elements are named by their text, and parsed ids count from 1 in order of
appearance. Links and buttons look alike, so every such role is parsed as "button", and every kind
of option as "radio". In addition the format shows names, values of fields, options of selects, and
`checked` (of an option) or `visited` (of a button).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from agent.interface import Element, Observation, Text
from agent.renderings import _header, without_instruction
from agent.renderings.quoting import QUOTED, UNPRINTABLE, matched, quote, unlisted, unquote

_OPTION_ROLES = frozenset(
    ("radio", "checkbox", "option", "switch", "menuitemradio", "menuitemcheckbox")
)
_FIELD_ROLES = frozenset(("textbox", "combobox", "listbox", "spinbutton", "slider"))
_ROLES = {"search bar": "searchbox", "field": "textbox", "choice": "combobox", "button": "button"}
_OF_ITEM = "Buy Now"
_CLICKED = frozenset(("checked", "pressed", "selected", "visited"))

_WORDS = "button|search bar|field|choice"
_LINE = re.compile(
    rf"(  )?\[(clicked )?({_WORDS})(?: ({QUOTED}))?(?: of ({QUOTED}(?:, {QUOTED})*))?\] "
    r"(?:(.*) )?\[(?:\2)?\3_\]"
)
_UNSAFE = re.compile(
    rf"^$|^[\s'\"]|\s$|\[(?:clicked )?(?:{_WORDS})\b|(?:{_WORDS})_\]|[{UNPRINTABLE}]"
)
_QUOTED = re.compile(QUOTED)


def render(observation: Observation) -> str:
    return _header.compose(observation, map(_line, observation.content), _repeated(observation))


def _repeated(observation: Observation) -> list[str]:
    """Return the names of the chosen options, which WebShop repeats at the top of an item's page;
    [] for other pages.

    On other pages options may have been chosen beforehand.
    """
    if not any(node.name == _OF_ITEM for node in observation.elements):
        return []
    options = (node for node in observation.elements if node.role in _OPTION_ROLES)
    return [_plain(node.name) for node in options if _is_clicked(node)]


def without_frame(observation: Observation, instruction: str) -> Observation:
    """Return the page as WebShop's text shows it, without address, title and instruction."""
    return replace(without_instruction(observation, instruction), url="", title="")


def _line(node: Element | Text) -> str:
    if isinstance(node, Text):
        return _plain(node.text)
    word = _word(node)
    mark = "clicked " if word in ("button", "option") and _is_clicked(node) else ""
    indent, word = ("  ", "button") if word == "option" else ("", word)
    name = f"{_plain(node.name)} " if node.name else ""
    return f"{indent}[{mark}{word}{_held(node, word)}] {name}[{mark}{word}_]"


def _plain(text: str) -> str:
    return quote(text) if _UNSAFE.search(text) else text


def _word(element: Element) -> str:
    if element.role in _OPTION_ROLES:
        return "option"
    if element.options:
        return "choice"
    if element.role == "searchbox":
        return "search bar"
    holds = element.value is not None and element.role not in ("button", "link")
    return "field" if holds or element.role in _FIELD_ROLES else "button"


def _is_clicked(element: Element) -> bool:
    return not _CLICKED.isdisjoint(element.states)


def _held(element: Element, word: str) -> str:
    if word == "button":
        return ""
    value = "" if element.value is None else f" {quote(element.value)}"
    return value + (f" of {', '.join(map(quote, element.options))}" if word == "choice" else "")


def parse(text: str) -> Observation:
    return _header.parse(text, partial(_node, count(1)))


def _node(numbers: Iterator[int], line: str) -> Element | Text:
    match = _LINE.fullmatch(line) if line.startswith(("[", "  [")) else None
    return _element(next(numbers), match) if match else Text(_meant(line))


def _element(number: int, match: re.Match[str]) -> Element:
    indent, clicked, word, value, options, name = match.groups()
    state = "checked" if indent else "visited"
    return Element(
        number,
        "radio" if indent else _ROLES[word],
        _meant(name or ""),
        None if value is None else unquote(value),
        (state,) if clicked else (),
        options=unlisted(options or ""),
    )


def _meant(written: str) -> str:
    if written[:1] not in ("'", '"'):
        return written
    return unquote(matched(_QUOTED, written)[0])


def shown(observation: Observation) -> Observation:
    numbers = count(1)
    content = tuple(
        Text(node.text) if isinstance(node, Text) else _shown_element(next(numbers), node)
        for node in observation.content
    )
    return replace(_header.shown(observation), content=content)


def _shown_element(number: int, element: Element) -> Element:
    word = _word(element)
    state = "checked" if word == "option" else "visited"
    return Element(
        number,
        "radio" if word == "option" else _ROLES[word],
        element.name,
        None if word in ("button", "option") else element.value,
        (state,) if word in ("button", "option") and _is_clicked(element) else (),
        options=element.options if word == "choice" else (),
    )
