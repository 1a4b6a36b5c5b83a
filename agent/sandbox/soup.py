"""The part of BeautifulSoup's interface for sandboxed programs that read a page and may remove tags
from it.

This file runs twice: here, for the tests, and inside the sandbox, as the module of programs that
say `from bs4 import BeautifulSoup`. So it keeps to the subset of Python that the sandbox supports,
without inheritance, properties, generators and `del`. Attributes that BeautifulSoup computes on
demand are set when the tree is built. `decompose` and `extract` are the only changes to the tree,
and the tree has no comments. A missing tag such as `soup.table` raises AttributeError, while
BeautifulSoup returns None. The pseudo-classes are `:first-child`, `:last-child`, `:nth-child(3)`
and `:nth-of-type(3)`.
"""

from __future__ import annotations

import re as _re  # a program may use the name `re` itself
from typing import Any

from agent.sandbox.markup import HIDING as _HIDING
from agent.sandbox.markup import VOID as _VOID
from agent.sandbox.markup import nodes as _nodes

_isinstance = isinstance


def isinstance(value: Any, kinds: Any) -> bool:  # noqa: A001 - str cannot be inherited from
    """Work as the built-in function, but count a text of the page as a str."""
    if type(value) is NavigableString:
        wanted = kinds if _isinstance(kinds, tuple) else (kinds,)
        return NavigableString in wanted or str in wanted
    return _isinstance(value, kinds)


_next = next


def next(values: Any, *default: Any) -> Any:  # noqa: A001 - generator expressions are lists there
    """Work as the built-in function, which in the sandbox refuses generator expressions."""
    return _next(iter(values) if _isinstance(values, list) else values, *default)


class _Expressions:
    """The replacement of the module `re` in a sandboxed program, whose `sub` also accepts a
    function.
    """

    def __init__(self) -> None:
        self.compile = _re.compile
        self.search = _re.search
        self.match = _re.match
        self.fullmatch = _re.fullmatch
        self.split = _re.split
        self.findall = _re.findall
        self.finditer = _re.finditer
        self.escape = _re.escape
        self.error = _re.error
        self.Pattern = _re.Pattern
        self.Match = _re.Match
        self.I = self.IGNORECASE = _re.I
        self.M = self.MULTILINE = _re.M
        self.S = self.DOTALL = _re.S
        self.A = self.ASCII = _re.A

    def sub(self, pattern: Any, by: Any, text: Any, count: int = 0, flags: Any = 0) -> str:
        text, compiled = str(text), _isinstance(pattern, _re.Pattern)
        if _isinstance(by, str):
            if compiled:
                return str(pattern.sub(by, text, count))
            return str(_re.sub(pattern, by, text, count=count, flags=flags))
        found = pattern.finditer(text) if compiled else _re.finditer(pattern, text, flags)
        pieces, at = [], 0
        for number, match in enumerate(found):
            if count and number >= count:
                break
            pieces += [text[at : match.start()], str(by(match))]
            at = match.end()
        return "".join([*pieces, text[at:]])


_expressions = _Expressions()


# What is looked for ----------------------------------------------------------------------------


def _fits(value: Any, rule: Any) -> bool:
    """Return whether a value (an attribute, a tag's name or a text) fits a rule that `find_all`
    accepts: a text, pattern, list, function, True or None.
    """
    if rule is None or rule is True:
        return (value is None) is (rule is None)
    if _isinstance(value, list):
        return any(_fits(each, rule) for each in value) or _fits(" ".join(value), rule)
    if _isinstance(rule, (list, tuple, set)):
        return any(_fits(value, each) for each in rule)
    if _is_function(rule):
        return bool(rule(value))
    if value is None:
        return False
    if _isinstance(rule, _re.Pattern):
        return rule.search(value) is not None
    return bool(value == str(rule))


def _is_function(rule: Any) -> bool:
    known = (str, bool, int, float, list, tuple, set, _re.Pattern, NavigableString)
    return rule is not None and not _isinstance(rule, known)


def _found(node: Any, name: Any, wanted: Any, string: Any) -> bool:
    if node.name is None:
        return name is None and not wanted and _fits(node.text, string)
    if string is not None and name is None and not wanted:
        return False
    if name is not None and not (name(node) if _is_function(name) else _fits(node.name, name)):
        return False
    for key in wanted:
        if not _fits(node.attrs.get(key), wanted[key]):
            return False
    return string is None or (node.string is not None and _fits(node.string, string))


