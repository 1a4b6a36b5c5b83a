"""Answers for Plan+Act: those for the same questions of Anticipatory Reflection."""

from __future__ import annotations

from agent.llm.scripted.anticipatory_reflection import (
    act,
    answer,
    history_summary,
    lost,
    plan,
    step_done,
    summary,
    task_done,
)
from agent.llm.simulated.coverage import Coverage, ExtraEpisode

__all__ = ["act", "answer", "history_summary", "lost", "plan", "step_done", "summary", "task_done"]

COVERAGE = Coverage(
    extra=(
        ExtraEpisode("plan-act:history_tokens=20"),
        ExtraEpisode("plan-act", context=1000),  # a page too long for the context
    )
)
