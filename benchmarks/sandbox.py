"""Programs in the sandbox: `python -m benchmarks.sandbox [--quick]`.

The naive way gives each program a Python process of its own, which holds nothing back. Nothing is
asserted of speed.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial

from agent.sandbox.monty import MontyRunner
from benchmarks.foundation import Benchmark, run
from benchmarks.measuring import Effort, Row, alternate, compared

ACTION_MS = 5
"""The bar: one action program of eleven calls, the host's own time not counted."""

ACTIONS = """
for field, value in (("from", "Galway"), ("to", "(ORK)")):
    agent.click_xpath(f"//*[@id='{field}']")
    agent.type(value)
    agent.press("enter")
agent.click_xpath("//*[@id='day']")
for _ in range(2):
    agent.click_xpath("//*[@title='Back']")
agent.click_xpath("//a[text()='7']")
agent.click_xpath("//*[@id='search']")
"""

READING = """
from bs4 import BeautifulSoup
page = BeautifulSoup(state, "html.parser")
least = float("inf")
for offer in page.find_all("div", class_="flight"):
    cost = int(offer.find("button", class_="flight-price")["data-price"])
    if cost < least:
        least = cost
obs = f"The cheapest costs ${least}"
"""

FLIGHT = """<div class="flight"><div class="times"><span class="from">8:{0:02}</span> to
<span class="to">13:{0:02}</span></div><div class="time-duration">5h {0}m</div>
<button class="flight-price" data-price="{1}">Book flight for ${1}</button></div>
"""

FAKE_AGENT = """
class Agent:
    def __getattr__(self, name):
        return lambda argument: print(name, argument)
agent = Agent()
"""


def page_of(flights: int) -> str:
    offers = (FLIGHT.format(number % 60, 900 - number % 777) for number in range(flights))
    return f"<div id='results'>{''.join(offers)}</div>"


async def _host(method: str, argument: str) -> None:
    """Nothing to do."""


async def _own_process(program: str) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-c", FAKE_AGENT + program), stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0


async def acting(quick: bool) -> list[Row]:
    """An action program of eleven calls."""
    runner = MontyRunner()
    timings = await alternate(
        Effort(3 if quick else 10, 20, naive_calls=3),
        partial(runner.act, ACTIONS, _host, calls=11),
        partial(_own_process, ACTIONS),
    )
    note = f"p95 {timings[0].percentile(95):.1f} ms; naive: a Python process, no limits"
    return [compared("action program, 11 calls", timings, ACTION_MS, note)]


async def reading(quick: bool) -> list[Row]:
    """The cheapest flight of a small page and of a large one."""
    rows, runner = [], MontyRunner()
    for flights in (3, 450):
        state = page_of(flights)
        [timing] = await alternate(
            Effort(3 if quick else 10, 5), partial(runner.abstract, READING, state)
        )
        what = f"abstraction program, {len(state) / 1000:.0f} kB"
        note = f"p95 {timing.percentile(95):.1f} ms"
        rows.append(Row(what, "ms", timing.median, cpu_ms=timing.cpu_each, note=note))
    return rows


BENCHMARKS: dict[str, Benchmark] = {"acting": acting, "reading": reading}


if __name__ == "__main__":
    run("benchmarks.sandbox", str(__doc__), BENCHMARKS)
