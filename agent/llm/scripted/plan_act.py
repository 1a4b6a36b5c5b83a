"""The scripted model's answers for Plan+Act: those of Anticipatory Reflection, which asks the same
questions.
"""

from __future__ import annotations

from agent.llm.scripted import anticipatory_reflection as shared

act, answer, lost, plan = shared.act, shared.answer, shared.lost, shared.plan
assess, describe, reflect = shared.assess, shared.describe, shared.reflect
history_summary, summary = shared.history_summary, shared.summary
step_done, task_done = shared.step_done, shared.task_done
things = shared.things
