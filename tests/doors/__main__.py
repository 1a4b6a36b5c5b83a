"""Make the environments of the doors, print what is in them, and run the doors' tests in ours:
`python -m tests.doors FOLDER [PYTEST_ARGUMENT …]`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import click

from tests.doors import REQUIREMENTS, VARIABLE


def main(folder: Path, *arguments: str) -> int:
    for listed in sorted(REQUIREMENTS.glob("*.txt")):
        made(folder / listed.stem, listed)
    for listed in sorted(REQUIREMENTS.glob("*.npm")):
        made_of_node(folder / listed.stem, listed)
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


def made_of_node(place: Path, listed: Path) -> None:
    """The packages of Node that are listed, at `place`; nothing where there is no Node."""
    npm = shutil.which("npm")
    if npm is None:
        click.echo(f"{listed.stem}: left out, for there is no npm")
        return
    packages = listed.read_text(encoding="utf-8").split()
    place.mkdir(parents=True, exist_ok=True)
    options = ("--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run([npm, "install", *options, "--prefix", str(place), *packages], check=True)
    click.echo(f"{listed.stem}: {' '.join(packages)}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
