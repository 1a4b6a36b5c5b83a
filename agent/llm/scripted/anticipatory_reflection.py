"""Answers for Anticipatory Reflection, a function a question: plans, actions, judgements.

A plan is the steps of the family. A first answer may be a mistake; asked what else to do, were it
wrong, one sees the right action. Judgements are right but for the model's skill: a real mistake
is overlooked, a false alarm given, something held for done that is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

from agent import actions, prompting, renderings
from agent.actions import show
from agent.interface import Action, Advice, Click, Element, Note, Observation, Reply, Stop
from agent.llm.scripted import _mistakes
from agent.llm.scripted._mind import Mind, is_silent
from agent.llm.scripted._reading import Knowledge, Lost, Request
from agent.methods import _replies
from agent.methods._counterparts import counterpart

_HISTORY = re.compile(r"oldest first[^\n]*:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_STEP = re.compile(r"^Step: \d+\. (.*)$", re.MULTILINE)
_TAKEN = re.compile(r"^Taken: (.*)$", re.MULTILINE)
_ELEMENT = re.compile(r"^Element: (\d+)$", re.MULTILINE)
_NOTHING = Note("There is nothing left to do here.")
_BRIEF, _KEPT = 160, 5
"""Characters of a text and lines of a history that a summary keeps."""


@dataclass(frozen=True)
class _Scene:
    """A request as somebody reads it who knows the task. Raises `Lost`."""

    mind: Mind
    request: Request

    @cached_property
    def task(self) -> Knowledge:
        return self.mind.task(self.request)

    @cached_property
    def rendering(self) -> str:
        method = self.request.purpose.partition("/")[0]
        return prompting.load(method, self.task.site).rendering

    @cached_property
    def screens(self) -> list[Observation]:
        """Those that are shown, the newest last."""
        newest = self.request.observation(self.rendering)
        return [*map(self._read, self.request.shown[:-1]), newest]

    def _read(self, shown: str) -> Observation:
        try:
            return renderings.get(self.rendering).parse(shown)
        except ValueError as error:
            raise Lost(f"a page cannot be read: {error}") from None

    @cached_property
    def advice(self) -> Advice:
        """For the newest screen; whoever follows it was told what it relies on."""
        return self.advised(self.screens[-1])

    def advised(self, screen: Observation) -> Advice:
        advice = self.task.advise(screen)
        self.request.check(advice.needs)
        return advice

    @cached_property
    def lines(self) -> list[str]:
        """The history."""
        found = _HISTORY.search(self.request.told)
        return [line for line in found[1].split("\n") if line] if found else []

    @property
    def done(self) -> list[Action]:
        """The actions of the history; a summary may hold lines that tell of none."""
        return [action for line in self.lines for action in _read(line.partition(" -- ")[0])]

    def heard(self, pattern: re.Pattern[str]) -> str:
        found = pattern.search(self.request.told)
        if found is None:
            raise Lost(f"there is nothing like {pattern.pattern!r}")
        return found[1]

    def chance(self, what: str, advice: Advice, action: str) -> float:
        """The draw of one judgement."""
        return self.mind.rng(self.request, self.task, f"{what}/{advice.step}", action).random()


def lost(mind: Mind, request: Request) -> Reply:
    """What somebody says who was told too little."""
    return Reply(("I do not know what this is about.",))


# Plans and actions --------------------------------------------------------------------------------


def plan(mind: Mind, request: Request) -> Reply:
    """The steps that such a task has."""
    steps = enumerate(_Scene(mind, request).task.steps, start=1)
    return Reply(("\n".join(["List", *(f"{number}. {step}" for number, step in steps)]),))


def act(mind: Mind, request: Request) -> Reply:
    """The next thing to do on this screen."""
    return _said(_action(_Scene(mind, request)))


def remedy(mind: Mind, request: Request) -> Reply:
    """The right action, if it is none of the answers so far; else another that one could try.

    The right one once more where there is no other.
    """
    scene = _Scene(mind, request)
    given = _answers(scene)
    if not _can_go_on(scene):
        return _said(_NOTHING)
    situation, _ = mind.decide(request, scene.rendering, already=scene.done)
    right = situation.right
    sensible = [right, *_others(right, scene.screens[-1])]
    return _said(next((each for each in sensible if each not in given), right))


def _action(scene: _Scene) -> Action:
    """A decision, mistakes included. Nobody can stop here: who believes to be done notes it."""
    if not _can_go_on(scene):
        return _NOTHING
    situation, decision = scene.mind.decide(scene.request, scene.rendering, already=scene.done)
    if not isinstance(decision.action, Stop):
        return decision.action
    return situation.right if _NOTHING in scene.done else _NOTHING


def _can_go_on(scene: _Scene) -> bool:
    return scene.advice.answer is None and bool(scene.advice.actions)


def _answers(scene: _Scene) -> list[Action]:
    """Those that the dialogue shows."""
    messages = scene.request.messages
    said = [str(message["content"]) for message in messages if message["role"] == "assistant"]
    given = [action for text in said for action in _read(text.removeprefix("Action: "))]
    if not given:
        raise Lost("no answer is shown")
    return given


def _read(text: str) -> list[Action]:
    """The action that a text is, none where it is not one."""
    try:
        return [actions.parse(text)]
    except actions.BadAction:
        return []


def _others(right: Action, screen: Observation) -> list[Action]:
    """Clicks on other elements that commit nothing, those most like the right one first."""
    target = _mistakes.element_of(right, screen)
    others = [each for each in screen.elements if each != target and _is_open(each)]
    role = target.role if target else ""
    return [Click(each.id) for each in sorted(others, key=lambda each: each.role != role)]


def _is_open(element: Element) -> bool:
    return not element.commits and "disabled" not in element.states


def _said(action: Action) -> Reply:
    return Reply((f"Action: {show(action)}",))


# Judgements ---------------------------------------------------------------------------------------


def align(mind: Mind, request: Request) -> Reply:
    """What was done, and whether it is what one should have done."""
    scene = _Scene(mind, request)
    return Reply((f"{_description(scene)}\n{_word(_is_aligned(scene))}",))


def step_done(mind: Mind, request: Request) -> Reply:
    """Whether the next thing to do belongs to a later step."""
    return Reply((_word(_is_step_done(_Scene(mind, request))),))


def task_done(mind: Mind, request: Request) -> Reply:
    """Whether nothing is left to do."""
    return Reply((_word(_is_task_done(_Scene(mind, request))),))


def judge(mind: Mind, request: Request) -> Reply:
    """All three at once."""
    scene = _Scene(mind, request)
    verdicts = {
        "Aligned": _is_aligned(scene),
        "Step done": _is_step_done(scene),
        "Task done": _is_task_done(scene),
    }
    lines = (f"{label}: {_word(verdict)}" for label, verdict in verdicts.items())
    return Reply(("\n".join([_description(scene), *lines]),))


def _description(scene: _Scene) -> str:
    action, _, words = scene.heard(_TAKEN).partition(" -- ")
    verb = action.partition(" ")[0].replace("_", " ")
    return re.sub(r"[\[\]]", "", f"The action is to {verb} {words}".strip() + ".")


def _is_aligned(scene: _Scene) -> bool:
    """Whether it was a thing to do on the first screen, and the second has no error."""
    before, after = scene.screens[-2:]
    advice = scene.advised(before)
    action = actions.parse(scene.heard(_TAKEN).partition(" -- ")[0])
    right = _is_to_be_done(action, advice) and not after.error
    draw = scene.chance("align", advice, _mistakes.named(action, before))
    return right != (draw < (_false_alarm(scene) if right else 1 - scene.mind.skill))


def _is_to_be_done(action: Action, advice: Advice) -> bool:
    """The next thing to do, or another of this screen; the last one waits for all the others."""
    if action not in advice.actions:
        return False
    place = advice.actions.index(action)
    return place < len(advice.actions) - 1 or all(map(is_silent, advice.actions[:place]))


def _is_step_done(scene: _Scene) -> bool:
    steps = scene.task.steps
    step, reached = scene.heard(_STEP), scene.advice.step
    if step not in steps:
        raise Lost(f"{step!r} is no step of this task")
    later = reached in steps and steps.index(reached) > steps.index(step)
    return _checked(scene, "step", scene.advice.answer is not None or later)


def _is_task_done(scene: _Scene) -> bool:
    return _checked(scene, "task", scene.advice.answer is not None)


def _checked(scene: _Scene, what: str, done: bool) -> bool:
    """The check, with a false "done" or a false alarm now and then."""
    return done != (scene.chance(what, scene.advice, str(len(scene.lines))) < _false_alarm(scene))


def _false_alarm(scene: _Scene) -> float:
    return (1 - scene.mind.skill) / 10


def _word(verdict: bool) -> str:
    return "YES" if verdict else "NO"


# The rest -----------------------------------------------------------------------------------------


def answer(mind: Mind, request: Request) -> Reply:
    """The answer to the task, empty where there is none."""
    return Reply((f"{_replies.ANSWER} {_Scene(mind, request).advice.answer or ''}".strip(),))


def map_element(mind: Mind, request: Request) -> Reply:
    """The number that an element has on the newer screen."""
    scene = _Scene(mind, request)
    found = counterpart(int(scene.heard(_ELEMENT)), *scene.screens[-2:])
    return Reply(("none" if found is None else str(found),))


def summary(mind: Mind, request: Request) -> Reply:
    """Everything that can be used, and the short texts beside it."""
    scene = _Scene(mind, request)
    screen = scene.screens[-1]
    kept = [n for n in screen.content if isinstance(n, Element) or len(n.text) <= _BRIEF]
    return Reply((renderings.get(scene.rendering).render(replace(screen, content=tuple(kept))),))


def history_summary(mind: Mind, request: Request) -> Reply:
    """The newest lines."""
    return Reply(("\n".join(_Scene(mind, request).lines[-_KEPT:]),))
