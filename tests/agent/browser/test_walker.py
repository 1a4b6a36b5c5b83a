"""What an observation holds, page by page."""

from __future__ import annotations

import pytest

from agent.interface import Click, Element, Press, Scroll, Text, Type


def lines(observation) -> list[str]:
    """The content in one notation: `role "name" =value [states]`, or `role: text`."""
    return [
        f"{node.role}: {node.text}"
        if isinstance(node, Text)
        else f'{node.role} "{node.name}"'
        + (f" ={node.value}" if node.value is not None else "")
        + (f" {list(node.states)}" if node.states else "")
        for node in observation.content
    ]


def only(observation) -> Element:
    (element,) = observation.elements
    return element


EARLY = """<script>const e = document.createElement("p"); e.textContent = "x";
e.addEventListener("pointerdown", () => 1); document.body.append(e)</script>"""
"""It listens before it is part of the page."""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a href=/x>Go <b>there</b></a>", 'link "Go there"'),
        ("<a href=/x><img src=/i alt='A cat'> now</a>", 'link "A cat now"'),
        ("<a href=/x class='item visited'>old</a>", "link \"old\" ['visited']"),
        ("<ul><li class='card visited'><b><a href=/x>old</a></b></ul>", "link \"old\" ['visited']"),
        ("<ul class=visited><li class=card><a href=/x>new</a></ul>", 'link "new"'),
        ("<button>Buy\n  <br>now</button>", 'button "Buy now"'),
        ("<button aria-label=Close>x</button>", 'button "Close"'),
        ("<button disabled>b</button>", "button \"b\" ['disabled']"),
        ("<fieldset disabled><button>b</button></fieldset>", "button \"b\" ['disabled']"),
        ("<button aria-expanded=false>m</button>", "button \"m\" ['collapsed']"),
        ("<button aria-expanded=true aria-pressed=true>m</button>",
         "button \"m\" ['expanded', 'pressed']"),
        ("<p id=a>One</p><p id=b>Two</p><button aria-labelledby='b a'>x</button>",
         'button "Two One"'),
        ("<p id=a hidden>Secret</p><button aria-labelledby=a>x</button>", 'button "Secret"'),
        ("<button>a<b hidden>b</b><b style='display:none'>c</b></button>", 'button "a"'),
        ("<button>a<span aria-hidden=true>b</span></button>", 'button "a"'),
        ("<button title=Tip></button>", 'button "Tip"'),
        ("<button><svg width=9 height=9><title>Cart</title></svg></button>", 'button "Cart"'),
        ("<input type=submit>", 'button "Submit"'),
        ("<input type=button value='Do it'>", 'button "Do it"'),
        ("<input type=image alt=Find src=/i>", 'button "Find"'),
        ("<label for=i>Full name</label><input id=i value=Ann>", 'textbox "Full name" =Ann'),
        ("<label>Full name <input value=Ann></label>", 'textbox "Full name" =Ann'),
        ("<input placeholder=Search type=search>", 'searchbox "Search" ='),
        ("<input type=password aria-label=p value=abcd>", 'textbox "p" =••••'),
        ("<input aria-label=n type=number value=3 required>", "spinbutton \"n\" =3 ['required']"),
        ("<input aria-label=n readonly value=x>", "textbox \"n\" =x ['readonly']"),
        ("<input aria-label=n aria-invalid=true>", "textbox \"n\" = ['invalid']"),
        ("<input type=range aria-label=r value=7>", 'slider "r" =7'),
        ("<label><input type=checkbox checked> Red</label>", "checkbox \"Red\" ['checked']"),
        ("<label><input type=radio name=c> Red</label>", 'radio "Red"'),
        ("<textarea aria-label=t>a\nb</textarea>", 'textbox "t" =a\nb'),
        ("<select aria-label=s><option>A<option selected>B b</select>", 'combobox "s" =B b'),
        ("<select aria-label=s multiple><option selected>A<option selected>B</select>",
         'listbox "s" =A, B'),
        ("<div contenteditable aria-label=e>hello</div>", 'textbox "e" =hello'),
        ("<details open><summary>More</summary></details>", "button \"More\" ['expanded']"),
        ("<div role=button>Go</div>", 'button "Go"'),
        ("<div role=switch aria-checked=true aria-label=s></div><style>div{height:9px}</style>",
         "switch \"s\" ['checked']"),
        ("<div role=tab aria-selected=true>T</div>", "tab \"T\" ['selected']"),
        ("<div role=slider aria-valuenow=4 aria-label=v>x</div>", 'slider "v" =4'),
        ("<div tabindex=0>Focus me</div>", 'generic "Focus me"'),
        ("<div onclick='1'>Row</div>", 'generic "Row"'),
        ("<div style='cursor:pointer'>Card <span>text</span></div>", 'generic "Card text"'),
        ("<div id=d>Late</div><script>d.addEventListener('click', () => 1)</script>",
         'generic "Late"'),
        ("<div id=d>Late</div><script>d.onmousedown = () => 1</script>", 'generic "Late"'),
        (EARLY, 'generic "x"'),
        ("<svg width=90 height=90><circle r=9 onclick='1'><title>dot</title></circle></svg>",
         'graphics-symbol "dot"'),
        ("<svg width=90 height=90><rect width=9 height=9 style='cursor:pointer'/></svg>",
         'graphics-symbol ""'),
        ("<div role='x link'>no such role</div><a href=/>k</a>", 'link "k"'),
    ],
)  # fmt: skip
def test_an_element(html, expected, visit):
    seen = visit.show(f"<title>t</title><body>{html}")
    assert [line for line in lines(seen) if not line.startswith(("text:", "label:"))] == [expected]


