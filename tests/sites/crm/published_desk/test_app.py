from __future__ import annotations

import json

import pytest

from sites.crm import Knobs
from sites.crm.base.address import SCREENS
from sites.crm.published_desk import operations
from sites.site_app import COOKIE

TRIP = {
    "from": "LHR",
    "to": "JFK",
    "trip-type": "return",
    "departure": "2026-03-04",
    "return": "2026-03-11",
}
CARD = {"card-number": "4111 1111 1111 1111", "expiry": "09/27", "cvc": "123"}


def pages(desk) -> list[str]:
    return [row["address"] for row in desk.world.snapshot()["log_pages"]]


def values(screen) -> dict[str, str]:
    return {field["id"]: field["value"] for field in screen["fields"]}


def every_screen(desk) -> list[str]:
    """An address of each screen, all of which can be shown."""
    payment = desk.to_payment()
    desk.commit(payment, "book-flight", CARD)
    other = desk.to_payment()
    change = desk.commit("/bookings/K7Q2MB/flights", "search-flights", TRIP).json["address"]
    booking = "/bookings/K7Q2MB"
    ways = ("", "/cancel", "/passenger", "/flights")
    results = other.removesuffix("/payment")
    return [
        "/flights",
        results,
        f"{results}/passenger",
        other,
        payment.replace("payment", "receipt"),
        "/bookings",
        *(booking + way for way in ways),
        change,
    ]


def test_the_first_page_leads_to_the_search(desk):
    answer = desk.page("/")
    assert (answer.status_code, answer.location) == (302, "/flights?scenario=s1")
    with_cookie = desk.app.test_client()
    with_cookie.set_cookie(COOKIE, desk.worlds.admit(desk.world), domain="localhost")
    assert with_cookie.get("/").location == "/flights"
    assert with_cookie.get("/flights").status_code == 200


def test_every_screen_has_an_address_and_the_page_holds_what_the_api_says(desk):
    shown = set()
    for address in every_screen(desk):
        boot, screen = desk.boot(address), desk.get(address).json
        assert boot["screen"] == screen
        assert screen["address"] == address
        assert (boot["today"], boot["session"]) == ("2026-01-15", "s1")
        shown.add(screen["screen"])
    assert shown == set(SCREENS)


def test_looking_changes_nothing_but_the_journal(desk):
    addresses = every_screen(desk)
    before, commits = desk.world.digest(), desk.world.snapshot()["log_commits"]
    for address in addresses * 2:
        assert desk.page(address).status_code == desk.get(address).status_code == 200
    assert desk.world.digest() == before
    assert desk.world.snapshot()["log_commits"] == commits
    assert pages(desk)[-4 * len(addresses) :: 2] == addresses * 2


def test_ids_and_labels(desk):
    seen: dict[str, str] = {}
    for address in every_screen(desk):
        screen = desk.get(address).json
        for each in [*screen["fields"], *screen["buttons"], *screen["tabs"]]:
            seen[each["id"]] = each["label"]
    assert seen == {
        "from": "From",
        "to": "To",
        "trip-type": "Trip type",
        "departure": "Departure date",
        "return": "Return date",
        "search-flights": "Search",
        "confirm-flights": "Confirm",
        "title": "Title",
        "first-name": "First name",
        "last-name": "Last name",
        "gender": "Gender",
        "dob": "Date of birth",
        "save-passenger": "Save",
        "card-number": "Card number",
        "expiry": "Expiry date",
        "cvc": "CVC",
        "book-flight": "Book flight",
        "open-booking": "Open the booking",
        "booking-reference": "Booking reference",
        "search-booking": "Search",
        "cancel-booking": "Cancel",
        "modify-booking": "Modify",
        "confirm-reference": "Booking reference",
        "confirm-cancel": "Cancel",
        "keep-booking": "Keep the booking",
        "tab-passenger": "Passenger",
        "tab-flights": "Flights",
        "save-changes": "Save",
    }


