"""A family of the published desk on pages whose labels are changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scenarios.scenario import Scenario
from sites.crm import CrmData


@dataclass(frozen=True)
class Relabelled:
    """A family whose pages have other labels; everything else is taken from the labelled family.

    Attributes:
        labelled: The labelled family.
        suffix: The end of the name.
        about: What is different, after the name of the labelled family.
        change: Returns a scenario of the labelled family with the other labels.
    """

    labelled: Any
    suffix: str
    about: str
    change: Callable[[Scenario], Scenario]

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", f"{self.VARIANT_OF} with {self.about}.")

    @property
    def VARIANT_OF(self) -> str:  # noqa: N802 (a member of families)
        return str(self.labelled.__name__.rpartition(".")[2])

    @property
    def name(self) -> str:
        return f"{self.VARIANT_OF}{self.suffix}"

    def generate(self, seed: int, data: CrmData) -> Scenario:
        return self.change(self.labelled.generate(seed, data))

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "labelled"), name)
