"""Each named page of MiniWoB++ in Farama's own environment: a line of JSON for each.

`MINIWOB_CHROME_BINARY=… MINIWOB_CHROMEDRIVER=… python farama_miniwob.py ADDRESS TASK …`
"""

import json
import sys

import gymnasium
import miniwob
from miniwob.action import ActionTypes
from miniwob.environment import MiniWoBEnvironment
from miniwob.fields import FIELD_EXTRACTORS

SEED = 7
gymnasium.register_envs(miniwob)


def main(address, names):
    for name in names:
        registered = f"miniwob/{name}-v1" in gymnasium.registry
        try:
            line = play(name, registered, address)
        except Exception as error:  # the next page is played all the same
            line = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"task": name, "registered": registered, **line}), flush=True)


def play(name, registered, address):
    made = gymnasium.make(f"miniwob/{name}-v1", base_url=address) if registered else None
    env = made.unwrapped if made else unregistered(name, address)
    try:
        seen, _ = env.reset(seed=SEED)
        leaf = first_leaf(seen["dom_elements"])
        click = env.create_action(ActionTypes.CLICK_ELEMENT, ref=leaf["ref"])
        _, _, over, _, info = env.step(click)
        if not over:
            env.instance.driver.execute_script("core.endEpisode(1);")
            _, _, over, _, info = env.step(None)
        second, _ = env.reset(seed=SEED)
    finally:
        env.close()
    return {
        "goal": seen["utterance"],
        "fields": [*map(list, seen["fields"])],
        "elements": len(seen["dom_elements"]),
        "pictured": list(seen["screenshot"].shape),
        "action": f"{leaf['tag']} {leaf['text'] or leaf['id']}",
        "over": over,
        "raw": info["raw_reward"],
        "same": same(second, seen),
    }


def unregistered(name, address):
    """Of two of these pages the package cannot read any instruction, whoever serves them; that they
    have no fields is said here."""
    own = {} if name in FIELD_EXTRACTORS else {"field_extractor": lambda utterance: []}
    return MiniWoBEnvironment(name, base_url=address, **own)


def first_leaf(elements):
    """The first element without children."""
    parents = {each["parent"] for each in elements}
    return next(each for each in elements if each["ref"] not in parents)


def same(one, two):
    shown = [(each["tag"], each["text"], each["id"]) for each in one["dom_elements"]]
    return one["utterance"] == two["utterance"] and shown == [
        (each["tag"], each["text"], each["id"]) for each in two["dom_elements"]
    ]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
