"""Score the answers of a client of WebArena against the worlds that a server keeps.

The server is `rehearse serve --webarena`. It has the end state of each visit; the answers come from
the client's own folder of results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from evaluators.integrations.webarena import answers, folder
from evaluators.integrations.webarena.folder import ExportedVisit
from rehearsal_errors import RehearsalError, RunFailed
from sites.server import HOST

ADDRESS = re.compile(r"http://[^/:?#]+:(?P<port>[0-9]{1,5})/?\?token=(?P<token>[0-9a-f]+)")
SECONDS = 60
NOT_OPEN = 404
REMEDY = "give the address with the token that `rehearse serve --webarena` printed"


class BadServer(RehearsalError, ValueError):
    """The address is no address of a control plane with its token."""


class NoServer(RunFailed):
    """The server does not answer, or refuses the call."""


@dataclass(frozen=True)
class TaskScore:
    """The score of a task.

    Attributes:
        task_id: The number of the task.
        scenario: The scenario.
        answer: The client's answer.
        success: Whether the visit succeeded; None if the task was not opened on this server.
        progress: The progress from 0 to 1, None as before.
        failed: The names of the checks that failed.
    """

    task_id: int
    scenario: str
    answer: str
    success: bool | None
    progress: float | None = None
    failed: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "failed": [*self.failed]}

    def line(self) -> str:
        """Return the score as a line of text."""
        if self.success is None:
            word = "not opened on this server"
        elif self.success:
            word = "success"
        else:
            word = f"failed: {', '.join(self.failed) or 'no check'}"
        return f"{self.task_id:4} {self.scenario:40} {word}"


def scores(results: Path, tasks: Path, server: str) -> Iterator[TaskScore]:
    """Yield the score of each task that has an answer.

    An answer counts once. A task that was scored before keeps its first answer.

    Args:
        results: The client's folder of results.
        tasks: The folder of the exported tasks.
        server: The address of the control plane with its token, as the server printed it.

    Raises:
        BadResults: The results cannot be read, or have a task that was not exported.
        BadTasks: The folder of tasks cannot be read.
        BadServer: The address has no token.
        NoServer: The server does not answer, or refuses the call.
    """
    visits = {each.task_id: each for each in folder.read(tasks)}
    given = answers.read(results)
    if strange := [number for number in given if number not in visits]:
        raise answers.BadResults(
            f"{results} has an answer for task {strange[0]}, which {tasks} does not have",
            "name the folder whose tasks the client played",
        )
    url, token = _address(server)
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(base_url=url, headers=headers, timeout=SECONDS, trust_env=False) as client:
        for number, answer in given.items():
            yield _scored(client, visits[number], answer)


def summary(made: list[TaskScore]) -> str:
    """Return a line with the number of successes."""
    opened = [each for each in made if each.success is not None]
    missing = len(made) - len(opened)
    more = f"; {missing} not opened on this server" if missing else ""
    return f"{sum(bool(each.success) for each in opened)} of {len(opened)} succeeded{more}"


def _scored(client: httpx2.Client, visit: ExportedVisit, answer: str) -> TaskScore:
    """Finish a visit with its answer, and return its score."""
    reply = _finish(client, {"scenario": visit.start, "answer": answer})
    if reply is None:
        return TaskScore(visit.task_id, visit.scenario, answer, None)
    failed = tuple(each["name"] for each in reply["checks"] if not each["held"])
    return TaskScore(
        visit.task_id, visit.scenario, answer, reply["success"], reply["progress"], failed
    )


def _finish(client: httpx2.Client, sent: Mapping[str, str]) -> Any:
    """Return the server's reply, or None if the visit is not open there."""
    try:
        reply = client.post("/finish", json=sent)
        if reply.status_code == NOT_OPEN:
            return None
        reply.raise_for_status()
        return reply.json()
    except httpx2.HTTPStatusError as error:
        raise NoServer(
            f"the server refused the call ({error.response.status_code})", REMEDY
        ) from None
    except (httpx2.HTTPError, ValueError) as error:
        raise NoServer(f"the server does not answer ({type(error).__name__})", REMEDY) from None


def _address(server: str) -> tuple[str, str]:
    """Return the address and the token of a control plane, which is always on this machine."""
    found = ADDRESS.fullmatch(server.strip())
    if found is None:
        raise BadServer(f"{server[:80]!r} is no address with a token", REMEDY)
    return f"http://{HOST}:{found['port']}", found["token"]
