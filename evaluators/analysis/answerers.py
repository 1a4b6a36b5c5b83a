"""Who answered the requests of the agents in a table: a model, the scripted model, or nobody."""

from __future__ import annotations

from collections.abc import Sequence

from agent.llm.model_source import SCRIPTED
from agent.llm.transport.person import PERSON
from evaluators.records.models import OUTSIDE, UNKNOWN, SummaryRow

NOBODY = ""
WHO = {
    SCRIPTED: "the scripted model answered {agents}: a script, whose score says nothing about a"
    " method",
    PERSON: "a person answered {agents}",
    UNKNOWN: "an outside program acted as {agents}; we do not know which model it asked",
    NOBODY: "no model was asked by {agents}",
}
MODEL = "the model {model} answered {agents}"


def sentences(rows: Sequence[SummaryRow]) -> list[str]:
    """Return a sentence for each model that answered agents of these rows, one for outside
    programs, and last one for the agents that asked nobody.

    An agent without a scored episode appears in none.
    """
    agents: dict[str, dict[str, None]] = {}
    asking = {row.agent for row in rows if row.llm_calls}
    for row in rows:
        model = row.model if row.llm_calls else NOBODY
        model = UNKNOWN if row.method == OUTSIDE and row.scored else model
        if (
            row.llm_calls
            or model == UNKNOWN
            or (row.llm_calls is not None and row.agent not in asking)
        ):
            agents.setdefault(model, {})[row.agent] = None
    return [
        WHO.get(model, MODEL).format(model=model, agents=", ".join(names))
        for model, names in sorted(agents.items(), key=lambda each: each[0] == NOBODY)
    ]
