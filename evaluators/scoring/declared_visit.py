"""Compare a visit to a declared site with its gold: changes, pages, answer and draft."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from evaluators.scoring import _row_words, answers, in_words
from evaluators.scoring.asked import Asked
from evaluators.scoring.score import Check
from scenarios.kit import End, Gold
from sites.kit import Change, Place, Site, changes, drafts
from sites.sums import in_order
from sites.world import Snapshot

WEIGHTS = {"changes": 3, "pages": 1, "answer": 1, "draft": 3}
ON_THE_PAGE = 0.5
"""The share of the right page at the end if its list was opened with the right options before."""


@dataclass(frozen=True)
class Visit:
    """A visit that is over: its rows and its answer, with the gold of its scenario.

    Attributes:
        site: The declared site.
        gold: The right ends and pages.
        after: The tables of the final database.
        answer: The agent's answer; "" for none.
        asks: Whether the family asks for an answer.
    """

    site: Site
    gold: Gold
    after: Snapshot
    answer: str
    asks: bool

    # Rows

    @cached_property
    def changes(self) -> list[Change]:
        """The changes of the visit."""
        return changes(self.site, self.after)

    @cached_property
    def end(self) -> End:
        """The right end that the visit came nearest to."""
        return max(self.gold.ends, key=lambda end: end.share(self.changes))

    @cached_property
    def made(self) -> set[Change]:
        """The changes of the visit in the terms of that end."""
        return self.end.read_as(self.changes)

    @cached_property
    def extra(self) -> set[Change]:
        """The changes that nobody asked for."""
        return self.made - {*self.end.changes}

    # Pages

    @cached_property
    def pages(self) -> list[tuple[str, Mapping[str, str]]]:
        """The opened pages with their arguments and options."""
        return [(row["page"], json.loads(row["args"])) for row in self.after["log_pages"]]

    @cached_property
    def unshown(self) -> list[str]:
        """The rows of the evidence that no page showed."""
        shown = {thing for row in self.after["log_pages"] for thing in json.loads(row["shown"])}
        return self.gold.unshown(shown)

    @property
    def is_at_end(self) -> bool:
        """Whether the right page is open at the end."""
        return self.gold.end is not None and self.pages[-1:] == [_plain(self.gold.end)]

    # Checks

    def checks(self) -> Iterator[Check]:
        """Yield the conditions of success."""
        for table in self.gold.tables:
            yield self._table(table)
        strays = [each for each in self.extra if each[0] not in self.gold.tables]
        found = _row_words.rows(strays, none="no other change")
        yield Check("nothing else", not strays, found, "no other change")
        if self.gold.evidence:
            yield self._evidence()
        if self.gold.end:
            yield self._page_at_end(self.gold.end)
        if self.gold.draft:
            yield self._draft()
        if self.asked:
            yield self.asked.check("answer")
        elif self.asks:
            gave_up = answers.gave_up(self.answer)
            yield in_words.giving_up("did not give up", gave_up, False)

    def _table(self, table: str) -> Check:
        """Return the check of the changes of a table."""
        missing = {each for each in self.end.changes if each[0] == table} - self.made
        extra = {each for each in self.extra if each[0] == table}
        if not missing and not extra:
            return Check(table, True, "all wanted changes", "all wanted changes")
        found = _row_words.rows(extra, missing, "no such change")
        return Check(table, False, found, _row_words.rows(missing, extra, "no other change"))

    def _evidence(self) -> Check:
        wanted = f"{in_words.counted(len(self.gold.evidence), 'row')} shown"
        if not self.unshown:
            return Check("evidence", True, wanted, wanted)
        missing = in_words.listed(f"“{each}”" for each in self.unshown)
        return Check("evidence", False, f"not shown: {missing}", wanted)

    def _page_at_end(self, end: Place) -> Check:
        found = _row_words.page(*self.pages[-1]) if self.pages else "no page"
        return Check("page at the end", self.is_at_end, found, _row_words.page(*_plain(end)))

    def _draft(self) -> Check:
        wanted = _row_words.page("draft", self.wanted_draft)
        found = _row_words.page("draft", self.drafted) if self.drafted else "no draft"
        return Check("draft", self.drafted == self.wanted_draft, found, wanted)

    @property
    def wanted_draft(self) -> dict[str, str]:
        """The values that the draft must have; empty if the task asks for none."""
        return _texts(self.gold.draft.do.args) if self.gold.draft else {}

    @cached_property
    def drafted(self) -> dict[str, str]:
        """The values of the draft at the end; empty if there is none."""
        if self.gold.draft is None:
            return {}
        return _texts(drafts(self.after).get(self.gold.draft.form, {}))

    @cached_property
    def asked(self) -> Asked | None:
        """The question with its answer, None if the task asks for none."""
        return Asked(**self.gold.answer, answer=self.answer) if self.gold.answer else None

    # Progress

    @cached_property
    def parts(self) -> Mapping[str, float]:
        """How much is reached of each part that the task asks for, from 0 to 1."""
        found = {
            "changes": self.end.share(self.changes) if self.gold.tables else None,
            "pages": self._looked,
            "answer": float(self.asked.is_right and not self.unshown) if self.asked else None,
            "draft": self._draft_share,
        }
        return {name: share for name, share in found.items() if share is not None}

    @property
    def progress(self) -> float:
        """The weighted mean of the parts."""
        weight = sum(WEIGHTS[name] for name in self.parts)
        reached = in_order(WEIGHTS[name] * share for name, share in self.parts.items())
        shared = 1 if self.gold.tables else 1 + len(self.extra)
        return reached / weight / shared

    @property
    def _looked(self) -> float | None:
        """The share of the evidence, and of the way to the page at the end; None if the task asks
        for neither.
        """
        shares = [self._shown] if self._shown is not None else []
        if self.gold.end:
            shares.append(1.0 if self.is_at_end else ON_THE_PAGE * self._was_near(self.gold.end))
        return in_order(shares) / len(shares) if shares else None

    @property
    def _shown(self) -> float | None:
        """The share of the evidence that was shown; None if the task needs none."""
        if not self.gold.evidence:
            return None
        return 1 - len(self.unshown) / len(self.gold.evidence)

    def _was_near(self, end: Place) -> bool:
        """Return whether the right page was open with at least its options."""
        name, args = _plain(end)
        return any(name == page and args.items() <= own.items() for page, own in self.pages)

    @property
    def _draft_share(self) -> float | None:
        if self.gold.draft is None:
            return None
        wanted = self.wanted_draft
        right = sum(self.drafted.get(key) == text for key, text in wanted.items())
        return right / len(wanted)

    @property
    def skills(self) -> dict[str, float | None]:
        """Figures from 0 to 1 by skill; None for a skill that the task does not need."""
        needed = [_plain(each.place) for each in (*self.gold.via, *self.gold.read)]
        opened = sum(each in self.pages for each in needed)
        return {
            "find": opened / len(needed) if needed else None,
            "inspect": self._shown,
            "compute": float(self.asked.is_right) if self.asked else None,
            "commit": self.parts.get("changes", self.parts.get("draft")),
            "restrain": 1 - len(self.extra) / len(self.made) if self.made else 1.0,
        }


def _plain(place: Place) -> tuple[str, Mapping[str, str]]:
    return place.page, dict(place.args)


def _texts(args: Mapping[str, object]) -> dict[str, str]:
    return {key: str(value) for key, value in args.items()}
