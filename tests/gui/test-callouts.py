#!/usr/bin/python3
"""Who opens the sample for the first time is shown around, by keyboard and mouse; who has been is not, unless by the menu.

usage: test-callouts.py WAKEPATH SCREENSHOTS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import ON_WAYLAND, Program, act, description, extents, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures = sys.argv[1:3]
os.makedirs(pictures, exist_ok=True)
os.environ["GSETTINGS_BACKEND"] = "keyfile"  # what one program keeps, the next one reads
program = None

TITLES = ["The Answer in Words", "Where All the Time Went", "What It Waited For", "As Deep as You Like"]


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath], "wakepath")


def open_sample():
    program.done_when(lambda: program.click(program.find("Open Sample", "label")), lambda: program.there("Flame View", "panel"),
                      "the sample")


def callout(n):
    """That of this number is there, alone, and has the keyboard at its button, which says what it says."""
    program.find(TITLES[n], "label")
    assert [t for t in TITLES if program.there(t, "label")] == [TITLES[n]]
    program.find(f"{n + 1} of 4", "label")
    last = n + 1 == len(TITLES)
    button = program.find("Done" if last else "Next", "push button")
    until("the keyboard at the button", lambda: program.find("Done|Next", "push button").focused)
    assert TITLES[n] in description(button), description(button)
    assert bool(program.there("Skip", "push button")) != last
    still()
    _, top, _, height = extents(button)
    _, around, _, room = extents(button.parent.parent.parent)
    assert top + height + 6 <= around + room, (top, height, around, room)  # its lower margin is not cut off
    return button


def click(button):
    """A callout is an X window of its own, and says of itself that it is where it points at. On Wayland nobody knows where it is."""
    if ON_WAYLAND:
        return act(button)
    window = next(w for w in screen.windows_of(program.process.pid) if w != program.window)
    popover = button.parent.parent.parent.parent
    x, y, width, height = button.extents
    left, top = (at - its for at, its in zip(screen.geometry(window)[:2], popover.extents))
    screen.move(left + x + width // 2, top + y + height // 2)
    time.sleep(0.1)  # as a hand does: first there, then the button
    return screen.click()


def click_through(n):
    """To the next one, or away; a click on a window that has just come may be lost."""
    program.done_when(lambda: click(callout(n)), lambda: not program.there(TITLES[n], "label"), f"“{TITLES[n]}” to go", 3)


def none():
    """They are gone, and have changed nothing."""
    until("no callout", lambda: not any(program.there(t, "label") for t in TITLES))
    table = program.there("Explanation", "list")
    assert not table or not [r for r in table.children if r.selected]


def seen(depth):
    """The keyboard is at the picture: its keys change the depth."""
    still()
    program.done_when(lambda: program.key("1" if depth == "Waits" else "2"), lambda: program.says(r"frames? folded") and pressed(depth), f"depth {depth}")


def pressed(name):
    return program.find(name, "push button").pressed


def from_menu():
    program.key("F10")
    program.find("Show Me Around")
    still()
    program.key("o")


# --- the steps, in order ---

def comes_with_the_sample():
    open_sample()
    callout(0)
    shot("answer")


def by_the_keyboard():
    for n in range(1, 4):
        program.key("Return")
        callout(n)
        shot(("", "table", "boxes", "depths")[n])
    program.key("Return")
    none()
    seen("Waits")
    seen("Functions")


def not_again():
    program.key("ctrl+w")
    open_sample()
    until("the explanation", program.table)
    still()
    none()


def by_the_menu_and_mouse():
    from_menu()
    for n in range(4):
        click_through(n)
    none()
    from_menu()
    click_through(0)
    callout(1)
    program.done_when(lambda: click(program.find("Skip", "push button")), lambda: not program.there(TITLES[1], "label"), "the callout to go")
    none()
    seen("Waits")


def escape():
    from_menu()
    callout(0)
    program.key("Return")
    callout(1)
    program.key("Escape")
    none()
    seen("Functions")


def from_another_view():
    """What is pointed at is brought into sight."""
    program.press("Consolidated")
    program.click(program.find("Store", "page tab"))
    from_menu()
    callout(0)
    assert program.find("Explanation", "page tab").selected
    program.key("Return")
    callout(1)
    program.key("Return")
    callout(2)
    program.find("Flame View", "panel")
    program.key("Escape")
    none()


def small():
    """In a small window the side panel comes for the two that are about it, and goes."""
    screen.resize(program.window, 600, 560)
    until("no panel", lambda: not program.there("Explanation", "list"))
    from_menu()
    callout(0)
    assert program.there("Explanation", "list")
    shot("small-answer")
    program.key("Return")
    callout(1)
    shot("small-table")
    program.key("Return")
    callout(2)
    until("no panel", lambda: not program.there("Explanation", "list"))
    shot("small-boxes")
    program.key("Return")
    callout(3)
    shot("small-depths")
    program.key("Escape")
    none()


def closed_with_it():
    """A program that ends takes its callout along; the next one knows that they have been seen."""
    from_menu()
    callout(0)
    program.end()
    start()
    open_sample()
    until("the flame view", lambda: program.says(r"frames? folded"))
    still()
    none()


STEPS = [comes_with_the_sample, by_the_keyboard, not_again, by_the_menu_and_mouse, escape, from_another_view, small,
         closed_with_it]

failed = True
try:
    failed = run_steps(STEPS, start, shot)
finally:
    if program:
        program.end()
sys.exit(failed)
