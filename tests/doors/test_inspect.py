"""Families as tasks of Inspect, played by Inspect itself with a model that we script."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

if find_spec("inspect_ai") is None:
    pytest.skip("no inspect_ai; run: tox -e doors", allow_module_level=True)

import inspect_ai
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from evaluators.integrations import inspect as ours

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

pytestmark = pytest.mark.filterwarnings("default")
"""Inspect leaves streams open when it ends."""


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """What Inspect leaves open is collected here, and not while another door is tested."""
    yield
    gc.collect()


Reply = tuple[str, dict[str, str]]
Model = Callable[[list[str]], Reply]
"""What is called with which arguments, after the texts of all messages."""


def evaluated(task: inspect_ai.Task, model: Model, folder: Any, **options: Any) -> EvalLog:
    def reply(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        name, arguments = model([each.text for each in messages])
        made = ModelOutput.for_tool_call("mockllm/model", name, arguments)
        # Without counts of tokens Inspect loads a tokenizer from the network.
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    scripted = get_model("mockllm/model", custom_outputs=reply)
    [log] = inspect_ai.eval(
        task, model=scripted, display="none", log_dir=str(folder), score_display=False, **options
    )
    return log


def scores(log: EvalLog) -> list[tuple[float, float]]:
    assert log.status == "success" and log.samples, log.error
    values = [each.scores["world_scorer"].value for each in log.samples if each.scores]
    return [(each["success"], each["progress"]) for each in values if isinstance(each, dict)]


def press_the_button(texts: list[str]) -> Reply:
    if "START" in texts[-1]:
        return "submit", {"answer": ""}
    found = re.search(r"\[(\d+)\] button 'Click Me!'", texts[-1])
    return ("act", {"action": f"click [{found[1]}]"}) if found else ("look", {})


def test_samples_are_played_at_once_and_scored_by_us(tmp_path):
    log = evaluated(ours.family("click-test", "0:3"), press_the_button, tmp_path)
    assert scores(log) == [(1, 1)] * 3
    metrics = {each.name: each.metrics["mean"].value for each in log.results.scores}
    assert metrics == {"success": 1, "progress": 1}


def test_a_suite_is_played_and_who_submits_at_once_has_done_nothing(tmp_path):
    log = evaluated(
        ours.suite("store-20", "0:2"), lambda texts: ("submit", {"answer": ""}), tmp_path
    )
    assert scores(log) == [(0, 0)] * 2
    assert (
        log.samples and "one purchase: failed" in log.samples[0].scores["world_scorer"].explanation
    )


def test_who_never_submits_ends_at_the_limit_and_is_scored(tmp_path):
    log = evaluated(
        ours.family("click-test", "0:1"), lambda texts: ("look", {}), tmp_path, message_limit=9
    )
    assert scores(log) == [(0, 0)]
    assert log.samples and log.samples[0].limit and log.samples[0].limit.type == "message"


@pytest.mark.parametrize("pages", [0, 2])
def test_a_model_that_fails_after_a_page_is_scored_as_it_was_left(tmp_path, pages):
    def leaves(texts: list[str]) -> Reply:
        if len(texts) > 1 + 2 * pages:
            raise ConnectionError("the client has left")
        return "look", {}

    log = evaluated(ours.family("click-test", "0:2"), leaves, tmp_path, fail_on_error=False)
    assert scores(log) == [(0, 0)] * 2
    assert log.samples and all(each.error for each in log.samples)
    assert {each.metrics["mean"].value for each in log.results.scores} == {0}


def test_a_line_that_is_no_action_is_answered_and_steps_are_limited(tmp_path):
    answers = []

    def stubborn(texts: list[str]) -> Reply:
        answers.append(texts[-1])
        if "spent" in texts[-1]:
            return "submit", {"answer": ""}
        return "act", {"action": "jump" if len(texts) < 6 else "scroll [down]"}

    evaluated(ours.family("click-test", "0:1"), stubborn, tmp_path)
    assert any("it begins with none of" in each for each in answers)
    assert answers[-1] == "All steps of this task are spent; call submit."


def test_a_question_is_told_its_form_and_a_wrong_answer_is_wrong(tmp_path):
    asked = []

    def guess(texts: list[str]) -> Reply:
        asked.append(texts[1])
        return "submit", {"answer": "NOT_FOUND"}

    log = evaluated(ours.family("review_mentions", "0:1"), guess, tmp_path)
    assert "alone; NOT_FOUND where there is no such thing" in asked[0]
    assert asked[0].index("<<<observation") < asked[0].index("observation>>>")
    assert scores(log)[0][0] == 0
