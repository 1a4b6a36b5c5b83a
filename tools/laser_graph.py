"""Write LASER's state graph of a declared site: `python -m tools.laser_graph SITE`.

The graph is the second part of `agent/prompts/laser/SITE.toml`. The first part, which a person
writes, stays as it is. The graph holds no word and no address of a skin: a state is recognised by
the whole numbers in its address and by its fields and buttons, and a function takes the number of
a link or button that the page shows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rehearsal_errors import RehearsalError
from scenarios import registry
from sites.kit import (
    MENU,
    REORDER,
    TURN,
    Field,
    Form,
    Link,
    Listing,
    Map,
    Page,
    Site,
    filters,
    opens,
)
from sites.world import Row

FOLDER = Path(__file__).parents[1] / "agent" / "prompts" / "laser"
MARK = "# The rest is written by `python -m tools.laser_graph"
ROLES = {"choice": "combobox", "check": "checkbox"}
"""The role of a field by its kind; all other fields are text boxes."""
UNFIT = {"check", "radio", "suggest"}
"""The kinds of fields that a function cannot fill in by their place."""
KEYWORD = "q"
RECORDS = 1_000
"""The number of records that tell which forms a page shows."""
PART = r"/(?!\d+(?:/|$))[^/]*"
"""The pattern of a part of an address that is no whole number."""
NUMBER = r"/\d+(?=/|$)"


@dataclass(frozen=True)
class Function:
    """A function of the graph.

    Attributes:
        name: Its name.
        description: What it does.
        actions: Its actions.
        parameters: The schema of each argument.
        required: The arguments that must be given.
        to: The page that it leads to; "" if the page stays the same.
    """

    name: str
    description: str
    actions: tuple[str, ...]
    parameters: Mapping[str, Mapping[str, Any]]
    required: tuple[str, ...] = ()
    to: str = ""


def _pressing(name: str, role: str, description: str, to: str = "") -> Function:
    """Return the function that clicks a link or a button by its number."""
    number = {"type": "integer", "description": f"the number in brackets of the {role}"}
    return Function(name, description, (f"click [{{{role}}}]",), {role: number}, (role,), to)


_ANSWER = {"type": "string", "description": "the answer alone", "pattern": "."}
BACK = Function("go_back", "Go back to the page before.", ("go_back",), {})
FINISH = Function(
    "finish", "Everything that was asked for is done, and no answer is asked for.", ("stop []",), {}
)
ANSWER = Function(
    "answer",
    "Give the answer that was asked for; this ends the task.",
    ("stop [{answer}]",),
    {"answer": _ANSWER},
    ("answer",),
)
ENDS = ANSWER, FINISH, BACK


@dataclass(frozen=True)
class PageGraph:
    """One page of a site, as a state of the graph.

    Attributes:
        site: The site.
        page: The page.
        records: Records that the page shows.
    """

    site: Site
    page: Page
    records: Sequence[Row]

    # How it is recognised

    @property
    def path(self) -> str:
        """The pattern of its address: the whole numbers in it, and no word."""
        if self.page.address == "/":
            return "^/$"
        numbers = sum(isinstance(self.records[0][each], int) for each in self.page.args)
        return f"^(?:{PART})*" + f"{NUMBER}(?:{PART})*" * numbers + "$"

    @property
    def outline(self) -> str:
        """The pattern of its fields and buttons in reading order."""
        asks = _outline(self.page.asks, ["button"] if self.page.asks else [])
        return f"^{asks}{self._forms}{self._list}$"

    @property
    def _forms(self) -> str:
        """The pattern of the forms that the records show."""
        shown = {
            tuple(form.name for form in self.page.forms if form.shown(row)) for row in self.records
        }
        found = {
            "".join(_outline(form.fields, _buttons(form)) for form in self.page.forms
                    if form.name in names)
            for names in shown
        }  # fmt: skip
        return found.pop() if len(found) == 1 else f"(?:{'|'.join(sorted(found))})"

    @property
    def _list(self) -> str:
        """The pattern of the list: its form, and the buttons of each row."""
        listing = self.page.listing
        if listing is None:
            return ""
        roles = ["combobox"] * len(listing.filters) + ["searchbox"] * bool(listing.keyword)
        search = "".join(f"{each} " for each in (*roles, "button")) if roles else ""
        row = "checkbox " * (listing.mass is not None)
        row += "".join(_outline(form.fields, _buttons(form)) for form in listing.forms)
        mass = _outline(listing.mass.fields, _buttons(listing.mass)) if listing.mass else ""
        return search + (f"(?:{row})*" if row else "") + mass

    # What can be done on it

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """The functions: forms, the search, buttons, and links."""
        return tuple({each.name: each for each in self._functions()}.values())

    def _functions(self) -> Iterator[Function]:
        fields = len(self.page.asks)
        if self.page.asks:
            yield _filling(filters(self.page.name), _SEARCH, self.page.asks, 1)
        for form in self.page.forms:
            if is_covered(form):
                yield _of_form(form, fields + 1)
            fields += len(form.fields)
        if self.page.listing:
            yield from self._of_list(self.page.listing, fields + 1)
        for to in self.targets:
            yield _pressing(opens(to), "link", f"Follow a link to a page “{_spoken(to)}”.", to)
        if self.page.listing:
            yield _pressing(REORDER, "link", "Follow a link that shows the list in another order.")
            yield _pressing(TURN, "link", "Follow a link to another page of the list.")
        yield _pressing(MENU, "button", "Press the button of a closed menu, to see its links.")

    def _of_list(self, listing: Listing, first: int) -> Iterator[Function]:
        asked = [*(Field(each, "choice") for each in listing.filters)]
        asked += [Field(KEYWORD)] if listing.keyword else []
        if asked:
            yield _filling(filters(self.page.name), _SEARCH, asked, first)
        yield from (_of_form(form, 0) for form in listing.forms if not form.fields)

    @property
    def targets(self) -> tuple[str, ...]:
        """The pages that its links lead to: of the navigation, of the page, and of rows."""
        return tuple(dict.fromkeys(each.to for group in self._links.values() for each in group))

    @property
    def _links(self) -> Mapping[str, tuple[Link, ...]]:
        listing = self.page.listing
        return {
            "links on every page": self.site.skins[0].nav,
            "links of this page": self.page.links,
            "links of a row": listing.links if listing else (),
        }

    # What the model reads

    @property
    def layout(self) -> Iterator[str]:
        """The lines that describe the page."""
        for name, links in self._links.items():
            if links:
                yield f"{name}: {_listed(dict.fromkeys(each.to for each in links))}"
        for form in self.page.forms:
            words = _listed(each.name for each in form.fields)
            yield f"form “{_spoken(form.name)}”: {words}" if words else _button(form)
        listing = self.page.listing
        if listing:
            if self.page.asked:
                yield f"search: {_listed(self.page.asked)}"
            yield f"orders of the list: {_listed(listing.sorts)}"
            yield from (f"in each row: {_button(form)}" for form in listing.forms)

    @property
    def advice(self) -> Iterator[str]:
        """The sentences that say what to think about."""
        listing = self.page.listing
        if any(form.fields for form in self.page.forms):
            yield _FILLING
        if listing:
            yield _LISTS
        if listing and listing.forms:
            yield _ROWS


_SEARCH = "Fill in the search above the list, and search."
_FILLING = "Enter texts exactly as they are written, and leave out what is right already."
_LISTS = "The list shows one page of several, in an order that links above it change."
_ROWS = "Every row has buttons of the same name: take the one of the right row."


def is_covered(form: Form) -> bool:
    """Return whether a function can fill in a form of a page and send it."""
    return not any(each.kind in UNFIT or each.tab for each in form.fields)


def left_out(site: Site) -> list[str]:
    """Return a sentence for each form that the graph of a site does not have."""
    found = [
        f"{page.name}: the form {form.name} has fields that must be chosen or unfolded"
        for page in site.pages
        for form in page.forms
        if not is_covered(form)
    ]
    listings = [(page, page.listing) for page in site.pages if page.listing]
    found += [
        f"{page.name}: the form {form.name} has fields in each row"
        for page, listing in listings
        for form in listing.forms
        if form.fields
    ]
    return found + [
        f"{page.name}: the form {listing.mass.name} needs several rows to be chosen"
        for page, listing in listings
        if listing.mass
    ]


def _outline(fields: Iterable[Field], buttons: Sequence[str]) -> str:
    """Return the roles of fields and of the buttons behind them."""
    roles = [_role(each) for each in fields]
    return "".join(roles) + "".join(f"{each} " for each in buttons)


def _role(field: Field) -> str:
    if field.kind == "radio":
        return "(?:radio )+"
    more = "button (?:radio )*" if field.kind == "suggest" else ""
    return f"{ROLES.get(field.kind, 'textbox')} {more}"


def _buttons(form: Form) -> list[str]:
    return ["button"] * (1 + form.keeps)


def _of_form(form: Form, first: int) -> Function:
    """Return the function of a form whose first field has this place on the page."""
    doc = (form.operation.run.__doc__ or "").strip().split("\n")[0]
    about = "" if form.fixed else f" {doc}"
    name = _spoken(form.name)
    if form.fields:
        return _filling(
            form.name, f"Fill in the form “{name}”, and send it.{about}", form.fields, first,
            form.follows,
        )  # fmt: skip
    description = f"Press the button “{name}” of the page or of a row.{about}"
    return _pressing(form.name, "button", description, form.follows)


def _filling(
    name: str, about: str, fields: Sequence[Field], first: int, to: str = ""
) -> Function:  # fmt: skip
    """Return the function that fills in fields and presses the button behind them."""
    numbers = range(first, first + len(fields))
    verbs = ["select" if each.kind == "choice" else "type" for each in fields]
    actions = [
        f"{verb} [<field {number}>] [{{{each.name}}}]"
        for verb, number, each in zip(verbs, numbers, fields, strict=True)
    ]
    actions.append(f"click [<button {numbers[-1]}>]")
    return Function(
        name, about, tuple(actions), {each.name: _parameter(each) for each in fields}, to=to
    )


def _parameter(field: Field) -> Mapping[str, Any]:
    if field.name == KEYWORD:
        return {"type": "string", "description": "a text that every row must have"}
    if field.kind == "choice":
        return {"type": "string", "description": f"{_spoken(field.name)}, one of the options"}
    needed = "" if field.required else ", may be empty"
    about = f"{_spoken(field.name)}, at most {field.most} characters{needed}"
    return {"type": "string", "description": about}


def _button(form: Form) -> str:
    return f"button “{_spoken(form.name)}”"


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(_spoken, names))


# The whole graph


def page_graphs(name: str) -> list[PageGraph]:
    """Return each page of a site, with records of a world of the site."""
    data = registry.site_data(name)
    site: Site = data.site
    with data.base("small", 0).fork() as world:
        me = world.read(site.personas)[0]["name"]
        world.about = {"me": me, "skin": site.skins[0].name}
        site_map = Map(site, world)
        return [PageGraph(site, page, _records(site_map, page)) for page in site.pages]


def _records(site_map: Map, page: Page) -> Sequence[Row]:
    return site_map.find(page, {}, RECORDS) or [{"me": site_map.me}]


def states(graphs: Iterable[PageGraph]) -> dict[str, list[PageGraph]]:
    """Return the pages of each state by the name of the state. Pages that look alike share one.

    The first state is that of the start page. A page without a list comes before one with a list,
    which may be empty.
    """
    found: dict[tuple[str, str], list[PageGraph]] = {}
    for each in graphs:
        found.setdefault((each.path, each.outline), []).append(each)
    home = [each for each in found.values() if each[0].page.name == each[0].site.home]
    others = sorted(
        (each for each in found.values() if each not in home),
        key=lambda each: each[0].page.listing is not None,
    )
    return {" or ".join(_spoken(one.page.name) for one in each): each for each in (*home, *others)}


def text(name: str) -> str:
    """Return the derived part of a site's prompt file."""
    found = states(page_graphs(name))
    home = {one.page.name: state for state, pages in found.items() for one in pages}
    functions = {
        each.name: each for pages in found.values() for one in pages for each in one.functions
    }
    functions |= {each.name: each for each in ENDS}
    return "\n".join([
        f"{MARK} {name}`, from the declaration of the site. Do not change it here.",
        *(_state(state, pages) for state, pages in found.items()),
        *(_function(each, home) for each in functions.values()),
    ])  # fmt: skip


