"""An environment of OpenEnv with the tasks of the text lane; needs the extra `openenv`.

`application` makes the server, and `clients/openenv-rehearsal` is the folder that OpenEnv's
commands read. An episode is chosen by `reset(split=..., index=...)`; a model acts by the named
tools of `evaluators.integrations.tools`. Observations hold the page as text, and nothing of the
solution. An episode that fails by our fault ends with an error and has no reward.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from random import SystemRandom
from typing import Any, TypeVar
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import (
    CallToolAction,
    CallToolObservation,
    ListToolsAction,
    ListToolsObservation,
    Tool,
    ToolError,
    ToolErrorType,
)
from openenv.core.env_server.types import EnvironmentMetadata, Observation, State
from pydantic import Field, TypeAdapter, ValidationError, validate_call

from agent import actions
from agent.interface import Action
from evaluators.integrations.ground_thread import GroundThread, shared
from evaluators.integrations.tools import NAMES, Tools, task_of
from evaluators.training import splits
from evaluators.training.session import LIMIT, EpisodeOver, Session, StepResult
from evaluators.training.splits import BadIndex, Split
from rehearsal_errors import RehearsalError, RunFailed

NAME = "rehearsal"
SPLIT = "reply:train"
"""The split of a reset that names none."""
PREVIEW = 100
"""The most tasks that a list of a split has."""
Result = TypeVar("Result")


class Refused(RehearsalError):
    """A request that was refused; the message begins with the name of the error."""


class EpisodeFailed(RunFailed):
    """An episode failed by our fault; it has no reward."""


class Opened(Observation):
    """The first observation of an episode.

    Attributes:
        goal: The task in words.
        text: The page as a tree; a number in brackets names an element.
    """

    goal: str = Field(default="", description="The task in words")
    text: str = Field(default="", description="The page; [12] is the number of an element")


# Tools ------------------------------------------------------------------------------------------


class _Reader(Tools):
    """Tools that return their action instead of performing it."""

    def _perform(self, action: Action) -> Any:
        return action


@cache
def _reader(name: str) -> Callable[..., Action]:
    """Return the function that checks the arguments of a tool and returns its action."""
    checked: Callable[..., Action] = validate_call(getattr(_Reader(), name))
    return checked


class BadCall(ValueError):
    """A call of a tool that names no tool, or gives it wrong arguments."""

    def __init__(self, kind: ToolErrorType, message: str) -> None:
        super().__init__(message)
        self.error = ToolError(error_type=kind, message=message)


def tools() -> list[Tool]:
    """Return the tools with their descriptions and the schemas of their arguments."""
    return [_tool(name) for name in NAMES]


def _tool(name: str) -> Tool:
    method = getattr(_Reader(), name)
    described = inspect.getdoc(method) or ""
    schema = TypeAdapter(method).json_schema()
    for argument, meaning in re.findall(r"^ +(\w+): (.*)$", described, re.MULTILINE):
        schema["properties"][argument]["description"] = meaning
    summary = described.partition("\n")[0]
    return Tool(name=name, description=summary, input_schema=schema)


def action_of(name: str, arguments: Mapping[str, Any]) -> Action:
    """Return the action of a call of a tool. An argument that is None counts as left out.

    Raises:
        BadCall: There is no such tool, or an argument is missing, wrong or too long.
    """
    if name not in NAMES:
        known = ", ".join(NAMES)
        raise BadCall(
            ToolErrorType.TOOL_NOT_FOUND, f"there is no tool {name[:100]!r}; call {known}"
        )
    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        action = _reader(name)(**given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadCall(ToolErrorType.INVALID_ARGS, f"{name}: {where}: {first['msg']}") from None
    if len(actions.show(action)) > actions.LONGEST:
        limit = f"{name}: the arguments are longer than {actions.LONGEST} characters"
        raise BadCall(ToolErrorType.INVALID_ARGS, f"{limit}; write shorter ones")
    return action


# The environment --------------------------------------------------------------------------------


@contextmanager
def _named() -> Iterator[None]:
    """Put the name of an error before its message, because clients get the message only."""
    try:
        yield
    except RehearsalError as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


class TextEnvironment(Environment[CallToolAction, Observation, State]):
    """One client's place on the training ground of this process.

    Args:
        shaping: The reward for reaching progress 1, which is spread over the steps; 0 for none.
        sessions: The most sessions of this process.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True
    REQUIRES_SINGLE_THREAD_EXECUTOR = True  # one thread makes and closes all environments

    def __init__(self, shaping: float = 0.0, sessions: int = LIMIT) -> None:
        super().__init__()
        self._ground: Callable[[], GroundThread] = partial(shared, shaping, sessions)
        self._session: Session | None = None
        self._state = State()

    # Episodes

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str = SPLIT,
        index: int | None = None,
        **others: Any,
    ) -> Opened:
        """Open an episode.

        Args:
            seed: The index of the task, if `index` is not given.
            episode_id: The name of the episode in `state`; None for a new one.
            split: A split, such as "reply:train" or "forum-60".
            index: The index of the task in the split; None for the seed, or for a random one if
                there is no seed either.
            **others: Ignored.

        Returns:
            The task in words and its first page.

        Raises:
            Refused: There is no such split or task, or there are too many sessions.
        """
        return self._wait(self._open(split, seed if index is None else index, episode_id))

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **others: Any
    ) -> Opened:
        """Open an episode as `reset` does."""
        split, index = others.get("split", SPLIT), others.get("index", seed)
        return await self._later(self._open(split, seed if index is None else index, episode_id))

    def step(
        self, action: Any, timeout_s: float | None = None, **others: Any
    ) -> CallToolObservation | ListToolsObservation:
        """Call a tool, or list the tools.

        Args:
            action: A `CallToolAction`, or a `ListToolsAction`, which needs no episode.
            timeout_s: Ignored: a step takes milliseconds.
            **others: Ignored.

        Returns:
            The page after the action. `error` says why an action was refused.

        Raises:
            Refused: No episode is open, another step of this episode is not done, or the episode
                has failed by our fault.
        """
        return self._wait(self._step(action))

    async def step_async(
        self, action: Any, timeout_s: float | None = None, **others: Any
    ) -> CallToolObservation | ListToolsObservation:
        """Call a tool as `step` does."""
        return await self._later(self._step(action))

    @property
    def state(self) -> State:
        """The name of the episode and the number of its steps."""
        return self._state

    def close(self) -> None:
        """Close the session; the environment can be reset again."""
        session, self._session = self._session, None
        if session is not None:
            self._wait(session.close())

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the name, the description and the version of the environment."""
        return EnvironmentMetadata(
            name=NAME, description="Seeded tasks on web sites, without a browser", version="0.2.0"
        )

    async def _open(self, split: Any, index: Any, episode_id: str | None) -> Opened:
        chosen = splits.split(str(split))
        scenario = chosen.scenario(_number(index, chosen))
        if self._session is None or self._session.closed:
            self._session = await self._ground().ground.session()
        first = _unmasked(await self._session.reset(scenario))
        self._state = State(episode_id=episode_id or uuid4().hex)
        return Opened(goal=task_of(self._session), text=first.text)

    async def _step(self, action: Any) -> CallToolObservation | ListToolsObservation:
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=tools())
        if self._session is None:
            raise EpisodeOver("no episode is open", "reset the environment")
        self._state.step_count += 1
        try:
            made = action_of(action.tool_name, action.arguments)
        except BadCall as wrong:
            return CallToolObservation(tool_name=action.tool_name, error=wrong.error, reward=0.0)
        turn = _unmasked(await self._session.step(made))
        return _seen(action.tool_name, turn)

    def _wait(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        with _named():
            return self._ground().run(coroutine)

    async def _later(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        ground = await asyncio.to_thread(self._ground)  # the first call opens the sites
        with _named():
            return await asyncio.wrap_future(ground.submit(coroutine))

    # Tasks, as OpenEnv's `TaskProvider`

    def list_splits(self) -> list[str]:
        """Return the names of all splits."""
        return splits.names()

    def num_tasks(self, split: str) -> int:
        """Return the number of tasks of a split.

        Raises:
            Refused: There is no such split.
        """
        with _named():
            return len(splits.split(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return the name of a task, its split and its index.

        Raises:
            Refused: There is no such split or task.
        """
        with _named():
            splits.split(split).scenario(index)
        return {"id": f"{split}/{index}", "split": split, "index": index}

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return the tasks from `start` to `stop`, as a slice does, but at most `PREVIEW`."""
        found = range(self.num_tasks(split))[start:stop][:PREVIEW]
        return [self.get_task(split, index) for index in found]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the first `PREVIEW` tasks of a split."""
        return self.get_task_range(split)


