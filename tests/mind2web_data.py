"""A made-up folder of Mind2Web, in the exact format of the published files; nothing of it is
theirs.

`train` has two tasks. `test_task` has three tasks with seven steps: one hovers, one selects a label
that has lost its punctuation, one is about an icon, one types, one presses enter, one has lost its
element in cleaning, and one is on a page that is no XML and has two right elements.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from tests.sources import ROOT

MARK = "data_pw_testid_buckeye"

TABLES = """<html backend_node_id="1">
  <body backend_node_id="2">
    <ul backend_node_id="3">
      <a backend_node_id="4" title="Home Page"><text backend_node_id="5">The Blue Door</text></a>
      <a backend_node_id="6"><text backend_node_id="7">Menu</text></a>
      <a backend_node_id="8"><text backend_node_id="9">Reservations</text></a>
      <a backend_node_id="10"><text backend_node_id="11">Gift cards</text></a>
    </ul>
    <div backend_node_id="12">
      <label backend_node_id="13"><text backend_node_id="14">Party size</text></label>
      <select backend_node_id="15" name="party">
        <option backend_node_id="16" value="2" option_selected="true">
          <text backend_node_id="17">2 guests</text>
        </option>
        <option backend_node_id="18" value="4"><text backend_node_id="19">4 guests</text></option>
      </select>
      <select backend_node_id="20" name="time">
        <option backend_node_id="21" value="16:30">
          <text backend_node_id="22">4:30 PM</text>
        </option>
        <option backend_node_id="23" value="17:00">
          <text backend_node_id="24">5:00 PM</text>
        </option>
      </select>
      <button backend_node_id="25" type="submit">
        <text backend_node_id="26">Find a table</text>
      </button>
    </div>
    <div backend_node_id="27" aria_label="We use cookies">
      <svg backend_node_id="28" class="icon close-icon"/>
      <text backend_node_id="29">We use cookies &amp; similar things.</text>
    </div>
  </body>
</html>"""

PARTS = """<html backend_node_id="1">
  <body backend_node_id="2">
    <form backend_node_id="3" role="search">
      <input backend_node_id="4" type="search" name="q" placeholder="Search parts"/>
      <button backend_node_id="5" type="submit"><text backend_node_id="6">Search</text></button>
    </form>
    <ul backend_node_id="7">
      <a backend_node_id="8"><text backend_node_id="9">Drives</text></a>
      <a backend_node_id="10"><text backend_node_id="11">Memory</text></a>
      <a backend_node_id="12"><text backend_node_id="13">Cases</text></a>
    </ul>
    <div backend_node_id="14">
      <a backend_node_id="15"><text backend_node_id="16">Fenwick drive 2 TB</text></a>
      <text backend_node_id="17">$84.00</text>
    </div>
  </body>
</html>"""

FILMS = """<html backend_node_id="1">
  <body backend_node_id="2">
    <a backend_node_id="3"><text backend_node_id="4">Now showing</text></a>
    <a backend_node_id="5"><img backend_node_id="6" alt="The Long Pier"/>
      <text backend_node_id="7">The Long Pier<br> tonight & tomorrow</text></a>
    <a backend_node_id="8"><text backend_node_id="9">Harbour Lights</text></a>
    <a backend_node_id="10"><text backend_node_id="11">Members</text></a>
  </body>
</html>"""


def uid(*names):
    return str(uuid5(NAMESPACE_URL, "/".join(map(str, names))))


def candidate(number, tag, positive=None):
    attributes = {
        "backend_node_id": number,
        "bounding_box_rect": "10,20,200,30",
        "is_clickable": "true",
        f"{MARK}_candidate": uid(number),
    }
    found = {"tag": tag, "attributes": json.dumps(attributes), "backend_node_id": number}
    if positive is None:
        return found
    return {**found, "is_original_target": positive, "is_top_level_target": positive}


def candidates(page, positives):
    """Return (positives, negatives) among the elements that are no text and hold none alone."""
    found = {}
    for line in page.split("<")[1:]:
        tag, _, rest = line.partition(' backend_node_id="')
        if rest and tag not in ("html", "body", "text"):
            found[rest.partition('"')[0]] = tag
    right = [candidate(each, found[each], at == 0) for at, each in enumerate(positives)]
    return right, [candidate(each, tag) for each, tag in found.items() if each not in positives]


def action(task, at, page, operation, positives, target="", lost=""):
    """Return a step; `target` is the element that was acted on, `lost` what cleaning removes."""
    name, target = uid(task, at), target or positives[0]
    op, value = operation
    right, wrong = candidates(page, positives)
    marked = f'backend_node_id="{target}" {MARK}="{name}" bounding_box_rect="1,2,3,4"'
    return {
        "action_uid": name,
        "raw_html": page.replace("</body>", f"{lost}</body>").replace(
            f'backend_node_id="{target}"', marked
        ),
        "cleaned_html": page,
        "operation": {
            "original_op": op,
            "value": value,
            "op": "CLICK" if op in ("HOVER", "ENTER") else op,
        },
        "pos_candidates": right,
        "neg_candidates": wrong,
    }


def task(name, website, domain, subdomain, instruction, steps):
    """Return a task; `steps` are pairs of an action's words and the action."""
    return {
        "website": website,
        "domain": domain,
        "subdomain": subdomain,
        "annotation_id": uid(name),
        "confirmed_task": instruction,
        "action_reprs": [words for words, _ in steps],
        "actions": [each for _, each in steps],
    }