def test_a_flight_is_booked_screen_by_screen(desk):
    payment = desk.to_payment()
    done = desk.commit(payment, "book-flight", CARD).json
    assert done["address"] == "/flights/1/receipt"
    booking = done["screen"]["booking"]
    assert booking["passenger"]["name"] == "Ms Ann Lee"
    assert (booking["outward"]["from"], booking["return"]["from"]) == ("LHR", "JFK")
    assert booking["price_text"].startswith("$")
    assert [button["address"] for button in done["screen"]["buttons"]] == [
        f"/bookings/{booking['reference']}"
    ]
    assert pages(desk)[-1] == "/flights/1/receipt"
    repeated = desk.commit(payment, "book-flight", CARD)
    assert repeated.status_code == 409
    assert repeated.json["address"] == "/flights/1/receipt"
    assert len(operations.bookings(desk.world)) == 2


def test_a_booking_is_cancelled_screen_by_screen(desk):
    found = desk.commit("/bookings", "search-booking", {"booking-reference": "k7q2mb"}).json
    assert found["address"] == "/bookings/K7Q2MB"
    cancel = desk.commit(found["address"], "cancel-booking", {}).json["address"]
    assert cancel == "/bookings/K7Q2MB/cancel"
    wrong = desk.commit(cancel, "confirm-cancel", {"confirm-reference": "x"})
    assert (wrong.status_code, list(wrong.json["errors"])) == (400, ["confirm-reference"])
    done = desk.commit(cancel, "confirm-cancel", {"confirm-reference": " k7q2MB "}).json
    assert done["screen"]["notice"] == "The booking was cancelled."
    assert done["screen"]["booking"]["status_text"] == "Cancelled"
    assert done["screen"]["buttons"] == []
    for address in (cancel, "/bookings/K7Q2MB/passenger", "/bookings/K7Q2MB/flights"):
        answer = desk.get(address)
        assert (answer.status_code, answer.json["address"]) == (409, "/bookings/K7Q2MB")
        assert desk.page(address).status_code == 409


def test_a_booking_is_modified_screen_by_screen(desk):
    modify = desk.commit("/bookings/K7Q2MB", "modify-booking", {}).json["screen"]
    assert [tab["current"] for tab in modify["tabs"]] == [True, False]
    assert values(modify)["dob"] == "1980-05-03"
    saved = desk.commit(modify["address"], "save-changes", {**values(modify), "title": "Dr"}).json
    assert saved["screen"]["notice"] == "The changes were saved."
    assert saved["screen"]["booking"]["passenger"]["name"] == "Dr Ann Lee"
    search = desk.get("/bookings/K7Q2MB/flights").json
    assert [tab["current"] for tab in search["tabs"]] == [False, True]
    assert values(search)["from"] == "Berlin Brandenburg (BER)"
    found = desk.commit(search["address"], "search-flights", values(search)).json
    assert found["address"] == "/bookings/K7Q2MB/flights/1"
    chosen = {group: desk.free(found["screen"], group) for group in ("outward", "return")}
    moved = desk.commit(found["address"], "save-changes", chosen).json["screen"]
    assert moved["booking"]["outward"]["number"] == chosen["outward"]


def test_drafts_survive_a_reload_and_belong_to_their_screen(desk):
    draft = {"kind": "draft", "screen": "flights", "subject": "", "field": "from"}
    assert desk.log({**draft, "value": "Lon"}, {**draft, "value": "<b>Lond"}).status_code == 204
    assert values(desk.get("/flights").json)["from"] == "<b>Lond"
    assert values(desk.boot("/flights")["screen"])["from"] == "<b>Lond"
    assert values(desk.get("/bookings/K7Q2MB/flights").json)["from"] == "Berlin Brandenburg (BER)"
    fork = desk.world.fork()
    assert fork.snapshot()["log_drafts"] == desk.world.snapshot()["log_drafts"]


def test_a_chosen_flight_survives_a_reload(desk):
    results = desk.commit("/flights", "search-flights", TRIP).json["screen"]
    number = results["flights"]["return"]["rows"][1]["number"]
    draft = {"kind": "draft", "screen": "results", "subject": "1", "field": "return"}
    desk.log({**draft, "value": number})
    shown = desk.get("/flights/1").json["flights"]
    assert [row["checked"] for row in shown["return"]["rows"]][:3] == [False, True, False]
    assert not any(row["checked"] for row in shown["outward"]["rows"])


