"""Rows that several kinds of tickets have: history, notes, documents."""

from __future__ import annotations

from typing import Any


def line(reference: str, at: str, entry: str) -> dict[str, Any]:
    return {"reference": reference, "at": at, "colleague": "Kim", "entry": entry}


def note(reference: str, code: str) -> dict[str, Any]:
    return {"reference": reference, "code": code, "day": "2026-01-12", "colleague": "Kim"}
