"""WebArena's own tasks by our methods: the prompts that a live model gets. A program stands for
BrowserGym's Python, and a server on loopback for the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent import prompting
from agent.browsergym.process import GymPython
from agent.llm import tokenizer
from agent.methods.step import policy_library
from evaluators.records import run_folder
from evaluators.records.models import EpisodeRecord
from evaluators.run import api
from evaluators.run.config import ExecutorConfig, RunConfig
from evaluators.run.environments import EnvironmentRequest
from scenarios import registry
from scenarios.scenario import start_host
from tests import environment_program, loopback
from tests.each import for_each
from tests.environment_program import ANSWER
from tests.loopback import Server

pytestmark = pytest.mark.usefixtures("unmeasured")
HOST = "webarena"
FOURTEEN = {
    *("find_subreddit", "find_user"),
    *("search_order", "list_products", "search_reviews"),
    *("search_customer", "find_order", "find_customer_review"),
    *("find_commits", "search_issues", "create_project", "create_group"),
    *("find_directions", "search_nearest_place"),
}
"""The names of the policies in SteP's appendix and code."""
KNOWING = (
    *("anticipatory-reflection", "plan-act", "sampled-alternatives", "lats"),
    *("react", "ash", "step", "flat"),
)
"""The methods with prompts for WebArena."""
OTHERS = ("synapse", "rci", "mindact", "adaplanner")


@pytest.fixture(name="model")
def _model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A live model that the environment leads to."""
    with loopback.serve() as served:
        for name, value in served.environment.items():
            monkeypatch.setenv(name, value)
        yield served


def ran(folder: Path, *agents: str) -> list[EpisodeRecord]:
    """The records of agents with a live model in WebArena's task 310."""
    python = GymPython(str(environment_program.installed(folder / "gym")), 30)
    tasks = EnvironmentRequest(["browsergym/webarena.310"], "", python).tasks(range(1))
    config = RunConfig(
        llm="live", gym_python=python, executor=ExecutorConfig(concurrency=1), out=folder / "run"
    )
    api.run(agents, tasks, config)
    return list(run_folder.episodes(folder / "run"))


def asked(model: Server) -> list[str]:
    """The texts of each request."""
    return [
        "\n".join(str(each["content"]) for each in request.body["messages"])
        for request in model.requests
    ]


def says(*texts: str) -> list[loopback.Answer]:
    return [Server.says(f"REASON: Point 1.\nACTION: {each}") for each in texts]


@for_each("name", ["webarena.310", "webarenalite.4", "webarena_verified.279.0.2"])
def test_each_edition_of_webarena_has_its_prompts(name):
    assert start_host(registry.environment(f"browsergym/{name}")) == HOST


@for_each("name", ["visualwebarena.310", "webarena_exported.0", "workarena.servicenow.x"])
def test_others_have_the_prompts_for_any_website(name):
    assert start_host(registry.environment(f"browsergym/{name}")) == "browsergym"


def test_the_library_has_the_fourteen_policies_of_the_paper():
    assert {*policy_library.load(HOST).policies} == FOURTEEN


def test_step_offers_all_fourteen_to_the_root_and_to_the_policy_that_it_calls(tmp_path, model):
    model.will(*says("find_order [order 7]", "stop [it is open]", f"stop [{ANSWER}]"))
    [record] = ran(tmp_path, "step")
    assert (record.success, record.llm_calls, record.stack_depth) == (True, 3, 2)
    policies, (root, called, last) = policy_library.load(HOST).policies, asked(model)
    for request in (root, called):
        assert all(f"{each.description}\n" in request for each in policies.values())
    assert policies["find_order"].instruction.strip() in called
    assert policy_library.load(HOST).root.instruction.strip() in last
    assert "it is open = find_order [order 7]" in last


def test_in_the_published_code_a_called_policy_gets_none(tmp_path, model):
    model.will(*says("find_order [order 7]", "stop []", f"stop [{ANSWER}]"))
    ran(tmp_path, "step:published-code")
    root, called, _ = asked(model)
    others = [each.description for each in policy_library.load(HOST).policies.values()]
    assert all(f"{each}\n" in root and each not in called for each in others)


def test_flat_has_three_prompts_and_a_limit_takes_only_examples(tmp_path, model):
    model.will(*says(f"stop [{ANSWER}]"))
    agents = ("flat:4k", "flat:8k", "flat")
    assert [each.success for each in ran(tmp_path, *agents)] == [True] * 3
    by_agent = dict(zip(agents, asked(model), strict=True))
    sizes = {name: tokenizer.count(text) for name, text in by_agent.items()}
    assert sizes["flat:4k"] < sizes["flat:8k"] < sizes["flat"], sizes
    assert sizes["flat:4k"] < 4200 and sizes["flat:8k"] < 8200 < sizes["flat"], "and the page"
    whole = by_agent["flat"].partition("### Input")[0]
    assert all(text.partition("### Input")[0] == whole for text in by_agent.values())


def test_the_released_limit_of_twenty_actions_holds(tmp_path, model):
    model.will(*says("click [3]"))
    [record] = ran(tmp_path, "flat:published-code")
    assert (record.ended, record.steps) == ("truncated", 20)


@for_each("agent", KNOWING)
def test_requests_tell_which_websites_there_are(tmp_path_factory, agent):
    with loopback.serve() as served, pytest.MonkeyPatch.context() as patch:
        for name, value in served.environment.items():
            patch.setenv(name, value)
        served.will(Server.says("nonsense"))
        ran(tmp_path_factory.mktemp("run"), agent)
        request = asked(served)[-1]
    name = agent.replace("-", "_")
    assert prompting.load(name, HOST).path.stem == HOST
    assert "one of six websites" in request and "signed in already" in request


FORMS = (
    ("Begin your answer with the word List", "List\n1. Read the number"),
    ("Suppose that your answer above is wrong", "Action: NONE"),
    ("Which action comes next for this step?", "Action: SKIP"),
    ("is the whole task done now?", "YES"),
    ("Answer the question that the task asks", f"###Answer {ANSWER}"),
)
"""Words of a request of Anticipatory Reflection, and a reply in the form that they ask for."""


def reflecting(body: loopback.Body) -> loopback.Answer:
    """The reply of a model that plans a step, finds it done, and answers."""
    newest = str(body["messages"][-1]["content"])
    return Server.says(next(text for words, text in FORMS if words in newest))


def test_in_webarena_a_thing_that_is_not_there_cannot_be_done(tmp_path, model):
    """WebArena's own answer for both is N/A, and it knows no NOT_FOUND."""
    model.answering = reflecting
    agents = ("anticipatory-reflection", "plan-act", "sampled-alternatives")
    assert [each.success for each in ran(tmp_path, *agents)] == [True] * 3
    answers = [each for each in asked(model) if "###Answer" in each]
    assert len(answers) == 3
    for each in answers:
        assert "NOT_ACHIEVABLE if the task cannot be done, or there is no such thing" in each
        assert "NOT_FOUND" not in each


@for_each("agent", OTHERS)
def test_the_other_methods_have_their_prompts_for_any_website(agent):
    assert prompting.load(agent, HOST).path.stem == prompting.WEBSITE


@for_each("path", sorted(prompting.FOLDER.rglob("webarena*/**/*.toml")))
def test_addresses_in_examples_are_made_up(path):
    """No host of WebArena's, and none of ours."""
    hosts = {text.split("/")[0] for text in path.read_text().split("http://")[1:]}
    assert {host.rpartition(".")[2] for host in hosts} <= {"example"}, json.dumps(sorted(hosts))
