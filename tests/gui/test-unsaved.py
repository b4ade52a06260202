#!/usr/bin/python3
"""What analyses changed in profiles is not lost without a question: on closing the window and on quitting, of all windows and tabs at once.

usage: test-unsaved.py WAKEPATH SCREENSHOTS PROFILES — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; PROFILES: a folder with models.perf.
"""
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, profiles = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-unsaved.")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    for each in ("one", "two"):
        shutil.copy(os.path.join(profiles, "models.perf"), os.path.join(work, each + ".perf"))
    program = Program([wakepath, os.path.join(work, "one.perf")], "wakepath")


def analyse():
    """A regression analysis of the tab that is shown; its result is told at the foot of the page."""
    program.find("Analyse", "label")
    program.click(program.last("Analyse", "label"))
    program.find("Apply")
    still()
    program.key("shift+Tab", "space")  # from the first control back to the last: Apply
    program.find_text(r"\b12 models?\b")


def asked(heading):
    """The question is there; Escape leaves everything as it is."""
    program.find(heading, "label")
    until("the question", lambda: len(program.windows()) > 1)


def cancel():
    program.key("Escape")
    until("the question to go", lambda: len(program.windows()) == 1)
    assert program.process.poll() is None
    assert program.there("Models", "label")


# --- the steps, in order ---

def change():
    analyse()


def quit_asks():
    program.key("ctrl+q")
    asked("Close “one.perf” Without Saving.")
    shot("quit")
    program.quit_from_desktop()  # the same question, not one more
    program.key("ctrl+q")
    still()
    assert len(program.windows()) == 2, program.windows()
    cancel()


def closing_the_window_asks():
    screen.close(program.window)
    asked("Close “one.perf” Without Saving.")
    cancel()


def several():
    program.choose_file("Open Recording or Profile", os.path.join(work, "two.perf"), lambda: program.key("ctrl+o"))
    program.find("two.perf", "label")
    analyse()
    program.key("ctrl+q")
    asked("Close 2 Files Without Saving.")
    program.find_text("one.perf\ntwo.perf")
    shot("several")
    cancel()


def quits():
    program.key("ctrl+q")
    asked("Close 2 Files Without Saving.")
    program.press("_?Close _?Without Saving.*")
    assert program.process.wait(60) == 0


failed = True
try:
    failed = run_steps([change, quit_asks, closing_the_window_asks, several, quits], start, shot)
finally:
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
