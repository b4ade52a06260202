#!/usr/bin/python3
"""Profiles of other collectors in the window: which views they are given, what can be chosen there, and what comes out.

usage: test-plots.py WAKEPATH SCREENSHOTS PROFILES — under tests/xrun -w openbox or tests/wlrun. Prints TAP.
WAKEPATH: the program; SCREENSHOTS: a folder; PROFILES: a folder with memory.perf and models.perf.
"""
import json
import os
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from desktop import Program, description, everything, name, run_steps, screen, still, take_shot, until  # noqa: E402

wakepath, pictures, profiles = sys.argv[1:4]
os.makedirs(pictures, exist_ok=True)
work = tempfile.mkdtemp(prefix="wakepath-kinds.")
program = None


def shot(which):
    take_shot(program, pictures, which)


def start():
    global program
    program = Program([wakepath, os.path.join(profiles, "memory.perf")], "wakepath")


def sidebar():
    """The names of the views at the side, from top to bottom."""
    return [node.name for node in everything(program.root) if node.name in VIEWS and node.role == "label"]


VIEWS = ("Flame Graph", "Heap Map", "Heat Map", "Allocations", "Scatter Plot", "Bars", "Flow", "Resources", "Models", "Raw")


def view(title):
    """Chooses a view at the side; of the last tab, since the others keep their size."""
    row = re.escape(title)

    def item():
        return until(f"the name {title}", lambda: program.last(row, "list item"))
    program.done_when(lambda: program.click(item()), lambda: item().selected, f"{title} to be chosen")
    still()


def rows(n, of=None):
    """Waits until a table says that it has so many rows."""
    program.find_text(rf"^{n} of {of} rows$" if of else rf"^{n} rows$")


def find_filter():
    """Of the table that is seen: those of views that were left keep their size."""
    return program.last("Filter rows")


# --- the steps, in order ---

def memory():
    """A memory profile opens as a heap map, with all views of memory beside it, and none of those for models."""
    program.find("Heap Map", "panel")
    program.find_text("^All snapshots$")
    assert sidebar() == ["Flame Graph", "Heap Map", "Heat Map", "Allocations", "Bars", "Flow", "Resources", "Raw"], sidebar()
    shot("heap-map")


def row():
    """The name of a row of all snapshots leads to that one."""
    program.click(program.find(r"5: 0\.\d+ s", "push button"))
    program.find_text("^Snapshot 5$")
    program.click(program.find("Snapshot", "slider"), at=(0.9, 0.5))
    until("another snapshot", lambda: not program.says("^Snapshot 5$"))
    program.key("Home")
    program.find_text("^All snapshots$")


def narrow():
    """A window that becomes narrow gives up its side panel, and has it again when it is wide."""
    _, _, *size = screen.geometry(program.window)
    screen.resize(program.window, 560, 700)
    until("the panel to go", lambda: program.there("Choose folder", "push button") is None)
    shot("narrow")
    screen.resize(program.window, *size)
    program.find("Choose folder", "push button")
    assert program.find("Choose Folder…", "push button").sensitive


def snapshot():
    """The slider goes from snapshot to snapshot."""
    slider = program.find("Snapshot", "slider")
    program.click(slider, at=(0.6, 0.5))
    found = program.find_text(r"^Snapshot (\d+)$")
    assert 1 < int(found[1]) < 266, found[1]
    shot("heap-map-snapshot")
    before = int(found[1])
    program.key("period", "period", "comma")
    program.find_text(rf"^Snapshot {before + 1}$")
    program.key("p")
    until("the snapshots to play", lambda: int(program.find_text(r"^Snapshot (\d+)$")[1]) > before + 4)
    program.key("p")


def keyboard():
    """The names of the views are one stop of the Tab key, which then leads to what the view has; the button leads to the peak."""
    view("Heap Map")
    until("a name for each row", lambda: program.there("Heap Map", "list item") and program.there("Heat Map", "list item"))

    def name_row():
        return program.last("Heap Map", "list item")
    program.done_when(lambda: program.click(name_row()), lambda: (row := name_row()) and row.focused, "the keyboard at the names")
    program.key("Tab", "Tab", "End")
    program.find_text("^Snapshot 266$")
    program.key("Tab", "space")
    until("the peak", lambda: program.says("^All  36 B$") or program.says(r"^Snapshot \d+$") and not program.says("^Snapshot 266$"))
    shot("heap-map-peak")
    program.key("shift+Tab", "Home")
    program.find_text("^All snapshots$")


def allocation():
    """A click tells what is allocated there: where, how much, how long and by whom."""
    x, y, _, height = program.place(program.find("Heap Map", "panel"))
    program.place(program.find("Snapshot", "slider"))
    for dx in range(1, 60, 2):
        screen.move(x + dx, y + 8)
        screen.click()
        time.sleep(0.5)  # a click that follows sooner would make a double click of both
        told = r"(?s).*0x[0-9a-f]+ – 0x[0-9a-f]+ · .* B · .*alloc.*\nallocated in snapshot \d+.*\nmain  test\.c:\d+.*"
        if program.there(told, "label") and (time.sleep(1), program.there(told, "label"))[1]:  # not of the picture before
            break
    else:
        raise AssertionError("no click told of an allocation")
    shot("heap-map-selected")


def copied():
    """What is told of it is copied, from the menu or by keys, and what is seen as a picture."""
    program.done_when(lambda: program.key("ctrl+shift+c"), lambda: "\nallocated in snapshot " in screen.copied()[0], "what is told")
    program.choose_in_menu("Copy", "y", "Details as Markdown", "m")
    until("Markdown", lambda: screen.copied()[0].startswith("### ") and "\n- allocated in snapshot " in screen.copied()[0])
    program.choose_in_menu("Copy", "y", "What Is Seen as Picture", "p")
    until("a picture", lambda: screen.copied()[1])


