"""What a message says: a text, or parts of which some are pictures.

Parts have the shape of the OpenAI API, `{"type": "text", "text": ...}` and `{"type": "image_url",
"image_url": {"url": ..., "detail": ...}}`. Whoever reads messages reads them by these functions.
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
"""As large as it is: one that is made smaller first shows nothing of a small page."""
_DATA = re.compile(r"data:image/[a-z]+;base64,[A-Za-z0-9+/]+={0,2}")


def with_picture(message: Message, png: bytes | None) -> Message:
    """The message with a picture behind its text; as it is where there is none."""
    if png is None:
        return message
    url = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    picture = {"type": "image_url", "image_url": {"url": url, "detail": DETAIL}}
    return {**message, "content": [*parts(message), picture]}


def without_pictures(message: Message) -> Message:
    """The message with its text alone."""
    has_parts = isinstance(message.get("content"), list)
    return {**message, "content": text_of(message)} if has_parts else message


def text_of(message: Message) -> str:
    """What it says in words, "" where it says nothing; pictures are left out."""
    if isinstance(content := message.get("content"), str):
        return content
    return "\n".join(each["text"] for each in parts(message) if is_text(each))


def shown(message: Message) -> str:
    """The message for people who look at requests: its text, with a note for each other part."""
    found = parts(message)
    return "\n".join(each["text"] if is_text(each) else note(each) for each in found)


def parts(message: Message) -> list[Any]:
    """Its parts; a text is one."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list | tuple) else []


def joined(messages: Iterable[Message]) -> str | list[Any]:
    """The content of one message that says what all of them say."""
    found = list(messages)
    if any(isinstance(each.get("content"), list) for each in found):
        return [part for each in found for part in parts(each)]
    return "\n\n".join(map(text_of, found))


def is_text(part: object) -> bool:
    return isinstance(part, Mapping) and isinstance(part.get("text"), str)


def is_picture(part: object) -> bool:
    return url_of(part) is not None


def url_of(part: object) -> str | None:
    """The address of a picture, which may hold it; None where the part is none."""
    picture = part.get("image_url") if isinstance(part, Mapping) else None
    url = picture.get("url") if isinstance(picture, Mapping) else None
    return url if isinstance(url, str) else None


def is_data(url: str) -> bool:
    """Whether an address is a picture itself and nothing else."""
    return _DATA.fullmatch(url) is not None


def note(part: object) -> str:
    """What stands for a part that is no text: of a picture what tells it from others."""
    url = url_of(part)
    if url is None:
        return json.dumps(part, ensure_ascii=False)
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()
    return f"[picture {digest[:12]}, {len(url):,} characters]"
