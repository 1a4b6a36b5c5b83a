"""The clerk checks what a colleague did yesterday, by the histories, the bookings and the
handbook: flags each act that broke it, and answers with the total that is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from scenarios.crm.shift.audit.acts import CheckedAct
from tests.scenarios.crm.airline_desk.clerk import Clerk, Unreadable
from tests.scenarios.crm.airline_desk.clerks import acts, case
from tests.scenarios.crm.airline_desk.clerks.handbook import Handbook
from tests.scenarios.crm.airline_desk.clerks.tickets import Tickets
from tests.scenarios.crm.airline_desk.request_reader import Reader

FAMILY = "audit_yesterday"
NEEDED = ("today", "mails", "tables", "total", "articles")
OWN_SLOTS = {"number": r"\d+", "colleague": r"[A-Z]\w+"}
TOTALS: Mapping[str, Callable[[int], int]] = {
    "total_all": abs,
    "total_customers": lambda loss: max(0, -loss),
    "total_company": lambda loss: max(0, loss),
}
"""What of each loss of ours is added, by the act of the mail."""
DAY = timedelta(days=1)


def work(clerk: Clerk, request: str) -> str:
    desk, today = Tickets(clerk), clerk.today()
    number = Reader(FAMILY, OWN_SLOTS, request).take("work")["number"]
    book = Handbook(desk)
    edition, clocks = book.edition(), book.clocks()
    desk.at("ticket", number)
    colleague, total = read_mail(case.letter(desk))
    found = 0
    for reference in case.references(desk):
        file = acts.read(desk, reference, clocks)
        for line in file.lines:
            if (line.colleague, line.at.date()) != (colleague, today - DAY):
                continue
            checked = CheckedAct(edition, acts.act(desk, edition, file, line, clocks))
            if not checked.is_right:
                decision = checked.decision
                article = (*decision.grounds, *decision.derivation)[0]
                desk.flag(reference, line.number, article, checked.due.amount)
                found += total(checked.loss)
    return str(found)


def read_mail(letter: case.Letter) -> tuple[str, Callable[[int], int]]:
    """Whose acts are checked, and what is added up."""
    reader = Reader(FAMILY, OWN_SLOTS, " ".join(letter.text.split()))
    colleagues = {reader.take(each)["colleague"] for each in ("ask", "alone")}
    totals = [each for each in TOTALS if reader.find(each) is not None]
    reader.take("leave")
    reader.end()
    if len(colleagues) != 1 or len(totals) != 1:
        raise Unreadable("whose work is checked, and for which total")
    return colleagues.pop(), TOTALS[totals[0]]
