"""The rows of the level-2 desk in words: which row, and its values as the desk's pages write them.

A key is written by its table's sentence in `_ROWS`; a row of the start has the columns of `KEYS`,
and a new row those of `NAMED`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from evaluators.scoring import in_words
from sites.crm.base.row_changes import GONE, KEYS, Change, Rows
from sites.crm.base.row_names import NAMED, NEW

Place = tuple[str, str, str]
"""Table, key and column."""
_AGAIN = re.compile(r"(.*) \((\d+)\)")
_PAGES = re.compile(r" ?(\d+)/(\d+)$")
NOT_MADE = "not made"
_ROWS: Mapping[str, str] = {
    "customers": "customer {name}",
    "bookings": "{booking}",
    "segments": "{direction} flight {place} of {booking}",
    "passengers": "{name} in {booking}",
    "seats": "seat of {passenger} on {flight}, {date}, in {booking}",
    "bags": "{direction} bags of {passenger} in {booking}",
    "payments": "payment by {method} {source} for {booking}",
    "refunds": "refund of the {payment} for {booking}",
    "vouchers": "voucher {code}",
    "fees": "{kind} fee of {passenger} in {booking}",
    "notes": "{code} note on {booking}",
    "checkins": "check-in of {passenger} for {flight}, {date}, in {booking}",
    "waiting": "{booking} on the waiting list of {flight}, {date}",
    "tickets": "ticket {number}",
    "terms": "charged and not paid for {booking}",
    "coupons": "flight {flight}, {date}, of {booking}",
    "replies": "mail to {address} on ticket {ticket}",
    "payouts": "{kind} payout for {booking}",
    "flags": "flag on line {line} of the history of {booking}",
    "escorts": "{passenger} as escort on {flight}, {date}, in {booking}",
}
_BARE = ("flight", "date", "brand", "seat", "pieces", "amount", "balance", "status", "day", "time")
"""The columns whose values speak for themselves, in the order in which they are written."""
_NAMES = ("first_name", "last_name")
_OF_SEVERAL_PARTS = ("passenger", "payment", "last_name", "customer", "source", "address")
"""The columns whose value in a key can itself have slashes."""
_MONEY = ("amount", "balance")
_WORDS: Mapping[str, str] = {"brand": "brand-{}", "outcome": "outcome-{}"}
"""The columns whose values the airline has words for."""


@dataclass(frozen=True)
class RowWords:
    """Writes changes between two sets of rows in words.

    Attributes:
        old: The rows of the start.
        new: The rows of the end.
        words: The airline's texts by key, {} to write the values of the rows.
    """

    old: Rows
    new: Rows
    words: Mapping[str, str]

    def sides(self, wanted: Collection[Change], made: Collection[Change]) -> tuple[str, str]:
        """Return what was found and wanted at every place of these changes."""
        places = sorted({change[:3] for change in (*wanted, *made)}, key=_order)
        right, own = (
            {change[:3]: change[3] for change in sorted(each, key=repr)} for each in (wanted, made)
        )
        return self._rows(places, own, self.new), self._rows(places, right, self.old)

    def _rows(self, places: Iterable[Place], changed: Mapping[Place, Any], rows: Rows) -> str:
        """Return the values at some places, row by row: the changed ones, or else those of the
        rows.
        """
        lines = (
            f"{self.row(*row_id)}: {self._values([*group], changed, rows)}"
            for row_id, group in groupby(places, lambda place: place[:2])
        )
        return in_words.listed(lines, "no change")

    def _values(self, places: Sequence[Place], changed: Mapping[Place, Any], rows: Rows) -> str:
        """Return the values of one row."""
        table, key, _ = places[0]
        gone = (table, key, GONE)
        if gone in changed:
            return "there" if changed[gone] else "removed"
        if (table, key) not in rows and not changed.keys() & {*places}:
            return NOT_MADE
        row = rows.get((table, key), {})
        texts = (
            self._value(key, column, changed.get((table, key, column), row.get(column)))
            for _, _, column in places
            if column != GONE
        )
        return ", ".join(texts) or "there"

    def _value(self, key: str, column: str, value: Any) -> str:
        text = self.value(column, value, key.partition("/")[0])
        return text if column in _BARE else f"{column.replace('_', ' ')} {text}"

    def value(self, column: str, value: Any, reference: str = "") -> str:
        """Return a value of a column in words."""
        if value in (None, ""):
            return "none"
        if column in _MONEY:
            return in_words.money(value)
        if column == "pieces":
            return in_words.counted(value, "bag")
        if column == "adult":
            return self._person(reference, str(value))
        if column in _NAMES:
            return _capital(str(value))
        if column == "customer":
            return self._customer(str(value))
        key = _WORDS.get(column, "").format(value)
        return self.words.get(key, in_words.days(str(value)))

    # Rows

    def row(self, table: str, key: str) -> str:
        """Return a row in words."""
        if numbered := _AGAIN.fullmatch(key):
            return f"{self.row(table, numbered[1])}, number {numbered[2]}"
        slots = dict(self._slots(table, key))
        try:
            return _ROWS[table].format(**slots)
        except KeyError:  # a table without a sentence, or another kind of name
            return f"{table.replace('_', ' ')} {in_words.days(', '.join(slots.values()))}"

    def _slots(self, table: str, key: str) -> Iterator[tuple[str, str]]:
        """Yield the columns of a key with their values in words."""
        named = (table, key) not in self.old and table in NAMED
        columns = NAMED[table] if named else KEYS.get(table, ("row",))
        row = self.old.get((table, key)) or self.new.get((table, key)) or {}
        parts = key.removeprefix(f"{NEW}/") if table in ("customers", "vouchers") else key
        values = dict(zip(columns, _split(parts, columns), strict=False))
        yield from self._names(table, values, row)
        shown = {**values, **({} if named else row)}
        for column, value in shown.items():
            yield column, self._slot(column, str(value), values.get("reference", ""))

    def _names(
        self, table: str, values: Mapping[str, str], row: Mapping[str, Any]
    ) -> Iterator[tuple[str, str]]:
        reference = values.get("reference", "")
        if reference:
            made = reference.removeprefix(NEW).removeprefix("-")
            is_new = reference.startswith(NEW)
            yield "booking", f"the new booking {made}".strip() if is_new else f"booking {reference}"
        if table in ("passengers", "customers"):
            yield "name", _name(row or values)
        if table == "vouchers" and "code" not in values:
            yield "code", f"for {self._customer(values['customer'])}"

    def _slot(self, column: str, value: str, reference: str) -> str:
        if column == "passenger":
            return self._person(reference, value) if value else "everybody"
        if column == "payment":
            return self._payment(reference, value)
        if column == "method":
            return "card ending in" if value == "card" else value
        return in_words.days(value)

    def _person(self, reference: str, number: str) -> str:
        """Return the name of a passenger of a booking; a new passenger is named in the key."""
        row = self._row("passengers", f"{reference}/{number}")
        first, _, last = number.partition("/")
        return _name(row or {"first_name": first, "last_name": last})

    def _customer(self, number: str) -> str:
        first, _, last = number.removeprefix(f"{NEW}/").partition("/")
        return _name(self._row("customers", number) or {"first_name": first, "last_name": last})

    def _payment(self, reference: str, number: str) -> str:
        row = self._row("payments", number) or self._row("payments", f"{reference}/{number}")
        method, _, source = number.partition("/")
        paid = row or {"method": method, "source": source}
        amount = f"{in_words.money(paid['amount'])} paid" if "amount" in paid else "payment"
        return f"{amount} by {self._slot('method', paid['method'], '')} {paid['source']}"

    def _row(self, table: str, key: str) -> Mapping[str, Any]:
        return self.old.get((table, key)) or self.new.get((table, key)) or {}


def _name(row: Mapping[str, Any]) -> str:
    """Return a person's name; keys have it in lower case, and twins with their day of birth."""
    first, last = (str(row[column]) for column in ("first_name", "last_name"))
    named, _, born = last.partition("/")
    name = f"{_capital(first)} {_capital(named)}"
    return f"{name}, born {in_words.days(born)}" if born else name


def _capital(name: str) -> str:
    """Return a name with capitals; changes have names in lower case."""
    return name.title() if name.islower() else name


def _split(key: str, columns: Sequence[str]) -> list[str]:
    """Return the parts of a key; one of them may have slashes of its own."""
    wide = next((at for at, name in enumerate(columns) if name in _OF_SEVERAL_PARTS), len(columns))
    parts = key.split("/")
    end = max(wide + 1, len(parts) - (len(columns) - 1 - wide))
    return [*parts[:wide], "/".join(parts[wide:end]), *parts[end:]]


def _order(place: Place) -> tuple[str, str, int, str]:
    table, key, column = place
    return table, key, _BARE.index(column) if column in _BARE else len(_BARE), column


def page(screen: str, subject: str) -> str:
    """Return a page of the desk in words: its screen and its subject, as in the journal."""
    about = _PAGES.sub(r", page \1 of \2", subject)
    return f"{screen} {in_words.days(about).replace('=', ' ')}".strip()
