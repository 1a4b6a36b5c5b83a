"""Two episodes of one scenario side by side, and the addresses that lead into a report."""

from __future__ import annotations

import pytest

from evaluators import report
from evaluators.analysis.compare import compare
from evaluators.records import run_folder
from tests.evaluators.report.handmade import Written, action, end, look, record
from tests.evaluators.report.planted import AGENT, SHOWN, nothing_ran, plant

HASHES = {"scenario": "s", "data": "d", "site": "t", "evaluator": "e"}


def trace(*done, ending="answered"):
    """A look, and an action, for each (action, target)."""
    lines = [look(0, "start")]
    for number, (text, target) in enumerate(done, start=1):
        lines += [action(number, text, target), look(number, f"page {number}")]
    return [*lines, end(ended=ending)]


SEARCH = ("type [3] [lamp] [press_enter_after=1]", "searchbox 'Search'")
NAMED = ("type [Search] [lamp] [press_enter_after=1]", "")


@pytest.fixture
def pair(run: Written):
    """Two agents that part at their third step, one of them in two trials; and a lone episode."""
    run.add(
        record("laser", success=True, llm_calls=0),
        trace(SEARCH, ("click [7]", 'link "Ann\'s lamp"'), ("click [Buy]", "")),
    )
    run.add(record("react", llm_calls=0), trace(NAMED, ("click [Ann's lamp]", ""), ("back", "")))
    run.add(record("react", trial=1, llm_calls=0), trace(NAMED, ending="truncated"))
    run.add(record("react", 5, llm_calls=0), trace())
    return run


LASER, REACT, AGAIN = "laser/buy_item-0/0", "react/buy_item-0/0", "react/buy_item-0/1"


def test_steps_stand_next_to_each_other_with_the_first_difference_marked(reader, pair):
    reader.open(report.write(pair.path), f"#{LASER}&{REACT}")
    assert reader.shown("#beside") and not reader.shown("#overview")
    assert reader.texts("#pair-names th") == ["step", "laser", "react"]
    assert reader.texts("#pair-steps tr:not(.first) th") == ["1", "2", "3", "4"]
    assert reader.texts("#pair-steps td code") == [
        *(SEARCH[0], NAMED[0], "click [7]", "click [Ann's lamp]"),
        *("click [Buy]", "back", "answered", "answered"),
    ]
    assert reader.texts(".first") == ["Step 3: the first difference"]
    assert len(reader.texts("#pair-steps tr.same")) == 2, "an id and a name are the same deed"
    assert reader.texts("#pair-heads .chip")[0] == "✓ success"
    assert "failed: price" in reader.text("#pair-heads .card:last-child")
    after = "document.querySelector('.first').nextSibling.cells[0].textContent"
    assert reader.ask(after) == "3"


def test_what_ended_earlier_is_said(reader, pair):
    reader.open(report.write(pair.path), f"#{REACT}&{AGAIN}")
    assert reader.texts(".first") == ["Step 2: the first difference"]
    assert reader.texts("#pair-steps td")[-1] == "has ended"
    assert reader.texts("#pair-names th")[2] == "react, trial 1"


def test_an_episode_beside_itself_is_the_same(reader, pair):
    reader.open(report.write(pair.path), f"#{REACT}&{REACT}")
    assert reader.shown("#pair-same") and not reader.shown("#pair-first")
    assert reader.texts(".first") == []


def test_an_error_is_a_difference(reader, run):
    run.add(record("a", llm_calls=0), trace(NAMED))
    missed = [look(0, ""), action(1, *NAMED), look(1, "", error="No element."), end()]
    run.add(record("b", llm_calls=0), missed)
    reader.open(report.write(run.path), "#a/buy_item-0/0&b/buy_item-0/0")
    assert reader.texts(".first") == ["Step 1: the first difference"]
    assert reader.texts("#pair-steps .error") == ["error", "No element."]


def test_the_reader_picks_two_by_keyboard(reader, pair):
    reader.open(report.write(pair.path))
    reader.do(reader.page.focus("#beside-open"))
    reader.press("Enter")
    reader.do(reader.page.wait_for_selector("#beside"))
    assert reader.ask("location.hash") == f"#{LASER}&{REACT}", "one that won and one that lost"
    assert reader.texts("#pair-scenario option") == ["store/buy_item/0"]
    assert reader.texts("#pair-a option") == ["laser ✓", "react ✗", "react, trial 1 ✗"]
    reader.do(reader.page.focus("#pair-b"))
    reader.press("ArrowDown")
    assert reader.texts("#pair-names th") == ["step", "laser", "react, trial 1"]
    assert reader.ask("location.hash") == f"#{LASER}&{AGAIN}"
    reader.do(reader.page.focus("#pair-first"))
    reader.press("Enter")
    assert reader.ask("document.activeElement.id") == "first-difference"
    reader.press("Escape")
    reader.do(reader.page.wait_for_selector("#overview"))
    assert reader.troubles == []


