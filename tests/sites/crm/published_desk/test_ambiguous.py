"""Pages whose labels are ambiguous: nothing says what a field is until it was found out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from sites.crm import Knobs
from sites.crm.published_desk.ambiguous.names import names
from sites.crm.published_desk.form_fields import BUTTONS, FIELDS, FORMS
from tests.each import for_each
from tests.sites.crm.conftest import ANN, CARD, TRIP, CrmClient

BOOKING = "/bookings/K7Q2MB"
FORM_SCREENS = {
    "flights": "/flights",
    "find": "/bookings",
    "cancel": f"{BOOKING}/cancel",
    "modify": f"{BOOKING}/passenger",
    "modify-search": f"{BOOKING}/flights",
}
"""Screens with a form that can be opened at once, with their addresses."""
EMPTY = ("flights", "find", "cancel")
"""Those in which nothing stands at first."""


class AmbiguousClient(CrmClient):
    """A desk whose labels are ambiguous, used by real ids, which it translates."""

    def __init__(self, data, seed: int = 3) -> None:
        super().__init__(data, Knobs(labels="ambiguous", shuffle=seed))

    def neutral(self, screen: str) -> dict[str, str]:
        return dict(names(self.world, screen).neutral)

    def body(self, screen: str, control: str, values: dict[str, str]) -> dict[str, Any]:
        known = self.neutral(screen)
        shown = {known[field]: text for field, text in values.items()}
        return {"control": known[control], "version": 0, "values": shown}

    def press(self, address: str, screen: str, control: str, values: dict[str, str]) -> Any:
        """The answer to a press of a button: the review, or what is wrong."""
        body = self.body(screen, control, values)
        return self.post(address, {**body, "version": self.get(address).json["version"]})

    def confirm(self, reply: Any) -> Any:
        """Press OK on a review."""
        screen = reply.json["screen"]
        body = {"control": screen["buttons"][0]["id"], "version": screen["version"]}
        shown = screen["review"]
        body |= {"values": shown["values"], "reviewed": shown["token"]}
        return self.post(screen["address"], body)

    def done(self, address: str, screen: str, control: str, values: dict[str, str]) -> Any:
        return self.confirm(self.press(address, screen, control, values))

    def leave(self, screen: str, field: str, text: str, subject: str = "") -> Any:
        """Type into a field and leave it."""
        event = {"kind": "draft", "screen": screen, "subject": subject, "value": text}
        return self.log({**event, "field": self.neutral(screen)[field]})

    def rows(self) -> dict[str, Any]:
        return self.world.snapshot()


@pytest.fixture
def desk(data) -> AmbiguousClient:
    return AmbiguousClient(data)


@pytest.fixture
def desk_of(data):
    return lambda seed: AmbiguousClient(data, seed)


# What is shown -----------------------------------------------------------------------------------


def leaves(value: Any) -> Iterator[str]:
    """Every key and every text of JSON; what a list offers to choose is a value, and left out."""
    if isinstance(value, dict):
        choice = value.get("type") == "choice"
        for key, each in value.items():
            yield key
            if not (choice and key in ("options", "value")):
                yield from leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from leaves(each)
    elif isinstance(value, str):
        yield value


def roles(screen: str) -> set[str]:
    """The ids, labels and hints of a screen's fields and buttons."""
    fields, buttons = FORMS.get(screen, ()), BUTTONS[screen]
    texts = [text for each in fields for text in (each.id, each.label, each.hint)]
    return {*texts, *(each.id for each in buttons), *FIELDS[screen]} - {""}