def _along(node: Any, direction: str) -> list[Any]:
    """Return the nodes reached from a node by following an attribute such as `parent` again and
    again, nearest first.
    """
    found, node = [], getattr(node, direction)
    while node is not None:
        found.append(node)
        node = getattr(node, direction)
    return found


def _all(nodes: Any, name: Any, attrs: Any, string: Any, limit: Any, others: Any) -> list[Any]:
    wanted = {} if attrs is None else attrs if _isinstance(attrs, dict) else {"class": attrs}
    wanted = dict(wanted)
    for key in others:
        if key == "text":
            string = others[key]
        else:
            wanted["class" if key == "class_" else key] = others[key]
    plain = _isinstance(name, str)
    found: list[Any] = []
    for node in nodes:
        if plain and node.name != name:
            continue
        if _found(node, name, wanted, string):
            found.append(node)
            if len(found) == limit:
                break
    return found


def _one(found: list[Any]) -> Any:
    return found[0] if found else None


# Methods of tags and texts alike: there is no class for both to inherit from -------------------


def _find_parents(
    self: Any, name: Any = None, attrs: Any = None, limit: Any = None, **others: Any
) -> list[Any]:
    return _all(_along(self, "parent"), name, attrs, None, limit, others)


def _find_parent(self: Any, name: Any = None, attrs: Any = None, **others: Any) -> Any:
    return _one(_find_parents(self, name, attrs, 1, **others))


def _find_next_siblings(
    self: Any,
    name: Any = None,
    attrs: Any = None,
    string: Any = None,
    limit: Any = None,
    **others: Any,
) -> list[Any]:
    return _all(_along(self, "next_sibling"), name, attrs, string, limit, others)


def _find_next_sibling(
    self: Any, name: Any = None, attrs: Any = None, string: Any = None, **others: Any
) -> Any:
    return _one(_find_next_siblings(self, name, attrs, string, 1, **others))


def _find_previous_siblings(
    self: Any,
    name: Any = None,
    attrs: Any = None,
    string: Any = None,
    limit: Any = None,
    **others: Any,
) -> list[Any]:
    return _all(_along(self, "previous_sibling"), name, attrs, string, limit, others)


def _find_previous_sibling(
    self: Any, name: Any = None, attrs: Any = None, string: Any = None, **others: Any
) -> Any:
    return _one(_find_previous_siblings(self, name, attrs, string, 1, **others))


def _find_next(
    self: Any, name: Any = None, attrs: Any = None, string: Any = None, **others: Any
) -> Any:
    after = self._page.inside(self._place + 1, len(self._page.ends), name, attrs, string, others)
    return _one(_all(after, name, attrs, string, 1, others))


# The tree --------------------------------------------------------------------------------------


class _Page:
    """The tags and texts of a parsed page in document order, and how many of each come before each
    node.

    `words` are the texts that a reader sees; "" for a hidden text.
    """

    def __init__(self, ends: list[int]) -> None:
        self.ends = ends
        self.tags: list[Any] = []
        self.texts: list[Any] = []
        self.words: list[str] = []
        self.tags_before: list[int] = []
        self.texts_before: list[int] = []
        self.taken: set[int] = set()
        """The indices of nodes that were removed from the page."""

    def inside(
        self, start: int, end: int, name: Any, attrs: Any, string: Any, others: Any
    ) -> list[Any]:
        """Return the tags, or the texts, between the node indices `start` and `end`, as candidates
        of a search.
        """
        texts_only = name is None and not attrs and (string is not None or list(others) == ["text"])
        if texts_only:
            found = self.texts[self.texts_before[start] : self.texts_before[end]]
        else:
            found = self.tags[self.tags_before[start] : self.tags_before[end]]
        if self.taken and start - 1 not in self.taken:
            return [each for each in found if each._place not in self.taken]
        return found

    def texts_inside(self, place: int) -> Any:
        """Return the start and end index of the texts inside the tag with this node index."""
        return self.texts_before[place], self.texts_before[self.ends[place]]


