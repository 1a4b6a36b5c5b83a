"""The page on which a person answers a run's model requests (`--llm person`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request

from agent.llm.transport import person
from agent.llm.transport.person import BadReply
from evaluators.server import local_page
from evaluators.server.local_page import Changes, LocalPage

HERE = Path(__file__).parent
FILES = {"person.css": "text/css", "person.js": "text/javascript"}
BRIEF = ("id", "agent", "scenario", "trial", "purpose", "asked_at", "error")
"""The fields of a model request that the list of open requests shows."""
GONE = "this request is not open any more; it was answered, or its run has ended"


@contextmanager
def serve(run: Path) -> Iterator[LocalPage]:
    """Serve the page of a run's open model requests within the block.

    Raises `PortInUse` if the page gets no port.
    """
    folder = run / person.FOLDER
    changes = Changes(lambda: version(folder))
    with local_page.serve(pages(run.name, folder, changes), changes) as page:
        yield page


def version(folder: Path) -> str:
    """Return a text that changes with each model request that is opened, refused or answered."""
    try:
        return f"{folder.stat().st_mtime_ns}-{len(os.listdir(folder))}"
    except FileNotFoundError:
        return ""


def pages(run: str, folder: Path, changes: Changes) -> Blueprint:
    """Return the page, its files, and the three addresses that its script calls."""
    made = Blueprint("person", __name__)

    @made.get("/")
    def page() -> Response:
        return local_page.file(HERE / "templates" / "person.html", "text/html")

    @made.get("/<any('person.css', 'person.js'):name>")
    def files(name: str) -> Response:
        return local_page.file(HERE / "static" / name, FILES[name])

    @made.get("/queue")
    def queue() -> Response:
        known = changes.wait(request.args.get("after", "new"))
        found = [{name: each[name] for name in BRIEF} for each in person.open_requests(folder)]
        return jsonify(run=run, version=known, requests=found)

    @made.get("/request")
    def one() -> Any:
        asked = person.load(folder, request.args.get("id", ""))
        return (jsonify(error=GONE), 410) if asked is None else jsonify(asked)

    @made.post("/reply")
    def reply() -> Any:
        return _reply(folder, request.get_json())

    return made


def _reply(folder: Path, sent: object) -> Any:
    """Save a person's reply beside its model request if the reply is valid; answer with JSON."""
    values = sent if isinstance(sent, Mapping) else {}
    name, text = values.get("id"), values.get("reply")
    if not isinstance(name, str) or not isinstance(text, str):
        return jsonify(error="send the texts id and reply"), 400
    asked = person.load(folder, name)
    if asked is None:
        return jsonify(error=GONE), 410
    try:
        person.read_reply(text, asked)
    except BadReply as error:
        return jsonify(error=str(error)), 422
    person.save(folder / f"{name}.reply", text)
    return jsonify(sent=name)
