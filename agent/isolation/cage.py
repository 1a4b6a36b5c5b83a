"""Restricts a process with namespaces of Linux, which an unprivileged user may create.

`build` hides all files except the given ones, which become read-only. `enclose` gives the next
child a network without interfaces, its own process ids and one writable folder. `drop` removes the
privileges with which the child could undo this. Each raises OSError if the system refuses.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Sequence
from functools import cache
from pathlib import Path

WORK = "/agent-work"
"""The path of the agent's writable folder, which is empty at the start of each episode and holds
256 MiB.
"""

_USER, _MOUNT, _PROCESS, _NETWORK = 0x10000000, 0x00020000, 0x20000000, 0x40000000
_IPC, _HOST_NAME = 0x08000000, 0x04000000
_BIND, _RECURSIVE, _PRIVATE, _NO_SETUID, _NO_DEVICES = 4096, 16384, 1 << 18, 2, 4
_DETACH = 2
_SET_ATTRIBUTES, _HERE, _ALL_BELOW = 442, -100, 0x8000  # mount_setattr(2), the same everywhere
_READ_ONLY = 1
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_NO_NEW_PRIVILEGES = 38
_CAPABILITIES = 0x20080522  # version 3: two words each
_OPEN_FILES, _PROCESSES, _MEMORY = 512, 256, 8 * 2**30


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(name: str, *arguments: object) -> None:
    if getattr(_libc(), name)(*arguments) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")


def _mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    given = [None if each is None else os.fsencode(each) for each in (source, target, kind)]
    _call("mount", *given, ctypes.c_ulong(flags), os.fsencode(data))


def _own_namespaces(kinds: int, proc: int) -> None:
    """Enter new Linux namespaces of these kinds, with the same user id as outside; `proc` is a
    descriptor of the folder /proc.
    """
    user, group = os.getuid(), os.getgid()
    _call("unshare", _USER | kinds)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        file = os.open(f"self/{name}", os.O_WRONLY, dir_fd=proc)
        os.write(file, text.encode())
        os.close(file)


def build(visible: Sequence[str], hidden: Sequence[str], root: str, proc: int) -> None:
    """Hide all files from this process and its children except the given ones, which become
    read-only.

    Args:
        visible: Paths to show.
        hidden: Folders within them to hide.
        root: An empty folder to build the new root in.
        proc: Descriptor of the folder /proc.

    Raises:
        OSError: The system refuses.
    """
    _own_namespaces(_MOUNT, proc)
    _mount("none", "/", None, _RECURSIVE | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NO_SETUID | _NO_DEVICES, "mode=755")
    shown: list[str] = []
    for path in sorted(visible):
        if not any(_is_below(path, each) for each in shown):
            _show(path, root)
            shown.append(path)
    for path in hidden:
        if any(_is_below(path, each) for each in shown) and os.path.isdir(root + path):
            _mount("tmpfs", root + path, "tmpfs", _NO_SETUID | _NO_DEVICES)
    os.mkdir(root + WORK)
    _make_read_only(root)
    os.chdir(root)
    number = _PIVOT_ROOT.get(os.uname().machine)
    if number is None:
        raise OSError(f"pivot_root is not known on {os.uname().machine}")
    _call("syscall", number, b".", b".")
    _call("umount2", b".", _DETACH)
    os.chdir("/")


def _is_below(path: str, folder: str) -> bool:
    return path == folder or Path(path).is_relative_to(folder)


def _show(path: str, root: str) -> None:
    place = root + path
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), place)
        return
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
    _mount(path, place, None, _BIND | _RECURSIVE)


def _make_read_only(root: str) -> None:
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY | _NO_SETUID, 0, 0, 0)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    _call("syscall", _SET_ATTRIBUTES, _HERE, os.fsencode(root), _ALL_BELOW, attributes, size)


def enclose(proc: int) -> None:
    """Put the next child process and its children into namespaces of their own, which end with that
    child.
    """
    _own_namespaces(_MOUNT | _PROCESS | _NETWORK | _IPC | _HOST_NAME, proc)
    _mount("tmpfs", WORK, "tmpfs", _NO_SETUID | _NO_DEVICES, "size=256m,mode=700")


def drop() -> None:
    """Drop every privilege inside the namespaces, and limit the number of processes."""
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())
    _limit(resource.RLIMIT_NPROC, _PROCESSES)  # counted in the namespace, not for the user


def limit() -> None:
    """Limit the memory and open files of this process."""
    _limit(resource.RLIMIT_AS, _MEMORY)
    _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (bound, bound))
