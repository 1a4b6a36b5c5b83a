"""The page, the model and the client as a method sees them: each use is counted, limited and
traced.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agent import actions
from agent.browser.episode_lane import EpisodeLane
from agent.browser.irreversible import committed
from agent.browser.reports import OnReport
from agent.interface import Action, Element, Goto, Message, Note, Observation, Reply, Stop
from agent.llm import embedding, prices
from agent.llm.client import Exchange
from agent.llm.model_source import ModelConnection
from agent.renderings import tree
from evaluators.episode import minutes
from evaluators.episode.approval import ALLOW, REFUSE, STOP, StoppedAtCommit, label
from evaluators.episode.budget import Meter
from evaluators.episode.channel import Channel
from evaluators.episode.termination import EnvironmentEnded, SiteFault, remember_fault
from evaluators.episode.trace import CLOCK, Trace
from evaluators.scoring import answers
from evaluators.scoring.progress_curve import WorldSnapshot
from sites import clock
from sites.site_app import COOKIE
from sites.world import World, Worlds

Approve = Callable[[Action, Element, str], str]
"""A function of an irreversible action, its element and the page's address; it returns the
decision.
"""
ReportTaker = Callable[[World], OnReport | None]
"""A function that makes the receiver of what pages report about a visit; it returns None if the
site reports nothing.
"""


@dataclass(frozen=True)
class Checkpoint:
    """A point of an episode to restore: the database (the world), the address, the inputs since the
    page loaded.

    `look` is a digest of the page. `number` is the number of the last observation before it, as the
    trace counts them from 1.
    """

    world: World
    url: str
    inputs: tuple[Action, ...]
    look: str
    number: int


class MeteredPage:
    """The `agent.interface.Page` of a method: a page of the browser, with a database (a world) for
    each attempt.
    """

    def __init__(
        self,
        lane: EpisodeLane,
        worlds: Worlds,
        start: World,
        url: str,
        meter: Meter,
        trace: Trace,
        approve: Approve | None = None,
        report_taker: ReportTaker = lambda world: None,
        also: Sequence[str] = (),
        *,
        snapshots: bool = True,
    ) -> None:
        """Make the page of an episode.

        The page owns every world except `start`: it forks a world for each attempt, snapshot and
        checkpoint, and `release` releases them.

        Args:
            lane: The lane of the browser.
            worlds: The worlds that the site shows to visitors.
            start: The world at the start of each attempt.
            url: The address of the first page.
            meter: Counts steps and keeps to the budget.
            trace: Gets actions and observations.
            approve: Decides about irreversible actions; None allows all.
            report_taker: Makes the receiver of reports of the site's pages.
            also: Other origins that the episode may reach.
            snapshots: Whether to copy the database after each step that changed it.
        """
        self.lane, self._worlds, self._start, self._url = lane, worlds, start, url
        self._meter, self._trace, self._approve = meter, trace, approve
        self._report_taker, self._also = report_taker, also
        self._takes_snapshots = snapshots
        self._last = Observation("", "")
        self._shown = ""
        self._acted: set[tuple[str, Action]] = set()
        self.attempts: list[World] = [start.fork()]
        self.snapshots: list[WorldSnapshot] = []
        """Copies of the last attempt's database, after each step that changed it."""
        self._marks: list[Checkpoint] = []
        self._writes = 0
        self._looks = 0
        self._began = 0
        """The meter's minutes at the beginning of the present attempt."""
        self.minute: int | None = None
        """The minute of the next action in a replay; None to read the meter."""
        self._token = worlds.admit(self.attempts[-1])

    @property
    def world(self) -> World:
        """The database (the world) of the present attempt."""
        return self.attempts[-1]

    @property
    def meter(self) -> Meter:
        """The meter of the episode."""
        return self._meter

    @property
    def shown(self) -> str:
        """The last observation as text, without its error."""
        return self._shown

    @property
    def screen(self) -> Observation:
        """The last observation."""
        return self._last

    @property
    def fault(self) -> Exception | None:
        """The error that ended the episode from outside its method, or None."""
        return self._meter.fault

    @property
    def instruction(self) -> str:
        """The instruction that a BrowserGym environment gives; "" on the pages of Rehearsal's
        sites.
        """
        return self.lane.instruction

    @property
    def start_url(self) -> str:
        """The address of the first page."""
        return self.lane.start_url or self._url

    async def open(self) -> Observation:
        """Load the start page, without cookies of earlier episodes; this costs no step."""
        with remember_fault(self._meter):
            cookie, on_report = (COOKIE, self._token), self._report_taker(self.world)
            return self._receive(
                await self.lane.open(self._url, cookie=cookie, also=self._also, on_report=on_report)
            )

    async def finish(self, answer: str) -> None:
        """Send the answer to a BrowserGym environment; other pages ignore it. It costs no step."""
        with remember_fault(self._meter):
            await self.lane.finish(answer, achievable=not answers.is_refusal(answer))

    def close(self) -> None:
        """Freeze the attempt's database and revoke the browser's access, so that nothing later
        counts.
        """
        self.world.close()
        self._worlds.revoke(self._token)

    def release(self) -> None:
        """Release the databases (worlds) of all attempts, snapshots and checkpoints, after they
        have been scored.
        """
        for world in self.attempts:
            world.release()
        self._forget_snapshots()
        for mark in self._marks:
            mark.world.release()

    def _forget_snapshots(self) -> None:
        while self.snapshots:
            self.snapshots.pop().world.release()

    async def observe(
        self, *, view: str = "document", screenshot: bool = False, source: str = ""
    ) -> Observation:
        """Observe the page again; arguments as in `agent.interface.Page.observe`. This costs no
        step.
        """
        with remember_fault(self._meter):
            seen = await self.lane.observe(view=view, screenshot=screenshot, source=source)
        self._last = self._with_clock(seen)
        self._shown = shown(self._last)
        return self._last

    async def act(self, action: Action) -> Observation:
        """Do an action and return the observation after it.

        A note and a stop only go into the trace. Any other action costs a step, and an irreversible
        action must be approved first.

        Raises:
            BudgetExceeded: The budget allows no more steps or time.
            StoppedAtCommit: The approval policy ends the episode after this action.
            EnvironmentEnded: The environment says that the episode is over.
        """
        if isinstance(action, Note | Stop):
            self._trace.record("note" if isinstance(action, Note) else "stop", _words(action))
            self._meter.check_deadline()
            await asyncio.sleep(0)  # a method that only takes notes must let other episodes run
            return self._last
        self._meter.step()
        self._count_repeat(action)
        target = target_label(action, self._last)
        self._trace.write(
            "action", step=self._meter.steps, action=actions.show(action), target=target
        )
        decision = self._decision(action)
        if decision == REFUSE:
            return replace(self._last, error="the person who confirms such actions refused it")
        self._move_clock()
        with remember_fault(self._meter):
            self._receive(await self.lane.act(action))
        self._take_snapshot()
        if decision == STOP:
            raise StoppedAtCommit
        self._check_end()
        return self._last

    def _move_clock(self) -> None:
        """Set the clock of the visit to the minute of this attempt, if the visit has a clock."""
        if clock.is_in(self.world):
            minute = self._meter.minutes - self._began if self.minute is None else self.minute
            self.lane.pass_minutes(minute - clock.minute(self.world) - 1)
            clock.move(self.world, minute)
            self._trace.record(CLOCK, str(minute), minute=minute)

    def _with_clock(self, observation: Observation) -> Observation:
        """Return the observation; if the visit has a clock, it says how the clock moves."""
        timed = clock.is_in(self.world)
        return replace(observation, clock_characters=minutes.CHARACTERS) if timed else observation

    def _check_end(self) -> None:
        """Raise `EnvironmentEnded` if the environment says that the episode is over."""
        if self.lane.is_over:
            raise EnvironmentEnded

    def _take_snapshot(self) -> None:
        """Keep a copy of the visit's database if this step changed it."""
        if self._takes_snapshots and self.world.writes != self._writes:
            self._writes = self.world.writes
            self.snapshots.append(WorldSnapshot(self._meter.steps, self.world.fork()))

    def _decision(self, action: Action) -> str:
        """Return the policy's decision about an irreversible action; ALLOW for any other action."""
        element = committed(action, self._last) if self._approve else None
        if self._approve is None or element is None:
            return ALLOW
        decision = self._approve(action, element, self._last.url)
        self._trace.record("confirm", decision, target=label(element))
        return decision

    async def restart(self) -> Observation:
        """Begin a new attempt from the start state and return its first observation; this costs a
        step.

        Raises:
            BudgetExceeded: The budget allows no further attempt.
        """
        self._meter.attempt(len(self.attempts))
        self.world.close()
        self.attempts.append(self._start.fork())
        self._worlds.replace(self._token, self.world)
        self._acted.clear()
        self._forget_snapshots()
        self._writes = 0
        self._began = self._meter.minutes
        self._trace.record("attempt", str(len(self.attempts)))
        return await self.open()

    async def checkpoint(self) -> Checkpoint:
        """Return a checkpoint for `restore`: copies of the database, the address and the page's
        inputs.
        """
        inputs = tuple(self.lane.inputs)
        seen = look(self._last)
        mark = Checkpoint(self.world.fork(), self._last.url, inputs, seen, self._looks)
        self._marks.append(mark)
        return mark

    async def restore(self, mark: object) -> Observation:
        """Go back to a checkpoint and return the observation.

        The page's inputs are repeated. If the page then looks different from before, the
        observation has an error.
        """
        assert isinstance(mark, Checkpoint)
        self.world.restore(mark.world)
        with remember_fault(self._meter):
            observation = await self.lane.act(Goto(mark.url))
            for action in mark.inputs:
                observation = await self.lane.act(action)
        self._trace.record("restore", mark.url, look=mark.number)
        if look(observation) != mark.look:
            observation = replace(
                observation, error="going back led to a page that looks different from before"
            )
        with remember_fault(self._meter):
            self._receive(observation)
        self._check_end()
        return self._last

    def _receive(self, observation: Observation) -> Observation:
        if self.world.fault:
            raise SiteFault(f"the site failed: {self.world.fault}")
        self._last = observation = self._with_clock(observation)
        self._shown = shown(observation)
        self._looks += 1
        if observation.error:
            self._meter.invalid_actions += 1
        self._trace.write(
            "observation",
            step=self._meter.steps,
            url=observation.url,
            title=observation.title,
            text=self._shown,
            error=observation.error,
            capped=observation.capped,
        )
        return observation

    def _count_repeat(self, action: Action) -> None:
        here = clock.without(self._shown), action
        self._meter.repeats += here in self._acted
        self._acted.add(here)


