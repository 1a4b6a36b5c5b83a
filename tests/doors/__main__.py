"""Make the environments of the doors, print what is in them, and run the doors' tests in ours:
`python -m tests.doors FOLDER [PYTEST_ARGUMENT …]`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click

from tests.doors import REQUIREMENTS, VARIABLE

ROOT = Path(__file__).parents[2]


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
    """Make an environment at `place` with the listed packages; do nothing without its Python.

    The packages after `# without dependencies:` are installed alone. The environment has this
    Python, or the version after `# python:`.
    """
    bare, wanted = marked(listed, "# without dependencies:"), marked(listed, "# python:")
    found = python_of(*wanted) if wanted else sys.executable
    if found is None:
        click.echo(f"{listed.stem}: left out, for there is no Python {wanted[0]}")
        return
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([found, "-m", "venv", str(place)], check=True)
    pip = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-r", str(listed)], check=True, cwd=ROOT)
    if bare:
        subprocess.run([*pip, "install", "--no-deps", *bare], check=True)
    frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    click.echo(f"{listed.stem}: {' '.join(frozen.split())}")


def marked(listed: Path, mark: str) -> list[str]:
    """Return the rest of each line that begins with `mark`."""
    lines = listed.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(mark).strip() for line in lines if line.startswith(mark)]


def python_of(version: str) -> str | None:
    """Return a Python of this version, such as 3.12: pyenv's, or that on the path; else None."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    built = sorted(map(str, pyenv.glob(f"versions/{version}.*/bin/python3")))
    return built[-1] if built else shutil.which(f"python{version}")


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