def table(name="table"):
    return task(
        name,
        "bluedoor",
        "Travel",
        "Restaurant",
        "Find a table for two at The Blue Door at 5:00 PM.",
        [
            ("[link]  Reservations -> HOVER", action(name, 0, TABLES, ("HOVER", ""), ["8"])),
            (
                "[combobox]  Time -> SELECT: 5 00 PM",
                action(name, 1, TABLES, ("SELECT", "5 00 PM"), ["20"]),
            ),
            ("[svg]   -> CLICK", action(name, 2, TABLES, ("CLICK", ""), ["28"])),
        ],
    )


def drive(name="drive"):
    lost = '<span backend_node_id="18" class="buy"><text backend_node_id="19">Buy</text></span>'
    return task(
        name,
        "partsbin",
        "Shopping",
        "Digital",
        "Put a solid state drive of 2 TB into the cart.",
        [
            (
                "[searchbox]  Search parts -> TYPE: solid state drive 2 TB",
                action(name, 0, PARTS, ("TYPE", "solid state drive 2 TB"), ["4"]),
            ),
            ("[searchbox]  Search parts -> ENTER", action(name, 1, PARTS, ("ENTER", ""), ["4"])),
            ("[span]  Buy -> CLICK", action(name, 2, PARTS, ("CLICK", ""), [], "18", lost)),
        ],
    )


def film(name="film"):
    return task(
        name,
        "pierfilms",
        "Entertainment",
        "Movie",
        "Show the times of The Long Pier.",
        [("[link]  The Long Pier -> CLICK", action(name, 0, FILMS, ("CLICK", ""), ["5", "6"]))],
    )


def write(folder):
    """Write the data and return the folder."""
    shards = {
        "train/train_0.json": [table("train table")],
        "train/train_1.json": [drive("train drive")],
        "test_task/test_task_2.json": [table(), drive()],
        "test_task/test_task_10.json": [film()],
    }
    for name, tasks in shards.items():
        write_shard(Path(folder, name), tasks)
    return Path(folder)


def write_shard(path, tasks):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tasks), encoding="utf-8")
    return path


def orders(tasks):
    """Return, for each step, all candidates from the best to the worst: in document order, but the
    first positive last, so that a second one is found earlier.
    """
    found = {}
    for each in tasks:
        for step in each["actions"]:
            right = [one["backend_node_id"] for one in step["pos_candidates"]]
            wrong = [one["backend_node_id"] for one in step["neg_candidates"]]
            key = f"{each['annotation_id']}_{step['action_uid']}"
            found[key] = [*sorted([*right[1:], *wrong], key=int), *right[:1]]
    return found


def write_scores(path, tasks):
    """Write the ranks and scores of `orders` as the published pickle has them."""
    ranks = {key: {each: at for at, each in enumerate(o)} for key, o in orders(tasks).items()}
    scores = {key: {each: -float(at) for each, at in of.items()} for key, of in ranks.items()}
    path.write_bytes(pickle.dumps({"scores": scores, "ranks": ranks}, protocol=4))
    return path


def command(*arguments, check=True):
    """The end of `rehearse mind2web ...` in a process of its own."""
    return subprocess.run(
        [sys.executable, "rehearse.py", "mind2web", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=check,
    )


def order(step):
    """The candidates of a step in document order, but for the right ones, which are third."""
    wrong = sorted((each.id for each in step.negatives), key=int)
    return [*wrong[:2], *(each.id for each in step.positives), *wrong[2:]]
