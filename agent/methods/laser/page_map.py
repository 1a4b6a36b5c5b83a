"""Presents the pages of another shop as pages of the store, so that the store's state graph can be
used there.

WebShop's authors transferred their agents to other shops in this way: each page is rewritten into
the form that the agent knows, and the agent's actions are executed on the real page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from agent.interface import Action, Click, Element, Goto, Observation, Page, Select, Text
from agent.prompting import BadPrompt

VIRTUAL = 100_000
"""The first id of elements that exist on the rewritten page only."""
SHOWN = 8
"""The number of items that each press of the outlet's button Show more adds."""
NUMBER = re.compile(r"([A-Z]{2})-(\d{4})-([A-Z]) ")
HEADINGS = {"Order": "Sort", "Maker": "Brand"}
SECTIONS = ("About it", "Enquiries", "Reviews")
TABS = {"Description": "About it", "Features": "Enquiries", "Reviews": "Reviews"}
PREVIOUS = "< Prev"
Node = Element | Text


def of(page: Page, site: str, graph: str) -> Page:
    """Return a page object that shows the site's pages as pages of the site for which the graph was
    made.

    Args:
        page: The page of the task's site.
        site: The task's site.
        graph: The site whose graph is used.

    Raises:
        BadPrompt: No map from the site to the graph exists.
    """
    if site == graph:
        return page
    if (site, graph) != ("outlet", "store"):
        raise BadPrompt(f"no map leads from the pages of {site} to the graph of {graph}")
    return OutletAsStore(page)


