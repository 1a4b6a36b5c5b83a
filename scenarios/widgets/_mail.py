"""Advice for the page with a mail program (email-inbox)."""

from __future__ import annotations

from agent.interface import Advice, Click, Type
from scenarios.widgets._page_view import Ahead, PageView, click, do, fill, with_instruction
from scenarios.widgets._widget import Outcome

STEPS = ("open the mail", "write", "do it")
FIELDS = {"reply": "Reply", "forward": "To"}


def act(view: PageView, sender: str, doing: str, text: str = "") -> Advice:
    """Advise to reply to, forward, delete or star the mail of a sender.

    Args:
        doing: "reply", "forward", "trash" or "star".
        text: The reply's text or the receiver's name.
    """
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
    """Return the actions that reply to or forward an opened mail."""
    return [
        (doing.title(), Click(f'//span[text()="{doing.title()}"]')),
        (FIELDS[doing], Type(f'//*[@data-name="{FIELDS[doing]}"]', text)),
        ("Send", Click(f'//*[text()="send {doing}"]')),
    ]


def letter(view: PageView, sender: str) -> Click | None:
    """Return a click that opens the sender's mail, or None."""
    named = (each for each in view.all("link") if each.name.split(" ")[0] == sender)
    return click(next(named, None))


def advise(view: PageView) -> Advice:
    """Advise by the instruction, which must have the usual wording of the mail pages."""
    [sender] = view.groups(r"email by ([\w-]+) and")
    for doing, pattern in (("reply", r'with the text "(.*)"'), ("forward", r"email to ([\w-]+)\.")):
        if found := view.groups(pattern):
            return act(view, sender, doing, found[0])
    return act(view, sender, "trash" if "trash" in view.instruction else "star")


def of_another(view: PageView) -> Advice:
    """Advise doing the requested thing with another person's mail: a wrong end for tests."""
    sender = view.groups(r"email by ([\w-]+) and")[0]
    marks = [each.name.partition(" ")[2] for each in view.all("button")]
    other = next((name for name in marks if name and name != sender and name.istitle()), sender)
    return advise(with_instruction(view, rf"email by {sender}\b", f"email by {other}"))


def other_text(view: PageView) -> Advice:
    """Advise a wrong reply to the right mail, or forwarding it to the wrong person: a wrong end for
    tests.
    """
    return advise(with_instruction(view, r'(?<=text ")(?=.*"\.$)|(?<=email to )(?=\w+\.$)', "X"))


def answered(view: PageView) -> Advice:
    """Advise a reply to the right mail although the instruction only asks to mark it: a wrong end
    for tests.
    """
    return act(view, view.groups(r"email by ([\w-]+) and")[0], "reply", "Thanks.")


WRONG = {"wrong": Outcome(of_another)}
WRITING_OUTCOMES = {**WRONG, "wrong text": Outcome(other_text)}
MARKING_OUTCOMES = {**WRONG, "wrong doing": Outcome(answered)}
