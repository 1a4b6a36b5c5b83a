"""Write the first files of a declared site, and of a family on one (`rehearse new`)."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from agent.storage_errors import writing
from evaluators.commands import skeletons
from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.kit import Form, Operation, Site, Table

ROOT = Path(__file__).parents[2]
"""The folder that holds the folders `sites` and `scenarios`."""
NAME = re.compile(r"[a-z][a-z0-9_]{1,39}")


class CannotMake(RehearsalError, ValueError):
    """The name cannot be used, a file exists already, or the site is not declared."""


def site(name: str, root: Path = ROOT) -> list[Path]:
    """Write a declared site of one page, with its scorer and the folder of its families.

    Args:
        name: The name of the new site.
        root: The folder of the tree.

    Returns:
        The files that were written.

    Raises:
        CannotMake: The name cannot be used, or a file exists already. Nothing was written.
        NotWritten: A file could not be written.
    """
    _check_name(name)
    if name in registry.host_names():
        raise CannotMake(f"there is a site {name} already", "choose another name")
    texts = {
        root / "sites" / name / "__init__.py": skeletons.PACKAGE,
        root / "sites" / name / "site.py": skeletons.SITE,
        root / "scenarios" / name / "__init__.py": skeletons.TASKS,
        root / "evaluators" / "scoring" / "scorers" / f"{name}.py": skeletons.SCORER,
    }
    return _write({path: _named(text, name) for path, text in texts.items()})


def family(site: str, name: str, root: Path = ROOT) -> list[Path]:
    """Write a family that calls an operation of a declared site.

    Args:
        site: The name of the site.
        name: The name of the new family.
        root: The folder of the tree.

    Returns:
        The file that was written.

    Raises:
        CannotMake: The name cannot be used, a file exists already, or the site is not declared.
        NotWritten: The file could not be written.
    """
    _check_name(name)
    if name in registry.family_modules():
        raise CannotMake(f"there is a family {name} already", "choose another name")
    declared = getattr(registry.site(site), "SITE", None)
    if not isinstance(declared, Site):
        raise CannotMake(f"{site} is not a declared site", "see docs/adding.md for its families")
    return _write({root / "scenarios" / site / f"{name}.py": _family_text(site, declared)})


def next_steps(site: str, family: str = "") -> str:
    """Return two lines that say what to do next."""
    if not family:
        return (
            f"Change sites/{site}/site.py (tables, operations, pages, words) and the first line of"
            " its __init__.py.\n"
            f"Then write tasks: rehearse new family {site} NAME"
        )
    return (
        f"Change scenarios/{site}/{family}.py: what is drawn, done and said.\n"
        f"Then try it: rehearse run --agent expert,nothing --family {family} --seeds 0:5"
        f" -o runs/{family}"
    )


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise CannotMake(
            f"{name[:40]!r} cannot be the name of a file",
            "use 2 to 40 small letters, digits and _, a letter first",
        )


def _named(text: str, name: str) -> str:
    """Return a file's text with the site's name, its imports in order again."""
    lines = text.replace("NAME", name).splitlines(keepends=True)
    at = [number for number, line in enumerate(lines) if line.startswith("from sites.")]
    if at:
        lines[at[0] : at[-1] + 1] = sorted(lines[at[0] : at[-1] + 1])
    return "".join(lines)


def _write(files: Mapping[Path, str]) -> list[Path]:
    """Write the files, unless one of them exists."""
    for path in files:
        if path.exists():
            raise CannotMake(f"{path} exists already", "choose another name, or delete it")
    for path, text in files.items():
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    importlib.invalidate_caches()
    registry.family_modules.cache_clear()  # so that this process finds the new family, too
    return [*files]


# A family ----------------------------------------------------------------------------------------


def _family_text(site: str, declared: Site) -> str:
    """Return the text of a family that sends the first form whose arguments can be drawn.

    Raises:
        CannotMake: The site has no such form.
    """
    form = next((each for each in _forms(declared) if _is_known(each)), None)
    if form is None:
        raise CannotMake(
            f"no form of {site} has arguments that can be drawn by themselves",
            "write the family by hand, as docs/adding.md shows",
        )
    arguments = dict(_arguments(form, declared))
    asked = ", ".join(f"{name} “{{{name}}}”" for name in arguments)
    return (
        skeletons.FAMILY.replace("SITE", site)
        .replace("MODULE", inspect.getmodule(form.operation.run).__name__)  # type: ignore[union-attr]
        .replace("OPERATION", form.operation.name)
        .replace("DRAWN", "\n    ".join(f"{key} = {text}" for key, text in arguments.items()))
        .replace("SLOTS", ", ".join(f'"{name}": {name}' for name in arguments))
        .replace("GIVEN", ", ".join(_calls(form, arguments)))
        .replace("TOLD", asked)
    )


def _forms(declared: Site) -> Iterator[Form]:
    for page in declared.pages:
        yield from page.forms
        yield from page.listing.forms if page.listing else ()


def _is_known(form: Form) -> bool:
    """Return whether the page gives the form only the signed-in user and keys of tables."""
    known = form.operation.of
    return all(column == "me" or name in known for name, column in form.given.items())


def _arguments(form: Form, declared: Site) -> Iterator[tuple[str, str]]:
    """Yield each argument that is drawn, with the expression that draws it."""
    for name, column in form.given.items():
        yield name, "d.me" if column == "me" else _key(form.operation, name, declared)
    for field in form.fields:
        if field.options:
            yield field.name, f'next(iter(d.pick("{field.options}").values()))'
        else:
            yield field.name, f'f"{field.name.title()} {{d.rng.randrange(10**6)}}"'


def _key(operation: Operation, name: str, declared: Site) -> str:
    table: Table = declared.table[operation.of[name]]
    query = f"SELECT * FROM {table.name}"  # noqa: S608 (it is written into a file)
    return f'd.pick("{query}").{table.key[0]}'


def _calls(form: Form, arguments: Mapping[str, str]) -> Iterator[str]:
    """Yield the arguments of the operation's call."""
    yield from (f"{name}={name}" for name in arguments)
    yield from (f"{name}={value!r}" for name, value in form.fixed.items())
