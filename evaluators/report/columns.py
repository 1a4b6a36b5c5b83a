"""The columns of the report's tables: the name in each header, and a sentence that explains it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluators.records.models import SummaryRow

_AGENT = "The agent: its method, the variant after a colon and the model after an @."
_SITE = "The simulated web site, or the kind of task pages."
_EPISODES = "How many episodes the row is about."
_SUCCEEDED = "How many of the episodes succeeded."
_PROGRESS = "The share of the task that was done at the end, from 0 to 1."
_STEPS = "How many actions the agent took in the browser."
_CALLS = "How many requests the agent sent to its model."
_COST = "The price of the model's replies in US dollars; unknown without a known price."

SUMMARY: Mapping[str, str] = {
    "agent": _AGENT,
    "site": _SITE,
    "family": "The kind of task, which makes a scenario from each seed.",
    "scored": "How many episodes have a score and are in the means of this row.",
    "success": "The share of episodes that left the site exactly as the task asked.",
    "95 %": "The interval that holds the true rate of success with 95 % confidence.",
    "floor": "The highest success of a null agent, which reads no page, on the same scenarios.",
    "efficiency": "The mean of success x (the expert's actions / the agent's actions); an agent"
    " with fewer actions than the expert counts as equal.",
    "published": "The share of successes by the rule of the published benchmark, which is milder.",
    "progress": "The mean share of the task that was done at the end, from 0 to 1.",
    "reward": "The mean reward by the formula of the published benchmark.",
    "att": "The mean share of the wanted attributes that the bought item has.",
    "opt": "The mean share of the wanted options that were chosen.",
    "type": "The mean of the reward's factor for the type of the bought item.",
    "strict": "The mean reward by the stricter formula, which no look-alike can earn.",
    "gold actions": "The mean share of the solution's actions on the site that the agent did too.",
    "steps": "The mean number of actions in the browser.",
    "calls": "The mean number of requests to the model.",
    "invalid": "The mean number of actions that could not be carried out.",
    "tokens": "The mean number of tokens, prompts and replies together.",
    "per success": "All tokens of the row, divided by its number of successes.",
    "input of successes": "The mean number of prompt tokens of the episodes that succeeded.",
    "cost": "The price of all replies in US dollars; unknown without a known price.",
    "ended": "How the episodes ended: answered, or stopped by a limit or an error.",
}
"""The columns of the summary, in their order."""

BELOW: Mapping[str, str] = {
    "area": "The mean success over all limits of actions, from the expert's to four times as many.",
    "agreement": "The probability that two trials of a scenario have the same outcome.",
    "Brier": "The mean squared distance of confidence and success; 0 is best, 0.25 a coin's toss.",
    "AUROC": "The probability that a success has a higher confidence than a failure.",
    "honest": "The share of failures whose agent said that it did not manage.",
}
"""Figures of a summary that the page shows in sections of their own, below the table."""

FIGURES: Mapping[str, tuple[str, int]] = {
    "efficiency": ("efficiency", 2),
    "published": ("success_published", 2),
    "progress": ("progress", 2),
    "reward": ("reward", 2),
    "att": ("reward_att", 2),
    "opt": ("reward_opt", 2),
    "type": ("reward_type", 2),
    "strict": ("reward_strict", 2),
    "gold actions": ("gold_action_recall", 2),
    "steps": ("steps", 1),
    "calls": ("llm_calls", 1),
    "invalid": ("invalid_actions", 1),
    "tokens": ("tokens", 0),
    "per success": ("tokens_per_success", 0),
    "input of successes": ("input_tokens_of_successes", 0),
}
"""The columns of plain figures: the field of a row, and how many decimals are shown."""

HEADS: Mapping[str, Mapping[str, str]] = {
    "summary": SUMMARY,
    "episodes": {
        "agent": _AGENT,
        "scenario": "The task: its site, its family and the seed that it was made from.",
        "trial": "The number of the repetition, from 0.",
        "ended": "How the episode ended: answered, or stopped by a limit or an error.",
        "success": "Whether the episode left the site exactly as the task asked.",
        "progress": _PROGRESS,
        "reward": "The reward by the formula of the published benchmark.",
        "strict": "The reward by the stricter formula, which no look-alike can earn.",
        "steps": _STEPS,
        "calls": _CALLS,
        "tokens": "How many tokens the prompts and replies had together.",
        "cost": _COST,
    },
    "safety": {
        "agent": _AGENT,
        "site": _SITE,
        "episodes": "How many scored episodes offered a way to do harm.",
        "success": "The share of these episodes that succeeded.",
        "under policy": "The share that succeeded without breaking a rule of the task.",
        "gap": "Success minus success under policy.",
        "taken of shown": "For each way to do harm, how often it was taken of how often it was"
        " shown.",
    },
    "evidence": {
        "agent": _AGENT,
        "site": _SITE,
        "valid actions": "The share of decided actions that could be carried out.",
        "failures": "How many failed episodes each class of failure has.",
        "missed details": "How often a bought product lacked each detail of the wish.",
        "length and reward": "A bar for each length of an episode, with marks at its mean reward"
        " and, paler, at its rate of success.",
    },
    "profile": {
        "agent": _AGENT,
        "succeeded": _SUCCEEDED,
        "level": "The levels of difficulty of the scenarios.",
        "decision points": "How many wrong ends that look right a scenario offers; the median.",
        "pages to open": "How many pages the known solution has to open; the median.",
        "steps of the expert": "How many actions the known solution takes; the median.",
        "find": "The mean share of the things to find that the agent opened, with its interval.",
        "inspect": "The mean share of the deciding pages that the agent opened, with its interval.",
        "compute": "The share of amounts and choices that are right, with its interval.",
        "commit": "The share of the asked changes that were made, with its interval.",
        "restrain": "The share of scenarios without changes that nobody asked for, with its"
        " interval.",
        "reach": "The share of the plan's steps that were begun.",
        "execution": "The mean progress in the steps that were begun.",
        "failures by near miss": "How many failures ended in each wrong end that looks right.",
    },
    "progress": {
        "agent": _AGENT,
        "site": _SITE,
        "episodes": _EPISODES,
        "succeeded": _SUCCEEDED,
        "steps beyond the expert's": "The mean number of steps of a success beyond those of the"
        " expert.",
        "points of no return": "How many episodes reached a step after which no solution was left.",
        "after step, median": "The step after which no solution was left; the median.",
    },
    "lead": {
        "agent": _AGENT,
        "efficiency": SUMMARY["efficiency"],
        "actions": "The mean number of actions in the browser.",
        "tokens": SUMMARY["tokens"],
        "dollars an episode": "The mean price of an episode's replies in US dollars.",
    },
    "budgets": {
        "agent": _AGENT,
        "site": _SITE,
        "limit": "The cost that is limited.",
        "up to": "The largest limit of the curve.",
        "area": "The area under the curve: the mean success over all limits up to this one.",
        "interval": "The interval that holds the true area with 95 % confidence.",
    },
    "reliability": {
        "agent": _AGENT,
        "site": _SITE,
        "scenarios": "How many scenarios have two trials or more.",
        "all succeed": "The probability that two, three, ... trials of a scenario all succeed"
        " (pass^k), each with its interval.",
        "same outcome": "The probability that two trials of a scenario end alike.",
        "same path": "How alike the actions of two trials are: 1 - edit distance / length of the"
        " longer.",
    },
    "calibration": {
        "agent": _AGENT,
        "site": _SITE,
        "episodes": "How many episodes have a confidence.",
        "Brier": BELOW["Brier"],
        "AUROC": BELOW["AUROC"],
        "honest": BELOW["honest"],
    },
    "variants": {
        "agent": _AGENT,
        "family": SUMMARY["family"],
        "seeds": "How many seeds all variants were run with.",
        "spread": "The best rate of success of a variant minus the worst.",
        "success by variant": "The rate of success of each variant on these seeds.",
    },
    "spending": {
        "agent and purpose": "The agent, and below it the purposes that its requests name.",
        "calls": "How many requests were sent to the model.",
        "prompt tokens": "How many tokens the requests had.",
        "completion tokens": "How many tokens the replies had.",
        "seconds": "How long the replies took together.",
        "cost": _COST,
    },
    "input tokens": {
        "agent": _AGENT,
        "site": _SITE,
        "succeeded": _SUCCEEDED,
        "mean": "The mean number of prompt tokens of the episodes that succeeded.",
        "successes by their input tokens": "A bar for each range of prompt tokens; the bars of a"
        " site have one scale.",
    },
    "recall": {
        "agent": _AGENT,
        "site": _SITE,
        "distance, seen": "The mean distance to what was retrieved, for tasks that the memory has"
        " keys of.",
        "distance, unseen": "The mean distance to what was retrieved, for all other tasks.",
        "exemplars a request": "The mean number of exemplars in a request.",
        "dropped": "How often an exemplar was left out because it did not fit.",
        "characters a state": "The mean length of a page as text before its abstraction.",
        "abstracted": "The mean length of a page as text after its abstraction.",
        "fallbacks": "How often a program for the abstraction failed.",
    },
    "plans": {
        "agent": _AGENT,
        "site": _SITE,
        "tasks": "How many tasks the agent made plans for.",
        "actions, first attempt": "The mean number of actions of the first attempt.",
        "last attempt": "The mean number of actions of the last attempt.",
        "plan revisions a task": "The mean number of new plans for a task after its first.",
        "success after attempts 1, 2, ...": "The share of tasks that are solved after each number"
        " of attempts.",
        "plans by their steps": "A bar for each number of steps that a plan had.",
    },
    "alternatives": {
        "agent": _AGENT,
        "site": _SITE,
        "proposals": "How often the agent asked for several actions for one step.",
        "asked for": "The mean number of actions that such a proposal asked for.",
        "different": "The mean number of different actions among them.",
        "varied": "The share of proposals with more than one action.",
        "first answers at the first place": "The share of first answers that name the first element"
        " of its role on the page.",
        "by chance": "The share that an even choice among these elements would have.",
        "remedies at the first place": "The same share, of the other proposed actions.",
        "remedies by chance": "The share of remedies that an even choice would have.",
    },
    "stacks": {
        "agent": _AGENT,
        "family": SUMMARY["family"],
        "episodes": _EPISODES,
        "deepest": "The most policies that lay on each other, with the root.",
        "depth": "The mean over episodes of the deepest stack.",
        "calls an episode": "The mean number of calls of policies by other policies.",
        "calls of each policy": "How often each policy was called, over all episodes.",
    },
    "curves": {
        "agent": _AGENT,
        "mistakes": "Whether a mistake of the scripted model returns (sticky) or is drawn anew"
        " (memoryless).",
        "skill": "The skill of the scripted model; with 1 it makes no mistake.",
        "episodes": _EPISODES,
        "success": "The share of episodes that left the site exactly as the task asked.",
        "progress": "The mean share of the task that was done at the end.",
        "model calls": "The mean number of requests to the model.",
        "tokens": "The mean number of tokens, prompts and replies together.",
    },
    "constants": {
        "mistake": "A kind of mistake that the scripted model can make.",
        "probability": "How likely the mistake is, by the skill of the scripted model.",
    },
    "measured": {
        "agent": _AGENT,
        "skill": "The skill of the scripted model; with 1 it makes no mistake.",
        "errors": "No mistakes were counted in this run.",
    },
    "faults": {
        "fault": "A kind of fault around the agents.",
        "what is done about it": "The remedy that the harness tries by itself.",
        "met": "How often the fault was met, over all tries of all episodes.",
        "mended": "How often it did no harm in the end.",
    },
    "under way": {
        "agent": _AGENT,
        "scenario": "The task: its site, its family and the seed that it was made from.",
        "answered by": "The model, the script or the person that answers the requests.",
        "for": "How long the episode has been under way.",
        "calls": _CALLS,
        "last asked for": "The purpose of the latest request.",
        "last reply": "How long ago the latest reply came.",
        "tokens": "How many tokens the prompts and replies had so far.",
        "cost": _COST,
    },
    "done": {
        "scenario": "The task: its family and the seed that it was made from.",
        "agent": _AGENT,
        "success": "Whether the episode left the site exactly as the task asked.",
        "progress": _PROGRESS,
        "ended": "How the episode ended: answered, or stopped by a limit or an error.",
        "steps": _STEPS,
        "calls": _CALLS,
        "cost": _COST,
        "done": "How long ago the episode ended.",
    },
}
"""For each table of the page its columns, in their order."""

DRAWN: Mapping[str, Mapping[str, str]] = {
    "checks": {
        "check": "A condition of success; all must hold.",
        "found": "The state that the episode left.",
        "wanted": "The state that the task asks for.",
    },
    "progress": {
        "step": "A step of the known plan.",
        "progress": "The share of the step that was done, from 0 to 1.",
    },
    "reward": {
        "figure": "A part of the reward.",
        "published": "The figure by the formula of the published benchmark.",
        "strict": "The figure by the stricter formula, which no look-alike can earn.",
        "value": "The figure that the pages report.",
    },
    "purposes": {
        "purpose": "The purpose that the requests name.",
        "calls": "How many requests were sent.",
        "prompt": "How many tokens the requests had.",
        "completion": "How many tokens the replies had.",
        "seconds": "How long the replies took together.",
        "cost": _COST,
    },
    "changes": {
        "table": "The table of the site's database.",
        "row": "The key of the row.",
        "kind": "Whether the row was added, removed or changed.",
        "column": "The column of the row.",
        "before": "The value when the episode began.",
        "after": "The value when the episode ended.",
    },
    "beside": {"step": "The number of the step in both episodes."},
}
"""The same for the tables that the page's script draws."""


def filled(rows: Sequence[SummaryRow], by: str) -> list[str]:
    """Return the columns of a summary by "site" or "family", without those that no row fills."""
    fields = {"floor": "floor"} | {name: field for name, (field, _) in FIGURES.items()}
    empty = {
        name for name, field in fields.items() if all(getattr(each, field) is None for each in rows)
    }
    return [name for name in SUMMARY if name not in empty | {"site", "family"} - {by}]
