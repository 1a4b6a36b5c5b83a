"""The control plane: an HTTP service on its own port that opens scenarios (tasks) and scores
them.
"""

from evaluators.server.app import create_app
from evaluators.server.published import mount
from evaluators.server.sessions import OpenScenario, Sessions

__all__ = ["OpenScenario", "Sessions", "create_app", "mount"]