def test_tag_id_kind_options_and_what_commits(visit):
    seen = visit.show(
        "<input id=q type=email aria-label=q><select aria-label=s><option>A a<option label=B>c"
        "</select>"
        "<form data-commits><input aria-label=n><button id=pay>Pay</button>"
        "<button type=button>Help</button></form><a href=/ data-commits>Cancel it</a>"
    )
    facts = [(e.id, e.tag, e.html_id, e.kind, e.options, e.commits) for e in seen.elements]
    assert facts == [
        (1, "input", "q", "email", (), False),
        (2, "select", "", "", ("A a", "B"), False),
        (3, "input", "", "text", (), False),
        (4, "button", "pay", "", (), True),
        (5, "button", "", "", (), False),
        (6, "a", "", "", (), True),
    ]


def test_text_in_reading_order_with_its_structure(visit):
    seen = visit.show(
        "<h1>Our <i>shop</i></h1><p>One\n two<br>three</p><ul><li>a<li>b <a href=/>c</a> d</ul>"
        "<table><caption>T</caption><tr><th>H<th scope=row>R<td>1</table><dl><dt>k<dd>v</dl>"
        "<img alt='a cat' width=9 height=9><img alt='' width=9 height=9>"
        "<progress value=3 max=10 aria-label=Load></progress><div role=alert>Oh</div>"
    )
    assert lines(seen) == [
        "heading: Our shop",
        "text: One two three",
        "listitem: a",
        "listitem: b c d",
        'link "c"',
        "caption: T",
        "columnheader: H",
        "rowheader: R",
        "cell: 1",
        "term: k",
        "definition: v",
        "img: a cat",
        "progressbar: Load 3/10",
        "alert: Oh",
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<li><a href=/>Ann Smith</a>, born in May</li>",
         ["listitem: Ann Smith, born in May", 'link "Ann Smith"']),
        ("<li>By <a href=/> Ann </a>and<br><a href=/><i>Bo</i></a></li>",
         ["listitem: By Ann and Bo", 'link "Ann"', 'link "Bo"']),
        ("<li><span onclick=1>Ann</span>, born in May</li>",
         ["listitem: Ann, born in May", 'generic "Ann"']),
        ("<li><a href=/>Ann</a> one<ul><li>two <a href=/>Bo</a></li></ul>three</li>",
         ["listitem: Ann one", 'link "Ann"', "listitem: two Bo", 'link "Bo"', "listitem: three"]),
        ("<li><a href=/>Ann</a><p>of <a href=/>Rome</a>, Italy</p></li>",
         ['link "Ann"', "listitem: of Rome, Italy", 'link "Rome"']),
        ("<li><a href=/>a</a> | <a href=/>b</a></li>", ['link "a"', "listitem: |", 'link "b"']),
        ("<li><a href=/>only</a></li>", ['link "only"']),
        ("<li>Buy <button>now</button> or later</li>",
         ["listitem: Buy", 'button "now"', "listitem: or later"]),
        ("<li onclick=1>All <a href=/>this</a> here</li>",
         ["listitem: All this here", 'link "this"']),
        ("<p>see <a href=/>this</a>, please</p>",
         ["text: see", 'link "this"', "text: , please"]),
    ],
)  # fmt: skip
def test_a_list_item_keeps_its_links_in_its_line(html, expected, visit):
    """The text in one piece, then its links; a button stands in no line of text."""
    seen = visit.show(html)
    assert lines(seen) == expected
    assert [each.id for each in seen.elements] == [1 + at for at in range(len(seen.elements))]


