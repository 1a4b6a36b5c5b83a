r"""Quotes texts of a page on one line, so that no page can forge a line of a rendering.

A quoted text stands between two equal quotation marks. Inside, `\` begins an escape. Line ends,
other control characters and lone surrogates are always escaped, all other characters only if
needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

UNPRINTABLE = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
"""Characters, as part of a regular expression's character class, that could end a line or cannot be
sent as UTF-8.
"""

QUOTED = r"""(?:'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")"""
LISTED = rf"\[(?:{QUOTED}(?:, {QUOTED})*)?\]"

_LETTERS = {"\n": "n", "\r": "r", "\t": "t", "\\": "\\"}
_CHARACTERS = {letter: character for character, letter in _LETTERS.items()}
_SPECIAL = re.compile(rf"[\\{UNPRINTABLE}]")
_SPECIAL_OR_QUOTE = re.compile(rf"['\\{UNPRINTABLE}]")
_ESCAPE = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|([\\nrt'"\[\]]))""")
_QUOTED = re.compile(QUOTED)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_ATTRIBUTE = re.compile(rf" ([a-z_]+)(?:=({QUOTED}|{LISTED}|[0-9]+))?")


class UnreadableLine(ValueError):
    """The error for a line that the rendering's `render` never writes, so `parse` cannot
    read it.
    """

    def __init__(self, line: str) -> None:
        short = line if len(line) <= 200 else f"{line[:200]}..."
        super().__init__(f"{short!r} is no line of this rendering; give what render() returned")


def matched(pattern: re.Pattern[str], line: str) -> re.Match[str]:
    """Return the match of a pattern with a whole line. Raises `UnreadableLine` if it does not
    match.
    """
    match = pattern.fullmatch(line)
    if match is None:
        raise UnreadableLine(line)
    return match


def escape(text: str) -> str:
    """Return the text on one line, with backslashes doubled and unprintable characters escaped."""
    return _SPECIAL.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    character = match[0]
    letter = _LETTERS.get(character)
    return f"\\{letter}" if letter else f"\\u{ord(character):04x}"


def unescape(text: str) -> str:
    """Undo `escape`, and remove a backslash before a quote or bracket; other backslashes stay."""
    return _ESCAPE.sub(_meant, text) if "\\" in text else text


def _meant(match: re.Match[str]) -> str:
    code, letter = match.groups()
    return chr(int(code, 16)) if code else _CHARACTERS.get(letter, letter)


def quote(text: str) -> str:
    """Return the text in single quotes, or in double quotes if that saves escapes."""
    if not _SPECIAL_OR_QUOTE.search(text):
        return f"'{text}'"
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + escape(text).replace(mark, f"\\{mark}") + mark


def unquote(quoted: str) -> str:
    """Return the original text of a quoted text."""
    return unescape(quoted[1:-1])


def word(text: str) -> str:
    """Return a name such as a role: unchanged if it is a plain word, else quoted."""
    return text if _WORD.fullmatch(text) else quote(text)


def unword(written: str) -> str:
    """Return the name that `word` has written."""
    return unquote(written) if written[0] in "'\"" else written


def listed(texts: Iterable[str]) -> str:
    """Return the texts, each quoted, as a list in square brackets."""
    return f"[{', '.join(map(quote, texts))}]"


def unlisted(written: str) -> tuple[str, ...]:
    """Return the original texts of a list that `listed` has written."""
    return tuple(map(unquote, _QUOTED.findall(written)))


def attributes(written: str) -> dict[str, str]:
    """Return the attributes in a text such as ` key='value' number=3 flag`, as a dict from key to
    value as written.

    Raises:
        UnreadableLine: The text is not a list of attributes.
    """
    found = {}
    end = 0
    for match in _ATTRIBUTE.finditer(written):
        if match.start() != end:
            break
        found[match[1]] = match[2] or ""
        end = match.end()
    if end != len(written):
        raise UnreadableLine(written)
    return found
