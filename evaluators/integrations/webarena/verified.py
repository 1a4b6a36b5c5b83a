"""The tasks of a suite in the form of WebArena-Verified (version 2 of its data).

`AgentResponseEvaluator` compares the status and the typed data of an agent's response.
`NetworkEventEvaluator` looks for a request. It is there only if one request decides: the request
for the page that must be open at the end, or the only form that must be sent. The visit of any
other task is decided by `rehearse score --from webarena`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from evaluators.integrations.webarena.tasks import TaskParts
from sites.kit import Do, Form, Map

FILE = "webarena-verified.json"
STATUSES = {"NOT_FOUND": "NOT_FOUND_ERROR", "NOT_ACHIEVABLE": "ACTION_NOT_ALLOWED_ERROR"}
"""The status of a response for each answer that is a status."""
ITEMS = {
    "number": {"type": "number"},
    "money": {"type": "string", "format": "currency"},
    "date": {"type": "string", "format": "date"},
    "text": {"type": "string"},
    "list": {"type": "string"},
    "yes_no": {"type": "boolean"},
}
"""The schema of a value by the kind of the answer."""
SEE_OTHER = 303


def to_json(parts: TaskParts) -> dict[str, Any]:
    """Return a task in the form of WebArena-Verified."""
    return {
        "sites": [each.name for each in parts.kinds],
        "task_id": parts.visit.task_id,
        "intent_template_id": parts.template_id,
        "start_urls": parts.starts,
        "intent": parts.instruction,
        "intent_template": parts.template,
        "instantiation_dict": parts.slots,
        "eval": [_response(parts), *_requests(parts)],
        "revision": 1,
    }


def task_type(parts: TaskParts) -> str:
    """Return the kind of work that a task asks for: retrieve, navigate or mutate."""
    if parts.schema:
        return "retrieve"
    is_looking = parts.gold.end and not parts.gold.tables and not parts.gold.draft
    return "navigate" if is_looking else "mutate"


def _response(parts: TaskParts) -> dict[str, Any]:
    """Return the evaluator of the response."""
    text = parts.gold.text
    has_data = bool(parts.schema and text and text not in STATUSES)
    return {
        "evaluator": "AgentResponseEvaluator",
        "ordered": False,
        "results_schema": _schema(parts) if has_data else {"type": "null"},
        "expected": {
            "task_type": task_type(parts),
            "status": STATUSES.get(text, "SUCCESS"),
            "retrieved_data": _values(parts) if has_data else None,
        },
    }


def _schema(parts: TaskParts) -> dict[str, Any]:
    """Return the JSON Schema of the retrieved data, with the formats of WebArena-Verified."""
    items = ITEMS[parts.schema.kind] if parts.schema else {"type": "null"}
    return {"type": "array", "items": dict(items)}


def _values(parts: TaskParts) -> list[Any]:
    kind, texts = parts.schema.kind if parts.schema else "", parts.required
    if kind == "number":
        return [float(text) for text in texts]
    return [text == "yes" for text in texts] if kind == "yes_no" else texts


def _requests(parts: TaskParts) -> Iterator[dict[str, Any]]:
    """Yield the evaluator of the request that decides, if one does."""
    if url := parts.end_page():
        yield _event(_page(url))
    elif do := _only_form(parts):
        with parts.start_map() as found:
            sent = _sent(parts, found, do)
        if sent:
            yield _event(sent)


def _event(expected: Mapping[str, Any]) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": dict(expected)}


def _page(url: str) -> dict[str, Any]:
    """Return the request for a page."""
    parts = urlsplit(url)
    query = parse_qs(parts.query, keep_blank_values=True)
    return {"url": parts.path, **({"query_params": query} if query else {})}


def _only_form(parts: TaskParts) -> Do | None:
    """Return the only form that must be sent, or None if there is no such form."""
    ends = parts.gold.ends
    is_one = len(ends) == 1 and len(ends[0].do) == 1 and not ends[0].written
    return ends[0].do[0] if is_one else None


def _sent(parts: TaskParts, found: Map, do: Do) -> dict[str, Any]:
    """Return the request that sends a form, or {} if no page has the form at the start."""
    stands = found.stands(do)
    if not stands:
        return {}
    [form, *_] = (spot.form for spot in stands.values())
    urls = [parts.kinds[0].address(found.url(place)) for place in stands]
    return {
        "url": urls if len(urls) > 1 else urls[0],
        "http_method": "POST",
        "post_data": _fields(form, do),
        "response_status": SEE_OTHER,
    }


def _fields(form: Form, do: Do) -> dict[str, str]:
    """Return the fields that tell the form and its arguments."""
    names = {*form.given, *(each.name for each in form.fields)}
    texts = {key: str(value) for key, value in do.args.items() if key in names}
    return {"form": form.name, **texts}
