"""SteP (Sodhi et al. 2024): stacked LLM policies for web actions.

The state is the page and a stack of policies. The policy on top sees its objective, the page and
its own history. It acts on the page, or calls a policy of the library (push), or stops with a value
(pop), which the policy below finds in its history. Sections 3 and 4, algorithm 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from agent import prompting, renderings, vision
from agent.interface import LLM, Hover, HoverAt, Message, Observation, Page, Press, Stop, Task, Wait
from agent.llm.asking import ask_for, temperature
from agent.llm.messages import with_picture
from agent.methods import check_among, check_least
from agent.methods.step import policy_library, turns
from agent.methods.step.policy_library import STRONG, Example, Library, Policy
from agent.methods.step.turns import PolicyReply, Situation
from agent.offered import with_inputs
from agent.prompting import Prompts

check_prompts = partial(policy_library.check_prompts, "step")
MISSING = "missing:"
UNSEEN = (Press, Hover, HoverAt, Wait)


@dataclass(frozen=True)
class Options:
    """Options of SteP; the defaults are the paper's.

    Attributes:
        n: Number of samples; only the first is used. The paper asks for three.
        best_of: Number of samples among which the reply of a completion model is the likeliest.
        temperature: Sampling temperature; -1 for the model's own.
        examples: Number of example turns of each policy; -1 for all.
        reason: Whether to ask for a reason before the action.
        calls: Policies that a called policy may call: "library" for all, or "none".
        reasks: How often the model is asked again after a reply that is no action.
        loops: Number of times at which the same action on the same page counts as a loop.
        escalate: Model that answers for policies of the tier "strong"; "" for the agent's own.
        stop_missing: Whether a policy may stop with the name of a fact that it was not given.
        structured: Whether to ask for replies by a JSON schema.
        dates: Whether to show the days of a calendar as whole dates, if the site's prompts name a
            rendering for that; the released code does so on MiniWoB.
        vision: Whether to show the page as a picture, too.
        prompts: Folder of the prompt files.
    """

    n: int = 1
    best_of: int = 3
    temperature: float = 0.3
    examples: int = -1
    reason: bool = True
    calls: str = "library"
    reasks: int = 2
    loops: int = 3
    escalate: str = ""
    stop_missing: bool = False
    structured: bool = False
    dates: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_among(self, calls=("library", "none"))
        check_least(self, n=1, best_of=1, examples=-1, reasks=0, loops=1)


@dataclass
class Frame:
    """An entry of the stack: a policy with the objective of its call and its private history.

    Attributes:
        policy: The policy.
        objective: The call that pushed the policy; for the root, the instruction.
        called_at: The page on which the policy was called.
        actions: The actions and calls of the policy, in order.
        responses: For each of `actions`, the value that a called policy returned; "" for an action
            on the page.
        done: How often the policy tried each action on each page.
        warned: The actions, with their pages, for which the policy was warned of a loop.
        error: The error that the policy is shown next.
    """

    policy: Policy
    objective: str
    called_at: Observation
    actions: list[str] = field(default_factory=list)
    responses: list[str] = field(default_factory=list)
    done: Counter[tuple[Observation, str]] = field(default_factory=Counter)
    warned: set[tuple[Observation, str]] = field(default_factory=set)
    error: str = ""

    @property
    def history(self) -> Iterator[str]:
        """The lines of the policy's history as the prompt shows them; a called policy's return
        value stands before its call.
        """
        for response, action in zip(self.responses, self.actions, strict=True):
            yield f"{response} = {action}" if response else action


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Let the policy on top of the stack act until the root policy stops."""
    prompts = prompting.load("step", task.site, options.prompts)
    if options.dates:
        prompts = turns.with_dates(prompts)
    library = policy_library.load(task.site, options.prompts)
    model = Model(task, llm, prompts, library, options)
    observation = await page.observe(screenshot=options.vision)
    stack = Stack(task)
    stack.push(library.root, task.instruction, observation)
    while stack.frames:
        top = stack.top
        turn = await model.predict(top, observation, depth=len(stack.frames))
        if isinstance(turn.move, Stop):
            value = turn.move.answer
            stack.pop(value)
        elif circle := stack.circle(turn, observation, options.loops):
            value = stack.warn(turn, observation, circle)
        elif isinstance(turn.move, Policy):
            top.actions.append(turn.text)
            stack.push(turn.move, turn.text, observation)
        else:
            top.actions.append(turn.text)
            top.responses.append("")
            observation = await page.act(turn.move)
            if options.vision:
                observation = await vision.look(page, observation)
    return value