class NavigableString:
    """A text of the page. It is no tag, so its `name` is None, but it has many methods of str."""

    name = None
    parent: Any = None
    next_sibling: Any = None
    previous_sibling: Any = None
    find_parent = _find_parent
    find_parents = _find_parents
    find_next_sibling = _find_next_sibling
    find_next_siblings = _find_next_siblings
    find_previous_sibling = _find_previous_sibling
    find_previous_siblings = _find_previous_siblings
    find_next = _find_next

    def __init__(self, text: str, page: Any, place: int) -> None:
        self.text = text
        self.string = text
        self._page = page
        self._place = place

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return repr(self.text)

    def __eq__(self, other: object) -> bool:
        return self.text == str(other)

    def __hash__(self) -> int:
        return hash(self.text)

    def __contains__(self, part: Any) -> bool:
        return str(part) in self.text

    def __iter__(self) -> Any:
        return iter(self.text)

    def __getitem__(self, place: Any) -> str:
        return self.text[place]

    def __add__(self, other: Any) -> str:
        return self.text + str(other)

    def __radd__(self, other: Any) -> str:
        return str(other) + self.text

    def __int__(self) -> int:
        return int(self.text)

    def __float__(self) -> float:
        return float(self.text)

    def get_text(self, separator: str = "", strip: bool = False) -> str:
        return self.text.strip() if strip else self.text

    def strip(self, characters: Any = None) -> str:
        return self.text.strip(characters)

    def split(self, separator: Any = None, most: int = -1) -> list[str]:
        return self.text.split(separator, most)

    def replace(self, old: str, new: str) -> str:
        return self.text.replace(old, new)

    def lower(self) -> str:
        return self.text.lower()

    def upper(self) -> str:
        return self.text.upper()

    def startswith(self, start: Any) -> bool:
        return self.text.startswith(start)

    def endswith(self, end: Any) -> bool:
        return self.text.endswith(end)

    def isdigit(self) -> bool:
        return self.text.isdigit()

    def isspace(self) -> bool:
        return self.text.isspace()


class Tag:
    """An element, or the whole page, whose name is `[document]`.

    `contents`, `children` and `stripped_strings` are lists. The first tag of each name inside the
    element is also an attribute.
    """

    parent: Any = None
    next_sibling: Any = None
    previous_sibling: Any = None
    text = ""
    string: Any = None
    stripped_strings: Any = None
    find_parent = _find_parent
    find_parents = _find_parents
    find_next_sibling = _find_next_sibling
    find_next_siblings = _find_next_siblings
    find_previous_sibling = _find_previous_sibling
    find_previous_siblings = _find_previous_siblings
    find_next = _find_next

    def __init__(self, name: str, attrs: Any, page: Any, place: int) -> None:
        self.name = name
        self.attrs = attrs
        self.contents: Any = []
        self.children = self.contents
        self._page = page
        self._place = place

    def find_all(
        self,
        name: Any = None,
        attrs: Any = None,
        recursive: bool = True,
        string: Any = None,
        limit: Any = None,
        **others: Any,
    ) -> list[Any]:
        end = self._page.ends[self._place]
        nodes = self.contents
        if recursive:
            nodes = self._page.inside(self._place + 1, end, name, attrs, string, others)
        return _all(nodes, name, attrs, string, limit, others)

    findAll = find_all  # noqa: N815 - the older name
    __call__ = find_all

    def find(
        self,
        name: Any = None,
        attrs: Any = None,
        recursive: bool = True,
        string: Any = None,
        **others: Any,
    ) -> Any:
        return _one(self.find_all(name, attrs, recursive, string, 1, **others))

    def select(self, selector: str, limit: Any = None) -> list[Any]:
        alternatives = _alternatives(selector)
        found: list[Any] = []
        for tag in self.find_all():
            if any(_leads_to(tag, steps) for steps in alternatives):
                found.append(tag)
                if len(found) == limit:
                    break
        return found

    def select_one(self, selector: str) -> Any:
        return _one(self.select(selector, 1))

    def get(self, key: str, default: Any = None) -> Any:
        return self.attrs.get(key, default)

    def has_attr(self, key: str) -> bool:
        return key in self.attrs

    def get_text(self, separator: str = "", strip: bool = False) -> str:
        if strip:
            return separator.join(self.stripped_strings)
        if not separator or self.name in _HIDING:
            return self.text
        start, end = self._page.texts_inside(self._place)
        return separator.join([each for each in self._page.words[start:end] if each])

    getText = get_text  # noqa: N815 - the older name

    def prettify(self) -> str:
        """Return the HTML with a line for each tag and text."""
        lines: list[str] = []
        _write_lines(self, 0, lines)
        return "\n".join([*lines, ""])

    def extract(self) -> Any:
        """Remove the tag from the page and return it."""
        if self.parent is not None:
            _take_out(self)
        return self

    def decompose(self) -> None:
        self.extract()

    def __getitem__(self, key: str) -> Any:
        return self.attrs[key]

    def __iter__(self) -> Any:
        return iter(self.contents)

    def __str__(self) -> str:
        pieces: list[str] = []
        _write(self, pieces)
        return "".join(pieces)

    __repr__ = __str__


