"""Record the shipped episodes again: `tox -e record`. They are of the scripted model."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from evaluators import casting
from evaluators.running import Setting, run

CASSETTES = Path(__file__).parent / "cassettes"
RECORDED = {"store-20": ["laser", "react"], "crm-12": ["flat", "step"]}


def main() -> None:
    for suite, agents in RECORDED.items():
        for agent in agents:
            shutil.rmtree(CASSETTES / suite / agent, ignore_errors=True)
        with tempfile.TemporaryDirectory() as folder:
            setting = Setting(record=CASSETTES / suite, out=Path(folder) / "run", strict=True)
            run(agents, casting.from_suite(suite), setting)


if __name__ == "__main__":
    main()
