"""Synapse's action programs: written from actions, and carried out on a page (appendix B.2).

A program calls the five methods of an `agent`: `type`, `click_xpath`, `press`, `click_option` and
`movemouse`. An XPath names an element of the state for which the program was written, even after
the program's calls have changed the page. If that state has no such element, the XPath names an
element of the changed page.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from agent.browser.faults import Refused
from agent.browser.keystrokes import keystrokes
from agent.browser.xpath import check, is_path
from agent.element_matching import counterpart
from agent.interface import (
    Action,
    Click,
    Hover,
    KeyboardType,
    Note,
    Observation,
    Press,
    Select,
    Target,
    Type,
)
from agent.methods.synapse.shown_state import Named, ShownState
from agent.renderings import state
from agent.sandbox import CallFailed

_KEYS = {
    key.lower(): key
    for key in (
        *("Enter", "Space", "Backspace", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"),
        *("Home", "End", "PageUp", "PageDown", "a", "c", "v"),
    )
}
LONGEST_REMARK = 40
_NAMES = {key: name for name, key in _KEYS.items()}
_COMMAND = "command+"
_MARK = re.compile(r"""@data-id\s*=\s*["']?(\d+)""")
_OPTION = re.compile(
    r"""(.+)/option\[(?:text\(\)|\.|normalize-space\(\))=(["'])(.*)\2\]""", re.DOTALL
)

Act = Callable[[Action], Awaitable[Observation]]  # performs an action, as `Page.act` does
_IN_PARTS = ("date", "time")  # kinds of fields with several parts; a click selects one part


class Unwritable(ValueError):
    """The error for an action that no call of a program can perform."""


def write(actions: Iterable[Action], seen: Observation) -> str:
    """Return a program that performs the actions on the page; repeated calls become loops.

    Raises:
        Unwritable: A program cannot perform one of the actions.
    """
    return "\n".join(_looped(call for action in actions for call in _calls(action, seen)))


def write_with_remarks(actions: Iterable[tuple[str, Action]], seen: Observation) -> str:
    """Return a program as `write` does, with each remark as a comment above its calls."""
    lines: list[str] = []
    for remark, marked in groupby(actions, itemgetter(0)):
        calls = [call for _, action in marked for call in _calls(action, seen)]
        lines += [*([f"# {remark}"] if remark else []), *_looped(calls)]
    return "\n".join(lines)


def remarked(actions: Iterable[Action], seen: Observation) -> list[tuple[str, Action]]:
    """Pair each action with a remark: the name of the element that it acts on.

    Notes are left out, because a program cannot take notes.
    """
    names = {each.id: " ".join(each.name.split()) for each in seen.elements}
    found: list[tuple[str, Action]] = []
    for action in (each for each in actions if not isinstance(each, Note)):
        target = getattr(action, "target", None)
        name = names.get(target, "") if isinstance(target, int) else ""
        found.append((name[:LONGEST_REMARK] if name.isprintable() else "", action))
    return found


def _looped(calls: Iterable[str]) -> list[str]:
    lines = []
    for call, repeated in groupby(calls):
        times = len(list(repeated))
        lines += [call] if times == 1 else [f"for _ in range({times}):", f"    {call}"]
    return lines


def _calls(action: Action, seen: Observation) -> Iterator[str]:
    if isinstance(action, Click):
        yield _call("click_xpath", _xpath(action.target, seen))
    elif isinstance(action, Hover):
        yield _call("movemouse", _xpath(action.target, seen))
    elif isinstance(action, Type):
        yield from _typing(action, seen)
    elif isinstance(action, Select):
        option = f"option[text()={_literal(action.option)}]"
        yield _call("click_option", f"{_xpath(action.target, seen)}/{option}")
    elif isinstance(action, Press):
        yield _call("press", _name(action.keys))
    else:
        raise Unwritable(f"a program cannot do {type(action).__name__}")


def _typing(action: Type, seen: Observation) -> Iterator[str]:
    """Yield the program's calls that type a text into a field.

    They first select the field's content, so that the text replaces it.
    """
    field = next((each for each in seen.elements if each.id == action.target), None)
    yield _call("click_xpath", _xpath(action.target, seen))
    if field is not None and field.kind in _IN_PARTS:
        yield from [_call("press", "arrowleft")] * 2  # to the first part
    elif field is not None and field.value:
        yield _call("press", "command+a")
        if not action.text:
            yield _call("press", "backspace")
    if action.text:
        yield _call("type", _keys(field.kind if field else "", action.text))
    if action.enter:
        yield _call("press", "enter")


def _keys(kind: str, text: str) -> str:
    try:
        return keystrokes(kind, text)
    except ValueError as error:
        raise Unwritable(str(error)) from None


