"""Freeze a data set in the format of Mind2Web: `python -m tools.freeze_mind2web FOLDER ...`.

Each folder was built by `rehearse mind2web build --splits NAME`, with all splits or with some.
Freezing changes which data the name stands for: give a changed data set a new name.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evaluators.mind2web.build import frozen

if __name__ == "__main__":
    sys.stdout.write(f"{frozen.save(map(Path, sys.argv[1:]))}\n")
