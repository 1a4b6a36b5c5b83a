"""An episode is found by what people call it."""

from __future__ import annotations

import pytest

from evaluators.records import episode_names
from evaluators.records.episode_names import UnknownEpisode, UnknownRun
from tests.each import for_each
from tests.evaluators.report.handmade import Written, record


@pytest.fixture
def run(tmp_path):
    made = Written(tmp_path / "night")
    made.begin()
    for seed in (1, 10):
        made.add(record("react", seed))
    made.add(record("react", 1, trial=1, episode="react/store/buy_item/1/1"))
    made.add(record("laser@limit=3", 2))
    made.add(record("expert", 3, family="find_price", scenario="store/find_price/3"))
    return made.path


FIRST = "react/buy_item-1/0"


@for_each(
    ("name", "found"),
    [
        (FIRST, FIRST),
        ("react/store/buy_item/1/0", FIRST),
        (f"report.html#{FIRST}?step=4", FIRST),
        (f"episodes/{FIRST}/", FIRST),
        ("react/buy_item-10", "react/buy_item-10/0"),
        ("react/store/buy_item/10", "react/buy_item-10/0"),
        ("react/buy_item-1/1", "react/buy_item-1/1"),
        ("expert", "expert/find_price-3/0"),
        ("las", "laser@limit=3/buy_item-2/0"),
        ("laser@limit=3/store/buy_item/2/0", "laser@limit=3/buy_item-2/0"),
        ("store/find_price/3", "expert/find_price-3/0"),
        ("store/buy_item/1/1", "react/buy_item-1/1"),
        ("store/buy_item/2", "laser@limit=3/buy_item-2/0"),
        ("1", "expert/find_price-3/0"),
        ("2", "laser@limit=3/buy_item-2/0"),
        ("3", FIRST),
    ],
)
def test_a_name_finds_its_episode(run, name, found):
    assert episode_names.find(run, name) == run / "episodes" / found


def test_a_folder_finds_itself(run):
    folder = run / "episodes" / FIRST
    assert episode_names.find(run, str(folder)) == folder


@for_each(
    ("name", "parts"),
    [
        ("raect/buy_item-10/0", ("there is no episode", "did you mean react/buy_item-10/0")),
        ("react/store/buy_item/10/5", ("there is no episode", "react/buy_item-10/0")),
        (
            "store/buy_item/1",
            ("was played in react/buy_item-1/0, react/buy_item-1/1; write one of these names",),
        ),
        ("store/buy_item/7", ("there is no episode 'store/buy_item/7'",)),
        ("zzz", ("there is no episode 'zzz'", "did you mean")),
        ("", ("beginning of", "write more of it")),
        ("react", ("'react' is the beginning of react/buy_item-1/0", "write more of it")),
        ("react/buy_item-1", ("beginning of react/buy_item-1/0, react/buy_item-1/1;",)),
        ("0", ("there is no episode 0", "from 1 to 5")),
        ("6", ("there is no episode 6", "from 1 to 5")),
    ],
)
def test_a_name_of_none_or_of_several_is_one_line(run, name, parts):
    with pytest.raises(UnknownEpisode) as caught:
        episode_names.find(run, name)
    assert "\n" not in str(caught.value)
    assert [part for part in parts if part not in str(caught.value)] == [], caught.value


def test_a_run_that_is_not_there_is_one_line_with_near_names(run):
    with pytest.raises(UnknownRun, match=r"did you mean .*night\?"):
        episode_names.find(run.with_name("nihgt"), FIRST)
    with pytest.raises(UnknownRun, match="give the folder of a run"):
        episode_names.find(run / "episodes", FIRST)


def test_a_run_without_episodes_says_so(tmp_path):
    made = Written(tmp_path / "empty")
    made.begin()
    with pytest.raises(UnknownEpisode, match="there is no episode in"):
        episode_names.find(made.path, "react")
