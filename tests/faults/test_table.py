"""The table of faults names tests that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", TABLE)


def functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_row_names_a_test_and_every_test_is_there():
    rows = [line for line in TABLE.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 25 and all("`tests/" in row for row in rows)
    for name, test in NAMED:
        path = ROOT / name
        assert path.is_file(), name
        assert not test or test in functions(path), f"{name}::{test}"


def test_every_test_of_faults_stands_in_the_table():
    """But for those of the counts, and of this table."""
    named = {name for name, _ in NAMED}
    own = {path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.glob("test_*.py")}
    assert own - named == {"tests/faults/test_counts.py", "tests/faults/test_table.py"}
