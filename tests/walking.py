"""Carry out the steps of a page of the documentation, in the folder and the process at hand.

Standard input has the steps as JSON, pairs of kind and text; the last line of standard output has
what each of them printed. A line of `sh` that begins with `rehearse` is our command line; Python
that defines a test is run by pytest, with our plug-in.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

sys.path.insert(0, str(Path.cwd()))

import rehearse


def main() -> None:
    print(json.dumps([output(kind, text) for kind, text in json.load(sys.stdin)]))


def output(kind: str, text: str) -> str:
    with redirect_stdout(StringIO()) as stream:
        if text.startswith("def test_"):
            tested(text)
        elif kind == "python":
            exec(compile(text, "a block of the page", "exec"), {"__name__": "__main__"})
        else:
            for line in text.replace("\\\n", "").splitlines():
                command(line)
    return stream.getvalue()


def tested(text: str) -> None:
    Path("test_block.py").write_text(text, encoding="utf-8")
    plugin = "evaluators.integrations.pytest_plugin"
    assert not pytest.main(["-q", "-p", plugin, "test_block.py"]), "the test has failed"


def command(line: str) -> None:
    words = shlex.split(line, comments=True)
    if words[:1] != ["rehearse"]:
        print(subprocess.check_output(["bash", "-euc", line], text=True))
        return
    code = 0
    try:
        rehearse.main(words[1:])
    except SystemExit as stop:
        code = stop.code
    assert not code, f"{line}: exit code {code}"


if __name__ == "__main__":
    main()