def _tree(parents: Any, names: Any, values: Any, ends: Any) -> Any:
    """Return the tree built from the columns that `agent.sandbox.markup.nodes` returns."""
    page, made = _Page(ends), []
    for place in range(len(names)):
        page.tags_before.append(len(page.tags))
        page.texts_before.append(len(page.texts))
        name = names[place]
        if place and (not name or name.startswith("#")):
            node: Any = NavigableString(values[place], page, place)
            page.texts.append(node)
            page.words.append("" if name else values[place])
        else:
            node = Tag(name or "[document]", values[place], page, place)
            page.tags.append(node)
        made.append(node)
        if place:
            _hang(node, made[parents[place]])
    page.tags_before.append(len(page.tags))
    page.texts_before.append(len(page.texts))
    _tell(page)
    return made[0]


def _hang(node: Any, parent: Any) -> None:
    node.parent = parent
    if parent.contents:
        node.previous_sibling = parent.contents[-1]
        node.previous_sibling.next_sibling = node
    parent.contents.append(node)
    above = parent
    while node.name and above is not None and not hasattr(above, node.name):
        setattr(above, node.name, node)
        above = above.parent


def _tell(page: Any) -> None:
    """Set the attributes that hold texts (such as `text` and `string`) of all tags, inner tags
    first.
    """
    stripped = [each.strip() for each in page.words]
    for tag in reversed(page.tags):
        _tell_one(tag, stripped)


def _tell_one(tag: Any, stripped: list[str]) -> None:
    page = tag._page
    start, end = page.texts_inside(tag._place)
    if tag.name in _HIDING:
        tag.stripped_strings = [each.strip() for each in page.texts[start:end]]
        tag.text = "".join([each.text for each in page.texts[start:end]])
    else:
        tag.stripped_strings = [each for each in stripped[start:end] if each]
        tag.text = "".join(page.words[start:end])
    tag.string = tag.contents[0].string if len(tag.contents) == 1 else None


def _take_out(tag: Any) -> None:
    """Remove a tag and update the texts of the tags around it.

    The inside of the tag does not change.
    """
    page, parent = tag._page, tag.parent
    start, end = tag._place, page.ends[tag._place]
    names = {each.name for each in page.inside(start, end, True, None, None, {})}
    around = [each for each in _along(tag, "parent") if each._place not in page.taken]
    for place in range(start, end):
        page.taken.add(place)
    first, last = page.texts_inside(tag._place)
    page.words[first:last] = [""] * (last - first)
    parent.contents = [each for each in parent.contents if each is not tag]
    parent.children = parent.contents
    _join(tag.previous_sibling, tag.next_sibling)
    tag.parent = tag.previous_sibling = tag.next_sibling = None
    stripped = [each.strip() for each in page.words]
    for each in around:
        _tell_one(each, stripped)
        for name in names:
            known = getattr(each, name, None)
            if type(known) is Tag and known._place in page.taken:
                setattr(each, name, each.find(name))


def _join(one: Any, other: Any) -> None:
    if one is not None:
        one.next_sibling = other
    if other is not None:
        other.previous_sibling = one


def _write(node: Any, pieces: list[str]) -> None:
    """Append the HTML of a node to `pieces`."""
    if node.name is None:
        raw = node.parent.name in ("script", "style")
        pieces.append(node.text if raw else _escaped(node.text))
        return
    if node._place:
        pieces.append(_start(node))
        if not node.contents and node.name in _VOID:
            return
    for each in node.contents:
        _write(each, pieces)
    if node._place:
        pieces.append("</" + node.name + ">")


def _start(tag: Any) -> str:
    """Return the start tag; a void tag is closed."""
    pieces = ["<" + tag.name]
    for key in sorted(tag.attrs):
        value = tag.attrs[key]
        text = _escaped(" ".join(value) if _isinstance(value, list) else value)
        mark = "'" if '"' in text and "'" not in text else '"'
        pieces.append(" " + key + "=" + mark + text.replace(mark, "&quot;") + mark)
    return "".join(pieces) + ("/>" if not tag.contents and tag.name in _VOID else ">")