@dataclass
class OutletAsStore:
    """The outlet's pages shown as the store's. `plans` maps an artificial element's id to the real
    actions.
    """

    page: Page
    plans: dict[int, tuple[Action, ...]] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    tab: str = ""
    real: Observation = field(default_factory=lambda: Observation("", ""))
    shown: Observation = field(default_factory=lambda: Observation("", ""))

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        return self._show(await self.page.observe(view=view, screenshot=screenshot, source=source))

    async def act(self, action: Action) -> Observation:
        element = self._meant(action)
        name = element.name if element is not None and element.id >= VIRTUAL else ""
        was_open, self.tab = bool(self.tab), name if name in TABS else ""
        if self.tab or (was_open and name == PREVIOUS):
            return self._show(self.real)
        seen = self.real
        for step in self._real_actions(action, element):
            seen = await self.page.act(step)
            if seen.error:
                break
        return self._show(seen)

    async def restart(self) -> Observation:
        self.tab = ""
        return self._show(await self.page.restart())

    async def checkpoint(self) -> object:
        return await self.page.checkpoint()

    async def restore(self, mark: object) -> Observation:
        self.tab = ""
        return self._show(await self.page.restore(mark))

    # Actions -------------------------------------------------------------------------------------

    def _meant(self, action: Action) -> Element | None:
        target = getattr(action, "target", None)
        name = target.casefold() if isinstance(target, str) else None
        for element in self.shown.elements:
            if element.id == target or element.name.casefold() == name:
                return element
        return None

    def _real_actions(self, action: Any, element: Element | None) -> tuple[Action, ...]:
        if isinstance(action, Goto):
            return (replace(action, url=self.addresses.get(action.url, action.url)),)
        if element is None:
            return (action,)
        if isinstance(action, Click) and element.id in self.plans:
            return self.plans[element.id]
        return (replace(action, target=element.id),)

    # Observations --------------------------------------------------------------------------------

    def _show(self, real: Observation) -> Observation:
        self.real, self.plans = real, {}
        parts = urlsplit(real.url).path.strip("/").split("/")
        address, content = self._mapped("".join(parts[1:2]))
        url = f"http://store.localhost/{address}/{parts[-1]}" if address else real.url
        self.addresses[url] = real.url
        title = real.title.replace(" · Outlet", " · WebShop")
        self.shown = replace(real, url=url, title=title, content=tuple(content))
        return self.shown

    def _mapped(self, kind: str) -> tuple[str, Iterable[Node]]:
        """Return the URL path that the store would have for the current page, and the nodes to
        show; the path is "" for the search page.
        """
        if self.tab:
            return "item_sub_page", self._section()
        if kind == "search":
            return "search_results", self._results()
        if kind == "goods" and any(map(_leads_back, self.real.content)):
            return "item_page", self._item()
        if kind == "orders":
            return "done", self.real.content
        return "", self._search()

    def _made_up(self, name: str, *plan: Action, role: str = "button") -> Element:
        element = Element(VIRTUAL + len(self.plans), role, name)
        self.plans[element.id] = plan
        return element

    def _search(self) -> Iterator[Node]:
        for element in self.real.elements:
            if element.role == "searchbox":
                yield replace(element, name="Search products")
            elif element.name == "Find":
                yield replace(element, name="Search")

    def _results(self) -> Iterator[Node]:
        """Yield the elements that the store would show on its page of search results.

        The outlet has one page of results that grows, so the page number is computed from the
        number of items that it lists.
        """
        nodes = self.real.content
        total = re.search(r"^(\d+) items? for", self.real.text, re.MULTILINE)
        cards = [place for place, node in enumerate(nodes) if _is_card(node)]
        page = max(1, -(-len(cards) // SHOWN))
        yield self._made_up("Back to Search", Click("Outlet"))
        yield Text(f"Page {page} (Total results: {total[1] if total else 0})")
        more = [node for node in nodes if _name(node) == "Show more"]
        yield from (replace(each, name="Next >") for each in more if isinstance(each, Element))
        first = cards[0] if cards else len(nodes)
        start = next((p + 1 for p, node in enumerate(nodes) if "items for" in _name(node)), first)
        yield from (_headed(node) for node in nodes[start:first])
        for place, end in pairwise([*cards, len(nodes)]):
            yield from _card(nodes[place:end])

    def _item(self) -> Iterator[Node]:
        parts = _split(self.real.content)
        order = Click("Order this item"), Click("Place order")
        yield self._made_up(PREVIOUS, Click("Back to the list"))
        head = parts[""]
        place = next(p for p, node in enumerate(head) if _leads_back(node))
        title = self.real.title.removesuffix(" · Outlet")
        yield from self._options(head[place + 1 :])
        yield Text(title)
        yield from (
            Text(f"Price: {_name(node).removesuffix(' plus tax')}")
            for node in head
            if _name(node).endswith(" plus tax")
        )
        yield from (self._made_up(name) for name in TABS)
        if rows := parts.get("Details"):
            yield from (Text("Specification"), *rows)
        yield self._made_up("Buy Now", *order)

    def _options(self, nodes: Iterable[Node]) -> Iterator[Node]:
        """Yield the store's radio buttons for the outlet's toggle buttons and drop-down lists of
        product options.
        """
        for node in nodes:
            if isinstance(node, Text):
                if node.text == "Colour":
                    yield Text("color")
            elif node.options:
                yield Text(node.name.casefold())
                for value in node.options[1:]:
                    made = self._made_up(value, Select(node.id, value), role="radio")
                    yield replace(made, states=("checked",) if node.value == value else ())
            elif node.name not in ("Order this item", "Choose"):
                states = ("checked",) if "pressed" in node.states else ()
                yield replace(node, role="radio", states=states)

    def _section(self) -> list[Node]:
        """Return the nodes that a tab of the store (such as Description) would show, taken from a
        section of the outlet's page.
        """
        own = _split(self.real.content)
        wanted = [TABS[self.tab], *(["sizes"] if self.tab == "Description" else [])]
        texts = [node for name in wanted for node in own.get(name, ())]
        return [self._made_up(PREVIOUS), *(node for node in texts if isinstance(node, Text))]


def _name(node: Node) -> str:
    return node.name if isinstance(node, Element) else node.text


def _leads_back(node: Node) -> bool:
    """Return whether a node is the link "Back to the list", which only an item's page has (the page
    of a refusal links to the home page instead).
    """
    return _name(node) == "Back to the list"


def _is_card(node: Node) -> bool:
    return isinstance(node, Element) and NUMBER.match(node.name) is not None


def _headed(node: Node) -> Node:
    return Text(HEADINGS.get(node.text, node.text)) if isinstance(node, Text) else node


def _card(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the store's nodes for an item in a list of results: its code as a link, then its title,
    price and other lines.
    """
    link, *rest = nodes
    assert isinstance(link, Element)
    yield replace(link, name=f"OUT{''.join(NUMBER.findall(link.name)[0])}")
    yield Text(link.name)
    for node in rest:
        if isinstance(node, Text) and not re.search(r" of 5$| shown$", node.text):
            yield Text(node.text.removesuffix(" plus tax"))


def _split(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """Return the nodes of an item's page by the heading above them; the part before the first
    heading has the key "".
    """
    parts: dict[str, list[Node]] = {"": []}
    here = ""
    for node in nodes:
        name = node.text if isinstance(node, Text) else ""
        heading = "sizes" if name.endswith(" sizes") else name
        if heading in ("Details", "sizes", *SECTIONS) and heading not in parts:
            here = heading
            parts[here] = []
        else:
            parts[here].append(node)
    return parts
