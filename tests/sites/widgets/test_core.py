"""The core in a browser: a verdict that scripts can only lose, and the public protocol."""

from __future__ import annotations

import json

import pytest

from agent.interface import Click, Goto, Type

LOGIN = "widgets/login-user/3"
WIN = """
    [...query.textContent.matchAll(/"([^"]*)"/g)].forEach(([, text], n) => {
      [username, password][n].value = text;
    });
"""


# What voids it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("core.endEpisode(1)", "core.endEpisode was called by a script"),
        ("core.endEpisode(1, true, 'won')", "core.endEpisode was called by a script"),
        ("WOB_REWARD_GLOBAL = 1", "WOB_REWARD_GLOBAL was set by a script"),
        ("window.WOB_RAW_REWARD_GLOBAL = 1; WOB_DONE_GLOBAL = true", "WOB_RAW_REWARD_GLOBAL was"),
        (WIN + "subbtn.click()", "an untrusted click event"),
        (
            WIN + "const b = subbtn; b.remove(); b.dispatchEvent(new MouseEvent('click'))",
            "an untrusted click event",
        ),
        ("password.dispatchEvent(new Event('input', {bubbles: true}))", "an untrusted input event"),
        (
            "core.getDOMInfo(); core.elementClick(Number(subbtn.dataset.wob_ref))",
            "an untrusted click event",
        ),
        ("core.startEpisodeReal()", "another episode was started"),
        ("genProblem()", "genProblem was called by a script"),
        ("Math.seedrandom(1)", "Math.seedrandom was called during the episode"),
    ],
)
def test_what_a_script_does_is_worth_nothing_and_is_named(visit, script, reason):
    async def tampered_with(page):
        await page.js(script + "; 0")
        score = await page.settled()
        return score, await page.js("WOB_RAW_REWARD_GLOBAL")

    score, _ = visit(LOGIN, tampered_with)
    assert not score.success and not score.success_published
    assert (score.progress, score.reward, score.reward_strict) == (0, 0, 0)
    [tampered] = [check for check in score.checks if check.name == "nothing was tampered with"]
    assert not tampered.held and reason in tampered.found, tampered.found


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("Date.now = () => 0", "now was replaced"),
        ("Selection.prototype.toString = () => ''", "toString was replaced"),
        ("window.Date = class {}", "Date was replaced"),
        ("Performance.prototype.now = () => 0", "now was replaced"),
        ("performance.now = () => 0", "now was replaced"),
        ("window.setTimeout = () => 0", "setTimeout was replaced"),
        ("Math.random = () => 0", "Math.random was replaced"),
        ("Array.prototype.every = () => true", "every was replaced"),
        (
            "CanvasRenderingContext2D.prototype.isPointInPath = () => true",
            "isPointInPath was replaced",
        ),
        ("core.EPISODE_MAX_TIME = 1e9", "the time limit was set"),
    ],
)
def test_a_patched_page_is_worth_nothing_even_when_it_is_played_well(visit, script, reason):
    async def patched(page):
        await page.js(script + "; 0")
        await page.solve()
        return await page.settled()

    score = visit(LOGIN, patched)
    assert not score.success and score.reward == 0 and score.progress == 0
    [row] = [check for check in score.checks if check.name == "nothing was tampered with"]
    assert not row.held and reason in row.found, row.found


def test_fields_that_a_script_fills_are_not_the_user_s(visit):
    async def filled(page):
        await page.js(WIN + "0")
        await page.lane.act(Click("Login"))
        return await page.settled()

    score = visit(LOGIN, filled)
    assert not score.success and score.progress == 0
    assert "was set by a script" in score.checks[1].found


def test_a_focus_that_a_script_gives_is_only_worth_the_public_reward(visit):
    async def focused(page):
        await page.js("tt.focus(); 0")
        return await page.settled(), await page.js("WOB_RAW_REWARD_GLOBAL")

    score, public = visit("widgets/focus-text/3", focused)
    assert public == 1 and not score.success and not score.success_published
    assert "the focus was given by a script" in str(score.checks)


def test_a_wrapper_around_the_end_changes_only_what_is_public(visit):
    """As BrowserGym wraps it; here it lies."""

    async def wrapped(page):
        await page.js("const end = core.endEpisode; core.endEpisode = () => end(1); 0")
        await page.lane.act(Click("Login"))
        return await page.settled(), await page.js("[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]")

    score, public = visit(LOGIN, wrapped)
    assert public == [True, 1] and score.reward == -1 and not score.success


def test_a_second_chance_does_not_count(visit):
    async def second_chance(page):
        await page.lane.act(Click("Login"))
        page.seen = await page.lane.act(Click("START"))
        await page.solve()
        return await page.settled(), len(page.world.snapshot()["verdicts"])

    score, verdicts = visit(LOGIN, second_chance)
    assert verdicts == 2 and not score.success and score.reward == -1


