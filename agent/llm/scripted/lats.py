"""Answers for LATS: values and lessons; else those of the baselines it shares prompts with.

A value depends on alignment, so it may overlook a mistake as alignment may.
"""

from __future__ import annotations

import re

from agent.interface import Reply
from agent.llm.scripted import Coverage, ExtraEpisode
from agent.llm.scripted import sampled_alternatives as shared
from agent.llm.scripted.anticipatory_reflection import ended
from agent.llm.simulated import page_view
from agent.llm.simulated.model import SimulatedModel
from agent.llm.simulated.page_view import PageView
from agent.llm.simulated.reading import Lost, Request

act, answer, lost, plan = shared.act, shared.answer, shared.lost, shared.plan
history_summary, summary = shared.history_summary, shared.summary

COVERAGE = Coverage(
    families=1,  # most answers are those of Anticipatory Reflection
    also=("latest_order",),
    # Fifteen levels are too few; so they are for one wish of five, for reviews and orders with
    # notes, for baskets and presents, for parties of an airline, where flights are chosen without
    # labels, and on pages that make one wait or follow.
    unable={
        "": (
            *("TASK_BOOK_FLIGHT", "review_evidence", "ledger_sum", "cheaper_substitute"),
            "checkout_exact",
            *("best_basket", "fitting_set", "gifts_for_people", "book_party", "cheapest_fit"),
            *("restock", "subscriptions_in_order"),
            *("ledger_audit", "return_by_policy"),
            *("ticket_refund", "ticket_third_party", "ticket_disruption", "ticket_bags"),
            *("ticket_name", "ticket_children"),
            "ticket_change",
            "ticket_vouchers",
            *("shift_queue", "audit_yesterday"),
            *("TASK_BOOK_FLIGHT_AMBIGUOUS", "TASK_UPDATE_FLIGHTS_AMBIGUOUS"),
            *("changes_in_one_call", "booking_figures", "split_party", "cancelled_flight"),
            *("move_one_leg", "find_by_name", "handover", "chase-circle"),
            *("hot-cold", "hover-shape", "sign-agreement", "stock-market"),
        )
    },
    extra=(
        ExtraEpisode("lats:depth=2"),  # a failure to reflect on
        ExtraEpisode("lats:history_tokens=20,screen_tokens=50"),
    ),
)
_NEAREST = 10


def value(simulated: SimulatedModel, request: Request) -> Reply:
    """How near the screen is to the end, little for a wrong action or where nothing is left."""
    view = PageView(simulated, request)
    lines = (
        page_view.description(view),
        f"Value: {_worth(view)}",
        f"Step done: {page_view.word(page_view.is_step_done(view))}",
        f"Task done: {ended(view)}",
    )
    return Reply(("\n".join(lines),))


def _worth(view: PageView) -> int:
    steps, advice = view.task.steps, view.advice
    if not page_view.is_aligned(view):
        return shared.BAD
    if advice.answer is not None:
        return _NEAREST
    done = steps.index(advice.step) / len(steps) if advice.step in steps else 0
    return shared.GOOD + int(done * (_NEAREST - shared.GOOD))


def reflect(simulated: SimulatedModel, request: Request) -> Reply:
    """That the last thing tried should be looked at once more."""
    view = PageView(simulated, request)
    if not (view.lines and view.advice):
        raise Lost("nothing was done")
    tried = re.sub(r"[\[\]]", "", view.lines[-1].partition(" -- ")[0])
    return Reply((f"The last thing tried was to {tried}; something else is needed there.",))
