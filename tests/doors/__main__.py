"""Make the environments of the doors, print what is in them, and run the doors' tests in ours:
`python -m tests.doors FOLDER [PYTEST_ARGUMENT …]`."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import click

from tests.doors import REQUIREMENTS, VARIABLE


def main(folder: Path, *arguments: str) -> int:
    for listed in sorted(REQUIREMENTS.glob("*.txt")):
        made(folder / listed.stem, listed)
    tests = arguments or (str(Path(__file__).parent),)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rs", *tests],
        env={**os.environ, VARIABLE: str(folder)},
        check=False,
    ).returncode


def made(place: Path, listed: Path) -> None:
    """An environment at `place` with what is listed. A package without its dependencies stands
    behind `# without dependencies:`."""
    lines = listed.read_text(encoding="utf-8").splitlines()
    mark = "# without dependencies:"
    bare = [line.removeprefix(mark).strip() for line in lines if line.startswith(mark)]
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-r", str(listed)], check=True)
    if bare:
        subprocess.run([*pip, "install", "--no-deps", *bare], check=True)
    frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    click.echo(f"{listed.stem}: {' '.join(frozen.split())}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
