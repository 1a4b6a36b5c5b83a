"""What must hold of a declared site and its families, each as a function that names the mistakes.

A mistake is one sentence: where it is, and what to change in the declaration.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scenarios import registry
from scenarios._kit.plan import Plan
from scenarios._kit.starts import STARTS
from scenarios._kit.visit import changed, done
from scenarios.kit import Family, Gold, See
from scenarios.scenario import Scenario
from sites.kit import GONE, NEW, Do, Map, Place, Site
from sites.site_app import COOKIE
from sites.world import Snapshot, World
from tests.contracts.offline import OfflinePage, application

MOST_ALIKE = 0.05
"""The largest share of seeds that may repeat another seed's task."""
OFTEN = 0.5
"""The share of seeds on which a wrong answer may be right by chance."""


LOST = (
    "the expert saw on no page how far it was: give each page of `read` a note, or name in"
    " `via` a list that links to these pages; let the page after a form show what the form wrote"
)
"""What to change if the expert gets lost."""


def remedy(name: str, declared: str, other: str) -> str:
    """What to change in a family: the words of declared families, or those of other families.

    The author of a declared family writes `draw` and its `Right`. The kit derives the rest.
    """
    return declared if isinstance(registry.family(name), Family) else other


def families() -> dict[str, Family]:
    """The families of declared sites, by name."""
    made = registry.family_modules().items()
    return {name: each for name, each in made if isinstance(each, Family)}


def skins(family: Family) -> list[Family]:
    """The family on the pages of each skin of its site."""
    site: Site = registry.site_data(family.SITE).site
    return [family.of_variant(each.name) for each in site.skins]


# Pages -------------------------------------------------------------------------------------------


def opened(world: World, place: Place, site: Site) -> OfflinePage:
    """A page of a world, opened through the application of its site."""
    app, worlds = application(site.name)
    token, client = worlds.admit(world), app.test_client()
    client.set_cookie(COOKIE, token, domain="127.0.0.1")
    page = OfflinePage(client)
    page.open(Map(site, world).url(place))
    worlds.revoke(token)
    return page


def undeclared_links(scenario: Scenario) -> Iterator[str]:
    """Links of the expert's pages that are drawn or declared, and not both."""
    with STARTS.open(scenario) as plan:
        site = plan.map.site
        for place in _pages(plan):
            with plan.map.world.fork() as world:
                page = opened(world, place, site)
            assert page.status == 200, (scenario.name, place)
            declared = {(_folded(label), plan.map.url(to)) for label, to in plan.map.links(place)}
            links = [each for each in page.document.iter("a") if each.get("href", "#")[0] != "#"]
            drawn = {(_folded(each.text_content()), each.get("href")) for each in links}
            for label, url in sorted(drawn - declared):
                yield (
                    f"{site.name}, page {place.page}: the link {label!r} to {url} is drawn and not"
                    " declared; declare it in `links`"
                )
            for label, url in sorted(declared - drawn):
                yield (
                    f"{site.name}, page {place.page}: the link {label!r} to {url} is declared and"
                    " not drawn; draw it in the page's template"
                )


def _pages(plan: Plan) -> list[Place]:
    """The pages of the expert's way that the start world has."""
    stands = (place for each in plan.stands for place in [*each][:2])
    found = dict.fromkeys((Place.of(plan.map.site.home, {}), *plan.walk.legs, *stands))
    return [place for place in found if plan.map.knows([place])]


def unshown_deeds(scenario: Scenario) -> Iterator[str]:
    """Forms whose following page does not show what the operation wrote.

    The expert sees it on this page alone, so otherwise it sends the form again and again.
    """
    with STARTS.open(scenario) as plan, plan.map.world.fork() as world:
        site = plan.map.site
        for at, station in enumerate(plan.stations):
            if not isinstance(station, Do):
                continue
            done(site, world, [station])
            form = next(spot.form for spot in plan.stands[at].values() if spot)
            page = opened(world, plan.walk.after[at], site)
            text = " ".join(page.observe().text.split())
            for field in form.read_back:
                value = " ".join(str(station.args[field.name]).split())
                if value not in text:
                    yield (
                        f"{site.name}: the page {plan.walk.after[at].page} does not show what the"
                        f" form {form.name} wrote; show the column of {field.name} in the word"
                        f" about_{plan.walk.after[at].page}, or let `follows` name a page that"
                        " shows it"
                    )


def unshown_notes(scenario: Scenario) -> Iterator[str]:
    """Notes of facts that their page does not show."""
    with STARTS.open(scenario) as plan:
        for each in plan.stations:
            if not isinstance(each, See) or not each.note or not plan.map.knows([each.place]):
                continue
            with plan.map.world.fork() as world:
                text = _folded(opened(world, each.place, plan.map.site).observe().text).casefold()
            for fact in each.note.split(", "):
                if _folded(fact).casefold() not in text:
                    yield (
                        f"{scenario.name}: the page {each.place.page} does not show {fact!r} of its"
                        ' note; write facts in words of the page, with ", " between them'
                    )


# Changes -----------------------------------------------------------------------------------------


def unnoted_changes(scenario: Scenario) -> Iterator[str]:
    """Changes of rows that the triggers do not tell, or that they tell wrongly."""
    with STARTS.open(scenario) as plan, plan.map.world.fork() as world:
        site, before = plan.map.site, world.snapshot()
        done(site, world, Gold.from_json(scenario.gold).ends[0].do)
        noted = Counter((t, _unnumbered(k), c, v) for t, k, c, v in changed(site, world))
        for change in sorted((noted - _diff(site, before, world.snapshot())).elements()):
            yield (
                f"{site.name}, table {change[0]}: the triggers tell {change}, which did not change;"
                " mend the table's `columns` and `key`"
            )
        for change in sorted((_diff(site, before, world.snapshot()) - noted).elements()):
            yield (
                f"{site.name}, table {change[0]}: the triggers miss {change}; declare the column in"
                " `columns`"
            )


