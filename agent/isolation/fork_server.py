"""The process that forks the processes of agents. It has imported their modules, but runs no agent.

Every episode has a guard process and a child process. The guard kills the child, together with all
processes that the child has started, when the engine closes the guard's pipe or dies.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import agent.renderings
from agent import actions, plugins, prompting
from agent.agent_spec import Agent
from agent.isolation import cage, child
from agent.llm import asking
from agent.prompting import BadPrompt

READY = (actions, asking)
"""Modules that the fork server imports in advance because methods use them."""


@dataclass(frozen=True)
class Setup:
    """The setup of the fork server, sent to it as JSON.

    Attributes:
        visible: Paths that agents can see.
        hidden: Folders that they cannot see.
        root: An empty folder for the new root.
        agent: The agent of the tree to prepare; None for a file.
        prompts: Folder of its prompts.
        caged: Whether to use namespaces.
    """

    visible: Sequence[str]
    hidden: Sequence[str]
    root: str
    agent: dict[str, Any] | None
    prompts: str
    caged: bool


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    setup = Setup(**json.loads(sys.argv[2]))
    os.environ.clear()
    _make_ready(setup)
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY) if setup.caged else -1
    refused = _refused(setup, proc) if setup.caged else "this system has none"
    if not refused:
        cage.build(setup.visible, setup.hidden, setup.root, proc)
    control.sendall(json.dumps(refused).encode() + b"\n")
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    _serve(control, proc if not refused else -1)


def _make_ready(setup: Setup) -> None:
    """Import and read in advance everything that each child process would need.

    Errors are left for the child to report.
    """
    for name in plugins.names(agent.renderings):
        plugins.load("rendering", agent.renderings, name)
    if setup.agent is None:
        return
    with contextlib.suppress(Exception):
        made, folder = Agent(**setup.agent), Path(setup.prompts)
        made.check()
        method = made.module()
        for name in method.PROMPTS or (made.prompts,):
            for site in sorted((folder / name).glob("[a-z]*.toml")):
                with contextlib.suppress(BadPrompt):
                    prompting.load(name, site.stem, folder)
        for site in sorted((folder / made.prompts).glob("[a-z]*.toml")):
            if method.check_prompts:
                method.check_prompts(site.stem, folder)


def _refused(setup: Setup, proc: int) -> str:
    """Return the reason why the system refuses namespaces, or "" if it grants them; this is tried
    in a separate process.
    """
    reading, writing = os.pipe()
    if os.fork() == 0:
        try:
            cage.build(setup.visible, setup.hidden, setup.root, proc)
            cage.enclose(proc)
            os.write(writing, b".")
        except OSError as error:
            os.write(writing, str(error).encode()[:1_000])
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    os.wait()
    return "" if text == "." else text or "the attempt failed"


def _serve(control: socket.socket, proc: int) -> None:
    while True:
        order, descriptors, _, _ = socket.recv_fds(control, 1, 2)
        if not order:
            return
        if os.fork() == 0:
            control.close()
            try:
                _guard(*_pair(descriptors), proc)
            finally:
                os._exit(0)
        for each in descriptors:
            os.close(each)


def _pair(descriptors: list[int]) -> tuple[int, int]:
    link, life = descriptors
    return link, life


def _guard(link: int, life: int, proc: int) -> None:
    """Start the child process of an episode, and kill it when the engine closes the pipe `life`."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    engine = socket.socket(fileno=life)
    try:
        if proc >= 0:
            cage.enclose(proc)
        folder = cage.WORK if proc >= 0 else tempfile.mkdtemp(prefix="rehearse-agent-")
        process = os.fork()
    except OSError as error:
        engine.sendall(str(error).encode()[:1_000])
        return
    if process == 0:
        engine.close()
        _run(link, proc, folder)
    os.close(link)
    engine.sendall(b".")
    with contextlib.suppress(OSError):
        engine.recv(1)  # until the engine closes it
    _kill(process)
    if proc < 0:
        shutil.rmtree(folder, ignore_errors=True)


def _run(link: int, proc: int, folder: str) -> None:
    try:
        os.setsid()
        os.chdir(folder)
        if proc >= 0:
            os.close(proc)
            cage.drop()
        cage.limit()
        child.run(socket.socket(fileno=link))
    finally:
        os._exit(0)


def _kill(process: int) -> None:
    """Kill the child process. This ends all processes of its namespace, or else of its session."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


if __name__ == "__main__":
    main()
