"""The report in Chromium: what it shows, how it is used, and that nothing planted runs."""

from __future__ import annotations

import json
import re

import pytest

from evaluators import report
from evaluators.records import run_folder
from evaluators.report import columns
from evaluators.report.texts import visible
from tests.evaluators.report.handmade import (
    Written,
    action,
    call,
    end,
    event,
    look,
    record,
    say,
)
from tests.evaluators.report.planted import AGENT, EVIL, SHOWN, nothing_ran, plant


@pytest.fixture
def evil(run: Written):
    """A run in which every text that comes from a page, a model or a name is planted."""
    plant(run)
    return run


def test_the_planted_text_would_run_if_it_were_not_escaped(reader, evil):
    source = report.write(evil.path).read_text().partition("<body>")[0]
    open_door = source.replace("http-equiv", "data-was") + "<body>" + visible(EVIL)
    target = evil.path / "open.html"
    target.write_text(open_door, encoding="utf-8")
    reader.open(target)
    assert reader.ask("window.ran") > 0
    assert reader.dialogs


def test_nothing_planted_runs_and_all_of_it_is_shown(reader, evil):
    target = report.write(evil.path)
    reader.open(target)
    shown = SHOWN
    assert reader.text("h1") == shown
    assert reader.texts("#episodes tbody th")[0] == AGENT
    reader.ask("document.querySelector('#episodes a').click()")
    reader.do(reader.page.wait_for_selector("#frame article"))
    assert AGENT in reader.text("#agent")
    for place in ("#instruction", "#trouble"):
        assert shown in reader.text(place)
    for place in ("#checks", "#collateral", "#progress", "#parts", "#purposes", "#facts"):
        assert shown in reader.text(place)
    for place in ("#hashes", "#answer", "#steps"):
        assert " ".join(shown.split()) in " ".join(reader.text(place).split())
    assert reader.text("#verdict").startswith("✗ no successanswered"), "its words are ours"
    left = " ".join(shown.split())
    assert left in " ".join(reader.text("#world").split()), "as its file has it"
    reader.press("k", "k", "k")
    open_all(reader)
    for place in (
        ".call h5",
        ".reply pre",
        ".event",
        ".action",
        ".action .error",
    ):
        assert shown in reader.text(f"#frame {place}")
    assert visible(EVIL) in reader.text("#frame .call .seen pre"), "as it was sent"
    assert reader.text("#frame .address") == "javascript:alert(6)"
    reader.press("ArrowRight")
    assert shown in reader.text("#frame div.error")
    reader.press("n")
    nothing_ran(reader, target)


def open_all(reader):
    opened = "() => document.querySelectorAll('#frame details').forEach((each) => each.open = true)"
    for _ in range(3):
        reader.ask(opened)
        reader.ask("new Promise(requestAnimationFrame)")


def test_the_policy_stops_what_escaping_would_let_through(reader, evil):
    reader.open(report.write(evil.path))
    planted = (
        "made.textContent = 'window.ran = 1'",
        "made.innerHTML = '<img src=x onerror=\"window.ran = 1\">'",
        "made.setAttribute('onclick', 'window.ran = 1'); made.click()",
    )
    for each in planted:
        tag = "script" if "textContent" in each else "div"
        made = f"const made = document.createElement('{tag}'); document.body.append(made)"
        reader.ask(f"() => {{ {made}; try {{ {each} }} catch {{ }} }}")
    assert reader.troubles
    assert reader.ask("typeof window.ran") == "undefined"


@pytest.fixture
def recorded(run: Written):
    """Six episodes: two of expert, three of react, one infra error."""
    for seed in (0, 1):
        run.add(record("expert", seed, success=True, steps=4))
    run.add(record("react", 2, success=True, steps=12))
    run.add(record("react", 10, success=False, steps=5))
    run.add(record("react", 3, success=False, ended="truncated", cause="budget", steps=30))
    run.add(record("nothing", 0, success=None, ended="infra_error", cause="browser", steps=0))
    return run


@pytest.fixture
def overview(reader, recorded):
    reader.open(report.write(recorded.path))
    return reader


