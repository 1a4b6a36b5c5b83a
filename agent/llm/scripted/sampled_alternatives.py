"""Answers for sampled alternatives: samples and their ranks; else Anticipatory Reflection's.

A rank depends on alignment, so it may overlook a mistake as alignment may.
"""

from __future__ import annotations

import re

from agent import actions
from agent.interface import Reply
from agent.llm.scripted import Coverage, ExtraEpisode
from agent.llm.scripted import anticipatory_reflection as shared
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView, decided, is_right, message
from agent.llm.simulated.reading import Request

align, answer, assess, lost = shared.align, shared.answer, shared.assess, shared.lost
history_summary, summary = shared.history_summary, shared.summary
map_element, plan = shared.map_element, shared.plan
step_done, task_done = shared.step_done, shared.task_done

_SHORT = "sampled-alternatives:batched=false,history_tokens=20,screen_tokens=50"
_MAPPING = "sampled-alternatives:mapping=model,backtrack=url@scripted-0.5"
COVERAGE = Coverage(
    families=1,  # most answers are those of Anticipatory Reflection
    also=("latest_order",),
    # 30 actions are too few.
    unable={
        "": (
            *("best_basket", "fitting_set", "gifts_for_people", "book_party", "cheapest_fit"),
            *("restock", "subscriptions_in_order"),
            *("ledger_audit", "return_by_policy"),
            *("ticket_refund", "ticket_disruption", "ticket_change", "ticket_bags"),
            "ticket_vouchers",
            *("ticket_name", "ticket_children"),
            *("shift_queue", "audit_yesterday"),
            *("changes_in_one_call", "split_party", "cancelled_flight", "find_by_name"),
            *("move_one_leg", "booking_figures", "handover"),
        )
    },
    extra=(
        ExtraEpisode(_SHORT),
        ExtraEpisode("sampled-alternatives:samples=1@scripted-0.3"),  # a plan revised
        *(ExtraEpisode(_MAPPING, "wish_brand", seed) for seed in (4, 6)),  # elements mapped
        ExtraEpisode(_MAPPING, "cheapest_in_list", 5),
    ),
)
GOOD, BAD = 6, 2
_CANDIDATES = re.compile(r"of which one can be taken:\n(.*?)(?:\n\n|\Z)", re.DOTALL)


def act(simulated: SimulatedModel, request: Request) -> Reply:
    """The next thing to do on this screen, as many samples as are asked for."""
    view = PageView(simulated, request)
    return message(*(decided(view, sample) for sample in range(request.body.get("n", 1))))


def rank(simulated: SimulatedModel, request: Request) -> Reply:
    """A high value for each action that is to be done on this screen, a low one for others."""
    view = PageView(simulated, request)
    screen = view.screens[-1]
    written = view.find(_CANDIDATES).split("\n")
    texts = (line.partition(". ")[2].partition(" -- ")[0] for line in written)
    rated = (is_right(view, actions.parse(text), screen) for text in texts)
    lines = (f"{i}: {GOOD if right else BAD}" for i, right in enumerate(rated, start=1))
    return Reply(("\n".join(lines),))
