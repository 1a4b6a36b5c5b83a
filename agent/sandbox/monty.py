"""Runs programs in Monty, an interpreter for a subset of Python, in subprocesses.

A program runs in a worker process without files, sockets, clock or environment. Each access to the
outside suspends the program and is answered by this process, which runs no text of a model. The
workers serve the whole process and end with it. They are called from threads, because Monty's own
asyncio interface leaves threads behind that can abort the Python process at its end.
"""

from __future__ import annotations

import asyncio
import atexit
import builtins
import contextlib
import datetime
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic_monty import (
    ClassInstance,
    FunctionSnapshot,
    FutureSnapshot,
    Monty,
    MontyComplete,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    NameLookupSnapshot,
    OSPolicy,
    ResourceLimits,
    SyncSnapshot,
)

from agent.sandbox import LONGEST_ARGUMENT, METHODS, CallFailed, Host, Kind, Limits, ProgramError
from agent.sandbox.markup import HIDING, LONGEST, VOID, TooLarge, nodes

WORKERS = 256  # programs at once at most; most wait for the page, 11 MB each
THREADS = 32  # programs at most that run (do not wait) at the same time
SILENCE = 5.0  # seconds until a worker that neither ends its program nor suspends it is killed
QUESTIONS = 1_000  # other requests than calls of `agent` at most: names, modules, trees

WORLD: OSPolicy = {
    "datetime": datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC),
    "process_time": "zero",
    "random_start": {"seed": 0},
    "sleep": "zero",
}
"""Settings of the sandbox: the clock is frozen, random numbers are seeded, and sleeping takes no
time.
"""

_OBSERVATION = "str(obs) if isinstance(obs, str) else None"
"""The expression that is evaluated after an abstraction program and gives its observation;
`isinstance` is the function of `agent.sandbox.soup`.
"""

_IMPORT = re.compile(r"^([ \t]*)import ([\w ,]+)", re.MULTILINE)

T = TypeVar("T")
Question = FunctionSnapshot | NameLookupSnapshot
Resume = Callable[[], SyncSnapshot]  # resumes the program until it ends or suspends again; blocks


