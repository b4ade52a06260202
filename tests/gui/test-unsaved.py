#!/usr/bin/python3
"""What analyses changed in profiles is not lost without a question: on closing the window and on quitting, of all windows and tabs at once;
nor is a file that is still being written.

usage: test-unsaved.py WAKEPATH SCREENSHOTS PROFILES FAULTS — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; PROFILES: a folder with models.perf; FAULTS: the library of tests/faults.
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, everything, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, profiles, faults = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-unsaved.")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    for each in ("one", "two"):
        shutil.copy(os.path.join(profiles, "models.perf"), os.path.join(work, each + ".perf"))
    held = {"LD_PRELOAD": os.path.abspath(faults), "FAULTS_HOLD": kept("two"),
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}
    program = Program([wakepath, os.path.join(work, "one.perf")], "wakepath", env={**os.environ, **held})


def kept(which):
    """Where a profile is saved."""
    return os.path.join(work, which + "-kept.perf")


def analyse():
    """A regression analysis of the tab that is shown; its result is told at the foot of the page."""
    program.find("Analyse", "label")
    until("it to be drawn", lambda: program.there("Drawing", "label") is None)
    program.done_when(lambda: program.click(program.last("Analyse", "label")), lambda: program.there("Apply"), "the analyses")
    still()
    program.key("shift+Tab", "space")  # from the first control back to the last: Apply
    program.find_text(r"\b12 models?\b")


def asked(heading):
    """The question is there; Escape leaves everything as it is."""
    program.find(heading, "label")
    until("the question", lambda: len(program.windows()) > 1)


def nothing_closed():
    until("the question to go", lambda: len(program.windows()) == 1)
    screen.activate(program.window)  # which has the keyboard again
    assert program.process.poll() is None
    assert program.there("Models", "label")


def cancel():
    program.key("Escape")
    nothing_closed()


# --- the steps, in order ---

def opened_again():
    """The tab that shows a file is gone to; one that has changed since is opened as it is now, beside what was."""
    path = os.path.join(work, "one.perf")

    def named():
        """How often the file's name is seen: in the bar of tabs, where there is more than one, too."""
        return sum(node.name == "one.perf" for node in everything(program.root) if node.role == "label")
    program.find("Models", "label")
    before = named()
    subprocess.run([wakepath, path], check=True, timeout=20)
    still()
    assert named() == before
    shutil.copy(os.path.join(profiles, "memory.perf"), path)
    subprocess.run([wakepath, path], check=True, timeout=20)
    program.find("Heap Map", "label")
    until("two tabs", lambda: named() > before)
    program.done_when(lambda: program.key("ctrl+w"), lambda: not program.there("Heap Map", "label"), "the newer one to close", 20)
    program.find("Models", "label")


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


def no_file_chosen():
    """Whoever gives up choosing a file has closed nothing."""
    screen.move(2, 2)  # GTK complains of a tooltip over a window that goes away
    program.key("ctrl+q")
    asked("Close 2 Files Without Saving.")
    program.press("_?Save….*")
    window = program.top_level("Save Profile")
    still()
    program.key("Escape")
    until("the chooser to go", lambda: window not in program.has_top_level("Save Profile"))
    screen.activate(program.window)
    nothing_closed()


def saved_then_asked_for_the_other():
    """Saved, it closes anew; which asks for the one that is not saved yet."""
    program.key("ctrl+q")
    asked("Close 2 Files Without Saving.")
    program.choose_file("Save Profile", kept("one"), lambda: program.press("_?Save….*"))
    asked("Close “two.perf” Without Saving.")
    assert os.path.getsize(kept("one")) > 0
    cancel()


def being_written():
    """What was chosen to be saved is not there yet: it would be lost without a question."""
    program.key("ctrl+q")
    asked("Close “two.perf” Without Saving.")
    program.choose_file("Save Profile", kept("two"), lambda: program.press("_?Save….*"))
    program.key("ctrl+q")
    program.find_text("A file is still being written")
    assert not program.there("_?Save….*", "push button")
    assert not os.path.exists(kept("two"))
    shot("being-written")
    cancel()


def quits():
    """Once it is written, the program ends as it was asked to."""
    open(kept("two") + ".go", "w").close()
    assert program.process.wait(60) == 0
    assert os.path.getsize(kept("two")) > 0


failed = True
try:
    failed = run_steps([opened_again, change, quit_asks, closing_the_window_asks, several, no_file_chosen, saved_then_asked_for_the_other, being_written, quits], start, shot)
finally:
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
