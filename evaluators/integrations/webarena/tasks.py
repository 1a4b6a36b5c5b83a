"""The tasks of a suite in WebArena's form, as `config_files/test.raw.json` of its repository.

The evaluators that a task names are WebArena's own. `string_match` compares the answer and is more
lenient than our own reading of answers. `url_match` compares the page that is open at the end.
`program_html` reads the page of the verdict, which ends the visit and compares everything else with
the solution: changed rows, opened pages, drafts.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from string import Formatter
from typing import Any, Protocol, cast

from agent.interface import AnswerSchema
from evaluators.integrations.webarena import kinds
from evaluators.integrations.webarena.folder import ExportedVisit
from evaluators.integrations.webarena.kinds import Kind
from evaluators.scoring.webarena_checks import required
from rehearsal_errors import RehearsalError
from scenarios import registry
from scenarios.kit import Gold
from scenarios.scenario import Family, Scenario, answer_schema, sites_of
from sites.joint import JointWorld
from sites.kit import Map

FILE = "test.raw.json"
WORDS = {
    "number": "a number",
    "money": "an amount in dollars",
    "date": "a date such as 2024-05-31",
    "text": "the words that the page shows",
    "list": "a list with commas",
    "yes_no": "yes or no",
}
"""The words for each kind of answer."""
TEMPLATES = 1_000_000
"""The numbers of templates are below this."""
VERDICT = "verdict"
"""The id of the element that holds the verdict, and the first part of its page's address."""
SUCCESS, FAILURE = "success", "failure"


class NotInWebArena(RehearsalError, ValueError):
    """A task is on a site that WebArena's clients do not know."""


class DeclaredFamily(Protocol):
    """The part of a family on a declared site that an exported task needs."""

    def wording(self, seed: int) -> str:
        """Return the wording of a seed, with its slots in braces."""
        ...


@dataclass(frozen=True)
class TaskParts:
    """The parts of a scenario from which its task is made in either form.

    Attributes:
        visit: The visit of the task.
        scenario: The scenario.
        family: Its family.
        wording: The wording of the instruction, with its slots in braces.
    """

    visit: ExportedVisit
    scenario: Scenario
    family: Family
    wording: str

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of the sites of the task, the first one first."""
        found = [kinds.of_site(site) for site in sites_of(self.family)]
        return [kind for kind in found if kind]

    @cached_property
    def gold(self) -> Gold:
        """The solution."""
        return Gold.from_json(self.scenario.gold)

    @property
    def schema(self) -> AnswerSchema | None:
        """The form of the answer, or None if the task asks for none."""
        return answer_schema(self.family, self.scenario)

    @property
    def required(self) -> list[str]:
        """The texts that the answer must contain."""
        return required(self.schema.kind if self.schema else "", self.gold.text)

    @property
    def starts(self) -> list[str]:
        """The address of the first page at each site of the task."""
        return [each.address(f"/?scenario={self.visit.start}") for each in self.kinds]

    @property
    def verdict(self) -> str:
        """The address of the page with the verdict."""
        return self.kinds[0].address(f"/{VERDICT}/{self.visit.verdict}")

    @property
    def instruction(self) -> str:
        """The instruction, with the form of the answer."""
        asks = f" {asked(self.schema)}" if self.schema else ""
        return f"{self.scenario.instruction}{asks}"

    @property
    def template(self) -> str:
        """The wording of the instruction, with its slots in double braces."""
        return re.sub(r"\{(\w+)\}", r"{{\1}}", self.wording)

    @property
    def slots(self) -> dict[str, str]:
        """The values of the slots."""
        return slots(self.wording, self.scenario.instruction)

    @property
    def template_id(self) -> int:
        """A number of the family, the same in every export."""
        text = f"{self.scenario.site}/{self.scenario.family}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big") % TEMPLATES

    @contextmanager
    def start_map(self) -> Iterator[Map]:
        """Lend the map of the site in its start state, for the duration of a `with` block."""
        with self.family.world(self.scenario) as whole:
            world = whole.of(self.scenario.site) if isinstance(whole, JointWorld) else whole
            yield Map(registry.site_data(self.scenario.site).site, world)

    def end_page(self) -> str:
        """Return the address of the page that must be open at the end, or ""."""
        end = self.gold.end
        if end is None:
            return ""
        with self.start_map() as found:
            return self.kinds[0].address(found.url(end))

    def to_json(self) -> dict[str, Any]:
        """Return the task in WebArena's form."""
        return {
            "sites": [each.name for each in self.kinds],
            "task_id": self.visit.task_id,
            "require_login": False,
            "storage_state": None,
            "start_url": " |AND| ".join(self.starts),
            "geolocation": None,
            "intent_template": self.template,
            "instantiation_dict": self.slots,
            "intent": self.instruction,
            "require_reset": False,
            "eval": self._evaluation(),
            "intent_template_id": self.template_id,
        }

    def _evaluation(self) -> dict[str, Any]:
        """Return the evaluators: of the answer, of the page at the end, and of everything else."""
        text, end = self.gold.text, self.end_page()
        types = {"string_match": text, "url_match": end, "program_html": True}
        return {
            "eval_types": [name for name, used in types.items() if used],
            "reference_answers": {"must_include": self.required} if text else None,
            "reference_url": end,
            "url_note": "GOLD in PRED",
            "program_html": [
                {
                    "url": self.verdict,
                    "locator": f"document.querySelector('#{VERDICT}').outerText",
                    "required_contents": {"exact_match": SUCCESS},
                }
            ],
            "string_note": "",
            "reference_answer_raw_annotation": text,
        }


def parts(names: Sequence[str]) -> list[TaskParts]:
    """Return the parts of the tasks of scenarios, with new secrets.

    Args:
        names: The names of the scenarios. Their order gives the numbers of the tasks.

    Raises:
        NotInWebArena: A scenario is on a site that WebArena's clients do not know.
    """
    return [_parts(number, name) for number, name in enumerate(names)]


def _parts(number: int, name: str) -> TaskParts:
    scenario = registry.scenario(name)
    family = registry.family(scenario.family)
    if missing := [site for site in sites_of(family) if kinds.of_site(site) is None]:
        known = ", ".join(sorted(each.site for each in kinds.KINDS if each.site))
        raise NotInWebArena(
            f"{name}: clients of WebArena do not know the site {missing[0]}",
            f"export tasks of {known}",
        )
    wording = cast("DeclaredFamily", family).wording(scenario.seed)
    return TaskParts(ExportedVisit.new(number, scenario), scenario, family, wording)


def asked(schema: AnswerSchema) -> str:
    """Return a sentence that says which kind of answer a task asks for."""
    about = f" ({schema.description})" if schema.description else ""
    kind = f"{WORDS[schema.kind]}{about}"
    return (
        f"Answer only with {kind}; NOT_FOUND if there is no such thing, NOT_ACHIEVABLE if it cannot"
        " be done."
    )


def slots(wording: str, instruction: str) -> dict[str, str]:
    """Return the values that an instruction has in the slots of its wording."""
    pattern, seen = "", set[str]()
    for text, name, _, _ in Formatter().parse(wording):
        pattern += re.escape(text)
        if name and name.isidentifier():
            pattern += f"(?P={name})" if name in seen else f"(?P<{name}>.+?)"
            seen.add(name)
    found = re.fullmatch(pattern, instruction, re.DOTALL)
    return found.groupdict() if found else {}
