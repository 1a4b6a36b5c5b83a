"""The JSON Schemas in `docs/schemas` are those of the records."""

from __future__ import annotations

import pytest

from tools import record_schemas


def test_every_schema_has_a_file_and_no_other_is_there():
    assert {path.name for path in record_schemas.FOLDER.iterdir()} == set(record_schemas.schemas())


@pytest.mark.parametrize("name", sorted(record_schemas.schemas()))
def test_the_files_are_up_to_date(name, tmp_path):
    record_schemas.main(tmp_path)
    written, kept = ((folder / name).read_text() for folder in (tmp_path, record_schemas.FOLDER))
    assert written == kept, "run: python -m tools.record_schemas"
