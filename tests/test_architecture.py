"""The page on architecture names what is there."""

from __future__ import annotations

import importlib
import re
from operator import attrgetter
from pathlib import Path

from tests.each import for_each

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w/]+)\.py::([\w.]+)`", TEXT)
PATHS = re.findall(r"`((?:agent|docs|evaluators|scenarios|sites|tools)/[\w/]*(?:\.py)?)`", TEXT)


@for_each(("path", "name"), NAMED)
def test_every_function_is_there(path, name):
    module = path.replace("/", ".").removesuffix(".__init__")
    attrgetter(name)(importlib.import_module(module))


@for_each("path", PATHS)
def test_every_path_is_there(path):
    assert (ROOT / path).exists()


def test_every_package_of_evaluators_has_its_line():
    packages = {path.name for path in (ROOT / "evaluators").iterdir() if path.is_dir()}
    assert {f"`{name}/`" for name in packages - {"__pycache__"}} <= set(re.findall(r"`\w+/`", TEXT))


def test_the_page_is_linked_first():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"\]\(([\w.-]+\.md)\)", index)[0] == "architecture.md"