def test_clicks_are_kept_in_order_with_the_commit_that_brings_them(desk):
    click = {"kind": "click", "screen": "find", "subject": "", "control": "nav-bookings"}
    draft = {"kind": "draft", "screen": "find", "subject": "", "field": "booking-reference"}
    body = {
        "control": "search-booking",
        "version": 0,
        "values": {"booking-reference": "K7Q2MB"},
        "events": [click, {**draft, "value": "K7Q2MB"}],
    }
    assert desk.post("/bookings", body).status_code == 200
    seen = desk.world.snapshot()
    [event], [typed], [commit] = seen["log_events"], seen["log_drafts"], seen["log_commits"]
    assert event["id"] < typed["id"] < commit["id"]
    assert (event["kind"], event["control"]) == ("click", "nav-bookings")


def test_airports_are_suggested(desk):
    found = desk.client.get("/api/airports?scenario=s1&q=lon").json["airports"]
    assert [each["label"] for each in found] == ["London Gatwick (LGW)", "London Heathrow (LHR)"]
    assert desk.client.get("/api/airports?scenario=s1").json == {"airports": []}
    assert len(desk.boot("/flights")["airports"]) >= 60


def test_a_namesake_is_pointed_out(desk, make_booking):
    from sites.crm.base.records import Passenger

    operations.add_booking(
        desk.world, make_booking("AAAAAA", Passenger("Ms", "Ann", "Lee", "Female", "1955-01-01"))
    )
    assert desk.get("/bookings/K7Q2MB").json["namesakes"] == [
        {"reference": "AAAAAA", "born": "1955-01-01", "address": "/bookings/AAAAAA"}
    ]


# Knobs -------------------------------------------------------------------------------------------


def test_without_knobs_nothing_is_hard(desk):
    boot = desk.boot("/bookings/K7Q2MB")
    assert boot["knobs"] == {"hidden_labels": False, "latency_ms": 0}
    assert not boot["screen"]["survey"]


def test_fields_are_shuffled_by_a_seed(desk_with):
    def order(seed) -> list[str]:
        return [
            field["id"] for field in desk_with(Knobs(shuffle=seed)).get("/flights").json["fields"]
        ]

    plain = order(None)
    assert sorted(order(1)) == sorted(plain)
    assert order(1) == order(1)
    assert len({tuple(order(seed)) for seed in range(6)}) > 3


def test_the_survey_asks_until_it_is_answered(desk_with):
    desk = desk_with(Knobs(survey=True, hidden_labels=True))
    assert desk.boot("/flights")["knobs"]["hidden_labels"]
    assert not desk.get("/flights").json["survey"]
    assert desk.get("/bookings/K7Q2MB").json["survey"]
    desk.log({"kind": "click", "screen": "booking", "subject": "K7Q2MB", "control": "survey-close"})
    assert not desk.get("/bookings/K7Q2MB").json["survey"]


def test_answers_can_come_late(desk_with):
    import time

    def taken(latency: int) -> float:
        desk = desk_with(Knobs(latency_ms=latency))
        begun = time.perf_counter()
        assert desk.get("/flights").status_code == 200
        return time.perf_counter() - begun

    assert taken(150) >= 0.15
    for wrong in (-1, 2001):
        with pytest.raises(ValueError, match="latency_ms"):
            Knobs(latency_ms=wrong)


def test_knobs_are_kept_by_a_fork(desk_with):
    from sites.crm.base.world import knobs

    wanted = Knobs(hidden_labels=True, shuffle=0, survey=True, latency_ms=5)
    assert knobs(desk_with(wanted).world.fork()) == wanted


def test_the_page_holds_the_screen_as_data_not_as_markup(desk):
    name = "</script><script>alert(1)</script>"
    modify = desk.get("/bookings/K7Q2MB/passenger").json
    desk.commit(modify["address"], "save-changes", {**values(modify), "first-name": name})
    html = desk.page("/bookings/K7Q2MB").text
    assert "<script>alert" not in html
    boot = desk.boot("/bookings/K7Q2MB")
    assert boot["screen"]["booking"]["passenger"]["first-name"] == name
    assert json.dumps(name) not in html
