"""Finds the single action in a model's reply, in spite of common deviations from the grammar.

`agent.actions` has the grammar and is strict. This module converts a text in another form to the
grammar if it has only one interpretation: back-ticks around an action or inside a sentence,
`click(12)`, `click 12`, a comment or an explanation after the last bracket, an invented
observation with further actions behind it. A reply with two actions is refused.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from agent import actions, argument_names, reply_marks
from agent.actions import GRAMMAR, BadAction
from agent.interface import Action

_LABEL = re.compile(r"^\W*(?i:action)(?:\s+\d+)?\W*[:\uff1a][\s*]*", re.MULTILINE)
_INSIDE = re.compile(r"(?:\b|(?<=\\n))(?i:action)\s*[:\uff1a][\s*]*")
_PROSE = re.compile(
    r"\b(?i:the|my|this)\s+(?i:next|best|right|correct|following)\s+(?i:action|step|move)\b"
    r"[^.:\n`\[(]{0,60}?\s(?i:is|be|will be|would be)(?:\s+(?i:to))?\s*[:\uff1a]?\s*(?=[*`A-Za-z_])"
)
"""A pattern of the phrase with which a sentence of the published prompts announces an action, such
as "the next action is".
"""
_NEXT = re.compile(r"(?:\n|\\n)\W*(?i:thought|observation|reason|action|explanation)\b[^\n]{0,9}:")
_OBSERVED = re.compile(r"\n\W*(?i:observation)\s*[:\uff1a]")
_FENCED = re.compile(r"```(?:[a-z]+\n)?(.+?)```|`([^`\n]+)`", re.DOTALL)
_HEAD = re.compile(r"\s*([A-Za-z_]\w*)")
_NUMBER = r"\d{1,9}"
_WORDS = {
    "target": _NUMBER,
    "index": _NUMBER,
    "seconds": r"(?i:[\d.]+\s*(?:s|seconds?)?)",
    "direction": "(?i:up|down)",
    "keys": r"\w+(\+\w+)*",
    "url": r"https?://\S+|/\S*",
}
"""Patterns of arguments that may be written without brackets, by the field of the action; any other
argument may be a whole sentence.
"""
_LINE_END = re.compile(r"\s*(\n|\\n)")
_REASON = re.compile(
    r"#|//|--|[\u2013\u2014(]|[,;]?\s*(where|which|because|since|so|as|to|for|the)\b"
)
_CALLED = re.compile(r"\b([a-z_]+)\s*[\[(]\s*\S", re.IGNORECASE)
_MORE = re.compile(r"\b(?:then|and)\s+(?:I\s+|also\s+)?([a-z_]+)", re.IGNORECASE)
_QUOTED_NUMBER = re.compile(r"\s*(['\"])\d+\1")
_QUOTED = re.compile(r"""\s*(?:"([^"\n]*)"|'([^'\n]*)'|\u201c([^\u201d\n]*)\u201d)""")
_NAMED = re.compile(r"[a-z_]+\s*=")
_DESCRIPTION = re.compile(r"[a-z]+\s+(['\"]).*\1", re.DOTALL)
_SENTENCE = re.compile(r"[.;!]\s+|\n")
_MARKUP = "`* \t\r\n"
ARITIES = {name: len(verb.arguments) for name, verb in GRAMMAR.items()}


def behind_label(text: str) -> str | None:
    """Return the text after the first `Action:`, up to the next label; None without such a label.

    A label inside a line counts only if it is the only label.
    """
    found, inside = _LABEL.search(text), list(_INSIDE.finditer(text))
    label = found or (inside[0] if len(inside) == 1 else None)
    return _NEXT.split(text[label.end() :], maxsplit=1)[0].strip() if label else None


def _behind_prose(text: str, arities: Collection[str]) -> str | None:
    """Return the rest of the line after the phrase that announces an action ("the next action is");
    None unless there is exactly one such call.
    """
    announced = {
        text[each.end() :].partition("\n")[0].strip("* ") for each in _PROSE.finditer(text)
    }
    calls = [each for each in announced if _split(each)[0] in arities]
    return calls[0] if len(calls) == 1 else None


