"""The expert's advice for a sale at the airline's desk, screen by screen, following the gold's
order.

The expert corrects and submits each form, and starts a new search if a page shows something that
the order does not ask for. A wrong booking cannot be undone, so the expert then gives up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import count, takewhile

from agent.interface import Advice, Back, Click, Element, Observation, Text
from scenarios.crm.airline_desk import desk, value_formats
from scenarios.crm.airline_desk.desk import OUTWARD, RETURN, Order
from scenarios.crm.airline_desk.page import AIRPORTS, DeskPage, calendar_clicks, clicks
from scenarios.scenario import Scenario
from sites.crm import CrmData
from sites.crm.airline_desk.model.airline import Airline

Needs = tuple[tuple[str, ...], ...]
DEFAULTS: Mapping[str, str] = {
    "trip-type": "return",
    "adults": "1",
    "children": "0",
    "infants": "0",
}
"""The values that the search form of a new visit holds, by field."""
SEARCH, CHOOSE, PARTY, SEATS, BAGS, PAY = (
    *("find flight", "choose offer", "fill party", "choose seats", "choose bags", "settle money"),
)
STEPS = (SEARCH, CHOOSE, PARTY, SEATS, BAGS, PAY)


@dataclass(frozen=True)
class Ladder:
    """A scenario with an order, and the page that is open."""

    scenario: Scenario
    observation: Observation

    @cached_property
    def order(self) -> Order:
        return desk.order_of(self.scenario)

    @cached_property
    def airline(self) -> Airline:
        return desk.airline(self.scenario)

    @cached_property
    def page(self) -> DeskPage:
        return DeskPage(self.observation, self.airline, self._labels())

    def _labels(self) -> dict[str, str]:
        """Return the additions to the labels of the travellers' fields, by field: first kind and
        number ("Adult 1"), later the name.
        """
        places, counts = {}, dict.fromkeys(("adult", "child", "infant"), 0)
        for number, kind in enumerate(self.kinds, start=1):
            counts[kind] += 1
            places[number] = f"{self.airline.word(kind)} {counts[kind]}"
        found = {}
        for key in (*self.order.party, *self._bags):
            found[key] = places[_number(key)]
        named = self.place in ("seating", "baggage")
        if named:
            keys = {*self._bags, *(f"seat.{number}" for number in places)}
            found |= {key: self.name(_number(key)) for key in keys}
        return found

    @property
    def place(self) -> str:
        return DeskPage(self.observation, self.airline, {}).screen

    @property
    def kinds(self) -> tuple[str, ...]:
        return desk.search_of(self.order).kinds

    def name(self, number: int) -> str:
        party = self.order.party
        return f"{party[f'first-name.{number}']} {party[f'last-name.{number}']}"

    @property
    def _bags(self) -> dict[str, str]:
        """The numbers of bags to enter, by field of the form, including those that stay 0."""
        ways = [f"bags-{way}" for way in self.order.offers]
        seated = [n for n, kind in enumerate(self.kinds, start=1) if kind != "infant"]
        return {
            f"{way}.{n}": self.order.bags.get(f"{way}.{n}", "0") for way in ways for n in seated
        }

    # Facts that the advice needs

    def known(self, *words: str) -> Needs:
        """Return the request's wording of the facts with these names, as far as the request states
        them.
        """
        held = self.scenario.gold["known"]
        return tuple((held[word],) for word in words if held.get(word))

    def people(self) -> Needs:
        """Return the accepted spellings of each traveller's name and birthday."""
        listed: list[tuple[str, ...]] = []
        for number, _ in enumerate(self.kinds, start=1):
            listed.append((self.name(number),))
            listed.append(value_formats.of_date(self.order.party[f"born.{number}"]))
        return tuple(listed)


Way = Callable[[Ladder], Advice]


def advise(
    scenario: Scenario, observation: Observation, ways: Mapping[str, Way] | None = None
) -> Advice:
    """Return the advice for the open screen; on an unexpected screen it is to search again."""
    ladder = Ladder(scenario, observation)
    return (WAYS if ways is None else ways).get(ladder.place, to_search)(ladder)


def to_search(at: Ladder) -> Advice:
    """Return the advice to search again, or to end the task if a sale was made."""
    if _is_sold(at):
        return Advice(PAY, answer="")
    return Advice(SEARCH, at.page.press("new-search") or (Back(),), needs=_search_needs(at))


def _is_sold(at: Ladder) -> bool:
    start = at.airline.word("done-book", reference="|").partition("|")[0]
    return start in at.page.text


def searches(at: Ladder) -> int:
    """Return the number of searches that the page reports as made."""
    numbers = takewhile(lambda number: at.page.shows(_searched(at, number)), count(1))
    return sum(1 for _ in numbers)


def _searched(at: Ladder, number: int) -> str:
    return at.airline.word("done-search", trip=number)