def test_what_describes_a_field_stands_beside_it(visit):
    seen = visit.show(
        "<label for=d>Date</label><input id=d aria-describedby='e h gone'><button>Pick</button>"
        "<p>more</p><p id=h>DD/MM</p><p id=e>No such day</p><p id=b>before</p>"
        "<input aria-label=x aria-describedby='b o'><p id=o hidden>no</p>"
        "<label>In <input aria-describedby=i></label><p>other</p><p id=i>inside</p>"
    )
    assert lines(seen) == [
        'textbox "Date" =', "text: No such day", "text: DD/MM", 'button "Pick"', "text: more",
        "text: before", 'textbox "x" =', 'textbox "In" =', "text: inside", "text: other",
    ]  # fmt: skip


def test_what_describes_a_field_and_can_be_clicked_stays_where_it_is(visit):
    seen = visit.show(
        "<input aria-label=x aria-describedby=h><b>!</b><p id=h><a href=/>why</a></p>"
    )
    assert lines(seen) == ['textbox "x" =', "text: !", 'link "why"']


def test_a_dialog_that_covers_the_page(visit):
    body = (
        "<p>page</p><dialog aria-labelledby=t aria-describedby='s outside'><h2 id=t>Sure?</h2>"
        "<p id=s>It covers the page.</p><button>Yes</button></dialog><p id=outside>And more.</p>"
    )
    opening = "<script>document.querySelector('dialog').showModal()</script>"
    assert [(line, node.depth) for line, node in _nodes(visit.show(body + opening))] == [
        ("text: page", 0),
        ("dialog: Sure? It covers the page. And more.", 0),
        ("button \"Yes\" ['focused']", 1),
        ("text: And more.", 0),
    ]
    assert lines(visit.show(body)) == ["text: page", "text: And more."]
    beside = lines(visit.show(body.replace("<dialog", "<dialog open")))
    assert beside[1:3] == ["heading: Sure?", "text: It covers the page."]


def _nodes(seen):
    return zip(lines(seen), seen.content, strict=True)


def test_the_current_one_of_several_texts(visit):
    seen = visit.show(
        "<ol><li>a<li aria-current=step>b <i>c</i><li aria-current=false>d<li aria-current=step>"
        "<a href=/>e</a>, f</ol><p>g"
    )
    marked = [node.text for node in seen.content if isinstance(node, Text) and node.current]
    assert marked == ["b c", "e, f"]


def test_labels_are_said_once(visit):
    seen = visit.show(
        "<label for=a>Name</label><input id=a><label><input type=radio>Red</label>"
        "<label for=none>Alone</label><label for=b>Seen</label><input id=b aria-label=Said>"
    )
    assert lines(seen) == [
        'textbox "Name" =', 'radio "Red"', "label: Alone", "label: Seen", 'textbox "Said" =',
    ]  # fmt: skip


def test_a_choice_that_only_its_label_draws(visit):
    seen = visit.show(
        "<style>input {position: fixed; opacity: 0; width: 0; height: 0}</style>"
        "<input type=radio id=r name=c><label for=r>red</label>"
        "<input type=radio id=b name=c><label for=b>blue</label>"
    )
    assert lines(seen) == ['radio "red"', 'radio "blue"']
    assert lines(visit.act(Click("blue"))) == [
        'radio "red"',
        "radio \"blue\" ['checked', 'focused']",
    ]


@pytest.mark.parametrize(
    "style", ["display:none", "visibility:hidden", "content-visibility:hidden",
              "width:0;overflow:hidden", "height:0;overflow:hidden"],
)  # fmt: skip
def test_what_is_hidden_is_left_out(style, visit):
    seen = visit.show(f"<p>seen</p><div style='{style}'><p>not</p><button>not</button></div>")
    assert lines(seen) == ["text: seen"]


def test_other_ways_to_hide(visit):
    seen = visit.show(
        "<div hidden>no</div><div aria-hidden=true>no<button>no</button></div>"
        "<input type=hidden value=no><template>no</template><noscript>no</noscript><script>1"
        "</script>"
        "<details><summary>more</summary>no</details><button style='width:0;height:0;padding:0;"
        "border:0;overflow:hidden'></button><p style='visibility:hidden'>no<b style='visibility:"
        "visible'>yes</b></p>"
    )
    assert lines(seen) == ["button \"more\" ['collapsed']", "text: yes"]


