"""Pages of Mind2Web as models and rankers read them: pruned to a few elements, then written.

The released files hold a page as XML in which texts are elements too, named `text`, and each node
has a number, `backend_node_id`. The rules are those of MindAct, which Synapse's release shares
(`prune_tree` and `get_tree_repr` there); this is a code of our own for them.

Source: Deng et al. 2023, Mind2Web, MindAct's data code; Zheng et al. 2024, Synapse, appendix C.4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from lxml import etree

from agent.mind2web.task import Step
from rehearsal_errors import RehearsalError

Node = Any
"""An element of lxml, which has no types."""

ID, TEXT = "backend_node_id", "text"
META = (
    *("role", "aria_role", "type", "alt", "aria_description", "aria_label", "label", "title"),
    *("name", "text_value", "value", "placeholder", "input_checked", "input_value"),
    *("option_selected", "class"),
)
"""The attributes whose values are written, in this order."""
NO_MEANING = frozenset({"hidden", "none", "presentation", "null", "undefined"})
DEPTH, DESCENDANTS, SIBLINGS = 5, 50, 3
"""Of a candidate are kept: levels below its children, descendants, siblings on each side."""
VALUE_WORDS, META_WORDS, TEXT_WORDS, LETTERS = 5, 20, 20, 14
"""Words of a value, of all values, and of a text; letters of the longest word of a value."""
TARGET_WORDS, ANCESTOR_WORDS, CHOICE_WORDS = 100, 50, 10
BYTES, NESTING = 50_000_000, 500
"""The largest and the deepest page that is read; real pages have at most some 2 MB."""
ENTITIES = {
    "&lt;": "<",
    "&gt;": ">",
    "&nbsp;": " ",
    "&ndash;": "-",
    "&rsquo;": "'",
    "&lsquo;": "'",
    "&ldquo;": '"',
    "&rdquo;": '"',
    "&#39;": "'",
    "&#40;": "(",
    "&#41;": ")",
}
"""The entities that a page holds twice escaped, and that are undone."""

Brackets = Literal["angle", "round"]
MARKS: Mapping[Brackets, tuple[str, str, str]] = {
    "angle": ("<{}>", "</{}>", "<{}/>"),
    "round": ("({}", ")", "({})"),
}
"""For each kind of brackets: the marks before an element, after it, and of an empty one."""


class UnreadablePage(RehearsalError, ValueError):
    """A page from which nothing can be read, or that is too large; the message says which."""


@dataclass(frozen=True)
class Page:
    """A page that has been read.

    Attributes:
        root: The outermost element.
        nodes: Its elements by their numbers.
        repaired: Whether the text was no XML, so that the parser left something out.
    """

    root: Node
    nodes: Mapping[str, Node]
    repaired: bool


def read(xml: str) -> Page:
    """Return a page, as far as it can be read. Nothing outside the text is loaded.

    Args:
        xml: `cleaned_html` or `raw_html` of a step.

    Raises:
        UnreadablePage: The text holds no element, or is too large or nested too deeply.
    """
    content = xml.encode("utf-8", "replace")
    if len(content) > BYTES:
        raise UnreadablePage(f"a page of {len(content):,} bytes", f"at most {BYTES:,} are read")
    parser = _parser()
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadablePage(f"a page that is no XML ({error})") from error
    if root is None or not isinstance(root.tag, str):
        raise UnreadablePage("a page without an element")
    _check_nesting(root)
    nodes = {number: each for each in root.iter("*") if (number := each.get(ID)) is not None}
    return Page(root, nodes, repaired=bool(parser.error_log))


def _parser() -> Any:
    return etree.XMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        no_network=True,
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
    )


def _check_nesting(root: Node) -> None:
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > NESTING:
            raise UnreadablePage(f"a page nested deeper than {NESTING} elements")


def prune(page: Page, candidates: Collection[str]) -> Node:
    """Return a copy of the page with only these elements and what is near them.

    Kept are the elements, their ancestors, their first descendants, their next siblings, and the
    texts of all of these. Numbers stay on the candidates alone. An element that is left without an
    attribute and without a text of its own gives way to its only child.

    Args:
        page: The page.
        candidates: Numbers of elements; those that the page does not have are left out.

    Source: `prune_tree` of MindAct and Synapse.
    """
    chosen = {page.nodes[each] for each in candidates if each in page.nodes}
    kept = {near for each in chosen for near in _near(each)}
    root = _copy(page.root, page.root in chosen)
    root.extend(_kept_children(page.root, kept, chosen))
    return root


def _near(node: Node) -> Iterator[Node]:
    yield node
    yield from node.iterancestors()
    yield from islice(_descendants(node, 0), DESCENDANTS)
    yield from _siblings(node)


def _descendants(node: Node, depth: int) -> Iterator[Node]:
    """Yield the descendants in document order, down to `DEPTH` levels below the children."""
    for child in node.iterchildren("*"):
        yield child
        if depth < DEPTH:
            yield from _descendants(child, depth + 1)


def _siblings(node: Node) -> Iterator[Node]:
    if node.tag == TEXT:
        return
    for before in (True, False):
        others = (each for each in node.itersiblings("*", preceding=before) if each.tag != TEXT)
        yield from islice(others, SIBLINGS)


def _kept_children(node: Node, kept: Collection[Node], chosen: Collection[Node]) -> list[Node]:
    return [
        copied
        for child in node.iterchildren("*")
        if child in kept or child.tag == TEXT
        for copied in _kept(child, kept, chosen)
    ]


def _kept(node: Node, kept: Collection[Node], chosen: Collection[Node]) -> list[Node]:
    """Return the copy of a node with what is kept in it, or in its place its only child or
    nothing.
    """
    copied = _copy(node, node in chosen)
    if node.tag == TEXT:
        return [copied]
    children = _kept_children(node, kept, chosen)
    own_text = any(each.tag == TEXT for each in children)
    if not copied.attrib and not own_text and len(children) <= 1:
        return children
    copied.extend(children)
    return [copied]


def _copy(node: Node, chosen: bool) -> Node:
    copied = etree.Element(node.tag, node.attrib)
    copied.text = node.text
    if (not chosen or node.tag == TEXT) and ID in copied.attrib:
        del copied.attrib[ID]
    return copied


def write(
    root: Node, brackets: Brackets = "angle", numbers: Mapping[str, str] | None = None
) -> str:
    """Return a pruned page, or a part of it, as the text that a model reads.

    Args:
        root: An element, for example the result of `prune`.
        brackets: `angle` as Synapse and MindAct with GPT have it, `round` for Flan-T5.
        numbers: The numbers to show in place of the elements' own (`numbered`).

    Source: `get_tree_repr` of MindAct and Synapse.
    """
    return " ".join(" ".join(_pieces(root, brackets, numbers)).split())


def _pieces(root: Node, brackets: Brackets, numbers: Mapping[str, str] | None) -> Iterator[str]:
    if root.tag == TEXT:
        words = (root.text or "").split()[:TEXT_WORDS]
        yield _without_entities(" ".join(words).replace('"', " "))
        return
    head, (before, after, empty) = _head(root, numbers), MARKS[brackets]
    if not len(root) and not root.text:
        yield empty.format(f"{head} " if " " in head else head)
        return
    yield before.format(head)
    for child in root:
        yield from _pieces(child, brackets, numbers)
    yield after.format(root.tag)


def _head(node: Node, numbers: Mapping[str, str] | None) -> str:
    """Return an element's tag, its number if it has one, and the words of its attributes."""
    number = node.get(ID, "")
    shown = number if numbers is None else numbers.get(number, number)
    words = _without_entities(" ".join(_meta(node)))
    return " ".join(filter(None, (node.tag, f"id={shown}" if shown else "", words)))