@pytest.mark.wide
@for_each(("screen", "seed"), [(screen, seed) for screen in EMPTY for seed in range(12)])
def test_no_screen_names_a_role(desk_of, screen, seed):
    shown = desk_of(seed).get(FORM_SCREENS[screen]).json
    assert roles(screen).isdisjoint(leaves(shown))
    assert [each["id"] for each in shown["fields"]] == [
        f"f{1 + k}" for k in range(len(FIELDS[screen]))
    ]
    assert {each["label"] for each in shown["fields"]} == {""}
    assert (shown["line"], shown["problems"]) == ("", {})
    assert {each["label"] for each in shown["buttons"] if each["action"] == "commit"} == {"OK"}


@for_each("screen", FORM_SCREENS)
def test_a_field_that_holds_a_value_has_no_name_either(desk, screen):
    fields = desk.get(FORM_SCREENS[screen]).json["fields"]
    assert roles(screen).isdisjoint(leaves(fields))
    assert {each["type"] for each in fields} <= {"text", "choice"}


def test_the_page_itself_names_no_role(desk):
    """Its tags without the data that it begins with, and those."""
    page = desk.page("/flights").text
    assert roles("flights").isdisjoint(leaves(desk.boot("/flights")["screen"]))
    tags = re.sub(r'<script[^>]*id="boot".*?</script>', "", page, flags=re.DOTALL)
    quoted = re.findall(r'"([^"]*)"', tags)
    assert roles("flights").isdisjoint([*quoted, *re.findall(r">([^<>]+)<", tags)])


def test_the_lists_of_flights_do_not_say_which_way_they_lead(desk):
    results = desk.done("/flights", "flights", "search-flights", TRIP).json["screen"]
    assert results["searched"].startswith("London Heathrow (LHR) to New York John F. Kennedy (JFK)")
    lists = results["flights"]
    assert [each["title"] for each in lists.values()] == ["List 1", "List 2"]
    assert {*lists} == {"f1", "f2"} and results["journey"] is None
    shown = " ".join(leaves(lists))
    assert not re.search(r"LHR|JFK|Heathrow|outward|return|2026", shown, re.IGNORECASE)


def orders(desk_of, screen: str) -> set[tuple[str, ...]]:
    return {names(desk_of(seed).world, screen).fields for seed in range(12)}


def test_the_order_differs_from_seed_to_seed_and_screen_to_screen(desk_of):
    for screen in ("flights", "passenger", "payment", "modify"):
        assert len(orders(desk_of, screen)) >= 4, screen
    assert len(orders(desk_of, "results")) == 2
    buttons = {names(desk_of(seed).world, "booking").buttons for seed in range(12)}
    assert len(buttons) == 2
    same = [names(desk_of(seed).world, "passenger").fields for seed in (1, 1)]
    assert same[0] == same[1] and sorted(same[0]) == sorted(FIELDS["passenger"])
    both = [
        (names(d.world, "passenger").fields, names(d.world, "modify").fields)
        for d in map(desk_of, range(12))
    ]
    assert any(one != other for one, other in both)


# Captions ----------------------------------------------------------------------------------------


def test_captions_are_pictures_of_outlines(desk):
    for field in desk.get("/flights").json["fields"]:
        picture = desk.page(field["picture"])
        assert picture.mimetype == "image/svg+xml" and picture.status_code == 200
        assert re.fullmatch(r"/captions/flights/f[1-5]", field["picture"])
        drawn = re.sub(r"<style>.*</style>", "", picture.text)
        assert "<path" in drawn and re.sub(r"<[^>]*>", "", drawn) == ""
        assert not re.search(r"title|desc|aria|text", drawn)


def test_every_field_and_button_has_its_own_picture(desk):
    for screen in (*FORM_SCREENS, "passenger", "payment", "booking", "results"):
        shown = names(desk.world, screen).real
        pictures = [desk.page(f"/captions/{screen}/{each}").text for each in shown]
        assert all("<path" in each for each in pictures), screen
        assert len(set(pictures)) == len(shown), screen


@for_each(
    "address",
    ["/captions/flights/f9", "/captions/flights/from", "/captions/nowhere/f1", "/captions/x"],
)
def test_there_are_no_other_pictures(desk, address):
    reply = desk.page(address)
    assert reply.status_code == 404 and "<path" not in reply.text


