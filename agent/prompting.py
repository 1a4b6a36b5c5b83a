"""Prompt files: TOML files next to the methods, with message texts as templates.

A file `agent/prompts/<method>/<site>.toml` contains one text per message and these fields:

- `source`: the origin of its content.
- `rendering`: the form of observations; `rendering_with_dates`: the same with whole dates in
  calendars, for methods that have such a variant.
- `covers`: the points that the instruction must make, each with a phrase that must occur in it.
- `families`: the tasks of the site for which the file is meant, unless it is meant for all.
- `like`: a method whose file of the same name it copies, except `covers` and texts in `without`.

A site without a file gets `_website.toml`, the method's prompts for any website. Either file
overrides the method's `_default.toml`, which has the content that all of them share. Templates may
use only `{{ name }}`, `for` and `if`; values are never parsed as templates.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template, nodes
from jinja2.exceptions import TemplateSyntaxError, UndefinedError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from agent import actions, plugins
from rehearsal_errors import RehearsalError

FOLDER = Path(__file__).parent / "prompts"
WEBSITE = "_website"
"""The name of a method's files for any website, which serve the sites without files of their own.
"""
_ALLOWED = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name),
    *(nodes.Getattr, nodes.For, nodes.If, nodes.Not),
)


class BadPrompt(RehearsalError, ValueError):
    """The error for a prompt file that cannot be used; the message names the file and the
    remedy.
    """


@dataclass(frozen=True)
class Prompts:
    """The prompts of one method for one site; `data` is the content of the TOML file."""

    path: Path
    data: Mapping[str, Any]
    templates: Mapping[str, Template]

    def say(self, name: str, **values: object) -> str:
        """Return the text of one message, the template `name` filled with the values.

        Raises `BadPrompt` if the name or a variable is missing.
        """
        if name not in self.templates:
            raise BadPrompt(f"{self.path}: there is no text [{name}]", "add it")
        try:
            return self.templates[name].render(**values).strip()
        except UndefinedError as error:
            raise BadPrompt(f"{self.path}: [texts] {name}: {error}", "remove it there") from None

    @property
    def rendering(self) -> str:
        """The name of the rendering, the form in which observations are written as text."""
        return str(self.data.get("rendering", "tree"))

    def operations(self, without: Collection[str] = ()) -> str:
        """Return descriptions of the actions that the prompts offer, one per line.

        Raises `BadPrompt`.
        """
        try:
            offered = [each for each in self.data["operations"] if each not in without]
            return actions.describe(offered)
        except (KeyError, plugins.UnknownName) as error:
            raise BadPrompt(f"{self.path}: operations: {error}; list verbs there") from None

    def knows(self, family: str) -> bool:
        """Return whether the prompt file is meant for this family, that is, kind of task.

        Without `families` it is meant for all.
        """
        known = self.data.get("families")
        return known is None or family.partition(".")[0] in known

    def check(self, family: str) -> None:
        """Raise `BadPrompt` if the prompt file is not meant for this family, that is,
        kind of task.
        """
        if not self.knows(family):
            known = ", ".join(self.data["families"])
            raise BadPrompt(f"{self.path} is not for the task {family}", f"it is for {known}")


@cache
def load(method: str, site: str, folder: Path = FOLDER) -> Prompts:
    """Return the prompts of a method for a site: its file, or the file for any website, merged over
    the method's `_default.toml`.

    Tables, including the texts, are merged key by key. A default file with `partial = true` cannot
    be used alone.

    Raises:
        BadPrompt: A file is missing or invalid.
    """
    home = folder / method
    paths = (home / "_default.toml", of_site(home, site, ".toml"))
    found = [read(path) for path in paths if path.is_file()]
    if not found or (len(found) == 1 and found[0].data.get("partial")):
        raise BadPrompt(
            f"{method} has no prompts for {site}: no {site}.toml and no {WEBSITE}.toml in {home}",
            f"write {site}.toml (docs/adding.md, Its prompts)",
        )
    return _over(*found) if len(found) == 2 else found[0]


def check(module: Any, method: str, site: str, folder: Path = FOLDER) -> None:
    """Check that a method plays on a site: its prompts for the site exist and can be used.

    A method without prompts plays on every site.

    Args:
        module: The method's module.
        method: The name of its folder of prompts.
        site: The name of the site.
        folder: The folder that holds the prompts of all methods.

    Raises:
        BadPrompt: A file is missing or invalid.
    """
    if "prompts" not in inspect.signature(module.Options).parameters:
        return
    if module.check_prompts:
        module.check_prompts(site, folder)
    else:
        load(method, site, folder)


def of_site(home: Path, site: str, ending: str = "") -> Path:
    """Return the path of a site's prompts in a folder, or the path of those for any website if the
    site has none.

    Args:
        home: The folder.
        site: The name of the site.
        ending: ".toml" for a file, "" for a folder.
    """
    own = home / f"{site}{ending}"
    return own if own.exists() else home / f"{WEBSITE}{ending}"


def _over(default: Prompts, own: Prompts) -> Prompts:
    data = dict(default.data)
    for key, value in own.data.items():
        both = isinstance(value, dict) and isinstance(data.get(key), dict)
        data[key] = {**data[key], **value} if both else value
    return Prompts(own.path, data, {**default.templates, **own.templates})


def variants(method: str, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return the named sets of options ("variants") of a method, as a dict from variant
    to options.
    """
    path = folder / method / "variants.toml"
    return parse(path) if path.is_file() else {}


def read(path: Path) -> Prompts:
    """Read and check one prompt file. Raises `BadPrompt`."""
    data = _likened(path, parse(path))
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    texts = data.get("texts", {}).items()
    templates = {n: _template(environment, text, f"{path}: [texts] {n}") for n, text in texts}
    return Prompts(path, data, templates)


def _likened(path: Path, own: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a prompt file, merged over the file of the other method that its field
    `like` names.
    """
    if "like" not in own:
        return own
    lender = path.parent.parent / own["like"] / path.name
    if not lender.is_file():
        raise BadPrompt(f"{path}: like: there is no {lender}", "name a method that has this file")
    lent = parse(lender)
    left_out = own.get("without", ())
    texts = {name: text for name, text in lent.get("texts", {}).items() if name not in left_out}
    return {**lent, "covers": {}, **own, "texts": {**texts, **own.get("texts", {})}}


def _template(environment: Environment, text: object, where: str) -> Template:
    if not isinstance(text, str):
        raise BadPrompt(f"{where} is no text", "write it in quotes")
    try:
        used = environment.parse(text).find_all(nodes.Node)
    except TemplateSyntaxError as error:
        raise BadPrompt(f"{where}: {error}", "mend the template") from None
    wrong = [type(node).__name__ for node in used if not isinstance(node, _ALLOWED)]
    if wrong:
        raise BadPrompt(f"{where} uses {wrong[0]}", "only {{ name }}, for and if are allowed")
    return environment.from_string(text)


def parse(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raises `BadPrompt`."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPrompt(f"{path}: {error}") from None
