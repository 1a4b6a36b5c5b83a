"""Pruned and written pages, by texts that were worked out by hand from the rules."""

from __future__ import annotations

import pytest

from agent.mind2web import page_text
from agent.mind2web.page_text import UnreadablePage
from agent.mind2web.task import Candidate, Step

SHOP = """<html backend_node_id="1">
  <div backend_node_id="2">
    <div backend_node_id="3">
      <input backend_node_id="4" type="search" name="q" placeholder="Search Site" value=""/>
    </div>
    <ul backend_node_id="5">
      <a backend_node_id="6" title="Computer Peripherals">
        <div backend_node_id="7"><text backend_node_id="8">Computer Peripherals</text></div>
      </a>
      <a backend_node_id="9"><text backend_node_id="10">Electronics</text></a>
      <a backend_node_id="11"><text backend_node_id="12">Tools</text></a>
      <a backend_node_id="13"><text backend_node_id="14">Toys</text></a>
      <a backend_node_id="15"><text backend_node_id="16">Garden</text></a>
    </ul>
    <p backend_node_id="17"><text backend_node_id="18">Free "next day" delivery</text></p>
  </div>
</html>"""


def shown(xml, *candidates, brackets="angle"):
    return page_text.write(page_text.prune(page_text.read(xml), candidates), brackets)


def test_a_page_is_pruned_to_the_candidates_and_what_is_near_them():
    assert shown(SHOP, "4", "6") == (
        "<html> <div> <input id=4 search q search site /> <ul> <a id=6 computer peripherals> "
        "<div> Computer Peripherals </div> </a> <a> Electronics </a> <a> Tools </a> "
        "<a> Toys </a> </ul> </div> </html>"
    )


def test_the_same_page_in_round_brackets():
    assert shown(SHOP, "4", "9", brackets="round") == (
        "(html (div (input id=4 search q search site ) (ul (a computer peripherals ) "
        "(a id=9 Electronics ) (a Tools ) (a Toys ) (a Garden ) ) ) )"
    )


def test_an_only_child_takes_the_place_of_an_element_without_attribute_and_text():
    assert shown(SHOP, "4") == "<html> <input id=4 search q search site /> </html>"


def test_three_siblings_are_kept_on_each_side():
    assert "Garden" not in shown(SHOP, "6")
    assert "computer" in shown(SHOP, "13")
    assert "computer" not in shown(SHOP, "15")


def test_a_text_stays_if_its_parent_does_and_keeps_no_quotes():
    assert shown(SHOP, "17") == "<html> <p id=17> Free next day delivery </p> </html>"


def test_candidates_that_the_page_does_not_have_are_left_out():
    assert shown(SHOP, "4", "999") == shown(SHOP, "4")
    assert shown(SHOP) == "<html> </html>"


def test_descendants_are_kept_to_six_levels_and_fifty_elements():
    deep = "".join(f'<b backend_node_id="{at}" name="level {at}">' for at in range(2, 10))
    page = f'<html backend_node_id="0"><a backend_node_id="1">{deep}{"</b>" * 8}</a></html>'
    assert "level 7" in shown(page, "1")
    assert "level 8" not in shown(page, "1")
    wide = "".join(f'<b backend_node_id="{at}" name="child {at}"/>' for at in range(2, 60))
    page = f'<html backend_node_id="0"><a backend_node_id="1">{wide}</a></html>'
    assert "child 51" in shown(page, "1")
    assert "child 52" not in shown(page, "1")


def test_values_are_cut_folded_and_written_at_most_once():
    page = (
        '<html backend_node_id="0"><a backend_node_id="1" class="icon  big" role="none"'
        ' type="Hidden" alt="One two three four five six" label="ONE two three four five"'
        ' title="fourteenletter fifteenletters_" value="HTTP://x.example"'
        ' aria_label="say &quot;hi&quot;"/></html>'
    )
    assert shown(page, "1") == (
        '<html> <a id=1 one two three four five say "hi" fourteenletter icon big /> </html>'
    )


def test_twenty_words_of_all_values_and_of_a_text_are_written():
    names = ("role", "alt", "label", "title", "name")
    values = " ".join(f'{n}="{" ".join(f"{n}{at}" for at in range(5))}"' for n in names)
    words = " ".join(f"w{at}" for at in range(30))
    page = (
        f'<html backend_node_id="0"><a backend_node_id="1" {values}><text>{words}</text></a></html>'
    )
    assert "title4> w0" in shown(page, "1")
    assert "w19 </a>" in shown(page, "1")


