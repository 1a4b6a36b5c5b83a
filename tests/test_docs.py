"""The blocks of the documentation are run as they stand, and what they show is what they say."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import pytest

import rehearse
from agent import agent_spec
from agent.browser.chromium import find_chromium
from evaluators.run import arguments
from evaluators.server.serve import serve
from scenarios import suites
from tests.each import for_each
from tests.measuring import HANG

pytestmark = pytest.mark.usefixtures("unmeasured")

ROOT = Path(__file__).parent.parent
PACKAGES = ("agent", "evaluators", "scenarios", "sites")
TREE = (*PACKAGES, *sorted(each.name for each in ROOT.glob("rehears*.py")))
BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
STEPS = ("python", "sh")
WALKED = (*("first-hour.md", "from-run-to-paper.md", "scoring.md", "determinism.md", "adding.md"),)


class Block(NamedTuple):
    """`file` is the path on the line above it, "" where none is."""

    file: str
    kind: str
    text: str


def blocks(*pages: str) -> list[Block]:
    texts = [(ROOT / "docs" / page).read_text(encoding="utf-8") for page in pages]
    return [
        Block(found["file"] or "", found["kind"], found["text"])
        for found in BLOCK.finditer("\n".join(texts))
    ]


def python(program: list[str], folder: Path, tree: Path, stdin: str = "", **extra: str) -> str:
    """What a program of this tree says; where that is a copy, coverage does not measure it."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if tree == ROOT or not name.startswith("COVERAGE")
    }
    done = subprocess.run(
        [sys.executable, *program],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(tree), **extra},
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# Pages that are walked through --------------------------------------------------------------------


@pytest.mark.wide
def test_pages_are_walked_through_as_they_stand(tmp_path):
    """Files are put in their places in a copy of the tree; then every step is carried out there."""
    for name in TREE:
        place = ROOT / name
        copy = shutil.copytree if place.is_dir() else shutil.copyfile
        copy(place, tmp_path / name)
    found = blocks(*WALKED)
    for block in found:
        if block.file:
            path = tmp_path / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    steps = [block for block in found if block.kind in STEPS and not block.file]
    walk = json.dumps([(each.kind, each.text) for each in steps])
    output = python([str(ROOT / "tests" / "walking.py")], tmp_path, tmp_path, walk)
    outputs = dict(zip(steps, json.loads(output.splitlines()[-1]), strict=True))
    for step, shown in pairwise(found):
        if shown.kind == "text":
            assert missing(shown.text, folded(outputs[step])) == []


def missing(shown: str, output: str) -> list[str]:
    """What a page shows and no program printed; dots stand for whatever is left out."""
    parts = [folded(part) for line in shown.splitlines() for part in line.split("…")]
    return [part for part in parts if part not in output]


def folded(text: str) -> str:
    return " ".join(text.split())


# Doors --------------------------------------------------------------------------------------------


def ran(code: str, folder: Path, **environment: str) -> str:
    (folder / "block.py").write_text(code)
    return python(["block.py"], folder, ROOT, **environment)


@pytest.mark.wide
@pytest.mark.parametrize("jailed", [pytest.param(False, marks=pytest.mark.deep), True])
def test_a_foreign_agent_draws_acts_finishes_and_is_scored(tmp_path, jailed):
    with serve(["store"], jailed=jailed) as served:
        output = ran(
            blocks("doors.md")[0].text,
            tmp_path,
            CONTROL=served.control.url,
            TOKEN=served.token,
            CHROMIUM=str(find_chromium()),
            FLAGS=json.dumps(served.jail.flags if served.jail else []),
        )
    assert re.match(r"(True|False) [01]\.\d+ \['one purchase'", output)


def test_a_client_of_webshop_buys_and_is_told_the_score(tmp_path):
    with serve(["store:0"], for_webshop=True) as served:
        url = served.addresses()["sites"]["store"]
        output = ran(blocks("doors.md")[4].text, tmp_path, STORE=url)
    assert re.fullmatch(r"\['[01]\.\d+'\]\n", output)


SHOWN = {1: "'one purchase': False", 2: "[('expert', 1.0)", 3: "1 passed", 5: "True ['search']"}


@pytest.mark.wide
def test_the_other_doors(tmp_path):
    """One after the other in one process; one of them is a test of pytest's."""
    walk = json.dumps([("python", blocks("doors.md")[at].text) for at in SHOWN])
    output = python([str(ROOT / "tests" / "walking.py")], tmp_path, ROOT, walk)
    for printed, words in zip(json.loads(output.splitlines()[-1]), SHOWN.values(), strict=True):
        assert words in printed


def test_every_block_of_the_doors_is_run():
    """Those that have a file in `tests/doors`."""
    assert len(blocks("doors.md")) == 10


