"""The control plane: opens scenarios and scores them, on a port of its own."""

from evaluators.server.app import create_app
from evaluators.server.published import mount
from evaluators.server.sessions import OpenScenario, Sessions

__all__ = ["OpenScenario", "Sessions", "create_app", "mount"]