def read(text: str, offered: Collection[str]) -> Action:
    """Return the action in a model's reply. Raises `BadAction`, whose message lists only the
    offered verbs.
    """
    return actions.parse(call(text, offered))


def call(text: str, offered: Collection[str], arities: Mapping[str, int] = ARITIES) -> str:
    """Return the action or call in a model's reply, as text in the form of the grammar.

    Args:
        text: The reply.
        offered: The verbs or calls that an error lists.
        arities: The names that may begin a call, each with its largest number of arguments.

    Raises:
        BadAction: The reply is no call, or may be several calls.
    """
    if len(text) > actions.LONGEST:
        raise BadAction(
            text, f"it is longer than {actions.LONGEST} characters; write a shorter one"
        )
    text = _before_observation(text, arities)
    behind = behind_label(text)
    if behind is None and _split(text)[0] not in arities:
        behind = _behind_prose(text, arities)
    written = text.strip() if behind is None else behind
    reader = _Reader(reply_marks.grammar_brackets(written), behind is not None, arities)
    name, rest = reader.head()
    if name not in arities and (called := reply_marks.called(text, arities)):
        return called
    if name not in arities:
        label = "; write `Action:` and one of them" if behind is None else ""
        raise BadAction(written, f"it begins with none of {', '.join(offered)}{label}")
    return reader.call(name, rest)


def _before_observation(text: str, arities: Collection[str]) -> str:
    """Return a reply without the page that a model invents behind its action, and without all that
    follows there.
    """
    head, *invented = _OBSERVED.split(text, maxsplit=1)
    is_call = behind_label(head) is not None or _split(head)[0] in arities
    return head if invented and is_call else text


