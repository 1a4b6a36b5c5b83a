"""A page in Chromium that keeps book of everything that a report must not do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Reader:
    """A page in Chromium without `await`, and everything it did that a report must not do."""

    runner: asyncio.Runner
    page: Any
    dialogs: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, path: Path, hash: str = "") -> None:  # noqa: A002 (the field's word)
        self.do(self.page.goto("about:blank"))
        self.requests.clear()
        self.do(self.page.goto(path.as_uri() + hash))

    def do(self, made: Awaitable[Any]) -> Any:
        async def wait() -> Any:
            return await made

        return self.runner.run(wait())

    def ask(self, script: str, given: Any = None) -> Any:
        return self.do(self.page.evaluate(script, given))

    def text(self, selector: str) -> str:
        return str(self.ask("(s) => document.querySelector(s).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        script = "(s) => [...document.querySelectorAll(s)].map((each) => each.textContent.trim())"
        return list(self.ask(script, selector))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.do(self.page.keyboard.press(key))

    def shown(self, selector: str) -> bool:
        return bool(self.do(self.page.is_visible(selector)))


async def listen(reader: Reader) -> None:
    async def close_dialog(dialog: Any) -> None:
        reader.dialogs.append(dialog.message)
        await dialog.dismiss()

    listen_to: Callable[..., None] = reader.page.on
    listen_to("dialog", close_dialog)
    listen_to("pageerror", lambda error: reader.troubles.append(str(error)))
    listen_to("console", lambda message: reader.troubles.append(message.text))
    listen_to("request", lambda request: reader.requests.append(request.url))
