"""HTML as columns: what is read, and that nothing makes reading slow or endless."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.sandbox.markup import DEEPEST, LONGEST, MOST, PIECES, TooLarge, nodes
from tests.measuring import DEEP


def test_the_columns_of_a_small_page():
    parents, names, values, ends = nodes("<ul class='a b'><li id=x>one<br>two</ul>&amp; on")
    assert names == ["", "ul", "li", "", "br", "", ""]
    assert parents == [0, 0, 1, 2, 2, 2, 0]
    assert values == [{}, {"class": ["a", "b"]}, {"id": "x"}, "one", {}, "two", "& on"]
    assert ends == [7, 6, 6, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("html", "names", "texts"),
    [
        ("a<!-- b -->c<!DOCTYPE d><?e?><![CDATA[f]]>", ["", ""], ["a", "c"]),
        ("<![if x]>a", [""], ["a"]),
        ("<p>a</i>b</p>", ["p", "", ""], ["a", "b"]),
        ("<div/>a", ["div", ""], ["a"]),
        ("<script>if (a < b) '<i>'</script>", ["script", "#script"], ["if (a < b) '<i>'"]),
        ("<template><b>a</b></template>", ["template", "b", "#template"], ["a"]),
        ("<p> \n\n </p> <pre>  </pre>", ["p", "", "", "pre", ""], ["\n", " ", "  "]),
        ("<p>cut <b", ["p", ""], ["cut <b"]),
        ("<p>cut &lt", ["p", ""], ["cut <"]),
        ("<p>cut <!-- away", ["p", ""], ["cut <!-- away"]),
    ],
)
def test_odd_html_is_read_as_by_beautiful_soup(html, names, texts):
    _, found, values, _ = nodes(html)
    assert found[1:] == names
    assert [value for value in values if isinstance(value, str)] == texts


@pytest.mark.parametrize(
    ("html", "message"),
    [
        ("x" * (LONGEST + 1), "longer than 2,000,000 characters"),
        ("<br>" * (MOST + 1), "more than 60,000 nodes"),
        ("</b>" * (PIECES + 1), "more than 240,000 pieces"),
        ("<b>" * (DEEPEST + 1), "deeper than 300 elements"),
    ],
)
def test_there_are_caps(html, message):
    with pytest.raises(TooLarge, match=message):
        nodes(html)


def test_up_to_the_caps_all_is_read():
    assert len(nodes("<br>" * MOST)[0]) == MOST + 1
    assert len(nodes("<b>" * DEEPEST)[0]) == DEEPEST + 1
    assert nodes("x" * LONGEST)[2][1] == "x" * LONGEST


@pytest.mark.parametrize(
    "piece", ["<!--", "<![CDATA[", "<a ", '<a b="', "<a b=", "</a", "<?", "<!", "&", "&#"]
)
def test_a_page_of_unfinished_pieces_is_read_in_linear_time(piece):
    """Quadratic time over a million characters would be minutes."""
    parents, *_ = nodes(piece * (LONGEST // 2 // len(piece)))
    assert len(parents) <= 3


ODD = (
    *("<p>", "</p>", "<b class='x'>", "</b>", "<br/>", "<script>", "</script>", "<![x", "<!--"),
    *("-->", "]]>", "a", " ", "&", "&amp;", "<", ">", '"', "=", "/", "\x00", "é", "<a b=c d"),
)


@given(st.lists(st.sampled_from(ODD)))
@settings(max_examples=100 if DEEP else 30)
def test_any_html_gives_a_tree(pieces):
    parents, names, values, ends = nodes("".join(pieces))
    assert len(parents) == len(names) == len(values) == len(ends) == ends[0]
    for place in range(1, len(names)):
        assert 0 <= parents[place] < place < ends[place] <= ends[parents[place]]
        assert isinstance(values[place], str) == (names[place][:1] in ("", "#"))
