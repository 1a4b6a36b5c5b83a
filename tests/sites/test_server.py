from __future__ import annotations

import contextlib
import http.client
import socket
import sys
import threading

import pytest
from flask import Flask

from sites.server import PortInUse, Server
from tests.measuring import HANG


def hello() -> Flask:
    app = Flask("hello")
    app.add_url_rule("/", view_func=lambda: "hello")
    return app


def get(port: int, path: str = "/") -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def site_threads() -> list[threading.Thread]:
    return [
        thread
        for thread in threading.enumerate()
        if thread.name.startswith(("site on", "waitress"))
    ]


def test_a_request_sent_before_start_is_answered_after_it():
    server = Server(hello())
    early = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
    early.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    with server:
        with early.makefile("rb") as stream:
            assert stream.read().endswith(b"hello")
        early.close()


def test_a_closed_server_leaves_no_thread_and_no_port():
    before = set(site_threads())
    with Server(hello()) as server:
        assert get(server.port) == (200, "hello")
        assert set(site_threads()) > before
    assert set(site_threads()) == before
    with pytest.raises(ConnectionRefusedError):
        get(server.port)


def test_a_server_closes_while_a_connection_is_open():
    with Server(hello()) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)
        connection.request("GET", "/")
        connection.getresponse().read()
    assert connection.sock.recv(1) == b""
    connection.close()


@pytest.fixture
def threads_that_change_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("threads_that_change_often")
def test_a_server_closes_while_its_loop_is_woken_by_others_too():
    """Who answers a request wakes the loop by the pipe by which `close` wakes it."""
    for _ in range(100):
        server, done = Server(hello()).start(), threading.Event()
        wake = server._waitress.pull_trigger

        def waking(wake=wake, done=done):
            with contextlib.suppress(OSError):  # nobody listens any more
                while not done.is_set():
                    wake()

        other = threading.Thread(target=waking)
        other.start()
        try:
            server.close()
        finally:
            done.set()
            other.join()


def test_closing_twice_or_without_start_is_fine():
    server = Server(hello())
    server.close()
    server.close()


def test_the_given_port_is_used_and_free_again_afterwards():
    with Server(hello()) as first:
        port = first.port
        assert first.url == f"http://127.0.0.1:{port}"
    with Server(hello(), port) as second:
        assert get(second.port)[0] == 200


@pytest.mark.parametrize("port", [-1, 65_536, 10**12])
def test_what_is_no_port_is_one_clear_line(port):
    with pytest.raises(PortInUse, match=rf"^cannot listen on 127\.0\.0\.1:{port} .*give another"):
        Server(hello(), port)


def test_a_port_in_use_is_one_clear_line():
    taken = Server(hello())
    try:
        with pytest.raises(PortInUse) as caught:
            Server(hello(), taken.port)
        assert str(taken.port) in str(caught.value)
        assert "give another port" in str(caught.value)
        assert "\n" not in str(caught.value)
    finally:
        taken.close()


def test_only_loopback_is_listened_to():
    server = Server(hello())
    try:
        assert server._socket.getsockname()[0] == "127.0.0.1"
    finally:
        server.close()


def test_many_requests_at_once_are_all_answered(caplog):
    with Server(hello()) as server:
        answers: list[tuple[int, str]] = []
        threads = [
            threading.Thread(target=lambda: answers.append(get(server.port))) for _ in range(24)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == [(200, "hello")] * 24
    assert not caplog.records
