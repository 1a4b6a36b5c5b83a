"""The class `webshopEnv` of a file, as it is, at our store: `python webshop_client.py URL FILE`.

Of the file (a script, or a notebook with the class in one of its cells) only what makes the class
is executed, with another address; what is around it needs models. Standard input is a JSON list of
[session, actions]; printed is one of the rewards of their last actions. Runs in an environment with
Beautiful Soup and requests, without this project.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import json
import logging
import sys
from pathlib import Path
from typing import Any

import bs4
import requests

CLIENT = {"ACTION_TO_TEMPLATE", "clean_str", "tag_visible", "webshop_text", "webshopEnv"}


def main(url: str, path: Path) -> None:
    visits = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        client = client_of(path, url)
        rewards = [reward_of(client, session, actions) for session, actions in visits]
    print(json.dumps(rewards))


def reward_of(client: Any, session: str, actions: list[str]) -> float:
    return [client.step(session, action) for action in actions][-1][1]


def client_of(path: Path, url: str) -> Any:
    kept = [node for node in ast.parse(source_of(path)).body if names(node) & CLIENT]
    space = {
        "requests": requests,
        "BeautifulSoup": bs4.BeautifulSoup,
        "Comment": bs4.Comment,
        "copy": copy,
        "logging": logging,
        "WEBSHOP_URL": url,
    }
    exec(compile(ast.Module(kept, []), str(path), "exec"), space)
    return space["webshopEnv"]()


def source_of(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = ["".join(cell["source"]) for cell in json.loads(text)["cells"]]
    return next(cell for cell in cells if "class webshopEnv" in cell)


def names(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {str(getattr(node, "name", ""))}


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
