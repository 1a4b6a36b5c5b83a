"""A page of our sites as a raw page of Mind2Web."""

from __future__ import annotations

import json

from lxml import etree

from agent.interface import Element, Observation, Text
from evaluators.mind2web.build.pages import page

ID = "backend_node_id"
BUY = Element(1, "button", "Buy", tag="button")


def made(body: str, *content: Element | Text):
    html = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return page(Observation("http://store.test/", "Store", content, source=html))


def attributes(found, number: str) -> dict[str, str]:
    return json.loads(found.candidate(number)["attributes"])


def test_elements_and_texts_are_numbered_in_the_order_of_the_document():
    found = made('<p>One <b>two</b></p><button data-id="1">Buy</button>', Text("One two"), BUY)
    order = [(node.tag, node.get(ID)) for node in found.root.iter()]
    assert [number for _, number in order] == [str(at) for at in range(1, len(order) + 1)]
    assert [tag for tag, _ in order[5:]] == ["p", "text", "b", "text", "button", "text"]


def test_usable_elements_and_shown_elements_that_say_something_are_candidates():
    found = made('<div><p>One</p><button data-id="1">Buy</button><i></i></div>', Text("One"), BUY)
    assert [found.by_id[each].tag for each in found.candidates] == ["p", "button"]
    assert attributes(found, found.numbers[1]) == {ID: found.numbers[1], "is_clickable": "true"}


def test_a_hidden_element_is_no_candidate_and_has_no_box():
    found = made('<p hidden>One</p><p style="display: none">One</p><p>Two</p>', Text("One"))
    assert found.candidates == ()
    boxes = [node.get("bounding_box_rect") for node in found.root.iter("p")]
    assert boxes == ["-1,-1,-1,-1"] * 3
    assert "One" not in found.cleaned and "Two" not in found.cleaned


def test_marks_addresses_styles_and_scripts_do_not_reach_the_page():
    body = (
        '<a href="/x?scenario=s" data-gold="g" onclick="f()" style="color:red" data-id="1"'
        ' data-name="Go">Buy</a><script>gold</script><!-- gold -->'
        '<input type="hidden" name="csrf" value="gold">'
    )
    found = made(body, Element(1, "link", "Buy", tag="a"))
    raw = found.raw(found.numbers[1], "uid")
    for word in ("gold", "href", "scenario", "data-", "data_id", "style", "script", "onclick"):
        assert word not in raw


def test_the_target_is_marked_in_the_raw_page_alone():
    found = made('<button data-id="1">Buy</button>', BUY)
    number = found.numbers[1]
    marked = etree.fromstring(found.raw(number, "uid")).xpath("//*[@data_pw_testid_buckeye]")
    assert [each.get(ID) for each in marked] == [number]
    assert "buckeye" not in found.cleaned + found.candidate(number)["attributes"]


def test_a_field_says_its_name_and_what_it_holds():
    field = Element(1, "textbox", "Town", value="Bonn", tag="input")
    found = made('<input data-id="1" data-name="Town" value="Bonn">', field)
    kept = attributes(found, found.numbers[1])
    assert (kept["aria_label"], kept["input_value"]) == ("Town", "Bonn")
    assert "value" not in kept


def test_a_ticked_box_and_the_chosen_option_are_marked():
    box = Element(1, "checkbox", "Gift", states=("checked",), tag="input")
    choice = Element(2, "combobox", "Size", value="Large", tag="select", options=("Small", "Large"))
    body = (
        '<input type="checkbox" data-id="1" checked>'
        '<select data-id="2" value="Large"><option>Small</option><option>Large</option></select>'
    )
    found = made(body, box, choice)
    assert attributes(found, found.numbers[1])["input_checked"] == "true"
    chosen = [node.get("option_selected") for node in found.root.iter("option")]
    assert chosen == [None, "true"]
    assert not {node.get(ID) for node in found.root.iter("option")} & {*found.candidates}


def test_the_label_of_a_field_and_the_only_picture_of_a_link_stand_for_it():
    field = Element(1, "textbox", "Town", value="", tag="input")
    link = Element(2, "link", "Map", tag="a")
    body = (
        '<label for="t">Town</label><input id="t" data-id="1">'
        '<a href="/" data-id="2" data-name="Map"><img alt="Map"></a>'
    )
    found = made(body, Text("Town", role="label"), field, link, Text("Map", role="img"))
    tags = {
        number: [found.by_id[each].tag for each in found.also(found.numbers[number])]
        for number in (1, 2)
    }
    assert tags == {1: ["label"], 2: ["img"]}


def test_characters_and_tags_that_xml_lacks_are_left_out():
    found = made("<p>a\x0cb\x01</p><o:p>c</o:p>", Text("a b c"))
    assert etree.fromstring(found.raw("1", "uid")).xpath("string(//p/text)") == "a b"
