"""Who is let in: the token, the host, and where the request comes from."""

from __future__ import annotations

from urllib.parse import quote

import pytest

PATHS = [
    ("GET", "/"),
    ("GET", "/generate-random-scenario"),
    ("GET", "/evaluate?scenario=x"),
    ("POST", "/finish"),
    ("POST", "/draw"),
    ("GET", "/scenario/x"),
    ("GET", "/nowhere"),
]
NAMED = "control.localhost:5055"
PERSON = {"Authorization": None, "Sec-Fetch-Site": "none", "Host": NAMED}


def cookie_of(call) -> str:
    answer = call.get(f"/?token={call.token}", headers=PERSON)
    assert answer.status_code == 302 and answer.headers["Location"] == "/"
    return answer.headers["Set-Cookie"]


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize(
    "header", [None, "", "Bearer", "Bearer ", "Bearer x", "Basic eDp5", "Bearer é", "{token}"]
)
def test_without_the_token_nothing_is_said(call, served, method, path, header):
    before = len([*served.sessions])
    header = header and header.format(token=call.token)
    answer = call(method, path, headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert [*answer.json] == ["error"] and "rehearse serve" in answer.json["error"]
    assert len([*served.sessions]) == before


@pytest.mark.parametrize("offered", ["wrong", "", "é%ff"])
def test_a_wrong_token_in_the_address_gives_no_cookie(call, offered):
    answer = call.get(f"/?token={offered}", headers=PERSON)
    assert answer.status_code == 401 and "Set-Cookie" not in answer.headers


def test_a_person_without_the_token_gets_a_field_for_it(call):
    page = {**PERSON, "Accept": "text/html"}
    sent = call.get("/", headers={**page, "Host": "127.0.0.1:5055"})
    assert (sent.status_code, sent.headers["Location"]) == (302, f"http://{NAMED}/")
    asked = call.get("/", headers=page)
    assert asked.status_code == 401 and '<input name="token" type="password"' in asked.text
    brought = call.get(f"/?token={call.token}", headers={**page, "Sec-Fetch-Site": "same-origin"})
    assert brought.status_code == 302 and "Set-Cookie" in brought.headers
    elsewhere = call.get("/scenario/x", headers={**page, "Host": "127.0.0.1:5055"})
    assert elsewhere.status_code == 401 and "<input" not in elsewhere.text
    assert f'href="http://{NAMED}/"' in elsewhere.text


@pytest.mark.parametrize("offered", ["wrong", "a&b=c", "é"])
def test_a_person_with_a_wrong_token_is_told_and_gets_the_field(call, offered):
    """A browser sends the cookies of sites on other ports of the same host, too."""
    page = {**PERSON, "Accept": "text/html", "Cookie": "session-forum-5056=1"}
    sent = call.get(f"/?token={quote(offered)}", headers={**page, "Host": "127.0.0.1:5055"})
    assert sent.status_code == 302 and sent.headers["Location"].startswith(f"http://{NAMED}/?")
    asked = call.get(sent.headers["Location"].removeprefix(f"http://{NAMED}"), headers=page)
    assert asked.status_code == 401 and '<input name="token" type="password"' in asked.text
    assert "This token is wrong" in asked.text
    first = call.get("/", headers={**page, "Host": "127.0.0.1:5055"})
    assert (first.status_code, first.headers["Location"]) == (302, f"http://{NAMED}/")
    assert "The token is missing" in call.get("/", headers=page).text


def test_the_token_counts_in_the_address_of_the_first_page_only(call):
    path = f"/generate-random-scenario?token={call.token}"
    assert call.get(path, headers={"Authorization": None}).status_code == 401


def test_the_scheme_may_be_written_in_any_case(call):
    headers = {"Authorization": f"bearer {call.token}"}
    assert call.get("/generate-random-scenario?seed=1", headers=headers).status_code == 200


def test_the_cookie_is_for_our_pages_only_and_does_not_tell_the_token(call):
    cookie = cookie_of(call)
    assert "SameSite=Strict" in cookie and "HttpOnly" in cookie
    assert call.token not in cookie
    value = cookie.split(";")[0]
    inside = {**PERSON, "Cookie": value}
    assert call.get("/", headers=inside).status_code == 200
    assert call.get("/", headers={**inside, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    bearer = {"Authorization": f"Bearer {value.split('=')[1]}"}
    assert call.get("/", headers=bearer).status_code == 401


def test_the_cookie_does_not_count_where_the_browser_does_not_say_who_sends(call):
    """Old browsers do not, and a page of another port could send it there."""
    headers = {"Authorization": None, "Host": NAMED, "Cookie": cookie_of(call).split(";")[0]}
    assert call.get("/", headers=headers).status_code == 401


def test_two_control_planes_on_one_machine_keep_their_own_cookies(call):
    other = call.get(
        f"/?token={call.token}",
        headers={**PERSON, "Host": "control.localhost:6000"},
        environ={"SERVER_PORT": "6000"},
    )
    assert other.headers["Set-Cookie"].split("=")[0] != cookie_of(call).split("=")[0]


@pytest.mark.parametrize("site", ["same-site", "cross-site", "", "none, none", "NONE"])
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_another_page_is_refused_even_with_the_token(call, site, method, path):
    answer = call(method, path, headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert "yourself" in answer.json["error"]


def test_another_page_cannot_set_the_cookie(call):
    answer = call.get(f"/?token={call.token}", headers={"Sec-Fetch-Site": "same-site"})
    assert answer.status_code == 403 and "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1", "127.0.0.1:1", "store.localhost:5055", "[::1]:5055", "", "a b"],
)
def test_another_host_is_refused(call, host):
    answer = call.get("/", headers={"Host": host})
    assert answer.status_code == 400
    assert f"http://{NAMED}/" in answer.json["error"]


def test_localhost_is_a_name_of_ours(call):
    assert call.get("/", headers={"Host": "localhost:5055"}).status_code == 200


def test_what_a_refusal_looks_like_needs_no_token_but_holds_nothing(call):
    def status(path, **headers):
        with call.get(path, headers={**PERSON, **headers}) as answer:
            return answer.status_code

    assert status("/static/control.css") == status("/shared/text.woff2") == 200
    assert status("/static/../app.py") in (401, 404)
    assert status("/static/control.css", **{"Sec-Fetch-Site": "same-site"}) == 403


def test_no_page_may_frame_or_read_the_control_plane(call):
    for path in ("/", "/nowhere", "/evaluate"):
        headers = call.get(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-store"
        assert "Access-Control-Allow-Origin" not in headers
