"""ReAct (Yao et al. 2022), the baseline of the LASER paper: think and act in one dialogue.

The prompt consists of the instructions, one whole trajectory as an example, and every turn up to
now. A thought is answered with OK and costs a call but no step; an invalid action is answered as
invalid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
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
    """Options of ReAct.

    Attributes:
        instructions: Whether to use detailed instructions as a system prompt (LASER's rerun).
        temperature: Sampling temperature, 0 as in LASER; -1 for the model's own.
        top_p: Nucleus sampling; -1 for the model's own.
        max_tokens: Tokens of a turn at most; 0 for no limit.
        stop: Text at which a turn ends, for the format in which a turn is one line.
        reasks: How often the model is asked again after an unreadable reply.
        structured: Whether to ask for replies by a JSON schema.
        vision: Whether to show the newest page as a picture, too.
        prompts: Folder of the prompt files.
    """

    instructions: bool = False
    temperature: float = 0.0
    top_p: float = -1.0
    max_tokens: int = 0
    stop: str = ""
    reasks: int = 2
    structured: bool = False
    vision: bool = False
    prompts: Path = prompting.FOLDER

    NAME: ClassVar[str] = "react"
    """The name of the prompts and of the requests."""
    CONDENSES: ClassVar[bool] = False
    """Whether one more request condenses each page before the model acts, as in ASH."""

    def __post_init__(self) -> None:
        check_least(self, reasks=0, temperature=-1, top_p=-1, max_tokens=0)

    def sampling(self, form: str) -> dict[str, Any]:
        """Return the sampling options of a turn.

        `stop` is left out in WebArena's format, whose turns have two lines.
        """
        stop = self.stop if form == "webshop" else ""
        return sampling(self.temperature, top_p=self.top_p, max_tokens=self.max_tokens, stop=stop)


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Continue the dialogue until the model stops or the page ends the task, and return
    the answer.
    """
    prompts = prompting.load(options.NAME, task.site, options.prompts)
    form = action_formats.FORMATS[prompts.data["form"]]
    observation = await page.observe(screenshot=options.vision)
    dialogue = _opening(prompts, task, options)
    dialogue.append(await _turn(prompts, task, llm, options, observation))
    while not _ended(prompts, observation):
        offered = with_inputs(_offered(prompts, task), observation)
        move = await ask_for(
            llm,
            f"{options.NAME}/act",
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
    """Return the names of the actions that the prompt offers for this task."""
    named = "purchase_operations" if _is_purchase(prompts, task) else "operations"
    return tuple(prompts.data[named])


def _is_purchase(prompts: Prompts, task: Task) -> bool:
    """Return whether the task is a purchase as in WebShop, whose prompt offers only WebShop's own
    actions.
    """
    return task.family.partition(".")[0] in prompts.data.get("purchases", ())


def _opening(prompts: Prompts, task: Task, options: Options) -> list[Message]:
    """Return the first two messages of the dialogue: the rules, and the example with the task's
    instruction.
    """
    kind = "purchase_" if _is_purchase(prompts, task) else ""
    rules = prompts.say(f"{kind}instructions" if options.instructions else f"{kind}rules")
    example = prompts.say(f"{kind}example")
    opening = prompts.say("opening", example=example, instruction=task.instruction)
    return [message("system", rules), message("user", opening)]


async def _turn(
    prompts: Prompts, task: Task, llm: LLM, options: Options, observation: Observation
) -> Message:
    """Return the message that shows the page in words and, with `vision`, as a picture."""
    words = await _shown(prompts, task, llm, options, observation)
    return with_picture(message("user", words), observation.screenshot)


async def _shown(
    prompts: Prompts, task: Task, llm: LLM, options: Options, observation: Observation
) -> str:
    """Return the page as text for the prompt, condensed by the model in ASH."""
    bare = buttons.without_frame if _is_purchase(prompts, task) else renderings.without_instruction
    page = replace(bare(observation, task.instruction), error=None)
    shown = guard(renderings.get(prompts.rendering).render(page))
    if options.CONDENSES:
        request = prompts.say("summary", instruction=task.instruction, observation=shown)
        sampled = sampling(options.temperature, top_p=options.top_p)
        reply = await llm.ask(f"{options.NAME}/summary", [message("user", request)], **sampled)
        shown = guard(reply.text)
        task.record("abstract", shown)
    return prompts.say("turn", observation=shown, error=observation.error or "")


def _ended(prompts: Prompts, observation: Observation) -> bool:
    """Return whether the page ends the task, on sites that have such pages (a receipt)."""
    ends = str(prompts.data.get("ends", ""))
    return bool(ends) and urlsplit(observation.url).path.startswith(ends)
