"""Separates a reply's answer from the model's reasoning ("thought"), by the marks of model
families.

Servers should return reasoning in a field of its own, but many leave it in the text. Only `split`
reads these marks; docs/thought.md lists them with their sources. A mark inside the brackets or
quotes of an argument is an ordinary word, so `type [3] [</think>]` stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

MOST_MARKS = 10_000  # of a text; the text after the last stays unchanged
WINDOW = 400  # characters before and after a mark that are searched for brackets and quotes


@dataclass(frozen=True)
class Mark:
    """The patterns with which a model family opens and closes its reasoning.

    `unopened` says whether the closing mark counts without an opening mark, which some servers
    remove.
    """

    opens: str
    closes: str
    unopened: bool = True


_NAME = (
    r"(?:\w{1,20}[:_])?(?i:think|thinking|thoughts?|reason|reasoning|reflection|scratchpad|analysis"
    r"|monologue|deliberation|cot)"
    r"(?:_\w{1,10})?"
)
THOUGHTS = (
    Mark(rf"<{_NAME}(?:\s[^<>\n]{{0,60}})?>", rf"</\s?{_NAME}\s?>"),
    Mark(r"\[THINK\]", r"\[/THINK\]"),
    Mark(r"◁think▷", r"◁/think▷"),
    Mark(r"<\|begin_of_thought\|>", r"<\|end_of_thought\|>"),
    Mark(r"<\|START_THINKING\|>", r"<\|END_THINKING\|>"),
    Mark(r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    Mark(r"<\|channel>(?:thought)?", r"<channel\|>"),
    Mark(r"<\|open\|>think<\|sep\|>", r"<\|close\|>think<\|sep\|>"),
    Mark(r"<unused94>(?:thought)?", r"<unused95>"),
    Mark(r'<details type="reasoning"[^<>\n]{0,200}>', r"</details>", unopened=False),
    Mark(r"\A\s*Thinking\.\.\.\n", r"\.\.\.done thinking\."),
    Mark(r"\[unused16\]", r"\[unused17\]"),
    Mark(r"\A\s*analysis(?=[A-Z])", r"assistantfinal"),
    Mark(
        r"\A\s*Here(?:'s| is) my thought process:", r"Here(?:'s| is) my response:", unopened=False
    ),
)
_SPOKEN_NAME = r"(?:answer|final_answer|response)"
_SPOKEN_OPENS = (
    rf"<{_SPOKEN_NAME}>|<\|open\|>response<\|sep\|>|<\|begin_of_(?:solution|box)\|>"
    r"|<\|START_(?:RESPONSE|TEXT)\|>"
)
_SPOKEN_CLOSES = (
    rf"</{_SPOKEN_NAME}>|<\|close\|>response<\|sep\|>|<\|end_of_(?:solution|box)\|>"
    r"|<\|END_(?:RESPONSE|TEXT)\|>"
)
_CALL_OPENS = (
    r"<tool_call>|<function=|<function_calls>|<\w+:tool_call>|<\|tool_calls?_section_begin\|>"
    r"|<\|tool_call>|<｜tool▁calls▁begin｜>|\[TOOL_CALLS\]|<\|START_ACTION\|>"
    r"|assistantcommentary(?= to=)"
)
_OPENS, _CLOSES, _SPOKEN, _SHUT, _CALL = "opens", "closes", "spoken", "shut", "call"
_MARKS = re.compile(
    "|".join(
        [
            *(f"(?P<{_OPENS}{at}>{mark.opens})" for at, mark in enumerate(THOUGHTS)),
            *(f"(?P<{_CLOSES}{at}>{mark.closes})" for at, mark in enumerate(THOUGHTS)),
            f"(?P<{_SPOKEN}>{_SPOKEN_OPENS})",
            f"(?P<{_SHUT}>{_SPOKEN_CLOSES})",
            f"(?P<{_CALL}>{_CALL_OPENS})",
        ]
    )
)
_CHANNELS = re.compile(r"<\|(start|channel|message|constrain|end|return|call)\|>")
_RECIPIENT = re.compile(r"\bto=([\w.-]+)")

_STARTS = (
    r"<s>|<bos>|\[BOS\]|<\|begin_of_text\|>|<\|im_start\|>\s*(?:assistant)?|<\|assistant\|>"
    r"|<\|start_header_id\|>\s*assistant\s*<\|end_header_id\|>|<start_of_turn>\s*(?:model)?"
    r"|<\|turn>\s*(?:model)?|<｜[^｜<>\n]{0,20}[Bb]egin[^｜<>\n]{0,20}｜>|<｜Assistant｜>|<\|start\|>\s*assistant"
    r"|(?:final)?<\|message\|>"
)
_ENDS = (
    r"</s>|<eos>|\[EOS\]|\[EOT\]|\[/?INST\]|<end_of_turn>|<start_of_turn>|<turn\|>|<end_of_utterance>"
    r"|<\|close\|>message<\|sep\|>|<\|[A-Za-z][\w ]{0,40}\|>|<｜[^｜<>\n]{1,40}｜>"
)
_TURNS = (
    r"<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|turn>|\[INST\]|<s>|<\|user\|>"
    r"|<\|observation\|>|<\|start\|>|<｜User｜>|(?i:user|human|observation)\s*:?\s*(?=\n)"
)
_START = re.compile(rf"\A\s*(?:(?:{_STARTS})\s*)+")
_END = re.compile(rf"(?:\s*(?:{_ENDS}))+\s*\Z")
_NEXT_TURN = re.compile(rf"(?:{_ENDS})\s*(?:{_TURNS})")


def split(text: str) -> tuple[str, str]:
    """Return the answer and the reasoning in a reply, in this order; "" if it contains no
    reasoning.

    A text without marks is returned unchanged. Tokens that begin or end a turn are removed: at the
    start, at the end, and together with any further turn that the model made up.
    """
    spoken, thought = _by_channels(text) or _by_marks(_begun(text))
    return _without_turns(spoken), thought


def _by_channels(text: str) -> tuple[str, str] | None:
    """Split a reply by the channels of gpt-oss into answer and reasoning: `final` is the answer, a
    function call stays as it is, and all other channels are reasoning.

    None if the text has no channels.
    """
    marks = list(_outside(_CHANNELS, text))
    if not any(mark[1] == "channel" for mark in marks):
        return None
    spoken, thoughts = list[str](), list[str]()
    for head, body in _messages(text, marks):
        recipient = _RECIPIENT.search(head)
        if recipient:
            spoken.append(f"<|channel|>commentary to={recipient[1]}<|message|>{body.strip()}")
        else:
            (spoken if "final" in head.split() else thoughts).append(body)
    return "\n".join(spoken), "\n".join(filter(str.strip, thoughts))


def _messages(text: str, marks: list[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Yield the messages of a text in gpt-oss's channel format, each as a pair of head and body
    (head "" outside of any message).
    """
    head, kind, place = "", "end", 0
    for mark in [*marks, None]:
        piece = text[place : mark.start() if mark else len(text)]
        if kind in ("start", "channel", "constrain"):
            head = f"{head} {piece}"
        else:
            yield head, piece
            head = ""
        kind, place = (mark[1], mark.end()) if mark else ("", place)


