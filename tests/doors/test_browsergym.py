"""BrowserGym plays our tasks through the package in `clients/browsergym-rehearsal`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from evaluators.commands import listing
from evaluators.server.serve import serve
from rehearse import generate
from tests.doors import foreign_python, printed_by
from tests.doors.foreign_chromium import playwright_browsers
from tests.measuring import HANG

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "clients" / "browsergym-rehearsal"
FAMILIES = PACKAGE / "browsergym" / "rehearsal" / "families.json"
CLIENT = Path(__file__).parent / "clients" / "browsergym_rehearsal.py"

pytestmark = pytest.mark.usefixtures("unmeasured")

Step = tuple[str, ...]


def test_the_package_knows_every_family():
    listed = [row["family"] for row in listing.rows("families")]
    wanted = json.dumps(listed, indent=1) + "\n"
    hint = f"write {FAMILIES.relative_to(ROOT)} anew: python -m tools.browsergym_families"
    assert FAMILIES.read_text(encoding="utf-8") == wanted, hint


# Moves ------------------------------------------------------------------------------------------


def bought(asin: str, name: str, options: list[str]) -> list[Step]:
    return [
        ("fill", "searchbox", "", name),
        ("press", "searchbox", "", "Enter"),
        ("click", "link", asin),
        *(("click", "radio", option) for option in options),
        ("click", "button", "Buy Now"),
    ]


def expert_purchase(seed: int) -> list[Step]:
    gold = generate("buy_item", seed).gold
    return bought(gold["asin"], gold["name"], [*gold["goal_options"].values()])


def episode(family: str, seed: int | None, *moves: Step, **others: Any) -> dict[str, Any]:
    return {"family": family, "seed": seed, "moves": moves, **others}


BUTTON = episode(
    "click-button", 3, ("click", "button", "{0}"), pattern=r'Click on the "(.*)" button'
)
LIST = episode(
    "choose-list",
    3,
    ("select_option", "combobox", "", "{0}"),
    ("click", "button", "Submit"),
    pattern=r"Select (.*) from the list",
)
NO_ANSWER = ("send_msg_to_user('It is done.')",)


# Running ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", name="browsers")
def _browsers(tmp_path_factory):
    return playwright_browsers(tmp_path_factory.mktemp("browsers"), foreign_python("browsergym"))


@pytest.fixture(scope="module", name="play")
def _play(browsers):
    """Plays episodes in the other environment, on one `rehearse serve`."""
    with serve() as served:
        where = {"REHEARSE_CONTROL": served.control.url, "REHEARSE_TOKEN": served.token}
        yield lambda *episodes: lines_of(episodes, browsers, where)


def lines_of(episodes: tuple[dict, ...], browsers: Path, where: dict[str, str]) -> list[dict]:
    paths = {"PYTHONPATH": str(PACKAGE), "PLAYWRIGHT_BROWSERS_PATH": str(browsers)}
    env = {**os.environ, **paths, **where}
    python = foreign_python("browsergym")
    printed = printed_by(python, CLIENT, json.dumps(episodes), env=env, seconds=HANG)
    lines = [json.loads(line) for line in printed.splitlines()]
    assert len(lines) == len(episodes), printed
    return lines


def won(line: dict) -> bool:
    """Whether the reward came once, at the end."""
    assert "error" not in line, line["error"]
    return line["rewards"] == [0.0] * (len(line["rewards"]) - 1) + [1.0] and line["done"]


def test_an_expert_wins_on_every_site(play):
    booking = generate("TASK_FIND_BOOKING", 3).gold["reference"]
    found = episode(
        "TASK_FIND_BOOKING",
        3,
        ("click", "link", "Find booking"),
        ("fill", "textbox", "", booking),
        ("click", "button", "Search"),
    )
    lines = play(episode("buy_item", 7, *expert_purchase(7)), found, BUTTON)
    assert [(won(line), line["errors"]) for line in lines] == [(True, [])] * 3, json.dumps(lines)
    assert [line["begun"]["site"] for line in lines] == ["store", "crm", "widgets"]
    assert lines[2]["goal"].startswith('Click on the "')


def test_a_wrong_purchase_is_done_with_a_message_and_worth_nothing(play):
    gold = generate("buy_item", 7).gold
    other = generate("buy_item", 8).gold
    assert other["asin"] != gold["asin"]
    moves = bought(other["asin"], other["name"], [*other["goal_options"].values()])
    [bare, spoken] = play(episode("buy_item", 7, *moves), episode("buy_item", 7, *moves, NO_ANSWER))
    assert not bare["done"] and not any(bare["rewards"]), "it may still say something"
    assert spoken["done"] and not any(spoken["rewards"]) and not spoken["info"]["success"]
    assert spoken["info"]["checks"]["one purchase"]


def test_a_question_is_answered_by_a_message(play):
    scenario = generate("latest_order", 3)
    number, answer = scenario.gold["evidence"][0][1]["number"], scenario.gold["answer"]["text"]
    assert scenario.gold["evidence"][0][0]["number"] == 1, "it stands on the first page"
    moves = [("click", "link", "Orders"), ("click", "link", str(number))]
    [right, wrong, silent, refused] = play(
        episode("latest_order", 3, *moves, (f"send_msg_to_user({answer!r})",)),
        episode("latest_order", 3, *moves, ("send_msg_to_user('$1.00')",)),
        episode("latest_order", 3, *moves),
        episode("latest_order", 3, *moves, ("report_infeasible('I see none.')",)),
    )
    assert won(right) and right["begun"]["answer"]["kind"], right
    assert (silent["done"], silent["info"]["success"]) == (False, False)
    for line in (wrong, refused):
        assert line["done"] and not any(line["rewards"]), line


def test_a_field_that_the_driver_sets_by_script_counts(play):
    """Playwright's `select_option` sends events of a script."""
    [line] = play(LIST)
    assert won(line) and not line["errors"], line
    assert line["info"]["success_published"] and not line["info"]["success"]
    assert not line["info"]["checks"]["nothing was tampered with"]


