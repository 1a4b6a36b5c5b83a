"""Expert advice for tasks after a sale: read the bookings, submit the gold's forms, then answer.

Every page reports the bookings that were read and the forms that were accepted, so the page alone
determines the next action. The gold gives the search that finds each booking.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from agent.interface import Action, Advice, Back, Click, Element, Observation
from scenarios.crm.airline_desk.forms import OF_HISTORIES, Do, to_do
from scenarios.crm.airline_desk.page import DeskPage, clicks
from scenarios.scenario import Scenario
from sites.crm.airline_desk.model.airline import Airline, airlines
from sites.crm.airline_desk.operations.changing import LEAVES
from sites.crm.airline_desk.screens import SCREENS

WAYS = {"outward": "outward", "return": "inward"}
"""The keys of the airline's words for the directions of a journey, by direction."""
FORM_STEPS = {"reroute-results": "choose other flights", "settle": "settle change"}
"""The steps of the forms that follow the search in a change of flights, by screen."""
FIND, READ, ANSWER = "find booking", "read bookings", "answer"
Needs = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Service:
    """A scenario with forms to submit, and the page that is open.

    It reads these entries of the gold:
    - `errands`: the forms, in order.
    - `sentences`: the pages' report of each form.
    - `held`: the values of each form's fields before it.
    - `find`: the search that finds a booking, by reference.
    - `tour`: the bookings to read before the first form.
    - `text`: the answer.
    - `needs`: accepted spellings of the facts for "find", for "answer", or for a form by its index.
    """

    scenario: Scenario
    observation: Observation

    @property
    def airline(self) -> Airline:
        return airlines()[self.scenario.details["airline"]]

    @cached_property
    def to_do(self) -> list[Do]:
        return to_do(self.scenario)

    @cached_property
    def page(self) -> DeskPage:
        bare = DeskPage(self.observation, self.airline, {})
        names = self._names(bare.parts[0]) if bare.parts else {}
        values = [
            (key, value) for each in self.to_do for key, value in each.values.items() if value
        ]
        labels = {key: names.get(key.partition(".")[2], "") for key, _ in values}
        labels |= {key: paid for key, paid in self._payments().items() if key in labels}
        options = {
            (key, value): names[value]
            for key, value in values
            if key.partition(".")[0] in ("passenger", "lap") and value in names
        }
        leaves = self.airline.word("leaves-too")
        options |= {(key, value): leaves for key, value in values if value == LEAVES}
        return replace(bare, labels=labels, options=options)

    def _names(self, reference: str) -> dict[str, str]:
        """Return the names of a booking's passengers, as changed by the forms submitted so far, by
        passenger number.
        """
        names = {
            str(row["number"]): f"{row['first_name']} {row['last_name']}"
            for row in self.scenario.gold["rows"]["passengers"]
            if row["reference"] == reference
        }
        for each in self.to_do[: self.done]:
            if each.control == "save-person" and each.reference == reference:
                names[each.parts[1]] = f"{each.values['first-name']} {each.values['last-name']}"
        return names

    def _payments(self) -> dict[str, str]:
        """Return the labels of a refund form's fields (the payments at the start), by field key."""
        rows, airline = self.scenario.gold["rows"], self.airline
        found = {}
        for number, row in enumerate(rows.get("payments", ()), start=1):
            by = airline.word(f"by-{row['method']}", source=row["source"])
            back = [each for each in rows.get("refunds", ()) if each["payment"] == number]
            left = row["amount"] - sum(each["amount"] for each in back)
            text = airline.word("refundable", amount=airline.formats.money(left))
            found[f"refund-amount.{number}"] = f"{by}, {text}"
        return found

    @cached_property
    def done(self) -> int:
        """The position of the last form of the right solution that the page reports as submitted.

        Positions count from 1, and 0 means that none was submitted.
        """
        sentences: Sequence[str] = self.scenario.gold.get("sentences", ())
        text = DeskPage(self.observation, self.airline, {}).text
        return max(
            (at for at in range(1, len(sentences) + 1) if _names_last(text, sentences[:at])),
            default=0,
        )

    @property
    def unread(self) -> str:
        """The reference of the first booking to read that was not read yet, or "" if all were."""
        start, _, end = self.airline.word("seen-bookings", references="|").partition("|")
        text = self.page.text
        seen = text.rpartition(start)[2].partition(end or "\n")[0] if start in text else ""
        tour: Sequence[str] = self.scenario.gold.get("tour", ())
        return next((each for each in tour if each not in seen.replace(",", " ").split()), "")

    def needs(self, about: str) -> Needs:
        """Return the accepted spellings of the facts that the agent must know for "find", for
        "answer" or for a form by its index.
        """
        return tuple(map(tuple, self.scenario.gold.get("needs", {}).get(about, ())))


