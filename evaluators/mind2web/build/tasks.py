"""A played episode as a task of Mind2Web, in the fields of its files."""

from __future__ import annotations

import uuid
from typing import Any

from evaluators.mind2web.build.recording import Recorded, Shot
from scenarios.dials import PROFILES
from scenarios.scenario import Family, Scenario, start_host

_SPACE = uuid.uuid5(uuid.NAMESPACE_URL, "rehearsal/mind2web")


def task(
    episode: Recorded, family: Family, domain: str, *, one_positive: bool = False
) -> dict[str, Any]:
    """Return a task as the files of Mind2Web have it.

    Args:
        episode: The episode.
        family: The family of its scenario.
        domain: The domain of the website.
        one_positive: Whether the element of the action is the only right one.

    Returns:
        The fields, and `answer` if the task asks for one; readers of Mind2Web ignore it.
    """
    name = episode.scenario.name
    answer = {"answer": episode.answer} if episode.answer else {}
    return {
        "website": website(episode.scenario, family),
        "domain": domain,
        "subdomain": subdomain(family),
        "annotation_id": str(uuid.uuid5(_SPACE, name)),
        "confirmed_task": " ".join(episode.scenario.instruction.split()),
        "action_reprs": [each.operation.repr for each in episode.shots],
        "actions": [
            _action(each, str(uuid.uuid5(_SPACE, f"{name}/{number}")), one_positive)
            for number, each in enumerate(episode.shots)
        ],
        **answer,
    }


def website(scenario: Scenario, family: Family) -> str:
    """Return the name of the website of a scenario: its host, and the skin or the airline.

    A dial changes the pages of a website and makes no other website of it.
    """
    host = start_host(family)
    _, _, variant = scenario.family.partition(".")
    return host if variant in ("", host, *PROFILES) else f"{host}-{variant}"


def subdomain(family: Family) -> str:
    """Return the subdomain of a family: the category that it declares, or its site."""
    return (family.TAG or start_host(family)).capitalize()


def _action(shot: Shot, uid: str, one_positive: bool) -> dict[str, Any]:
    done, page = shot.operation, shot.page
    target = page.numbers[done.element.id]
    right = (target, *(() if one_positive else page.also(target)))
    return {
        "action_uid": uid,
        "raw_html": page.raw(target, uid),
        "cleaned_html": page.cleaned,
        "operation": {"op": done.op, "original_op": done.original_op, "value": done.value},
        "pos_candidates": [
            page.candidate(each)
            | dict.fromkeys(("is_original_target", "is_top_level_target"), each == target)
            for each in dict.fromkeys(right)
        ],
        "neg_candidates": [page.candidate(each) for each in page.candidates if each not in right],
    }
