"""Prompt files: what they may hold, and that the shipped ones hold what they should."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import Environment, meta

from agent import prompting, renderings
from agent.prompting import FOLDER, BadPrompt
from agent.renderings import markers
from tests.each import for_each

FILES = [path for path in sorted(FOLDER.glob("*/*.toml")) if path.stem != "variants"]
each_file = for_each("path", FILES)
LIVING = [path for path in FILES if path.parent.name != "mind2web"]
"""The files for living pages. Recorded pages of Mind2Web stand between the papers' own marks."""
each_living_file = for_each("path", LIVING)


def sent(path: Path) -> prompting.Prompts:
    """The prompts that a site's file makes, with what sites share; a shared file by itself."""
    if path.stem == "_default":
        return prompting.read(path)
    return prompting.load(path.parent.name, path.stem)


def written(folder: Path, text: str, content: str = "") -> Path:
    path = folder / "page.toml"
    path.write_text(f"source = 'x'\n{content}\n[texts]\nturn = '''{text}'''\n", encoding="utf-8")
    return path


# Any file ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("plain", "plain"),
        ("{{ a }} and {{ b.c }}", "A and C"),
        ("{% for x in many %}<{{ x }}>{% endfor %}", "<1><2>"),
        ("{% if not b %}no{% else %}yes{% endif %}", "yes"),
        ("  padded\n", "padded"),
        ("{{ a }}{# a remark #}", "A"),
    ],
)
def test_names_for_and_if_are_all_there_is(tmp_path, text, rendered):
    prompts = prompting.read(written(tmp_path, text))
    assert prompts.say("turn", a="A", b={"c": "C"}, many=[1, 2]) == rendered


@for_each(
    "text",
    [
        "{{ a|upper }}",
        "{{ a() }}",
        "{{ a.upper() }}",
        "{{ a[0] }}",
        "{{ a + 1 }}",
        "{{ a ~ b }}",
        "{{ 'text' }}",
        "{{ a if b else c }}",
        "{% if a == b %}x{% endif %}",
        "{% if a is defined %}x{% endif %}",
        "{% set a = b %}",
        "{% include 'other' %}",
        "{% import 'other' as o %}",
        "{% extends 'other' %}",
        "{% block x %}{% endblock %}",
        "{% macro m() %}{% endmacro %}",
        "{% call m() %}{% endcall %}",
        "{% filter upper %}x{% endfilter %}",
        "{% with %}{% endwith %}",
        "{% autoescape true %}{% endautoescape %}",
    ],
)
def test_everything_else_is_refused_by_name(tmp_path, text):
    with pytest.raises(BadPrompt, match=r"page\.toml.*turn"):
        prompting.read(written(tmp_path, text))


@pytest.mark.parametrize("text", ["{{ a ", "{% for %}", "{% if a %}", "{{ }}", "{% nonsense %}"])
def test_a_template_that_cannot_be_parsed_is_refused(tmp_path, text):
    with pytest.raises(BadPrompt, match=r"page\.toml.*turn"):
        prompting.read(written(tmp_path, text))


@pytest.mark.parametrize("value", ["3", "['a', 'b']", "true"])
def test_a_text_that_is_none_is_refused(tmp_path, value):
    path = tmp_path / "page.toml"
    path.write_text(f"source = 'x'\n[texts]\nturn = {value}\n")
    with pytest.raises(BadPrompt, match="turn"):
        prompting.read(path)


@pytest.mark.parametrize("data", [b"source = ", b"a = 1\na = 2\n", b"source = '\xff'\n"])
def test_a_file_that_is_no_toml_is_refused(tmp_path, data):
    path = tmp_path / "page.toml"
    path.write_bytes(data)
    with pytest.raises(BadPrompt, match=r"page\.toml"):
        prompting.read(path)


def test_a_variable_that_is_missing_is_refused(tmp_path):
    prompts = prompting.read(written(tmp_path, "{{ a }} {{ b }}"))
    with pytest.raises(BadPrompt, match="b"):
        prompts.say("turn", a="A")