def _names_last(text: str, sentences: Sequence[str]) -> bool:
    """Return whether a text contains the last of these sentences.

    If the same sentence occurs earlier in the list, the sentences in between must precede it in the
    text.
    """
    *earlier, last = sentences
    start = len(earlier) - 1 - earlier[::-1].index(last) if last in earlier else len(earlier)
    if earlier and earlier[-1] == last:
        start = earlier.index(last)
    place = 0
    for each in sentences[start:]:
        place = text.find(each, place) + len(each)
        if place < len(each):
            return False
    return True


def advise(scenario: Scenario, observation: Observation) -> Advice:
    """Return the advice: read the bookings of the gold's tour, then submit the next form, then
    answer.
    """
    at = Service(scenario, observation)
    done = at.done
    if not done and at.unread:
        return to_booking(at, at.unread, READ)
    if done < len(at.to_do):
        return towards(at, done)
    return Advice(ANSWER, answer=scenario.gold.get("text", ""), needs=at.needs("answer"))


def to_booking(at: Service, reference: str, step: str = FIND) -> Advice:
    """Return the advice to open a booking: from the list on the page, or by its search."""
    search: Mapping[str, str] = at.scenario.gold["find"][reference]
    page = at.page
    needs = at.needs("find")
    if page.screen != "people":
        return Advice(step, page.press("find-people") or (Back(),), needs=needs)
    link = at.page.element(at.airline.id("open-booking", reference), reference)
    if link:
        return Advice(step, (Click(link.id),), needs=needs)
    filling = page.fill(search)
    turn = page.turn()
    if filling == () and turn:
        return Advice(step, turn, needs=needs)
    press = page.press("search-people")
    if filling is None or not press:
        return Advice(step)
    return Advice(step, (*filling, *press), needs=needs)


def towards(at: Service, number: int) -> Advice:
    """Return the advice for the next action towards a form: on its page, on the forms before it, or
    on the way there.
    """
    each = at.to_do[number]
    page, step = at.page, each.step
    needs = at.needs(str(number))
    if page.screen == "review":
        step = FORM_STEPS.get(each.screen, step)
        filling, press = page.fill({"agree": "yes"}), page.press("confirm")
        return Advice(step, (*(filling or ()), *press), needs=needs)
    return send(at, (*each.before, each), step, needs)


def send(at: Service, forms: Sequence[Do], step: str, needs: Needs) -> Advice:
    """Return the advice to submit whichever of these forms is open, or else to go to the first
    form.
    """
    page, first = at.page, forms[0]
    for form in forms:
        if page.place == form.place:
            return _sent(at, form, FORM_STEPS.get(form.screen, step), needs)
    if page.place != first.home:
        return to_booking(at, first.reference)
    link = _link(at, first) or page.element("menu", at.airline.word("actions"))
    return Advice(step, (Click(link.id),) if link else (), needs=needs)


