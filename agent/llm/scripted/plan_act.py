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

__all__ = ["act", "answer", "history_summary", "lost", "plan", "step_done", "summary", "task_done"]
