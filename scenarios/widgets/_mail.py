"""Advice for the mail program."""

from __future__ import annotations

from agent.interface import Advice, Click, Type
from scenarios.widgets._page_view import Ahead, PageView, click, do, fill

STEPS = ("open the mail", "write", "do it")
FIELDS = {"reply": "Reply", "forward": "To"}


def act(view: PageView, sender: str, doing: str, text: str = "") -> Advice:
    """Do to the sender's mail: reply with, or forward to, `text`; trash or star."""
    if doing in ("trash", "star"):
        return do(view.click("button", name=f"{doing} {sender}"), step="do it", needs=[sender])
    field = view.find("textbox", name=FIELDS[doing])
    if field:
        sent = view.click("button", name=f"send {doing}")
        return do(fill(field, text), sent, step="write", needs=[sender, text])
    write = view.click("button", name=doing.title())
    if write:
        return do(write, step="open the mail", needs=[sender])
    opening = letter(view, sender)
    found = [(f"Open the mail of {sender}", opening), *sending(doing, text)] if opening else []
    return do(opening, step="open the mail", needs=[sender], ahead=found)


def sending(doing: str, text: str) -> Ahead:
    """What is done in a mail that was opened."""
    return [
        (doing.title(), Click(f'//button[text()="{doing.title()}"]')),
        (FIELDS[doing], Type(f'//*[@data-name="{FIELDS[doing]}"]', text)),
        ("Send", Click(f'//*[text()="send {doing}"]')),
    ]


def letter(view: PageView, sender: str) -> Click | None:
    """A click that opens the sender's mail."""
    named = (each for each in view.all("link") if each.name.split(" ")[0] == sender)
    return click(next(named, None))
