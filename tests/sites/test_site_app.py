from __future__ import annotations

from pathlib import Path

import jinja2
import pytest
from flask import Flask, request

from sites.site_app import BODY_LIMIT, Refusal, check_csrf, create_site, csrf_token, enter
from sites.world import World, WorldClosed, Worlds

ERROR = (
    "{{ refusal.status }}|{{ title }}|{{ refusal.sentence }}|{{ refusal.link }}|"
    "{{ world.session if world }}"
)
SCHEMA = "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)"


def world(session: str) -> World:
    return World(SCHEMA, session)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "error.html").write_text(ERROR)
    return tmp_path


def site(folder: Path, worlds: Worlds, open_session=None) -> Flask:
    """A site `toy` with a page, a form, and pages that fail in three ways."""
    app = create_site("toy", folder, worlds, open_session)

    @app.get("/<session>/page")
    def page(session):
        return f"{enter(session).session} {csrf_token()}"

    @app.post("/<session>/change")
    def change(session):
        place = enter(session)
        check_csrf()
        place.write("INSERT INTO things (name) VALUES (?)", (request.form["name"],))
        return "changed"

    @app.get("/fails/<how>")
    def fail(how):
        if how == "refusal":
            raise Refusal(404, "Not <here>.", "/there", "There")
        if how == "closed":
            raise WorldClosed("over")
        raise RuntimeError("secret detail")

    return app


def test_a_template_is_compiled_once_for_all_applications(folder, monkeypatch):
    first = site(folder, Worlds()).test_client().get("/fails/refusal")
    monkeypatch.delattr(jinja2.Environment, "_generate")
    second = site(folder, Worlds()).test_client().get("/fails/refusal")
    assert first.text == second.text == "404|We cannot find that|Not &lt;here&gt;.|/there|"


def test_a_template_that_was_changed_is_compiled_again(folder):
    site(folder, Worlds()).test_client().get("/fails/refusal")
    (folder / "templates" / "error.html").write_text("changed")
    assert site(folder, Worlds()).test_client().get("/fails/refusal").text == "changed"


@pytest.mark.parametrize("host", ["toy.localhost", "127.0.0.1", "localhost", "localhost:80"])
def test_our_own_hosts_are_served(folder, host):
    worlds = Worlds()
    worlds.publish(world("s"))
    answer = site(folder, worlds).test_client().get("/s/page", headers={"Host": host})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "store.localhost",
        "toy.localhost.evil.example",
        "toy.localhost:81",
        "localhost:8080",
        "user@localhost",
        "localhost@evil.example",
        "localhost.",
        "LOCALHOST/..",
        "[::1]",
        "0.0.0.0",
        "127.0.0.2",
        "2130706433",
        "local host",
        "\xff",
    ],
)
@pytest.mark.parametrize("path", ["/s/page", "/nowhere", "/static/x", "/shared/text.woff2"])
def test_other_hosts_are_refused_everywhere(folder, host, path):
    worlds = Worlds()
    worlds.publish(world("s"))
    answer = site(folder, worlds).test_client().get(path, headers={"Host": host})
    assert answer.status_code == 400
    assert "http://127.0.0.1:80/" in answer.text


@pytest.mark.parametrize("path", ["/s/page", "/nowhere", "/shared/text.woff2", "/fails/refusal"])
def test_every_answer_carries_the_security_headers(folder, path):
    with site(folder, Worlds()).test_client().get(path) as answer:
        headers = answer.headers
    assert headers["Content-Security-Policy"].startswith("default-src 'self';")
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    kept = "public, max-age=3600" if "shared" in path else "no-store"
    assert headers["Cache-Control"] == kept
    assert "Set-Cookie" not in headers


def test_a_cookie_leads_to_its_own_world_only(folder):
    worlds = Worlds()
    token = worlds.admit(world("mine"))
    worlds.publish(world("other"))
    client = site(folder, worlds).test_client()
    client.set_cookie("rehearse", token)
    assert client.get("/mine/page").text.startswith("mine ")
    refused = client.get("/other/page")
    assert refused.status_code == 404
    assert "not your session" in refused.text
    assert refused.text.endswith("|mine")


@pytest.mark.parametrize("token", ["0" * 32, "x", "é", "a" * 4000])
def test_an_unknown_cookie_opens_nothing(folder, token):
    worlds = Worlds()
    worlds.publish(world("s"))
    client = site(folder, worlds, world).test_client()
    client.set_cookie("rehearse", token)
    assert client.get("/s/page").status_code == 404
    assert client.get("/new/page").status_code == 404


def test_without_cookie_only_published_worlds_are_found(folder):
    worlds = Worlds()
    worlds.admit(world("hidden"))
    worlds.publish(world("s"))
    client = site(folder, worlds).test_client()
    assert client.get("/s/page").status_code == 200
    assert client.get("/hidden/page").status_code == 404
    assert client.get("/unknown/page").status_code == 404
    assert worlds.find(None, "unknown") is None


