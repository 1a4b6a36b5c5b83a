"""The scenarios that people or external agents have open, and their scores."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Any

from agent import plugins
from evaluators.commands import listing
from evaluators.episode.budget import standard_of
from evaluators.episode.environment import RunningSite
from evaluators.scoring.context import ScoringContext
from evaluators.scoring.score import Check
from scenarios import registry
from scenarios.scenario import (
    Family,
    Scenario,
    answer_schema,
    published_details,
    sites_of,
    start_host,
)
from sites.joint import JointWorlds, lead
from sites.world import Snapshot, World, Worlds, is_journal

SEEDS = 1 << 53
"""The upper bound of seeds that are drawn at random: too many to try one after another."""
SHOWN_SEEDS = 1_000_000_000
"""The upper bound of randomly drawn seeds for pages whose address holds the seed."""
MOST_DRAWN = 5_000
"""The most scenarios that may be open on the control plane; each takes 0.1 to 1.5 MB of memory."""
SHOWN = 60
"""The number of characters of a wrong name that an error repeats."""


class ScenarioNotOpen(LookupError):
    """No open scenario has this id."""


class NoSuchSeed(ValueError):
    """The family has no scenario with this seed."""


class TooManyScenarios(Exception):
    """The limit of open scenarios is reached."""


class ScenarioReopened(Exception):
    """The scenario was opened again, so a request for the old opening is refused."""


@dataclass(eq=False)
class OpenScenario:
    """An open scenario and the database (its world) that its visitor changes.

    Attributes:
        id: Its name on the control plane: the scenario's id, or another one for a separate visit.
        scenario: The scenario.
        world: The database.
        url: The address of this opening only.
        unseen: The seed was drawn here and not requested.
        opening: How often something was opened under this id, from 1.
        compat: A client of WebShop opened it.
        before: The database at the start.
        answer: The answer, "" until it is finished.
        closed: Whether the scenario is finished.
    """

    id: str
    scenario: Scenario
    world: World
    url: str
    unseen: bool
    opening: int = 1
    compat: bool = False
    before: Snapshot = field(init=False, repr=False)
    answer: str = field(init=False, default="")
    closed: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.before = self.world.snapshot()

    @property
    def own(self) -> bool:
        """Whether this is a separate visit, which stays open when the same scenario is opened
        again.
        """
        return self.id != self.scenario.id

    def described(self) -> dict[str, Any]:
        """Return the reply of `GET /generate-random-scenario`.

        `details` contain the solution. `answer` is the kind of answer that the task asks for, or
        None. `steps` is the step limit of a run, which is not enforced here.
        """
        scenario, family = self.scenario, registry.family(self.scenario.family)
        schema = answer_schema(family, scenario)
        return {
            "scenario": scenario.family,
            "id": self.id,
            "url": self.url,
            "site": scenario.site,
            "seed": scenario.seed,
            "unseen": self.unseen,
            "opening": self.opening,
            "instruction": scenario.instruction,
            "answer": asdict(schema) if schema else None,
            "steps": standard_of(family, scenario).steps,
            "details": published_details(family, scenario),
        }

    def evaluated(self, *, explained: bool = True) -> dict[str, Any]:
        """Return the reply of `GET /evaluate`: the score of the world as it is now.

        `requests` counts the entries in the database's journal. `actions` is the scorer's count, or
        the same number if the scorer has none. The database does not change.

        Args:
            explained: Say what each check found and wanted, but only once the scenario is finished:
                an agent must not learn that while it works.

        Raises:
            ScenarioReopened: The scenario was opened again in the meantime.
        """
        with self.world.lock:
            if self.world.released:
                raise ScenarioReopened("This scenario was opened again since; ask for it again.")
            after, closed, answer = self.world.snapshot(), self.closed, self.answer
        score = ScoringContext.of(self.scenario, before=self.before).score(after, answer)
        entries = sum(len(rows) for name, rows in after.items() if is_journal(name))
        return {
            "scenario": self.scenario.family,
            "id": self.id,
            "seed": self.scenario.seed,
            "unseen": self.unseen,
            "opening": self.opening,
            "closed": closed,
            **score.to_json(),
            "checks": [_shown(check, explained and closed) for check in score.checks],
            "actions": entries if score.actions is None else score.actions,
            "requests": entries,
            **({"compat": True} if self.compat else {}),
        }

    def freeze(self) -> Snapshot:
        """Freeze the world and return its rows; the answer may follow by `finish`.

        Raises:
            ScenarioReopened: The scenario was opened again in the meantime.
        """
        with self.world.lock:
            if self.world.released:
                raise ScenarioReopened("This scenario was opened again since; ask for it again.")
            self.world.close()
            return self.world.snapshot()

    def finish(self, answer: str) -> Snapshot | None:
        """Freeze the world with this answer; only the first answer counts.

        Returns:
            The rows that the visit left, or None if the scenario was finished before.
        """
        with self.world.lock:
            if self.closed or self.world.released:
                return None
            self.answer, self.closed = answer, True
            self.world.close()
            return self.world.snapshot()


OnEnd = Callable[[OpenScenario, str | None, Snapshot], None]
"""A function that takes a drawn scenario, its answer (None if nobody finished it) and the rows that
its visit left.
"""


class Sessions:
    """The open scenarios of all served sites. Every method may be called from any thread.

    Drawn scenarios and scenarios that visitors opened by naming a session are kept apart, so that a
    visitor who names the id of a drawn scenario does not replace it. At most `most` drawn scenarios
    are open. `on_end` is called once for each drawn scenario: when it is finished, drawn again, or
    left open at the end.
    """

    def __init__(
        self,
        sites: Mapping[str, RunningSite],
        most: int = MOST_DRAWN,
        on_end: OnEnd = lambda opened, answer, left: None,
    ) -> None:
        self.sites = dict(sites)
        self._most, self._on_end = most, on_end
        self._opened: dict[str, OpenScenario] = {}
        self._named: dict[str, OpenScenario] = {}
        self._lock = Lock()

    def families(self, site: str = "") -> list[tuple[str, str]]:
        """Return (site, family) of all task families, of one site or of all sites.

        A family is left out if one of its sites is not served.
        """
        known = registry.family_modules().items()
        served = {site} & self.sites.keys() if site else self.sites.keys()
        return sorted(
            (made.SITE, name)
            for name, made in known
            if made.SITE in served
            and self.sites.keys() >= {*sites_of(made)}
            and registry.seeds_of(name, made.SITE) != range(0)
        )

    def draw(
        self,
        site: str = "",
        family: str = "",
        seed: int | None = None,
        *,
        own: bool = False,
        seconds: int | None = None,
        visit: str = "",
    ) -> OpenScenario:
        """Open the scenario of a family and a seed; a missing value is drawn.

        If the scenario is open already, it starts again at another address: its old database is
        released, so that pending pages change nothing, and its score is lost.

        Args:
            site: The site, "" for any.
            family: The family, "" for any.
            seed: The seed, None to draw it.
            own: Open a separate visit with an id of its own; other visits stay open.
            seconds: The time limit that the address gives to the site's page, if it has one: 0
                leaves it to the page, None to the site (`SECONDS_OUTSIDE`).
            visit: The id of a separate visit that is opened again and again; "" for another id.

        Raises:
            plugins.UnknownName: The site or the family is unknown.
            NoSuchSeed: The family has no scenario with this seed.
            TooManyScenarios: The limit of open scenarios is reached.
        """
        name = self._choose(site, family)
        chosen = registry.family(name)
        limit = registry.seeds_of(name, chosen.SITE)
        number = _unseen_seed(chosen, limit) if seed is None else _asked_seed(chosen, seed, limit)
        scenario = chosen.generate(number, registry.site_data(chosen.SITE))
        name = visit or (secrets.token_hex(10) if own else scenario.id)
        self._check_room(name)
        world = chosen.world(scenario)
        url = self._hand_out(world, chosen, scenario) + _time(chosen.SITE, seconds)
        return self._open(OpenScenario(name, scenario, world, url, unseen=seed is None))

    def add(self, opened: OpenScenario) -> None:
        """Add a scenario that its visitor opened by naming a session, unless the name is taken
        already.
        """
        with self._lock:
            self._named = {opened.id: opened, **self._named}

    def named(self, session: str) -> OpenScenario | None:
        """Return the scenario that a visitor opened by naming this session, or None."""
        return self._named.get(session)

    def find(self, scenario_id: str) -> OpenScenario:
        """Return the open scenario with this id.

        Scenarios that the control plane opened come before scenarios that visitors opened. Raises
        `ScenarioNotOpen` if there is none.
        """
        found = self._opened.get(scenario_id) or self._named.get(scenario_id)
        if found is None:
            raise ScenarioNotOpen(
                f"There is no open scenario {scenario_id[:SHOWN]!r};"
                " GET /generate-random-scenario opens one."
            )
        return found

    def finish(self, scenario_id: str, answer: str, opening: int | None = None) -> OpenScenario:
        """Freeze an open scenario's database, so that its score never changes again; return the
        scenario.

        Args:
            scenario_id: The id.
            answer: The visitor's answer.
            opening: The opening that the request is about, or None for the last one.

        Raises:
            ScenarioNotOpen: No open scenario has this id.
            ScenarioReopened: `opening` is not the last one.
        """
        with self._lock:
            opened = self.find(scenario_id)
            if opening not in {None, opened.opening}:
                raise ScenarioReopened(
                    "This scenario was opened again since, so nothing was finished;"
                    " load its page again."
                )
            left = opened.finish(answer)
        self._ended(opened, answer, left)
        return opened

    def leave(self, opened: OpenScenario) -> None:
        """End a drawn scenario as its visitor left it, unless it is finished."""
        self._ended(opened, None, opened.finish(""))

    def end(self) -> None:
        """End every drawn scenario as its visitor left it; the server calls this when it closes."""
        with ExitStack() as stack:  # an error leaves no other scenario open
            for opened in [*self._opened.values()]:
                stack.callback(self.leave, opened)

    def _ended(self, opened: OpenScenario, answer: str | None, left: Snapshot | None) -> None:
        """Report that a scenario has ended, unless it was reported before (`left` is None)."""
        if left is not None:
            self._on_end(opened, answer, left)

    def __iter__(self) -> Iterator[OpenScenario]:
        """Iterate over the scenarios that the control plane opened, then over the scenarios that
        visitors opened.

        Each of these groups begins with the latest.
        """
        with self._lock:
            return iter([*reversed(self._opened.values()), *self._named.values()])

    def _choose(self, site: str, family: str) -> str:
        if site and site not in self.sites:
            raise unknown_site(site[:SHOWN], self.sites)
        names = [name for _, name in self.families(site)]
        if family and family not in names and not _is_variant_of_one(family, names):
            raise plugins.unknown("type", family[:SHOWN], names)
        return family or secrets.choice([name for name in names if _is_usual(name)])

    def _hand_out(self, world: World, family: Family, scenario: Scenario) -> str:
        """Return the address of a new visit that shows this database: the scenario's first page,
        with the visit's session in place of the scenario's id.
        """
        lead(world, {name: each.served_at(name) for name, each in self.sites.items()})
        session = self._worlds(family).hand_out(world)
        asked = f"scenario={scenario.id}"
        start = scenario.start if asked in scenario.start else f"/?{asked}"
        first = start.replace(scenario.id, session)
        return f"{self.sites[family.SITE].served_at(start_host(family))}{first}"

    def _worlds(self, family: Family) -> Worlds:
        """Return the open worlds of the family's sites."""
        return JointWorlds({name: self.sites[name].worlds for name in sites_of(family)})

    def _check_room(self, scenario_id: str) -> None:
        """Raise `TooManyScenarios` if no further scenario may be open."""
        if len(self._opened) >= self._most and scenario_id not in self._opened:
            raise TooManyScenarios(
                f"There are {self._most:,} open scenarios, and no more are opened;"
                " draw one of these again, or start the server again."
            )

    def _open(self, opened: OpenScenario) -> OpenScenario:
        """Store and return the scenario; release the database of an earlier scenario with its
        id.
        """
        with self._lock:
            last = self._opened.get(opened.id)
            opened.opening = last.opening + 1 if last else 1
            others = {key: each for key, each in self._opened.items() if each is not last}
            self._opened = {**others, opened.id: opened}  # in one step: `find` takes no lock
        if last:
            family = registry.family(opened.scenario.family)
            self._worlds(family).withdraw(last.world.session)
            with last.world:
                self.leave(last)
        return opened


