"""The style sheets of a page, as far as they decide what an observation shows.

An observation needs few properties: whether an element is drawn, whether it stands in a line, its
colours, its mouse pointer. Style sheets are parsed by `tinycss2`, and selectors are matched by
`cssselect2`. Each distinct chain of tags, classes and attributes is computed once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

import tinycss2
from cssselect2 import parser as selectors
from cssselect2.compiler import CompiledSelector
from tinycss2.color4 import parse_color

from agent.text_lane.dom import Node
from agent.text_lane.faults import UnknownCss

CLEAR = "rgba(0, 0, 0, 0)"
INHERITED = ("color", "cursor", "visibility")
VISITED = "visited"
"""A property of our own: whether the page marks a link or a button as visited."""
KNOWN = frozenset(
    {
        *INHERITED,
        VISITED,
        *("background-color", "display", "fill", "float", "height", "overflow-x", "position"),
        *("stroke", "width"),
    }
)
"""The properties that are computed; custom properties are, too."""
_ZERO = re.compile(r"0(px|rem|em|%)?")
_WIDTH, _REM = 1280, 16
"""The width of the window, and the size of letters, in pixels."""
_BLOCKS = {
    "inline": "block",
    "inline-block": "block",
    "inline-flex": "flex",
    "inline-grid": "grid",
    "inline-table": "table",
}
_FLEXIBLE = {"flex", "inline-flex", "grid", "inline-grid"}

_USUAL = """
address, article, aside, blockquote, body, center, dd, details, dialog[open], dir, div, dl, dt,
fieldset, figcaption, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hgroup, hr, html,
legend, main, menu, nav, ol, optgroup, option, p, pre, search, section, ul { display: block }
li { display: list-item }
summary { display: list-item }
table { display: table }
caption { display: table-caption }
thead { display: table-header-group }
tbody { display: table-row-group }
tfoot { display: table-footer-group }
tr { display: table-row }
td, th { display: table-cell }
col { display: table-column }
colgroup { display: table-column-group }
button, input, meter, progress, select, textarea { display: inline-block }
area, base, basefont, datalist, dialog:not([open]), head, input[type=hidden], link, meta, noembed,
noframes, noscript, param, rp, script, style, template, title, [hidden] { display: none }
:any-link { color: #0000ee; cursor: pointer }
button, input, select, textarea { color: #000000; cursor: default; background-color: #ffffff }
input, textarea { cursor: text }
button, input[type=submit], input[type=reset], input[type=button] {
  background-color: #efefef; cursor: default
}
input[type=checkbox], input[type=radio], input[type=range], input[type=file], input[type=image] {
  background-color: transparent; cursor: default
}
label { cursor: default }
.visited, .card.visited a { visited: yes }
mark { background-color: #ffff00; color: #000000 }
"""
"""What browsers do without a style sheet."""


@dataclass(frozen=True)
class Rule:
    """A selector with its declarations.

    Attributes:
        test: Whether the selector matches an element.
        rank: The order in which rules apply: origin, specificity, position.
        declared: Rows of property, tokens, and whether it is important.
        tag, name, class_name: The tag, the id and a class that an element needs, or None.
        is_situated: Whether the selector asks for more than tags, classes and attributes of an
            element and of those around it.
    """

    test: Callable[[Any], Any]
    rank: tuple[int, Any, int]
    declared: tuple[Declared, ...]
    tag: str | None
    name: str | None
    class_name: str | None
    is_situated: bool

    def may_match(self, tag: str, name: str | None, classes: Sequence[str]) -> bool:
        """Return whether the last part of the selector can match such an element."""
        return (
            (self.tag is None or self.tag == tag)
            and (self.name is None or self.name == name)
            and (self.class_name is None or self.class_name in classes)
        )


@dataclass(slots=True, eq=False)
class Style:
    """The computed style of an element.

    Attributes:
        color, background: Colours, as a browser writes them.
        cursor: The mouse pointer.
        is_visible: Whether `visibility` is visible.
        display: The kind of box.
        flows: Whether it stands in a line of text.
        is_roomy: Whether its content is cut off or scrolls (`overflow-x`).
        has_size: Whether width and height are given and not zero.
        is_empty: Whether width or height is zero.
        is_visited: Whether the page marks a link or a button as visited.
        paint: Fill and stroke of a shape.
        named: The values of custom properties.
        inner: The styles of elements in it, by what selectors see of them.
    """

    color: str
    background: str
    cursor: str
    is_visible: bool
    display: str
    flows: bool
    is_roomy: bool
    has_size: bool
    is_empty: bool
    is_visited: bool
    paint: tuple[str, str]
    named: Mapping[str, tuple[Any, ...]]
    inner: dict[Any, Style] = field(default_factory=dict)


class Cascade:
    """The style sheets of a page.

    Args:
        texts: The texts of the style sheets, in order.

    Raises:
        UnknownCss: A rule depends on something that is not known here.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._rules = [
            *_usual(),
            *chain.from_iterable(_rules(text, n) for n, text in enumerate(texts, 1)),
        ]
        self._valued = frozenset(chain.from_iterable(each.valued for each in self._rules))
        self._named = self._valued.union(("href",), *(each.named for each in self._rules))
        self._situated = [each.rule for each in self._rules if each.rule.is_situated]
        self._kept: dict[Any, list[Rule]] = {}
        self._roots: dict[Any, Style] = {}

    def style(self, node: Node, outer: Style | None) -> Style:
        """Return the style of an element, given the style of its parent."""
        attrib = node.attrib
        if attrib:
            named, valued = self._named, self._valued
            seen = [
                (name, value) if name in valued else name
                for name, value in attrib.items()
                if name in named
            ]
            key: Any = (node.local_name, *seen)
        else:
            key = node.local_name
        if self._situated:
            rules = self._kept.get(key)
            if rules is None:
                rules = self._kept[key] = self._candidates(node)
            if rules:
                key = (key, tuple([n for n, rule in enumerate(rules) if rule.test(node)]))
        known = self._roots if outer is None else outer.inner
        found = known.get(key)
        if found is None:
            found = known[key] = self._computed(node, outer)
        node.style = found
        return found

    def _candidates(self, node: Node) -> list[Rule]:
        """Return the situated rules whose last part can match the element."""
        name, classes = node.attrib.get("id"), node.attrib.get("class", "").split()
        return [rule for rule in self._situated if rule.may_match(node.local_name, name, classes)]

    def _computed(self, node: Node, outer: Style | None) -> Style:
        classes = node.attrib.get("class", "").split()
        matched = [
            (important, rule.rank, name, value)
            for rule in (each.rule for each in self._rules)
            if rule.may_match(node.local_name, node.attrib.get("id"), classes) and rule.test(node)
            for name, value, important in rule.declared
        ]
        matched.sort(key=lambda each: each[:2])
        own = {name: value for _, _, name, value in matched}
        return _style(own, outer)


def _style(own: Mapping[str, tuple[Any, ...]], outer: Style | None) -> Style:
    named = {name: each for name, each in own.items() if name.startswith("--")}
    values = {**(outer.named if outer else {}), **named}

    def word(name: str, initial: str) -> str:
        tokens = _resolved(own[name], values) if name in own else None
        text = tinycss2.serialize(tokens).strip().lower() if tokens is not None else ""
        return initial if text in ("", "initial", "unset", "revert") else text

    def inherited(name: str, initial: str) -> str:
        text = word(name, "inherit")
        return (getattr(outer, name) if outer else initial) if text == "inherit" else text

    color = _color(inherited("color", "#000000"), outer.color if outer else "")
    visibility = word("visibility", "inherit")
    display = word("display", "inline")
    lifted = word("position", "static") in ("absolute", "fixed") or word("float", "none") != "none"
    if outer is None or outer.display in _FLEXIBLE or lifted:
        display = _BLOCKS.get(display, display)
    sizes = [word("width", "auto"), word("height", "auto")]
    given = [size for size in sizes if size != "auto"]
    return Style(
        color,
        _color(word("background-color", CLEAR), color),
        inherited("cursor", "auto"),
        (not outer or outer.is_visible) if visibility == "inherit" else visibility == "visible",
        display,
        display in ("inline", "contents"),
        word("overflow-x", "visible") != "visible",
        len(given) == len(sizes),
        any(map(_ZERO.fullmatch, given)),
        word(VISITED, "") == "yes",
        (word("fill", ""), word("stroke", "none")),
        values,
    )


def _resolved(tokens: Sequence[Any], values: Mapping[str, Sequence[Any]]) -> list[Any]:
    """Return the tokens with every `var()` replaced."""
    made: list[Any] = []
    for token in tokens:
        if token.type == "function" and token.lower_name == "var":
            name, *rest = (one for one in token.arguments if one.type != "whitespace")
            made += _resolved(values.get(name.value, rest[1:]), values)
        else:
            made.append(token)
    return made


def _color(text: str, current: str) -> str:
    """Return a colour as a browser writes a computed one."""
    return current if text == "currentcolor" else _written(text)


@cache
def _written(text: str) -> str:
    found = parse_color(text)
    if found is None or isinstance(found, str):
        raise UnknownCss(f"{text!r} is not a colour that is known here")
    red, green, blue = (round(part * 255) for part in found.to("srgb").coordinates)
    if found.alpha == 1:
        return f"rgb({red}, {green}, {blue})"
    return f"rgba({red}, {green}, {blue}, {_alpha(found.alpha)})"


def _alpha(alpha: float) -> str:
    """Return an alpha value in the fewest decimals that stand for the same byte."""
    byte = round(alpha * 255)
    short = round(byte / 255, 2)
    return f"{short if round(short * 255) == byte else round(byte / 255, 3):g}"


# Parsing ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Found:
    """A rule, the attributes that its selector names, and those whose values it asks for."""

    rule: Rule
    named: frozenset[str]
    valued: frozenset[str]


@cache
def _usual() -> tuple[Found, ...]:
    return tuple(_rules(_USUAL, 0))


def _rules(text: str, sheet: int) -> Iterator[Found]:
    """Yield the rules of a style sheet that matter here, one for each selector."""
    for position, rule in enumerate(_flat(tinycss2.parse_stylesheet(text, True, True))):
        declared = tuple(_declared(rule.content))
        if not declared:
            continue
        for each, compiled in _parsed(rule.prelude):
            if each.pseudo_element is not None or compiled.never_matches:
                continue
            parts = [*_parts(each.parsed_tree)]
            rank = (min(sheet, 1), each.specificity, sheet * 100_000 + position)
            tag, name, class_name = compiled.lower_local_name, compiled.id, compiled.class_name
            situated = any(map(_is_situated, parts))
            asked = [*filter(None, map(_attribute, parts))]
            yield Found(
                Rule(compiled.test, rank, declared, tag, name, class_name, situated),
                frozenset(name for name, _ in asked),
                frozenset(name for name, is_valued in asked if is_valued),
            )


def _parsed(prelude: Sequence[Any]) -> list[tuple[selectors.Selector, CompiledSelector]]:
    """Return the selectors of a rule, parsed and compiled. Raises `UnknownCss`."""
    try:
        return [(each, CompiledSelector(each)) for each in selectors.parse(prelude)]
    except selectors.SelectorError as problem:
        text = tinycss2.serialize(prelude).strip()
        if "::" in text:  # a pseudo-element, which is no element
            return []
        raise UnknownCss(f"the selector {text!r} is not known here: {problem}") from None


def _parts(tree: Any) -> Iterator[Any]:
    """Yield a parsed selector and everything in it."""
    yield tree
    if isinstance(tree, selectors.CombinedSelector):
        yield from chain(_parts(tree.left), _parts(tree.right))
    elif isinstance(tree, selectors.CompoundSelector):
        yield from chain.from_iterable(map(_parts, tree.simple_selectors))
    elif hasattr(tree, "selector_list"):
        for each in tree.selector_list:
            inner = getattr(each, "selector", each)
            yield from _parts(inner.parsed_tree)


def _attribute(part: Any) -> tuple[str, bool] | None:
    """Return the attribute that a part of a selector asks for, and whether it asks for its value;
    None for another part.
    """
    if isinstance(part, selectors.AttributeSelector):
        return part.lower_name, part.operator is not None
    if isinstance(part, selectors.ClassSelector):
        return "class", True
    return ("id", True) if isinstance(part, selectors.IDSelector) else None


def _is_situated(part: Any) -> bool:
    """Return whether a part of a selector asks for siblings, for content or for a state."""
    if isinstance(part, selectors.CombinedSelector):
        return part.combinator in "+~"
    if isinstance(part, selectors.PseudoClassSelector):
        return part.name not in ("root", "link", "any-link")
    return isinstance(part, selectors.FunctionalPseudoClassSelector | selectors.RelationalSelector)


Declared = tuple[str, tuple[Any, ...], bool]
"""A property, the tokens of its value, and whether it is important."""


def _declared(content: Sequence[Any]) -> list[Declared]:
    """Return the declarations of a rule that matter here, with shorthands written out.

    A size matters if the rule gives width and height, or makes one of them zero.
    """
    found = [*_known(content)]
    sizes = {name for name, *_ in found} & _SIZES
    return [each for each in found if each[0] not in _SIZES or sizes == _SIZES or _is_zero(each[1])]


_SIZES = {"width", "height"}


def _is_zero(value: Sequence[Any]) -> bool:
    return _ZERO.fullmatch(tinycss2.serialize(value).strip()) is not None


def _known(content: Sequence[Any]) -> Iterator[Declared]:
    for each in tinycss2.parse_blocks_contents(content, True, True):
        if each.type != "declaration":
            raise UnknownCss("a rule within a rule is not known here")
        name, value = each.lower_name, tuple(each.value)
        if name == "background":
            name, value = "background-color", _background(value)
        elif name in ("overflow", "overflow-y"):
            name, value = "overflow-x", value[:2]
        if name in KNOWN or name.startswith("--"):
            yield (each.name if name.startswith("--") else name), value, each.important


def _background(value: Sequence[Any]) -> tuple[Any, ...]:
    """Return the colour in a shorthand `background`; transparent if it has none."""
    for token in value:
        is_variable = token.type == "function" and token.lower_name == "var"
        if is_variable or parse_color(token) is not None:
            return (token,)
    return tuple(tinycss2.parse_component_value_list("transparent"))


def _flat(rules: Iterable[Any]) -> Iterator[Any]:
    """Yield the rules of a style sheet, with those of media queries that hold."""
    for rule in rules:
        if rule.type == "qualified-rule":
            yield rule
        elif rule.type == "error":
            raise UnknownCss(f"a style sheet cannot be read: {rule.message}")
        elif rule.lower_at_keyword == "media":
            if _holds(tinycss2.serialize(rule.prelude)):
                yield from _flat(tinycss2.parse_rule_list(rule.content, True, True))
        elif rule.lower_at_keyword not in ("font-face", "keyframes", "page"):
            raise UnknownCss(f"@{rule.at_keyword} is not known here")


_MEDIA = {
    "prefers-color-scheme: dark": False,
    "prefers-color-scheme: light": True,
    "prefers-reduced-motion: reduce": True,
    "prefers-reduced-motion: no-preference": False,
    "scripting: enabled": True,
    "scripting: none": False,
}


def _holds(query: str) -> bool:
    """Return whether a media query holds in the window of an agent. Raises `UnknownCss`."""
    text = query.strip().lower()
    if text in ("print", "screen", "all"):
        return text != "print"
    condition = text.removeprefix("(").removesuffix(")")
    if condition in _MEDIA:
        return _MEDIA[condition]
    size = re.fullmatch(r"(min|max)-width:\s*([\d.]+)(px|rem|em)", condition)
    if size is None:
        raise UnknownCss(f"the media query {text!r} is not known here")
    pixels = float(size[2]) * (1 if size[3] == "px" else _REM)
    return pixels <= _WIDTH if size[1] == "min" else pixels >= _WIDTH
