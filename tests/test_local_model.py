"""The command `tox -e local`, as far as it goes without a model."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests import local_model


def options_of(*arguments: str) -> tuple[object, list[str]]:
    options, others = local_model._parser().parse_known_args(["-o", "runs/x", *arguments])
    return options, list(local_model.command(options, others))


def test_a_model_is_named_by_its_file_and_its_digest(tmp_path: Path) -> None:
    file = tmp_path / "tiny-q4.gguf"
    file.write_bytes(b"GGUF")
    digest = hashlib.sha256(b"GGUF").hexdigest()
    model = local_model.read(file)
    assert model.name == f"tiny-q4-{digest[:12]}"
    assert json.loads(local_model.described(model))["sha256"] == digest


def test_a_missing_file_is_refused_in_a_line(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="No such file or directory; give --model the path"):
        local_model.read(tmp_path / "none.gguf")


def test_the_suite_is_played_unless_tasks_are_named() -> None:
    _, command = options_of("--concurrency", "2")
    assert command[command.index("--suite") + 1] == "local-26"
    for tasks in (("--suite", "smoke"), ("--family=click-test",)):
        _, command = options_of(*tasks)
        assert "local-26" not in command


def test_the_agent_can_be_chosen() -> None:
    _, command = options_of("--agent", "step")
    assert command.count("--agent") == 1 and "step" in command
