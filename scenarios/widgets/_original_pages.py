"""Readings of the original MiniWoB pages in the form of our pages, for our advisers.

An agent sees the original page unchanged. A reading adds what a person understands at a glance: the
mail that an icon belongs to, or that a red square is the "red" box.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from agent.interface import Action, Click, Element, Observation, Text, Type
from scenarios.widgets._page_view import Ahead, over

Node = Element | Text
Reading = Callable[[tuple[Node, ...]], Iterable[Node]]
"""A function that rewrites an original page's content as our page shows it, keeping element ids."""

_MEASURES = re.compile(r" (\d+)x(\d+)$")
_COLORS = {
    "rgb(255, 0, 0)": "red",
    "rgb(0, 0, 255)": "blue",
    "rgb(128, 128, 0)": "olive",
    "rgb(0, 255, 0)": "lime",
    "rgb(0, 0, 0)": "black",
    "rgb(255, 255, 255)": "white",
    "rgb(128, 128, 128)": "grey",
    "rgb(128, 0, 128)": "purple",
    "rgb(255, 165, 0)": "orange",
    "rgb(255, 255, 0)": "yellow",
    "rgb(0, 255, 255)": "cyan",
    "rgb(255, 192, 203)": "pink",
    "rgb(255, 0, 255)": "magenta",
}
_FIGURES = {"rect": "rectangle", "polygon": "triangle"}
_CORNERS = {"rect": "4 corners", "polygon": "3 corners", "circle": "is round"}
_LARGE = 15
"""The least height in pixels of a large figure or letter."""
_MAILS = (
    *("email-inbox", "email-inbox-delete", "email-inbox-forward", "email-inbox-forward-nl"),
    *("email-inbox-forward-nl-turk", "email-inbox-important", "email-inbox-nl-turk"),
    *("email-inbox-noscroll", "email-inbox-reply", "email-inbox-star-reply"),
)
_MAIL_FIELDS = {'name="Reply"': 'name="reply text"', 'name="To"': 'name="to"'}
_SLICES = {r'\*\[text\(\)="(.*)"\]': r'*[contains(@id, "Wheel-title") and .="\1"]'}
_PAGES = {r'text\(\)="Page (\d+)"': r'text()="\1"'}
_ITEMS = {r'\*\[@role="menuitem" and text\(\)="(.*)"\]': r'li[starts-with(text(), "\1")]'}
_MENU = ("Share via DM", "Copy link to Tweet", "Embed Tweet", "Mute", "Block", "Report")


def as_ours(task: str, observation: Observation) -> Observation:
    """Return the original page in the form that our advisers read."""
    read = READINGS.get(task)
    if read is None or over(observation):
        return observation
    return replace(observation, content=tuple(read(observation.content)))


def as_theirs(task: str, ahead: Ahead) -> tuple[tuple[str, Action], ...]:
    """Return actions ahead with the XPaths of the original page in place of ours."""
    return tuple((remark, _retargeted(action, PATHS.get(task, {}))) for remark, action in ahead)


def _retargeted(action: Action, paths: Mapping[str, str]) -> Action:
    target = getattr(action, "target", None)
    if not isinstance(action, Click | Type) or not isinstance(target, str):
        return action
    for ours, theirs in paths.items():
        target = re.sub(ours, theirs, target)
    return replace(action, target=target)


def _is(node: Node, *roles: str) -> bool:
    return isinstance(node, Element) and node.role in roles


def _changed(change: Callable[[Element], Node | None]) -> Reading:
    """Return a reading that changes each element by a function; None removes the element."""

    def read(content: tuple[Node, ...]) -> Iterator[Node]:
        for node in content:
            changed = change(node) if isinstance(node, Element) else node
            if changed is not None:
                yield changed

    return read


def _renamed(names: Mapping[str, str]) -> Reading:
    """Return a reading that gives elements new names, by their old names."""
    return _changed(lambda each: replace(each, name=names.get(each.name, each.name)))


