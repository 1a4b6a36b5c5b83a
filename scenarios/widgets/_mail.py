"""Advice for the mail program."""

from __future__ import annotations

from agent.interface import Advice, Click
from scenarios.widgets._page_view import PageView, click, do, fill

STEPS = ("open the mail", "write", "do it")
FIELDS = {"reply": "Reply", "forward": "To"}


def act(scene: PageView, sender: str, doing: str, text: str = "") -> Advice:
    """Do to the sender's mail: reply with, or forward to, `text`; trash or star."""
    if doing in ("trash", "star"):
        return do(scene.click("button", name=f"{doing} {sender}"), step="do it", needs=[sender])
    field = scene.find("textbox", name=FIELDS[doing])
    if field:
        sent = scene.click("button", name=f"send {doing}")
        return do(fill(field, text), sent, step="write", needs=[sender, text])
    write = scene.click("button", name=doing.title())
    return do(write or letter(scene, sender), step="open the mail", needs=[sender])


def letter(scene: PageView, sender: str) -> Click | None:
    """A click that opens the sender's mail."""
    named = (each for each in scene.all("link") if each.name.split(" ")[0] == sender)
    return click(next(named, None))