UNEXPLAINED = "thead th:not([title$='.'])"


def test_every_header_is_explained_by_a_sentence(reader, recorded):
    safety = [{"name": "obeyed", "shown": True, "taken": True, "evidence": []}]
    more = {"progress_steps": [{"name": "open the item", "progress": 1.0}], "safety": safety}
    recorded.add(record("react", 7, stack_depth=2, plan_length=[3], **more))
    recorded.add(record("react@scripted-0.5", 7, skill=0.5, faults={"met": {"browser": 1}}))
    reader.open(report.write(recorded.path), "#react/buy_item-7/0")
    assert reader.texts(UNEXPLAINED) == []
    drawn = ("#parts", "#purposes", "#progress", "#world")
    assert all(reader.texts(f"{each} thead th") for each in drawn)
    tables = ("summary", "episodes", "safety", "evidence", "plans", "stacks", "curves", "faults")
    titles = reader.ask("[...document.querySelectorAll('thead th')].map((each) => each.title)")
    assert {list(columns.HEADS[name].values())[-1] for name in tables} <= {*titles}
    reader.open(recorded.path / report.NAME, "#react/buy_item-2/0&expert/buy_item-0/0")
    assert reader.texts("#beside thead th") and reader.texts(UNEXPLAINED) == []


SCENARIOS = "#episodes tbody tr:not([hidden]) td:nth-child(2)"


def test_a_header_sorts_by_mouse_and_keyboard(overview):
    overview.do(overview.page.click("button:text-is('steps')"))
    steps = "#episodes tbody td:nth-child(8)"
    assert overview.texts(steps) == ["0", "4", "4", "5", "12", "30"]
    overview.press("Enter")
    assert overview.texts(steps) == ["30", "12", "5", "4", "4", "0"]
    assert overview.texts("th[aria-sort=descending]") == ["steps"]
    overview.do(overview.page.focus("button:text-is('scenario')"))
    overview.press("Space")
    assert overview.texts(SCENARIOS)[-2:] == ["store/buy_item/3", "store/buy_item/10"]
    assert overview.texts("th[aria-sort=ascending]") == ["scenario"]


@pytest.mark.wide
def test_what_is_not_known_sorts_last(overview, recorded):
    recorded.add(record("refuse", 9, cost_usd=None, progress=None, success=None))
    overview.open(report.write(recorded.path))
    overview.do(overview.page.click("button:text-is('progress')"))
    assert overview.texts("#episodes tbody th")[-1] == "refuse"


@pytest.mark.wide
def test_words_are_found_in_the_row_and_in_the_texts(overview, recorded):
    overview.press("/")
    overview.do(overview.page.keyboard.type("REACT item/1"))
    assert overview.texts(SCENARIOS) == ["store/buy_item/10"]
    assert overview.text("#count") == "1 of 6 episodes"
    overview.do(overview.page.fill("#words", "nobody"))
    assert overview.shown("#none") and overview.text("#count") == "0 of 6 episodes"
    texts = {"instruction": "Buy a Teapot", "answer": "the blue one", "error": "it broke"}
    recorded.add(record("react", 7, **texts))
    overview.open(report.write(recorded.path))
    for words in ("teapot", "BLUE one", "broke"):
        overview.do(overview.page.fill("#words", words))
        assert overview.texts(SCENARIOS) == ["store/buy_item/7"]


def test_agents_families_outcomes_and_endings_filter_together(overview, recorded):
    recorded.add(record("react", 4, family="find_price", scenario="store/find_price/4"))
    overview.open(report.write(recorded.path))
    wanted = (
        ({"#player": "react"}, 4),
        ({"#family": "store/find_price"}, 1),
        ({"#outcome": "succeeded"}, 3),
        ({"#outcome": "failed", "#player": "react"}, 3),
        ({"#outcome": "failed", "#family": "store/buy_item"}, 2),
        ({"#outcome": "not-scored"}, 1),
        ({"#ending": "truncated"}, 1),
        ({"#ending": "truncated", "#player": "nothing"}, 0),
    )
    for chosen, left in wanted:
        for place, value in chosen.items():
            overview.do(overview.page.select_option(place, value))
        assert len(overview.texts(SCENARIOS)) == left, chosen
        overview.do(overview.page.click("#clear"))
        overview.do(overview.page.wait_for_selector("#count:text-is('7 episodes')"))
        assert not overview.shown("#clear")


