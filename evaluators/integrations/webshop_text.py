"""The store as WebShop's text environment ("WebShop", Yao et al. 2022), without a browser.

Its pages come from the store's own application, called in this process, with the same HTML, rules
and journal as in any other visit. `TextEnv` has the members of WebShop's `WebAgentTextEnv` that its
users need; `evaluators.integrations.webshop_gymnasium` is the same with Gymnasium's five values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

from lxml import etree

from agent.text_lane.requests import Client
from evaluators.integrations import webshop_goals
from evaluators.run.catalogues import GOAL_FAMILY, SITE
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Score
from scenarios import registry
from sites.store import create_app
from sites.store.shop import operations
from sites.world import World, Worlds

MODES = ("html", "text", "text_rich", "url")
ORIGIN = "http://127.0.0.1"
SEARCH = "search"
"""The button beside the search bar: `search[words]` presses it, a click alone does nothing."""
_ACTION = re.compile(r"(\w+)\[(.+)\]", re.DOTALL)
_UNSEEN = {"head", "script", "style", "title"}


class TextEnv:
    """WebShop's text environment: visits to the store, with actions `search[words]` and
    `click[text on the page]`.

    `observation_mode` is one of `MODES`. An action that the page does not offer changes
    nothing, nor does any action after the purchase, which ends the visit.
    """

    def __init__(self, observation_mode: str = "html") -> None:
        if observation_mode not in MODES:
            known = ", ".join(MODES)
            raise ValueError(f"no observation mode {observation_mode!r}; give one of {known}")
        self.observation_mode = observation_mode
        self.family, self.data = registry.family(GOAL_FAMILY), registry.site_data(SITE)
        self.worlds = Worlds()
        self._application = create_app(self.data, self.worlds)
        self._application.config["PROPAGATE_EXCEPTIONS"] = True
        self._drawn = Random("webshop-text")
        self._world: World | None = None
        self.reset()

    def reset(
        self, session: int | str | None = None, instruction_text: str | None = None
    ) -> tuple[str, None]:
        """Open a goal and return (observation, None).

        Args:
            session: A goal's number or `fixed_<number>`; another name stands for a certain goal;
                None takes the next goal of a fixed sequence.
            instruction_text: The value of the attribute `instruction_text` instead of the goal's
                instruction, or None.

        Raises:
            NoSuchGoal: The number is out of range.
        """
        self.scenario = self.family.generate(self._goal(session), self.data)
        self.close()
        self._world = self.family.world(self.scenario)
        self._context = ScoringContext.of(self.scenario, self.family, self._world.snapshot())
        self.worlds.publish(self._world)
        self.instruction_text = instruction_text or self.scenario.instruction
        self._client = Client({ORIGIN: self._application})
        self.page = load(self._client, Way(self.scenario.start))
        self.done = False
        return self.observation, None

    def step(self, action: str) -> tuple[str, float, bool, None]:
        """Do an action and return (observation, reward, done, None); the reward is given at the
        purchase.
        """
        way = None if self.done else self._way(action)
        if way is None:
            return self.observation, 0.0, self.done, None
        self.page = load(self._client, way)
        self.done = operations.purchase_count(self.world) > 0
        reward = self.score().reward if self.done else 0.0
        return self.observation, reward or 0.0, self.done, None

    def get_available_actions(self) -> dict[str, Any]:
        """Return whether the page has a search bar, and the lower-case texts that can be
        clicked.
        """
        return {
            "has_search_bar": self.page.search is not None,
            "clickables": list(self.page.clickables),
        }

    @property
    def observation(self) -> str:
        """The page in the form of `observation_mode`."""
        if self.observation_mode == "html":
            return self.page.html
        if self.observation_mode == "url":
            return unquote(self.page.address)
        return self.page.rich() if self.observation_mode == "text_rich" else self.page.plain()

    @property
    def world(self) -> World:
        """The database (the world) of the present visit."""
        assert self._world is not None
        return self._world

    def score(self) -> Score:
        """Return the score of the visit as it is now."""
        return self._context.score(self.world.snapshot())

    def close(self) -> None:
        """Release the visit's database; `reset` opens another visit."""
        self.worlds.release()

    def render(self, mode: str = "human") -> None:
        """Do nothing; WebShop's environment has this method."""

    def _goal(self, session: int | str | None) -> int:
        if session is None:
            return self._drawn.choice(webshop_goals.goals())
        if isinstance(session, int):
            return webshop_goals.numbered(session)
        return webshop_goals.named(str(session))

    def _way(self, action: str) -> Way | None:
        read = _ACTION.fullmatch(action.strip())
        if read is None:
            return None
        words = read[2].lower()
        if read[1] == SEARCH and self.page.search is not None:
            return Way(f"{self.page.search}?{urlencode({'search_query': words})}")
        if read[1] != "click" or words == SEARCH:
            return None
        return self.page.clickables.get(words)


