"""A BrowserGym environment behind standard input and output: each line is a JSON object.

This program runs in the Python that has BrowserGym, whose pinned versions differ from ours. It
needs only BrowserGym and the standard library, and nothing of Rehearsal. The requests, by their
field `do`, and their replies:

    check   environments             -> versions, missing, unknown (by id, with the nearest ids)
    open    environment, seed, chromium, walker, init_script
                                     -> goal, versions, page
    step    calls ([name, arguments] of BrowserGym's actions), settle
                                     -> error, reward, terminated, truncated, info, page
    call    name, arguments          -> value (the result of the walker's function), page
    picture                          -> png (in base64)

The walker is Rehearsal's script that reads a page. `page` describes the browser: url, tab, tabs
(titles), document, height, scale. A request that fails gets `fault`, a sentence, as its reply. At
the end of the input the program closes the environment.
"""

from __future__ import annotations

import base64
import difflib
import functools
import importlib
import importlib.metadata
import importlib.util
import json
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ACTIONS = ["chat", "infeas", "bid", "coord", "nav", "tab"]
"""The subsets of BrowserGym's actions that a step may call."""
PACKAGES = ("browsergym-core", "playwright")
WORLD = "rehearsal"
CALL = "(name, ...args) => globalThis.rehearsal[name](...args)"
MOVED = ("context", "navigat", "detached", "No frame", "closed")
"""Words in the browser's errors that mean that the document was replaced during a call."""
TRIES = 5
END_SECONDS = 20.0
"""Seconds that the environment may take to close after the end of the input."""

Json = dict[str, Any]


