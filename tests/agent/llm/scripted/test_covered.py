"""What the scripts cover: one list, which says why, and no other place below `agent/` names a
family."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import agent.llm.scripted
from agent import plugins
from agent.llm.scripted import ALL, BY_NAME, FAMILIES, families_of, is_covered
from scenarios import registry
from scenarios.scenario import start_host

ROOT = Path(__file__).parents[4]
LIST = ROOT / "agent" / "llm" / "scripted" / "__init__.py"
SHORT = 20
"""The list is no catalogue: whoever wants more writes a script for `ALL` families."""


def test_the_list_is_short_and_names_families_of_its_hosts_with_a_reason():
    assert len(FAMILIES) <= SHORT and {*BY_NAME} <= registry.host_names()
    for name, each in FAMILIES.items():
        assert start_host(registry.family(name)) in BY_NAME and len(each.why) > 20, name


def test_each_method_with_a_script_is_in_the_list_or_covers_all():
    listed = {method for each in FAMILIES.values() for method in each.methods}
    scripts = {name.replace("_", "-") for name in plugins.names(agent.llm.scripted)}
    scripts.remove("mind2web")  # recorded tasks are of no family
    assert listed | {*ALL} == scripts and not listed & {*ALL}


@pytest.mark.parametrize(
    ("method", "host", "family", "covered"),
    [
        ("laser", "store", "buy_item", True),
        ("laser", "outlet", "buy_wish.outlet", True),
        ("laser", "store", "checkout_exact", False),
        ("laser", "store", "latest_order", True),
        ("laser", "store", "review_mentions", False),
        ("laser", "crm", "TASK_BOOK_FLIGHT", True),
        ("step", "airline", "book_party.busy", True),
        ("step", "airline", "ticket_refund", False),
        ("step", "widgets", "click-test", True),
        ("react", "airline", "ticket_refund", True),
        ("mine", "store", "ledger_audit", True),
    ],
)
def test_a_family_is_covered_by_its_name_or_its_host(method, host, family, covered):
    assert is_covered(method, host, family) is covered
    assert (family in families_of(method)) <= covered


def test_no_other_file_of_the_agents_names_a_family():
    """As a text of the code: docstrings may speak of them, prompts and exemplars are theirs."""
    names = {name for name in registry.family_modules() if "." not in name and "_" in name}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted((ROOT / "agent").rglob("*.py"))
        if path != LIST
        for line, text in _texts(path)
        if text in names
    ]
    assert names >= {*FAMILIES} and not found


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


def test_the_documentation_has_the_list():
    text = (ROOT / "docs" / "scripted_model.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", text, re.MULTILINE)
    shown = [
        (name, ", ".join(f"`{method}`" for method in each.methods), each.why)
        for name, each in FAMILIES.items()
    ]
    assert rows == shown
