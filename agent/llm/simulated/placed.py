"""The request's position in the store, for prompts that show the store's pages without their
addresses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

from agent.interface import Observation
from agent.llm.simulated.reading import Request


@dataclass(frozen=True)
class PlacedRequest(Request):
    """A request with the last search words and the last opened item; "" if they are unknown.

    A page without an address gets the address that follows from these two.
    """

    searched: str = ""
    opened: str = ""

    @classmethod
    def of(cls, request: Request, done: Mapping[str, str]) -> PlacedRequest:
        """Return the request with the values of `done`: the search words (`searched`) and the item
        (`opened`).
        """
        return cls(request.purpose, request.body, **done)

    def observation(self, rendering: str) -> Observation:
        page = super().observation(rendering)
        return page if page.url else replace(page, url=f"http://store{self._path(page)}")

    def _path(self, page: Observation) -> str:
        names: set[Any] = {element.name for element in page.elements}
        if account := _in_the_account(page, names):
            return account
        if "Buy Now" in names:
            return f"/item_page/x/{self.opened}/x/1" if self.opened else "/item_page/x"
        if re.search(r"Page \d+ \(Total results", page.text):
            words = quote(json.dumps(self.searched.split()))
            return f"/search_results/x/{words}/1" if self.searched else "/search_results/x"
        if "We cannot find that" in page.text.split("\n"):
            return "/search_results/x"  # a page of results after the last one
        return "" if "Back to Search" in names else "/x"


def _in_the_account(page: Observation, names: set[Any]) -> str:
    """Return the path of a page of My Orders, or of an order; "" for other pages."""
    if any(str(each).startswith("View Order ") for each in names):
        number = re.search(r"^Page (\d+) of \d+$", page.text, re.MULTILINE)
        return f"/account/x/orders?page={number[1] if number else 1}"
    order = re.search(r"^Order (\d{9})$", page.text, re.MULTILINE)
    return f"/account/x/orders/{order[1]}" if order and "Back to My Orders" in names else ""