class Stack:
    """The stack of policies that were called and have not returned, with the active
    policy on top.
    """

    def __init__(self, task: Task) -> None:
        self.frames: list[Frame] = []
        self._record = task.record

    @property
    def top(self) -> Frame:
        """The stack entry of the active policy."""
        return self.frames[-1]

    def push(self, policy: Policy, objective: str, observation: Observation) -> None:
        """Put a policy with an empty history on top of the stack; the page is not touched."""
        self.frames.append(Frame(policy, objective, _look(observation)))
        self._record("push", policy.name, depth=len(self.frames), objective=objective)

    def pop(self, value: str) -> None:
        """End the policy on top of the stack. The policy below finds the returned value in its
        history.
        """
        self._record("pop", self.top.policy.name, depth=len(self.frames), value=value)
        if value.startswith(MISSING):
            self._record("missing", value.removeprefix(MISSING).strip())
        self.frames.pop()
        if self.frames:
            self.top.responses.append(value)

    def circle(self, turn: PolicyReply, observation: Observation, loops: int) -> str:
        """Return the reason why a policy's move repeats an earlier one (a loop); "" if it does not.

        Moves in `UNSEEN` (key presses, hovering, waiting) may have effects that the page does not
        show, so repeating them is no loop.
        """
        here = _look(observation), turn.text
        self.top.done[here] += 1
        self.top.error = ""
        called = [(each.called_at, each.objective) for each in self.frames]
        if isinstance(turn.move, Policy) and here in called:
            return f"{turn.text} was called on this page and has not ended, so it was not called"
        if self.top.done[here] >= loops and not isinstance(turn.move, UNSEEN):
            return f"{turn.text} was done here {loops - 1} times already, so it was not done again"
        return ""

    def warn(self, turn: PolicyReply, observation: Observation, circle: str) -> str:
        """Warn the policy on top of the stack about a loop. The second time, end it with the
        warning as its return value; return "" or that value.
        """
        here = _look(observation), turn.text
        self._record("loop", circle, depth=len(self.frames))
        if here not in self.top.warned:
            self.top.warned.add(here)
            self.top.error = f"{circle}; do something else, or stop"
            return ""
        value = circle if len(self.frames) > 1 else ""
        self.pop(value)
        return value


def _look(observation: Observation) -> Observation:
    """Return the page without its last error and its picture, for comparison with other pages."""
    return replace(observation, error=None, screenshot=None)


@dataclass(frozen=True)
class Model:
    """The language model with the prompts of SteP, asked for the next turn of a policy."""

    task: Task
    llm: LLM
    prompts: Prompts
    library: Library
    options: Options

    async def predict(self, frame: Frame, observation: Observation, depth: int) -> PolicyReply:
        """Ask for one turn of the policy on top.

        Raises:
            FormatError: No reply was a valid turn.
        """
        offered = self._offered(frame.policy, depth)
        operations = with_inputs(self.prompts.data["operations"], observation)
        structured = self.options.structured
        return await ask_for(
            self.llm,
            "step/act",
            self._messages(frame, observation, offered),
            partial(turns.read, offered=offered, operations=operations),
            reasks=self.options.reasks,
            on_reask=partial(self.task.record, "reask", frame.policy.name),
            form=turns.form(offered, operations, self.options.reason) if structured else None,
            **self._settings(frame.policy),
        )

    def _offered(self, policy: Policy, depth: int) -> dict[str, Policy]:
        """Return the policies that a policy may call, as a dict by name.

        The library includes the policy itself; the published code also offers it to the root
        policy.
        """
        if self.options.calls == "none" and depth > 1:
            return {}
        return self.library.offered(policy)

    def _messages(
        self, frame: Frame, observation: Observation, offered: dict[str, Policy]
    ) -> list[Message]:
        system = self.prompts.say(
            "system",
            role=self.prompts.say("role"),
            operations=self.prompts.operations(without=("stop",)),
            subroutines=[each.description for each in offered.values()],
            alone=self.options.calls == "none" and not offered,
            reason=self.options.reason,
            stop_missing=self.options.stop_missing,
            advice=frame.policy.instruction.strip(),
        )
        error = frame.error or observation.error or ""
        page = renderings.without_instruction(observation, self.task.instruction)
        situation = Situation(frame.objective, page, error, tuple(frame.history))
        *talk, now = turns.messages(self.prompts, system, self._examples(frame.policy), situation)
        return [*talk, with_picture(now, observation.screenshot)]

    def _examples(self, policy: Policy) -> list[Example]:
        """Return the example turns that the prompt shows for a policy."""
        limit = len(policy.examples) if self.options.examples < 0 else self.options.examples
        shown = policy.examples[:limit]
        return [each if self.options.reason else replace(each, reason="") for each in shown]

    def _settings(self, policy: Policy) -> dict[str, Any]:
        """Return the sampling options of a request; for policies of the tier "strong" they also
        name the stronger model.
        """
        stronger = policy.tier == STRONG and self.options.escalate
        model = {"model": self.options.escalate} if stronger else {}
        return {
            "n": self.options.n,
            "best_of": self.options.best_of,
            "temperature": temperature(self.options.temperature),
            **model,
        }
