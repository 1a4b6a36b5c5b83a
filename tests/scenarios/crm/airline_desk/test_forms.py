"""What the families of the desk know of its forms, against the site's own screens."""

from __future__ import annotations

from scenarios.crm.airline_desk.forms import FORMS, Do, read
from sites.crm.airline_desk.screens import SCREENS


def test_each_button_stands_on_its_screen():
    for control, form in FORMS.items():
        assert control in SCREENS[form.screen].controls, control


def test_a_form_is_read_from_its_json():
    settle = Do("save-flights", ("KQ7XBM", "outward", "2026-03-01", "CX1", "flex"), {"a": "1"})
    for each in (settle, *settle.before):
        assert read(each.to_json()) == each
    assert [each.screen for each in settle.before] == ["reroute", "reroute-results"]
