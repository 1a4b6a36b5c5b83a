"""Each named page of MiniWoB++ in BrowserGym's own environment: a line of JSON for each.

`MINIWOB_URL=… python browsergym_miniwob.py TASK …`
"""

import json
import re
import sys

import browsergym.miniwob
import gymnasium
from browsergym.core.registration import register_task
from browsergym.miniwob.base import AbstractMiniwobTask
from browsergym.utils.obs import flatten_axtree_to_str

SEED = 7
REGISTERED = {task.subdomain for task in browsergym.miniwob.ALL_MINIWOB_TASKS}


def main(names):
    for name in names:
        try:
            line = play(name)
        except Exception as error:  # the next page is played all the same
            line = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"task": name, "registered": name in REGISTERED, **line}), flush=True)


def play(name):
    if name not in REGISTERED:
        register_task(f"miniwob.{name}", type("Task", (AbstractMiniwobTask,), {"subdomain": name}))
    env = gymnasium.make(f"browsergym/miniwob.{name}", slow_mo=0, pre_observation_delay=0.0)
    try:
        seen, begun = env.reset(seed=SEED)
        action = first_action(flatten_axtree_to_str(seen["axtree_object"]))
        after, _, over, _, stepped = env.step(action)
        if not over:
            env.unwrapped.page.evaluate("core.endEpisode(1)")
            after, _, over, _, stepped = env.step("noop(0)")
    finally:
        env.close()
    return {
        "goal": seen["goal"],
        "ready": begun["task_info"]["TASK_READY"],
        "action": action,
        "failed": after["last_action_error"],
        "over": over,
        "raw": stepped["task_info"]["RAW_REWARD_GLOBAL"],
    }


def first_action(tree):
    """A click on the first control of the tree, or in the middle of the page where it has none."""
    control = r"\[(\w+)\] (?:button|link|checkbox|radio|textbox|combobox|searchbox|tab) "
    found = re.search(control, tree)
    return f"click('{found[1]}')" if found else "mouse_click(120, 200)"


if __name__ == "__main__":
    main(sys.argv[1:])