def shown(observation: Observation) -> str:
    """Return the page as text, without its last error."""
    return tree.render(replace(observation, error=None))


def look(observation: Observation) -> str:
    """Return the first 16 hexadecimal digits of a hash of the page's text without its minute, to
    compare two observations.
    """
    text = clock.without(shown(observation))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def _words(action: Note | Stop) -> str:
    return action.text if isinstance(action, Note) else action.answer


def target_label(action: Action, observation: Observation) -> str:
    """Return the role and name of the element that the action's target id names, or ""."""
    number = getattr(action, "target", None)
    for element in observation.elements:
        if element.id == number:
            return label(element)
    return ""


class MeteredLLM:
    """The `agent.interface.LLM` of a method: a connection to the model that counts and limits its
    use.
    """

    def __init__(self, connection: ModelConnection, meter: Meter, trace: Trace) -> None:
        self._connection, self._meter, self._trace = connection, meter, trace

    async def ask(
        self,
        purpose: str,
        messages: Iterable[Message],
        *,
        tools: Sequence[Any] = (),
        tool: str | None = None,
        model: str = "",
        **options: Any,
    ) -> Reply:
        """Send a request to the model and return its reply, as `agent.interface.LLM.ask` does.

        Raises:
            BudgetExceeded: The budget allows no more calls, tokens, dollars or time.
        """
        self._meter.call()
        with remember_fault(self._meter), self._meter.waiting_for_model():
            exchange = await self._connection.client().ask(
                purpose, messages, tools=tools, tool=tool, model=model, **options
            )
        self._meter.characters += minutes.characters(exchange.response)
        dollars = prices.cost(self._connection.speaker(model), exchange.usage)
        reply = exchange.reply
        calls = [{"name": each.name, "arguments": each.arguments} for each in reply.calls]
        self._record(purpose, exchange, dollars, reply=list(reply.texts), calls=calls)
        return reply

    async def embed(self, purpose: str, texts: Sequence[str], *, model: str) -> embedding.Vectors:
        """Return embeddings of texts, as `agent.interface.LLM.embed` does; this counts as a
        call.
        """
        self._meter.call()
        with remember_fault(self._meter), self._meter.waiting_for_model():
            exchange = await self._connection.client().embed(purpose, texts, model=model)
        dollars = prices.cost(model, exchange.usage)
        self._record(
            purpose, exchange, dollars, reply=[embedding.summary(exchange.reply)], calls=[]
        )
        return exchange.reply

    def _record(
        self, purpose: str, exchange: Exchange[Any], dollars: float | None, **fields: Any
    ) -> None:
        """Add a reply's cost to the meter and write the reply into the trace."""
        self._meter.pay(purpose, exchange.usage, exchange.seconds, dollars)
        self._trace.write(
            "call",
            call=self._meter.calls,
            purpose=purpose,
            **fields,
            tokens=[exchange.usage.prompt, exchange.usage.completion],
            model_s=round(exchange.seconds, 6),
        )


def metered_exchange(client: Channel, meter: Meter) -> Callable[[str], Awaitable[str]]:
    """Return a function like `Channel.exchange` that excludes the client's time from the episode's
    own.
    """

    async def exchange(text: str) -> str:
        with remember_fault(meter), meter.waiting_for_model():
            return await client.exchange(text)

    return exchange