def test_two_environments_on_one_seed_do_not_meet(play):
    [line] = play(episode("buy_item", 7, *expert_purchase(7), both=True))
    assert won(line["first"])
    assert line["between"]["rewards"] == [0.0] and line["between"]["info"]["progress"] == 0
    assert line["second"]["rewards"][-1] == 1.0 and line["second"]["done"]
    assert line["first"]["goal"] == line["second"]["goal"]


def test_without_a_seed_it_is_an_unseen_one_and_variants_are_registered_by_name(play):
    lines = play(
        episode("buy_item", None, ("noop(0)",)),
        episode("buy_item", None, ("noop(0)",)),
        {**BUTTON, "family": "click-button.easy"},
        episode("buy_itme", 1),
    )
    begun = [line["begun"] for line in lines[:2]]
    assert all(each["unseen"] for each in begun) and begun[0]["seed"] != begun[1]["seed"]
    assert won(lines[2]) and lines[2]["begun"]["family"] == "click-button.easy"
    assert lines[3]["error"].startswith("ControlError: There is no type 'buy_itme'")


def program(folder: Path) -> Path:
    """The program `rehearse` of this tree."""
    made = folder / "rehearse"
    made.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m rehearse "$@"\n')
    made.chmod(0o755)
    return made


def test_it_serves_itself_where_nobody_does(browsers, tmp_path):
    [line] = lines_of((BUTTON,), browsers, {"REHEARSE": str(program(tmp_path))})
    assert won(line)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"REHEARSE": "no-such-program"}, "there is no program 'no-such-program'"),
        ({"REHEARSE_CONTROL": "http://127.0.0.1:9"}, "REHEARSE_CONTROL and REHEARSE_TOKEN"),
        ({"REHEARSE_CONTROL": "http://127.0.0.1:9", "REHEARSE_TOKEN": "x"}, "does not answer"),
    ],
)
def test_a_server_that_is_not_there_is_named_in_a_sentence(browsers, where, words):
    [line] = lines_of((BUTTON,), browsers, where)
    assert line["error"].startswith("ControlError: ") and words in line["error"]
