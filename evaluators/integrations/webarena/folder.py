"""A folder of exported tasks: the tasks in WebArena's form, and the visits that they lead to.

The folder holds the solutions. No site serves it, and the agent's browser must not be able to open
it.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError

from agent import plain_files
from evaluators.records import files, untrusted_json
from evaluators.records.models import Record
from evaluators.records.untrusted_json import BadJson
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.scenario import Scenario

VISITS = "visits.json"
HEXADECIMAL = "^[0-9a-f]{32}$"
REMEDY = "export the tasks again with `rehearse export --to webarena SUITE -o FOLDER`"


class BadTasks(RehearsalError, ValueError):
    """A folder is no folder of exported tasks, or its tasks are no longer drawn like that."""


class ExportedVisit(Record):
    """The visit of an exported task.

    Attributes:
        task_id: The number of the task.
        scenario: The name of the scenario.
        digest: The digest of the scenario when it was exported.
        start: The secret in the address that opens the visit.
        verdict: The secret in the address that ends the visit and shows the verdict.
    """

    task_id: int = Field(ge=0)
    scenario: str
    digest: str
    start: str = Field(pattern=HEXADECIMAL)
    verdict: str = Field(pattern=HEXADECIMAL)

    @classmethod
    def new(cls, task_id: int, scenario: Scenario) -> Self:
        """Return the visit of a scenario, with new secrets."""
        start, verdict = secrets.token_hex(16), secrets.token_hex(16)
        return cls(
            task_id=task_id,
            scenario=scenario.name,
            digest=scenario.digest(),
            start=start,
            verdict=verdict,
        )

    def drawn(self) -> Scenario:
        """Draw the scenario.

        Raises:
            BadTasks: The scenario is unknown, or differs from the exported one.
        """
        try:
            scenario = registry.scenario(self.scenario)
        except RehearsalError as error:
            raise BadTasks(f"task {self.task_id}: {error.problem}", REMEDY) from None
        if scenario.digest() != self.digest:
            raise BadTasks(
                f"task {self.task_id}: this version of Rehearsal draws {self.scenario} differently",
                REMEDY,
            )
        return scenario


class ExportedVisits(Record):
    """The file `visits.json`: the visits of all tasks of a folder."""

    webarena_visits: Literal[1] = 1
    visits: tuple[ExportedVisit, ...]


def write(
    folder: Path, visits: Iterable[ExportedVisit], tasks: Sequence[object], name: str
) -> None:
    """Write a folder of exported tasks.

    Args:
        folder: The folder, which is made if it is missing.
        visits: The visits of the tasks.
        tasks: The tasks.
        name: The name of the file with the tasks.

    Raises:
        NotWritten: A file could not be written.
    """
    files.write(folder / name, files.json_bytes(tasks))
    files.write(folder / VISITS, files.json_bytes(ExportedVisits(visits=(*visits,)).to_json()))


def read(folder: Path) -> tuple[ExportedVisit, ...]:
    """Return the visits of a folder of exported tasks.

    Raises:
        BadTasks: The folder has no such file, or the file cannot be read.
    """
    path = folder / VISITS
    try:
        value = untrusted_json.read(plain_files.read(path, 0, plain_files.MOST))
        visits = files.parse(ExportedVisits, value).visits
    except FileNotFoundError:
        raise BadTasks(f"there is no {path}", REMEDY) from None
    except OSError as error:
        raise BadTasks(f"{path}: {error.strerror or error}", REMEDY) from None
    except (BadJson, RecursionError) as error:
        raise BadTasks(f"{path}: {error}", REMEDY) from None
    except ValidationError as error:
        raise BadTasks(f"{path}: {files.first_error(error)}", REMEDY) from None
    _check(path, visits)
    return visits


def _check(path: Path, visits: Sequence[ExportedVisit]) -> None:
    """Raise `BadTasks` if two visits have the same number or secret, or there is none."""
    if not visits:
        raise BadTasks(f"{path} has no visits", REMEDY)
    secret = [text for each in visits for text in (each.start, each.verdict)]
    for counted in (Counter(each.task_id for each in visits), Counter(secret)):
        [(value, times)] = counted.most_common(1)
        if times > 1:
            raise BadTasks(f"{path}: {value} stands {times} times", REMEDY)
