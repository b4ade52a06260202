#!/usr/bin/python3
"""The window from end to end, by mouse and keyboard: record a command, see it, explain it, save it, open it again.

usage: test-window.py WAKEPATH SCREENSHOTS PASS SCENARIO — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; PASS: the workload to record; SCREENSHOTS: a folder; SCENARIO: a recording as text.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "common")]
from desktop import Program, description, everything, name, run_steps, screen, still, take_shot, until  # noqa: E402
from spinners import Spinners  # noqa: E402

wakepath, pictures, workload, scenario = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-window.")
saved = os.path.join(work, "saved.perf")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath], "wakepath")


# --- the steps, in order ---

def start_page():
    program.find("Record…", "push button")
    program.find("Open…", "push button")
    program.find("Where Did the Time Go\\?", "label")
    shot("start-page")


def open_bad_file():
    """Its name is a name, not markup."""
    bad = os.path.join(work, "bad & worse.perf")
    with open(bad, "w") as f:
        f.write("this is no recording\n" * 20)
    program.choose_file("Open Recording or Profile", bad, lambda: program.key("ctrl+o"))
    program.find_text("^Cannot Open .bad & worse.perf.$")
    program.find_text(f"^{re.escape(bad)}")
    shot("cannot-open")
    program.key("ctrl+w")
    program.find("Record…", "push button")


def open_text_recording():
    program.choose_file("Open Recording or Profile", scenario, lambda: program.key("ctrl+o"))
    canvas = program.find("Processes", "panel")
    program.find(r"A \(10\)", "push button")
    program.click(canvas, at=(0.5, 0.5))
    program.key("Down")
    until("a selected box", lambda: "Nothing" not in description(canvas) and description(canvas))
    shot("scenario")
    program.key("ctrl+w")


def record():
    program.key("ctrl+r")
    dialog = program.top_level("Record")
    shot("record-dialog")
    program.key("ctrl+a")
    program.type(workload)
    shot("record-dialog-filled")
    start = program.find("Start Recording", "push button")
    with Spinners(os.path.dirname(workload)):
        program.click(start, dialog)
        seen = until("recording, or its end", lambda: program.there("Stop", "push button")
                     or program.there("Flame View", "panel"))
        if name(seen) == "Stop":
            shot("recording")
            until("the recording to end", lambda: not program.there("Stop", "push button"), 60)
    program.find("Flame View", "panel", 60)
    screen.activate(program.window)
    program.press("Processes")
    program.find("Processes", "panel", 60)
    shot("processes")


def show_sleeps():
    program.click(program.find("Show Sleeps", "push button"))
    shot("processes-sleeps")
    program.click(program.find("Show Sleeps", "push button"))
    program.click(program.find("Summary", "push button"))
    shot("processes-summary")
    program.click(program.find("Summary", "push button"))


def others():
    """What has nothing to do with the recorded command, the recorder for one, is behind a row, which opens and closes; the command's own is marked."""
    def turned(word):
        program.done_when(lambda: program.click(program.find(r"(Unf|F)old \d+ other tasks", "push button")),
                          lambda: program.there(word + r" \d+ other tasks", "push button"), f"a row to {word}", 40)

    def marked():
        return any("other views" in description(node) for node in everything(program.root) if re.fullmatch(r"pass \(\d+\)", node.name))
    assert not program.there(r"wakepath-.*\(\d+\)", "push button")
    until("the command is marked", marked)
    turned("Fold")
    shot("processes-others")
    turned("Unfold")


def filter_tasks():
    entry = program.find("Filter tasks")
    program.click(entry)
    program.type("pass")
    until("only pass", lambda: all("pass" in n for n in shown_names()) and shown_names())
    shot("processes-filtered")


def shown_names():
    return [row.name for row in program.find("Row names").children if row.name]


def click_process_name():
    """A click may meet rows that are still on their way to where the filter puts them."""
    program.done_when(lambda: program.click(program.find("pass.*", "push button")), lambda: program.there("Flame View", "panel"),
                      "the flame view")
    until("an explanation", program.table)
    shot("flame")
    table = program.table()
    without = int(program.find_text(r"^(\d+) more without time$")[1])
    assert len(table) >= 13 - without and "Running, function known" in table, table
    assert program.accounted() >= 90, program.accounted()


def keyboard_on_flame():
    canvas = program.find("Flame View", "panel")
    program.click(canvas, at=(0.5, 0.9))
    program.key("w", "w", "w", "d")
    shot("flame-zoomed")
    program.key("alt+Left")
    program.key("ctrl+0")
    program.key("Right", "Up")
    first = until("a box told to assistive technology",
                  lambda: "Nothing" not in description(canvas) and description(canvas))
    program.key("Up")
    until("another box", lambda: description(canvas) != first)
    program.key("f")
    shot("flame-selected")
    program.find("Facts", "label")
    program.key("ctrl+0")


