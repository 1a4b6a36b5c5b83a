"""Texts that are marked on the task pages, by a user and by a script."""

from __future__ import annotations

import pytest

from agent.interface import Click, MarkText, Press

BY_SCRIPT = "getSelection().selectAllChildren(document.querySelector('{}'))"


def editor(page):
    [field] = (each for each in page.seen.elements if each.role == "textbox")
    return field


def test_a_text_that_a_script_marks_is_only_worth_the_public_reward(visit):
    async def marked(page):
        await page.js(BY_SCRIPT.format("#randomText"))
        await page.lane.act(Click("Submit"))
        return await page.settled(), await page.js("WOB_RAW_REWARD_GLOBAL")

    score, public = visit("widgets/highlight-text/0", marked)
    assert public == 1 and (score.success, score.reward_strict) == (False, 0)
    [tampered] = [check for check in score.checks if check.name == "nothing was tampered with"]
    assert tampered.found == "a text was marked by a script"


def test_a_user_may_mark_again_and_by_the_keyboard(visit):
    async def marked(page):
        [text] = (each for each in page.seen.elements if each.role == "paragraph")
        await page.lane.act(MarkText(text.id, text.name))
        await page.lane.act(MarkText(text.id, text.name[:-2]))
        for _ in range(2):
            page.seen = await page.lane.act(Press("Shift+ArrowRight"))
        states = [each.states for each in page.seen.elements if each.role == "paragraph"]
        await page.lane.act(Click("Submit"))
        return states, await page.settled()

    [states], score = visit("widgets/highlight-text/0", marked)
    assert "selected" in states and score.success


@pytest.mark.parametrize("twice", [False, True])
def test_a_style_is_put_on_and_taken_off(visit, twice):
    """By the button and by the key; the text stays marked."""

    async def styled(page):
        first = editor(page)
        await page.lane.act(MarkText(first.id, first.value.split()[0]))
        page.seen = await page.lane.act(Click("italic"))
        if twice:
            page.seen = await page.lane.act(Press("Control+i"))
        return first.value, editor(page)

    text, field = visit("widgets/text-editor/0", styled)
    word, rest = text.split(" ", 1)
    assert field.name == f"Text editor, marked: {word}"
    assert field.value == (text if twice else f"[{word}: italic] {rest}")


def test_one_style_is_put_on_a_part_of_another(visit):
    async def styled(page):
        first = editor(page)
        await page.lane.act(Click(first.id))
        await page.lane.act(Press("Control+a"))
        await page.lane.act(Press("Control+b"))
        await page.lane.act(MarkText(first.id, first.value.split()[1]))
        await page.lane.act(Click("text color"))
        page.seen = await page.lane.act(Click("color #de0000"))
        return first.value, editor(page).value

    text, value = visit("widgets/text-editor/0", styled)
    one, two, rest = text.split(" ", 2)
    assert value == f"[{one} : bold][{two}: bold, color #de0000][ {rest}: bold]"
