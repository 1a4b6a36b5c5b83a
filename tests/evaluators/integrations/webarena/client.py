"""A client of WebArena, written from its published description: variables, log-in, tree, actions,
`stop`, and the evaluators of a task's file. It knows nothing of Rehearsal.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.measuring import HANG

VARIABLES = ("REDDIT", "SHOPPING", "SHOPPING_ADMIN", "GITLAB", "WIKIPEDIA", "MAP", "HOMEPAGE")
ACCOUNTS = {
    "reddit": ("MarvelsGrantMan136", "test1234"),
    "shopping": ("emma.lopez@gmail.com", "Password.123"),
    "shopping_admin": ("admin", "admin1234"),
    "gitlab": ("byteblaze", "hello1234"),
}
MOST_STEPS = 30


@dataclass(frozen=True)
class Step:
    """An action on the nth node of a role and name, such as `type [12] [chair] [1]`."""

    verb: str
    role: str = ""
    name: str = ""
    nth: int = 0
    text: str = ""
    enter: bool = False


@dataclass(frozen=True)
class Node:
    """A node of the tree, with the number by which actions name it."""

    number: int
    role: str
    name: str
    backend: int


def load(
    folder: Path, variables: Mapping[str, str], name: str = "test.raw.json"
) -> list[dict[str, Any]]:
    """Read the tasks, with the addresses in place of the placeholders."""
    text = (folder / name).read_text(encoding="utf-8")
    for each in VARIABLES:
        text = text.replace(f"__{each}__", variables[each])
    tasks: list[dict[str, Any]] = json.loads(text)
    return tasks


def log_in(page: Any, variables: Mapping[str, str], site: str) -> None:
    """Fill in the form of a site by its labels."""
    user, password = ACCOUNTS[site]
    if site == "reddit":
        page.goto(f"{variables['REDDIT']}/login")
        page.get_by_label("Username").fill(user)
        page.get_by_label("Password").fill(password)
        page.get_by_role("button", name="Log in").click()
    elif site == "shopping":
        page.goto(f"{variables['SHOPPING']}/customer/account/login/")
        page.get_by_label("Email", exact=True).fill(user)
        page.get_by_label("Password", exact=True).fill(password)
        page.get_by_role("button", name="Sign In").click()
    elif site == "shopping_admin":
        page.goto(variables["SHOPPING_ADMIN"])
        page.get_by_placeholder("user name").fill(user)
        page.get_by_placeholder("password").fill(password)
        page.get_by_role("button", name="Sign in").click()
    else:
        page.goto(f"{variables['GITLAB']}/users/sign_in")
        page.get_by_test_id("username-field").fill(user)
        page.get_by_test_id("password-field").fill(password)
        page.get_by_test_id("sign-in-button").click()


def is_expired(page: Any, variables: Mapping[str, str], site: str) -> bool:
    """Whether the cookies of a log-in are of no use any more."""
    url, word = {
        "gitlab": (f"{variables['GITLAB']}/-/profile", ""),
        "shopping": (f"{variables['SHOPPING']}/wishlist/", ""),
        "shopping_admin": (f"{variables['SHOPPING_ADMIN']}/dashboard", "Dashboard"),
        "reddit": (f"{variables['REDDIT']}/user/{ACCOUNTS['reddit'][0]}/account", "Delete"),
    }[site]
    page.goto(url)
    return word not in page.content() if word else page.url != url


class Client:
    """A browser that plays tasks, one context for each."""

    def __init__(self, browser: Any, state: Path | None = None) -> None:
        self._browser, self._state = browser, state

    @contextmanager
    def task(self, task: Mapping[str, Any], **options: Any) -> Iterator[OpenTask]:
        """Open the start addresses of a task, each in a tab of its own."""
        context = self._browser.new_context(
            viewport={"width": 1280, "height": 720}, storage_state=self._state, **options
        )
        context.set_default_timeout(HANG * 1000)
        for url in task["start_url"].split(" |AND| "):
            context.new_page().goto(url)
        yield OpenTask(task, context)
        context.close()


class OpenTask:
    """A task that is open in a browser."""

    def __init__(self, task: Mapping[str, Any], context: Any) -> None:
        self.task, self.context = task, context
        self.page = context.pages[0]
        self.page.bring_to_front()
        self.answer = ""

    def tree(self) -> list[Node]:
        """The accessibility tree of the page: roles and names in reading order."""
        session = self.context.new_cdp_session(self.page)
        found = session.send("Accessibility.getFullAXTree")["nodes"]
        session.detach()
        return [
            Node(number, each["role"]["value"], each.get("name", {}).get("value", ""),
                 each["backendDOMNodeId"])
            for number, each in enumerate(found)
            if not each["ignored"] and "backendDOMNodeId" in each
        ]  # fmt: skip

    def shown(self) -> str:
        """The tree as the agent sees it."""
        return "\n".join(f"[{each.number}] {each.role} {each.name!r}" for each in self.tree())

    def play(self, steps: Sequence[Step]) -> None:
        """Do the steps of a policy; the last is `stop`."""
        for step in steps[:MOST_STEPS]:
            if step.verb == "stop":
                self.answer = step.text
                return
            self.act(step)

    def act(self, step: Step) -> None:
        """Do one action at the middle of its node, with the mouse and the keyboard."""
        if step.verb == "tab":
            self.page = self.context.pages[step.nth]
            self.page.bring_to_front()
            return
        opens = step.enter or (step.verb == "click" and step.role in {"link", "button"})
        with self.page.expect_navigation() if opens else nullcontext():
            self._do(step)

    def _do(self, step: Step) -> None:
        like = [each for each in self.tree() if (each.role, each.name) == (step.role, step.name)]
        assert len(like) > step.nth, f"{step} is not on this page:\n{self.shown()}"
        node = like[step.nth]
        if step.verb == "click":
            self._click(node)
        elif step.role == "combobox":
            self._focus(node)
            self.page.keyboard.type(step.text)
        else:
            self._click(node)
            self._write(step.text)
        if step.enter:
            self.page.keyboard.press("Enter")

    def _write(self, text: str) -> None:
        """Replace the text of the field that has the focus."""
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        for number, line in enumerate(text.split("\n")):
            if number:
                self.page.keyboard.press("Shift+Enter")
            self.page.keyboard.type(line)

    def _click(self, node: Node) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("DOM.scrollIntoViewIfNeeded", {"backendNodeId": node.backend})
        quads = session.send("DOM.getContentQuads", {"backendNodeId": node.backend})["quads"]
        session.detach()
        quad = quads[0]
        self.page.mouse.click(sum(quad[::2]) / 4, sum(quad[1::2]) / 4)

    def _focus(self, node: Node) -> None:
        session = self.context.new_cdp_session(self.page)
        session.send("DOM.focus", {"backendNodeId": node.backend})
        session.detach()

    # The evaluators of a task's file

    def evaluate(self) -> float:
        """The product of the scores of the task's evaluators, after the stop."""
        wanted = self.task["eval"]
        scores = {
            "string_match": lambda: has_texts(self.answer, wanted["reference_answers"]),
            "url_match": lambda: is_at(self.page.url, wanted["reference_url"]),
            "program_html": lambda: all(map(self._has_content, wanted["program_html"])),
        }
        score = 1.0
        for each in wanted["eval_types"]:
            score *= float(scores[each]())
        return score

    def _has_content(self, target: Mapping[str, Any]) -> bool:
        self.page.goto(target["url"])
        try:
            found = str(self.page.evaluate(f"() => {target['locator']}"))
        except Exception:
            found = ""
        return folded(html.unescape(found)) == folded(target["required_contents"]["exact_match"])


def folded(text: str) -> str:
    text = text.strip()
    is_quoted = text[:1] in {"'", '"'} and text[:1] == text[-1:]
    return (text[1:-1] if is_quoted else text).lower()


def has_texts(answer: str, wanted: Mapping[str, Sequence[str]]) -> bool:
    """Whether an answer holds each text; a text of one letter must be a word of its own."""
    texts = wanted["must_include"]
    if len(texts) == 1 and len(texts[0]) == 1:
        return folded(texts[0]) in re.findall(r"\w+|[^\w\s]", folded(answer))
    return all(folded(each) in folded(answer) for each in texts)


def is_at(url: str, wanted: str) -> bool:
    """Whether the address has the wanted path and, among others, the wanted parameters."""
    here, there = urlsplit(url.rstrip("/")), urlsplit(wanted.rstrip("/"))
    given = parse_qs(here.query)
    asked = parse_qs(there.query)
    is_inside = f"{there.netloc}{there.path}" in f"{here.netloc}{here.path}"
    return is_inside and all({*given.get(key, ())} & {*each} for key, each in asked.items())
