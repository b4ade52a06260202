#!/usr/bin/python3
"""The Store page by mouse and keyboard: choose a folder, create a store, save a profile at HEAD, register it, filter, open it from the list and
by dropping it, remove it, and what another tool does meanwhile.

What the page decides and computes is tested without a display (tests/unit/test-workspace-store.c).

usage: test-store.py WAKEPATH SCREENSHOTS MAKE-REPOSITORY SAMPLE — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; MAKE-REPOSITORY: makes repositories; SCREENSHOTS: a folder; SAMPLE: a saved profile.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, make_repository, sample = map(os.path.abspath, sys.argv[1:5])
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-store.")
repository = os.path.join(work, "project")
store = os.path.join(repository, ".perun")
head = None
program = None

TOUR = "tour 6, "  # a profile's row begins with what was run


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program, head
    head = subprocess.run([make_repository, repository, "300"], check=True, capture_output=True, text=True).stdout.strip()
    program = Program([wakepath], "wakepath")


def choose(folder):
    program.choose_file("Choose Folder", folder, lambda: program.press("Choose folder"))


def pending():
    return [name for name in glob.glob(os.path.join(store, "jobs", "*.perf"))]


def objects():
    """The index of a commit stands among them."""
    index = os.path.join(store, "objects", head[:2], head[2:])
    return {path for path in glob.glob(os.path.join(store, "objects", "??", "*")) if path != index}


# --- the steps, in order ---

def nothing_chosen():
    program.find("No Folder Chosen", "label")
    shot("no-folder")


def is_whole():
    """The panel has the width that it needs, which has grown with what it shows: it is not cut off at the window's end."""
    x, _, width, _ = program.place(program.find("Compare", "push button"))
    left, _, wide, _ = screen.geometry(program.window)
    return x + width <= left + wide


def create_store():
    choose(repository)
    program.find("No Store Yet", "label")
    shot("no-store")
    assert not os.path.exists(store)
    program.press_away("Create Store")
    program.find(f"Change number 299, HEAD, {head[:7]}, Grace Hopper.*")
    program.find_text(f"HEAD is main at {head[:7]} · no changes")
    assert os.path.isfile(os.path.join(store, "local.yml"))
    until("the panel to be whole", is_whole)
    shot("commits")


def dirty_work_tree():
    with open(os.path.join(repository, "main.c"), "a") as f:
        f.write("/* changed */\n")
    program.click(program.find("Change number 299.*"))
    program.key("F5")
    program.find_text("HEAD is main at .* · uncommitted changes")


def choose_branch(which, row):
    """By typing; until a row that it has is listed. The list takes the keyboard, and filters, later than it can be seen."""
    def pick():
        program.click(program.find("Branch"))
        still()
        program.type(which)
        still()
        program.key("Down", "Return")
    program.done_when(pick, lambda: program.there(row), f"branch {which}", 10, lambda: program.key("Escape", "Escape"))


def other_branch():
    choose_branch("side", "Begin, .*")
    until("the commits of main to go", lambda: program.there("Change number 299.*") is None)
    choose_branch("main", "Change number 299.*")


def scrolled_to_the_end():
    """300 commits are more than are read at first."""
    program.click(program.find("Change number 299.*"))

    def begin():
        program.key("End")
        return program.there("Begin, .*")
    until("the first commit", begin)
    program.key("Home")
    program.find("Change number 299.*")


def menu_by_keyboard():
    """The menu of a row comes by a key; without it the keyboard is in the list again."""
    program.click(program.find("Change number 299.*"))
    program.done_when(lambda: program.key("shift+F10"), lambda: program.there("Profile Commits…"), "the menu of a row")
    program.key("Escape")
    until("the menu to go", lambda: program.there("Profile Commits…") is None)

    def end():
        program.key("End")
        return program.there("Begin, .*")
    until("the first commit", end)
    program.key("Home")
    program.find("Change number 299.*")


def panel_begins():
    return program.place(program.find("Choose folder", "push button"))[0]


