"""The sentences about a run for a paper: the simulated parts, the intervals, and who answered."""

from __future__ import annotations

from agent import agent_spec
from agent.llm.transport.person import PERSON
from evaluators.records.models import OUTSIDE
from evaluators.report.loading import Run
from evaluators.run import manifest

SITES = {
    "store": "web shops",
    "crm": "the desk of an airline",
    "widgets": "small task pages",
    "browsergym": "the pages of BrowserGym's environments",
}
"""The sites of this project in words."""
NO_METHOD = (
    "The scripted model, a program and not a language model, answered the requests of the agents:"
    " these figures show how the code behaves, and say nothing about how good a method is."
)

OUTSIDE_ACTED = "An outside program acted; we do not know which model it asked."


def sentences(run: Run) -> str:
    """Return the sentences that a caption needs: the task set, the pages, the model, the
    intervals.
    """
    return " ".join((_tasks(run), _pages(run), answered(run), INTERVALS, _faults(run))).strip()


INTERVALS = (
    "n counts the scored episodes; brackets hold 95% score intervals of the rate of success"
    " (Wilson), for which repeated trials of a scenario count for fewer."
)


def _tasks(run: Run) -> str:
    scenarios = len({each.scenario for each in run.records})
    made_by = " and ".join(manifest.made_with(run.manifest.parts))
    return f"Rehearsal {made_by}".strip() + f", {run.manifest.labels}: {scenarios} scenarios."


def _pages(run: Run) -> str:
    """Return which pages were simulated; pages of environments are not this project's."""
    found = sorted({each.site for each in run.records})
    named = ", ".join(f"{site}: {SITES[site]}" if site in SITES else site for site in found)
    browser = " ".join(run.manifest.versions.get("browser", "a browser").split()[:2])
    return f"The sites were simulated ({named}) and opened in {browser}; none was on the web."


def answered(run: Run) -> str:
    """Return who answered the requests of the agents; the scripted model says nothing about a
    method.
    """
    models = sorted({each.model for each in run.records if each.llm_calls})
    outside = any(each.method == OUTSIDE for each in run.records)
    if not models and not outside:
        return "No model was asked."
    live = [each for each in models if each not in (agent_spec.SCRIPTED, PERSON)]
    found = [f"{', '.join(live)} answered the requests of the agents."] if live else []
    found += ["A person answered requests."] if PERSON in models else []
    found += [OUTSIDE_ACTED] if outside else []
    return " ".join([*found, *([NO_METHOD] if agent_spec.SCRIPTED in models else [])])


def _faults(run: Run) -> str:
    count = sum(not each.is_comparable for each in run.records)
    if not count:
        return ""
    return f"{count} of {len(run.records)} episodes have no verdict of ours and are in no figure."