def test_usual_desks_have_no_pictures(data):
    usual = CrmClient(data)
    assert usual.page("/captions/flights/f1").status_code == 404
    assert "picture" not in usual.get("/flights").json["fields"][0]


# What is found out -------------------------------------------------------------------------------


def test_an_accepted_value_is_repeated_in_its_role(desk):
    first = desk.leave("flights", "from", "LHR").json
    assert first["line"] == "London Heathrow (LHR) to …, leaving …, coming back …"
    assert first["problems"] == {} and first["address"] == "/flights"
    desk.leave("flights", "departure", "4 March 2026")
    line = "London Heathrow (LHR) to …, one way, leaving Wednesday, 4 March 2026"
    assert desk.leave("flights", "trip-type", "one-way").json["line"] == line
    assert desk.get("/flights").json["line"] == line, "what was found out stays on the page"


@for_each(
    ("screen", "field", "text", "expected"),
    [
        ("flights", "from", "2026-03-04", "an airport, by its code or its city. We do not fly"),
        ("flights", "to", "London", "an airport, by its code or its city. London has more than"),
        ("flights", "departure", "Oslo", "a date, such as 2026-03-04 or 4 March 2026."),
        ("flights", "return", "2020-01-01", "a date, such as 2026-03-04 or 4 March 2026. We sell"),
    ],
)
def test_a_value_of_another_kind_is_refused_when_the_field_is_left(
    desk_of, screen, field, text, expected
):
    desk = desk_of(3)
    reply = desk.leave(screen, field, text).json
    shown = desk.neutral(screen)[field]
    assert [*reply["problems"]] == [shown]
    assert reply["problems"][shown].startswith(f"This field takes {expected}")


def test_fields_of_one_kind_are_not_told_apart_by_messages(desk):
    reply = desk.press("/flights", "flights", "search-flights", {"trip-type": "return"}).json
    known = desk.neutral("flights")
    errors = {
        field: reply["errors"][known[field]] for field in ("from", "to", "departure", "return")
    }
    assert errors["from"] == errors["to"] != errors["departure"] == errors["return"]


def test_a_name_is_no_number(desk):
    address = payment(desk)
    where, known = address.replace("payment", "passenger"), desk.neutral("passenger")
    wrong = {**ANN.values(), "first-name": "1980-05-03", "dob": "Ann"}
    errors = desk.press(where, "passenger", "save-passenger", wrong).json["errors"]
    assert errors[known["first-name"]].startswith("This field takes a name.")
    assert errors[known["dob"]].startswith("This field takes a date of birth")
    assert len(errors) == 2


def test_where_there_is_no_way_back_its_field_says_so(desk):
    desk.leave("flights", "trip-type", "one-way")
    reply = desk.leave("flights", "return", "2026-03-11").json
    shown = desk.neutral("flights")["return"]
    assert reply["problems"] == {shown: "A one-way trip has no way back. Leave this field empty."}
    refused = desk.press("/flights", "flights", "search-flights", {**TRIP, "trip-type": "one-way"})
    assert refused.json["errors"] == reply["problems"]


def test_a_button_that_was_tried_says_what_it_does(desk):
    def known() -> list[str]:
        return [each["known"] for each in desk.get(BOOKING).json["buttons"]]

    assert known() == ["", ""]
    reviewed = desk.press(BOOKING, "booking", "modify-booking", {}).json["screen"]["review"]
    assert (reviewed["deed"], reviewed["line"]) == (
        "Begin to change this booking",
        "Booking K7Q2MB",
    )
    assert sorted(known()) == ["", "Begin to change this booking"]


# The review --------------------------------------------------------------------------------------


