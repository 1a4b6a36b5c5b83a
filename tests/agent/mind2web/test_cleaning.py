"""Cleaning: what a cleaned page keeps of a raw page."""

from __future__ import annotations

from lxml import etree

from agent.mind2web.cleaning import cleaned, meaning

ID = "backend_node_id"


def page(inside: str) -> object:
    return etree.fromstring(f'<html {ID}="1"><body {ID}="2">{inside}</body></html>')


def clean(inside: str, *candidates: str) -> str:
    text = etree.tostring(cleaned(page(inside), candidates), encoding="unicode")
    if text == f'<html {ID}="1"/>':
        return ""
    return text.removeprefix(f'<html {ID}="1">').removesuffix("</html>")


def test_attributes_that_mean_something_stay_and_the_others_go():
    raw = f'<a {ID}="3" class="x" id="y" title=" Two  words " role="link" type="hidden" alt="  "/>'
    assert clean(raw) == f'<a {ID}="3" title="Two words"/>'


def test_roles_and_types_without_a_meaning_go():
    for attribute in ('role="presentation"', 'role="none"', 'role="Link"', 'type="hidden"'):
        assert meaning(etree.fromstring(f"<a {attribute}/>")) == {}
    assert meaning(etree.fromstring('<a role="tab" type="submit"/>')) == {
        "role": "tab",
        "type": "submit",
    }


def test_of_classes_only_the_icons_of_a_drawing_stay():
    assert meaning(etree.fromstring('<svg class="big close-icon icons"/>')) == {
        "class": "close-icon icons"
    }
    assert meaning(etree.fromstring('<i class="close-icon"/>')) == {}


def test_an_element_that_says_nothing_gives_way_to_its_child():
    raw = f'<div {ID}="3"><div {ID}="4"><a {ID}="5" title="t"/></div></div>'
    assert clean(raw) == f'<a {ID}="5" title="t"/>'


def test_an_element_with_two_children_stays():
    raw = f'<div {ID}="3"><a {ID}="4" title="t"/><a {ID}="5" title="u"/></div>'
    assert clean(raw) == raw


def test_a_candidate_stays_though_it_says_nothing():
    raw = f'<div {ID}="3"><button {ID}="4"/></div>'
    assert clean(raw, "4") == f'<button {ID}="4"/>'
    assert clean(raw) == ""


def test_a_text_without_words_goes():
    raw = f'<p {ID}="3"><text {ID}="4"> </text><text {ID}="5">word</text></p>'
    assert clean(raw, "3") == f'<p {ID}="3"><text {ID}="5">word</text></p>'


def test_elements_that_are_not_shown_go_with_their_texts():
    hidden = 'bounding_box_rect="-1,-1,-1,-1"'
    raw = f'<p {ID}="3" title="t" {hidden}><b {ID}="4" {hidden}><text {ID}="5">w</text></b></p>'
    assert clean(raw) == ""
    assert clean(raw, "4") == f'<p {ID}="3" title="t"><b {ID}="4"><text {ID}="5">w</text></b></p>'


def test_the_raw_page_is_left_as_it_was():
    raw = page(f'<div {ID}="3"><a {ID}="4" class="x"/></div>')
    before = etree.tostring(raw)
    cleaned(raw, ())
    assert etree.tostring(raw) == before
