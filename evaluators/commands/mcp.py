"""`rehearse mcp`: let an MCP client on stdin and stdout decide the actions of the agent
`outside`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from evaluators.episode.channel import Channel
from evaluators.records.models import EpisodeRecord
from evaluators.run import arguments, progress
from evaluators.run.arguments import RunRequest
from evaluators.run.clients import name_of
from evaluators.run.engines import PROCESSES
from evaluators.server import mcp_server
from rehearsal_errors import FAILED


def serve(say: Callable[[str], None], client: str, **options: Any) -> int:
    """Run the tasks of `rehearse mcp` as the client asks for them.

    Args:
        say: Called with lines of progress. They mention no tasks and no verdicts, since the client
            may read them.
        client: The client's name, which becomes part of the agent's name; may be "".
        **options: Options of `rehearse mcp`, as `read` takes them.

    Returns:
        The exit code: 0 if every task is done.
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
    """Return the run that the options of `rehearse mcp` ask for.

    Raises:
        RehearsalError: An option is wrong.
    """
    name = name_of(client, "--client")
    unset: dict[str, Any] = dict.fromkeys(("prompts", "max_cost", "max_run_cost"))
    return arguments.parse([name], **options, **unset, processes=1, concurrency=1, engine=PROCESSES)


@dataclass
class Count:
    """A counter of finished tasks that reports progress to `say` after each episode."""

    total: int
    done: int
    say: Callable[[str], None]

    def __call__(self, record: EpisodeRecord) -> None:
        self.done += record.is_scored
        self.say(f"{self.done}/{self.total} tasks are done")

    @property
    def is_complete(self) -> bool:
        """Whether all tasks are done."""
        return self.done == self.total

    def ending(self, run: str) -> str:
        """Return the last line of the output: all tasks are done, or the number left and how to
        resume.
        """
        if self.is_complete:
            return f"all tasks are done: rehearse report {run}"
        left = self.total - self.done
        return f"{left} of {self.total} tasks are left; the same command resumes the run (-o {run})"