def payment(desk: AmbiguousClient) -> str:
    """Search, choose and save the passenger; the address of the payment screen."""
    results = desk.done("/flights", "flights", "search-flights", TRIP).json["screen"]
    known = desk.neutral("results")
    chosen = {group: desk.free(results, known[group]) for group in ("outward", "return")}
    done = desk.done(results["address"], "results", "confirm-flights", chosen).json
    saved = desk.done(done["address"], "passenger", "save-passenger", ANN.values()).json
    return str(saved["address"])


def test_a_flight_is_booked_review_by_review(desk):
    address = payment(desk)
    reviewed = desk.press(address, "payment", "book-flight", CARD)
    screen = reviewed.json["screen"]
    assert screen["review"]["line"] == "Card number 4111111111111111, expiry date 09/27, CVC 123"
    assert screen["buttons"][0]["commits"] and screen["fields"] == []
    assert len(desk.rows()["bookings"]) == 1
    assert desk.confirm(reviewed).json["screen"]["screen"] == "receipt"
    assert desk.rows()["bookings"][-1]["last_name"] == "Lee"


def deeds(desk: AmbiguousClient) -> Iterator[tuple[str, str, str, dict[str, str]]]:
    """Every button of every screen with right values."""
    address = payment(desk)
    yield "/flights", "flights", "search-flights", TRIP
    yield address.replace("/payment", "/passenger"), "passenger", "save-passenger", ANN.values()
    yield address, "payment", "book-flight", CARD
    yield "/bookings", "find", "search-booking", {"booking-reference": "K7Q2MB"}
    yield BOOKING, "booking", "cancel-booking", {}
    yield BOOKING, "booking", "modify-booking", {}
    yield f"{BOOKING}/cancel", "cancel", "confirm-cancel", {"confirm-reference": "K7Q2MB"}
    yield f"{BOOKING}/passenger", "modify", "save-changes", {**ANN.values(), "last-name": "Berg"}
    yield f"{BOOKING}/flights", "modify-search", "search-flights", TRIP


def test_a_press_changes_nothing_until_it_is_confirmed(desk):
    for address, screen, control, values in deeds(desk):
        before = desk.rows()
        for _ in range(3):
            reply = desk.press(address, screen, control, values)
            assert reply.status_code == 200 and reply.json["screen"]["review"]["deed"], screen
        after = desk.rows()
        kept = {name for name in before if name not in ("log_events", "log_pages")}
        assert {name: after[name] for name in kept} == {name: before[name] for name in kept}


def test_probing_changes_nothing_but_the_journal_of_what_was_refused(desk):
    before = desk.rows()
    for values in ({}, {"from": "JFK", "departure": "Oslo"}, {**TRIP, "to": "LHR"}):
        assert desk.press("/flights", "flights", "search-flights", values).status_code == 400
    assert (
        desk.press(
            "/bookings", "find", "search-booking", {"booking-reference": "NONE00"}
        ).status_code
        == 404
    )
    after = desk.rows()
    assert after["bookings"] == before["bookings"] and after["log_journeys"] == []
    assert [row["recorded"] for row in after["log_commits"]] == [None] * 4
    assert desk.get("/flights").json["version"] == 0


def test_the_journal_names_the_real_fields_and_buttons(desk):
    desk.leave("flights", "to", "JFK")
    click = {"kind": "click", "screen": "results", "subject": "1"}
    desk.log(
        {**click, "control": f"{desk.neutral('results')['return']}-2"}, {**click, "control": "back"}
    )
    desk.done("/flights", "flights", "search-flights", TRIP)
    seen = desk.rows()
    assert [(row["field"], row["value"]) for row in seen["log_drafts"]] == [("to", "JFK")]
    assert [row["control"] for row in seen["log_events"]] == ["return-2", "back", "search-flights"]
    [commit] = seen["log_commits"]
    assert commit["control"] == "search-flights" and json.loads(commit["submitted"]) == TRIP


# Bad input ---------------------------------------------------------------------------------------