def _call(method: str, argument: str) -> str:
    return f"agent.{method}({argument!r})"


def _xpath(target: Target, seen: Observation) -> str:
    """Return the XPath of an element: by its HTML id if no other element has it, else by its
    data-id.
    """
    if isinstance(target, str):
        return target
    ids = [each.html_id for each in seen.elements if each.id == target]
    own = ids and ids[0] and [each.html_id for each in seen.elements].count(ids[0]) == 1
    return f"//*[@id={_literal(ids[0])}]" if own else f'//*[@data-id="{target}"]'


def _literal(text: str) -> str:
    if '"' not in text:
        return f'"{text}"'
    if "'" in text:
        raise Unwritable(f"{text!r} has both kinds of quotes, which XPath cannot write")
    return f"'{text}'"


def _name(keys: str) -> str:
    control, plus, last = keys.rpartition("+")
    if last not in _NAMES or control not in ("", "Control"):
        raise Unwritable(f"a program cannot press {keys}")
    return (_COMMAND if plus else "") + _NAMES[last]


class ProgramAgent:
    """The `agent` that a program calls.

    Args:
        act: Performs an action on the page.
        seen: The page for which the program was written.
        shown: The state in the prompt if it differs from the page's own state; else "".
    """

    def __init__(self, act: Act, seen: Observation, shown: str = "") -> None:
        self.now = seen
        """The page after the last call."""
        self._act = act
        self._seen = seen
        self._states = [ShownState(text) for text in (shown, state.render(seen)) if text]

    async def __call__(self, method: str, argument: str) -> None:
        """Perform a call of the program.

        Raises:
            CallFailed: The page refused the action. The message is the page's own error.
        """
        for action in self._actions(method, argument):
            self.now = await self._act(action)
            if self.now.error:
                raise CallFailed(self.now.error)

    def _actions(self, method: str, argument: str) -> Sequence[Action]:
        if method == "click_xpath":
            return [self._click(argument)]
        if method == "movemouse":
            return [Hover(self._target(argument))]
        if method == "press":
            return [Press(_key(argument))]
        if method == "click_option":
            return [self._choice(argument)]
        assert method == "type", method
        return list(_typed(argument))

    def _click(self, xpath: str) -> Action:
        """Return the click that a program's call asks for, or the selection of an option if the
        XPath names an option.
        """
        found = self._named(xpath)
        if isinstance(found, Named) and found.option is not None:
            return Select(found.mark, found.option)
        return Click(found.mark if isinstance(found, Named) else found)

    def _choice(self, xpath: str) -> Action:
        found = self._named(xpath)
        if isinstance(found, Named) and found.option is not None:
            return Select(found.mark, found.option)
        written = _OPTION.fullmatch(xpath)
        if written is None:
            raise CallFailed('click_option takes the XPath of a select and /option[text()="..."]')
        return Select(self._target(written[1]), written[3])

    def _target(self, xpath: str) -> Target:
        found = self._named(xpath)
        return found.mark if isinstance(found, Named) else found

    def _named(self, xpath: str) -> Named | str:
        """Return the element that an XPath names, with its id on the current page; the XPath itself
        if only the browser can resolve it.
        """
        _check(xpath)
        named = [found for shown in self._states if (found := shown.find(xpath))]
        for each in named:
            now = counterpart(each.mark, self._seen, self.now)
            if now is not None:
                return Named(now, each.option)
        if marked := _MARK.search(xpath):
            raise CallFailed(_missing(int(marked[1]), bool(named)))
        later = self.now is not self._seen and ShownState(state.render(self.now)).find(xpath)
        return later or xpath


def _check(xpath: str) -> None:
    if not is_path(xpath):
        raise CallFailed(f"{xpath[:60]!r} is no XPath; it begins with / or (")
    try:
        check(xpath)
    except Refused as refused:
        raise CallFailed(str(refused)) from None


def _missing(mark: int, was_there: bool) -> str:
    if was_there:
        return f"the element with data-id {mark} is no longer there"
    return f"there is no element with data-id {mark}"


def _typed(characters: str) -> Iterator[Action]:
    first, *others = characters.split("\n")
    if first:
        yield KeyboardType(first)
    for line in others:
        yield Press("Enter")
        if line:
            yield KeyboardType(line)


def _key(name: str) -> str:
    bare = name.lower().removeprefix(_COMMAND)
    if bare not in _KEYS:
        raise CallFailed(f"there is no key {name[:40]!r}; there are {', '.join(_KEYS)}")
    return ("Control+" if bare != name.lower() else "") + _KEYS[bare]