def _diff(site: Site, before: Snapshot, after: Snapshot) -> Counter[Any]:
    """The changes between two snapshots, by comparing all rows."""
    found: Counter[Any] = Counter()
    for table in site.tables:
        old, new = (
            {"/".join(str(row[each]) for each in table.key): row for row in side[table.name]}
            for side in (before, after)
        )
        found.update((table.name, key, GONE, None) for key in old.keys() - new.keys())
        for key, row in new.items():
            is_new = key not in old
            name = NEW if is_new and {*table.key} & {*table.drawn} else key
            found.update(
                (table.name, name, column, value)
                for column, value in row.items()
                if column not in table.drawn and (is_new or old[key][column] != value)
            )
    return found


def _unnumbered(key: str) -> str:
    return NEW if key.split(" ")[0] == NEW else key


def held_at_the_start(scenario: Scenario) -> Iterator[str]:
    """Expected changes that hold before anything was done."""
    gold = Gold.from_json(scenario.gold)
    with STARTS.open(scenario) as plan:
        site, before = plan.map.site, plan.map.world.snapshot()
    for end in gold.ends:
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        for table, key, column, value in end.changes:
            rows.setdefault((table, key), {})[column] = value
        for (name, key), row in rows.items():
            if any(_is_row(site, name, key, row, each) for each in before[name]):
                yield (
                    f"{scenario.name}: {row} stands in {name} before anything was done; draw"
                    " another row, or leave the operation out"
                )


def _is_row(site: Site, name: str, key: str, wanted: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether a row of the start world has the wanted values."""
    own = "/".join(str(row[each]) for each in site.table[name].key)
    is_new = _unnumbered(key) == NEW
    return (is_new or own == key) and GONE not in wanted and wanted.items() <= row.items()


# Families ----------------------------------------------------------------------------------------


def right_alternatives(scenarios: Sequence[Scenario]) -> Iterator[str]:
    """Alternatives in `instead` that are right: operations once, answers often."""
    answers: Counter[str] = Counter()
    for scenario in scenarios:
        gold = Gold.from_json(scenario.gold)
        for name, other in gold.instead.items():
            if isinstance(other, str):
                answers[name] += other == gold.text
            elif _is_right(scenario, gold, other):
                yield (
                    f"{scenario.name}: instead {name!r} is right; leave it out, or draw rows for"
                    " which it is wrong"
                )
    for name, times in answers.items():
        if times > OFTEN * len(scenarios):
            yield (
                f"{scenarios[0].family}: instead {name!r} is the right answer on {times} of"
                f" {len(scenarios)} seeds; leave it out, or draw rows for which it is wrong"
            )


def _is_right(scenario: Scenario, gold: Gold, other: Iterable[Do]) -> bool:
    with STARTS.open(scenario) as plan, plan.map.world.fork() as world:
        done(plan.map.site, world, other)
        return gold.is_right(changed(plan.map.site, world))


def alike(family: Family, scenarios: Sequence[Scenario]) -> Iterator[str]:
    """The complaint that too many seeds tell the same task."""
    by_words = len({each.instruction for each in scenarios})
    by_gold = len({(each.instruction, str(each.gold)) for each in scenarios})
    least = (1 - MOST_ALIKE) * len(scenarios)
    if family.has_slots and by_gold < least:
        yield (
            f"{family.name}: only {by_gold} of {len(scenarios)} seeds differ in instruction or"
            " gold; draw one more slot, or more wordings"
        )
    if not family.has_slots and by_gold < least:
        yield (
            f"{family.name}: only {by_gold} of {len(scenarios)} seeds differ in gold; let the"
            " signed-in user or the world decide the right outcome"
        )
    if family.has_slots and by_words <= len(family.wordings) < len(scenarios):
        yield f"{family.name}: no slot varies the instruction; say has_slots=False, or draw a slot"


def words_of_one_skin(family: Family) -> Iterator[str]:
    """Names of pages and forms that only one skin uses, and not the site's first one.

    An instruction is the same on all skins, so it names things in the words of the declaration or
    of the first skin. The name of a skin's site stands in no instruction. Other words of a skin,
    such as "by", are plain words that any instruction may use.
    """
    site: Site = registry.site_data(family.SITE).site
    first = {_plain(word) for word in site.skins[0].words.values()}
    known = {_plain(word) for word in (*site.page, *site.operation, *site.table)} | first
    names = {*site.page, *(form.name for page in site.pages for form in page.sent)}
    for skin in site.skins:
        own = {_plain(word) for name, word in skin.words.items() if name in names} - known
        for word in sorted({*own, _plain(skin.words["site"])}):
            for wording in family.wordings:
                bare = _plain(re.sub(r"\{\w+\}", "", wording))
                if len(word) > 2 and "{" not in word and re.search(rf"\b{re.escape(word)}\b", bare):
                    yield (
                        f"{family.name}: the instruction {wording!r} says {word!r}, a word of the"
                        f" skin {skin.name}; use the site's own word"
                    )


def _plain(text: str) -> str:
    return _folded(text.replace("_", " ")).casefold()


def _folded(text: str) -> str:
    return " ".join(text.split())
