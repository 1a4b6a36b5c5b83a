"""Somebody at the desk who works on tickets: reads their pages, sends offers, closes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta

from tests.scenarios.crm.airline_desk import request_reader
from tests.scenarios.crm.airline_desk.clerk import Unreadable
from tests.scenarios.crm.airline_desk.clerks.after_sale import AfterSale
from tests.sites.crm.airline_desk.served import Control, Page, spoken

_TIME = re.compile(r"(.+), (\d{1,2}:\d{2}(?: [AP]M)?)")


class Tickets(AfterSale):
    """The pages of level 3 besides those of bookings; amounts are whole dollars, choices are called
    by the keys of their words (`what-refund`, `outcome-in-part`)."""

    def at(self, screen: str, *parts: str) -> Page:
        """A screen by its address."""
        return self.go(self.clerk.airline.address(screen, *parts))

    def offer(self, number: str, what: str, amount: int, flights: str = "") -> None:
        self.at("propose", number)
        texts = {"offer-what": self.word(f"what-{what}"), "offer-flights": flights}
        self._fill("send-offer", {**texts, "offer-amount": self.formats.money(amount)})

    def close(self, number: str, outcome: str, article: str, amount: int) -> None:
        self.at("close", number)
        texts = {"outcome": self.word(f"outcome-{outcome}"), "decides": article}
        self._fill("close-ticket", {**texts, "close-amount": self.formats.money(amount)})

    def link(self, number: str, older: str) -> None:
        """Say that a ticket is the same as an older one."""
        self.at("link-tickets", number)
        self._fill("link-tickets", {"same-as": older})

    def contact(self, number: str, email: str) -> None:
        """Write down another address for the customer."""
        self.at("contact", number)
        self._fill("save-contact", {"new-email": email})

    def reply(self, number: str, to: str, flight: str, day: str, time: str) -> None:
        """Tell an address of a flight; `day` is an ISO date."""
        self.at("reply", number)
        entered = self.visitor.day(self.word("reply-day"), day)
        for key, text in {"reply-to": to, "reply-flight": flight, "reply-time": time}.items():
            entered |= self.visitor.text(self.word(key), text)
        self.send("send-reply", entered)

    def flag(self, reference: str, line: int, article: str, amount: int) -> None:
        """Say of a line of a history what would have been right."""
        self.at("flag", reference, str(line))
        texts = {"flag-article": article, "flag-amount": self.formats.money(amount)}
        self._fill("save-flag", texts)

    def give_back(self, reference: str, refunds: Iterable[int], *, cancels: bool = True) -> None:
        """Money back to each payment, in their order, to later ones none; `cancels`: the booking
        is cancelled with it."""
        self.at("cancel" if cancels else "refund", reference)
        parts = zip(self.refundable(), refunds, strict=False)
        entered = {each.name: self.formats.money(amount) for each, amount in parts if amount}
        self.send("confirm-cancel" if cancels else "give-refund", entered, commits=True)

    def refundable(self) -> list[Control]:
        """The fields of the payments of the open form, in their order."""
        label = self.word("refund-amount")
        return [each for each in self.page.controls if each.label.startswith(f"{label} (")]

    def collect(
        self,
        reference: str,
        amount: int,
        card: Mapping[str, str],
        kind: str = "balance",
        passenger: str = "",
    ) -> None:
        """Charge a card, without more said for what was charged and not paid; for one passenger
        where one is named."""
        paid = {"card-amount": self.formats.money(amount), "passenger": passenger, **card}
        self._charge(reference, amount, kind, paid)

    def spend(self, reference: str, amount: int, voucher: str, kind: str) -> None:
        """Charge a voucher."""
        paid = {"voucher": voucher, "voucher-amount": self.formats.money(amount)}
        self._charge(reference, amount, kind, paid)

    def _charge(self, reference: str, amount: int, kind: str, paid: Mapping[str, str]) -> None:
        self.at("charge", reference)
        texts = {"fee-kind": self.word(f"fee-{kind}"), "fee-amount": self.formats.money(amount)}
        self._fill("charge", {**texts, **paid}, commits=True)

    def move(
        self, fee: int, difference: int, by: Mapping[str, int], card: Mapping[str, str]
    ) -> None:
        """Take the flights that were chosen, on the page that settles them; `by` are the amounts
        that vouchers pay by their codes, and the card ("")."""
        texts = {"fee-amount": self._owed(fee), "difference-amount": self._owed(difference)}
        for code, amount in by.items():
            paid = {"voucher": code, "voucher-amount": self._owed(amount)}
            texts |= paid if code else {"card-amount": self._owed(amount), **card}
        self._fill("save-flights", texts, commits=True)

    def _owed(self, amount: int) -> str:
        return self.formats.money(amount) if amount else ""

    def issue(self, reference: str, worth: int, until: date) -> None:
        self.at("issue-voucher", reference)
        texts = {"voucher-worth": self.formats.money(worth)}
        self._fill("issue-voucher", texts, days={"voucher-until": until}, commits=True)

    def extend(self, reference: str, code: str, until: date) -> None:
        self.at("extend-voucher", reference)
        label = self.word("voucher-held")
        listed = self.page.control(label).options.values()
        texts = {
            "voucher-held": next((each for each in listed if each.split(",")[0] == code), code)
        }
        self._fill("extend-voucher", texts, days={"voucher-until": until})

    def pack(self, reference: str, bags: Mapping[tuple[str, str], int]) -> None:
        """Pieces by direction and the passenger's name; where none is named it stays as it is."""
        self.at("bags", reference)
        entered: dict[str, str] = {}
        for (way, name), pieces in bags.items():
            label = f"{self.word(f'bags-{way}')} ({name})"
            entered |= self.visitor.text(label, str(pieces))
        self.send("save-bags", entered)

    def pay_out(self, reference: str, amounts: Mapping[str, int]) -> None:
        """Money for `late`, `meals`, `hotel` and `lost-bag`."""
        self.at("payout", reference)
        texts = {f"payout-{kind}": self._owed(amount) for kind, amount in amounts.items()}
        self._fill("give-payout", texts, commits=True)

    def _fill(
        self,
        button: str,
        texts: Mapping[str, str],
        *,
        days: Mapping[str, date] | None = None,
        commits: bool = False,
    ) -> None:
        entered: dict[str, str] = {}
        for key, text in texts.items():
            entered |= self.visitor.text(self.word(key), text) if text else {}
        for key, day in (days or {}).items():
            entered |= self.visitor.day(self.word(key), day.isoformat())
        self.send(button, entered, commits=commits)

    def tick(self, button: str, field: str, names: Iterable[str], value: str = "yes") -> None:
        """Tick the boxes of these names on the open form, or take their ticks away (""), and send
        it."""
        boxes = self.boxes(field)
        self.send(button, {boxes[each].name: value for each in names})

    # What is read

    def names(self, reference: str) -> dict[int, str]:
        """Those of the passengers by their numbers, without the title."""
        self.open(reference)
        cells = [each.cells[self.word("passenger")] for each in self.passengers()]
        return {at: text.partition(" ")[2] for at, text in enumerate(cells, start=1)}

    def boxes(self, field: str) -> dict[str, Control]:
        """The boxes of the open form by the names that they are for. Raises `Unreadable` where
        there is none."""
        start = f"{self.word(field)} ("
        listed = [each for each in self.page.controls if each.label.startswith(start)]
        if not listed:
            raise Unreadable(field)
        return {each.label.removeprefix(start)[:-1]: each for each in listed}

    def answers(self) -> list[str]:
        """The answers to what was offered on the open ticket, in order."""
        return [each.cells[self.word("answered")] for each in self.lines(self.word("group-offers"))]

    def thread(self, title: str) -> list[tuple[str, str]]:
        """The mails below a heading: the line above each of them, and its text."""
        found = self.page.tree.xpath("//section[h2=$title]//article", title=self.word(title))
        texts = ([*map(spoken, each.xpath("./p"))] for each in found)
        return [(head, "\n".join(rest)) for head, *rest in texts]

    def facts_under(self, title: str) -> dict[str, str]:
        """The facts below a heading. Raises `Unreadable` where there is none."""
        found = self.page.facts(self.word(title))
        if not found:
            raise Unreadable(title)
        return found

    # Values

    def money(self, text: str) -> int:
        return self.formats.read_money(text) if text else 0

    def day(self, text: str) -> date:
        return date.fromisoformat(self.formats.read_day(text))

    def time(self, text: str) -> datetime:
        """Of the desk's clock; a remark in brackets may follow. Raises `Unreadable`."""
        found = _TIME.match(text)
        if found is None:
            raise Unreadable(text)
        day, minutes = self.day(found[1]), request_reader.minutes(found[2])
        return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(minutes=minutes)