def test_the_page_about_training_resets_steps_and_opens_sessions(tmp_path):
    first, second = [each.text for each in blocks("training.md")]
    group, session = ran(first, tmp_path), ran(second, tmp_path)
    assert group.splitlines()[-4:] == [
        "(0.0, False, False, '')",
        "(0.0, False, False, 'There is no element 999 on this page.')",
        "None",
        "(0.0, True, False, '')",
    ]
    assert session.endswith("0.0 True\n")


@pytest.mark.wide
def test_an_agent_of_ones_own_is_tested_by_workers_and_leaves_a_run(tmp_path):
    """The page's files and its command, on four of the seeds."""
    page = (ROOT / "docs" / "own-agent.md").read_text(encoding="utf-8")
    files = [each for each in blocks("own-agent.md") if each.file]
    for each in files:
        text = each.text.replace("range(20)", "range(4)")
        (tmp_path / each.file).write_text(text, encoding="utf-8")
    [command] = re.findall(r"^ {4}(pytest .*)$", page, re.MULTILINE)
    options = ("-p", "no:cacheprovider", "-p", "xdist", *shlex.split(command)[1:])
    output = python(["-m", "pytest", "-q", *options], tmp_path, ROOT)
    assert "4 passed" in output
    [shown] = [each.text for each in blocks("own-agent.md") if each.kind == "text"]
    assert missing(shown, folded(output)) == []
    steps = [each.text for each in blocks("own-agent.md") if each.kind == "sh" and not each.file]
    for line in "".join(steps).replace("0:20", "0:4").splitlines():
        python([str(ROOT / "rehearse.py"), *shlex.split(line)[1:]], tmp_path, ROOT)


# What pages name ----------------------------------------------------------------------------------


def named(page: str, pattern: str) -> list[tuple[str, ...]]:
    """What stands between back quotes in a page and has this form."""
    return re.findall(f"`{pattern}`", (ROOT / "docs" / page).read_text(encoding="utf-8"))


def test_every_function_that_the_methods_name_is_there():
    found = named("methods.md", r"([\w/]+)\.py::([\w.]+)")
    assert len(found) > 50
    for path, name in found:
        place = path if path.startswith("agent/") else f"agent/methods/{path}"
        attrgetter(name)(importlib.import_module(place.replace("/", ".")))


def test_every_purpose_that_the_methods_name_is_answered():
    methods = {name.replace("-", "_") for name in agent_spec.names()}
    found = [each for each in named("methods.md", r"(\w+)/([\w-]+)") if each[0] in methods]
    assert len(found) > 20
    for method, what in found:
        module = importlib.import_module(f"agent.llm.scripted.{method}")
        assert callable(getattr(module, what.replace("-", "_")))


def test_every_setting_that_the_methods_name_is_the_default():
    found = named("methods.md", r"([\w-]+):(\w+)=([\w.]+)")
    assert len(found) > 15
    for method, name, value in found:
        agent = agent_spec.read(f"{method}:{name}={value}")
        assert agent.options[name] == getattr(agent_spec.read(method).build(), name), (method, name)


@pytest.mark.parametrize("page", ["methods.md", "published-numbers.md", "webarena.md"])
def test_every_variant_that_a_page_names_is_there(page):
    methods = agent_spec.names()
    for method, variant in named(page, r"([\w-]+):([\w-]+)"):
        if method in methods:
            agent_spec.read(f"{method}:{variant}")


def commands(page: str) -> list[str]:
    """The lines of a page that run agents on our sites."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(r"^(?: {4})?(rehearse run .*?)(?:\s+#.*)?$", text, re.MULTILINE)
    return [line for line in found if "--env " not in line]


@pytest.mark.parametrize("page", ["published-numbers.md", "runs.md", "scoring.md", "webarena.md"])
def test_every_run_that_a_page_shows_can_be_started(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert commands(page)
    for line in commands(page):
        params = rehearse.run_command.make_context("run", shlex.split(line)[2:]).params
        others = {"as_json", "fail_on_error", "catalogue_folder", "products", "skip_bad"}
        others |= {"environments", "gym_python", "env_seconds", "prompts_as"}
        given = {name: params[name] for name in params.keys() - others}
        plan = arguments.parse(**given)
        for name in plan.names:
            assert name.endswith(".py") or agent_spec.read(name)


PAGES = sorted(
    str(path.relative_to(ROOT)) for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
)


@for_each("page", PAGES)
def test_every_link_of_a_page_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for path, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", text):
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), path
        assert not anchor or anchor in anchors(target), (path, anchor)


def anchors(page: Path) -> list[str]:
    """What a page's headings are called in addresses."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", each.casefold()).replace(" ", "-") for each in headings]


def test_the_page_of_contents_has_every_suite():
    contents = (ROOT / "docs" / "contents.md").read_text(encoding="utf-8")
    assert [name for name in suites.names() if f"`{name}`" not in contents] == []


def test_the_index_has_every_page():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"} == set(
        re.findall(r"\]\(([\w-]+\.md)\)", index)
    )
