"""SteP (Sodhi et al. 2024): stacked LLM policies for web actions.

The state is the page and a stack of policies. The policy on top sees its objective, the page and
its own history; it acts on the page, or calls a policy of the library (push), or stops with a
value (pop), which the policy below finds in its history. Sections 3 and 4, algorithm 1.
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
    """Defaults are the paper's; -1 in `examples` is all, in `temperature` the model's own.

    `n`: samples, of which the first is taken; the paper asks for three. `examples`: so many turns
    of each policy. `reason`: ask for a reason before the action. `calls`: whom a called policy may
    call, the library or none. `reasks`: for replies that are no action. `loops`: the same action on
    the same page so often is a loop. `escalate`: the model that answers for policies of the tier
    "strong", "" for the agent's own. `stop_missing`: a policy may return what it was not given.
    `structured`: ask for replies by a JSON schema. `vision`: show the page as a picture, too.
    """

    n: int = 1
    temperature: float = 0.3
    examples: int = -1
    reason: bool = True
    calls: str = "library"
    reasks: int = 2
    loops: int = 3
    escalate: str = ""
    stop_missing: bool = False
    structured: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_among(self, calls=("library", "none"))
        check_least(self, n=1, examples=-1, reasks=0, loops=1)


@dataclass
class Frame:
    """An entry of the stack: a policy with what it was called for and its private history.

    `called_at` is the page on which it was called. `responses` are what came of its `actions`: the
    value of a policy, "" for a page. `done` counts its actions by page, `warned`
    are those of which it was told that they lead in a circle, `error` is what it is told next.
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
        for response, action in zip(self.responses, self.actions, strict=True):
            yield f"{response} = {action}" if response else action


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load("step", task.site, options.prompts)
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
    """The policies that are at work, the active one on top."""

    def __init__(self, task: Task) -> None:
        self.frames: list[Frame] = []
        self._record = task.record

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def push(self, policy: Policy, objective: str, observation: Observation) -> None:
        """Begin with an empty history; nothing is sent to the page."""
        self.frames.append(Frame(policy, objective, _look(observation)))
        self._record("push", policy.name, depth=len(self.frames), objective=objective)

    def pop(self, value: str) -> None:
        """End the policy on top; the one below finds the value in its history."""
        self._record("pop", self.top.policy.name, depth=len(self.frames), value=value)
        if value.startswith(MISSING):
            self._record("missing", value.removeprefix(MISSING).strip())
        self.frames.pop()
        if self.frames:
            self.top.responses.append(value)

    def circle(self, turn: PolicyReply, observation: Observation, loops: int) -> str:
        """Why this move leads in a circle, "" where it does not. Keys, where the mouse is
        and time may do what no page shows."""
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
        """Tell the policy on top once; the second time it is ended with that as its value."""
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
    """The page in words, without what went wrong on it last."""
    return replace(observation, error=None, screenshot=None)


@dataclass(frozen=True)
class Model:
    """Asks the model for the next turn of a policy."""

    task: Task
    llm: LLM
    prompts: Prompts
    library: Library
    options: Options

    async def predict(self, frame: Frame, observation: Observation, depth: int) -> PolicyReply:
        """One turn. Raises FormatError where no reply was one."""
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
        """The library, the policy itself included; the published code offers it to the root."""
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
        limit = len(policy.examples) if self.options.examples < 0 else self.options.examples
        shown = policy.examples[:limit]
        return [each if self.options.reason else replace(each, reason="") for each in shown]

    def _settings(self, policy: Policy) -> dict[str, Any]:
        stronger = policy.tier == STRONG and self.options.escalate
        model = {"model": self.options.escalate} if stronger else {}
        return {"n": self.options.n, "temperature": temperature(self.options.temperature), **model}
