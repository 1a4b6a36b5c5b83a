"""AdaPlanner's options, its requests, and the functions that it reads in replies."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from agent import prompting, renderings
from agent.interface import LLM, Message, Observation, Reply, Task
from agent.llm.asking import ask_for, message, sampling
from agent.methods import check_least
from agent.methods.synapse.reply_format import read_program
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings.markers import guard

T = TypeVar("T")
_SIGNATURE = "solution", ["agent", "start_from"]
_BEGINNING = "def solution(agent, start_from=1):"


@dataclass(frozen=True)
class Options:
    """Options of AdaPlanner.

    Attributes:
        refinements: How often the plan is refined (out-of-plan refinement), as in the released
            code; 0 for an open loop.
        asks: Whether a plan may ask the model (in-plan refinement).
        calls: Calls of one run of a plan at most.
        released: Whether a run is resumed as in the released code: at the first digit of the reply,
            and at step 1 after ten refinements.
        temperature: Sampling temperature; -1 for the model's own.
        max_tokens: Tokens of a reply at most; 0 for no limit.
        reasks: How often the model is asked again after an unreadable reply.
        prompts: Folder of the prompt files.
    """

    refinements: int = 20
    asks: bool = True
    calls: int = 100
    released: bool = False
    temperature: float = 0.0
    max_tokens: int = 1400
    reasks: int = 2
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, refinements=0, calls=1, temperature=-1, max_tokens=0, reasks=0)


@dataclass(frozen=True)
class ModelCalls:
    """The requests of AdaPlanner in one episode."""

    task: Task
    llm: LLM
    options: Options
    prompts: Prompts

    async def plan(self, screen: Observation) -> str:
        """Ask for the function that does the task."""
        example = self.prompts.say("example", asks=self.options.asks)
        plan = await self._function("plan", screen, example=example)
        self.task.record("plan", plan, length=_steps(plan))
        return plan

    async def revise(
        self, screen: Observation, history: Sequence[str], plan: str, report: str
    ) -> str:
        """Ask for the revised function: out-of-plan refinement."""
        done = "\n".join(history) or "None"
        revised = await self._function("revise", screen, plan=plan, report=report, history=done)
        self.task.record("revise", revised, length=_steps(revised))
        return revised

    async def resume(self, plan: str, revised: str) -> int:
        """Ask for the step at which the revised function is resumed."""
        given = {"instruction": self.task.instruction, "plan": plan, "revised": revised}
        asked = message("user", self.prompts.say("resume", **given))
        digits = r"\d" if self.options.released else r"\d{1,4}"
        return await self._ask("resume", [asked], partial(_number, digits))

    async def answer(self, screen: Observation, question: str) -> str:
        """Ask the question of a plan about the page: in-plan refinement."""
        shown = guard(self.shown(screen))
        asked = message("user", self.prompts.say("ask", question=question, observation=shown))
        return await self._ask("ask", [asked], _words)

    async def _function(self, purpose: str, screen: Observation, **given: object) -> str:
        rules = self.prompts.say(
            "rules",
            about=self.prompts.say("about"),
            operations=self.prompts.operations(),
            asks=self.options.asks,
        )
        shown = {"instruction": self.task.instruction, "observation": guard(self.shown(screen))}
        asked = self.prompts.say(purpose, **shown, **given)
        return await self._ask(
            purpose, [message("system", rules), message("user", asked)], read_plan
        )

    async def _ask(self, purpose: str, talk: Sequence[Message], parse: Callable[[Reply], T]) -> T:
        return await ask_for(
            self.llm,
            f"adaplanner/{purpose}",
            talk,
            parse,
            reasks=self.options.reasks,
            on_reask=partial(self.task.record, "reask"),
            **sampling(self.options.temperature, max_tokens=self.options.max_tokens),
        )

    def shown(self, screen: Observation) -> str:
        """Return a page as text, without the instruction and the last error."""
        bare = renderings.without_instruction(screen, self.task.instruction)
        return renderings.get(self.prompts.rendering).render(replace(bare, error=None))

    def offered(self, screen: Observation) -> tuple[str, ...]:
        """Return the verbs that a plan may use on a page."""
        return with_inputs(self.prompts.data["operations"], screen)


def read_plan(reply: Reply) -> str:
    """Return the function `solution` of a reply, with the lines above it; lines below it, such as a
    call of it, are left out.

    Raises:
        ValueError: There is no such function; the message is written for the model.
    """
    program = re.sub(r"\r\n?", "\n", read_program(reply))
    functions = (node for node in _parsed(program).body if isinstance(node, ast.FunctionDef))
    for node in functions:
        if (node.name, [each.arg for each in node.args.args]) == _SIGNATURE:
            return "\n".join(program.split("\n")[: node.end_lineno])
    raise ValueError(f"there is no function that begins with {_BEGINNING}; write it")


def _parsed(program: str) -> ast.Module:
    """Return the syntax tree of a program. Raises ValueError if it is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of escapes such as \d, which models write
            return ast.parse(program)
    except SyntaxError as error:
        raise ValueError(f"line {error.lineno} is no Python: {error.msg}; mend it") from None
    except (RecursionError, MemoryError):
        raise ValueError("the function is nested too deeply; write it with less nesting") from None


def _steps(plan: str) -> int:
    return len(set(re.findall(r"\[Step (\d+)\]", plan)))


def _number(digits: str, reply: Reply) -> int:
    found = re.search(digits, reply.text)
    if found is None:
        raise ValueError("there is no number; answer with the number of the step alone")
    return int(found[0])


def _words(reply: Reply) -> str:
    if not reply.text.strip():
        raise ValueError("the reply is empty; answer the question")
    return reply.text.strip()