# Pages --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Way:
    """A request to the store: an address, and the fields of a posted form, or None for GET."""

    address: str
    fields: Mapping[str, str] | None = None


class Shown(NamedTuple):
    """A text of a page, the tag of its element, whether it names a product, and whether it was
    clicked.
    """

    text: str
    tag: str
    is_product: bool
    clicked: bool


@dataclass(frozen=True)
class Page:
    """A page of the store.

    `search` is the address of its search bar, or None. `clickables` maps a text to its request, or
    to None for an option that is chosen already.
    """

    address: str
    html: str
    texts: Sequence[Shown]
    clickables: Mapping[str, Way | None]
    search: str | None

    def plain(self) -> str:
        """Return the page's texts, separated by `[SEP]`."""
        return " [SEP] ".join(each.text.strip() for each in self.texts)

    def rich(self) -> str:
        """Return the page's texts in lines, with clickable texts marked as buttons."""
        chosen = [each.text for each in self.texts if each.tag == "label" and each.clicked]
        clicked = [f"You have clicked {text}." for text in reversed(chosen)]
        return "".join(f"{line}\n" for line in (*clicked, *map(_line, self.texts)))


def _line(shown: Shown) -> str:
    mark = "clicked button" if shown.clicked else "button"
    if shown.tag == "button":
        return f"[button] {shown.text} [button_]"
    if shown.tag == "label":
        return f"  [{mark}] {shown.text} [{mark}_]"
    return f"\n[{mark}] {shown.text} [{mark}_]" if shown.is_product else shown.text


def load(client: Client, way: Way) -> Page:
    """Return the page that the store gives for a request; redirections are followed."""
    fields = None if way.fields is None else [*way.fields.items()]
    answer = client.load(f"{ORIGIN}{way.address}", fields)
    reader = _Reader(etree.fromstring(answer.body, _PARSER))
    address = answer.url.removeprefix(ORIGIN)
    return Page(address, answer.body.decode(), reader.texts, reader.clickables, reader.search)


# Reading ------------------------------------------------------------------------------------------

_PARSER = etree.HTMLParser(encoding="utf-8", remove_comments=True)


class _Reader:
    """Reads a page's texts and clickable elements in one pass."""

    def __init__(self, root: Any) -> None:
        self.texts: list[Shown] = []
        self.clickables: dict[str, Way | None] = {}
        self.search: str | None = None
        self._checked: set[str] = set()
        self._form: Any = None
        self._on_visited = False
        self._walk(root)

    def _walk(self, element: Any) -> None:
        enter = _ENTER.get(element.tag)
        if enter is not None:
            enter(self, element)
        self._show(element, element.text)
        for child in element:
            if child.tag not in _UNSEEN:
                self._walk(child)
            self._show(element, child.tail)

    def _show(self, element: Any, text: str | None) -> None:
        """Add a text as Beautiful Soup would give it.

        Text of white space only is dropped if it has a line break, and is otherwise one blank.
        """
        if not text:
            return
        if text.isspace():
            if "\n" in text:
                return
            text = " "
        tag, product = element.tag, element.get("class") == "product-link"
        clicked = self._on_visited if product else element.get("for") in self._checked
        self.texts.append(Shown(text, tag, product, clicked))

    def _enter_form(self, form: Any) -> None:
        self._form = form

    def _enter_card(self, item: Any) -> None:
        self._on_visited = item.get("class") == "card visited"

    def _enter_input(self, field: Any) -> None:
        if field.get("type") == "radio":
            chosen = field.get("checked") is not None
            self._checked |= {field.get("id")} if chosen else set()
            way = None if chosen else Way(field.get("data-url"))
            self.clickables[field.get("value").lower()] = way
        elif field.get("id") == "search_input":
            self.search = self._form.get("action")

    def _enter_link(self, link: Any) -> None:
        self.clickables[_name(link)] = Way(link.get("href"))

    def _enter_button(self, button: Any) -> None:
        hidden = self._form.iterfind(".//input[@type='hidden']")
        fields = {field.get("name"): field.get("value") for field in hidden}
        posted = self._form.get("method") == "post"
        way = Way(self._form.get("action"), fields if posted else None)
        self.clickables[_name(button)] = way


_ENTER = {
    "form": _Reader._enter_form,
    "li": _Reader._enter_card,
    "input": _Reader._enter_input,
    "a": _Reader._enter_link,
    "button": _Reader._enter_button,
}


def _name(element: Any) -> str:
    return "".join(element.itertext()).lower()
