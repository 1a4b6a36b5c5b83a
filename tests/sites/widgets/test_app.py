"""The widgets' addresses: pages, loads and reports, and what is refused."""

from __future__ import annotations

import pytest
from markupsafe import escape

from sites.site_app import COOKIE
from sites.widgets import create_app, load_data, new_world
from sites.world import WorldClosed, Worlds

DATA = load_data()
START = "/miniwob/click-button.html?seed=7&variant=standard"
VERDICT = {
    "kind": "verdict", "episode": 1, "moment": 2, "raw": 1, "reward": 0.9, "reason": "",
    "seconds": 1.5, "share": 1, "tainted": "",
}  # fmt: skip


@pytest.fixture
def worlds():
    return Worlds()


@pytest.fixture
def client(worlds):
    return create_app(DATA, worlds).test_client()


@pytest.fixture
def world(worlds, client):
    """A world that the client has the cookie of."""
    made = new_world("abc", START)
    client.set_cookie(COOKIE, worlds.admit(made), domain="localhost")
    return made


def load(client, **changes):
    sent = {"task": "click-button", "seed": "7", "variant": "standard", "mode": "default"}
    return client.post("/load", json={**sent, "scenario": "", **changes})


# Pages --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["", "?seed=7", "?seed=999999999&variant=easy", "?mode=test"])
def test_a_task_page_is_served_whole(client, query):
    answer = client.get(f"/miniwob/login-user.html{query}")
    assert answer.status_code == 200 and answer.text == DATA.pages["login-user"].html
    policy = answer.headers["Content-Security-Policy"]
    assert "'unsafe" not in policy and DATA.pages["login-user"].scripts[0] in policy


@pytest.mark.parametrize(
    ("path", "status", "message"),
    [
        ("/miniwob/click-buton.html", 404, "no task &#39;click-buton&#39;"),
        ("/miniwob/login-user.html?seed=x", 400, "seed &#39;x&#39; is no whole number"),
        ("/miniwob/login-user.html?seed=", 400, "seed &#39;&#39; is no whole number"),
        ("/miniwob/login-user.html?seed=-1", 400, "seed"),
        ("/miniwob/login-user.html?seed=1234567890", 400, "seed"),
        ("/miniwob/login-user.html?variant=hard", 400, "standard and easy"),
        ("/miniwob/login-user.html?seconds=0", 400, "whole number from 1 to 999999"),
        ("/miniwob/login-user.html?seconds=1000000", 400, "whole number from 1 to 999999"),
        ("/miniwob/login-user.html?seconds=1e3", 400, "The seconds &#39;1e3&#39; are no whole"),
        ("/miniwob/login-user.html?seconds=", 400, "The seconds &#39;&#39; are no whole"),
        (
            "/miniwob/login-user.html?variant=pixels",
            400,
            "no variant &#39;pixels&#39; of login-user",
        ),
        ("/miniwob/compose-3.html?seed=1&variant=pixels", 400, "of compose-3; there are standard"),
        ("/play/login-user?variant=pixels", 400, "no variant &#39;pixels&#39;"),
        (
            "/miniwob/login-user.html?scenario=nobody",
            404,
            "Nobody has opened a visit at this address",
        ),
        ("/miniwob/%3Cscript%3E.html", 404, "&lt;script&gt;"),
    ],
)
def test_what_there_is_not_is_a_page_with_a_sentence(client, path, status, message):
    answer = client.get(path)
    assert answer.status_code == status and message in answer.text
    assert "<h1>" in answer.text


def test_a_visitor_with_a_world_is_led_to_the_task(client, worlds):
    worlds.publish(new_world("s1", START))
    assert client.get("/?scenario=s1").headers["Location"] == f"{START}&scenario=s1"
    assert client.get("/?scenario=s2").status_code == 404


def test_the_time_of_the_address_goes_with_the_visitor(client, worlds):
    worlds.publish(new_world("s1", START))
    led = client.get("/?scenario=s1&seconds=1000")
    assert led.headers["Location"] == f"{START}&scenario=s1&seconds=1000"
    assert client.get(led.headers["Location"]).status_code == 200
    assert client.get("/?scenario=s1&seconds=-1").status_code == 400


# The gallery --------------------------------------------------------------------------------------


def test_the_gallery_shows_every_task(client):
    home = client.get("/").text
    for name, page in DATA.pages.items():
        assert f'href="/play/{name}"' in home and f'src="/still/{name}.svg"' in home
        assert escape(page.title) in home


def test_a_still_is_a_picture_that_loads_nothing(client):
    answer = client.get("/still/login-user.svg")
    assert answer.mimetype == "image/svg+xml" and "Username" in answer.text
    assert "url(" not in answer.text and "<script" not in answer.text
    assert client.get("/still/nothing.svg").status_code == 404


def test_a_task_is_played_with_any_seed_and_variant(client):
    page = client.get("/play/login-user?seed=41&variant=easy").text
    assert 'src="/miniwob/login-user.html?seed=41&amp;variant=easy"' in page
    assert 'href="/play/login-user?seed=42&amp;variant=easy"' in page
    assert "seed=1&amp;" in client.get("/play/login-user").text
    assert client.get("/play/login-user?seed=x").status_code == 400
    assert client.get("/play/nothing").status_code == 404


def test_a_page_that_can_draw_on_a_canvas_has_a_variant_more(client):
    for path in ("/miniwob/click-shape.html", "/play/click-shape"):
        assert client.get(f"{path}?seed=1&variant=pixels").status_code == 200
    assert "<option selected>pixels" in client.get("/play/click-shape?variant=pixels").text
    assert "<option>pixels" not in client.get("/play/login-user").text


