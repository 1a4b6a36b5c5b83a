"""Record the shipped episodes again: `tox -e record`, or `tox -e record -- SUITE ...` for some.

They are of the scripted model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evaluators.run.api import run
from evaluators.run.config import RunConfig
from scenarios import registry

CASSETTES = Path(__file__).parent / "cassettes"
RECORDED = {
    "ar-10": ["anticipatory-reflection"],
    "store-20": ["laser", "react"],
    "crm-12": ["flat", "step"],
    "widgets-smoke": ["step"],
    "widgets-unseen": ["synapse"],
}


def main(suites: Sequence[str] = ()) -> None:
    for suite in suites or RECORDED:
        agents = RECORDED[suite]
        for agent in agents:
            shutil.rmtree(CASSETTES / suite / agent, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            setting = RunConfig(record=CASSETTES / suite, out=Path(folder) / "run", strict=True)
            run(agents, registry.from_suite(suite), setting)


if __name__ == "__main__":
    main(sys.argv[1:])
