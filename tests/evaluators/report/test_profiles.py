"""The profiles in a report: a small chart an agent, on the same axes, with a table behind."""

from __future__ import annotations

import re

from evaluators import report
from evaluators.report.profiles import site_profiles, span_text
from tests.evaluators.report.handmade import record
from tests.evaluators.report.test_page import Page

HARD = {"level": 3, "decisions": 9, "pages": 13, "length": 60}
STEPS = (
    [{"name": "look", "progress": 1.0}, {"name": "do", "progress": 0.5}],
    [{"name": "look", "progress": 0.5}, {"name": "do", "progress": 0.0}],
)


def episode(agent: str, seed: int, inspect: float, **changes):
    skills = {"find": 1.0, "inspect": inspect, "compute": None, "commit": 0.5, "restrain": 1.0}
    made = {"skills": skills, "difficulty": HARD, "progress_steps": STEPS[seed], "near_miss": ""}
    return record(agent, seed, **made | changes)


RECORDS = [
    episode("laser", 0, 0.25, success=True),
    episode("laser", 1, 0.75, near_miss="no code"),
    episode("react", 0, 1.0),
    episode("react", 1, 1.0),
    record("nothing"),
]


def test_all_agents_of_a_site_are_drawn_on_the_same_axes():
    [store] = site_profiles(RECORDS)
    laser, react = store.panels
    assert [row.name for row in laser.rows] == [row.name for row in react.rows]
    assert laser.rows[1].low < laser.rows[1].at < laser.rows[1].high
    assert laser.rows[1].at - 62 == 170 * 0.5 and react.rows[1].at - 62 == 170
    assert laser.rows[2].skill is None, "nobody was asked to compute"
    assert [dot.name for dot in laser.others] == ["react"]
    assert laser.own == react.others[0].__class__("laser", 131.5, 51.3, laser.own.text)


def test_what_they_were_run_on_is_told_once_where_it_is_the_same():
    [store] = site_profiles(RECORDS)
    assert store.ran == (
        "2 scenarios · level 3 · decision points 9 · pages to open 13 · steps of the expert 60"
    )
    [older] = site_profiles([episode("react", 0, 1.0, difficulty=None)])
    assert older.ran == "1 scenario"
    [unlike] = site_profiles(RECORDS[:3])
    assert unlike.ran == ""


def test_a_figure_without_a_range_is_one_number():
    [store] = site_profiles(RECORDS)
    assert span_text(store.panels[0].profile.hardness.length) == "60"
    assert span_text(None) == "–"


def test_the_page_tells_in_words_what_it_draws(run):
    for each in RECORDS:
        run.add(each)
    path = report.write(run.path)
    page = Page(path)
    assert "What they are good at" in page.text
    assert "find: 1.00 (0.34 to 1.00), of 2; inspect: 0.50" in page.text
    assert "compute: not asked for" in page.text
    assert "reaches 0.75, executes 0.67 of that" in page.text
    assert "1 no code" in page.text and "2 other" in page.text
    drawn = re.findall(r'<svg class="(?:skills|reach)".*?</svg>', page.source, re.DOTALL)
    assert len(drawn) == 4
    for each in drawn:
        [names] = re.findall('aria-labelledby="(.*?)"', each)
        assert all(f'id="{name}"' in each for name in names.split()) and "<desc" in each
    ids = re.findall(r' id="([^"]+)"', page.source)
    assert len(ids) == len({*ids})


def test_a_run_without_skills_has_no_such_section(run):
    run.add(record("react"))
    run.add(record("nothing", skills={}))
    assert "What they are good at" not in Page(report.write(run.path)).text
