"""Action programs: how they are written, and what they do on real pages."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from agent.interface import (
    Click,
    Drag,
    Element,
    Hover,
    KeyboardType,
    Observation,
    Press,
    Scroll,
    Select,
    Type,
)
from agent.methods.synapse.action_programs import ProgramAgent, Unwritable, write
from agent.methods.synapse.shown_state import Named, ShownState
from agent.sandbox import CallFailed, ProgramError
from agent.sandbox.monty import MontyRunner
from tests.each import for_each

PAGE = Observation(
    "",
    "",
    (
        Element(1, "textbox", "Name", "", tag="input", html_id="name", kind="text"),
        Element(2, "textbox", "City", "Oslo", tag="input", kind="text"),
        Element(3, "textbox", "Day", "", tag="input", kind="date"),
        Element(4, "button", "Go", tag="button", html_id="twice"),
        Element(5, "button", "No", tag="button", html_id="twice"),
        Element(6, "button", "Say", tag="button", html_id='a"b'),
        Element(7, "combobox", "Size", tag="select", options=("S", "M"), html_id="size"),
        Element(8, "textbox", "Hour", "", tag="input", kind="time"),
        Element(9, "button", "Odd", tag="button", html_id="'\""),
    ),
)


# Writing ------------------------------------------------------------------------------------------


@for_each(
    ("action", "program"),
    [
        (Click(1), """agent.click_xpath('//*[@id="name"]')"""),
        (Click(2), """agent.click_xpath('//*[@data-id="2"]')"""),
        (Click(5), """agent.click_xpath('//*[@data-id="5"]')"""),
        (Click(6), """agent.click_xpath('//*[@id=\\'a"b\\']')"""),
        (Click("//a"), "agent.click_xpath('//a')"),
        (Hover(4), """agent.movemouse('//*[@data-id="4"]')"""),
        (Select(7, "M"), """agent.click_option('//*[@id="size"]/option[text()="M"]')"""),
        (Press("Enter"), "agent.press('enter')"),
        (Press("Control+a"), "agent.press('command+a')"),
        (
            Type(1, "Ann", enter=True),
            """agent.click_xpath('//*[@id="name"]')\nagent.type('Ann')\nagent.press('enter')""",
        ),
        (
            Type(2, "Rome"),
            """agent.click_xpath('//*[@data-id="2"]')\nagent.press('command+a')\nagent.type('Rome')""",
        ),
        (
            Type(2, ""),
            """agent.click_xpath('//*[@data-id="2"]')
agent.press('command+a')
agent.press('backspace')""",
        ),
        (
            Type(3, "2024-02-29"),
            """agent.click_xpath('//*[@data-id="3"]')
for _ in range(2):
    agent.press('arrowleft')
agent.type('02292024')""",
        ),
    ],
)
def test_how_an_action_is_written(action, program):
    assert write([action], PAGE) == program


def test_the_same_call_again_is_a_loop():
    pressed = [Press("ArrowRight")] * 3
    assert write([*pressed, Press("Enter"), *pressed[:1]], PAGE).split("\n") == [
        "for _ in range(3):",
        "    agent.press('arrowright')",
        "agent.press('enter')",
        "agent.press('arrowright')",
    ]
    assert write([], PAGE) == ""


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (Drag(4, 5), "cannot do Drag"),
        (Scroll("down"), "cannot do Scroll"),
        (KeyboardType("x"), "cannot do KeyboardType"),
        (Press("Escape"), "cannot press Escape"),
        (Press("Shift+a"), r"cannot press Shift\+a"),
        (Select(7, "5' 9\""), "both kinds of quotes"),
        (Click(9), "both kinds of quotes"),
        (Type(3, "29/02/2024"), "YYYY-MM-DD"),
        (Type(8, "noon"), "HH:MM"),
    ],
)
def test_what_no_program_does(action, why):
    with pytest.raises(Unwritable, match=why):
        write([action], PAGE)


# Doing --------------------------------------------------------------------------------------------


@pytest.fixture
def run(harness):
    """`run(scenario, program)`: what the page shows then, and what the program is told."""

    def done(scenario: str, *programs: str) -> tuple[Observation, str]:
        async def work(visit):
            agent, message = ProgramAgent(visit.page.act, await visit.page.observe()), ""
            for program in programs:
                agent = ProgramAgent(visit.page.act, agent.now)
                try:
                    await MontyRunner().act(program, agent, calls=20)
                except ProgramError as error:
                    message = f"{error.kind}: {error}"
            return agent.now, message

        return harness.visit(scenario, work)

    return done


def values(seen: Observation) -> list[str]:
    return [each.value or "" for each in seen.elements if each.tag in ("input", "select")]


def states(seen: Observation, name: str) -> tuple[str, ...]:
    [found] = [each for each in seen.elements if each.name == name]
    return found.states


TEXT, LIST = "widgets/enter-text/3", "widgets/choose-list/3"
POSTS, COPY = "widgets/social-media/3", "widgets/copy-paste/3"