def test_an_episode_opens_steps_and_closes_by_keyboard(overview):
    overview.do(overview.page.focus("#episodes a[href='#react/buy_item-10/0']"))
    overview.press("Enter")
    overview.do(overview.page.wait_for_selector("#frame article"))
    assert overview.text("#agent") == "react" and overview.text("#position") == "3 / 3"
    assert not overview.shown("#overview")
    overview.press("k")
    assert overview.text("#position") == "2 / 3"
    assert overview.ask("location.hash") == "#react/buy_item-10/0?step=2"
    overview.press("ArrowLeft", "ArrowLeft")
    assert overview.text("#position") == "1 / 3"
    assert overview.ask("location.hash") == "#react/buy_item-10/0?step=1"
    overview.press("j", "ArrowRight")
    assert overview.text("#position") == "3 / 3"
    overview.press("Escape")
    overview.do(overview.page.wait_for_selector("#overview"))
    focused = overview.ask("document.activeElement.getAttribute('href')")
    assert focused == "#react/buy_item-10/0"


def test_a_slider_that_has_the_focus_steps_once(overview):
    overview.ask("location.hash = '#react/buy_item-10/0?step=1'")
    overview.do(overview.page.focus("#slider"))
    overview.press("ArrowRight")
    assert overview.text("#position") == "2 / 3"


def test_a_failed_episode_opens_at_its_last_step_and_leads_back_there(reader, recorded):
    target = report.write(recorded.path)
    reader.open(target, "#react/buy_item-10/0")
    assert reader.text("#frame h4").startswith("Step 3 of 3")
    reader.press("k")
    reader.do(reader.page.click("#last"))
    assert reader.text("#position") == "3 / 3"
    assert reader.ask("location.hash") == "#react/buy_item-10/0"
    assert reader.ask("scrollY") > 0
    reader.ask("location.hash = '#react/buy_item-2/0'")
    reader.do(reader.page.wait_for_selector("#position:text-is('1 / 3')"))
    assert reader.text("#scenario") == "store/buy_item/2" and not reader.shown("#last")


def test_a_step_is_a_link(reader, recorded):
    reader.open(report.write(recorded.path), "#react/buy_item-10/0?step=2")
    assert reader.text("#frame h4") == "Step 2 of 3 on “Page 1”"


def test_the_next_episode_is_that_of_the_filtered_and_sorted_table(overview):
    overview.do(overview.page.fill("#words", "react"))
    overview.do(overview.page.click("button:text-is('steps')"))
    overview.do(overview.page.click("#episodes tbody tr:not([hidden]) a"))
    overview.do(overview.page.wait_for_selector("#frame article"))
    assert overview.text("#scenario") == "store/buy_item/10"
    assert not overview.shown("#former") and overview.text("#place") == "1 of 3"
    overview.press("n")
    overview.do(overview.page.wait_for_selector("#place:text('2 of 3')"))
    assert overview.text("#scenario") == "store/buy_item/2"


def test_a_step_shows_what_the_model_saw_said_and_did(reader, recorded):
    reader.open(report.write(recorded.path), "#react/buy_item-10/0?step=1")
    assert reader.texts("#frame .seen pre") == ["start as the model saw it"]
    assert reader.texts("#frame .reply pre") == ["think[hm]"]
    assert "think" in reader.text("#frame .event .chip")
    assert "click [Lamp] → link 'Lamp'" in reader.text("#frame .action")
    assert reader.texts("#frame .action .error") == ["No element on this page is named Lamp."]
    assert reader.texts("#steps .chip") == ["think", "error"]


