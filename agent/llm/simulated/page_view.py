"""A request read with knowledge of its task: its screens, its history, and the scripted decisions
about them.

It serves the methods Anticipatory Reflection, Plan+Act, LATS and sampled alternatives. If only a
part of a page is shown, they scroll down and then up before they leave it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from agent import actions, prompting, renderings
from agent.interface import Action, Advice, Back, Element, Note, Observation, Reply, Scroll, Stop
from agent.llm.simulated import looping, mistakes
from agent.llm.simulated.mistakes import Situation
from agent.llm.simulated.model import ReadRequest, is_silent
from agent.llm.simulated.reading import Knowledge, Lost, read_page
from agent.llm.simulated.remembered import remembering, taken
from agent.renderings import joined

NOTHING = Note("There is nothing left to do here.")
FAILED = "did not serve its step"  # a history line's text about a failed action

_LEAVES = re.compile(r"\b(?:Back|My|Next|Prev|Previous)\b")  # names of links that leave a page
_BRIEF = 160  # the longest text, in characters, that a page summary keeps
_HISTORY = re.compile(r"oldest first[^\n]*:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
_STEP = re.compile(r"^Step: \d+\. (.*)$", re.MULTILINE)
_TAKEN = re.compile(r"^Taken: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class PageView(ReadRequest):
    """A request read with knowledge of its task: the screens, the history and the right actions.
    Raises `Lost` if something is missing.
    """

    @cached_property
    def task(self) -> Knowledge:
        """The knowledge about the task. Its advice (right next actions) uses notes if a screen
        alone does not tell what to do; if a screen is only a part of the page, the advice may be to
        scroll.
        """
        known = self.simulated.task(self.request)
        advise = remembering(known.advise, lambda: taken(self.done))
        return replace(known, advise=lambda screen: self._looking(advise(screen), screen))

    def _looking(self, advice: Advice, screen: Observation) -> Advice:
        """Return the advice (right next actions), or advice to scroll if the visible part of the
        page does not tell what to do.
        """
        scrolled = [*takewhile(lambda each: isinstance(each, Scroll), reversed(self.done))]
        up = Scroll("up") in scrolled
        if not screen.more or self._is_clear(advice, screen):
            return advice
        if "below" in screen.more and not up:
            return replace(advice, actions=(Scroll("down"),), answer=None, needs=())
        if "above" in screen.more and not self._can_be_done(advice):
            return replace(advice, actions=(Scroll("up"),), answer=None, needs=())
        return advice

    def _is_clear(self, advice: Advice, screen: Observation) -> bool:
        """Return whether the advice (right next actions) for the visible part names an action that
        stays on the page, or an answer. An empty answer is not clear, because the hidden part of
        the page may matter.
        """
        leaving = any(_leaves(each, screen) for each in advice.actions[:1])
        return self._can_be_done(advice) and advice.answer != "" and not leaving

    def _can_be_done(self, advice: Advice) -> bool:
        known = all(map(self.request.holds, advice.needs))
        return known and (advice.answer is not None or bool(advice.actions))

    @cached_property
    def rendering(self) -> str:
        method = self.request.purpose.partition("/")[0]
        return prompting.load(method, self.task.site).rendering

    @cached_property
    def screens(self) -> list[Observation]:
        """The screens that the request shows, the newest last."""
        if not self.request.shown:
            raise Lost("no page is shown")
        pages = (page for text in self.request.shown for page in joined.part(text))
        return [read_page(page, self.rendering) for page in pages]

    @cached_property
    def advice(self) -> Advice:
        """The advice (right next actions) for the newest screen. Raises `Lost` if the request lacks
        a value that it relies on.
        """
        return self.advised(self.screens[-1])

    def advised(self, screen: Observation) -> Advice:
        """Return the advice (right next actions) for a screen. Raises `Lost` if the request lacks a
        value that it relies on.
        """
        advice = self.task.advise(screen)
        self.request.check(advice.needs)
        return advice

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the request's action history, oldest first."""
        found = _HISTORY.search(self.request.text_without_pages)
        return [line for line in found[1].split("\n") if line not in ("", "None")] if found else []

    @property
    def done(self) -> list[Action]:
        """The actions of the history, oldest first; lines of a summary that are no action are left
        out.
        """
        return [action for line in self.lines for action in read(line.partition(" -- ")[0])]

    def find(self, pattern: re.Pattern[str]) -> str:
        """Return the text that the pattern's first group matches in the request outside of pages.
        Raises `Lost` without a match.
        """
        found = pattern.search(self.request.text_without_pages)
        if found is None:
            raise Lost(f"there is nothing like {pattern.pattern!r}")
        return found[1]

    @property
    def tried(self) -> list[Action]:
        """The actions of the history. A failed action appears `GIVEN_UP_AFTER` times, so that the
        scripted model counts it as given up.
        """
        return [
            action
            for line in self.lines
            for action in read(line.partition(" -- ")[0])
            for _ in range(mistakes.GIVEN_UP_AFTER if FAILED in line else 1)
        ]

    @property
    def lacking(self) -> float:
        """The rate of wrong assessments: 1 minus the model's skill."""
        return 1 - self.simulated.skill

    def errs(self, what: str, rate: float, step: str, action: str) -> bool:
        """Return whether the scripted model makes a mistake about an action within a step.

        Args:
            what: The row of `mistakes.CONSTANTS` that counts the draw.
            rate: The probability of an error, 0 to 1.
            step: The step.
            action: The action, as text.
        """
        return self.simulated.errs(self.request, self.task, (step, action), what, rate)

    def seed(self, step: str, action: str) -> str:
        return self.simulated.seed(self.request, self.task, step, action)


