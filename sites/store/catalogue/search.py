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
"""The version of the search index, a part of the name of its folder.

Raise it when the indexed text, or the way to index it, changes.
"""
HEAP = 4_000_000_000
"""The bytes that the writer may use before it begins a second segment; it takes only what it needs.

With a single segment, document numbers are positions in the catalogue, and products with equal
scores rank by position.
"""


class Search:
    """The search index next to a catalogue: built on first use, then read-only and thread-safe."""

    def __init__(self, folder: Path) -> None:
        """Open the index of a catalogue, and build it if necessary.

        The caller closes the `catalogue` of the search.

        Args:
            folder: The folder of a catalogue.

        Raises:
            CacheError: If the folder cannot be written.
        """
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
        """Return the asins (product codes) of the best products for plain words, best first.

        Nothing in the query is an operator. Products with equal scores are in the catalogue's
        order. Only the first 64 different words and the first 10,000 characters count.

        Args:
            query: The words to search for.
            limit: The largest number of products.
        """
        words = self.words(query)
        if not words or limit < 1:
            return []
        hits = self._searcher.search(self._any_of(words), limit, count=False).hits
        places = self._searcher.fast_field_values("position", [place for _, place in hits])
        return self.catalogue.at([place for place in places if isinstance(place, int)])

    def words(self, query: str) -> list[str]:
        """Return the word stems under which a query's words are looked up, without repetitions, in
        their order.
        """
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
    """Return the search of a catalogue. If it fails, the catalogue is closed.

    Raises:
        CacheError: If the index cannot be built.
    """
    with ExitStack() as failed:
        failed.callback(catalogue.close)
        made = Search(catalogue.folder)
        failed.pop_all()
    return made


def document(product: Product) -> str:
    """Return the text by which a product is found, as in the search documents of WebShop's code."""
    options = ", and ".join(
        f"{kind}: {', '.join(values)}" for kind, values in product.options.items()
    )
    parts = (product.name, product.description, *product.bullets[:1], options)
    return " ".join(part for part in parts if part).lower()


def analyzer() -> tantivy.TextAnalyzer:
    """Return the analyzer that splits texts into lower-case stems without stop words."""
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