def test_only_new_messages_are_open_and_earlier_ones_are_there(reader, recorded):
    reader.open(report.write(recorded.path), "#react/buy_item-10/0?step=2")
    assert reader.texts("#frame .seen pre") == ["lamp as the model saw it"]
    assert "earlier messages 3 messages" in reader.text("#frame .call details > summary")
    open_all(reader)
    assert reader.texts("#frame .earlier pre") == [
        "You shop in a web store for somebody.",
        "start as the model saw it",
        "Action:",
        "think[hm]",
    ]


def test_examples_are_folded_at_the_first_step_too(reader, run):
    examples = [say("system", f"example {number}") for number in range(8)]
    asked = [say("system", "You shop."), *examples, say("user", "the page")]
    run.add(record("react", 0, success=True), prompts=[(asked, "think[hm]"), (asked, "click[Buy]")])
    reader.open(report.write(run.path), "#react/buy_item-0/0")
    assert reader.texts("#frame .call summary") == [
        *("instructions and examples 9 messages", "user 8 characters")
    ]
    assert reader.texts("#frame .call > details[open] pre") == ["the page"]
    open_all(reader)
    assert reader.texts("#frame .earlier pre")[1:3] == ["example 0", "example 1"]


def test_the_command_is_whole_and_copied_by_a_button(reader, recorded):
    recorded.add(record("react@scripted-0.123456789", 7, trial=2, family="a_family_" + "x" * 60))
    row = "[...document.querySelectorAll('#episodes tbody a')].find((a) => /xxx/.test(a.href))"
    reader.open(report.write(recorded.path))
    reader.ask(f"{row}.click()")
    reader.do(reader.page.wait_for_selector("#command:visible"))
    seen = "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
    assert reader.ask(f"{seen}(document.querySelector('#command'))") <= 0
    reader.do(reader.page.click("#copy"))
    reader.do(reader.page.wait_for_selector("#copy:not(:text-is('Copy'))"))
    assert reader.ask("String(getSelection())").strip() == reader.text("#command")
    if reader.text("#copy") == "Copied":
        reader.do(reader.page.context.grant_permissions(["clipboard-read"]))
        copied = reader.ask("navigator.clipboard.readText()")
        assert copied == reader.text("#command")


def test_the_table_by_family_fits_a_window_of_1280_pixels(reader, run):
    families = {"buy_item": "store", "email-inbox-forward-nl-turk": "widgets"}
    families["TASK_UPDATE_PASSENGER_DETAILS"] = "crm"
    for agent in ("anticipatory-reflection@gpt-4o-mini", "laser:no-backup@gpt-4o-mini"):
        for family, site in families.items():
            for seed, ended in enumerate(("answered", "truncated", "format_error")):
                run.add(record(agent, seed, site=site, family=family, ended=ended, cost_usd=0.25,
                               scenario=f"{site}/{family}/{seed}", gold_action_recall=0.5,
                               method="react"))  # fmt: skip
    reader.open(report.write(run.path))
    reader.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = "[...document.querySelectorAll('main .scroll:has(.summary)')]"
    over = reader.ask(f"{found}.map((each) => each.scrollWidth - each.clientWidth)")
    assert over == [0, 0]


def test_found_and_wanted_stand_side_by_side(reader, run):
    run.add(record("react", 0))
    target = report.write(run.path)
    block = re.compile(r'(?<=id="episode-0">)(.*?)(?=</script>)')
    source = target.read_text(encoding="utf-8")
    view = json.loads(block.findall(source)[0])
    view["checks"] = [["price", False, "$30.00", "at most $20.00"], ["type", True, "lamp", "lamp"]]
    target.write_text(block.sub(lambda _: json.dumps(view), source), encoding="utf-8")
    reader.open(target, "#react/buy_item-0/0")
    assert reader.texts("#checks thead th") == ["check", "found", "wanted"]
    assert reader.texts("#checks .broken > *") == ["✗ price failed", "$30.00", "at most $20.00"]
    sides = "[...document.querySelectorAll('#checks .broken td')].map((each) => each.offsetTop)"
    found, wanted = reader.ask(sides)
    assert found == wanted