def _state(name: str, pages: Sequence[PageGraph]) -> str:
    functions = [each.name for one in pages for each in one.functions]
    functions += [each.name for each in ENDS]
    layouts = dict.fromkeys("\n".join(one.layout) for one in pages)
    layout = "\nor\n".join(layouts)
    advice = [each for one in pages for each in one.advice]
    return "\n".join([
        "",
        "[[states]]",
        f"name = {_toml(name)}",
        f"path = '{pages[0].path}'",
        f"outline = '{pages[0].outline}'",
        f"functions = {_toml([*dict.fromkeys(functions)])}",
        f'layout = """\n{layout}"""',
        f"advice = {_toml(' '.join(dict.fromkeys(advice)))}",
    ])  # fmt: skip


def _function(function: Function, home: Mapping[str, str]) -> str:
    lines = [
        "",
        f"[functions.{function.name}]",
        f"description = {_toml(function.description)}",
        f"actions = {_toml(function.actions)}",
        f"next = {_toml(home.get(function.to, ''))}",
    ]
    if function.parameters:
        lines += [
            f"[functions.{function.name}.parameters]",
            'type = "object"',
            f"required = {_toml(function.required)}",
            "additionalProperties = false",
        ]
    for name, schema in function.parameters.items():
        inside = ", ".join(f"{key} = {_toml(value)}" for key, value in schema.items())
        lines.append(f"properties.{name} = {{ {inside} }}")
    return "\n".join(lines)


