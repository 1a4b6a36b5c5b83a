"""Rules, a shopping agent without a model: search, read the results, buy the best match.

The agent searches for the meaningful words of the wish (the instruction) and opens every affordable
product of the first pages of results with all its tabs. It buys the product whose texts contain
most parts of the wish, with the options that the wish names. If the task asks about reviews, it
reads them all and names the authors who wrote a word of the question. `rules:webshop` is the rule
of WebShop's paper (Yao et al. 2022, section 5): search for the whole wish and buy the first result.
`rules:vectors` compares sentences by the vectors of MiniLM, while `rules` compares words. The
agent uses the observation only.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agent import embedders
from agent.interface import LLM, Click, Observation, Page, Task, Type
from agent.methods import check_least
from agent.methods.rules import pages
from agent.methods.rules.clicks import click, every_review
from agent.methods.rules.pages import Card
from agent.methods.rules.question import Question, Review, named
from agent.methods.rules.wish import Wish

if TYPE_CHECKING:
    from agent.embedders import Vectors

STEPS = 500
"""The most actions that reading two pages of products takes."""
SAYS_IT = 0.25
"""The least similarity (cosine) at which a sentence of a review counts as being about the topic;
chosen on wordings that no test seed uses.
"""
NOT_ACHIEVABLE = "NOT_ACHIEVABLE"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Options:
    """Options of the method Rules.

    Attributes:
        read: Whether to open the products; otherwise buy the first result for the whole wish.
        results: Number of pages of results to read.
        embedder: Name of the embedder whose vectors compare sentences; "" compares words.
    """

    read: bool = True
    results: int = 2
    embedder: str = ""

    def __post_init__(self) -> None:
        check_least(self, results=1)


@dataclass(frozen=True)
class Item:
    """A product that the agent has read: its entry in the list, the number of its page of results,
    all its texts, and the higher of its prices.
    """

    card: Card
    page: int
    texts: tuple[str, ...]
    price: float


def budget(standard: Any, options: Options) -> Any:
    """Return a budget with more steps, because reading every product takes more steps than buying
    the right one.
    """
    return replace(standard, steps=max(standard.steps, STEPS)) if options.read else standard


async def solve(task: Task, page: Page, llm: LLM, options: Options) -> str:
    """Answer a question about reviews, or buy one product, or say that no product is affordable."""
    start, wish = await page.observe(), Wish(task.instruction)
    box = pages.search_box(start)
    if box is None:
        return ""
    query = wish.query if options.read else wish.text
    results = await page.act(Type(box.id, query or wish.text, enter=True))
    if options.read and task.answer and task.answer.kind == "list":
        return await _answer(page, results, wish, llm, options)
    chosen = await _choose(task, page, results, wish, llm, options)
    if chosen is None:
        return NOT_ACHIEVABLE if task.answer and options.read else ""
    await _buy(page, chosen, wish)
    return ""


async def _choose(
    task: Task, page: Page, results: Observation, wish: Wish, llm: LLM, options: Options
) -> Observation | None:
    """Open the page of the product to buy. Return it, or None if no product fits."""
    if not options.read:
        found = pages.cards(results)
        return await click(page, results, found[0].link) if found else None
    items = await _read_all(page, results, wish, options)
    best = await _best(items, wish, llm, options)
    if best is None:
        return None
    task.record("rules", f"chose {best.card.title}", read=len(items))
    return await _open_again(page, best)


# Reading -----------------------------------------------------------------------------------------


async def _read_all(page: Page, results: Observation, wish: Wish, options: Options) -> list[Item]:
    """Read every affordable product of the first pages of results.

    The browser stays on the last of these pages.
    """
    items: list[Item] = []
    for number in range(1, options.results + 1):
        for card in pages.cards(results):
            if card.price <= wish.bound:
                item, results = await _read(page, results, card, number)
                items.append(item)
        if number < options.results:
            results = await click(page, results, pages.NEXT)
    return items


async def _read(
    page: Page, results: Observation, card: Card, number: int
) -> tuple[Item, Observation]:
    """Read a product with all its tabs, and return it with the page of results."""
    shown = await click(page, results, card.link)
    texts = [*pages.texts(shown), *pages.offers(pages.choices(shown))]
    price = pages.highest_price(shown)
    for tab in pages.tabs(shown):
        opened = await click(page, shown, tab)
        texts += pages.texts(opened)
        shown = await click(page, opened, pages.BACK)
    return Item(card, number, tuple(texts), price), await click(page, shown, pages.BACK)


async def _open_again(page: Page, item: Item) -> Observation:
    """Go back to the page of results that lists the product, open the product again, and return its
    page.
    """
    results = await page.observe()
    while pages.named(results, item.card.link) is None:
        before = results
        results = await click(page, results, pages.BACK)
        if results.content == before.content:
            break
    return await click(page, results, item.card.link)


# Choosing ----------------------------------------------------------------------------------------


async def _best(items: Sequence[Item], wish: Wish, llm: LLM, options: Options) -> Item | None:
    """Return the item that fits best, or None if the list is empty.

    Of equally good items, prefer one whose higher price is also affordable, and then the first.
    """
    scores = (
        await _likeness(items, wish, llm, options.embedder)
        if options.embedder
        else [wish.overlap(item.texts) for item in items]
    )
    ranked = zip(scores, items, strict=True)
    return max(
        ranked, key=lambda pair: (round(pair[0], 6), pair[1].price <= wish.bound), default=(0, None)
    )[1]


async def _likeness(items: Sequence[Item], wish: Wish, llm: LLM, embedder: str) -> list[float]:
    """Return a similarity for each product, the mean over the parts of the instruction: how similar
    the part is to the product's most similar sentence.
    """
    sentences = [list(dict.fromkeys(_sentences(item.texts))) for item in items]
    every = list(dict.fromkeys([*wish.parts, *(each for listed in sentences for each in listed)]))
    if not wish.parts or not items:
        return [0.0 for _ in items]
    rows = await _vectors(every, llm, embedder)
    place = {sentence: row for row, sentence in enumerate(every)}
    parts = rows[: len(wish.parts)]
    return [_nearest(parts, rows[[place[each] for each in listed]]) for listed in sentences]


async def _vectors(texts: Sequence[str], llm: LLM, embedder: str) -> Vectors:
    """Return the embedding vector of each text, as rows of an array.

    Local embedders run in a thread, because other episodes continue meanwhile.
    """
    made = embedders.get(embedder, texts)
    if made.online:
        return await made.embed(texts, llm)
    return await asyncio.to_thread(lambda: asyncio.run(made.embed(texts, None)))


def _nearest(parts: Vectors, sentences: Vectors) -> float:
    """Return the mean, over the parts, of the similarity between the part and its most similar
    sentence; 0 without sentences.
    """
    return float((parts @ sentences.T).max(axis=1).mean()) if len(sentences) else 0.0


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of the texts."""
    for text in texts:
        yield from filter(None, _SENTENCE.split(text))


