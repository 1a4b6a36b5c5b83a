"""`rehearse mcp`: run the method `outside`, with an MCP client on stdin and stdout."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from evaluators.episode.channel import Channel
from evaluators.records.models import EpisodeRecord
from evaluators.run import arguments, progress
from evaluators.run.arguments import RunRequest
from evaluators.run.config import PROCESSES
from evaluators.server import mcp_server
from rehearsal_errors import FAILED, RehearsalError

NAME = re.compile(r"[\w.-]*")


class BadName(RehearsalError, ValueError):
    """A client's name that cannot stand in an agent's."""


def serve(say: Callable[[str], None], client: str, **options: Any) -> int:
    """Run the tasks as the client asks for them; the exit code.

    `say` gets the progress, without tasks and verdicts: the client may read that, too.
    """
    mcp_server.check()
    request = read(client, **options)
    channel = Channel()
    count = Count(request.total, len(list(progress.recorded(request.out))), say)
    server = mcp_server.start(channel)
    config = replace(request.config, client=channel)
    replace(request, config=config).carry_out(count)
    channel.close()
    say(count.ending(f"{request.out}"))
    if not channel.is_gone:  # else it may wait for a client that a signal has ended
        server.join()
    return 0 if count.is_complete else FAILED


def read(client: str, **options: Any) -> RunRequest:
    """The run that is asked for. Raises `RehearsalError`."""
    if not NAME.fullmatch(client):
        raise BadName(f"--client {client!r}", "write letters, digits, dots, - and _")
    name = f"outside:client={client}" if client else "outside"
    unset: dict[str, Any] = dict.fromkeys(("skill", "prompts", "max_cost", "max_run_cost"))
    return arguments.parse(name, **options, **unset, processes=1, concurrency=1, engine=PROCESSES)


@dataclass
class Count:
    """How many tasks are done."""

    total: int
    done: int
    say: Callable[[str], None]

    def __call__(self, record: EpisodeRecord) -> None:
        self.done += record.is_scored
        self.say(f"{self.done}/{self.total} tasks are done")

    @property
    def is_complete(self) -> bool:
        return self.done == self.total

    def ending(self, run: str) -> str:
        """What is said when no task is left, or the client has gone."""
        if self.is_complete:
            return f"all tasks are done: rehearse report {run}"
        left = self.total - self.done
        return f"{left} of {self.total} tasks are left; the same command resumes the run (-o {run})"
