"""The engines of a run: processes of this machine, or actors of a Ray cluster."""

from __future__ import annotations

PROCESSES, RAY = "processes", "ray"
ENGINES = (PROCESSES, RAY)
