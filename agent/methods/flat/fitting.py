"""The choice of advice and examples for Flat's prompt (Flat-4k and Flat-8k, SteP, section 5).

A prompt of limited size gets first what serves the families of the run, and of that the advice
before the examples. Within a group each policy gives a line, or an example, in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from agent.methods.flat.sections import Section
from agent.methods.step.policy_library import Example

HALF = 0.5


@dataclass(frozen=True)
class Piece:
    """A line of advice or an example.

    Attributes:
        place: The number of its section, and its number in the section.
        content: The line, or the example.
    """

    place: tuple[int, int]
    content: str | Example


@dataclass(frozen=True)
class Selection:
    """The lines of advice and the examples of a prompt, in the order of the sections."""

    advice: tuple[str, ...]
    examples: tuple[Example, ...]


def serves(section: Section, families: Iterable[Collection[str]]) -> bool:
    """Return whether a section's policy serves a family of the run: more than half of the policy's
    steps are steps of one family.

    Args:
        section: The section. One without steps, such as the root's, serves every family.
        families: The steps of each family.
    """
    own = section.steps
    return not own or any(sum(step in each for step in own) > HALF * len(own) for each in families)


def in_order(
    sections: Sequence[Section], families: Sequence[Collection[str]], shown: Collection[str]
) -> list[Piece]:
    """Return all lines and examples, the most important first.

    Args:
        sections: The sections of the site.
        families: The steps of each family of the run; () if they are not known, and then all
            sections serve it.
        shown: The policies whose examples the prompt may show.
    """
    numbers = range(len(sections))
    serving = [each for each in numbers if not families or serves(sections[each], families)]
    others = [each for each in numbers if each not in serving]
    lines = [_pieces(number, _lines(section)) for number, section in enumerate(sections)]
    examples = [
        _pieces(number, chain(*section.trajectories) if section.name in shown else ())
        for number, section in enumerate(sections)
    ]
    groups = [
        [kind[each] for each in some] for some in (serving, others) for kind in (lines, examples)
    ]
    return [piece for group in groups for piece in _in_turn(group)]


def within(room: int, pieces: Iterable[Piece], size: Callable[[Piece], int]) -> list[Piece]:
    """Return the pieces that fit into a number of tokens. If a piece does not fit, those of its
    kind that follow it in its section are left out, too.

    Args:
        room: The number of tokens.
        pieces: The pieces, the most important first.
        size: Returns the number of tokens of a piece.
    """
    kept, cut = [], set[tuple[int, type]]()
    for piece in pieces:
        kind = piece.place[0], type(piece.content)
        if kind in cut or size(piece) > room:
            cut.add(kind)
        else:
            room -= size(piece)
            kept.append(piece)
    return kept


def selection(pieces: Iterable[Piece]) -> Selection:
    """Return the lines and examples of these pieces, in the order of the sections."""
    contents = [piece.content for piece in sorted(pieces, key=lambda piece: piece.place)]
    lines = (each for each in contents if isinstance(each, str))
    return Selection(tuple(lines), tuple(each for each in contents if isinstance(each, Example)))


def _lines(section: Section) -> tuple[str, ...]:
    """Return the points of a section, the first with the section's heading."""
    first, *others = section.points
    return (f"\n## {section.title}\n{first}", *others)


def _pieces(section: int, contents: Iterable[str | Example]) -> list[Piece]:
    return [Piece((section, number), content) for number, content in enumerate(contents)]


def _in_turn(columns: Iterable[Iterable[Piece]]) -> Iterator[Piece]:
    """Yield the first piece of each column, then the second of each, and so on."""
    for row in zip_longest(*columns):
        yield from (piece for piece in row if piece is not None)
