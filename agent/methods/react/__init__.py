"""ReAct (Yao et al. 2022), the baseline of the LASER paper: think and act in one dialogue.

The prompt is [instructions] + one example trajectory + every turn so far. A thought is answered
with OK and costs a call, not a step; an invalid action is answered as invalid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from agent import prompting, renderings
from agent.interface import LLM, Message, Observation, Page, Stop, Task
from agent.llm.asking import ask_for, message, temperature
from agent.methods import check_least
from agent.methods.react import action_formats
from agent.prompting import Prompts
from agent.renderings.markers import guard


@dataclass(frozen=True)
class Options:
    """`instructions`: detailed instructions as a system prompt (LASER's rerun). `summary`: one
    more call condenses each observation before acting (ASH). `temperature`: as LASER's, whose
    baseline it is; -1 leaves it to the model. `reasks`: for unreadable replies. `structured`: ask
    for replies by a JSON schema. `prompts`: the folder of prompt files."""

    instructions: bool = False
    summary: bool = False
    temperature: float = 0.0
    reasks: int = 2
    structured: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, reasks=0)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load("react", task.site, options.prompts)
    form = action_formats.FORMATS[prompts.data["form"]]
    offered = prompts.data["operations"]
    observation = await page.observe()
    dialogue = _opening(prompts, task, options)
    dialogue.append(message("user", await _shown(prompts, task, llm, options, observation)))
    while not _ended(prompts, observation):
        move = await ask_for(
            llm,
            "react/act",
            dialogue,
            partial(form.read, offered=offered),
            reasks=options.reasks,
            on_reask=partial(task.record, "reask"),
            form=form.schema(offered) if options.structured else None,
            temperature=temperature(options.temperature),
        )
        dialogue.append(message("assistant", move.text))
        if move.action is None:
            task.record("think", move.thought)
            dialogue.append(message("user", prompts.say("thought")))
            continue
        action = form.resolve(move.action, observation)
        if isinstance(action, Stop):
            return action.answer
        observation = await page.act(action)
        dialogue.append(message("user", await _shown(prompts, task, llm, options, observation)))
    return ""


def _opening(prompts: Prompts, task: Task, options: Options) -> list[Message]:
    rules = prompts.say("instructions") if options.instructions else prompts.say("rules")
    opening = prompts.say("opening", example=prompts.say("example"), instruction=task.instruction)
    return [message("system", rules), message("user", opening)]


async def _shown(
    prompts: Prompts, task: Task, llm: LLM, options: Options, observation: Observation
) -> str:
    shown = guard(renderings.get(prompts.rendering).render(observation))
    if options.summary:
        request = prompts.say("summary", instruction=task.instruction, observation=shown)
        sampling = temperature(options.temperature)
        reply = await llm.ask("react/summary", [message("user", request)], temperature=sampling)
        shown = guard(reply.text)
        task.record("abstract", shown)
    return prompts.say("turn", observation=shown, error=observation.error or "")


def _ended(prompts: Prompts, observation: Observation) -> bool:
    """Whether the page is one that ends the task, where the site has such pages (a receipt)."""
    ends = str(prompts.data.get("ends", ""))
    return bool(ends) and urlsplit(observation.url).path.startswith(ends)