def _by_marks(text: str) -> tuple[str, str]:
    """Split a reply into answer and reasoning by the opening and closing marks of model families.

    Reasoning without an opening mark begins with the text. Reasoning without a closing mark ends at
    the first mark that opens an answer or a call, or else with the text.
    """
    marks = list(_outside(_MARKS, text))
    spoken, thoughts, place, at = list[str](), list[str](), 0, 0
    while at < len(marks):
        mark, kind = marks[at], str(marks[at].lastgroup)
        at += 1
        if kind == _CALL or not _counts(text, mark, marks[at:], place):
            continue
        spoken.append(text[place : mark.start()])
        place = mark.end()
        if kind.startswith(_CLOSES):
            thoughts, spoken = ["".join((*thoughts, *spoken))], []
        elif kind.startswith(_OPENS):
            at, end, following = _end_of_thought(text, marks, at)
            thoughts.append(text[place:end])
            place = following
    spoken.append(text[place:])
    if not thoughts:
        return "".join(spoken), ""
    return "".join(spoken).strip(), "\n".join(each.strip() for each in thoughts)


def _counts(text: str, mark: re.Match[str], later: list[re.Match[str]], place: int) -> bool:
    """Return whether a mark outside of reasoning really opens or closes reasoning, in the way of
    its model family.
    """
    kind = str(mark.lastgroup)
    if kind.startswith(_CLOSES):
        return THOUGHTS[int(kind.removeprefix(_CLOSES))].unopened
    if kind.startswith(_OPENS):
        closing = f"{_CLOSES}{kind.removeprefix(_OPENS)}"
        begins = not text[place : mark.start()].rpartition("\n")[2].strip()
        return begins or any(each.lastgroup == closing for each in later)
    return True


