"""The store's rows and journal lines in words, as a check shows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from evaluators.scoring import in_words
from evaluators.scoring.evidence import Evidence, Fits, JournalLine, fits, missing
from evaluators.scoring.score import Check
from sites.store import StoreData
from sites.store.account.account import Address
from sites.world import Row, Snapshot

_NAMED: Mapping[str, tuple[str, str, str]] = {
    "address": ("addresses", "id", "street"),
    "message": ("inbox", "id", "subject"),
    "subscription": ("subscriptions", "id", "asin"),
}
"""The pages about a row that no page numbers: its table, its key and the column that shows it."""
_NUMBERED = ("order", "return", "receipt")
"""The pages whose number is that of an order; other pages count."""
_ORDERS = {"asc": "ascending", "desc": "descending"}


@dataclass(frozen=True)
class Words:
    """Writes what a visit did in words; `after` is its final world."""

    data: StoreData
    after: Snapshot

    def product(self, asin: str) -> str:
        """Return a product's name and its number, or the number of an unknown product."""
        found = self.data.with_product(asin).product(asin)
        return f"{found.name} ({asin})" if found else asin

    def products(self, asins: Iterable[str]) -> str:
        """Return the names of products, or "nothing"."""
        return in_words.listed(map(self.product, asins))

    def purchases(self, bought: Sequence[Row]) -> Check:
        """Return the check that one product was bought."""
        found = in_words.counted(len(bought), "purchase")
        if bought:
            found += f": {self.products(row['asin'] for row in bought)}"
        return Check("one purchase", len(bought) == 1, found, "1 purchase")

    def line(self, asin: str, chosen: Mapping[str, str], quantity: int) -> str:
        """Return a line of an order."""
        options = f", {in_words.options(chosen)}" if chosen else ""
        return f"{quantity} × {self.product(asin)}{options}"

    def opened(self, wanted: Evidence, matches: Fits = fits) -> Check:
        """Return the check that the pages of a gold were opened."""
        left = dict.fromkeys(map(self.page, missing(wanted, self.after, matches)))
        pages = dict.fromkeys(self.page(accepted[0]) for accepted in wanted)
        found = f"not opened: {in_words.listed(left)}" if left else in_words.listed(pages)
        return Check("pages opened", not left, found, in_words.listed(pages))

    def page(self, line: JournalLine) -> str:
        """Return the page of a journal line, in words."""
        return ", ".join(self._parts(line)) or "any page"

    def _parts(self, line: JournalLine) -> Iterator[str]:
        page, number = str(line.get("page", "")), line.get("number")
        if page in _NAMED and number is not None:
            yield f"{page} {self._row(page, number)}"
        elif page in _NUMBERED and number is not None:
            yield f"{page} {number}"
        else:
            yield page
        if line.get("asin"):
            yield self.product(line["asin"])
        yield from _choices(line.get("options"))
        if "narrowed" in line:
            yield f"narrowed by {line['narrowed']}"
        if number is not None and page not in (*_NAMED, *_NUMBERED):
            yield f"page {number}"

    def _row(self, page: str, number: int) -> str:
        table, key, column = _NAMED[page]
        rows = [row for row in self.after.get(table, []) if row[key] == number]
        text = str(rows[0][column]) if rows else "that is gone"
        return self.product(text) if column == "asin" else text


def _choices(options: Any) -> Iterator[str]:
    """Yield the options of a page in words; in the journal they are JSON."""
    chosen = json.loads(options or "{}") if isinstance(options, str) else options or {}
    for kind, value in sorted(chosen.items()):
        yield f"{kind}: {_ORDERS.get(str(value), value)}"


def address(row: Mapping[str, str]) -> str:
    """Return a postal address in one line."""
    parts = (str(row.get(each.name, "")) for each in fields(Address))
    return ", ".join(filter(None, parts)) or "no address"


def options(row: Row) -> str:
    """Return the options of a row, which holds them as JSON."""
    return in_words.options(json.loads(row["options"]))