class Environments:
    """Answers the requests of this program; it holds the open environment, if any."""

    def __init__(self) -> None:
        self.env: Any = None
        self.name = ""
        self.walker = ""
        self._sessions: dict[Any, Any] = {}
        self._worlds: dict[Any, int] = {}

    # Requests ------------------------------------------------------------------------------------

    def check(self, environments: list[str]) -> Json:
        """Return the versions of the packages, and the ids that name no environment, each with
        similar ids.
        """
        if importlib.util.find_spec("browsergym") is None:
            return {"versions": {}, "missing": "browsergym-core", "unknown": {}}
        registered = _registered(environments)
        unknown = {
            each: difflib.get_close_matches(each, registered, n=3, cutoff=0.6)
            for each in environments
            if each not in registered
        }
        return {"versions": _versions(environments), "missing": "", "unknown": unknown}

    def open(
        self,
        environment: str,
        seed: int,
        chromium: str,
        walker: str,
        init_script: str,
    ) -> Json:
        """Make the environment unless it is open already, and reset it with the seed; return the
        reply to the request.
        """
        if self.name != environment:
            self.close()
            self.env = _made(environment, chromium, init_script)
            self.name = environment
        self.walker = walker
        self._sessions, self._worlds = {}, {}
        seen, _ = self.env.reset(seed=seed)
        return {
            "goal": seen["goal"],
            "versions": _versions([environment]),
            "page": self._page(seen),
        }

    def step(self, calls: list[Any], settle: bool) -> Json:
        """Take a step of the environment with several calls, and return its result as the reply to
        the request.
        """
        lines = [f"{name}({', '.join(map(repr, arguments))})" for name, arguments in calls]
        inner = self.env.unwrapped
        delay = inner.pre_observation_delay
        if not settle:
            inner.pre_observation_delay = 0.0
        try:
            seen, reward, terminated, truncated, info = self.env.step("\n".join(lines))
        finally:
            inner.pre_observation_delay = delay
        return {
            "error": seen["last_action_error"],
            "reward": float(reward),
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "info": json.loads(json.dumps(info.get("task_info", {}), default=str)),
            "page": self._page(seen),
        }

    def call(self, name: str, arguments: list[Any]) -> Json:
        """Call a function of the walker (the script that reads pages) and return the reply; try
        again if the document is replaced during the call.
        """
        for left in reversed(range(TRIES)):
            try:
                return {"value": self._called(name, arguments), "page": self._page()}
            except Exception as problem:
                if not left or not any(word in str(problem) for word in MOVED):
                    raise
                self._forget()
        raise AssertionError

    def picture(self) -> Json:
        """Take a screenshot of the page, and return it in base64 as the reply."""
        png = self.env.unwrapped.page.screenshot()
        return {"png": base64.b64encode(png).decode("ascii")}

    def close(self) -> None:
        """Close the environment."""
        env, self.env, self.name = self.env, None, ""
        if env is not None:
            env.close()

    # The page in front ---------------------------------------------------------------------------

    def _page(self, seen: Json | None = None) -> Json:
        inner = self.env.unwrapped
        page, pages = inner.page, inner.context.pages
        titles = seen["open_pages_titles"] if seen else [each.title() for each in pages]
        return {
            "url": page.url,
            "tab": pages.index(page),
            "tabs": list(titles),
            "document": self._frame()["loaderId"],
            "height": (page.viewport_size or {}).get("height", 720),
            "scale": getattr(page, "_bgym_scale_factor", 1.0),
        }

    def _called(self, name: str, arguments: list[Any]) -> str:
        world = self._world()
        reply = self._send(
            "Runtime.callFunctionOn",
            functionDeclaration=CALL,
            executionContextId=world,
            arguments=[{"value": each} for each in (name, *arguments)],
            awaitPromise=True,
            returnByValue=True,
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            text = details.get("exception", {}).get("description", details["text"])
            raise RuntimeError(f"the walker failed in {name}: {text}")
        return str(reply["result"]["value"])

    def _world(self) -> int:
        """Return the number of the JavaScript context (isolated world) of the page-reading script
        in the front document, created if it is missing.
        """
        page = self.env.unwrapped.page
        frame = self._frame()["id"]
        reply = self._send("Page.createIsolatedWorld", frameId=frame, worldName=WORLD)
        world = int(reply["executionContextId"])
        if self._worlds.get(page) != world:
            self._send("Runtime.evaluate", expression=self.walker, contextId=world)
            self._worlds[page] = world
        return world

    def _frame(self) -> Json:
        frame: Json = self._send("Page.getFrameTree")["frameTree"]["frame"]
        return frame

    def _send(self, command: str, **parameters: Any) -> Json:
        page = self.env.unwrapped.page
        if page not in self._sessions:
            self._sessions[page] = page.context.new_cdp_session(page)
        reply: Json = self._sessions[page].send(command, parameters)
        return reply

    def _forget(self) -> None:
        """Forget the context of the replaced document, and wait until the new document
        has loaded.
        """
        page = self.env.unwrapped.page
        self._worlds.pop(page, None)
        page.wait_for_load_state("domcontentloaded")


# BrowserGym --------------------------------------------------------------------------------------


def _registered(environments: list[str]) -> list[str]:
    """Return the ids of all registered environments, after importing the benchmarks that the given
    ids name.
    """
    importlib.import_module("browsergym.core")
    for each in environments:
        _import_benchmark(each)
    registry = importlib.import_module("gymnasium").registry
    return [name for name in registry if name.startswith("browsergym/")]


def _import_benchmark(environment: str) -> None:
    """Import the module that registers an id, such as `browsergym.miniwob`, if it exists."""
    module = f"browsergym.{_benchmark(environment)}"
    if importlib.util.find_spec(module) is not None:
        importlib.import_module(module)


def _benchmark(environment: str) -> str:
    """Return the benchmark in an id: `miniwob` for `browsergym/miniwob.click-button`."""
    return environment.partition("/")[2].partition(".")[0]


def _versions(environments: list[str]) -> dict[str, str]:
    names = {f"browsergym-{_benchmark(each)}" for each in environments}
    found = {}
    for name in (*PACKAGES, *sorted(names)):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _made(environment: str, chromium: str, init_script: str) -> Any:
    """Return a new environment that uses this Chromium and runs this script before each page."""
    _import_benchmark(environment)
    _find_miniwob()
    _use(chromium)
    highlevel = importlib.import_module("browsergym.core.action.highlevel")
    actions = highlevel.HighLevelActionSet(ACTIONS, strict=False, multiaction=True)
    env = importlib.import_module("gymnasium").make(
        environment,
        disable_env_checker=True,
        action_mapping=actions.to_python_code,
        use_raw_page_output=True,  # only our walker reads the page
        headless=True,
        slow_mo=0,  # tasks set a pause only for people who watch
    )
    inner = env.unwrapped
    inner.task_entrypoint = _with_script(inner.task_entrypoint, init_script)
    return env


def _with_script(entrypoint: Callable[..., Any], script: str) -> Callable[..., Any]:
    """Return a constructor of tasks like `entrypoint`, which also adds a script to the browser's
    context before the first page.
    """

    def made(*arguments: Any, **options: Any) -> Any:
        task = entrypoint(*arguments, **options)
        setup = task.setup

        def set_up(page: Any) -> Any:
            page.context.add_init_script(script)
            return setup(page=page)

        task.setup = set_up
        return task

    return made


def _use(chromium: str) -> None:
    """Make Playwright start the Chromium at this path; do nothing if the path is "".

    BrowserGym's chat window accepts no path.
    """
    if not chromium:
        return
    kind = importlib.import_module("playwright.sync_api").BrowserType
    launch = getattr(kind, "_rehearsal_launch", kind.launch)
    kind._rehearsal_launch = launch
    kind.launch = functools.partialmethod(launch, executable_path=chromium)


def _find_miniwob() -> None:
    """Set the address of the pages of MiniWoB++, unless it is set or the package is missing."""
    if "MINIWOB_URL" in os.environ:
        return
    spec = importlib.util.find_spec("miniwob")
    if spec is not None and spec.origin:
        pages = Path(spec.origin).parent / "html" / "miniwob"
        os.environ["MINIWOB_URL"] = f"{pages.as_uri()}/"


# The lines ---------------------------------------------------------------------------------------


def _reply(environments: Environments, line: str) -> Json:
    request = json.loads(line)
    try:
        reply: Json = getattr(environments, request.pop("do"))(**request)
    except Exception as problem:
        traceback.print_exc()
        first = str(problem).strip().partition("\n")[0]
        return {"fault": f"{type(problem).__name__}: {first}"}
    return reply


def _lines(ended: threading.Event) -> Iterator[str]:
    """Yield the lines of standard input until its end.

    If the end comes while a request hangs, nothing else would end this process. So it is killed
    unless `ended` is set within `END_SECONDS`.
    """
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            waiting.put(line)
        waiting.put("")
        if not ended.wait(END_SECONDS):
            os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
    return iter(waiting.get, "")


def main() -> None:
    """Reply to each line of standard input until it ends. All other output goes to
    standard error.
    """
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    environments, ended = Environments(), threading.Event()
    try:
        for line in _lines(ended):
            replies.write(json.dumps(_reply(environments, line)) + "\n")
            replies.flush()
    finally:
        environments.close()
        ended.set()


if __name__ == "__main__":
    if sys.path and Path(sys.path[0]).resolve() == Path(__file__).resolve().parent:
        del sys.path[0]  # the files next to it are not for this Python
    main()
