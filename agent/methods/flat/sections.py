"""The library of SteP told for one agent: each policy is a section of advice that calls nothing,
with examples of whole tasks.

The sections are read from the same files as the policies. The table `[flat]` of a policy's file has
the section's title, and by its number each point that is told in another way. The keys `task`,
`before` and `ends` of an example or trajectory, and `does` and `why` of its turns, tell its place
in a whole task.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from agent import actions, prompting
from agent.methods.step import policy_library
from agent.methods.step.policy_library import ROOT, Example, Library, Policy
from agent.prompting import BadPrompt

OBJECTIVE = "objective"
"""The first argument of a policy that gets the whole task from its caller."""
STOP = "stop"
_POINT = re.compile(r"(\d+)\. ")


@dataclass(frozen=True)
class Section:
    """The advice of one policy for an agent that does the whole task.

    Attributes:
        name: The policy's name.
        title: The section's heading.
        points: The lines of advice.
        trajectories: The examples, those of one task together.
        steps: The steps of families that the policy serves.
    """

    name: str
    title: str
    points: tuple[str, ...]
    trajectories: tuple[tuple[Example, ...], ...]
    steps: tuple[str, ...]


def check_prompts(site: str, folder: Path) -> None:
    """Raise `BadPrompt` if Flat's prompts or the sections of a site cannot be used."""
    policy_library.check_prompts("flat", site, folder)
    load(site, folder)


@cache
def load(site: str, folder: Path = prompting.FOLDER) -> tuple[Section, ...]:
    """Return the sections of a site's library, in the order in which the policies mention one
    another.

    Args:
        site: The site.
        folder: The folder of prompts.

    Returns:
        The sections, the root policy's first.

    Raises:
        BadPrompt: A section names a policy, as if it could be called, or has a wrong key.
    """
    library = policy_library.load(site, folder)
    files = policy_library.files_of(site, folder)
    policies = {policy.name: policy for policy in library.all}
    return tuple(_section(policies[name], files[name], policies) for name in _in_order(library))


def _in_order(library: Library) -> list[str]:
    """Return the names of all policies, each after the first that mentions it, from the root on."""
    policies = {policy.name: policy for policy in library.all}
    found: list[str] = []

    def mention(name: str) -> None:
        if name in policies and name not in found:
            found.append(name)
            for each in re.findall(r"[a-z_]+", policies[name].instruction):
                mention(each)

    for name in policies:
        mention(name)
    return found


def _section(policy: Policy, path: Path, known: Collection[str]) -> Section:
    data = prompting.parse(path)
    changed = _changed(data, path)
    title = changed.pop("title", policy.name.replace("_", " ").capitalize())
    points = tuple(_points(policy, changed, path))
    _check(points, known, path)
    found = [*_of_examples(policy, data), *_of_trajectories(policy, data, path)]
    whole = (tuple(turns) for turns in found if turns)
    examples = tuple(tuple(_titled(title, each) for each in turns) for turns in whole)
    return Section(policy.name, title, points, examples, policy.steps)


def _changed(data: Mapping[str, Any], path: Path) -> dict[str, str]:
    """Return the table `[flat]` of a file. Raises `BadPrompt` if it holds anything but texts."""
    table = data.get("flat", {})
    if not isinstance(table, Mapping) or not all(isinstance(each, str) for each in table.values()):
        raise BadPrompt(f"{path}: flat is no table of texts", 'write [flat] and title = "..."')
    return dict(table)


def _points(policy: Policy, changed: Mapping[str, str], path: Path) -> list[str]:
    """Return the lines of a policy's instruction, with the changed points. Raises `BadPrompt`."""
    lines = policy.instruction.strip().split("\n")
    numbers = [found[1] if (found := _POINT.match(line)) else "" for line in lines]
    if strange := sorted(changed.keys() - {*numbers}):
        raise BadPrompt(
            f"{path}: [flat] {strange[0]}: the instruction has no such point", "mend it"
        )
    return [
        f"{number}. {changed[number]}" if number in changed else line
        for number, line in zip(numbers, lines, strict=True)
    ]


