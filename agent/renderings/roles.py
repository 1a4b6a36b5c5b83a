"""The role that an element has by its tag alone (HTML Accessibility API Mappings)."""

from __future__ import annotations

_BY_TAG = {
    "a": "link",
    "area": "link",
    "button": "button",
    "img": "img",
    "option": "option",
    "select": "combobox",
    "summary": "button",
    "textarea": "textbox",
}
_BY_INPUT_TYPE = {
    "button": "button",
    "checkbox": "checkbox",
    "color": "button",
    "file": "button",
    "image": "button",
    "number": "spinbutton",
    "radio": "radio",
    "range": "slider",
    "reset": "button",
    "search": "searchbox",
    "submit": "button",
}


def implied(tag: str, kind: str) -> str:
    """Return the role that a tag (and an input's type, `kind`) implies, which need not be written;
    "" if it implies none.
    """
    return _BY_INPUT_TYPE.get(kind, "textbox") if tag == "input" else _BY_TAG.get(tag, "")
