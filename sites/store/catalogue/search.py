"""The shop's search engine: BM25 over title, description, first bullet and options (tantivy)."""

from __future__ import annotations

from contextlib import ExitStack, closing
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sites.store.catalogue.cache import build_once
from sites.store.catalogue.catalogue import Catalogue
from sites.store.catalogue.product import Product

if TYPE_CHECKING:
    import tantivy

LIMIT = 50
TERMS = 64
CHARACTERS = 10_000
VERSION = 1
"""Part of the index's folder name; raise it when what is indexed, or how, changes."""
HEAP = 4_000_000_000
"""Bytes that the writer may use before it begins a second segment. It takes only what it needs.
With one segment, document numbers are catalogue positions, and equal scores rank by position."""


class Search:
    """The index beside a catalogue, built on first use and read-only afterwards; thread-safe."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the folder of a catalogue. Raises `CacheError` where it cannot be written.

        Whoever makes a search closes its `catalogue`."""
        import tantivy

        with ExitStack() as failed:
            self.catalogue = failed.enter_context(closing(Catalogue(folder)))
            place = folder / f"index-{self.catalogue.digest[:16]}-{VERSION}"
            build_once(place, lambda temporary: _write(temporary, self.catalogue))
            self._index = tantivy.Index.open(str(place))
            failed.pop_all()
        self._schema = self._index.schema
        self._searcher = self._index.searcher()

    def search(self, query: str, limit: int = LIMIT) -> list[str]:
        """The asins of the best `limit` products for plain words, best first.

        Nothing in the query is an operator. Equal scores are in the catalogue's order. Words
        beyond the first 64 different ones and text beyond 10,000 characters are not looked at.
        """
        words = self.words(query)
        if not words or limit < 1:
            return []
        hits = self._searcher.search(self._any_of(words), limit, count=False).hits
        places = self._searcher.fast_field_values("position", [place for _, place in hits])
        return self.catalogue.at([place for place in places if isinstance(place, int)])

    def words(self, query: str) -> list[str]:
        """The stems that a query is looked up by, each once, in their order."""
        tokens = self._analyzer.analyze(query[:CHARACTERS].encode(errors="replace").decode())
        return list(islice(dict.fromkeys(tokens), TERMS))

    @cached_property
    def _analyzer(self) -> tantivy.TextAnalyzer:
        return analyzer()

    def _any_of(self, words: list[str]) -> tantivy.Query:
        from tantivy import Occur, Query

        word_queries = (Query.term_query(self._schema, "text", word, "freq") for word in words)
        return Query.boolean_query([(Occur.Should, term) for term in word_queries])


def search_of(catalogue: Catalogue) -> Search:
    """The index of a catalogue, which is closed if there cannot be one. Raises `CacheError`."""
    with ExitStack() as failed:
        failed.callback(catalogue.close)
        made = Search(catalogue.folder)
        failed.pop_all()
    return made


def document(product: Product) -> str:
    """The text that a product is found by (WebShop's published code: its search documents)."""
    options = ", and ".join(
        f"{kind}: {', '.join(values)}" for kind, values in product.options.items()
    )
    parts = (product.name, product.description, *product.bullets[:1], options)
    return " ".join(part for part in parts if part).lower()


def analyzer() -> tantivy.TextAnalyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    filters = (
        Filter.remove_long(40),
        Filter.lowercase(),
        Filter.ascii_fold(),
        Filter.stopword("english"),
        Filter.stemmer("english"),
    )
    builder = TextAnalyzerBuilder(Tokenizer.simple())
    for filter_ in filters:
        builder = builder.filter(filter_)
    return builder.build()


def _write(folder: Path, catalogue: Catalogue) -> None:
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", tokenizer_name="shop", index_option="freq")
    schema.add_integer_field("position", fast=True)
    index = tantivy.Index(schema.build(), str(folder))
    index.register_tokenizer("shop", analyzer())
    writer = index.writer(HEAP, num_threads=1)
    for position, product in enumerate(catalogue):
        writer.add_document(tantivy.Document(text=document(product), position=position))
    writer.commit()
    writer.wait_merging_threads()
