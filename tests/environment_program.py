"""A program that speaks as a Python with BrowserGym does: one environment, over one static page.

`installed` writes it where a test can name it as `--gym-python`. What it gets wrong is in `MODE`:

    ""          nothing
    dies        its process ends in the first step; `dies once`: only where it never did before
    hangs       it never replies to a step
    garbles     it replies to a step by no JSON, and `forgets` by JSON without a reward
    faults      it says that the reset has failed

Each request, without the scripts, is a line of the file `requests` beside the program.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

MODE = "REHEARSE_TEST_ENVIRONMENT"
VERSIONS = {"browsergym-core": "0.14.3", "playwright": "1.44.0", "browsergym-miniwob": "0.14.3"}
KNOWN = ["browsergym/miniwob.click-button", "browsergym/webarena.310"]
URL = "file:///pages/click-button.html"
SCALE = 1.5
AIMED = {"x": 10, "y": 20, "field": "", "foreign": True}
KINDS = ["button\tbutton\t", "\ttext", "input\ttextbox\ttext"]
WANTED = 2
"""The button that is asked for, and its name."""
GOAL = 'Click on the "yes" button.'
ANSWER = "42"


class Page:
    """Three nodes: a text, two buttons and a field."""

    def __init__(self) -> None:
        self.aimed: Any = None

    def call(self, name: str, arguments: list[Any]) -> str:
        if name == "read":
            return json.dumps(self.shown())
        if name == "aim":
            self.aimed = arguments[0]
            if self.aimed == 99:
                return json.dumps({"error": "There is no element 99."})
            return json.dumps(AIMED)
        return json.dumps({"empty": False} if name == "seize" else {})

    def shown(self) -> dict[str, Any]:
        content = [[2, "Words", 0, 0], [1, "no", 0, 0], [1, "yes", 0, 0], [3, "Field", 0, 0, "f"]]
        page = {"url": URL, "title": "Fake", "kinds": KINDS, "tints": [], "content": content}
        return {**page, "settled": True, "source": "", "more": [], "inputs": [], "problem": ""}


class Program:
    def __init__(self, home: Path) -> None:
        self.home, self.page, self.over = home, Page(), False

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        kept = {key: value for key, value in request.items() if key not in SCRIPTS}
        with (self.home / "requests").open("a") as log:
            log.write(json.dumps(kept) + "\n")
        do = request.pop("do")
        made: dict[str, Any] = getattr(self, do)(**request)
        return made

    def check(self, environments: list[str]) -> dict[str, Any]:
        versions = json.loads((self.home / "versions").read_text())
        unknown = {name: KNOWN[:1] for name in environments if name not in KNOWN}
        return {"versions": versions, "missing": "", "unknown": unknown}

    def open(self, environment: str, seed: int, **scripts: str) -> dict[str, Any]:
        if os.environ.get(MODE) == "faults":
            return {"fault": "ValueError: Please set WA_SHOPPING."}
        return {"goal": GOAL, "versions": VERSIONS, **self.where()}

    def step(self, calls: list[Any], settle: bool) -> dict[str, Any]:
        self.fail(os.environ.get(MODE, ""))
        names = dict(calls)
        right = "mouse_click" in names and self.page.aimed == WANTED
        answered = names.get("send_msg_to_user") == [ANSWER]
        clicked = "mouse_click" in names and self.page.aimed in (WANTED - 1, WANTED)
        ended = clicked or bool({"send_msg_to_user", "report_infeasible"} & {*names})
        outcome = {
            "error": "",
            "terminated": ended,
            "truncated": False,
            "info": {"seen": len(names)},
        }
        if os.environ.get(MODE) == "forgets":
            return {**outcome, **self.where()}
        return {"reward": float(right or answered), **outcome, **self.where()}

    def call(self, name: str, arguments: list[Any]) -> dict[str, Any]:
        return {"value": self.page.call(name, arguments), **self.where()}

    def picture(self) -> dict[str, Any]:
        return {"png": "iVBORw0KGgo="}

    def where(self) -> dict[str, Any]:
        page = {"url": URL, "tab": 0, "tabs": ["Fake"], "document": "1"}
        return {"page": {**page, "height": 200, "scale": SCALE}}

    def fail(self, mode: str) -> None:
        died = self.home / "died"
        if mode == "dies" or (mode == "dies once" and not died.exists()):
            died.touch()
            sys.stderr.write("Traceback: much\nMemoryError: no more of it\n")
            sys.stderr.flush()
            os._exit(3)
        if mode == "hangs":
            time.sleep(600)
        if mode == "garbles":
            sys.stdout.write("Loading 100%\n")
            sys.stdout.flush()


SCRIPTS = ("walker", "init_script")


def installed(folder: Path, versions: dict[str, str] = VERSIONS) -> Path:
    """A program in the folder that this is run by, whatever it is asked to run."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "versions").write_text(json.dumps(versions))
    made = folder / "python"
    made.write_text(f'#!/bin/sh\nexec {sys.executable} -SP {Path(__file__).resolve()} "$0"\n')
    made.chmod(0o755)
    return made


def requests(python: Path) -> list[dict[str, Any]]:
    """What the program was asked so far."""
    return [json.loads(line) for line in (python.parent / "requests").read_text().splitlines()]


def steps(python: Path) -> list[list[Any]]:
    """The calls of each step."""
    return [each["calls"] for each in requests(python) if each["do"] == "step"]


def main(home: Path) -> None:
    program = Program(home)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(program.reply(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve().parent)
