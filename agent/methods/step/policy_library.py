"""A site's library of policies: each file of `agent/prompts/step/<site>/` is one (SteP, section 4).
A site without such a folder gets the library for any website.

`root.toml` is the policy at the bottom of the stack. Every policy can call every other policy and
itself by the name of its file; `calls` restricts that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

from agent import actions, plugins, prompting
from agent.prompting import BadPrompt

ROOT = "root"
STRONG = "strong"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True)
class Example:
    """An example turn of a policy: its input and the right reply.

    Turns of the same trajectory follow one another and share one objective. `previous` contains the
    lines of the history.
    """

    objective: str
    observation: str
    url: str
    action: str
    reason: str = ""
    previous: tuple[str, ...] = ()


@dataclass(frozen=True)
class Policy:
    """A policy that the library defines.

    Attributes:
        name: Name of the policy's file.
        description: One line, `name [argument] ...: its purpose`.
        instruction: Advice for the prompt.
        examples: Example turns.
        calls: Names of the policies that it may call; None for the whole library.
        tier: "" or "strong".
        steps: Steps of families that the policy serves; the scripted model and Flat read them.
    """

    name: str
    description: str
    instruction: str
    examples: tuple[Example, ...] = ()
    calls: tuple[str, ...] | None = None
    tier: str = ""
    steps: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """The form of a call of this policy: `name [argument] ...`."""
        return self.description.partition(":")[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the policy's arguments."""
        return actions.call(self.form)[1]

    @property
    def arity(self) -> int:
        """The number of the policy's arguments."""
        return len(self.arguments)


@dataclass(frozen=True)
class Library:
    """A site's library of policies: the root policy, and the other policies by name."""

    root: Policy
    policies: Mapping[str, Policy] = field(default_factory=dict)

    @property
    def all(self) -> tuple[Policy, ...]:
        """All policies of the library, the root first."""
        return (self.root, *self.policies.values())

    def offered(self, policy: Policy) -> dict[str, Policy]:
        """Return the policies that a policy may call, by name."""
        if policy.calls is None:
            return dict(self.policies)
        return {name: self.policies[name] for name in policy.calls}


def check_prompts(method: str, site: str, folder: Path) -> None:
    """Raise `BadPrompt` if a method's prompts or the library of a site cannot be used."""
    prompting.load(method, site, folder).operations()
    load(site, folder)


def files_of(site: str, folder: Path = prompting.FOLDER) -> dict[str, Path]:
    """Return the files of a site's library by the names of their policies.

    Raises:
        BadPrompt: The library has no root policy.
    """
    home = prompting.of_site(folder / "step", site)
    files = {path.stem: path for path in sorted(home.glob("*.toml"))}
    if ROOT not in files:
        raise BadPrompt(f"{home}: there is no {ROOT}.toml; a library begins with it")
    return files


@cache
def load(site: str, folder: Path = prompting.FOLDER) -> Library:
    """Return the library of a site.

    Raises:
        BadPrompt: A file is missing or invalid; the message names the file and the remedy.
    """
    files = files_of(site, folder)
    known = [name for name in files if name != ROOT]
    made = {name: _policy(name, path) for name, path in files.items()}
    for name, path in files.items():
        _check(made[name], path, known, made)
    return Library(made.pop(ROOT), made)


_FIELDS = {each.name for each in fields(Policy)} - {"name"}
_OTHERS = {"source", "covers", "trajectories", "flat"}
OF_FLAT = {"task", "before", "ends", "does", "why"}
"""Keys of examples, trajectories and their turns that only the baseline Flat reads."""


