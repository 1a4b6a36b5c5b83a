"""Which field an action fills, on the widgets of all three airlines."""

from __future__ import annotations

import pytest

from agent import renderings
from agent.interface import Action, Click, Observation, Select, Type
from agent.llm.simulated import form_fields
from agent.llm.simulated.form_fields import AIRPORT, COUNT, DATE, OTHER


def page(*lines: str) -> Observation:
    head = ("url: http://airline.localhost/", "title: 'Search'", "")
    return renderings.get("tree").parse("\n".join((*head, *lines)))


DAYS = ", ".join(f"'{day:02}'" for day in range(1, 32))
TYPED = page(
    "[1] combobox 'From' value='Milan' expanded",
    "[2] listbox 'Suggestions'",
    "  [3] option 'Milan Linate (LIN)'",
    "[4] textbox 'Departure date' value=''",
    "[5] spinbutton 'Adults' value='1'",
    "[6] combobox 'Title (Child 1)' value='Choose' options=['Choose', 'Mr', 'Ms']",
    "[7] textbox 'Date of birth (Child 1)' value=''",
)
PICKED = page(
    "[1] textbox 'Day out' value='' readonly",
    "[2] button 'Pick the days: Day out, Day home' expanded",
    "[3] combobox 'Month' value='May 2026' options=['May 2026', 'June 2026']",
    "[4] button 'Monday, May 4, 2026'",
    "[5] textbox 'Day home' value='' readonly",
    "[6] button 'One less: Grown-ups' disabled",
    "[7] button 'One more: Grown-ups'",
    "[8] button 'See services'",
)
LISTED = page(
    f"[1] combobox 'Outbound on Day (DD)' value='–' options=['–', {DAYS}]",
    "[2] combobox 'Outbound on Month (MM)' value='–' options=['–', 'January', 'February']",
    "[3] combobox 'Outbound on Year (YYYY)' value='–' options=['–', '2026']",
    "[4] combobox 'Clients below 12' value='0' options=['0', '1', '2']",
    "[5] combobox 'Routing' value='Two-way' options=['Two-way', 'Single sector']",
)
CASES = [
    (TYPED, Type(1, "Milan"), AIRPORT, "From"),
    (TYPED, Click(3), AIRPORT, "From"),
    (TYPED, Type(4, "4 May 2026"), DATE, "Departure date"),
    (TYPED, Type(5, "2"), COUNT, "Adults"),
    (TYPED, Select(6, "Ms"), OTHER, "Title (Child 1)"),
    (TYPED, Type(7, "9 Jun 2018"), DATE, "Date of birth (Child 1)"),
    (PICKED, Click(2), DATE, "Day out, Day home"),
    (PICKED, Select(3, "June 2026"), DATE, "Day out, Day home"),
    (PICKED, Click(4), DATE, "Day out, Day home"),
    (PICKED, Click(7), COUNT, "One more: Grown-ups"),
    (PICKED, Click(8), OTHER, "See services"),
    (LISTED, Select(1, "04"), DATE, "Outbound on"),
    (LISTED, Select(2, "February"), DATE, "Outbound on"),
    (LISTED, Select(3, "2026"), DATE, "Outbound on"),
    (LISTED, Select(4, "2"), COUNT, "Clients below 12"),
    (LISTED, Select(5, "Single sector"), OTHER, "Routing"),
]


@pytest.mark.parametrize(("shown", "action", "kind", "field"), CASES)
def test_a_field_is_known_by_what_the_page_shows(shown, action, kind, field):
    assert form_fields.kind_of(action, shown) == kind
    assert form_fields.field_of(action, shown) == field


def test_fields_of_a_kind_stand_in_the_order_of_the_page():
    actions: list[Action] = [Select(1, "04"), Select(2, "February"), Select(5, "Single sector")]
    assert form_fields.fields_left(DATE, actions, LISTED) == ["Outbound on"]


def test_a_part_of_the_page_is_one_of_several_people():
    assert form_fields.part_of(Type(7, "9 Jun 2018"), TYPED) == "Child 1"
    assert form_fields.part_of(Type(4, "4 May 2026"), TYPED) == ""


def test_numbers_are_told_with_their_fields():
    assert [*form_fields.counts([Type(5, "2"), Type(4, "4 May 2026")], TYPED)] == ["Adults 2"]
    pressed = [Click(7), Click(7)]
    assert [*form_fields.counts(pressed, PICKED)] == ["One more: Grown-ups x2"]


def test_an_action_on_nothing_fills_no_field():
    assert form_fields.kind_of(Click(99), TYPED) == OTHER
    assert form_fields.field_of(Click(99), TYPED) == ""
