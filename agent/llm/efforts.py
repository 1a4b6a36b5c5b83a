"""The reasoning efforts that a server of models may be asked for."""

from __future__ import annotations

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
