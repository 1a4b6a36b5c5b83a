"""The content of a message: a text, or a list of parts, which are texts and pictures.

Parts have the format of the OpenAI API, `{"type": "text", "text": ...}` and `{"type": "image_url",
"image_url": {"url": ..., "detail": ...}}`. All code that reads messages uses these functions.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from agent.interface import Message

DETAIL = "high"
"""The detail level of pictures in requests: full size, because a reduced picture of a small page
shows nothing.
"""
_DATA = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/]+={0,2}")


def with_picture(message: Message, png: bytes | None) -> Message:
    """Return the message with a picture after its text; unchanged if `png` is None."""
    if png is None:
        return message
    url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    picture = {"type": "image_url", "image_url": {"url": url, "detail": DETAIL}}
    return {**message, "content": [*parts(message), picture]}


def without_pictures(message: Message) -> Message:
    """Return the message with its text only, without pictures."""
    has_parts = isinstance(message.get("content"), list)
    return {**message, "content": text_of(message)} if has_parts else message


def text_of(message: Message) -> str:
    """Return the text of a message, without pictures; "" if it has none."""
    if isinstance(content := message.get("content"), str):
        return content
    return "\n".join(each["text"] for each in parts(message) if is_text(each))


def shown(message: Message) -> str:
    """Return a message as text for people who inspect requests; parts that are no text are replaced
    by a short note.
    """
    found = parts(message)
    return "\n".join(each["text"] if is_text(each) else note(each) for each in found)


def parts(message: Message) -> list[Any]:
    """Return the parts of a message; a text counts as a single part."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list | tuple) else []


def joined(messages: Iterable[Message]) -> str | list[Any]:
    """Join the contents of several messages into one content: a text, or a list of parts if any
    message has parts.
    """
    found = list(messages)
    if any(isinstance(each.get("content"), list) for each in found):
        return [part for each in found for part in parts(each)]
    return "\n\n".join(map(text_of, found))


def is_text(part: object) -> bool:
    """Return whether a content part of a message is a text."""
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)


def is_picture(part: object) -> bool:
    """Return whether a content part of a message is a picture."""
    return url_of(part) is not None


def url_of(part: object) -> str | None:
    """Return the address of a picture, which may be a data address; None if the part is no
    picture.
    """
    picture = part.get("image_url") if isinstance(part, Mapping) else None
    url = picture.get("url") if isinstance(picture, Mapping) else None
    return url if isinstance(url, str) else None


def is_data(url: str) -> bool:
    """Return whether a picture's address contains the picture itself (a data address)."""
    return _DATA.fullmatch(url) is not None


def note(part: object) -> str:
    """Return a short text in place of a content part that is no text. The note of a picture
    identifies it by a hash; any other part is shown as JSON.
    """
    url = url_of(part)
    if url is None:
        return json.dumps(part, ensure_ascii=False)
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[picture {digest[:12]}, {len(url):,} characters]"
