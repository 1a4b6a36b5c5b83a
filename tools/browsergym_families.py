"""Write the list of families for the BrowserGym package: `python -m tools.browsergym_families`."""

from __future__ import annotations

import json
from pathlib import Path

from evaluators.commands import listing

PLACE = Path("clients/browsergym-rehearsal/browsergym/rehearsal/families.json")


def main() -> None:
    families = [row["family"] for row in listing.rows("families")]
    place = Path(__file__).parents[1] / PLACE
    place.write_text(json.dumps(families, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
