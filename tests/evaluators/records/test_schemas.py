"""The JSON Schemas in `docs/schemas` are those of the records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tools import record_schemas


def test_every_schema_has_a_file_and_no_other_is_there():
    assert {path.name for path in record_schemas.FOLDER.iterdir()} == set(record_schemas.schemas())


@pytest.mark.parametrize("name", sorted(record_schemas.schemas()))
def test_the_files_are_up_to_date(name, tmp_path):
    record_schemas.main(tmp_path)
    written, kept = ((folder / name).read_text() for folder in (tmp_path, record_schemas.FOLDER))
    assert written == kept, "run: python -m tools.record_schemas"


def numbers(schema: Any, where: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every place of a schema that holds a number which it does not say."""
    if isinstance(schema, list):
        schema = dict(enumerate(schema))
    if not isinstance(schema, dict):
        return
    if schema.get("type") in ("integer", "number") and "const" not in schema:
        yield where, schema
    for name, part in schema.items():
        yield from numbers(part, f"{where}/{name}")


@pytest.mark.parametrize("name", sorted(record_schemas.schemas()))
def test_every_number_of_a_record_has_two_bounds(name):
    found = [*numbers(record_schemas.schemas()[name])]
    unbounded = [where for where, each in found if not {"minimum", "maximum"} <= each.keys()]
    assert found and not unbounded
