"""The catalogue of the store in a run: the store's own products, generated products, or those of
WebShop's files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from evaluators.records import run_folder
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.registry import BadTaskSet, ChosenData, TaskSet
from sites.store import CatalogueSource, StoreData, open_data
from sites.store.catalogue.webshop_folder import skipped

SITE = "store"
GOAL_FAMILY = "buy_item"
"""The name of the task family that uses the goals of WebShop's files."""
TEST_GOALS = range(500)
"""The seeds of WebShop's test split."""
SHOWN = 12
"""The number of digits of a digest that messages show."""


class OtherCatalogue(RehearsalError, ValueError):
    """A run was made with another catalogue than the given one."""


@contextmanager
def in_use(
    source: CatalogueSource | None, say: Callable[[str], None] = lambda line: None
) -> Iterator[str]:
    """Let the store sell the products of a catalogue within the block.

    Args:
        source: The catalogue, or None for the store's own products.
        say: Called with lines that describe the catalogue.

    Yields:
        The catalogue's digest, "" for the store's own products.

    Raises:
        WebShopFileError: A file of WebShop's cannot be used.
        CacheError: The catalogue cannot be kept in the cache.
    """
    if source is None:
        yield ""
        return
    if (chosen := registry.chosen(SITE)) and chosen.source == source:
        yield chosen.data.digest
        return
    data = source.open()
    try:
        for line in _notes(data):
            say(line)
        with registry.using(SITE, _chosen(data, source)):
            yield data.digest
    finally:
        data.close()


@contextmanager
def opened(folder: Path | None) -> Iterator[None]:
    """Within the block, let the store sell the catalogue in this cache folder; None for its own
    products.
    """
    if folder is None:
        yield
        return
    data = open_data(folder)
    try:
        with registry.using(SITE, _chosen(data)):
            yield
    finally:
        data.close()


def folder_of(source: CatalogueSource | None) -> Path | None:
    """Return the folder of the catalogue in use, for other processes to open.

    None if the store sells its own products.
    """
    return None if source is None else registry.site_data(SITE).catalogue.folder


@contextmanager
def of_run(
    run: Path, source: CatalogueSource | None, say: Callable[[str], None] = lambda line: None
) -> Iterator[None]:
    """Within the block, let the store sell the products that it sold in a run.

    Args:
        run: The run's folder.
        source: The catalogue, or None for the store's own products.
        say: Called with lines that describe the catalogue.

    Raises:
        OtherCatalogue: `source` is not the run's catalogue.
    """
    kept = run / run_folder.MANIFEST
    recorded = run_folder.load_manifest(run).config.catalogue if kept.exists() else ""
    with matching(str(run), recorded, source, say):
        yield


@contextmanager
def matching(
    name: str,
    recorded: str,
    source: CatalogueSource | None,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[None]:
    """Within the block, let the store sell `source`, after a comparison with a recorded digest.

    Args:
        name: The run or file that the digest belongs to; used in the message.
        recorded: The digest that was recorded, "" for the store's own products.
        source: The catalogue, or None for the store's own products.
        say: Called with lines that describe the catalogue.

    Raises:
        OtherCatalogue: The digest of `source` is not the recorded one.
    """
    with ExitStack() as stack:
        given = stack.enter_context(in_use(source, say))
        if given != recorded:
            raise OtherCatalogue(
                f"{name} was made with {_named(recorded)}, not with {_named(given)}",
                "give the same --catalogue or --products" if recorded else "leave it out",
            )
        yield


def check(tasks: TaskSet, source: CatalogueSource | None) -> None:
    """Check that the store has these tasks with the given catalogue.

    Raises:
        BadTaskSet: The tasks are frozen on the store's own products, none of them is a task of the
            store, or the catalogue has no goal for a task.
    """
    if source is None:
        return
    if tasks.hashes:
        raise BadTaskSet(
            f"{tasks.label} is frozen on the store's own products",
            f"with another catalogue write --family {GOAL_FAMILY}",
        )
    names = [name for name in tasks.names if name.split("/")[1] not in tasks.sources]
    if not any(name.startswith(f"{SITE}/") for name in tasks.names):
        raise BadTaskSet("no task is one of the store", f"write --family {GOAL_FAMILY}")
    for name in names:
        registry.check_drawable(name)


def test_split(family: str) -> range | None:
    """Return the seeds of WebShop's test split, or None if the catalogue in use has no goals of
    this family.
    """
    seeds = registry.seeds_of(family, SITE)
    return seeds[: TEST_GOALS.stop] if seeds else None


def _chosen(data: StoreData, source: CatalogueSource | None = None) -> ChosenData:
    seeds = {} if data.goals is None else {GOAL_FAMILY: range(len(data.goals))}
    return ChosenData(data, seeds, source)


def _named(digest: str) -> str:
    return f"the catalogue {digest[:SHOWN]}" if digest else "the store's own products"


def _notes(data: StoreData) -> Iterator[str]:
    goals = "" if data.goals is None else f" and {len(data.goals):,} goals"
    yield f"{_named(data.digest)}: {len(data.catalogue):,} products{goals}"
    count, first = skipped(data.catalogue.folder)
    if count:
        yield f"{count} bad {'entry was' if count == 1 else 'entries were'} skipped, such as:"
        yield from first