def test_all_is_marked_and_typed_over(run):
    seen, message = run(
        TEXT,
        "agent.click_xpath('//*[@id=\"tt\"]')\nagent.type('lead')\n"
        "agent.press('command+a')\nagent.type('gold')\nagent.press('backspace')",
    )
    assert (values(seen), message) == (["gol"], "")


def test_what_is_written_for_a_field_that_holds_something_replaces_it(run):
    one = "agent.click_xpath('//*[@id=\"tt\"]')\nagent.type('long ago')"
    held = Element(1, "textbox", "Text", "long ago", tag="input", html_id="tt", kind="text")
    page = Observation("", "", (held,))
    assert values(run(TEXT, one, write([Type(1, "now")], page))[0]) == ["now"]
    assert values(run(TEXT, one, write([Type(1, "")], page))[0]) == [""]


def test_copy_and_paste(run):
    seen, message = run(
        COPY,
        "agent.click_xpath('//textarea')\nagent.press('command+a')\nagent.press('command+c')\n"
        "agent.click_xpath('//input')\nagent.press('command+v')",
    )
    [pasted] = values(seen)
    [copied] = [each.value for each in seen.elements if each.tag == "textarea"]
    assert message == "" and pasted == copied != ""


@pytest.mark.wide
@pytest.mark.parametrize(
    ("scenario", "kind", "first", "second"),
    [
        ("widgets/enter-date/3", "date", "2019-01-18", "2024-02-29"),
        ("widgets/enter-time/3", "time", "21:56", "00:07"),
    ],
)
def test_dates_and_times_are_typed_in_parts_and_typed_over(run, scenario, kind, first, second):
    page = Observation("", "", (Element(1, "textbox", "", tag="input", html_id="tt", kind=kind),))
    programs = [write([Type(1, text)], page) for text in (first, second)]
    assert values(run(scenario, programs[0])[0]) == [first]
    assert values(run(scenario, *programs)[0]) == [second]


@pytest.mark.parametrize(
    "option",
    [
        'option[text()="Cuba"]',
        "option[text()='Cuba']",
        'option[.="Cuba"]',
        "option[normalize-space()='Cuba']",
    ],
)
def test_an_option_is_chosen_by_its_text(run, option):
    seen, message = run(LIST, f"agent.click_option('''//*[@id=\"options\"]/{option}''')")
    assert (values(seen), message) == (["Cuba"], "")


def test_a_mark_is_the_element_that_had_it_also_where_others_came_between(run):
    more = """agent.click_xpath('//*[@data-id="4"]')"""
    opened, _ = run(POSTS, more)
    assert {each.name: each.id for each in opened.elements}["More @ronald"] > 8
    seen, message = run(POSTS, f"""{more}\nagent.click_xpath('//*[@data-id="8"]')""")
    assert message == "" and "expanded" in states(seen, "More @ronald")


MAILS = "widgets/email-inbox/3"


@for_each(
    "xpath",
    [
        '//span[@data-id="{mark}"]',
        "//*[@data-id={mark}]",
        "(//*[@data-id='{mark}'])[1]",
        '//*[@role="button" and @data-id="{mark}"]',
        '//span[text()="{name}"]',
        '//span[contains(., "{name}")]/self::span',
    ],
)
def test_an_xpath_names_an_element_of_the_state_that_was_shown(run, xpath):
    """The page itself has no data-id."""
    before, _ = run(MAILS, "")
    icon = next(each for each in before.elements if each.name.startswith("trash "))
    written = xpath.format(mark=icon.id, name=icon.name)
    seen, message = run(MAILS, f"agent.click_xpath({written!r})")
    assert message == "" and "START" in [each.name for each in seen.elements], "it was clicked"


def test_an_xpath_names_an_element_of_the_clean_observation(runner):
    """What a prompt showed instead of the state counts first; then the state, then the page."""
    done: list[object] = []

    async def act(action):
        done.append(action)
        return PAGE

    agent = ProgramAgent(act, PAGE, '<b data-id="4">the way on</b>\n<b data-id="77">no</b>')
    for xpath in ('//b[.="the way on"]', '//button[.="No"]', "//b[@class]"):
        runner.run(agent("click_xpath", xpath))
    runner.run(agent("click_xpath", "//option[2]"))
    runner.run(agent("click_option", '//select[@data-id="7"]/option[.="S"]'))
    assert done == [Click(4), Click(5), Click("//b[@class]"), Select(7, "M"), Select(7, "S")]
    with pytest.raises(CallFailed, match="there is no element with data-id 9999"):
        runner.run(agent("click_xpath", "//*[@data-id=9999]"))


def test_an_xpath_finds_what_came_up_after_the_program_began(runner):
    opened = Observation("", "", (Element(1, "option", "Oslo", tag="li"), *PAGE.content))
    done = []

    async def act(action):
        done.append(action)
        return opened

    agent = ProgramAgent(act, PAGE)
    for xpath in ('//*[@data-id="4"]', '//li[@role="option"]', '//li[@role="x"]'):
        runner.run(agent("click_xpath", xpath))
    assert done == [Click(4), Click(1), Click('//li[@role="x"]')]