def _number(index: Any, split: Split) -> int:
    """Return the index of a task; a random index for None. Raise `BadIndex` for no whole number."""
    if index is None:
        return SystemRandom().randrange(len(split))
    if not isinstance(index, int):
        raise BadIndex(f"{str(index)[:80]!r} is no index", "give a whole number from 0")
    return index


def _unmasked(turn: StepResult) -> StepResult:
    """Return a turn of an episode that has not failed by our fault; else raise `EpisodeFailed`.

    The fault is logged here, because a client has no use for it.
    """
    if turn.is_masked:
        logging.getLogger(__name__).error("an episode failed:\n%s", turn.info["fault"])
        raise EpisodeFailed("the episode failed by a fault of Rehearsal", "leave it out")
    return turn


def _seen(tool: str, turn: StepResult) -> CallToolObservation:
    refused = ToolError(error_type=ToolErrorType.EXECUTION_ERROR, message=turn.error)
    return CallToolObservation(
        tool_name=tool,
        result=turn.text,
        error=refused if turn.error else None,
        reward=turn.reward,
        done=turn.done,
        metadata={"truncated": True} if turn.truncated else {},
    )


# The server -------------------------------------------------------------------------------------


def application(sessions: int = LIMIT, shaping: float = 0.0) -> FastAPI:
    """Return OpenEnv's server for these tasks.

    Args:
        sessions: The most sessions at once.
        shaping: The reward for reaching progress 1, which is spread over the steps; 0 for none.
    """
    made = create_app(
        partial(TextEnvironment, shaping, sessions),
        CallToolAction,
        CallToolObservation,
        env_name=NAME,
        max_concurrent_envs=sessions,
        reset_observation_cls=Opened,
    )
    made.add_exception_handler(RehearsalError, _refusal)
    return made


async def _refusal(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, status_code=400)
