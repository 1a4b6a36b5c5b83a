"""Score a visit to a declared site as WebArena's own checks would (Zhou et al. 2024, section 3.2).

They look at less than our rule does:

- `string_match` with `must_include`: each wanted text occurs in the answer. The rest of the answer
  does not count, and nobody asks which pages the visit showed.
- `url_match`: the page at the end is the wanted one, with the wanted arguments. It may have others.
- `program_html`: the wanted rows, or the wanted fields of a draft, are there. Other changes are not
  looked for.
"""

from __future__ import annotations

import re

from evaluators.scoring.declared_visit import Visit


def required(kind: str, text: str) -> list[str]:
    """Return the texts that `must_include` looks for in an answer.

    Args:
        kind: The kind of the answer (`agent.interface.AnswerSchema`). The items of a list are
            compared one by one, and their order does not count.
        text: The right answer.
    """
    return [each.strip() for each in text.split(",")] if kind == "list" else [text]


def hold(visit: Visit) -> bool:
    """Return whether all of WebArena's checks hold at the end of a visit."""
    return all((_string_match(visit), _url_match(visit), _program_html(visit)))


def _string_match(visit: Visit) -> bool:
    asked, answer = visit.asked, visit.answer.casefold()
    if asked is None:
        return True
    wanted = [each.casefold() for each in required(asked.kind, asked.text)]
    if len(wanted) == 1 and len(wanted[0]) == 1:  # else a 1 would occur in any 10
        return wanted[0] in re.findall(r"\w+", answer)
    return all(each in answer for each in wanted)


def _url_match(visit: Visit) -> bool:
    if visit.gold.end is None:
        return True
    page, args = visit.pages[-1] if visit.pages else ("", {})
    return page == visit.gold.end.page and dict(visit.gold.end.args).items() <= args.items()


def _program_html(visit: Visit) -> bool:
    made = any({*end.changes} <= end.read_as(visit.changes) for end in visit.gold.ends)
    return made and (
        visit.gold.draft is None or visit.wanted_draft.items() <= visit.drafted.items()
    )
