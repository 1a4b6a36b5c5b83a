"""Finding plug-ins: a file is a name."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Protocol

import pytest

import agent.methods
from agent import plugins
from agent.plugins import OwnFile


@pytest.fixture
def package(tmp_path, monkeypatch) -> ModuleType:
    """A package of plug-ins in a folder of the test's own."""
    home = tmp_path / "flock"
    home.mkdir()
    (home / "__init__.py").write_text('"""Birds."""\n')
    (home / "grey_heron.py").write_text("LEGS = 2\n")
    (home / "wren.py").write_text("LEGS = 2\n")
    (home / "_shared.py").write_text("raise RuntimeError\n")
    (home / "notes.txt").write_text("no plug-in")
    (home / "owls").mkdir()
    (home / "owls" / "__init__.py").write_text("")
    (home / "empty").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    module = __import__("flock")
    yield module
    for name in [name for name in sys.modules if name.split(".")[0] == "flock"]:
        del sys.modules[name]


def test_files_and_packages_are_names_the_rest_is_not(package):
    assert plugins.names(package) == ["grey_heron", "owls", "wren"]
    assert plugins.folders(package) == ["owls"]


def test_a_dash_on_the_command_line_is_an_underscore_in_the_file(package):
    assert plugins.load("bird", package, "grey-heron").LEGS == 2


def test_a_new_file_is_found_without_an_edit(package, tmp_path):
    (tmp_path / "flock" / "stork.py").write_text("LEGS = 1\n")
    assert "stork" in plugins.names(package)
    assert plugins.load("bird", package, "stork").LEGS == 1


@pytest.mark.parametrize("name", ["wrenn", "_shared", "__init__", "notes", "../wren", "", "a.b"])
def test_an_unknown_name_gives_the_nearest(package, name):
    with pytest.raises(plugins.UnknownName) as refused:
        plugins.load("bird", package, name)
    assert repr(name) in str(refused.value) and "\n" not in str(refused.value)
    assert "wren" in str(refused.value)


@pytest.mark.parametrize("name", ["qqqq", "bird-29", ""])
def test_an_unknown_name_suggests_at_most_a_handful(name):
    error = plugins.unknown("bird", name, [f"bird-{n}-of-the-flock" for n in range(300)])
    assert error.remedy.count("-of-the-flock") <= 3 and len(str(error)) < 200
    assert "did you mean" in str(error) if name == "bird-29" else "297 more" in str(error)


def test_a_file_of_ones_own(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass(frozen=True)\nclass Options:\n    size: int = 3\n"
    )
    assert plugins.load_file(OwnFile(path)).Options().size == 3


def test_a_file_of_ones_own_is_loaded_once(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("class Options:\n    pass\n")
    made = plugins.load_file(OwnFile(path)).Options()
    assert isinstance(made, plugins.load_file(OwnFile(path)).Options)


def test_two_files_of_one_name_are_two(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "mine.py").write_text(f"WHERE = {folder!r}\n")
    first = plugins.load_file(OwnFile(tmp_path / "a" / "mine.py"))
    second = plugins.load_file(OwnFile(tmp_path / "b" / "mine.py"))
    assert (first.WHERE, second.WHERE) == ("a", "b")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"mine\.py"):
        plugins.load_file(OwnFile(tmp_path / "mine.py"))


def test_a_file_that_fails_is_tried_again_once_it_is_mended(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("WHERE = 1 / 0\n")
    with pytest.raises(plugins.BadPlugin, match=r"mine\.py:1: ZeroDivisionError: division by zero"):
        plugins.load_file(OwnFile(path))
    path.write_text("WHERE = 'here and now'\n")
    assert plugins.load_file(OwnFile(path)).WHERE == "here and now"


class Bird(Protocol):
    """Birds have LEGS, may have a SONG, and `fly`."""

    LEGS: int
    SONG: str = "tweet"

    def fly(self) -> None: ...


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("LEGS = 2\n", "has no fly"),
        ("def fly(): ...\n", "has no LEGS"),
        ("LEG = 2\ndef fly(): ...\n", "LEG is no member of a bird; did you mean LEGS"),
        (
            "LEGS = 2\nSONGG = ''\ndef fly(): ...\n",
            "SONGG is no member of a bird; did you mean SONG",
        ),
    ],
)
def test_what_lacks_or_misspells_a_member_is_refused(tmp_path, code, problem):
    (tmp_path / "wren.py").write_text(code)
    with pytest.raises(plugins.BadPlugin, match=problem):
        plugins.conform("bird", plugins.load_file(OwnFile(tmp_path / "wren.py")), Bird, "wren.py")


def test_what_is_optional_gets_its_default(tmp_path):
    (tmp_path / "wren.py").write_text("LEGS = 2\ndef fly(): ...\ndef flatter(): ...\n")
    made = plugins.conform(
        "bird", plugins.load_file(OwnFile(tmp_path / "wren.py")), Bird, "wren.py"
    )
    assert (made.LEGS, made.SONG) == (2, "tweet")


def test_a_digest_names_contents_and_names(tmp_path):
    home = tmp_path / "x"
    (home / "__pycache__").mkdir(parents=True)
    (home / "a.txt").write_text("1")
    first = plugins.digest(home)
    (home / "__pycache__" / "a.pyc").write_text("junk")
    assert plugins.digest(home) == first
    (home / "a.txt").write_text("2")
    assert plugins.digest(home) != first
    (home / "a.txt").write_text("1")
    assert plugins.digest(home) == first
    (home / "a.txt").rename(home / "b.txt")
    assert plugins.digest(home) != first


def test_the_methods_of_this_project_are_found():
    assert {"expert", "nothing", "random", "refuse", "react"} <= set(plugins.names(agent.methods))
