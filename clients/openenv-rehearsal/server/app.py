"""OpenEnv's server for Rehearsal's tasks: `python -m server.app --port 8000`."""

from __future__ import annotations

import argparse

import uvicorn

from evaluators.integrations.openenv import application

app = application()


def main() -> None:
    """Serve until the process is ended."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    options.add_argument("--sessions", type=int, help="the most sessions at once")
    options.add_argument("--shaping", type=float, help="the share of progress in rewards")
    given = vars(options.parse_args())
    address = {name: given.pop(name) for name in ("host", "port")}
    settings = {name: value for name, value in given.items() if value is not None}
    uvicorn.run(application(**settings) if settings else app, **address)


if __name__ == "__main__":
    main()
