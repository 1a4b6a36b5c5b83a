"""Prompt files: TOML beside the method, message texts as templates.

A file `agent/prompts/<method>/<site>.toml` (or `_default.toml`) says where its content comes from
(`source`), how observations are shown (`rendering`), the points that its instruction must make
(`covers`: point = a phrase that the text must contain), and one table per message. Templates know
`{{ name }}`, `for` and `if`, nothing else; values are never parsed again.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    StrictUndefined,
    Template,
    TemplateSyntaxError,
    UndefinedError,
    nodes,
)
from jinja2.sandbox import ImmutableSandboxedEnvironment

FOLDER = Path(__file__).parent / "prompts"
_ALLOWED = (
    nodes.Template,
    nodes.Output,
    nodes.TemplateData,
    nodes.Name,
    nodes.Getattr,
    nodes.For,
    nodes.If,
    nodes.Not,
)


class BadPrompt(ValueError):
    """A prompt file that cannot be used; names the file and what to mend."""


@dataclass(frozen=True)
class Prompts:
    """One method's prompts for one site. `data` is the file as read."""

    path: Path
    data: Mapping[str, Any]
    templates: Mapping[str, Template]

    def say(self, name: str, **values: object) -> str:
        """The text of one message. Raises `BadPrompt` for a name or variable that is missing."""
        if name not in self.templates:
            raise BadPrompt(f"{self.path}: there is no text [{name}]; add it")
        try:
            return self.templates[name].render(**values).strip()
        except UndefinedError as error:
            raise BadPrompt(f"{self.path}: [texts] {name}: {error}; remove it there") from None

    @property
    def rendering(self) -> str:
        return str(self.data.get("rendering", "tree"))

    def digest(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


@cache
def load(method: str, site: str, folder: Path = FOLDER) -> Prompts:
    """The prompts of a method for a site; the method's `_default.toml` where the site has none."""
    for path in (folder / method / f"{site}.toml", folder / method / "_default.toml"):
        if path.is_file():
            return read(path)
    raise BadPrompt(f"{folder / method}: there is neither {site}.toml nor _default.toml; add one")


def variants(method: str, folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """The named sets of options of a method."""
    path = folder / method / "variants.toml"
    return _parse(path) if path.is_file() else {}


def read(path: Path) -> Prompts:
    """Read and check one prompt file."""
    data = _parse(path)
    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False)
    texts = data.get("texts", {})
    templates = {
        name: _template(environment, text, f"{path}: [texts] {name}")
        for name, text in texts.items()
    }
    return Prompts(path, data, templates)


def _template(environment: Environment, text: object, where: str) -> Template:
    if not isinstance(text, str):
        raise BadPrompt(f"{where} is no text; write it in quotes")
    try:
        used = environment.parse(text).find_all(nodes.Node)
    except TemplateSyntaxError as error:
        raise BadPrompt(f"{where}: {error}; mend the template") from None
    wrong = [type(node).__name__ for node in used if not isinstance(node, _ALLOWED)]
    if wrong:
        raise BadPrompt(f"{where} uses {wrong[0]}; only {{{{ name }}}}, for and if are allowed")
    return environment.from_string(text)


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadPrompt(f"{path}: {error}") from None