def unknown_site(name: str, known: Collection[str]) -> plugins.UnknownName:
    """Return the error for a name that no site has; it suggests a site that is described by it."""
    about = {row["site"]: row["about"] for row in listing.rows("sites") if row["site"] in known}
    described = [site for site, text in about.items() if name.casefold() in text.casefold()]
    return plugins.unknown("site", name, described or known)


def _shown(check: Check, explained: bool) -> dict[str, Any]:
    """Return a check for a client: with what it found and wanted, or only whether it held."""
    return asdict(check) if explained else {"name": check.name, "held": check.held}


def _is_usual(family: str) -> bool:
    """Return whether a family may be drawn by default: it is no variant of another family, and its
    tasks start on its site's own host.
    """
    made = registry.family(family)
    return not registry.is_variant(family) and start_host(made) == made.SITE


def _is_variant_of_one(family: str, names: Collection[str]) -> bool:
    """Return whether the name is `base.variant` and the base has that variant."""
    base, _, variant = family.partition(".")
    if base not in names or not variant:
        return False
    made = registry.family_modules()[base]
    try:
        return hasattr(made, "of_variant") and bool(made.of_variant(variant))
    except plugins.UnknownName:
        return False


def _time(site: str, seconds: int | None) -> str:
    """Return the part of a start address that sets the page's time limit, or ""."""
    usual = registry.site(site).SECONDS_OUTSIDE
    given = usual if seconds is None else seconds
    return f"&seconds={given}" if usual and given else ""


def _unseen_seed(family: Family, limit: range | None) -> int:
    if family.seeds is not None:
        return secrets.choice(family.seeds)
    return secrets.randbelow(_seeds(family, limit))


def _asked_seed(family: Family, seed: int, limit: range | None) -> int:
    seeds = _seeds(family, limit)
    if seed >= seeds:
        raise NoSuchSeed(f"There is no seed {seed} here; give one below {seeds}.")
    return seed


def _seeds(family: Family, limit: range | None) -> int:
    """Return the number of seeds of a family, from which one is drawn.

    A page that draws its problem has nine digits for the seed.
    """
    if limit is not None:
        return limit.stop
    return SEEDS if hasattr(family, "solve") else SHOWN_SEEDS
