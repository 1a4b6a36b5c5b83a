"""The control plane: draws scenarios, opens them, evaluates them; on a port of its own."""

from evaluators.control.app import create_app
from evaluators.control.opened import Opened, Sessions
from evaluators.control.published import mount

__all__ = ["Opened", "Sessions", "create_app", "mount"]