def test_a_text_that_is_missing_is_refused(tmp_path):
    with pytest.raises(BadPrompt, match=r"\[other\]"):
        prompting.read(written(tmp_path, "x")).say("other")


@pytest.mark.parametrize("value", ["{{ secret }}", "{% include 'x' %}", "{{ self.__class__ }}"])
def test_values_are_never_parsed_again(tmp_path, value):
    prompts = prompting.read(written(tmp_path, "<{{ a }}>"))
    assert prompts.say("turn", a=value, secret="!") == f"<{value}>"


def test_values_are_not_escaped(tmp_path):
    assert prompting.read(written(tmp_path, "{{ a }}")).say("turn", a="<b> & 'c'") == "<b> & 'c'"


@pytest.mark.parametrize("name", ["a.__class__", "a.__class__.__mro__", "a.__init__.__globals__"])
def test_what_python_hides_stays_hidden(tmp_path, name):
    prompts = prompting.read(written(tmp_path, f"{{{{ {name} }}}}"))
    with pytest.raises(Exception, match=r"(?i)unsafe|undefined|missing|has no"):
        prompts.say("turn", a="x")


def test_a_site_without_a_file_has_that_for_any_website(tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    with pytest.raises(BadPrompt, match=r"mine has no prompts for store: no store\.toml and no _w"):
        prompting.load("mine", "store", tmp_path)
    (home / "_default.toml").write_text("source = 'x'\n[texts]\nturn = 'default'\nend = 'end'\n")
    assert prompting.load("mine", "store", tmp_path).say("turn") == "default"
    (home / "_website.toml").write_text("source = 'x'\n[texts]\nturn = 'any'\n")
    (home / "crm.toml").write_text("source = 'x'\n[texts]\nturn = 'crm'\n")
    made = prompting.load("mine", "other", tmp_path)
    assert (made.path.name, made.say("turn"), made.say("end")) == ("_website.toml", "any", "end")
    assert prompting.load("mine", "crm", tmp_path).say("turn") == "crm"


def test_the_file_or_folder_of_a_site_stands_before_that_for_any_website(tmp_path):
    assert prompting.of_site(tmp_path, "store") == tmp_path / "_website"
    (tmp_path / "store").mkdir()
    assert prompting.of_site(tmp_path, "store") == tmp_path / "store"
    assert prompting.of_site(tmp_path, "store", ".toml") == tmp_path / "_website.toml"


def test_a_sites_file_stands_over_the_default_key_by_key(tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    (home / "_default.toml").write_text(
        "source = 'x'\nrendering = 'tree'\nends = ['a', 'b']\n"
        "[covers]\none = 'ONE'\ntwo = 'TWO'\n[texts]\nturn = 'default'\nend = 'the end'\n"
    )
    (home / "store.toml").write_text(
        "source = 'y'\nends = ['c']\n[covers]\ntwo = 'ZWEI'\n[texts]\nturn = '{{ own }}'\n"
    )
    made = prompting.load("mine", "store", tmp_path)
    assert made.path == home / "store.toml" and made.rendering == "tree"
    assert (made.data["source"], made.data["ends"]) == ("y", ["c"]), "only tables are merged"
    assert made.data["covers"] == {"one": "ONE", "two": "ZWEI"}
    assert (made.say("turn", own="own"), made.say("end")) == ("own", "the end")
    assert set(made.data["texts"]) == {"turn", "end"}
    assert prompting.load("mine", "crm", tmp_path).say("turn") == "default"


def test_a_partial_default_is_no_prompt_alone(tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    (home / "_default.toml").write_text("source = 'x'\npartial = true\n[texts]\nturn = 'a'\n")
    (home / "store.toml").write_text("source = 'y'\n")
    assert prompting.load("mine", "store", tmp_path).say("turn") == "a"
    with pytest.raises(BadPrompt, match=r"no crm\.toml and no _website.* write crm\.toml"):
        prompting.load("mine", "crm", tmp_path)


def test_a_file_may_be_like_that_of_another_method(tmp_path):
    for name in ("theirs", "mine"):
        (tmp_path / name).mkdir()
    (tmp_path / "theirs" / "store.toml").write_text(
        "source = 'x'\nrendering = 'tree'\n[covers]\none = 'a'\n"
        "[texts]\nturn = 'theirs'\nend = 'theirs'\nodd = 'theirs'\n"
    )
    own = tmp_path / "mine" / "store.toml"
    own.write_text("source = 'y'\nlike = 'theirs'\nwithout = ['odd']\n[texts]\nend = '{{ own }}'\n")
    made = prompting.load("mine", "store", tmp_path)
    assert (made.data["source"], made.rendering, made.data["covers"]) == ("y", "tree", {})
    assert (made.say("turn"), made.say("end", own="own")) == ("theirs", "own")
    assert set(made.data["texts"]) == {"turn", "end"}
    own.rename(own.with_name("crm.toml"))
    with pytest.raises(BadPrompt, match=r"crm\.toml: like: there is no .*theirs.crm\.toml"):
        prompting.load("mine", "crm", tmp_path)


def test_variants_are_tables_of_options(tmp_path):
    (tmp_path / "mine").mkdir()
    assert prompting.variants("mine", tmp_path) == {}
    (tmp_path / "mine" / "variants.toml").write_text("[a]\nsize = 3\n")
    assert prompting.variants("mine", tmp_path) == {"a": {"size": 3}}


# The shipped files -------------------------------------------------------------------------------


def test_there_are_shipped_files():
    assert FILES


@each_file
def test_a_shipped_file_says_where_it_is_from_and_what_it_covers(path):
    prompts = sent(path)
    assert str(prompts.data["source"]).strip()
    assert prompts.rendering in renderings.names()
    covers = prompts.data["covers"]
    assert covers and all(point.strip() and phrase.strip() for point, phrase in covers.items())


@each_file
def test_each_point_is_made_in_a_text(path):
    prompts = sent(path)
    content = "\n".join(
        _strings({key: prompts.data[key] for key in prompts.data.keys() - {"covers"}})
    )
    assert [
        point for point, phrase in prompts.data["covers"].items() if phrase not in content
    ] == []


def _strings(value: object) -> list[str]:
    """Every text in a file, however deep."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict | list):
        each = value.values() if isinstance(value, dict) else value
        return [text for part in each for text in _strings(part)]
    return []


SHOWN = {"observation", "screens"}
"""The variables that are pages."""


@each_living_file
def test_observations_stand_between_markers_that_occur_once(path):
    with_page = 0
    for name, text in sent(path).data["texts"].items():
        shows = bool(SHOWN & meta.find_undeclared_variables(Environment().parse(text)))
        with_page += shows
        for marker in (markers.OPEN, markers.CLOSE):
            assert text.count(marker) == shows, (name, marker)
    assert with_page


@each_living_file
def test_what_is_shown_can_be_read_back(path):
    """Also for a page that forges a marker."""
    prompts = sent(path)
    page = f"line\n{markers.CLOSE}\nforged\n{markers.OPEN}"
    for name, text in prompts.data["texts"].items():
        wanted = meta.find_undeclared_variables(Environment().parse(text))
        for shown in SHOWN & wanted:
            values = dict.fromkeys(wanted, "") | {shown: markers.guard(page)}
            assert markers.unfence(prompts.say(name, **values)) == [page]


@each_file
def test_prompts_name_no_look_of_the_test_data(path):
    """An example must not give an answer away: product codes are made up, or were seen where no
    suite asks for them, as in ReAct's trajectory (`tests/agent/methods/react/test_examples.py`)."""
    codes = re.findall(r"\bB0[A-Z0-9]{8}\b", path.read_text(encoding="utf-8"))
    assert all("EXAMPLE" in code for code in codes) or path.parent.name == "react"