def _with_role(role: str, *names: str) -> Reading:
    """Make a reading that gives elements without a role this role; without names it takes all."""

    def change(each: Element) -> Element | None:
        if each.role != "generic" or (names and each.name not in names):
            return None if each.role == "generic" and not each.name else each
        return replace(each, role=role) if each.name else None

    return _changed(change)


def _measured(each: Element) -> tuple[str, int]:
    """Return a shape's name without its measures, and its height in pixels."""
    found = _MEASURES.search(each.name)
    return _MEASURES.sub("", each.name), int(found[2]) if found else 0


# Colours and shapes ------------------------------------------------------------------------------


def _boxes_by_color(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with boxes named by their colours; a box in the instruction becomes a
    picture, and has the instruction's own colour if it shows no other.
    """
    notes = [
        at for at, node in enumerate(content) if isinstance(node, Text) and node.role == "note"
    ]
    for at, node in enumerate(content):
        if isinstance(node, Element) and notes and at < notes[-1]:
            yield Text(_color(node) or _color(content[at - 1]), "img", node.depth)
        elif isinstance(node, Element) and _color(node):
            yield replace(node, role="button", name=f"{_color(node)} box")
        else:
            yield node


def _color(node: Node) -> str:
    return _COLORS.get(dict(node.colors).get("background-color", ""), "")


def _numbered_boxes(content: tuple[Node, ...]) -> Iterator[Node]:
    number = 0
    for node in content:
        if isinstance(node, Element) and node.name != "Submit":
            number += 1
            states = ("pressed",) if node.name == "selected" else ()
            yield replace(node, role="button", name=f"box {number}", states=states)
        else:
            yield node


def _shape(each: Element) -> Element:
    if each.role != "graphics-symbol":
        return each
    kind, height = _measured(each)
    size = "large" if height > _LARGE else "small"
    return replace(each, name=f"{size} {_FIGURES.get(kind, kind)}")


def _figure(each: Element) -> Node:
    if each.role != "graphics-symbol":
        return each
    kind, _ = _measured(each)
    return Text(_CORNERS.get(kind, kind), depth=each.depth)


def _point(each: Element) -> Element:
    found = re.match(r"\((-?\d),(-?\d)\)", each.name)
    if not found:
        return each
    name = f"row {3 - int(found[2])} column {3 + int(found[1])}"
    return replace(each, role="button", name=name)


def _pie(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with the slices of a pie menu as menu items; a closed pie has all at one
    point.
    """
    shapes = [node for node in content if isinstance(node, Element)]
    is_open = max((_measured(each)[1] for each in shapes if "slice" in each.name), default=0) > 1
    for node in content:
        if isinstance(node, Text):
            yield node
        elif (label := _measured(node)[0]) == "+":
            yield replace(node, role="button", name=label)
        elif is_open and len(label) == 1 and label != "-":
            yield replace(node, role="menuitem", name=label)


def _board(each: Element) -> Element:
    found = re.match(r"ttt (\d)(?: mark (\w))?", each.name)
    if not found:
        return each
    row, column = divmod(int(found[1]), 3)
    state = found[2].upper() if found[2] else "free"
    return replace(each, role="button", name=f"row {row + 1} column {column + 1}: {state}")


def _pressed(each: Element) -> Element:
    """Return the element, marked as pressed if it has the focus: it was clicked last."""
    return replace(each, states=(*each.states, "pressed")) if "focused" in each.states else each


# Mail and posts ----------------------------------------------------------------------------------


def _mail(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with each mail as a link with all its texts, and icons named by its sender."""
    fields = {"reply text": "Reply", "to": "To"}
    mail: Element | None = None
    texts: list[str] = []
    for at, node in enumerate(content):
        within = mail is not None and bool(texts) and node.depth > mail.depth
        if isinstance(node, Element) and node.role == "generic" and not node.name:
            mail, texts = node, _texts_within(content[at:])
            if texts:
                yield replace(mail, role="link", name=" ".join(texts))
        elif isinstance(node, Text):
            if not within:
                yield node
        elif within and node.name in ("trash", "star"):
            yield replace(node, name=f"{node.name} {texts[0]}")
        elif node.role == "generic":
            yield replace(node, role="button")
        else:
            yield replace(node, name=fields.get(node.name, node.name))


def _texts_within(content: Sequence[Node]) -> list[str]:
    """Return the texts inside the first node."""
    first, *others = content
    inside = takewhile(lambda node: node.depth > first.depth, others)
    return [node.text for node in inside if isinstance(node, Text)]


def _posts(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with each button named by the user above it, and with the items of an open
    menu.
    """
    user = ""
    for at, node in enumerate(content):
        if isinstance(node, Text):
            user = node.text.split(" ")[0] if node.text.startswith("@") else user
            yield node
        elif node.name.partition(" @")[0] in _MENU:
            yield replace(node, role="menuitem", name=node.name.partition(" @")[0])
        elif node.name == "Submit":
            yield node
        else:
            after = content[at + 1] if at + 1 < len(content) else node
            is_open = node.name == "more" and isinstance(after, Element) and after.name == _MENU[0]
            states = (*node.states, "expanded") if is_open else node.states
            button, _, clicked = node.name.partition(" ")
            states = (*states, "pressed") if clicked else states
            yield replace(node, name=f"{button.title()} {user}", states=states)


# Lists, trees and tables -------------------------------------------------------------------------


def _tree(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with each folder as a tree item; the button before it gives its state."""
    state = ""
    for node in content:
        if isinstance(node, Element) and "hitarea" in node.name:
            state = "expanded" if "collapsable" in node.name else "collapsed"
        elif isinstance(node, Element) and node.name:
            yield replace(node, role="treeitem", states=(*node.states, state) if state else ())
            state = ""
        elif isinstance(node, Text):
            yield node


def _table(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with the first of the two cells in each row as the row's header."""
    cells = 0
    for node in content:
        if isinstance(node, Text) and node.role == "cell":
            cells += 1
            yield replace(node, role="rowheader") if cells % 2 else node
        else:
            yield node


def _results(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with the status line of our page, computed from the number of the results
    page.
    """
    links = [node for node in content if isinstance(node, Element) and node.role == "link"]
    numbers = [link for link in links if link.name.isdigit()]
    now = next((int(link.name) for link in numbers if not link.colors), 1)
    query = next((node.value for node in content if _is(node, "textbox")), "")  # type: ignore[union-attr]
    if numbers:
        yield Text(f'Results {3 * now - 2} to {3 * now} for "{query}"', "status")
    for node in content:
        if not isinstance(node, Element):
            yield node
        elif node in numbers:
            yield replace(node, name=f"Page {node.name}")
        elif node.role == "textbox":
            yield replace(node, name="Search for")
        elif node.name not in ("<", ">", "<<", ">>", "First", "Last"):
            yield node


def _marks(content: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the page with each button ("Odd", "Even") named by the number next to it."""
    for at, node in enumerate(content):
        by = {"Odd": at + 1, "Even": at - 1}.get(node.name, at) if isinstance(node, Element) else at
        beside = content[by] if 0 <= by < len(content) else node
        if isinstance(node, Element) and isinstance(beside, Text):
            yield replace(node, name=f"{node.name}: {beside.text}")
        else:
            yield node


def _counted(names: Mapping[str, str]) -> Reading:
    """Return a reading that names the elements of each role by a new name and a number."""

    def read(content: tuple[Node, ...]) -> Iterator[Node]:
        numbers = dict.fromkeys(names, 0)
        for node in content:
            if isinstance(node, Element) and node.role in names:
                numbers[node.role] += 1
                yield replace(node, name=f"{names[node.role]} {numbers[node.role]}")
            else:
                yield node

    return read


# Fields ------------------------------------------------------------------------------------------


def _widget(each: Element) -> Element:
    name = {"textarea": "Text area", "input": "Text line"}.get(each.tag, "")
    return replace(each, name=name) if each.role == "textbox" else each


def _copied(each: Element) -> Element:
    source = each.name.startswith(("to copy", "text "))
    return replace(each, states=(*each.states, "readonly")) if source else each


def _suggestions(names: Mapping[str, str]) -> Reading:
    """Return a reading that renames fields and shows their suggestions as options."""
    renamed, options = _renamed(names), _with_role("option")
    return lambda content: options(tuple(renamed(content)))


_calendar = _changed(
    lambda each: replace(each, role="button") if each.name in ("Prev", "Next") else each
)


def _flights(content: tuple[Node, ...]) -> Iterable[Node]:
    """Yield the page of the flight search with fields, suggestions and calendar as on our page."""
    fields = {"From:": "From", "To:": "To", "Departure Date": "Date"}
    return _calendar(tuple(_suggestions(fields)(content)))


READINGS: Mapping[str, Reading] = {
    **dict.fromkeys(("book-flight", "book-flight-nodelay"), _flights),
    **dict.fromkeys(
        ("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay"), _calendar
    ),
    "click-button-sequence": _changed(_pressed),
    "click-color": _boxes_by_color,
    **dict.fromkeys(("click-dialog", "click-dialog-2"), _renamed({"Close": "x"})),
    **dict.fromkeys(("click-pie", "click-pie-nodelay"), _pie),
    "click-shades": _numbered_boxes,
    **dict.fromkeys(("click-shape", "count-shape"), _changed(_shape)),
    "click-widget": _changed(_widget),
    **dict.fromkeys(("copy-paste", "copy-paste-2"), _changed(_copied)),
    **dict.fromkeys(_MAILS, _mail),
    "form-sequence-2": _counted({"radio": "Radio button", "textbox": "Textbox"}),
    "grid-coordinate": _changed(_point),
    "identify-shape": _changed(_figure),
    "login-user-popup": _renamed({"OK": "Login"}),
    **dict.fromkeys(("multi-layouts", "multi-orderings"), _with_role("button", "Submit", "Search")),
    "navigate-tree": _tree,
    "odd-or-even": _marks,
    "phone-book": _renamed({">": "Next page"}),
    **dict.fromkeys(("read-table", "read-table-2"), _table),
    "scroll-text": _renamed({"text area": "Text area", "answer input": "Text field"}),
    "search-engine": _results,
    **dict.fromkeys(("social-media", "social-media-all", "social-media-some"), _posts),
    "tic-tac-toe": _changed(_board),
    **dict.fromkeys(
        ("use-autocomplete", "use-autocomplete-nodelay"), _suggestions({"Tags:": "Country"})
    ),
}

PATHS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("click-pie", "click-pie-nodelay"), _SLICES),
    **dict.fromkeys(_MAILS, _MAIL_FIELDS),
    "search-engine": _PAGES,
    "social-media": _ITEMS,
}
"""Patterns of our pages' XPaths in actions ahead, and what the original pages have in their place,
by task.
"""

ACTIONS: Mapping[str, int] = {
    "book-flight": 12,
    "guess-number": 12,
    "login-user-popup": 9,
    "social-media-all": 11,
    "social-media-some": 11,
    "use-slider": 20,
    "use-spinner": 14,
}
"""The most actions that the expert needs, for tasks whose original page needs more than ours."""

UNREAD = frozenset(
    (
        *("bisect-angle", "button-delay", "chase-circle", "circle-center", "click-menu-2"),
        *("click-pie-nodelay", "count-sides", "daily-calendar", "drag-box", "drag-circle"),
        *("drag-cube", "drag-items", "drag-items-grid", "drag-shapes", "drag-shapes-2"),
        *("drag-single-shape", "drag-sort-numbers", "draw-circle", "draw-line"),
        *("find-greatest", "find-midpoint", "form-sequence", "form-sequence-3"),
        *("generate-number", "highlight-text", "highlight-text-2", "hot-cold", "hover-shape"),
        *("moving-items", "number-checkboxes", "order-food", "resize-textarea", "right-angle"),
        *("scroll-text-2", "simon-says", "stock-market", "text-editor", "use-colorwheel"),
        *("use-colorwheel-2", "use-slider-2", "visual-addition"),
    )
)
"""Tasks whose original page our advisers cannot use; the expert gives up on these pages."""