def _meta(node: Node) -> list[str]:
    values: dict[str, None] = {}
    attributes = dict(node.attrib)
    for value in (attributes[name].lower() for name in META if name in attributes):
        if value not in NO_MEANING and not value.startswith("http"):
            words = [each for each in value.split() if len(each) <= LETTERS]
            values[" ".join(words[:VALUE_WORDS])] = None
    return " ".join(values).split()[:META_WORDS]


def _without_entities(text: str) -> str:
    for entity, meant in ENTITIES.items():
        text = text.replace(entity, meant)
    return text


def numbered(root: Node) -> dict[str, str]:
    """Return, for the candidates of a pruned page, the numbers 0, 1, … in document order.

    MindAct shows these in place of the elements' own.
    """
    found = [number for each in root.iter("*") if (number := each.get(ID)) is not None]
    return {number: str(at) for at, number in enumerate(found)}


def choices(root: Node, numbers: Mapping[str, str], brackets: Brackets = "angle") -> dict[str, str]:
    """Return the candidates of a pruned page, in document order, each with its first ten words.

    Args:
        root: The pruned page.
        numbers: The numbers to show (`numbered`).
        brackets: As in `write`.

    Source: the choices of MindAct's questions.
    """
    return {
        each.get(ID): _first(write(each, brackets, numbers), CHOICE_WORDS)
        for each in root.iter("*")
        if each.get(ID) in numbers
    }


