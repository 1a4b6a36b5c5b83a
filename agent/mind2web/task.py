"""A task of Mind2Web and its steps, as the files of the data set tell them.

Source: the data set's card; Synapse (Zheng et al. 2024), appendix B.2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """An element of a page that a step may be about.

    Attributes:
        id: the number of the element's node, `backend_node_id` in the files.
        tag: the element's tag, in lower case.
        attributes: attribute names and values, from the JSON text in the files.
    """

    id: str
    tag: str
    attributes: Mapping[str, str]


@dataclass(frozen=True)
class Step:
    """One action of a task, and the page on which the annotator did it.

    Attributes:
        uid: `action_uid`, unique in the data set.
        op: CLICK, TYPE or SELECT.
        original_op: the annotator's own operation, which may also be HOVER or ENTER.
        value: the text to type or the option to select; empty for a click.
        repr: the action in words, from the task's `action_reprs`.
        cleaned: the page after cleaning, as XML text (`cleaned_html`).
        target_id: the node that the annotator acted on, from `raw_html`; empty if it is not there.
        target: that node's subtree of `raw_html` as XML text; empty if it is not there.
        positives: the right elements that the cleaned page still has, in the order of the file.
        negatives: all other candidates.
    """

    uid: str
    op: str
    original_op: str
    value: str
    repr: str
    cleaned: str
    target_id: str
    target: str
    positives: Sequence[Candidate]
    negatives: Sequence[Candidate]


@dataclass(frozen=True)
class RecordedTask:
    """A task of Mind2Web: the instruction and the annotator's steps, in order.

    Attributes:
        id: `annotation_id`, unique in the data set.
        website: the website's name, such as `exploretock`.
        domain: such as `Travel`.
        subdomain: such as `Restaurant`.
        instruction: `confirmed_task`, a goal without its steps.
        steps: the actions in order.
    """

    id: str
    website: str
    domain: str
    subdomain: str
    instruction: str
    steps: Sequence[Step]

    def key(self, step: Step) -> str:
        """Return a step's name in files of scores: the task's id, `_`, the step's id."""
        return f"{self.id}_{step.uid}"