def test_a_review_of_other_values_confirms_nothing(desk):
    reply = desk.press("/flights", "flights", "search-flights", TRIP)
    shown = reply.json["screen"]["review"]
    other = {**shown["values"], desk.neutral("flights")["to"]: "OSL"}
    body = {"control": "b1", "version": 0, "values": other, "reviewed": shown["token"]}
    assert "review" in desk.post("/flights", body).json["screen"]
    assert desk.rows()["log_commits"] == []
    for token in ("", 7, None, ["x"]):
        body = {**body, "reviewed": token}
        assert "review" in desk.post("/flights", body).json["screen"]


def test_real_ids_are_no_ids_here(desk):
    usual = {"control": "search-flights", "version": 0, "values": TRIP}
    assert desk.post("/flights", usual).json["errors"].keys() == {"control"}
    reply = desk.post("/flights", {**usual, "control": "b1"})
    assert reply.status_code == 400 and reply.json["errors"].keys() <= {f"f{k}" for k in range(6)}
    event = {"kind": "draft", "screen": "flights", "subject": "", "field": "from", "value": "LHR"}
    assert desk.log(event).json["errors"].keys() == {"events"}
    desk.log(
        {"kind": "click", "screen": "booking", "subject": "K7Q2MB", "control": "cancel-booking"}
    )
    assert [each["known"] for each in desk.get(BOOKING).json["buttons"]] == ["", ""]


@for_each(
    "body",
    [
        {},
        {"control": 7},
        {"control": "b9"},
        {"control": "b1", "version": "x"},
        {"control": "b1", "version": 0, "values": []},
        {"control": "b1", "version": 0, "values": {"f1": 7}},
        {"control": "b1", "version": 0, "values": {}, "events": [7]},
        {"control": "b1", "version": 0, "values": {}, "events": [{"screen": ["x"]}]},
        {
            "control": "b1",
            "version": 0,
            "values": {},
            "events": [{"screen": "flights", "field": 1}],
        },
        {"control": "b1", "version": 0, "values": {}, "events": "x"},
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence_without_roles(desk, body):
    reply = desk.post("/flights", body)
    assert reply.status_code == 400
    assert {*reply.json["errors"]}.isdisjoint(FIELDS["flights"]) and all(
        reply.json["errors"].values()
    )


def test_a_draft_that_is_no_text_does_not_name_its_field(desk):
    shown = desk.neutral("flights")["from"]
    event = {"kind": "draft", "screen": "flights", "subject": "", "field": shown, "value": 7}
    assert desk.log(event).json["errors"].keys() == {"events"}


def test_an_unknown_place_has_no_verdict(desk):
    event = {"kind": "draft", "screen": "passenger", "subject": "77", "field": "f1", "value": "x"}
    assert desk.log(event).status_code == 204


def test_a_visit_that_is_over_is_not_probed(desk):
    body = desk.body("flights", "search-flights", TRIP)
    assert desk.csrf
    desk.world.close()
    assert desk.post("/flights", body).status_code == 409


def test_what_was_changed_since_the_review_is_refused(desk):
    reviewed = desk.press(f"{BOOKING}/passenger", "modify", "save-changes", ANN.values())
    other = {**ANN.values(), "last-name": "Berg"}
    assert desk.done(f"{BOOKING}/passenger", "modify", "save-changes", other).status_code == 200
    late = desk.confirm(reviewed)
    assert late.status_code == 409 and "changed since" in late.json["error"]
    assert desk.rows()["bookings"][0]["last_name"] == "Berg"


def test_labels_are_usual_or_ambiguous():
    with pytest.raises(ValueError, match="labels is 'odd'; it can be '' or 'ambiguous'"):
        Knobs(labels="odd")
    assert "labels" not in Knobs(shuffle=3).to_json()
    assert Knobs(**Knobs(labels="ambiguous").to_json()).ambiguous