def decided(view: PageView, sample: int = 0) -> Action:
    """Return the action that the model takes, right or mistaken. A method cannot stop here, so the
    mistaken belief that the task is done becomes a note.
    """
    if not can_go_on(view):
        return NOTHING
    situation, decision = view.simulated.decide(
        view.request,
        view.rendering,
        already=view.done,
        tried=view.tried,
        task=view.task,
        sample=sample,
    )
    if not isinstance(decision.action, Stop):
        return decision.action
    note = nothing_left(situation)
    return situation.right if note in view.done else note


def nothing_left(situation: Situation) -> Note:
    """Return the note that nothing is left to do with an element. It names the element, so that it
    differs from other mistaken notes.
    """
    target, right = situation.target, situation.right
    what = f"{target.role} '{target.name}'" if target else actions.show(right)
    return Note(f"There is nothing left to do with {re.sub(r'[][]', '', what)}.")


def can_go_on(view: PageView) -> bool:
    """Return whether an action is left to do on the newest screen."""
    return view.advice.answer is None and bool(view.advice.actions)


def read(text: str) -> list[Action]:
    """Return a list with the action that a text stands for; empty if the text is no action."""
    try:
        return [actions.parse(text)]
    except actions.BadAction:
        return []


def message(*chosen: Action) -> Reply:
    """Return a reply with one sample ("Action: ...") for each action."""
    return Reply(tuple(f"Action: {actions.show(each)}" for each in chosen))


def summary(screen: Observation, rendering: str) -> Reply:
    """Return a reply with a shortened page: its address, all usable elements, and the
    short texts.
    """
    content = [n for n in screen.content if isinstance(n, Element) or len(n.text) <= _BRIEF]
    return Reply((renderings.get(rendering).render(replace(screen, content=tuple(content))),))


def _leaves(action: Action, screen: Observation) -> bool:
    """Return whether the action probably opens another page, for example by a search."""
    element = mistakes.element_of(action, screen)
    role, name = (element.role, element.name) if element else ("", "")
    return isinstance(action, Back) or role == "searchbox" or bool(_LEAVES.search(name))


