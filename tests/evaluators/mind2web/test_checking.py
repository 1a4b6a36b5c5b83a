"""`rehearse mind2web check`: counts, problems with their place, and bounded memory."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agent.mind2web import ranks
from agent.mind2web.files import BadData
from agent.mind2web.ranks import Ranking, Ranks
from evaluators.mind2web import checking
from tests import mind2web_data
from tests.sources import ROOT

TASKS = [mind2web_data.table(), mind2web_data.drive(), mind2web_data.film()]


@pytest.fixture
def data(tmp_path):
    return mind2web_data.write(tmp_path / "data")


def checked(data, split="test_task", known=None):
    problems = []
    return checking.check(data, split, problems.append, known), problems


def test_what_a_split_holds_is_counted(data):
    found, problems = checked(data)
    assert problems == []
    assert (found.tasks, found.steps, found.lost) == (3, 7, 1)
    assert (found.repaired, found.without_target, found.recall) == (1, 0, {})
    assert found.candidates == 3 * 16 + 3 * 9 + 5


def test_recall_and_what_has_no_score_come_from_the_ranks(data, tmp_path):
    orders = mind2web_data.orders(TASKS)
    film = list(orders)[-1]
    orders[film] = [each for each in orders[film] if each != "5"]
    rankings = [Ranking(step, order, [0.0] * len(order)) for step, order in orders.items()]
    ranks.write(tmp_path / "ranks.jsonl", "mine", {}, rankings[1:])
    found, _ = checked(data, known=Ranks(tmp_path / "ranks.jsonl"))
    assert (found.unscored_steps, found.unscored) == (1, 16 + 1)
    ranked = {at: round(share * 7) for at, share in found.recall.items()}
    assert ranked == {1: 0, 3: 1, 5: 1, 10: 3, 20: 5, 50: 5}


def damaged(data, change):
    path = data / "test_task" / "test_task_2.json"
    tasks = json.loads(path.read_text())
    change(tasks)
    return mind2web_data.write_shard(path, tasks)


def test_a_bad_task_is_named_and_the_others_are_counted(data):
    path = damaged(data, lambda tasks: tasks[0].update(actions=None))
    found, problems = checked(data)
    assert (found.tasks, found.problems) == (2, 1)
    assert problems[0].startswith(f"{path}, task 0, {mind2web_data.uid('table')}: actions is no")


def test_a_page_that_cannot_be_read_is_named_with_its_step(data):
    path = damaged(data, lambda tasks: tasks[1]["actions"][2].update(cleaned_html=""))
    found, problems = checked(data)
    assert (found.tasks, found.problems) == (3, 1)
    assert problems[0].startswith(f"{path}, task 1, {mind2web_data.uid('drive')}, step 2: a page")


def test_a_right_element_that_is_not_on_the_page_is_named(data):
    damaged(data, lambda tasks: tasks[1]["actions"][0].update(cleaned_html="<html/>"))
    assert "right element 4 is not in cleaned_html" in checked(data)[1][0]


def test_a_task_that_comes_twice_is_named(data):
    damaged(data, lambda tasks: tasks.append(tasks[0]))
    assert "task 2" in checked(data)[1][0]


def test_a_broken_file_does_not_hide_the_others(data):
    (data / "test_task" / "test_task_2.json").write_text("{}")
    found, problems = checked(data)
    assert (found.tasks, found.problems) == (1, 1)
    assert "test_task_2.json is no JSON list of tasks" in problems[0]


def test_a_split_that_is_not_there_is_refused(data):
    with pytest.raises(BadData, match="no split 'test_website'"):
        checked(data, "test_website")


def test_the_command_ends_with_1_if_a_file_is_bad(data):
    damaged(data, lambda tasks: tasks[0].update(actions=None))
    done = mind2web_data.command("check", data, "--json", check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    rows = json.loads(done.stdout)
    assert [(row["split"], row["problems"]) for row in rows] == [("train", 0), ("test_task", 1)]
    assert mind2web_data.command("check", data, "--split", "train", check=False).returncode == 0


MEASURED = """
import sys
from pathlib import Path
from evaluators.mind2web import checking
found = checking.check(Path(sys.argv[1]), "train", print)
status = Path("/proc/self/status").read_text().splitlines()
peak = next(line for line in status if line.startswith("VmHWM"))
print(found.tasks, found.problems, int(peak.split()[1]) // 1024)
"""
"""Prints the largest memory of this program itself; `getrusage` counts that of the process which
started it.
"""


@pytest.mark.wide
def test_a_shard_of_600_mb_is_checked_in_less_than_1_gb(tmp_path):
    path = tmp_path / "train" / "train_0.json"
    path.parent.mkdir()
    task = mind2web_data.drive()
    filler = "".join(f'<p backend_node_id="{at}" class="long-{at}"/>' for at in range(1000, 40_000))
    for each in task["actions"]:
        each["raw_html"] = each["raw_html"].replace("</body>", f"{filler}</body>")
    with path.open("w") as file:
        for at in range(600 * 1024 * 1024 // len(json.dumps(task)) + 1):
            file.write("[" if at == 0 else ", ")
            json.dump({**task, "annotation_id": str(at)}, file)
        file.write("]")
    assert path.stat().st_size > 600 * 1024 * 1024
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, tmp_path], cwd=ROOT, capture_output=True, check=True
    )
    tasks, problems, megabytes = map(int, done.stdout.split())
    assert (tasks, problems) == (at + 1, 0)
    assert megabytes < 1000
