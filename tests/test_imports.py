"""The law of imports, and that importing does nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.each import for_each
from tests.measuring import HANG
from tests.sources import ROOT, read, source

pytestmark = pytest.mark.usefixtures("unmeasured")

OURS = {"sites", "agent", "scenarios", "evaluators", "tools", "rehearse", "tests", "benchmarks"}
"""`rehearsal_errors` and `rehearsal_json`, which import none of ours, may be imported by all."""
MAY = {
    "sites": {"sites"},
    "agent": {"agent"},
    "scenarios": {"sites", "scenarios", "agent.interface", "agent.plugins"},
    "evaluators": {"sites", "agent", "scenarios", "evaluators"},
    "tools": {"sites", "agent", "scenarios", "evaluators", "tools"},
}
SOURCES = sorted(
    path
    for package in MAY
    for path in (ROOT / package).rglob("*.py")
    if "__pycache__" not in path.parts
)
EVERY = [*SOURCES, *ROOT.glob("rehears*.py")]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in EVERY
]
each_source = for_each("path", EVERY)


def imported(path: Path) -> tuple[str, ...]:
    """Every module that a file imports, in functions too, as dotted names."""
    return source(path).imports


def within(name: str, allowed: set[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in allowed)


def test_the_reader_of_imports_sees_every_form():
    lines = "import a.b as c\nfrom d import e\ndef f():\n    from .g import h\n    import sites\n"
    assert set(read(lines, ("agent", "llm")).imports) == {"a.b", "d.e", "agent.llm.g.h", "sites"}
    assert within("agent.interface.Task", {"agent.interface"})
    assert not within("agent.interfaces", {"agent.interface"})


def test_the_reader_of_calls_sees_where_they_stand():
    lines = "eval(x)\ndef f(): return random.choice(y).z()\nf()()\n"
    assert read(lines).calls == ((1, "eval"), (3, "f"), (2, "random.choice"))


@for_each("path", SOURCES)
def test_imports_go_one_way(path):
    allowed = MAY[path.relative_to(ROOT).parts[0]]
    wrong = [
        name for name in imported(path) if name.split(".")[0] in OURS and not within(name, allowed)
    ]
    assert wrong == []


@cache
def modules_imported(path: Path) -> frozenset[str]:
    """The modules of ours that a file imports, in functions and for types too."""
    known = set(MODULES)
    found = (
        name if name in known else name.rpartition(".")[0]
        for name in imported(path)
        if name.split(".")[0] in OURS
    )
    return frozenset(found) & known


def circles(arrows: dict[str, frozenset[str]]) -> list[list[str]]:
    """The groups of modules that import each other (strongly connected, by Tarjan)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for other in sorted(arrows[name]):
            if other not in number:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == number[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1 or name in arrows[name]:
                found.append(sorted(group))

    for name in arrows:
        if name not in number:
            visit(name)
    return found


def test_no_modules_import_each_other():
    """Imports in functions and under `TYPE_CHECKING` count: a circle is one of meaning."""
    arrows = {
        module: modules_imported(path) - {module}
        for module, path in zip(MODULES, EVERY, strict=True)
    }
    assert circles(arrows) == []


def test_a_circle_is_found():
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"a"}}
    assert circles({name: frozenset(others) for name, others in arrows.items()}) == [
        ["a", "b", "c"]
    ]


@each_source
def test_no_private_module_is_imported_from_another_package(path):
    """`a.b._c` belongs to `a.b` and to the packages below it."""
    here = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    wrong = []
    for name in imported(path):
        parts = name.split(".")
        private = next((at for at, part in enumerate(parts) if is_private(part)), None)
        home = ".".join(parts[:private])
        if parts[0] in OURS and private and not here.startswith(f"{home}."):
            wrong.append(name)
    assert wrong == []


def is_private(part: str) -> bool:
    return part.startswith("_") and not part.startswith("__")


def test_evaluators_can_be_taken_in_at_a_glance():
    found = {path.name for path in (ROOT / "evaluators").iterdir()} - {"__init__.py", "__pycache__"}
    assert len(found) <= 11, sorted(found)


def test_the_words_use_the_standard_library_only():
    names = {name.split(".")[0] for name in imported(ROOT / "agent" / "interface.py")}
    assert names <= sys.stdlib_module_names


RESTRICTED = ROOT / "agent" / "mind2web" / "pickled_scores.py"
"""Its unpickler admits containers and numbers only, as its tests show."""


@each_source
def test_no_text_is_ever_run_and_nothing_is_unpickled(path):
    for line, called in source(path).calls:
        assert called not in {"eval", "exec", "compile", "__import__"}, line
    roots = {name.split(".")[0] for name in imported(path)}
    pickles = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
    if path == RESTRICTED:
        pickles.remove("pickle")
    assert not roots & pickles