def _check(points: Collection[str], known: Collection[str], path: Path) -> None:
    """Raise `BadPrompt` if a point names a policy, which Flat cannot call."""
    for point in points:
        named = [name for name in re.findall(r"[a-z_]+", point) if name in known and "_" in name]
        if named:
            number = point.partition(".")[0]
            raise BadPrompt(
                f"{path}: point {number} names {named[0]}, which Flat cannot call",
                f'tell it for one agent under [flat], as {number} = "..."',
            )


# Examples ----------------------------------------------------------------------------------------


def _of_examples(policy: Policy, data: Mapping[str, Any]) -> Iterator[list[Example]]:
    """Yield the single examples that tell a whole task's history, those of one task together."""
    found: dict[str, list[Example]] = {}
    for each in data.get("examples", ()):
        task = each.get("task") or _task(policy, each["objective"])
        history = tuple(each.get("before", each.get("previous", ())))
        if task and _all_operations(history) and _is_shown(each["action"], each.get("ends")):
            turn = _example(task, each["observation"], each["url"], each, history)
            found.setdefault(task, []).append(turn)
    yield from found.values()


def _of_trajectories(
    policy: Policy, data: Mapping[str, Any], path: Path
) -> Iterator[list[Example]]:
    """Yield the turns of each trajectory."""
    for each in data.get("trajectories", ()):
        task = each.get("task") or _task(policy, each.get("objective", ""))
        yield list(_turns(task, each, path)) if task else []


def _turns(task: str, trajectory: Mapping[str, Any], path: Path) -> Iterator[Example]:
    """Yield the turns of a trajectory that act on the page, up to the first whose history cannot
    be told: after a call that does not say what it does.
    """
    history, url = [*trajectory.get("before", trajectory.get("previous", ()))], ""
    for turn in trajectory.get("turns", ()):
        url = turn.get("url", url)
        if not _all_operations(history):
            return
        if _is_shown(turn["action"], trajectory.get("ends")):
            yield _example(task, turn.get("page", ""), url, turn, tuple(history))
        history += _checked(turn.get("does", [turn["action"]]), path)


def _example(
    task: str, page: str, url: str, turn: Mapping[str, Any], history: tuple[str, ...]
) -> Example:
    reason = turn.get("why") or turn.get("reason", "")
    return Example(task, page, url, turn["action"], reason, history)


def _task(policy: Policy, objective: str) -> str:
    """Return the whole task of an example whose policy gets it: the root's objective, or the first
    value of a call that passes it on; else "".
    """
    if policy.name == ROOT:
        return objective
    if policy.arguments[0] != OBJECTIVE:
        return ""
    try:
        return actions.call(objective)[1][0]
    except (actions.BadAction, IndexError):  # the example's objective is no call
        return ""


def _checked(lines: list[str], path: Path) -> list[str]:
    """Return the lines of a history. Raises `BadPrompt` if an action is malformed."""
    for line in lines:
        try:
            actions.call(line)
        except actions.BadAction as error:
            raise BadPrompt(f"{path}: does: {error}", "mend it there") from None
    return lines


def _is_shown(action: str, ends: object) -> bool:
    """Return whether Flat does an example's action, too: one on the page, or the stop that ends
    the whole task.
    """
    name = action.partition(" ")[0]
    return bool(ends) if name == STOP else name in actions.VERBS


def _all_operations(history: Collection[str]) -> bool:
    return all(line.partition(" ")[0] in actions.VERBS for line in history)


def _titled(title: str, example: Example) -> Example:
    """Return the example with the section's title before the point that its reason names."""
    return replace(example, reason=re.sub(r"^Point (?=\d)", f"{title}, point ", example.reason))
