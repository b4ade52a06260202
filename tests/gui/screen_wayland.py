"""The screen of a Wayland compositor (sway, in tests/wlrun), with its windows, pointer and keyboard: the same functions as screen_x11.py.

Windows are asked of the compositor over its own socket (i3's protocol), pictures of its camera and of grim; pointer and keyboard are of its
seat. A window is the number of sway's container.
Menus and tooltips are no windows here, and nobody tells where they are.
"""
import contextlib
import json
import os
import re
import socket
import struct
import subprocess
import time
import zlib

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gtk  # noqa: E402
from camera import Camera  # noqa: E402
from seat import Seat  # noqa: E402

RUN_COMMAND, GET_OUTPUTS, GET_TREE = 0, 3, 4
_seat = _camera = _control = None
_pointer = 0, 0


def seat():
    """Taken when it is first asked for: a compositor gives a window the keyboard only where there is one."""
    global _seat
    if _seat is None:
        output = _sway(GET_OUTPUTS)[0]["rect"]
        _seat = Seat(output["width"], output["height"])
    return _seat


# --- windows ---

def _sway(kind, words=""):
    """What the compositor answers."""
    global _control
    if _control is None:
        _control = socket.socket(socket.AF_UNIX)
        _control.connect(os.environ["SWAYSOCK"])
    _control.sendall(struct.pack("=6sII", b"i3-ipc", len(words.encode()), kind) + words.encode())
    _, length, _ = struct.unpack("=6sII", _control.recv(14, socket.MSG_WAITALL))
    return json.loads(_control.recv(length, socket.MSG_WAITALL))


def windows():
    """The compositor's, from the left: what each is called, its process, where its content is."""
    found, left = [], [_sway(GET_TREE)]
    while left:
        node = left.pop()
        if node.get("pid"):
            found.append(node)
        left += reversed(node.get("nodes", []) + node.get("floating_nodes", []))
    return found


def _window(window):
    return next(w for w in windows() if w["id"] == window)


def _tell(window, words):
    answer, = _sway(RUN_COMMAND, f"[con_id={window}] {words}")
    if not answer["success"]:
        raise RuntimeError(f"the compositor refuses to {words}: {answer['error']}")


def _wait(ask, limit=5):
    end = time.monotonic() + limit
    while not ask() and time.monotonic() < end:
        time.sleep(0.03)


def windows_of(process):
    return [w["id"] for w in windows() if w["pid"] == process]


def titled(title):
    """As xdotool, in letters of either case."""
    return [w["id"] for w in windows() if re.search(title, w["name"] or "", re.I)]


def activate(window):
    seat()
    _tell(window, "focus")
    _wait(lambda: is_active(window))


def is_active(window):
    return _window(window)["focused"]


def geometry(window):
    rect = _window(window)["rect"]
    return rect["x"], rect["y"], rect["width"], rect["height"]


def content(window):
    return geometry(window)[:2]


def resize(window, width, height):
    """Asked for again while a window that has become narrow arranges itself to need less."""
    def is_so():
        _tell(window, f"resize set width {width} px height {height} px")
        time.sleep(0.3)  # the window answers
        return geometry(window)[2:] == (width, height)
    _wait(is_so, 3)


def place_at(window, x, y):
    _tell(window, f"move absolute position {x} px {y} px")
    _wait(lambda: geometry(window)[:2] == (x, y))


def close(window):
    """The compositor asks, as it does when its user presses its key."""
    _tell(window, "kill")


# --- the pointer ---

def move(x, y):
    global _pointer
    _pointer = round(x), round(y)
    seat().move(*_pointer)
    time.sleep(0.01)  # what comes within a frame is one movement


def pointer():
    return _pointer


def is_pointer_over(window):
    """As far as one can know here: the compositor does not tell where menus and tooltips are."""
    left, top, width, height = geometry(window)
    x, y = _pointer
    return left <= x < left + width and top <= y < top + height


def press(button=1):
    seat().button(button, 1)


def release(button=1):
    seat().button(button, 0)


def click(button=1, times=1):
    seat().click(button, times)


def has_right_drags():
    """GTK 4.8 has none: it tells of a movement with the right button that the middle one is held."""
    return Gtk.get_minor_version() >= 10


def wheel(notches):
    seat().wheel(notches)


# --- the keyboard ---

def key(*keys):
    for one in keys:
        seat().key(one)


def type_words(words):
    seat().type(words)


@contextlib.contextmanager
def held(modifier):
    seat().hold(modifier)
    try:
        yield
    finally:
        seat().let_go(modifier)


# --- what is seen ---

def shown():
    """A checksum, to be compared only."""
    global _camera
    if _camera is None:
        _camera = Camera()
    return zlib.crc32(_camera.look())


def picture(path):
    subprocess.run(["grim", "-l", "1", path], check=True)


def convert(place, *how):
    x, y, width, height = place
    part = subprocess.run(["grim", "-t", "ppm", "-g", f"{x},{y} {width}x{height}", "-"], check=True, capture_output=True).stdout
    return subprocess.run(["convert", "ppm:-", *how], input=part, check=True, capture_output=True).stdout


def copied():
    """Without the keyboard's being where it is asked for: by wl-clipboard."""
    def ask(*how):
        return subprocess.run(["wl-paste", *how], capture_output=True, text=True).stdout
    return ask("--no-newline", "--type", "text"), "image/png" in ask("--list-types").split()
