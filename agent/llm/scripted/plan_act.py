"""Answers for Plan+Act: those for the same questions of Anticipatory Reflection."""

from __future__ import annotations

from agent.llm.scripted import Coverage, ExtraEpisode
from agent.llm.scripted import anticipatory_reflection as shared

act, answer, lost, plan = shared.act, shared.answer, shared.lost, shared.plan
assess, describe = shared.assess, shared.describe
history_summary, summary = shared.history_summary, shared.summary
step_done, task_done = shared.step_done, shared.task_done
COVERAGE = Coverage(
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
        ExtraEpisode("plan-act:batched=false,history_tokens=20"),
        ExtraEpisode("plan-act@scripted-0.3", seed=5),  # a plan revised
        ExtraEpisode("plan-act", "review_mentions", 0),  # notes taken
        ExtraEpisode("plan-act", context=1000),  # a page too long for the context
    ),
)
