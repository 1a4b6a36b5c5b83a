"""Actions: real input events, hit-tested, and sentences where they cannot be done."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.interface import (
    Click,
    ClickAt,
    Drag,
    Draw,
    Hover,
    HoverAt,
    KeyboardType,
    MarkText,
    Press,
    Scroll,
    ScrollIn,
    Select,
    Type,
    Wait,
)
from tests.measuring import DEEP

LOG = """<p id=log></p><script>
for (const kind of ["pointerdown", "mousedown", "mouseup", "click", "keydown", "keyup", "input",
                    "change", "submit"])
  document.addEventListener(kind, (e) => {
    log.textContent += ` ${kind}${e.isTrusted ? "" : "!FORGED"}`;
    if (kind === "submit") e.preventDefault();
  }, true);
</script>"""


def log(observation) -> list[str]:
    return [
        word for line in observation.text.splitlines() for word in line.split() if word in WORDS
    ]


WORDS = {"pointerdown", "mousedown", "mouseup", "click", "keydown", "keyup", "input", "change",
         "submit"}  # fmt: skip


def test_a_click_is_a_persons(visit):
    visit.show("<button>go</button>" + LOG)
    seen = visit.act(Click("go"))
    assert log(seen) == ["pointerdown", "mousedown", "mouseup", "click"]
    assert "FORGED" not in seen.text


def test_a_click_into_a_narrow_number_field_is_beside_its_arrows(visit):
    """In the middle of this field is an arrow, which would change the number."""
    visit.show("<input type=number aria-label=n style='width:30px'>")
    visit.act(Click("n"))
    seen = visit.act(KeyboardType("4"))
    assert seen.elements[0].value == "4"


def test_typing_is_a_persons_and_replaces(visit):
    visit.show("<form><input aria-label=q value=old></form>" + LOG)
    seen = visit.act(Type("q", "né", enter=True))
    assert seen.elements[0].value == "né"
    assert "submit" in log(seen) and "keydown" in log(seen)
    assert log(seen).count("input") == 2 and "FORGED" not in seen.text


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ("<input aria-label=f value=abc>", "", ""),
        ("<input aria-label=f value=abc>", "two\nlines", "two lines"),
        ("<textarea aria-label=f>abc</textarea>", "two\nlines", "two\nlines"),
        ("<div contenteditable aria-label=f>abc</div>", "new", "new"),
        ("<input type=number aria-label=f value=3>", "42", "42"),
        ("<input type=date aria-label=f>", "2024-05-31", "2024-05-31"),
        ("<input type=date aria-label=f value=2020-01-01>", "2024-05-31", "2024-05-31"),
        ("<input type=date aria-label=f value=2020-01-01>", "", ""),
        ("<input type=time aria-label=f>", "00:07", "00:07"),
        ("<input type=time aria-label=f value=10:00>", "13:45", "13:45"),
        ("<input aria-label=f maxlength=3>", "abcdef", "abc"),
        ("<input aria-label=f>", "x" * 500 + "é", "x" * 500 + "é"),
        ("<input aria-label=f>", "'\"><b>${}\\n{{}} 日本 😀", "'\"><b>${}\\n{{}} 日本 😀"),
    ],
)
def test_what_a_field_holds_after_typing(field, typed, value, visit):
    visit.show(field)
    seen = visit.act(Type("f", typed))
    assert seen.error is None and seen.elements[0].value == value


SELECT = (
    "<select aria-label=s id=s><option>One<option disabled>Off<option>Two<optgroup label=G>"
    "<option>Three<option style='display:none'>Gone<option>Four</optgroup></select>"
)


@pytest.mark.parametrize("option", ["Two", "Four", "three", " Four "])
def test_a_select(option, visit):
    visit.show(SELECT + LOG)
    seen = visit.act(Select("s", option))
    assert seen.error is None and seen.elements[0].value == option.strip().capitalize()
    assert log(seen).count("change") == 1 and log(seen).count("input") == 1
    assert "FORGED" not in seen.text
    repeated = visit.act(Select("s", option))
    assert repeated.error is None and log(repeated).count("change") == 1
    assert visit.act(Select("s", "One")).elements[0].value == "One"


def test_a_select_without_a_choice(visit):
    visit.show(
        "<select aria-label=s><option disabled selected>Choose<option>A<option>B</select>"
        "<select aria-label=m multiple><option>x<option>y</select>"
    )
    assert visit.act(Select("s", "B")).elements[0].value == "B"
    assert visit.act(Select("m", "y")).elements[1].value == "y"


def test_a_list_that_takes_several_says_how(visit):
    visit.show("<select aria-label=m multiple><option>x<option>y<option>z</select>")
    refused = visit.act(Select("m", "x, z"))
    assert refused.error is not None and "Control+Space" in refused.error
    visit.act(Select("m", "x"))
    for keys in ("Control+ArrowDown", "Control+ArrowDown", "Control+Space"):
        seen = visit.act(Press(keys))
    assert seen.elements[0].value == "x, z"


def test_a_select_that_leads_away(visit):
    visit.site.pages["/next"] = "<title>next</title>"
    visit.show("<select aria-label=s onchange='location = \"/next\"'><option>A<option>B</select>")
    seen = visit.act(Select("s", "B"))
    assert seen.title == "next" and seen.error is None


@pytest.mark.parametrize(
    ("html", "action", "words"),
    [
        ("<button>a</button>", Click(2), "no element 2"),
        ("<button>a</button>", Click(0), "no element 0"),
        ("<button>a</button>", Click(-1), "no element -1"),
        ("<button>a</button>", Click("b"), 'named "b"'),
        ("<button>a</button>", Click(""), "target"),
        ("<button>a</button>", Click("//b"), "Nothing"),
        ("<button>a</button>", Click("//["), "not an XPath"),
        ("<button>a</button>", Click("//" + "a" * 5000), "4096"),
        ("<button disabled>a</button>", Click("a"), "disabled"),
        ("<button>a</button>", Type("a", "x"), "not a text field"),
        ("<input aria-label=a readonly>", Type("a", "x"), "read-only"),
        ("<input aria-label=a type=date>", Type("a", "tomorrow"), "YYYY-MM-DD"),
        ("<input aria-label=a type=color>", Type("a", "red"), "not a text field"),
        (SELECT, Select("s", "Five"), 'no option "Five"'),
        (SELECT, Select("s", "Off"), "disabled"),
        ("<button>a</button>", Select("a", "x"), "not a select"),
        ("<button>a</button>", Press("NoSuchKey"), "not a key"),
        ("<button>a</button>", Press("a b"), "not a key"),
        ("<button>a</button>", Scroll("left"), "not a direction"),
        ("<p hidden id=x>a</p>", Click("//p"), "not visible"),
    ],
)
def test_what_cannot_be_done_is_said(html, action, words, visit, monkeypatch):
    monkeypatch.setattr("agent.browser.input.AIM_MS", 50)
    before = visit.show(html)
    seen = visit.act(action)
    assert words in seen.error and seen.error.endswith(".")
    assert seen.content == before.content


def test_a_covered_target(visit, monkeypatch):
    monkeypatch.setattr("agent.browser.input.AIM_MS", 50)
    cover = "<div id=veil style='position:fixed;inset:0'></div>"
    visit.show("<button onclick='document.title = 1'>go</button>" + cover)
    seen = visit.act(Click("go"))
    assert 'covered by <div id="veil">' in seen.error and seen.title == ""


def test_a_target_that_comes_free(visit):
    visit.show(
        "<button onclick='document.title = \"hit\"'>go</button><style>#veil{position:fixed;inset:0}"
        "</style><div id=veil></div><script>onload = () => setTimeout(() => veil.remove(), 150)"
        "</script>"
    )
    assert visit.act(Click("go")).title == "hit"


def test_a_partly_covered_target_is_hit_where_it_is_free(visit):
    visit.show(
        "<button style='position:fixed;left:0;top:0;width:200px;height:50px' "
        "onclick='document.title = \"hit\"'>go</button>"
        "<div style='position:fixed;left:60px;top:0;width:80px;height:50px;background:red'></div>"
    )
    assert visit.act(Click("go")).title == "hit"


def test_a_target_that_is_gone(visit):
    visit.show("<button id=a>a</button><button id=b>b</button>")
    visit.runner.run(visit.lane._tab.send("Runtime.evaluate", expression="a.remove()"))
    assert "not on the page any more" in visit.act(Click(1)).error


@pytest.mark.parametrize(
    "target", [2, "Add", "add ", "//button[2]", "(//button)[2]", "//button[2]/text()"]
)
def test_targets(target, visit):
    visit.show("<button>Sub</button><button onclick='document.title = \"hit\"'>Add</button>")
    assert visit.act(Click(target)).title == "hit"


def test_the_exact_name_goes_before_another_spelling(visit):
    visit.show("<button>add</button><button onclick='document.title = \"hit\"'>Add</button>")
    assert visit.act(Click("Add")).title == "hit"


def test_below_the_fold_in_boxes_frames_and_shadow(visit):
    visit.site.pages["/in"] = (
        "<div style='height:900px'></div><button onclick='top.hit()'>in</button>"
    )
    visit.show(
        "<script>let n = 0; function hit() { document.title = ++n }</script>"
        "<div style='height:2000px'></div><div style='height:90px;overflow:auto'>"
        "<div style='height:500px'></div><button onclick='hit()'>box</button></div>"
        "<iframe src=/in style='border:7px solid;margin:30px'></iframe><div id=h></div><script>"
        "h.attachShadow({mode: 'open'}).innerHTML = '<button onclick=hit()>dark</button>'</script>"
    )
    for number, name in enumerate(["box", "in", "dark"], 1):
        seen = visit.act(Click(name))
        assert seen.error is None and seen.title == str(number)


def test_a_wrapped_link_and_shapes(visit):
    visit.show(
        "<div style='width:150px'>some words before <a href='#' onclick='document.title = 1'>"
        "a link which is wrapped</a></div><svg width=99 height=99><path d='M5 5H95V95' fill=none "
        "stroke=red stroke-width=4 onclick='document.title = 2'><title>line</title></path></svg>"
    )
    assert visit.act(Click("a link which is wrapped")).title == "1"


def test_keys(visit):
    visit.show("<input aria-label=a value=abc autofocus><input aria-label=b>" + LOG)
    visit.act(Click("a"), Press("Control+a"), Press("x"))
    seen = visit.act(Press("Tab"))
    assert [e.value for e in seen.elements] == ["x", ""]
    assert seen.elements[1].states == ("focused",) and "FORGED" not in seen.text


def test_typing_to_what_has_the_focus(visit):
    visit.show("<input aria-label=a value=abc><button onclick='document.title = 1'>b</button>")
    seen = visit.act(Click("a"), Press("End"), KeyboardType("d e\nf"))
    assert seen.elements[0].value == "abcd e f" and seen.title == ""
    assert visit.act(Press("Control+a"), KeyboardType("g")).elements[0].value == "g"


def test_a_pointer_that_only_moves_presses_nothing(visit):
    moves = ["mousemove", "mouseup", "mousedown", "pointerup", "click", "auxclick", "contextmenu"]
    visit.show(
        f"""<p id=heard></p><a href=#x>menu</a><script>
        for (const kind of {moves}) addEventListener(kind, () => heard.append(` ${{kind}}.`), true);
        </script>"""
    )
    assert "mousemove." in (text := visit.act(Hover("menu")).text)
    assert not [kind for kind in moves[1:] if f"{kind}." in text]


def test_hovering(visit):
    visit.show("<style>#m{display:none} #b:hover + #m{display:block}</style>"
               "<button id=b>menu</button><p id=m>open</p>")  # fmt: skip
    assert "open" in visit.act(Hover("menu")).text


@pytest.mark.parametrize("html5", [True, False])
def test_dragging(html5, visit):
    native = (
        "<p id=a draggable=true>it</p><div id=b tabindex=0 style='height:90px'>box</div><script>"
        "b.ondragover = (e) => e.preventDefault();"
        "b.ondrop = (e) => { document.title = 'dropped' + e.isTrusted }</script>"
    )
    mouse = (
        "<p id=a tabindex=0>it</p><div id=b tabindex=0 style='height:90px'>box</div><script>"
        "let held = 0; a.onmousedown = (e) => { held = 1; e.preventDefault() };"
        "b.onmouseup = (e) => { if (held) document.title = 'dropped' + e.isTrusted }</script>"
    )
    visit.show(native if html5 else mouse)
    seen = visit.act(Drag("it", "box"))
    assert seen.error is None and seen.title == "droppedtrue"


BOARD = """<div id=board tabindex=0 aria-label=board style='margin:7px; width:200px; height:100px'>
    <p style='height:50px; width:50px'></p></div><p id=noticed></p><script>
    for (const kind of ['mousedown', 'mousemove', 'mouseup', 'click']) {
      board.addEventListener(kind, (e) => { const {x, y} = board.getBoundingClientRect();
        if (e.isTrusted) noticed.append(`${kind} ${e.clientX - x},${e.clientY - y}; `) }) }
    </script>"""


def test_a_place_of_an_element(visit):
    visit.show(BOARD)
    assert "click 150,20;" in visit.act(ClickAt("board", (150, 20))).text
    moved = visit.act(HoverAt("board", (40, 30))).text
    assert moved.count("click") == 1 and "mousemove 40,30;" in moved
    seen = visit.act(ClickAt("board", (201, 20)))
    assert seen.error == "The place 201,20 is outside: the element has 200 x 100 pixels."


def test_a_path_is_drawn(visit):
    visit.show(BOARD)
    seen = visit.act(Draw("board", ((10, 10), (60, 40), (300, 40))))
    assert seen.error is None
    noticed = [each.split(" ") for each in seen.text.removeprefix("board\n").split("; ") if each]
    kinds = [kind for kind, *_ in noticed]
    assert kinds[:2] == ["mousemove", "mousedown"] and noticed[1][1] == "10,10"
    assert ["mousemove", "60,40"] in noticed and "mouseup" not in kinds  # it ends outside


def test_a_text_is_marked(visit):
    visit.show(
        """<p tabindex=0>One <b>two  three</b> four</p><p>five</p><script>
        onmouseup = () => { document.title = getSelection().toString() }</script>"""
    )
    assert visit.act(MarkText("//p", "two three four")).title == "two three four"
    assert visit.act(MarkText("//p[2]", "five")).title == "five"
    assert "does not hold" in (visit.act(MarkText("//p", "six")).error or "")


def test_a_text_with_signs_of_two_units_is_marked_and_a_hidden_one_is_not(visit):
    visit.show(
        """<p tabindex=0>\U0001f600 One two <span hidden>three</span></p><script>
        onmouseup = () => { document.title = getSelection().toString() }</script>"""
    )
    assert visit.act(MarkText("//p", "One two")).title == "One two"
    assert "is not visible" in (visit.act(MarkText("//p", "three")).error or "")


def test_scrolling_in_an_element(visit):
    visit.show("<textarea aria-label=t rows=2></textarea><script>"
               "const t = document.querySelector('textarea'); t.value = 'a\\n'.repeat(50);"
               "t.onscroll = () => { document.title = `${t.scrollTop > 0}` }</script>")  # fmt: skip
    assert visit.act(ScrollIn("t", "down")).title == "true"
    assert visit.act(ScrollIn("t", "up")).title == "false"
    assert "not a direction" in (visit.act(ScrollIn("t", "left")).error or "")


def test_where_time_does_not_pass_with_actions_there_is_no_wait(visit):
    visit.show("<html data-inputs=wait><body><button>Go</button></body></html>")
    seen = visit.act(Wait(1))
    assert "nothing to wait for" in (seen.error or "")
    assert (seen.inputs, seen.action_seconds) == (("wait",), None)


def test_scrolling(visit):
    visit.show("<p>top</p><div style='height:3000px'></div><p>bottom</p>")
    down = visit.act(Scroll("down"))
    assert down.error is None and visit.observe(view="viewport").text == ""
    visit.act(Scroll("up"))
    assert visit.observe(view="viewport").text == "top"


@settings(max_examples=25 if DEEP else 6, derandomize=True, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip
@given(text=st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=40))
def test_any_target_is_data(text, visit):
    if not getattr(visit, "shown", False):
        visit.show("<title>t</title><p>calm</p>")
        visit.shown = True
    for action in (Click(text), Type(text, text), Select(text, text), Hover("//" + text)):
        seen = visit.act(action)
        assert seen.error and seen.title == "t" and seen.text == "calm"
