"""Pages and targets that nest deep: read as far as a limit, and never a failure of the walker."""

from __future__ import annotations

import pytest

from agent.interface import Click, Drag, Hover, MarkText, ScrollIn, Select, Type
from tests.each import for_each

DEPTHS = (100, 390, 600, 2_000)
"""Much deeper pages, frames included, break the browser's own layout."""
GROW = """<script>
const grow = (parent, tag, times) => {
  for (let n = 0; n < times; n++) parent = parent.appendChild(document.createElement(tag));
  return parent;
};
%s</script>"""
BODY = "grow(document.body, 'div', %d).innerHTML = '<button>Deep</button>';"
NAME = (
    "grow(document.body.appendChild(document.createElement('button')), 'i', %d).textContent = 'x';"
)
FRAMES = """
let page = document;
for (let n = 0; n < 6; n++) {
  const frame = document.createElement("iframe");
  grow(page.body, "div", %d).append(frame);
  page = frame.contentDocument;
}
page.body.textContent = "x";"""


def grown(script: str, depth: int) -> str:
    return f"<body><button>First</button>{GROW % (script % depth)}"


@pytest.mark.wide
@pytest.mark.parametrize(
    ("script", "depths"),
    [(BODY, DEPTHS), (NAME, DEPTHS), (FRAMES, DEPTHS[:2])],
    ids=["elements", "a name", "frames"],
)
def test_a_deep_page_is_read_and_used(visit, script, depths):
    for depth in depths:
        seen = visit.show(grown(script, depth))
        assert seen.elements[0].name == "First" and seen.error is None, depth
        assert visit.observe(view="viewport").elements, depth
        assert visit.observe(source="body").source.startswith("<body>"), depth
        assert visit.act(Click("First")).error is None, depth
        visit.act(MarkText("//body", "x")), visit.act(Hover("//body/*[last()]"))


def test_a_name_of_five_thousand_levels_is_cut(visit):
    seen = visit.show(grown(NAME, 5_000))
    assert [each.name for each in seen.elements] == ["First", ""]


def test_a_source_that_repeats_a_deep_page_is_too_long(visit):
    visit.show(f"<body>{'<div>' * 300}{'text ' * 20_000}")
    seen = visit.observe(source="*")
    assert "too long; name a smaller part" in seen.error and not seen.source and seen.text
    assert visit.observe(source="html").error is None


ODD = (
    *("/", "/html", "//head", "//title", "//script", "//@class", "//text()", "//comment()", "(1)"),
    *("//*[name()='svg']", "//*[name()='circle']", "//*[name()='math']", "//br", "//option"),
    *(
        "//template",
        "//a[$x]",
        "//a[f()]",
        "//x:a",
        "//a\0",
        "//a[.='\ud800']",
        "//body",
        "()",
        "/ /",
    ),
    *(
        "(" * 1_500 + "//a" + ")" * 1_500,
        "(" + "-" * 4_000 + "1)",
        "/*" * 200,
        "//a" + "/.." * 1_000,
    ),
    *("//a[" + "not(" * 200 + "1" + ")" * 201 + "]", "/a" * 2_000, "/" + "a" * 4_095, "/" * 200),
)
PAGE = """<!-- c --><body class=b><p>t<br><a href=/x>go</a><svg><circle r=9 /></svg>
<math><mi>x</mi></math><template><i>t</i></template><select><option>o</select>"""


@pytest.mark.wide
@for_each("path", ODD)
def test_an_odd_target_is_done_or_refused_with_a_sentence(visit, path):
    visit.show(PAGE)
    actions = (Click(path), Type(path, "x"), Hover(path), Select(path, "o"), MarkText(path, "x"))
    for action in (*actions, ScrollIn(path, "down"), Drag(path, "//a")):
        seen = visit.act(action)
        assert seen.error is None or seen.error.endswith((".", ")")), (action, seen.error)


def test_an_xpath_with_a_variable_is_refused_before_the_browser_sees_it(visit):
    visit.show(PAGE)
    assert "variable" in visit.act(Click("//a[$x]")).error
    assert "variable" not in (visit.act(Click("//a[text()='$x']")).error or "")