def test_loading_the_page_again_is_leaving_it(visit):
    async def reloaded(page):
        page.seen = await page.lane.act(Goto(page.scenario.start))
        await page.solve()
        return await page.settled()

    score = visit(LOGIN, reloaded)
    assert not score.success and score.reward == 0 and score.progress == 0


def test_a_page_that_the_harness_set_back_counts_again(visit):
    async def restored(page):
        mark = page.world.fork()
        await page.lane.act(Click("Login"))
        page.world.restore(mark)
        page.seen = await page.lane.act(Goto(page.scenario.start))
        await page.solve()
        return await page.settled()

    assert visit(LOGIN, restored).success


def test_another_seed_is_another_task(visit):
    async def elsewhere(page):
        page.world.restore(page.world.fork())
        page.seen = await page.lane.act(Goto("/miniwob/login-user.html?seed=4&variant=standard"))
        await page.solve()
        return await page.settled()

    score = visit(LOGIN, elsewhere)
    assert not score.success and not score.checks[0].held and score.progress == 0


# Progress ----------------------------------------------------------------------------------------


def test_controls_count_before_the_end(visit):
    async def halfway(page):
        [field, *_] = page.seen.elements
        shares = [(await page.settled()).progress]
        user = (await page.js("query.textContent")).split('"')[1]
        for text in (user[:-1], user, user + "x"):
            await page.lane.act(Type(field.id, text))
            shares.append((await page.settled()).progress)
        return shares

    assert visit(LOGIN, halfway) == [0, 0, 0.5, 0]


# Time --------------------------------------------------------------------------------------------


def test_time_passes_with_actions_only(visit):
    async def timed(page):
        before = await page.js("[Date.now(), performance.now()]")
        await page.settled()
        unchanged = await page.js("[Date.now(), performance.now()]")
        await page.lane.act(Type(1, "x"))
        return before, unchanged, await page.js("[Date.now(), performance.now()]")

    before, unchanged, after = visit(LOGIN, timed)
    assert before == unchanged == [1_768_478_400_000, 0]
    assert after == [1_768_478_400_100, 100]


def test_the_reward_shrinks_with_time(visit):
    async def slow(page):
        page.seen = await page.lane.wait(5000)
        await page.solve()
        return await page.settled()

    score = visit(LOGIN, slow)
    assert score.success and score.reward == pytest.approx(0.48)


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        ("", 10),
        ("&seconds=45", 45),
        ("&seconds=999999", 999_999),
        ("&variant=easy", 1000),
        ("&variant=easy&seconds=45", 45),
    ],
)
def test_the_address_may_give_another_time(visit, query, seconds):
    async def timed(page):
        page.seen = await page.lane.act(Goto(f"/miniwob/login-user.html?seed=3{query}"))
        early = await page.js("[core.EPISODE_MAX_TIME, WOB_DONE_GLOBAL]")
        await page.lane.wait(20_000)
        return early, await page.js(STATE)

    early, late = visit(LOGIN, timed)
    assert early == [1000 * seconds, False]
    over = [-1, -1, "timed out", True, 1] if seconds < 20 else [0, 0, None, False, 0]
    assert late == over


# The protocol ------------------------------------------------------------------------------------


def test_an_instruction_with_fields_tells_them(visit):
    async def utterance(page):
        return await page.js("core.getUtterance()")

    reply = visit("widgets/guess-number/1", utterance)
    assert reply["utterance"].startswith("Guess the number") and reply["fields"] == {}
    reply = visit("widgets/email-inbox-forward-nl/1", utterance)
    assert {"by", "to"} <= reply["fields"].keys() and reply["fields"]["by"] in reply["utterance"]


def test_without_a_seed_it_waits_under_the_cover(visit):
    async def plain(page):
        page.seen = await page.lane.act(Goto("/miniwob/login-user.html"))
        names = [element.name for element in page.seen.elements]
        page.seen = await page.lane.act(Click("START"))
        return names, await page.js("core.getUtterance()"), page.seen

    names, utterance, seen = visit(LOGIN, plain)
    assert names == ["START"] and utterance.startswith("Enter the username")
    assert [element.name for element in seen.elements] == ["Username", "Password", "Login"]


def test_the_public_globals_are_what_drivers_poll(visit):
    async def driven(page):
        states = [await page.js(STATE)]
        await page.lane.wait(2500)
        await page.solve()
        states.append(await page.js(STATE))
        await page.js("core.startEpisodeReal()")
        states.append(await page.js(STATE))
        await page.lane.wait(10_000)
        states.append(await page.js(STATE))
        return states

    assert visit(LOGIN, driven) == [
        [0, 0, None, False, 0],
        [0.73, 1, None, True, 1],
        [0, 0, None, False, 1],
        [-1, -1, "timed out", True, 2],
    ]