def search(at: Ladder) -> Advice:
    """Return the advice to fill in and submit the search form."""
    if _is_sold(at):
        return Advice(PAY, answer="")
    wanted = {key: at.order.search[key] for key in at.airline.order["search"]}
    if wanted["trip-type"] != "return":
        del wanted["return"]
    elif not at.page.has_open_calendar and (turned := at.page.fill({"trip-type": "return"})):
        return Advice(SEARCH, turned, needs=_search_needs(at))  # then there is a day home
    return _filled(at, SEARCH, wanted, "search-flights", _search_needs(at))


def _search_needs(at: Ladder) -> Needs:
    return at.known("origin", "destination", "out", "back", "days", "travellers")


def results(at: Ladder) -> Advice:
    """Return the advice to choose the described offer, and to turn the list's pages until it is
    shown.
    """
    _, direction = at.page.parts
    if not shows_way(at, direction):
        return to_search(at)
    needs = (*at.known("first" if direction == OUTWARD else "second", "fares"), *_conditions(at))
    found = _offer(at, direction)
    if found is None:
        turn = at.page.turn()
        return Advice(CHOOSE, turn, needs=needs) if turn else to_search(at)
    if "checked" in found.states:
        return Advice(CHOOSE, at.page.press("confirm-flights"), needs=needs)
    pressed = at.page.press("confirm-flights") if found.role == "radio" else ()
    return Advice(CHOOSE, (Click(found.id), *pressed), needs=needs)


def _conditions(at: Ladder) -> Needs:
    """Return the request's wording of the conditions on the offer; () if it states none."""
    listed = at.scenario.gold.get("conditions", [])
    return at.known(*(each["kind"] for each in listed), "limit")


def shows_way(at: Ladder, direction: str) -> bool:
    """Return whether the page shows the order's airports, day and travellers in this direction."""
    search = desk.search_of(at.order)
    for name, here, there, day in search.ways():
        if name == direction:
            route = f"{AIRPORTS[here].label} – {AIRPORTS[there].label}"
            return at.page.shows(route, at.airline.formats.long_day(day), *_counts(at))
    return False


def _counts(at: Ladder) -> Iterator[str]:
    for key in ("adults", "children", "infants"):
        number = at.order.search[key]
        if number != "0":
            yield f"{at.airline.word(key)} {number}"


def _offer(at: Ladder, direction: str) -> Element | None:
    """Return the radio button of the wanted offer and fare, found by its times, or the button that
    opens the offer; None if it is not on the page.
    """
    shown = at.scenario.gold["offers"][direction]
    clock = at.airline.formats.clock
    times = f"{clock(shown['departs'])} – {clock(shown['arrives'])}"
    brand = at.airline.word(f"brand-{shown['brand']}")
    is_row = False
    for node in at.observation.content:
        label = node.text if isinstance(node, Text) else node.name
        if " – " in label and any(map(str.isdigit, label)):
            is_row = times in label
        if not is_row or isinstance(node, Text):
            continue
        if node.role == "radio" and brand in _words(node.name):
            return node
        if node.role != "radio" and "collapsed" in node.states:
            return node
    return None


def _words(label: str) -> list[str]:
    return label.replace(",", " ").split()


def party(at: Ladder) -> Advice:
    """Return the advice to fill in the travellers' data, with their bags if the airline asks for
    them on this page.
    """
    if not _shows_offers(at):
        return to_search(at)
    wanted = dict(at.order.party)
    if "bags" in at.airline.pages["party-page"]:
        wanted |= at._bags
    needs = (*at.people(), *at.known("bags"))
    return _filled(at, PARTY, wanted, "save-party", needs)


def _shows_offers(at: Ladder) -> bool:
    """Return whether the page shows the days, times and fares of the order's offers."""
    formats = at.airline.formats
    return all(
        at.page.shows(
            f"{formats.long_day(shown['day'])}, {formats.clock(shown['departs'])} –",
            at.airline.word(f"brand-{shown['brand']}"),
        )
        for shown in at.scenario.gold["offers"].values()
    )


def seating(at: Ladder) -> Advice:
    """Return the advice to choose seats on one flight; the form of a flight without wanted seats
    stays empty.
    """
    _, place = at.page.parts
    seats = at.order.seats.get(place, {})
    wanted = {
        f"seat.{number}": seats.get(f"seat.{number}", "")
        for number, kind in enumerate(at.kinds, start=1)
        if kind != "infant"
    }
    needs = tuple((at.name(_number(key)).split()[0],) for key in seats)
    return _filled(at, SEATS, wanted, "save-seats", needs)


def baggage(at: Ladder) -> Advice:
    """Return the advice to fill in the bags of the travellers."""
    return _filled(at, BAGS, at._bags, "save-bags", at.known("bags"))


def payment(at: Ladder) -> Advice:
    """Return the advice to pay if the page shows the right sale, and to search again otherwise."""
    if not _shows_sale(at):
        return to_search(at)
    wanted = {"card-amount": str(at.order.total), **at.order.card}
    return _filled(at, PAY, wanted, "book", _card_needs(at))


def _card_needs(at: Ladder) -> Needs:
    card = at.order.card
    return (
        value_formats.of_card(card["card-number"]),
        value_formats.of_expiry(card["expiry"]),
        (card["cvc"],),
    )