@dataclass(frozen=True)
class _Reader:
    """A parser for a text that contains a call, such as an action.

    If the text is `labelled`, lines after the first are no part of the action.
    """

    text: str
    labelled: bool
    arities: Mapping[str, int]

    def head(self) -> tuple[str, str]:
        """Return the name that begins the text, or that begins the only call between back-ticks,
        and the rest of the text.
        """
        name, rest = _split(self.text)
        if name not in self.arities or ("`" in rest and not rest.lstrip().startswith(("[", "("))):
            quoted = {(one or other).strip() for one, other in _FENCED.findall(self.text)}
            calls = [each for each in quoted if _split(each)[0] in self.arities]
            if len(calls) == 1:
                return _split(calls[0])
        return (name, rest) if name in self.arities else _split(reply_marks.unmarked(self.text))

    def call(self, name: str, rest: str) -> str:
        """Return the call as text, the name with its arguments in brackets, from the text after the
        name.
        """
        rest = rest.rstrip(_MARKUP).removesuffix(".").rstrip(_MARKUP)
        rest = re.sub(r"\A\s*:\s*(?=[\[(])", " ", rest)
        if rest.lstrip().startswith("("):
            return self._from_parentheses(name, rest.lstrip())
        if rest.lstrip().startswith("["):
            return self._from_brackets(name, rest)
        line, *below = re.split(r"\n|\\n|\s#\s|\s//\s", rest, maxsplit=1)
        line = line.strip()
        if below and not self.is_explanation(f"\n{below[0]}"):
            raise self._outside(below[0])
        word = self._unnamed(name, [line])[0]
        if self._is_word(name, word):
            return f"{name} [{word}]"
        explained = line.startswith(tuple("#/,;(")) and self.is_explanation(line)
        return f"{name} {'' if explained else line}".strip()

    def _is_word(self, name: str, argument: str) -> bool:
        """Return whether the argument can stand without brackets, as the verb's only argument."""
        single = name in GRAMMAR and self.arities[name] == 1
        pattern = _WORDS.get(GRAMMAR[name].arguments[0].field) if single else None
        return bool(pattern and re.fullmatch(pattern, argument))

    def _from_brackets(self, name: str, rest: str) -> str:
        """Return the call with its arguments in brackets, without an explanation after the last
        bracket.
        """
        try:
            arguments, tail = self._quoted(name, *actions.split(rest))
        except BadAction as error:
            raise BadAction(self.text, error.why) from None
        if not (self.is_explanation(tail) or _DESCRIPTION.fullmatch(tail.strip())):
            raise self._outside(tail)
        arguments = self._without_description(name, self._unnamed(name, arguments))
        if name not in GRAMMAR and self.arities[name] == 1 and len(arguments) > 1:
            arguments = [", ".join(arguments)]  # the model has put each value in its own brackets
        return " ".join((name, *(f"[{each}]" for each in arguments)))

    @staticmethod
    def _quoted(name: str, arguments: list[str], tail: str) -> tuple[list[str], str]:
        """Return the arguments and the rest of the text. If the verb needs another argument, a text
        in quotation marks is one: `type [1] "red"`.
        """
        wants = name in GRAMMAR and 0 < len(arguments) < GRAMMAR[name].needed
        found = _QUOTED.match(tail) if wants else None
        if not found:
            return arguments, tail
        text = next(each for each in found.groups() if each is not None)
        more, rest = actions.split(tail[found.end() :])
        return [*arguments, actions.bracketed(text), *more], rest

    def _unnamed(self, name: str, arguments: list[str]) -> list[str]:
        """Return the arguments without their names: `[direction=down]` as `[down]`."""
        if name not in GRAMMAR:
            return arguments
        try:
            return argument_names.left_out(GRAMMAR[name], arguments)
        except ValueError as error:
            raise BadAction(self.text, str(error)) from None

    @staticmethod
    def _without_description(name: str, arguments: list[str]) -> list[str]:
        """Return the arguments without a description that follows an element's number, as in `[7]
        [button 'Buy']`.
        """
        single = name in GRAMMAR and GRAMMAR[name].takes_target and ARITIES[name] == 1
        number, *others = arguments or [""]
        described = single and number.strip().isdecimal()
        return [number] if described and not any(map(str.isdecimal, others)) else arguments

    def _from_parentheses(self, name: str, rest: str) -> str:
        """Return a call written as `name(a, "b")` in the form of the grammar, `name [a] [b]`."""
        end = _closing(rest)
        if not self.is_explanation(rest[end:]):
            raise self._outside(rest[end:])
        inner = rest[1 : end - 1].strip()
        takes_target = name in GRAMMAR and GRAMMAR[name].takes_target
        unclear = takes_target and _QUOTED_NUMBER.match(inner)
        parts = [_bare(inner)] if self.arities[name] == 1 else _parts(inner)
        if not end or unclear or any(_NAMED.match(each) for each in parts):
            raise BadAction(self.text, "write its arguments in square brackets")
        return " ".join((name, *(f"[{actions.bracketed(each)}]" for each in parts if inner)))

    def is_explanation(self, tail: str) -> bool:
        """Return whether a text after an action explains it and contains no second action."""
        bare = tail.strip("`* \t\r\n.")
        below = bool(_LINE_END.match(tail))
        if not bare or (below and self.labelled):
            return True
        others = {each.lower() for each in (*_CALLED.findall(bare), *_MORE.findall(bare))}
        begun = {_split(each)[0] for each in _SENTENCE.split(bare)}
        explains = below or bool(_REASON.match(bare))
        if _SENTENCE.match(tail.lstrip("`* ")) and not begun & self.arities.keys():
            explains = True
        return explains and not others & self.arities.keys() and not _NAMED.search(bare)

    def _outside(self, tail: str) -> BadAction:
        begun = {_split(line)[0] for line in tail.splitlines()}
        if "\n" in self.text and begun & self.arities.keys():
            return BadAction(self.text, "it has several actions; write one, the next")
        return BadAction(
            self.text, f"{tail.strip()[:40]!r} stands outside the brackets; leave it out"
        )


def _split(text: str) -> tuple[str, str]:
    """Return the first word of a text in lower case, and the rest of the text."""
    found = _HEAD.match(text)
    return (found[1].lower(), text[found.end() :]) if found else ("", text)


def _closing(text: str) -> int:
    """Return the index after the parenthesis that closes the first parenthesis; 0 if none does."""
    depth = 0
    for place, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if not depth:
            return place + 1
    return 0


def _parts(inner: str) -> list[str]:
    """Return the texts between commas; commas in quotes do not separate."""
    quote = '"' if '"' in inner else "'"
    return next(csv.reader([inner], skipinitialspace=True, quotechar=quote), [])


def _bare(text: str) -> str:
    """Return the text without the quotation marks around it."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text