def test_entities_are_undone():
    words = "a &lt; b &amp;amp; c&amp;rsquo;s"
    page = f'<html backend_node_id="0"><a backend_node_id="1"><text>{words}</text></a></html>'
    assert shown(page, "1") == "<html> <a id=1> a < b &amp; c's </a> </html>"


def test_mindact_numbers_the_candidates_in_document_order():
    root = page_text.prune(page_text.read(SHOP), ["9", "4"])
    numbers = page_text.numbered(root)
    assert numbers == {"4": "0", "9": "1"}
    assert "<input id=0 search q" in page_text.write(root, numbers=numbers)
    assert page_text.choices(root, numbers) == {
        "4": "<input id=0 search q search site />",
        "9": "<a id=1> Electronics </a>",
    }


def test_a_choice_has_ten_words():
    words = " ".join("abcdefghijklm")
    page = f'<html backend_node_id="0"><a backend_node_id="1"><text>{words}</text></a></html>'
    root = page_text.prune(page_text.read(page), ["1"])
    assert page_text.choices(root, page_text.numbered(root)) == {"1": "<a id=0> a b c d e f g h"}


def test_a_ranker_reads_the_target_and_what_is_around_it():
    page = page_text.read(SHOP)
    found = page_text.document(page, "9")
    assert found.target == "(a id=0 Electronics )"
    assert found.ancestors == "/html/ul/a computer peripherals/a Tools/a Toys/a Garden"
    assert str(found) == f"ancestors: {found.ancestors}\ntarget: (a id=0 Electronics )"
    assert page_text.document(page, "1").ancestors == ""
    assert page_text.document(page, "999") == page_text.Document("", "")


def step(positives, negatives, target_id="", target=""):
    return Step(
        uid="u",
        op="CLICK",
        original_op="CLICK",
        value="",
        repr="",
        cleaned=SHOP,
        target_id=target_id,
        target=target,
        positives=[Candidate(each, "a", {}) for each in positives],
        negatives=[Candidate(each, "a", {}) for each in negatives],
    )


def test_synapse_shows_the_first_positive_and_the_best_negatives():
    shop = step(["15", "9"], ["4", "6", "11", "13"])
    order = ["13", "9", "6", "4", "11", "15"]
    assert page_text.positive_and_best(shop, order, 3) == ["15", "13", "6"]
    assert page_text.observation(shop, ["15", "4"]) == shown(SHOP, "15", "4")


def test_a_target_that_cleaning_lost_is_put_at_the_end_of_the_page():
    target = '<svg backend_node_id="90" class="x"><path backend_node_id="91"/></svg>'
    lost = step([], ["4", "6"], target_id="90", target=target)
    assert page_text.positive_and_best(lost, ["6", "4"], 2) == ["6"]
    assert page_text.observation(lost, ["4"]) == (
        "<html> <input id=4 search q search site /> <svg id=90 x /> </html>"
    )


@pytest.mark.parametrize("text", ["", "words", "\x00"])
def test_a_page_without_an_element_is_refused(text):
    with pytest.raises(UnreadablePage):
        page_text.read(text)


def test_a_page_that_is_no_xml_is_read_as_far_as_possible():
    page = page_text.read(
        '<html backend_node_id="0"><a backend_node_id="1"><text>fish & chips<br></text></a>'
    )
    assert page.repaired
    assert "id=1> fish" in page_text.write(page_text.prune(page, ["1"]))
    assert not page_text.read(SHOP).repaired


def test_a_page_nested_too_deeply_is_refused():
    with pytest.raises(UnreadablePage, match="500"):
        page_text.read("<a>" * 600 + "</a>" * 600)


def test_a_page_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(page_text, "BYTES", 100)
    with pytest.raises(UnreadablePage, match="100"):
        page_text.read(SHOP)


def test_nothing_outside_the_text_is_loaded(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("password")
    entity = f'<!DOCTYPE html [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    page = f'{entity}<html backend_node_id="0"><a backend_node_id="1"><text>&x; b</text></a></html>'
    assert "password" not in shown(page, "1")
