"""Flat (the baseline of SteP, section 5): one policy with all policies' prompts, and no stack.

The prompt joins the instructions and examples of every policy of the site's library. With `cap` it
ends at that number of tokens, like the paper's Flat-4k and Flat-8k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from pathlib import Path

from agent import actions, prompting, renderings
from agent.interface import LLM, Page, Stop, Task
from agent.llm import tokenizer
from agent.llm.asking import ask_for, temperature
from agent.methods import check_least
from agent.methods.step import policy_library, turns
from agent.methods.step.policy_library import Example, Library
from agent.methods.step.turns import PolicyReply, Situation
from agent.offered import with_inputs
from agent.prompting import Prompts

PROMPTS = ("flat", "step")
check_prompts = partial(policy_library.check_prompts, "flat")


@dataclass(frozen=True)
class Options:
    """Options of Flat; those not listed are as in SteP.

    Attributes:
        examples: Number of example turns at most; -1 for all that the site's prompts name, 0 for
            zero-shot. The paper's few-shot prompts have seven on MiniWoB++.
        cap: Tokens of instructions and examples together; 0 for no limit.
    """

    examples: int = -1
    cap: int = 0
    n: int = 1
    best_of: int = 3
    temperature: float = 0.3
    reasks: int = 2
    structured: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, examples=-1, cap=0, n=1, best_of=1, reasks=0)
        if self.cap and not tokenizer.is_installed():
            raise ValueError(f"cap={self.cap} needs a tokenizer; {tokenizer.REMEDY}")


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Ask the model for one action after another until it stops, and return its answer."""
    prompts = prompting.load("flat", task.site, options.prompts)
    library = policy_library.load(task.site, options.prompts)
    system, examples = fitted(prompts, library, task, options)
    observation, history = await page.observe(), list[str]()
    while True:
        operations = with_inputs(prompts.data["operations"], observation)
        error = observation.error or ""
        page_shown = renderings.without_instruction(observation, task.instruction)
        situation = Situation(task.instruction, page_shown, error, tuple(history))
        turn: PolicyReply = await ask_for(
            llm,
            "flat/act",
            turns.messages(prompts, system, examples, situation),
            partial(turns.read, offered={}, operations=operations),
            reasks=options.reasks,
            on_reask=partial(task.record, "reask"),
            form=turns.form({}, operations, reason=True) if options.structured else None,
            n=options.n,
            best_of=options.best_of,
            temperature=temperature(options.temperature),
        )
        if isinstance(turn.move, Stop):
            return turn.move.answer
        assert not isinstance(turn.move, policy_library.Policy)
        history.append(turn.text)
        observation = await page.act(turn.move)


def fitted(
    prompts: Prompts, library: Library, task: Task, options: Options
) -> tuple[str, list[Example]]:
    """Return the system prompt and the example turns, shortened to `cap` tokens together.

    Lines of advice take precedence over examples.
    """
    lines = [
        line
        for policy in library.all
        for line in (f"# {policy.description}", *policy.instruction.strip().split("\n"))
    ]
    examples = _examples(prompts, library)
    examples = examples if options.examples < 0 else examples[: options.examples]
    if not options.cap:
        return _system(prompts, lines), examples
    left = options.cap - tokenizer.count(_system(prompts, []))
    kept = _within(left, [tokenizer.count(f"{line}\n") for line in lines])
    system = _system(prompts, lines[:kept])
    left = options.cap - tokenizer.count(system) - tokenizer.count(prompts.say("examples"))
    fits = _within(left, [tokenizer.count(turns.example(prompts, each)) for each in examples])
    if kept < len(lines) or fits < len(examples):
        left_out = {"lines": len(lines) - kept, "examples": len(examples) - fits}
        task.record("cut", f"the prompt ends at {options.cap} tokens", **left_out)
    return system, examples[:fits]


def _within(limit: int, sizes: Sequence[int]) -> int:
    """Return how many sizes, taken from the start, have a sum within the limit."""
    return sum(total <= limit for total in accumulate(sizes))


def _system(prompts: Prompts, lines: Sequence[str]) -> str:
    return prompts.say(
        "system", role=prompts.say("role"), operations=prompts.operations(), advice="\n".join(lines)
    )


def _examples(prompts: Prompts, library: Library) -> list[Example]:
    """Return the example turns that act on the page, from the policies that the site's prompts
    name, or from all policies if they name none.
    """
    known = {policy.name: policy for policy in library.all}
    named = [name for name in prompts.data.get("examples_of", known) if name in known]
    shown = (each for name in named for each in known[name].examples)
    return [_without_calls(each) for each in shown if _is_operation(each.action)]


def _is_operation(line: str) -> bool:
    """Return whether an example's line is an action on the page.

    Flat has no stack, so it leaves out calls and returns.
    """
    name = line.partition(" ")[0]
    return name in actions.VERBS and name != "stop"


def _without_calls(example: Example) -> Example:
    """Return the example turn with only actions on the page in its history, without
    policy calls.
    """
    return replace(example, previous=tuple(filter(_is_operation, example.previous)))
