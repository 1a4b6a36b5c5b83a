"""The made-up tasks, with candidates in document order but for the right ones, which are third."""

from __future__ import annotations

import pytest

from agent.mind2web import exemplars, files
from agent.mind2web.methods import OpenTask
from tests import mind2web_data


def orders(task):
    """Return the candidates of each step by the step's key: in document order, the right third."""
    return {task.key(step): mind2web_data.order(step) for step in task.steps}


@pytest.fixture(scope="session")
def mind2web_folder(tmp_path_factory):
    return mind2web_data.write(tmp_path_factory.mktemp("mind2web"))


@pytest.fixture(scope="session")
def opened(mind2web_folder):
    """Return the tasks of `test_task` by website, with the trajectories of `train`."""
    train = [
        exemplars.exemplar(each, orders(each), 3) for each in files.tasks(mind2web_folder, "train")
    ]
    tasks = files.tasks(mind2web_folder, "test_task")
    return {each.website: OpenTask(each, orders(each), train) for each in tasks}
