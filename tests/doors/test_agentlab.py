"""AgentLab's GenericAgent, unmodified, plays our tasks; its model is a script on loopback."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from evaluators.commands import listing
from evaluators.server.serve import serve
from rehearse import generate
from tests import loopback
from tests.doors import foreign_python, printed_by
from tests.doors.foreign_chromium import playwright_browsers
from tests.doors.test_browsergym import PACKAGE, Step, expert_purchase, program
from tests.measuring import HANG

CLIENT = Path(__file__).parent / "clients" / "agentlab_study.py"
BOOKING = ("TASK_FIND_BOOKING", 3, 12)
SHOPPING = ("buy_item", 7, 12)
BUTTON = ("click-button", 3, 6)
LIMIT = HANG

pytestmark = pytest.mark.usefixtures("unmeasured")


def plans() -> dict[str, list[Step]]:
    """What to do, by a piece of the goal."""
    reference = generate(*BOOKING[:2]).gold["reference"]
    return {
        reference: [
            ("click", "link", "Find booking"),
            ("fill", "textbox", "", reference),
            ("click", "button", "Search"),
        ],
        generate(*SHOPPING[:2]).instruction: expert_purchase(SHOPPING[1]),
        'Click on the "': [("click", "button", '"')],
    }


def model(wishes: Mapping[str, Sequence[Step]]):
    """A model that reads the goal, how many actions the prompt remembers, and the tree."""

    def answer(body: loopback.Body) -> loopback.Answer:
        prompt = "\n".join(_text(message["content"]) for message in body["messages"])
        goal = prompt.split("## Goal:")[1].split("\n#")[0]
        moves = next(moves for piece, moves in wishes.items() if piece in goal)
        history = prompt.split("# History of interaction")[-1].split("# Action space")[0]
        tree = prompt.split("## AXTree:")[1].split("# History of interaction")[0]
        action, role, name, *texts = moves[min(history.count("<action>"), len(moves) - 1)]
        named = re.search(r'"(.*)"', goal)[1] if name == '"' else name
        given = ", ".join(map(repr, [_bid(tree, role, named), *texts]))
        return loopback.reply(
            f"<think>\nAs planned.\n</think>\n<action>\n{action}({given})\n</action>"
        )

    return answer


def _text(content: str | list[dict]) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)


def _bid(tree: str, role: str, name: str) -> str:
    found = re.findall(rf"\[(\w+)\] {role} ['\"](.*?)['\"](?:,|\n|$)", tree)
    return next((bid for bid, shown in found if name in shown), "none")


@pytest.fixture(name="environment")
def _environment(tmp_path):
    """What AgentLab needs to stay offline, and our package."""
    (tmp_path / "nltk" / "tokenizers" / "punkt_tab").mkdir(parents=True)
    return {
        **os.environ,
        "AGENTLAB_EXP_ROOT": str(tmp_path / "results"),
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        "NLTK_DATA": str(tmp_path / "nltk"),
        "PYTHONPATH": str(PACKAGE),
    }


def test_generic_agent_wins_on_three_sites(tmp_path, environment):
    python = foreign_python("agentlab")
    links = playwright_browsers(tmp_path / "links", python)
    with serve() as served, loopback.serve(model(plans())) as fake:
        where = {"REHEARSE_CONTROL": served.control.url, "REHEARSE_TOKEN": served.token}
        paths = {"PLAYWRIGHT_BROWSERS_PATH": str(links)}
        env = {**environment, **fake.environment, **where, **paths}
        tasks = json.dumps([SHOPPING, BOOKING, BUTTON])
        printed = printed_by(python, CLIENT, tasks, env=env, seconds=LIMIT)
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith('{"task"')]
    print(*map(json.dumps, lines), sep="\n")
    assert [line["cum_reward"] for line in lines] == [1.0, 1.0, 1.0], lines
    assert all(line["terminated"] and not line["err_msg"] for line in lines), lines
    assert len(fake.requests) >= sum(len(line["actions"]) - 1 for line in lines)


def test_a_suite_is_a_benchmark_with_its_budgets(tmp_path, environment):
    code = (
        "from browsergym.rehearsal.agentlab import benchmark\n"
        "for each in benchmark('smoke').env_args_list:\n"
        "    print('task', each.task_name, each.task_seed, each.max_steps)\n"
    )
    where = {"REHEARSE": str(program(tmp_path))}
    env = {**environment, **where}
    printed = printed_by(foreign_python("agentlab"), "-c", code, env=env, seconds=LIMIT)
    tasks = [line.split()[1:] for line in printed.splitlines() if line.startswith("task ")]
    assert tasks == [
        [f"rehearsal.{row['family']}", str(seed), str(row["steps"])]
        for row in listing.rows("suites", "smoke")
        for seed in row["seeds"]
    ]
