"""List the files in a terminal, and remove one with a certain ending."""

from __future__ import annotations

from agent.interface import Advice, Type
from scenarios.widgets._page_view import PageView, do
from scenarios.widgets._widget import Outcome, Widget

LIST = "user$ ls"


def advise(scene: PageView) -> Advice:
    names = files(scene)
    if not names:
        return do(entered(scene, "ls"), step="list the files")
    chosen = next((name for name in names if fits(scene, name)), "")
    return do(entered(scene, f"rm {chosen}"), step="remove one", needs=ending(scene))


def files(scene: PageView) -> list[str]:
    """What the terminal answered to `ls`; nothing where it was not asked yet."""
    lines = scene.texts("log")
    return lines[lines.index(LIST) + 1].split() if LIST in lines else []


def ending(scene: PageView) -> list[str]:
    return scene.heard(r"with the extension (\S+)")


def fits(scene: PageView, name: str) -> bool:
    wanted = ending(scene)
    return name.endswith(wanted[0]) if wanted else "." not in name


def entered(scene: PageView, line: str) -> Type | None:
    field = scene.find("textbox", name="Command")
    return Type(field.id, line, enter=True) if field else None


def wrong(scene: PageView) -> Advice:
    """Remove another file."""
    names = [name for name in files(scene) if not fits(scene, name)]
    return do(entered(scene, f"rm {names[0]}")) if names else advise(scene)


def wrong_exit(scene: PageView) -> Advice:
    """Leave the terminal."""
    return do(entered(scene, "exit"))


FAMILY = Widget(
    __file__,
    __doc__,
    advise,
    actions=2,
    outcomes={"wrong": Outcome(wrong), "wrong exit": Outcome(wrong_exit)},
    STEPS=("list the files", "remove one"),
)