def _toml(value: object) -> str:
    """Return a text or a list of texts as TOML, whose strings are those of JSON."""
    return json.dumps(value, ensure_ascii=False)


def whole(written: str, name: str) -> str:
    """Return the prompt file of a site with its derived part.

    Args:
        written: The file as it is.
        name: The name of the site.
    """
    head = written.partition(MARK)[0].rstrip("\n")
    return f"{head}\n\n{text(name)}\n"


class NoGraph(RehearsalError):
    """A site's graph cannot be written."""


def main(*names: str) -> None:
    """Write the graph of each site, and print which forms it does not have.

    Raises:
        NoGraph: No site is named, a site is not declared, or it has no prompt file yet.
        plugins.UnknownName: There is no such site.
    """
    if not names:
        raise NoGraph("no site is named", "write python -m tools.laser_graph SITE")
    for name in names:
        path = FOLDER / f"{name}.toml"
        _check(name, path)
        path.write_text(whole(path.read_text(encoding="utf-8"), name), encoding="utf-8")
        for line in left_out(registry.site_data(name).site):
            sys.stdout.write(f"{name}: no function for {line}\n")


def _check(name: str, path: Path) -> None:
    """Raise `NoGraph` unless the site is declared and has a prompt file."""
    registry.site(name)
    if not isinstance(getattr(registry.site_data(name), "site", None), Site):
        raise NoGraph(
            f"the site {name} is not declared, so no graph can be derived from it",
            f"write its states by hand in {path}",
        )
    if not path.is_file():
        raise NoGraph(
            f"there is no {path}",
            "write its first part (source, rendering, [covers], [texts]) as in forum.toml",
        )


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except RehearsalError as error:
        sys.exit(f"laser_graph: {error}")
