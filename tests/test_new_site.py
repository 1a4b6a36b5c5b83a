"""A site without prompts of its own: every method works there by its prompts for any website.

The site is that of docs/adding.md. A model's server on loopback answers each request by what the
request asks for and by the page that it shows; it knows neither the site nor the methods.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from agent import agent_spec, prompting
from agent.llm.messages import text_of
from agent.prompting import WEBSITE, BadPrompt
from agent.renderings import markers
from evaluators.records import run_folder
from tests import loopback
from tests.loopback import Answer, Body
from tests.test_docs import ROOT, TREE, blocks, python

pytestmark = pytest.mark.usefixtures("unmeasured")

FILES = ("sites/lamp/", "scenarios/lamp/", "evaluators/scoring/scorers/lamp.py")
METHODS = [path.parent.name for path in sorted(prompting.FOLDER.glob(f"*/{WEBSITE}.toml"))]
OF_ONE_SITE = {"laser", "mind2web", "rules"}
"""Texts for one kind of pages: LASER knows a site's graph, the rules a shop, Mind2Web its files."""
CHECKED = "The action is to press it.\nServed: YES\nValue: 9\nStep done: YES\nTask done: {done}"
FORMS = (
    ("answer with the number alone", "1"),
    ("Write the function", "def solution(agent, start_from=1):\n    agent.act('{act}')"),
    ("write the improved plan", "List\n1. Open the page of the lamp\n2. Press Light"),
    ("which problems does it have", "There is none."),
    ("Which operation carries out that instruction", "{act}"),
    ("say in a sentence what to do now", "Press it."),
    ("Begin with the word List", "List\n1. Open the page of the lamp\n2. Press Light"),
    ("Shorten the page below", "{page}"),
    ("Begin your answer with the word List", "List\n1. Open the page of the lamp\n2. Press Light"),
    ("Suppose that your answer above is wrong", "Action: NONE"),
    ("Rate each by a number", "1: 9\n2: 5\n3: 2"),
    ("Served: YES", CHECKED),
    ("Value: how promising", CHECKED.replace("Served: YES\n", "")),
    ("Step done: YES", CHECKED.replace("Served: YES\nValue: 9\n", "")),
    ("one action and nothing else, between backticks", "`{ACT}`"),
    ("REASON: which point of the advice applies", "REASON: It is asked for.\nACTION: {act}"),
    ("one thought and one action", "Thought: It is asked for.\nAction: {act}"),
    ("Which action comes next for this step?", "Action: {act}"),
    ("Which of these choices is the next action on?", "Answer: {letter}.\nAction: CLICK"),
)
"""Words of a request, and a reply in the form that they ask for."""


def sensible(body: Body) -> Answer:
    """The reply of a model that reads the request and sees which lamp is wanted."""
    newest = text_of(body["messages"][-1])
    request = "\n".join(map(text_of, body["messages"]))
    form = next(form for words, form in FORMS if words in (newest + request))
    page = (markers.unfence(request) or [""])[-1]
    act = action(page, re.findall(r"Please light lamp (\d+)\.", request)[-1])
    if "stop" in act and "stop [" not in request.casefold():
        act = "SKIP"
    done = "YES" if "stop" in act or act == "SKIP" else "NO"
    shouted = act.replace("click", "CLICK").replace("stop", "STOP")
    text = form.format(page=page, act=act, ACT=shouted, done=done, letter=letter(newest, act))
    return loopback.Server.says(*[text] * body.get("n", 1))


def action(page: str, wanted: str) -> str:
    """The next action on a page, in whatever form it is shown."""
    if re.search(r"\blit\b", page):
        return "stop []"
    number = r"\[(\d+)\] (?:link|button) '{0}'|data-id=\"(\d+)\"[^>]*>{0}<"
    for name in ("Light", wanted):
        if found := re.search(number.replace("{0}", name), page):
            return f"click [{found[1] or found[2]}]"
    return "stop []"


def letter(request: str, act: str) -> str:
    """The letter of the choice that stands for an action, A ("none of these") if none does."""
    wanted = "The task is done" if "[" not in act or "stop" in act else f"[{act.partition('[')[2]}"
    found = [
        line[0] for line in request.splitlines() if re.match(r"[A-Z]\. ", line) and wanted in line
    ]
    return found[0] if found else "A"


@pytest.fixture(scope="module", name="tree")
def _tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the page's site, its families and its scorer, without prompts."""
    tree = tmp_path_factory.mktemp("tree")
    for name in TREE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, tree / name)
    for block in blocks("adding.md"):
        if block.file.startswith(FILES):
            (tree / block.file).parent.mkdir(parents=True, exist_ok=True)
            (tree / block.file).write_text(block.text, encoding="utf-8")
    return tree


@pytest.mark.wide
def test_every_method_succeeds_on_a_new_site_if_its_model_answers_sensibly(tree, tmp_path):
    agents = ",".join(name.replace("_", "-") for name in METHODS)
    words = ["--agent", agents, "--family", "light_lamp", "--seeds", "0:1", "--llm", "live"]
    with loopback.serve(sensible) as server:
        command = ["-m", "rehearse", "run", *words, "-o", str(tmp_path / "run")]
        python(command, tmp_path, tree, **server.environment)
    ended = {
        each.agent: (each.ended, each.success) for each in run_folder.episodes(tmp_path / "run")
    }
    assert ended == dict.fromkeys(agents.split(","), ("answered", True))
    asked = json.dumps([each.body for each in server.requests])
    assert "You have not seen this website before" in asked


def test_a_method_without_prompts_for_any_website_says_so_in_one_line():
    folders = {path.name for path in prompting.FOLDER.iterdir() if path.is_dir()}
    assert folders - {*METHODS} == OF_ONE_SITE, f"write {WEBSITE}.toml for the method"
    check = agent_spec.read("laser").module().check_prompts
    assert check is not None
    with pytest.raises(BadPrompt, match=r"laser has no graph of states for lamp.* choose another"):
        check("lamp", prompting.FOLDER)