@dataclass(frozen=True)
class Document:
    """A candidate as a ranker reads it.

    Attributes:
        target: The element itself, at most 100 words.
        ancestors: The last 50 words of the page around it; a `/` stands before each element.
    """

    target: str
    ancestors: str

    def __str__(self) -> str:
        """Return the text that the published ranker was trained on."""
        return f"ancestors: {self.ancestors}\ntarget: {self.target}"


def document(page: Page, candidate: str) -> Document:
    """Return the text of a candidate for a ranker.

    Args:
        page: The page.
        candidate: The element's number; if the page does not have it, both texts are empty.

    Source: `format_candidate` of MindAct's candidate generation.
    """
    root = prune(page, [candidate])
    own = next((each for each in root.iter("*") if each.get(ID) == candidate), None)
    if own is None:
        return Document("", "")
    target = _first(write(own, "round", {candidate: "0"}), TARGET_WORDS)
    if own is root:
        return Document(target, "")
    own.getparent().remove(own)
    around = re.sub(r"\s*\)\s*", "", re.sub(r"\s*\(\s*", "/", write(root, "round")))
    return Document(target, " ".join(around.split()[-ANCESTOR_WORDS:]))


def _first(text: str, words: int) -> str:
    return " ".join(text.split()[:words])


def positive_and_best(step: Step, order: Sequence[str], k: int) -> list[str]:
    """Return the k candidates that Synapse shows: the first positive and the best negatives.

    So the right element is on the page whatever its rank is. Without a positive these are the
    k - 1 best negatives.

    Args:
        step: The step.
        order: All candidates, the best first.
        k: How many elements to show.

    Source: `get_top_k_obs` of Synapse.
    """
    negatives = {each.id for each in step.negatives}
    best = [each for each in order if each in negatives][: k - 1]
    return [each.id for each in step.positives[:1]] + best


def observation(step: Step, candidates: Collection[str]) -> str:
    """Return the page of a step, pruned to these candidates, as Synapse shows it.

    If cleaning has lost the right element, its subtree of the raw page is put at the page's end.
    The released code cuts it out of the written text and may cut too much; we take the element.

    Args:
        step: The step.
        candidates: Numbers of the elements to show, for example by `positive_and_best`.

    Raises:
        UnreadablePage: The page cannot be read.

    Source: `get_top_k_obs` of Synapse; its appendix C.4 shows such a page.
    """
    root = prune(read(step.cleaned), candidates)
    if not step.positives and step.target:
        root.append(prune(read(step.target), [step.target_id]))
    return write(root)
