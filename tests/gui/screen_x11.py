"""The screen of an X server, with its windows, pointer and keyboard, through xdotool. screen_wayland.py has the same functions for Wayland.

A window is what windows_of() and titled() return: its number. Places are in pixels of the screen.
"""
import contextlib
import mmap
import os
import re
import subprocess
import time
import zlib

import gi

gi.require_version("Gdk", "4.0")
gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402

_pixels = None


def _xdotool(*arguments):
    command = ["xdotool", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def _search(*arguments):
    """A window that goes meanwhile ends the search with an error."""
    while True:
        found = subprocess.run(["xdotool", "search", "--onlyvisible", *arguments], capture_output=True, text=True)
        if "X Error" not in found.stderr:
            return found.stdout.split()


# --- windows ---

def windows_of(process):
    """Those that a process shows."""
    return _search("--pid", str(process))


def titled(title):
    """Those that are there now, and whose title contains a match."""
    return _search("--name", title)


def activate(window):
    """Brings it to the front, and gives it the keyboard."""
    _xdotool("windowactivate", "--sync", window)


def is_active(window):
    return _xdotool("getactivewindow") == window


def geometry(window):
    """Where it is, with the room for its shadow: x, y, width, height."""
    told = dict(line.split("=") for line in _xdotool("getwindowgeometry", "--shell", window).splitlines())
    return tuple(int(told[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))


def content(window):
    """Where its widgets count from."""
    frame = subprocess.run(["xprop", "-id", str(window), "_GTK_FRAME_EXTENTS"], capture_output=True, text=True).stdout
    shadow = re.search(r"= (\d+), (\d+), (\d+), (\d+)", frame)
    left, top = (int(shadow[1]), int(shadow[3])) if shadow else (0, 0)
    x, y, _, _ = geometry(window)
    return x + left, y + top


def resize(window, width, height):
    """Asks for it, and waits a moment for it: a window stays as large as its content needs."""
    before, end = geometry(window), time.monotonic() + 1
    _xdotool("windowsize", window, width, height)
    while geometry(window) == before and time.monotonic() < end:
        time.sleep(0.03)


def place_at(window, x, y):
    _xdotool("windowmove", "--sync", window, x, y)


def close(window):
    """As its user does, by the desktop's key. It is the active one."""
    _xdotool("key", "alt+F4")


# --- the pointer ---

def move(x, y):
    _xdotool("mousemove", round(x), round(y))


def pointer():
    told = dict(line.split("=") for line in _xdotool("getmouselocation", "--shell").splitlines())
    return int(told["X"]), int(told["Y"])


def is_pointer_over(window):
    """Nothing lies between: neither a tooltip nor a menu, which are windows of their own. The window manager may have put a frame around it."""
    tree = subprocess.run(["xwininfo", "-id", str(window), "-tree"], capture_output=True, text=True).stdout
    frame = re.search(r"Parent window id: (0x[0-9a-f]+)", tree)
    there = int(re.search(r"^WINDOW=(\d+)", _xdotool("getmouselocation", "--shell"), re.M)[1])
    return there == int(window) or (frame is not None and there == int(frame[1], 16))


def press(button=1):
    _xdotool("mousedown", button)


def release(button=1):
    _xdotool("mouseup", button)


def click(button=1, times=1):
    _xdotool("click", "--repeat", times, "--delay", 60, button)


def has_right_drags():
    return True


def wheel(notches):
    """Down, or up where there are fewer than none."""
    click(5 if notches > 0 else 4, abs(notches))


# --- the keyboard ---

def key(*keys):
    """One after the other; xdotool's names: "ctrl+shift+c", "Return", "a"."""
    _xdotool("key", "--delay", 30, *keys)


def type_words(words):
    _xdotool("type", "--delay", 12, words)


@contextlib.contextmanager
def held(modifier):
    """A modifier is held while something is done."""
    _xdotool("keydown", modifier)
    try:
        yield
    finally:
        _xdotool("keyup", modifier)


# --- what is seen ---

def shown():
    """A checksum, to be compared only. The server keeps its pixels in a file."""
    global _pixels
    if _pixels is None:
        with open(os.environ["XRUN_SCREEN"], "rb") as file:
            _pixels = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    return zlib.crc32(_pixels)


def picture(path):
    subprocess.run(["import", "-window", "root", "-define", "png:compression-level=1", path], check=True)


def convert(place, *how):
    """What ImageMagick writes of a part of the screen: x, y, width, height. Returns it."""
    x, y, width, height = place
    return subprocess.run(["import", "-window", "root", "-crop", f"{width}x{height}+{x}+{y}", *how], check=True, capture_output=True).stdout


def copied():
    """What was copied last: its text, "" where there is none, and whether it is a picture."""
    answer = []
    Gtk.init()
    board = Gdk.Display.get_default().get_clipboard()
    picture_too = board.get_formats().contain_mime_type("image/png")
    board.read_text_async(None, lambda source, result: answer.append(result))
    while not answer:
        GLib.MainContext.default().iteration(True)
    try:
        return board.read_text_finish(answer[0]) or "", picture_too
    except GLib.Error:
        return "", picture_too