def test_frames_and_shadow_roots(visit):
    visit.site.pages["/in"] = (
        "<p>framed</p><button>inner</button><iframe srcdoc='<a href=/>deep</a>'>"
    )
    seen = visit.show(
        "<p>top</p><iframe src=/in></iframe><x-a>light<b slot=s>slotted</b></x-a><p>end</p><script>"
        "customElements.define('x-a', class extends HTMLElement { constructor() { super();"
        "const r = this.attachShadow({mode: 'open'}); r.innerHTML = '<p id=p>shade</p>"
        "<button>dark</button><slot name=s></slot>';"
        "r.getElementById('p').addEventListener('click', () => 1) } })</script>"
    )
    assert lines(seen) == [
        "text: top", "text: framed", 'button "inner"', 'link "deep"', 'generic "shade"',
        'button "dark"', "text: slotted", "text: end",
    ]  # fmt: skip


def test_containers_that_listen(visit):
    delegating = "<div onclick='1'><button>a</button> text <button>b</button></div>"
    assert lines(visit.show(delegating)) == ['button "a"', "text: text", 'button "b"']
    card = "<div style='cursor:pointer'>card <button style='cursor:default'>x</button></div>"
    assert lines(visit.show(card)) == ['generic ""', "text: card", 'button "x"']


def test_colours_that_are_not_the_parents(visit):
    seen = visit.show(
        "<body style='color:rgb(1,1,1)'><p style='color:red'>A <b>b</b></p><p>plain</p>"
        "<p>x <span style='background:blue'>y</span></p>"
        "<svg width=50 height=50><rect width=9 height=9 fill=lime onclick='1'/></svg>"
    )
    assert [(getattr(n, "text", n.__class__.__name__), n.colors) for n in seen.content] == [
        ("A b", (("color", "rgb(255, 0, 0)"),)),
        ("plain", ()),
        ("x", ()),
        ("y", (("background-color", "rgb(0, 0, 255)"),)),
        ("Element", (("fill", "rgb(0, 255, 0)"),)),
    ]


def test_depth_counts_shown_ancestors(visit):
    seen = visit.show(
        "<p>a</p><ul><li>b<ul><li>c</ul></ul><div tabindex=0>d<button>e</button></div>"
    )
    assert [(getattr(n, "text", "") or n.name, n.depth) for n in seen.content] == [
        ("a", 0), ("b", 0), ("c", 1), ("", 0), ("d", 1), ("e", 1),
    ]  # fmt: skip


def test_the_viewport_view(visit):
    html = "<p>above</p><button>up</button><div style='height:3000px'></div><p>below</p>"
    full = visit.show(html + "<button>down</button>")
    assert lines(full) == ["text: above", 'button "up"', "text: below", 'button "down"']
    seen = visit.observe(view="viewport")
    assert lines(seen) == ["text: above", 'button "up"']
    visit.observe()
    visit.act(Click("down"))
    low = visit.observe(view="viewport")
    assert [line.split(" [")[0] for line in lines(low)] == ["text: below", 'button "down"']
    assert low.elements[0].id == 1


def test_the_viewport_view_says_where_there_is_more(visit):
    whole = visit.show("<p>top</p><div style='height:2000px'></div><p>bottom</p>")
    assert whole.more == ()
    found = [visit.observe(view="viewport").more]
    for _ in range(2):
        visit.act(Scroll("down"))
        found.append(visit.observe(view="viewport").more)
    visit.act(Scroll("down"))
    assert found == [("below",), ("above", "below"), ("above",)]
    assert visit.observe(view="viewport").more == ("above",), "nothing is below the end"
    visit.show("<p>short</p>")
    assert visit.observe(view="viewport").more == ()


def test_more_may_be_in_a_part_of_the_page_that_scrolls(visit):
    box = "<div style='height:100vh;overflow:auto'><p>a</p><p style='margin-top:150vh'>b</p></div>"
    visit.show(f"<style>* {{ margin: 0 }}</style>{box}")
    assert visit.observe(view="viewport").more == ("below",)
    visit.act(Scroll("down"))
    assert visit.observe(view="viewport").more == ("above",)


def test_the_focus_and_a_typed_password(visit):
    visit.show("<input aria-label=a><input type=password aria-label=b>")
    seen = visit.act(Press("Tab"), Type("b", "héllo"))
    assert lines(seen) == ['textbox "a" =', "textbox \"b\" =••••• ['focused']"]