def _policy(name: str, path: Path) -> Policy:
    """Return the policy in a file. Raises `BadPrompt`."""
    data = prompting.parse(path)
    wrong = sorted(data.keys() - _FIELDS - _OTHERS)
    lacking = [key for key in ("description", "instruction") if not data.get(key)]
    if wrong or lacking:
        why = f"leave out {wrong[0]}" if wrong else f"there is no {lacking[0]}; add it"
        raise BadPrompt(f"{path}: {why}")
    values = {key: data[key] for key in data.keys() & _FIELDS}
    for key in values.keys() & {"calls", "steps"}:
        values[key] = tuple(values[key])
    examples = [_example(_of_step(each), path) for each in data.get("examples", ())]
    for trajectory in data.get("trajectories", ()):
        examples += _turns(trajectory, path)
    values["examples"] = tuple(examples)
    return Policy(name, **values)


def _of_step(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of an example or turn that SteP reads."""
    return {key: value for key, value in data.items() if key not in OF_FLAT}


_OF_TURNS = {"page", "returns"}
"""Keys of turns that examples do not have."""


def _turns(trajectory: Mapping[str, Any], path: Path) -> Iterator[Example]:
    """Yield the turns of a trajectory, each with the turns before it as its history.

    A trajectory that begins in the middle of a task gives the earlier actions in `previous`.
    """
    previous: list[str] = [*trajectory.get("previous", ())]
    url = ""
    for turn in trajectory.get("turns", ()):
        own = {key: value for key, value in _of_step(turn).items() if key not in _OF_TURNS}
        url = own.setdefault("url", url)
        known = {"objective": trajectory.get("objective", ""), "observation": turn.get("page", "")}
        made = _example({**known, **own, "previous": previous}, path)
        yield made
        returns = turn.get("returns", "")
        previous.append(f"{returns} = {made.action}" if returns else made.action)


def _example(data: Mapping[str, Any], path: Path) -> Example:
    """Return an example from its table. Raises `BadPrompt`."""
    try:
        made = Example(**data)
    except TypeError as error:
        raise BadPrompt(f"{path}: an example: {error}; mend it there") from None
    return Example(**{**data, "previous": tuple(made.previous)})


def _check(policy: Policy, path: Path, known: Collection[str], made: Mapping[str, Policy]) -> None:
    """Raise `BadPrompt` if a policy's name, tier, list of callable policies, description or
    examples are invalid.
    """
    if not _NAME.fullmatch(policy.name) or policy.name in actions.VERBS:
        raise BadPrompt(f"{path}: a policy cannot be called {policy.name!r}; rename the file")
    if policy.tier not in ("", STRONG):
        raise BadPrompt(f"{path}: tier {policy.tier!r} is none; write {STRONG!r} or leave it out")
    _check_description(policy, path)
    for name in policy.calls or ():
        _among(name, known, f"{path}: calls")
    for example in policy.examples:
        _check_action(example.action, path, known, made)


def _check_description(policy: Policy, path: Path) -> None:
    """Raise `BadPrompt` unless the policy's description begins with its name and arguments, as
    prompts show them.
    """
    where = f"{path}: the description {policy.description!r}"
    if "\n" in policy.description.strip():
        raise BadPrompt(f"{where} is more than a line; shorten it")
    if policy.name == ROOT:
        return
    try:
        name, arguments = actions.call(policy.form)
    except actions.BadAction as error:
        raise BadPrompt(f"{where}: {error}") from None
    if name != policy.name or not arguments:
        raise BadPrompt(f"{where} must begin with `{policy.name} [argument]:`")


def _check_action(
    text: str, path: Path, known: Collection[str], made: Mapping[str, Policy]
) -> None:
    """Raise `BadPrompt` unless an example's action is a valid operation or call."""
    where = f"{path}: an example's action"
    try:
        name, arguments = actions.call(text)
        if name in actions.VERBS:
            actions.parse(text)
            return
    except actions.BadAction as error:
        raise BadPrompt(f"{where}: {error}") from None
    _among(name, known, where)
    if len(arguments) != made[name].arity:
        raise BadPrompt(f"{where} {text!r}: write {made[name].form}")


def _among(name: str, known: Iterable[str], where: str) -> None:
    """Raise `BadPrompt` unless the name is one of the known policies; `where` begins the
    message.
    """
    if name not in known:
        raise BadPrompt(f"{where}: {plugins.unknown('policy', name, known)}")
