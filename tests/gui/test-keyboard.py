#!/usr/bin/python3
"""Without a mouse: a command is recorded, its flame view read, why it waited found, saved and compared. What a screen reader says along that
way is written to SCREENSHOTS/speech.txt; what it should be, and what is judged of it, stands in tests/gui/speech.md.

usage: test-keyboard.py WAKEPATH SCREENSHOTS PASS SCENARIO — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; PASS: the workload to record; SCREENSHOTS: a folder; SCENARIO: a recording as text.
"""
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accessible import selections  # noqa: E402
from desktop import Program, description, everything, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, workload, scenario = sys.argv[1:5]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-keyboard.")
saved = os.path.join(work, "saved.perf")
speech = open(os.path.join(pictures, "speech.txt"), "w", encoding="utf-8")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath], "wakepath")
    screen.move(2, 2)


def focused():
    """The widget that has the keyboard in the window in front, or None."""
    found = [node for node in everything(program.root) if node.focused and node.role not in ("frame", "window", "application")]
    return found[-1] if found else None


def words(node):
    """As a screen reader has it: what it is called, what it is, how it is, and what is said beyond."""
    states = [word for word, is_so in (("chosen", node.selected), ("pressed", node.pressed), ("checked", node.checked),
                                       ("not available", not node.sensitive)) if is_so]
    said = ", ".join(filter(None, [node.name.removeprefix("_"), node.role, *states]))
    more = description(node)
    return f"{said}: {more}" if more else said


def hear(after):
    """Notes what is said once a key has been pressed; nothing that has the keyboard may be without a word, and text that has come to have it
    is not selected."""
    node = until("something to have the keyboard", focused, 20)
    said = words(node)
    print(f"[{after}] {said}", file=speech, flush=True)
    assert node.name or node.role == "text", f"after {after}, {node} has no name"
    assert node.role != "label" or selections(node) == 0, f"after {after}, the text of {node} is selected"
    return said


def press(keys, happened, what):
    """Keys until it is seen to have happened; what is said then."""
    program.done_when(lambda: program.key(*keys.split()), happened, what)
    still()
    return hear(keys)


def tab_to(pattern, most=30, key="Tab"):
    """Tab, and what is said at each stop, until one matches; returns how often it was."""
    for n in range(1, most + 1):
        before = focused()
        program.key(key)
        until("the keyboard to go on", lambda: (at := focused()) and (before is None or at.path != before.path), 10)
        if re.match(pattern, hear(key)):
            return n
    raise AssertionError(f"no {pattern} within {most} stops")


# --- the steps, in order ---

def start_page():
    tab_to(r"Record", 8)
    shot("start-page")


def record():
    program.done_when(lambda: program.key("ctrl+r"), lambda: program.has_top_level("Record") and program.there("Start Recording", "push button"),
                      "the dialog")
    program.top_level("Record")
    still()
    # libadwaita 1.2 does not tell that the text of such a row has the keyboard.
    print(f"[ctrl+r] {words(program.find('Command.*', 'text'))}", file=speech)
    program.key("ctrl+a")
    program.type(workload)
    until("it to be possible", lambda: program.sensitive("Start Recording"))
    program.key("Return")
    program.find("Flame View", "panel", 90)
    program.find("Explanation", "list", 60)
    still()
    hear("Return, when it has been recorded")
    program.find_text(r"^pass ended with status 0$")
    shot("recorded")


def flame():
    """Arrows lead from box to box; each says what it is."""
    canvas = program.find("Flame View", "panel")
    if not canvas.focused:
        tab_to(r"Flame View")
    press("Right", lambda: "Nothing" not in description(canvas) and description(canvas), "a box")
    said = description(canvas)
    for _ in range(3):
        press("Up", lambda: description(canvas) != said, "another box")
        said = description(canvas)
    shot("flame")


