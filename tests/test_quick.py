"""The tests that are near a change."""

from __future__ import annotations

import pytest

from tests.each import for_each
from tests.quick import contracts, near

pytestmark = pytest.mark.usefixtures("unmeasured")

NEAR = [
    ("agent/methods/laser/state_graph.py", "tests/agent/methods/laser/test_state_graph.py"),
    ("agent/methods/laser/state_graph.py", "tests/agent/methods/test_laser.py"),
    ("agent/browser/tabs.py", "tests/agent/browser/test_lane.py"),
    ("sites/store/shop/operations.py", "tests/sites/store/shop/test_operations.py"),
    ("sites/store/shop/templates/item.html", "tests/sites/store/shop/test_app.py"),
    ("scenarios/store/webshop/buy_item.py", "tests/scenarios/store/webshop/test_buy_item.py"),
    ("docs/runs.md", "tests/test_docs.py"),
    ("rehearse.py", "tests/test_rehearse.py"),
    ("tests/each.py", "tests/test_quick.py"),
    ("tests/contracts/test_widgets.py", "tests/contracts/test_widgets.py"),
]
WORDS = [
    ("scenarios/store/account/latest_order.py", "[latest_order]"),
    ("scenarios/store/account/latest_order.py", "[latest_order-"),
    ("scenarios/widgets/login_user.py", "[login-user]"),
    ("scenarios/crm/published_desk/TASK_BOOK_FLIGHT.py", "[TASK_BOOK_FLIGHT]"),
    ("sites/widgets/tasks/login-user.html", "[login-user]"),
    ("agent/methods/plan_act.py", "[plan-act-"),
    ("agent/methods/laser/state_graph.py", "[laser-"),
    ("agent/llm/scripted/plan_act.py", "[plan-act-"),
    ("agent/prompts/react/store.toml", "[react-"),
]


@for_each(("path", "test"), NEAR)
def test_a_test_is_near(path, test):
    assert test in near(path)


@for_each(("path", "word"), WORDS)
def test_the_contracts_of_a_family_a_page_and_a_method(path, word):
    assert word in contracts([path])


def test_few_are_near_a_part_and_none_of_the_whole():
    assert 0 < len(near("agent/methods/laser/state_graph.py")) < 5
    assert not [each for each in near("agent/interface.py") if "contracts" in each]