def test_an_episode_links_to_the_others_of_its_scenario(reader, pair):
    reader.open(report.write(pair.path), f"#{AGAIN}")
    assert reader.texts("#others a") == ["✓ laser", "✗ react"]
    reader.do(reader.page.click("#others a"))
    reader.do(reader.page.wait_for_selector("#beside"))
    assert reader.ask("location.hash") == f"#{AGAIN}&{LASER}"
    reader.do(reader.page.click("#pair-steps td a"))
    reader.do(reader.page.wait_for_selector("#episode"))
    assert reader.ask("location.hash") == f"#{AGAIN}?step=1"
    reader.open(pair.path / "report.html", "#react/buy_item-5/0")
    assert not reader.shown("#others")


def test_another_scenario_brings_its_own_pair(reader, pair):
    pair.add(record("laser", 5, llm_calls=0), trace(NAMED))
    reader.open(report.write(pair.path), f"#{LASER}&{REACT}")
    reader.do(reader.page.select_option("#pair-scenario", "store/buy_item/5"))
    assert reader.ask("location.hash") == "#laser/buy_item-5/0&react/buy_item-5/0"
    assert reader.texts("#pair-names th") == ["step", "laser", "react"]


def test_a_filter_decides_which_two_are_offered(reader, pair):
    reader.open(report.write(pair.path))
    reader.do(reader.page.select_option("#player", "laser"))
    assert not reader.shown("#beside-open")


def test_an_address_of_nothing_shows_the_list(reader, pair):
    reader.open(report.write(pair.path), f"#{LASER}&nobody")
    assert reader.shown("#overview")


def test_nothing_planted_runs_side_by_side(reader, run):
    plant(run)
    [home] = (run.path / "episodes").glob("react*/*/0")
    made = run_folder.load_episode(home).model_copy(update={"trial": 1})
    other = run.add(made, prompts=[])
    for name in ("trace.jsonl", "llm.jsonl"):
        (other / name).write_bytes((home / name).read_bytes())
    target = report.write(run.path)
    reader.open(target)
    reader.do(reader.page.click("#beside-open"))
    reader.do(reader.page.wait_for_selector("#beside"))
    reader.ask("document.querySelectorAll('#beside details').forEach((each) => each.open = true)")
    reader.ask("new Promise(requestAnimationFrame)")
    for place in ("#pair-names", "#pair-heads"):
        assert AGENT in reader.text(place)
    for place in ("#pair-instruction", "#pair-steps .target"):
        assert SHOWN in reader.text(place)
    assert SHOWN in reader.text("#pair-steps pre")
    nothing_ran(reader, target)


def test_a_phone_need_not_scroll_sideways(reader, pair):
    reader.do(reader.page.set_viewport_size({"width": 400, "height": 800}))
    reader.open(report.write(pair.path), f"#{LASER}&{REACT}")
    assert reader.ask("document.documentElement.scrollWidth") == 400


# Addresses ---------------------------------------------------------------------------------------


@pytest.mark.wide
@pytest.mark.parametrize("agent", ["react", "laser:a=1,b=x y@gpt-4.1/50%", "ünï#?&"])
def test_the_flips_of_a_comparison_lead_to_their_episodes(reader, tmp_path, agent):
    for name, won in (("a", True), ("b", False)):
        made = Written(tmp_path / name)
        made.begin()
        run = record(agent, 3, success=won, hashes=HASHES, llm_calls=0)
        made.add(run, trace(NAMED))
        report.write(made.path)
    [found] = compare(tmp_path / "a", tmp_path / "b")
    [flip] = found.flips
    for link, verdict in ((flip.a, "✓ success"), (flip.b, "✗ no success")):
        page, _, key = link.partition("#")
        reader.open(tmp_path / page, f"#{key}")
        assert reader.shown("#episode") and reader.text("#agent") == agent
        assert reader.texts("#verdict .chip")[0] == verdict