def around():
    """Axis, overview and legend say more than their names."""
    whole = until("the overview to say what is seen", lambda: description(program.last("Overview")))
    assert whole.startswith("All of "), whole
    press("w w", lambda: description(program.last("Overview")).startswith("From "), "a part to be seen")
    assert description(program.last("Axis")).startswith("From ")
    for which in "Overview", "Legend":
        print(f"[looked at] {words(program.last(which))}", file=speech)
    legend = description(program.last("Legend"))
    assert re.search(r"(?m)^Running: ", legend) and "\n" in legend, legend
    program.key("ctrl+0")
    until("all to be seen", lambda: description(program.last("Overview")) == whole)


def one_stop_each():
    """Details and the table are one stop each; arrows move within them."""
    tab_to(r"Copy details|.*", 1)
    first = until("the keyboard", focused)
    program.key("Down")
    until("another widget of the details", lambda: (at := focused()) and at.path != first.path)
    hear("Down")
    stops = []
    for _ in range(25):
        before = until("the keyboard", focused).path
        program.key("Tab")
        until("the keyboard to go on", lambda: (at := focused()) and at.path != before, 10)
        stops.append(hear("Tab"))
        if re.match(r".*, list item", stops[-1]):
            break
    assert re.match(r".*, list item", stops[-1]), stops
    assert len(stops) <= 12, stops  # a message that is there for a while has two of them
    program.key("Down")
    row = until("a row to be chosen", lambda: next((r for r in program.list_rows("Explanation") if r.selected), None))
    hear("Down")
    before = until("the keyboard", focused).path
    program.key("Tab")
    until("the keyboard to leave the table", lambda: (at := focused()) and at.path != before and at.role != "list item")
    hear("Tab")
    program.key("shift+Tab")
    until("the same row again", lambda: (at := focused()) and at.name == row.name)
    shot("table")


def why():
    """The boxes of the chosen row, one after the other, the longest first."""
    program.find_text(r"^\d+ box(es)?|^\d+ of \d+$")
    press("ctrl+l", lambda: program.says(r"^\d+ of \d+$"), "the longest")
    canvas = program.find("Flame View", "panel")
    print(f"[ctrl+l] {words(canvas)}", file=speech)
    assert "Nothing" not in description(canvas)
    assert canvas.focused  # arrows go on from there
    press("ctrl+Down", lambda: program.says(r"^\d+ of \d+$"), "the next")
    shot("why")


def save():
    program.choose_file("Save Profile", saved, lambda: program.key("ctrl+s"))
    until("the file", lambda: os.path.exists(saved))
    program.find_text("Saved .saved.perf.")


def menu():
    """In groups, with what is rare in submenus; left from within one, the keyboard is where it was."""
    program.key("F10")
    until("the menu", lambda: program.there("Export") and (at := focused()) and "menu item" in at.role)
    hear("F10")
    program.key("v")
    program.find("Wait Chain")
    still()
    hear("v")
    shot("submenu")
    program.key("Escape")
    until("the menu to go", lambda: not program.there("About Wakepath"))
    hear("Escape")
    program.done_when(lambda: program.key("F10"), lambda: program.there("About Wakepath"), "the menu again")
    still()


def compare():
    program.key("c")
    program.choose_file("Compare With", saved)
    program.find_text("takes as long as before", 60)
    still()
    hear("Return, when it is compared")
    for _ in range(6):
        before = focused()
        program.key("Tab")
        until("the keyboard to go on", lambda: (at := focused()) and (before is None or at.path != before.path), 10)
        hear("Tab")
    shot("compared")


def views_not_tabs():
    """Alt and a digit choose the view, wherever in a tab the keyboard is."""
    program.key("ctrl+w")
    program.choose_file("Open Recording or Profile", scenario, lambda: program.key("ctrl+o"))
    program.find(r"A \(10\)", "push button")
    title = os.path.basename(scenario)
    for digit, view in ("2", "Flame"), ("1", "Processes"), ("2", "Flame"):
        program.done_when(lambda: program.key("alt+" + digit), lambda: program.last(view, "push button").pressed, f"the view {view}")
        assert program.has_top_level(f"^{re.escape(title)}$"), "another tab is in front"


def close():
    program.quit()


failed = run_steps([start_page, record, flame, around, one_stop_each, why, save, menu, compare, views_not_tabs, close], start, shot)
speech.close()
if program:
    program.end()
shutil.rmtree(work, ignore_errors=True)
sys.exit(failed)
