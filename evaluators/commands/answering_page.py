"""The page on which a person answers the requests of a run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click


@contextmanager
def opened(llm: str, out: Path) -> Iterator[None]:
    """With `--llm person`, serve the page within the block and print its address on stderr.

    Args:
        llm: The value of `--llm`.
        out: The run's folder.
    """
    if llm != "person":
        yield
        return
    from evaluators.server import person_page

    with person_page.serve(out) as page:
        click.echo(f"Answer the model's requests on {page.url}", err=True)
        yield
