"""Play episodes of the package browsergym-rehearsal: a line of JSON for each.

`python browsergym_rehearsal.py EPISODES`, a JSON list of {family, seed, moves}. A move is
[action, role, name, text …]: the first element of that role whose name holds that name is meant.
Where there is no role the move is the action as it stands. `{0}` in a name or a text stands for
what `pattern` finds in the goal.
"""

import json
import re
import sys

import browsergym.rehearsal
import gymnasium
from browsergym.utils.obs import flatten_axtree_to_str

TRIES = 5
"""BrowserGym gives a click half a second, and on a busy machine that may pass, also after the click
was done (the error then says so)."""


class Environment:
    """One environment, and what it said last."""

    def __init__(self, episode):
        self.env = gymnasium.make(
            f"browsergym/{browsergym.rehearsal.register(episode['family'])}",
            pre_observation_delay=0.0,
        )
        self.seen, info = self.env.reset(seed=episode["seed"])
        self.begun = info["task_info"]
        pattern = re.search(episode.get("pattern", ""), self.seen["goal"])
        self.found = pattern.groups() if pattern else ()
        self.rewards, self.errors, self.done, self.info = [], [], False, {}

    def do(self, action, role="", name="", *texts):
        if not role:
            line = action.format(*self.found)
        else:
            bid = self.bid(role, name.format(*self.found))
            given = [bid, *(text.format(*self.found) for text in texts)]
            line = f"{action}({', '.join(map(repr, given))})"
        place = self.seen["url"]
        for _ in range(TRIES):
            self.seen, reward, self.done, _, info = self.env.step(line)
            self.rewards.append(reward)
            self.info = info["task_info"]
            error = self.seen["last_action_error"]
            moved = self.seen["url"] != place
            if self.done or moved or not error or "action done" in error:
                return
        self.errors.append(error)

    def bid(self, role, name):
        tree = flatten_axtree_to_str(self.seen["axtree_object"])
        for bid, shown in re.findall(rf"\[(\w+)\] {role} ['\"](.*?)['\"](?:,|\n|$)", tree):
            if name in shown:
                return bid
        raise LookupError(f"no {role} {name!r} in:\n{tree}")

    def summary(self):
        return {
            "goal": self.seen["goal"],
            "begun": self.begun,
            "url": self.seen["url"],
            "rewards": [*self.rewards],
            "errors": [*self.errors],
            "done": self.done,
            "info": self.info,
        }


def play(episode):
    playing = Environment(episode)
    try:
        for move in episode["moves"]:
            playing.do(*move)
        return playing.summary()
    finally:
        playing.env.close()


def both(episode):
    """Two environments on one seed: the first one plays, then the second."""
    one, two = Environment(episode), Environment(episode)
    try:
        for move in episode["moves"]:
            one.do(*move)
        two.do("noop(0)")
        between = two.summary()
        for move in episode["moves"]:
            two.do(*move)
        return {"first": one.summary(), "between": between, "second": two.summary()}
    finally:
        one.env.close()
        two.env.close()


def main(episodes):
    for episode in episodes:
        try:
            line = both(episode) if episode.get("both") else play(episode)
        except Exception as error:  # the next episode is played all the same
            line = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
