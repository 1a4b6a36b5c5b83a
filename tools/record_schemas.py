"""Write the JSON Schemas of all records: `python -m tools.record_schemas [FOLDER]`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluators.records.models import EpisodeRecord, RunManifest, Summary
from evaluators.records.submission import LINE
from evaluators.records.trace_events import TRACE_EVENT

FOLDER = Path(__file__).parents[1] / "docs" / "schemas"


def schemas() -> Mapping[str, dict[str, Any]]:
    """Return the schema of each record, by the name of the schema's file."""
    return {
        "episode.json": EpisodeRecord.model_json_schema(mode="serialization"),
        "run.json": RunManifest.model_json_schema(mode="serialization"),
        "submission.json": LINE.json_schema(mode="serialization"),
        "summary.json": Summary.model_json_schema(mode="validation"),
        "trace.json": TRACE_EVENT.json_schema(mode="serialization"),
    }


def text(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


def main(folder: Path = FOLDER) -> None:
    """Write one file for each schema."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, schema in schemas().items():
        (folder / name).write_text(text(schema), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