def description(view: PageView) -> str:
    """Return a sentence that describes the action taken. After a scroll it adds the needed values
    that only the screen before shows.
    """
    action, _, words = view.find(_TAKEN).partition(" -- ")
    verb = action.partition(" ")[0].replace("_", " ")
    sentence = re.sub(r"[\[\]]", "", f"The action is to {verb} {words}".strip())
    seen = ", ".join(_seen_before(view)) if verb == "scroll" else ""
    return f"{sentence}; before, the page said {seen}." if seen else f"{sentence}."


def _seen_before(view: PageView) -> list[str]:
    """Return the values for the next actions that only the previous screen shows."""
    before, after = view.screens[-2:]
    known = view.simulated.task(view.request).advise(after)
    shown = before.text.casefold()
    spelt = (each for needed in known.needs if not view.request.holds(needed) for each in needed)
    return [each for each in spelt if each.casefold() in shown]


def is_aligned(view: PageView) -> bool:
    """Return whether the action was right on the first screen and the second screen shows no error;
    the verdict may be a scripted mistake.
    """
    before, after = view.screens[-2:]
    action = actions.parse(view.find(_TAKEN).partition(" -- ")[0])
    return is_right(view, action, before, failed=bool(after.error))


def is_right(view: PageView, action: Action, screen: Observation, failed: bool = False) -> bool:
    """Return whether the action is right on a screen and did not fail; the verdict may be a
    scripted mistake.

    Args:
        view: The request.
        action: The action to assess.
        screen: The screen on which it was or would be taken.
        failed: Whether the next screen shows an error.
    """
    advice = view.advised(screen)
    right = _is_to_be_done(action, advice) and not failed
    what = mistakes.FALSE_ALARM if right else mistakes.OVERLOOKED
    rate = view.lacking / 10 if right else view.lacking
    return right != view.errs(what, rate, f"align/{advice.step}", mistakes.named(action, screen))


def _is_to_be_done(action: Action, advice: Advice) -> bool:
    """Return whether the action is the next right one, or another right one on this screen; the
    last one is due only after the others.
    """
    if action not in advice.actions:
        return False
    place = advice.actions.index(action)
    return place < len(advice.actions) - 1 or all(map(is_silent, advice.actions[:place]))


def is_step_done(view: PageView) -> bool:
    """Return whether the current step of the plan is done; the verdict may be a
    scripted mistake.
    """
    done = view.advice.answer is not None or is_passed(view) or _is_thing_done(view)
    return _checked(view, "step", done)


def next_thing(view: PageView) -> str:
    """Return the next thing of the loop that is the current step: the role and name of the element
    of the next right action; "" if no action of this step is left.
    """
    acts = view.advice.answer is None and bool(view.advice.actions) and not is_passed(view)
    element = mistakes.element_of(view.advice.actions[0], view.screens[-1]) if acts else None
    other = actions.show(view.advice.actions[0]) if acts else ""
    return f"{element.role} '{element.name}'" if element else other


def _is_thing_done(view: PageView) -> bool:
    """Return whether the current step is about a thing of a loop, and another thing comes next."""
    return looping.is_other(view.find(_STEP), next_thing(view))


def is_passed(view: PageView) -> bool:
    """Return whether the next right action belongs to a later step than the plan's current one."""
    steps = view.task.steps
    step, reached = looping.own_step(view.find(_STEP), steps), view.advice.step
    if step not in steps:
        raise Lost(f"{step!r} is no step of this task")
    return reached in steps and steps.index(reached) > steps.index(step)


def is_task_done(view: PageView) -> bool:
    """Return whether the task is done; the verdict may be a scripted mistake."""
    return _checked(view, "task", view.advice.answer is not None)


def _checked(view: PageView, what: str, done: bool) -> bool:
    """Return the true result of a check ("step" or "task" done), or by scripted mistake the
    opposite.
    """
    about = f"{what}/{view.advice.step}", str(len(view.lines))
    return done != view.errs(mistakes.CHECK, view.lacking / 10, *about)


def word(verdict: bool) -> str:
    return "YES" if verdict else "NO"
