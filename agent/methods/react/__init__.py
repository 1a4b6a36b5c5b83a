"""ReAct (Yao et al. 2022), the baseline of the LASER paper: think and act in one dialogue.

The prompt is [instructions] + one whole trajectory as an example + every turn so far. A thought is
answered with OK and costs a call, not a step; an invalid action is answered as invalid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent import prompting, renderings, vision
from agent.interface import LLM, Message, Observation, Page, Stop, Task
from agent.llm.asking import ask_for, message, sampling
from agent.llm.messages import with_picture, without_pictures
from agent.methods import check_least
from agent.methods.react import action_formats
from agent.offered import with_inputs
from agent.prompting import Prompts
from agent.renderings import buttons
from agent.renderings.markers import guard


@dataclass(frozen=True)
class Options:
    """`instructions`: detailed instructions as a system prompt (LASER's rerun). `summary`: one
    more call condenses each observation before acting (ASH). `temperature`: as LASER's, whose
    baseline it is; -1 leaves it and `top_p` to the model. `max_tokens` of a turn (0: no limit) and
    `stop`, where a turn is one line. `reasks`: for unreadable replies. `structured`: ask for
    replies by a JSON schema. `vision`: show the newest page as a picture, too. `prompts`: the
    folder of prompt files."""

    instructions: bool = False
    summary: bool = False
    temperature: float = 0.0
    top_p: float = -1.0
    max_tokens: int = 0
    stop: str = ""
    reasks: int = 2
    structured: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER

    def __post_init__(self) -> None:
        check_least(self, reasks=0, temperature=-1, top_p=-1, max_tokens=0)

    def sampling(self, form: str) -> dict[str, Any]:
        """The options of a turn, which has two lines in WebArena's form."""
        stop = self.stop if form == "webshop" else ""
        return sampling(self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, stop=stop)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    prompts = prompting.load("react", task.site, options.prompts)
    form = action_formats.FORMATS[prompts.data["form"]]
    observation = await page.observe(screenshot=options.vision)
    dialogue = _opening(prompts, task, options)
    dialogue.append(await _turn(prompts, task, llm, options, observation))
    while not _ended(prompts, observation):
        offered = with_inputs(_offered(prompts, task), observation)
        move = await ask_for(
            llm,
            "react/act",
            dialogue,
            partial(form.read, offered=offered),
            reasks=options.reasks,
            on_reask=partial(task.record, "reask"),
            form=form.schema(offered) if options.structured else None,
            **options.sampling(prompts.data["form"]),
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
        if options.vision:
            observation = await vision.look(page, observation)
        observation = form.explained(action, observation)
        turn = await _turn(prompts, task, llm, options, observation)
        dialogue = [*map(without_pictures, dialogue), turn]
    return ""


def _offered(prompts: Prompts, task: Task) -> Sequence[str]:
    """The operations that the prompt speaks of."""
    named = "purchase_operations" if _is_purchase(prompts, task) else "operations"
    return tuple(prompts.data[named])


def _is_purchase(prompts: Prompts, task: Task) -> bool:
    """Whether the task is WebShop's, whose prompt offers no more than WebShop does."""
    return task.family.partition(".")[0] in prompts.data.get("purchases", ())


def _opening(prompts: Prompts, task: Task, options: Options) -> list[Message]:
    kind = "purchase_" if _is_purchase(prompts, task) else ""
    rules = prompts.say(f"{kind}instructions" if options.instructions else f"{kind}rules")
    example = prompts.say(f"{kind}example")
    opening = prompts.say("opening", example=example, instruction=task.instruction)
    return [message("system", rules), message("user", opening)]


async def _turn(
    prompts: Prompts, task: Task, llm: LLM, options: Options, observation: Observation
) -> Message:
    """What a turn shows: the page in words and, with `vision`, as a picture."""
    words = await _shown(prompts, task, llm, options, observation)
    return with_picture(message("user", words), observation.screenshot)


async def _shown(
    prompts: Prompts, task: Task, llm: LLM, options: Options, observation: Observation
) -> str:
    bare = buttons.without_frame if _is_purchase(prompts, task) else renderings.without_instruction
    page = replace(bare(observation, task.instruction), error=None)
    shown = guard(renderings.get(prompts.rendering).render(page))
    if options.summary:
        request = prompts.say("summary", instruction=task.instruction, observation=shown)
        sampled = sampling(options.temperature, top_p=options.top_p)
        reply = await llm.ask("react/summary", [message("user", request)], **sampled)
        shown = guard(reply.text)
        task.record("abstract", shown)
    return prompts.say("turn", observation=shown, error=observation.error or "")


def _ended(prompts: Prompts, observation: Observation) -> bool:
    """Whether the page is one that ends the task, where the site has such pages (a receipt)."""
    ends = str(prompts.data.get("ends", ""))
    return bool(ends) and urlsplit(observation.url).path.startswith(ends)
