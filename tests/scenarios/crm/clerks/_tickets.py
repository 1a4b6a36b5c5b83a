"""Somebody at the desk who works on tickets: reads their pages, sends offers, closes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.scenarios.crm.clerk import Unreadable
from tests.scenarios.crm.clerks._after_sale import AfterSale
from tests.sites.crm.reservations.served import Control, Page, spoken


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

    def collect(self, reference: str, amount: int, card: Mapping[str, str]) -> None:
        """Charge a card for what was charged and not paid."""
        self.at("charge", reference)
        texts = {"fee-kind": self.word("fee-balance"), **card}
        texts |= dict.fromkeys(("fee-amount", "card-amount"), self.formats.money(amount))
        self._fill("charge", texts, commits=True)

    def _fill(self, button: str, texts: Mapping[str, str], *, commits: bool = False) -> None:
        entered: dict[str, str] = {}
        for key, text in texts.items():
            entered |= self.visitor.text(self.word(key), text) if text else {}
        self.send(button, entered, commits=commits)

    # What is read

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