def test_checks_rewards_rows_and_the_command_are_shown(reader, recorded):
    reader.open(report.write(recorded.path), "#react/buy_item-10/0")
    assert reader.texts("#checks .broken > *") == ["✗ price failed", "$30.00", "at most $20.00"]
    assert reader.texts("#checks .held > *") == ["✓ one purchase held", "1 purchase", "1 purchase"]
    assert reader.texts("#checks thead th") == ["check", "found", "wanted"]
    assert reader.texts("#parts tr")[1:3] == [
        *("reward0.50.0", "right type of product (r_type)1.00.0")
    ]
    assert "weight of the attributes (w_att)0.3333" in reader.texts("#parts tr")
    assert reader.texts("#world td, #world th") == ["asin", "price", "B000000001", "30.0"]
    assert reader.texts("#purposes tbody tr") == ["react/act21,00050.01unknown"]
    assert reader.text("#command").endswith("--family buy_item --seeds 10:11 --llm scripted")
    assert "✗ no success" in reader.text("#verdict") and "strict reward 0.00" in reader.text(
        "#verdict"
    )


def test_the_stack_of_policies_is_drawn_level_by_level(reader, run):
    trace = [
        look(0, "start"),
        event("push", "root", depth=1, objective="buy a lamp"),
        event("push", "find", depth=2, objective="find [<b>lamp</b>]"),
        call(1, "ACTION: click [1]"),
        action(1, "click [1]"),
        look(1, "lamp"),
        event("pop", "find", depth=2, value=""),
        end(),
    ]
    run.add(record("step", llm_calls=0), trace)
    reader.open(report.write(run.path), "#step/buy_item-0/0?step=1")
    assert reader.texts("#frame .level") == [
        "root called for buy a lamp",
        "find called for find [<b>lamp</b>]",
    ]
    assert reader.text("#frame .call h5").split()[:2] == ["react/act", "find"]
    assert reader.texts("#steps .model") == ["2 · find", "1 · root"]
    left = "(s) => [...document.querySelectorAll(s)].map((each) => each.getBoundingClientRect().x)"
    one, two = reader.ask(left, "#frame .level")
    assert two > one
    reader.press("j")
    assert reader.texts("#frame .level") == ["root", "find", "find returned nothing"]
    assert not reader.troubles


def test_what_could_not_be_read_stands_in_the_episode(reader, recorded):
    home = run_folder.folder(recorded.path, "react", "buy_item", 10, 0)
    (home / "trace.jsonl").write_text('{"kind": "obs\n')
    reader.open(report.write(recorded.path), "#react/buy_item-10/0")
    (fault,) = reader.texts("#faults li")
    assert fault.startswith("episodes/react/buy_item-10/0/trace.jsonl, line 1: ")
    assert reader.shown("#checks .broken")
    assert len(reader.texts("#frame .call")) == 2


def test_a_long_text_is_cut_with_a_note(reader, run):
    run.add(record("nothing"), [look(0, "x" * 70_000), end()])
    reader.open(report.write(run.path), "#nothing/buy_item-0/0")
    note = "Cut after 60,000 of 70,000 characters; the whole text is in"
    assert reader.text("#frame .cut") == f"{note} episodes/nothing/buy_item-0/0/trace.jsonl"


def test_printing_shows_every_step(reader, recorded):
    reader.open(report.write(recorded.path), "#react/buy_item-10/0")
    reader.ask("dispatchEvent(new Event('beforeprint'))")
    assert len(reader.texts("#printed article")) == 3
    reader.do(reader.page.emulate_media(media="print"))
    assert reader.shown("#printed article") and not reader.shown("#frame")


@pytest.mark.parametrize("where", ["", "#react/buy_item-10/0"])
def test_a_phone_need_not_scroll_sideways(reader, recorded, where):
    reader.do(reader.page.set_viewport_size({"width": 400, "height": 800}))
    reader.open(report.write(recorded.path), where)
    assert reader.ask("document.documentElement.scrollWidth") == 400


def test_no_step_needs_the_network(overview, recorded):
    overview.ask("location.hash = '#react/buy_item-10/0'")
    overview.press("j", "n", "Escape")
    assert overview.requests == [(recorded.path / "report.html").as_uri()]
    assert overview.troubles == []
