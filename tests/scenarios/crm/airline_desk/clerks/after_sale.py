"""Somebody at the desk who finds bookings, reads them and sends their forms, by what is served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.sites.crm.airline_desk.served import Page, spoken


@dataclass(frozen=True)
class TableRow:
    """A row of a table: its cells by the texts of the head, and where its links lead, by the head
    of their cell."""

    cells: Mapping[str, str]
    links: Mapping[str, str]


class AfterSale:
    """The desk's pages besides those of a sale."""

    def __init__(self, clerk: Clerk) -> None:
        self.clerk, self.visitor, self.word = clerk, clerk.visitor, clerk.word
        self.formats = clerk.airline.formats

    @property
    def page(self) -> Page:
        return self.visitor.page

    # Finding

    def search(self, **wanted: str) -> list[TableRow]:
        """All bookings that a search finds, over all pages of the list.

        What is asked for is by the keys of the form (`name`, `month` as March 2026, `email`,
        `booking_reference`, `flight`; `route_from` and `route_to` are airports' labels,
        `flight_date` an ISO date).
        """
        self.visitor.open(self.clerk.airline.address("people"))
        entered: dict[str, str] = {}
        for name, text in wanted.items():
            key, label = name.replace("_", "-"), self.word(name.replace("_", "-"))
            if key.startswith("route"):
                entered |= self.visitor.airport(label, text)
            elif key == "flight-date":
                entered |= self.visitor.day(label, text)
            else:
                entered |= self.visitor.text(label, text)
        self.ask("search-people", entered)
        found = self.lines()
        number = 2
        while (label := self.word("page-of", page=number)) in self.page.links:
            self.visitor.follow(label)
            found += self.lines()
            number += 1
        return found

    def ask(self, button: str, entered: Mapping[str, str]) -> Page:
        """Press a button whose form stands in the address."""
        page = self.page
        form = {**page.sent(), "press": page.buttons[self.word(button)], **entered}
        path = page.address.partition("?")[0]
        return self.clerk._accepted(self.visitor.open(f"{path}?{urlencode(form)}"))

    def lines(self, title: str = "") -> list[TableRow]:
        """The rows of the table below a heading; of the page's only table without one."""
        path = "//section[h2=$title]//table" if title else "//main//table"
        tables = self.page.tree.xpath(path, title=title)
        if not tables:
            return []
        head = [spoken(each) for each in tables[0].xpath(".//thead//th")]
        found = []
        for row in tables[0].xpath(".//tbody/tr"):
            cells = dict(zip(head, row.xpath("./td | ./th"), strict=True))
            links = {
                name: link.get("href")
                for name, cell in cells.items()
                for link in cell.xpath(".//a[@href]")
            }
            found.append(TableRow({name: spoken(cell) for name, cell in cells.items()}, links))
        return found

    # A booking

    def open(self, reference: str) -> Page:
        """The page of a booking."""
        return self.clerk._accepted(
            self.visitor.open(self.clerk.airline.address("booking", reference))
        )

    def facts(self, title: str, name: str) -> str:
        """A fact below a heading, both by the keys of their words."""
        found = self.page.facts(self.word(title))
        if self.word(name) not in found:
            raise Unreadable(f"{title}: {name}")
        return found[self.word(name)]

    def flights(self) -> list[TableRow]:
        """The flights of the open booking, with links to seats, check-in and other flights."""
        return self.lines(self.word("itinerary"))

    def passengers(self) -> list[TableRow]:
        """The passengers of the open booking, with links to change and to take out."""
        return self.lines(self.word("travellers"))

    def follow(self, key: str, **slots: str) -> Page:
        """Open one of the links of a booking."""
        return self.clerk._accepted(self.visitor.follow(self.word(key, **slots)))

    def go(self, address: str) -> Page:
        return self.clerk._accepted(self.visitor.open(address))

    # Forms

    def send(self, button: str, entered: Mapping[str, str], *, commits: bool = False) -> Page:
        """Send the form of the open page; `commits`: what cannot be taken back is asked again."""
        word = self.word(button)
        page = self.clerk._accepted(self.visitor.press(word, entered))
        if not commits or self.clerk.airline.last_step == "button":
            return page
        if self.clerk.airline.last_step == "review":
            agree = self.page.control(self.word("agree")).name
            return self.clerk._accepted(self.visitor.press(self.word("confirm"), {agree: "yes"}))
        return self.clerk._accepted(self.visitor.press(self.word("press-again", label=word)))