class MontyRunner:
    """The implementation of `CodeRunner` by Monty; it keeps no state between programs."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()

    async def act(
        self, program: str, host: Host, *, calls: int, methods: Mapping[str, str] = METHODS
    ) -> None:
        """Run an action program, as `CodeRunner.act` does."""
        _check_length("the program", program, self.limits.source)
        acting = _Acting(program, host, calls, methods)
        async with self._session(acting, calls + QUESTIONS) as session:
            await self._run(session, program, acting, agent=acting.agent)

    async def abstract(self, program: str, state: str) -> str:
        """Run an abstraction program, as `CodeRunner.abstract` does."""
        _check_length("the program", program, self.limits.source)
        _check_length("the page", state, LONGEST)
        program = _IMPORT.sub(_imported, program)
        reading = _Reading(program)
        async with self._session(reading, QUESTIONS) as session:
            reading.package = await self._library(session, reading)
            await self._run(session, program, reading, state=state)
            seen = await self._run(session, _OBSERVATION, reading)
        if type(seen) is not str:
            raise ProgramError("runtime", "the program must set obs to a string")
        _check_length("obs", seen, self.limits.observation)
        return seen

    @asynccontextmanager
    async def _session(
        self, responder: _Responder, suspensions: int
    ) -> AsyncIterator[MontySession]:
        """Open a fresh interpreter in a worker process, for this context manager; Monty's errors
        are raised as `ProgramError`.
        """
        bounds: ResourceLimits = {
            "max_feed_duration_secs": self.limits.seconds,
            "max_memory": self.limits.memory,
            "max_suspensions": suspensions,
        }
        entering = asyncio.ensure_future(_threaded(_open_session, bounds))
        try:
            yield await asyncio.shield(entering)
        except MontyError as problem:
            raise _program_error(problem, responder.file, self.limits) from None
        finally:
            await asyncio.wait([entering])
            if entering.exception() is None:
                await _threaded(entering.result().__exit__, None, None, None)

    async def _library(self, session: MontySession, responder: _Reading) -> Any:
        """Load `agent.sandbox.soup` into a fresh session, and return the module that `import bs4`
        binds.
        """
        libraries = _workers().libraries
        if self.limits in libraries:
            state, package = libraries[self.limits]
            await _threaded(session.load_session, state)
        else:
            given = {"_HIDING": HIDING, "_VOID": VOID}
            source = f"{_soup()}\nobs = None\n_package"
            package = await self._run(session, source, responder, **given)
            libraries[self.limits] = await _threaded(session.dump), package
        return package

    async def _run(
        self, session: MontySession, source: str, responder: _Responder, **inputs: Any
    ) -> Any:
        """Run source code to its end, and return the value of its last expression."""
        start = partial(session.feed_start, source, inputs=inputs)
        snapshot = await _threaded(partial(start, print_callback=lambda stream, text: None))
        while not isinstance(snapshot, MontyComplete):
            if isinstance(snapshot, FutureSnapshot):
                raise ProgramError("unsupported", "nothing that the program waits for comes")
            snapshot = await _threaded(await responder.answer(snapshot))
        return snapshot.output


def _imported(found: re.Match[str]) -> str:
    """Return an import statement changed so that `re` is the replacement in `soup`, whose `sub`
    accepts functions.
    """
    names = [name.strip() for name in found[2].split(",")]
    if "re" not in names:
        return found[0]
    others = ", ".join(name for name in names if name != "re")
    return f"{found[1]}re = _expressions" + (f"; import {others}" if others else "")


def _check_length(name: str, text: str, most: int) -> None:
    if len(text) > most:
        raise ProgramError("limit", f"{name} is longer than {most:,} characters")


def _soup() -> str:
    """Return the source code of `agent.sandbox.soup` without imports from our packages; in the
    sandbox, its `_nodes` is a call to this process.
    """
    source = Path(__file__).with_name("soup.py").read_text(encoding="utf-8")
    return "".join(line for line in source.splitlines(True) if not line.startswith("from agent."))


# The worker processes ---------------------------------------------------------------------------


class _Workers:
    def __init__(self) -> None:
        self.pool = Monty(max_processes=WORKERS, request_timeout=SILENCE)
        self.pool.__enter__()
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="sandbox")
        self.libraries: dict[Limits, tuple[bytes, Any]] = {}
        """For each set of limits: the saved state of a session in which `agent.sandbox.soup` is
        loaded, and its module `bs4`.
        """


@cache
def _workers() -> _Workers:
    """Return the worker processes of the sandbox, which start with the first program."""
    workers = _Workers()
    atexit.register(workers.pool.__exit__, None, None, None)
    return workers


def _open_session(bounds: ResourceLimits) -> MontySession:
    """Open a session in a live worker, because a worker may have died while it was idle."""
    pool = _workers().pool
    for _ in range(WORKERS):
        with contextlib.suppress(MontyCrashedError):
            return pool.checkout(limits=bounds, os_policy=WORLD).__enter__()
    raise RuntimeError("the processes of the sandbox die as soon as they are started")


def _threaded(work: Callable[..., T], *arguments: Any) -> Awaitable[T]:
    """Run a blocking function without blocking the event loop."""
    loop = asyncio.get_running_loop()
    return loop.run_in_executor(_workers().threads, work, *arguments)


# What programs ask for --------------------------------------------------------------------------


class Agent:
    """The class of the object `agent` in a program; a call of its methods suspends the program."""


class _Acting:
    """Answers the questions of a suspended action program: its calls in the browser and unknown
    names.
    """

    file = "<python-input-0>"  # Monty's name for the program's source

    def __init__(self, program: str, host: Host, calls: int, methods: Mapping[str, str]) -> None:
        self.agent = ClassInstance(Agent(), allowed_methods=methods)
        self._methods = methods
        self._program = program
        self._host = host
        self._calls = calls
        self._made = 0

    async def answer(self, question: Question) -> Resume:
        line = _line(self._program, self.file, question)
        if isinstance(question, NameLookupSnapshot):
            return self._value(question, line)
        alias = question.function_name.startswith("agent.")
        if question.object_id is None and not alias:
            return _other(question, line)
        method = question.function_name.removeprefix("agent.")
        if method not in self._methods or not (alias or question.object_id == self.agent.id):
            raise self._no_method(method, line)
        result = await self._call(method, self._argument(question, method, line), line)
        return partial(question.resume, {"return_value": result})

    def _value(self, question: NameLookupSnapshot, line: int | None) -> Resume:
        """Return the answer to a question for a name: a function for `agent.click_xpath` in `click
        = agent.click_xpath`, an error for an unknown name.
        """
        if question.object_id is None:
            return _undefined(question, line)
        if question.variable_name not in self._methods:
            raise self._no_method(question.variable_name, line)
        return partial(question.resume, value=_alias(question.variable_name))

    async def _call(self, method: str, argument: str, line: int | None) -> str | None:
        self._made += 1
        if self._made > self._calls:
            raise ProgramError("limit", f"the program makes more than {self._calls} calls", line)
        try:
            return await self._host(method, argument)
        except CallFailed as failure:
            raise ProgramError("failed", _short(str(failure)), line) from None

    def _no_method(self, name: str, line: int | None) -> ProgramError:
        known = ", ".join(self._methods)
        return ProgramError("refused", f"agent has no {name}; it has {known}", line)

    def _argument(self, question: FunctionSnapshot, method: str, line: int | None) -> str:
        """Return the only argument of a call, a string. Raises `ProgramError`."""
        name = self._methods[method]
        given = [*question.args, *question.kwargs.values()]
        takes = f"agent.{method} takes one string, {name}"
        named = question.kwargs.keys() <= {name}
        if len(given) != 1 or not named or type(given[0]) is not str:
            raise ProgramError("refused", takes, line)
        if len(given[0]) > LONGEST_ARGUMENT:
            raise ProgramError(
                "refused", f"{takes}, of at most {LONGEST_ARGUMENT:,} characters", line
            )
        return given[0]


def _alias(method: str) -> Callable[[], None]:
    def call() -> None:
        """Stand for a method in the program; this body never runs, because the sandbox passes the
        call to this process by its name.
        """

    call.__name__ = f"agent.{method}"
    return call


class _Reading:
    """Answers the questions of a suspended abstraction program, such as the parsing of HTML."""

    file = "<python-input-1>"

    def __init__(self, program: str) -> None:
        self.package: Any = None
        self._program = program
        self._read = 0

    async def answer(self, question: Question) -> Resume:
        line = _line(self._program, self.file, question)
        if isinstance(question, NameLookupSnapshot):
            return _undefined(question, line)
        if (question.function_name, question.args) == ("import", ("bs4",)):
            return partial(question.resume, {"return_value": self.package})
        if question.function_name == "_nodes":
            return partial(question.resume, {"return_value": await self._nodes(question, line)})
        return _other(question, line)

    async def _nodes(self, question: FunctionSnapshot, line: int | None) -> Any:
        if len(question.args) != 1 or question.kwargs or type(question.args[0]) is not str:
            raise ProgramError("refused", "HTML is read from one string", line)
        [html] = question.args
        self._read += len(html)
        if self._read > LONGEST:
            why = f"the program reads more than {LONGEST:,} characters of HTML"
            raise ProgramError("limit", why, line)
        try:
            return await _threaded(nodes, html)
        except TooLarge as problem:
            raise ProgramError("limit", str(problem), line) from None


_Responder = _Acting | _Reading


def _other(question: FunctionSnapshot, line: int | None) -> Resume:
    """Return the answer to any other question of a program: an exception for a missing module or
    function. Raises `ProgramError` for access to files and the like.
    """
    if not question.is_os_function:
        return _undefined(question, line)
    if question.function_name == "import":
        return question.resume_not_handled
    raise ProgramError("refused", f"{question.function_name} is not for programs", line)


def _undefined(question: Question, line: int | None) -> Resume:
    if isinstance(question, NameLookupSnapshot):
        name, resume = question.variable_name, question.resume
    else:
        name = question.function_name
        message = f"name {name!r} is not defined"
        resume = partial(question.resume, {"exc_type": "NameError", "message": message})
    if hasattr(builtins, name):
        raise ProgramError("unsupported", f"there is no {name} here", line)
    return resume


# Error messages ---------------------------------------------------------------------------------


def _line(program: str, file: str, question: Question) -> int | None:
    """Return the program's line at which it was suspended, from 1; None if that was in
    other code.
    """
    place = question.position
    if place.filename != file:
        return None
    return program.encode()[: place.start].count(b"\n") + 1


_LIMITS: dict[str, tuple[str, str]] = {
    "TimeoutError": ("time limit", "the program runs longer than {seconds:g} s"),
    "MemoryError": ("", "the program needs more than {megabytes} MB"),
    "RecursionError": ("", "the program calls itself too deeply"),
    "RuntimeError": ("suspension limit", "the program asks too often for what is not there"),
}
"""For each name of an exception: a phrase that its text contains if a limit caused it, and our
message for the model.
"""

_KINDS: dict[str, Kind] = {
    "SyntaxError": "syntax",
    "NotImplementedError": "unsupported",
    "ModuleNotFoundError": "unsupported",
    "ImportError": "unsupported",
}


def _program_error(problem: MontyError, file: str, limits: Limits) -> ProgramError:
    if isinstance(problem, MontyCrashedError):
        why = "does not stop" if problem.timed_out else "broke the sandbox"
        return ProgramError("limit", f"the program {why}")
    if not isinstance(problem, MontyRuntimeError | MontySyntaxError):
        return ProgramError("unsupported", _short(str(problem)))
    line = next((f.line for f in reversed(problem.traceback()) if f.filename == file), None)
    text = problem.display("type-msg")
    name = text.partition(":")[0]
    mark, template = _LIMITS.get(name, ("", ""))
    if template and mark in text:
        why = template.format(seconds=limits.seconds, megabytes=limits.memory // 2**20)
        return ProgramError("limit", why, line)
    return ProgramError(_KINDS.get(name, "runtime"), _short(text), line)


def _short(text: str) -> str:
    """Return the text on one line of at most 300 characters."""
    line = " ".join(text[:1_000].split())
    return line if len(line) <= 300 else f"{line[:300]}..."