STATE = (
    "[WOB_REWARD_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_REASON, WOB_DONE_GLOBAL, WOB_EPISODE_ID]"
)


def test_only_the_first_end_counts_and_none_before_the_start(visit):
    async def ended(page):
        await page.js("core.endEpisode(0.25, false, 'a'); core.endEpisode(1)")
        return await page.js(STATE)

    assert visit(LOGIN, ended) == [0.25, 0.25, "a", True, 1]


def test_dom_info_names_every_element_once_and_clicks_by_it(visit):
    async def asked(page):
        info = await page.js("core.getDOMInfo()")
        repeated = await page.js("core.getDOMInfo()")
        button = next(each for each in _flat(info) if each["id"] == "subbtn")
        answer = await page.js(f"core.elementClick({button['ref']})")
        wrong = await page.js("core.elementClick(999)")
        return info, repeated, answer, wrong, await page.js("WOB_RAW_REWARD_GLOBAL")

    info, repeated, answer, wrong, reward = visit(LOGIN, asked)
    flat = _flat(info)
    assert [each["ref"] for each in flat if each["ref"] > 0] == list(
        range(1, 1 + sum(each["ref"] > 0 for each in flat))
    )
    assert {each["ref"] for each in flat if each["ref"] < 0}.isdisjoint(
        each["ref"] for each in _flat(repeated) if each["ref"] < 0
    )
    tags = [each["tag"] for each in flat]
    assert tags.count("INPUT_text") == tags.count("INPUT_password") == 1
    assert "query" not in {each["id"] for each in flat}
    assert answer is True and "no element 999" in wrong and reward == -1


def _flat(info):
    return [info] + [each for child in info["children"] for each in _flat(child)]


def test_dom_info_flattened_holds_each_by_its_reference(visit):
    async def asked(page):
        info = await page.js("core.getDOMInfo()")
        return info, await page.js(f"core.flattenDOMInfo({json.dumps(info)})")

    info, flattened = visit(LOGIN, asked)
    assert flattened == {str(each["ref"]): each for each in _flat(info)}


DISPLAY = """
    [lastReward, meanReward, board] = ["reward-last", "reward-avg", "reward-display"]
      .map((id) => document.getElementById(id));
    [lastReward.textContent, meanReward.textContent, lastReward.style.color, meanReward.style.color,
      board.checkVisibility()]
"""


def test_the_display_shows_the_last_reward_and_the_mean_of_ten(visit):
    async def driven(page):
        shown = [await page.js("core.endEpisode(0.5);" + DISPLAY)]
        shown.append(await page.js("core.updateDisplay(-1);" + DISPLAY))
        nine = "for (let n = 0; n < 9; n++) core.updateDisplay(1);"
        shown.append(await page.js(nine + DISPLAY))
        shown.append(await page.js("core.hideDisplay(); core.createDisplay();" + DISPLAY))
        return shown

    assert visit(LOGIN, driven, posts=True) == [
        ["0.50", "0.50", "rgb(127, 180, 0)", "rgb(127, 180, 0)", True],
        ["-1.00", "-0.25", "rgb(255, 0, 0)", "rgb(255, 135, 0)", True],
        ["1.00", "0.80", "rgb(0, 180, 0)", "rgb(50, 180, 0)", True],
        ["1.00", "0.80", "rgb(0, 180, 0)", "rgb(50, 180, 0)", False],
    ]


def test_a_page_of_which_no_script_came_says_so(foreign, runner):
    async def without():
        page = await foreign.new_page()
        await page.route("**/*", lambda route: route.fulfill(body=HTML, content_type="text/html"))
        await page.goto("http://widgets.localhost/miniwob/login-user.html")
        text = await page.inner_text("body")
        await page.close()
        return text

    from scenarios import registry

    whole = registry.site_data("widgets").pages["login-user"].html
    HTML = whole.replace("<script", "<template").replace("</script", "</template")  # noqa: N806
    assert "could not load its scripts" in runner.run(without())


def test_word_lists_hold_clean_and_different_words(visit):
    async def read(page):
        return await page.js(
            "[words.NAMES, words.FIRST_NAMES, words.LAST_NAMES, words.COUNTRIES, words.LATIN]"
        )

    lists = visit(LOGIN, read)
    assert [len(each) for each in lists[:3]] == [50, 400, 400] and len(lists[3]) > 230
    for each in lists:
        assert len(set(each)) == len(each)
        assert all(word and word == " ".join(word.split()) for word in each)
