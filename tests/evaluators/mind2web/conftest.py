"""The made-up data, with ranks in which the right element is third."""

from __future__ import annotations

import pytest

from agent.mind2web import files, ranks
from agent.mind2web.ranks import Ranking
from tests import mind2web_data


@pytest.fixture(scope="session")
def mind2web_folder(tmp_path_factory):
    return mind2web_data.write(tmp_path_factory.mktemp("mind2web"))


def _ranking(task, step):
    order = mind2web_data.order(step)
    return Ranking(task.key(step), order, [-float(at) for at, _ in enumerate(order)])


@pytest.fixture(scope="session")
def ranks_file(mind2web_folder):
    tasks = [
        task
        for split in files.splits(mind2web_folder)
        for task in files.tasks(mind2web_folder, split)
    ]
    path = mind2web_folder / "ranks.jsonl"
    ranks.write(
        path, "by hand", {}, (_ranking(task, each) for task in tasks for each in task.steps)
    )
    return path
