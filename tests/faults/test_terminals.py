"""Streams that are closed, full or left, letters that a terminal lacks, and a machine with too
little: one line, an exit code that tells, and nothing recorded is lost."""

from __future__ import annotations

import errno
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from agent.browser import shortage
from agent.browser.chromium import find_chromium
from evaluators.commands.streams import LastingOutput, spelled
from evaluators.records import run_folder
from sites.store.catalogue.cache import CacheError, cache_folder
from tests.each import for_each
from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")

ROOT = Path(__file__).parents[2]
RUN = "run --agent expert --family buy_item --seeds 0:1"
LOST = "standard output could not be written"


def shell(
    command: str, folder: Path, **environment: str | None
) -> subprocess.CompletedProcess[str]:
    """What `rehearse` in a shell does; what it says on stderr goes into a file first."""
    kept = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    script = command.replace("rehearse", f"{sys.executable} -m rehearse")
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={name: value for name, value in kept.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )


COMMANDS = (
    *("rehearse --version", "rehearse run --help", "rehearse list sites"),
    *("rehearse list families --json", "rehearse generate --family buy_item --json -n 300"),
)


@pytest.mark.wide
@for_each(
    ("command", "redirected", "code"),
    [
        *((COMMANDS[0], each, os.EX_IOERR) for each in ("1>&-", "1>/dev/full", "0<&- 1>&-")),
        *((command, "1>&-", os.EX_IOERR) for command in COMMANDS[1:3]),
        *((command, "1>/dev/full", os.EX_IOERR) for command in COMMANDS[2:]),
        *((COMMANDS[2], each, 0) for each in ("2>&-", "0<&-", "2>/dev/full")),
        ("rehearse list suites nowhere", "2>&-", 2),
        ("rehearse list suites nowhere", "1>&-", 2),
    ],
)
def test_a_stream_that_fails_is_one_line(tmp_path, command, redirected, code):
    done = shell(f"{command} {redirected}", tmp_path)
    assert done.returncode == code, done.stderr
    lines = done.stderr.splitlines()
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    assert len(lines) == (0 if "2>" in redirected or code == 0 else 1)
    assert (LOST in done.stderr) == (code == os.EX_IOERR)


@pytest.mark.wide
@for_each("command", COMMANDS[2:])
def test_a_reader_that_has_read_enough_is_no_fault(tmp_path, command):
    done = shell(f"{command} | true", tmp_path)
    assert (done.returncode, done.stderr) == (os.EX_IOERR, "")


@pytest.mark.wide
def test_a_good_run_whose_streams_are_closed_is_recorded(tmp_path):
    done = shell(f"rehearse {RUN} -o out 0<&- 1>&- 2>errors", tmp_path, HOME=None)
    output = (tmp_path / "errors").read_text()
    assert done.returncode == os.EX_IOERR, output
    assert LOST in output.splitlines()[-1] and "Traceback" not in output
    record = next(iter(run_folder.episodes(tmp_path / "out")))
    assert record.success and json.loads((tmp_path / "out" / "summary.json").read_text())["rows"]
    done = shell("rehearse score out 1>&- 2>&-", tmp_path)
    assert done.returncode == os.EX_IOERR and not done.stderr


@pytest.mark.wide
def test_letters_that_a_terminal_lacks_are_written_by_number(tmp_path):
    (tmp_path / "caf\u00e9\U0001f600").mkdir()
    done = shell(
        "rehearse score 'caf\u00e9\U0001f600'", tmp_path, PYTHONIOENCODING="ascii", TERM="dumb"
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert "caf\\u00e9\\ud83d\\ude00" in done.stderr
    text = {"letters": "\u201cna\u00efve\u201d \U0001f600"}
    written = spelled(json.dumps(text, ensure_ascii=False), "ascii")
    assert written.isascii() and json.loads(written) == text
    assert spelled("na\u00efve \u201c", "latin-1") == "na\u00efve \\u201c"


class Broken(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "the cable is out")


@for_each("stream", [None, Broken(), (lambda made: (made.close(), made)[1])(io.StringIO())])
def test_a_stream_that_failed_takes_everything_and_knows_why(stream):
    lasting = LastingOutput(stream)
    assert lasting.write("text") == 4
    lasting.flush()
    assert lasting.why and lasting.writable() and not lasting.isatty()


@pytest.mark.wide
@pytest.mark.parametrize(
    ("limit", "says"),
    [
        ("ulimit -n 64", "only 64 files may be open at once, and a browser needs 256; raise the"),
        ("ulimit -v 8000000", "MB of addresses, and a browser reserves 65536; lift the limit"),
    ],
)
def test_a_limit_of_the_shell_is_named_before_a_browser_starts(tmp_path, limit, says):
    done = shell(f"{limit}; rehearse {RUN} -o out", tmp_path)
    assert done.returncode == os.EX_OSERR, done.stderr
    assert says in done.stderr.splitlines()[-1] and "Traceback" not in done.stderr
    assert shell(f"rehearse {RUN} -o out", tmp_path).returncode == 0, "the run can be resumed"


@pytest.mark.wide
def test_a_soft_limit_of_files_is_raised(tmp_path):
    assert shell(f"ulimit -Sn 64; rehearse {RUN} -o out", tmp_path).returncode == 0


def _limits(monkeypatch, **values: int) -> None:
    known = {getattr(resource, f"RLIMIT_{name}"): value for name, value in values.items()}
    found = resource.getrlimit
    monkeypatch.setattr(
        resource, "getrlimit", lambda kind: (known[kind],) * 2 if kind in known else found(kind)
    )


def test_too_few_processes_are_named_to_everybody_but_root(monkeypatch):
    _limits(monkeypatch, NPROC=50)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(shortage.TooLittle, match=r"only 50 processes .*; raise .* ulimit -u"):
        shortage.check()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    shortage.check()


def test_a_temporary_folder_that_is_missing_or_full_is_named(monkeypatch):
    def missing() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(shortage, "DISK", 1 << 60)
    with pytest.raises(shortage.TooLittle, match=r"MB left, and a browser needs .* TMPDIR"):
        shortage.check()
    monkeypatch.setattr(tempfile, "gettempdir", missing)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    with pytest.raises(shortage.TooLittle, match=r"TMPDIR is '/nowhere': .*let TMPDIR name"):
        shortage.check()


def test_a_home_that_nobody_knows_is_one_line(monkeypatch):
    def unknown() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.delenv("REHEARSE_CHROMIUM", raising=False)
    monkeypatch.delenv("REHEARSE_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    find_chromium()
    with pytest.raises(CacheError, match="set REHEARSE_CACHE to a folder"):
        cache_folder()