def test_a_task_may_be_framed_by_the_player_and_by_nobody_else(client):
    answer = client.get("/miniwob/login-user.html")
    assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
    assert client.get("/").headers["X-Frame-Options"] == "DENY"


def test_the_core_can_be_cached(client):
    for name in ("core.js", "core.css", "words.js"):
        with client.get(f"/static/{name}") as answer:
            assert answer.cache_control.max_age


# Loads --------------------------------------------------------------------------------------------


def test_a_load_names_a_variant_of_its_page(client, world):
    assert load(client, task="click-shape", variant="pixels").status_code == 200
    refused = load(client, task="login-user", variant="pixels")
    assert refused.status_code == 400 and "standard or easy" in refused.text


def test_without_a_world_nobody_keeps_score(client):
    answer = load(client)
    assert (answer.status_code, answer.data) == (204, b"")


def test_a_load_is_noted_and_given_a_key(client, world):
    keys = [load(client).text, load(client, seed="8", variant="easy").text]
    assert len(set(keys)) == 2 and all(len(key) == 32 for key in keys)
    rows = world.snapshot()["log_loads"]
    assert [(row["seed"], row["variant"], row["restores"]) for row in rows] == [
        ("7", "standard", 0),
        ("8", "easy", 0),
    ]


@pytest.mark.parametrize(
    "changes", [{"task": "x"}, {"task": 5}, {"variant": "x"}, {"seed": 7}, {"seed": "7" * 300}]
)
def test_a_load_that_no_page_sends_is_refused(client, world, changes):
    assert load(client, **changes).status_code == 400
    assert world.snapshot()["log_loads"] == []


def test_a_load_of_a_stranger_is_refused(client, worlds):
    client.set_cookie(COOKIE, "0" * 32, domain="localhost")
    assert load(client).status_code == 404


# Reports ------------------------------------------------------------------------------------------


def test_the_first_verdict_on_an_episode_counts(client, world):
    key = load(client).text
    for raw in (-1, 1):
        sent = {"key": key, **VERDICT, "raw": raw, "reward": raw}
        assert client.post("/report", json=sent).status_code == 204
    client.post("/report", json={"key": key, **VERDICT, "episode": 2})
    rows = world.snapshot()["verdicts"]
    assert [(row["load"], row["episode"], row["raw"]) for row in rows] == [(1, 1, -1), (1, 2, 1)]


def test_a_tainted_verdict_is_worth_nothing(client, world):
    sent = {"key": load(client).text, **VERDICT, "tainted": "an untrusted click event"}
    client.post("/report", json=sent)
    [row] = world.snapshot()["verdicts"]
    assert (row["raw"], row["reward"], row["tainted"]) == (0, 0, "an untrusted click event")


def test_what_the_page_gave_is_kept_where_only_fields_were_set(client, world):
    reason = "the field tt was set by a script"
    client.post("/report", json={"key": load(client).text, **VERDICT, "tainted": reason, "soft": 1})
    [row] = world.snapshot()["verdicts"]
    assert (row["raw"], row["reward"], row["tainted"]) == (1, 0.9, reason)


def test_progress_and_taints_are_the_journal_s(client, world):
    key, digest = load(client).text, world.digest()
    client.post("/report", json={"key": key, "kind": "progress", "episode": 1, "moment": 1,
                                 "share": 0.5})  # fmt: skip
    client.post("/report", json={"key": key, "kind": "tainted", "episode": 1, "reason": "x"})
    after = world.snapshot()
    assert after["log_progress"][0]["share"] == 0.5 and after["log_taints"][0]["reason"] == "x"
    assert world.digest() == digest


@pytest.mark.parametrize(
    "changes",
    [
        {"key": "f" * 32},
        {"key": 5},
        {"kind": "victory"},
        {"kind": ["verdict"]},
        {"raw": 2},
        {"raw": "1"},
        {"raw": True},
        {"reward": float("nan")},
        {"episode": 0},
        {"episode": None},
        {"reason": "x" * 201},
        {"seconds": -1},
        {"share": 1.5},
        {"tainted": None},
        {"soft": None},
        {"soft": 2},
    ],
)
def test_a_report_that_no_page_sends_is_refused(client, world, changes):
    sent = {"key": load(client).text, **VERDICT, **changes}
    answer = client.post("/report", json=sent)
    assert answer.status_code == 400 and answer.text.strip()
    assert world.snapshot()["verdicts"] == []


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'"x"'])
@pytest.mark.parametrize("path", ["/load", "/report"])
def test_what_is_no_object_is_refused(client, world, path, body):
    assert client.post(path, data=body, content_type="application/json").status_code == 400


def test_another_site_s_form_posts_nothing(client, world):
    """A form of another origin can send no JSON without being asked for leave."""
    assert client.post("/load", data={"task": "click-button"}).status_code == 400


def test_a_world_that_is_closed_takes_no_verdict(client, world):
    key = load(client).text
    world.close()
    assert client.post("/report", json={"key": key, **VERDICT}).status_code == 409
    with pytest.raises(WorldClosed):
        world.write("DELETE FROM verdicts")


def test_a_key_leads_to_its_own_world_only(client, worlds, world):
    key, other = load(client).text, new_world("other", START)
    client.set_cookie(COOKIE, worlds.admit(other), domain="localhost")
    client.post("/report", json={"key": key, **VERDICT})
    assert len(world.snapshot()["verdicts"]) == 1 and other.snapshot()["verdicts"] == []


def test_a_load_after_the_world_was_set_back_says_so(client, world):
    load(client)
    world.restore(world.fork())
    load(client)
    assert [row["restores"] for row in world.snapshot()["log_loads"]] == [0, 1]
