"""Flat (the baseline of SteP, section 5): one policy with all policies' prompts, and no stack.

The prompt joins the instructions and examples of every policy of the site's library, told for an
agent that calls nothing (`sections`). With `cap` it ends at that number of tokens, like the paper's
Flat-4k and Flat-8k (`fitting`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from agent import prompting, renderings
from agent.interface import LLM, Page, Stop, Task
from agent.llm import tokenizer
from agent.llm.asking import ask_for, temperature
from agent.methods import check_least
from agent.methods.flat import fitting, sections
from agent.methods.flat.fitting import Piece
from agent.methods.flat.sections import Section, check_prompts
from agent.methods.step import turns
from agent.methods.step.policy_library import Example, Policy
from agent.methods.step.turns import PolicyReply, Situation
from agent.offered import with_inputs
from agent.prompting import Prompts

PROMPTS = ("flat", "step")
__all__ = ["PROMPTS", "Options", "check_prompts", "fitted", "solve"]


@dataclass(frozen=True)
class Options:
    """Options of Flat; those not listed are as in SteP.

    Attributes:
        examples: Number of example turns at most; -1 for all that the site's prompts name, 0 for
            zero-shot. The paper's few-shot prompts have seven on MiniWoB++.
        cap: Tokens of instructions and examples together; 0 for no limit.
        family_steps: The steps of each family of the run, from the engine; () if they are not
            known. They decide what a limited prompt gets first.
    """

    examples: int = -1
    cap: int = 0
    family_steps: tuple[tuple[str, ...], ...] = ()
    n: int = 1
    best_of: int = 3
    temperature: float = 0.3
    reasks: int = 2
    structured: bool = False
    dates: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, examples=-1, cap=0, n=1, best_of=1, reasks=0)
        if self.cap and not tokenizer.is_installed():
            raise ValueError(f"cap={self.cap} needs a tokenizer; {tokenizer.REMEDY}")

    @property
    def fits_families(self) -> bool:
        """Whether the families of the run decide what the prompt shows, because it shows a part."""
        return self.cap > 0 or self.examples > 0


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Ask the model for one action after another until it stops, and return its answer."""
    prompts = prompting.load("flat", task.site, options.prompts)
    if options.dates:
        prompts = turns.with_dates(prompts)
    library = sections.load(task.site, options.prompts)
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
        assert not isinstance(turn.move, Policy)
        history.append(turn.text)
        observation = await page.act(turn.move)


def fitted(
    prompts: Prompts, site: Sequence[Section], task: Task, options: Options
) -> tuple[str, tuple[Example, ...]]:
    """Return the system prompt and the examples, shortened to `cap` tokens together."""
    named = prompts.data.get("examples_of", [each.name for each in site])
    pieces = fitting.in_order(site, options.family_steps, named)
    pieces = _with_examples(options.examples, pieces)
    kept = _within_cap(prompts, pieces, options.cap) if options.cap else pieces
    if len(kept) < len(pieces):
        task.record("cut", f"the prompt ends at {options.cap} tokens", **_left_out(pieces, kept))
    chosen = fitting.selection(kept)
    return _system(prompts, chosen.advice), chosen.examples


def _with_examples(limit: int, pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with the first `limit` examples; all if it is below 0."""
    examples = [each.place for each in pieces if isinstance(each.content, Example)]
    shown = {*(examples if limit < 0 else examples[:limit])}
    return [each for each in pieces if isinstance(each.content, str) or each.place in shown]


def _within_cap(prompts: Prompts, pieces: Iterable[Piece], cap: int) -> list[Piece]:
    """Return the pieces that make a prompt of at most `cap` tokens."""

    def size(piece: Piece) -> int:
        content = piece.content
        return tokenizer.count(
            f"{content}\n" if isinstance(content, str) else turns.example(prompts, content)
        )

    around = tokenizer.count(_system(prompts, [])) + tokenizer.count(prompts.say("examples"))
    return fitting.within(cap - around, pieces, size)


def _left_out(pieces: Sequence[Piece], kept: Sequence[Piece]) -> dict[str, int]:
    """Return how many lines of advice and how many examples were left out."""
    kinds = {"lines": str, "examples": Example}
    return {
        name: sum(isinstance(each.content, kind) for each in pieces)
        - sum(isinstance(each.content, kind) for each in kept)
        for name, kind in kinds.items()
    }


def _system(prompts: Prompts, lines: Iterable[str]) -> str:
    return prompts.say(
        "system",
        role=prompts.say("role"),
        operations=prompts.operations(),
        advice="\n".join(lines).strip(),
    )
