"""Command line options for tasks in environments of BrowserGym."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from evaluators.commands.repetition import several

_OPTIONS = (
    several(
        "--env",
        "environments",
        metavar="ID",
        help="Environments of BrowserGym, such as browsergym/miniwob.click-button (seed 0 unless"
        " --seeds says otherwise).",
    ),
    click.option(
        "--gym-python",
        envvar="REHEARSE_GYM_PYTHON",
        default=sys.executable,
        help="The Python that has BrowserGym (default: this one).",
    ),
    click.option(
        "--env-seconds",
        type=click.FloatRange(min=0, min_open=True),
        default=180.0,
        show_default=True,
        help="How long an environment may take for a reset or a step.",
    ),
    click.option(
        "--prompts-as",
        default="",
        help="Play environments with the prompts of this site (default: the nearest ones).",
    ),
)


def environment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the environment options to a click command, which gets them as one argument
    `environments`.
    """

    @functools.wraps(command)
    def with_request(
        environments: Sequence[str],
        gym_python: str,
        env_seconds: float,
        prompts_as: str,
        **options: Any,
    ) -> Any:
        from evaluators.run.environments import EnvironmentRequest
        from evaluators.run.environments import gym_python as python

        if prompts_as and not environments:
            raise click.UsageError("--prompts-as is for environments; add --env browsergym/ID")
        request = EnvironmentRequest(environments, prompts_as, python(gym_python, env_seconds))
        return command(environments=request, **options)

    for option in reversed(_OPTIONS):
        with_request = option(with_request)
    return with_request