CLOCKS = {
    *("time.time", "datetime.now", "datetime.today", "datetime.utcnow", "date.today"),
    *("uuid.uuid4", "uuid.uuid1"),
}
SHOWN = [
    path
    for path in SOURCES
    if path.relative_to(ROOT).parts[0] in {"sites", "scenarios"}
    or path.is_relative_to(ROOT / "evaluators" / "scoring")
    or path.is_relative_to(ROOT / "agent" / "methods")
    or path.is_relative_to(ROOT / "agent" / "llm" / "scripted")
    or path.is_relative_to(ROOT / "agent" / "renderings")
]


@for_each("path", SHOWN)
def test_what_is_shown_or_scored_knows_no_clock_and_no_global_dice(path):
    modules = set(imported(path))
    assert not {"uuid"} & {name.split(".")[0] for name in modules}
    drawn = {name for name in modules if name.startswith("random.")} - {"random.Random"}
    assert drawn == set()
    for line, called in source(path).calls:
        assert called not in {"hash", *CLOCKS}, line
        assert not called.startswith("random.") or called == "random.Random", line


GUARD = """
import os, sys, threading
before = dict(os.environ)
def refuse(event, args):
    flags = args[2] if event == "open" and isinstance(args[2], int) else 0
    if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        if str(args[0]) != os.devnull:
            raise SystemExit(f"importing {name} opens {args[0]} to write")
    if event in ("socket.connect", "socket.bind", "subprocess.Popen", "os.mkdir", "os.remove",
                 "os.rename", "os.fork", "os.posix_spawn", "shutil.rmtree", "tempfile.mkstemp"):
        raise SystemExit(f"importing {name} does {event} {args}")
sys.addaudithook(refuse)
import importlib
for name in sys.argv[1:]:
    importlib.import_module(name)
assert dict(os.environ) == before, "the environment was changed"
assert threading.active_count() == 1, threading.enumerate()
"""


def _unmeasured() -> dict[str, str]:
    """The environment without coverage, which would write files of its own at the end."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", "-W", "error", *arguments],
        cwd=ROOT,
        env={**_unmeasured(), "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=HANG,
        check=False,
    )


APART = ("pytest_plugin", "gymnasium", ".inspect", ".openenv")
"""pytest is one thing; Gymnasium sets a variable of its own (PYGAME_HIDE_SUPPORT_PROMPT), and
Inspect and OpenEnv are in extras of their own."""


@pytest.mark.wide
def test_importing_everything_does_nothing_visible(tmp_path):
    modules = [name for name in MODULES if not name.endswith(APART)]
    done = python("-c", GUARD, *modules, REHEARSE_CACHE=str(tmp_path), HOME=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_the_guard_refuses_what_it_should(tmp_path):
    (tmp_path / "noisy.py").write_text(f"open({str(tmp_path / 'x')!r}, 'w')")
    done = python("-c", GUARD, "noisy", PYTHONPATH=str(tmp_path))
    assert done.returncode != 0 and "opens" in done.stderr


HEAVY = {"playwright", "tantivy", "faker", "faiss", "openai", "numpy", "ray"}
TASKS = {"pydantic", "flask", "scenarios.registry", "sites.store", "sites.crm", "sites.widgets"}
HELP = ("--help", "run --help")
LISTED = tuple(f"list {what}" for what in ("methods", "sites", "families", "suites", "cassettes"))
LOADED = """
import sys, rehearse
for command in sys.argv[2:]:
    try:
        rehearse.main(command.split())
    except SystemExit as end:
        loaded = sorted(set(sys.argv[1].split()) & set(sys.modules))
        print(command, end.code, loaded, file=sys.stderr)
"""


@for_each(
    ("commands", "heavy"),
    [
        (HELP, {*HEAVY, "pydantic", "flask", "httpx2", "jinja2", "asyncio"}),
        (LISTED, {*HEAVY, *TASKS, "httpx2"}),
    ],
)
def test_what_is_heavy_is_imported_where_it_is_needed(commands, heavy):
    """Help and lists import no browser library, no search, no model client; lists no site, no
    family.
    """
    done = python("-c", LOADED, " ".join(heavy), *commands)
    found = [line for line in done.stderr.splitlines() if line.endswith("]")]
    assert found == [f"{command} 0 []" for command in commands], done.stderr


def test_a_run_imports_the_model_client_only_if_it_asks_a_model():
    done = python("-c", "import sys, evaluators.run.api; print(sorted(sys.modules))")
    assert "pydantic" in done.stdout and "openai" not in done.stdout, done.stderr