def _link(at: Service, form: Do) -> Element | None:
    """Return the link that opens a form from a booking's page, found by id or by words and
    position; None if missing.
    """
    key, parts = f"open-{form.screen}", form.parts[1:]
    if form.screen in OF_HISTORIES:
        return at.page.element(at.airline.id(key, *parts), at.airline.word(key, line=parts[0]))
    listed, word = at.observation.elements, at.airline.words[key]
    if any(each.html_id for each in listed):
        return at.page.element(at.airline.id(key, *parts))
    if form.screen == "reroute":
        word = word.format(way=at.airline.word(WAYS[parts[0]]))
    named = [each for each in listed if each.name == word]
    number = int(parts[0]) if parts and parts[0].isdecimal() else 1
    return named[number - 1] if len(named) >= number else None


def _sent(at: Service, form: Do, step: str, needs: Needs) -> Advice:
    """Return the advice to correct the form's fields and to press its button."""
    if form.screen == "reroute-results":
        return Advice(step, _chosen(at, form), needs=needs)
    filling, press = at.page.fill(form.values), at.page.press(form.control)
    if filling is None or not press:
        return Advice(step)
    return Advice(step, (*filling, *press), needs=needs)


def _chosen(at: Service, form: Do) -> tuple[Action, ...]:
    """Return the actions that select the offer and fare of a form.

    They turn the list's pages until the offer appears, and open the offer if its fares are hidden.
    """
    offer, _, brand = form.values["offer"].partition("/")
    words = [*offer.split("."), at.airline.word(f"brand-{brand}")]
    for each in at.observation.elements:
        named = re.findall(r"\w+", each.name)
        if each.role == "radio" and all(word in named for word in words):
            checked = "checked" in each.states
            return (*(() if checked else (Click(each.id),)), *at.page.press(form.control))
        if "collapsed" in each.states and all(word in named for word in words[:-1]):
            return (Click(each.id),)
    return at.page.turn()


# The length --------------------------------------------------------------------------------------

ASKED = {"button": 0, "again": 1, "review": 2}
"""The number of further clicks that an airline asks for before an irreversible act."""
IN_TABLES = ("seats", "checkin", "escort", "person", "remove", "rebook", "flag")
"""The forms whose links are in tables (of flights, passengers, history) instead of the page's
menu.
"""


def length(scenario: Scenario) -> int:
    """Count the actions of the expert on the airline's widgets: fields, buttons and pages."""
    gold, airline = scenario.gold, airlines()[scenario.details["airline"]]
    tour: Sequence[str] = gold.get("tour", ())
    found = sum(_find(airline, gold["find"][each]) for each in tour)
    here = tour[-1] if tour else ""
    for each, held in zip(to_do(scenario), gold["held"], strict=True):
        found += 0 if each.reference == here else _find(airline, gold["find"][each.reference])
        here = each.reference
        found += form_length(airline, each, held)
    return found + 1


def silent_length(scenario: Scenario) -> int:
    """Count the expert's actions in a task without an answer."""
    return length(scenario) - 1


def _find(airline: Airline, search: Mapping[str, str]) -> int:
    """Count the actions to find a booking: open, fill and submit the search; open the booking."""
    fields = sum(clicks(airline, key, value) for key, value in search.items())
    return 1 + fields + 1 + 1


def form_length(airline: Airline, form: Do, held: Mapping[str, str]) -> int:
    """Count the actions of a form and of the forms before it: open it (from a menu, if the airline
    has one), change its fields, submit, confirm if asked.

    Args:
        held: The values that the fields have already.
    """
    is_linked = form.screen not in FORM_STEPS
    in_menu = form.screen not in IN_TABLES and airline.widgets["actions"] == "menu"
    drawer = form.screen == "reroute-results" and airline.widgets["offers"] == "cards"
    fields = sum(
        clicks(airline, key, value, held.get(key, "")) for key, value in form.values.items()
    )
    is_final = form.control in SCREENS[form.screen].commits
    asked = ASKED[airline.last_step] if is_final else 0
    before = sum(form_length(airline, each, {}) for each in form.before)
    return before + is_linked * (1 + in_menu) + fields + 1 + asked + drawer