TAMPERING = """
<script>
const lie = () => { throw new Error("no") };
JSON.stringify = () => '{"url":"http://evil/","title":"","calm":true,"kinds":[],"tints":[],' +
  '"content":[]}';
for (const type of [Array, String, Set, Map, RegExp, WeakSet, Promise, Function]) {
  for (const name of Object.getOwnPropertyNames(type.prototype)) {
    if (name !== "constructor") try { type.prototype[name] = lie } catch {}
  }
}
for (const type of [Node, Element, HTMLElement, HTMLInputElement, Document, Event, EventTarget,
                    CharacterData, Range, MutationObserver, InputEvent]) {
  for (const name of Object.getOwnPropertyNames(type.prototype)) {
    try { Object.defineProperty(type.prototype, name, { get: lie, value: undefined }) } catch {}
    try { Object.defineProperty(type.prototype, name, { get: lie }) } catch {}
  }
}
for (const name of ["getComputedStyle", "setTimeout", "requestAnimationFrame", "performance",
                    "Object", "Array", "JSON", "Promise", "rehearsal", "MutationObserver"]) {
  try { Object.defineProperty(window, name, { get: lie }) } catch {}
}
</script>"""
CLOBBERING = """
<form id=f onclick='1'><input name=parentNode><input name=childNodes><input name=firstChild>
<input name=nextSibling><input name=attributes><input name=localName><input name=getAttribute>
<input name=nodeType><input name=tagName><input name=children><input name=id></form>
<img name=body><img name=title><img name=activeElement><img name=documentElement>
<img name=elementFromPoint><img name=getElementById><img name=querySelector><img name=defaultView>
<img name=readyState><form name=rehearsal></form><img id=rehearsal>"""


def test_a_page_cannot_change_what_is_read(visit):
    html = "<title>t</title><h1>Head</h1><a href=/>link</a><p>text</p><input aria-label=i value=v>"
    honest = visit.show(html)
    assert lines(honest) == ["heading: Head", 'link "link"', "text: text", 'textbox "i" =v']
    assert visit.show(html + TAMPERING) == honest
    assert visit.act(Click("i")).elements[1].states == ("focused",)


def test_a_page_cannot_shadow_the_dom_by_names(visit):
    seen = visit.show("<title>t</title><p>text</p><button>go</button>" + CLOBBERING)
    assert seen.title == "t" and lines(seen)[:2] == ["text: text", 'button "go"']
    assert len(seen.elements) == 12
    assert visit.act(Click("go")).error is None


def test_a_page_cannot_reach_the_walker(visit):
    seen = visit.show("<p id=p></p><script>p.textContent = typeof rehearsal + Object.keys(window)"
                      ".filter((k) => /rehears|playwright/i.test(k))</script>")  # fmt: skip
    assert lines(seen) == ["text: undefined"]


def test_the_clock_stands_still(visit):
    seen = visit.show(
        "<p id=p></p><script>const a = Date.now(), d = new Date(); while (performance.now() < 30);"
        "p.textContent = [a, Date.now(), +d, d instanceof Date, new Date(5).getTime(), Date()"
        ".slice(0, 15), new Intl.DateTimeFormat().format(), Date.UTC(1970, 0), navigator.language,"
        "Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, innerHeight,"
        "matchMedia('(prefers-reduced-motion)').matches].join(' ')</script>"
    )
    assert seen.text == (
        "1700000000000 1700000000000 1700000000000 true 5 Tue Nov 14 2023 11/14/2023 0 en-US UTC"
        " 1280 720 true"
    )


def test_the_source_is_outer_html_with_what_is_shown_written_into_the_tags(visit):
    visit.show(
        "<div id=a class=x><p hidden>no &amp; yes</p>"
        "<input aria-label=Who style='top: 1px; color: red'>"
        "<span role=button style='color: rgb(1, 2, 3)'>Go<br>on</span></div><div id=b></div>"
        "<script>document.querySelector('input').value = '\"'</script>"
    )
    assert visit.observe().source == ""
    assert visit.observe(source="#a, #b").source == (
        '<div id="a" class="x"><p hidden="">no &#38; yes</p>'
        '<input aria-label="Who" style="top: 1px; color: red;color:rgb(255, 0, 0);'
        'background-color:rgb(255, 255, 255)" data-id="1" data-name="Who" value="&#34;">'
        '<span role="button" style="color: rgb(1, 2, 3);color:rgb(1, 2, 3)" data-id="2"'
        ' data-name="Go on">Go<br>on</span></div>\n<div id="b"></div>'
    )


def test_a_large_page_is_small_to_read(visit, runner):
    rows = "".join(
        f"<tr><td>{n}<td><a href=/{n}>Product {n} cotton shirt</a><td>$ {n}.99<td>"
        f"<input aria-label='Quantity {n}'><td><button>Add {n}</button>"
        for n in range(555)
    )
    seen = visit.show(f"<table>{rows}</table>")
    assert len(seen.elements) == 1665 and seen.elements[-1].name == "Add 554"
    tab = visit.lane._tab
    assert len(runner.run(tab.call("read", "document", 1000)).encode()) <= 100_000
