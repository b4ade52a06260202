#!/usr/bin/python3
"""The main journey on Wayland, by pointer and keyboard of the compositor: opened, explained, zoomed by wheel and touchpad, searched,
copied, a file dropped, closed.

usage: test-wayland.py WAKEPATH DRAG-SOURCE SCREENSHOTS SCENARIOS — under tests/wlrun. Prints TAP.
WAKEPATH: the program; DRAG-SOURCE: a window to drag a file from; SCREENSHOTS, SCENARIOS: folders.
"""
import json
import os
import re
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, application, description, extents, run_steps, until  # noqa: E402
from seat import HORIZONTAL, Seat  # noqa: E402

wakepath, drag_source, pictures, scenarios = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
program = seat = None
started = []


def windows():
    """The compositor's, from the left: what each is called, its process, where its content is."""
    def below(node):
        if node.get("pid"):
            yield node
        for child in node.get("nodes", []) + node.get("floating_nodes", []):
            yield from below(child)
    return list(below(json.loads(subprocess.run(["swaymsg", "-t", "get_tree"], check=True, capture_output=True).stdout)))


class WaylandProgram(Program):
    """What the journey does with a window, without X."""

    def __init__(self, command, title):
        self.process = subprocess.Popen(command, stdout=sys.stderr)
        self.root = until(f"{title} on the accessibility bus", lambda: application(title), 60)
        self.window = until("a window", lambda: next((w["id"] for w in windows() if w["pid"] == self.process.pid), None), 60)

    def place(self, node, window=None):
        rect = next(w["rect"] for w in windows() if w["id"] == (window or self.window))
        x, y, width, height = extents(node)
        return rect["x"] + x, rect["y"] + y, width, height

    def point(self, node, at=(0.5, 0.5)):
        before, now = None, self.place(node)
        while now != before:  # what moves is followed
            x, y, width, height = now
            seat.move(x + width * at[0], y + height * at[1])
            time.sleep(0.1)
            before, now = now, self.place(node)

    def click(self, node, window=None, button=1, times=1, at=(0.5, 0.5)):
        self.point(node, at)
        seat.click(button, times)

    def key(self, *keys):
        for key in keys:
            seat.key(key)

    def type(self, words):
        seat.type(words)

    def screenshot(self, path):
        subprocess.run(["grim", path], check=True)


def shot(which):
    if program:
        program.screenshot(os.path.join(pictures, which + ".png"))


def start():
    global program, seat
    seat = Seat(1360, 900)
    program = WaylandProgram([wakepath, os.path.join(scenarios, "fork-wait-file.trace")], "wakepath")


def canvas():
    return program.find("Flame View", "panel")


def seen():
    """The share of the time that is seen, in per cent, as the overview tells it."""
    words = description(program.last("Overview"))
    found = re.search(r"\(([\d.]+) %\)$", words)
    return float(found[1]) if found else 100 if words.startswith("All of ") else None


# --- the steps, in order ---

def explained():
    program.done_when(lambda: program.click(program.find(r"A \(10\)", "push button")), lambda: program.there("Flame View", "panel"),
                      "the flame view")
    until("an explanation", program.table)
    shot("explained")


def wheel():
    """A notch zooms by a quarter or so, at the pointer; and all is seen again."""
    program.point(canvas())
    seat.wheel(-3)
    until("a part to be seen", lambda: 30 < (seen() or 0) < 80)
    seat.wheel(3)
    until("all to be seen", lambda: seen() == 100)


def touchpad():
    """Pixels of a touchpad are no notches: a stroke zooms about as far as a notch or two, and sideways it pans."""
    program.point(canvas())
    seat.fingers(-40)
    until("a part to be seen", lambda: 40 < (seen() or 0) < 99)
    before = description(program.last("Overview"))
    share = seen()
    seat.fingers(40, HORIZONTAL)
    until("another part to be seen", lambda: description(program.last("Overview")) != before)
    until("as much of it", lambda: abs((seen() or 0) - share) < 2)
    shot("touchpad")
    program.key("ctrl+0")
    until("all to be seen", lambda: seen() == 100)


def searched():
    program.key("ctrl+f")
    program.find("Search names in this view")
    program.type("load")
    program.find_text(r"^\d+ box(es)?(, \d+ in folds)?")
    program.key("Return", "Escape")
    until("a box of that name", lambda: "load" in description(canvas()))
    shot("searched")


def copied():
    """What is copied can be pasted elsewhere."""
    program.find("Facts", "label")
    program.key("ctrl+shift+c")

    def clipboard():
        return subprocess.run(["wl-paste", "--no-newline"], capture_output=True, text=True).stdout
    until("the details on the clipboard", lambda: "load" in clipboard() and "main" in clipboard())


def dropped():
    """A file that is dragged from another window opens in a tab. Each drag has begun before it is moved, and ended before another."""
    path = os.path.join(scenarios, "pass.trace")
    source = subprocess.Popen([drag_source, path], stdout=subprocess.PIPE, text=True)
    started.append(source)
    other = until("the other window", lambda: next((w for w in windows() if w["pid"] == source.pid), None))

    def center(window):
        rect = next(w["rect"] for w in windows() if w["id"] == window)
        return rect["x"] + rect["width"] / 2, rect["y"] + rect["height"] / 2

    def says(word):
        return select.select([source.stdout], [], [], 30)[0] and source.stdout.readline() == word + "\n"

    def drag():
        (x, y), (to_x, to_y) = center(other["id"]), center(program.window)
        seat.move(x, y)
        time.sleep(0.2)
        seat.button(1, 1)
        for step in range(1, 6):
            seat.move(x - 8 * step, y)
            time.sleep(0.05)
        if not says("begin"):
            seat.button(1, 0)
            return
        for step in range(1, 21):
            seat.move(x + (to_x - x) * step / 20, y + (to_y - y) * step / 20)
            time.sleep(0.03)
        for step in range(20):  # the window has to say that it takes it
            seat.move(to_x + step % 2, to_y)
            time.sleep(0.05)
        seat.button(1, 0)
        assert says("end")
    until("its label", lambda: next(w["rect"]["width"] for w in windows() if w["id"] == other["id"]) < 1000)
    program.done_when(drag, lambda: any(w["name"] == "pass.trace" for w in windows()), "the dropped file to open", 8)
    shot("dropped")


def close():
    """The window has the keyboard when it is clicked."""
    program.done_when(lambda: (program.click(program.find("Processes", "panel"), at=(0.5, 0.9)), program.key("ctrl+q")),
                      lambda: program.process.poll() is not None, "the program to end", 10)
    assert program.process.returncode == 0


failed = run_steps([explained, wheel, touchpad, searched, copied, dropped, close], start, shot)
if program:
    program.end()
for process in started:
    process.terminate()
    process.wait()
sys.exit(failed)