def _shows_sale(at: Ladder) -> bool:
    """Return whether the page shows the order's flights, people, seats, bags and total."""
    people = [at.name(number) for number, _ in enumerate(at.kinds, start=1)]
    money = at.airline.formats.money(at.order.total)
    return _shows_offers(at) and at.page.shows(*people, money, *_extras(at))


def _extras(at: Ladder) -> Iterator[str]:
    flown = [number for shown in at.scenario.gold["offers"].values() for number in shown["flights"]]
    for place, seats in at.order.seats.items():
        for code in seats.values():
            yield at.airline.word("seat-on", seat=code, flight=flown[int(place) - 1])
    for key, pieces in at.order.bags.items():
        inward = key.startswith(f"bags-{RETURN}")
        way = at.airline.word("inward" if inward else OUTWARD)
        yield at.airline.word("bags-on", pieces=pieces, direction=way)


def review(at: Ladder) -> Advice:
    """Return the advice to confirm if the page shows the right sale, and to search again
    otherwise.
    """
    if not _shows_sale(at):
        return to_search(at)
    return _filled(at, PAY, {"agree": "yes"}, "confirm", _card_needs(at))


def booking(at: Ladder) -> Advice:
    """Return the advice to finish after the right sale, and to give up after a wrong sale."""
    people = [at.name(number) for number, _ in enumerate(at.kinds, start=1)]
    if _is_sold(at) and at.page.shows(*people, *_extras(at)):
        return Advice(PAY, answer="")
    return Advice(PAY) if _is_sold(at) else to_search(at)


def _filled(at: Ladder, step: str, values: Mapping[str, str], control: str, needs: Needs) -> Advice:
    """Return the advice to correct a form's fields and to press its button."""
    filling, press = at.page.fill(values), at.page.press(control)
    if filling is None or not press:
        return Advice(step)
    if at.page.has_open_calendar:  # which covers the button
        return Advice(step, filling, needs=needs)
    return Advice(step, (*filling, *press), needs=needs)


def _number(key: str) -> int:
    return int(key.partition(".")[2])


WAYS: Mapping[str, Way] = {
    "search": search,
    "results": results,
    "party": party,
    "seating": seating,
    "baggage": baggage,
    "payment": payment,
    "review": review,
    "booking": booking,
}


# The length --------------------------------------------------------------------------------------


def length(scenario: Scenario) -> int:
    """Count the actions of the expert on the airline's widgets: fields, buttons and pages."""
    order, airline = desk.order_of(scenario), desk.airline(scenario)
    own_bags = "baggage" in airline.pages["sale"]
    forms = [search_length(scenario), _results_length(scenario, airline)]
    forms.append(_fields(airline, {**order.party, **order.bags}) + 1 + own_bags)
    flown = sum(len(shown["flights"]) for shown in scenario.gold["offers"].values())
    forms.append(sum(len(each) for each in order.seats.values()) + flown)
    forms.append(1 + len(order.card) + {"button": 1, "again": 2, "review": 3}[airline.last_step])
    return sum(forms)


def search_length(scenario: Scenario, held: Mapping[str, str] = DEFAULTS) -> int:
    """Count the actions of a search.

    Args:
        held: The values in the form, which after a search are those of that search.
    """
    order, airline = desk.order_of(scenario), desk.airline(scenario)
    values = {key: text for key, text in order.search.items() if text != held.get(key, "")}
    days = [values.pop(key) for key in ("departure", "return") if key in values]
    if airline.widgets["date"] == "date-calendar":
        picked = calendar_clicks(days, held.get("departure", "")) if days else 0
    else:
        picked = sum(clicks(airline, "departure", day) for day in days)
    return _fields(airline, values, held) + picked + 1


def _results_length(scenario: Scenario, airline: Airline) -> int:
    """Count the actions to choose offers: turn pages, open the offer if the airline hides its
    fares, select it and press the button.
    """
    drawer = airline.widgets["offers"] == "cards"
    return sum(shown["page"] + 1 + drawer for shown in scenario.gold["offers"].values())


def _fields(airline: Airline, values: Mapping[str, str], held: Mapping[str, str] = DEFAULTS) -> int:
    def before(key: str) -> str:
        return "0" if key.startswith("bags-") else held.get(key, "")

    return sum(clicks(airline, key, value, before(key)) for key, value in values.items())


def shown_offers(order: Order, data: CrmData) -> dict[str, dict[str, object]]:
    """Return the details that the list shows of the order's offers, by direction."""
    found = {}
    ways = {name: tuple(way) for name, *way in desk.search_of(order).ways()}
    for direction, (offer, brand) in desk.chosen(order, data.network).items():
        origin, destination, day = ways[direction]
        found[direction] = {
            "day": day,
            "departs": offer.departs,
            "arrives": offer.arrives,
            "stops": offer.stops,
            "brand": brand,
            "flights": [flight.number for flight in offer.flights],
            "page": desk.page_of(data, (origin, destination, day), order.offers[direction]),
        }
    return found
