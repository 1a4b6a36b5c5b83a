"""The screens in a browser, as agents and people use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack

import pytest

from agent.browser.chromium import find_chromium
from agent.interface import (
    Action,
    Back,
    Click,
    Element,
    Forward,
    Goto,
    Observation,
    Press,
    Select,
    Text,
    Type,
)
from evaluators.episode.budget import Budget, Meter
from evaluators.episode.metered import MeteredPage
from evaluators.episode.trace import Trace
from sites.crm import Knobs, new_world
from sites.crm.base.records import CANCELLED, Booking, Passenger
from sites.crm.published_desk import operations
from sites.crm.published_desk.ambiguous.names import names as names_of
from sites.crm.published_desk.form_fields import FORMS
from sites.site_app import COOKIE
from tests.measuring import DEEP
from tests.sites.crm.conftest import ANN, TRIP

if find_chromium() is None:
    pytest.skip("no Chromium; run: rehearse doctor --fix", allow_module_level=True)

SEARCH = {"from": "LHR", "to": "jfk", "departure": "2026-03-04", "return": "11 March 2026"}
WHO = {"first-name": "Ann", "last-name": "Lee", "dob": "1980-05-03"}
CARD = {"card-number": "4111 1111 1111 1111", "expiry": "09/27", "cvc": "123"}
EVIL = "<img src=x onerror=document.title=1>"


def at(control: str) -> str:
    return f"//*[@id='{control}']"


class Visit:
    """One lane on the desk, with a world of its own."""

    def __init__(self, runner, environments, lane, world) -> None:
        self.run, self.lane, self.world = runner.run, lane, world
        site = environments.sites["crm"]
        self.origin, self.worlds, self.data = site.origin, site.worlds, site.data
        self.token = self.worlds.admit(world)
        self.seen = Observation("", "")
        self.open("/flights")

    def open(self, address: str) -> Observation:
        url = f"{self.origin}{address}"
        self.seen = self.run(self.lane.open(url, cookie=(COOKIE, self.token)))
        return self.seen

    def act(self, *actions: Action) -> Observation:
        for action in actions:
            self.seen = self.run(self.lane.act(action))
            assert not self.seen.capped and self.seen.error is None, (action, self.seen.error)
        return self.seen

    def click(self, *controls: str) -> Observation:
        return self.act(*(Click(at(control)) for control in controls))

    def fill(self, texts: dict[str, str]) -> Observation:
        return self.act(*(Type(at(control), text) for control, text in texts.items()))

    def get(self, control: str) -> Element:
        return next(each for each in self.seen.elements if each.html_id == control)

    def has(self, control: str) -> bool:
        return any(each.html_id == control for each in self.seen.elements)

    def free(self, group: str) -> str:
        """The first flight of a list that has seats."""
        return next(
            each.html_id
            for each in self.seen.elements
            if each.html_id.startswith(f"{group}-") and "disabled" not in each.states
        )

    def to_results(self) -> None:
        self.fill(SEARCH)
        self.click("search-flights")

    def searched(self) -> None:
        """The flights that were found, without the screen before them."""
        operations.search_flights(self.world, self.data, TRIP)
        self.open("/flights/1")

    def to_passenger(self) -> None:
        self.to_results()
        self.click(self.free("outward"), self.free("return"), "confirm-flights")

    def to_payment(self) -> None:
        self.to_passenger()
        self.act(Select(at("title"), "Ms"), Select(at("gender"), "Female"))
        self.fill(WHO)
        self.click("save-passenger")

    def drafts(self) -> dict[str, str]:
        return {row["field"]: row["value"] for row in self.world.snapshot()["log_drafts"]}

    @property
    def address(self) -> str:
        return self.seen.url.removeprefix(self.origin)


@pytest.fixture
def visit(runner, environments, make_booking) -> Iterator[Callable[..., Visit]]:
    """`visit(knobs, *bookings)`: a lane on the desk; by default one booking, K7Q2MB."""
    stack = AsyncExitStack()

    def opened(knobs: Knobs | None = None, *bookings: Booking) -> Visit:
        lane = runner.run(stack.enter_async_context(environments.lane("crm")))
        world = new_world("screens", bookings or [make_booking("K7Q2MB")], knobs)
        return Visit(runner, environments, lane, world)

    yield opened
    runner.run(stack.aclose())


# Every screen ------------------------------------------------------------------------------------


def test_a_return_flight_is_booked_screen_by_screen(visit):
    desk = visit()
    desk.to_results()
    assert (desk.address, desk.seen.title) == ("/flights/1", "Choose flights · Contrail")
    desk.click(desk.free("outward"), desk.free("return"))
    assert "Total $" in desk.seen.text
    desk.click("confirm-flights")
    assert (desk.address, desk.seen.title) == (
        "/flights/1/passenger",
        "Passenger details · Contrail",
    )
    desk.act(Select(at("title"), "Ms"), Select(at("gender"), "Female"))
    desk.fill(WHO)
    desk.click("save-passenger")
    assert (desk.address, desk.seen.title) == ("/flights/1/payment", "Payment · Contrail")
    assert desk.get("book-flight").commits
    desk.fill(CARD)
    desk.click("book-flight")
    assert (desk.address, desk.seen.title) == ("/flights/1/receipt", "Receipt · Contrail")
    made = desk.world.read("SELECT * FROM bookings")[-1]
    assert (made["last_name"], made["born"], made["card"]) == ("Lee", "1980-05-03", "1111")
    assert made["reference"] in desk.seen.text
    desk.click("open-booking")
    assert desk.seen.title == f"Booking {made['reference']} · Contrail"


def test_what_is_typed_is_in_the_journal_once_and_before_the_commit(visit):
    desk = visit()
    desk.to_results()
    journal = desk.world.snapshot()
    assert [(row["field"], row["value"]) for row in journal["log_drafts"]] == list(SEARCH.items())
    assert max(row["id"] for row in journal["log_drafts"]) < journal["log_commits"][0]["id"]
    assert "from" in [row["control"] for row in journal["log_events"]]


def test_a_passenger_is_changed(visit):
    desk = visit()
    desk.act(Click("Find booking"))
    desk.fill({"booking-reference": " k7q2mb "})
    desk.click("search-booking", "modify-booking")
    assert desk.address == "/bookings/K7Q2MB/passenger"
    assert (desk.get("last-name").value, desk.get("title").value) == ("Lee", "Ms")
    desk.fill({"last-name": "O'Neil"})
    desk.click("save-changes")
    assert "Ms Ann O'Neil" in desk.seen.text
    assert desk.world.read("SELECT last_name FROM bookings") == [{"last_name": "O'Neil"}]


def test_flights_of_a_booking_are_changed(visit):
    desk = visit()
    desk.open("/bookings/K7Q2MB/passenger")
    desk.click("tab-flights")
    assert (desk.get("from").value, desk.get("return").value) == (
        "Berlin Brandenburg (BER)",
        "2026-05-27",
    )
    desk.act(Select(at("trip-type"), "One-way"))
    assert "disabled" in desk.get("return").states
    desk.click("search-flights")
    assert "Booked now:" in desk.seen.text and not desk.has("return-1")
    desk.click(desk.free("outward"), "save-changes")
    assert desk.address == "/bookings/K7Q2MB"
    assert desk.world.read("SELECT return_flight FROM bookings") == [{"return_flight": None}]


def test_the_step_and_the_tab_where_one_is_are_marked(visit):
    desk = visit()

    def step():
        return [each.text for each in desk.seen.content if getattr(each, "current", False)]

    assert step() == ["Search"]
    desk.searched()
    assert step() == ["Flights"]
    desk.open("/bookings/K7Q2MB/flights")
    assert step() == []
    tabs = {each.html_id: each.states for each in desk.seen.elements if each.role == "tab"}
    assert tabs == {"tab-passenger": (), "tab-flights": ("selected",)}
    desk.click("tab-passenger")
    assert desk.get("tab-passenger").states == ("selected",)


@pytest.mark.wide
@pytest.mark.parametrize("bare", [False, True])
def test_each_hint_stands_right_behind_its_field(visit, bare):
    desk = visit(Knobs(hidden_labels=bare))
    fields = ("from", "to", "departure", "return")
    for address, names in (("/flights", fields), ("/bookings/K7Q2MB/passenger", ("dob",))):
        content = desk.open(address).content
        for name in names:
            behind = content[content.index(desk.get(name)) + 1]
            assert isinstance(behind, Text) and behind.text.startswith(("Code", "For", "Berlin")), (
                name
            )
    desk.open("/flights")
    desk.click("search-flights")
    field = desk.seen.content.index(desk.get("departure"))
    problem, opener = desk.seen.content[field + 1 : field + 3]
    assert "invalid" in desk.get("departure").states
    assert isinstance(problem, Text) and "date" in problem.text.lower()
    assert opener.html_id == "departure-calendar"


def test_a_namesake_keeps_reference_and_birthday_in_one_line(visit, make_booking):
    other = make_booking("ZZ9PLR", Passenger("Ms", "Ann", "Lee", "Female", "1991-02-03"))
    desk = visit(None, make_booking("K7Q2MB"), other)
    desk.open("/bookings/K7Q2MB")
    [line] = [each for each in desk.seen.content if each.role == "listitem"]
    assert line.text == "ZZ9PLR, born 3 February 1991"
    assert desk.get("booking-ZZ9PLR").name == "ZZ9PLR"


def test_a_booking_is_cancelled_only_with_its_reference(visit):
    desk = visit()
    desk.open("/bookings/K7Q2MB")
    desk.click("cancel-booking")
    assert desk.get("confirm-cancel").commits and desk.get("confirm-cancel").name == "Cancel"
    desk.click("confirm-cancel")
    assert "invalid" in desk.get("confirm-reference").states
    desk.click("keep-booking")
    assert desk.has("cancel-booking")
    desk.click("cancel-booking")
    desk.fill({"confirm-reference": "K7Q2MB"})
    desk.click("confirm-cancel")
    assert "Cancelled" in desk.seen.text and not desk.has("cancel-booking")
    assert desk.world.read("SELECT status FROM bookings") == [{"status": CANCELLED}]


@pytest.mark.wide
def test_each_control_of_each_screen_has_an_id_and_a_name(visit):
    desk = visit()

    def check() -> None:
        for each in desk.seen.elements:
            assert each.name and each.role != "generic", (desk.address, each)
            assert each.html_id, (desk.address, each)

    for address in ("/flights", "/bookings", "/bookings/K7Q2MB", "/bookings/K7Q2MB/cancel"):
        desk.open(address)
        check()
    desk.open("/bookings/K7Q2MB/passenger")
    check()
    desk.open("/flights")
    desk.to_payment()
    check()
    desk.act(Back())
    check()
    desk.act(Back())
    check()
    flight = desk.get(desk.free("outward"))
    assert flight.role == "radio" and " to " in flight.name and "$" in flight.name


# Fields ------------------------------------------------------------------------------------------


def test_an_airport_is_typed_or_chosen(visit):
    desk = visit()
    desk.act(Type(at("from"), "lon"))
    assert "expanded" in desk.get("from").states
    desk.act(Click("London Heathrow (LHR)"))
    assert desk.get("from").value == "London Heathrow (LHR)"
    assert desk.get("from").states == ("collapsed", "focused")
    desk.act(Type(at("to"), "jfk"))
    assert "collapsed" in desk.get("to").states
    assert "New York John F. Kennedy (JFK)" in desk.seen.text
    desk.act(Type(at("to"), "Lon"), Press("ArrowDown"), Press("ArrowUp"))
    assert desk.get("to-option-2").states == ("selected",)
    desk.act(Press("Enter"))
    assert desk.get("to").value == "London Heathrow (LHR)"
    assert desk.drafts()["to"] == "London Heathrow (LHR)"
    desk.act(Type(at("from"), "zz"), Type(at("from"), "par"), Press("Escape"))
    assert desk.get("from").states == ("collapsed", "focused")


def test_a_date_is_chosen_by_mouse(visit):
    desk = visit()
    desk.click("departure-calendar")
    assert "disabled" in desk.get("departure-2026-01-15").states
    desk.act(Select(at("departure-month"), "March"), Click("Next month"), Click("4 April 2026"))
    assert desk.get("departure").value == "2026-04-04" == desk.drafts()["departure"]
    assert not desk.has("departure-month")
    desk.click("departure-calendar", "return")
    assert not desk.has("departure-month")


def test_a_date_is_chosen_by_keys(visit):
    desk = visit()
    desk.act(Type(at("departure"), "2026-05-31"), Press("Tab"), Press("Enter"))
    assert "focused" in desk.get("departure-2026-05-31").states
    desk.act(Press("PageDown"))
    assert "focused" in desk.get("departure-2026-06-30").states
    desk.act(Press("ArrowRight"), Press("ArrowDown"), Press("Enter"))
    assert desk.get("departure").value == "2026-07-08"
    assert "focused" in desk.get("departure-calendar").states
    desk.act(Press("Enter"), Press("Escape"))
    assert desk.get("departure-calendar").states == ("collapsed", "focused")


def test_a_birthday_has_years_to_choose_from(visit):
    desk = visit()
    desk.open("/bookings/K7Q2MB/passenger")
    desk.click("dob-calendar")
    assert (desk.get("dob-month").value, desk.get("dob-year").value) == ("May", "1980")
    desk.act(Select(at("dob-year"), "1979"), Click("31 May 1979"))
    assert desk.get("dob").value == "1979-05-31"


def test_what_is_wrong_stands_beside_the_field(visit):
    desk = visit()
    desk.fill({"from": "Nowhere", "departure": "2026-02-30"})
    desk.act(Press("Enter"))
    wrong = [each.html_id for each in desk.seen.elements if "invalid" in each.states]
    assert wrong == ["from", "to", "departure", "return"]
    assert "focused" in desk.get("from").states and "4 fields need attention" in desk.seen.text
    assert desk.address == "/flights"
    desk.fill({"from": "LHR"})
    assert "invalid" not in desk.get("from").states and "invalid" in desk.get("to").states
    assert "fields need attention" not in desk.seen.text


def test_a_single_problem_is_said_once(visit):
    desk = visit()
    desk.open("/bookings")
    desk.fill({"booking-reference": "ZZZZZZ"})
    desk.click("search-booking")
    assert desk.seen.text.count("There is no booking ZZZZZZ") == 1
    assert "focused" in desk.get("booking-reference").states
    assert "invalid" in desk.get("booking-reference").states


def test_flights_that_were_not_chosen_are_asked_for(visit):
    desk = visit()
    desk.searched()
    desk.click("confirm-flights")
    assert "Choose an outward flight." in desk.seen.text
    desk.click(desk.free("outward"), "confirm-flights")
    assert "Choose an outward flight." not in desk.seen.text
    assert "focused" in desk.get(desk.free("return")).states


def test_what_people_typed_is_shown_as_text(visit, make_booking):
    booking = make_booking("K7Q2MB", Passenger("Mr", EVIL, EVIL, "Male", "1970-01-01"))
    desk = visit(None, booking)
    for address in ("/bookings/K7Q2MB", "/bookings/K7Q2MB/passenger", "/bookings/K7Q2MB/cancel"):
        seen = desk.open(address)
        assert "Contrail" in seen.title
        assert EVIL in seen.text or desk.get("last-name").value == EVIL
    desk.open("/bookings")
    desk.fill({"booking-reference": EVIL})
    assert "Contrail" in desk.click("search-booking").title


# Addresses ---------------------------------------------------------------------------------------


@pytest.mark.wide
def test_back_forward_and_reload_keep_what_was_typed(visit):
    desk = visit()
    desk.to_payment()
    desk.fill({"card-number": "4111"})
    desk.act(Back())
    assert (desk.address, desk.get("first-name").value) == ("/flights/1/passenger", "Ann")
    desk.act(Back())
    assert "checked" in desk.get(desk.free("outward")).states
    desk.act(Back())
    assert (desk.address, desk.get("to").value) == ("/flights", SEARCH["to"])
    desk.act(Forward(), Forward(), Forward())
    assert desk.get("card-number").value == "4111"
    desk.fill({"cvc": "12"})
    desk.act(Goto(desk.seen.url))
    assert (desk.get("card-number").value, desk.get("cvc").value) == ("4111", "12")


@pytest.mark.wide
def test_every_answer_is_on_the_screen_when_it_is_observed(visit):
    desk = visit()
    for _ in range(25 if DEEP else 8):
        assert desk.act(Click("Find booking")).title == "Find a booking · Contrail"
        assert desk.act(Click("Search flights")).title == "Search flights · Contrail"


@pytest.mark.wide
def test_a_screen_that_cannot_be_shown_says_why_and_leads_on(visit):
    desk = visit()
    desk.searched()
    desk.act(Goto(f"{desk.origin}/flights/1/payment"))
    assert desk.has("way-on")
    desk.click("way-on")
    assert desk.address == "/flights/1"
    desk.act(Goto(f"{desk.origin}/flights/9"))
    desk.click("way-on")
    assert desk.address == "/flights"


def test_a_booking_made_twice_leads_to_its_receipt(visit):
    desk = visit()
    prepared(desk.world, desk.data)
    desk.open("/flights/1/payment")
    desk.fill(CARD)
    desk.click("book-flight")
    desk.act(Back())
    desk.click("book-flight")
    assert len(desk.world.read("SELECT * FROM bookings")) == 2
    desk.click("way-on")
    assert desk.address == "/flights/1/receipt"


def test_a_visit_that_is_over_says_so(visit):
    desk = visit()
    desk.fill(SEARCH)
    desk.world.close()
    desk.click("search-flights")
    assert "This visit is over, so nothing was changed." in desk.seen.text


@pytest.mark.wide
def test_a_checkpoint_is_restored_on_a_later_screen(visit):
    desk = visit()
    door = MeteredPage(
        desk.lane, desk.worlds, desk.world, f"{desk.origin}/flights", Meter(Budget(99, 99)), Trace()
    )
    run = desk.run
    run(door.open())
    for name in ("Find booking", "Search flights"):
        run(door.act(Click(name)))
    for control, text in SEARCH.items():
        run(door.act(Type(at(control), text)))
    run(door.act(Click(at("search-flights"))))
    desk.seen = run(door.observe())
    chosen = desk.free("outward")
    run(door.act(Click(at(chosen))))
    mark = run(door.checkpoint())
    run(door.act(Click("Find booking")))
    restored = run(door.restore(mark))
    assert restored.error is None
    assert restored.url == f"{desk.origin}/flights/1"
    door.close()
    door.release()


# Harder desks ------------------------------------------------------------------------------------


def test_hidden_labels_leave_fields_without_names_and_with_ids(visit):
    desk = visit(Knobs(hidden_labels=True))
    fields = [each for each in desk.seen.elements if each.role in ("combobox", "textbox")]
    assert {each.html_id for each in fields} == {*SEARCH, "trip-type"}
    assert {each.name for each in fields} == {""}
    desk.act(Type(at("from"), "lon"), Click("London Heathrow (LHR)"))
    desk.searched()
    radios = [each for each in desk.seen.elements if each.role == "radio"]
    assert radios and {each.name for each in radios} == {""}
    assert desk.get("confirm-flights").name == "Confirm"
    desk.click(desk.free("outward"), desk.free("return"), "confirm-flights", "save-passenger")
    assert "5 fields need attention" in desk.seen.text


def test_shuffled_fields_stand_in_another_order(visit):
    desk = visit(Knobs(shuffle=3))
    there = [each.html_id for each in desk.seen.elements if each.html_id in SEARCH]
    assert sorted(there) == sorted(SEARCH) and there != list(SEARCH)
    desk.to_results()
    assert desk.address == "/flights/1"


@pytest.mark.wide
def test_a_survey_is_a_dialog_that_says_that_it_covers_the_page_and_what_closes_it(visit):
    desk = visit(Knobs(survey=True))
    desk.searched()
    [place] = [at for at, node in enumerate(desk.seen.content) if node.role == "dialog"]
    name = desk.seen.content[place].text
    assert name.startswith("How do you like the new desk?") and "covers the page" in name
    inside = desk.seen.content[place + 1 : place + 4]
    assert [each.html_id for each in inside] == ["survey-answer", "survey-send", "survey-close"]
    assert {each.depth for each in inside} == {1} and inside[-1].name in name
    assert desk.seen.text.count("How do you like the new desk?") == 1
    desk.click("survey-close")
    assert not any(node.role == "dialog" for node in desk.seen.content)


@pytest.mark.wide
@pytest.mark.parametrize("answer", ["survey-send", "survey-close"] if DEEP else ["survey-send"])
def test_a_survey_is_in_the_way_until_it_is_answered(visit, answer):
    desk = visit(Knobs(survey=True))
    desk.searched()
    blocked = desk.run(desk.lane.act(Click(at("confirm-flights"))))
    assert blocked.error is not None and "survey" in blocked.error
    desk.click(answer)
    assert not desk.has("survey-answer")
    desk.act(Click("Find booking"), Back())
    assert desk.has("confirm-flights") and not desk.has("survey-answer")


def test_slow_answers_are_waited_for(visit):
    desk = visit(Knobs(latency_ms=300))
    desk.to_results()
    assert desk.has("confirm-flights")


# Ambiguous labels --------------------------------------------------------------------------------


@pytest.fixture
def ambiguous(visit):
    """A desk whose labels are ambiguous, and `shown(screen, *real ids)`: what those are called."""
    desk = visit(Knobs(labels="ambiguous", shuffle=3))

    def shown(screen, *fields):
        neutral = names_of(desk.world, screen).neutral
        return [neutral[field] for field in fields]

    return desk, shown


def enter(desk, shown, screen, texts):
    desk.fill(dict(zip(shown(screen, *texts), texts.values(), strict=True)))


def test_no_field_has_a_name_and_every_button_is_called_ok(ambiguous):
    desk, _ = ambiguous
    inputs = [each for each in desk.seen.elements if each.role in ("combobox", "textbox")]
    assert [each.html_id for each in inputs] == ["f1", "f2", "f3", "f4", "f5"]
    assert {each.name for each in inputs} == {""}
    assert [each.name for each in desk.seen.elements if each.role == "button"] == ["OK"]
    assert not any(node.role == "img" for node in desk.seen.content)
    assert {field.label for field in FORMS["flights"]}.isdisjoint(desk.seen.text.split("\n"))
    source = desk.run(desk.lane.observe(source="main")).source
    roles = {text for field in FORMS["flights"] for text in (field.id, field.label, field.hint)} - {
        ""
    }
    assert roles.isdisjoint(re.findall(r'="([^"]*)"', source.replace('value="return"', "")))
    assert 'src="/captions/flights/f1"' in source and 'alt=""' in source


def test_a_value_is_refused_or_repeated_as_soon_as_its_field_is_left(ambiguous):
    desk, shown = ambiguous
    here, day = shown("flights", "from", "departure")
    desk.act(Type(at(here), "4 March 2026"))
    assert "invalid" not in desk.get(here).states
    desk.act(Type(at(day), "4 March 2026"))
    assert "invalid" in desk.get(here).states
    assert "This field takes an airport" in desk.seen.text and "So far" not in desk.seen.text
    desk.act(Press("Tab"))
    assert "So far: … to …, leaving Wednesday, 4 March 2026, coming back …" in desk.seen.text
    desk.open("/flights")
    assert "invalid" in desk.get(here).states and "So far: … to …, leaving" in desk.seen.text


def test_what_was_said_of_an_empty_field_stays_while_others_are_filled(ambiguous):
    desk, shown = ambiguous
    desk.click("b1")
    fields = shown("flights", "from", "to", "departure", "return")
    assert all("invalid" in desk.get(each).states for each in fields)
    here, *others = fields
    desk.act(Type(at(here), "LHR"), Press("Tab"))
    assert "So far: London Heathrow (LHR) to" in desk.seen.text
    assert [each for each in fields if "invalid" in desk.get(each).states] == others


def test_a_review_leads_back_and_on(ambiguous):
    desk, shown = ambiguous
    enter(desk, shown, "flights", SEARCH)
    desk.act(Press("Enter"))
    assert desk.address == "/flights" and "Check before it counts" in desk.seen.text
    for way in (Click("Back"), Back()):
        desk.act(way)
        assert desk.get(*shown("flights", "to")).value == "jfk"
        assert desk.world.snapshot()["log_commits"] == []
        desk.click("b1")
    desk.click("b1")
    assert desk.address == "/flights/1" and "Searched: London Heathrow (LHR) to" in desk.seen.text
    [commit] = desk.world.snapshot()["log_commits"]
    assert commit["control"] == "search-flights" and '"from": "LHR"' in commit["submitted"]


def test_lists_of_flights_tell_their_way_once_one_is_chosen(ambiguous):
    desk, shown = ambiguous
    enter(desk, shown, "flights", SEARCH)
    desk.click("b1", "b1")
    radios = [each for each in desk.seen.elements if each.role == "radio"]
    assert {each.name for each in radios} == {""} and "Outward" not in desk.seen.text
    [back] = shown("results", "return")
    desk.click(desk.free(back))
    assert "So far: Out …; back at " in desk.seen.text


def test_what_cannot_be_taken_back_is_marked_on_its_review_only(ambiguous):
    desk, shown = ambiguous
    desk.open("/bookings/K7Q2MB/cancel")
    enter(desk, shown, "cancel", {"confirm-reference": "k7q2mb"})
    assert not desk.get("b1").commits
    desk.click("b1")
    assert desk.get("b1").commits and "cannot be taken back" in desk.seen.text
    assert desk.world.read("SELECT status FROM bookings") == [{"status": "confirmed"}]
    desk.click("b1")
    assert "The booking was cancelled." in desk.seen.text


# Other windows -----------------------------------------------------------------------------------


def prepared(world, data) -> None:
    """Bring the first journey of a world up to its payment."""
    number = operations.search_flights(world, data, TRIP).number
    here, there = TRIP["from"], TRIP["to"]
    legs = ((here, there, TRIP["departure"]), (there, here, TRIP["return"]))
    found = [next(each.number for each in data.flights(*leg) if each.seats) for leg in legs]
    chosen = dict(zip(("outward", "return"), found, strict=True))
    operations.confirm_flights(world, data, number, chosen)
    operations.save_passenger(world, data, number, ANN.values())


@pytest.mark.wide
@pytest.mark.parametrize("labels", ["", "ambiguous"])
def test_no_screen_is_wider_than_a_telephone(visit, foreign, runner, data, labels):
    """With one sort of labels every other screen, with `tox -e deep` all."""
    desk = visit(Knobs(labels=labels, shuffle=3))
    prepared(desk.world, data)

    async def widths() -> dict[str, int]:
        context = await foreign.new_context(viewport={"width": 400, "height": 800})
        await context.add_cookies([{"name": COOKIE, "value": desk.token, "url": desk.origin}])
        page, found = await context.new_page(), {}
        booking = ("", "/cancel", "/passenger", "/flights")
        journey = ("", "/1", "/1/passenger", "/1/payment")
        addresses = [f"/flights{end}" for end in journey]
        addresses += [f"/bookings/K7Q2MB{end}" for end in booking]
        for address in addresses if DEEP else addresses[bool(labels) :: 2]:
            await page.goto(desk.origin + address)
            found[address] = await page.evaluate("document.documentElement.scrollWidth")
        await context.close()
        return found

    assert set(runner.run(widths()).values()) == {400}


@pytest.mark.wide
def test_without_a_connection_nothing_is_lost(visit, foreign, runner):
    desk = visit()

    async def tried() -> tuple[str, str]:
        context = await foreign.new_context()
        await context.add_cookies([{"name": COOKIE, "value": desk.token, "url": desk.origin}])
        page = await context.new_page()
        await page.goto(f"{desk.origin}/bookings")
        await context.set_offline(True)
        await page.fill("#booking-reference", "k7q2mb")
        await page.click("#search-booking")
        message = await page.locator("#refusal").inner_text()
        await context.set_offline(False)
        await page.click("#search-booking")
        await page.wait_for_url("**/bookings/K7Q2MB")
        await context.close()
        return message, desk.drafts()["booking-reference"]

    message, draft = runner.run(tried())
    assert "cannot be reached" in message and draft == "k7q2mb"