# Answering ---------------------------------------------------------------------------------------


async def _answer(page: Page, results: Observation, wish: Wish, llm: LLM, options: Options) -> str:
    """Return the names of the reviewers who mention the topic, from the reviews of the first
    product found.
    """
    found = pages.cards(results)
    if not found:
        return ""
    shown = await click(page, results, found[0].link)
    asked = Question(wish.text, found[0].title)
    read = [each async for each in every_review(page, shown) if asked.counts(each)]
    if not options.embedder:
        return named([each for each in read if asked.holds(each)])
    likeness = [await _topic_in(each, asked, llm, options.embedder) for each in read]
    return named([each for each, how in zip(read, likeness, strict=True) if how >= SAYS_IT])


async def _topic_in(review: Review, asked: Question, llm: LLM, embedder: str) -> float:
    """Return the similarity between the question's topic and the most similar sentence of
    a review.
    """
    topic = f"it {' '.join(asked.topics)}"
    rows = await _vectors([topic, *_sentences([review.text])], llm, embedder)
    return _nearest(rows[:1], rows[1:])


# Buying ------------------------------------------------------------------------------------------


async def _buy(page: Page, shown: Observation, wish: Wish) -> None:
    """Choose the product options that the instruction names, and buy the product."""
    for kind, values in pages.choices(shown).items():
        value = wish.value(kind, [each.name for each in values])
        offered = pages.choices(shown).get(kind, ())
        wanted = next((each for each in offered if each.name == value), None)
        if wanted is not None and "checked" not in wanted.states:
            shown = await page.act(Click(wanted.id))
    await click(page, shown, pages.BUY)