def _end_of_thought(text: str, marks: list[re.Match[str]], at: int) -> tuple[int, int, int]:
    """Return three numbers: the index of the next mark, the position at which the reasoning ends,
    and the position at which the text continues.
    """
    closing = f"{_CLOSES}{str(marks[at - 1].lastgroup).removeprefix(_OPENS)}"
    for number, mark in enumerate(marks[at:], start=at):
        if mark.lastgroup == closing:
            return number + 1, mark.start(), mark.end()
    for number, mark in enumerate(marks[at:], start=at):
        kind = str(mark.lastgroup)
        if kind.startswith(_CLOSES):
            return number + 1, mark.start(), mark.end()
        if kind == _CALL or (kind == _SPOKEN and _begins_line(text, mark)):
            return number, mark.start(), mark.start()
    return len(marks), len(text), len(text)


def _begins_line(text: str, mark: re.Match[str]) -> bool:
    """Return whether only blanks stand before the mark on its line."""
    return not text[: mark.start()].rpartition("\n")[2].strip()


def _without_turns(text: str) -> str:
    """Return the text without the tokens that surround a turn."""
    begun = _begun(text)
    if "<s>" in begun and "</s>" in begun:
        return text  # HTML: a text that is crossed out
    turn = next(_outside(_NEXT_TURN, begun), None)
    return _END.sub("", begun[: turn.start()].rstrip() if turn else begun)


def _begun(text: str) -> str:
    """Return the text without the tokens that begin a turn."""
    return text if "<s>" in text.lstrip()[1:] else _START.sub("", text)


# Marks that are words of an argument ---------------------------------------------------------


def _outside(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that are not inside brackets or quotes."""
    found = islice(pattern.finditer(text), MOST_MARKS)
    return (each for each in found if not _is_enclosed(text, each.start(), each.end()))


def _is_enclosed(text: str, start: int, end: int) -> bool:
    """Return whether brackets or quotes enclose the range."""
    before, behind = text[max(0, start - WINDOW) : start], text[end : end + WINDOW]
    line, rest = before.rpartition("\n")[2], behind.partition("\n")[0]
    return (
        any(_opened(before, *pair) and _closed(behind, *pair) for pair in ("[]", "{}"))
        or any(_opened(line, *pair) and _closed(rest, *pair) for pair in ("()", "“”"))
        or any(line.endswith(quote) and rest.startswith(quote) for quote in "'\"`")
    )


def _opened(text: str, opening: str, closing: str) -> bool:
    """Return whether the text has an opening bracket without its closing bracket."""
    depth = 0
    for sign in text:
        depth = max(0, depth + (sign == opening) - (sign == closing))
    return depth > 0


def _closed(text: str, opening: str, closing: str) -> bool:
    """Return whether the text has a closing bracket without its opening bracket."""
    return _opened(text[::-1], closing, opening)
