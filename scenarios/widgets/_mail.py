"""Advice for the mail program."""

from __future__ import annotations

from agent.interface import Advice, Click, Type
from scenarios.widgets._page_view import Ahead, PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome

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
        (doing.title(), Click(f'//span[text()="{doing.title()}"]')),
        (FIELDS[doing], Type(f'//*[@data-name="{FIELDS[doing]}"]', text)),
        ("Send", Click(f'//*[text()="send {doing}"]')),
    ]


def letter(view: PageView, sender: str) -> Click | None:
    """A click that opens the sender's mail."""
    named = (each for each in view.all("link") if each.name.split(" ")[0] == sender)
    return click(next(named, None))


def advise(view: PageView) -> Advice:
    """By an instruction in the pages' usual words."""
    [sender] = view.groups(r"email by (\w+) and")
    for doing, pattern in (("reply", r'with the text "(.*)"'), ("forward", r"email to (\w+)\.")):
        if found := view.groups(pattern):
            return act(view, sender, doing, found[0])
    return act(view, sender, "trash" if "trash" in view.instruction else "star")


def of_another(view: PageView) -> Advice:
    """The same to another person's mail."""
    sender = view.groups(r"email by (\w+) and")[0]
    marks = [each.name.partition(" ")[2] for each in view.all("button")]
    other = next((name for name in marks if name and name != sender and name.istitle()), sender)
    return advise(with_instruction(view, rf"email by {sender}\b", f"email by {other}"))


def other_text(view: PageView) -> Advice:
    """Another reply to the right mail, or the right mail to another person."""
    return advise(with_instruction(view, r'(?<=text ")(?=.*"\.$)|(?<=email to )(?=\w+\.$)', "X"))


def answered(view: PageView) -> Advice:
    """A reply to the right mail, where only a mark was asked for."""
    return act(view, view.groups(r"email by (\w+) and")[0], "reply", "Thanks.")


WRONG = {"wrong": Outcome(of_another)}
WRITING_OUTCOMES = {**WRONG, "wrong text": Outcome(other_text)}
MARKING_OUTCOMES = {**WRONG, "wrong doing": Outcome(answered)}