def source_lines():
    """They come into the stack of a function of the workload, which is built with debugging information. On a busy machine the first may be
    one that was pushed off its CPU, of whose stack only the kernel's part is recorded."""
    program.search("^work$", r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$")
    program.done_when(lambda: program.key("Return"), lambda: program.says(r"(?m)^main .*pass\.c:\d+"), "a stack with source lines")
    program.key("Escape")
    shot("flame-source-lines")
    program.key("ctrl+0")


def choose_category():
    row = next(r for r in program.list_rows("Explanation") if r.name.startswith("Running, function known"))
    program.bring_up(row, program.find("explained.*", "label"))
    program.click(row, at=(0.3, 0.4))
    program.find_text(r"^\d+ box(es)?(, \d+ in folds)?( · [\d.]+ %)?$")
    shot("flame-category")
    program.press_until("Longest", r"^\d+ of \d+$")
    shot("flame-longest")
    program.key("ctrl+0")


def mark_a_range():
    canvas = program.find("Flame View", "panel")
    x, y, width, height = program.place(canvas)
    with screen.held("shift"):
        screen.move(x + width // 4, y + height // 2)
        screen.press()
        for step in range(1, 11):
            screen.move(x + width // 4 + step * width // 40, y + height // 2)
        screen.release()
    program.find("Whole Time", "push button")
    shot("flame-range")
    program.show_head_of_panel()  # it was scrolled to a category before
    program.press_away("Whole Time")


def consolidated():
    program.key("alt+3")
    canvas = program.find("Consolidated Flame View", "panel")
    shot("consolidated")
    program.click(program.find("Icicle", "push button"))
    program.find("Consolidated Flame View", "panel")
    shot("consolidated-icicle")
    program.click(program.find("Icicle", "push button"))
    program.find("Consolidated Flame View", "panel")
    program.click(program.find("Collapse Recursion", "push button"))
    program.find("Consolidated Flame View", "panel")
    program.click(program.find("Collapse Recursion", "push button"))
    program.find("Consolidated Flame View", "panel")
    program.click(canvas, at=(0.3, 0.5))


def search():
    """What is found is found again in a picture that is turned over."""
    program.key("ctrl+f")
    program.find("Search names in this view")
    program.type("schedule")

    def selected():
        return description(program.find("Consolidated Flame View", "panel"))
    upright = program.done_when(lambda: program.key("Return"), lambda: "schedule" in (now := selected()) and now, "a box that is found")
    shot("search")
    inverted = program.find("Inverted", "push button")
    program.click(inverted)
    until("the picture turned over", lambda: selected() != upright)
    program.done_when(lambda: program.key("ctrl+g"), lambda: re.match(r"\S*schedule", selected()), "a box of that name")
    program.click(inverted)
    program.find("Consolidated Flame View", "panel")
    program.key("ctrl+f", "Escape")


before = {}


def save():
    before["table"] = program.table()
    before["accounted"] = program.accounted()
    program.choose_file("Save Profile", saved, lambda: program.key("ctrl+s"))
    until("the file", lambda: os.path.exists(saved))
    program.find_text("Saved .saved.perf.")
    shot("saved")


def export():
    picture = os.path.join(work, "picture.svg")
    program.choose_file("Export Picture", picture, lambda: program.key("ctrl+shift+e"))
    until("the picture", lambda: os.path.exists(picture) and "</svg>" in open(picture).read())
    program.find_text("^Saved .picture.svg.$")  # that comes when nothing is being written any more


def reopen():
    program.key("ctrl+w")
    program.choose_file("Open Recording or Profile", saved, lambda: program.key("ctrl+o"))
    program.find("Flame View", "panel")
    until("an explanation", program.table)
    shot("reopened")
    assert program.table() == before["table"], (program.table(), before["table"])
    assert program.accounted() == before["accounted"], (program.accounted(), before["accounted"])


def shortcuts_and_menu():
    program.key("F1")
    program.find_text("^Each row is a function that was called by the one below it")  # the view that is seen
    assert program.find("Flame: a process at the bottom.*", "image").extents[3] > 200
    shot("help")
    help_window = program.top_level("^Help$")
    program.done_when(lambda: program.click(program.last("When Stacks Are Cut", "label"), help_window),
                      lambda: program.says("^A stack is whole when"), "the page that was chosen", 4)
    shot("help-stacks")
    program.done_when(lambda: program.key("Escape"), lambda: not program.has_top_level("^Help$"), "the help to go", 4)
    screen.activate(program.window)
    program.key("ctrl+question")
    program.find("Longest box of the chosen category", "label")
    shot("shortcuts")
    program.done_when(lambda: program.key("Escape"), lambda: not program.there("Longest box of the chosen category", "label"), "the shortcuts to go", 10)
    screen.activate(program.window)
    program.key("F10")
    program.find("About Wakepath")
    shot("menu")
    program.key("Escape")


def second_start():
    """Another start hands its file to the window that is there."""
    again = subprocess.run([wakepath, scenario], timeout=20)
    assert again.returncode == 0
    program.find(r"A \(10\)", "push button")
    assert len(program.windows()) == 1


def close():
    program.quit()


steps = [start_page, open_bad_file, open_text_recording, record, show_sleeps, others, filter_tasks, click_process_name,
         keyboard_on_flame, source_lines, choose_category, mark_a_range, consolidated, search, save, export, reopen, shortcuts_and_menu,
         second_start, close]
failed = run_steps(steps, start, shot)
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
