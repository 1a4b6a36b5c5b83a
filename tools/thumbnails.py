"""Write the still pages of the gallery: `python -m tools.thumbnails [TASK ...]`."""

from __future__ import annotations

import asyncio
import sys

from agent.browser.lane import Lane
from agent.browser.tab import Tab
from evaluators.episode.environment import open_environments
from scenarios import registry

SEED = 1
_MARKUP = """(() => {
  for (const field of document.querySelectorAll("input, textarea")) {
    field.toggleAttribute("checked", field.checked === true);
    if (field.type !== "password") field.setAttribute("value", field.value);
    if (field.tagName === "TEXTAREA") field.textContent = field.value;
  }
  for (const option of document.querySelectorAll("option")) {
    option.toggleAttribute("selected", option.selected);
  }
  const parts = document.querySelectorAll("#wrap, body > .of-the-page:not([hidden])");
  return Array.from(parts, (part) => new XMLSerializer().serializeToString(part)).join("\\n");
})()"""


async def main(names: list[str]) -> None:
    """Write the still pages of the named tasks, or of all tasks."""
    from sites.widgets.stills import STILLS

    STILLS.mkdir(exist_ok=True)
    async with open_environments(["widgets"]) as environments, environments.lane("widgets") as lane:
        for name in names or registry.site_data("widgets").pages:
            origin = environments.sites["widgets"].origin
            markup = await _still_page(lane, f"{origin}/miniwob/{name}.html")
            (STILLS / f"{name}.html").write_text(f"{markup}\n", encoding="utf-8")


async def _still_page(lane: Lane, url: str) -> str:
    await lane.open(f"{url}?seed={SEED}", fresh=False)
    tab: Tab = lane._tab
    reply = await tab.send("Runtime.evaluate", expression=_MARKUP, returnByValue=True)
    return str(reply["result"]["value"])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