def _write_lines(node: Any, depth: int, lines: list[str]) -> None:
    """Append the node as lines of HTML to `lines`, indented by one blank per level and without
    blank texts.
    """
    if node.name is None:
        text = node.text.strip()
        if text:
            lines.append(" " * depth + _escaped(text))
        return
    if node._place:
        lines.append(" " * depth + _start(node))
        if not node.contents and node.name in _VOID:
            return
    for each in node.contents:
        _write_lines(each, depth + (1 if node._place else 0), lines)
    if node._place:
        lines.append(" " * depth + "</" + node.name + ">")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# CSS selectors ---------------------------------------------------------------------------------

_PIECE = _re.compile(
    r"(?P<joint>\s*[>+~,]\s*|\s+)"
    r"|(?P<tag>\*|[\w-]+)"
    r"|\#(?P<id>[\w-]+)"
    r"|\.(?P<token>[\w-]+)"
    r"|\[\s*(?P<key>[\w:.-]+)\s*"
    r"(?:(?P<how>[~^$*|]?=)\s*(?P<value>\"[^\"]*\"|'[^']*'|[^\]\s]+)\s*)?\]"
    r"|:(?P<which>first-child|last-child)"
    r"|:(?P<nth>nth-child|nth-of-type)\(\s*(?P<count>\d+)\s*\)"
)


def _alternatives(selector: str) -> list[Any]:
    """Parse a CSS selector into its alternatives (between commas), each a list of steps: the
    combinator from the previous step, and the tests.
    """
    alternatives: list[Any] = [[(" ", [])]]
    rest = selector.strip()
    while rest:
        piece = _PIECE.match(rest)
        if piece is None:
            raise ValueError("the selector " + repr(selector) + " cannot be read at " + repr(rest))
        rest = rest[piece.end() :]
        joint = piece.group("joint")
        if joint is None:
            alternatives[-1][-1][1].append(piece)
        elif joint.strip() == ",":
            alternatives.append([(" ", [])])
        else:
            alternatives[-1].append((joint.strip() or " ", []))
    if not all(tests for steps in alternatives for _, tests in steps):
        raise ValueError("the selector " + repr(selector) + " lacks something")
    return alternatives


def _leads_to(tag: Any, steps: Any) -> bool:
    joint, tests = steps[-1]
    if tag.parent is None or not all(_passes(tag, piece) for piece in tests):
        return False
    before = steps[:-1]
    if not before:
        return True
    for each in _places(tag, joint):  # noqa: SIM110 - any() of the sandbox asks them all
        if _leads_to(each, before):
            return True
    return False


def _places(tag: Any, joint: str) -> list[Any]:
    """Return the tags from which a CSS combinator (`>`, ` `, `+`, `~`) leads to this tag."""
    if joint == ">":
        return [tag.parent]
    if joint == " ":
        return _find_parents(tag)
    return _find_previous_siblings(tag, True, limit=1 if joint == "+" else None)


def _passes(tag: Any, piece: Any) -> bool:
    if piece.group("tag"):
        return bool(piece.group("tag") in ("*", tag.name))
    if piece.group("id"):
        return bool(tag.attrs.get("id") == piece.group("id"))
    if piece.group("token"):
        return piece.group("token") in tag.attrs.get("class", [])
    if piece.group("key"):
        return _has(tag.attrs.get(piece.group("key")), piece.group("how"), piece.group("value"))
    if piece.group("which") == "last-child":
        return tag.find_next_sibling(True) is None
    kind = tag.name if piece.group("nth") == "nth-of-type" else True
    return len(tag.find_previous_siblings(kind)) == int(piece.group("count") or 1) - 1


def _has(value: Any, how: Any, quoted: Any) -> bool:
    if value is None or how is None:
        return value is not None
    text = " ".join(value) if _isinstance(value, list) else value
    wanted = quoted[1:-1] if quoted[0] in "\"'" else quoted
    if how == "=":
        return bool(text == wanted)
    if how == "~=":
        return wanted in text.split()
    if how == "|=":
        return bool(text == wanted or text.startswith(wanted + "-"))
    if not wanted:
        return False
    if how == "^=":
        return bool(text.startswith(wanted))
    return bool(text.endswith(wanted)) if how == "$=" else wanted in text


# What is imported ------------------------------------------------------------------------------


def BeautifulSoup(markup: Any = "", features: Any = None, **others: Any) -> Any:  # noqa: N802
    """Return the tree of some HTML, always read by the rules of `html.parser`; `features` is
    ignored.
    """
    return _tree(*_nodes(str(markup)))


class _Package:
    """The module that `import bs4` binds in the sandbox."""

    def __init__(self) -> None:
        self.BeautifulSoup = BeautifulSoup
        self.NavigableString = NavigableString
        self.Tag = Tag
        self.element = self


_package = _Package()
