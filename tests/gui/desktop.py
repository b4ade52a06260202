"""Drives a real window: reads it through AT-SPI, moves the pointer and types through xdotool; runs steps as a TAP test.

Everything waits for what it expects, up to a limit, instead of sleeping. Run under tests/xrun with a window manager.
"""
import os
import re
import subprocess
import sys
import time
import traceback
import warnings

import gi

warnings.filterwarnings("ignore")
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402


class Expired(AssertionError):
    pass


def until(what, ask, limit=10.0):
    """Asks until the answer is anything but nothing (None, False, empty), and returns it."""
    end = time.monotonic() + limit
    while True:
        try:
            answer = ask()
            if answer:
                return answer
        except GLib.Error:
            pass  # a widget went away while it was looked at
        if time.monotonic() > end:
            raise Expired(f"waited {limit:g} s for: {what}")
        time.sleep(0.03)


def xdotool(*arguments):
    command = ["xdotool", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def everything(node):
    stack = [node]
    while stack:
        node = stack.pop()
        if node is None:
            continue
        yield node
        stack.extend(node.get_child_at_index(i) for i in reversed(range(node.get_child_count())))


def showing(node):
    """GTK 4.8 does not tell AT-SPI what is showing, but what is not drawn has no size."""
    if node.get_component_iface() is None:
        return False
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return box.width > 0 and box.height > 0


def name(node):
    node.clear_cache()
    return node.get_name() or ""


def description(node):
    node.clear_cache()
    return node.get_description() or ""


def text(node):
    return Atspi.Text.get_text(node, 0, Atspi.Text.get_character_count(node))


class Program:
    """A started program and its windows."""

    def __init__(self, command, application):
        self.process = subprocess.Popen(command, stdout=sys.stderr)
        self.root = until(f"{application} on the accessibility bus", lambda: self._find_application(application), 20)
        self.window = until("a window", self._first_window, 20)
        xdotool("windowactivate", "--sync", self.window)

    @staticmethod
    def _find_application(wanted):
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child is not None and child.get_name() == wanted and child.get_child_count() > 0:
                return child
        return None

    def _first_window(self):
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)],
                               capture_output=True, text=True).stdout.split()
        return found[-1] if found else None

    def find(self, pattern, role=None, limit=10.0):
        """The first showing widget whose whole name matches."""
        def ask():
            self.root.clear_cache()
            for node in everything(self.root):
                if role is not None and node.get_role_name() != role:
                    continue
                if showing(node) and re.fullmatch(pattern, name(node)):
                    return node
            return None
        return until(f"{role or 'widget'} “{pattern}”", ask, limit)

    def there(self, pattern, role=None):
        try:
            return self.find(pattern, role, 0)
        except Expired:
            return None

    def find_text(self, pattern, limit=10.0):
        """The first showing label whose text contains a match; returns the match."""
        def ask():
            for node in everything(self.root):
                if node.get_role_name() == "label" and showing(node):
                    found = re.search(pattern, name(node))
                    if found:
                        return found
            return None
        return until(f"text “{pattern}”", ask, limit)

    def windows(self):
        self.root.clear_cache()
        return [self.root.get_child_at_index(i) for i in range(self.root.get_child_count())]

    def top_level(self, title, limit=10.0):
        """The X window with this title, brought to the front."""
        found = until(f"window “{title}”", lambda: subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", title], capture_output=True, text=True).stdout.split(), limit)
        xdotool("windowactivate", "--sync", found[-1])
        return found[-1]

    def place(self, node, window=None):
        """Where a widget is on the screen: x, y, width, height."""
        window = window or self.window
        geometry = dict(line.split("=") for line in xdotool("getwindowgeometry", "--shell", window).splitlines())
        extents = subprocess.run(["xprop", "-id", str(window), "_GTK_FRAME_EXTENTS"], capture_output=True, text=True).stdout
        shadow = re.search(r"= (\d+), (\d+), (\d+), (\d+)", extents)
        left, top = (int(shadow[1]), int(shadow[3])) if shadow else (0, 0)
        box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
        return int(geometry["X"]) + left + box.x, int(geometry["Y"]) + top + box.y, box.width, box.height

    def click(self, node, window=None, button=1, times=1, at=(0.5, 0.5)):
        x, y, width, height = self.place(node, window)
        xdotool("mousemove", round(x + width * at[0]), round(y + height * at[1]))
        time.sleep(0.1)
        xdotool("click", "--repeat", times, "--delay", 60, button)

    def key(self, *keys):
        xdotool("key", "--delay", 30, *keys)

    def type(self, words):
        xdotool("type", "--delay", 12, words)

    def choose_file(self, title, path):
        """Types a path into a file chooser and accepts."""
        window = self.top_level(title)
        time.sleep(0.3)
        self.key("ctrl+a")
        self.type(path)
        time.sleep(0.3)
        self.key("Return")
        until(f"“{title}” to close", lambda: window not in subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", title], capture_output=True, text=True).stdout.split())
        xdotool("windowactivate", "--sync", self.window)

    # --- what windows of this program have ---

    def list_rows(self, list_name):
        parent = self.find(list_name, "list")
        return [parent.get_child_at_index(i) for i in range(parent.get_child_count())]

    def table(self, list_name="Explanation"):
        """The explanation: name → (time, share), sub-rows too."""
        table = {}
        for row in self.list_rows(list_name):
            found = re.fullmatch(r"(.+), ([^,]+), ([^,]+)", name(row))
            if found:
                table[found[1]] = (found[2], found[3])
        return table

    def accounted(self):
        """The figure in front of “accounted for”."""
        caption = self.find("accounted for.*", "label")
        figure = caption.get_parent().get_child_at_index(0)
        return float(name(figure).removesuffix(" %"))

    def press_until(self, button, text):
        """For a button that may be pressed again: a click that meets a tooltip's window is lost."""
        def ask():
            self.click(self.find(button, "push button"))
            try:
                return self.find_text(text, 3)
            except AssertionError:
                return None
        return until(f"{button} to lead to {text}", ask, 12)

    def press_away(self, button):
        """For a button that goes away when it is pressed; see press_until()."""
        def ask():
            node = self.there(button, "push button")
            if node is None:
                return True
            self.click(node)
            time.sleep(0.5)
            return self.there(button, "push button") is None
        until(f"{button} to go away", ask, 12)

    def screenshot(self, path):
        subprocess.run(["import", "-window", "root", path], check=True)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def run_steps(steps, start, shot):
    """Runs steps one after the other, each building on those before it, as TAP. `start` starts the program; `shot` takes a
    picture with a name. Returns whether something failed."""
    print(f"1..{len(steps)}")
    number, step = 0, start
    try:
        start()
        for number, step in enumerate(steps, 1):
            step()
            print(f"ok {number} {step.__name__}", flush=True)
        return False
    except Exception as problem:  # whatever it is, the rest builds on it
        for line in traceback.format_exc().splitlines():
            print("#", line)
        print(f"not ok {max(number, 1)} {step.__name__} # {problem}")
        if number > 0:
            shot("failure")
        print("Bail out! the next steps build on this one")
        return True


def take_shot(program, folder, which):
    """A picture of the screen once what was asked for last has been drawn."""
    time.sleep(0.4)
    program.screenshot(os.path.join(folder, which + ".png"))
