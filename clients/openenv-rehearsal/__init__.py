"""Rehearsal's tasks as an environment of OpenEnv."""

from .client import RehearsalEnv

__all__ = ["RehearsalEnv"]
