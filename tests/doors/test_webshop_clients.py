"""The client classes of ReAct and LATS, as they are, at our store.

`REHEARSE_WEBSHOP_CLIENTS` names local copies of their files, with a colon between: `WebShop.ipynb`
of ysymyth/ReAct and `webshop/lats.py` of andyz245/LanguageAgentTreeSearch.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evaluators.server import serve
from scenarios import registry
from tests.doors import foreign_python

VARIABLE = "REHEARSE_WEBSHOP_CLIENTS"
WISHES = 10
PROGRAM = Path(__file__).with_name("webshop_client.py")


def test_the_published_clients_buy_what_is_wished_for(subtests):
    paths = os.environ.get(VARIABLE)
    if not paths:
        pytest.skip(f"no clients; name their files in {VARIABLE}")
    with serve.serve(["store:0"], for_webshop=True) as served:
        url = served.addresses()["sites"]["store"]
        for path in paths.split(":"):
            with subtests.test(client=path):
                assert rewards(url, path) == [1.0] * WISHES
        evaluated = [served.sessions.find(f"fixed_{n}").evaluated() for n in range(WISHES)]
        assert all(each["success"] and each["compat"] for each in evaluated)


def rewards(url: str, path: str) -> Any:
    done = subprocess.run(
        [str(foreign_python("webshop")), "-W", "ignore", str(PROGRAM), url, path],
        input=json.dumps([(f"fixed_{goal}", actions(goal)) for goal in range(WISHES)]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def actions(goal: int) -> list[str]:
    """Open the wished item, read a sub page, go back to the results, open it again, buy it."""
    gold = registry.scenario(f"store/buy_item/{goal}").gold
    opened = f"click[{gold['asin']}]"
    chosen = [f"click[{value}]" for value in gold["goal_options"].values()]
    return [
        "reset",
        f"search[{gold['name']}]",
        *(opened, "click[Description]", "click[< Prev]", "click[< Prev]"),
        *(opened, *chosen, "click[Buy Now]"),
    ]
