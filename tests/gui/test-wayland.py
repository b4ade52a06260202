#!/usr/bin/python3
"""The main journey on Wayland, by pointer and keyboard of the compositor: opened, explained, zoomed by wheel and touchpad, pinched, searched,
copied, a file dropped, closed.

usage: test-wayland.py WAKEPATH SCREENSHOTS DRAG-SOURCE SCENARIOS — under tests/wlrun. Prints TAP.
WAKEPATH: the program; DRAG-SOURCE: a window to drag a file from; SCREENSHOTS, SCENARIOS: folders.
"""
import os
import re
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, run_steps, screen, take_shot, until  # noqa: E402
from seat import HORIZONTAL  # noqa: E402
from touchpad import Touchpad  # noqa: E402

wakepath, pictures, drag_source, scenarios = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
program = None
pad = Touchpad()
started = []


def shot(which):
    if program:
        take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, os.path.join(scenarios, "fork-wait-file.trace")], "wakepath", **pad.between())


def canvas():
    return program.find("Flame View", "panel")


def seen():
    """The share of the time that is seen, in per cent, as the overview tells it."""
    words = description(program.last("Overview"))
    found = re.search(r"\(([\d.]+) %\)$", words)
    return float(found[1]) if found else 100 if words.startswith("All of ") else None


# --- the steps, in order ---

def explained():
    program.find(r"A \(10\)", "push button")
    program.symbols_read()
    program.done_when(lambda: program.click(program.find(r"A \(10\)", "push button")), lambda: program.there("Flame View", "panel"),
                      "the flame view")
    until("an explanation", program.table)
    shot("explained")


def wheel():
    """A notch zooms by a quarter or so, at the pointer; and all is seen again."""
    program.point(canvas())
    screen.wheel(-3)
    until("a part to be seen", lambda: 30 < (seen() or 0) < 80)
    screen.wheel(3)
    until("all to be seen", lambda: seen() == 100)


def touchpad():
    """Pixels of a touchpad are no notches: a stroke zooms about as far as a notch or two, and sideways it pans."""
    program.point(canvas())
    screen.seat().fingers(-40)
    until("all of the stroke to be seen", lambda: 86 < (seen() or 0) < 86.5)
    before = description(program.last("Overview"))
    screen.seat().fingers(40, HORIZONTAL)
    until("another part to be seen, as much of it", lambda: description(program.last("Overview")) != before and 86 < (seen() or 0) < 86.5)
    shot("touchpad")
    program.key("ctrl+0")
    until("all to be seen", lambda: seen() == 100)


def pinched():
    """Fingers that move apart to twice their distance show half, and what is between them stays there; as far together they show all again."""
    program.point(canvas(), at=(0.25, 0.5))
    pad.pinch(2)
    until("half to be seen", lambda: 49 < (seen() or 0) < 51)
    words = description(program.last("Overview"))
    start, end, whole = (float(n) for n in re.search(r"From ([\d.]+) µs to ([\d.]+) µs is seen, of (\d+) µs", words).groups())
    assert abs(start / whole - 0.125) < 0.02 and abs(end / whole - 0.625) < 0.02, words
    shot("pinched")
    pad.pinch(0.5)
    until("all to be seen", lambda: seen() == 100)


def searched():
    program.search("load", r"^\d+ box(es)?(, \d+ in folds)?")
    program.key("Return")
    program.find_text(r"^1 of \d+")
    program.key("Escape")
    until("a box of that name", lambda: "load" in description(canvas()))
    shot("searched")


def copied():
    """What is copied can be pasted elsewhere."""
    program.find("Facts", "label")
    program.key("ctrl+shift+c")
    until("the details on the clipboard", lambda: all(word in screen.copied()[0] for word in ("load", "main")))


def dropped():
    """A file that is dragged from another window opens in a tab. Each drag has begun before it is moved, and ended before another."""
    path = os.path.join(scenarios, "pass.trace")
    source = subprocess.Popen([drag_source, path], stdout=subprocess.PIPE, text=True)
    started.append(source)
    other = until("the other window", lambda: screen.windows_of(source.pid))[-1]
    screen.place_at(other, 0, 0)

    def center(window):
        x, y, width, height = screen.geometry(window)
        return x + width / 2, y + height / 2

    def says(word):
        return select.select([source.stdout], [], [], 30)[0] and source.stdout.readline() == word + "\n"

    def drag():
        (x, y), (to_x, to_y) = center(other), center(program.window)
        screen.move(x, y)
        time.sleep(0.2)
        screen.press()
        for step in range(1, 6):
            screen.move(x + 8 * step, y)
            time.sleep(0.05)
        if not says("begin"):
            screen.release()
            return
        for step in range(1, 21):
            screen.move(x + (to_x - x) * step / 20, y + (to_y - y) * step / 20)
            time.sleep(0.03)
        for step in range(20):  # the window has to say that it takes it
            screen.move(to_x + step % 2, to_y)
            time.sleep(0.05)
        screen.release()
        assert says("end")
    program.done_when(drag, lambda: screen.titled("^pass\\.trace$"), "the dropped file to open", 8)
    shot("dropped")


def close():
    """The window has the keyboard when it is clicked."""
    program.done_when(lambda: (program.click(program.find("Processes", "panel"), at=(0.5, 0.9)), program.key("ctrl+q")),
                      lambda: program.process.poll() is not None, "the program to end", 10)
    assert program.process.returncode == 0


failed = run_steps([explained, wheel, touchpad, pinched, searched, copied, dropped, close], start, shot)
if program:
    program.end()
for process in started:
    process.terminate()
    process.wait()
sys.exit(failed)
