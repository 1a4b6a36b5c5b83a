"""Ask the control plane of `rehearse serve`, which runs in another environment.

It is reached at `REHEARSE_CONTROL` with `REHEARSE_TOKEN`, or else started, one for each process
that plays, by the program that `REHEARSE` names (`rehearse` where it names none).
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
from functools import cache
from http.client import HTTPConnection, HTTPException
from shutil import which
from typing import Any
from urllib.parse import urlencode, urlsplit

SECONDS = 60.0
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class ControlError(RuntimeError):
    """The control plane cannot be reached, or refused a request and said why."""


def get(path: str, **query: object) -> dict[str, Any]:
    """The reply to `path` with these parameters. Raises `ControlError`."""
    return _ask("GET", f"{path}?{urlencode(query)}", None)


def post(path: str, **fields: str) -> dict[str, Any]:
    """The reply to a form with these fields. Raises `ControlError`."""
    return _ask("POST", path, urlencode(fields))


def output(*arguments: str) -> str:
    """What the program `rehearse` prints with these arguments. Raises `ControlError`."""
    command = _command(*arguments)
    done = subprocess.run(  # noqa: S603 (the program that the user named)
        command, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ControlError(done.stderr.strip() or f"{' '.join(command)} failed")
    return done.stdout


def _ask(method: str, path: str, body: str | None) -> dict[str, Any]:
    host, token = _control(os.getpid())
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
    connection = HTTPConnection(host, timeout=SECONDS)
    try:
        connection.request(method, path, body, headers | (FORM if body else {}))
        reply = connection.getresponse()
        status, text = reply.status, reply.read().decode()
    except (OSError, HTTPException) as error:
        raise ControlError(
            f"{host} does not answer ({error}); is rehearse serve running?"
        ) from None
    finally:
        connection.close()
    if status != 200:
        raise ControlError(_sentence(status, text))
    parsed: dict[str, Any] = json.loads(text)
    return parsed


def _sentence(status: int, text: str) -> str:
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the control plane answered {status}: {text[:200]}"


@cache
def _control(pid: int) -> tuple[str, str]:
    """(host and port, token) for this process; a fork asks again, so that it starts its own."""
    address, token = (os.environ.get(name, "") for name in ("REHEARSE_CONTROL", "REHEARSE_TOKEN"))
    if bool(address) != bool(token):
        raise ControlError("set REHEARSE_CONTROL and REHEARSE_TOKEN together, or neither")
    if not address:
        address, token = _served(pid)
    host = urlsplit(address).netloc
    if not host:
        raise ControlError(f"REHEARSE_CONTROL is {address!r}; give it as http://HOST:PORT")
    return host, token


def _served(pid: int) -> tuple[str, str]:
    """Start `rehearse serve`; it ends with the process `pid`."""
    served = subprocess.Popen(  # noqa: S603 (the program that the user named)
        _command("serve", "--json"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    atexit.register(lambda: served.terminate() if os.getpid() == pid else None)
    assert served.stdout is not None
    line = served.stdout.readline()
    if not line:
        raise ControlError("rehearse serve ended at once; run it by hand to see why")
    addresses = json.loads(line)
    return addresses["control"], addresses["token"]


def _command(*arguments: str) -> list[str]:
    program = os.environ.get("REHEARSE", "rehearse")
    found = which(program)
    if found is None:
        raise ControlError(
            f"there is no program {program!r}; let REHEARSE name the rehearse of Rehearsal's own"
            " environment, or set REHEARSE_CONTROL and REHEARSE_TOKEN"
        )
    return [found, *arguments]