def save_here():
    before = panel_begins()
    program.choose_file("Open Recording or Profile", sample, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    until("an explanation", program.table)
    program.show_panel("Store")
    still()
    assert panel_begins() == before, "the panel is as wide as it was, with another page beside it"
    until("Save Here to be possible", lambda: program.sensitive("Save Here"))
    program.press("Save Here")
    until("a pending file", pending)
    program.find("Pending, 1, Not registered.*")
    program.find(TOUR + r".*, runs 36 % of the time · time · wakepath · 100\.0 % explained.*")  # what most of it is, before what it is
    shot("pending")


def register():
    program.choose_row(TOUR + ".*time · wakepath.*", "Register")
    program.press("Register")
    until("nothing pending", lambda: not pending())
    program.find(f"Change number 299, HEAD, {head[:7]}, .*1 profile")
    assert len(objects()) == 1, objects()
    assert os.path.isfile(os.path.join(store, "objects", head[:2], head[2:]))
    until("the heading of pending ones to go", lambda: program.there("Pending.*") is None)
    shot("registered")


def another_tool():
    """What appears in the folder appears in the list."""
    with open(sample) as file:
        text = file.read().replace('"cmd": "tour"', '"cmd": "a-command-of-a-rather-long-name-that-does-not-fit-into-the-panel"', 1)
    with open(os.path.join(store, "jobs", "appeared.perf"), "w") as file:
        file.write(text)
    program.find("Pending, 1, .*")
    program.find("a-command-of-a-rather-long-name[^,]* 6, time · wakepath, .*")  # a version saved it that kept neither time nor answer
    shot("appeared")


def becomes_older():
    """What was added just now is a minute old a minute later, without anybody asking."""
    path = os.path.join(store, "jobs", "aging.perf")
    with open(path, "w") as file:
        json.dump({"header": {"type": "time", "cmd": "./aging", "args": "", "workload": "", "units": {"time": "ms"}},
                   "collector_info": {"name": "hand", "params": {}}, "global": {"resources": []}}, file)
    os.utime(path, (time.time() - 50, time.time() - 50))
    program.find(r"\./aging, time · hand, .*")
    program.find(r"\./aging, time · hand, 1 minute ago")
    os.unlink(path)
    until("the profile to go", lambda: program.there(r"\./aging.*") is None)


def filter_rows():
    entry = program.find("Filter commits and profiles")
    program.click(entry)
    program.type("number 123")
    program.find("Change number 123, .*")
    until("the others to go", lambda: program.there("Change number 299.*") is None and program.there("Pending.*") is None)
    shot("filtered")
    program.key("ctrl+a")
    program.type("no such thing")
    program.find("Nothing Matches", "label")
    shot("nothing-matches")
    program.press("Clear the Filter")
    program.find("Change number 299.*")
    program.click(program.find("Only commits that have profiles"))
    until("commits without profiles to go", lambda: program.there("Change number 298.*") is None)
    program.find("Change number 299.*")
    program.click(program.find("Only commits that have profiles"))
    program.find("Change number 298.*")


OTHER, LEAKY = "other-command.perf", "./leaky -v thousand-pages"


def filter_kinds():
    """By type and by command; what the filter leaves out is there again afterwards."""
    document = {"header": {"type": "memory", "cmd": "./leaky", "args": "-v", "workload": "thousand-pages", "units": {"memory": "B"}},
                "collector_info": {"name": "memory", "params": {}}, "global": {"resources": []}}
    with open(os.path.join(store, "jobs", OTHER), "w") as f:
        json.dump(document, f)
    program.find(LEAKY + ", memory · memory, .*")

    def only_other():
        return program.there(LEAKY + ", .*") and program.there("a-command.*") is None and program.there("Change number 299.*") is None

    program.choose("Type", 1, only_other)
    shot("type")
    program.choose("Type", 0, lambda: program.there("Change number 298.*"))
    program.choose("Command", 2, lambda: program.there("a-command.*") and program.there(LEAKY + ", .*") is None)
    program.choose("Command", 0, lambda: program.there("Change number 298.*") and program.there(LEAKY + ", .*"))
    os.unlink(os.path.join(store, "jobs", OTHER))
    until("the profile to go", lambda: program.there(LEAKY + ", .*") is None)


def select_two(first, second):
    def both():  # a tooltip may lie over the second one
        program.click(program.find(first))
        assert not program.sensitive("Compare")
        with screen.held("ctrl"):
            program.click(program.find(second))
    program.done_when(both, lambda: program.sensitive("Compare"), "Compare to be possible", 10)
    assert not program.sensitive("Register")


def compared(pattern):
    """The page of what is compared, in a tab of its own, which is left again."""
    program.press("Compare")
    found = program.find_text(pattern)
    shot("compared")
    program.key("ctrl+w")
    until("the page to close", lambda: program.says(pattern) is None)
    return found


def two_are_compared():
    select_two("a-command-of-a-rather-long-name.*", TOUR + ".*")
    compared(r"Took 0 %")


def open_registered():
    program.open_row(TOUR + ".*", lambda: program.there(f".*@ {head[:7]}", "label"))
    program.find("Flame View", "panel")
    shot("opened")


def hide_profiles():
    program.click(program.find("Change number 299.*"))
    program.key("Left")
    until("the profile to hide", lambda: program.there(TOUR + ".*") is None)
    program.key("Right")
    program.find(TOUR + ".*")


def remove():
    kept = objects()

    def ask():
        program.click(program.find(TOUR + ".*"))
        program.key("Delete")
    program.done_when(ask, lambda: len(program.windows()) > 1, "the question", 10)
    shot("remove")
    program.press("_?Remove.*")
    until("the profile to go", lambda: program.there(TOUR + ".*") is None)
    assert objects() == kept, "the object stays"


def kept_page():
    """Which page the panel shows is kept from tab to tab; F9 hides it."""
    program.show_panel("Explanation")
    until("an explanation", program.table)
    program.key("F9")
    until("the panel to go", lambda: program.there("Explanation", "page tab") is None)
    program.key("F9")
    program.find("Explanation", "page tab")
    program.show_panel("Store")
    program.find("Change number 299.*")


failed = True
try:
    failed = run_steps([nothing_chosen, create_store, dirty_work_tree, other_branch, scrolled_to_the_end, menu_by_keyboard, save_here, register,
                        another_tool, becomes_older, filter_rows, filter_kinds, two_are_compared, open_registered, hide_profiles, remove, kept_page], start, shot)
finally:
    if program is not None:
        program.end()
    shutil.rmtree(work)
sys.exit(failed)