def test_sessions_are_opened_once_where_that_is_asked_for(folder):
    worlds, opened = Worlds(), []

    def open_session(session: str) -> World:
        opened.append(session)
        return world(session)

    client = site(folder, worlds, open_session).test_client()
    assert client.get("/new/page").status_code == 200
    assert client.get("/new/page").status_code == 200
    assert opened == ["new"]


@pytest.mark.parametrize("name", ["evaluate", "finish", "static", "a b", "-x", "é", "x" * 65])
def test_names_that_are_no_sessions_are_never_opened(folder, name):
    client = site(folder, Worlds(), world).test_client()
    assert client.get(f"/{name}/page").status_code == 404


def form_token(client, session: str = "s") -> str:
    return client.get(f"/{session}/page").text.split()[1]


def test_a_form_needs_the_token_of_its_own_visitor(folder):
    worlds = Worlds()
    first, second = world("s"), world("t")
    worlds.publish(first)
    worlds.publish(second)
    app = site(folder, worlds)
    client = app.test_client()
    for token in ("", "x", "é", form_token(client, "t"), form_token(client) + "0"):
        answer = client.post("/s/change", data={"csrf": token, "name": "a"})
        assert answer.status_code == 400
        assert "not from our page" in answer.text
    assert client.post("/s/change", data={"name": "a"}).status_code == 400
    assert first.snapshot() == second.snapshot()
    good = {"csrf": form_token(client), "name": "a"}
    assert client.post("/s/change", data=good).status_code == 200
    assert len(first.snapshot()["things"]) == 1


def test_the_token_of_one_application_is_worth_nothing_in_another(folder):
    worlds = Worlds()
    worlds.publish(world("s"))
    one, two = (site(folder, worlds).test_client() for _ in range(2))
    assert form_token(one) == form_token(one)
    stolen = {"csrf": form_token(one), "name": "a"}
    assert two.post("/s/change", data=stolen).status_code == 400


def test_two_episodes_of_one_session_have_different_tokens(folder):
    worlds = Worlds()
    app = site(folder, worlds)
    tokens = set()
    for _ in range(2):
        client = app.test_client()
        client.set_cookie("rehearse", worlds.admit(world("s")))
        tokens.add(form_token(client))
    assert len(tokens) == 2


def test_a_refusal_is_a_page_with_a_way_on(folder):
    answer = site(folder, Worlds()).test_client().get("/fails/refusal")
    assert answer.status_code == 404
    assert answer.text == "404|We cannot find that|Not &lt;here&gt;.|/there|"


def test_an_episode_that_lost_its_way_is_led_back(folder):
    worlds = Worlds()
    client = site(folder, worlds).test_client()
    assert client.get("/no/such/page").text.endswith("|")
    client.set_cookie("rehearse", worlds.admit(world("mine")))
    assert client.get("/no/such/page").text.endswith("|mine")


def test_a_closed_world_refuses_changes(folder):
    assert site(folder, Worlds()).test_client().get("/fails/closed").status_code == 409
    worlds, place = Worlds(), world("s")
    worlds.publish(place)
    client = site(folder, worlds).test_client()
    good = {"csrf": form_token(client), "name": "a"}
    place.close()
    answer = client.post("/s/change", data=good)
    assert answer.status_code == 409
    assert "nothing was changed" in answer.text
    assert place.snapshot()["things"] == []


def test_a_fault_of_ours_shows_no_traceback(folder, caplog):
    answer = site(folder, Worlds()).test_client().get("/fails/bug")
    assert answer.status_code == 500
    assert answer.text.startswith("500|Something went wrong|")
    assert "secret detail" not in answer.text
    assert "Traceback" not in answer.text
    assert "secret detail" in caplog.text


def test_a_fault_of_ours_is_left_in_the_visitors_world(folder):
    worlds, place = Worlds(), world("s")
    client = site(folder, worlds).test_client()
    client.set_cookie("rehearse", worlds.admit(place))
    client.get("/fails/refusal")
    assert place.fault == ""
    client.get("/fails/bug")
    assert place.fault.startswith("GET /fails/bug: ") and "secret detail" in place.fault
    assert place.fork().fault == ""


def test_bodies_are_limited(folder):
    worlds = Worlds()
    worlds.publish(world("s"))
    client = site(folder, worlds).test_client()
    for size, status in ((BODY_LIMIT + 1, 413), (10_000_000, 413), (100, 400)):
        answer = client.post("/s/change", data={"name": "x" * size})
        assert answer.status_code == status
    many = client.post("/s/change", data={f"n{i}": "x" for i in range(2000)})
    assert many.status_code in (400, 413)


def test_a_wrong_method_names_the_right_one(folder):
    answer = site(folder, Worlds()).test_client().delete("/s/change")
    assert answer.status_code == 405
    assert "POST" in answer.headers["Allow"]


def test_an_unknown_word_in_a_template_is_an_error(folder):
    app = site(folder, Worlds())
    with app.test_request_context("/"), pytest.raises(Exception, match="undefined"):
        app.jinja_env.from_string("{{ nothing_like_this }}").render()