@for_each(
    "xpath",
    [
        "//*[//*[//*[@x]]]",
        "//*[count(//*[count(//*)>1])>1]",
        "//*[following::*[preceding::*[@x]]]",
        "//*[../*[../*[../*]]]",
        "//*[/html/body/*[/html/body/*]]",
    ],
)
def test_an_xpath_that_could_take_long_is_left_to_the_page(xpath):
    """On 2,000 elements each would take minutes, and nothing could interrupt it."""
    state = ShownState("\n".join(f'<b data-id="{n}">x</b>' for n in range(2_000)))
    began = time.process_time()
    assert state.find(xpath) is None
    assert time.process_time() - began < 20
    assert state.find("//b[1999][text()='x' and @data-id]") == Named(1998)


@for_each(
    "xpath", ["//b[", "count(//b)", "//b/text()", "//b/@data-id", "$x", "//b[ends-with(.,'x')]"]
)
def test_what_is_no_element_of_a_state_is_none(xpath):
    assert ShownState('<b data-id="1">x</b>').find(xpath) is None
    assert ShownState("").find(xpath) is None


@for_each("text", ["<b", "\ud800", "<!DOCTYPE x><b", "\0", "<!-- x", "&#0;", "<tr><td>"])
def test_whatever_a_model_shows_is_read(text):
    assert ShownState(text).find("//*[@data-id]") is None
    assert ShownState(f'<i data-id="3">x</i>{text}').find("//i") == Named(3)


def test_of_elements_that_look_alike_the_place_counts(runner):
    box = Element(1, "img", "box", tag="rect")
    before = Observation("", "", (box, replace(box, id=2)))
    now = Observation("", "", (Element(1, "button", "New"), *(replace(box, id=n) for n in (2, 3))))
    done = []

    async def act(action):
        done.append(action)
        return now

    agent = ProgramAgent(act, before)
    for xpath in ("//p", '//*[@data-id="2"]', '//*[@data-id="1"]'):
        runner.run(agent("click_xpath", xpath))
    assert done == [Click("//p"), Click(3), Click(2)]


def test_a_mark_that_is_gone_is_said(run):
    """An item of the opened menu is gone once the menu is closed."""
    more, item = (
        """agent.click_xpath('//*[@data-id="4"]')""",
        """agent.click_xpath('//*[@data-id="5"]')""",
    )
    opened, _ = run(POSTS, more)
    assert "Reply @ronald" not in [each.name for each in opened.elements if each.id == 5]
    _, message = run(POSTS, more, f"{more}\n{item}")
    assert message == "failed: line 2: the element with data-id 5 is no longer there"


@for_each(
    ("call", "message"),
    [
        ("agent.press('f5')", "there is no key 'f5'; there are enter, "),
        ("agent.press('command+enter ')", "there is no key 'command+enter '"),
        ("agent.press('')", "there is no key ''"),
        ("agent.click_xpath('//*[@data-id=\"99\"]')", "there is no element with data-id 99"),
        ("agent.click_xpath('Submit')", "'Submit' is no XPath; it begins with / or ("),
        ("agent.click_xpath('')", "'' is no XPath"),
        ("agent.click_xpath('//h7')", "//h7"),
        ("agent.movemouse('//h7')", "//h7"),
        ("agent.click_xpath('//*[')", "//*["),
        ("agent.click_option('//select')", "click_option takes the XPath of a select"),
        (
            'agent.click_option(\'//*[@id="options"]/option[text()="Atlantis"]\')',
            "Atlantis",
        ),
    ],
)
def test_what_cannot_be_done_is_said_with_its_line(run, call, message):
    seen, shown = run(LIST, f"agent.press('home')\n{call}\nagent.click_xpath('//select')")
    assert shown.startswith("failed: line 2: ") and message in shown
    assert not any("expanded" in each.states for each in seen.elements), "nothing is done after it"


def test_quotes_in_an_xpath_and_in_a_text(run):
    click = """agent.click_xpath("//input[@id='tt']")"""
    seen, message = run(TEXT, f"""{click}\nagent.type('He said "it\\'s"')""")
    assert (values(seen), message) == (['He said "it\'s"'], "")


def test_the_first_match_is_clicked_and_no_other(run):
    seen, message = run("widgets/click-checkboxes/3", "agent.click_xpath('//input')")
    ticked = [each.id for each in seen.elements if "checked" in each.states]
    assert (ticked, message) == ([1], "")


def test_a_line_feed_is_the_enter_key(run):
    seen, message = run("widgets/terminal/3", "agent.type('ls\\nhelp')")
    assert message == "" and values(seen) == ["help"]
    assert any("ls" in text for text in seen.text.split("\n"))


def test_a_pointer_over_an_element_opens_its_menu(run):
    menu = "widgets/click-menu/3"
    seen, message = run(menu, """agent.movemouse('//*[text()="Jamie"]')""")
    assert message == "" and "Bob" in [each.name for each in seen.elements]
    assert "Bob" not in [each.name for each in run(menu, "")[0].elements]
