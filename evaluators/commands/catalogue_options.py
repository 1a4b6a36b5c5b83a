"""Command line options that choose the products of the store."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from sites.store import CatalogueSource

_OPTIONS = (
    click.option(
        "--catalogue",
        "catalogue_folder",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="A folder of WebShop's own files: the store sells these products, and the goals of"
        " buy_item are theirs.",
    ),
    click.option(
        "--products",
        type=click.IntRange(1000, 10_000_000),
        help="So many generated products, not 1,000.",
    ),
    click.option(
        "--skip-bad", is_flag=True, help="Leave out what is bad in the files, and say how much."
    ),
)


def catalogue_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the catalogue options to a click command.

    The command gets them as one argument `catalogue`: a `CatalogueSource`, or None if the store
    keeps its own products.
    """

    @functools.wraps(command)
    def with_source(
        catalogue_folder: Path | None, products: int | None, skip_bad: bool, **options: Any
    ) -> Any:
        source = _source(catalogue_folder, products, skip_bad)
        return command(catalogue=source, **options)

    for option in reversed(_OPTIONS):
        with_source = option(with_source)
    return with_source


def _source(folder: Path | None, products: int | None, skip_bad: bool) -> CatalogueSource | None:
    """Return the catalogue that the options name, or None for the store's own products.

    Raises:
        click.UsageError: The options contradict each other.
    """
    if folder and products:
        raise click.UsageError("--catalogue has products of its own; leave out --products")
    if skip_bad and not folder:
        raise click.UsageError("--skip-bad is for WebShop's files; add --catalogue DIR")
    if folder is None and products is None:
        return None
    from sites.store.shop.data import PRODUCTS, CatalogueSource

    made = CatalogueSource(folder, products or PRODUCTS, skip_bad)
    return None if made == CatalogueSource() else made