def charts():
    """Heat map, bars and flow say what they are."""
    for title, says in (("Heat Map", "How often each address"), ("Bars", "sum of amount per snapshots"), ("Flow", "sum of amount per snapshots")):
        view(title)
        until(f"{title} to say {says}", lambda: says in description(program.find(title, "image")))
        shot(title.lower().replace(" ", "-"))


def hover():
    """What is under the pointer is told."""
    view("Bars")
    chart = program.find("Bars", "image")
    x, y, width, height = program.place(chart)

    def at_some_bar():
        for share in range(8, 30):
            screen.move(x + width * share // 40, y + height * 7 // 10)
            time.sleep(0.05)
            if "test.c:" in description(chart):
                return description(chart)
        return None
    said = until("a bar under the pointer", at_some_bar)
    assert re.search(r"snapshots: \d+\nsum of amount: \d+ B", said), said


def allocations():
    """The list of allocations: 20 of them, the largest first when asked, and by function."""
    view("Allocations")
    rows(20)
    shot("allocations")
    program.click(program.find("posix_memalign", "label"))
    program.find(r"main  test\.c:63", "label")
    shot("allocation-trace")
    program.choose("Show", 2, lambda: program.there("4 rows"))
    shot("allocators")


def resources():
    """The table of resources is filtered, and sorted by a click on a column's title."""
    view("Resources")
    rows(34)
    program.click(find_filter())
    program.type("factorial")
    rows(9, 34)
    program.key("ctrl+a", "BackSpace")
    rows(34)
    program.click(program.find(r"amount \(B\)", "label"))
    shot("resources")


def flame():
    """Stacks of allocations as a flame graph; zooming is the window's own action."""
    view("Flame Graph")
    program.find("Flame Graph", "panel")
    shot("flame")
    program.click(program.find("Icicle", "label"))
    shot("icicle")


def raw():
    """Header and collector as text."""
    view("Raw")
    program.find("Raw", "text")
    shot("raw")


def models():
    """A profile with sizes and models opens as a scatter plot; its models are listed."""
    program.choose_file("Open Recording or Profile", os.path.join(profiles, "models.perf"), lambda: program.key("ctrl+o"))
    until("a scatter plot", lambda: "amount per structure-unit-size" in description(program.find("Scatter Plot", "image")))
    assert sidebar()[-6:] == ["Scatter Plot", "Bars", "Flow", "Resources", "Models", "Raw"], sidebar()
    shot("scatter")
    view("Models")
    rows(10)
    shot("models")


def analyse():
    """A regression analysis adds models, which Save Profile keeps."""
    saved = os.path.join(work, "saved.perf")

    program.done_when(lambda: program.click(program.find("Analyse", "label")), lambda: program.there("Apply"), "the analyses")
    still()
    program.key("shift+Tab", "space")  # from the first control back to the last: Apply
    added = 12  # six models for each of the two functions that have more than one size

    def models_now():
        view("Models")  # the result shows the scatter plot once more, maybe after this
        still()
        return program.there(f"{10 + added} rows", "label")
    until("models to be added", models_now, 60)
    shot("analysed")
    asked_before_closing()
    program.choose_file("Save Profile", saved, lambda: program.key("ctrl+s"))
    until("the profile", lambda: os.path.exists(saved))
    program.find_text("^Saved .saved.perf.$")  # that comes when nothing is being written any more
    with open(saved, encoding="utf-8") as file:
        document = json.load(file)
    assert len(document["global"]["models"]) == 10 + added
    assert document["postprocessors"][-1]["name"] == "regression_analysis"


def asked_before_closing():
    program.key("ctrl+w")
    program.find("Close “models.perf” Without Saving.", "label")
    until("the question", lambda: len(program.windows()) > 1)
    shot("unsaved")
    program.key("Escape")
    until("the question to go", lambda: len(program.windows()) == 1)
    assert "Models" in sidebar(), sidebar()


def closed():
    """What is saved is closed without a question."""
    assert "Models" in sidebar(), sidebar()
    program.key("ctrl+w")
    until("the page to close", lambda: "Models" not in sidebar())
    assert len(program.windows()) == 1


def no_switcher():
    """The views of a recording are not offered."""
    assert program.there("Processes", "toggle button") is None


def export_to(what, key, path):
    """By its entry in the menu."""
    program.choose_file("Export " + what, path, lambda: program.choose_in_menu("Export", "e", what + "…", key))
    until("the file", lambda: os.path.exists(path))
    with open(path, encoding="utf-8") as file:
        return file.read()


def export():
    """A chart is exported as a picture, a table as text."""
    picture, table = os.path.join(work, "plot.svg"), os.path.join(work, "models.tsv")
    lines = export_to("Table", "t", table).splitlines()
    assert lines[0].split("\t")[:3] == ["Of", "Model", "r²"] and len(lines) == 11, lines[:2]
    view("Scatter Plot")
    assert "<svg" in export_to("Picture", "p", picture)[:2000]


if __name__ == "__main__":
    failed = run_steps([memory, no_switcher, narrow, keyboard, row, snapshot, allocation, copied, charts, hover, allocations, resources, flame, raw, models, export, analyse, closed], start, shot)
    if program is not None:
        program.end()
    shutil.rmtree(work, ignore_errors=True)
    sys.exit(failed)
