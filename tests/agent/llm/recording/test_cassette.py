"""Recordings: what is stored, and that nothing damaged is ever read."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import zlib

import pytest

from agent.llm.completion import completion
from agent.llm.recording.canonical import checked_line, digest, dumps
from agent.llm.recording.cassette import (
    Cassette,
    CassetteAbsent,
    CassetteBusy,
    CassetteCorrupt,
    CassetteFault,
    CassetteOutdated,
    CassetteWriter,
)

LONG = "a page of the shop, which is long enough to be stored once only " * 20
TOOLS = [{"type": "function", "function": {"name": "buy", "parameters": {"type": "object"}}}]
PICTURE = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
REQUESTS = [
    {"model": "m", "messages": [{"role": "user", "content": LONG}], "tools": TOOLS},
    {"model": "m", "messages": [{"role": "user", "content": LONG}], "tools": TOOLS},
    {
        "model": "m",
        "messages": [
            {"role": "user", "content": LONG},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1"}]},
            {"role": "tool", "content": "ok", "tool_call_id": "call_1"},
            {"role": "user", "content": PICTURE},
        ],
        "temperature": 0.5,
    },
]


def record(path, requests=REQUESTS):
    writer = CassetteWriter(path, "scripted", {"react": "d1"})
    for number, request in enumerate(requests):
        writer.write(f"react/{number}", request, completion([f"reply {number}"]))
    writer.close()
    return path


@pytest.fixture
def path(tmp_path):
    return record(tmp_path / "deep" / "er" / "7.0.jsonl")


def pictured(text, data):
    url = f"data:image/png;base64,{data}"
    picture = {"type": "image_url", "image_url": {"url": url, "detail": "high"}}
    return {"role": "user", "content": [{"type": "text", "text": text}, picture]}


def test_texts_and_pictures_of_a_message_are_stored_once_each(tmp_path):
    requests = [
        {"model": "m", "messages": [pictured(LONG, "iVBO" * 500)]},
        {
            "model": "m",
            "messages": [{"role": "user", "content": LONG}, pictured("x", "iVBO" * 500)],
        },
        {"model": "m", "messages": [pictured(LONG, "iVBP" * 500)]},
    ]
    cassette = Cassette.read(record(tmp_path / "e.jsonl", requests))
    assert [call.request for call in cassette.calls] == requests
    assert len({call.key for call in cassette.calls}) == 3, "a picture is part of the question"
    lines = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    kept = [line["text"] for line in lines if line["kind"] == "text"]
    assert sorted(map(len, kept)) == sorted([len(LONG), 2022, 2022])


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": {"$text": "5e"}}],
        [{"type": "text", "text": LONG, "cache": 1}],
        [{"type": "image_url", "image_url": {"url": LONG, "detail": {"$text": "5e"}}}],
        [{"type": "image_url", "image_url": LONG}],
        [LONG, {"$text": "5e"}, None],
        {"$text": "5e"},
        [],
    ],
)
def test_parts_of_other_shapes_are_stored_too(tmp_path, content):
    request = {"model": "m", "messages": [{"role": "user", "content": content}]}
    cassette = Cassette.read(record(tmp_path / "e.jsonl", [request]))
    assert [call.request for call in cassette.calls] == [request]


def test_a_content_of_parts_that_was_stored_whole_can_be_read(tmp_path):
    """As recordings of the time before pictures have it."""
    content = [{"type": "text", "text": LONG}]
    request = {"model": "m", "messages": [{"role": "user", "content": content}]}
    text, key = dumps(content), digest(dumps(request))
    kept = {"model": "m", "messages": [{"role": "user", "content": {"$json": digest(text)}}]}
    call = {"key": key, "occurrence": 0, "purpose": "p", "request": kept, "status": 200}
    lines = [
        {"kind": "header", "schema_version": 1, "speaker": "s", "recorded_at": "", "prompts": {}},
        {"kind": "text", "sha": digest(text), "text": text},
        {"kind": "call", **call, "reply": {}},
        {"kind": "end", "calls": 1},
    ]
    path = tmp_path / "e.jsonl"
    path.write_bytes(b"".join(map(checked_line, lines)))
    assert [call.request for call in Cassette.read(path).calls] == [request]


def test_what_was_written_is_read(path):
    cassette = Cassette.read(path)
    assert (cassette.header.speaker, cassette.header.prompts) == ("scripted", {"react": "d1"})
    assert cassette.header.recorded_at.endswith("+00:00")
    assert [call.request for call in cassette.calls] == REQUESTS
    assert [call.occurrence for call in cassette.calls] == [0, 1, 0]
    assert [call.purpose for call in cassette.calls] == ["react/0", "react/1", "react/2"]
    texts = [call.reply["choices"][0]["message"]["content"] for call in cassette.calls]
    assert texts == ["reply 0", "reply 1", "reply 2"]


def test_a_text_is_stored_once_and_ids_and_times_never(path):
    stored = path.read_text()
    assert stored.count(LONG) == 1
    assert stored.count('"parameters"') == 0 and stored.count('\\"parameters\\"') == 1
    assert '"created"' not in stored


def test_two_recordings_differ_in_the_date_only(path, tmp_path):
    lines = path.read_text().splitlines()
    repeated = record(tmp_path / "again.jsonl").read_text().splitlines()
    assert lines[1:] == repeated[1:]
    first, second = json.loads(lines[0]), json.loads(repeated[0])
    changed = {name for name in first if first[name] != second[name]}
    assert changed <= {"recorded_at", "crc"}


def test_ignored_fields_are_not_stored(tmp_path):
    path = record(tmp_path / "e.jsonl", [{**REQUESTS[0], "user": "somebody"}])
    assert "somebody" not in path.read_text()


def test_half_a_surrogate_pair_in_a_reply_is_kept(tmp_path):
    path = tmp_path / "e.jsonl"
    writer = CassetteWriter(path, "m", {})
    writer.write("p", REQUESTS[0], completion(["\ud83d"]))
    writer.close()
    (call,) = Cassette.read(path).calls
    assert call.reply["choices"][0]["message"]["content"] == "\ud83d"


# Damage ----------------------------------------------------------------------------------------


def test_a_changed_byte_in_any_line_is_found_there(path):
    lines = path.read_bytes().split(b"\n")
    rng = random.Random("damage")
    for number, line in enumerate(lines[:-1]):
        for at in [0, len(line) - 1, *rng.sample(range(len(line)), 20)]:
            damaged = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
            path.write_bytes(b"\n".join([*lines[:number], damaged, *lines[number + 1 :]]))
            # A newline that appears moves the end of the line, never its beginning.
            with pytest.raises(CassetteCorrupt) as error:
                Cassette.read(path)
            assert f"{path}:{number + 1}: " in str(error.value)


def test_a_file_cut_anywhere_is_found(path):
    data = path.read_bytes()
    rng = random.Random("cut")
    for size in [0, 1, len(data) - 1, *rng.sample(range(len(data)), 100)]:
        path.write_bytes(data[:size])
        with pytest.raises(CassetteCorrupt):
            Cassette.read(path)


def test_a_line_that_is_gone_doubled_or_moved_is_found(path):
    lines = path.read_bytes().splitlines(keepends=True)
    for at in range(len(lines)):
        gone = lines[:at] + lines[at + 1 :]
        doubled = [*lines[:at], lines[at], *lines[at:]]
        for damaged in (gone, *([doubled] if b'"kind":"text"' not in lines[at] else [])):
            path.write_bytes(b"".join(damaged))
            with pytest.raises(CassetteCorrupt):
                Cassette.read(path)
    path.write_bytes(b"".join([*lines[:1], *lines[:0:-1]]))
    with pytest.raises(CassetteCorrupt):
        Cassette.read(path)


def sealed(**entry):
    body = json.dumps(entry)[:-1].encode()
    return b'%b,"crc":"%08x"}\n' % (body, zlib.crc32(body))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"kind": "note"}, "'note' is no known kind"),
        ({"nothing": 1}, "no kind"),
        ({"kind": "text", "sha": "0", "text": "x"}, "differs from the recorded text"),
        ({"kind": "text", "sha": "0"}, "incomplete"),
        ({"kind": "text", "sha": "0", "text": 5}, "incomplete"),
        ({"kind": "call", "key": "k"}, "incomplete"),
        ({"kind": "call", "key": "k", "occurrence": 0, "request": 1}, "incomplete"),
        (
            {"kind": "call", "key": "k", "occurrence": 0, "request": {"messages": []}},
            "request differs",
        ),
        (
            {"kind": "call", "key": "k", "occurrence": 0,
             "request": {"messages": [{"content": {"$text": "5e"}}]}},
            "text 5e is missing",
        ),
        ({"kind": "end", "calls": 9}, "3 of 9 calls"),
        ({"kind": "header", "schema_version": 1}, "no known kind"),
    ],
)  # fmt: skip
def test_a_line_with_a_good_checksum_is_checked_too(path, entry, why):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], sealed(**entry), lines[-1]]))
    with pytest.raises(CassetteCorrupt, match=why) as error:
        Cassette.read(path)
    assert error.value.line == len(lines)


def test_another_format_says_so(path):
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(sealed(kind="header", schema_version=2) + b"".join(lines[1:]))
    with pytest.raises(CassetteOutdated, match="has format 2, this version reads 1; record it"):
        Cassette.read(path)


def test_line_ends_of_another_system_are_found(path):
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(CassetteCorrupt, match="carriage return"):
        Cassette.read(path)


def test_a_file_that_is_none(tmp_path):
    with pytest.raises(CassetteAbsent, match="there is no recording"):
        Cassette.read(tmp_path / "none.jsonl")
    with pytest.raises(CassetteFault, match="a folder, and a plain file is needed"):
        Cassette.read(tmp_path)


# Writing ---------------------------------------------------------------------------------------


def test_nothing_is_published_before_the_end(path):
    before = path.read_bytes()
    writer = CassetteWriter(path, "m", {})
    writer.write("p", REQUESTS[0], completion(["new"]))
    assert path.read_bytes() == before
    writer.close(ok=False)
    writer.close()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_one_writer_at_a_time(path):
    writer = CassetteWriter(path, "m", {})
    with pytest.raises(CassetteBusy, match=r"7\.0\.jsonl\.part is being written"):
        CassetteWriter(path, "m", {})
    writer.close()
    assert Cassette.read(path).calls == ()
    CassetteWriter(path, "m", {}).close(ok=False)


def test_what_a_dead_writer_left_is_taken_over(path):
    code = (
        "import os, pathlib, sys\n"
        "from agent.llm.recording.cassette import CassetteWriter\n"
        "writer = CassetteWriter(pathlib.Path(sys.argv[1]), 'm', {})\n"
        "writer._file.flush()\n"
        "os._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)]).returncode == 9
    assert path.with_name("7.0.jsonl.part").stat().st_size > 0
    record(path)
    assert len(Cassette.read(path).calls) == 3


def test_a_full_disk_publishes_nothing(path, monkeypatch):
    before = path.read_bytes()
    writer = CassetteWriter(path, "m", {})
    file = writer._file
    writer._file = open("/dev/full", "wb", buffering=0)  # noqa: SIM115
    with pytest.raises(OSError):
        writer.write("p", REQUESTS[0], completion(["x"]))
    writer._file.close()
    writer._file = file
    writer.close()
    assert path.read_bytes() == before


def test_a_long_episode_stays_small(tmp_path):
    path = tmp_path / "e.jsonl"
    writer = CassetteWriter(path, "m", {})
    dialogue = [{"role": "system", "content": "rules of the game. " * 150}]
    rng = random.Random("pages")
    for _ in range(15):
        page = " ".join(str(rng.randrange(10**6)) for _ in range(400))
        dialogue.append({"role": "user", "content": page})
        writer.write("react/act", {"model": "m", "messages": dialogue}, completion(["click[1]"]))
        dialogue.append({"role": "assistant", "content": "click[1]"})
    writer.close()
    assert path.stat().st_size < 100_000
